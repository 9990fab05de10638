"""Turning: how well the words of a source fit an output when they are turned by an angle."""

import numpy as np
from numpy.typing import NDArray

from overpaint.measures.evidence.looks import ink
from overpaint.measures.evidence.searching import Spot
from overpaint.measures.evidence.sight import Sight, cut
from overpaint.vision.page import Box


def fit(sight: Sight, spot: Spot, degrees: float) -> float:
    """How well the words of the source, turned clockwise about their middle, fit the output."""
    import cv2

    left, top, right, bottom = spot.box
    half = int(np.hypot(right - left, bottom - top) / 2) + 8
    x, y = (round(middle) for middle in spot.middle)
    window = (x - half, y - half, x + half, y + half)
    letters = _letters(sight.pair.reference, spot, window)
    there = _letters(sight.pair.output, spot, window, whole=True)
    if letters.shape != there.shape or min(letters.shape) < 8:
        return 0.0
    middle = ((letters.shape[1] - 1) / 2, (letters.shape[0] - 1) / 2)
    turn = cv2.getRotationMatrix2D(middle, -degrees, 1.0)
    turned = cv2.warpAffine(letters, turn, letters.shape[::-1])
    padded = cv2.copyMakeBorder(there, 12, 12, 12, 12, cv2.BORDER_CONSTANT, value=0.0)
    return float(cv2.matchTemplate(padded, turned, cv2.TM_CCOEFF_NORMED).max())


def _letters(
    picture: NDArray[np.uint8], spot: Spot, window: Box, *, whole: bool = False
) -> NDArray[np.float32]:
    """How far each pixel of a window is from the ground of the words; around them, 0."""
    part = cut(picture, window).astype(np.float32)
    found = ink(picture, spot.box) if not whole else None
    rim = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
    ground = found.ground if found else np.median(rim, axis=0)
    far: NDArray[np.float32] = np.linalg.norm(part - ground, axis=2).astype(np.float32)
    if not whole:
        keep = np.zeros_like(far)
        left, top = max(0, int(window[0])), max(0, int(window[1]))
        x0, y0, x1, y1 = (int(edge) for edge in spot.box)
        keep[max(0, y0 - top - 2) : y1 - top + 2, max(0, x0 - left - 2) : x1 - left + 2] = 1
        return np.asarray(far * keep, np.float32)
    return far
