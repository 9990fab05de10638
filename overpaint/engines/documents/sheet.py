"""A sheet: the page being composed. Items stand on a backdrop that no edit ever touches."""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypedDict, Unpack

import numpy as np

from overpaint.document import Pixels
from overpaint.engines.documents.setting import (
    SetLine,
    Style,
    Text,
    block_of,
    ink_of,
    lines_of,
)
from overpaint.engines.documents.tables import Table, paint_table, table_block, table_lines
from overpaint.engines.posters.brush import Canvas, rgb
from overpaint.engines.posters.lettering import stamp
from overpaint.vision.page import Block

Item = Text | Table


class How(TypedDict, total=False):
    """The settings of a text that a flow does not know."""

    left: int
    width: int
    kind: str
    role: str
    indent: int
    hang: int
    marker: str
    swaps: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Page:
    """What is drawn: a backdrop and the items on it, in reading order."""

    backdrop: Pixels
    items: tuple[Item, ...]

    def swapped(self, old: Item, new: Item) -> "Page":
        """The same page with one item in place of another."""
        return replace(self, items=tuple(new if item is old else item for item in self.items))


@dataclass
class Sheet:
    """A page in the making: paint the canvas, then add items."""

    width: int
    height: int
    paper: str
    items: list[Item] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.canvas = Canvas(self.width, self.height, self.paper)

    def add(self, item: Item) -> Item:
        """Put an item on the page, after those already there."""
        self.items.append(item)
        return item

    def rule(self, left: int, top: int, right: int, colour: str, *, thick: float = 1) -> None:
        """A horizontal rule on the backdrop."""
        self.canvas.rect((left, top, right, top + thick), colour)

    def finish(self) -> Page:
        """The page as it will be drawn."""
        return Page(self.canvas.finish(), tuple(self.items))


@dataclass
class Flow:
    """A column that is filled from the top: each item begins where the last one ended."""

    sheet: Sheet
    left: int
    top: int
    width: int
    bottom: int

    @property
    def room(self) -> int:
        """Pixels left in the column."""
        return self.bottom - self.top

    def skip(self, pixels: int) -> None:
        """Leave some room."""
        self.top += pixels

    def put(
        self,
        sentences: tuple[str, ...] | str,
        style: Style,
        *,
        gap: int = 0,
        **how: Unpack[How],
    ) -> Text:
        """Set a text here and move below it; `gap` is the room left after it."""
        text = self.text(sentences, style, **how)
        self.sheet.add(text)
        self.top = text.bottom + gap
        return text

    def text(self, sentences: tuple[str, ...] | str, style: Style, **how: Unpack[How]) -> Text:
        """A text as it would stand here, not yet on the page."""
        said = (sentences,) if isinstance(sentences, str) else sentences
        return replace(Text(said, self.left, self.top, self.width, style), **how)

    def lay(self, table: Table, *, gap: int = 0) -> Table:
        """Put a table here and move below it."""
        self.sheet.add(table)
        self.top = table.bottom + gap
        return table


# ── drawing and reading ─────────────────────────────────────────────────────────────────


def draw(page: Page) -> Pixels:
    """The page's pixels."""
    picture = np.array(page.backdrop)
    for item in page.items:
        if isinstance(item, Table):
            paint_table(picture, item)
        else:
            _paint_text(picture, item)
    return picture


def _paint_text(picture: Pixels, text: Text) -> None:
    lines = lines_of(text)
    for line in lines:
        stamp(picture, ink_of(line))
    if text.marker and lines:
        left, top, right, bottom = marker_box(text)
        picture[top:bottom, left:right] = rgb(text.marker)


def marker_box(text: Text) -> tuple[int, int, int, int]:
    """The small square before the first line."""
    side = max(4, round(text.style.size * 0.3))
    middle = lines_of(text)[0].baseline - round(text.style.size * 0.34)
    left = text.left - round(text.style.size * 0.95)
    return left, middle - side // 2, left + side, middle - side // 2 + side


def item_lines(item: Item) -> tuple[SetLine, ...]:
    """The lines of one item."""
    return table_lines(item) if isinstance(item, Table) else lines_of(item)


def page_lines(page: Page) -> tuple[SetLine, ...]:
    """Every line on the page, in reading order."""
    return tuple(line for item in page.items for line in item_lines(item))


def page_blocks(page: Page) -> tuple[Block, ...]:
    """Every block on the page, in reading order."""
    found = (table_block(i) if isinstance(i, Table) else block_of(i) for i in page.items)
    return tuple(block for block in found if block)


def spoken(page: Page) -> tuple[str, ...]:
    """What each item and each cell says: where an instruction's target is looked for."""
    return tuple(words for item in page.items for words in _spoken(item))


@lru_cache(maxsize=512)
def _spoken(item: Item) -> tuple[str, ...]:
    if isinstance(item, Table):
        return tuple(cell.words for cell in item.cells if cell.words)
    return (item.words,) if item.words else ()
