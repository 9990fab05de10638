"""Grouping: which areas that stand out together are one thing, and which are several.

Parts of one thing stand one over the other or are of like colours; things beside each other
overlap little from side to side. What is wide and low and has others standing in the midst of it,
a rug or a cloth, is ground.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
OVERLAP = 0.35  # of the narrower one's width: from here on two parts stand one over the other
ALIKE = 16.0  # Lab units, light counting less, up to which two parts are of like colours
TINY = 0.0012  # of the picture: a smaller area goes with whatever it touches
WIDE = 1.5  # times its height: the least width of a rug
DEPTH = (0.2, 0.95)  # of a rug's height: where what stands on it ends


@dataclass(frozen=True, eq=False)
class Part:
    """One area, or several that belong together."""

    mask: Mask
    colour: NDArray[np.float64]
    left: int
    top: int
    right: int
    bottom: int


def grouped(
    parts: Sequence[Mask], colours: NDArray[np.float32], *, tiny: float = TINY
) -> list[Mask]:
    """Areas as things: masks of those that belong together, without the ground."""
    found = [part_of(mask, colours) for mask in parts]
    large = [part for part in found if part.mask.sum() >= tiny * part.mask.size]
    rest = [part for part in found if part.mask.sum() < tiny * part.mask.size]
    kept = [part for part in large if not any(_stands_on(other, part) for other in large)]
    whole = _joined(kept, colours)
    masks = [part.mask for part in whole]
    for crumb in rest:
        touching = [at for at, mask in enumerate(masks) if (_grown(crumb.mask) & mask).any()]
        if touching:
            masks[touching[0]] = masks[touching[0]] | crumb.mask
    return masks


def part_of(mask: Mask, colours: NDArray[np.float32]) -> Part:
    """A part as its mask tells it."""
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    colour = colours[mask].mean(axis=0, dtype=np.float64)
    return Part(
        mask, colour, int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
    )


def _joined(parts: list[Part], colours: NDArray[np.float32]) -> list[Part]:
    """The two that belong together most are made one, until none do."""
    left = list(parts)
    while len(left) > 1:
        pairs = ((_bond(a, b), i, j) for i, a in enumerate(left) for j, b in enumerate(left[:i]))
        bond, i, j = max(pairs)
        if bond < OVERLAP:
            break
        one = part_of(left[i].mask | left[j].mask, colours)
        left = [part for at, part in enumerate(left) if at not in (i, j)] + [one]
    return left


def _bond(a: Part, b: Part) -> float:
    """How much two parts belong together, 0 … 1; nothing where they do not touch."""
    across = min(a.right, b.right) - max(a.left, b.left)
    down = min(a.bottom, b.bottom) - max(a.top, b.top)
    if min(across, down) < -2 or not (_grown(a.mask) & b.mask).any():
        return 0.0
    over = max(0, across) / min(a.right - a.left, b.right - b.left)
    alike = ALIKE / max(ALIKE, float(np.linalg.norm(a.colour - b.colour)))
    return max(over, alike**2)


def _stands_on(thing: Part, ground: Part) -> bool:
    """Whether one stands in the midst of the other, which is wide and low."""
    high = ground.bottom - ground.top
    if thing is ground or ground.right - ground.left < WIDE * high:
        return False
    deep = (thing.bottom - ground.top) / high
    inside = min(thing.right, ground.right) - max(thing.left, ground.left)
    upon = inside > 0.6 * (thing.right - thing.left)
    above = ground.top - thing.top > 0.3 * (thing.bottom - thing.top)
    touches = bool((_grown(thing.mask) & ground.mask).any())
    return upon and above and DEPTH[0] < deep < DEPTH[1] and touches


def _grown(mask: Mask) -> Mask:
    import cv2

    return np.asarray(cv2.dilate(mask.view(np.uint8), np.ones((5, 5), np.uint8)) > 0)
