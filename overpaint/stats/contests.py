"""Who wins: strengths behind pairwise wins after Bradley and Terry, ties being half a win each.

Strengths by the MM iteration of Hunter (2004), "MM algorithms for generalized Bradley–Terry
models", The Annals of Statistics 32(1). They exist where every contestant can be reached from
every other along wins; one that never lost anything has no finite strength, and no number is
made up for it.

Intervals leave out one source at a time (the jackknife, as a single Newton step from the whole:
the CR3 of MacKinnon & White 1985, Journal of Econometrics 29, with sources as clusters), so votes
about one source may hang together and ties need no model of their own. Ends are Student's t with
one degree of freedom less than there are sources, for log-strengths as they are and for shares on
the logit scale, where they stay between 0 and 1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.stats.bootstrap import FEWEST_CLUSTERS, Floats, Interval, t_quantile

STEPS = 5_000
CLOSE = 1e-9  # the iteration ends when no share of strength moves by more
_CLIMBS = 100
_SETTLED = 1e-12  # of a log-strength


@dataclass(frozen=True)
class Standing:
    """One contestant. What cannot be had is None."""

    strength: float | None = None  # logarithm; those of all contestants add up to 0
    low: float | None = None
    high: float | None = None
    share: float | None = None  # of contests won against the others, met equally often
    share_low: float | None = None
    share_high: float | None = None


@dataclass(frozen=True)
class Standings:
    """All contestants in their order, and why numbers are missing."""

    standings: tuple[Standing, ...]
    sources: int  # with at least one contest
    contests: float
    notes: tuple[str, ...] = ()


def bradley_terry(by_source: Floats, *, level: float = 0.95) -> Standings:
    """Log-strengths and expected shares with intervals, from wins (sources, n, n).

    by_source[s, i, j] is how often i beat j at source s, a tie being ½ on each side.
    """
    wins = _checked(by_source, level)
    wins = wins[wins.any(axis=(1, 2))]
    n, total = wins.shape[-1], wins.sum(axis=0)
    sizes: dict[str, Any] = {"sources": len(wins), "contests": float(total.sum())}
    if n < 2 or not bool(_connected(total[None])[0]):
        return Standings((Standing(),) * n, notes=(_endless(total),), **sizes)
    logs = _climbed(total)
    shares = expected(np.exp(logs - logs.max()))
    made = [Standing(float(log), share=float(s)) for log, s in zip(logs, shares, strict=True)]
    if len(wins) < FEWEST_CLUSTERS:
        few = f"no intervals: they need {FEWEST_CLUSTERS} sources and have {len(wins)}"
        return Standings(tuple(made), notes=(few,), **sizes)
    moved = _left_out(wins, logs)
    if moved is None:
        lone = "no intervals: without one of the sources some have no finite strength"
        return Standings(tuple(made), notes=(lone,), **sizes)
    spread = (len(wins) - 1) / len(wins) * moved.T @ moved
    if np.abs(spread).max() < _SETTLED:
        steady = "no intervals: every source has the same results, there is no spread to go by"
        return Standings(tuple(made), notes=(steady,), **sizes)
    reach = t_quantile((1 + level) / 2, len(wins) - 1)
    return Standings(_spanned(logs, shares, spread, reach), **sizes)


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


def expected_intervals(by_source: Floats) -> Sequence[Interval | None]:
    """The intervals of `expected` for wins (sources, n, n); None where `bradley_terry` has none."""
    return [
        None
        if one.share_low is None or one.share_high is None
        else Interval(one.share_low, one.share_high)
        for one in bradley_terry(by_source).standings
    ]


# ── the parts of an interval ────────────────────────────────────────────────────────────


def _checked(by_source: Floats, level: float) -> Floats:
    wins = np.asarray(by_source, np.float64)
    if wins.ndim != 3 or wins.shape[1] != wins.shape[2]:
        raise ValueError(f"wins of shape {wins.shape}: give sources × contestants × contestants")
    if not np.isfinite(wins).all() or (wins < 0).any():
        raise ValueError("wins: give numbers of 0 or more, ½ on each side for a tie")
    if np.einsum("sii->s", wins).any():
        raise ValueError("wins: nobody meets itself, the diagonal must be 0")
    if not 0 < level < 1:
        raise ValueError(f"level {level}: want one between 0 and 1")
    return wins


def _endless(total: Floats) -> str:
    """Why there are no finite strengths, and whose fault it is."""
    met = (total + total.T).any(axis=1)
    unmet = np.flatnonzero(~met).tolist()
    if unmet or len(total) < 2:
        return f"no strengths: contestants {unmet} met nobody" if unmet else "only one contestant"
    lost, won = total.sum(axis=0), total.sum(axis=1)
    for side, word in ((lost, "lost"), (won, "won")):
        never = np.flatnonzero(side == 0).tolist()
        if never:
            return f"no finite strengths: contestants {never} never {word}"
    return "no finite strengths: some never met, or never lost to, the rest"


def _chances(logs: Floats) -> Floats:
    """How likely i beats j."""
    return np.asarray(0.5 * (1 + np.tanh((logs[:, None] - logs[None]) / 2)))


def _climbed(total: Floats) -> Floats:
    """The most likely log-strengths by Newton's method, their mean being 0.

    The likelihood is concave; a step that does not climb is halved.
    """
    games, n = total + total.T, len(total)
    logs = np.zeros(n)
    here = _likelihood(total, logs)
    for _ in range(_CLIMBS):
        chance = _chances(logs)
        uphill = (total - games * chance).sum(axis=1)
        step = np.linalg.solve(_bend(games, chance) + 1.0 / n, uphill)
        there = _likelihood(total, logs + step)
        while there < here - 1e-12 * abs(here):
            step /= 2
            there = _likelihood(total, logs + step)
        logs, here = logs + step, there
        if np.abs(step).max() < _SETTLED:
            break
    return np.asarray(logs - logs.mean())


def _likelihood(total: Floats, logs: Floats) -> float:
    return -float((total * np.logaddexp(0, logs[None] - logs[:, None])).sum())


def _bend(games: Floats, chance: Floats) -> Floats:
    """Minus the second derivative of the likelihood, for one table or many."""
    off = games * (chance * (1 - chance))
    bend = -off
    n = games.shape[-1]
    bend[..., range(n), range(n)] = off.sum(axis=-1) - off[..., range(n), range(n)]
    return np.asarray(bend)


def _left_out(wins: Floats, logs: Floats) -> Floats | None:
    """How far each source moves the log-strengths, (sources, n); None where it holds them up."""
    games = wins + np.swapaxes(wins, 1, 2)
    chance, n = _chances(logs), len(logs)
    pulls = (wins - games * chance).sum(axis=2)
    bends = _bend(games.sum(axis=0), chance) - _bend(games, chance) + 1.0 / n
    if float(np.linalg.cond(bends).max()) > 1e10:
        return None
    moved = np.linalg.solve(bends, pulls[:, :, None])[:, :, 0]
    return np.asarray(moved - moved.mean(axis=1, keepdims=True))


def _spanned(logs: Floats, shares: Floats, spread: Floats, reach: float) -> tuple[Standing, ...]:
    n = len(logs)
    slopes = _bend(np.ones((n, n)) - np.eye(n), _chances(logs)) / (n - 1)
    made = []
    for i in range(n):
        log, share = float(logs[i]), float(shares[i])
        far = reach * math.sqrt(max(0.0, float(spread[i, i])))
        wide = reach * math.sqrt(max(0.0, float(slopes[i] @ spread @ slopes[i])))
        odds, wide = math.log(share / (1 - share)), wide / (share * (1 - share))
        ends = [1 / (1 + math.exp(-odds - side)) for side in (-wide, wide)]
        made.append(Standing(log, log - far, log + far, share, ends[0], ends[1]))
    return tuple(made)


# ── strengths by iteration, for many tables at once ─────────────────────────────────────


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
