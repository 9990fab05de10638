"""Tables with rules across only: rows and columns are where the text lines up."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

from overpaint.vision.cells import Cell, Table
from overpaint.vision.ink import Pixels, ink_on_plain
from overpaint.vision.joining import unspaced
from overpaint.vision.letters import Type
from overpaint.vision.page import Box, Line, union

_LABEL = re.compile(r"[:：]|^[A-Z0-9][.．、)]\D")  # of a form's field, of an answer to choose
BROKEN = 1.7  # sizes: lines of one cell follow each other no further apart
TIGHT = 1.6  # and rows no closer, where a third line stands half way between two


@dataclass(frozen=True)
class Entry:
    """Lines that make one cell, the columns they stand over, and later the rows."""

    types: tuple[Type, ...]
    first: int
    last: int
    top: int = 0
    bottom: int = 0

    @property
    def middle(self) -> float:
        """Half way down."""
        return (self.types[0].middle + self.types[-1].middle) / 2


def open_tables(pixels: Pixels, across: Sequence[Box], lines: Sequence[Line]) -> list[Table]:
    """The tables between rules of one reach."""
    found = []
    for rules in _parallel(across):
        for run in _runs(rules, lines):
            if table := _table(pixels, run, across, lines):
                found.append(table)
    return found


def _parallel(across: Sequence[Box]) -> list[list[Box]]:
    """Rules of the same reach, from the top, by group."""
    groups: list[list[Box]] = []
    for rule in sorted(across, key=lambda b: b[1]):
        for group in groups:
            same = abs(group[0][0] - rule[0]) < 8 and abs(group[0][2] - rule[2]) < 8
            if same and rule[1] - group[-1][1] > 6:
                group.append(rule)
                break
        else:
            groups.append([rule])
    return [group for group in groups if len(group) > 1]


def _runs(rules: Sequence[Box], lines: Sequence[Line]) -> list[list[Box]]:
    """The rules of one reach parted into tables: only what is set in columns belongs to one."""
    found = [[rules[0]]]
    for above, below in pairwise(rules):
        inside = _between(lines, above, below)
        if inside and tabular(inside):
            found[-1].append(below)
        else:
            found.append([below])
    # Two rules alone are the edges of a panel, whatever stands between them.
    return [part for run in found if len(part := _trimmed(run, lines)) > 2]


def _trimmed(run: Sequence[Box], lines: Sequence[Line]) -> list[Box]:
    """The rules without a first and a last stretch that hold one line only: a title, a note."""
    kept = list(run)
    while len(kept) > 1 and len(_between(lines, kept[0], kept[1])) < 2:
        kept.pop(0)
    while len(kept) > 1 and len(_between(lines, kept[-2], kept[-1])) < 2:
        kept.pop()
    return kept


def tabular(lines: Sequence[Line]) -> bool:
    """Whether lines are set as a table's are: short, and beside each other."""
    return not _prose(lines) and not labelled(lines) and _side_by_side(lines)


def _side_by_side(lines: Sequence[Line]) -> bool:
    """Whether most lines have a neighbour on their level."""
    types = [Type(line) for line in lines]
    paired = sum(any(one is not two and _level(one, two) for two in types) for one in types)
    return len(types) == 1 or paired >= len(types) / 2


def _level(one: Type, two: Type) -> bool:
    """Whether two lines stand beside each other."""
    (_, top, _, bottom), (_, other_top, _, other_bottom) = one.line.box, two.line.box
    common = min(bottom, other_bottom) - max(top, other_top)
    return common > 0.6 * min(bottom - top, other_bottom - other_top)


def _between(lines: Sequence[Line], above: Box, below: Box) -> list[Line]:
    return [
        line
        for line in lines
        if above[0] - 6 <= line.box[0]
        and line.box[2] <= above[2] + 6
        and above[1] < (line.box[1] + line.box[3]) / 2 < below[1]
    ]


def _prose(lines: Sequence[Line]) -> bool:
    """Whether many of the lines are as long as those of running text."""
    lengths = [sum(1 + unspaced(letter) for letter in line.text) for line in lines]
    return sum(n > 24 for n in lengths) > 0.6 * len(lines) or (
        sum(n > 40 for n in lengths) > 0.4 * len(lines)
    )


