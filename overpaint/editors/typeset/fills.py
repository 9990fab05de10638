"""Fills: how letters are painted beyond one colour: gradient, outline, shadow.

Each must explain nearly all of what one colour does not; where in doubt, it is one colour.
"""

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import CLEAR, Colour, Gradient, Pixels, Shadow, Stroke
from overpaint.document.shapes import gradient_at
from overpaint.editors.typeset.inking import grown, most

if TYPE_CHECKING:
    from overpaint.editors.typeset.unmix import Lifted

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]

_SMALL = 13  # pixels: lower letters show neither outline nor gradient
_ENOUGH = 80  # pixels inside strokes that a gradient or an outline is told from
_BINS = 12  # along a gradient
_RANGE = 24.0  # levels that a gradient spans at least
_UNEVEN = 14.0  # levels that pixels may lie off a gradient, as compression leaves them
_APART = 45.0  # levels between the colours of letters and their outline
_EXPLAINED = 0.85  # the share of what varies that an account must explain
_FAINT = 0.35  # pixels by which the ink seems wider, faint edges counted in
_WITHIN = 1.1  # pixels from an outline's inner edge to the first that is all inside
_RINGS = 4.0  # levels that compression adds around edges
_MIXED = 30.0  # levels off the line between two colours that make a third
_CAST = 0.78  # as much, by a shadow
_BLURS = (0.0, 1.0, 2.0, 3.0, 4.5, 6.5)


@dataclass(frozen=True)
class Fill:
    """The fields of a style that say how letters are painted."""

    colour: Colour
    stroke: Stroke | None = None
    shadow: Shadow | None = None
    gradient: Gradient | None = None
    outside: bool = False  # the outline begins at the letters' edge; else its middle lies there


@dataclass(frozen=True)
class _Ink:
    """All that is not ground: where, how deep inside, and in what colours."""

    pixels: Plane
    ground: Plane
    where: Mask
    depth: Plane  # pixels to the nearest ground
    noise: float
    blur: float  # of the letters' edges

    @property
    def core(self) -> Mask:
        """Pixels that hardly any edge has mixed with the ground."""
        deep = np.asarray(self.depth > 2.2)
        return deep if deep.sum() > 4 * _ENOUGH else np.asarray(self.depth > 1.6)


def recognise(window: Pixels, lifted: "Lifted") -> Fill:
    """How letters on paper are painted; one colour wherever that is not surely wrong."""
    plain = Fill(lifted.colour)
    ink = _ink(window, lifted)
    rows = np.flatnonzero(ink.where.any(axis=1))
    if len(rows) < _SMALL or ink.core.sum() < _ENOUGH:
        return plain
    gradient = _gradient(ink)
    if gradient:
        middle = np.mean([colour for _, colour in gradient.stops], axis=0)
        return Fill(_colour(middle), gradient=gradient)
    pair = _pair(ink)
    outlined = _outlined(ink, *pair) if pair else None
    if outlined:
        return outlined
    return _shadowed(ink, pair, plain) or plain


def letters(window: Pixels, lifted: "Lifted") -> Plane:
    """How far each pixel is letter, when the fill is known: without outline and shadow."""
    fill, ink = lifted.fill, _ink(window, lifted)
    if fill.stroke:
        return _shrunk(ink.where, fill.stroke.width / 2 + _FAINT)
    colour: Plane | Colour = np.array(fill.colour[:3], np.float32)
    if fill.gradient:
        left, top, right, bottom = _box(ink.where)
        size, box = ink.where.shape[::-1], (right - left, bottom - top)
        colour = gradient_at(fill.gradient, size, (left, top), box)[:, :, :3]
    under = ink.ground
    if fill.shadow:
        under = _under(ink, fill)
    line = colour - under
    share = ((ink.pixels - under) * line).sum(axis=2) / np.maximum((line**2).sum(axis=2), 1.0)
    return np.asarray(np.clip(share, 0, 1) * lifted.hole, np.float32)


