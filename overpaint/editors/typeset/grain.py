"""Grain: the noise, blur and compression of a picture, so that new words do not look pasted."""

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overpaint.document.boxes import Box
from overpaint.document.layers import Pixels
from overpaint.editors.typeset.jpeg import Jpeg, agrees, compress, detect

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]
Mixing = tuple[tuple[float, float, float], ...]

NONE: Mixing = ((0.0,) * 3,) * 3
_LEAST = 0.6  # levels: weaker noise is rounding
_SHARP = 0.5  # pixels: an edge this soft may be drawn so
_AROUND = 160  # pixels around a window that are looked at for traces of compression
_MARGIN = 8  # pixels around the mask that are compressed with it


@dataclass(frozen=True)
class Grain:
    """How a window is rougher than what is drawn.

    `noise` and `ink` turn three independent normal values into the noise of a pixel's channels,
    on the ground and inside letters; `soft` is how far neighbouring pixels share it, a Gaussian's
    sigma; `blur` is that of the edges of letters.
    """

    noise: Mixing = NONE
    ink: Mixing = NONE
    soft: float = 0.0
    blur: float = 0.0
    jpeg: Jpeg | None = None

    @property
    def sigma(self) -> tuple[float, ...]:
        """Standard deviation of the ground's noise in red, green and blue."""
        return tuple(float(np.linalg.norm(row)) for row in self.noise)

    @property
    def nothing(self) -> bool:
        """Whether new words can stand as they are drawn."""
        return self == Grain(blur=self.blur, noise=self.noise) and self.blur == 0


def traces(pixels: Pixels, box: Box) -> Jpeg | None:
    """How the text in a box and the picture around it were compressed; None: they were not."""
    left, top = max(0, box[0] - _AROUND) // 16 * 16, max(0, box[1] - _AROUND) // 16 * 16
    found = detect(pixels[top : box[3] + _AROUND, left : box[2] + _AROUND])
    if found is None:
        return None
    left, top = (
        max(0, -(-(start - first) // 8)) * 8 + first
        for start, first in ((box[0], found.left), (box[1], found.top))
    )
    return found if agrees(pixels[top : box[3] + 4, left : box[2] + 4], found) else None


def apply(
    pixels: Pixels, mask: NDArray[np.generic], grain: Grain, *, cover: Plane | None = None
) -> Pixels:
    """A picture with new words made as rough as the rest of it; only inside the mask.

    `cover` says how far each pixel is new ink, which hides the ground's own noise; without it
    all of the mask is taken for new. The noise is the same for the same picture.
    """
    where = np.asarray(mask, np.bool_)
    if not where.any() or (grain.ink == NONE and grain.jpeg is None):
        return pixels
    left, top, right, bottom = _aligned(where, grain.jpeg or Jpeg(100))
    cut = np.s_[top:bottom, left:right]
    rough = part = pixels[cut]
    if grain.ink != NONE:
        share = where[cut].astype(np.float32)
        if cover is not None:
            share = share * np.clip(cover[cut], 0, 1)
        rough = _noisy(part, share, grain, seed=zlib.crc32(part.tobytes()))
    if grain.jpeg:
        rough = compress(rough, grain.jpeg)
    new = pixels.copy()
    new[cut] = np.where(where[cut][..., None], rough, part)
    return new


def mixing(noise: Plane) -> Mixing:
    """What turns independent values into noise like these N×3 samples; nothing for rounding."""
    if len(noise) < 30:
        return NONE
    middle = np.median(noise, axis=0)
    limit = 4.5 * np.maximum(np.median(np.abs(noise - middle), axis=0) * 1.4826, 0.5)
    kept = noise[(np.abs(noise - middle) <= limit).all(axis=1)]
    if len(kept) < 30 or kept.std(axis=0).max() < _LEAST:
        return NONE
    root = np.linalg.cholesky(np.cov(kept.T) + 1e-6 * np.eye(3))
    return tuple((float(r), float(g), float(b)) for r, g, b in root)


def softness(noise: Plane, quiet: Mask) -> float:
    """The sigma that neighbouring pixels of this noise share, from how alike they are."""
    grey = noise.mean(axis=2)
    alike = []
    for axis in (0, 1):
        both = np.delete(quiet, -1, axis) & np.delete(quiet, 0, axis)
        one, other = np.delete(grey, -1, axis)[both], np.delete(grey, 0, axis)[both]
        if len(one) > 50 and one.std() > 0 and other.std() > 0:
            alike.append(float(np.corrcoef(one, other)[0, 1]))
    likeness = np.mean(alike) if alike else 0.0
    return float(np.sqrt(-1 / (4 * np.log(min(likeness, 0.95))))) if likeness > 0.05 else 0.0


def edge_blur(cover: Plane) -> float:
    """The Gaussian sigma of letters' edges beyond what drawing on pixels makes; 0 where sharp."""
    inked = cover[cover > 0.05]
    if len(inked) < 40:
        return 0.0
    whole = cover / max(float(np.percentile(inked, 99.5)), 0.05)
    rises = np.concatenate([np.abs(np.diff(whole, axis=axis)).ravel() for axis in (0, 1)])
    # An edge of sigma s rises by 1/(s√2π) a pixel where it is steepest; a pixel's own width
    # adds a twelfth to s².
    steepest = max(float(np.percentile(rises[rises > 0.05], 97)), 0.05)
    sigma = float(np.sqrt(max(0.0, 1 / (2 * np.pi * steepest**2) - 1 / 12)))
    return sigma if sigma > _SHARP else 0.0


# ── inside ──────────────────────────────────────────────────────────────────────────────


def _noisy(pixels: Pixels, share: Plane, grain: Grain, *, seed: int) -> Pixels:
    import cv2

    values = np.random.default_rng(seed).standard_normal((*share.shape, 3)).astype(np.float32)
    if grain.soft > 0:
        values = np.asarray(cv2.GaussianBlur(values, (0, 0), grain.soft), np.float32)
        values /= values.std(axis=(0, 1))
    noise = values @ np.array(grain.ink, np.float32).T
    rough = pixels + noise * share[..., None]
    return np.asarray(np.rint(np.clip(rough, 0, 255)), np.uint8)


def _aligned(where: Mask, jpeg: Jpeg) -> Box:
    """A box around the mask whose corner lies on the grid of compression."""
    spans = []
    for axis, start in ((1, jpeg.left), (0, jpeg.top)):
        there = np.flatnonzero(where.any(axis=1 - axis))
        first = (int(there[0]) - _MARGIN - start) // 16 * 16 + start
        while first < 0:
            first += 8
        last = -(-(int(there[-1]) + 1 + _MARGIN - first) // 16) * 16 + first
        spans.append((min(first, int(there[0])), min(last, where.shape[axis])))
    (left, right), (top, bottom) = spans
    return left, top, right, bottom
