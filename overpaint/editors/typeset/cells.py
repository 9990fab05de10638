"""Cells: the grid of a table on a picture, and words set between the rules of its cells."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from overpaint.document.layers import Align, Layer
from overpaint.document.render import bounds
from overpaint.document.where import Where, described, short
from overpaint.editors.typeset.blocks import Placed, cells, tables
from overpaint.editors.typeset.desk import Desk
from overpaint.editors.typeset.locate import spot
from overpaint.editors.typeset.paragraphs import fitting, said, units
from overpaint.editors.typeset.pointing import lanes
from overpaint.editors.typeset.pressing import pressed
from overpaint.editors.typeset.printed import Printed
from overpaint.errors import Refused
from overpaint.vision.page import Box, union

PAD = 4  # pixels between a rule and the words beside it, at least
LEVEL = 3.0  # pixels: margins this alike are the same
PITCH = 1.35  # sizes from one line of a cell to the next
CAPITAL = 0.72  # sizes that capitals reach up, in most fonts


@dataclass(frozen=True)
class Grid:
    """A table on the desk: its cells, where its columns and rows meet, and a lane of it."""

    placed: tuple[Placed, ...]
    xs: tuple[int, ...]
    ys: tuple[int, ...]
    lane: int = 0  # the row or column that an op is about

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The whole table."""
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]

    def at(self, row: int, column: int) -> Placed | None:
        """The cell that covers a place."""
        for one in self.placed:
            cell = one.cell
            if (cell.row <= row < cell.row + cell.rows
                    and cell.column <= column < cell.column + cell.columns):  # fmt: skip
                return one
        return None


def grid_with(desk: Desk, where: Where, axis: int) -> Grid:
    """The one table that has the row (axis 1) or column that is meant."""
    told = (where.row if axis else where.column) or where.text or str(where.nth or 1)
    desk.page.read_all()
    found = []
    for table in tables(desk.page):
        placed = cells(desk.page, table)
        found += [replace(grid_of(placed), lane=lane)
                  for lane in lanes(desk.page, placed, told, axis)[-1:]]  # fmt: skip
    if len(found) != 1:
        raise Refused(
            f"{len(found) or 'No'} tables of the picture have {described(where)}.",
            "One was expected.",
        )
    return found[0]


def grid_of(placed: tuple[Placed, ...]) -> Grid:
    """The borders that cells tell of, in whole pixels."""
    borders: list[tuple[int, ...]] = []
    for axis in (0, 1):
        places: dict[int, float] = {}
        for one in placed:
            first = one.cell.row if axis else one.cell.column
            last = first + (one.cell.rows if axis else one.cell.columns)
            places[first], places[last] = one.box[axis], one.box[axis + 2]
        borders.append(tuple(round(places[n]) for n in sorted(places)))
    return Grid(placed, borders[0], borders[1])


# ── words in cells ──────────────────────────────────────────────────────────────────────


def write(desk: Desk, grid: Grid, row: int, column: int, words: str) -> Desk:
    """Words in an empty cell, like those nearest to it in its column."""
    own = grid.at(row, column)
    if own is None or not words:
        return desk
    like = like_of(grid, row, column)
    align, base = align_of(desk, grid, column, like), baseline(desk, grid, row)
    margin = margin_of(desk, like)
    return set_in(desk, own.box, words, printed(desk, like), align=align, base=base, margin=margin)


def like_of(grid: Grid, row: int, column: int) -> Placed:
    """The cell with words whose look a new one should have: of its column, and near."""
    full = [p for p in grid.placed if p.match]
    if not full:
        raise Refused("The table has no words that new ones could be like.")
    heads = row == 0

    def away(p: Placed) -> tuple[bool, bool, int, int]:
        other = abs(p.cell.column - column)
        return (p.cell.row == 0) != heads, other > 0, abs(p.cell.row - row), other

    return min(full, key=away)


def printed(desk: Desk, placed: Placed) -> Printed:
    """The first line of a cell with its font."""
    assert placed.match
    return desk.printed(placed.match.parts[0][0])


