"""How two lists of numbers go together: Pearson, Spearman, Kendall's τ-b, and agreement.

Each has a seeded bootstrap interval in which sources are drawn with replacement, with the ends of
`bootstrap.expanded_percentiles`. A draw is a weight for each pair, so ranks and ties are those of
the draw. Kendall (1945), "The treatment of ties in ranking problems", Biometrika 33(3), for τ-b;
Lin (1989), "A concordance correlation coefficient to evaluate reproducibility", Biometrics 45(1),
for `concordance`, which for scores on one scale is Cohen's κ with quadratic weights.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overpaint.stats.bootstrap import (
    FEWEST_CLUSTERS,
    Floats,
    draw_counts,
    expanded_percentiles,
)

DRAWS = 2_000
MOST_FOR_KENDALL = 1_500  # different pairs up to which τ is drawn again: it compares all with all
_ROOM = 1_000_000  # numbers held at a time while resampling
_ROUNDING = 1e-12  # a spread below this share of the values is none


@dataclass(frozen=True)
class Correlation:
    """A coefficient. What cannot be had is None, and `notes` say why."""

    value: float | None
    low: float | None = None  # 95 % bootstrap interval, sources drawn with replacement
    high: float | None = None
    n: int = 0  # pairs
    clusters: int = 0
    notes: tuple[str, ...] = ()


def pearson(a: ArrayLike, b: ArrayLike, clusters: Sequence[Any], *, seed: int = 0,
            draws: int = DRAWS) -> Correlation:  # fmt: skip
    """Pearson's r: how far the two go together on a straight line."""
    return _correlated(_pearson, (a, b), clusters, (seed, draws))


def spearman(a: ArrayLike, b: ArrayLike, clusters: Sequence[Any], *, seed: int = 0,
             draws: int = DRAWS) -> Correlation:  # fmt: skip
    """Spearman's ρ: Pearson's r of the ranks, equals having their middle rank."""
    return _correlated(_spearman, (a, b), clusters, (seed, draws))


def kendall(a: ArrayLike, b: ArrayLike, clusters: Sequence[Any], *, seed: int = 0,
            draws: int = DRAWS) -> Correlation:  # fmt: skip
    """Kendall's τ-b: pairs in the same order less pairs in the other, of those not tied."""
    return _correlated(_kendall, (a, b), clusters, (seed, draws))


def concordance(a: ArrayLike, b: ArrayLike, clusters: Sequence[Any], *, seed: int = 0,
                draws: int = DRAWS) -> Correlation:  # fmt: skip
    """Agreement beyond chance, 1 where the two are the same: κ with quadratic weights."""
    return _correlated(_concordance, (a, b), clusters, (seed, draws))


# ── from pairs to an interval ───────────────────────────────────────────────────────────


class _Cells(NamedTuple):
    """The different pairs of values, each once."""

    a: Floats
    b: Floats


_Statistic = Callable[[Floats, _Cells], Floats]  # (draws, cells) weights -> one number a draw


def _correlated(
    statistic: _Statistic,
    sides: tuple[ArrayLike, ArrayLike],
    clusters: Sequence[Any],
    seeded: tuple[int, int],
) -> Correlation:
    pairs = np.stack([np.asarray(side, np.float64) for side in sides], axis=1)
    if len(pairs) != len(clusters) or not np.isfinite(pairs).all():
        raise ValueError(f"{len(pairs)} pairs of finite numbers need a source each")
    values, cell = np.unique(pairs, axis=0, return_inverse=True)
    of = _numbered(cell.reshape(-1), clusters)
    sizes = {"n": len(pairs), "clusters": int(of.max(initial=-1)) + 1}
    if len(pairs) < 3:
        return Correlation(None, notes=(f"too few pairs: {len(pairs)}",), **sizes)
    cells = _Cells(values[:, 0], values[:, 1])
    whole = np.bincount(cell.reshape(-1), minlength=len(values)).astype(np.float64)
    value = float(statistic(whole[None], cells)[0])
    if not np.isfinite(value):
        return Correlation(None, notes=("all values of one side are the same",), **sizes)
    if len(values) > MOST_FOR_KENDALL and statistic is _kendall:
        return Correlation(value, notes=("no interval: too many different pairs",), **sizes)
    if sizes["clusters"] < FEWEST_CLUSTERS:
        few = f"no interval: it needs {FEWEST_CLUSTERS} sources and has {sizes['clusters']}"
        return Correlation(value, notes=(few,), **sizes)
    drawn = [statistic(w, cells) for w in _weights(cell.reshape(-1), of, seeded)]
    return _with_interval(value, np.concatenate(drawn), sizes)


