"""A brush for illustrations: shapes on a clear square of 100 units, drawn large and shrunk."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from PIL import Image, ImageDraw

from overpaint.document import Pixels
from overpaint.engines.posters.brush import mix, rgb

FINE = 3  # the sheet has this many times the pixels of the picture, each way
UNITS = 100.0
Point = tuple[float, float]


def lighter(colour: str, share: float = 0.4) -> str:
    """The colour, so much of the way to white."""
    return mix(colour, "#ffffff", share)


def darker(colour: str, share: float = 0.3) -> str:
    """The colour, so much of the way to black."""
    return mix(colour, "#000000", share)


def turned(points: Iterable[Point], degrees: float, about: Point = (50, 50)) -> list[Point]:
    """The points, turned clockwise about one of them."""
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    x0, y0 = about
    return [
        (x0 + (x - x0) * cosine - (y - y0) * sine, y0 + (x - x0) * sine + (y - y0) * cosine)
        for x, y in points
    ]


def around(place: Point, radius: float, count: int, *, start: float = -90) -> list[Point]:
    """Points evenly on a circle, the first at the top."""
    x, y = place
    angles = (math.radians(start + 360 * i / count) for i in range(count))
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def smooth(points: Sequence[Point], *, closed: bool = True, steps: int = 12) -> list[Point]:
    """A round line through the points (Catmull–Rom)."""
    n, found = len(points), []
    for i in range(n if closed else n - 1):
        four = [points[_at(i + j, n, closed)] for j in (-1, 0, 1, 2)]
        found += [_between(four, step / steps) for step in range(steps)]
    return found if closed else [*found, points[-1]]


def _at(place: int, count: int, closed: bool) -> int:
    return place % count if closed else min(max(place, 0), count - 1)


def _between(four: Sequence[Point], t: float) -> Point:
    weights = (
        -t + 2 * t * t - t**3, 2 - 5 * t * t + 3 * t**3, t + 4 * t * t - 3 * t**3, t**3 - t * t,
    )  # fmt: skip
    x, y = (sum(w * p[axis] for w, p in zip(weights, four, strict=True)) / 2 for axis in (0, 1))
    return x, y


class Brush:
    """A square sheet being painted; coordinates run from 0 to 100 across and down."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._scale = size * FINE / UNITS
        self._image = Image.new("RGBA", (size * FINE, size * FINE), (0, 0, 0, 0))
        self._pen = ImageDraw.Draw(self._image)

    def finish(self) -> Pixels:
        """The painted square, RGBA; colours mix by how far they cover, so edges do not darken."""
        small = self._image.convert("RGBa").reduce(FINE).convert("RGBA")
        return np.array(small)

    def disc(self, x: float, y: float, r: float, fill: str) -> None:
        """A filled circle."""
        self.oval(x - r, y - r, x + r, y + r, fill)

    def oval(self, *corners_and_fill: float | str) -> None:
        """A filled ellipse: left, top, right, bottom, colour."""
        *corners, fill = corners_and_fill
        self._pen.ellipse(self._flat(corners), fill=str(fill))

    def rect(self, *corners_and_fill: float | str, r: float = 0) -> None:
        """A rectangle with corners of radius `r`: left, top, right, bottom, colour."""
        *corners, fill = corners_and_fill
        box = self._flat(corners)
        self._pen.rounded_rectangle(box, r * self._scale, fill=str(fill))

    def ring(self, x: float, y: float, r: float, fill: str, w: float) -> None:
        """A circle's outline, drawn inwards."""
        box = self._flat((x - r, y - r, x + r, y + r))
        self._pen.ellipse(box, outline=fill, width=max(1, round(w * self._scale)))

    def pie(self, x: float, y: float, r: float, turn: tuple[float, float], fill: str) -> None:
        """A slice of a disc between two angles, clockwise from the right."""
        self._pen.pieslice(self._flat((x - r, y - r, x + r, y + r)), *turn, fill=fill)

    def poly(self, points: Iterable[Point], fill: str) -> None:
        """A filled polygon."""
        self._pen.polygon([(x * self._scale, y * self._scale) for x, y in points], fill=fill)

    def blob(self, points: Sequence[Point], fill: str) -> None:
        """A filled shape with a round outline through the points."""
        self.poly(smooth(points), fill)

    def line(self, points: Sequence[Point], fill: str, w: float, *, bent: bool = False) -> None:
        """A line with round joints and ends; `bent` through the points without corners."""
        ways = smooth(points, closed=False) if bent else points
        flat = [(x * self._scale, y * self._scale) for x, y in ways]
        thick = max(1, round(w * self._scale))
        self._pen.line(flat, fill=fill, width=thick, joint="curve")
        for x, y in (flat[0], flat[-1]):
            r = thick / 2 - 0.5
            self._pen.ellipse([x - r, y - r, x + r, y + r], fill=fill)

    def star(self, x: float, y: float, radii: tuple[float, float], points: int, fill: str) -> None:
        """A star with so many points between two radii."""
        outer = around((x, y), radii[0], points)
        inner = around((x, y), radii[1], points, start=-90 + 180 / points)
        self.poly([p for pair in zip(outer, inner, strict=True) for p in pair], fill)

    def _flat(self, corners: Iterable[float | str]) -> list[float]:
        return [float(value) * self._scale - (i > 1) for i, value in enumerate(corners)]


def plain_colour(colour: str) -> tuple[int, int, int, int]:
    """Red, green, blue and full alpha of "#rrggbb"."""
    return (*rgb(colour), 255)
