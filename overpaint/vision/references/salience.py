"""Salience: how far each tile of a picture stands out from what its borders are made of.

Ground reaches the border of a picture, things mostly do not (Wei et al. 2012): a tile stands out
by the steps of colour on the easiest way from the border to it. A border tile that is unlike the
rest of its side is no good place to start from.
"""

import heapq

import numpy as np
from numpy.typing import NDArray

from overpaint.vision.references.mosaic import Floats, Labels, contacts, means_of

STEP = 3.0  # Lab units: a step from tile to tile up to this is shading
ODD = 0.35  # how much of its strangeness on its side a border tile starts with
LIT = 60.0  # Lab units of steps that stand out fully


def salience(tiled: Labels, colours: Floats) -> NDArray[np.float64]:
    """0 … 1 for each tile."""
    count = int(tiled.max()) + 1
    means = means_of(tiled, colours)
    ways: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    for a, b, _ in contacts(tiled, count):
        cost = max(0.0, float(np.linalg.norm(means[a] - means[b])) - STEP)
        ways[a].append((b, cost))
        ways[b].append((a, cost))
    far = _easiest(ways, _starts(tiled, means))
    return np.minimum(1.0, far / LIT)


def _starts(tiled: Labels, means: NDArray[np.float64]) -> dict[int, float]:
    """What each border tile starts with: how unlike the middle of its side's colours it is."""
    found: dict[int, float] = {}
    for side in (tiled[0], tiled[-1], tiled[:, 0], tiled[:, -1]):
        here, lengths = np.unique(side, return_counts=True)
        apart = np.linalg.norm(means[here][:, None] - means[here][None], axis=2)
        # Half of a side may be of other colours; what is like a fifth of it is ground.
        order = np.argsort(apart, axis=1)
        reach = np.cumsum(lengths[order], axis=1) / lengths.sum()
        nearest = np.argmax(reach >= 0.2, axis=1)
        odd = np.take_along_axis(apart, order, axis=1)[np.arange(len(here)), nearest]
        for tile, start in zip(here.tolist(), (ODD * odd).tolist(), strict=True):
            found[tile] = min(found.get(tile, start), start)
    return found


def _easiest(ways: list[list[tuple[int, float]]], starts: dict[int, float]) -> NDArray[np.float64]:
    """The least cost of the way from any start to each tile (Dijkstra)."""
    far = [float("inf")] * len(ways)
    queue = [(cost, tile) for tile, cost in starts.items()]
    heapq.heapify(queue)
    while queue:
        cost, tile = heapq.heappop(queue)
        if cost >= far[tile]:
            continue
        far[tile] = cost
        for other, step in ways[tile]:
            if cost + step < far[other]:
                heapq.heappush(queue, (cost + step, other))
    return np.asarray(far)
