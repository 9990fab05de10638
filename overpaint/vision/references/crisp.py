"""Crisp edges: regions that were found on a small copy, at the picture's own size.

Near an edge each pixel goes to the region whose colours around there it is most like; colours are
averaged a little first, so that dots, grain and compression do not fray an edge.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.vision.references.mosaic import Floats, Labels, lab, shrunk

Mask = NDArray[np.bool_]
FULL = 1024  # pixels of the longer side that edges are followed at; larger maps are drawn out
BAND = 2.0  # pixels, of the small copy, that an edge may be off
AROUND = 5.0  # bands: how far around a region's colours are taken
SOFT = 0.8  # bands: how far likeness is averaged


def crisp(pixels: Pixels, labels: Labels) -> Labels:
    """The same regions, 1 … n, at the bounded size, their edges moved to the picture's own."""
    import cv2

    large = shrunk(pixels, FULL)
    size = (large.shape[1], large.shape[0])
    first = cv2.resize(labels.astype(np.float32), size, interpolation=cv2.INTER_NEAREST)
    band = max(1.0, BAND * size[0] / labels.shape[1])
    return _followed(lab(large), np.asarray(first, np.float32), band).astype(np.int32)


def drawn_out(labels: NDArray[Any], pixels: Pixels) -> NDArray[Any]:
    """A map or mask at the size of a picture, by its nearest pixels."""
    import cv2

    if labels.shape == pixels.shape[:2]:
        return labels
    size = (pixels.shape[1], pixels.shape[0])
    plain = labels.view(np.uint8) if labels.dtype == bool else labels
    return np.asarray(cv2.resize(plain, size, interpolation=cv2.INTER_NEAREST), labels.dtype)


def _followed(colours: Floats, first: Floats, band: float) -> Floats:
    """Each region holds its inside, and competes for the band along its edges."""
    import cv2

    reach = 2 * round(band) + 1
    near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    open_ = cv2.dilate(first, near) != cv2.erode(first, near)
    smooth = np.asarray(cv2.GaussianBlur(colours, (0, 0), band / 2), np.float32)
    best = np.full(first.shape, np.inf, np.float32)
    found = first.copy()
    for number in range(1, int(first.max()) + 1):
        here = _surroundings(first == number, round(AROUND * band))
        if here is None:
            continue
        mine = first[here] == number
        far = _unlike(smooth[here], mine & ~open_[here], mine, band)
        better = open_[here] & (far < best[here])
        best[here][better] = far[better]
        found[here][better] = number
    return found


def _surroundings(mask: Mask, more: int) -> tuple[slice, slice] | None:
    """Where a mask is, and this much more; nothing where it is nowhere."""
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    if not rows.size:
        return None
    return (
        slice(max(0, int(rows[0]) - more), int(rows[-1]) + more + 1),
        slice(max(0, int(columns[0]) - more), int(columns[-1]) + more + 1),
    )


def _unlike(smooth: Floats, inside: Mask, mine: Mask, band: float) -> Floats:
    """How unlike the region's colours around there each pixel is; endless where it has none."""
    import cv2

    width = 2 * round(AROUND * band) + 1
    # A region too thin to have an inside stands with all it has.
    sure = (inside if inside.any() else mine).astype(np.float32)
    weight = cv2.blur(sure, (width, width))
    mean = (
        cv2.blur(smooth * sure[:, :, None], (width, width)) / np.maximum(weight, 1e-6)[:, :, None]
    )
    far = np.abs(smooth - mean).sum(axis=2)
    far = cv2.GaussianBlur(far, (0, 0), SOFT * band)
    near = cv2.dilate(mine.astype(np.uint8), np.ones((2 * round(band) + 1,) * 2, np.uint8)) > 0
    return np.where((weight > 1e-4) & near, far, np.inf).astype(np.float32)
