"""Room: how far a line may reach before it touches other words, a rule, a picture or the edge."""

import numpy as np
from numpy.typing import NDArray

from overpaint.editors.typeset.reading import Page
from overpaint.vision.ink import Inked, Pixels, ink_on_plain
from overpaint.vision.page import Box

_APART = 0.25  # heights that stay free between a line and what stands beside it
_EDGE = 0.04  # of the picture's width or height: the widest margin that words must leave
_THROUGH = 0.7  # of a line's height: a rule that crosses less of it is no wall
_SLACK = 3.0  # pixels
_EDGED = 40  # levels between neighbouring pixels: an edge, and no noise


def room_of(page: Page, number: int, box: Box, *, pictured: bool = False) -> Box:
    """The room of a line whose ink is in `box`: from what is left of it to what is right of it.

    On a photograph, words may stand on what is pictured; only words and rules limit them.
    """
    others = _around(page, number, box)
    left, right = _sides(page, others, box)
    if not pictured:
        left, right = _to_ink(page, box, (left, right))
    top, bottom = _above_and_below(page, others, box)
    return (left, top, right, bottom)


def _around(page: Page, number: int, box: Box) -> NDArray[np.float64]:
    """The boxes of the other lines, of those on the same level or close above and below tight."""
    high = box[3] - box[1]
    near = (page.boxes[:, 1] < box[3] + 3 * high) & (page.boxes[:, 3] > box[1] - 3 * high)
    found = [
        page.tight(n) if near[n] else tuple(page.boxes[n]) for n in range(len(page)) if n != number
    ]
    return np.array(found, np.float64).reshape(-1, 4)


def _sides(page: Page, others: NDArray[np.float64], box: Box) -> tuple[float, float]:
    width = page.pixels.shape[1]
    high = box[3] - box[1]
    common = np.minimum(others[:, 3], box[3]) - np.maximum(others[:, 1], box[1])
    level = others[common > 0.15 * np.minimum(high, others[:, 3] - others[:, 1])]
    walls = [
        w
        for w in page.rules[1]
        if min(w[3], box[3]) - max(w[1], box[1]) > _THROUGH * high and not _in_text(w, page.boxes)
    ]
    middle = (box[0] + box[2]) / 2
    away = _APART * high
    margin = min(_EDGE * width, float(page.boxes[:, 0].min()), box[0], width - box[2])
    before = [b[2] + away for b in level if (b[0] + b[2]) / 2 < middle]
    after = [b[0] - away for b in level if (b[0] + b[2]) / 2 > middle]
    before += [w[2] + away for w in walls if w[2] <= box[0] + _SLACK]
    after += [w[0] - away for w in walls if w[0] >= box[2] - _SLACK]
    left, right = max([margin, *before]), min([width - margin, *after])
    return min(left, box[0]), max(right, box[2])


def _to_ink(page: Page, box: Box, limits: tuple[float, float]) -> tuple[float, float]:
    """The limits drawn in to the nearest ink, where paper is plain enough to see it."""
    inked = ink_on_plain(page.pixels, (box[0] - 1, box[1] - 1, box[2], box[3]))
    if inked is None:
        return limits
    high = box[3] - box[1]
    away = _APART * high
    rows = slice(max(0, int(box[1])), int(box[3]))
    start, stop = int(max(0, limits[0])), int(limits[1])
    near = max(1, round(0.15 * high))  # what is closer belongs to the line
    before = np.flatnonzero(_any(page.pixels[rows, start : max(start, int(box[0]) - near)], inked))
    begin = min(stop, int(box[2]) + near)
    after = np.flatnonzero(_any(page.pixels[rows, begin:stop], inked))
    left = min(box[0], start + float(before[-1]) + 1 + away) if len(before) else limits[0]
    right = max(box[2], begin + float(after[0]) - away) if len(after) else limits[1]
    return max(left, limits[0]), min(right, limits[1])


def _any(window: Pixels, inked: Inked) -> NDArray[np.bool_]:
    """The columns with ink, but for rules that run along the line.

    Ink has edges: paper that only grows darker, as on a gradient or a photograph, is still free.
    """
    if window.shape[1] < 2:
        return np.zeros(window.shape[1], bool)
    step = np.abs(np.diff(window.astype(np.int16), axis=1)).max(axis=2) > _EDGED
    ink = np.asarray(inked(window)) & (
        np.pad(step, ((0, 0), (1, 0))) | np.pad(step, ((0, 0), (0, 1)))
    )
    ruled = np.asarray(inked(window)).mean(axis=1) > 0.9
    return np.asarray(ink[~ruled].any(axis=0) if (~ruled).any() else np.zeros(ink.shape[1], bool))


def _above_and_below(page: Page, others: NDArray[np.float64], box: Box) -> tuple[float, float]:
    height = page.pixels.shape[0]
    common = np.minimum(others[:, 2], box[2]) - np.maximum(others[:, 0], box[0])
    column = others[common > 0]
    middle = (box[1] + box[3]) / 2
    above = [float(b[3]) for b in column if (b[1] + b[3]) / 2 < middle]
    below = [float(b[1]) for b in column if (b[1] + b[3]) / 2 > middle]
    for rule in page.rules[0]:
        if min(rule[2], box[2]) - max(rule[0], box[0]) <= 0.3 * (box[2] - box[0]):
            continue
        if _in_text(rule, page.boxes):
            continue
        above += [rule[3]] if rule[3] <= box[1] + 1 else []
        below += [rule[1]] if rule[1] >= box[3] - 1 else []
    return min(box[1], max([0.0, *above])), max(box[3], min([float(height), *below]))


def _in_text(rule: Box, boxes: NDArray[np.float64]) -> bool:
    """Whether it is no rule but a stroke of a large letter."""
    inside = (
        (boxes[:, 0] - _SLACK <= rule[0])
        & (boxes[:, 1] - _SLACK <= rule[1])
        & (rule[2] <= boxes[:, 2] + _SLACK)
        & (rule[3] <= boxes[:, 3] + _SLACK)
    )
    return bool(inside.any())
