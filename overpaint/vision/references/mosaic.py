"""A mosaic: a picture as small tiles of one colour each.

Tiles are clusters of place and colour around the cells of a fixed grid (SLIC; Achanta et al.
2012), on a small, smoothed copy, where grain, dots of print and blocks of compression have gone.
The grid does not depend on the picture, so that small changes of it change little.
"""

import math

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels

Labels = NDArray[np.int32]
Floats = NDArray[np.float32]
MEDIAN = 5  # pixels: what is narrower is grain
CHROMA = 1.5  # pixels: sigma of the blur that colour gets
ROUND = 18.0  # Lab units that a tile's width counts for: how round tiles are
TURNS = 4  # in which tiles find their shape
LIGHT = 0.65  # what lightness counts for beside colour


def shrunk(pixels: Pixels, long: int) -> Pixels:
    """A copy whose longer side is at most this long."""
    import cv2

    high, wide = pixels.shape[:2]
    scale = min(1.0, long / max(high, wide))
    size = (max(1, round(wide * scale)), max(1, round(high * scale)))
    return np.asarray(
        cv2.resize(np.ascontiguousarray(pixels), size, interpolation=cv2.INTER_AREA), np.uint8
    )


def smoothed(small: Pixels) -> Pixels:
    """Without grain, dots and hatching, edges kept; colour is spread a little, as JPEG does."""
    import cv2

    parted = cv2.cvtColor(small, cv2.COLOR_RGB2YCrCb)
    parted[:, :, 1:] = cv2.GaussianBlur(parted[:, :, 1:], (0, 0), CHROMA)
    once = cv2.cvtColor(parted, cv2.COLOR_YCrCb2RGB)
    once = cv2.medianBlur(once, MEDIAN) if min(small.shape[:2]) >= MEDIAN else once
    return np.asarray(cv2.bilateralFilter(cv2.bilateralFilter(once, 7, 30, 4), 7, 30, 4), np.uint8)


def lab(pixels: Pixels) -> Floats:
    """CIE L*a*b* as floats, so that nothing is rounded."""
    import cv2

    scaled = pixels.astype(np.float32) / np.float32(255)
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_RGB2Lab), np.float32)


def felt(smooth: Pixels) -> Floats:
    """Colours as areas are told apart by: light counts less, for shadows are no things."""
    return lab(smooth) * np.array([LIGHT, 1, 1], np.float32)


def tiles(colours: Floats, grid: int) -> Labels:
    """Every pixel's tile, 0 … n − 1: of the cells around it the one it is nearest to."""
    high, wide = colours.shape[:2]
    down, across = math.ceil(high / grid), math.ceil(wide / grid)
    y, x = np.mgrid[:high, :wide]
    home = (y // grid * across + x // grid).astype(np.int32)
    space = np.dstack([y, x]).astype(np.float32) * np.float32(ROUND / grid)
    everything = np.concatenate([colours, space], axis=2)
    labels = home
    for _ in range(TURNS):
        middles = means_of(labels, everything, down * across).astype(np.float32)
        labels = _nearest(everything, home, middles, (down, across))
    return np.asarray(np.unique(labels, return_inverse=True)[1], np.int32).reshape(high, wide)


def _nearest(everything: Floats, home: Labels, middles: Floats, cells: tuple[int, int]) -> Labels:
    """For each pixel the nearest of its own cell's middle and those around."""
    row, column = np.divmod(home, cells[1])
    best = np.full(home.shape, np.inf, np.float32)
    labels = home.copy()
    for up in (0, -1, 1):
        for left in (0, -1, 1):
            there = np.clip(row + up, 0, cells[0] - 1) * cells[1]
            there = there + np.clip(column + left, 0, cells[1] - 1)
            far = np.square(everything - middles[there]).sum(axis=2)
            nearer = far < best
            best[nearer], labels[nearer] = far[nearer], there[nearer]
    return labels


def means_of(tiled: Labels, colours: Floats, count: int = 0) -> NDArray[np.float64]:
    """Each tile's mean colour; far off for one that has no pixel."""
    flat, count = tiled.ravel(), count or int(tiled.max()) + 1
    sums = [np.bincount(flat, plane.ravel(), count) for plane in np.moveaxis(colours, 2, 0)]
    sizes = np.bincount(flat, minlength=count)[:, None]
    return np.where(sizes > 0, np.stack(sums, axis=1) / np.maximum(sizes, 1), 1e6)


def contacts(tiled: Labels, count: int) -> list[tuple[int, int, float]]:
    """Pairs of tiles that touch, and along how many pixels."""
    sides = ((tiled[1:], tiled[:-1]), (tiled[:, 1:], tiled[:, :-1]))
    pairs = np.concatenate([
        np.minimum(one, two).astype(np.int64)[one != two] * count + np.maximum(one, two)[one != two]
        for one, two in sides
    ])  # fmt: skip
    keys, lengths = np.unique(pairs, return_counts=True)
    return [(int(k) // count, int(k) % count, float(n)) for k, n in zip(keys, lengths, strict=True)]