def labelled(lines: Sequence[Line]) -> bool:
    """Whether many of the lines are fields of a form or answers to choose from."""
    return sum(bool(_LABEL.search(line.text)) for line in lines) > 0.3 * len(lines)


def _table(
    pixels: Pixels, run: Sequence[Box], across: Sequence[Box], lines: Sequence[Line]
) -> Table | None:
    """The table whose rules those are; none where nothing lines up between them."""
    stretches = [_between(lines, above, below) for above, below in pairwise(run)]
    every = [Type(line) for stretch in stretches for line in stretch]
    middles = _parting(_gutters(every), every)
    if not middles:
        return None
    stretches = [[p for line in s for p in _cut(pixels, line, middles)] for s in stretches]
    frame = union(run)
    pitch = _pitch(every)
    cells, row = [], 0
    for stretch in stretches:
        entries = _entries([Type(line) for line in stretch], middles, pitch)
        entries = _under_rules(entries, across, middles, frame)
        rows, placed = _rows(entries)
        cells += [
            Cell(row + e.top, e.first, e.bottom - e.top + 1, e.last - e.first + 1, _lines(e))
            for e in placed
        ]
        row += rows
    full = sum(len({c.column for c in cells if c.row == r}) > 1 for r in range(row))
    if row < 2 or full < 0.6 * row:
        return None
    heads = 1 + max((c.row + c.rows - 1 for c in cells if c.lines[0] in stretches[0]), default=0)
    cells = _centred(_spread_out(cells, heads, row), len(middles) + 1)
    return Table(frame, tuple(_filled(cells, row, len(middles) + 1)))


def _lines(entry: Entry) -> tuple[Line, ...]:
    return tuple(t.line for t in entry.types)


# ── columns ─────────────────────────────────────────────────────────────────────────────


def _gutters(types: Sequence[Type]) -> list[float]:
    """The middles of the gaps between columns; a few lines may stand across one."""
    size = median(t.size for t in types)
    left, right = min(t.left for t in types), max(t.right for t in types)
    levels = 1 + sum(b - a > size / 2 for a, b in pairwise(sorted(t.middle for t in types)))
    cover = np.zeros(int(right - left) + 2)
    for t in types:
        cover[int(t.left - left) : int(t.right - left) + 1] += 1
    gaps = _stretches(cover <= max(0.15 * levels, levels >= 4))
    inner = [(a, b) for a, b in gaps if a > 0 and b < len(cover) - 1 and b - a > 0.5 * size]
    return [left + a + _emptiest(cover[a:b]) for a, b in inner]


def _parting(middles: Sequence[float], types: Sequence[Type]) -> list[float]:
    """The gutters that part columns: a head centred over its column is no column beside it."""
    kept: list[float] = []
    for at, middle in enumerate(middles):
        left = kept[-1] if kept else -np.inf
        right = middles[at + 1] if at + 1 < len(middles) else np.inf
        before = [t for t in types if left < (t.left + t.right) / 2 and t.right <= middle]
        after = [t for t in types if middle <= t.left and (t.left + t.right) / 2 < right]
        beside = any(_level(one, two) for one in before for two in after)
        if beside or min(len(before), len(after)) > 1:
            kept.append(middle)
    return kept


def _stretches(there: NDArray[np.bool_]) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], there, [False]]).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _emptiest(cover: NDArray[np.float64]) -> float:
    """The middle of the widest stretch that the fewest lines stand across."""
    first, last = max(_stretches(cover == cover.min()), key=lambda ab: ab[1] - ab[0])
    return (first + last) / 2


def _columns(left: float, right: float, middles: Sequence[float]) -> tuple[int, int]:
    """First and last of the columns between two places."""
    first = int(np.searchsorted(middles, left))
    return first, max(first, int(np.searchsorted(middles, right)))