def _ink(window: Pixels, lifted: "Lifted") -> _Ink:
    import cv2

    pixels, ground = window.astype(np.float32), lifted.ground.astype(np.float32)
    noise = max(*lifted.noise.sigma, _RINGS if lifted.noise.jpeg else 0.0)
    off = most(np.abs(pixels - ground)) * lifted.hole
    where = off > max(8.0, 4 * noise, 0.15 * float(np.percentile(off, 99.5)))
    depth = cv2.distanceTransform(where.astype(np.uint8), cv2.DIST_L2, 5)
    return _Ink(pixels, ground, where, np.asarray(depth, np.float32), noise, lifted.noise.blur)


# ── gradients ───────────────────────────────────────────────────────────────────────────


def _gradient(ink: _Ink) -> Gradient | None:
    values, core = ink.pixels[ink.core], ink.core
    usual = np.median(values, axis=0)
    if float((most(np.abs(values - usual)) <= 5 + 2 * ink.noise).mean()) > 0.5:
        return None  # one colour, but for edges
    rows, columns = np.nonzero(core)
    spread = values - values.mean(axis=0)
    main = np.linalg.svd(spread.T @ spread)[0][:, 0]
    plane = np.stack([columns - columns.mean(), rows - rows.mean()], axis=1)
    slope = np.linalg.lstsq(plane, spread @ main, rcond=None)[0]
    tilted = math.degrees(math.atan2(slope[1], slope[0])) % 180
    tilted = next((a % 180 for a in (0, 45, 90, 135, 180) if abs(a - tilted) < 7), tilted)
    best, found = _EXPLAINED, None
    for angle in dict.fromkeys((tilted, 0.0, 90.0)):
        at = _along(ink.where, angle)[core]
        left = _curve(at, values)[1]
        # Edges mix some of the pixels with the ground after all.
        kept = left <= np.percentile(left, 75)
        curve, left = _curve(at[kept], values[kept])
        total = ((values[kept] - values[kept].mean(axis=0)) ** 2).sum()
        explained = 1 - float(left.sum() / max(total, 1e-6))
        even = math.sqrt(left.mean()) <= _UNEVEN + 3 * ink.noise
        if explained > best and even and np.ptp(curve[:, 1:], axis=0).max() > _RANGE:
            best, found = explained, Gradient(_stops(curve, 6 + ink.noise), round(angle, 1))
    return found


def _along(where: Mask, angle: float) -> Plane:
    """Where each pixel lies on a gradient's line through the box of the letters, 0–1."""
    left, top, right, bottom = _box(where)
    ramp = Gradient(((-1.0, CLEAR), (2.0, (255, 0, 0, 0))), angle)
    shown = gradient_at(ramp, where.shape[::-1], (left, top), (right - left, bottom - top))
    return np.asarray(shown[:, :, 0] / 85 - 1, np.float32)


def _curve(at: Plane, values: Plane) -> tuple[NDArray[np.float64], Plane]:
    """Mean colours along the line, one row a place, and each pixel's squared distance from them."""
    bins = np.clip((at * _BINS).astype(int), 0, _BINS - 1)
    rows, left = [], np.zeros(len(at), np.float32)
    for number in np.unique(bins):
        there = bins == number
        place = at[there] - at[there].mean()
        part = values[there]
        # Within a bin colours go on changing as steadily as from bin to bin.
        slope = place @ part / max(float(place @ place), 1e-6)
        off = part - part.mean(axis=0) - place[:, None] * slope
        left[there] = (off**2).sum(axis=1)
        if there.sum() >= max(4, 0.01 * len(at)):
            rows.append([at[there].mean(), *part.mean(axis=0)])
    return np.array(rows), left


def _stops(curve: NDArray[np.float64], within: float) -> tuple[tuple[float, Colour], ...]:
    """The fewest stops that lead past the curve's points closely; its ends drawn out to 0 and 1."""
    ends = []
    for place, (near, next_) in ((0.0, (0, 1)), (1.0, (-1, -2))):
        one, two = curve[near], curve[next_]
        slope = (one[1:] - two[1:]) / (one[0] - two[0])
        ends.append([place, *np.clip(one[1:] + slope * (place - one[0]), 0, 255)])
    points = np.array([ends[0], *curve, ends[1]])
    kept = _knees(points, 0, len(points) - 1, within)
    return tuple((float(points[n][0]), _colour(points[n][1:])) for n in kept)


