"""Turning: layers turn about the middle of what they draw, files often about another point."""

import math
from dataclasses import replace

from overpaint.document.layers import Layer, Point, Shape, Text
from overpaint.document.render import sheet_of


def middle(layer: Layer) -> Point:
    """The point that a layer turns about; of words, as if they began at a whole pixel."""
    content = layer.content
    if isinstance(content, Shape):
        return layer.left + content.width / 2, layer.top + content.height / 2
    if isinstance(content, Text):
        sheet = sheet_of(replace(layer, left=0.0, top=0.0, angle=0.0))
        box = sheet.box if sheet else (0, 0, 0, 0)
        return layer.left + (box[0] + box[2]) / 2, layer.top + (box[1] + box[3]) / 2
    high, wide = layer.pixels.shape[:2]
    return layer.left + wide / 2, layer.top + high / 2


def turned(point: Point, angle: float, about: Point = (0.0, 0.0)) -> Point:
    """A point turned clockwise about another."""
    turn = math.radians(angle)
    across, down = point[0] - about[0], point[1] - about[1]
    return (
        about[0] + across * math.cos(turn) - down * math.sin(turn),
        about[1] + across * math.sin(turn) + down * math.cos(turn),
    )


def anchor(layer: Layer) -> Point:
    """Where a layer's place is once it has been turned."""
    if not layer.angle % 360:
        return layer.left, layer.top
    return turned((layer.left, layer.top), layer.angle, middle(layer))


def anchored(layer: Layer, angle: float, point: Point) -> Layer:
    """The layer that, turned about its middle, has its place at a point."""
    x, y = middle(replace(layer, left=0.0, top=0.0))
    to = turned((x, y), angle)
    left, top = point[0] - x + to[0], point[1] - y + to[1]
    return replace(layer, left=round(left, 4) + 0.0, top=round(top, 4) + 0.0, angle=angle)