def ink_box(desk: Desk, placed: Placed) -> Box:
    """Around all the words of a cell."""
    assert placed.match
    return union([spot(desk.page, *part).box for part in placed.match.parts])


def baseline(desk: Desk, grid: Grid, row: int) -> float | None:
    """The baseline of the row's other words, told by the longest that stand on one line."""
    beside = [p for p in grid.placed if p.match and p.cell.row == row and p.cell.rows == 1]
    single = [p for p in beside if p.match and len(p.match.parts) == 1]
    longest = max(single, key=_letters, default=None)
    return printed(desk, longest).pen[1] if longest else None


def _letters(placed: Placed) -> int:
    assert placed.match
    return sum(end - start for _, start, end in placed.match.parts)


def align_of(desk: Desk, grid: Grid, column: int, like: Placed) -> Align:
    """How the words of a column stand between its rules."""
    same = [p for p in grid.placed if p.match and p.cell.column == column and p.cell.columns == 1]
    boxes = [(p.box, ink_box(desk, p)) for p in same or [like]]
    margins = [(ink[0] - room[0], room[2] - ink[2]) for room, ink in boxes]
    spread: dict[Align, float] = {
        "left": _range([left for left, _ in margins]),
        "right": _range([right for _, right in margins]),
        "centre": _range([left - right for left, right in margins]),
    }
    if len(margins) < 2 or spread["centre"] < LEVEL:
        left, right = margins[0]
        near = abs(left - right) < 2 * LEVEL
        return "centre" if near else "left" if left < right else "right"
    return min(spread, key=lambda align: spread[align])


def _range(values: Sequence[float]) -> float:
    return max(values) - min(values)


def margin_of(desk: Desk, like: Placed) -> float:
    """How far a cell's words stand from the rule that they are nearest to."""
    ink = ink_box(desk, like)
    return max(float(PAD), min(ink[0] - like.box[0], like.box[2] - ink[2]))


def set_in(
    desk: Desk, room: Box, words: str, line: Printed,
    *, align: Align, base: float | None, margin: float,
) -> Desk:  # fmt: skip
    """Words between the rules of a cell, over as many lines as they need."""
    inner = max(1.0, room[2] - room[0] - 2 * PAD)
    rows = _broken(words, line, inner)
    pitch = PITCH * line.style.size
    high = CAPITAL * line.style.size + (len(rows) - 1) * pitch
    if high > room[3] - room[1] or max(map(line.wide, rows), default=0.0) > inner:
        raise Refused(f"“{short(words)}” does not fit into a cell of {inner:.0f} pixels.")
    if base is None or len(rows) > 1:
        base = (room[1] + room[3] + high) / 2 - (len(rows) - 1) * pitch
    layers = [
        _aligned(line.text(row, 0.0, f"cell line {n}"), room, align, margin, base + n * pitch)
        for n, row in enumerate(rows)
    ]
    return desk.with_layers(layers, line.lifted)


def _broken(words: str, line: Printed, inner: float) -> list[str]:
    """The words in lines that are no longer than that."""
    rows: list[str] = []
    rest = units(words)
    while rest:
        count = max(1, fitting(rest, line.wide, inner))
        rows, rest = [*rows, said(rest[:count])], rest[count:]
    return rows


def _aligned(layer: Layer, room: Box, align: Align, margin: float, base: float) -> Layer:
    box = bounds(replace(layer, top=base)) or (0, 0, 0, 0)
    wide = box[2] - box[0]
    left = {
        "left": room[0] + margin,
        "right": room[2] - margin - wide,
    }.get(align, (room[0] + room[2] - wide) / 2)
    return replace(layer, left=layer.left + left - box[0], top=base)


def emptied(desk: Desk, placed: Sequence[Placed]) -> Desk:
    """The desk without the words of some cells."""
    for one in placed:
        for part in one.match.parts if one.match else ():
            desk = desk.now(pressed(desk.pixels, desk.lifted(spot(desk.page, *part)), []))
    return desk
