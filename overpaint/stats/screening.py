"""Which ratings and raters of a study not to believe: BT.500's rule and leave-one-out correlation.

ITU-R BT.500, annex on the screening of observers: ratings of an item are normal-like if their
kurtosis is in [2, 4]; one beyond 2 σ (normal-like) or √20 σ (not) of the item's mean is an
outlier, and a rater with more than 5 % outliers is rejected. This plain form is the one used with
EBench; the further condition of BT.500, |P − Q| / (P + Q) < .3 for P outliers above and Q below,
spares a rater who is merely strict or mild and is an option (`balanced`).

The rule misses raters who answer upside down and many who answer at random. So a second one holds
each rater against the mean of the others (as ITU-T P.913 does for its subjects): a rater whose
correlation is below three quarters of the middle rater's, by more than chance allows, is rejected.
A rater who answers half the items at random keeps about half of the correlation.

The two rules are not simply added. The 5 % rule also rejects honest raters, for a normal
distribution has 4.5 % of its answers beyond 2 σ and a biased rater more: two to six of thirty in
simulated studies where nobody is careless, the more the fewer items each has rated. So by default
one whom only the 5 % rule finds is kept if they follow the others closely and have no more outliers
than 5 % gives by chance (`confirmed`): whoever has clearly more is rejected. Without
that either rule rejects, and `rules=("bt500",)` is the 5 % rule alone, as published.
`bench/people.py` measures all of them, and `by_rule` of the result says whom each rule finds,
whatever was asked for.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overpaint.stats.bootstrap import Floats

Bools = NDArray[np.bool_]
Rule = Literal["bt500", "correlation"]
RULES: tuple[Rule, ...] = get_args(Rule)

NORMAL_LIKE = (2.0, 4.0)  # kurtosis
NORMAL_CUT, OTHER_CUT = 2.0, 20**0.5  # in σ
MOST_OUTLIERS = 0.05
ONE_SIDED = 0.3

FOLLOWS = 0.75  # of the middle rater's correlation, below which a rater does not follow
CLEARED = 0.85  # and from which one whom BT.500 alone finds is kept
BY_CHANCE = 0.01  # how likely so many outliers must be at 5 %, for one to be kept so
CHANCE = 1.645  # standard errors (Fisher's z) that a correlation must be below the middle one
FEWEST_RATERS = 4  # of whom a middle can be told
FEWEST_SHARED = 5  # items rated by the rater and by another, for a correlation

LARGEST = 1e100  # fourth powers stay finite
_ROUNDING = 1e-9  # a spread below this share of the values is none


@dataclass(frozen=True, eq=False)
class Screening:
    """What screening found. Raters and items are numbered as the rows and columns given."""

    rejected: tuple[int, ...]
    reasons: Mapping[int, str]  # a sentence for each rejected rater
    by_rule: Mapping[str, tuple[int, ...]]  # all that each rule finds, whether asked for or not
    outliers: Bools  # (raters, items): single ratings too far from their item's mean
    removed: Bools  # (raters, items): outliers, and all ratings of rejected raters
    share_removed: float  # of all ratings
    share_outliers: float  # of all ratings
    normal_like: Bools  # (items,)
    correlation: Floats  # (raters,) with the mean of the others; NaN where there is none
    notes: tuple[str, ...] = ()


def screen_raters(
    ratings: ArrayLike,
    *,
    rules: Sequence[Rule] = RULES,
    balanced: bool = False,
    confirmed: bool = True,
) -> Screening:
    """Find raters to reject and single ratings to remove: raters × items, NaN for not rated.

    A rater is rejected whom one of `rules` finds, or whose answers are all the same, for they have
    no z-score. With `confirmed` and both rules, one found by BT.500 alone is kept if their
    correlation is at least .85 of the middle one and so many outliers are nothing unlikely at 5 %
    (p ≥ .01). `rules=("bt500",)` is the paper's rule exactly;
    `balanced` adds BT.500's condition that outliers lie on both sides.
    """
    unknown = [rule for rule in rules if rule not in RULES]
    if unknown:
        raise ValueError(f"rules {unknown}: want some of {', '.join(RULES)}")
    table = parsed(ratings)
    marked = _marked(table)
    share = _share_outliers(table, marked)
    far = share > MOST_OUTLIERS
    if balanced:
        far &= _both_sided(marked)
    follows = _followed(table)
    verdicts = {
        "bt500": far,
        "correlation": follows.astray,
        "constant": _constant(np.where(marked.high | marked.low, np.nan, table)),
    }
    counted = dict(verdicts)
    if confirmed and "correlation" in rules:
        cleared = follows.correlation >= CLEARED * follows.middle
        counted["bt500"] = far & ~(cleared & _by_chance(table, marked))
    asked = [*rules, "constant"]
    out = np.any([counted[rule] for rule in asked], axis=0)
    told = {
        rater: _reason([rule for rule in asked if counted[rule][rater]], share[rater],
                       (follows.correlation[rater], follows.middle))
        for rater in np.flatnonzero(out).tolist()
    }  # fmt: skip
    return _screening(table, marked, verdicts, told, follows)


def parsed(ratings: ArrayLike) -> Floats:
    """Ratings as a table of raters × items with NaN for what is missing; ValueError if not so."""
    right = "want raters × items, one row a rater, NaN for what was not rated"
    try:
        table = np.array(ratings, np.float64)
    except (TypeError, ValueError) as wrong:
        raise ValueError(f"ratings are not a table of numbers ({wrong}); {right}") from wrong
    if table.ndim != 2:
        raise ValueError(f"ratings have {table.ndim} dimensions, not two; {right}")
    if not table.size or np.isnan(table).all():
        raise ValueError(f"ratings of shape {table.shape} hold no rating at all; {right}")
    if (np.abs(table) > LARGEST).any():  # so is what is infinite
        rater, item = np.argwhere(np.abs(table) > LARGEST)[0].tolist()
        raise ValueError(
            f"rater {rater} gave item {item} the rating {table[rater, item]}; "
            "want finite numbers, and NaN for what was not rated"
        )
    return table


# ── BT.500 ──────────────────────────────────────────────────────────────────────────────


class _Marked(NamedTuple):
    """Outliers above and below their item's mean, (raters, items), and which items are normal."""

    high: Bools
    low: Bools
    normal_like: Bools