def _cut(pixels: Pixels, line: Line, middles: Sequence[float]) -> list[Line]:
    """A line parted where it crosses a gutter by a gap too wide for a space between words."""
    left, top, right, bottom = line.box
    size = Type(line).size
    inked = ink_on_plain(pixels, line.box)
    for middle in middles:
        if inked is None or not left + size < middle < right - size:
            continue
        start = int(left)
        ink = inked(pixels[int(top) : int(bottom), start : int(right)])
        before = np.flatnonzero(ink[:, : int(middle) - start].any(axis=0))
        after = np.flatnonzero(ink[:, int(middle) - start :].any(axis=0))
        if not len(before) or not len(after):
            continue
        end, begin = start + float(before[-1]) + 1, middle + float(after[0])
        if begin - end < 0.8 * size:
            continue
        # Letters take about as much room on either side; the gap takes none.
        at = (end - left) / (end - left + right - begin) * len(line.text)
        spaces = [i for i, letter in enumerate(line.text) if letter == " "]
        place = min(spaces, key=lambda i: abs(i - at)) if spaces else round(at)
        first = replace(line, box=(left, top, end, bottom), text=line.text[:place].rstrip())
        rest = replace(line, box=(begin, top, right, bottom), text=line.text[place:].lstrip())
        return [first, *_cut(pixels, rest, middles)]
    return [line]


def _under_rules(
    entries: Sequence[Entry], across: Sequence[Box], middles: Sequence[float], frame: Box
) -> list[Entry]:
    """Entries above a short rule stand over all the columns that the rule does."""
    short = [r for r in across if r[2] - r[0] < 0.9 * (frame[2] - frame[0]) and frame[0] - 6 < r[0]]
    found = []
    for entry in entries:
        last = entry.types[-1]
        for rule in short:
            below = 0 < rule[1] - last.base < 1.5 * last.size
            if below and rule[0] - 6 < entry.types[0].left and last.right < rule[2] + 6:
                first, end = _columns(rule[0] + 8, rule[2] - 8, middles)
                entry = replace(entry, first=min(first, entry.first), last=max(end, entry.last))
        found.append(entry)
    return found


# ── rows ────────────────────────────────────────────────────────────────────────────────


def _pitch(types: Sequence[Type]) -> float:
    """How far apart rows usually are, in sizes."""
    size = median(t.size for t in types)
    levels = sorted(t.middle for t in types)
    steps = [b - a for a, b in pairwise(levels) if b - a > 0.8 * size]
    return median(steps) / size if steps else 1.0


def _entries(types: Sequence[Type], middles: Sequence[float], usual: float) -> list[Entry]:
    """The cells of one stretch between rules: broken lines put together again."""
    found: list[Entry] = []
    ragged = _ragged(types)
    for one in sorted(types, key=lambda t: t.middle):
        slack = one.size / 4
        first, last = _columns(one.left + slack, one.right - slack, middles)
        level = sum(_level(one, other) for other in types)
        alone = level < max(2, (len(middles) + 1) / 2)
        for i, entry in enumerate(found):
            pitch = (one.base - entry.types[-1].base) / one.size
            if (entry.first, entry.last) == (first, last) and (
                pitch < (TIGHT if ragged else 0.4)
                or (pitch < BROKEN and (alone or 1.25 * pitch < usual))
            ):
                found[i] = replace(entry, types=(*entry.types, one))
                break
        else:
            found.append(Entry((one,), first, last))
    return found


def _ragged(types: Sequence[Type]) -> bool:
    """Whether two levels of lines have a third half way between: one row, some cells broken."""
    levels: list[list[float]] = []
    for t in sorted(types, key=lambda t: t.middle):
        if levels and t.middle - levels[-1][0] < 0.45 * t.size:
            levels[-1].append(t.middle)
        else:
            levels.append([t.middle])
    if len(levels) != 3:
        return False
    first, half, last = (float(np.mean(level)) for level in levels)
    return abs(first + last - 2 * half) < 0.5 * types[0].size


def _rows(entries: Sequence[Entry]) -> tuple[int, list[Entry]]:
    """How many rows there are, and each entry with its own; one half way between has both."""
    levels: list[list[Entry]] = []
    for entry in sorted(entries, key=lambda e: e.middle):
        if levels and entry.middle - levels[-1][0].middle < 0.45 * entry.types[0].size:
            levels[-1].append(entry)
        else:
            levels.append([entry])
    full = [level for level in levels if len(level) > 1] or levels
    middles = [float(np.mean([e.middle for e in level])) for level in full]
    for level in levels:
        if level not in full and not _between_rows(level[0], middles, full):
            middles = sorted([*middles, level[0].middle])
    placed = []
    for level in levels:
        for entry in level:
            top, bottom = _span(entry, middles, alone=level not in full)
            placed.append(replace(entry, top=top, bottom=bottom))
    return len(middles), placed