def _knees(points: NDArray[np.float64], first: int, last: int, within: float) -> list[int]:
    at = points[first : last + 1, 0]
    straight = np.stack(
        [np.interp(at, at[[0, -1]], points[[first, last], c]) for c in (1, 2, 3)], axis=1
    )
    off = np.abs(points[first : last + 1, 1:] - straight).max(axis=1)
    worst = int(off.argmax())
    if off[worst] <= within or last - first < 2:
        return [first, last]
    middle = first + worst
    return _knees(points, first, middle, within)[:-1] + _knees(points, middle, last, within)


# ── outlines ────────────────────────────────────────────────────────────────────────────


def _pair(ink: _Ink) -> tuple[Plane, Plane] | None:
    """The two colours of the ink, if it has two: that inside, then that nearer the ground."""
    values, depth = ink.pixels[ink.depth > 1.0], ink.depth[ink.depth > 1.0]
    centres = np.stack([values[depth.argmax()], values[0]])
    away = np.linalg.norm(values - centres[0], axis=1)
    centres[1] = np.median(values[away >= np.percentile(away, 85)], axis=0)
    for _ in range(8):
        nearest = np.linalg.norm(values[:, None] - centres, axis=2).argmin(axis=1)
        if len(np.unique(nearest)) < 2:
            return None
        centres = np.stack([np.median(values[nearest == n], axis=0) for n in (0, 1)])
    off = np.linalg.norm(values[:, None] - centres, axis=2).min(axis=1)
    shares = np.bincount(nearest, minlength=2) / len(values)
    even = float((off <= 14 + 3 * ink.noise).mean())
    if np.linalg.norm(centres[0] - centres[1]) < _APART or shares.min() < 0.08 or even < 0.45:
        return None
    inner = int(np.mean(depth[nearest == 1]) > np.mean(depth[nearest == 0]))
    return centres[inner], centres[1 - inner]


def _between(ground: Plane, inner: Plane, outer: Plane) -> bool:
    """Whether a colour is but a mixture of two others, as blur makes at every edge."""
    line = inner - ground
    share = float(np.clip((outer - ground) @ line / max(float(line @ line), 1e-6), 0, 1))
    return float(np.linalg.norm(outer - ground - share * line)) < _MIXED


def _outlined(ink: _Ink, inner: Plane, outer: Plane) -> Fill | None:
    """An outline: the outer colour stands between the inner one and the ground on every side."""
    to_inner = np.linalg.norm(ink.pixels - inner, axis=2)
    to_outer = np.linalg.norm(ink.pixels - outer, axis=2)
    inside = ink.where & (to_inner < to_outer) & (to_inner < 0.5 * np.linalg.norm(inner - outer))
    if inside.sum() < _ENOUGH / 2 or _between(ink.ground[ink.where].mean(axis=0), inner, outer):
        return None
    # A shadow lets the letters meet the ground on the side of the light.
    if float((ink.depth[inside] < 1.6).mean()) > 0.05:
        return None
    edge = inside & grown(~inside, 1)
    width = float(np.median(ink.depth[edge])) - _WITHIN
    band = (ink.depth > 1.2) & (ink.depth < 1 + width)
    own = float((to_outer < to_inner)[band].mean()) if band.any() else 1.0
    if width < 0.8 or own < 0.7:
        return None
    # Thin letters show their own colour only in their middle.
    far = inside & (to_outer >= np.percentile(to_outer[inside], 85))
    inner = np.median(ink.pixels[far], axis=0)
    return Fill(_colour(inner), stroke=Stroke(_colour(outer), round(width, 1)))


def _shrunk(where: Mask, by: float) -> Plane:
    """How far each pixel is inside by more than so much."""
    import cv2

    fine = cv2.resize(where.astype(np.float32), None, fx=4, fy=4, interpolation=cv2.INTER_LINEAR)
    depth = cv2.distanceTransform((fine > 0.5).astype(np.uint8), cv2.DIST_L2, 5)
    inside = (depth > 4 * by).astype(np.float32)
    return np.asarray(cv2.resize(inside, where.shape[::-1], interpolation=cv2.INTER_AREA))


# ── shadows ─────────────────────────────────────────────────────────────────────────────


