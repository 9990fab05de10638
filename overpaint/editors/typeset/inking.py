"""Inking: which pixels of a window are the letters of one line, and which belong to others.

Rules, borders and filled areas are told by their shape, neighbouring lines by their place.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.document.boxes import Box
from overpaint.document.layers import Pixels

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]

_RULE = 1.6  # line heights: a plain horizontal run longer than this is a rule, not a stroke
_DASH = 2.3  # unless it ends on both sides among the letters: a dash
_POST = 1.3  # and an upright one that leaves the line is a border
_NEAR = 4  # pixels from strong ink to its faintest edge, on noisy grounds
_SOLID = 0.55  # line heights: an area that holds such a square is no letter


@dataclass(frozen=True)
class Ink:
    """The letters of a line, faint edges included, and all else that is not ground."""

    ours: Mask
    others: Mask
    level: Mask  # rules that run from left to right, gaps behind our letters closed
    upright: Mask  # borders that run up and down, likewise
    torn: float = 0.0  # the share of our letters that hang together with more outside than inside


def sort(window: Pixels, off: Plane, limits: tuple[float, float], box: Box, keep: Mask) -> Ink:
    """Whose each pixel is that lies `off` the ground by more than the lower limit.

    What is nowhere off by more than the upper limit is nobody's: noise.
    """
    low, high = off > limits[0], off > limits[1]
    if limits[0] > 1:
        low &= grown(high, _NEAR)  # noise must not lead from letter to letter
    even = limits[0] / 2 + 2
    level = _level(window, low, box, even)
    upright = _upright(window, low, box, even)
    others = level | upright | _solid(high, box)
    ours, theirs, torn = _share(low & ~others, high, box, keep)
    others |= theirs
    return Ink(ours, others, _bridged(level, ours, across=True), _bridged(upright, ours), torn)


def grown(mask: Mask, by: int) -> Mask:
    """The mask and all within `by` pixels of it."""
    import cv2

    if by < 1:
        return mask
    # OpenCV's disc of three pixels is a cross, which misses the corners of letters.
    shape = cv2.MORPH_RECT if by == 1 else cv2.MORPH_ELLIPSE
    disc = cv2.getStructuringElement(shape, (2 * by + 1, 2 * by + 1))
    return np.asarray(cv2.dilate(mask.astype(np.uint8), disc) > 0)


def most(values: NDArray[Any]) -> NDArray[Any]:
    """The largest of a pixel's three channels; many times faster than asking along the axis."""
    largest: NDArray[Any] = np.maximum(values[..., 0], values[..., 1])
    return np.asarray(np.maximum(largest, values[..., 2]))


def inside(shape: tuple[int, ...], box: Box, more: float = 0) -> Mask:
    """The pixels of a box, made larger by so much on each side."""
    mask = np.zeros(shape[:2], np.bool_)
    left, top = max(0, round(box[0] - more)), max(0, round(box[1] - more))
    mask[top : max(top, round(box[3] + more)), left : max(left, round(box[2] + more))] = True
    return mask


# ── what is no letter ───────────────────────────────────────────────────────────────────


def _level(window: Pixels, low: Mask, box: Box, even: float) -> Mask:
    """Rules from left to right: even runs longer than strokes, and no dashes of ours."""
    tall = box[3] - box[1]
    found = np.zeros_like(low)
    for piece, (x, y, wide, high) in _runs(window, low, int(max(_RULE * tall, 16)), even):
        among = y > box[1] + 0.25 * tall and y + high < box[3] - 0.2 * tall
        dash = among and x > box[0] and x + wide < box[2] and wide < _DASH * tall
        if high <= max(3, 0.2 * tall) and not dash:
            found |= piece
    return _pieced(window, low, found, even)


def _upright(window: Pixels, low: Mask, box: Box, even: float) -> Mask:
    """Borders that run up and down and leave the line."""
    tall = box[3] - box[1]
    turned, found = window.swapaxes(0, 1), np.zeros_like(low.T)
    for piece, (y, _, high, wide) in _runs(turned, low.T, int(max(_POST * tall, 12)), even):
        leaves = y < box[1] - 0.12 * tall or y + high > box[3] + 0.12 * tall
        if wide <= max(3, 0.3 * tall) and leaves:
            found |= piece
    return _pieced(turned, low.T, found, even).T


