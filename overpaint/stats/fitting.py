"""Monotone curves from a measure to opinion scores: a logistic one and a staircase.

The logistic has four parameters, f(x) = β2 + (β1 − β2) / (1 + exp(−(x − β3) / β4)) with β4 > 0
(VQEG 2003, "Final report from the Video Quality Experts Group on the validation of objective
models of video quality assessment, phase II"; ITU-T P.1401): it rises where β1 > β2 and falls
where β1 < β2, and never turns. For a middle β3 and a width β4 the best β1 and β2 are a straight
line through the sigmoids, so the best curve is the one whose sigmoid correlates most with the
scores; a grid over (β3, β4) cannot miss its hill, and Levenberg and Marquardt climb it.

The staircase is isotonic regression by pooling adjacent violators (Barlow et al. 1972,
"Statistical Inference under Order Restrictions"), with straight lines between its steps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overpaint.stats.bootstrap import FEWEST_CLUSTERS, Floats, draw_counts
from overpaint.stats.correlation import DRAWS, Correlation, columns_of, few, numbered, with_interval

FEWEST_TO_FIT = 5  # one more than the logistic has parameters
STEEPEST, FLATTEST = 0.05, 20.0  # of β4, in standard deviations of x: a step, a straight line
STEPS = 200
PARTS = 256  # of the measure's range, in which draws take it for constant
_CLOSE = 1e-8  # the climb ends when the squared error falls by a smaller share
_ROUNDING = 1e-12  # a spread below this share of the values is none


@dataclass(frozen=True)
class Logistic:
    """A fitted curve; it is called with values of the measure and gives opinion scores."""

    beta1: float  # where it goes for large x
    beta2: float  # where it comes from
    beta3: float  # its middle
    beta4: float  # its width, positive
    rmse: float  # of the fit, over all pairs
    converged: bool
    notes: tuple[str, ...] = ()

    def __call__(self, x: ArrayLike) -> Floats:
        """The opinion score that goes with each x."""
        z = (np.asarray(x, np.float64) - self.beta3) / self.beta4
        return np.asarray(self.beta2 + (self.beta1 - self.beta2) * sigmoid(z))

    @property
    def rises(self) -> bool:
        """Whether larger x go with larger scores."""
        return self.beta1 > self.beta2


def fit_logistic(x: ArrayLike, y: ArrayLike) -> Logistic | None:
    """The monotone logistic with the least squared error; None where a side does not vary.

    ValueError for fewer than five pairs or what is not finite. A curve that ends as a straight
    line or as a step says so in its notes; one that was still moving is not `converged`.
    """
    a, b = pairs_of(x, y)
    if len(a) < FEWEST_TO_FIT:
        raise ValueError(f"{len(a)} pairs: a curve of 4 parameters wants {FEWEST_TO_FIT} or more")
    if not varies(a) or not varies(b):
        return None
    middle, spread = float(a.mean()), float(a.std())
    z = (a - middle) / spread
    start = _best_of_grid(z, b)
    (low, rise, m, u), converged = _climbed(z, b, start)
    width = float(np.exp(u))
    off = b - low - rise * sigmoid((z - m) / width)
    return Logistic(
        float(low + rise), float(low), middle + spread * float(m), spread * width,
        float(np.sqrt(np.mean(off * off))), converged, _notes(width, converged),
    )  # fmt: skip


@dataclass(frozen=True)
class Fitted:
    """A measure held against people through its curve: the curve, Pearson's r and the RMSE."""

    curve: Logistic | None
    plcc: Correlation  # of the curve's scores with people's; negative where the curve falls
    rmse: Correlation  # of the curve's scores, in points of people's


