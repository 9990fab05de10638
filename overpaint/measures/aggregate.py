"""From rows of scores to tables: failure is data, and every number says what it stands on.

The denominator is the benchmark's: every row but `not_applicable` counts, scored or not. What
is missing widens the bounds of the mean and lowers the coverage; it never drops out silently.

PSNR (`pool = "psnr"`) is pooled as the PSNR of the mean MSE. An identical pair has no PSNR of
its own (`not_applicable`, reason "identical") but an MSE of 0, so it counts there; in a
plain mean of per-image values (`pool = "mean"`) it can only be counted beside.

A measure of blocks (`pool = "weighted"`) may pool those of all samples, as some papers do: each
score then counts as often as its weight says. What is missing has no known weight, hence no
bounds; comparisons hold samples against samples and count each once.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Measure, Sample
from overpaint.measures.columns import (
    FAILED,
    OK,
    OUTSIDE,
    SAME,
    Column,
    Columns,
    Row,
    numbered,
    read_columns,
    state,
)
from overpaint.measures.milde_score import milde_score as milde_score
from overpaint.stats.bootstrap import (
    FEWEST_CLUSTERS,
    Clustered,
    Floats,
    Interval,
    cluster,
    intervals,
    total_interval,
)
from overpaint.stats.compare import LEVEL, Comparison, Scale, compare, corrected

PEAK_SQUARED = 255.0**2  # the MSE of black against white: the worst there is, 0 dB


@dataclass(frozen=True)
class Summary:
    """One cell of a table: a mean and how far it can be trusted."""

    n: int  # the denominator: every row but not_applicable
    scored: int
    value: float | None
    low: float | None  # 95 % interval, clustered by source
    high: float | None
    if_worst: float | None  # the mean if all that is missing were worst; None: infinite
    if_best: float | None
    median: float | None
    identical: int = 0
    clusters: int = 0  # sources among the scored
    higher_is_better: bool = True
    notes: tuple[str, ...] = ()  # why something above is None

    @property
    def coverage(self) -> float | None:
        """The scored share of the denominator; None where the question never arose."""
        return self.scored / self.n if self.n else None


@dataclass(frozen=True)
class TableRow:
    """One editor on one slice of the samples."""

    editor: str
    slice: str  # a tag's value, or "all"
    cells: Mapping[str, Summary]  # by measure name


@dataclass(frozen=True)
class Contrast:
    """Editor a against editor b under one measure."""

    a: str
    b: str
    measure: str
    higher_is_better: bool
    found: Comparison  # a minus b

    @property
    def better(self) -> str | None:
        """The editor better beyond chance on what both have (p after Holm below .05), or None."""
        found = self.found
        if found.p_holm is None or found.p_holm >= LEVEL or not found.difference:
            return None
        return self.a if (found.difference > 0) == self.higher_is_better else self.b

    @property
    def reversible(self) -> bool:
        """Whether scores are missing that could turn the difference round."""
        return bool(self.found.missing_a or self.found.missing_b) and not self.found.settled


def psnr_of_mse(mse: Floats) -> Floats:
    """Decibels of mean squared errors on the 0–255 scale; inf for 0."""
    with np.errstate(divide="ignore"):
        return 10 * np.log10(PEAK_SQUARED / mse)


def mse_of_psnr(decibels: Floats) -> Floats:
    """The mean squared errors behind per-image PSNR values."""
    return PEAK_SQUARED / np.power(10.0, decibels / 10)


def summarize(
    measure: Measure,
    rows: Sequence[tuple[str, float | None, str, str]],
    *,
    seed: int = 0,
    draws: int = 2000,
) -> Summary:
    """The cell for rows of (cluster, value, status, reason); a cluster "" is one of its own."""
    states = np.array([state(status, reason) for _, _, status, reason in rows], np.int8)
    values = np.array([math.nan if value is None else value for _, value, _, _ in rows])
    sources = numbered([name for name, *_ in rows])
    cell = _gather(measure, Column(states, values, np.ones(len(rows))), sources)
    return _finish(cell, intervals([cell.column], seed=seed, draws=draws)[0])


def tabulate(
    measures: Sequence[Measure],
    rows: Iterable[Row],
    samples: Iterable[Sample],
    *,
    by: str | None = None,
    seed: int = 0,
) -> list[TableRow]:
    """The table of every editor that has rows, broken down by a tag where one is named.

    The samples give the denominators: a sample without a row is missing. Slices are in
    alphabetical order, editors in the order in which rows name them.
    """
    columns = read_columns(measures, rows, samples, tags=(by,) if by else ())
    table: dict[tuple[str, str], dict[str, Summary]] = {}
    editors = columns.editors()
    found = summaries(columns, measures, editors, tag=by or "", seed=seed)
    for part, editor, measure in found:
        table.setdefault((editor, part), {})[measure] = found[part, editor, measure]
    return [TableRow(editor, part, cells) for (editor, part), cells in table.items()]


def summaries(
    columns: Columns,
    measures: Sequence[Measure],
    editors: Sequence[str],
    *,
    tag: str = "",
    seed: int = 0,
) -> dict[tuple[str, str, str], Summary]:
    """The cells by (slice, editor, measure), for all samples or for each value of a tag."""
    keys = list(product(sorted(columns.slices[tag]), editors, measures))
    cells = [
        _gather(measure, columns.of(editor, measure.name).at(chosen), columns.sources[chosen])
        for part, editor, measure in keys
        for chosen in [columns.slices[tag][part]]
    ]
    spans = intervals([cell.column for cell in cells], seed=seed)
    found = {
        (part, editor, measure.name): _finish(cell, span)
        for (part, editor, measure), cell, span in zip(keys, cells, spans, strict=True)
    }
    known = {measure.name: measure for measure in measures}
    for part, editor, measure in keys:
        if not measure.parts:
            continue
        cell, chosen = (part, editor, measure.name), columns.slices[tag][part]
        if lacking := [name for name in measure.parts if name not in known]:
            found[cell] = _lacking(measure, lacking, found[cell])
            continue
        sums = _by_source(columns, editor, [known[name] for name in measure.parts], chosen)
        span = total_interval(sums, seed=seed, whole=measure.whole or math.fsum)
        added = {name: found[part, editor, name] for name in measure.parts}
        found[cell] = _total(measure, added, span, found[cell])
    return found


def _by_source(
    columns: Columns, editor: str, parts: Sequence[Measure], chosen: NDArray[np.intp]
) -> list[tuple[Floats, Floats]]:
    """For each column of a total: what every source adds up to, and of how much weight."""
    _, of = np.unique(columns.sources[chosen], return_inverse=True)
    count, sums = of.max(initial=-1) + 1, []
    for part in parts:
        column = columns.of(editor, part.name).at(chosen)
        values, _ = averaged(part, column)
        known = np.isfinite(values)
        weights = column.weights[known]
        total = np.bincount(of[known], values[known] * weights, count).astype(np.float64)
        sums.append((total, np.bincount(of[known], weights, count).astype(np.float64)))
    return sums


def _lacking(measure: Measure, lacking: Sequence[str], own: Summary) -> Summary:
    """A total without all of its columns: a sum may have values of its own, nothing else has."""
    if measure.whole is None:
        return own
    why = f"it is made of columns that are not here: {', '.join(lacking)}"
    return replace(own, value=None, low=None, high=None, if_worst=None, if_best=None, notes=(why,))


def _total(
    measure: Measure, parts: Mapping[str, Summary], span: Interval | None, own: Summary
) -> Summary:
    """What some cells make together; as many rows are missing as in the part that lacks most."""
    cells, whole = list(parts.values()), measure.whole or math.fsum
    n = max(part.n for part in cells)
    scored = n - max(part.n - part.scored for part in cells)
    missing = [name for name, part in parts.items() if part.value is None]
    low, high = span or (None, None)
    why = [f"{name} has no score: {', '.join(parts[name].notes)}" for name in missing]
    return replace(
        own, n=n, scored=0 if missing else scored, value=_made(whole, [c.value for c in cells]),
        low=None if missing else low, high=None if missing else high,
        if_worst=_made(whole, [part.if_worst for part in cells]),
        if_best=_made(whole, [part.if_best for part in cells]),
        clusters=min(part.clusters for part in cells) if measure.whole else own.clusters,
        notes=tuple(why),
    )  # fmt: skip


def _made(
    whole: Callable[[Sequence[float]], float], values: Sequence[float | None]
) -> float | None:
    """What the values make together; None where one of them is not known."""
    found = [value for value in values if value is not None]
    return whole(found) if len(found) == len(values) else None


def contrast(
    measures: Sequence[Measure],
    rows: Iterable[Row],
    samples: Iterable[Sample],
    pairs: Sequence[tuple[str, str]],
    *,
    seed: int = 0,
) -> list[Contrast]:
    """Compare pairs of editors under each measure; Holm's correction is over all of them."""
    columns = read_columns(measures, rows, samples)
    asked = list(product(pairs, measures))
    found = [_compared(columns, measure, pair, seed) for pair, measure in asked]
    return [
        Contrast(a, b, measure.name, measure.higher_is_better, one)
        for ((a, b), measure), one in zip(asked, corrected(found), strict=True)
    ]


