"""A small layered poster, with live words or with words that are pixels, for tests of the agent."""

import numpy as np

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Run, Shape, Style, Text
from overpaint.document.render import render

SIZE = (600, 800)
LINES = (
    ("SUMMER SALE", 80, 160, 64),
    ("Up to 30% off", 120, 260, 40),
    ("Friday, 8 May · Town Hall", 90, 400, 32),
    ("Call 555 0192", 200, 560, 36),
)


def poster(*, live: bool = True) -> Document:
    """Background 1, band 2, disc 3, and the texts 4 to 7."""
    ground = np.full((*SIZE[::-1], 4), (250, 235, 200, 255), np.uint8)
    layers = [
        Layer(Picture(ground), "Background", id="1"),
        Layer(Shape("rectangle", 400, 80, fill=(200, 40, 40, 255)), "band", "2", 100, 600),
        Layer(Picture(disc()), "sun", "3", 430, 40),
    ]
    for number, (words, x, y, size) in enumerate(LINES, 4):
        style = Style(size=size, weight=700, colour=(20, 20, 60, 255))
        layer = Layer(Text((Run(words, style),)), f"Layer {number}", str(number), x, y)
        layers.append(layer if live else drawn(layer))
    return Document(made=tuple(layers), canvas=SIZE)


def disc() -> np.ndarray:
    """A yellow disc with soft edges."""
    down, across = np.mgrid[0:120, 0:120]
    far = np.hypot(down - 59.5, across - 59.5)
    found = np.full((120, 120, 4), (250, 190, 30, 0), np.uint8)
    found[:, :, 3] = np.clip((56 - far) * 128, 0, 255)
    return found


def drawn(layer: Layer) -> Layer:
    """The same layer as a picture, cut to its ink."""
    full = render((layer,), SIZE)
    down, across = np.nonzero(full[:, :, 3])
    top, bottom, left, right = down.min(), down.max() + 1, across.min(), across.max() + 1
    cut = np.ascontiguousarray(full[top:bottom, left:right])
    return Layer(Picture(cut), layer.name, layer.id, float(left), float(top))
