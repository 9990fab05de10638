"""Planes: a line of text that is turned or seen at a slant, made an upright strip, and put back.

Corners run clockwise from where the text begins at its top. Places are between pixels: the first
pixel reaches from 0 to 1. A line that stands upright, or turned by quarters, is never resampled.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from overpaint.document.boxes import box_around
from overpaint.document.layers import Pixels, Point

Homography = NDArray[np.float64]  # 3×3, leads from places of the strip to places of the picture
Plane = NDArray[np.float32]
Reach = tuple[int, int, int, int]  # pixels of the picture: left, top, right, bottom
Corners = Sequence[Point] | NDArray[np.floating]

FINE = 3  # each pixel of the picture is the mean of so many places of the strip, squared
LARGEST = 40_000_000  # pixels of a strip: no corners make one larger


def rectify(pixels: Pixels, quad: Corners) -> tuple[NDArray[np.uint8], Homography]:
    """The upright strip that the corners enclose, and what leads from it back to the picture."""
    import cv2

    corners = np.asarray(quad, np.float64).reshape(4, 2)
    if (turn := _quarter(corners)) is not None:
        return _cut_out(pixels, corners, turn)
    wide, high = strip_size(corners)
    strip_to_picture = homography(wide, high, corners)
    found = cv2.warpPerspective(
        np.ascontiguousarray(pixels),
        _between_middles(strip_to_picture),
        (wide, high),
        flags=cv2.INTER_LANCZOS4 | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(found, np.uint8), strip_to_picture


def back(
    strip: NDArray[np.uint8], mask: NDArray[np.uint8], way: Homography, pixels: Pixels
) -> NDArray[np.uint8]:
    """The picture with the strip in its place where the mask (0–255) is; the rest is untouched."""
    out = np.array(pixels)
    box = box_around(mask)
    if box is None:
        return out
    reach = _reach(way, (box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1), out.shape)
    left, top, right, bottom = reach
    if right <= left or bottom <= top:
        return out
    lay = _moved if exact(way) else _resampled
    colour, cover = lay(strip, mask, way, reach)
    share = cover[:, :, None] / 255
    under = out[top:bottom, left:right, :3].astype(np.float32)
    mixed = np.floor(under + (colour[:, :, :3] - under) * share + 0.5).clip(0, 255)
    out[top:bottom, left:right, :3] = np.where(share > 0, mixed, under).astype(np.uint8)
    return out


def _resampled(
    strip: NDArray[np.uint8], mask: NDArray[np.uint8], way: Homography, reach: Reach
) -> tuple[Plane, Plane]:
    """Colour and cover of the picture's pixels in reach, each the mean over its whole area."""
    import cv2

    left, top, right, bottom = reach
    fine = np.array([[1 / FINE, 0, left], [0, 1 / FINE, top], [0, 0, 1]])
    lead = _between_middles(np.asarray(np.linalg.inv(way) @ fine, np.float64))
    size = ((right - left) * FINE, (bottom - top) * FINE)

    def laid(part: NDArray[np.uint8], how: int, border: int) -> Plane:
        flags = how | cv2.WARP_INVERSE_MAP
        flat = np.ascontiguousarray(part).astype(np.float32)
        large = cv2.warpPerspective(flat, lead, size, flags=flags, borderMode=border)
        shrunk = cv2.resize(large, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        return np.asarray(shrunk, np.float32)

    # What is around the mask must not be drawn into it, nor it beyond its edge.
    return (
        laid(strip, cv2.INTER_LANCZOS4, cv2.BORDER_REPLICATE),
        laid(mask, cv2.INTER_LINEAR, cv2.BORDER_CONSTANT),
    )


def homography(wide: float, high: float, corners: Corners) -> Homography:
    """What leads from an upright rectangle to four corners."""
    import cv2

    flat = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    exact = cv2.getPerspectiveTransform(flat, np.asarray(corners, np.float32).reshape(4, 2))
    return np.asarray(exact, np.float64)


def strip_size(corners: Corners) -> tuple[int, int]:
    """Width and height of the strip: the longer of two sides, so that nothing is lost."""
    a, b, c, d = np.asarray(corners, np.float64).reshape(4, 2)
    wide = max(float(np.hypot(*(b - a))), float(np.hypot(*(c - d))))
    high = max(float(np.hypot(*(d - a))), float(np.hypot(*(c - b))))
    shrink = min(1.0, (LARGEST / max(1.0, wide * high)) ** 0.5)
    return max(1, round(wide * shrink)), max(1, round(high * shrink))


def carry(way: Homography, points: Corners) -> tuple[Point, ...]:
    """Where points of the strip are in the picture."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    led = np.c_[flat, np.ones(len(flat))] @ way.T
    return tuple((float(x / w), float(y / w)) for x, y, w in led)


def corners_of(box: Sequence[float]) -> tuple[Point, ...]:
    """The corners of an upright box."""
    left, top, right, bottom = (float(edge) for edge in box)
    return ((left, top), (right, top), (right, bottom), (left, bottom))


# ── what needs no resampling ────────────────────────────────────────────────────────────


def _quarter(corners: NDArray[np.float64]) -> int | None:
    """By how many quarters clockwise an upright rectangle's text is turned; None where it leans."""
    steps = np.roll(corners, -1, axis=0) - corners
    for turn in range(4):
        level, steep = np.roll(steps, turn, axis=0)[[0, 2]], np.roll(steps, turn, axis=0)[[1, 3]]
        straight = np.abs(level[:, 1]).max() < 1e-3 and np.abs(steep[:, 0]).max() < 1e-3
        if straight and level[0, 0] > 0 and steep[0, 1] > 0:
            return turn
    return None


def _cut_out(
    pixels: Pixels, corners: NDArray[np.float64], turn: int
) -> tuple[NDArray[np.uint8], Homography]:
    height, width = pixels.shape[:2]
    left, top = np.floor(corners.min(axis=0) + 1e-3).astype(int).clip(0)
    right, bottom = np.ceil(corners.max(axis=0) - 1e-3).astype(int)
    right, bottom = min(width, max(right, left + 1)), min(height, max(bottom, top + 1))
    strip = np.ascontiguousarray(np.rot90(pixels[top:bottom, left:right], turn))
    quad = np.roll(np.array(corners_of((left, top, right, bottom))), -turn, axis=0)
    high, wide = strip.shape[:2]
    return strip, np.rint(homography(wide, high, quad)) + 0.0


def exact(way: Homography) -> bool:
    """Whether it leads pixels onto pixels: moved by whole pixels, turned by quarters."""
    return bool(
        np.allclose(way, np.rint(way), atol=1e-9)
        and np.allclose(way[2], (0, 0, 1))
        and np.allclose(np.abs(way[:2, :2]).sum(axis=0), 1)
        and np.allclose(np.abs(way[:2, :2]).sum(axis=1), 1)
    )


def _moved(
    strip: NDArray[np.uint8], mask: NDArray[np.uint8], way: Homography, reach: Reach
) -> tuple[Plane, Plane]:
    """Colour and cover of the picture's pixels in reach, taken from the strip one by one."""
    left, top, right, bottom = reach
    y, x = np.mgrid[top:bottom, left:right] + 0.5
    inverse = np.linalg.inv(way)
    column = np.floor(inverse[0, 0] * x + inverse[0, 1] * y + inverse[0, 2]).astype(int)
    row = np.floor(inverse[1, 0] * x + inverse[1, 1] * y + inverse[1, 2]).astype(int)
    high, wide = mask.shape
    there = (row >= 0) & (row < high) & (column >= 0) & (column < wide)
    row, column = row.clip(0, high - 1), column.clip(0, wide - 1)
    cover = np.where(there, mask[row, column], 0)
    return strip[row, column].astype(np.float32), cover.astype(np.float32)


def _between_middles(way: Homography) -> Homography:
    """The same for a program that counts places from the middles of pixels."""
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    return np.asarray(np.linalg.inv(half) @ way @ half)


def _reach(way: Homography, box: Sequence[float], shape: Sequence[int]) -> Reach:
    """The picture's pixels that a box of the strip may touch."""
    points = np.array(carry(way, corners_of(box)))
    left, top = np.floor(points.min(axis=0)).astype(int)
    right, bottom = np.ceil(points.max(axis=0)).astype(int)
    return (
        max(0, int(left)),
        max(0, int(top)),
        min(shape[1], int(right)),
        min(shape[0], int(bottom)),
    )
