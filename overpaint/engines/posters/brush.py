"""Brushes: shapes, gradients and textures on a canvas drawn large and shrunk, so edges are smooth.

Chance comes from `random.Random` alone, whose numbers are the same on every machine.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from overpaint.document import Pixels

FINE = 2  # the canvas has this many times the pixels of the picture, each way
Point = tuple[float, float]
Box = tuple[float, float, float, float]
Stop = tuple[float, str]
Field = NDArray[np.float64]


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of "#rrggbb"."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(first: str, second: str, share: float) -> str:
    """The colour `share` of the way from the first to the second."""
    pairs = zip(rgb(first), rgb(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


class Canvas:
    """A picture being painted; all coordinates are those of the finished picture."""

    def __init__(self, width: int, height: int, colour: str = "#ffffff") -> None:
        self.width, self.height = width, height
        self._image = Image.new("RGB", (width * FINE, height * FINE), colour)

    def finish(self) -> Pixels:
        """The painted picture at its own size."""
        return np.asarray(self._image.reduce(FINE))

    # ── shapes ──────────────────────────────────────────────────────────────────────────

    def rect(self, box: Box, fill: str, *, radius: float = 0, **how: float) -> None:
        """A rectangle, its corners rounded by `radius`."""
        corners = [value * FINE - (1 if i > 1 else 0) for i, value in enumerate(box)]
        self._paint(lambda d, c: d.rounded_rectangle(corners, radius * FINE, fill=c), fill, **how)

    def frame(self, box: Box, fill: str, *, width: float, radius: float = 0) -> None:
        """The outline of a rectangle, drawn inwards."""
        corners = [value * FINE - (1 if i > 1 else 0) for i, value in enumerate(box)]
        thick = round(width * FINE)
        self._paint(
            lambda d, c: d.rounded_rectangle(corners, radius * FINE, outline=c, width=thick), fill
        )

    def disc(self, x: float, y: float, radius: float, fill: str, **how: float) -> None:
        """A filled circle."""
        self.oval((x - radius, y - radius, x + radius, y + radius), fill, **how)

    def oval(self, box: Box, fill: str, **how: float) -> None:
        """A filled ellipse."""
        corners = [value * FINE for value in box]
        self._paint(lambda d, c: d.ellipse(corners, fill=c), fill, **how)

    def ring(
        self, x: float, y: float, radius: float, fill: str, *, width: float, **how: float
    ) -> None:
        """A circle's outline, drawn inwards."""
        corners = _around(x, y, radius)
        thick = round(width * FINE)
        self._paint(lambda d, c: d.ellipse(corners, outline=c, width=thick), fill, **how)

    def slice(
        self, x: float, y: float, radius: float, turn: tuple[float, float], fill: str
    ) -> None:
        """A slice of a disc between two angles in degrees, clockwise from the right."""
        corners = _around(x, y, radius)
        self._paint(lambda d, c: d.pieslice(corners, *turn, fill=c), fill)

    def shape(self, points: Sequence[Point], fill: str, **how: float) -> None:
        """A filled polygon."""
        flat = [(x * FINE, y * FINE) for x, y in points]
        self._paint(lambda d, c: d.polygon(flat, fill=c), fill, **how)

    def line(self, points: Sequence[Point], fill: str, *, width: float, **how: float) -> None:
        """A line through the points with round joints and ends."""
        flat, thick = [(x * FINE, y * FINE) for x, y in points], max(1, round(width * FINE))

        def draw(d: ImageDraw.ImageDraw, c: str | int) -> None:
            d.line(flat, fill=c, width=thick, joint="curve")
            for x, y in (flat[0], flat[-1]) if thick > 2 else ():
                r = thick / 2
                d.ellipse([x - r, y - r, x + r, y + r], fill=c)

        self._paint(draw, fill, **how)

    # ── surfaces ────────────────────────────────────────────────────────────────────────

    def fade(self, box: Box, stops: Sequence[Stop], *, angle: float = 90) -> None:
        """A gradient over a box; 90° runs from top to bottom, 0° from left to right."""
        left, top, right, bottom = (round(value * FINE) for value in box)
        size = (right - left, bottom - top)
        self._image.paste(Image.fromarray(_gradient(size, stops, angle)), (left, top))

    def tint(self, strength: Field, fill: str) -> None:
        """Paint a colour with a strength from 0 to 1 at each pixel of the finished picture."""
        mask = Image.fromarray(np.rint(np.clip(strength, 0, 1) * 255).astype(np.uint8))
        self._image.paste(fill, (0, 0), mask.resize(self._image.size, Image.Resampling.BILINEAR))

    def patch(self, other: "Canvas", box: Box, *, radius: float = 0, turn: float = 0) -> None:
        """Lay another canvas down at the corner of `box`, cut to rounded corners and turned."""
        left, top, right, bottom = (round(value * FINE) for value in box)
        size = (right - left, bottom - top)
        mask = Image.new("L", size, 0)
        corners = [0, 0, size[0] - 1, size[1] - 1]
        ImageDraw.Draw(mask).rounded_rectangle(corners, radius * FINE, fill=255)
        sheet = other._image.resize(size) if other._image.size != size else other._image
        if turn:
            sheet = sheet.rotate(turn, Image.Resampling.BICUBIC, expand=True)
            mask = mask.rotate(turn, Image.Resampling.BICUBIC, expand=True)
            left, top = left - (sheet.width - size[0]) // 2, top - (sheet.height - size[1]) // 2
        self._image.paste(sheet, (left, top), mask)

    def _paint(
        self,
        draw: Callable[[ImageDraw.ImageDraw, str | int], None],
        fill: str,
        *,
        alpha: float = 1,
        blur: float = 0,
    ) -> None:
        if alpha == 1 and blur == 0:
            draw(ImageDraw.Draw(self._image), fill)
            return
        mask = Image.new("L", self._image.size, 0)
        draw(ImageDraw.Draw(mask), round(255 * alpha))
        if blur:
            mask = mask.filter(ImageFilter.GaussianBlur(blur * FINE))
        self._image.paste(fill, (0, 0), mask)


