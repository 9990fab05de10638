"""Ground: what a window would show without its text, by the simplest account that fits.

flat        one colour, exactly; of a scan, with its noise
gradient    a polynomial in each channel
texture     a pattern that repeats
photograph  anything else
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from overpaint.document.boxes import Box
from overpaint.document.layers import Pixels
from overpaint.editors.typeset.inking import Ink, grown, inside, most, sort
from overpaint.editors.typeset.inpaint import borrow, repeat, weave
from overpaint.editors.typeset.jpeg import LUMA, Jpeg, steps
from overpaint.editors.typeset.pictured import find_in_picture

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]
Kind = Literal["flat", "gradient", "texture", "photograph"]

_NOISY = 6.5  # levels: what varies more is texture, not noise
_DEGREES = (0, 1, 2, 3)
_ENOUGH = 3000  # pixels for a fit
_EXACT = 0.45  # levels: rounding alone leaves this much
_STRANGE = 0.03  # the share of a box that may be neither letters nor their ground
_TORN = 0.4  # the share of letters that may hang together with what lies outside the line
_LARGE = 400_000  # pixels: a larger window of a picture is looked at smaller
_REACH = 8  # pixels: how far rings around letters may reach on compressed pictures
_GLOW, _TINTED = 4, 2.0  # pixels that a rim around letters may be wide, and levels that make it one


@dataclass(frozen=True)
class Ground:
    """The window without its text, and what was found on the way."""

    kind: Kind
    pixels: Pixels
    smooth: Plane  # the same before noise and rounding, and only where letters stood
    hole: Mask  # where pixels were changed
    ink: Ink
    noise: Plane  # what the ground has beyond `smooth`, where it is quiet
    quiet: Mask  # far enough from all ink to be ground and nothing else


@dataclass(frozen=True)
class _Model:
    """A smooth ground: its value at each pixel, and how far pixels lie from it."""

    degree: int
    value: Plane
    sigma: float  # 0: exactly that


def estimate(window: Pixels, box: Box, keep: Mask, jpeg: Jpeg | None) -> Ground:
    """The ground under the letters of a box of the window."""
    tall = box[3] - box[1]
    near = inside(window.shape, box, max(12 if jpeg else 6, 0.3 * tall)) & ~keep
    rim = near & ~inside(window.shape, box)
    model = _fit(window, near, rim if rim.any() else near, jpeg)
    if model is None:
        return _pictured(window, box, keep, jpeg)
    ink = sort(window, _off(window, model), _limits(model, jpeg), box, keep)
    if _crowded(ink, inside(window.shape, box, -2)):
        return _pictured(window, box, keep, jpeg)
    quiet = _quiet(ink, keep, _halo(window, model, ink))
    better = _again(window, model, quiet & inside(window.shape, box, tall))
    if better:
        # What the first fit took for noise are rings, which reach out of the box.
        low, high = _limits(better, jpeg)
        limits = (low, max(high, _limits(model, jpeg)[1]))
        model, ink = better, sort(window, _off(window, better), limits, box, keep)
    halo = _halo(window, model, ink)
    # Where letters touch a rule they tint it a little.
    tinted = (ink.level | ink.upright) & grown(ink.ours, 1)
    hole = (grown(ink.ours, halo) & ~_fenced(ink)) | tinted
    if (better or jpeg) and model.sigma == 0:
        # Paper that is clean farther away: what is not, near the letters, are their rings.
        hole |= grown(ink.ours, _REACH) & (_off(window, model) > 0) & ~grown(ink.others, 1)
    return _smooth(window, model, ink, hole, quiet=_quiet(ink, keep, halo))


def _crowded(ink: Ink, home: Mask) -> bool:
    """Whether the letters stand among things that are no letters and no rules: a picture."""
    strange = ink.others & ~ink.level & ~ink.upright
    return ink.torn > _TORN or bool(home.any() and strange[home].mean() > _STRANGE)


def _fenced(ink: Ink) -> Mask:
    """Others' ink and its edge, where our letters do not cross it."""
    return np.asarray(grown(ink.others, 1) & ~ink.ours)


