"""Columns of rows in memory, one by one by name: what reading a store by number is held against."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from overpaint import catalog
from overpaint.core import Measure, Sample
from overpaint.measures import aggregate
from overpaint.measures.aggregate import TableRow
from overpaint.measures.columns import Column, Columns, SetRow, _Made, _Samples, state
from overpaint.measures.gap import Gap, ends_of, gaps


def read_columns(
    measures: Sequence[Measure],
    rows: Iterable[Any],
    samples: Iterable[Sample],
    *,
    tags: Iterable[str] = (),
    sets: Iterable[SetRow] = (),
) -> Columns:
    """One pass over samples and rows; rows of other samples or measures are left alone."""
    shelf, made = _Samples(measures, tags), _Made()
    for sample in samples:
        shelf.add(sample.id, sample.cluster, sample.tags)
    wanted = {measure.name for measure in measures}
    found: dict[tuple[str, str], Column] = {}
    for row in rows:
        at = shelf.place.get(row.sample)
        if at is None or row.measure not in wanted:
            continue
        column = found.setdefault((row.editor, row.measure), Column.empty(len(shelf)))
        column.states[at] = state(row.status, row.reason)
        if row.value is not None:
            column.values[at], column.weights[at] = row.value, row.weight
            made.add(row.measure, row.notes)
    return shelf.columns(found, sets, made)


def tabulate(
    measures: Sequence[Measure],
    rows: Iterable[Any],
    samples: Iterable[Sample],
    *,
    by: str | None = None,
    sets: Iterable[SetRow] = (),
    seed: int = 0,
) -> list[TableRow]:
    """The table of rows."""
    columns = read_columns(measures, rows, samples, tags=(by,) if by else (), sets=sets)
    return aggregate.tabulate(columns, measures, by=by, seed=seed)


def read_gaps(
    measures: Sequence[Measure],
    rows: Iterable[Any],
    samples: Iterable[Sample],
    editors: Mapping[str, str],
    *,
    own: Collection[str] = (),
    seed: int = 0,
) -> list[Gap]:
    """The shares of rows, where both ends are among the editors."""
    source, truth = ends_of(editors)
    if source is None or truth is None:
        return []
    columns, others = read_columns(measures, rows, samples), catalog.competing(editors, own)
    return gaps(columns, measures, others, ends=(source, truth), seed=seed)