def _between_rows(entry: Entry, middles: Sequence[float], full: Sequence[Sequence[Entry]]) -> bool:
    """Whether an entry stands between two rows that leave its column free."""
    near = sorted(range(len(full)), key=lambda i: abs(middles[i] - entry.middle))[:2]
    if len(near) < 2 or (middles[near[0]] - entry.middle) * (middles[near[1]] - entry.middle) > 0:
        return False
    return not any(e.first <= entry.last and entry.first <= e.last for i in near for e in full[i])


def _span(entry: Entry, middles: Sequence[float], *, alone: bool) -> tuple[int, int]:
    nearest = int(np.argmin([abs(m - entry.middle) for m in middles]))
    if not alone or abs(middles[nearest] - entry.middle) < 0.3 * entry.types[0].size:
        return nearest, nearest
    after = int(np.searchsorted(middles, entry.middle))
    return max(0, after - 1), min(after, len(middles) - 1)


def _spread_out(cells: Sequence[Cell], heads: int, rows: int) -> list[Cell]:
    """The first column's cells, each over the rows it stands in the middle of, if that adds up."""
    body = sorted((c for c in cells if c.column == 0 and c.row >= heads), key=lambda c: c.row)
    start, spread = heads, {}
    for cell in body:
        span = 2 * cell.row + cell.rows - 2 * start
        if span < 1 or cell.columns > 1:
            return list(cells)
        spread[cell] = replace(cell, row=start, rows=span)
        start += span
    return [spread.get(cell, cell) for cell in cells] if start == rows else list(cells)


def _centred(cells: Sequence[Cell], columns: int) -> list[Cell]:
    """Cells half way between the middles of two columns are over both, where both are free."""
    places: list[list[float]] = [[] for _ in range(columns)]
    for cell in cells:
        if cell.columns == 1:
            places[cell.column].append(_middle(cell))
    middles = [median(found) if found else None for found in places]
    return [_over_both(cell, cells, middles) for cell in cells]


def _over_both(cell: Cell, cells: Sequence[Cell], middles: Sequence[float | None]) -> Cell:
    own = middles[cell.column]
    for other in (cell.column - 1, cell.column + 1):
        theirs = middles[other] if 0 <= other < len(middles) else None
        if cell.columns > 1 or own is None or theirs is None:
            continue
        half_way = abs(_middle(cell) - (own + theirs) / 2) < 0.25 * abs(own - theirs)
        wider = replace(cell, column=min(cell.column, other), columns=2)
        if half_way and not any(_covers(one, wider) for one in cells if one is not cell):
            return wider
    return cell


def _middle(cell: Cell) -> float:
    box = union([line.box for line in cell.lines])
    return (box[0] + box[2]) / 2


def _filled(cells: Sequence[Cell], rows: int, columns: int) -> list[Cell]:
    """The cells with an empty one wherever nothing stands, and none on top of another."""
    taken = np.zeros((rows, columns), bool)
    kept: list[Cell] = []
    for cell in sorted(cells, key=lambda c: (c.row, c.column)):
        area = taken[cell.row : cell.row + cell.rows, cell.column : cell.column + cell.columns]
        if area.any():
            at = next((i for i, k in enumerate(kept) if _covers(k, cell)), None)
            if at is not None:
                kept[at] = replace(kept[at], lines=kept[at].lines + cell.lines)
            continue
        area[:] = True
        kept.append(cell)
    empty = [Cell(int(r), int(c)) for r, c in zip(*np.nonzero(~taken), strict=True)]
    return [*kept, *empty]


def _covers(cell: Cell, other: Cell) -> bool:
    down = cell.row < other.row + other.rows and other.row < cell.row + cell.rows
    across = cell.column < other.column + other.columns
    return down and across and other.column < cell.column + cell.columns
