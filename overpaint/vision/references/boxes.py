"""Boxes: that of a mask, and how much boxes have in common."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from overpaint.vision.references import Box

Boxes = Sequence[Box] | NDArray[np.floating]  # left, top, right, bottom


def box_of(mask: NDArray[np.bool_]) -> Box:
    """The box of a mask, which must cover something."""
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    return Box(float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1))


def overlaps(these: Boxes, those: Boxes) -> NDArray[np.float64]:
    """The IoU of each of these boxes with each of those; one without an inside has none."""
    a, b = (np.asarray(side, np.float64).reshape(-1, 4) for side in (these, those))
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    common = np.maximum(high - low, 0).prod(axis=2)
    areas = [np.maximum(side[:, 2:] - side[:, :2], 0).prod(axis=1) for side in (a, b)]
    either = areas[0][:, None] + areas[1][None] - common
    return np.asarray(np.divide(common, either, out=np.zeros_like(either), where=either > 0))
