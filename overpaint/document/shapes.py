"""Shapes: a rectangle, an ellipse or a path, drawn with smooth edges at any place."""

import math

import numpy as np

from overpaint.document.layers import Colour, Gradient, Pixels, Point, Shape

_FINE = 4  # drawn this many times larger and shrunk


def draw_shape(shape: Shape, at: Point = (0.0, 0.0)) -> tuple[Pixels, int, int]:
    """RGBA pixels of a shape whose box begins at a fraction of a pixel, and their corner."""
    around = math.ceil(shape.stroke.width / 2) + 1 if shape.stroke else 1
    wide = math.ceil(at[0] + shape.width) + 2 * around
    high = math.ceil(at[1] + shape.height) + 2 * around
    import cv2

    outlines = [
        np.rint((np.asarray(outline) + at + around) * _FINE * 16 - 8).astype(np.int32)
        for outline in _outlines(shape)
    ]
    inside = np.zeros((high * _FINE, wide * _FINE), np.uint8)
    cv2.fillPoly(inside, outlines, 255, shift=4)
    pixels = _painted(shape.fill, _shrunk(inside), shape, (at[0] + around, at[1] + around))
    if shape.stroke and shape.stroke.width > 0:
        edge = np.zeros_like(inside)
        thick = max(1, round(shape.stroke.width * _FINE))
        cv2.polylines(edge, outlines, True, 255, thick, shift=4)
        pixels = _over(pixels, _painted(shape.stroke.colour, _shrunk(edge), shape, at))
    return pixels, -around, -around


def gradient_at(
    gradient: Gradient, size: tuple[int, int], corner: Point, box: Point
) -> np.ndarray[tuple[int, int, int], np.dtype[np.float32]]:
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


def _shrunk(fine: Pixels) -> Pixels:
    high, wide = fine.shape[0] // _FINE, fine.shape[1] // _FINE
    blocks = fine.reshape(high, _FINE, wide, _FINE).astype(np.float32)
    return np.rint(blocks.mean(axis=(1, 3))).astype(np.uint8)


def _painted(paint: Colour | Gradient, cover: Pixels, shape: Shape, corner: Point) -> Pixels:
    high, wide = cover.shape
    if isinstance(paint, Gradient):
        colours = gradient_at(paint, (wide, high), corner, (shape.width, shape.height))
    else:
        colours = np.broadcast_to(np.asarray(paint, np.float32), (high, wide, 4)).copy()
    colours[:, :, 3] *= cover.astype(np.float32) / 255
    return np.rint(colours).astype(np.uint8)


def _over(below: Pixels, above: Pixels) -> Pixels:
    top = above[:, :, 3:].astype(np.float32) / 255
    rest = below[:, :, 3:].astype(np.float32) / 255 * (1 - top)
    whole = top + rest
    mixed = above[:, :, :3] * top + below[:, :, :3] * rest
    colours = np.divide(mixed, whole, out=np.zeros_like(mixed), where=whole > 0)
    return np.rint(np.concatenate([colours, whole * 255], axis=2)).astype(np.uint8)
