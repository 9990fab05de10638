"""Tables: grids from their rules by geometry, columns from alignment where rules are few.

A fully ruled table gives its cells by itself: a missing piece of a rule is a span. A table with
rules across only (above, below, between some rows) has rows and columns where its text lines up.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.vision import tables_model
from overpaint.vision.cells import Cell, Table
from overpaint.vision.page import Box, Line, union
from overpaint.vision.tables_open import labelled, open_tables, tabular

Pixels = NDArray[np.uint8]
Ruled = tuple[Sequence[Box], Sequence[Box]]  # rules across, rules down
Spread = dict[tuple[int, int], list[Line]]  # the lines at each place of a grid

THICK = 7  # pixels: a thicker bar is no rule
SHORT = 25  # pixels, odd so that it has a middle: a shorter stroke is part of a letter
FAINT = 20  # of 255: a rule differs from its sides by more
NEAR = 5.0  # pixels: rules this close meet


def tables_of(pixels: Pixels, lines: Sequence[Line]) -> tuple[Table, ...]:
    """The tables of a page, none inside another."""
    if len(lines) < 3:
        return ()
    across, down = ([r for r in some if not _stroke(r, lines)] for some in rules(pixels))
    found = [t for group in _meeting(across, down) if (t := _grid(pixels, group, lines))]
    across = [rule for rule in across if not any(within(rule, t.box) for t in found)]
    free = [line for line in lines if not any(within(line.box, t.box) for t in found)]
    found += open_tables(pixels, across, free)
    found = [t for t in found if not any(o is not t and within(o.box, t.box) for o in found)]
    across = [rule for rule in across if not any(within(rule, t.box) for t in found)]
    return (*found,) if len(across) < 2 else _with_seen(pixels, found, lines, across)


def _with_seen(
    pixels: Pixels, found: Sequence[Table], lines: Sequence[Line], across: Sequence[Box]
) -> tuple[Table, ...]:
    """What the rules told, and the tables that a network sees among the rules that are left."""
    kept = list(found)
    for box in tables_model.places(pixels):
        inside = [line for line in lines if within(line.box, box)]
        over = [table for table in kept if tables_model.overlap(table.box, box) > 0.2]
        told = sum(_area(table.box) for table in over) > 0.5 * _area(box)
        free = [line for line in inside if not any(within(line.box, t.box) for t in over)]
        if told or len(free) < 4 or labelled(free) or not tabular(inside):
            continue
        if not _bounded(box, across):
            continue
        if table := tables_model.table_at(pixels, box, inside):
            kept = [one for one in kept if one not in over] + [table]
    return tuple(kept)


def _bounded(box: Box, across: Sequence[Box]) -> bool:
    """Whether two rules or more run through most of a box: the network sees tables in any list."""
    wide = [rule for rule in across if rule[2] - rule[0] > 0.7 * (box[2] - box[0])]
    near = [rule for rule in wide if box[1] - 20 < rule[1] < box[3] + 20]
    return sum(box[0] - 20 < rule[0] and rule[2] < box[2] + 20 for rule in near) > 1


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def within(box: Box, frame: Box) -> bool:
    """Whether the middle of a box is in a frame."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return frame[0] <= x <= frame[2] and frame[1] <= y <= frame[3]


def _held(box: Box, frame: Box) -> bool:
    return frame[0] - 4 < box[0] and box[2] < frame[2] + 4 and within(box, frame)


def _stroke(rule: Box, lines: Sequence[Line]) -> bool:
    """Whether it is no rule but part of a letter: it ends where the line of text does."""
    slack = 3
    return any(
        b[0] - slack <= rule[0]
        and rule[2] <= b[2] + slack
        and b[1] - slack <= rule[1]
        and rule[3] <= b[3] + slack
        for b in (line.box for line in lines)
    )


# ── rules ───────────────────────────────────────────────────────────────────────────────


def rules(pixels: Pixels) -> tuple[list[Box], list[Box]]:
    """Where colour changes along a straight line, across and down: rules and borders of fills."""
    import cv2

    if min(pixels.shape[:2]) < 2:
        return [], []
    level, steep = (
        (cv2.absdiff(before, after).max(axis=2) > FAINT).astype(np.uint8)
        for before, after in ((pixels[:-1], pixels[1:]), (pixels[:, :-1], pixels[:, 1:]))
    )
    level = cv2.morphologyEx(level, cv2.MORPH_OPEN, np.ones((1, SHORT), np.uint8))
    steep = cv2.morphologyEx(_bridged(steep, level), cv2.MORPH_OPEN, np.ones((SHORT, 1), np.uint8))
    across = [(x, y + 1, r, b) for x, y, r, b in _pieces(level)]
    down = [(x + 1, y, r, b) for x, y, r, b in _pieces(steep)]
    thin = ([box for box in boxes if min(_size(box)) <= THICK] for boxes in (across, down))
    return _joined_up(next(thin), 0), _joined_up(next(thin), 1)


