"""Tables: cells with spans, laid out, drawn in one of four looks, and told as HTML."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from typing import Literal

from overpaint.document import Pixels
from overpaint.engines.documents.setting import Align, SetLine, Style, Text, ink_of, lines_of
from overpaint.engines.posters.brush import rgb
from overpaint.engines.posters.lettering import stamp
from overpaint.vision.page import Block

Look = Literal["ruled", "banded", "booktabs", "open"]
Rect = tuple[int, int, int, int]


@dataclass(frozen=True)
class Cell:
    """What stands at a row and a column, over how many of each, and what else could."""

    row: int
    column: int
    words: str
    rows: int = 1
    columns: int = 1
    other: str = ""

    def covers(self, row: int, column: int) -> bool:
        """Whether the place is under this cell."""
        return (
            self.row <= row < self.row + self.rows
            and self.column <= column < self.column + self.columns
        )


@dataclass(frozen=True)
class Dress:
    """How a table looks: its rules, colours, letters, and room around the letters."""

    look: Look
    style: Style
    rule: str = "#3c3c43"
    head: str = ""  # colour behind the heading rows, where there is one
    head_ink: str = "#1d1d1f"
    band: str = ""  # colour behind every other row
    pad: tuple[int, int] = (10, 6)
    heads: int = 1  # heading rows
    numbers: Align = "centre"  # how the columns after the first are aligned


@dataclass(frozen=True)
class Table:
    """A laid-out table: corner, widths of columns, heights of rows, cells."""

    left: int
    top: int
    widths: tuple[int, ...]
    heights: tuple[int, ...]
    cells: tuple[Cell, ...]
    dress: Dress
    kind: str = "table"

    @property
    def box(self) -> Rect:
        """The outer frame, or the rules above and below."""
        return (self.left, self.top, self.left + sum(self.widths), self.bottom)

    @property
    def bottom(self) -> int:
        """Where the last row ends."""
        return self.top + sum(self.heights)

    def at(self, row: int, column: int) -> Cell:
        """The cell that covers a place."""
        return next(cell for cell in self.cells if cell.covers(row, column))

    def room(self, cell: Cell) -> Rect:
        """The cell from rule to rule."""
        x, y = self.left + sum(self.widths[: cell.column]), self.top + sum(self.heights[: cell.row])
        wide = sum(self.widths[cell.column : cell.column + cell.columns])
        return x, y, x + wide, y + sum(self.heights[cell.row : cell.row + cell.rows])

    def with_cell(self, old: Cell, words: str) -> "Table":
        """The same table, one cell saying something else; no rule moves."""
        cells = tuple(replace(c, words=words) if c == old else c for c in self.cells)
        return replace(self, cells=cells)


# ── layout ──────────────────────────────────────────────────────────────────────────────


def lay(cells: Iterable[Cell], left: int, top: int, width: int, *, dress: Dress) -> Table:
    """A table exactly that wide: columns share the room by what they hold, rows by their lines."""
    cells = tuple(cells)
    columns = max(cell.column + cell.columns for cell in cells)
    rows = max(cell.row + cell.rows for cell in cells)
    wants = [_want(cells, column, dress) for column in range(columns)]
    spare = width - sum(wants)
    share = [round(spare / columns) if spare > 0 else round(spare * w / sum(wants)) for w in wants]
    widths = [want + part for want, part in zip(wants, share, strict=True)]
    widths[-1] += width - sum(widths)
    table = Table(left, top, tuple(widths), (1,) * rows, cells, dress)
    heights = [max(_need(table, row), _line(dress)) for row in range(rows)]
    return replace(table, heights=tuple(heights))


def _want(cells: Sequence[Cell], column: int, dress: Dress) -> int:
    """How wide a column would be with every cell on one line."""
    alone = [c for c in cells if c.column == column and c.columns == 1]
    return max((_natural(cell, dress) for cell in alone), default=40) + 2 * dress.pad[0]


def _natural(cell: Cell, dress: Dress) -> int:
    wide = Text((cell.words or "-",), 0, 0, 10_000, _style(dress, cell))
    line = lines_of(replace(wide, style=replace(wide.style, align="left")))[0]
    return line.box[2] - line.box[0] + 4


def _line(dress: Dress) -> int:
    return dress.style.pitch + 2 * dress.pad[1]


def _need(table: Table, row: int) -> int:
    alone = [c for c in table.cells if c.row == row and c.rows == 1 and c.words]
    lines = max((len(lines_of(_text(table, cell))) for cell in alone), default=1)
    return lines * table.dress.style.pitch + 2 * table.dress.pad[1]


def _style(dress: Dress, cell: Cell) -> Style:
    named = cell.column == 0 and (cell.row >= dress.heads or dress.numbers == "right")
    align: Align = "left" if named else dress.numbers
    if cell.row < dress.heads:
        return replace(dress.style, bold=True, colour=dress.head_ink, align=align)
    return replace(dress.style, align=align)


def _text(table: Table, cell: Cell) -> Text:
    """The cell's text at the middle of its room."""
    left, top, right, bottom = table.room(cell)
    across = table.dress.pad[0]
    text = Text(
        (cell.words,) if cell.words else (),
        left + across,
        top,
        right - left - 2 * across,
        _style(table.dress, cell),
    )
    tall = len(lines_of(text)) * text.style.pitch
    return replace(text, top=top + (bottom - top - tall) // 2)


# ── what it shows and says ──────────────────────────────────────────────────────────────


@lru_cache(maxsize=1024)
def cell_lines(table: Table, cell: Cell) -> tuple[SetLine, ...]:
    """The lines of one cell; none where it is empty."""
    return lines_of(_text(table, cell))


def fits(table: Table, cell: Cell) -> bool:
    """Whether the cell's ink stays well inside its rules."""
    left, top, right, bottom = table.room(cell)
    boxes = [line.box for line in cell_lines(table, cell)]
    return all(
        left + 3 < b[0] and top + 2 < b[1] and b[2] < right - 3 and b[3] < bottom - 2 for b in boxes
    )


def table_lines(table: Table) -> tuple[SetLine, ...]:
    """The lines of all cells, row by row."""
    return tuple(line for cell in table.cells for line in cell_lines(table, cell))


def html(table: Table) -> str:
    """The table as HTML, a span named only where it is more than one."""
    rows = []
    for row in range(len(table.heights)):
        cells = sorted((c for c in table.cells if c.row == row), key=lambda cell: cell.column)
        rows.append("<tr>" + "".join(map(_td, cells)) + "</tr>")
    return "<table>" + "".join(rows) + "</table>"


def _td(cell: Cell) -> str:
    spans = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    spans += f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    return f"<td{spans}>{escape(cell.words, quote=False)}</td>"


def table_block(table: Table) -> Block:
    """The table as one block."""
    return Block(table.box, html(table), "table")


def paint_table(picture: Pixels, table: Table) -> None:
    """Draw fills, rules and letters onto a page in place."""
    for box, colour in (*_fills(table), *_rules(table)):
        left, top, right, bottom = box
        picture[top:bottom, left:right] = rgb(colour)
    for line in table_lines(table):
        stamp(picture, ink_of(line))


def _fills(table: Table) -> Iterable[tuple[Rect, str]]:
    dress = table.dress
    for row, tall in enumerate(table.heights):
        top = table.top + sum(table.heights[:row])
        colour = dress.head if row < dress.heads else dress.band if (row - dress.heads) % 2 else ""
        if colour:
            yield (table.left, top, table.box[2], top + tall), colour


def _rules(table: Table) -> Iterable[tuple[Rect, str]]:
    dress, (left, top, right, bottom) = table.dress, table.box
    if dress.look in ("ruled", "banded"):
        for cell in table.cells:
            x0, y0, x1, y1 = table.room(cell)
            inner = (x0, y0, min(x1, right - 1), min(y1, bottom - 1))
            yield from ((box, dress.rule) for box in _frame(inner))
        return
    under = top + sum(table.heights[: dress.heads])
    if dress.look == "open":  # rules between rows only
        places = [top + sum(table.heights[:row]) for row in range(1, len(table.heights))]
        yield from (((left, y, right, y + 1), dress.rule) for y in places if y > under)
    else:
        yield from _spanners(table)
    yield (left, top, right, top + 2), dress.rule
    yield (left, under, right, under + 1), dress.rule
    yield (left, bottom - 2, right, bottom), dress.rule


def _spanners(table: Table) -> Iterable[tuple[Rect, str]]:
    """The short rules under headings that stand over several columns."""
    for cell in table.cells:
        if cell.row + cell.rows < table.dress.heads and cell.columns > 1:
            x0, _, x1, y1 = table.room(cell)
            yield (x0 + 6, y1, x1 - 6, y1 + 1), table.dress.rule


def _frame(box: Rect) -> tuple[Rect, ...]:
    x0, y0, x1, y1 = box
    return (
        (x0, y0, x1 + 1, y0 + 1),
        (x0, y1, x1 + 1, y1 + 1),
        (x0, y0, x0 + 1, y1 + 1),
        (x1, y0, x1 + 1, y1 + 1),
    )


# ── other structures ────────────────────────────────────────────────────────────────────


def without_row(cells: Iterable[Cell], row: int) -> tuple[Cell, ...]:
    """The cells with one row gone; what stood below moves up."""
    return tuple(
        replace(c, row=c.row - 1) if c.row > row else c
        for c in cells
        if not c.covers(row, c.column)
    )


def without_column(cells: Iterable[Cell], column: int) -> tuple[Cell, ...]:
    """The cells with one column gone; what stood right of it moves left."""
    return tuple(
        replace(c, column=c.column - 1) if c.column > column else c
        for c in cells
        if not c.covers(c.row, column)
    )


def merged(cells: Iterable[Cell], first: Cell, second: Cell, words: str) -> tuple[Cell, ...]:
    """The cells with two neighbours made one that says `words`."""
    right = first.row == second.row
    one = replace(
        first,
        words=words,
        columns=first.columns + second.columns if right else first.columns,
        rows=first.rows if right else first.rows + second.rows,
    )
    return tuple(one if c == first else c for c in cells if c != second)
