"""Ways to repair a layer: its words set, its place, alpha and colour given back, or room made."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Document
from overpaint.document.geometry import fitted, recoloured, scaled, scaled_style, shifted
from overpaint.document.layers import Colour, Layer, Picture, Pixels, Run, Style, Text
from overpaint.document.render import bounds
from overpaint.document.runs import reworded
from overpaint.document.tree import swapped
from overpaint.editors.agent.checking.views import Fault, View
from overpaint.editors.agent.joint.colours import LARGE, SMALL, least, readable
from overpaint.editors.agent.joint.sketch import Sketch, ink

_SHARES = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5)
_CLEAR = 16  # of 255: alpha of what is not there


@dataclass(frozen=True)
class Way:
    """One thing to try: what it is called, and the document that it makes."""

    did: str
    document: Document


def with_layer(document: Document, new: Layer) -> Document:
    """The document with a layer in the place of the one of its id."""
    old = next(layer for layer in document if layer.id == new.id)
    return document.having(*swapped(document.layers, old, new))


def direct(fault: Fault, was: Layer, document: Document, canvas: tuple[int, int]) -> Iterator[Way]:
    """What can be done about one fault to the layer as it stands, without editing it again."""
    now = next((layer for layer in document if layer.id == was.id), None)
    if now is None:
        return
    if fault.kind in ("words", "empty") and fault.words:
        yield from _worded(fault, was, now, document)
    elif fault.kind in ("looks", "visibility", "geometry", "size"):
        back = placed(was, now, coloured=fault.kind == "looks")
        yield Way("its place and looks were given back", with_layer(document, back))
    elif fault.kind in ("alpha", "halo", "hidden"):
        yield from _alpha(was, now, document, lettered=bool(fault.words))
    elif fault.kind in ("cut", "overlap"):
        yield from _roomier(now, document, canvas)
    elif fault.kind == "contrast" and not fault.against and isinstance(now.content, Text):
        yield Way("its own colour was given back", with_layer(document, redressed(was, now)))


# ── words ───────────────────────────────────────────────────────────────────────────────


def _worded(fault: Fault, was: Layer, now: Layer, document: Document) -> Iterator[Way]:
    """The words set as such: in the style that the layer has now, else in its own."""
    for layer in (now, was):
        text = layer.content
        if not isinstance(text, Text) or not text.runs:
            continue
        new = reworded(text, (0, len(text.words)), fault.words)
        yield Way("its words were set", with_layer(document, replace(layer, content=new)))


# ── place and looks ─────────────────────────────────────────────────────────────────────


def placed(was: Layer, now: Layer, *, coloured: bool) -> Layer:
    """The layer as it is now, where and as large as it was, as visible and as opaque."""
    layer = replace(
        now, left=was.left, top=was.top, angle=was.angle, opacity=was.opacity, blend=was.blend,
        visible=was.visible, clip=was.clip, mask=was.mask,
    )  # fmt: skip
    one, two = was.content, now.content
    if (
        isinstance(one, Picture)
        and isinstance(two, Picture)
        and one.pixels.shape != two.pixels.shape
    ):
        high, wide = one.pixels.shape[:2]
        return replace(layer, content=Picture(fitted(two.pixels, wide, high)))
    if isinstance(one, Text) and isinstance(two, Text) and one.runs and two.runs:
        size = max(run.style.size for run in one.runs)
        share = size / max(run.style.size for run in two.runs)
        runs = tuple(
            Run(run.words, _dressed(run, one, share, coloured=coloured)) for run in two.runs
        )
        return replace(layer, content=replace(two, runs=runs, drawn=None, drawn_at=(0.0, 0.0)))
    if type(one) is type(two) and not isinstance(one, Picture | Text):
        return was
    return layer


def _dressed(run: Run, like: Text, share: float, *, coloured: bool) -> Style:
    style = scaled_style(run.style, share)
    if not coloured:
        return style
    own = like.style
    return replace(style, colour=_own_colour(run, like), family=own.family, weight=own.weight,
                   italic=own.italic)  # fmt: skip


def _own_colour(run: Run, like: Text) -> Colour:
    """The run's colour where a text had it, else the one that most of that text had."""
    had = {one.style.colour for one in like.runs}
    return run.style.colour if run.style.colour in had else like.style.colour


def redressed(was: Layer, now: Layer) -> Layer:
    """A text as it is, in the colours that it had."""
    one, two = was.content, now.content
    if not isinstance(one, Text) or not isinstance(two, Text) or not one.runs:
        return now
    runs = tuple(
        Run(run.words, replace(run.style, colour=_own_colour(run, one))) for run in two.runs
    )
    return replace(now, content=replace(two, runs=runs, drawn=None, drawn_at=(0.0, 0.0)))


# ── alpha ───────────────────────────────────────────────────────────────────────────────


def _alpha(was: Layer, now: Layer, document: Document, *, lettered: bool) -> Iterator[Way]:
    if not isinstance(was.content, Picture) or not isinstance(now.content, Picture):
        return
    old, new = was.content.pixels, now.content.pixels
    same = old.shape == new.shape
    if same and not lettered:
        made = np.concatenate([_without_rim(old, new), old[:, :, 3:]], axis=2)
        yield Way("its alpha was given back", with_layer(document, _shown(now, was, made)))
    clear = old[:, :, 3] <= _CLEAR if same else _border(new)
    bare = unmatted(new, clear)
    if bare is not None:
        layer = replace(now, content=Picture(np.ascontiguousarray(bare)))
        yield Way("its ground was taken out", with_layer(document, layer))


