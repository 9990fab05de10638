"""A swatch: patches of a picture laid out anew, so that palette and texture stay, no arrangement.

Patches come from all over the picture, each part of it once, in a shuffled order; of a few places
the one that fits best to what lies there already is taken, and laid along the seam that shows
least (Efros and Freeman's quilting, 2001).
"""

import math

import numpy as np

from overpaint.document import Pixels
from overpaint.vision.references.mosaic import Floats, shrunk

LONG = 768  # pixels of the longer side that patches are taken at
SIDE, LEAST = 512, 64  # pixels of a swatch, of a large and of a small picture
ACROSS = 8  # patches
LAP = 0.3  # of a patch, over its neighbours
CELLS, PLACES = 12, 3  # parts of the picture, and places in each, that are tried for a patch
SOFT = 3.0  # pixels: how softly a seam is blended


def swatch(pixels: Pixels) -> Pixels:
    """A square picture of patches of this one."""
    source = shrunk(pixels, LONG)
    side = min(SIDE, max(LEAST, min(source.shape[:2])))
    step = math.ceil(side / ACROSS)
    lap = max(2, round(LAP * step))
    patch = step + lap
    source = _at_least(source, patch)
    rng = np.random.default_rng(0)  # the same picture has the same swatch
    cells = rng.permutation(ACROSS * ACROSS).tolist()
    made = np.zeros((ACROSS * step + lap, ACROSS * step + lap, 3), np.float32)
    for place in range(len(cells)):
        down, right = divmod(place, ACROSS)
        here = made[down * step : down * step + patch, right * step : right * step + patch]
        laid = (lap if down else 0, lap if right else 0)
        tried = [
            (n, *at)
            for n in range(min(CELLS, len(cells)))
            for at in _places(source, cells[n], patch, rng)
        ]
        which, new = _fitting(source, here, tried, laid)
        del cells[which]
        share = _share(here, new, laid)[:, :, None]
        here[:] = here * (1 - share) + new * share
    inner = made[lap // 2 : lap // 2 + side, lap // 2 : lap // 2 + side]
    return np.asarray(np.clip(np.rint(inner), 0, 255), np.uint8)


def _at_least(source: Pixels, patch: int) -> Pixels:
    """A picture that is smaller than a patch goes on as in a mirror."""
    missing = [max(0, patch - length) for length in source.shape[:2]]
    return np.pad(source, ((0, missing[0]), (0, missing[1]), (0, 0)), mode="symmetric")


def _places(
    source: Pixels, cell: int, patch: int, rng: np.random.Generator
) -> list[tuple[int, int]]:
    """Places for a patch in one of the cells that the picture is parted into."""
    found = []
    for _ in range(PLACES):
        y, x = (np.array(divmod(cell, ACROSS)) + rng.random(2)) / ACROSS
        room = (source.shape[0] - patch + 1, source.shape[1] - patch + 1)
        found.append((int(y * room[0]), int(x * room[1])))
    return found


def _fitting(
    source: Pixels, here: Floats, tried: list[tuple[int, int, int]], laid: tuple[int, int]
) -> tuple[int, Floats]:
    """Of a few places the one whose patch differs least from what it is laid over."""
    patch, (above, before) = here.shape[0], laid
    best, least = (0, here), math.inf
    for cell, y, x in tried:
        one = source[y : y + patch, x : x + patch].astype(np.float32)
        far = float(np.square(one[:above] - here[:above]).sum())
        far += float(np.square(one[:, :before] - here[:, :before]).sum())
        if far < least:
            best, least = (cell, one), far
    return best


def _share(here: Floats, new: Floats, laid: tuple[int, int]) -> Floats:
    """How much of the new patch shows where: nothing on the far side of a seam."""
    above, before = laid
    apart = np.square(here - new).sum(axis=2)
    share = np.ones(apart.shape, np.float32)
    if before:
        share[:, :before] = _beyond(apart[:, :before])
    if above:
        share[:above] = np.minimum(share[:above], _beyond(apart[:above].T).T)
    return share


def _beyond(apart: Floats) -> Floats:
    """From 0 left of the path from top to bottom that costs least to 1 right of it."""
    high, wide = apart.shape
    cost = apart.astype(np.float64)
    for row in range(1, high):
        above = np.pad(cost[row - 1], 1, constant_values=np.inf)
        cost[row] += np.minimum(np.minimum(above[:-2], above[1:-1]), above[2:])
    at = int(cost[-1].argmin())
    path = np.empty(high)
    for row in range(high - 1, -1, -1):
        left, right = max(0, at - 1), min(wide, at + 2)
        at = left + int(cost[row, left:right].argmin()) if row < high - 1 else at
        path[row] = at
    away = (np.arange(wide)[None] - path[:, None]) / SOFT
    return np.asarray(np.clip(away + 0.5, 0, 1), np.float32)
