"""Unmixing: the words of a box taken off a picture: ground, ink's colour, and how far each
pixel is ink.

A pixel is cover · colour + (1 − cover) · ground in each channel, so that with the ground and the
colour known its cover is where it lies on the line between them.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from overpaint.document.boxes import Box
from overpaint.document.layers import Colour, Pixels
from overpaint.editors.typeset.fills import Fill, letters, recognise
from overpaint.editors.typeset.grain import (
    NONE,
    Grain,
    edge_blur,
    mixing,
    softness,
    traces,
)
from overpaint.editors.typeset.ground import Ground, Kind, estimate
from overpaint.editors.typeset.inking import grown, inside
from overpaint.editors.typeset.jpeg import TO_LUMA
from overpaint.editors.typeset.outlines import inner_cover, outlined, rimmed

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]

_MARGIN = 24  # pixels: at least so much is seen around a line, however small


@dataclass(frozen=True)
class Lifted:
    """A window of a picture with its words taken off."""

    ground: Pixels  # as it would be without the words; only pixels under and near ink changed
    cover: Plane  # 0–1, how far each pixel is ink
    colour: Colour  # of the ink
    fill: Fill
    left: int  # the window's corner in the picture
    top: int
    noise: Grain
    kind: Kind  # of the ground
    hole: Mask  # where the ground differs, or may, from the picture
    rimmed: bool = False  # whether something lay around the letters that is not in `fill`


def lift(pixels: Pixels, box: Box, *, keep: tuple[Box, ...] = ()) -> Lifted:
    """The words of a box taken off; what stands in the boxes to keep is not theirs."""
    box = _inside(box, pixels)
    left, top, right, bottom = _window(pixels, box)
    window = pixels[top:bottom, left:right]
    local = (box[0] - left, box[1] - top, box[2] - left, box[3] - top)
    kept = np.zeros(window.shape[:2], np.bool_)
    for other in keep:
        kept |= inside(
            window.shape, (other[0] - left, other[1] - top, other[2] - left, other[3] - top)
        )
    own = inside(window.shape, local)
    if not (own & ~kept).any():
        kept &= ~own  # two boxes over one another: the words asked for are there
    jpeg = traces(pixels, box)
    ground = estimate(window, local, kept, jpeg)
    colour = _colour(window, ground)
    cover = _cover(window, ground, colour)
    noise = replace(_grain(window, ground, cover), jpeg=jpeg)
    plain = Lifted(
        ground.pixels, cover, (*colour, 255), Fill((*colour, 255)), left, top, noise,
        ground.kind, ground.hole,
    )  # fmt: skip
    return _painted(window, plain)


def _painted(window: Pixels, plain: Lifted) -> Lifted:
    """The same with how the letters are painted, where that is not one colour."""
    if plain.kind in ("texture", "photograph"):
        fill = outlined(window, plain.cover, plain.colour, plain.ground)
        if fill is None:
            return replace(plain, rimmed=rimmed(window, plain.cover, plain.ground))
        return replace(plain, fill=fill, cover=inner_cover(window, plain.cover, fill))
    fill = recognise(window, plain)
    if fill == plain.fill:
        return plain
    painted = replace(plain, fill=fill, colour=fill.colour)
    return replace(painted, cover=letters(window, painted))


def _inside(box: Box, pixels: Pixels) -> Box:
    """The box as far as it lies on the picture, at least a pixel."""
    high, wide = pixels.shape[:2]
    left, top = int(np.clip(box[0], 0, wide - 1)), int(np.clip(box[1], 0, high - 1))
    return (
        left, top, int(np.clip(box[2], left + 1, wide)), int(np.clip(box[3], top + 1, high)),
    )  # fmt: skip


def _window(pixels: Pixels, box: Box) -> Box:
    high, wide = pixels.shape[:2]
    more = max(_MARGIN, box[3] - box[1])
    return (
        max(0, box[0] - more), max(0, box[1] - more),
        min(wide, box[2] + more), min(high, box[3] + more),
    )  # fmt: skip


# ── colour ──────────────────────────────────────────────────────────────────────────────


def _colour(window: Pixels, ground: Ground) -> tuple[int, int, int]:
    """The ink's own colour, which thin strokes mixed with the ground may nowhere show."""
    ours = ground.ink.ours
    if not ours.any():
        return 0, 0, 0
    off = window - ground.smooth
    away = np.linalg.norm(off[ours], axis=1)
    exact = _exact(window[ours], away, least=0.97 if ground.kind == "flat" else 0.75)
    if exact is not None:
        return exact
    if ground.kind in ("flat", "gradient"):
        colour = _beyond(ground, off)
    else:
        colour = np.median(window[ours][away >= 0.85 * np.percentile(away, 98)], axis=0)
    red, green, blue = (int(value) for value in np.rint(np.clip(colour, 0, 255)))
    return red, green, blue


