"""Decks: a PPTX opened within limits, and how its units become pixels."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lxml import etree
from pptx import Presentation
from pptx.exc import PythonPptxError

from overpaint.document.containers import Zip, check_page, open_zip
from overpaint.document.layers import Point
from overpaint.document.turning import turned
from overpaint.errors import PictureError

EMU = 9525  # a pixel at 96 dpi
SMALL, LARGE = 1280, 1920  # pixels of the long side: fewer are too coarse, more too slow
MAX_XML = 64 << 20  # bytes of one part
# What python-pptx and lxml raise on decks that are not whole, and nothing wider.
_DAMAGE = (
    PythonPptxError, etree.LxmlError, KeyError, ValueError, TypeError, AttributeError, IndexError,
    NotImplementedError, AssertionError, RecursionError, zipfile.BadZipFile,
)  # fmt: skip


@dataclass(frozen=True)
class Deck:
    """A PPTX and one of its slides; pages count from 1."""

    zipped: Zip
    presentation: Any
    slide: Any
    scale: float  # pixels an EMU
    size: tuple[int, int]


@contextmanager
def whole(path: Path) -> Iterator[None]:
    """Say in a sentence what a library raises on a deck that is not whole."""
    try:
        yield
    except _DAMAGE as error:
        what = str(error)[:200] or type(error).__name__
        raise PictureError(
            f"{path} is no whole PPTX: {what}.", "", "Save or fetch it again."
        ) from error


def open_deck(path: Path, page: int) -> Deck:
    """A deck at one of its slides."""
    zipped, presentation = _opened(path)
    with whole(path):
        slides = list(presentation.slides)
        wide, high = presentation.slide_width, presentation.slide_height
        if not wide or not high or not 0.02 < wide / high < 50:
            raise ValueError(f"its slides are {wide}×{high} large")
    check_page(path, page, len(slides))
    long = max(wide, high) / EMU
    factor = SMALL / long if long < SMALL else LARGE / long if long > LARGE else 1.0
    scale = factor / EMU
    size = (max(1, round(wide * scale)), max(1, round(high * scale)))
    return Deck(zipped, presentation, slides[page - 1], scale, size)


def pages(path: Path) -> int:
    """How many slides a deck has."""
    _, presentation = _opened(path)
    with whole(path):
        return len(presentation.slides)


def _opened(path: Path) -> tuple[Zip, Any]:
    zipped = open_zip(path)
    for name in zipped.names:
        data = zipped.read(name)
        if name.endswith((".xml", ".rels", ".vml")):
            _check_xml(path, name, data)
    with whole(path):
        return zipped, Presentation(io.BytesIO(zipped.data))


def _check_xml(path: Path, name: str, data: bytes) -> None:
    """Refuse what the format forbids and an attack needs: declarations of entities."""
    plain = data.replace(b"\0", b"")[: MAX_XML + 1]
    if len(data) > MAX_XML:
        raise PictureError(f"{path} has {len(data):,} bytes of XML in {name!r}, which is too much.")
    if b"<!DOCTYPE" in plain or b"<!ENTITY" in plain:
        raise PictureError(
            f"{path} declares entities in {name!r}.",
            "They can unpack without end or read files, and no deck needs them.",
        )


@dataclass(frozen=True)
class Space:
    """From the units that a shape is placed in to pixels: groups have units of their own."""

    across: float  # pixels a unit
    down: float
    left: float = 0.0
    top: float = 0.0
    turns: tuple[tuple[float, Point], ...] = ()  # of the groups around, from within

    def box(self, place: tuple[float, float, float, float], angle: float) -> "Box":
        """Where a box of left, top, width, height is, turned about its middle."""
        x, y, wide, high = place
        centre = (self.left + self.across * (x + wide / 2), self.top + self.down * (y + high / 2))
        for turn, about in self.turns:
            centre = turned(centre, turn, about)
            angle += turn
        return Box(centre, self.across * wide, self.down * high, angle % 360)

    def inside(self, place: tuple[float, ...], inner: tuple[float, ...], angle: float) -> "Space":
        """The space of a group's children, from its own box and the one they count in."""
        x, y, wide, high = place
        from_x, from_y, from_wide, from_high = inner
        across = wide / from_wide if from_wide else 1.0
        down = high / from_high if from_high else 1.0
        turns = self.turns
        if angle % 360:
            centre = (self.left + self.across * (x + wide / 2),
                      self.top + self.down * (y + high / 2))  # fmt: skip
            turns = ((angle, centre), *turns)
        return replace(
            self, across=self.across * across, down=self.down * down,
            left=self.left + self.across * (x - from_x * across),
            top=self.top + self.down * (y - from_y * down), turns=turns,
        )  # fmt: skip


@dataclass(frozen=True)
class Box:
    """A box in pixels: its middle, its sides, and how far it is turned about its middle."""

    centre: Point
    wide: float
    high: float
    angle: float = 0.0

    @property
    def left(self) -> float:
        """Of the box before it is turned."""
        return self.centre[0] - self.wide / 2

    @property
    def top(self) -> float:
        """Of the box before it is turned."""
        return self.centre[1] - self.high / 2