def _runs(
    window: Pixels, low: Mask, length: int, even: float
) -> Iterator[tuple[Mask, tuple[int, int, int, int]]]:
    """Runs along the rows of pixels hardly unlike the one before, joined; left, top, size."""
    import cv2

    if length > low.shape[1]:
        return
    rise = most(np.abs(np.diff(window.astype(np.int16), axis=1)))
    steps = ((rise <= even) & low[:, 1:] & low[:, :-1]).astype(np.uint8)
    # An odd length: an even one has no middle, and its opening loses an end.
    runs = cv2.morphologyEx(steps, cv2.MORPH_OPEN, np.ones((1, length | 1), np.uint8))
    pixels = np.pad(runs, ((0, 0), (1, 0))) | np.pad(runs, ((0, 0), (0, 1)))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(pixels, connectivity=8)
    for number in range(1, count):
        left, top, wide, high, _ = (int(n) for n in stats[number])
        yield np.asarray(labels == number), (left, top, wide, high)


def _pieced(window: Pixels, low: Mask, found: Mask, even: float) -> Mask:
    """Rules along the rows with the short pieces that letters across them leave between."""
    for row in np.flatnonzero(found.any(axis=1)):
        there = np.flatnonzero(found[row])
        between = np.s_[int(there[0]) : int(there[-1]) + 1]
        colour = np.median(window[row, there], axis=0)
        alike = most(np.abs(window[row, between] - colour)) <= even
        found[row, between] |= alike & low[row, between]
    return found


def _solid(high: Mask, box: Box) -> Mask:
    """Areas too wide both ways for a stroke that go on outside the line."""
    import cv2

    size = int(max(_SOLID * (box[3] - box[1]), 7)) | 1
    if size > min(high.shape):
        return np.zeros_like(high)
    square = np.ones((size, size), np.uint8)
    core = cv2.morphologyEx(high.astype(np.uint8), cv2.MORPH_OPEN, square)
    count, labels = cv2.connectedComponents(core, connectivity=4)
    area = np.bincount(labels.ravel(), minlength=count)
    outside = np.bincount(labels[~inside(high.shape, box, 1)], minlength=count) > 0.3 * area
    outside[0] = False
    return np.asarray(outside[labels])


def _bridged(rule: Mask, ours: Mask, *, across: bool = False) -> Mask:
    """A rule with the gaps closed that our letters make in it."""
    import cv2

    if not rule.any() or not ours.any():
        return rule
    gap = 2 * int(_widest(ours, across=across)) + 3
    shape = (1, gap) if across else (gap, 1)
    framed = np.pad(rule.astype(np.uint8), gap, mode="edge")
    closed = cv2.morphologyEx(framed, cv2.MORPH_CLOSE, np.ones(shape, np.uint8))
    return rule | (np.asarray(closed[gap:-gap, gap:-gap] > 0) & grown(ours, 1))


def _widest(mask: Mask, *, across: bool) -> int:
    lines = mask if across else mask.T
    edges = np.diff(np.pad(lines, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    starts, ends = np.nonzero(edges > 0), np.nonzero(edges < 0)
    return int((ends[1] - starts[1]).max(initial=0))


# ── whose letters ───────────────────────────────────────────────────────────────────────


def _share(low: Mask, high: Mask, box: Box, keep: Mask) -> tuple[Mask, Mask, float]:
    """Ours, others', and how much of ours was torn off: a piece goes where most of it lies."""
    import cv2

    tall = box[3] - box[1]
    _, labels, stats, _ = cv2.connectedComponentsWithStats(low.astype(np.uint8), connectivity=8)
    count, area = len(stats), stats[:, cv2.CC_STAT_AREA].astype(np.float64)
    strong = np.bincount(labels[high & low], minlength=count) > 0
    # Dots and accents may stand out of a tight box, above and below more than at its ends.
    home = inside(low.shape, (box[0], box[1] - tall // 8, box[2], box[3] + tall // 8), 1)
    if (home & ~keep).any():
        own, theirs, both = (
            np.bincount(labels[part], minlength=count)
            for part in (home & ~keep, keep & ~home, home & keep)
        )  # what lies in both goes with the rest of its piece
        at_home = (own + both * (own > theirs)) / np.maximum(area, 1)
    else:
        at_home = np.bincount(labels[home], minlength=count) / np.maximum(area, 1)
    strong[0] = at_home[0] = 0
    mine = strong & (at_home > 0.8)
    # Joined with a neighbour, as a descender with the line below: the box's edge parts them, or
    # a place a little outside, if most of the piece is at home and the box just tight.
    most_of = strong & (at_home > 0.5) & ~mine
    parted = strong & (at_home > 0.1) & (at_home <= 0.5)
    near = grown(home, 1) & ~(keep & ~inside(low.shape, box))
    ours = mine[labels] | (most_of[labels] & near) | (parted[labels] & home & ~keep)
    torn = parted[labels[ours & high]]
    share = float(torn.mean()) if torn.size else 0.0
    return np.asarray(ours), np.asarray(strong[labels] & ~ours), share