# ── smooth grounds ──────────────────────────────────────────────────────────────────────


def _fit(window: Pixels, near: Mask, rim: Mask, jpeg: Jpeg | None) -> _Model | None:
    """The simplest smooth ground that explains what is near the text."""
    colour = _mode(window, near, rim)
    if colour is not None:
        return _Model(0, np.broadcast_to(np.float32(colour), window.shape), 0.0)
    found = []
    for degree in _DEGREES:
        if model := _polynomial(window, near, rim, degree):
            found.append(model)
            if model.sigma <= _EXACT:
                break
    least = min((model.sigma for model in found), default=0.0)
    for model in found:
        if model.sigma <= 1.15 * least + 0.15:
            # Compression rounds the mean of each block too.
            slack = 0.35 if jpeg is None else 0.35 + steps(LUMA, jpeg.quality)[0, 0] / 16
            return model if _explains(window, model, (near, rim), slack) else None
    return None


def _mode(window: Pixels, near: Mask, rim: Mask) -> NDArray[np.uint8] | None:
    """The one colour of clean paper, told by how often it stands near the text and around it."""
    packed = window.astype(np.int64) @ np.array([65536, 256, 1])
    colours, counts = np.unique(packed[near], return_counts=True)
    common = colours[np.argsort(-counts)[:3]]
    best = max(common, key=lambda colour: float((packed[rim] == colour).mean()))
    share = counts[colours == best][0] / near.sum()
    if share < 0.3 or (packed[rim] == best).mean() < 0.4:
        return None
    colour = np.array([best >> 16, best >> 8 & 255, best & 255], np.uint8)
    off = most(np.abs(window[near].astype(np.int16) - colour))
    # Many pixels a level or two away are a slow gradient or noise.
    return None if ((off > 0) & (off <= 2)).mean() > 0.04 else colour


def _polynomial(window: Pixels, near: Mask, rim: Mask, degree: int) -> _Model | None:
    """A robust fit: begun around the text, then with all pixels near it that agree."""
    basis = _basis(window.shape[:2], degree)
    there = _some(near)
    terms, values = basis[there], window[there].astype(np.float32)
    around, sigma = rim[there], 255.0
    chosen = around
    for turn in range(6):
        if chosen.sum() < 4 * basis.shape[2]:
            return None
        part = terms[chosen]
        weights = np.linalg.solve(
            part.T @ part + 1e-3 * np.eye(part.shape[1]), part.T @ values[chosen]
        )
        off = most(np.abs(values - terms @ weights))
        # Told from the rim alone, which is mostly ground: told from what agrees, it would shrink.
        sigma = 1.2 * float(np.median(off[around]))
        chosen = (off <= max(sigma, 1.0)) & around if turn < 2 else off <= max(3 * sigma, 1.0)
    return _Model(degree, (basis @ weights).astype(np.float32), max(sigma, 0.3))


