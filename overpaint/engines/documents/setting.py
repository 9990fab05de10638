"""Setting: a text broken into lines, each with its words in place, its ink and its ink's box."""

import math
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from PIL import Image, ImageDraw

from overpaint.engines.documents.faces import FINE, face, swell
from overpaint.engines.posters.lettering import Ink
from overpaint.vision.page import Block, Line, union

Align = Literal["left", "centre", "right", "justify"]
FAINT = 3  # of 255: weaker ink is dropped, so that a box is as tight as the eye sees it
LOOSE = 3.8  # a line is set ragged where justifying would make its spaces this many times wider

HAN = r"\u3000-\u303f\u3400-\u9fff\uff00-\uffef·—…“”‘’"
CLOSING = "，。、；：？！）》」』】”’％….,;:!?)%℃"
OPENING = "（《「『【“‘"


@dataclass(frozen=True)
class Style:
    """How letters look and lines follow one another."""

    family: str
    size: int
    bold: bool = False
    colour: str = "#1d1d1f"
    leading: float = 1.42  # from line to line, in sizes
    align: Align = "left"

    @property
    def pitch(self) -> int:
        """Pixels from one baseline to the next."""
        return round(self.size * self.leading)


@dataclass(frozen=True)
class Text:
    """A block of running text: sentences, where they stand, and what else they could say.

    `swaps` are pairs of a phrase that stands here and another that could: what an edit may do.
    """

    sentences: tuple[str, ...]
    left: int
    top: int
    width: int
    style: Style
    kind: str = "text"
    role: str = "paragraph"  # what an instruction calls it: paragraph, item, field, heading …
    indent: int = 0  # of the first line
    hang: int = 0  # of the other lines
    marker: str = ""  # a colour: a small square before the first line
    swaps: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> str:
        """All it says."""
        return join(self.sentences)

    def says(self, *sentences: str) -> "Text":
        """The same place with other sentences."""
        return replace(self, sentences=sentences)

    @property
    def bottom(self) -> int:
        """Where the last line's room ends."""
        return self.top + len(lines_of(self)) * self.style.pitch


