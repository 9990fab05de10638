"""Grids: where the cells of a table that was found are on the page, empty ones as well."""

from collections.abc import Sequence
from itertools import pairwise

from overpaint.vision.cells import Cell, Table
from overpaint.vision.page import Box

_SLACK = 3.0  # pixels by which a letter may reach over a rule


def grid(table: Table, across: Sequence[Box], down: Sequence[Box]) -> tuple[tuple[Cell, Box], ...]:
    """Each cell with its box: from rule to rule, or to half way between it and its neighbours."""
    xs = _borders(table, 0, [(r[0] + r[2]) / 2 for r in down if _through(r, table.box, 1)])
    ys = _borders(table, 1, [(r[1] + r[3]) / 2 for r in across if _through(r, table.box, 0)])
    return tuple(
        (c, (xs[c.column], ys[c.row], xs[c.column + c.columns], ys[c.row + c.rows]))
        for c in table.cells
    )


def _through(rule: Box, frame: Box, along: int) -> bool:
    """Whether a rule runs through some of the table."""
    across = 1 - along
    inside = frame[across] - _SLACK < rule[across] < frame[across + 2] + _SLACK
    return inside and rule[along] < frame[along + 2] and rule[along + 2] > frame[along]


def _borders(table: Table, axis: int, rules: Sequence[float]) -> list[float]:
    """Where columns (axis 0) or rows (axis 1) meet, with both ends."""
    count = max(_last(cell, axis) for cell in table.cells) + 1
    spans = [_span(table, axis, n) for n in range(count)]
    known = [(n, span) for n, span in enumerate(spans) if span]
    borders: list[float | None] = [None] * (count + 1)
    borders[0], borders[-1] = table.box[axis], table.box[axis + 2]
    for (one, a), (two, b) in pairwise(known):
        between = sorted(r for r in rules if a[1] - _SLACK < r < b[0] + _SLACK)
        if len(between) == two - one:
            borders[one + 1 : two + 1] = between
        elif two == one + 1:
            middle = (a[1] + b[0]) / 2
            borders[two] = min(between, key=lambda r: abs(r - middle)) if between else middle
    return _filled(borders)


def _last(cell: Cell, axis: int) -> int:
    return (cell.row + cell.rows if axis else cell.column + cell.columns) - 1


def _span(table: Table, axis: int, number: int) -> tuple[float, float] | None:
    """From where to where the letters of a column or row reach, by cells in it alone."""
    alone = [
        line.box
        for cell in table.cells
        if _last(cell, axis) == number == (cell.row if axis else cell.column)
        for line in cell.lines
    ]
    return (min(b[axis] for b in alone), max(b[axis + 2] for b in alone)) if alone else None


def _filled(borders: Sequence[float | None]) -> list[float]:
    """Borders nothing tells of, spread evenly between those that are known."""
    known = [(n, at) for n, at in enumerate(borders) if at is not None]
    found = [
        a + (b - a) * n / (two - one)
        for (one, a), (two, b) in pairwise(known)
        for n in range(two - one)
    ]
    return [*found, known[-1][1]]
