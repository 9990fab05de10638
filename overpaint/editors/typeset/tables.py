"""Tables of a picture: rows and columns come and go, cells are filled and joined."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from overpaint.document import ops
from overpaint.document.layers import Pixels
from overpaint.document.ops import Op
from overpaint.document.where import described, short
from overpaint.editors.typeset.blocks import Placed, cells, tables
from overpaint.editors.typeset.cells import (
    PAD,
    Grid,
    align_of,
    baseline,
    emptied,
    grid_of,
    grid_with,
    ink_box,
    like_of,
    margin_of,
    printed,
    set_in,
    write,
)
from overpaint.editors.typeset.desk import Desk
from overpaint.editors.typeset.locate import Found, find
from overpaint.editors.typeset.matching import Match
from overpaint.editors.typeset.strips import paper_around, stretched
from overpaint.errors import Refused
from overpaint.vision.page import Box, union

RULE = 6  # pixels above a border within which its rule begins, and below it within which it ends
FAINT, MOST = 12, 0.6  # levels by which a rule differs from the ground beside it, in most columns
UNEVEN = 2  # pixels by which rows may differ in height and still be exchanged


def about_tables(op: Op) -> bool:
    """Whether an op changes a table as such, and not just words in it."""
    if isinstance(op, ops.Insert):
        return op.what in ("row", "column") or op.where.role in ("cell", "row", "column")
    return isinstance(op, ops.Merge) or (
        isinstance(op, ops.Delete) and op.where.role in ("row", "column")
    )


def _fill_cell(desk: Desk, op: ops.Insert) -> Desk:
    found = find(desk.page, op.where)[0]
    here = found.spots[0]
    if here.words:
        told = described(op.where)
        raise Refused(f"{told[0].upper()}{told[1:]} is not empty: it says “{short(here.words)}”.")
    x, y = (here.room[0] + here.room[2]) / 2, (here.room[1] + here.room[3]) / 2
    grid = next(
        (g for table in tables(desk.page) if _holds(g := grid_of(cells(desk.page, table)), x, y)),
        None,
    )
    if grid is None:
        raise Refused(f"No table of the picture has {described(op.where)}.")
    own = next(p for p in grid.placed if p.box == here.room)
    return write(desk, grid, own.cell.row, own.cell.column, op.text)


def _holds(grid: Grid, x: float, y: float) -> bool:
    left, top, right, bottom = grid.box
    return left <= x <= right and top <= y <= bottom


# ── rows and columns ────────────────────────────────────────────────────────────────────


def _delete_lane(desk: Desk, op: Op) -> Desk:
    if op.where.role == "row":
        return _delete_row(desk, grid_with(desk, op.where, 1))
    return _delete_column(desk, grid_with(desk, op.where, 0))


def _delete_row(desk: Desk, grid: Grid) -> Desk:
    _check_simple(grid, 1)
    left, _, right, bottom = grid.box
    top, below = grid.ys[grid.lane], grid.ys[grid.lane + 1]
    if below == bottom:  # the table's last rule takes the place of the one above the row
        top, below = (_rule_at(desk, grid, y) for y in (top, below))
    edge = bottom + _rim(desk, grid)
    across, gone = slice(max(0, left - 2), right + 3), below - top
    out = desk.pixels.copy()
    out[top : edge - gone, across] = desk.pixels[below:edge, across]
    out[edge - gone : edge, across] = paper_around(desk.pixels, grid.box)
    return desk.now(out)


def _delete_column(desk: Desk, grid: Grid) -> Desk:
    _check_simple(grid, 0)
    widths = [b - a for a, b in pairwise(grid.xs)]
    free = widths.pop(grid.lane)
    new = [w + free // len(widths) for w in widths]
    new[-1] += free - sum(n - w for n, w in zip(new, widths, strict=True))
    kept = [n for n in range(len(grid.xs) - 1) if n != grid.lane]
    parts = [Part(desk.pixels, n, wide) for n, wide in zip(kept, new, strict=True)]
    return desk.now(_relaid(desk, grid, parts))


@dataclass(frozen=True)
class Part:
    """A column to be laid into a table: from which picture, which one, and how wide."""

    source: Pixels
    column: int
    wide: int


def _relaid(desk: Desk, grid: Grid, parts: Sequence[Part]) -> Pixels:
    """The picture with these columns side by side in the table's place."""
    top, bottom = max(0, grid.ys[0] - 2), grid.ys[-1] + _rim(desk, grid)
    strips = []
    for part in parts:
        left, right = grid.xs[part.column], grid.xs[part.column + 1]
        ink = [ink_box(desk, p) for p in grid.placed if p.match and p.cell.column == part.column]
        first, last = min((b[0] for b in ink), default=0.0), max((b[2] for b in ink), default=0.0)
        strips.append(
            stretched(part.source[top:bottom, left:right], part.wide, (first - left, last - left))
        )
    joined = np.concatenate(strips, axis=1)
    out = desk.pixels.copy()
    out[top:bottom, grid.xs[0] : grid.xs[0] + joined.shape[1]] = joined
    return out