def fitted(
    a: ArrayLike, b: ArrayLike, clusters: Sequence[Any], *, seed: int = 0, draws: int = DRAWS
) -> Fitted:
    """The curve from the measure a to people's b, with what it leaves; draws fit it again.

    A draw takes the best of the grid of sigmoids, and many different a in 256 parts.
    """
    pairs = columns_of((a, b), clusters)
    _, cell = np.unique(pairs, axis=0, return_inverse=True)
    of = numbered(cell.reshape(-1), clusters)
    sizes = {"n": len(pairs), "clusters": int(of.max(initial=-1)) + 1}
    why = f"too few pairs: {len(pairs)}"
    curve = None
    if len(pairs) >= FEWEST_TO_FIT:
        curve = fit_logistic(pairs[:, 0], pairs[:, 1])
        why = "all values of one side are the same" if curve is None else " ".join(curve.notes)
    if curve is None or not curve.converged:
        nothing = Correlation(None, notes=(why,), **sizes)
        return Fitted(curve, nothing, nothing)
    spread = float(pairs[:, 1].std())
    r = np.sqrt(max(0.0, 1 - (curve.rmse / spread) ** 2)) * (1 if curve.rises else -1)
    if sizes["clusters"] < FEWEST_CLUSTERS:
        notes = (*curve.notes, few(sizes["clusters"]))
        return Fitted(
            curve,
            Correlation(float(r), notes=notes, **sizes),
            Correlation(curve.rmse, notes=notes, **sizes),
        )
    drawn, left = _refitted(pairs, of, curve, (seed, draws))
    return Fitted(
        curve,
        _noted(with_interval(float(r), drawn, sizes), curve),
        _noted(with_interval(curve.rmse, left, sizes), curve),
    )


def _noted(found: Correlation, curve: Logistic) -> Correlation:
    return replace(found, notes=(*curve.notes, *found.notes))


def _refitted(
    pairs: Floats, of: NDArray[np.intp], curve: Logistic, seeded: tuple[int, int]
) -> tuple[Floats, Floats]:
    """r (with its sign) and RMSE of the best sigmoid in each draw of sources."""
    x, y = pairs[:, 0], pairs[:, 1]
    sources = int(of.max()) + 1
    part, places = _parts(x)
    z = (places - x.mean()) / x.std()
    down = y - y.mean()  # else large offsets eat the digits
    table = np.zeros((sources, 2 * len(z) + 1))
    np.add.at(table, (of, part), 1.0)
    np.add.at(table, (of, len(z) + part), down)
    np.add.at(table, (of, np.full(len(y), 2 * len(z))), down * down)
    m, s = sigmoid_grid(z)
    near = (curve.beta3 - x.mean()) / x.std(), curve.beta4 / x.std()
    m, s = (np.concatenate(both) for both in zip((m, s), _close_grid(*near), strict=True))
    curves = sigmoid((z[:, None] - m[None]) / s[None])
    made = [_best_draws(counts @ table, curves) for counts in draw_counts(sources, *seeded)]
    return np.concatenate([r for r, _ in made]), np.concatenate([left for _, left in made])