# ── columns into cells ──────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class _Cell:
    """What is known before the bootstrap: values on the scale that is averaged."""

    measure: Measure
    values: Floats
    column: Clustered
    n: int
    identical: int


def _gather(measure: Measure, column: Column, clusters: NDArray[Any]) -> _Cell:
    """Pick the known values of a column, and count what belongs in the denominator."""
    values, applies = averaged(measure, column)
    known = np.isfinite(values)
    same = int((column.states == SAME).sum())
    found, weights = values[known], column.weights[known]
    clustered = cluster(found, clusters[known], weights)
    return _Cell(measure, found, clustered, int(applies.sum()), same)


def averaged(measure: Measure, column: Column) -> tuple[Floats, NDArray[np.bool_]]:
    """The values that are averaged, NaN where there is none, and where the measure applies.

    For a pooled PSNR these are squared errors: 0 where the pictures are identical.
    """
    values = np.where(column.states == OK, column.values, math.nan)
    same = column.states == SAME
    if measure.pool == "psnr":
        return np.where(same, 0.0, mse_of_psnr(values)), column.states != OUTSIDE
    if measure.pool == "failed_as_worst":
        failed, worst = column.states == FAILED, measure.worst
        assert worst is not None  # only a scale that ends can be pooled like that
        return np.where(failed, worst, values), (column.states == OK) | failed
    return values, (column.states != OUTSIDE) & ~same


