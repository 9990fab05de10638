"""Agreement beyond chance in categories: Cohen's κ, plain and weighted, and Fleiss' κ.

Cohen (1960), "A coefficient of agreement for nominal scales", Educational and Psychological
Measurement 20(1), and (1968), "Weighted kappa", Psychological Bulletin 70(4): 1 − observed over
expected disagreement, chance being that of the two raters' own habits. Fleiss (1971), "Measuring
nominal scale agreement among many raters", Psychological Bulletin 76(5).
"""

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from overpaint.stats.agreement import DRAWS, Reliability, with_interval
from overpaint.stats.bootstrap import FEWEST_CLUSTERS, Floats, draw_counts

Weights = Literal["linear", "quadratic"]
_Statistic = Callable[[Floats], Floats]  # (draws, units) how often each unit is taken -> values


def cohens_kappa(
    a: ArrayLike,
    b: ArrayLike,
    *,
    weights: Weights | None = None,
    seed: int = 0,
    draws: int = DRAWS,
    level: float = 0.95,
) -> Reliability:
    """κ of two raters who put the same units into categories, which are numbers; NaN is missing.

    A unit counts if both rated it. With `weights` a disagreement counts by the distance of the two
    numbers or its square: a category that nobody uses still lies between its neighbours.
    """
    if weights is not None and weights not in get_args(Weights):
        raise ValueError(f"weights {weights!r}: want None, linear or quadratic")
    sides = [_numbers(side, 1, "ratings of one rater") for side in (a, b)]
    if len(sides[0]) != len(sides[1]):
        raise ValueError(f"{len(sides[0])} and {len(sides[1])} ratings; want both of every unit")
    pairs = np.stack(sides, axis=1)
    pairs = pairs[~np.isnan(pairs).any(axis=1)]
    pairs = pairs[np.lexsort(pairs.T)]  # so that no order of the units can move an interval
    values, of = np.unique(pairs, return_inverse=True)
    given = np.eye(len(values))[of.reshape(pairs.shape)]  # (units, rater, values)
    apart = np.abs(values[:, None] - values[None])
    apart /= apart.max(initial=0.0) or 1.0  # κ does not see the unit of measurement
    cost = {None: (apart > 0).astype(float), "linear": apart, "quadratic": apart**2}[weights]

    def kappas(drawn: Floats) -> Floats:
        observed = drawn @ (given[:, 0] @ cost * given[:, 1]).sum(axis=1)
        mine, theirs = drawn @ given[:, 0], drawn @ given[:, 1]
        expected = (mine @ cost * theirs).sum(axis=1) / drawn.sum(axis=1)
        return _beyond(observed, expected)

    sizes = {"units": len(pairs), "ratings": pairs.size}
    return _drawn(kappas, sizes, (seed, draws), level)


def fleiss_kappa(
    ratings: ArrayLike, *, seed: int = 0, draws: int = DRAWS, level: float = 0.95
) -> Reliability:
    """κ of any number of raters, one row a unit and one column a rater, NaN for a missing one.

    Categories are numbers standing for names. A unit counts if two rated it, each unit the same
    however many did, which for equally many is Fleiss' own formula.
    """
    table = _numbers(ratings, 2, "ratings, one row a unit")
    rows = sorted(sorted(row[~np.isnan(row)].tolist()) for row in table)
    rows = [row for row in rows if len(row) > 1]
    values, of = np.unique([given for row in rows for given in row], return_inverse=True)
    counts = np.zeros((len(rows), len(values)))
    unit = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    np.add.at(counts, (unit, of), 1)
    each = counts.sum(axis=1)
    differ = 1 - (counts * (counts - 1)).sum(axis=1) / (each * (each - 1))
    shares = counts / each[:, None]

    def kappas(drawn: Floats) -> Floats:
        number = drawn.sum(axis=1)
        expected = 1 - np.square(drawn @ shares / number[:, None]).sum(axis=1)
        return _beyond(drawn @ differ / number, expected)

    return _drawn(kappas, {"units": len(rows), "ratings": int(each.sum())}, (seed, draws), level)


def _numbers(given: ArrayLike, dimensions: int, what: str) -> Floats:
    try:
        table = np.array(given, np.float64)
    except (TypeError, ValueError) as wrong:
        raise ValueError(f"{what} are not numbers ({wrong}); give each category one") from wrong
    if table.ndim != dimensions or np.isinf(table).any():
        raise ValueError(
            f"{what} have shape {table.shape}; want {dimensions} dimensions of finite numbers, "
            "and NaN for what is missing"
        )
    return table


def _beyond(observed: Floats, expected: Floats) -> Floats:
    """1 − observed / expected; NaN where chance alone would agree on everything."""
    some = expected > 1e-12
    return np.where(some, 1 - observed / np.where(some, expected, 1.0), np.nan)


def _drawn(
    statistic: _Statistic, sizes: dict[str, int], seeded: tuple[int, int], level: float
) -> Reliability:
    """The coefficient, and its interval from draws of units."""
    units = sizes["units"]
    if not units:
        return Reliability(None, notes=("no unit is rated by two raters",), **sizes)
    value = float(statistic(np.ones((1, units)))[0])
    if np.isnan(value):
        same = "every rating is the same: chance cannot be told from agreement"
        return Reliability(None, notes=(same,), **sizes)
    if units < FEWEST_CLUSTERS:
        return with_interval(value, np.empty(0), sizes, level)
    found = np.concatenate([statistic(counts) for counts in draw_counts(units, *seeded)])
    return with_interval(value, found, sizes, level)
