"""Pictured: the letters of a line on a photograph, told by one colour and thin strokes."""

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import Pixels
from overpaint.document.render import Box
from overpaint.editors.typeset.inking import Ink, grown, inside
from overpaint.editors.typeset.inpaint import spread

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]

_EVEN = 6.0  # levels: pixels this near the ink's colour are its cores
_FAINT, _SURE = 0.12, 0.5  # of ink in a pixel: from where it may be, and from where it is a letter
_BIAS = 7.0  # levels by which the ring around letters differs from the ground: outline, shadow


def find_in_picture(window: Pixels, box: Box, keep: Mask, *, compressed: bool) -> tuple[Ink, int]:
    """The letters in a box, and how many pixels around them still show them."""
    home = inside(window.shape, box, 1) & ~keep
    plane = window.astype(np.float32)
    seeds = _cores(window, box, home)
    if seeds is None:
        seeds = _thin(window, box, home)
    ours = seeds
    for _ in range(3):
        share = _share(plane, ours, seeds)
        sure = (share > _SURE) & home
        seeds = sure if sure.any() else seeds
        ours = _joined((share > _FAINT) & grown(seeds, 2) & home, seeds)
    nothing = np.zeros_like(ours)
    return Ink(ours, nothing, nothing, nothing), _ring(plane, ours, box, compressed=compressed)


def _cores(window: Pixels, box: Box, home: Mask) -> Mask | None:
    """Pixels of the one colour that fills the strokes of text drawn on a picture; None: no such."""
    packed = window.astype(np.int64) @ np.array([65536, 256, 1])
    colours, counts = np.unique(packed[home], return_counts=True)
    beyond = inside(window.shape, box, 0.6 * (box[3] - box[1])) & ~grown(home, 3)
    for number in np.argsort(-counts)[:4]:
        share = counts[number] / home.sum()
        around = float((packed[beyond] == colours[number]).mean()) if beyond.any() else 0.0
        if share > 0.03 and share > 6 * around:
            colour = colours[number]
            there = np.array([colour >> 16, colour >> 8 & 255, colour & 255])
            off = np.abs(window.astype(np.int16) - there).max(axis=2)
            return np.asarray((off <= 2) & home)
    return None


def _thin(window: Pixels, box: Box, home: Mask) -> Mask:
    """Thin things, dark or light, that stand out in the box more than around it."""
    import cv2

    tall = box[3] - box[1]
    size = int(max(5, 0.5 * tall)) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    around = inside(window.shape, box, 0.8 * tall) & ~grown(home, 3)
    best, found = -np.inf, home
    for operation in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        hat = cv2.morphologyEx(window, operation, disc).max(axis=2)
        usual = float(np.percentile(hat[around], 95)) if around.any() else 0.0
        gain = float(np.percentile(hat[home], 85)) - usual
        if gain > best:
            limit = max(cv2.threshold(hat[home], 0, 255, cv2.THRESH_OTSU)[0], 0.6 * usual)
            best, found = gain, (hat > limit) & home
    return np.asarray(found)


def _share(plane: Plane, ours: Mask, seeds: Mask) -> Plane:
    """How far each pixel is ink, the ground guessed from what is around the letters."""
    ground = spread(plane, grown(ours, 2))
    away = np.linalg.norm(plane - ground, axis=2)
    strong = seeds & (away >= np.percentile(away[seeds], 60)) if seeds.any() else seeds
    colour = np.median(plane[strong if strong.any() else ours], axis=0)
    line = colour - ground
    length = np.maximum((line**2).sum(axis=2), 15.0**2)
    share = ((plane - ground) * line).sum(axis=2) / length
    astray = np.linalg.norm(plane - ground - share[..., None] * line, axis=2)
    return np.asarray(np.where(astray < 0.6 * np.sqrt(length) + 10, share, 0), np.float32)


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
    ground = spread(plane, grown(ours, reach))
    apart = cv2.distanceTransform((~ours).astype(np.uint8), cv2.DIST_L2, 3)
    widest = least
    for by in range(1, reach):
        ring = (apart > by - 0.5) & (apart <= by + 0.5)
        if not ring.any() or np.abs((plane - ground)[ring].mean(axis=0)).max() < _BIAS:
            break
        widest = max(widest, by + 1)
    return widest