def _compared(columns: Columns, measure: Measure, pair: tuple[str, str], seed: int) -> Comparison:
    """Two columns over the samples to which the measure applies for both."""
    sides = [averaged(measure, columns.of(editor, measure.name)) for editor in pair]
    (a, applies_a), (b, applies_b) = sides
    applies = applies_a & applies_b
    scale = Scale(measure.worst, measure.best)
    if measure.pool == "psnr":
        scale = Scale(PEAK_SQUARED, 0.0, psnr_of_mse, lambda mse: -10 / math.log(10) / mse)
    found = compare(a[applies], b[applies], columns.sources[applies], scale=scale, seed=seed)
    if measure.whole and not found.pairs:
        why = f"it is of an editor and not of a sample: compare {', '.join(measure.parts)}"
        return replace(found, notes=(why,))
    return found


def _finish(cell: _Cell, span: Interval | None) -> Summary:
    """The cell with its interval; a pooled PSNR is mapped to decibels only here, at the end."""
    measure, scored = cell.measure, len(cell.values)
    value = cell.column.mean if scored else None
    low, high = span or (None, None)
    worst, best = _bound(cell, measure.worst), _bound(cell, measure.best)
    if measure.pool == "psnr":
        value, low, high = _decibels(value), _decibels(high), _decibels(low)
        worst, best = _decibels(_bound(cell, PEAK_SQUARED)), _decibels(_bound(cell, 0.0))
    return Summary(
        cell.n, scored, value, low, high, worst, best, _median(cell),
        identical=cell.identical,
        clusters=len(cell.column),
        higher_is_better=measure.higher_is_better,
        notes=tuple(_notes(cell, span)),
    )  # fmt: skip


def _bound(cell: _Cell, missing: float | None) -> float | None:
    """The mean if every missing value were `missing`; None where that is infinite."""
    absent = cell.n - len(cell.values)
    if cell.n == 0 or (absent and (missing is None or cell.measure.pool == "weighted")):
        return None
    if not absent:
        return cell.column.mean
    return (float(cell.column.sums.sum()) + absent * (missing or 0.0)) / cell.n


def _median(cell: _Cell) -> float | None:
    """The median of the per-image values; None where it is infinite or there are none."""
    if not len(cell.values):
        return None
    values = cell.values
    if cell.measure.pool == "psnr":
        values = psnr_of_mse(values)
    median = float(np.median(values))
    return median if math.isfinite(median) else None


def _decibels(mse: float | None) -> float | None:
    """PSNR, with None for "no number" and for infinity alike."""
    return float(psnr_of_mse(np.array(mse))) if mse else None


def _notes(cell: _Cell, span: Interval | None) -> Iterator[str]:
    """Why a number of the cell is None, in words for a table's footnote."""
    scored = len(cell.values)
    if not cell.n:
        yield "the question arises for none of the samples"
    elif not scored:
        yield f"none of {cell.n} samples has a score"
    elif cell.measure.pool == "psnr" and cell.identical == scored:
        yield "every scored picture is identical to its reference: PSNR is infinite"
    elif cell.measure.pool == "psnr" and 2 * cell.identical >= scored:
        yield "half of the pictures or more are identical: the median PSNR is infinite"
    if scored and span is None:
        yield f"no interval: it needs {FEWEST_CLUSTERS} sources and has {len(cell.column)}"
    elif cell.measure.pool == "psnr" and span and span.low == 0 < span.high:
        yield "the interval has no upper end: it reaches all pictures being identical"
