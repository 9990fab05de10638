"""How much of the way from the source to the truth an editor went: 0 as `identity`, 1 as `truth`.

On a dense page the source already has nearly everything right, so that every editor's mean is
high; what tells them apart is the share of the remaining gap that each closes,

    (mean of the editor − mean of identity) / (mean of truth − mean of identity),

over the samples that all three have. It is the same whichever way is better, may be negative
(worse than doing nothing) and may exceed 1. A pooled PSNR takes its share of the mean squared
error: the truth's PSNR is infinite, its error is 0.

The interval is the bootstrap's, clustered by source: a draw gives all three means, hence one
share. A gap that is not clear of 0 has no shares. Where it is clear, fewer draws than one tail
of the interval turn the gap round; they say nothing of a share and are left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Measure
from overpaint.measures.cells import PEAK_SQUARED, averaged
from overpaint.measures.columns import OUTSIDE, Columns
from overpaint.stats.bootstrap import (
    FEWEST_CLUSTERS,
    Clustered,
    Floats,
    expanded_percentiles,
    resampled_means,
)

SOURCE, TRUTH = "identity", "truth"  # the specs of the two ends
DRAWS = 2000
TINY = 1e-6  # of the larger mean: a gap that small is rounding, not a way to go


@dataclass(frozen=True)
class Gap:
    """The share of the gap that one editor closed under one measure; None where `notes` say why."""

    editor: str
    measure: str
    n: int  # samples to which the measure applies and whose two ends are known
    scored: int = 0  # those that the editor has as well: the share is over these
    share: float | None = None
    low: float | None = None  # 95 % interval, clustered by source
    high: float | None = None
    if_worst: float | None = None  # over all n, if what the editor lacks were worst; None: infinite
    if_best: float | None = None
    gap: float | None = None  # truth minus identity, in squared error for a pooled PSNR
    clusters: int = 0
    notes: tuple[str, ...] = ()


def local_first(measures: Iterable[Measure]) -> list[Measure]:
    """The measures of the edited region, then those of the whole page, then any other."""
    return sorted(measures, key=lambda m: 0 if _has(m, "local") else 1 if _has(m, "global") else 2)


def _has(measure: Measure, reach: str) -> bool:
    return measure.name.partition("@")[0].endswith(f"_{reach}")


def ends_of(editors: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The names under which `identity` and `truth` ran, from the specs of a run's editors."""
    source, truth = (
        next((name for name, spec in editors.items() if spec == end), None)
        for end in (SOURCE, TRUTH)
    )
    return source, truth


def gaps(
    columns: Columns,
    measures: Sequence[Measure],
    editors: Sequence[str],
    *,
    ends: tuple[str, str],
    seed: int = 0,
) -> list[Gap]:
    """The shares by measure and editor, local measures first; `ends` name identity and truth."""
    ways = [
        _gather(columns, measure, (editor, *ends))
        for measure, editor in product(local_first(measures), editors)
    ]
    drawn = _drawn(ways, seed)
    return [_finish(way, means, ends) for way, means in zip(ways, drawn, strict=True)]


# ── three columns into a share ──────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class _Way:
    """An editor between the two ends: their sums over the same samples, source by source."""

    measure: Measure
    known: Gap  # all that needs no bootstrap
    three: tuple[Clustered, ...]  # the editor, identity, truth

    @property
    def rises(self) -> bool:
        """Whether better is more on the scale that is averaged; squared errors fall."""
        return self.measure.higher_is_better and self.measure.pool != "psnr"

    @property
    def means(self) -> tuple[float, float, float]:
        editor, source, truth = (column.mean for column in self.three)
        return editor, source, truth


def _gather(columns: Columns, measure: Measure, names: tuple[str, str, str]) -> _Way:
    found = [columns.of(name, measure.name) for name in names]
    values = [averaged(measure, column)[0] for column in found]
    editor, source, truth = values
    asked = (found[0].states != OUTSIDE) & np.isfinite(source) & np.isfinite(truth)
    here = asked & np.isfinite(editor)
    known = Gap(names[0], measure.name, int(asked.sum()), int(here.sum()))
    if not known.scored:
        return _Way(measure, replace(known, notes=(_lacking(values, names),)), ())
    three = tuple(
        _by_source(part, column.weights, columns.sources, here)
        for part, column in zip(values, found, strict=True)
    )
    worst, best = (PEAK_SQUARED, 0.0) if measure.pool == "psnr" else (measure.worst, measure.best)
    bounds = [_bound(measure, values, asked, missing) for missing in (worst, best)]
    known = replace(known, clusters=len(three[0]), if_worst=bounds[0], if_best=bounds[1])
    return _Way(measure, known, three)