def _border(pixels: Pixels) -> NDArray[np.bool_]:
    """The edge of a layer: of one that is cut to its words, most of it is their ground."""
    edge = np.ones(pixels.shape[:2], np.bool_)
    edge[1:-1, 1:-1] = False
    return edge


def _shown(now: Layer, was: Layer, pixels: Pixels) -> Layer:
    return replace(now, content=Picture(np.ascontiguousarray(pixels)), left=was.left, top=was.top)


def _without_rim(old: Pixels, new: Pixels) -> Pixels:
    """The colours with those of the rim taken from inside of it, where a matte may show."""
    import cv2

    there = np.pad(np.asarray(old[:, :, 3] > 128, np.uint8), 1)
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    core = np.asarray(cv2.erode(there, cross, iterations=3))[1:-1, 1:-1].astype(np.float32)
    weight = cv2.blur(core, (11, 11))
    colours = new[:, :, :3].astype(np.float32)
    mean = cv2.blur(colours * core[:, :, None], (11, 11)) / np.maximum(weight, 1e-6)[:, :, None]
    rim = (core == 0) & (weight > 0.02) & (old[:, :, 3] > 0)
    filled = np.where(rim[:, :, None], mean, colours)
    return np.asarray(np.rint(np.clip(filled, 0, 255)), np.uint8)


def unmatted(new: Pixels, clear: NDArray[np.bool_]) -> Pixels | None:
    """The layer without the flat ground that it was given; None where there is no such ground."""
    clear = clear & (new[:, :, 3] > 240)
    if clear.sum() < 16:
        return None
    colours = new[:, :, :3].astype(np.float32)
    matte = np.median(colours[clear], axis=0)
    far = np.abs(colours - matte).max(axis=2)
    reach = float(np.percentile(far[far > 24], 80)) if (far > 24).any() else 0.0
    if reach < 24:
        return None
    alpha = np.clip((far - 8) / max(1.0, reach - 8), 0, 1)
    share = np.maximum(alpha, 1e-3)[:, :, None]
    pure = np.clip((colours - matte * (1 - share)) / share, 0, 255)
    return np.concatenate([np.rint(pure), np.rint(255 * alpha)[:, :, None]], axis=2).astype(
        np.uint8
    )


# ── room ────────────────────────────────────────────────────────────────────────────────


def _roomier(now: Layer, document: Document, canvas: tuple[int, int]) -> Iterator[Way]:
    """The text moved in, shrunk, broken into two lines, or both."""
    if not isinstance(now.content, Text):
        return
    yield Way("it was moved onto the canvas", with_layer(document, _inside(now, canvas)))
    for layer, told in ((now, "set"), (_broken(now), "broken into two lines and set")):
        for share in _SHARES if layer is not None else ():
            assert layer is not None
            box = bounds(layer)
            middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) if box else (0.0, 0.0)
            tried = _inside(scaled(layer, share, middle), canvas)
            yield Way(f"it was {told} at {share:.0%} of its size", with_layer(document, tried))


def _inside(layer: Layer, canvas: tuple[int, int]) -> Layer:
    """The layer moved as little as brings it onto the canvas, where it fits."""
    box = bounds(layer)
    if box is None:
        return layer
    moved = []
    for low, high, room in ((box[0], box[2], canvas[0]), (box[1], box[3], canvas[1])):
        off = -low if low < 0 else room - high if high > room else 0
        moved.append(float(off) if high - low <= room else 0.0)
    return shifted(layer, *moved) if any(moved) else layer


def _broken(layer: Layer) -> Layer | None:
    """A text of one line in two, about as long as each other; None where it cannot be."""
    text = layer.content
    if not isinstance(text, Text) or "\n" in text.words.strip() or " " not in text.words.strip():
        return None
    said = text.words
    gaps = [at for at, letter in enumerate(said) if letter == " "]
    at = min(gaps, key=lambda gap: abs(gap - len(said) / 2))
    new = reworded(text, (at, at + 1), "\n")
    size = text.style.size * text.style.leading / 2
    return replace(layer, content=new, top=layer.top - size)


# ── contrast ────────────────────────────────────────────────────────────────────────────


def readable_ways(was: Layer, document: Document, asked: Colour | None) -> Iterator[Way]:
    """The letters in the colour that was asked for or that they had; else in that, lighter."""
    now = next((layer for layer in document if layer.id == was.id), None)
    found = ink(Sketch(document), was.id)
    if now is None or found is None:
        return
    had = ink(Sketch(document.having(was)), was.id)
    own = asked or (had.colour if had is not None else found.colour)
    yield Way("its letters were given their colour", with_layer(document, recoloured(now, own)))
    for wanted in (least(now, found.high), SMALL if least(now, found.high) == LARGE else 7.0):
        colour = readable(own, found.ground, wanted)
        yield Way("its letters were given another lightness",
                  with_layer(document, recoloured(now, colour)))  # fmt: skip


def as_it_was(document: Document, before: View, name: str) -> Document:
    """The document with one layer put back, at its old place among the others."""
    was = before.layers[name]
    if any(layer.id == name for layer in document):
        return with_layer(document, was)
    order = list(before.layers)
    below = [n for n in order[: order.index(name)] if any(layer.id == n for layer in document)]
    layers = list(document.layers)
    tops = [layer.id for layer in layers]
    at = max((tops.index(n) + 1 for n in below if n in tops), default=0)
    return document.having(*layers[:at], was, *layers[at:])