def _with_interval(value: float, drawn: Floats, sizes: dict[str, int]) -> Correlation:
    """The interval from what draws gave; one without variation gives nothing and is left out."""
    there = drawn[np.isfinite(drawn)]
    if 2 * len(there) < len(drawn):
        note = "no interval: most draws of sources have no variation"
        return Correlation(value, notes=(note,), **sizes)
    lost = len(drawn) - len(there)
    notes = (f"{lost} of {len(drawn)} draws have no variation and are left out",) if lost else ()
    span = expanded_percentiles(there, sizes["clusters"])
    return Correlation(value, span.low, span.high, notes=notes, **sizes)


def _numbered(cell: NDArray[np.intp], clusters: Sequence[Any]) -> NDArray[np.intp]:
    """The number of each pair's source, in an order that only the sources' pairs decide.

    So neither the order of pairs nor the names of sources can move an interval.
    """
    _, of = np.unique(np.asarray(list(clusters)), return_inverse=True)
    members: list[list[int]] = [[] for _ in range(int(of.max(initial=-1)) + 1)]
    for place, number in zip(of.reshape(-1).tolist(), cell.tolist(), strict=True):
        members[place].append(number)
    order = sorted(range(len(members)), key=lambda place: sorted(members[place]))
    rank = np.empty(len(members), np.intp)
    rank[order] = np.arange(len(members))
    return rank[of.reshape(-1)]


def _weights(
    cell: NDArray[np.intp], of: NDArray[np.intp], seeded: tuple[int, int]
) -> Iterator[Floats]:
    """How often each cell is in a draw of sources, (draws, cells), some draws at a time."""
    sources, cells = int(of.max()) + 1, int(cell.max()) + 1
    order = np.argsort(cell, kind="stable")
    starts = np.flatnonzero(np.diff(cell[order], prepend=-1))
    # Scores have few levels: then a table of sources by cells is small, and a product is quick.
    small = sources * cells <= _ROOM
    table = np.zeros((sources, cells) if small else (0, 0))
    if small:
        np.add.at(table, (of, cell), 1)
    step = max(1, _ROOM // len(cell))
    for counts in draw_counts(sources, *seeded):
        if small:
            yield counts @ table
            continue
        for start in range(0, len(counts), step):
            here = counts[start : start + step, of[order]]
            yield np.add.reduceat(here, starts, axis=1)


# ── the coefficients, for many weightings at once ───────────────────────────────────────


def _pearson(weights: Floats, cells: _Cells) -> Floats:
    return _weighted(weights, *np.broadcast_arrays(cells.a, cells.b, weights)[:2])


def _spearman(weights: Floats, cells: _Cells) -> Floats:
    return _weighted(weights, _ranks(weights, cells.a), _ranks(weights, cells.b))


def _concordance(weights: Floats, cells: _Cells) -> Floats:
    a, b = np.broadcast_arrays(cells.a, cells.b, weights)[:2]
    aa, bb, ab, apart = _moments(weights, a, b)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = 2 * ab / (aa + bb + apart**2)
    return np.where(aa + bb + apart**2 > 0, found, np.nan)


def _weighted(weights: Floats, a: Floats, b: Floats) -> Floats:
    """Pearson's r of each row; NaN where a side does not vary."""
    aa, bb, ab, _ = _moments(weights, a, b)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = ab / np.sqrt(aa * bb)
    return np.where((aa > 0) & (bb > 0), np.clip(found, -1, 1), np.nan)


def _moments(weights: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Variances, covariance and difference of means of each row; no spread is exactly 0."""
    total = weights.sum(axis=1)
    means = [(weights * side).sum(axis=1) / total for side in (a, b)]
    da, db = (side - mean[:, None] for side, mean in zip((a, b), means, strict=True))
    aa, bb = ((weights * d * d).sum(axis=1) / total for d in (da, db))
    aa, bb = (
        np.where(s > (_ROUNDING * np.abs(side).max()) ** 2, s, 0.0)
        for s, side in zip((aa, bb), (a, b), strict=True)
    )
    return aa, bb, (weights * da * db).sum(axis=1) / total, means[0] - means[1]


def _ranks(weights: Floats, values: Floats) -> Floats:
    """The middle rank of each cell's value in each row."""
    _, place = np.unique(values, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    totals = np.add.reduceat(weights[:, order], starts, axis=1)
    middle: Floats = np.cumsum(totals, axis=1) - totals / 2
    return middle[:, place.reshape(-1)]


def _kendall(weights: Floats, cells: _Cells) -> Floats:
    """All cells against all, some rows of the comparison at a time."""
    same, in_a, in_b = (np.zeros(len(weights)) for _ in range(3))
    step = max(1, 4 * _ROOM // len(cells.a))
    for start in range(0, len(cells.a), step):
        here = slice(start, start + step)
        a, b = (np.sign(side[here, None] - side[None]) for side in cells)
        mine = weights[:, here]
        same += (mine @ (a * b) * weights).sum(axis=1)
        in_a += (mine @ np.abs(a) * weights).sum(axis=1)
        in_b += (mine @ np.abs(b) * weights).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(in_a * in_b > 0, same / np.sqrt(in_a * in_b), np.nan)
