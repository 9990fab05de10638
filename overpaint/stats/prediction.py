"""Means from few ratings and many judge scores, and how many more ratings would settle them.

Prediction-powered inference (Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023, Science 382)
with the power tuning of PPI++ (Angelopoulos, Duchi & Zrnic 2023, arXiv:2311.01453): with ratings
Y and judge scores f of n rated edits and judge scores F of N others, the estimate is
mean(Y) − λ·(mean(f) − mean(F)), right for every λ however wrong the judge is; λ = 0 is the
ratings alone, and the best is λ = cov(Y, f) / ((1 + n / N)·var(f)).

Three things keep the promise of 95 % with twenty ratings. λ of an edit comes from the edits of all
other sources (cross-fitting: Zrnic & Candès 2024, PNAS 121), since one from the same edits takes
their noise for agreement. It is drawn towards 0 by max(0, 1 − 3 / t²), t being the slope over its
error (the positive part of James & Stein 1961), so a judge that is noise costs next to nothing.
And Student's t is bent by the skewness of what is averaged (Hall 1992, JRSS B 54, "On the removal
of skewness by transformation"): ratings that crowd at an end of their scale need more room on one
side. `bench/people_intervals.py` has the coverage and the widths.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overpaint.stats.bootstrap import FEWEST_CLUSTERS, Floats, Interval, t_quantile

POWER = 0.80
MOST = 10_000_000  # ratings beyond which nobody would ask
SHRINK = 3.0  # of t²: a slope within √3 of its errors is no reason to heed the judge
BEND = 0.7  # how far skewness may bend an interval: one end reaches at most 1.4 times as far


Names = Sequence[Any] | NDArray[Any]
NO_OTHERS = "no other edits are judged: the judge cannot help"
STEADY = "no interval: every rating is the same, there is no spread to go by"
_ROUNDING = 1e-12  # a spread below this share of the values is none


@dataclass(frozen=True)
class Powered:
    """A mean with the judge's help, beside the mean of the ratings alone.

    What cannot be had is None, and `notes` say why.
    """

    n: int  # rated
    clusters: int  # sources among them
    others: int  # judged only
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    error: float | None = None  # standard error of the estimate
    mean: float | None = None  # of the ratings alone
    mean_low: float | None = None
    mean_high: float | None = None
    mean_error: float | None = None
    trust: float | None = None  # λ: 0 where the judge does not pay
    worth: float | None = None  # how many ratings alone would have this error
    floor: float = 0.0  # the part of `error` that more ratings cannot take away
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Needed:
    """How many more ratings would settle a difference; None where no number would, see notes."""

    alone: int | None
    with_judge: int | None
    notes: tuple[str, ...] = ()


def prediction_powered_mean(
    labels: ArrayLike,
    predicted: ArrayLike,
    others: ArrayLike,
    *,
    clusters: Names | None = None,
    clusters_of_others: Names | None = None,
    level: float = 0.95,
) -> Powered:
    """The mean rating of all edits, from ratings of some and judge scores of those and of others.

    `predicted` are the judge's scores of the rated edits, in their order. `clusters` are sources
    (none: each edit is its own). The rated edits must be a random choice among all.
    """
    y, f, rest = _checked(labels, predicted, others, level)
    rated = _numbered(clusters, len(y), "ratings")
    judged = _numbered(clusters_of_others, len(rest), "other scores")
    sizes: dict[str, Any] = {"n": len(y), "clusters": len(set(rated)), "others": len(rest)}
    if not len(y):
        return Powered(notes=("nothing is rated",), **sizes)
    mean = float(y.mean())
    if sizes["clusters"] < FEWEST_CLUSTERS:
        few = f"no interval: it needs {FEWEST_CLUSTERS} rated sources and has {sizes['clusters']}"
        return Powered(estimate=mean, mean=mean, notes=(few,), **sizes)
    if np.ptp(y) <= _ROUNDING * np.abs(y).max():
        return Powered(estimate=mean, mean=mean, notes=(STEADY,), **sizes)
    shared = clusters is not None and clusters_of_others is not None
    return _powered((y, f, rest), (rated, judged if shared else []), level, sizes)


def prediction_powered_difference(
    labels: tuple[ArrayLike, ArrayLike],
    predicted: tuple[ArrayLike, ArrayLike],
    others: tuple[ArrayLike, ArrayLike],
    *,
    clusters: Names | None = None,
    clusters_of_others: Names | None = None,
    level: float = 0.95,
) -> Powered:
    """Editor a minus editor b on samples rated for both, helped by samples judged for both."""
    apart = []
    for name, (a, b) in (("ratings", labels), ("scores", predicted), ("others", others)):
        one, two = np.asarray(a, np.float64), np.asarray(b, np.float64)
        if one.shape != two.shape:
            raise ValueError(f"{name}: {one.shape} of a and {two.shape} of b; give pairs")
        apart.append(one - two)
    return prediction_powered_mean(
        *apart, clusters=clusters, clusters_of_others=clusters_of_others, level=level
    )


def bent_interval(
    estimate: float, error: float, skewness: float, *, sources: int, level: float = 0.95
) -> Interval:
    """Student's interval, bent by the skewness of the sources' parts (Hall 1992, see above)."""
    reach = t_quantile((1 + level) / 2, sources - 1)
    # Few sources tell little of skewness, and beyond this the far end runs away.
    a = float(np.clip(skewness / math.sqrt(sources), -BEND / reach, BEND / reach))
    if abs(a) < 1e-6:
        return Interval(estimate - reach * error, estimate + reach * error)
    ends = [3 / a * (float(np.cbrt(1 + a * (x - a / 6))) - 1) for x in (reach, -reach)]
    return Interval(estimate - ends[0] * error, estimate - ends[1] * error)


def ratings_needed(found: Powered, *, level: float = 0.05, power: float = POWER) -> Needed:
    """How many more ratings would show the difference found, were it the true one.

    The smallest n with (t_{1 − level/2} + t_{power})·error(n) ≤ |difference| (Bloom 1995,
    "Minimum Detectable Effects", Evaluation Review 19(5)), less those there are.
    """
    if not 0 < level < 1 or not 0 < power < 1:
        raise ValueError(f"level {level}, power {power}: want both between 0 and 1")
    if found.estimate is None or found.error is None or found.mean_error is None:
        return Needed(None, None, ("no error to go by: too few ratings", *found.notes))
    if found.estimate == 0:
        return Needed(None, None, ("the difference is nil: no number of ratings settles it",))
    size, groups = abs(found.estimate), found.clusters
    asked = (level, power)
    alone = _smallest(size, found.mean_error * math.sqrt(groups), 0.0, asked)
    moving = math.sqrt(max(found.error**2 - found.floor**2, 0.0) * groups)
    helped = _smallest(size, moving, found.floor, asked)
    each = found.n / groups
    notes = []
    if size < found.error:
        notes.append("the difference is smaller than its error: the numbers are a guess")
    if alone is None:
        notes.append(f"not even {MOST:,} ratings alone would settle it")
    if helped is None:
        notes.append("the judge's scores of other edits are too few to settle it with their help")
    return Needed(_more(alone, groups, each), _more(helped, groups, each), tuple(notes))


def _more(groups: int | None, there: int, each: float) -> int | None:
    return None if groups is None else max(0, math.ceil((groups - there) * each))


def _smallest(size: float, spread: float, floor: float, asked: tuple[float, float]) -> int | None:
    """The least number of sources that shows `size`; None where not even MOST would."""

    def shows(n: int) -> bool:
        reach = t_quantile(1 - asked[0] / 2, n - 1) + t_quantile(asked[1], n - 1)
        return reach * math.sqrt(spread * spread / n + floor * floor) <= size

    low, high = 1, 2
    while not shows(high):
        low, high = high, 2 * high
        if high > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if shows(middle) else (middle, high)
    return high


# ── the parts of an estimate ────────────────────────────────────────────────────────────


def _checked(
    labels: ArrayLike, predicted: ArrayLike, others: ArrayLike, level: float
) -> tuple[Floats, Floats, Floats]:
    y, f, rest = (np.asarray(side, np.float64) for side in (labels, predicted, others))
    if y.ndim != 1 or y.shape != f.shape or rest.ndim != 1:
        raise ValueError(
            f"ratings {y.shape}, their scores {f.shape}, other scores {rest.shape}: "
            "give flat lists, the first two of one length"
        )
    if not all(np.isfinite(side).all() for side in (y, f, rest)):
        raise ValueError("a rating or a score is not finite: leave such edits out")
    if not 0 < level < 1:
        raise ValueError(f"level {level}: want one between 0 and 1")
    return y, f, rest


def _numbered(names: Names | None, n: int, what: str) -> list[Any]:
    """One source for each; each its own where none are given."""
    if names is None:
        return list(range(n))
    if len(names) != n:
        raise ValueError(f"{n} {what} have {len(names)} clusters; give one for each")
    return list(np.asarray(names).tolist())


def _powered(
    numbers: tuple[Floats, Floats, Floats],
    names: tuple[list[Any], list[Any]],
    level: float,
    sizes: dict[str, Any],
) -> Powered:
    y, f, rest = numbers
    _, of = np.unique(np.asarray(names[0]), return_inverse=True)
    plain = _Part(y, of)
    span = bent_interval(*plain.shape, sources=len(plain.pulls), level=level)
    made: dict[str, Any] = {
        "mean": plain.mean, "mean_low": span.low, "mean_high": span.high,
        "mean_error": plain.error, **sizes,
    }  # fmt: skip
    trusts, notes = _trusts(y, f, of, len(rest))
    if not trusts.any():
        return Powered(
            estimate=plain.mean, low=span.low, high=span.high, error=plain.error, trust=0.0,
            worth=float(len(y)), notes=notes, **made,
        )  # fmt: skip
    trust = float(trusts[of].mean())
    part = _Part(y + trusts[of] * (float(rest.mean()) - f), of)
    floor, both = _of_others(rest, names, trust, part)
    error = math.sqrt(part.error**2 + floor**2 + both)
    skewness = part.skewness * (part.error / error) ** 3  # the others' own mean is all but normal
    span = bent_interval(part.mean, error, skewness, sources=len(part.pulls), level=level)
    return Powered(
        estimate=part.mean, low=span.low, high=span.high, error=error, trust=trust,
        worth=len(y) * (plain.error / error) ** 2, floor=floor, notes=notes, **made,
    )  # fmt: skip


class _Part:
    """A mean of values by source: how far each source pulls it, its error and skewness.

    The error is that of the jackknife, each source being left out in turn: for sources of one
    value it is s / sqrt(n), and large sources among small ones do not hide in the mean.
    """

    def __init__(self, values: Floats, of: NDArray[np.intp]) -> None:
        self.mean = float(values.mean())
        counts = np.bincount(of)
        groups = len(counts)
        left = (len(values) - counts) * groups / (groups - 1)
        self.pulls: Floats = np.bincount(of, values - self.mean) / left
        square = float(self.pulls @ self.pulls)
        self.error = math.sqrt(groups / (groups - 1) * square)
        cube = float((self.pulls**3).sum())
        self.skewness = math.sqrt(groups) * cube / square**1.5 if square else 0.0

    @property
    def shape(self) -> tuple[float, float, float]:
        return self.mean, self.error, self.skewness


def _of_others(
    rest: Floats, names: tuple[list[Any], list[Any]], trust: float, rated: _Part
) -> tuple[float, float]:
    """The error that the others' mean brings, and what it shares with the rated sources.

    What is shared is added where it makes the error larger and never taken off.
    """
    if not names[1]:
        return abs(trust) * float(rest.std(ddof=1)) / math.sqrt(len(rest)), 0.0
    judged, of = np.unique(np.asarray(names[1]), return_inverse=True)
    if len(judged) < 2:
        return abs(trust) * float(rest.std(ddof=1)), 0.0
    part = _Part(trust * rest, of)
    there = dict(zip(judged.tolist(), part.pulls.tolist(), strict=True))
    ours = np.unique(np.asarray(names[0])).tolist()
    both = math.fsum(p * there.get(name, 0.0) for name, p in zip(ours, rated.pulls, strict=True))
    return part.error, max(0.0, 2 * both)


def _trusts(
    y: Floats, f: Floats, of: NDArray[np.intp], others: int
) -> tuple[Floats, tuple[str, ...]]:
    """λ for each source from the edits of all other sources, and why it is 0 for all."""
    groups = int(of.max()) + 1
    nothing = np.zeros(groups)
    if others < 2:
        return nothing, (NO_OTHERS,)
    if np.ptp(f) <= _ROUNDING * np.abs(f).max():
        return nothing, ("the judge gives all rated edits the same: it cannot help",)
    a, b = y - y.mean(), f - f.mean()
    n, sa, sb, saa, sbb, sab = (
        part.sum() - part
        for part in (np.bincount(of, w) for w in (np.ones(len(y)), a, b, a * a, b * b, a * b))
    )
    aa, bb, ab = saa - sa * sa / n, sbb - sb * sb / n, sab - sa * sb / n
    there = bb > _ROUNDING * float(b @ b)
    slope = np.where(there, ab / np.where(there, bb, 1.0), 0.0)
    left = np.maximum(aa - slope * ab, 0.0)
    # slope² · bb / (left / freedom) is t²; where nothing is left there is nothing to doubt
    square = np.where(there, slope * ab, 0.0) * (groups - 3)
    kept = np.where(square > SHRINK * left, 1 - SHRINK * left / np.where(square > 0, square, 1), 0)
    trusts: Floats = slope * kept / (1 + len(y) / others)
    idle = "the judge does not go with the ratings: they stand alone"
    return trusts, () if trusts.any() else (idle,)
