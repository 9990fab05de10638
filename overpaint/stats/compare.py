"""Paired comparison of two editors on the samples that both have scored.

The p value is a clustered sign-flip test (Fisher's randomisation test for pairs; Pesarin &
Salmaso 2010, "Permutation Tests for Complex Data"): were the editors alike, the two labels
could be swapped for all samples of a source, so the sign of each source's summed difference is
flipped; two-sided. All 2^G sign patterns are tried where they are few enough, a seeded draw of
them otherwise. With G sources p is at least 2^(1 − G); five cannot reach .05. The test is exact
for differences that are symmetric under the null, and close otherwise.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overpaint.stats.bootstrap import (
    FEWEST_CLUSTERS,
    Clustered,
    Floats,
    Interval,
    expanded_percentiles,
    resampled_means,
    standard_error,
    t_quantile,
)

FLIPS = 9_999  # drawn sign patterns where there are too many to try: p in steps of 1/10,000
DRAWS = 2_000
LEVEL = 0.05
POWER = 0.80

_ROOM = 250_000  # signs held at a time; small enough for a core's cache


@dataclass(frozen=True)
class Scale:
    """What the numbers are: how far they reach, and how their mean becomes the printed value.

    `shown` maps means to the scale of the table, `slope` is its derivative; PSNR is shown in
    decibels and averaged as squared error.
    """

    worst: float | None = None  # None: unbounded on that side
    best: float | None = None
    shown: Callable[[Floats], Floats] = lambda mean: mean
    slope: Callable[[float], float] = lambda mean: 1.0


@dataclass(frozen=True)
class Comparison:
    """Editor a minus editor b. A number that cannot be had is None and `notes` says why."""

    pairs: int  # samples scored for both
    clusters: int  # sources among them
    missing_a: int
    missing_b: int
    difference: float | None = None
    low: float | None = None  # 95 % bootstrap interval, clustered by source
    high: float | None = None
    p: float | None = None  # sign-flip test, two-sided
    p_holm: float | None = None  # corrected for the family it was compared in
    detectable: float | None = None  # the smallest difference so many pairs show, in that family
    if_worst: float | None = None  # over all samples, were the missing worst for a, best for b
    if_best: float | None = None  # None: infinite
    notes: tuple[str, ...] = ()

    @property
    def settled(self) -> bool:
        """Whether the sign of the difference is the same whatever the missing values are."""
        if self.if_worst is None or self.if_best is None:
            return False
        return self.if_worst * self.if_best > 0


def compare(
    a: ArrayLike,
    b: ArrayLike,
    clusters: Sequence[Any] | NDArray[Any],
    *,
    scale: Scale = Scale(),
    seed: int = 0,
) -> Comparison:
    """Compare values of the same samples in the same order; None or NaN is a missing value.

    Samples to which the measure does not apply are not to be handed in.
    """
    one, two = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if not len(one) == len(two) == len(clusters):
        raise ValueError(f"{len(one)} values, {len(two)} values, {len(clusters)} clusters")
    here, there = np.isfinite(one), np.isfinite(two)
    paired = _paired(one, two, np.asarray(clusters), here & there)
    found: dict[str, Any] = {} if paired is None else _test(paired, scale, seed)
    return Comparison(
        pairs=int((here & there).sum()),
        clusters=0 if paired is None else len(paired.a),
        missing_a=int((~here).sum()),
        missing_b=int((~there).sum()),
        if_worst=_bound((one, scale.worst), (two, scale.best), scale),
        if_best=_bound((one, scale.best), (two, scale.worst), scale),
        **(found or {"notes": ("no sample is scored for both",)}),
    )


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down adjustment of a family of p values (Scandinavian J. Statistics 6, 1979).

    None (no test could be made) stays None and does not count in the family.
    """
    tested = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    reached = 0.0
    for rank, (p, place) in enumerate(tested):
        reached = max(reached, min(1.0, (len(tested) - rank) * p))
        adjusted[place] = reached
    return adjusted


