"""Growing a fusion's members from numbers: boosted trees, and curves that add up.

    trees     gradient boosting for squared error (Friedman 2001), features in at most 255 bins;
              what is missing goes to the side that is better for it, as in scikit-learn
    curves    a sum of curves of one feature each, none of which turns: at every step the feature
              that explains most of what is left gets a little of its isotonic fit (least squares,
              pool adjacent violators). Whether it rises or falls is decided by rank correlation

Both take edits × features, NaN where a feature is missing, and depend on the seed alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overpaint.measures.learned.fusion import Curves, Trees
from overpaint.stats.ceiling import rank_correlation

Floats = NDArray[np.float64]
Bins = NDArray[np.uint8]

MISSING = 255  # the bin of what is missing
SHARE_KNOWN = 0.5  # of edits that have a feature, below which no curve is drawn of it


@dataclass(frozen=True)
class TreeTerms:
    """How trees are grown."""

    trees: int = 300
    depth: int = 3
    rate: float = 0.05
    fewest: int = 6  # edits of a leaf
    pull: float = 1.0  # towards 0, in edits
    bins: int = 255
    columns: float = 1.0  # share of the features that a tree may use
    rows: float = 1.0  # share of the edits that a tree sees


@dataclass(frozen=True)
class CurveTerms:
    """How curves are fitted."""

    steps: int = 300
    rate: float = 0.1
    bins: int = 32
    sure: float = 2.0  # z of a rank correlation below which a feature is left out


# ── bins ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Binned:
    """Features cut into bins: which bin each value is in, and where one ends."""

    of: Bins
    edges: Sequence[Floats]


def binned(values: Floats, most: int) -> Binned:
    """Every feature in bins of about as many edits; a bin for each value where they are few."""
    edges = [_edges(column[~np.isnan(column)], most) for column in values.T]
    found = np.full(values.shape, MISSING, np.uint8)
    for at, (column, ends) in enumerate(zip(values.T, edges, strict=True)):
        there = ~np.isnan(column)
        found[there, at] = np.searchsorted(ends, column[there], side="left")
    return Binned(found, edges)


def _edges(known: Floats, most: int) -> Floats:
    distinct = np.unique(known)
    if len(distinct) <= most:
        return np.asarray((distinct[1:] + distinct[:-1]) / 2, np.float64)
    places = np.linspace(0, 100, most + 1)[1:-1]
    return np.unique(np.percentile(known, places, method="midpoint"))


# ── trees ───────────────────────────────────────────────────────────────────────────────


def grow_trees(values: Floats, wanted: Floats, terms: TreeTerms, *, seed: int = 0) -> Trees:
    """Boosted trees that tell `wanted` from the features."""
    from overpaint.training.fusion_kernels import grow

    cut = binned(values, min(terms.bins, MISSING))
    chance = np.random.default_rng(seed)
    start = float(wanted.mean())
    told = np.full(len(wanted), start)
    widest = max((len(edges) for edges in cut.edges), default=0) + 1
    rules = (terms.depth, terms.fewest, terms.pull, widest)
    made = []
    for _ in range(terms.trees):
        rows = _drawn(len(wanted), terms.rows, chance)
        columns = np.flatnonzero(_drawn(values.shape[1], terms.columns, chance))
        feature, place, left, leaves, at = grow(cut.of, wanted - told, rows, columns, rules)
        leaves = terms.rate * leaves
        told += leaves[at]
        thresholds = [_threshold(cut, f, p) for f, p in zip(feature, place, strict=True)]
        made.append((feature, thresholds, left, leaves))
    parts = [np.array([one[k] for one in made]) for k in range(4)]
    return Trees(start, parts[0].astype(np.int64), parts[1], parts[2], parts[3])


def _drawn(count: int, share: float, chance: np.random.Generator) -> NDArray[np.bool_]:
    """Which of so many are in, by lot and at least one."""
    if share >= 1:
        return np.ones(count, np.bool_)
    chosen = np.zeros(count, np.bool_)
    chosen[chance.permutation(count)[: max(1, round(share * count))]] = True
    return chosen


def _threshold(cut: Binned, feature: int, place: int) -> float:
    """The value up to which an edit goes to the left."""
    edges = cut.edges[feature] if feature >= 0 else ()
    return float(edges[place]) if place < len(edges) else np.inf


# ── curves ──────────────────────────────────────────────────────────────────────────────


def fit_curves(values: Floats, wanted: Floats, terms: CurveTerms) -> Curves:
    """Curves that never turn and add up to `wanted`."""
    from overpaint.training.fusion_kernels import climb

    cut = binned(values, min(terms.bins, MISSING))
    signs = np.array([_sign(column, wanted, terms.sure) for column in values.T], np.int8)
    width = max((len(edges) for edges in cut.edges), default=0) + 1
    counts = np.zeros((values.shape[1], width))
    for at, column in enumerate(cut.of.T):
        known, many = np.unique(column[column != MISSING], return_counts=True)
        counts[at, known] = many
    start = float(wanted.mean())
    left, added = wanted - start, dict[int, Floats]()
    for _ in range(terms.steps):
        chosen, curve = climb(cut.of, left, signs, counts)
        if chosen < 0:
            break
        step = terms.rate * curve
        added[chosen] = added.get(chosen, 0.0) + step
        here = cut.of[:, chosen]
        left = left - np.where(here == MISSING, 0.0, step[np.minimum(here, width - 1)])
    drawn = {at: _curve(values[:, at], cut.of[:, at], added[at]) for at in sorted(added)}
    return Curves(start, drawn)


def _sign(column: Floats, wanted: Floats, sure: float) -> int:
    """Whether what is wanted rises with a feature (1), falls (-1) or neither is sure (0)."""
    there = ~np.isnan(column)
    if there.sum() < max(SHARE_KNOWN * len(column), 3):
        return 0
    rho = rank_correlation(column[there], wanted[there]) or 0.0
    return int(np.sign(rho)) if abs(rho) * np.sqrt(there.sum() - 1) > sure else 0


def _curve(column: Floats, bins: Bins, heights: Floats) -> tuple[Floats, Floats]:
    """Knots and values: each bin at the mean of what it holds; straight lines go between."""
    known = np.unique(bins[bins != MISSING])
    middles = np.array([column[bins == one].mean() for one in known])
    return middles, heights[known]