def _gradient(size: tuple[int, int], stops: Sequence[Stop], angle: float) -> Pixels:
    width, height = size
    across, down = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    x = (np.arange(width) + 0.5) / width - 0.5
    y = (np.arange(height) + 0.5) / height - 0.5
    reach = (abs(across) + abs(down)) / 2
    place = (x[None, :] * across + y[:, None] * down) / (2 * reach) + 0.5
    at = [stop for stop, _ in stops]
    bands = [np.interp(place, at, [rgb(colour)[i] for _, colour in stops]) for i in range(3)]
    return np.rint(np.stack(bands, axis=2)).astype(np.uint8)


# ── textures ────────────────────────────────────────────────────────────────────────────


def noise(chance: Random, size: tuple[int, int], cell: Point) -> Field:
    """Smooth noise from 0 to 1 whose blobs are about `cell` pixels wide and high."""
    width, height = size
    columns, rows = math.ceil(width / cell[0]) + 3, math.ceil(height / cell[1]) + 3
    raw = np.frombuffer(chance.randbytes(columns * rows), np.uint8).reshape(rows, columns)
    whole = (math.ceil(columns * cell[0]), math.ceil(rows * cell[1]))
    smooth = Image.fromarray(raw).convert("F").resize(whole, Image.Resampling.BICUBIC)
    left, top = round(1.5 * cell[0]), round(1.5 * cell[1])
    field = np.asarray(smooth, np.float64)[top : top + height, left : left + width]
    return np.clip(field / 255, 0, 1)


def clouds(chance: Random, size: tuple[int, int], cell: Point, *, layers: int = 4) -> Field:
    """Noise over noise, each layer twice as fine and half as strong (fractal Brownian motion)."""
    total, weight = np.zeros((size[1], size[0])), 0.0
    for layer in range(layers):
        share, grain = 0.5**layer, 2**layer
        total += share * noise(chance, size, (max(2, cell[0] / grain), max(2, cell[1] / grain)))
        weight += share
    return total / weight


def ridge(chance: Random, width: int, *, rough: float = 0.55, steps: int = 7) -> list[float]:
    """A mountain line as heights from 0 to 1, by halving and shifting (midpoint displacement)."""
    heights, sway = [chance.random(), chance.random()], 0.5
    for _ in range(steps):
        middles = [(a + b) / 2 + (chance.random() - 0.5) * sway for a, b in pairwise(heights)]
        heights = [h for pair in zip(heights, middles, strict=False) for h in pair] + heights[-1:]
        sway *= rough
    low, high = min(heights), max(heights)
    places = np.linspace(0, len(heights) - 1, width)
    scaled = [(h - low) / (high - low) for h in heights]
    return [float(h) for h in np.interp(places, np.arange(len(scaled)), scaled)]


def light(size: tuple[int, int], centre: Point, radius: float) -> Field:
    """Light that falls off from a centre: 1 there, a third at `radius`, nothing far away."""
    x, y = np.arange(size[0]) - centre[0], np.arange(size[1]) - centre[1]
    squared = (x[None, :] ** 2 + y[:, None] ** 2) / radius**2
    return np.asarray(1 / (1 + squared) ** 1.5, np.float64)


def _around(x: float, y: float, radius: float) -> list[float]:
    """The fine corners of the square around a circle."""
    return [value * FINE for value in (x - radius, y - radius, x + radius, y + radius)]