def _some(mask: Mask) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places of a mask, thinned out where there are very many."""
    rows, columns = np.nonzero(mask)
    step = max(1, len(rows) // _ENOUGH)
    return rows[::step], columns[::step]


def _basis(shape: tuple[int, ...], degree: int) -> Plane:
    down, across = (np.linspace(-1, 1, n, dtype=np.float32) for n in shape)
    terms = [
        down[:, None] ** i * across[None] ** j
        for i in range(degree + 1)
        for j in range(degree + 1 - i)
    ]
    return np.stack(terms, axis=2)


def _explains(window: Pixels, model: _Model, places: tuple[Mask, Mask], slack: float) -> bool:
    """Whether enough pixels agree with the model and nothing but noise is left of them."""
    near, rim = places
    off = window - model.value
    agree = most(np.abs(off)) <= max(1.0, 3 * model.sigma)
    if model.sigma > _NOISY or agree[near].mean() < 0.3 or agree[rim].mean() < 0.5:
        return False
    means = list(_means(off.mean(axis=2), agree & near))
    return len(means) < 3 or float(np.std(means)) <= 0.25 * model.sigma + slack


def _means(plane: Plane, chosen: Mask) -> Iterator[float]:
    """The mean of each tile of 16 pixels that has enough chosen ones."""
    for top in range(0, plane.shape[0], 16):
        for left in range(0, plane.shape[1], 16):
            part = chosen[top : top + 16, left : left + 16]
            if part.sum() > 60:
                yield float(plane[top : top + 16, left : left + 16][part].mean())


def _again(window: Pixels, model: _Model, quiet: Mask) -> _Model | None:
    """The model of the same degree, told from quiet places alone."""
    if model.sigma == 0 or quiet.sum() < 200:
        return None
    if model.degree == 0 and (colour := _mode(window, quiet, quiet)) is not None:
        return _Model(0, np.broadcast_to(np.float32(colour), window.shape), 0.0)
    better = _polynomial(window, quiet, quiet, model.degree)
    return better if better and better.sigma <= model.sigma + 0.3 else None


def _off(window: Pixels, model: _Model) -> Plane:
    return np.asarray(most(np.abs(window - model.value)), np.float32)


def _limits(model: _Model, jpeg: Jpeg | None) -> tuple[float, float]:
    """How far from the ground ink may be, and how far it is somewhere."""
    rings = 26.0 if jpeg else 10.0
    if model.sigma == 0:
        return 0.5, rings
    return max(0.95, 3.2 * model.sigma), max(rings, 6.5 * model.sigma)


def _quiet(ink: Ink, keep: Mask, halo: int) -> Mask:
    """Where nothing but ground is seen."""
    return np.asarray(~grown(ink.ours | ink.others | keep, halo + 1))


def _halo(window: Pixels, model: _Model, ink: Ink) -> int:
    """How many pixels around the letters still show them: soft edges, rings of compression."""
    import cv2

    if model.sigma == 0:
        return 0
    least = 1 if model.sigma < 0.6 else 2
    apart = cv2.distanceTransform((~ink.ours).astype(np.uint8), cv2.DIST_L2, 3)
    off = np.minimum(_off(window, model), 30) ** 2
    free = ~grown(ink.others, 4)
    beyond = free & (apart > _REACH) & (apart < 3 * _REACH)
    usual = float(off[beyond].mean()) if beyond.sum() > 100 else (1.25 * model.sigma) ** 2
    for by in range(_REACH, least, -1):
        ring = free & (apart > by - 1) & (apart <= by)
        if ring.sum() > 20 and float(off[ring].mean()) > 1.8 * usual + 0.3:
            return by
    return least


def _smooth(window: Pixels, model: _Model, ink: Ink, hole: Mask, *, quiet: Mask) -> Ground:
    kind: Kind = "gradient" if model.degree else "flat"
    value = _ruled(window, model.value, ink, hole)
    noise = (window - model.value) * quiet[..., None]
    filled = value.copy()
    if model.sigma > 0.45 and quiet.any():
        borrowed, left = borrow(noise, hole, quiet, step=8)
        borrowed[left] = np.random.default_rng(0).permutation(noise[quiet])[
            np.arange(left.sum()) % quiet.sum()
        ]
        filled = value + np.where((ink.level | ink.upright)[..., None], 0, borrowed)
    pixels = np.where(hole[..., None], np.rint(np.clip(filled, 0, 255)), window).astype(np.uint8)
    return Ground(kind, pixels, value, hole, ink, noise, quiet)


def _ruled(window: Pixels, value: Plane, ink: Ink, hole: Mask) -> Plane:
    """The smooth ground with rules and borders continued behind the letters."""
    value = np.array(value)
    for rule, turned in ((ink.level & hole, False), (ink.upright & hole, True)):
        if not rule.any():
            continue
        source, target = (
            (window.swapaxes(0, 1), value.swapaxes(0, 1)) if turned else (window, value)
        )
        known, wanted = (~hole.T, rule.T) if turned else (~hole, rule)
        lines = ink.upright.T if turned else ink.level
        for row in np.flatnonzero(wanted.any(axis=1)):
            there = np.flatnonzero(known[row] & lines[row])
            asked = np.flatnonzero(wanted[row])
            for channel in range(3):
                if len(there):
                    target[row, asked, channel] = np.interp(
                        asked, there, source[row, there, channel]
                    )
    return value


# ── pictures ────────────────────────────────────────────────────────────────────────────


def _pictured(window: Pixels, box: Box, keep: Mask, jpeg: Jpeg | None) -> Ground:
    """The ground of a window that no smooth model explains."""
    if keep.size > _LARGE:
        return _reduced(window, box, keep, jpeg)
    ink, by = find_in_picture(window, box, keep, compressed=jpeg is not None)
    hole = grown(ink.ours, by) & ~keep
    hole = grown(hole, glow(window, hole, ink.others | keep)) & ~keep
    plane = window.astype(np.float32)
    known = ~grown(hole | ink.others | keep, 1)
    kind: Kind = "photograph"
    patterned = repeat(plane, hole, known) if known.sum() > 400 else None
    if patterned:
        kind, (plane, left) = "texture", patterned
        filled = weave(plane, left)
    else:
        filled = weave(plane, hole)
    quiet = ~grown(hole | ink.others | keep, 2)
    return _filled(window, filled, (ink, hole, quiet), kind)


def glow(window: Pixels, hole: Mask, others: Mask) -> int:
    """How many pixels around the hole are still brighter or darker than those further off.

    Cameras and programs that sharpen leave a rim around letters, which would show what was there.
    """
    free = ~grown(others, 1)
    rings = [grown(hole, r + 1) & ~grown(hole, r) & free for r in range(_GLOW + 3)]
    if not all(ring.any() for ring in rings):
        return 0
    means = np.array([window[ring].mean(axis=0) for ring in rings])
    far = means[_GLOW:].mean(axis=0)
    off, usual = (np.abs(part - far).max(axis=1) for part in (means[:_GLOW], means[_GLOW:]))
    if off[0] < max(2 * _TINTED, 4 * usual.max()):
        return 0  # a picture's own pattern
    return int(np.argmin(np.append(off > max(_TINTED, 2 * usual.max()), False)))


def _filled(window: Pixels, filled: Plane, masks: tuple[Ink, Mask, Mask], kind: Kind) -> Ground:
    ink, hole, quiet = masks
    pixels = np.where(hole[..., None], np.rint(filled), window).astype(np.uint8)
    smooth = np.where(hole[..., None], filled, window).astype(np.float32)
    return Ground(kind, pixels, smooth, hole, ink, np.zeros_like(smooth), quiet)


def _reduced(window: Pixels, box: Box, keep: Mask, jpeg: Jpeg | None) -> Ground:
    """The same found on a smaller copy, where the window is so large that time would run away."""
    import cv2

    high, wide = keep.shape
    share = (_LARGE / keep.size) ** 0.5
    size = (max(1, int(wide * share)), max(1, int(high * share)))
    small = np.asarray(cv2.resize(window, size, interpolation=cv2.INTER_AREA), np.uint8)
    left, top, right, bottom = (int(edge * share) for edge in box)
    kept = _enlarged(keep, size)
    found = _pictured(small, (left, top, right, bottom), kept, jpeg)
    ours, hole, quiet = (
        _enlarged(mask, (wide, high)) for mask in (found.ink.ours, found.hole, found.quiet)
    )
    filled = np.asarray(cv2.resize(found.pixels, (wide, high), interpolation=cv2.INTER_CUBIC))
    nothing = np.zeros_like(ours)
    ink = Ink(ours, nothing, nothing, nothing)
    hole = grown(hole, 1) & ~keep
    return _filled(window, filled.astype(np.float32), (ink, hole, quiet), found.kind)


def _enlarged(mask: Mask, size: tuple[int, int]) -> Mask:
    import cv2

    return np.asarray(cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0)
