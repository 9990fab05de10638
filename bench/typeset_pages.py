"""The pages of the typeset bench: lines of words in a layout, and the bench's own way to draw them.

Nothing here uses `overpaint.document.text`, so that the editor is not judged by itself. Letters
are drawn in one of three ways, which take turns:

    hinted   by Pillow at their size, from a whole pixel on, as FreeType hints them
    plain    eight times larger and averaged: no hints, at any fraction of a pixel across
    fine     four times larger and averaged, at quarters of a pixel both ways

Layouts are paragraphs, lists and cards (left), posters (centred), mastheads (right) and forms of
two columns. The words are those of the documents engine, whose rules are pinned by its own set.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from typeset_fonts import Font, opened

from overpaint.engines.documents.words import Words, rules

Mode = Literal["hinted", "plain", "fine"]
Align = Literal["left", "centre", "right"]
Colour = tuple[int, int, int]
Pixels = NDArray[np.float32]  # H×W×3, 0–255
Alpha = NDArray[np.float32]  # how far letters cover each pixel, 0–1

MODES: tuple[Mode, ...] = ("hinted", "plain", "fine")
_LARGER: Mapping[str, int] = {"hinted": 1, "plain": 8, "fine": 4}
CLOSING = "，。、；：？！）》」』】”’％…,.;:!?)%"


@dataclass(frozen=True)
class Style:
    """How a line looks."""

    font: Font
    size: float
    colour: Colour
    mode: Mode


@dataclass(frozen=True)
class Line:
    """One line: its place is the left end, the middle or the right end of its baseline."""

    words: str
    x: float
    baseline: float
    room: float  # the widest it may become
    style: Style
    align: Align = "left"

    @property
    def left(self) -> float:
        """Where its first letter's pen stands, on the grid its letters are drawn on."""
        shift = {"left": 0.0, "centre": 0.5, "right": 1.0}[self.align]
        start = self.x - shift * width(self.words, self.style)
        grid = _LARGER[self.style.mode]
        return round(start * grid) / grid


# ── letters ─────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=65536)
def width(words: str, style: Style) -> float:
    """How wide the words are."""
    larger = _LARGER[style.mode]
    return float(opened(style.font, style.size * larger).getlength(words)) / larger


def draw(line: Line) -> tuple[Alpha, int, int]:
    """How far the line covers the pixels of a window, and the window's left and top."""
    larger = _LARGER[line.style.mode]
    left, top, wide, high = _window(line)
    sheet = Image.new("L", (wide * larger, high * larger), 0)
    grid = larger if line.style.mode == "fine" else 1  # of baselines
    down = (round(line.baseline * grid) * larger) // grid - top * larger
    font = opened(line.style.font, line.style.size * larger)
    place = (round((line.left - left) * larger), down)
    ImageDraw.Draw(sheet).text(place, line.words, fill=255, font=font, anchor="ls")
    small = np.asarray(sheet, np.float32).reshape(high, larger, wide, larger).mean(axis=(1, 3))
    return small / 255, left, top


def _window(line: Line) -> tuple[int, int, int, int]:
    """Left, top, width and height of a window that holds the line with all its flourishes."""
    size = int(np.ceil(line.style.size))
    wide = int(np.ceil(width(line.words, line.style))) + 2 * size
    return int(line.left) - size, int(line.baseline) - 2 * size, wide, 3 * size + 2


def cover(line: Line, size: tuple[int, int]) -> Alpha:
    """How far the line covers the pixels of a page of that size."""
    page = np.zeros((size[1], size[0]), np.float32)
    small, rows, columns = _clipped(line, size)
    page[rows, columns] = small
    return page


def set_line(page: Pixels, line: Line) -> None:
    """Put the line on a page, in place."""
    small, rows, columns = _clipped(line, (page.shape[1], page.shape[0]))
    ink = np.array(line.style.colour, np.float32)
    page[rows, columns] += (ink - page[rows, columns]) * small[:, :, None]


