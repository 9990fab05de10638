"""Who wins: strengths behind pairwise wins after Bradley and Terry, ties being half a win each.

Strengths by the MM iteration of Hunter (2004), "MM algorithms for generalized Bradley–Terry
models", The Annals of Statistics 32(1). They exist where every contestant can be reached from
every other along wins; one that never lost anything has no finite strength, and no number is
made up for it.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from overpaint.stats.bootstrap import (
    FEWEST_CLUSTERS,
    Floats,
    Interval,
    draw_counts,
    expanded_percentiles,
)

STEPS = 5_000
CLOSE = 1e-9  # the iteration ends when no share of strength moves by more


def strengths(wins: Floats) -> Floats:
    """Strengths that add up to 1, from wins[i, j] = how often i beat j; a tie is ½ on each side.

    Works on many tables at once, (…, n, n); NaN where a table has no finite strengths.
    """
    wins = np.asarray(wins, np.float64)
    shape, n = wins.shape[:-2], wins.shape[-1]
    tables = wins.reshape(-1, n, n)
    found = np.full((len(tables), n), np.nan)
    solvable = np.flatnonzero(_connected(tables))
    found[solvable] = _iterated(tables[solvable])
    return found.reshape(*shape, n)


def expected(strength: Floats) -> Floats:
    """The share of contests each would win against the others, met equally often."""
    n = strength.shape[-1]
    odds = strength[..., :, None] / (strength[..., :, None] + strength[..., None, :])
    shares: Floats = (odds.sum(axis=-1) - 0.5) / max(n - 1, 1)
    return shares


def expected_intervals(
    by_source: Floats, *, seed: int, draws: int = 1_000
) -> Sequence[Interval | None]:
    """Intervals of `expected` for wins (sources, n, n), sources drawn with replacement.

    None where there are fewer than five sources, or where most draws have no finite strengths.
    """
    sources, n = len(by_source), by_source.shape[-1]
    if sources < FEWEST_CLUSTERS:
        return [None] * n
    flat = by_source.reshape(sources, n * n)
    flat = flat[np.lexsort(flat.T)]  # so that no order of the sources can move it
    tables = np.concatenate([counts @ flat for counts in draw_counts(sources, seed, draws)])
    drawn = expected(strengths(tables.reshape(draws, n, n)))
    there = drawn[np.isfinite(drawn).all(axis=1)]
    if 2 * len(there) < draws:
        return [None] * n
    return [expanded_percentiles(there[:, i], sources) for i in range(n)]


def _connected(tables: Floats) -> NDArray[np.bool_]:
    """Whether everyone is reached from everyone along wins."""
    n = tables.shape[-1]
    reach = (tables > 0) | np.eye(n, dtype=bool)
    for _ in range(max(n - 1, 1).bit_length()):
        reach = (reach.astype(np.float64) @ reach.astype(np.float64)) > 0
    return np.asarray(reach.all(axis=(1, 2)))


def _iterated(tables: Floats) -> Floats:
    """The MM iteration; tables that have settled are left alone."""
    games = tables + np.swapaxes(tables, 1, 2)
    won = tables.sum(axis=2)
    n = tables.shape[-1]
    found = np.full((len(tables), n), 1 / n)
    going = np.arange(len(tables))
    for _ in range(STEPS):
        if not len(going):
            break
        now = found[going]
        met = games[going] / (now[:, :, None] + now[:, None, :])
        new = won[going] / met.sum(axis=2)
        new /= new.sum(axis=1, keepdims=True)
        found[going] = new
        going = going[np.abs(new - now).max(axis=1) > CLOSE]
    return found
