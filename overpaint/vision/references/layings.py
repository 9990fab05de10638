"""Layings: a picture's mosaic laid several times, each merged for itself.

What one laying says is a matter of chance near each threshold; what several say alike is not.
Things and areas are found in the same ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from overpaint.document import Pixels
from overpaint.vision.references.inputs import Looked, looked
from overpaint.vision.references.merging import Tree, tree
from overpaint.vision.references.mosaic import (
    Floats,
    Labels,
    contacts,
    felt,
    shrunk,
    smoothed,
    tiles,
)  # fmt: skip

LONG = 224  # pixels of the longer side of the small copy
GRIDS = (4, 5, 6, 7, 8)  # pixels between the seeds of tiles


@dataclass(frozen=True, eq=False)
class Layings:
    """A small copy without grain, its colours, and tiles with the tree they were merged by."""

    small: Pixels
    colours: Floats
    tiled: tuple[Labels, ...]
    trees: tuple[Tree, ...]
    whole: Tree  # of the first laying's tiles: the one that all agree on


def layings(pixels: Pixels) -> Layings:
    """The layings of a picture; those of the last few are kept."""
    return _laid(looked(shrunk(pixels, LONG)))


@lru_cache(maxsize=4)
def _laid(seen: Looked) -> Layings:
    small = smoothed(seen.pixels)
    colours = felt(small)
    tiled = tuple(tiles(colours, grid) for grid in GRIDS)
    trees = tuple(tree(one, colours) for one in tiled)
    return Layings(small, colours, tiled, trees, _agreed(tiled, trees, colours))


def _agreed(tiled: Sequence[Labels], trees: Sequence[Tree], colours: Floats) -> Tree:
    """The first laying's tiles merged by how high, on the mean, two neighbours become one."""
    base = tiled[0]
    pairs = [(a, b) for a, b, _ in contacts(base, int(base.max()) + 1)]
    heights = np.zeros(len(pairs))
    for one, grown in zip(tiled, trees, strict=True):
        home = _homes(base, one)
        heights += [grown.between(home[a], home[b]) for a, b in pairs]
    mean = dict(zip(pairs, (heights / len(trees)).tolist(), strict=True))
    return tree(base, colours, border=1.0, differences=mean)


def _homes(base: Labels, other: Labels) -> list[int]:
    """For each tile of one laying, the tile of another that has most of it."""
    count = int(other.max()) + 1
    keys, sizes = np.unique(
        base.ravel().astype(np.int64) * count + other.ravel(), return_counts=True
    )
    order = np.lexsort((sizes, keys // count))
    last = np.flatnonzero(np.diff(keys[order] // count, append=-1))
    homes: list[int] = (keys[order][last] % count).tolist()
    return homes
