"""Shapes: a rectangle, an ellipse or a path, drawn with smooth edges at any place."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import Colour, Gradient, Pixels, Point, Shape
from overpaint.document.pictures import pixel_limit
from overpaint.errors import Refused

Cover = NDArray[np.float32]
_FINE = 8  # rows a pixel is cut into; along a row, cover is exact
_STRIP = 1 << 18  # pixels that are drawn at a time: cut so fine they take much memory
_ROWS = 32
_STRIP_OF_LINES = 1 << 22  # most pages whole: a line that is cut is drawn a little otherwise


def draw_shape(shape: Shape, at: Point = (0.0, 0.0)) -> tuple[Pixels, int, int]:
    """RGBA pixels of a shape whose box begins at a fraction of a pixel, and their corner."""
    around = math.ceil(shape.stroke.width / 2) + 1 if shape.stroke else 1
    size = (
        math.ceil(at[0] + shape.width) + 2 * around,
        math.ceil(at[1] + shape.height) + 2 * around,
    )
    if size[0] * size[1] > pixel_limit():
        raise Refused(
            f"A shape of {size[0]}×{size[1]} pixels is too large to draw.",
            f"It may have {pixel_limit():,} pixels.",
        )
    corner = (at[0] + around, at[1] + around)
    pixels = _painted(shape.fill, _cover(shape, corner, size), shape, corner)
    if shape.stroke and shape.stroke.width > 0:
        edge = _edge(shape, size, corner)
        pixels = _over(pixels, _painted(shape.stroke.colour, edge, shape, corner))
    return pixels, -around, -around


def _cover(shape: Shape, corner: Point, size: tuple[int, int]) -> Cover:
    """How far each pixel lies inside a shape that begins at `corner`, 0–1."""
    if shape.kind == "rectangle" and not shape.radius:
        return _cover_of_box(corner, (shape.width, shape.height), size)
    return _inside(_placed(shape, corner), size)


def _placed(shape: Shape, corner: Point) -> list[NDArray[np.float64]]:
    return [np.asarray(outline, np.float64) + corner for outline in _outlines(shape)]


def _cover_of_box(corner: Point, sides: Point, size: tuple[int, int]) -> Cover:
    """The same of a rectangle, whose rows are all alike."""
    left, top = corner
    columns = np.arange(size[0])
    across = np.clip(np.minimum(columns + 1, left + sides[0]) - np.maximum(columns, left), 0, 1)
    middles = (np.arange(size[1] * _FINE) + 0.5) / _FINE
    inside = (middles >= top) & (middles < top + sides[1])
    down = inside.reshape(size[1], _FINE).mean(axis=1)
    return np.asarray(down[:, None].astype(np.float32) * across.astype(np.float32))


def _inside(outlines: list[NDArray[np.float64]], size: tuple[int, int]) -> Cover:
    """How far each pixel lies inside the outlines, 0–1, by the even-odd rule."""
    wide, high = size
    rows, places = _crossings(outlines, high * _FINE)
    order = np.lexsort((places, rows))
    rows, places = rows[order], np.clip(places[order], 0, wide - 1e-9)
    # Of a row's crossings every other one begins a span; rows have an even number of them.
    first = np.searchsorted(rows, rows)
    sign = np.where((np.arange(len(rows)) - first) % 2 == 0, 1.0, -1.0)
    cover = np.empty((high, wide), np.float32)
    for top, bottom in _strips(size):
        own = slice(*np.searchsorted(rows, (top * _FINE, bottom * _FINE)))
        row, place = rows[own] - top * _FINE, places[own]
        column = place.astype(np.int64)
        steps = np.zeros(((bottom - top) * _FINE, wide + 1))
        np.add.at(steps, (row, column), sign[own] * (column + 1 - place))
        np.add.at(steps, (row, column + 1), sign[own] * (place - column))
        spans = np.cumsum(steps, axis=1)[:, :wide]
        cover[top:bottom] = spans.reshape(bottom - top, _FINE, wide).mean(axis=1)
    return cover


def _strips(size: tuple[int, int], most: int = _STRIP) -> Iterator[tuple[int, int]]:
    """Rows from, to: as many at a time as are drawn in little memory."""
    step = max(1, most // max(1, size[0]))
    for top in range(0, size[1], step):
        yield top, min(size[1], top + step)


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


def _edge(shape: Shape, size: tuple[int, int], corner: Point) -> Cover:
    """How far each pixel is covered by the outline: between a larger and a smaller figure."""
    assert shape.stroke is not None
    if shape.kind == "path":
        return _along(_placed(shape, corner), size, shape.stroke.width)
    half = shape.stroke.width / 2
    figures = []
    for more in (half, -min(half, shape.width / 2, shape.height / 2)):
        radius = max(0.0, shape.radius + more) if shape.radius else 0.0
        other = replace(
            shape, width=shape.width + 2 * more, height=shape.height + 2 * more, radius=radius
        )
        figures.append(_cover(other, (corner[0] - more, corner[1] - more), size))
    return figures[0] - figures[1]


def _along(outlines: list[NDArray[np.float64]], size: tuple[int, int], width: float) -> Cover:
    """How far each pixel is covered by a line of that width along the outlines."""
    import cv2

    wide, high = size
    fixed = [np.rint(outline * _FINE * 16 - 8).astype(np.int32) for outline in outlines]
    thick = max(1, round(width * _FINE) - 1)  # OpenCV's lines are a row wider than asked
    cover = np.empty((high, wide), np.float32)
    for top, bottom in _strips(size, _STRIP_OF_LINES):
        edge = np.zeros(((bottom - top) * _FINE, wide * _FINE), np.uint8)
        moved = [line - np.asarray((0, top * _FINE * 16), np.int32) for line in fixed]
        cv2.polylines(edge, moved, True, 255, thick, shift=4)
        for row in range(0, bottom - top, _ROWS):
            part = edge[row * _FINE : (row + _ROWS) * _FINE].astype(np.float32)
            small = cv2.resize(part, (wide, len(part) // _FINE), interpolation=cv2.INTER_AREA)
            cover[top + row : min(bottom, top + row + _ROWS)] = small / 255
    return cover


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


def _painted(paint: Colour | Gradient, cover: Cover, shape: Shape, corner: Point) -> Pixels:
    high, wide = cover.shape
    made = np.empty((high, wide, 4), np.uint8)
    if not isinstance(paint, Gradient):
        made[:] = paint
        made[:, :, 3] = np.rint(cover * np.float32(paint[3]))
        return made
    for top, bottom in _strips((wide, high)):
        at = (corner[0], corner[1] - top)
        colours = gradient_at(paint, (wide, bottom - top), at, (shape.width, shape.height))
        colours[:, :, 3] *= cover[top:bottom]
        made[top:bottom] = np.rint(colours)
    return made


def _over(below: Pixels, above: Pixels) -> Pixels:
    made = np.empty_like(below)
    for top, bottom in _strips(below.shape[1::-1]):
        made[top:bottom] = _laid(below[top:bottom], above[top:bottom])
    return made


def _laid(below: Pixels, above: Pixels) -> NDArray[np.float32]:
    top = above[:, :, 3:].astype(np.float32) / 255
    rest = below[:, :, 3:].astype(np.float32) / 255 * (1 - top)
    whole = top + rest
    mixed = above[:, :, :3] * top + below[:, :, :3] * rest
    colours = np.divide(mixed, whole, out=np.zeros_like(mixed), where=whole > 0)
    return np.asarray(np.rint(np.concatenate([colours, whole * 255], axis=2)), np.float32)
