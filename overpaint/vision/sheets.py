"""What each layer shows of itself on the canvas: hidden, empty and far-off layers show nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Document, Layer, Pixels
from overpaint.document.boxes import Box, box_around
from overpaint.document.layers import Group
from overpaint.document.render import render, sheet_of, shown_by
from overpaint.document.tree import with_clipped

Plane = NDArray[np.float32]


@dataclass(frozen=True)
class Leaf:
    """A layer that is no group, and what shows of it, cropped to that.

    Masks and what it is clipped to have taken from its alpha; its opacity has not, since faint
    words are words all the same.
    """

    layer: Layer
    pixels: Pixels  # H×W×4, a view of the layer's own where nothing was taken
    box: Box  # left, top, right, bottom on the canvas

    @property
    def painted(self) -> NDArray[np.bool_]:
        """Where its alpha is above 0."""
        return self.pixels[:, :, 3] > 0


@dataclass(frozen=True)
class _Frame:
    """What of the canvas a layer may show on: all of it, less what groups and clips take."""

    size: tuple[int, int]
    shares: tuple[Plane, ...] = ()  # each as large as the canvas, 0–1

    def but(self, share: Plane) -> "_Frame":
        return _Frame(self.size, (*self.shares, share))


def leaves(document: Document) -> Iterator[Leaf]:
    """Every layer that shows anything, bottom first; groups are walked into. One at a time."""
    yield from _within(document.layers, _Frame(document.size))


def _within(layers: Sequence[Layer], frame: _Frame) -> Iterator[Leaf]:
    for base, *clipped in with_clipped(layers):
        if not base.visible or base.opacity <= 0:
            continue  # and what is clipped to it does not show either
        yield from _of(base, frame)
        shown = [layer for layer in clipped if layer.visible and layer.opacity > 0]
        if shown:
            under = frame.but(_alpha(base, frame.size))
            for layer in shown:
                yield from _of(layer, under)


def _of(layer: Layer, frame: _Frame) -> Iterator[Leaf]:
    if isinstance(layer.content, Group):
        wide, high = frame.size
        if layer.mask is not None:
            frame = frame.but(shown_by(layer.mask, (0, 0, wide, high)))
        yield from _within(layer.content.layers, frame)
    elif (leaf := _leaf(layer, frame)) is not None:
        yield leaf


def _leaf(layer: Layer, frame: _Frame) -> Leaf | None:
    sheet = sheet_of(layer)
    if sheet is None:
        return None
    (wide, high), (a, b, c, d) = frame.size, sheet.box
    left, top, right, bottom = max(a, 0), max(b, 0), min(c, wide), min(d, high)
    if left >= right or top >= bottom:
        return None
    pixels = sheet.pixels[top - b : bottom - b, left - a : right - a]
    shares = [share[top:bottom, left:right] for share in frame.shares]
    if layer.mask is not None:
        shares.append(shown_by(layer.mask, (left, top, right, bottom)))
    if shares:
        pixels = pixels.copy()
        pixels[:, :, 3] = np.rint(pixels[:, :, 3] * np.prod(shares, axis=0))
    within = box_around(pixels[:, :, 3] > 0)
    if within is None:
        return None
    x0, y0, x1, y1 = within
    return Leaf(layer, pixels[y0:y1, x0:x1], (left + x0, top + y0, left + x1, top + y1))


def _alpha(base: Layer, size: tuple[int, int]) -> Plane:
    """Where a layer that others are clipped to is there, 0 or 1."""
    return np.asarray(render((base,), size)[:, :, 3] > 0, np.float32)
