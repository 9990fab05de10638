"""Pictured: the letters of a line on a photograph, told by one colour and thin strokes."""

import numpy as np
from numpy.typing import NDArray

from overpaint.document.boxes import Box
from overpaint.document.layers import Pixels
from overpaint.editors.typeset.inking import Ink, grown, inside, most
from overpaint.editors.typeset.inpaint import spread

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]

_EVEN = 14  # levels: pixels this near the ink's colour are its cores
_LEAST = 0.3  # of likeness to letters, from which a colour is believed to be the ink's
_FAINT, _SURE = 0.3, 0.5  # of ink in a pixel: from where it may be, and from where it is a letter
_CONTRAST = 80.0  # levels from the ground: glows between it and the letters have less
_BIAS = 7.0  # levels by which the ring around letters differs from the ground: outline, shadow


def find_in_picture(window: Pixels, box: Box, keep: Mask, *, compressed: bool) -> tuple[Ink, int]:
    """The letters in a box, and how many pixels around them still show them."""
    home = inside(window.shape, box, 1) & ~keep
    plane = window.astype(np.float32)
    seeds = _cores(window, box, home)
    if seeds is None:
        seeds = _thin(window, box, home) if home.any() else home
    ours = seeds
    for _ in range(3 if seeds.any() else 0):
        share, colour = _share(plane, ours, seeds)
        # A letter that was missed makes the ground look like ink; its colour gives it away.
        inked = _slim(_within(most(np.abs(plane - colour)) <= 1.5 * _EVEN, home), box)
        sure = ((share > _SURE) & home) | inked
        seeds = sure if sure.any() else seeds
        ours = _joined((share > _FAINT) & grown(seeds, 1) & home, seeds)
    nothing = np.zeros_like(ours)
    return Ink(ours, nothing, nothing, nothing), _ring(plane, ours, box, compressed=compressed)


def _cores(window: Pixels, box: Box, home: Mask) -> Mask | None:
    """Pixels of the one colour that fills the strokes of text on a picture; None: no such.

    It stands often in the box, seldom around it, all along the line, and only in thin pieces.
    """
    around = inside(window.shape, box, 0.6 * (box[3] - box[1])) & ~grown(home, 2)
    around = around if around.any() else ~home
    if not home.any() or not around.any():
        return None  # all of it is the box: nothing to compare with
    packed = (window >> 4).astype(np.int64) @ np.array([256, 16, 1])
    here = np.bincount(packed[home], minlength=4096) / max(1, home.sum())
    there = np.bincount(packed[around], minlength=4096) / max(1, around.sum())
    best, found = _LEAST, None
    for bin_ in np.flatnonzero(here)[np.argsort(2 * there[here > 0] - here[here > 0])[:4]]:
        colour = np.median(window[home & (packed == bin_)], axis=0)
        near = most(np.abs(window - colour)) <= _EVEN
        near = _within(near, home)
        contrast = float(np.abs(colour - np.median(window[around], axis=0)).max())
        score = _lettering(near, home, box) * np.clip(contrast / _CONTRAST, 0.45, 1)
        score *= 0.7 + 0.6 * _sameness(window[near])
        if score > best:
            best, found = score, near
    return found


def _sameness(values: Pixels) -> float:
    """The share of pixels that have the commonest colour exactly, as drawn letters have."""
    if not len(values):
        return 0.0
    counts = np.unique(values.astype(np.int64) @ np.array([65536, 256, 1]), return_counts=True)[1]
    return float(counts.max() / len(values))


def _within(mask: Mask, home: Mask) -> Mask:
    """The pieces of a mask that lie mostly at home."""
    import cv2

    count, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    area = np.bincount(labels.ravel(), minlength=count)
    own = np.bincount(labels[home], minlength=count) > 0.6 * area
    own[0] = False
    return np.asarray(own[labels] & home)


