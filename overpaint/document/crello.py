"""Crello records: designs of the public dataset `cyberagent/crello`, as JSON, read only.

One record is an object; a file of several has one a line, and a page is a line. Fields are the
dataset's own: `canvas_width`, `canvas_height`, and lists with an entry for each element, bottom
first: `left`, `top`, `width`, `height` as fractions of the canvas (they may lie outside it),
`opacity`, `angle` (radians, clockwise, about the middle), `color` (lists of red, green, blue),
`image` (base64, or an object with base64 under `bytes`), `text`, `font`, `font_size` (pixels),
`text_align`, `capitalize`, `line_height`, `letter_spacing`.

The dataset's numbers for categories differ between its versions: names are wanted here
(`int2str` gives them), and a number is read as in the dataset's version 3, or passed over.
"""

import base64
import binascii
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from overpaint.document.containers import MAX_XML, Allowance, check_canvas, check_page
from overpaint.document.decoding import MAX_LAYERS, MAX_SIZE
from overpaint.document.layers import (
    BLACK,
    Align,
    Colour,
    Content,
    Layer,
    Picture,
    Pixels,
    Point,
    Run,
    Shape,
    Style,
    Text,
)
from overpaint.document.model import Document
from overpaint.document.pictures import read_file
from overpaint.errors import DataError, unread

_ALIGNS: dict[Any, Align] = {
    "left": "left", "center": "centre", "centre": "centre", "right": "right", "": "left",
    0: "left", 1: "centre", 2: "left", 3: "right",
}  # fmt: skip
_SMALLEST = 16  # pixels: a canvas below it is a category's number
_ASCENT = 0.8  # of a line, in sizes, above the baseline


def read(path: Path, page: int = 1) -> Document:
    """The document of one record."""
    lines = list(_records(path))
    check_page(path, page, len(lines))
    where = str(path) if len(lines) == 1 else f"{path}, line {page}"
    if (size := len(lines[page - 1])) > MAX_XML:  # many times as many would be held
        raise DataError(f"{where} has {size:,} bytes; {MAX_XML:,} are allowed in a record.")
    try:
        record = json.loads(lines[page - 1])
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where} is no JSON: {unread(error)}.") from None
    if not isinstance(record, dict):
        raise DataError(f"{where} is no object.", "A Crello record is one.")
    return _Record(path, where, record).document


def pages(path: Path) -> int:
    """How many records a file has."""
    return sum(1 for _ in _records(path))


def _records(path: Path) -> Iterator[bytes]:
    """The records' text: the whole file where it is one value, else its lines."""
    data = read_file(path).removeprefix(b"\xef\xbb\xbf")
    first = data.split(b"\n", 1)[0].strip()
    if first.startswith(b"{") and first.endswith(b"}"):
        yield from (line for line in data.split(b"\n") if line.strip())
    else:
        yield data


