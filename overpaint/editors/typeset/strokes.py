"""Strokes: which pixels of a line are its letters, on plain paper and on anything else.

Ink is told by its strength: 0 where there is none, 1 where a pixel has the letters' own colour.
"""

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import Pixels
from overpaint.editors.typeset.even import levelled
from overpaint.vision.ink import letters, snap
from overpaint.vision.page import Box

_SHARE = 0.3  # of the way from the ground's colour to the letters': what is further is a letter's
_STRONG = 0.6  # of the strongest difference from the ground: surely a letter
_STRIKING = 0.4  # of the letters' own distance from the paper: a stroke, not a glow or a seam
_SPECK = 0.004  # of the line's height squared: a smaller spot is the ground's


Ink = NDArray[np.float32]


def ink_of(pixels: Pixels, box: Box) -> tuple[Ink, int, int]:
    """The ink of a line in its box, and the corner at which the array begins."""
    even, across, down = levelled(pixels, box)
    ink, left, top = _ink_in(even, (box[0] - across, box[1] - down, box[2] - across, box[3] - down))
    return ink, left + across, top + down


def _ink_in(pixels: Pixels, box: Box) -> tuple[Ink, int, int]:
    found = letters(pixels, box)
    if found is None:
        return ink_on_ground(pixels, box)
    ink, left, top = found
    tight = snap(pixels, box)
    own = np.zeros_like(ink)
    rows = slice(int(tight[1]) - top, int(tight[3]) - top)
    columns = slice(int(tight[0]) - left, int(tight[2]) - left)
    own[rows, columns] = ink[rows, columns]
    high, wide = ink.shape
    return _near_strong(pixels[top : top + high, left : left + wide], own, ink), left, top


def _near_strong(window: Pixels, own: NDArray[np.bool_], ink: NDArray[np.bool_]) -> Ink:
    """The ink close to strokes of the letters' own strength: no glow, no seam of the ground."""
    import cv2

    if not own.any() or ink.all():
        return own.astype(np.float32)
    paper = np.median(window[~ink], axis=0)
    far = np.abs(window.astype(np.float32) - paper).max(axis=2)
    full = max(1.0, float(np.quantile(far[own], 0.9)))
    strong = own & (far > _STRIKING * full)
    reach = 2 * round(2 + 0.05 * own.shape[0]) + 1
    near = cv2.dilate(strong.astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0
    return np.where(own & near, (far / full).clip(0.01, 1), 0).astype(np.float32)


def ink_on_ground(pixels: Pixels, box: Box) -> tuple[Ink, int, int]:
    """The ink where the ground is a picture: what has one colour and is not the ground's."""
    import cv2

    height, width = pixels.shape[:2]
    high = box[3] - box[1]
    more = 2 + int(0.1 * high)
    left, top = max(0, int(box[0]) - more), max(0, int(box[1]) - more)
    right, bottom = min(width, int(box[2]) + more + 1), min(height, int(box[3]) + more + 1)
    window = np.ascontiguousarray(pixels[top:bottom, left:right])
    reach = int(min(1.6 * high, 255)) | 1
    ground = cv2.medianBlur(window, max(3, reach)).astype(np.float32)
    off = window.astype(np.float32) - ground
    far = np.abs(off).max(axis=2)
    surely = far > _STRONG * np.quantile(far, 0.98)
    if not surely.any():
        return np.zeros(far.shape, np.float32), left, top
    way = np.median(window[surely], axis=0) - ground
    share = (off * way).sum(axis=2) / np.maximum((way**2).sum(axis=2), 1.0)
    ink = (share > _SHARE) & (far > 12)
    kept = _without_specks(ink, _SPECK * high * high)
    return np.where(kept, share.clip(0.01, 1), 0).astype(np.float32), left, top


def _without_specks(ink: NDArray[np.bool_], least: float) -> NDArray[np.bool_]:
    import cv2

    count, numbered, stats, _ = cv2.connectedComponentsWithStats(
        ink.astype(np.uint8), connectivity=8
    )
    kept = np.zeros(count, bool)
    kept[1:] = stats[1:, cv2.CC_STAT_AREA] >= least
    return np.asarray(kept[numbered])