def corrected(family: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons as one family of m tests: p after Holm, and what that leaves to be shown.

    The smallest of m p values must be below LEVEL / m, so differences are detectable at that.
    """
    adjusted = holm([one.p for one in family])
    tests = sum(p is not None for p in adjusted) or 1
    return [
        replace(one, p_holm=p, detectable=_at_level(one, LEVEL / tests))
        for one, p in zip(family, adjusted, strict=True)
    ]


def _at_level(one: Comparison, level: float) -> float | None:
    if one.detectable is None:
        return None
    return one.detectable * _reach(one.clusters, level) / _reach(one.clusters, LEVEL)


def sign_flip(sums: Floats, *, seed: int) -> float:
    """The two-sided p value of the summed differences of each source (see the file's head)."""
    seen = abs(float(sums.sum())) * (1 - 1e-9)  # so that rounding cannot hide a tie
    if 2 ** (len(sums) - 1) <= FLIPS:
        flipped = _all_flips(sums)
        return float((np.abs(flipped) >= seen).mean())
    hits = sum(int((np.abs(part) >= seen).sum()) for part in _drawn_flips(sums, seed))
    return (1 + hits) / (1 + FLIPS)


def _all_flips(sums: Floats) -> Floats:
    """The sum under each sign pattern; the first sign stays, as the mirror image is the same."""
    totals = sums[:1]
    for term in sums[1:]:
        totals = np.concatenate([totals + term, totals - term])
    return totals


def _drawn_flips(sums: Floats, seed: int) -> Iterator[Floats]:
    random = np.random.default_rng(seed)
    width = -(-len(sums) // 8)
    step = max(1, _ROOM // len(sums))
    for start in range(0, FLIPS, step):
        packed = random.integers(0, 256, (min(step, FLIPS - start), width), dtype=np.uint8)
        kept = np.unpackbits(packed, axis=1, count=len(sums))
        yield 2 * (kept @ sums) - sums.sum()


# ── the parts of a comparison ───────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class _Paired:
    """The sums of both editors by source, over the same samples in the same order."""

    a: Clustered
    b: Clustered
    same: bool  # not one pair differs
    steady: bool  # every pair differs by the same amount

    @property
    def sizes(self) -> Floats:
        return self.a.sizes


def _paired(
    a: Floats, b: Floats, clusters: NDArray[Any], both: NDArray[np.bool_]
) -> _Paired | None:
    if not both.any():
        return None
    names, of = np.unique(clusters[both], return_inverse=True)
    sizes = np.bincount(of).astype(np.float64)
    sums = [np.bincount(of, values[both], len(names)).astype(np.float64) for values in (a, b)]
    differences = a[both] - b[both]
    rounding = 1e-12 * float(np.abs(a[both]).max() + np.abs(b[both]).max())
    return _Paired(
        Clustered(sums[0], sizes),
        Clustered(sums[1], sizes),
        same=not differences.any(),
        steady=bool(np.ptp(differences) <= rounding),
    )


def _test(paired: _Paired, scale: Scale, seed: int) -> dict[str, Any]:
    """Difference, interval, p and detectable difference, and a note for each that is None."""
    if paired.same:
        return {"difference": 0.0, "p": 1.0, "notes": ("every difference is zero",)}
    sources = len(paired.a)
    span = _interval(paired, scale, seed) if sources >= FEWEST_CLUSTERS else None
    difference = _minus(paired.a.mean, paired.b.mean, scale)
    notes = []
    if sources < FEWEST_CLUSTERS:
        notes.append(f"no interval: it needs {FEWEST_CLUSTERS} sources and has {sources}")
    elif span is None or difference is None:
        notes.append("one side is infinite, in fact or in some of the draws")
    if sources < 6:
        notes.append(_few(sources))
    elif paired.steady:
        notes.append("every pair differs by the same amount: there is no spread to go by")
    return {
        "difference": difference,
        "low": span and span.low,
        "high": span and span.high,
        "p": sign_flip(paired.a.sums - paired.b.sums, seed=seed) if sources > 1 else None,
        "detectable": _detectable(paired, scale),
        "notes": tuple(notes),
    }


def _few(sources: int) -> str:
    if sources == 1:
        return "no test: all pairs are of one source"
    return f"with {sources} sources p cannot fall below {2.0 ** (1 - sources)}"


def _minus(a: float, b: float, scale: Scale) -> float | None:
    """The difference of two means on the scale of the table; None where it is not finite."""
    shown = scale.shown(np.array([a, b]))
    difference = float(shown[0]) - float(shown[1])
    return difference if math.isfinite(difference) else None


def _interval(paired: _Paired, scale: Scale, seed: int) -> Interval | None:
    means = resampled_means([paired.a, paired.b], seed, DRAWS)
    with np.errstate(invalid="ignore"):
        differences = scale.shown(means[0]) - scale.shown(means[1])
    if not np.isfinite(differences).all():
        return None
    return expanded_percentiles(differences, len(paired.a), level=1 - LEVEL)


def _detectable(paired: _Paired, scale: Scale) -> float | None:
    """(t_{1 − α/2} + t_{power}) · SE with G − 1 degrees of freedom: α two-sided, power 80 %.

    Bloom 1995, "Minimum Detectable Effects", Evaluation Review 19(5). SE is the clustered
    standard error of the paired difference, that of the residuals
    r_g = slope(a)·(A_g − n_g·a) − slope(b)·(B_g − n_g·b) for the sums A_g, B_g of source g and
    the means a, b; on a plain scale the residual is the summed difference about its mean.
    """
    sources, a, b = len(paired.a), paired.a.mean, paired.b.mean
    if sources < 2 or paired.steady or _minus(a, b, scale) is None:
        return None
    left = scale.slope(a) * (paired.a.sums - paired.sizes * a)
    right = scale.slope(b) * (paired.b.sums - paired.sizes * b)
    error = standard_error(Clustered(left - right, paired.sizes))
    assert error is not None  # two sources or more
    return _reach(sources, LEVEL) * error


def _reach(sources: int, level: float) -> float:
    """How many standard errors a difference must have to be found with the power above."""
    return t_quantile(1 - level / 2, sources - 1) + t_quantile(POWER, sources - 1)


def _bound(
    a: tuple[Floats, float | None], b: tuple[Floats, float | None], scale: Scale
) -> float | None:
    """The difference over all samples with the missing filled in; None where it is infinite."""
    left, right = _filled_mean(*a), _filled_mean(*b)
    return None if left is None or right is None else _minus(left, right, scale)


def _filled_mean(values: Floats, missing: float | None) -> float | None:
    absent = ~np.isfinite(values)
    if not len(values) or (missing is None and absent.any()):
        return None
    return float(np.where(absent, missing or 0.0, values).mean())