@dataclass
class _Record:
    """One record, and what was found odd about it."""

    path: Path
    where: str
    fields: dict[str, Any]

    def __post_init__(self) -> None:
        self.notes: list[str] = []
        self.allowance = Allowance(self.path)

    @property
    def document(self) -> Document:
        """Its elements as layers."""
        self.size = (self.side("canvas_width"), self.side("canvas_height"))
        check_canvas(self.path, self.size)
        count = len(self.values("left"))
        if count > MAX_LAYERS:
            raise DataError(
                f"{self.where}: left has {count:,} entries.", f"At most {MAX_LAYERS:,}."
            )
        layers = tuple(self.layer(at) for at in range(count))
        notes = tuple(dict.fromkeys(self.notes))
        return Document(made=layers, canvas=self.size, origin=self.path, said=notes)

    def layer(self, at: int) -> Layer:
        """One element."""
        wide, high = (
            self.number(name, at) * side
            for name, side in zip(("width", "height"), self.size, strict=True)
        )
        corner = (self.number("left", at) * self.size[0], self.number("top", at) * self.size[1])
        self.allowance.take(math.ceil(max(0.0, wide)), math.ceil(max(0.0, high)))
        if wide < 0 or high < 0:
            raise self.wrong("width" if wide < 0 else "height", at, "a fraction, 0 or more")
        kind = self.value("type", at)
        content, (left, top) = self.content(at, corner, (wide, high))
        return Layer(
            content, kind if isinstance(kind, str) and kind else f"element {at + 1}", str(at + 1),
            left, top, math.degrees(self.number("angle", at, 0.0)) or 0.0,
            opacity=min(1.0, max(0.0, self.number("opacity", at, 1.0))),
        )  # fmt: skip

    def content(self, at: int, corner: Point, box: Point) -> tuple[Content, Point]:
        """What an element shows, and its place: a corner, or a text's first baseline."""
        pixels = self.image(at, (max(1, round(box[0])), max(1, round(box[1]))))
        whole = (float(round(corner[0])), float(round(corner[1])))
        if words := self.words(at):
            style = self.style(at)
            gap = max(0.0, (style.leading - 1) / 2)
            baseline = (corner[0], corner[1] + (_ASCENT + gap) * style.size)
            drawn_at = (whole[0] - baseline[0], whole[1] - baseline[1])
            return Text((Run(words, style),), box[0] or None, pixels, drawn_at), baseline
        if pixels is not None:
            return Picture(pixels), whole
        return Shape("rectangle", *box, self.colour(at, required=True)), corner

    # ── fields ──────────────────────────────────────────────────────────────────────────

    def side(self, name: str) -> int:
        value = self.fields.get(name)
        if isinstance(value, str) and value.isdecimal() and len(value) < 7:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int | float) or not value >= _SMALLEST:
            raise DataError(
                f"{self.where}: {name} is {value!r}.",
                f"Pixels, at least {_SMALLEST}, are expected.",
            )
        return round(min(value, 1e9))

    def values(self, name: str) -> list[Any]:
        value = self.fields.get(name)
        if not isinstance(value, list):
            raise DataError(f"{self.where}: {name} is {str(value)[:60]!r}.", "A list is expected.")
        return value

    def value(self, name: str, at: int) -> Any:
        """An element's entry of a field that a record need not have."""
        if self.fields.get(name) is None:
            return None
        values = self.values(name)
        if at >= len(values):
            raise DataError(
                f"{self.where}: {name} has {len(values)} entries.",
                f"One for each of {len(self.values('left'))} elements is expected.",
            )
        return values[at]

    def number(self, name: str, at: int, default: float | None = None) -> float:
        value = self.value(name, at)
        if value is None and default is not None:
            return default
        right = isinstance(value, int | float) and not isinstance(value, bool)
        if not right or not abs(value) <= 1e5:
            raise self.wrong(name, at, "a number")
        return float(value)

    def words(self, at: int) -> str:
        value = self.value("text", at)
        if value is not None and not isinstance(value, str):
            raise self.wrong("text", at, "words")
        words = (value or "").replace("\r\n", "\n")
        return words.upper() if self.value("capitalize", at) in (True, 1, "true") else words

    def style(self, at: int) -> Style:
        size = self.number("font_size", at, 0.0) or Style().size
        if not 0 < size <= MAX_SIZE:
            raise self.wrong("font_size", at, f"pixels, up to {MAX_SIZE:,.0f}")
        family = self.value("font", at)
        if not isinstance(family, str) or not family:
            self.notes.append(f"the font {family!r} has no name: {Style().family} stands for it")
            family = Style().family
        align = self.value("text_align", at)
        if align is not None and (isinstance(align, list | dict) or align not in _ALIGNS):
            raise self.wrong("text_align", at, "left, center or right")
        return Style(
            family, size, colour=self.colour(at, required=False),
            align=_ALIGNS["" if align is None else align],
            leading=self.number("line_height", at, 0.0) or 1.2,
            spacing=self.number("letter_spacing", at, 0.0),
        )  # fmt: skip

    def colour(self, at: int, *, required: bool) -> Colour:
        """The first of an element's colours."""
        value = self.value("color", at)
        if isinstance(value, list) and value and isinstance(value[0], list):
            value = value[0]
        if not value and not required:
            return BLACK
        if not isinstance(value, list) or len(value) < 3 or not all(
            isinstance(v, int | float) and 0 <= v <= 255 for v in value
        ):  # fmt: skip
            raise self.wrong("color", at, "red, green and blue from 0 to 255, or an image")
        red, green, blue = (round(v) for v in value[:3])
        return red, green, blue, 255

    def image(self, at: int, size: tuple[int, int]) -> Pixels | None:
        """An element's picture, at the size it has on the canvas."""
        value = self.value("image", at)
        if isinstance(value, dict):
            value = value.get("bytes")
        if not value:
            return None
        if not isinstance(value, str):
            raise self.wrong("image", at, "a picture in base64")
        try:
            data = base64.b64decode(value.rpartition(",")[2], validate=True)
        except (binascii.Error, ValueError):
            raise self.wrong("image", at, "a picture in base64") from None
        image = Image.fromarray(self.allowance.decode(data, f"image[{at}]")).convert("RGBA")
        return np.asarray(
            image if image.size == size else image.resize(size, Image.Resampling.LANCZOS)
        )

    def wrong(self, name: str, at: int, right: str) -> DataError:
        """The sentence about an entry that is not what it should be."""
        value = str(self.value(name, at))[:60]
        return DataError(f"{self.where}: {name}[{at}] is {value!r}.", f"Expected: {right}.")
