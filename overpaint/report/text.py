"""The leaderboard as plain text for a terminal, at most 100 columns wide."""

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from overpaint.core import Measure
from overpaint.measures.gap import Gap
from overpaint.report.decisions import decisions_sheet, undecided
from overpaint.report.gaps import TITLE, decimals_of, gap_board, gap_notes, in_points, no_gaps
from overpaint.report.numbers import NO_BOUND, arrow, count, margin, number, percent
from overpaint.report.tables import Entry, Tables
from overpaint.report.wording import absence, plain

WIDTH = 100
NAME_WIDTH = 26
_GAP = "  "


def text_table(tables: Tables) -> str:
    """The leaderboard: value and 95 % interval, coverage where it is not whole."""
    if not tables.measures or not tables.entries:
        return f"{_title(tables)}\nNothing has been scored yet."
    entries = tables.ranked(tables.measures[0])
    names = ["editor", *(_name(entry) for entry in entries)]
    columns = [_column(tables, measure, entries) for measure in undecided(tables)]
    counts = ["n", *(f"{tables.denominator(entry):,}" for entry in entries)]
    head = _width(names) + len(_GAP) + _width(counts)
    blocks = (_lines([names, counts, *block]) for block in _blocks(columns, head))
    more = (*_decisions(tables), *_gap_blocks(tables))
    return "\n\n".join([_title(tables), *blocks, *more, _legend(tables)])


def _decisions(tables: Tables) -> Iterator[str]:
    """What was decided about layers, beside what needs no decision."""
    if (sheet := decisions_sheet(tables)) is None:
        return
    rows = [[_short(plain(str(cell)), NAME_WIDTH) for cell in row] for row in sheet.rows]
    names, *columns = [list(column) for column in zip(sheet.heads, *rows, strict=True)]
    yield sheet.title
    yield from (_lines([names, *block]) for block in _blocks(columns, _width(names)))
    yield "\n".join(textwrap.wrap(sheet.remarks[0], WIDTH))


def _title(tables: Tables) -> str:
    told = [str(tables.info.get(key, "")) for key in ("benchmark", "card_id")]
    return _short(" · ".join([*map(plain, told), count(tables.samples, "sample")]), WIDTH)


def _gap_blocks(tables: Tables) -> Iterator[str]:
    """The shares of the way from source to truth, or the line that says why there are none."""
    if (why := no_gaps(tables)) is not None:
        yield "\n".join(textwrap.wrap(f"{TITLE}: {plain(why)}", WIDTH))
        return
    board = gap_board(tables)
    names = ["% of the way", *(_name(entry) for entry in board.entries)]
    columns = [
        [f"{measure.name} ", *(f"{_share(board.at(entry, measure))} " for entry in board.entries)]
        for measure in board.measures
    ]
    source, truth = (plain(str(end)) for end in tables.ends)
    yield "\n".join(textwrap.wrap(f"{TITLE} (0 %: {source}, 100 %: {truth})", WIDTH))
    yield from (_lines([names, *block]) for block in _blocks(columns, _width(names)))
    if notes := gap_notes(tables):
        yield "\n".join(line for note in notes for line in textwrap.wrap(plain(note), WIDTH))


def _share(gap: Gap) -> str:
    points = in_points(gap)
    if points.value is None:
        return NO_BOUND
    decimals = decimals_of(points)
    parts = [number(points.value, decimals), margin(points, decimals)]
    if gap.scored < gap.n:
        parts.append(f"{gap.scored}/{gap.n}")
    return " ".join(part for part in parts if part)


def _name(entry: Entry) -> str:
    name = plain(entry.name)
    room = NAME_WIDTH - (len(entry.role) + 3 if entry.role != "editor" else 0)
    short = _short(name, room)
    return short if entry.role == "editor" else f"{short} ({entry.role})"


def _short(text: str, room: int) -> str:
    if wide(text) <= room:
        return text
    widths = list(accumulate(map(wide, text)))
    return text[: sum(width < room for width in widths)] + "…"


def wide(text: str) -> int:
    """How many columns of a terminal the text takes: two for most letters of East Asia."""
    return sum(
        0 if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf")
        else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )  # fmt: skip


def _column(tables: Tables, measure: Measure, entries: Iterable[Entry]) -> list[str]:
    best = tables.best(measure)
    cells = [_cell(tables, entry, measure) for entry in entries]
    marked = [
        cell + ("*" if entry.name in best else " ")
        for entry, cell in zip(entries, cells, strict=True)
    ]
    unit = f" {measure.unit}" if measure.unit else ""
    return [f"{measure.name}{unit} {arrow(measure)} ", *marked]


def _cell(tables: Tables, entry: Entry, measure: Measure) -> str:
    summary = tables.at(entry, measure)
    if summary.value is None:
        return absence(summary, tables.why(entry, measure))
    decimals = tables.decimals[measure.name]
    parts = [number(summary.value, decimals), margin(summary, decimals)]
    if summary.scored < summary.n:
        parts.append(percent(summary.scored, summary.n).replace(" ", ""))
    return " ".join(part for part in parts if part)


def _width(column: Sequence[str]) -> int:
    return max(map(wide, column))


def _blocks(columns: Sequence[list[str]], first: int) -> Iterator[list[list[str]]]:
    """As many columns side by side as fit; the rest below, under the names again."""
    block: list[list[str]] = []
    used = first
    for column in columns:
        needed = len(_GAP) + _width(column)
        if block and used + needed > WIDTH:
            yield block
            block, used = [], first
        block.append(column)
        used += needed
    yield block


def _lines(columns: Sequence[Sequence[str]]) -> str:
    widths = [_width(column) for column in columns]
    lines = []
    for cells in zip(*columns, strict=True):
        first, *rest = (
            padded(cell, width, left=place == 0)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        lines.append(_GAP.join([first, *rest]).rstrip())
    rule = "─" * (sum(widths) + len(_GAP) * (len(widths) - 1))
    return "\n".join([lines[0], rule, *lines[1:]])


def padded(cell: str, width: int, *, left: bool = True) -> str:
    """The cell with room after it, or before it where it is not to stand at the left."""
    room = " " * (width - wide(cell))
    return cell + room if left else room + cell


def _legend(tables: Tables) -> str:
    parts = ["±, or −+ where lopsided: the 95 % interval", "↑ higher is better, ↓ lower"]
    if any(tables.best(measure) for measure in tables.measures):
        parts.append("* best")
    lines = [" · ".join(parts)]
    beyond = [m for m in tables.measures if m.whole and m.best is not None and m.best > 100]
    if beyond:
        most = f"{beyond[0].best:g}: to 100 their formula adds for parts that are good together"
        lines += textwrap.wrap(f"{', '.join(m.name for m in beyond)} may reach {most}", WIDTH)
    if not tables.whole:
        lines.append("% of the rows that could be scored; what is missing counts as worst in the")
        lines.append("order of lines, and * stands only where it could not change who is best")
    for told in tables.mixed:
        lines += textwrap.wrap(plain(told), WIDTH)
    return "\n".join(lines)
