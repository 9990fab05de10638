"""Floating: words on the transparent ground of a layer, edited on a flat one and taken off it.

The alpha of such a layer is the cover of its words, exactly. So it is laid over white or black,
whichever its words stand out from, and edited as any picture is. Where that changed it, ground
and ink are known, and a pixel's alpha is where its colour lies on the line between them.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import Colour, Layer, Picture, Pixels
from overpaint.document.matte import matted
from overpaint.document.render import shown_by
from overpaint.errors import NotThere, Refused
from overpaint.vision.lettered import grounds

if TYPE_CHECKING:
    from overpaint.editors.typeset.desk import Desk

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]

_APART = 24  # levels that ink must differ from the ground to be seen on it
_NEAR = 4  # levels: so far a pixel may lie off the line from the ground to its ink
_ASTRAY = 0.01  # of the changed pixels: more that lie on no such line are no single ink
_COMMON = 0.05  # of the words: a colour of fewer of their pixels is none of theirs
_ROOM = 48  # pixels around a layer, at least, that new words may reach into
_MOST = 100_000_000  # pixels of a layer with room around it


def edited(
    pixels: Pixels, edit: Callable[[Pixels], "Desk"], *, colour: Colour | None = None
) -> tuple[Pixels, tuple[str, ...]]:
    """RGBA pixels edited by what edits opaque ones, and its notes; `colour` is of new ink."""
    if pixels[:, :, 3].min() == 255:
        done = edit(np.ascontiguousarray(pixels[:, :, :3]))
        return np.dstack([done.pixels, pixels[:, :, 3]]), done.notes
    why: Refused | None = None
    for ground in grounds(pixels):
        try:
            done = edit(laid(pixels, ground))
        except NotThere as error:
            why = why or error
        else:
            return taken_off(pixels, done.pixels, ground, colour=colour), done.notes
    assert why is not None
    raise why


def laid(pixels: Pixels, ground: int) -> Pixels:
    """RGBA pixels over a flat grey."""
    return matted(pixels, (ground, ground, ground))


# ── taking off ──────────────────────────────────────────────────────────────────────────


def taken_off(pixels: Pixels, done: Pixels, ground: int, *, colour: Colour | None = None) -> Pixels:
    """RGBA pixels that look over the ground as what was done there; what stayed keeps its bytes."""
    changed = (done != laid(pixels, ground)).any(axis=2)
    solid = _solid(pixels[:, :, 3], changed)
    out = pixels.copy()
    out[:, :, :3][solid] = done[solid]
    floating = changed & ~solid
    if floating.any():
        out[floating] = _unmixed(done[floating], _inks(pixels, floating, colour, ground), ground)
    return out


def _solid(alpha: Pixels, changed: Mask) -> Mask:
    """The changed pixels that stand, with all that is near them, on an opaque ground."""
    import cv2

    near = cv2.dilate(changed.astype(np.uint8), np.ones((17, 17), np.uint8))
    count, labels = cv2.connectedComponents(near, connectivity=8)
    around = cv2.dilate(changed.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    clear = np.bincount(labels[around & (alpha < 255)], minlength=count) > 0
    return np.asarray(changed & ~clear[labels])


def _inks(pixels: Pixels, where: Mask, colour: Colour | None, ground: int) -> Plane:
    """The colours ink may have: what is asked for, those of the words, those of the layer."""
    asked = [np.array(colour[:3], np.float32)] if colour else []
    found = [*asked, *_common(pixels[where]), *_common(pixels[pixels[:, :, 3] > 0])]
    seen = [ink for ink in found if np.abs(ink - ground).max() >= _APART]
    if not seen:
        raise _no_ink()
    return np.array(seen, np.float32)


def _common(values: Pixels) -> list[Plane]:
    """The colours that much of some RGBA pixels has, the commonest first."""
    packed = values[:, :3].astype(np.int64) @ np.array([65536, 256, 1])
    colours, index = np.unique(packed, return_inverse=True)
    weights = np.bincount(index, values[:, 3].astype(np.float64), len(colours))
    order = np.argsort(-weights, kind="stable")[:8]
    often = [n for n in order if weights[n] > _COMMON * weights.sum()]
    return [np.array([c >> 16, c >> 8 & 255, c & 255], np.float32) for c in colours[often].tolist()]


def _unmixed(values: Pixels, inks: Plane, ground: int) -> Pixels:
    """RGBA of colours over the ground, each of the first ink that it can be of."""
    off = values.astype(np.float32) - ground
    lines = inks - ground
    shares = np.clip(off @ lines.T / (lines**2).sum(axis=1), 0, 1)
    astray = np.stack([np.abs(off - shares[:, n, None] * line).max(axis=1)
                       for n, line in enumerate(lines)], axis=1)  # fmt: skip
    fits = astray <= _NEAR
    chosen = np.where(fits.any(axis=1), fits.argmax(axis=1), astray.argmin(axis=1))
    every = np.arange(len(values))
    if (~fits.any(axis=1)).mean() > _ASTRAY:
        raise _no_ink()
    alpha = np.rint(255 * shares[every, chosen])
    return np.asarray(np.column_stack([inks[chosen], alpha]), np.uint8)


def _no_ink() -> Refused:
    return Refused(
        "The words stand on a transparent ground, and the colour of their ink cannot be told.",
        "Words of one colour can be changed there.",
    )


# ── masks ───────────────────────────────────────────────────────────────────────────────


def seen(layer: Layer) -> Layer:
    """A picture layer with as much of it as its mask shows; its pixels alone, without the mask."""
    if layer.mask is None:
        return layer
    pixels = layer.pixels.copy()
    pixels[:, :, 3] = np.rint(pixels[:, :, 3] * _shown(layer))
    return replace(layer, content=Picture(pixels), mask=None)


def masked_again(new: Layer, before: Layer, layer: Layer) -> tuple[Layer, tuple[str, ...]]:
    """What was edited as it is seen, under its old mask where that shows all of the change.

    Elsewhere the mask, which has the shape of what stood there, is part of the pixels from now.
    """
    if layer.mask is None:
        return new, ()
    changed = (new.pixels != before.pixels).any(axis=2)
    if changed.any() and _shown(replace(before, mask=layer.mask))[changed].min() < 1:
        return new, (f"the mask of {layer.name or layer.id!r} is now part of its pixels",)
    own = np.zeros_like(new.pixels)
    left, top = round(layer.left - before.left), round(layer.top - before.top)
    high, wide = layer.pixels.shape[:2]
    own[top : top + high, left : left + wide] = layer.pixels
    own[changed] = new.pixels[changed]
    return replace(new, content=Picture(own), mask=layer.mask), ()


def _shown(layer: Layer) -> Plane:
    assert layer.mask is not None
    left, top = round(layer.left), round(layer.top)
    high, wide = layer.pixels.shape[:2]
    return shown_by(layer.mask, (left, top, left + wide, top + high))


# ── room ────────────────────────────────────────────────────────────────────────────────


def with_room(layer: Layer, size: tuple[int, int], *, whole: bool) -> Layer:
    """A layer that floats with clear room around it, on the canvas; all of that if `whole`."""
    high, wide = layer.pixels.shape[:2]
    if layer.pixels[:, :, 3].min() == 255:
        return layer
    left, top = round(layer.left), round(layer.top)
    across, down = (max(_ROOM, wide), max(_ROOM, high)) if not whole else size
    before = (max(0, min(left, across)), max(0, min(top, down)))
    after = (
        max(0, min(size[0] - left - wide, across)),
        max(0, min(size[1] - top - high, down)),
    )
    shape = (before[1] + high + after[1], before[0] + wide + after[0], 4)
    if shape[0] * shape[1] > max(_MOST, high * wide):
        return layer
    pixels = np.zeros(shape, np.uint8)
    pixels[before[1] : before[1] + high, before[0] : before[0] + wide] = layer.pixels
    place = (layer.left - before[0], layer.top - before[1])
    return replace(layer, content=Picture(pixels), left=place[0], top=place[1])


def trimmed(layer: Layer, old: Layer) -> Layer:
    """The layer without the room that it was given and did not need."""
    left, top = round(old.left - layer.left), round(old.top - layer.top)
    high, wide = old.pixels.shape[:2]
    inked = layer.pixels[:, :, 3] > 0
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    rows, columns = (
        np.append(rows, (top, top + high - 1)),
        np.append(columns, (left, left + wide - 1)),
    )
    y, x = int(rows.min()), int(columns.min())
    cut = layer.pixels[y : int(rows.max()) + 1, x : int(columns.max()) + 1]
    content = Picture(np.ascontiguousarray(cut))
    return replace(layer, content=content, left=layer.left + x, top=layer.top + y)
