"""What each judge answered of a run and left open, with the means that the run's tables have."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from overpaint.measures.aggregate import Summary, summaries
from overpaint.measures.columns import ALL, Column, Columns, numbered, state
from overpaint.measures.opinions import Opinion
from overpaint.measures.reliability import Judged, Key


@dataclass(frozen=True)
class Standing:
    """One judge on one dimension: how much it answered, and what on average."""

    column: str
    who: str
    kind: str
    dimension: str
    asked: int  # edits to which the question applies
    scored: int
    mean: float | None
    low: float | None
    high: float | None
    best: float | None
    statuses: Mapping[str, int]  # of what is not scored, the commonest first
    notes: tuple[str, ...] = ()  # how the mean is had, where that is not plain


def standings(judged: Judged) -> list[Standing]:
    """Every judge on every dimension, in the run's order."""
    cells = _summaries(judged)
    return [_standing(judged, one, cells[one.name]) for one in judged.opinions.values()]


def _standing(judged: Judged, opinion: Opinion, cell: Summary) -> Standing:
    told = judged.statuses[opinion.name]
    statuses = Counter(status for status in told.values() if status != "ok")
    outside = statuses.pop("not_applicable", 0)
    return Standing(
        opinion.name, opinion.who, opinion.kind, opinion.dimension, len(told) - outside,
        len(judged.values[opinion.name]), cell.value, cell.low, cell.high, opinion.measure.best,
        dict(statuses.most_common()), tuple(_notes(judged, opinion)),
    )  # fmt: skip


def _notes(judged: Judged, opinion: Opinion) -> Iterator[str]:
    if opinion.is_total and judged.opinions.keys() >= set(opinion.measure.parts):
        yield "the mean is the sum of its parts' means, as in the table"
    if opinion.measure.pool == "failed_as_worst":
        yield "what failed counts as worst in the mean, as in the table"


def _summaries(judged: Judged) -> dict[str, Summary]:
    """Each column's cell as a table has it, were all editors one."""
    keys = sorted({key for told in judged.statuses.values() for key in told})
    everything = {"": {ALL: np.arange(len(keys))}}
    found = {("", name): _column(judged, name, keys) for name in judged.opinions}
    columns = Columns(numbered(judged.clusters(keys)), everything, found)
    measures = [one.measure for one in judged.opinions.values()]
    cells = summaries(columns, measures, [""], seed=judged.seed)
    return {measure: cell for (_, _, measure), cell in cells.items()}


def _column(judged: Judged, name: str, keys: Sequence[Key]) -> Column:
    column = Column.empty(len(keys))
    told, values = judged.statuses[name], judged.values[name]
    for at, key in enumerate(keys):
        if key in told:
            column.states[at] = state(told[key], "")
            column.values[at] = values.get(key, math.nan)
    return column