def _bridged(steep: NDArray[Any], level: NDArray[Any]) -> NDArray[Any]:
    """The edges down that go on across a rule: where rules meet, neither differs from its sides."""
    import cv2

    crossing = np.zeros_like(steep)
    crossing[:-1] |= level[:, :-1]
    crossing[1:] |= level[:, :-1]
    met = np.asarray(cv2.dilate(crossing, np.ones((3, 3), np.uint8))) > 0
    whole = np.asarray(cv2.morphologyEx(steep, cv2.MORPH_CLOSE, np.ones((THICK, 1), np.uint8)))
    return np.where(met, whole, steep)


def _pieces(mask: NDArray[Any]) -> list[Box]:
    import cv2

    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return [(float(x), float(y), float(x + w), float(y + h)) for x, y, w, h, _ in stats[1:]]


def _size(box: Box) -> tuple[float, float]:
    return box[2] - box[0], box[3] - box[1]


def _joined_up(pieces: Sequence[Box], along: int) -> list[Box]:
    """Pieces of one rule, broken by a letter or by dashes, as one."""
    whole: list[Box] = []
    for piece in sorted(pieces, key=lambda b: b[along]):
        for i, rule in enumerate(whole):
            level = abs(rule[1 - along] - piece[1 - along]) <= NEAR
            if level and piece[along] - rule[along + 2] < 12:
                whole[i] = union([rule, piece])
                break
        else:
            whole.append(piece)
    return whole


# ── fully ruled ─────────────────────────────────────────────────────────────────────────


def _meeting(across: Sequence[Box], down: Sequence[Box]) -> list[Ruled]:
    """Rules that touch one another, by group: one group for each grid."""
    every = [*across, *down]
    leader = list(range(len(every)))
    for i in range(len(across)):
        for j in range(len(across), len(every)):
            if _touch(every[i], every[j]):
                old, new = leader[j], leader[i]
                leader = [new if one == old else one for one in leader]
    groups: list[Ruled] = []
    for one in dict.fromkeys(leader):
        flat = [every[i] for i in range(len(across)) if leader[i] == one]
        steep = [every[i] for i in range(len(across), len(every)) if leader[i] == one]
        if len(flat) > 1 and steep:
            groups.append((flat, steep))
    return groups


def _touch(a: Box, b: Box) -> bool:
    return a[0] < b[2] + NEAR and b[0] < a[2] + NEAR and a[1] < b[3] + NEAR and b[1] < a[3] + NEAR


def _places(values: Iterable[float]) -> list[float]:
    """Where rules stand: one place for those that are nearly the same."""
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][-1] < 2 * NEAR:
            groups[-1].append(value)
        else:
            groups.append([value])
    return [sum(group) / len(group) for group in groups]


def _grid(pixels: Pixels, ruled: Ruled, lines: Sequence[Line]) -> Table | None:
    """The table that rules enclose; none where they only frame something."""
    across, down = ruled
    frame = union([*across, *down])
    # A table may have no rules at its sides: its rules across then tell where it ends.
    xs = _places([(b[0] + b[2]) / 2 for b in down] + [frame[0] + 1, frame[2] - 1])
    ys = _places([(b[1] + b[3]) / 2 for b in across] + [frame[1] + 1, frame[3] - 1])
    inside = [line for line in lines if _held(line.box, frame)]
    if len(xs) < 3 or len(ys) < 3 or len(xs) * len(ys) > 20_000 or not inside:
        return None
    spread = _spread(inside, xs, ys)
    across = _without_fills(across, _thin(pixels, frame), ys)
    part = _parts(xs, ys, (across, down), spread)
    cells = []
    for number in np.unique(part):
        rows, columns = np.nonzero(part == number)
        top, left = int(rows.min()), int(columns.min())
        height, width = int(rows.max()) - top + 1, int(columns.max()) - left + 1
        places = zip(rows.tolist(), columns.tolist(), strict=True)
        held = tuple(line for place in places for line in spread.get(place, ()))
        cells.append(Cell(top, left, height, width, held))
    # A sheet of ruled paper, a picture's frame: no table, however many rules there are.
    filled_rows, filled = len({r for r, _ in spread}), len({c for _, c in spread})
    dense = filled >= 0.6 * (len(xs) - 1) and filled_rows >= 0.6 * (len(ys) - 1)
    return Table(frame, tuple(cells)) if dense and filled > 1 and len(cells) > 2 else None