def _marked(table: Floats) -> _Marked:
    """Outliers, by the kurtosis m4 / m2² of population moments and σ with N − 1."""
    number = (~np.isnan(table)).sum(axis=0)
    there = np.maximum(number, 1)
    off = table - np.nansum(table, axis=0) / there
    squares = np.nansum(off**2, axis=0)
    spread = np.sqrt(squares / np.maximum(number - 1, 1))
    varied = spread > _ROUNDING * _largest(table, 0)
    second = np.where(varied, squares / there, 1.0)
    kurtosis = np.nansum(off**4, axis=0) / there / second**2
    normal = varied & (kurtosis >= NORMAL_LIKE[0]) & (kurtosis <= NORMAL_LIKE[1])
    cut = np.where(varied, np.where(normal, NORMAL_CUT, OTHER_CUT) * spread, np.inf)
    return _Marked(off > cut, off < -cut, normal)


def _share_outliers(table: Floats, marked: _Marked) -> Floats:
    """The share of a rater's ratings that are outliers; 0 for one who rated nothing."""
    number = np.maximum((~np.isnan(table)).sum(axis=1), 1)
    shares: Floats = (marked.high | marked.low).sum(axis=1) / number
    return shares


def _by_chance(table: Floats, marked: _Marked) -> Bools:
    """Whether a rater of whose ratings 5 % are outliers would have as many with p ≥ .01."""
    number = (~np.isnan(table)).sum(axis=1).tolist()
    outliers = (marked.high | marked.low).sum(axis=1).tolist()
    odds = zip(outliers, number, strict=True)
    return np.array([_at_least(few, of, MOST_OUTLIERS) >= BY_CHANCE for few, of in odds])


def _at_least(successes: int, of: int, share: float) -> float:
    """The chance of so many successes or more: the upper tail of the binomial distribution."""
    terms = (
        math.lgamma(of + 1) - math.lgamma(k + 1) - math.lgamma(of - k + 1)
        + k * math.log(share) + (of - k) * math.log1p(-share)
        for k in range(successes)
    )  # fmt: skip
    return 1 - math.fsum(map(math.exp, terms))


def _both_sided(marked: _Marked) -> Bools:
    above, below = marked.high.sum(axis=1), marked.low.sum(axis=1)
    balance: Bools = np.abs(above - below) < ONE_SIDED * (above + below)
    return balance


def _constant(table: Floats) -> Bools:
    """Raters with ratings that have no spread: all the same, or a single one."""
    number = (~np.isnan(table)).sum(axis=1)
    middle = np.nansum(table, axis=1) / np.maximum(number, 1)
    farthest = np.nanmax(np.abs(np.nan_to_num(table - middle[:, None])), axis=1, initial=0.0)
    same: Bools = (number > 0) & (farthest <= _ROUNDING * _largest(table, 1))
    return same


def _largest(table: Floats, axis: int) -> Floats:
    largest: Floats = np.abs(np.nan_to_num(table)).max(axis=axis)
    return largest


# ── leave-one-out correlation ───────────────────────────────────────────────────────────


class _Followed(NamedTuple):
    """Each rater's correlation with the others, the middle one, and who is too far below it."""

    correlation: Floats
    middle: float
    astray: Bools


