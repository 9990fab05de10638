"""Outlines on pictures: a band of one colour that lies around all letters, outside their edge.

On paper an outline is told from the ground by its colour (`fills`). On a picture the letters are
known first, and the band is what differs from the picture in the same way all around them.
"""

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import Colour, Pixels, Stroke
from overpaint.editors.typeset.fills import Fill
from overpaint.editors.typeset.inking import grown

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]

_APART = 60.0  # levels between the outline's colour and that of the letters, and of the ground
_NEAR = 45.0  # levels that pixels of the outline may lie off its colour
_ONE = 0.75  # the share of the band that has its colour
_WIDEST = 16  # pixels
_SOFT = 2  # pixels over which it must end: what fades more slowly is a glow
_GLOW = 0.3  # the share of the outline that is left after these in a glow
_NONE = 0.15  # less of the outline in a ring is none
_RIM = 30.0  # levels by which what lies around letters differs on the whole
_ENOUGH = 60  # pixels
_FINE = 4  # parts of a pixel in which outlines are drawn
_WHOLE = 0.3  # pixels from a whole number: people give outlines whole widths


def outlined(window: Pixels, cover: Plane, colour: Colour, ground: Pixels) -> Fill | None:
    """The letters' colour and their outline, where they have one; None: none is sure."""
    rings = _rings(cover)
    inner, plane = np.array(colour[:3], np.float32), window.astype(np.float32)
    first = rings == 2
    if first.sum() < _ENOUGH:
        return None
    outer = np.median(plane[first], axis=0)
    off = np.linalg.norm(ground[first] - outer, axis=1)
    if min(float(np.linalg.norm(outer - inner)), float(np.median(off))) < _APART:
        return None
    shares = _shares(plane, ground.astype(np.float32), outer, rings)
    width = 1 + sum(shares)
    last = round(width)
    band = (rings >= 2) & (rings <= max(2, last - 1))
    one = float((np.linalg.norm(plane[band] - outer, axis=1) < _NEAR).mean())
    if one < _ONE or last > _WIDEST or shares[last - 2 + _SOFT] > _GLOW:
        return None
    width = float(round(width)) if abs(width - round(width)) < _WHOLE else round(width, 1)
    red, green, blue = (int(value) for value in np.rint(outer))
    return Fill(colour, Stroke((red, green, blue, 255), width), outside=True)


def rimmed(window: Pixels, cover: Plane, ground: Pixels) -> bool:
    """Whether what is around the letters differs from the ground: a glow, a shadow."""
    ring = np.isin(_rings(cover), (3, 4))
    if ring.sum() < _ENOUGH:
        return False
    off = (window[ring].astype(np.float32) - ground[ring]).mean(axis=0)
    return float(np.linalg.norm(off)) > _RIM


def inner_cover(window: Pixels, cover: Plane, fill: Fill) -> Plane:
    """How far each pixel is letter, at whose edge the outline begins and not the picture."""
    assert fill.stroke
    outer = np.array(fill.stroke.colour[:3], np.float32)
    line = np.array(fill.colour[:3], np.float32) - outer
    share = ((window - outer) * line).sum(axis=2) / float((line**2).sum())
    return np.asarray(np.clip(share, 0, 1) * grown(cover > 0.5, 1), np.float32)


def painted(cover: Plane, fill: Fill) -> Pixels:
    """Letters with their outline around them, as RGBA pixels."""
    assert fill.stroke
    wide = fill.stroke.width
    outer = _spread(cover, wide if fill.outside else wide / 2)
    inner = cover if fill.outside else 1 - _spread(1 - cover, wide / 2)
    alpha = np.maximum(outer, inner)[..., None]
    share = inner[..., None] / np.maximum(alpha, 1e-6)
    colours = [np.array(colour[:3], np.float32) for colour in (fill.colour, fill.stroke.colour)]
    mixed = colours[0] * share + colours[1] * (1 - share)
    return np.asarray(np.rint(np.dstack([mixed, alpha * 255])), np.uint8)


def _spread(cover: Plane, by: float) -> Plane:
    """The cover grown by so many pixels."""
    import cv2

    fine = cv2.resize(cover, None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_LINEAR)
    apart = cv2.distanceTransform((fine <= 0.5).astype(np.uint8), cv2.DIST_L2, 5)
    near = (apart <= _FINE * by).astype(np.float32)
    return np.asarray(cv2.resize(near, cover.shape[::-1], interpolation=cv2.INTER_AREA))


def _rings(cover: Plane) -> NDArray[np.int64]:
    """How many pixels each lies outside the letters; 0 inside, and further than any outline."""
    import cv2

    apart = cv2.distanceTransform((cover <= 0.5).astype(np.uint8), cv2.DIST_L2, 5)
    rings = np.rint(apart).astype(np.int64)
    return np.where(rings <= _WIDEST + _SOFT, rings, 0)


def _shares(plane: Plane, ground: Plane, outer: Plane, rings: NDArray[np.int64]) -> list[float]:
    """From the second ring on, how far the pixels of each are outline, up to the first none is."""
    line = outer - ground
    length = np.maximum((line**2).sum(axis=2), 1.0)
    share = np.clip(((plane - ground) * line).sum(axis=2) / length, 0, 1)
    found = [float(share[rings == n].mean()) if (rings == n).any() else 0.0
             for n in range(2, _WIDEST + _SOFT + 1)]  # fmt: skip
    ends = next((n for n, part in enumerate(found) if part < _NONE), len(found))
    return [*found[:ends], *[0.0] * (len(found) - ends)]