def _rule_at(desk: Desk, grid: Grid, border: int) -> int:
    """The first row of pixels of the rule at a border, or of the fill that begins there."""
    first = max(0, border - RULE)
    near = desk.pixels[first : border + 2, grid.xs[0] : grid.xs[-1]]
    unlike = _unlike(near, near[0])
    return first + int(np.argmax(unlike)) if unlike.any() else border


def _rim(desk: Desk, grid: Grid) -> int:
    """Rows of pixels below the last border that are still the table's last rule."""
    left, _, right, bottom = grid.box
    near = desk.pixels[bottom + 1 : bottom + 2 + RULE, left:right]
    unlike = _unlike(near, paper_around(desk.pixels, grid.box))
    rows = 2 if unlike.all() else 1 + int(np.argmin(unlike))
    return min(rows, len(desk.pixels) - bottom)


def _unlike(rows: Pixels, ground: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Which rows of pixels are a rule, or a fill, on a ground: a colour, or a row of pixels."""
    away = np.abs(rows.astype(int) - ground.astype(int)).max(axis=2)
    return np.asarray((away > FAINT).mean(axis=1) > MOST)


# ── exchanging rows ─────────────────────────────────────────────────────────────────────


def cells_with(desk: Desk, found: Found) -> int:
    """In how many cells of tables some words stand."""
    words = _match(desk, found)
    every = (placed.match for table in tables(desk.page) for placed in cells(desk.page, table))
    return sum(said.meets(words.parts) for said in every if said)


def _match(desk: Desk, found: Found) -> Match:
    return Match(tuple((desk.number(one), one.start, one.end) for one in found.spots))


def rows_exchanged(desk: Desk, one: Found, two: Found) -> Desk:
    """Two rows of a table in one another's places, with all that stands between their rules."""
    for table in tables(desk.page):
        grid = grid_of(cells(desk.page, table))
        lanes = [_row(grid, _match(desk, found)) for found in (one, two)]
        if None not in lanes and lanes[0] != lanes[1]:
            return _exchanged(
                desk, [replace(grid, lane=lane) for lane in lanes if lane is not None]
            )
    raise Refused("Words that run over several lines cannot be swapped.")


def _row(grid: Grid, words: Match) -> int | None:
    """The row that says some words, all of them and nothing else."""
    told = _letters(words)
    for row in range(len(grid.ys) - 1):
        through = (p for p in grid.placed if p.cell.row <= row < p.cell.row + p.cell.rows)
        said = {letter for p in through if p.match for letter in _letters(p.match)}
        # Between two cells that were read as one line stand spaces, which are no cell's.
        if said and said <= told and {line for line, _ in told} == {line for line, _ in said}:
            return row
    return None


def _letters(match: Match) -> set[tuple[int, int]]:
    """Each letter by its line and its place there."""
    return {(line, at) for line, start, end in match.parts for at in range(start, end)}


def _exchanged(desk: Desk, grids: Sequence[Grid]) -> Desk:
    for grid in grids:
        _check_simple(grid, 1)
    (top, end), (other, last) = (_between(desk, grid) for grid in grids)
    if abs((end - top) - (last - other)) > UNEVEN:
        raise Refused(
            f"The rows are {end - top} and {last - other} pixels high.",
            "Rows as high as one another can be exchanged.",
        )
    high, across = min(end - top, last - other), slice(grids[0].xs[0], grids[0].xs[-1] + 1)
    out = desk.pixels.copy()
    out[top : top + high, across] = desk.pixels[other : other + high, across]
    out[other : other + high, across] = desk.pixels[top : top + high, across]
    return desk.now(out)


def _between(desk: Desk, grid: Grid) -> tuple[int, int]:
    """The rows of pixels between the rules above and below a row."""
    top, below = grid.ys[grid.lane], grid.ys[grid.lane + 1]
    first = max(0, top - 1)
    near = desk.pixels[first : top + RULE, grid.xs[0] : grid.xs[-1]]
    unlike = _unlike(near, near[-1])
    start = first + len(near) - int(np.argmax(unlike[::-1])) if unlike.any() else top
    return start, _rule_at(desk, grid, below)


def _check_simple(grid: Grid, axis: int) -> None:
    for one in grid.placed:
        first = one.cell.row if axis else one.cell.column
        more = one.cell.rows if axis else one.cell.columns
        if more > 1 and first <= grid.lane < first + more:
            raise Refused("A cell that is joined over it goes through that row or column.")


def _insert_lane(desk: Desk, op: Op) -> Desk:
    assert isinstance(op, ops.Insert)
    if op.what == "row":
        return _insert_row(desk, grid_with(desk, op.where, 1), op)
    if op.what == "column":
        return _insert_column(desk, grid_with(desk, op.where, 0), op)
    return _fill_cell(desk, op)


def _insert_row(desk: Desk, grid: Grid, op: ops.Insert) -> Desk:
    """A row like the one it stands beside, what is below moved down."""
    left, _, right, bottom = grid.box
    lane = grid.lane
    top, below = grid.ys[lane], grid.ys[lane + 1]
    tall, edge = below - top, bottom + _rim(desk, grid)
    if len(op.values) > len(grid.xs) - 1:
        raise Refused(f"{len(op.values)} cells are given for {len(grid.xs) - 1} columns.")
    if not desk.free((left, edge + 1, right, edge + tall)):
        raise Refused("There is no free room below the table for another row.")
    at = top if op.side == "above" else below
    erased = emptied(desk, [p for p in grid.placed if p.cell.row == lane])
    across = slice(max(0, left - 2), right + 3)
    out = desk.pixels.copy()
    out[at + tall : edge + tall, across] = desk.pixels[at:edge, across]
    out[at : at + tall, across] = erased.pixels[top:below, across]
    made = desk.now(out)
    for column, words in enumerate(op.values):
        like = grid.at(lane, column) or like_of(grid, lane, column)
        like = like if like.match else like_of(grid, lane, column)
        line, step = printed(desk, like), at - top
        room = (grid.xs[column], at, grid.xs[column + 1], at + tall)
        base = baseline(desk, grid, lane)
        made = set_in(made, room, words, line, align=align_of(desk, grid, column, like),
                       base=None if base is None else base + step,
                       margin=margin_of(desk, like))  # fmt: skip
    return made


def _insert_column(desk: Desk, grid: Grid, op: ops.Insert) -> Desk:
    """A column like the one it stands beside; the others give up some of their room."""
    words, lane = (op.text, *op.values), grid.lane
    if len(words) > len(grid.ys) - 1:
        raise Refused(f"{len(words)} cells are given for {len(grid.ys) - 1} rows.")
    likes = [like_of(grid, row, lane) for row in range(len(words))]
    lines = [printed(desk, like) for like in likes]
    wide = round(max(line.wide(w) for line, w in zip(lines, words, strict=True))) + 4 * PAD
    parts = [Part(desk.pixels, n, new) for n, new in enumerate(_giving(desk, grid, wide))]
    place = lane if op.side in ("left", "before") else lane + 1
    start = grid.xs[0] + sum(part.wide for part in parts[:place])
    empty = emptied(desk, [p for p in grid.placed if p.cell.column == lane])
    parts.insert(place, Part(empty.pixels, lane, wide))
    made = desk.now(_relaid(desk, grid, parts))
    for row, (new, like, line) in enumerate(zip(words, likes, lines, strict=True)):
        room = (start, grid.ys[row], start + wide, grid.ys[row + 1])
        base = baseline(desk, grid, row)
        made = set_in(made, room, new, line, align=align_of(desk, grid, lane, like), base=base,
                       margin=margin_of(desk, like))  # fmt: skip
    return made


def _giving(desk: Desk, grid: Grid, wide: int) -> list[int]:
    """The widths of the columns once they have made room for one more."""
    widths = [b - a for a, b in pairwise(grid.xs)]
    spare = []
    for number, have in enumerate(widths):
        ink = [ink_box(desk, p) for p in grid.placed
               if p.match and p.cell.column == number and p.cell.columns == 1]  # fmt: skip
        spare.append(max(0.0, have - max((b[2] - b[0] for b in ink), default=0) - 3 * PAD))
    if sum(spare) < wide:
        raise Refused(
            f"The table has no room for a column of {wide} pixels.",
            f"Its columns can give up {sum(spare):.0f}.",
        )
    new = [round(have - wide * part / sum(spare)) for have, part in zip(widths, spare, strict=True)]
    new[-1] += sum(widths) - wide - sum(new)
    return new


# ── joining cells ───────────────────────────────────────────────────────────────────────


def _merge(desk: Desk, op: Op) -> Desk:
    assert isinstance(op, ops.Merge)
    one, two = (find(desk.page, where)[0] for where in (op.where, op.other))
    grid, first, second = _pair(desk, one.box, two.box)
    like = first if first.match else second
    line = printed(desk, like)
    empty = emptied(desk, [first, second])
    out = empty.pixels.copy()
    room = union([first.box, second.box])
    beside = first.cell.row == second.cell.row
    _unrule(out, first.box, beside=beside)
    base = baseline(desk, grid, first.cell.row) if beside else None
    align = align_of(desk, grid, like.cell.column, like)
    return set_in(empty.now(out), room, op.text, line, align=align, base=base,
                   margin=margin_of(desk, like))  # fmt: skip


def _pair(desk: Desk, one: Box, two: Box) -> tuple[Grid, Placed, Placed]:
    for table in tables(desk.page):
        grid = grid_of(cells(desk.page, table))
        found = [p for box in (one, two) for p in grid.placed
                 if _has_middle(p.box, box)]  # fmt: skip
        if len(found) == 2:
            a, b = (p.cell for p in found)
            beside = a.row == b.row and (a.column + a.columns == b.column
                                         or b.column + b.columns == a.column)  # fmt: skip
            below = a.column == b.column and (a.row + a.rows == b.row or b.row + b.rows == a.row)
            if beside or below:
                first, second = sorted(found, key=lambda p: (p.cell.row, p.cell.column))
                return grid, first, second
    raise Refused("The two cells are not neighbours in one table.")


def _has_middle(room: Box, box: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return room[0] <= x <= room[2] and room[1] <= y <= room[3]


def _unrule(out: Pixels, first: Box, *, beside: bool) -> None:
    """Take away the rule behind a cell or below it: what is beside it spreads over it."""
    if beside:
        at, (start, end) = round(first[2]), (round(first[1]) + 3, round(first[3]) - 2)
        out[start:end, at - 3 : at + 4] = out[start:end, at - 4 : at - 3]
    else:
        at, (start, end) = round(first[3]), (round(first[0]) + 3, round(first[2]) - 2)
        out[at - 3 : at + 4, start:end] = out[at - 4 : at - 3, start:end]


TABLES: Mapping[type[Op], Callable[[Desk, Op], Desk]] = {
    ops.Delete: _delete_lane, ops.Insert: _insert_lane, ops.Merge: _merge,
}  # fmt: skip
