"""Painting of rounded parts: each is a tube of changing width, lit from above, nearest in front.

Everything is measured in pixels of the picture that is made: x to the right, y down, z towards
whoever looks. The picture is painted larger and made smaller at the end, so that rims are smooth.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Point = NDArray[np.float64]  # x, y, z
Colour = tuple[int, int, int]
# How dark a cloth is at a place: along the part, across it (-1 … 1), both as arrays.
Weave = Callable[[Floats, Floats], Floats]

LIGHT = np.array([-0.38, -0.62, 0.69], np.float32)  # from the upper left, in front; of length 1
SHADE = 0.52  # how bright the far side of a thing is
HOLLOW = 0.45  # how much darker it gets beside something nearer
EMPTY = np.float32(-1e6)  # the depth where nothing is


@dataclass(frozen=True, eq=False)
class Part:
    """A tube from one point to another; the widths are half ones, at even steps along it."""

    start: Point
    end: Point
    widths: Sequence[float]
    colour: Colour
    depth: float = 1.0  # how thick it is towards the eye, in half widths
    ends: tuple[bool, bool] = (True, True)  # whether it is rounded at the start, at the end
    weave: Weave | None = None
    shine: float = 0.0
    laid: float = 0.0  # it lies on what is there, if that is no more than this in front of it


@dataclass(frozen=True, eq=False)
class Canvas:
    """A picture being painted: colour, how near it is, and how many pixels one is made of."""

    colour: Floats
    near: Floats
    fine: int

    @classmethod
    def of(cls, wide: int, high: int, fine: int) -> "Canvas":
        """An empty one of that size."""
        shape = (high * fine, wide * fine)
        return cls(np.zeros((*shape, 3), np.float32), np.full(shape, EMPTY), fine)

    def paint(self, part: Part) -> None:
        """Put a part into the picture, behind what is nearer."""
        area = self._area(part)
        if area is None:
            return
        along, across, near, normal, inside = _tube(part, area, self.fine)
        shown = inside & (near + part.laid > self.near[area])
        if not shown.any():
            return
        colour = _lit(part, along, across, normal)
        self.colour[area][shown] = colour[shown]
        if not part.laid:
            self.near[area][shown] = near[shown]

    def _area(self, part: Part) -> tuple[slice, slice] | None:
        """The pixels a part can touch; none where it is outside."""
        reach = (max(part.widths) + 1) * self.fine
        ends = np.stack([part.start, part.end])[:, :2] * self.fine
        low = np.maximum(np.floor(ends.min(axis=0) - reach), 0).astype(int)
        high = np.minimum(np.ceil(ends.max(axis=0) + reach), self.near.shape[::-1]).astype(int)
        if (low >= high).any():
            return None
        return slice(low[1], high[1]), slice(low[0], high[0])

    def picture(self) -> NDArray[np.uint8]:
        """What was painted, as RGBA at its own size."""
        import cv2

        there = self.near > EMPTY
        full = np.dstack([self._hollowed(there), there.astype(np.float32)])
        full[~there] = 0
        size = (full.shape[1] // self.fine, full.shape[0] // self.fine)
        small = cv2.resize(full, size, interpolation=cv2.INTER_AREA)
        opaque = small[:, :, 3:]
        colour = small[:, :, :3] / np.maximum(opaque, 1e-6)
        whole = np.concatenate([colour * (opaque > 0), opaque * 255], axis=2)
        return np.asarray(np.clip(np.rint(whole), 0, 255), np.uint8)

    def _hollowed(self, there: NDArray[np.bool_]) -> Floats:
        """The colours, darker where something nearer stands beside."""
        import cv2

        if not there.any():
            return self.colour
        reach = max(3, round(self.near.shape[0] / 90)) | 1
        weight = there.astype(np.float32)
        depth = np.where(there, self.near, 0).astype(np.float32)
        around = cv2.blur(depth, (reach, reach)) / np.maximum(
            cv2.blur(weight, (reach, reach)), 1e-6
        )
        deep = np.clip((around - depth) / (reach / self.fine * 1.5), 0, 1)
        return np.asarray(self.colour * (1 - HOLLOW * deep)[:, :, None], np.float32)


def _tube(
    part: Part, area: tuple[slice, slice], fine: int
) -> tuple[Floats, Floats, Floats, Floats, NDArray[np.bool_]]:
    """For each pixel: where along and across the part, how near, its normal, and if it is in."""
    down = (np.arange(area[0].start, area[0].stop, dtype=np.float32)[:, None] + 0.5) / fine
    right = (np.arange(area[1].start, area[1].stop, dtype=np.float32)[None, :] + 0.5) / fine
    start, end = part.start.astype(np.float32), part.end.astype(np.float32)
    axis = end - start
    length = float(np.hypot(axis[0], axis[1]))
    if length < 1e-3:  # a ball, or a tube seen from its end
        axis, length = np.array([0, 1e-3, axis[2]], np.float32), 1e-3
    way = axis[:2] / length
    x, y = right - start[0], down - start[1]
    raw = (x * way[0] + y * way[1]) / length
    along = np.clip(raw, 0, 1)
    side = x * -way[1] + y * way[0]
    beyond = (raw - along) * length
    half = np.interp(along, np.linspace(0, 1, len(part.widths)), part.widths).astype(np.float32)
    half = np.maximum(half, 1e-3)
    across = side / half
    square = across**2 + (beyond / half) ** 2
    inside = square < 1
    if not part.ends[0]:
        inside &= raw >= 0
    if not part.ends[1]:
        # A hem is seen from a little above: it hangs lower in front.
        inside &= beyond <= 0.22 * half * np.sqrt(np.maximum(1 - across**2, 0))
    rise = np.sqrt(np.maximum(1 - square, 0))
    near = start[2] + along * axis[2] + part.depth * half * rise
    normal = _normal(across, beyond / half, rise, way)
    return along, across, near, normal, inside


def _normal(across: Floats, beyond: Floats, rise: Floats, way: Floats) -> Floats:
    x = across * -way[1] + beyond * way[0]
    y = across * way[0] + beyond * way[1]
    return np.stack([x, y, rise], axis=-1)


def _lit(part: Part, along: Floats, across: Floats, normal: Floats) -> Floats:
    """The part's colour under the light."""
    # In plain sums, which are the same on every processor.
    facing = sum(normal[..., k] * LIGHT[k] for k in range(3))
    bright = SHADE + (1 - SHADE) * 1.12 * (0.5 + 0.5 * facing)
    if part.weave is not None:
        bright = bright * part.weave(along, across)
    base = np.array(part.colour, np.float32)
    colour = bright[:, :, None] * base
    if part.shine:
        glint = np.maximum(facing, 0) ** 12 * part.shine
        colour += glint[:, :, None] * (255 - base)
    return np.asarray(np.clip(colour, 0, 255), np.float32)