def _lettering(mask: Mask, home: Mask, box: Box) -> float:
    """How much like the cores of a line of letters a mask is, 0–1."""
    import cv2

    share = float(mask[home].mean())
    if share < 0.01:
        return 0.0
    thick = float(cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 3).max())
    thin = np.clip(1.6 - thick / (0.2 * (box[3] - box[1]) + 1), 0, 1)
    parts = np.array_split(mask[:, box[0] : box[2]].any(axis=0), 12)
    along = np.mean([part.any() for part in parts if len(part)])
    return float(thin * along * min(1.0, share / 0.06))


def _thin(window: Pixels, box: Box, home: Mask) -> Mask:
    """Thin things, dark or light, that stand out in the box more than around it."""
    import cv2

    tall = box[3] - box[1]
    size = int(max(5, 0.5 * tall)) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    around = inside(window.shape, box, 0.8 * tall) & ~grown(home, 3)
    best, found = -np.inf, home
    for operation in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        hat = most(cv2.morphologyEx(window, operation, disc))
        usual = float(np.percentile(hat[around], 95)) if around.any() else 0.0
        gain = float(np.percentile(hat[home], 85)) - usual
        if gain > best:
            limit = max(cv2.threshold(hat[home], 0, 255, cv2.THRESH_OTSU)[0], 0.6 * usual)
            best, found = gain, (hat > limit) & home
    return np.asarray(found)


def _slim(mask: Mask, box: Box) -> Mask:
    """The parts of a mask that are no wider than strokes."""
    import cv2

    size = int(max(5, 0.4 * (box[3] - box[1]))) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    wide = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, disc) > 0
    return np.asarray(mask & ~grown(wide, 2))


def _share(plane: Plane, ours: Mask, seeds: Mask) -> tuple[Plane, Plane]:
    """How far each pixel is ink, the ground guessed from what is around the letters; its colour."""
    ground = spread(plane, grown(ours, 2))
    away = np.linalg.norm(plane - ground, axis=2)
    strong = seeds & (away >= np.percentile(away[seeds], 60)) if seeds.any() else seeds
    colour = np.median(plane[strong if strong.any() else ours], axis=0)
    line = colour - ground
    length = np.maximum((line**2).sum(axis=2), 15.0**2)
    share = ((plane - ground) * line).sum(axis=2) / length
    astray = np.linalg.norm(plane - ground - share[..., None] * line, axis=2)
    share = np.where(astray < 0.6 * np.sqrt(length) + 10, share, 0)
    return np.asarray(share, np.float32), np.asarray(colour, np.float32)


def _joined(faint: Mask, seeds: Mask) -> Mask:
    """The pieces of what may be ink that hold some that is."""
    import cv2

    count, labels = cv2.connectedComponents((faint | seeds).astype(np.uint8), connectivity=8)
    real = np.bincount(labels[seeds], minlength=count) > 0
    real[0] = False
    return np.asarray(real[labels])


def _ring(plane: Plane, ours: Mask, box: Box, *, compressed: bool) -> int:
    """How far around the letters pixels differ from the ground, all in the same direction."""
    import cv2

    least = 2 if compressed else 1
    reach = int(np.clip(0.3 * (box[3] - box[1]), least + 1, 14))
    off = plane - spread(plane, grown(ours, reach))
    apart = cv2.distanceTransform((~ours).astype(np.uint8), cv2.DIST_L2, 3)
    columns = np.array_split(np.arange(box[0], box[2]), 10)
    widest = least
    for by in range(1, reach):
        ring = (apart > by - 0.5) & (apart <= by + 0.5)
        parts = [off[:, part][ring[:, part]] for part in columns if len(part)]
        means = np.array([part.mean(axis=0) for part in parts if len(part) > 4])
        # An outline differs all along the line, the picture behind it here and there.
        if len(means) < 4 or not _same_way(means):
            break
        widest = max(widest, by + 1)
    return widest


def _same_way(means: Plane) -> bool:
    middle = means.mean(axis=0)
    error = means.std(axis=0) / np.sqrt(len(means)) + 0.5
    return bool(((np.abs(middle) > _BIAS) & (np.abs(middle) > 4 * error)).any())
