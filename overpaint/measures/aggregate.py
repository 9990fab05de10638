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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Measure
from overpaint.measures.cells import PEAK_SQUARED, averaged, finish, gather, psnr_of_mse
from overpaint.measures.cells import Summary as Summary
from overpaint.measures.columns import (
    Column,
    Columns,
    numbered,
    state,
)
from overpaint.measures.ebench_score import score_all as score_all
from overpaint.measures.milde_score import milde_score as milde_score
from overpaint.measures.references_average import fidelity_average as fidelity_average
from overpaint.stats.bootstrap import Floats, Interval, intervals, total_interval
from overpaint.stats.compare import LEVEL, Comparison, Scale, compare, corrected


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
    mixed: tuple[str, ...] = ()  # what is to be said of scores by different weights

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
    cell = gather(measure, Column(states, values, np.ones(len(rows))), sources)
    return finish(cell, intervals([cell.column], seed=seed, draws=draws)[0])


def tabulate(
    columns: Columns, measures: Sequence[Measure], *, by: str | None = None, seed: int = 0
) -> list[TableRow]:
    """The table of every editor that has rows, broken down by a tag where one is named.

    The samples give the denominators: a sample without a row is missing. Slices are in
    alphabetical order, editors in the order in which rows name them.
    """
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
        gather(measure, columns.of(editor, measure.name).at(chosen), columns.sources[chosen])
        for part, editor, measure in keys
        for chosen in [columns.slices[tag][part]]
    ]
    spans = intervals([cell.column for cell in cells], seed=seed)
    found = {
        (part, editor, measure.name): _of_set(finish(cell, span), columns, (tag, *key))
        for key, cell, span in zip(keys, cells, spans, strict=True)
        for part, editor, measure in [key]
    }
    known = {measure.name: measure for measure in measures}
    for part, editor, measure in keys:
        if not measure.parts:
            continue
        cell, chosen = (part, editor, measure.name), columns.slices[tag][part]
        if measure.over and measure.parts[0] in known:
            of = _Groups(columns, editor, known[measure.parts[0]], chosen)
            found[cell] = _of_groups(measure, of, seed, found[cell])
            continue
        if lacking := [name for name in measure.parts if name not in known]:
            found[cell] = _lacking(measure, lacking, found[cell])
            continue
        sums = _by_source(columns, editor, [known[name] for name in measure.parts], chosen)
        span = total_interval(sums, seed=seed, whole=measure.whole or math.fsum)
        added = {name: found[part, editor, name] for name in measure.parts}
        found[cell] = _total(measure, added, span, found[cell])
    return {
        key: replace(cell, notes=(*cell.notes, *columns.mixed.get(key[2], ())))
        for key, cell in found.items()
    }


def _of_set(own: Summary, columns: Columns, key: tuple[str, str, str, Measure]) -> Summary:
    """The cell with the number of its set, where the measure is one of sets."""
    *where, measure = key
    row = columns.sets.get((where[0], where[1], where[2], measure.name))
    if measure.scope == "edit" or row is None:
        return own
    if row.value is None:  # what does not arise for a set arises for none of its edits
        return replace(own, n=0 if row.status == "not_applicable" else own.n, notes=(row.reason,))
    whole = row.size == own.n
    return replace(
        own, scored=row.size, value=row.value, notes=("of a set: no interval", *row.notes),
        if_worst=row.value if whole else own.if_worst, if_best=row.value if whole else own.if_best,
    )  # fmt: skip


def _by_source(
    columns: Columns,
    editor: str,
    parts: Sequence[Measure],
    chosen: NDArray[np.intp],
    only: NDArray[np.intp] | None = None,
) -> list[tuple[Floats, Floats]]:
    """For each column of a total: what every source adds up to, and of how much weight.

    With `only`, what stands at other places adds nothing.
    """
    _, of = np.unique(columns.sources[chosen], return_inverse=True)
    count, sums = of.max(initial=-1) + 1, []
    for part in parts:
        column = columns.of(editor, part.name).at(chosen)
        values, _ = averaged(part, column)
        known = np.isfinite(values) & (True if only is None else np.isin(chosen, only))
        weights = column.weights[known]
        total = np.bincount(of[known], values[known] * weights, count).astype(np.float64)
        sums.append((total, np.bincount(of[known], weights, count).astype(np.float64)))
    return sums