def _parts(x: Floats) -> tuple[NDArray[np.intp], Floats]:
    """The part of each x, equals in one part, and the mean of each part."""
    values, at = np.unique(x, return_inverse=True)
    at = at.reshape(-1)
    if len(values) > PARTS:
        rank = np.cumsum(np.bincount(at)) - 1
        part = (rank * PARTS // len(x))[at]
        at = np.unique(part, return_inverse=True)[1].reshape(-1)
    return at, np.asarray(np.bincount(at, x) / np.bincount(at))


def _best_draws(drawn: Floats, curves: Floats) -> tuple[Floats, Floats]:
    n = len(curves)
    mass, sums, squares = drawn[:, :n], drawn[:, n : 2 * n], drawn[:, 2 * n]
    total, y = mass.sum(axis=1), sums.sum(axis=1)
    spread = squares - y * y / total
    f = mass @ curves
    own = mass @ (curves * curves) - f * f / total[:, None]
    both = sums @ curves - f * (y / total)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.where(own > 1e-9 * total[:, None], both / np.sqrt(own * spread[:, None]), 0.0)
    best = r[np.arange(len(r)), np.abs(r).argmax(axis=1)]
    best = np.where(spread > 1e-12 * total, np.clip(best, -1, 1), np.nan)
    return best, np.sqrt(np.maximum(spread, 0) / total * (1 - best * best))


def _notes(width: float, converged: bool) -> tuple[str, ...]:
    if not converged:
        return ("the logistic fit did not settle",)
    if width >= FLATTEST * 0.999:
        return ("the fitted curve is all but a straight line",)
    if width <= STEEPEST * 1.001:
        return ("the fitted curve is all but a step",)
    return ()


def pairs_of(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    """Two flat arrays of equally many finite numbers; ValueError for anything else."""
    a, b = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"shapes {a.shape} and {b.shape}: give two flat lists of one length")
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("a number is not finite: leave such pairs out")
    return a, b


def varies(values: Floats) -> bool:
    """Whether the values differ by more than rounding."""
    return bool(np.ptp(values) > _ROUNDING * np.abs(values).max())


def sigmoid(z: Floats) -> Floats:
    """1 / (1 + exp(−z)) without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(z / 2)))


def sigmoid_grid(z: Floats) -> tuple[Floats, Floats]:
    """Middles and widths to try for standardised z, flat and paired."""
    middles = np.linspace(float(z.min()), float(z.max()), 33)
    widths = np.geomspace(STEEPEST, FLATTEST, 14)
    m, s = np.meshgrid(middles, widths)
    return m.reshape(-1), s.reshape(-1)


def _close_grid(middle: float, width: float) -> tuple[Floats, Floats]:
    """Middles and widths near those found, finer than the grid's."""
    widths = width * np.geomspace(0.4, 2.5, 13)
    m, s = np.meshgrid(np.linspace(-1, 1, 17), np.clip(widths, STEEPEST, FLATTEST))
    return (middle + m * s).reshape(-1), s.reshape(-1)


def _best_of_grid(z: Floats, b: Floats) -> Floats:
    """(β2, β1 − β2, β3, log β4) of the best sigmoid on the grid."""
    order = np.argsort(z, kind="stable")
    parts = np.array_split(order, min(len(z), 512))  # enough to find the hill
    x = np.array([z[part].mean() for part in parts])
    y = np.array([b[part].mean() for part in parts])
    m, s = sigmoid_grid(z)
    curves = sigmoid((x[None] - m[:, None]) / s[:, None])
    off = curves - curves.mean(axis=1, keepdims=True)
    down = y - y.mean()
    size = np.sqrt((off * off).sum(axis=1))
    fits = np.where(size > 1e-9, np.abs(off @ down) / np.maximum(size, 1e-9), 0.0)
    best = int(np.argmax(fits))
    rise = float(off[best] @ down) / max(float(size[best]) ** 2, 1e-18)
    low = float(y.mean()) - rise * float(curves[best].mean())
    return np.array([low, rise, m[best], np.log(s[best])])


def _climbed(z: Floats, b: Floats, start: Floats) -> tuple[Floats, bool]:
    """Levenberg–Marquardt from the start; β3 stays among the values, β4 in its range."""
    lowest = np.array([-np.inf, -np.inf, z.min(), np.log(STEEPEST)])
    highest = np.array([np.inf, np.inf, z.max(), np.log(FLATTEST)])
    now, damp = start, 1e-3
    off, slopes = _residuals(z, b, now)
    error = float(off @ off)
    floor = 1e-12 * float(((b - b.mean()) ** 2).sum())
    for _ in range(STEPS):
        uphill = slopes.T @ off
        free = _free(now, uphill, (lowest, highest))
        square = slopes[:, free].T @ slopes[:, free]
        held = square + damp * np.diag(np.diag(square))
        step = np.zeros(4)
        step[free] = np.linalg.lstsq(held, uphill[free], rcond=None)[0]
        hoped = float(2 * step @ uphill - step[free] @ square @ step[free])
        new = np.clip(now + step, lowest, highest)
        fresh, made = _residuals(z, b, new)
        gain = error - float(fresh @ fresh)
        # A step that gains much less than it hoped overshoots: the next must be shorter.
        damp = damp * 4 if gain < 0.25 * hoped else max(damp / 4, 1e-12)
        if gain > 0:
            now, off, slopes, error = new, fresh, made, error - gain
            if gain <= _CLOSE * error or error <= floor:
                return now, True
        elif damp > 1e8:
            return now, True  # no way is down
    return now, False


def _free(now: Floats, uphill: Floats, box: tuple[Floats, Floats]) -> NDArray[np.bool_]:
    """The parameters that are not pressed against an end of their range."""
    held = ((now <= box[0]) & (uphill < 0)) | ((now >= box[1]) & (uphill > 0))
    return np.asarray(~held)


def _residuals(z: Floats, b: Floats, now: Floats) -> tuple[Floats, Floats]:
    """What the curve leaves, and its slopes by the four parameters."""
    low, rise, m, u = now
    away = (z - m) / np.exp(u)
    curve = sigmoid(away)
    steep = rise * curve * (1 - curve)
    slopes = np.stack([np.ones_like(z), curve, -steep / np.exp(u), -steep * away], axis=1)
    return b - low - rise * curve, slopes


# ── the staircase ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Isotonic:
    """A monotone map as knots with straight lines between them, flat beyond its ends."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    increasing: bool = True
    n: int = 0  # pairs it was made from

    def __call__(self, x: ArrayLike) -> Floats:
        """The opinion score that goes with each x."""
        return np.asarray(np.interp(np.asarray(x, np.float64), self.x, self.y))

    def as_dict(self) -> dict[str, Any]:
        """The map as what JSON can hold."""
        return {
            "x": list(self.x), "y": list(self.y), "increasing": self.increasing, "n": self.n
        }  # fmt: skip


def isotonic(
    x: ArrayLike, y: ArrayLike, *, increasing: bool = True, weights: ArrayLike | None = None
) -> Isotonic:
    """The monotone map from x to y with the least squared error; equal x share their mean y."""
    a, b = pairs_of(x, y)
    if not len(a):
        raise ValueError("no pairs: an isotonic map wants at least one")
    w = np.ones(len(a)) if weights is None else np.asarray(weights, np.float64)
    if w.shape != a.shape or not np.isfinite(w).all() or (w <= 0).any():
        raise ValueError("weights: give one positive number for each pair")
    places, at = np.unique(a, return_inverse=True)
    mass = np.bincount(at, w).astype(np.float64)
    height = np.bincount(at, w * b) / mass
    level = _pooled(height if increasing else -height, mass)
    level = level if increasing else -level
    kept = _corners(level)
    return Isotonic(
        tuple(places[kept].tolist()), tuple(level[kept].tolist()), increasing, len(a)
    )  # fmt: skip


def isotonic_from(kept: Mapping[str, Any]) -> Isotonic:
    """The map that `as_dict` described; ValueError where it is not one."""
    try:
        x = [float(value) for value in kept["x"]]
        y = [float(value) for value in kept["y"]]
        increasing, n = bool(kept["increasing"]), int(kept.get("n", 0))
    except (KeyError, TypeError, OverflowError) as missing:
        raise ValueError(f"not an isotonic map: {missing!r}") from missing
    a, b = pairs_of(x, y)
    steps = np.diff(b) if increasing else -np.diff(b)
    if not len(a) or (np.diff(a) <= 0).any() or (steps < 0).any():
        raise ValueError("not an isotonic map: x must rise, and y must go one way")
    return Isotonic(tuple(x), tuple(y), increasing, n)


def _pooled(height: Floats, mass: Floats) -> Floats:
    """The nearest rising heights: neighbours in the wrong order share their mean."""
    blocks: list[tuple[float, float, int]] = []  # mean, mass, how many
    for mean, weight in zip(height.tolist(), mass.tolist(), strict=True):
        count = 1
        while blocks and blocks[-1][0] >= mean:
            before, heavy, many = blocks.pop()
            mean = (before * heavy + mean * weight) / (heavy + weight)
            weight, count = heavy + weight, count + many
        blocks.append((mean, weight, count))
    return np.repeat([block[0] for block in blocks], [block[2] for block in blocks])


def _corners(level: Floats) -> NDArray[np.intp]:
    """The first and the last place of each step: all that straight lines need."""
    if len(level) < 3:
        return np.arange(len(level))
    inner = (level[1:-1] != level[:-2]) | (level[1:-1] != level[2:])
    return np.flatnonzero(np.concatenate([[True], inner, [True]]))
