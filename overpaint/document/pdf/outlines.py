"""Shapes as paths of a PDF, filled and stroked."""

import math

from overpaint.document.layers import Colour, Gradient, Layer, Shape
from overpaint.document.pdf.canvas import Canvas
from overpaint.document.pdf.lettering import ends_of
from overpaint.document.pdf.page import Matrix, times

_ARC = 4 / 3 * (math.sqrt(2) - 1)  # how far the handles of a quarter of a circle reach


def write_shape(canvas: Canvas, layer: Layer, shape: Shape, turn: Matrix) -> None:
    """A shape on a canvas that is turned already."""
    place = times((1.0, 0.0, 0.0, 1.0, layer.left, layer.top), turn)
    with canvas.kept((1.0, 0.0, 0.0, 1.0, layer.left, layer.top)):
        if isinstance(shape.fill, Gradient):
            ends = ends_of(shape.fill, (0.0, 0.0, shape.width, shape.height))
            canvas.gradient(shape.fill, ends, place)
            alpha = 1.0
        else:
            canvas.colour(shape.fill)
            alpha = shape.fill[3] / 255
        if alpha:
            canvas.state(alpha)
            _write_path(canvas, shape)
            canvas.op("f*")
        if shape.stroke and shape.stroke.width > 0:
            _write_edge(canvas, shape, shape.stroke.colour, shape.stroke.width)


def _write_edge(canvas: Canvas, shape: Shape, colour: Colour, width: float) -> None:
    with canvas.kept():
        canvas.colour(colour, stroke=True)
        canvas.state(colour[3] / 255)
        canvas.op("w", width)
        canvas.op("j", 1 if shape.kind == "path" else 0)
        _write_path(canvas, shape)
        canvas.op("S")


def _write_path(canvas: Canvas, shape: Shape) -> None:
    wide, high = shape.width, shape.height
    if shape.kind == "path":
        for outline in shape.outlines:
            if len(outline) > 1:
                canvas.op("m", *outline[0])
                for point in outline[1:]:
                    canvas.op("l", *point)
                canvas.op("h")
        return
    across, down = min(shape.radius, wide / 2, high / 2), min(shape.radius, wide / 2, high / 2)
    if shape.kind == "ellipse":
        across, down = wide / 2, high / 2
    if not across:
        canvas.rectangle(0.0, 0.0, wide, high)
        return
    a, d = across * (1 - _ARC), down * (1 - _ARC)
    canvas.op("m", across, 0)
    canvas.op("l", wide - across, 0)
    canvas.op("c", wide - a, 0, wide, d, wide, down)
    canvas.op("l", wide, high - down)
    canvas.op("c", wide, high - d, wide - a, high, wide - across, high)
    canvas.op("l", across, high)
    canvas.op("c", a, high, 0, high - d, 0, high - down)
    canvas.op("l", 0, down)
    canvas.op("c", 0, d, a, 0, across, 0)
    canvas.op("h")