@dataclass(frozen=True, eq=False)
class _Groups:
    """A column over some samples, to be parted by a tag."""

    columns: Columns
    editor: str
    measure: Measure
    chosen: NDArray[np.intp]

    def parted(self, tag: str) -> dict[str, NDArray[np.intp]]:
        """The places of each value of the tag for which the question arises."""
        column = self.columns.of(self.editor, self.measure.name)
        asked = self.chosen[averaged(self.measure, column.at(self.chosen))[1]]
        none = f"no {tag}"
        groups = {v: np.intersect1d(p, asked) for v, p in self.columns.slices.get(tag, {}).items()}
        return {value: places for value, places in groups.items() if value != none and len(places)}


def _of_groups(measure: Measure, of: _Groups, seed: int, own: Summary) -> Summary:
    """The plain mean of a column's means over the values of a tag."""
    groups, columns = of.parted(measure.over), of.columns
    if not groups:
        return replace(own, notes=(f"no sample that counts has a {measure.over}",))
    column, sources = columns.of(of.editor, of.measure.name), columns.sources
    cells = {
        f"{measure.over} {value}": finish(gather(of.measure, column.at(at), sources[at]), None)
        for value, at in groups.items()
    }
    sums = [_by_source(columns, of.editor, [of.measure], of.chosen, at) for at in groups.values()]
    span = total_interval([one for pair in sums for one in pair], seed=seed, whole=plain_mean)
    made = _total(replace(measure, whole=plain_mean), cells, span, own)
    n, scored = (sum(getattr(cell, name) for cell in cells.values()) for name in ("n", "scored"))
    told = f"the plain mean over {len(cells)} {measure.over} values"
    clusters = sum(cell.clusters for cell in cells.values())
    return replace(made, n=n, scored=scored, clusters=clusters, notes=(told, *made.notes))


def plain_mean(means: Sequence[float]) -> float:
    """The mean of groups' means, however large each group is: MultiRef's Overall of categories."""
    return math.fsum(means) / len(means)


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


def contrasts(
    columns: Columns,
    measures: Sequence[Measure],
    pairs: Sequence[tuple[str, str]],
    *,
    seed: int = 0,
) -> list[Contrast]:
    """Compare pairs of editors under each measure; Holm's correction is over all of them."""
    asked = list(product(pairs, measures))
    found = [_compared(columns, measure, pair, seed) for pair, measure in asked]
    mixed = columns.mixed
    return [
        Contrast(a, b, measure.name, measure.higher_is_better, one, mixed.get(measure.name, ()))
        for ((a, b), measure), one in zip(asked, corrected(found), strict=True)
    ]


def _compared(columns: Columns, measure: Measure, pair: tuple[str, str], seed: int) -> Comparison:
    """Two columns over the samples to which the measure applies for both."""
    sides = [averaged(measure, columns.of(editor, measure.name)) for editor in pair]
    (a, applies_a), (b, applies_b) = sides
    applies = applies_a & applies_b
    scale = Scale(measure.worst, measure.best)
    if measure.pool == "psnr":
        scale = Scale(PEAK_SQUARED, 0.0, psnr_of_mse, lambda mse: -10 / math.log(10) / mse)
    found = compare(a[applies], b[applies], columns.sources[applies], scale=scale, seed=seed)
    if measure.scope == "set":
        return replace(found, notes=("it is of a set of edits and not of a sample: no pairs",))
    if measure.whole and not found.pairs:
        why = f"it is of an editor and not of a sample: compare {', '.join(measure.parts)}"
        return replace(found, notes=(why,))
    return found
