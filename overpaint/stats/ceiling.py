"""How well people agree with themselves: the ceiling for every measure that is held against them.

The raters of each item are split at random into two halves, and the means of the halves are
correlated over items. What a whole panel would reach with another of its size is stepped up after
Spearman (1910) and Brown (1910), 2r / (1 + r); a judge that knew the true opinion would reach the
square root of that with the panel's mean (Spearman 1904's attenuation), so a measure may stand
above `panel` and hardly above `best`. For Kendall's τ both go through r = sin(π·τ / 2).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overpaint.stats.bootstrap import FEWEST_CLUSTERS, Floats, expanded_percentiles
from overpaint.stats.pairs import tau

DRAWS = 400
SPLITS = 25
MANY = 3_000  # items beyond which τ is drawn FEW times: sorting them takes long, and they vary less
FEW = 100


@dataclass(frozen=True)
class Halves:
    """One coefficient: between halves, for whole panels, and the best a judge could have."""

    halves: float | None  # mean over the splits
    panel: float | None = None  # stepped up to whole panels
    low: float | None = None  # 95 % interval of `panel`, items drawn with replacement
    high: float | None = None
    best: float | None = None  # of a judge that knows the true opinion


@dataclass(frozen=True)
class Ceiling:
    """The human ceiling. What cannot be had is None, and `notes` say why."""

    spearman: Halves
    pearson: Halves
    kendall: Halves
    items: int  # rated by two or more
    ratings: int  # of those items
    notes: tuple[str, ...] = ()


def split_half(
    ratings: ArrayLike,
    *,
    clusters: Sequence[Any] | None = None,
    seed: int,
    draws: int = DRAWS,
) -> Ceiling:
    """The ceiling from raters × items, NaN = not rated; hand in what the opinion score averages.

    `clusters` are the sources of the items (none: each item is its own).
    """
    table = np.asarray(ratings, np.float64)
    if table.ndim != 2 or np.isinf(table).any():
        raise ValueError("ratings: give raters × items of finite numbers, NaN where not rated")
    names = np.arange(table.shape[1]) if clusters is None else np.asarray(list(clusters))
    if len(names) != table.shape[1]:
        raise ValueError(f"{table.shape[1]} items have {len(names)} clusters; give one for each")
    if draws < 1:
        raise ValueError(f"draws {draws}: want 1 or more")
    raters = (~np.isnan(table)).sum(axis=0)
    kept = raters >= 2
    lone = int(((raters < 2) & (raters > 0)).sum())
    notes = [f"{lone} items with one rater are left out"] if lone else []
    sizes = {"items": int(kept.sum()), "ratings": int(raters[kept].sum())}
    nothing = Halves(None)
    if sizes["items"] < 3:
        notes.append(f"too few items with two raters: {sizes['items']}")
        return Ceiling(nothing, nothing, nothing, notes=tuple(notes), **sizes)
    random = np.random.default_rng(seed)
    splits = list(_splits(table[:, kept], random))
    _, of = np.unique(names[kept], return_inverse=True)
    groups = int(of.max()) + 1
    if groups < FEWEST_CLUSTERS:
        notes.append(f"no interval: it needs {FEWEST_CLUSTERS} sources and has {groups}")
        draws = 0
    members = _members(of, groups)
    picked = [random.integers(0, groups, groups) for _ in range(draws)]
    drawn = [np.concatenate([members[g] for g in pick]) for pick in picked]
    rho, r, tau_b = (_halves(way, splits, drawn, groups) for way in (_rho, _r, _tau))
    if r.halves is None:
        notes.append("all means of a half are the same")
    elif r.best is None:
        notes.append("the halves go against each other: there is no common opinion")
    return Ceiling(rho, r, tau_b, notes=tuple(notes), **sizes)


_Way = Callable[[Floats, Floats], float]


def _halves(
    way: _Way, splits: list[tuple[Floats, Floats]], drawn: list[NDArray[np.intp]], groups: int
) -> Halves:
    """One coefficient over the splits, and its interval with a split in turn for each draw."""
    values = np.array([way(one, two) for one, two in splits])
    values = values[np.isfinite(values)]
    if not len(values):
        return Halves(None)
    linear = way is not _tau
    halves = float(values.mean())
    panel = _stepped(halves, linear)
    again = []
    often = FEW if way is _tau and len(splits[0][0]) > MANY else len(drawn)
    for turn, places in enumerate(drawn[:often]):
        one, two = splits[turn % len(splits)]
        again.append(way(one[places], two[places]))
    there = np.array([_stepped(value, linear) for value in again if math.isfinite(value)])
    if not len(there) or 2 * len(there) < len(again):
        return Halves(halves, panel, best=_best(panel, linear))
    span = expanded_percentiles(there, groups)
    return Halves(halves, panel, span.low, span.high, _best(panel, linear))


def _stepped(value: float, linear: bool) -> float:
    """Spearman–Brown for twice the raters; −1 where halves go against each other as far as that."""
    r = value if linear else math.sin(math.pi * value / 2)
    up = 2 * r / (1 + r) if r > -1 / 3 else -1.0
    return up if linear else 2 / math.pi * math.asin(up)


def _best(panel: float, linear: bool) -> float | None:
    """What the true opinion would have with the panel's mean; None where the panel has none."""
    if panel < 0:
        return None
    r = panel if linear else math.sin(math.pi * panel / 2)
    return math.sqrt(r) if linear else 2 / math.pi * math.asin(math.sqrt(r))


def _splits(table: Floats, random: np.random.Generator) -> Iterator[tuple[Floats, Floats]]:
    """Means of two random halves of each item's raters; the odd one goes to either half."""
    rated = ~np.isnan(table)
    filled = np.where(rated, table, 0.0)
    count = rated.sum(axis=0)
    for _ in range(SPLITS):
        keys = np.where(rated, random.random(table.shape), np.inf)
        place = np.argsort(np.argsort(keys, axis=0), axis=0)
        extra = random.integers(0, 2, table.shape[1]) * (count % 2)
        half = count // 2 + extra
        first = place < half
        one = (filled * first).sum(axis=0) / half
        two = (filled * (rated & ~first)).sum(axis=0) / (count - half)
        yield one, two


def _members(of: NDArray[np.intp], groups: int) -> list[NDArray[np.intp]]:
    order = np.argsort(of, kind="stable")
    return np.split(order, np.cumsum(np.bincount(of, minlength=groups))[:-1])


def _r(one: Floats, two: Floats) -> float:
    a, b = one - one.mean(), two - two.mean()
    size = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / size if size > 0 else math.nan


def _rho(one: Floats, two: Floats) -> float:
    return _r(middle_ranks(one), middle_ranks(two))


def _tau(one: Floats, two: Floats) -> float:
    found = tau(one, two)
    return math.nan if found is None else found


def rank_correlation(one: Floats, two: Floats) -> float | None:
    """Spearman's coefficient of two columns without gaps; None where one does not vary."""
    found = _rho(one, two) if len(one) > 1 else math.nan
    return None if math.isnan(found) else found


def middle_ranks(values: Floats) -> Floats:
    """Ranks from 1, equals having their middle rank."""
    _, at, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2)[at])
