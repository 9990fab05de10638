"""Means from few ratings and many judge scores, and how many more ratings would settle them.

Prediction-powered inference (Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023, Science 382)
with the power tuning of PPI++ (Angelopoulos, Duchi & Zrnic 2023, arXiv:2311.01453): with ratings
Y and judge scores f of n rated edits and judge scores F of N others, the estimate is
mean(Y) − λ·(mean(f) − mean(F)), right for every λ however wrong the judge is; λ = 0 is the
ratings alone, and the best is λ = cov(Y, f) / ((1 + n / N)·var(f)).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overpaint.stats.bootstrap import (
    FEWEST_CLUSTERS,
    Floats,
    cluster,
    standard_error,
    t_quantile,
)

POWER = 0.80


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
    clusters: Sequence[Any] | NDArray[Any] | None = None,
    level: float = 0.95,
) -> Powered:
    """The mean rating of all edits, from ratings of some and judge scores of those and of others.

    `predicted` are the judge's scores of the rated edits, in their order; `clusters` their sources
    (none: each edit is its own). The rated ones must be a random choice among all, and no source
    may be on both sides.
    """
    y, f, rest = _checked(labels, predicted, others, level)
    names = np.arange(len(y)) if clusters is None else np.asarray(clusters)
    if len(names) != len(y):
        raise ValueError(f"{len(y)} ratings have {len(names)} clusters; give one for each")
    return _powered(y, f, rest, names, level)


def prediction_powered_difference(
    labels: tuple[ArrayLike, ArrayLike],
    predicted: tuple[ArrayLike, ArrayLike],
    others: tuple[ArrayLike, ArrayLike],
    *,
    clusters: Sequence[Any] | NDArray[Any] | None = None,
    level: float = 0.95,
) -> Powered:
    """Editor a minus editor b on samples rated for both, helped by samples judged for both."""
    apart = []
    for name, (a, b) in (("ratings", labels), ("scores", predicted), ("others", others)):
        one, two = np.asarray(a, np.float64), np.asarray(b, np.float64)
        if one.shape != two.shape:
            raise ValueError(f"{name}: {one.shape} of a and {two.shape} of b; give pairs")
        apart.append(one - two)
    return prediction_powered_mean(*apart, clusters=clusters, level=level)


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
    if helped is None:
        notes.append("the judge scores of the others are too few for it")
    return Needed(_more(alone, groups, each), _more(helped, groups, each), tuple(notes))


def _more(groups: int | None, there: int, each: float) -> int | None:
    return None if groups is None else max(0, math.ceil((groups - there) * each))


def _smallest(size: float, spread: float, floor: float, asked: tuple[float, float]) -> int | None:
    """The least number of sources that shows `size`; None where not even ten million would."""

    def shows(n: int) -> bool:
        reach = t_quantile(1 - asked[0] / 2, n - 1) + t_quantile(asked[1], n - 1)
        return reach * math.sqrt(spread * spread / n + floor * floor) <= size

    low, high = 1, 2
    while not shows(high):
        low, high = high, 2 * high
        if high > 10_000_000:
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


def _powered(y: Floats, f: Floats, rest: Floats, names: NDArray[Any], level: float) -> Powered:
    alone = cluster(y, names)
    groups = len(alone)
    sizes: dict[str, Any] = {"n": len(y), "clusters": groups, "others": len(rest)}
    if not len(y):
        return Powered(notes=("nothing is rated",), **sizes)
    if groups < FEWEST_CLUSTERS:
        few = f"no interval: it needs {FEWEST_CLUSTERS} rated sources and has {groups}"
        return Powered(mean=float(y.mean()), notes=(few,), **sizes)
    error = standard_error(alone)
    assert error is not None  # five sources or more
    mean = float(y.mean())
    reach = t_quantile((1 + level) / 2, groups - 1) * error
    plain: dict[str, Any] = {
        "mean": mean, "mean_low": mean - reach, "mean_high": mean + reach, "mean_error": error
    }  # fmt: skip
    trust, notes = _trust(y, f, rest)
    estimate = mean - trust * (float(f.mean()) - (float(rest.mean()) if len(rest) else 0.0))
    left = standard_error(cluster(y - trust * f, names))
    assert left is not None
    floor = abs(trust) * float(rest.std(ddof=1)) / math.sqrt(len(rest)) if trust else 0.0
    whole = math.hypot(left, floor)
    reach = t_quantile((1 + level) / 2, groups - 1) * whole
    worth = len(y) * (error / whole) ** 2 if whole else None
    return Powered(
        estimate=estimate, low=estimate - reach, high=estimate + reach, error=whole,
        trust=trust, worth=worth, floor=floor, notes=notes, **plain, **sizes,
    )  # fmt: skip


def _trust(y: Floats, f: Floats, rest: Floats) -> tuple[float, tuple[str, ...]]:
    """λ, and why it is 0 where there is nothing to go by."""
    if len(rest) < 2:
        return 0.0, ("no other edits are judged: the judge cannot help",)
    if np.ptp(f) == 0:
        return 0.0, ("the judge gives all rated edits the same: it cannot help",)
    both = np.cov(y, f)
    return float(both[0, 1] / ((1 + len(y) / len(rest)) * both[1, 1])), ()
