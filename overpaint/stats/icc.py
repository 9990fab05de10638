"""How much of what raters say is about the units: intraclass correlations.

Shrout & Fleiss (1979), "Intraclass correlations: uses in assessing rater reliability",
Psychological Bulletin 86(2). Case 1: each unit has raters of its own; case 2: all units have the
same raters, who stand for others like them, and their biases count as disagreement; case 3: the
same raters and no others, and biases do not count. `,1` is the reliability of one rating, `,k` that
of the mean of all.
"""

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overpaint.stats.agreement import DRAWS, Reliability, with_interval
from overpaint.stats.bootstrap import FEWEST_CLUSTERS, Floats, draw_counts

Kind = Literal["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"]
_ROUNDING = 1e-26  # a variance below this share of the square of the values is none


def icc(
    ratings: ArrayLike,
    *,
    kind: Kind = "ICC(2,1)",
    seed: int = 0,
    draws: int = DRAWS,
    level: float = 0.95,
) -> Reliability:
    """An intraclass correlation of ratings, one row a unit and one column a rater, NaN if missing.

    Cases 2 and 3 need units rated by every rater: others are left out, and a note says how many.
    Case 1 takes units rated by at least two, unequally often too (its k is then that of Searle,
    Casella & McCulloch 1992, Variance Components, section 3.6).
    """
    if kind not in get_args(Kind):
        raise ValueError(f"kind {kind!r}: want one of {', '.join(get_args(Kind))}")
    table = _parsed(ratings)
    one_way = kind.startswith("ICC(1")
    rated = ~np.isnan(table)
    table = table[:, rated.any(axis=0)]
    rated = ~np.isnan(table)
    counts = (rated.sum(axis=1) > 1) if one_way else rated.all(axis=1) & (table.shape[1] > 1)
    used = _centred(table[counts])
    sizes = {"units": len(used), "ratings": int((~np.isnan(used)).sum())}
    lost = int(rated.any(axis=1).sum()) - len(used)
    notes = (f"{lost} units {_WHY[one_way]} and are left out",) if lost else ()
    if len(used) < 2:
        few = f"only {len(used)} units are rated by {'two' if one_way else 'every rater'}"
        return Reliability(None, notes=(*notes, few + ("" if one_way else _INSTEAD)), **sizes)
    return _with_notes(_estimated(used, kind, sizes, (seed, draws), level), notes)


_WHY = {True: "have fewer than two ratings", False: "are not rated by every rater"}
_INSTEAD = "; ICC(1,1) takes units as they come"


class _Squares(NamedTuple):
    """Mean squares of an analysis of variance for each draw: between units, raters, the rest."""

    units: Floats
    raters: Floats
    rest: Floats
    number: Floats  # of units
    k: Floats  # ratings of a unit


def _estimated(
    used: Floats, kind: Kind, sizes: dict[str, int], seeded: tuple[int, int], level: float
) -> Reliability:
    squares = _one_way if kind.startswith("ICC(1") else _two_way

    def statistic(drawn: Floats) -> Floats:
        return _coefficient(squares(used, drawn), kind)

    value = float(statistic(np.ones((1, len(used))))[0])
    if not np.isfinite(value):
        same = "every rating is the same: there is no variation to share out"
        return Reliability(None, notes=(same,), **sizes)
    if len(used) < FEWEST_CLUSTERS:
        return with_interval(value, np.empty(0), sizes, level)
    drawn = np.concatenate([statistic(counts) for counts in draw_counts(len(used), *seeded)])
    return with_interval(value, drawn, sizes, level)


def _two_way(used: Floats, drawn: Floats) -> _Squares:
    """Every unit rated by every rater."""
    number, k = drawn.sum(axis=1), used.shape[1]
    means = used.mean(axis=1)
    middle = drawn @ means / number
    of_units = k * (drawn @ means**2 - number * middle**2)
    of_raters = number * (np.square(drawn @ used / number[:, None] - middle[:, None])).sum(axis=1)
    whole = drawn @ (used**2).sum(axis=1) - number * k * middle**2
    rest = np.maximum(whole - of_units - of_raters, 0.0)
    free = number - 1
    return _Squares(
        of_units / free, of_raters / (k - 1), rest / free / (k - 1), number, np.full_like(number, k)
    )


def _one_way(used: Floats, drawn: Floats) -> _Squares:
    """Units rated by two or more, it does not matter by whom."""
    each = (~np.isnan(used)).sum(axis=1).astype(np.float64)
    means = np.nansum(used, axis=1) / each
    within = np.nansum(np.square(used - means[:, None]), axis=1)
    number, total = drawn.sum(axis=1), drawn @ each
    middle = drawn @ (each * means) / total
    between = drawn @ (each * means**2) - total * middle**2
    k = (total - drawn @ each**2 / total) / (number - 1)
    rest = drawn @ within / (total - number)
    return _Squares(between / (number - 1), rest, rest, number, k)


def _coefficient(squares: _Squares, kind: Kind) -> Floats:
    """Shrout & Fleiss' estimators; NaN where nothing varies."""
    units, raters, rest, number, k = squares
    biases = (raters - rest) / number if kind.startswith("ICC(2") else np.zeros_like(rest)
    single = kind.endswith("1)")
    below = units + (k - 1) * rest + k * biases if single else units + biases
    some = (units + rest > _ROUNDING) & (np.abs(below) > _ROUNDING)
    return np.where(some, (units - rest) / np.where(some, below, 1.0), np.nan)


def _parsed(ratings: ArrayLike) -> Floats:
    right = "want one row a unit, one column a rater, and NaN for what is missing"
    try:
        table = np.array(ratings, np.float64)
    except (TypeError, ValueError) as wrong:
        raise ValueError(f"ratings are not a table of numbers ({wrong}); {right}") from wrong
    if table.ndim != 2 or np.isinf(table).any():
        raise ValueError(f"ratings have shape {table.shape} or are not finite; {right}")
    return table


def _centred(table: Floats) -> Floats:
    """About their mean and near 1, in an order that only the ratings decide.

    So large values lose no digits, and no order of the units can move an interval.
    """
    if not table.size or np.isnan(table).all():
        return table
    size = np.nanmax(np.abs(table)) or 1.0
    table = table / size
    table = table - np.nansum(table) / (~np.isnan(table)).sum()
    order: NDArray[np.intp] = np.lexsort(np.nan_to_num(table, nan=np.inf).T)
    return np.asarray(table[order])


def _with_notes(found: Reliability, notes: tuple[str, ...]) -> Reliability:
    return Reliability(
        found.value, found.low, found.high, found.units, found.ratings, (*notes, *found.notes)
    )