def _clipped(line: Line, size: tuple[int, int]) -> tuple[Alpha, slice, slice]:
    small, left, top = draw(line)
    high, wide = small.shape
    rows = slice(max(0, top), min(size[1], top + high))
    columns = slice(max(0, left), min(size[0], left + wide))
    inside = small[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    return inside, rows, columns


@lru_cache(maxsize=16384)
def drawable(font: Font, letter: str) -> bool:
    """Whether the font has the letter."""
    if letter == " ":
        return True
    face = opened(font, 24)
    seen, none = face.getmask(letter), face.getmask("\U0010fffd")
    return seen.getbbox() is not None and bytes(seen) != bytes(none)


# ── words ───────────────────────────────────────────────────────────────────────────────


def _usual(lines: tuple[str, ...]) -> float:
    return sum(map(len, lines)) / len(lines)


@lru_cache(maxsize=2)
def _kinds(language: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the rules that give sentences, and of those that give short lines."""
    unit = 1.0 if language == "english" else 0.36
    whole = {n: lines for n, lines in rules(language).items() if not any("|" in x for x in lines)}
    long = [n for n, lines in whole.items() if _usual(lines) > 55 * unit and len(lines) > 2]
    short = [n for n, lines in whole.items() if 14 * unit < _usual(lines) <= 55 * unit]
    return tuple(long), tuple(short)


class Talk:
    """What one page says: sentences, short lines and fields that the font can draw."""

    def __init__(self, chance: Random, language: str, font: Font) -> None:
        self.chance, self.language, self._font = chance, language, font
        self._words = Words(chance, language)
        self._long, self._short = _kinds(language)
        self._told: set[str] = set()

    def sentence(self) -> str:
        """A whole sentence."""
        return self._said(lambda: self._words.word(self.chance.choice(self._long)))

    def short(self) -> str:
        """A title, a point, a saying."""
        return self._said(lambda: self._words.word(self.chance.choice(self._short)))

    def field(self) -> tuple[str, str]:
        """A label and what was filled in."""
        names = [n for n in rules(self.language) if re.search(r"\.field\.\d$", n)]
        said = self._said(lambda: self._words.word(self.chance.choice(names)))
        label, _, value = said.partition("|")
        return label, value or self.short()

    def paragraph(self, letters: int) -> str:
        """Sentences of about so many letters."""
        said = ""
        while len(said) < letters:
            said += (" " if said and self.language == "english" else "") + self.sentence()
        return said

    def _said(self, draw: Callable[[], str]) -> str:
        for attempt in range(200):
            said = draw()
            fresh = said not in self._told or attempt > 60
            if fresh and all(drawable(self._font, letter) for letter in said):
                self._told.add(said)
                return said
        raise AssertionError(f"{self._font.family} draws nothing of what the page says")


def broken(words: str, style: Style, room: float) -> list[str]:
    """The words in lines no wider than the room, greedily filled."""
    units = re.findall(r"[^\u3000-\u9fff\uff00-\uffef ]+ ?|[\u3000-\u9fff\uff00-\uffef]", words)
    lines = [""]
    for unit in units:
        fits = width((lines[-1] + unit).rstrip(), style) <= room
        if lines[-1] and not fits and unit[0] not in CLOSING:
            lines.append("")
        lines[-1] += unit
    return [line.strip() for line in lines if line.strip()]


# ── layouts ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Sheet:
    """What a layout is given: the page's size, its words, its two styles and its chance."""

    size: tuple[int, int]
    talk: Talk
    body: Style
    head: Style
    chance: Random

    @property
    def margin(self) -> int:
        """The white rim."""
        return round(0.07 * self.size[0])

    def pick(self, low: float, high: float) -> float:
        """A number between two."""
        return self.chance.uniform(low, high)


def _column(
    sheet: Sheet, words: str, place: tuple[float, float], *, room: float, align: Align = "left"
) -> list[Line]:
    """Running text from a place on: lines one below another."""
    pitch = sheet.body.size * sheet.pick(1.35, 1.6)
    rows = enumerate(broken(words, sheet.body, room))
    return [Line(row, place[0], place[1] + n * pitch, room, sheet.body, align) for n, row in rows]


def _heading(sheet: Sheet, x: float, *, align: Align = "left") -> list[Line]:
    room = sheet.size[0] - 2 * sheet.margin
    short = sheet.talk.short()
    rows = broken(short, sheet.head, room)[:2]
    top = sheet.margin + sheet.head.size
    pitch = 1.25 * sheet.head.size
    return [Line(row, x, top + n * pitch, room, sheet.head, align) for n, row in enumerate(rows)]


def _after(lines: list[Line], sheet: Sheet, gap: float = 1.6) -> float:
    """The next baseline below some lines."""
    return lines[-1].baseline + lines[-1].style.size * 0.4 + gap * sheet.body.size


def _paragraphs(sheet: Sheet) -> list[Line]:
    lines = _heading(sheet, sheet.margin)
    wide = sheet.size[0] - 2 * sheet.margin
    room = wide if sheet.body.size > 17 else sheet.pick(0.6, 1.0) * wide
    while True:
        text = sheet.talk.paragraph(round(3.4 * room / sheet.body.size))
        block = _column(sheet, text, (sheet.margin, _after(lines, sheet)), room=room)
        if block[-1].baseline > sheet.size[1] - sheet.margin:
            return lines + [x for x in block if x.baseline < sheet.size[1] - sheet.margin]
        lines += block


def _points(sheet: Sheet, *, align: Align, indent: float, gap: float) -> list[Line]:
    """Short lines with air between them, all aligned in one way."""
    wide = sheet.size[0] - 2 * sheet.margin
    edge = {
        "left": sheet.margin,
        "centre": sheet.size[0] / 2,
        "right": sheet.size[0] - sheet.margin,
    }
    lines = _heading(sheet, edge[align], align=align)
    inset = indent * sheet.body.size * {"left": 1, "centre": 0, "right": -1}[align]
    room = wide - abs(inset)
    y = _after(lines, sheet)
    while y < sheet.size[1] - sheet.margin:
        for row in broken(sheet.talk.short(), sheet.body, room):
            lines.append(Line(row, edge[align] + inset, y, room, sheet.body, align))
            y += 1.4 * sheet.body.size
        y += (gap - 1.4) * sheet.body.size
    return [x for x in lines if x.baseline < sheet.size[1] - sheet.margin / 2]


def _list(sheet: Sheet) -> list[Line]:
    return _points(sheet, align="left", indent=1.2, gap=sheet.pick(1.6, 2.2))


def _card(sheet: Sheet) -> list[Line]:
    return _points(sheet, align="left", indent=0.0, gap=sheet.pick(1.5, 2.6))


def _poster(sheet: Sheet) -> list[Line]:
    lines = _points(sheet, align="centre", indent=0.0, gap=sheet.pick(1.5, 2.4))
    if sheet.talk.language == "english" and sheet.chance.random() < 0.35:
        lines = [replace(x, words=x.words.upper()) for x in lines]
        lines = [x for x in lines if width(x.words, x.style) <= x.room]
    return lines


def _masthead(sheet: Sheet) -> list[Line]:
    return _points(sheet, align="right", indent=0.0, gap=sheet.pick(1.5, 2.4))


def _form(sheet: Sheet) -> list[Line]:
    lines = _heading(sheet, sheet.margin)
    y, column = _after(lines, sheet), sheet.margin + 11 * sheet.body.size
    room = sheet.size[0] - sheet.margin - column
    while y < sheet.size[1] - sheet.margin:
        label, value = sheet.talk.field()
        value = broken(value, sheet.body, room)[0]
        if width(label, sheet.body) < 10.5 * sheet.body.size:
            lines.append(Line(label, sheet.margin, y, 10.5 * sheet.body.size, sheet.body))
            lines.append(Line(value, column, y, room, sheet.body))
            y += 2.1 * sheet.body.size
    return lines


# Layouts and how often each is drawn, for body text and for large letters.
_SMALL = ((_paragraphs, 35), (_form, 20), (_list, 15), (_poster, 15), (_masthead, 15))
_LARGE = ((_card, 35), (_poster, 30), (_list, 20), (_masthead, 15))


def layout(sheet: Sheet) -> tuple[str, list[Line]]:
    """The lines of a page in a layout that suits their size, and the layout's name."""
    makers, shares = zip(*(_SMALL if sheet.body.size <= 26 else _LARGE), strict=True)
    made: Any = sheet.chance.choices(makers, shares)[0]
    return made.__name__[1:], list(_kept(made(sheet)))


def _kept(lines: list[Line]) -> Iterator[Line]:
    """The lines that fit the room they have."""
    return (line for line in lines if line.words and width(line.words, line.style) <= line.room)
