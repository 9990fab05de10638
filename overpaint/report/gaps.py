"""How much of the way from the source to the truth each editor went: the words and the order.

On a dense page the source is right nearly everywhere, so that all means are high and alike;
this is what tells editors apart, in the edited region first.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from overpaint.core import Measure
from overpaint.measures.gap import SOURCE, TRUTH, Gap, local_first
from overpaint.report.numbers import interval, number
from overpaint.report.tables import Entry, Tables

TITLE = "How much of the way from the source to the truth"
LEAD = "0 % is {}, the source as it is; 100 % is {}"


_ONCE = "made once from an editor's means, so that there is no way from sample to sample"


class Points(NamedTuple):
    """A share in percent, with its 95 % interval."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, eq=False)
class Board:
    """The shares that can be told: measures across, local ones first, and editors down."""

    measures: tuple[Measure, ...]
    entries: tuple[Entry, ...]  # the best under the first measure first
    found: Mapping[tuple[str, str], Gap]

    def at(self, entry: Entry, measure: Measure) -> Gap:
        """That editor's share under that measure."""
        return self.found[entry.name, measure.name]


def no_gaps(tables: Tables) -> str | None:
    """Why there is nothing to show, in one line; None where there is."""
    lacking = [
        f"`{what}`" for what, end in zip((SOURCE, TRUTH), tables.ends, strict=True) if not end
    ]
    if lacking:
        return f"not known, as the run has no {' and no '.join(lacking)} row."
    if not tables.between:
        return "the run has no editor beside floors and ceilings."
    if not any(gap.share is not None for gap in tables.gaps):
        notes = dict.fromkeys(note for gap in tables.gaps for note in gap.notes)
        return "; ".join(notes or ["nothing has been scored yet"]) + "."
    return None


def gap_board(tables: Tables) -> Board:
    """The shares as a table; measures under which nobody has one are left to the notes."""
    found = {(gap.editor, gap.measure): gap for gap in tables.gaps}
    told = {gap.measure for gap in tables.gaps if gap.share is not None}
    measures = tuple(m for m in local_first(tables.measures) if m.name in told)
    entries = [entry for entry in tables.ranked(measures[0]) if entry in tables.between]
    return Board(measures, tuple(entries), found)


def gap_notes(tables: Tables) -> list[str]:
    """Why shares are missing: each reason once, with the measures it holds for."""
    reasons: dict[str, dict[str, None]] = {}
    whole = {measure.name for measure in tables.measures if measure.whole}
    for gap in tables.gaps:
        notes = (_ONCE,) if gap.measure in whole else gap.notes
        for note in notes if gap.share is None else ():
            reasons.setdefault(note, {})[gap.measure] = None
    return [f"{', '.join(names)}: {why}." for why, names in reasons.items()]


def in_points(gap: Gap) -> Points:
    """The share in percent."""
    return Points(*(None if x is None else 100 * x for x in (gap.share, gap.low, gap.high)))


def decimals_of(points: Points) -> int:
    """How many decimals a share needs: none far beyond the truth or the source."""
    return 0 if points.value is not None and abs(points.value) > 100 else 1


def told_share(gap: Gap) -> str:
    """The share, its interval, and on how many samples where not on all."""
    points = in_points(gap)
    if points.value is None:
        return number(None, 1)
    few = f"{gap.scored} of {gap.n}" if gap.scored < gap.n else ""
    decimals = decimals_of(points)
    beside = ", ".join(part for part in (interval(points, decimals), few) if part)
    return f"{number(points.value, decimals)} %" + (f" ({beside})" if beside else "")
