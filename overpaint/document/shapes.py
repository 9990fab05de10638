"""Shapes: a rectangle, an ellipse or a path, drawn with smooth edges at any place."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import Colour, Gradient, Pixels, Point, Shape

_FINE = 8  # rows a pixel is cut into; along a row, cover is exact


def draw_shape(shape: Shape, at: Point = (0.0, 0.0)) -> tuple[Pixels, int, int]:
    """RGBA pixels of a shape whose box begins at a fraction of a pixel, and their corner."""
    around = math.ceil(shape.stroke.width / 2) + 1 if shape.stroke else 1
    size = (
        math.ceil(at[0] + shape.width) + 2 * around,
        math.ceil(at[1] + shape.height) + 2 * around,
    )
    corner = (at[0] + around, at[1] + around)
    outlines = [np.asarray(outline, np.float64) + corner for outline in _outlines(shape)]
    pixels = _painted(shape.fill, _inside(outlines, size), shape, corner)
    if shape.stroke and shape.stroke.width > 0:
        edge = _edge(shape, outlines, size, corner)
        pixels = _over(pixels, _painted(shape.stroke.colour, edge, shape, corner))
    return pixels, -around, -around


def _inside(outlines: list[NDArray[np.float64]], size: tuple[int, int]) -> NDArray[np.float32]:
    """How far each pixel lies inside the outlines, 0–1, by the even-odd rule."""
    wide, high = size
    rows, places = _crossings(outlines, high * _FINE)
    order = np.lexsort((places, rows))
    rows, places = rows[order], np.clip(places[order], 0, wide - 1e-9)
    # Of a row's crossings every other one begins a span; rows have an even number of them.
    first = np.searchsorted(rows, rows)
    sign = np.where((np.arange(len(rows)) - first) % 2 == 0, 1.0, -1.0)
    column = places.astype(np.int64)
    steps = np.zeros((high * _FINE, wide + 1))
    np.add.at(steps, (rows, column), sign * (column + 1 - places))
    np.add.at(steps, (rows, column + 1), sign * (places - column))
    spans = np.cumsum(steps, axis=1)[:, :wide]
    return np.asarray(spans.reshape(high, _FINE, wide).mean(axis=1), np.float32)


def _crossings(
    outlines: list[NDArray[np.float64]], rows: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Which of the fine rows each side crosses at its middle, and where."""
    found_rows, found_places = [np.zeros(0, np.int64)], [np.zeros(0)]
    middles = (np.arange(rows) + 0.5) / _FINE
    for outline in outlines:
        for (x0, y0), (x1, y1) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
            low, high = np.searchsorted(middles, sorted((y0, y1)))
            crossed = np.arange(low, high)
            found_rows.append(crossed)
            found_places.append(x0 + (middles[crossed] - y0) * (x1 - x0) / ((y1 - y0) or 1.0))
    return np.concatenate(found_rows), np.concatenate(found_places)


def _edge(
    shape: Shape, outlines: list[NDArray[np.float64]], size: tuple[int, int], corner: Point
) -> NDArray[np.float32]:
    """How far each pixel is covered by the outline: between a larger and a smaller figure."""
    assert shape.stroke is not None
    if shape.kind == "path":
        return _along(outlines, size, shape.stroke.width)
    half = shape.stroke.width / 2
    figures = []
    for more in (half, -min(half, shape.width / 2, shape.height / 2)):
        radius = max(0.0, shape.radius + more) if shape.radius else 0.0
        other = replace(
            shape, width=shape.width + 2 * more, height=shape.height + 2 * more, radius=radius
        )
        moved = (corner[0] - more, corner[1] - more)
        figures.append(_inside([np.asarray(o) + moved for o in _outlines(other)], size))
    return figures[0] - figures[1]


def _along(
    outlines: list[NDArray[np.float64]], size: tuple[int, int], width: float
) -> NDArray[np.float32]:
    """How far each pixel is covered by a line of that width along the outlines."""
    import cv2

    edge = np.zeros((size[1] * _FINE, size[0] * _FINE), np.uint8)
    fixed = [np.rint(outline * _FINE * 16 - 8).astype(np.int32) for outline in outlines]
    thick = max(1, round(width * _FINE) - 1)  # OpenCV's lines are a row wider than asked
    cv2.polylines(edge, fixed, True, 255, thick, shift=4)
    blocks = edge.reshape(size[1], _FINE, size[0], _FINE)
    return np.asarray(blocks.mean(axis=(1, 3)) / 255, np.float32)


def gradient_at(
    gradient: Gradient, size: tuple[int, int], corner: Point, box: Point
) -> NDArray[np.float32]:
    """RGBA of a gradient over a box that begins at `corner`, on a sheet of width × height."""
    turn = math.radians(gradient.angle)
    across, down = math.cos(turn), math.sin(turn)
    reach = (abs(across) * box[0] + abs(down) * box[1]) or 1.0
    x = np.arange(size[0]) + 0.5 - corner[0] - box[0] / 2
    y = np.arange(size[1]) + 0.5 - corner[1] - box[1] / 2
    along = (x[None, :] * across + y[:, None] * down) / reach + 0.5
    places = [place for place, _ in gradient.stops]
    planes = [
        np.interp(along, places, [colour[channel] for _, colour in gradient.stops])
        for channel in range(4)
    ]
    return np.stack(planes, axis=2).astype(np.float32)


def _outlines(shape: Shape) -> list[list[Point]]:
    if shape.kind == "path":
        return [list(outline) for outline in shape.outlines if len(outline) > 1]
    radius = min(shape.radius, shape.width / 2, shape.height / 2)
    across, down = (
        (shape.width / 2, shape.height / 2) if shape.kind == "ellipse" else (radius, radius)
    )
    corners = [
        (shape.width - across, down, -90), (shape.width - across, shape.height - down, 0),
        (across, shape.height - down, 90), (across, down, 180),
    ]  # fmt: skip
    steps = max(2, math.ceil(max(across, down))) if max(across, down) else 1
    turns = [(x, y, math.radians(a + 90 * s / steps)) for x, y, a in corners
             for s in range(steps + 1)]  # fmt: skip
    return [[(x + across * math.cos(a), y + down * math.sin(a)) for x, y, a in turns]]


def _painted(
    paint: Colour | Gradient, cover: NDArray[np.float32], shape: Shape, corner: Point
) -> Pixels:
    high, wide = cover.shape
    if isinstance(paint, Gradient):
        colours = gradient_at(paint, (wide, high), corner, (shape.width, shape.height))
    else:
        colours = np.broadcast_to(np.asarray(paint, np.float32), (high, wide, 4)).copy()
    colours[:, :, 3] *= cover
    return np.rint(colours).astype(np.uint8)


def _over(below: Pixels, above: Pixels) -> Pixels:
    top = above[:, :, 3:].astype(np.float32) / 255
    rest = below[:, :, 3:].astype(np.float32) / 255 * (1 - top)
    whole = top + rest
    mixed = above[:, :, :3] * top + below[:, :, :3] * rest
    colours = np.divide(mixed, whole, out=np.zeros_like(mixed), where=whole > 0)
    return np.asarray(np.rint(np.concatenate([colours, whole * 255], axis=2)), np.uint8)
