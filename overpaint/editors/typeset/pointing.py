"""Pointing: which of several things a place, a side, a row or a column means."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from overpaint.document.grid import lane_number
from overpaint.document.where import Place, Side, Where
from overpaint.editors.typeset.blocks import Placed, cells, tables
from overpaint.editors.typeset.matching import Match, fold
from overpaint.editors.typeset.reading import Page
from overpaint.editors.typeset.spots import rough_box
from overpaint.vision.page import Box, union

_SAME = 88.0  # of 100: a cell that is so like the words is meant by them


@dataclass(frozen=True)
class Blank:
    """An empty cell: its room, and where the middle of a line in its row is."""

    room: Box
    middle: float
    high: float


Thing = Match | Blank


def box_of(page: Page, thing: Thing) -> Box:
    """About where a thing is, before its ink is looked at."""
    if isinstance(thing, Blank):
        return thing.room
    return union([rough_box(page, *part) for part in thing.parts])


# ── places and sides ────────────────────────────────────────────────────────────────────


def at_place(page: Page, things: Sequence[Thing], place: Place) -> list[Thing]:
    """Those in that third of the picture, else in that half."""
    for share in (1 / 3, 1 / 2):
        if kept := [t for t in things if _at(page, box_of(page, t), place, share)]:
            return kept
    return []


def _at(page: Page, box: Box, place: Place, share: float) -> bool:
    height, width = page.pixels.shape[:2]
    x, y = (box[0] + box[2]) / 2 / width, (box[1] + box[3]) / 2 / height
    if place == "centre":
        return share <= x <= 1 - share and share <= y <= 1 - share if share < 0.5 else True
    fits = {"top": y < share, "bottom": y > 1 - share, "left": x < share, "right": x > 1 - share}
    return all(fits[word] for word in place.split())


def on_side(page: Page, things: Sequence[Thing], side: Side, of: Match) -> list[Thing]:
    """Those on that side of something, the nearest first."""
    if side in ("before", "after"):
        return _in_order(things, side, of)
    mark = box_of(page, of)
    scored = []
    for thing in things:
        away = _away(box_of(page, thing), mark, side)
        if away is not None and not (isinstance(thing, Match) and thing.meets(of.parts)):
            scored.append((away, thing))
    return [thing for _, thing in sorted(scored, key=lambda s: s[0])]


def _away(box: Box, mark: Box, side: Side) -> float | None:
    """How far a box is on that side of another; None where it is not."""
    axis = 0 if side in ("left", "right") else 1
    across = 1 - axis
    gap = mark[axis] - box[axis + 2] if side in ("left", "above") else box[axis] - mark[axis + 2]
    high = min(box[3] - box[1], mark[3] - mark[1])
    if gap < -0.5 * high:
        return None
    apart = max(box[across], mark[across]) - min(box[across + 2], mark[across + 2])
    # Beside is on the same level; below may be a little to the side.
    if apart > (0 if axis == 0 else 0.2 * (mark[2] - mark[0])):
        return None
    return gap + max(0.0, apart)


def _in_order(things: Sequence[Thing], side: Side, of: Match) -> list[Thing]:
    said = [t for t in things if isinstance(t, Match)]
    if side == "before":
        first = of.parts[0]
        earlier = [t for t in said if (t.parts[-1][0], t.parts[-1][2]) <= (first[0], first[1])]
        return list(reversed(earlier))
    last = of.parts[-1]
    return [t for t in said if (t.parts[0][0], t.parts[0][1]) >= (last[0], last[2])]


# ── tables ──────────────────────────────────────────────────────────────────────────────


def in_table(page: Page, where: Where) -> list[Thing]:
    """The cells that a row, a column or both mean; of a row or a column alone all that stand."""
    found: list[Thing] = []
    for table in tables(page):
        placed = cells(page, table)
        chosen = _chosen(page, placed, where)
        if where.row and where.column:
            found += [p.match or _blank(page, p, placed) for p in chosen]
        elif where.role in ("row", "column"):
            parts = tuple(part for p in chosen if p.match for part in p.match.parts)
            found += [Match(parts)] if parts else []
        else:
            found += [p.match for p in chosen if p.match]
    return found


def _chosen(page: Page, placed: Sequence[Placed], where: Where) -> list[Placed]:
    rows = lanes(page, placed, where.row, 1) if where.row else None
    columns = lanes(page, placed, where.column, 0) if where.column else None
    kept = list(placed)
    if rows is not None:
        kept = [p for p in kept if any(p.cell.row <= r < p.cell.row + p.cell.rows for r in rows)]
    if columns is not None:
        kept = [
            p
            for p in kept
            if any(p.cell.column <= c < p.cell.column + p.cell.columns for c in columns)
        ]
    return kept


def lanes(page: Page, placed: Sequence[Placed], told: str, axis: int) -> list[int]:
    """The rows (axis 1) or columns that a number or words mean."""
    count, number = max(_end(p, axis) for p in placed), lane_number(told.strip())
    at = number - 1 if number > 0 else count + number
    counted = [at] if number and 0 <= at < count else []
    # A name at the head goes before a number; a number before any cell that happens to say it.
    heads = [p for p in placed if _at_head(p, placed, axis)]
    named = _named(page, heads, told, axis) if number >= 0 else []
    return named or counted or (_named(page, placed, told, axis) if number >= 0 else [])


def _end(placed: Placed, axis: int) -> int:
    cell = placed.cell
    return cell.row + cell.rows if axis else cell.column + cell.columns


def _named(page: Page, placed: Sequence[Placed], told: str, axis: int) -> list[int]:
    """The lanes with a cell that says so, alike where none is equal."""
    said = fold(told)
    for test in (lambda text: text == said, lambda text: fuzz.ratio(text, said) > _SAME):
        for p in placed:
            if p.match and said and test(fold(_words(page, p.match))):
                start = p.cell.row if axis else p.cell.column
                return list(range(start, _end(p, axis)))
    return []


def _at_head(placed: Placed, every: Sequence[Placed], axis: int) -> bool:
    """Whether a cell is in the first column, which names rows (axis 1), or in the first row."""
    firsts = [p.cell.column if axis else p.cell.row for p in (placed, *every)]
    return firsts[0] == min(firsts)


def _words(page: Page, match: Match) -> str:
    return "".join(page.text(line)[start:end] for line, start, end in match.parts)


def _blank(page: Page, empty: Placed, placed: Sequence[Placed]) -> Blank:
    """An empty cell with the line its row is written on."""
    beside = [p for p in placed if p.match and p.cell.row == empty.cell.row]
    numbers = [part[0] for p in beside or placed if p.match for part in p.match.parts]
    boxes = [page.tight(number) for number in numbers]
    high = sorted(box[3] - box[1] for box in boxes)[len(boxes) // 2] if boxes else 12.0
    middle = (empty.box[1] + empty.box[3]) / 2
    if beside:
        middles = sorted((box[1] + box[3]) / 2 for box in boxes)
        middle = middles[len(middles) // 2]
    return Blank(empty.box, middle, high)


def beside(page: Page, where: Where, look: Callable[[Page, str], list[Match]]) -> list[Thing]:
    """Where no table was made out: what is level with a row's words and below a column's."""
    spoken = [Match(((n, 0, len(page.text(n))),)) for n in range(len(page)) if page.text(n)]
    kept: list[Thing] = list(spoken)
    lanes: tuple[tuple[str, tuple[Side, Side]], ...] = (
        (where.row, ("left", "right")),
        (where.column, ("above", "below")),
    )
    for told, sides in lanes:
        marks = look(page, told) if told and not told.strip().isdigit() else []
        if told and len(marks) != 1:
            return []
        if marks:
            near = [thing for side in sides for thing in on_side(page, kept, side, marks[0])]
            kept = [thing for thing in kept if thing in near]
    return kept
