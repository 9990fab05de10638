"""How two lists of numbers go together: Pearson, Spearman, Kendall's τ-b, and agreement.

Each has a seeded bootstrap interval in which sources are drawn with replacement, with the ends of
`bootstrap.expanded_percentiles`. A draw is a weight for each pair, so ranks and ties are those of
the draw. Kendall (1945), "The treatment of ties in ranking problems", Biometrika 33(3), for τ-b;
Lin (1989), "A concordance correlation coefficient to evaluate reproducibility", Biometrics 45(1),
for `concordance`, which for scores on one scale is Cohen's κ with quadratic weights.

Where all would have to be compared with all too often, τ and `pairwise_accuracy` have the interval
of their linear part instead (the infinitesimal jackknife of Jaeckel 1972, sources being left out),
with Student's t, on the scale of Fisher's z.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overpaint.stats.bootstrap import (
    FEWEST_CLUSTERS,
    Clustered,
    Floats,
    draw_counts,
    expanded_percentiles,
    intervals,
    t_quantile,
)
from overpaint.stats.pairs import CLEAR, Orders, clear_orders, orders

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


def rmse(a: ArrayLike, b: ArrayLike, clusters: Sequence[Any], *, seed: int = 0,
         draws: int = DRAWS) -> Correlation:  # fmt: skip
    """The root of the mean squared difference of two lists on one scale."""
    return _correlated(_apart, (a, b), clusters, (seed, draws))


def pairwise_accuracy(
    a: ArrayLike,
    b: ArrayLike,
    clusters: Sequence[Any],
    *,
    errors: ArrayLike | None = None,
    within: Sequence[Any] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> Correlation:
    """The share of pairs of edits that the measure a orders as people's b do; ½ is chance.

    Pairs that tie in b are not counted, those that tie in a count ½. With the standard `errors` of
    b only pairs that people clearly separate count (|Δb| beyond 1.96 of its error, p < .05); with
    `within` only pairs of one group, such as the edits of one source.
    """
    noise = np.zeros(len(np.asarray(b))) if errors is None else np.asarray(errors, np.float64)
    if noise.shape != np.asarray(b).shape or not np.isfinite(noise).all() or (noise < 0).any():
        raise ValueError("errors: give one standard error, 0 or more, for each score of people")
    if within is not None:
        return _accuracy_within((a, b, noise), clusters, within, (seed, draws))
    return _correlated(_accuracy, (a, b, noise), clusters, (seed, draws))


# ── from pairs to an interval ───────────────────────────────────────────────────────────


class _Cells(NamedTuple):
    """The different pairs of values, each once."""

    a: Floats
    b: Floats
    errors: Floats  # of b; 0 where only a and b matter


_Statistic = Callable[[Floats, _Cells], Floats]  # (draws, cells) weights -> one number a draw


def _correlated(
    statistic: _Statistic,
    sides: tuple[ArrayLike, ...],
    clusters: Sequence[Any],
    seeded: tuple[int, int],
) -> Correlation:
    pairs = columns_of(sides, clusters)
    values, cell = np.unique(pairs, axis=0, return_inverse=True)
    of = numbered(cell.reshape(-1), clusters)
    sizes = {"n": len(pairs), "clusters": int(of.max(initial=-1)) + 1}
    if len(pairs) < 3:
        return Correlation(None, notes=(f"too few pairs: {len(pairs)}",), **sizes)
    cells = _Cells(values[:, 0], values[:, 1], values[:, 2])
    if len(values) > MOST_FOR_KENDALL and statistic in (_kendall, _accuracy):
        return _linear(statistic, _Cells(*pairs.T), of, sizes)
    whole = np.bincount(cell.reshape(-1), minlength=len(values)).astype(np.float64)
    value = float(statistic(whole[None], cells)[0])
    if not np.isfinite(value):
        return Correlation(None, notes=(_nothing(statistic),), **sizes)
    if sizes["clusters"] < FEWEST_CLUSTERS:
        return Correlation(value, notes=(few(sizes["clusters"]),), **sizes)
    drawn = [statistic(w, cells) for w in _weights(cell.reshape(-1), of, seeded)]
    return with_interval(value, np.concatenate(drawn), sizes)


def columns_of(sides: tuple[ArrayLike, ...], clusters: Sequence[Any]) -> Floats:
    """The sides as columns, errors of 0 added where none are given."""
    columns = [np.asarray(side, np.float64) for side in sides]
    if len({column.shape for column in columns}) > 1 or columns[0].ndim != 1:
        shapes = " and ".join(str(column.shape) for column in columns[:2])
        raise ValueError(f"shapes {shapes}: give two flat lists of one length")
    columns += [np.zeros(len(columns[0]))] * (3 - len(columns))
    pairs = np.stack(columns, axis=1)
    if len(pairs) != len(clusters) or not np.isfinite(pairs).all():
        raise ValueError(f"{len(pairs)} pairs of finite numbers need a source each")
    return pairs


def _nothing(statistic: _Statistic) -> str:
    if statistic is _accuracy:
        return "people put no pair clearly apart"
    return "all values of one side are the same"


def few(clusters: int) -> str:
    """Why so few sources have no interval."""
    return f"no interval: it needs {FEWEST_CLUSTERS} sources and has {clusters}"


def with_interval(value: float, drawn: Floats, sizes: dict[str, int]) -> Correlation:
    """The interval from what draws gave; one without variation gives nothing and is left out."""
    there = drawn[np.isfinite(drawn)]
    if 2 * len(there) < len(drawn):
        note = "no interval: most draws of sources have no variation"
        return Correlation(value, notes=(note,), **sizes)
    lost = len(drawn) - len(there)
    notes = (f"{lost} of {len(drawn)} draws have no variation and are left out",) if lost else ()
    span = expanded_percentiles(there, sizes["clusters"])
    return Correlation(value, span.low, span.high, notes=notes, **sizes)


def _linear(
    statistic: _Statistic, items: _Cells, of: NDArray[np.intp], sizes: dict[str, int]
) -> Correlation:
    """τ or the accuracy with the interval of its linear part, in the time of a sort."""
    counts = orders(items.a, items.b)
    if statistic is _accuracy:
        clear = clear_orders(*items) if items.errors.any() else (counts.alike, counts.apart_b)
        counts = Orders(clear[0], clear[1], clear[1])
    alike, first, second = (float(part.sum()) for part in counts)
    if not first or not second:
        return Correlation(None, notes=(_nothing(statistic),), **sizes)
    value = alike / math.sqrt(first * second)
    pull = 2 * counts.alike / math.sqrt(first * second)
    pull -= value * (counts.apart_a / first + counts.apart_b / second)
    groups = sizes["clusters"]
    share = 0.5 if statistic is _accuracy else 1.0  # (1 + τ) / 2 pairs of a hundred are right
    shown = value * share + 1 - share
    if groups < FEWEST_CLUSTERS or abs(value) >= 1:
        why = few(groups) if groups < FEWEST_CLUSTERS else "no interval: all pairs go one way"
        return Correlation(shown, notes=(why,), **sizes)
    by_source = np.bincount(of, pull, groups)
    error = math.sqrt(groups / (groups - 1) * float(by_source @ by_source))
    reach = t_quantile(0.975, groups - 1) * error / (1 - value * value)
    ends = [math.tanh(math.atanh(value) + side) * share + 1 - share for side in (-reach, reach)]
    return Correlation(shown, ends[0], ends[1], notes=(), **sizes)


def _accuracy_within(
    sides: tuple[ArrayLike, ...],
    clusters: Sequence[Any],
    within: Sequence[Any],
    seeded: tuple[int, int],
) -> Correlation:
    """The accuracy over pairs of one group; a source is drawn with all pairs of its groups."""
    items = columns_of(sides, clusters)
    _, of = np.unique(np.asarray(list(clusters)), return_inverse=True)
    if len(within) != len(items):
        raise ValueError(f"{len(items)} pairs have {len(within)} groups; give one for each")
    _, group = np.unique(np.asarray(list(within)), return_inverse=True)
    sizes = {"n": len(items), "clusters": int(of.max(initial=-1)) + 1}
    right, counted = np.zeros(sizes["clusters"]), np.zeros(sizes["clusters"])
    order = np.argsort(group, kind="stable")
    for places in np.split(order, np.cumsum(np.bincount(group))[:-1]) if len(items) else []:
        if len(set(of[places].tolist())) > 1:
            raise ValueError("a group has edits of several sources; a source holds whole groups")
        alike, apart = clear_orders(*items[places].T)
        counted[of[places[0]]] += apart.sum() / 2
        right[of[places[0]]] += (apart + alike).sum() / 4
    kept = counted > 0
    order = np.lexsort((right[kept], counted[kept]))
    column = Clustered(right[kept][order], counted[kept][order])
    sizes["clusters"] = len(column)
    if not len(column):
        return Correlation(None, notes=(_nothing(_accuracy),), **sizes)
    span = intervals([column], seed=seeded[0], draws=seeded[1])[0]
    notes = () if span else (few(len(column)),)
    return Correlation(column.mean, span and span.low, span and span.high, notes=notes, **sizes)


def numbered(cell: NDArray[np.intp], clusters: Sequence[Any]) -> NDArray[np.intp]:
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


def _apart(weights: Floats, cells: _Cells) -> Floats:
    return np.asarray(np.sqrt(weights @ (cells.a - cells.b) ** 2 / weights.sum(axis=1)))


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
        a, b = (np.sign(side[here, None] - side[None]) for side in cells[:2])
        mine = weights[:, here]
        same += (mine @ (a * b) * weights).sum(axis=1)
        in_a += (mine @ np.abs(a) * weights).sum(axis=1)
        in_b += (mine @ np.abs(b) * weights).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(in_a * in_b > 0, same / np.sqrt(in_a * in_b), np.nan)


def _accuracy(weights: Floats, cells: _Cells) -> Floats:
    """All cells against all; a pair counts where people put it clearly apart."""
    right, counted = (np.zeros(len(weights)) for _ in range(2))
    square = (CLEAR * cells.errors) ** 2
    step = max(1, 4 * _ROOM // len(cells.a))
    for start in range(0, len(cells.a), step):
        here = slice(start, start + step)
        down = cells.b[here, None] - cells.b[None]
        clear = (down * down > square[here, None] + square[None]).astype(np.float64)
        way = np.sign(cells.a[here, None] - cells.a[None]) * np.sign(down)
        mine = weights[:, here]
        right += (mine @ (clear * (1 + way) / 2) * weights).sum(axis=1)
        counted += (mine @ clear * weights).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(counted > 0, right / counted, np.nan)