def _exact(values: Pixels, away: Plane, *, least: float) -> tuple[int, int, int] | None:
    """The one colour of many pixels that lie farthest from the ground; None: they differ."""
    packed = values.astype(np.int64) @ np.array([65536, 256, 1])
    colours, counts = np.unique(packed, return_counts=True)
    colour = int(colours[counts.argmax()])
    distance = float(np.median(away[packed == colour]))
    few = counts.max() < max(4, 0.02 * len(values))
    if few or distance < least * np.percentile(away, 99.5):
        return None
    return colour >> 16, colour >> 8 & 255, colour & 255


def _beyond(ground: Ground, off: Plane) -> Plane:
    """The colour in the direction of all the ink, as far as its fullest pixels and blur tell.

    Compression spreads colours but not brightness, and keeps the sum of both: so the sum tells
    the direction, and brightness how far.
    """
    ours = ground.ink.ours
    middle = ground.smooth[ours].mean(axis=0)
    line = off[ground.hole].sum(axis=0)
    line = line / max(float(np.linalg.norm(line)), 1e-6)
    weights = TO_LUMA if abs(line @ TO_LUMA) > 0.3 else line
    along = np.maximum(off @ weights / (line @ weights), 0) * ours
    clean = not ground.noise.any()
    peak = float(along.max() if clean else np.percentile(along[ours], 99.5))
    whole = peak / _shown(along / max(peak, 1e-6))
    return np.asarray(middle + line * min(whole, _gamut(middle, line)), np.float32)


def _shown(along: Plane) -> float:
    """How much of full ink the fullest pixels show, where blur thins out the strokes.

    It depends on how many times the blur goes into the height of the letters, as measured on
    text of many fonts, sizes and blurs; bold text shows more than this says.
    """
    blur = edge_blur(np.clip(along, 0, 1))
    if blur == 0:
        return 1.0
    rows = np.flatnonzero((along > 0.2).any(axis=1))
    times = (rows[-1] - rows[0] + 1) / blur
    return float(np.clip(0.34 + 0.0165 * times, 0.45, 1.0))


def _gamut(middle: Plane, line: Plane) -> float:
    """How far a line from a colour stays within 0–255."""
    ends = np.where(
        line > 0, (255 - middle) / np.maximum(line, 1e-6), -middle / np.minimum(line, -1e-6)
    )
    return float(ends[np.abs(line) > 0.05].min())


def colour_under(window: Pixels, lifted: Lifted, cover: Plane) -> Colour:
    """The colour that ink must have for this cover, drawn in the right font, to look as it does.

    Least squares over the window; truer than the lifted colour where strokes are thin or soft.
    """
    share = cover[..., None]
    wanted = window - (1 - share) * lifted.ground
    colour = (wanted * share).sum(axis=(0, 1)) / max(float((share**2).sum()), 1e-6)
    if lifted.noise.jpeg:
        # Compression spreads colours but keeps their sum.
        inked = lifted.hole | (cover > 0)
        off = (window[inked] - lifted.ground[inked].astype(np.float32)).sum(axis=0)
        whole = lifted.ground[inked].mean(axis=0) + off / max(float(cover.sum()), 1e-6)
        colour = whole + (colour - whole) @ TO_LUMA
    red, green, blue = (int(value) for value in np.rint(np.clip(colour, 0, 255)))
    return red, green, blue, 255


# ── cover and grain ─────────────────────────────────────────────────────────────────────


def _cover(window: Pixels, ground: Ground, colour: tuple[int, int, int]) -> Plane:
    line = np.array(colour, np.float32) - ground.smooth
    length = np.maximum((line**2).sum(axis=2), 1.0)
    share = ((window - ground.smooth) * line).sum(axis=2) / length
    soft = ground.kind in ("texture", "photograph") or ground.noise.any()
    return np.asarray(np.clip(share, 0, 1) * grown(ground.ink.ours, int(soft)), np.float32)


def _grain(window: Pixels, ground: Ground, cover: Plane) -> Grain:
    import cv2

    flat = ground.kind in ("flat", "gradient")
    noise = mixing(ground.noise[ground.quiet]) if flat and ground.quiet.any() else NONE
    core = cv2.erode((cover > 0.9).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    ink = NONE
    if core.sum() >= 60:
        ink = mixing(window[core].astype(np.float32))
    elif flat:
        ink = noise
    if noise == NONE and flat:
        ink = NONE
    soft = softness(ground.noise, ground.quiet) if noise != NONE else 0.0
    return Grain(noise, ink, soft, edge_blur(cover) if flat else 0.0)
