"""Ink: where letters are on plain paper, boxes tight around them, and bullets before them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.vision.letters import Type
from overpaint.vision.page import Box, Line

Pixels = NDArray[np.uint8]
Inked = Callable[[Pixels], NDArray[Any]]  # of a part of the picture: where it has ink
Span = tuple[int, int]

_FAR = 24  # a pixel this far from the background's colour is ink, however noisy the picture
_FAINT = 10  # and one this far is, on clean paper: less is what resizing leaves around letters
_PLAIN = 0.75  # the share of a side's pixels that have the paper's colour where it is plain


def snap(pixels: Pixels, box: Box) -> Box:
    """The smallest box around the ink of a line, or the box itself where no ink stands out."""
    found = letters(pixels, box)
    if found is None:
        return box
    ink, left, top = found
    within = ink[:, max(0, int(box[0]) - left) : int(box[2]) - left + 1]
    if not within.any():
        return box
    rows = _rows(np.asarray(within.any(axis=1)), box[1] - top, box[3] - top)
    inked = np.asarray(ink[rows[0] : rows[1]].any(axis=0))
    columns = _reach(inked, box[0] - left, box[2] - left)
    return (
        float(left + columns[0]),
        float(top + rows[0]),
        float(left + columns[1]),
        float(top + rows[1]),
    )


def letters(pixels: Pixels, box: Box) -> tuple[NDArray[np.bool_], int, int] | None:
    """The ink in and close around a line's box without its rules, and the corner it begins at.

    None where the paper is not plain.
    """
    height, width = pixels.shape[:2]
    more = 2 + int(0.12 * (box[3] - box[1]))  # a detector may cut a large letter
    left, top = max(0, int(box[0]) - more), max(0, int(box[1]) - more)
    right, bottom = min(width, int(box[2]) + more + 1), min(height, int(box[3]) + more + 1)
    inked = ink_on_plain(pixels, box)
    if inked is None:
        return None
    # A rule is known by its length, so it has to be seen beyond a short line's ends.
    beyond = int(2 * (box[3] - box[1]))
    start = max(0, left - beyond)
    around = inked(pixels[top:bottom, start : min(width, right + beyond)])
    ink = (around & ~_rules(around, box[3] - box[1]))[:, left - start : right - start]
    return ink, left, top


def ink_on_plain(pixels: Pixels, box: Box) -> Inked | None:
    """What tells the ink of a line from its paper; none where the paper is not plain."""
    left, top, right, bottom = (max(0, int(edge)) for edge in box)
    window = pixels[top : bottom + 1, left : right + 1].astype(np.int16)
    if min(window.shape[:2]) < 3:
        return None
    sides = [window[0], window[-1], window[:, 0], window[:, -1]]
    rim = np.concatenate(sides)
    # Rules may run along two sides, and letters may fill most of the box: either tells the paper.
    for paper in (np.median(window, axis=(0, 1)), np.median(rim, axis=0)):
        plain = sorted((np.abs(side - paper).max(axis=1) <= _FAR).mean() for side in sides)
        if plain[-2] >= _PLAIN:
            break
    else:
        return None
    # On clean paper the faint edge of a letter counts; on a photograph its noise must not.
    near = np.abs(rim - paper)
    faint = min(_FAR, _FAINT + 4 * float(np.median(near[near <= _FAR])))
    return lambda part: np.asarray(np.abs(part.astype(np.int16) - paper).max(axis=2) > faint)


def _rules(ink: NDArray[Any], high: float) -> NDArray[Any]:
    """The parts of the ink that are longer or higher than any letter of a line that high."""
    import cv2

    lines = ink.astype(np.uint8)
    # Odd lengths: an even one has no middle, and its opening loses an end.
    flat, steep = np.ones((1, int(1.6 * high) | 1)), np.ones((int(1.12 * high + 1) | 1, 1))
    found = np.zeros_like(ink)
    if flat.shape[1] <= ink.shape[1]:
        found |= cv2.morphologyEx(lines, cv2.MORPH_OPEN, flat) > 0
    if steep.shape[0] <= ink.shape[0]:
        found |= cv2.morphologyEx(lines, cv2.MORPH_OPEN, steep) > 0
    return np.asarray(found)


def _runs(inked: NDArray[Any], start: float, end: float) -> list[Span]:
    """Stretches of ink that are at least partly between start and end."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], inked, [False]]).astype(np.int8)))
    runs = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    return [(a, b) for a, b in runs if min(b, end) - max(a, start) > 0]


def _rows(inked: NDArray[Any], start: float, end: float) -> Span:
    """First and last row of the line itself, which a detector saw from start to end."""
    inside = _runs(inked, start, end)
    if not inside:
        return int(start), int(end)
    tallest = max(b - a for a, b in inside)
    # A thin strip at the rim that stands apart is a neighbour's.
    own = [
        (a, b)
        for a, b in inside
        if (a > start and b < end) or min(b, end) - max(a, start) > tallest / 3
    ] or inside
    first, last = own[0][0], own[-1][1]
    # Ink that runs out of sight belongs to several lines: the detector's edge parts them.
    first = int(start) if first == 0 and start > 1 else first
    return first, int(end) + 1 if last == len(inked) and end < len(inked) - 1 else last


def _reach(inked: NDArray[Any], start: float, end: float) -> Span:
    """First and last column of the letters that a detector saw from start to end."""
    inside = _runs(inked, start, end)
    return (inside[0][0], inside[-1][1]) if inside else (int(start), int(end))


def bulleted(pixels: Pixels, line: Line, others: NDArray[np.float64]) -> bool:
    """Whether a dot, a square or a dash stands before the line, which OCR seldom reports."""
    size, middle = Type(line).size, Type(line).middle
    left, right = int(line.box[0] - 2.2 * size), int(line.box[0] - 0.2 * size)
    top, bottom = int(middle - 0.5 * size), int(middle + 0.5 * size) + 1
    if left < 0 or top < 0 or right - left < 4:
        return False
    across = (others[:, 0] < right) & (others[:, 2] > left)
    if (across & (others[:, 1] < bottom) & (others[:, 3] > top)).any():
        return False  # what stands there is the end of another line
    window = pixels[top:bottom, left:right]
    if not window.size:
        return False
    paper = np.median(window.reshape(-1, 3), axis=0)
    ink = np.abs(window.astype(np.int16) - paper).max(axis=2) > _FAR
    ink &= ink.mean(axis=1, keepdims=True) < 0.95  # the rules of ruled paper
    rim = ink[0].any() or ink[-1].any() or ink[:, 0].any() or ink[:, -1].any()
    return not rim and blob(ink, size)


def blob(ink: NDArray[Any], size: float) -> bool:
    """Whether all the ink is one small solid thing: a dot, a square, a dash."""
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return False
    high, wide = int(rows[-1] - rows[0]) + 1, int(columns[-1] - columns[0]) + 1
    small = high < 0.6 * size and 0.1 * size < wide < 0.8 * size
    return bool(small and ink.sum() > high * wide / 2)