def _by_source(
    values: Floats, weights: Floats, sources: NDArray[np.intp], here: NDArray[np.bool_]
) -> Clustered:
    """Sums and weights of each source, in the order of the sources: the same for all three."""
    _, of = np.unique(sources[here], return_inverse=True)
    return Clustered(
        np.bincount(of, (values * weights)[here]).astype(np.float64),
        np.bincount(of, weights[here]).astype(np.float64),
    )


def _lacking(values: Sequence[Floats], names: Sequence[str]) -> str:
    """Which of the three keeps there from being a sample that all have."""
    without = [not np.isfinite(part).any() for part in values]
    if any(without[1:]):  # an end that is missing is missing for every editor alike
        ends = [name for name, lacks in zip(names[1:], without[1:], strict=True) if lacks]
        return f"no sample has a number for {' or '.join(ends)}"
    if without[0]:
        return f"no sample has a number for {names[0]}"
    return f"no sample has a number for all of {', '.join(names)}"


def _bound(
    measure: Measure, values: Sequence[Floats], asked: NDArray[np.bool_], missing: float | None
) -> float | None:
    """The share over all that was asked with the editor's missing values filled in."""
    editor, source, truth = (part[asked] for part in values)
    absent = ~np.isfinite(editor)
    if not absent.any() or missing is None or measure.pool == "weighted":
        return None  # nothing to fill in (`_finish` repeats the share), or nothing to do it with
    return _share(float(np.where(absent, missing, editor).mean()), source.mean(), truth.mean())


def _share(editor: float, source: float, truth: float) -> float | None:
    gap = truth - source
    return None if _is_tiny(gap, source, truth) else float((editor - source) / gap)


def _is_tiny(gap: float, source: float, truth: float) -> bool:
    return abs(gap) <= TINY * max(abs(source), abs(truth))


def _drawn(ways: Sequence[_Way], seed: int) -> list[Floats | None]:
    """The three means in each draw; those with equally many sources share their draws."""
    found: list[Floats | None] = [None] * len(ways)
    groups: dict[int, list[int]] = {}
    for place, way in enumerate(ways):
        if way.known.clusters >= FEWEST_CLUSTERS:
            groups.setdefault(way.known.clusters, []).append(place)
    for places in groups.values():
        flat = [column for place in places for column in ways[place].three]
        means = resampled_means(flat, seed, DRAWS)
        for at, place in enumerate(places):
            found[place] = means[3 * at : 3 * at + 3]
    return found


def _finish(way: _Way, drawn: Floats | None, ends: tuple[str, str]) -> Gap:
    known = way.known
    if not known.scored:
        return known
    _, source, truth = way.means
    share, gap = _share(*way.means), truth - source
    known = replace(known, gap=gap)
    if share is None or (gap > 0) != way.rises:
        return _none(known, f"{ends[1]} is no better than {ends[0]}: there is no gap to close")
    whole = known.scored == known.n
    known = replace(
        known,
        share=share,
        if_worst=share if whole else known.if_worst,
        if_best=share if whole else known.if_best,
    )
    if drawn is None:
        few = f"no interval: it needs {FEWEST_CLUSTERS} sources and has {known.clusters}"
        return replace(known, notes=(few,))
    return _with_interval(known, drawn, ends)


def _with_interval(known: Gap, drawn: Floats, ends: tuple[str, str]) -> Gap:
    """The share with its interval, or none where the gap's own interval touches 0."""
    assert known.gap is not None
    editor, source, truth = drawn
    reach = expanded_percentiles(truth - source, known.clusters)
    if reach.low <= 0 <= reach.high:
        told = f"{reach.low + 0.0:.3g} to {reach.high + 0.0:.3g}".replace("-", "−")
        return _none(
            known,
            f"the gap between {ends[0]} and {ends[1]} is not clear of 0 (95 % interval {told}):"
            " a share of it would say nothing",
        )
    straight = (truth - source > 0) == (known.gap > 0)
    shares = (editor - source)[straight] / (truth - source)[straight]
    span = expanded_percentiles(shares, known.clusters)
    return replace(known, low=span.low, high=span.high)


def _none(known: Gap, why: str) -> Gap:
    return replace(known, share=None, if_worst=None, if_best=None, notes=(why,))
