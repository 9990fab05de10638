"""Merging: tiles of a mosaic become larger areas, those that are nearest first.

Two areas are as far apart as the colours on both sides of their common border, and a little as
their mean colours; small ones are drawn to their neighbours. The whole history is kept, a tree
that can be cut at any height.
"""

import heapq
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overpaint.vision.references.mosaic import Floats, Labels, contacts, means_of

BORDER = 0.65  # what the border counts for in a distance, the means counting for the rest
SHADE = 40.0  # Lab units: colours farther apart than this are no farther apart
SMALL = 0.012  # of the picture: areas below this are drawn to their neighbours
SAME = 1.001  # distances that differ less are the same
LITTLE = 0.02  # of an area: what makes no difference to its mean
GIVE = 0.5  # how strongly they are: the power of their size


@dataclass(frozen=True)
class Tree:
    """Who was merged into whom, when, and how far apart they were."""

    owner: list[int]  # itself: never merged into another
    when: list[int]  # which merge it was; later ones are higher
    height: list[float]  # the largest distance up to then

    def between(self, a: int, b: int) -> float:
        """How high two tiles become one."""
        height = 0.0
        while a != b:
            a, b = (a, b) if self.when[a] < self.when[b] else (b, a)
            height, a = self.height[a], self.owner[a]
        return height

    def cut(self, height: float, most: int) -> NDArray[np.int32]:
        """Each tile's area where merging stops at this height, and goes on while there are more."""
        alone = len(self.owner) - most
        roots = list(range(len(self.owner)))
        for tile in sorted(roots, key=lambda tile: -self.when[tile]):
            if self.height[tile] < height or self.when[tile] < alone:
                roots[tile] = roots[self.owner[tile]]
        return np.asarray(roots, np.int32)


@dataclass(frozen=True)
class _Areas:
    """What is known of areas while they are merged."""

    size: list[float]
    colour: list[tuple[float, float, float]]  # the mean
    borders: list[dict[int, tuple[float, float]]]  # to whom: length, sum of differences
    least: float  # pixels: a smaller one is drawn to its neighbours
    border: float  # what the border counts for

    def distance(self, a: int, b: int) -> float:
        """How far apart two neighbours are; less where one of them is small."""
        length, difference = self.borders[a][b]
        apart = min(SHADE, math.dist(self.colour[a], self.colour[b]))
        whole = self.border * min(SHADE, difference / length) + (1 - self.border) * apart
        small = min(1.0, min(self.size[a], self.size[b]) / self.least)
        return whole * math.pow(small, GIVE)

    def join(self, a: int, b: int) -> None:
        """Let a have all of b."""
        whole = self.size[a] + self.size[b]
        share = self.size[b] / whole
        one, two = self.colour[a], self.colour[b]
        self.colour[a] = (
            one[0] + share * (two[0] - one[0]),
            one[1] + share * (two[1] - one[1]),
            one[2] + share * (two[2] - one[2]),
        )
        self.size[a] = whole
        for other, (length, difference) in self.borders[b].items():
            del self.borders[other][b]
            if other != a:
                before = self.borders[a].get(other, (0.0, 0.0))
                now = (before[0] + length, before[1] + difference)
                self.borders[a][other] = self.borders[other][a] = now
        self.borders[b].clear()


def tree(
    tiled: Labels, colours: Floats, *, border: float = BORDER,
    differences: dict[tuple[int, int], float] | None = None,
) -> Tree:  # fmt: skip
    """Tiles merged until there is one area; the differences at borders may be given."""
    areas = _areas(tiled, colours, border, differences)
    count = len(areas.size)
    grown = Tree(list(range(count)), [count] * count, [math.inf] * count)
    queue = [(areas.distance(a, b), a, b) for a in range(count) for b in areas.borders[a] if a < b]
    heapq.heapify(queue)
    top, merges = 0.0, 0
    while queue:
        stored, a, b = heapq.heappop(queue)
        if b not in areas.borders[a]:  # one of them is gone
            continue
        distance = areas.distance(a, b)
        if distance > stored * SAME:  # it was put down before one of them grew
            heapq.heappush(queue, (distance, a, b))
            continue
        if len(areas.borders[a]) < len(areas.borders[b]):
            a, b = b, a
        top = max(top, distance)
        grown.owner[b], grown.when[b], grown.height[b] = a, merges, top
        merges += 1
        for other in _changed(areas, a, b):
            heapq.heappush(queue, (areas.distance(a, other), min(a, other), max(a, other)))
    return grown


def _changed(areas: _Areas, a: int, b: int) -> list[int]:
    """Join two areas; gives those whose distance to the new one has to be told anew."""
    new = [other for other in areas.borders[b] if other != a]
    # A large area is hardly changed by a small one: its other neighbours are told anew seldom.
    little = areas.size[b] < LITTLE * areas.size[a]
    areas.join(a, b)
    return new if little else list(areas.borders[a])


def _areas(
    tiled: Labels, colours: Floats, border: float, differences: dict[tuple[int, int], float] | None
) -> _Areas:
    """Each tile as an area of its own."""
    count = int(tiled.max()) + 1
    size = np.bincount(tiled.ravel(), minlength=count).astype(float).tolist()
    colour = [(float(x), float(y), float(z)) for x, y, z in means_of(tiled, colours)]
    borders: list[dict[int, tuple[float, float]]] = [{} for _ in range(count)]
    for a, b, length in contacts(tiled, count):
        apart = differences[a, b] if differences else math.dist(colour[a], colour[b])
        borders[a][b] = borders[b][a] = (length, apart * length)
    return _Areas(size, colour, borders, SMALL * tiled.size, border)