def _followed(table: Floats) -> _Followed:
    """Correlations with those who follow each other: whoever is found is left out of the mean."""
    size = np.nanmax(np.abs(table)) or 1.0
    own = np.nansum(table, axis=1) / np.maximum((~np.isnan(table)).sum(axis=1), 1)
    centred = (table - own[:, None]) / size  # so that who rated an item does not move its mean
    astray = np.zeros(len(table), bool)
    for _ in range(len(table)):
        found = _judged(centred, astray)
        if (found.astray == astray).all() or found.astray.sum() > len(table) // 2:
            break
        astray = found.astray
    return _judged(centred, astray)._replace(astray=astray)


def _judged(centred: Floats, left_out: Bools) -> _Followed:
    correlation, shared = _left_one_out(centred, ~left_out)
    known = ~np.isnan(correlation)
    if (known & ~left_out).sum() < FEWEST_RATERS:
        return _Followed(correlation, np.nan, np.zeros(len(centred), bool))
    middle = float(np.median(correlation[known & ~left_out]))
    error = 1 / np.sqrt(np.maximum(shared - 3, 1))
    near = 1 - _ROUNDING
    depth = np.arctanh(np.clip(middle, -near, near)) - np.arctanh(np.clip(correlation, -near, near))
    low = known & (correlation < FOLLOWS * middle) & (depth > CHANCE * error)
    return _Followed(correlation, middle, low)


def _left_one_out(centred: Floats, trusted: Bools) -> tuple[Floats, NDArray[np.intp]]:
    """The correlation of each rater with the mean of the trusted others, and over how many items.

    NaN where fewer than five items are shared or a side does not vary.
    """
    rated = ~np.isnan(centred)
    filled = np.nan_to_num(centred)
    number = rated[trusted].sum(axis=0) - rated * trusted[:, None]
    total = filled[trusted].sum(axis=0) - filled * trusted[:, None]
    both = rated & (number > 0)
    shared = both.sum(axis=1)
    there = np.maximum(shared, 1)[:, None]
    sides = [np.where(both, side, 0.0) for side in (filled, total / np.maximum(number, 1))]
    mine, theirs = (
        np.where(both, side - side.sum(axis=1, keepdims=True) / there, 0.0) for side in sides
    )
    spreads = [np.sqrt((side**2).sum(axis=1)) for side in (mine, theirs)]
    known = (shared >= FEWEST_SHARED) & (np.minimum(*spreads) > _ROUNDING)
    product = np.where(known, spreads[0] * spreads[1], 1.0)
    return np.where(known, (mine * theirs).sum(axis=1) / product, np.nan), shared


# ── the verdict ─────────────────────────────────────────────────────────────────────────


def _reason(rules: Sequence[str], share: float, correlations: tuple[float, float]) -> str:
    """Why a rater is rejected, in words."""
    own, middle = correlations
    told = {
        "bt500": f"{share:.1%} of the ratings are outliers, over {MOST_OUTLIERS:.0%}",
        "correlation": f"the ratings go with the others' at r = {own:.2f}, below "
        f"{FOLLOWS:.0%} of the middle rater's {middle:.2f}",
        "constant": "the ratings are all the same or only one, so that they have no spread",
    }
    return "; ".join(told[rule] for rule in rules)


def _screening(
    table: Floats,
    marked: _Marked,
    verdicts: Mapping[str, Bools],
    told: Mapping[int, str],
    follows: _Followed,
) -> Screening:
    rated = ~np.isnan(table)
    outliers = marked.high | marked.low
    removed = outliers.copy()
    removed[list(told)] = rated[list(told)]
    by_rule = {rule: tuple(np.flatnonzero(found).tolist()) for rule, found in verdicts.items()}
    return Screening(
        tuple(told), told, by_rule, outliers, removed,
        share_removed=float(removed.sum() / rated.sum()),
        share_outliers=float(outliers.sum() / rated.sum()),
        normal_like=marked.normal_like, correlation=follows.correlation,
        notes=_notes(rated, follows),
    )  # fmt: skip


def _notes(rated: Bools, follows: _Followed) -> tuple[str, ...]:
    """Who could not be held against the others."""
    idle = int((~rated.any(axis=1)).sum())
    unknown = int(np.isnan(follows.correlation).sum()) - idle
    notes = [f"{idle} raters rated nothing"] if idle else []
    if np.isnan(follows.middle):
        notes.append(
            f"no verdict by correlation: fewer than {FEWEST_RATERS} raters share "
            f"{FEWEST_SHARED} items with others"
        )
    elif unknown:
        notes.append(
            f"{unknown} raters have no correlation with the others: fewer than "
            f"{FEWEST_SHARED} shared items, or ratings without spread"
        )
    return tuple(notes)
