"""Unmixing: the words of a box taken off a picture: ground, ink's colour, and how far each
pixel is ink.

A pixel is cover · colour + (1 − cover) · ground in each channel, so that with the ground and the
colour known its cover is where it lies on the line between them.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import Colour, Pixels
from overpaint.document.render import Box
from overpaint.editors.typeset.fills import Fill, recognise
from overpaint.editors.typeset.grain import (
    NONE,
    Grain,
    edge_blur,
    mixing,
    softness,
    traces,
)
from overpaint.editors.typeset.ground import Ground, Kind, estimate
from overpaint.editors.typeset.inking import inside

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]

_MARGIN = 24  # pixels: at least so much is seen around a line, however small
_STEM = 0.115  # a plain font's stem in heights of its capitals, for text too thin to tell


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


def lift(pixels: Pixels, box: Box, *, keep: tuple[Box, ...] = ()) -> Lifted:
    """The words of a box taken off; what stands in the boxes to keep is not theirs."""
    left, top, right, bottom = _window(pixels, box)
    window = pixels[top:bottom, left:right]
    local = (box[0] - left, box[1] - top, box[2] - left, box[3] - top)
    kept = np.zeros(window.shape[:2], np.bool_)
    for other in keep:
        kept |= inside(
            window.shape, (other[0] - left, other[1] - top, other[2] - left, other[3] - top)
        )
    jpeg = traces(pixels, box)
    ground = estimate(window, local, kept & ~inside(window.shape, local), jpeg)
    colour = _colour(window, ground)
    cover = _cover(window, ground, colour)
    noise = replace(_grain(window, ground, cover), jpeg=jpeg)
    plain = Lifted(
        ground.pixels, cover, (*colour, 255), Fill((*colour, 255)), left, top, noise,
        ground.kind, ground.hole,
    )  # fmt: skip
    return replace(plain, fill=recognise(window, plain))


def erase(pixels: Pixels, boxes: tuple[Box, ...]) -> Pixels:
    """The picture without the words in these boxes."""
    erased = pixels.copy()
    for number, box in enumerate(boxes):
        lifted = lift(erased, box, keep=boxes[number + 1 :])
        high, wide = lifted.cover.shape
        erased[lifted.top : lifted.top + high, lifted.left : lifted.left + wide] = lifted.ground
    return erased


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
    off = window[ours] - ground.smooth[ours]
    away = np.linalg.norm(off, axis=1)
    exact = _exact(window[ours], away)
    if exact is not None:
        return exact
    # Along the main direction away from the ground, as far as the strokes' cores lie.
    strong = away >= 0.5 * np.percentile(away, 98)
    line = off[strong].mean(axis=0)
    line = line / max(float(np.linalg.norm(line)), 1e-6)
    along = off @ line
    peak = float(np.percentile(along, 98))
    full = _reach(window, ground, line, peak)
    if ground.kind in ("flat", "gradient"):
        middle = ground.smooth[ours].mean(axis=0)
        colour = middle + line * min(full, _gamut(middle, line))
    else:
        colour = np.median(window[ours][along >= 0.85 * peak], axis=0)
    red, green, blue = (int(value) for value in np.rint(np.clip(colour, 0, 255)))
    return red, green, blue


def _exact(values: Pixels, away: Plane) -> tuple[int, int, int] | None:
    """The one colour of many pixels that lie farthest from the ground; None: they differ."""
    packed = values.astype(np.int64) @ np.array([65536, 256, 1])
    colours, counts = np.unique(packed, return_counts=True)
    colour = int(colours[counts.argmax()])
    share = counts.max() / len(values)
    distance = float(np.median(away[packed == colour]))
    if counts.max() < 4 or share < 0.02 or distance < 0.97 * np.percentile(away, 99.5):
        return None
    return colour >> 16, colour >> 8 & 255, colour & 255


def _reach(window: Pixels, ground: Ground, line: Plane, peak: float) -> float:
    """How far full ink lies from the ground, where strokes may be too thin or soft to show it.

    A stroke's cross-section sums to its width times full ink, however soft its edges; its peak
    is less the thinner it is.
    """
    along = np.maximum(((window - ground.smooth) @ line) * ground.ink.ours, 0)
    sums = []
    for plane in (along, along.T):
        runs = _runs(plane, 0.12 * peak)
        sums += [total for total, top in runs if top > 0.85 * peak]
    if len(sums) < 5:
        return peak
    wide = float(np.percentile(sums, 30)) / peak
    if wide > 1.6:
        return peak
    rows = np.flatnonzero(ground.ink.ours.any(axis=1))
    stem = _STEM * (rows[-1] - rows[0] + 1) * 0.8
    return peak / float(np.clip(stem, 0.45, 1.0))


def _runs(plane: Plane, limit: float) -> list[tuple[float, float]]:
    """Sum and peak of each run above the limit along the rows."""
    there = np.pad(plane > limit, ((0, 0), (1, 1)))
    edges = np.diff(there.astype(np.int8), axis=1)
    (rows, starts), (_, ends) = np.nonzero(edges > 0), np.nonzero(edges < 0)
    return [
        (float(plane[row, start:end].sum()), float(plane[row, start:end].max()))
        for row, start, end in zip(rows, starts, ends, strict=True)
    ]


def _gamut(middle: Plane, line: Plane) -> float:
    """How far a line from a colour stays within 0–255."""
    ends = np.where(
        line > 0, (255 - middle) / np.maximum(line, 1e-6), -middle / np.minimum(line, -1e-6)
    )
    return float(ends[np.abs(line) > 0.05].min())


# ── cover and grain ─────────────────────────────────────────────────────────────────────


def _cover(window: Pixels, ground: Ground, colour: tuple[int, int, int]) -> Plane:
    line = np.array(colour, np.float32) - ground.smooth
    length = np.maximum((line**2).sum(axis=2), 1.0)
    share = ((window - ground.smooth) * line).sum(axis=2) / length
    return np.asarray(np.clip(share, 0, 1) * ground.ink.ours, np.float32)


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
