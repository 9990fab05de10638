"""Areas: a semantic map without semantics, regions of their own colours.

Tiles are laid and merged several times, and what parts two places is what the layings say on the
mean (`layings`). Only regions that stay the same where a little more or less is asked are told;
the maps where more or less is asked, in full, are second thoughts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.vision.references import Extractor, Hints, Reference
from overpaint.vision.references.crisp import crisp, drawn_out
from overpaint.vision.references.layings import layings
from overpaint.vision.references.mosaic import Labels

APART = 12.0  # Lab units between neighbours that are two regions
LEEWAY = (1.25, 1 / 1.25)  # how much more or less may be asked: a steady region is the same
STEADY = 0.8  # the IoU from which a region is the same
MOST = 60  # regions of a picture


@dataclass(frozen=True, eq=False)
class Parted:
    """A picture parted into regions at its own size; 1 … n, the largest first."""

    steady: Labels  # 0 where regions are not
    sure: float  # how steady those are
    # Every pixel in a region: as asked for, then with less and more. Bytes, since these are many.
    maps: tuple[NDArray[np.uint8], ...]


def regions(pixels: Pixels) -> Parted:
    """The regions of a picture."""
    laid = layings(pixels)
    cuts = [
        ordered(1 + laid.whole.cut(APART * share, MOST)[laid.tiled[0]]) for share in (1.0, *LEEWAY)
    ]
    same = np.min([overlaps(cuts[0], other).max(axis=1) for other in cuts[1:]], axis=0)
    maps = tuple(drawn_out(crisp(pixels, cut).astype(np.uint8), pixels) for cut in cuts)
    kept = same >= STEADY
    steady = np.where(kept[maps[0] - 1], maps[0], 0).astype(np.int32)
    return Parted(ordered(steady), float(same[kept].mean()) if kept.any() else 0.0, maps)


def overlaps(one: Labels, two: Labels) -> NDArray[np.float64]:
    """The IoU of every region of one map with every region of another."""
    across = int(two.max()) + 1
    pairs = one.ravel().astype(np.int64) * across + two.ravel()
    counts = np.bincount(pairs, minlength=(int(one.max()) + 1) * across).reshape(-1, across)
    counts = counts[1:, 1:]
    whole = counts.sum(axis=1)[:, None] + counts.sum(axis=0)[None] - counts
    return np.asarray(counts / np.maximum(whole, 1))


def ordered(labels: Labels) -> Labels:
    """The same regions as 1 … n, the largest first; 0 is none and stays."""
    sizes = np.bincount(labels.ravel())
    order = [n for n in np.argsort(-sizes, kind="stable") if sizes[n] and n]
    rank = np.zeros(len(sizes), np.int32)
    rank[order] = np.arange(1, len(order) + 1)
    return np.asarray(rank[labels], np.int32)


def _semantic_map(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    found = regions(pixels)
    who = (semantic_map.method, semantic_map.version)
    sure = [Reference("semantic_map", found.steady, *who, confidence=found.sure)]
    return [
        *(sure if found.steady.any() else ()),
        *(Reference("semantic_map", one, *who, maybe=True) for one in found.maps),
    ]


semantic_map = Extractor(
    "semantic_map", "areas", "1", _semantic_map, "steady areas of like colours, by merging tiles"
)
