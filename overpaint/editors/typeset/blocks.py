"""Blocks: a picture's lines as paragraphs, rows and tables, each line by its number."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import median

from overpaint.editors.typeset.flow import rows_of
from overpaint.editors.typeset.matching import Match
from overpaint.editors.typeset.reading import Page
from overpaint.editors.typeset.spots import cut
from overpaint.vision import layout
from overpaint.vision import page as page_words
from overpaint.vision.cells import Cell, Table
from overpaint.vision.grids import grid
from overpaint.vision.joining import joined
from overpaint.vision.letters import Type
from overpaint.vision.page import Box, Line, union
from overpaint.vision.tables import tables_of, within


@dataclass(frozen=True)
class Block:
    """Lines that belong together, and the size of their letters."""

    numbers: tuple[int, ...]
    box: Box
    size: float
    text: str


@dataclass(frozen=True)
class Placed:
    """A cell of a table: its box from rule to rule, and what of which lines stands in it."""

    cell: Cell
    box: Box
    match: Match | None


def whole(page: Page, numbers: Sequence[int]) -> Match:
    """All that lines say."""
    return Match(tuple((n, 0, len(page.text(n))) for n in numbers))


@lru_cache(maxsize=2)
def blocks(page: Page) -> tuple[Block, ...]:
    """Paragraphs, headings and items outside tables, in reading order."""
    spoken = [line for line in page.lines if line.text]
    boxes = [table.box for table in tables(page)]
    free = [line for line in spoken if not any(within(line.box, box) for box in boxes)]
    found = [_block(page, group) for group in layout.paragraphs(free)]
    shapes = [page_words.Block(block.box, str(n)) for n, block in enumerate(found)]
    return tuple(found[int(shape.text)] for shape in layout.in_order(shapes))


def _block(page: Page, group: Sequence[Line]) -> Block:
    numbers = tuple(dict.fromkeys(n for line in group for n in _pieces(page, line)))
    box, text = union([line.box for line in group]), joined(line.text for line in group)
    size = median(Type(line).size for line in group)
    return Block(numbers, box, min([size, *_alone(page, numbers)]), text)


def _alone(page: Page, numbers: Sequence[int]) -> list[float]:
    """The size of the letters of a line alone, without the box or bullet that stands before it."""
    if len(numbers) != 1 or not page.level(numbers[0]):
        return []
    line = page.line(numbers[0])
    box, _ = cut(page, numbers[0], 0, len(line.text))
    return [Type(replace(line, box=box)).size]


def _pieces(page: Page, line: Line) -> list[int]:
    """The lines that were put together as one, from the left."""
    inside = [n for n, one in enumerate(page.lines) if one.text and within(one.box, line.box)]
    own = [n for n in inside if page.lines[n].text in line.text]
    return sorted(own, key=lambda n: page.lines[n].box[0])


@lru_cache(maxsize=2)
def rows(page: Page) -> tuple[tuple[int, ...], ...]:
    """The lines as they are counted from the top, pieces of one line together."""
    page.read_all()
    found = (tuple(n for n in row if page.text(n)) for row in rows_of(page.boxes, page.rules[1]))
    # A bullet that the detector took for a line is none.
    return tuple(row for row in found if any(map(str.isalnum, "".join(map(page.text, row)))))


@lru_cache(maxsize=2)
def tables(page: Page) -> tuple[Table, ...]:
    """The tables of the page, from the top."""
    spoken = [line for line in page.lines if line.text]
    return tuple(sorted(tables_of(page.pixels, spoken), key=lambda t: (t.box[1], t.box[0])))


def cells(page: Page, table: Table) -> tuple[Placed, ...]:
    """The cells of a table, row by row."""
    placed = sorted(grid(table, *page.rules), key=lambda c: (c[0].row, c[0].column))
    return tuple(Placed(cell, box, _said(page, cell)) for cell, box in placed)


def _said(page: Page, cell: Cell) -> Match | None:
    ordered = sorted(cell.lines, key=lambda line: (line.box[1], line.box[0]))
    parts = [part for line in ordered for part in _part(page, line)]
    return Match(tuple(parts)) if parts else None


def _part(page: Page, line: Line) -> list[tuple[int, int, int]]:
    """Which letters of which line a piece is: tables cut lines that run over two columns."""
    for number, one in enumerate(page.lines):
        if one.text and within(line.box, one.box) and (at := one.text.find(line.text)) >= 0:
            # The same words may stand twice in it: where the piece is tells which.
            share = (line.box[0] - one.box[0]) / max(1.0, one.box[2] - one.box[0])
            again = one.text.find(line.text, at + 1)
            wanted = share * len(one.text)
            if again >= 0 and abs(again - wanted) < abs(at - wanted):
                at = again
            return [(number, at, at + len(line.text))]
    return []
