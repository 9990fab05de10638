"""Shapes: what the outline of a layer tells about it, without knowing what it shows."""

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Layer
from overpaint.document.layers import Picture
from overpaint.document.render import sheet_of

Mask = NDArray[np.bool_]
_SIDE = 600  # pixels: larger layers are looked at with some left out
_INK = 64  # of 255
_EDGE = 0.08  # of a side: a frame runs this near the edge of its box
_MANY = 4  # pieces: so many small things are a pattern
_DISC = np.pi / 4  # of its box


def outline(layer: Layer) -> Mask | None:
    """Where a layer paints, cropped to that; None where it paints nothing."""
    if isinstance(layer.content, Picture):
        pixels = layer.content.pixels
    else:
        sheet = sheet_of(layer)
        if sheet is None:
            return None
        pixels = sheet.pixels
    step = max(1, max(pixels.shape[:2]) // _SIDE)
    mask = pixels[::step, ::step, 3] >= _INK
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    return np.asarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def is_ring(layer: Layer) -> bool:
    """Whether it runs along all four sides of its box and leaves the middle free."""
    mask = outline(layer)
    if mask is None or min(mask.shape) < 8:
        return False
    high, wide = mask.shape
    y, x = max(1, int(high * _EDGE)), max(1, int(wide * _EDGE))
    sides = (mask[:y].any(axis=0), mask[-y:].any(axis=0), mask[:, :x].any(axis=1),
             mask[:, -x:].any(axis=1))  # fmt: skip
    middle = mask[high // 5 : -high // 5, wide // 5 : -wide // 5]
    return all(side.mean() > 0.85 for side in sides) and float(middle.mean()) < 0.05


def is_solid(layer: Layer) -> bool:
    """Whether it fills its box."""
    mask = outline(layer)
    return mask is not None and float(mask.mean()) > 0.9


def pieces(layer: Layer) -> list[tuple[int, int, int]]:
    """Width, height and area of each piece that a layer falls into, specks left out."""
    import cv2

    mask = outline(layer)
    if mask is None:
        return []
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    found = [(int(wide), int(high), int(area)) for _, _, wide, high, area in stats[1:]]
    largest = max((area for _, _, area in found), default=0)
    return [one for one in found if one[2] > 0.1 * largest]


def is_scattered(layer: Layer) -> bool:
    """Whether it is made of several small pieces of a kind."""
    found = pieces(layer)
    return len(found) >= _MANY and max(a for *_, a in found) < 0.3 * sum(a for *_, a in found)


def is_dotted(layer: Layer) -> bool:
    """Whether its pieces are plain discs and squares, which show nothing."""
    found = pieces(layer)
    shares = [area / (wide * high) for wide, high, area in found if wide and high]
    square = all(0.8 < wide / high < 1.25 for wide, high, _ in found)
    disc = all(abs(share - _DISC) < 0.1 for share in shares)
    return square and (disc or all(share > 0.95 for share in shares))


def line_heights(layer: Layer, count: int) -> list[float]:
    """How high each of so many lines of letters is; none where they cannot be told apart."""
    mask = outline(layer)
    if mask is None:
        return []
    ink = np.concatenate(([False], mask.any(axis=1), [False])).astype(np.int8)
    starts, ends = np.flatnonzero(np.diff(ink) == 1), np.flatnonzero(np.diff(ink) == -1)
    heights = [float(end - start) for start, end in zip(starts, ends, strict=True)]
    return heights if len(heights) == count else []