@dataclass(frozen=True)
class SetLine:
    """One line: what it says, and each of its pieces with the place where it begins."""

    text: str
    pieces: tuple[tuple[str, float], ...]
    baseline: int
    style: Style

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The box of its ink."""
        return ink_of(self).box


def chinese(words: str) -> bool:
    """Whether any letter is Chinese, or the punctuation that goes with it."""
    return re.search(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]", words) is not None


def join(parts: tuple[str, ...] | list[str]) -> str:
    """Words in a row: a space between them, but none beside a Chinese letter."""
    said = ""
    for part in parts:
        beside = said[-1:] + part[:1]
        said += part if not said or not part or re.search(f"[{HAN}]", beside) else f" {part}"
    return said


# ── lines ───────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=4096)
def lines_of(text: Text) -> tuple[SetLine, ...]:
    """The text in lines, greedily filled; none where it says nothing."""
    style = text.style
    rows = _fill(_units(text.words), style, text.width - text.indent, text.width - text.hang)
    lines = []
    for number, row in enumerate(rows):
        shift = text.hang if number else text.indent
        room = text.width - shift
        pieces = _place(row, style, room, last=number == len(rows) - 1)
        said = "".join((" " if spaced and i else "") + u for i, (u, spaced) in enumerate(row))
        baseline = text.top + round((number + 0.5) * style.pitch + 0.35 * style.size)
        placed = tuple((word, text.left + shift + x) for word, x in pieces)
        lines.append(SetLine(said, placed, baseline, style))
    return tuple(lines)


Unit = tuple[str, bool]  # what is never broken, and whether a space stands before it


@lru_cache(maxsize=2048)
def _units(words: str) -> tuple[Unit, ...]:
    units: list[Unit] = []
    for part in words.split(" "):
        spaced = True
        for piece in re.findall(f"[{HAN}]|[^{HAN}]+", part):
            held = units and not spaced and (piece[0] in CLOSING or units[-1][0][-1] in OPENING)
            if held:
                units[-1] = (units[-1][0] + piece, units[-1][1])
            else:
                units.append((piece, spaced))
            spaced = False
    return tuple(units)


def _fill(units: tuple[Unit, ...], style: Style, first: int, rest: int) -> list[list[Unit]]:
    rows: list[list[Unit]] = []
    used, room = math.inf, float(first)
    space = advance(" ", style)
    for unit, spaced in units:
        wide = advance(unit, style)
        if used + space * spaced + wide > room:
            room = float(rest if rows else first)
            rows.append([])
            used = -space * spaced
        rows[-1].append((unit, spaced))
        used += space * spaced + wide
    return rows


def _place(
    row: list[Unit], style: Style, room: int, *, last: bool
) -> tuple[tuple[str, float], ...]:
    space = advance(" ", style)
    wide = [advance(unit, style) for unit, _ in row]
    spaces = [space * spaced for _, spaced in row[1:]]
    spare = room - sum(wide) - sum(spaces)
    gaps = [0.0, *spaces]
    if style.align == "justify" and not last and spaces:
        gaps = [0.0, *_stretch(spaces, spare, space)]
    x = {"centre": spare / 2, "right": spare}.get(style.align, 0.0)
    pieces = []
    for (unit, _), gap, width in zip(row, gaps, wide, strict=True):
        pieces.append((unit, x + gap))
        x += gap + width
    return tuple(pieces)


def _stretch(spaces: list[float], spare: float, space: float) -> list[float]:
    """Spaces widened to fill a line; in Chinese, which has none, every gap takes its share."""
    real = sum(1 for gap in spaces if gap)
    if 2 * real > len(spaces):
        each = spare / real
        return spaces if each > (LOOSE - 1) * space else [g + each if g else g for g in spaces]
    each = spare / len(spaces)
    return spaces if each > 0.3 * space / 0.25 else [gap + each for gap in spaces]


@lru_cache(maxsize=65536)
def advance(words: str, style: Style) -> float:
    """How wide the words are."""
    return face(style.family, style.size, style.bold).getlength(words) / FINE


# ── ink ─────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=2048)  # source and truth share most lines
def ink_of(line: SetLine) -> Ink:
    """What setting the line puts on the page."""
    style = line.style
    font, fat = (
        face(style.family, style.size, style.bold),
        swell(style.family, style.size, style.bold),
    )
    left, top = math.floor(line.pieces[0][1]) - style.size, line.baseline - 2 * style.size
    word, x = line.pieces[-1]
    wide = math.ceil(x + advance(word, style)) + style.size - left
    sheet = Image.new("L", (wide * FINE, 3 * style.size * FINE), 0)
    draw = ImageDraw.Draw(sheet)
    for word, x in line.pieces:
        place = (round((x - left) * FINE), (line.baseline - top) * FINE)
        draw.text(place, word, fill=255, font=font, anchor="ls", stroke_width=fat)
    return _trimmed(left, top, np.asarray(sheet.reduce(FINE)), style.colour)


def _trimmed(left: int, top: int, alpha: np.ndarray, colour: str) -> Ink:
    kept = np.where(alpha < FAINT, 0, alpha).astype(np.uint8)
    rows, columns = np.flatnonzero(kept.any(axis=1)), np.flatnonzero(kept.any(axis=0))
    (y0, y1), (x0, x1) = (rows[0], rows[-1] + 1), (columns[0], columns[-1] + 1)
    return Ink(left + int(x0), top + int(y0), kept[y0:y1, x0:x1], colour)


# ── what a reader should find ───────────────────────────────────────────────────────────


def block_of(text: Text) -> Block | None:
    """The text as one block, its box tight around the ink; none where it says nothing."""
    lines = lines_of(text)
    return Block(union([line.box for line in lines]), text.words, text.kind) if lines else None


def read_off(lines: tuple[SetLine, ...]) -> tuple[Line, ...]:
    """The lines as a perfect reader would report them."""
    return tuple(Line(line.box, line.text) for line in lines)
