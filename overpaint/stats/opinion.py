"""From ratings to opinion scores: z-scores of each rater, their mean, and its interval.

z_ij = (r_ij − μ_i) / σ_i with the mean and the spread (N − 1) of rater i's valid ratings, z_j the
mean over the valid ratings of item j, MOS_j = 100 (z_j + 3) / 6, not clamped, as the makers of
EBench do. What is valid `screening` says.

The interval. Removing what lies beyond 2 σ leaves ratings that look closer together than the
ratings were, while the mean of what is left is no steadier than the mean of all: Student's
interval of the remaining z-scores holds its limit in .91 to .93 of simulated studies where .95 is
promised. So the spread is that of each rating's influence on the mean of what is left (Hampel
1974, "The influence curve and its role in robust estimation", Journal of the American Statistical
Association 69): its distance from it, if it was kept, over the share kept, plus what it does by
moving the item's mean, and with it both ends of what is kept. For normal ratings cut at c = 2 the
latter is 2 c φ(c) / (2 Φ(c) − 1) of its distance from the item's mean. The quantile is Student's.

It holds what ever more raters of the same kind would come to by the same procedure, in .95 to .96
of studies with 20, 50 and 200 raters an item (`bench/people.py`). Near the ends of a scale
ratings are lopsided, and cutting moves that limit off the mean z-score of everybody, by up to
two thirds of a point of MOS in the simulation; which shows when 200 rate an item.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overpaint.stats.bootstrap import Floats, t_quantile
from overpaint.stats.screening import NORMAL_CUT, RULES, Rule, Screening, parsed, screen_raters

_NORMAL = NormalDist()
_PULL = (
    2 * NORMAL_CUT * _NORMAL.pdf(NORMAL_CUT) / (2 * _NORMAL.cdf(NORMAL_CUT) - 1)
)  # how far the mean of what is kept follows the middle of the cut


@dataclass(frozen=True, eq=False)
class Opinions:
    """Opinion scores of items, in the order of the columns given.

    NaN in an array means that there is no value, and `notes` say of how many items and why: no
    `mos` where no rating is valid, no `low` and `high` where fewer than two are.
    """

    mos: Floats  # 0 to 100 for z-scores from −3 to 3; may lie outside
    low: Floats
    high: Floats
    n: NDArray[np.intp]  # valid ratings of each item
    raw_mean: Floats  # of all ratings as they were given, nothing removed
    raw_low: Floats
    raw_high: Floats
    raw_n: NDArray[np.intp]
    z: Floats  # (raters, items), NaN where there is no valid rating
    screening: Screening
    notes: tuple[str, ...] = ()

    @property
    def rejected(self) -> tuple[int, ...]:
        """Raters of whom nothing is used."""
        return self.screening.rejected

    @property
    def reasons(self) -> dict[int, str]:
        """Why, for each of them."""
        return dict(self.screening.reasons)

    @property
    def share_removed(self) -> float:
        """The share of ratings not used."""
        return self.screening.share_removed


def opinion_scores(
    ratings: ArrayLike,
    *,
    rules: Sequence[Rule] = RULES,
    balanced: bool = False,
    confirmed: bool = True,
    level: float = 0.95,
) -> Opinions:
    """Mean opinion scores with intervals, from ratings (raters × items, NaN for not rated).

    The settings but the last are those of `screen_raters`. The interval is that of the score
    which ever more raters of the same kind would give the item in this study.
    """
    if not 0 < level < 1:
        raise ValueError(f"level {level}: want a share between 0 and 1, such as .95")
    table = parsed(ratings)
    found = screen_raters(table, rules=rules, balanced=balanced, confirmed=confirmed)
    every = _z_scores(table, found)
    valid = np.where(found.removed, np.nan, every)
    mean, n = _means(valid)
    half = _half_width(every, valid, found.normal_like, level)
    raw, raw_n = _means(table)
    raw_half = _half_width(table, table, np.zeros(len(raw), bool), level)
    mos, low, high = (100 * (score + 3) / 6 for score in (mean, mean - half, mean + half))
    return Opinions(
        mos, low, high, n, raw, raw - raw_half, raw + raw_half, raw_n, valid, found,
        _notes(n, found),
    )  # fmt: skip


def majority(answers: ArrayLike) -> tuple[bool | None, ...]:
    """What most raters say of each item, from yes (1) and no (0), raters × items, NaN for nothing.

    None on a tie, and where nobody answered.
    """
    table = parsed(answers)
    if not np.isin(table[~np.isnan(table)], (0.0, 1.0)).all():
        raise ValueError("answers are not all yes or no; want 1, 0, and NaN for not answered")
    yes, no = (table == 1).sum(axis=0).tolist(), (table == 0).sum(axis=0).tolist()
    return tuple(None if a == b else a > b for a, b in zip(yes, no, strict=True))


def _z_scores(table: Floats, found: Screening) -> Floats:
    """All ratings of the raters who are kept, by the mean and spread of their valid ones."""
    valid = np.where(found.removed, np.nan, table)
    number = np.maximum((~np.isnan(valid)).sum(axis=1), 2)[:, None]
    middle = np.nansum(valid, axis=1, keepdims=True) / number
    spread = np.sqrt(np.nansum((valid - middle) ** 2, axis=1, keepdims=True) / (number - 1))
    kept = ~np.isin(np.arange(len(table)), found.rejected)[:, None]
    return np.where(kept, (table - middle) / np.where(spread > 0, spread, 1.0), np.nan)


def _means(table: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """The mean of each column and of how many; NaN for none."""
    n = (~np.isnan(table)).sum(axis=0)
    return np.where(n > 0, np.nansum(table, axis=0) / np.maximum(n, 1), np.nan), n


def _half_width(every: Floats, valid: Floats, cut: NDArray[np.bool_], level: float) -> Floats:
    """Half the interval of the mean of `valid`, taken out of `every`; see the top of the file.

    `cut` are the items from which ratings beyond 2 σ were taken. NaN for fewer than two ratings.
    """
    (mean, n), (middle, number) = _means(valid), _means(every)
    apart = np.where(np.isnan(valid), 0.0, valid - mean) * number / np.maximum(n, 1)
    influence = np.where(
        np.isnan(every), np.nan, apart + np.where(cut, _PULL, 0.0) * (every - middle)
    )
    centre, _ = _means(influence)
    squares = np.nansum((influence - centre) ** 2, axis=0)
    enough = np.maximum(number, 2)
    t = np.array([t_quantile((1 + level) / 2, k - 1) for k in enough.tolist()])
    return np.where(n > 1, t * np.sqrt(squares / (enough - 1) / enough), np.nan)


def _notes(n: NDArray[np.intp], found: Screening) -> tuple[str, ...]:
    none, one = int((n == 0).sum()), int((n == 1).sum())
    notes = list(found.notes)
    if none:
        notes.append(f"no score: {none} of {len(n)} items have no valid rating")
    if one:
        notes.append(f"no interval: {one} of {len(n)} items have a single valid rating")
    return tuple(notes)
