"""How far raters agree: Krippendorff's α with an interval; κ, ICC and boxes have their own files.

α = 1 − D_o / D_e, observed over expected disagreement (Krippendorff 2011, "Computing
Krippendorff's Alpha-Reliability"). Disagreement is the squared difference of two values; for
`ordinal` ratings of their mid-ranks among all ratings, which is Krippendorff's ordinal metric
written without its sums; for `nominal` ones it is 1 between any two that differ. With squared
differences both parts are variances, so that no table of coincidences is needed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overpaint.stats.bootstrap import FEWEST_CLUSTERS, Floats, Interval, expanded_percentiles

Metric = Literal["nominal", "ordinal", "interval"]
Ratings = Sequence[Sequence[float | None]] | NDArray[np.float64]

DRAWS = 2_000
_ROOM = 4_000_000  # numbers held at a time while resampling


@dataclass(frozen=True)
class Agreement:
    """Krippendorff's α. What cannot be had is None, and `notes` say why."""

    alpha: float | None
    low: float | None = None  # bootstrap interval, units drawn with replacement
    high: float | None = None
    units: int = 0  # rated by at least two, the only ones that count
    ratings: int = 0  # of those units
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reliability:
    """Another coefficient of agreement. What cannot be had is None, and `notes` say why."""

    value: float | None
    low: float | None = None  # bootstrap interval, units drawn with replacement
    high: float | None = None
    units: int = 0  # that count
    ratings: int = 0  # of those units
    notes: tuple[str, ...] = ()


def with_interval(
    value: float, drawn: Floats, sizes: Mapping[str, int], level: float
) -> Reliability:
    """A coefficient with the interval from draws of units; a draw without a value is left out."""
    units = sizes["units"]
    if units < FEWEST_CLUSTERS:
        few = f"no interval: it needs {FEWEST_CLUSTERS} units and has {units}"
        return Reliability(value, notes=(few,), **sizes)
    ends, notes = _ends(drawn, units, level)
    return Reliability(value, ends and ends.low, ends and ends.high, notes=notes, **sizes)


def krippendorff_alpha(
    ratings: Ratings, *, metric: Metric, seed: int = 0, draws: int = DRAWS, level: float = 0.95
) -> Agreement:
    """α of ratings, one row a unit and one column a rater, None or NaN for a missing one.

    Nominal ratings are numbers standing for names. The interval is the same for the same seed,
    in whatever order units and raters come.
    """
    if metric not in ("nominal", "ordinal", "interval"):
        raise ValueError(f"metric {metric!r}: want nominal, ordinal or interval")
    counts, values = _counted(ratings)
    sizes = {"units": len(counts), "ratings": int(counts.sum())}
    why = _hopeless(counts)
    if why:
        return Agreement(None, notes=(why,), **sizes)
    alpha = float(_alphas(counts, values, np.ones((1, len(counts))), metric)[0])
    if len(counts) < FEWEST_CLUSTERS:
        few = f"no interval: it needs {FEWEST_CLUSTERS} units and has {len(counts)}"
        return Agreement(alpha, notes=(few,), **sizes)
    ends, notes = _interval(_Counted(counts, values), metric, (seed, draws), level)
    return Agreement(alpha, ends and ends.low, ends and ends.high, notes=notes, **sizes)


class _Counted(NamedTuple):
    """How often each unit was given each value: (units, values), and the values in order."""

    counts: Floats
    values: Floats


def _counted(ratings: Ratings) -> _Counted:
    """The units rated by at least two, sorted so that their order cannot move an interval."""
    rows = [
        [float(given) for given in unit if given is not None and np.isfinite(given)]
        for unit in ratings
    ]
    rows = sorted(sorted(row) for row in rows if len(row) > 1)
    values, of = np.unique([given for row in rows for given in row], return_inverse=True)
    unit = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    counts = np.zeros((len(rows), len(values)))
    np.add.at(counts, (unit, of), 1)
    # α does not see the unit of measurement; near 1 no square can overflow.
    return _Counted(counts, values / max(np.abs(values).max(initial=0.0), np.finfo(float).tiny))


def _hopeless(counts: Floats) -> str:
    """Why there is no α, or nothing."""
    if not len(counts):
        return "no unit is rated by two raters, so nothing can agree or disagree"
    if len(counts) == 1:
        return "only one unit is rated by two raters; α compares within units and between them"
    if counts.shape[1] == 1:
        return "every rating is the same: without variation chance cannot be told from agreement"
    return ""


def _interval(
    counted: _Counted, metric: Metric, seeded: tuple[int, int], level: float
) -> tuple[Interval | None, tuple[str, ...]]:
    """The interval from draws of units; a draw of equal ratings has no α and is left out."""
    (seed, draws), units = seeded, len(counted.counts)
    random = np.random.default_rng(seed)
    step = max(1, _ROOM // counted.counts.size)
    found = []
    for start in range(0, draws, step):
        drawn = random.multinomial(units, np.full(units, 1 / units), min(step, draws - start))
        found.append(_alphas(*counted, drawn.astype(np.float64), metric))
    alphas = np.concatenate(found)
    return _ends(alphas, units, level)


def _ends(drawn: Floats, units: int, level: float) -> tuple[Interval | None, tuple[str, ...]]:
    there = drawn[np.isfinite(drawn)]
    if len(there) < len(drawn) / 2:
        return None, ("no interval: most draws of units have no variation",)
    lost = len(drawn) - len(there)
    notes = (f"{lost} of {len(drawn)} draws have no variation and are left out",) if lost else ()
    return expanded_percentiles(there, units, level=level), notes


def _alphas(counts: Floats, values: Floats, drawn: Floats, metric: Metric) -> Floats:
    """α for each row of `drawn`, which says how often each unit is taken; NaN if undefined."""
    each = counts.sum(axis=1)
    totals = drawn @ counts  # (draws, values): how often each value is given
    number = totals.sum(axis=1)
    if metric == "nominal":
        within = each**2 - np.square(counts).sum(axis=1)
        observed = drawn @ (within / (each - 1))
        expected = number**2 - np.square(totals).sum(axis=1)
    else:
        ranks = np.cumsum(totals, axis=1) - totals / 2
        scale = ranks if metric == "ordinal" else np.broadcast_to(values, totals.shape)
        # About their mean, so that large values lose no digits.
        scale = scale - (totals * scale).sum(axis=1, keepdims=True) / number[:, None]
        sums, squares = scale @ counts.T, np.square(scale) @ counts.T  # (draws, units)
        observed = (drawn * (each * squares - sums**2) / (each - 1)).sum(axis=1)
        expected = number * (totals * np.square(scale)).sum(axis=1)
    varied = (totals > 0).sum(axis=1) > 1
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(varied, 1 - observed * (number - 1) / expected, np.nan)