def _thin(pixels: Pixels, frame: Box) -> list[Box]:
    """The rules across that differ from what is above and what is below: no borders of fills."""
    import cv2

    left, top, right, bottom = (int(edge) for edge in frame)
    inside = pixels[top:bottom, left:right]
    if len(inside) <= 2 * THICK:
        return []
    middle = inside[THICK:-THICK]
    mask = np.zeros(middle.shape[:2], bool)
    for away in (2, 4):
        above = inside[THICK - away : -THICK - away]
        below = inside[THICK + away : len(inside) - THICK + away]
        mask |= (cv2.absdiff(middle, above).max(axis=2) > FAINT) & (
            cv2.absdiff(middle, below).max(axis=2) > FAINT
        )
    straight = cv2.morphologyEx(
        mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((1, SHORT), np.uint8)
    )
    return [
        (x + left, y + top + THICK, r + left, b + top + THICK) for x, y, r, b in _pieces(straight)
    ]


def _without_fills(across: Sequence[Box], thin: Sequence[Box], ys: Sequence[float]) -> list[Box]:
    """The rules alone where a border has any; where it has none, the edge of a fill will do."""
    kept: list[Box] = []
    for y in ys:
        near = [rule for rule in across if abs((rule[1] + rule[3]) / 2 - y) < 2 * NEAR]
        true = [rule for rule in thin if abs((rule[1] + rule[3]) / 2 - y) < 2 * NEAR]
        kept += true or near
    return kept


def _parts(
    xs: Sequence[float],
    ys: Sequence[float],
    ruled: Ruled,
    spread: Spread,
) -> NDArray[np.int64]:
    """For each place of the grid the number of its cell; places with no rule between share one."""
    rows, columns = len(ys) - 1, len(xs) - 1
    part = np.arange(rows * columns).reshape(rows, columns)
    for r in range(rows):
        for c in range(columns):
            beside, below = (r, c + 1), (r + 1, c)
            # A rule may be lost on a dark fill: two texts side by side still are two cells.
            apart = (r, c) in spread and beside in spread and _clear(spread, r, xs[c + 1])
            if c + 1 < columns and not (
                apart or _ruled(ruled[1], 1, xs[c + 1], (ys[r], ys[r + 1]))
            ):
                _merge(part, (r, c), beside)
            ruled_below = _ruled(ruled[0], 0, ys[r + 1], (xs[c], xs[c + 1]))
            if r + 1 < rows and not (ruled_below and not _struck(spread, c, ys[r + 1])):
                _merge(part, (r, c), below)
    return part


def _clear(spread: Spread, row: int, at: float) -> bool:
    held = (line.box for place, some in spread.items() if place[0] == row for line in some)
    return not any(box[0] < at < box[2] for box in held)


def _struck(spread: Spread, column: int, at: float) -> bool:
    """Whether the border would run through a text: it is a fill's that goes on behind a cell."""
    held = (line.box for place, some in spread.items() if place[1] == column for line in some)
    return any(box[1] + 2 < at < box[3] - 2 for box in held)


def _merge(part: NDArray[np.int64], a: tuple[int, int], b: tuple[int, int]) -> None:
    """Two cells as one, with all that their common rectangle holds."""
    both = (part == part[a]) | (part == part[b])
    rows, columns = np.flatnonzero(both.any(axis=1)), np.flatnonzero(both.any(axis=0))
    while True:
        block = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
        both = np.isin(part, part[block])
        rows, columns = np.flatnonzero(both.any(axis=1)), np.flatnonzero(both.any(axis=0))
        if block == (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)):
            part[block] = part[a]
            return


def _ruled(rules: Sequence[Box], along: int, at: float, span: tuple[float, float]) -> bool:
    """Whether a rule stands at that place for most of the span."""
    covered = 0.0
    for rule in rules:
        if abs((rule[1 - along] + rule[3 - along]) / 2 - at) < 2 * NEAR:
            covered += max(0.0, min(rule[along + 2], span[1]) - max(rule[along], span[0]))
    return covered > 0.6 * (span[1] - span[0])


def _spread(lines: Sequence[Line], xs: Sequence[float], ys: Sequence[float]) -> Spread:
    """The lines by the place of the grid that their middle is in."""
    held: Spread = {}
    for line in lines:
        left, top, right, bottom = line.box
        row = int(np.searchsorted(ys, (top + bottom) / 2)) - 1
        column = int(np.searchsorted(xs, (left + right) / 2)) - 1
        place = (min(max(row, 0), len(ys) - 2), min(max(column, 0), len(xs) - 2))
        held.setdefault(place, []).append(line)
    return held
