"""A table as it was found on a page: cells with spans and the lines in them, told as HTML."""

from dataclasses import dataclass
from html import escape

from overpaint.vision.joining import joined
from overpaint.vision.letters import Type
from overpaint.vision.page import Box, Line


@dataclass(frozen=True)
class Cell:
    """A place in a table, over how many rows and columns, and the lines that stand in it."""

    row: int
    column: int
    rows: int = 1
    columns: int = 1
    lines: tuple[Line, ...] = ()

    @property
    def text(self) -> str:
        """What it says, line by line."""
        rows: list[list[Type]] = []
        for one in sorted(map(Type, self.lines), key=lambda t: t.middle):
            if rows and one.middle - rows[-1][0].middle < one.size / 2:
                rows[-1].append(one)
            else:
                rows.append([one])
        return joined(t.line.text for row in rows for t in sorted(row, key=lambda t: t.left))


@dataclass(frozen=True)
class Table:
    """A table: its frame and its cells."""

    box: Box
    cells: tuple[Cell, ...]

    @property
    def html(self) -> str:
        """The table as HTML; a span is named where it is more than one."""
        rows = []
        for number in range(max(cell.row + cell.rows for cell in self.cells)):
            inside = sorted((c for c in self.cells if c.row == number), key=lambda c: c.column)
            rows.append(f"<tr>{''.join(map(_td, inside))}</tr>")
        return f"<table>{''.join(rows)}</table>"


def _td(cell: Cell) -> str:
    spans = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    spans += f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    return f"<td{spans}>{escape(cell.text, quote=False)}</td>"