def _shadowed(ink: _Ink, pair: tuple[Plane, Plane] | None, plain: Fill) -> Fill | None:
    """A shadow: what is not letter is the letters moved and blurred."""
    colours = [*(pair or ()), np.array(plain.colour[:3], np.float32)]
    best, found = _CAST, None
    for colour in colours:
        letter = _lettered(ink, colour)
        if letter.sum() < _ENOUGH:
            continue
        explained, shadow = _cast(ink, letter)
        if shadow and explained > best:
            best, found = explained, replace(plain, colour=_colour(colour), shadow=shadow)
    return found


def _lettered(ink: _Ink, colour: Plane) -> Plane:
    """How far each pixel is letter of that colour: its cores, and on average half their rim."""
    near = (np.linalg.norm(ink.pixels - colour, axis=2) < 20 + 3 * ink.noise) & ink.where
    return np.asarray(np.where(near, 1, 0.5 * (grown(near, 1) & ink.where)), np.float32)


def _cast(ink: _Ink, letter: Plane) -> tuple[float, Shadow | None]:
    """The shadow that explains most of what is left, and how much that is."""
    free = ~grown(letter > 0.9, 1 + math.ceil(2 * ink.blur))
    off = (ink.pixels - ink.ground) * free[..., None]
    strong = most(np.abs(off)) > max(6.0, 4 * ink.noise)
    reach = int(0.4 * len(np.flatnonzero((letter > 0.9).any(axis=1)))) + 2
    if strong.sum() < max(_ENOUGH / 2, 0.1 * letter.sum()):
        return 0.0, None
    line = off[strong].mean(axis=0)
    along = off @ line / max(float(line @ line), 1e-6)
    best, found = 0.0, None
    for blur in _BLURS:
        share, (down, across), strength = _placed(along, letter, free, blur=blur, reach=reach)
        if share < best:
            break
        if blur or down or across:
            tint = _tint(ink.ground[letter > 0.9].mean(axis=0), line * strength)
            best, found = share, Shadow(tint, float(across), float(down), blur)
    return best, found


def _placed(
    along: Plane, letter: Plane, free: Mask, *, blur: float, reach: int
) -> tuple[float, tuple[int, int], float]:
    """Where letters blurred so much explain the shadow best: the share, the shift, the strength."""
    import cv2

    shape = letter
    if blur:
        shape = np.asarray(cv2.GaussianBlur(shape, (0, 0), blur), np.float32)
    lit, open_ = (
        np.pad(part.astype(np.float32), reach) for part in (np.asarray(along * free), free)
    )
    same = cv2.matchTemplate(lit, shape, cv2.TM_CCORR)
    norm = np.maximum(cv2.matchTemplate(open_, shape**2, cv2.TM_CCORR), 1e-3)
    share = np.where(same > 0, same**2 / norm, 0)
    row, column = (int(n) for n in np.unravel_index(share.argmax(), share.shape))
    total = max(float(((along * free) ** 2).sum()), 1e-6)
    shift = (row - reach, column - reach)
    return float(share.max()) / total, shift, float(same[row, column] / norm[row, column])


def _tint(ground: Plane, change: Plane) -> Colour:
    """A shadow's colour: black as far as it darkens evenly, else the very colour it makes."""
    darker = -change / np.maximum(ground, 1)
    if (darker > 0).all() and np.ptp(darker) < 0.12:
        return (0, 0, 0, round(255 * float(np.clip(darker.mean(), 0, 1))))
    return _colour(ground + change)


def _under(ink: _Ink, fill: Fill) -> Plane:
    """The ground with the shadow on it."""
    import cv2

    assert fill.shadow
    shadow = fill.shadow
    shape = _lettered(ink, np.array(fill.colour[:3], np.float32))
    moved = np.roll(shape, (round(shadow.down), round(shadow.across)), axis=(0, 1))
    if shadow.blur:
        moved = np.asarray(cv2.GaussianBlur(moved, (0, 0), shadow.blur), np.float32)
    share = (moved * shadow.colour[3] / 255)[..., None]
    return np.asarray(ink.ground * (1 - share) + share * np.array(shadow.colour[:3]), np.float32)


def _box(where: Mask) -> tuple[int, int, int, int]:
    rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def _colour(values: NDArray[np.floating]) -> Colour:
    red, green, blue = (int(value) for value in np.rint(np.clip(values[:3], 0, 255)))
    return red, green, blue, 255
