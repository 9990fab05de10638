"""Who rates what, in which order: random by a seed, balanced by construction; pure functions."""

import heapq
import math
import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Showing = Literal["training", "rating", "repeat", "gold"]
TRIES = 24  # places looked at before an item is put next to one of its own source


@dataclass(frozen=True)
class Place:
    """One showing of an item in a rater's sequence; the item by its number."""

    item: int
    showing: Showing
    flipped: bool = False  # the two edits of a pair stand the other way round
    round: int = 1


def choose(
    counts: Mapping[int, int],
    groups: Mapping[int, Hashable],
    *,
    per_item: int,
    per_rater: int,
    rng: random.Random,
) -> list[int]:
    """The items of one more rater: those rated least first, then evenly from each group.

    `counts` has how many raters each item has been given to. Called rater after rater, counts
    never differ by more than one, and none passes `per_item`.
    """
    levels: dict[int, list[int]] = defaultdict(list)
    for item, count in counts.items():
        if count < per_item:
            levels[count].append(item)
    chosen: list[int] = []
    taken: Counter[Hashable] = Counter()
    for level in sorted(levels):
        left = per_rater - len(chosen)
        if left <= 0:
            break
        chosen += _evenly(levels[level], groups, taken, left, rng)
    return chosen


def _evenly(
    items: Sequence[int],
    groups: Mapping[int, Hashable],
    taken: Counter[Hashable],
    most: int,
    rng: random.Random,
) -> list[int]:
    """Up to so many of the items, always from a group that has been taken from least."""
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    for item in items:
        waiting[groups[item]].append(item)
    for listed in waiting.values():
        rng.shuffle(listed)
    heap = [(taken[group], rng.random(), n) for n, group in enumerate(waiting)]
    names = list(waiting)
    heapq.heapify(heap)
    chosen: list[int] = []
    while heap and len(chosen) < most:
        count, _, n = heapq.heappop(heap)
        group = names[n]
        chosen.append(waiting[group].pop())
        taken[group] += 1
        if waiting[group]:
            heapq.heappush(heap, (count + 1, rng.random(), n))
    return chosen


def ordered(
    items: Sequence[int], clusters: Mapping[int, Hashable], rng: random.Random
) -> list[int]:
    """The items in random order, with no two neighbours of one cluster where that can be."""
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    for item in rng.sample(list(items), len(items)):
        waiting[clusters[item]].append(item)
    drawn = [clusters[item] for item in rng.sample(list(items), len(items))]
    # The largest cluster must come now if it would otherwise meet itself later.
    heap = [(-len(listed), n, name) for n, (name, listed) in enumerate(waiting.items())]
    heapq.heapify(heap)
    number = {name: n for _, n, name in heap}
    order: list[int] = []
    last: Hashable = object()
    left = len(items)
    while left:
        largest = _largest(heap, waiting)
        must = 2 * len(waiting[largest]) > left and largest != last
        cluster = largest if must else _other(drawn, waiting, last)
        order.append(waiting[cluster].pop())
        heapq.heappush(heap, (-len(waiting[cluster]), number[cluster], cluster))
        last, left = cluster, left - 1
    return order


def _largest(
    heap: list[tuple[int, int, Hashable]], waiting: Mapping[Hashable, list[int]]
) -> Hashable:
    while -heap[0][0] != len(waiting[heap[0][2]]):  # what has been taken since stands there still
        heapq.heappop(heap)
    return heap[0][2]


def _other(
    drawn: list[Hashable], waiting: Mapping[Hashable, list[int]], last: Hashable
) -> Hashable:
    """The next cluster as drawn that is not the last one, unless nothing else is left."""
    for n in range(len(drawn) - 1, -1, -1):
        if drawn[n] == last:
            continue
        cluster = drawn.pop(n)
        if waiting[cluster]:
            return cluster
    return last


def sequence(
    items: Sequence[int],
    clusters: Mapping[int, Hashable],
    *,
    training: Sequence[int] = (),
    gold: Sequence[int] = (),
    repeats: float = 0.0,
    pairs: bool = False,
    rng: random.Random,
) -> list[Place]:
    """A rater's whole sequence: training first, then items with repeats and gold among them."""
    order = ordered(items, clusters, rng)
    places = [Place(item, "rating") for item in order]
    again = rng.sample(order[: math.ceil(len(order) / 2)], _share(repeats, len(order)))
    for item in again:
        # Far from its first showing, so that it is judged and not remembered.
        _put(places, Place(item, "repeat"), clusters, math.ceil(len(places) * 2 / 3), rng)
    few = rng.sample(list(gold), min(len(gold), checks(len(order)))) if gold else []
    for item in few:
        _put(places, Place(item, "gold"), clusters, min(2, len(places)), rng)
    first = [Place(item, "training") for item in rng.sample(list(training), len(training))]
    if pairs:
        return [replace(place, flipped=rng.random() < 0.5) for place in first + places]
    return first + places


def checks(items: int) -> int:
    """How many gold items stand among so many: one in twenty, two at least from eight on."""
    return max(2, round(items / 20)) if items >= 8 else 0


def _share(share: float, items: int) -> int:
    return min(round(share * items), math.ceil(items / 2)) if items > 3 else 0


def _put(
    places: list[Place],
    place: Place,
    clusters: Mapping[int, Hashable],
    earliest: int,
    rng: random.Random,
) -> None:
    """Insert a showing from that position on, away from its own cluster where that can be."""
    own = clusters[place.item]
    at = len(places)
    for _ in range(TRIES):
        at = rng.randint(earliest, len(places))
        if all(clusters[near.item] != own for near in places[max(0, at - 1) : at + 1]):
            break
    places.insert(at, place)
