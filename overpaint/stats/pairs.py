"""Counting pairs of items that two lists order alike, without looking at every pair.

Knight (1966), "A computer method for calculating Kendall's tau with ungrouped data", JASA 61: in
the order of one list, the pairs in order in the other are counted while merging sorted runs.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from overpaint.stats.bootstrap import Floats

CLEAR = (
    1.959963984540054  # standard errors between two scores that people clearly separate: p < .05
)
_RUN = 64  # runs up to this length are compared all with all: quicker than merging
_ROOM = 2_000_000  # comparisons held at a time

Ints = NDArray[np.int64]


class Orders(NamedTuple):
    """For each item: how many others it is ordered alike with less unlike, and is apart from."""

    alike: Floats  # of the pairs counted, in the same order less in the other
    apart_a: Floats  # that differ in the first list
    apart_b: Floats  # that differ in the second


def orders(a: Floats, b: Floats) -> Orders:
    """The counts of each item against all others, in O(n log² n)."""
    n = len(a)
    one, two = _dense(a), _dense(b)
    same_a, same_b = np.bincount(one)[one], np.bincount(two)[two]
    both = _dense(one * (int(two.max(initial=0)) + 1) + two)
    same_both = np.bincount(both)[both]
    alike = _below(one, two) + _below(-one, -two)
    apart = n - same_a - same_b + same_both
    return Orders(
        (2 * alike - apart).astype(np.float64),
        (n - same_a).astype(np.float64),
        (n - same_b).astype(np.float64),
    )


def clear_orders(a: Floats, b: Floats, errors: Floats) -> tuple[Floats, Floats]:
    """`alike` and `apart_b` over pairs whose b are clearly apart, given their standard errors.

    All are compared with all, some rows at a time.
    """
    order = np.argsort(b, kind="stable")
    one, two, square = a[order], b[order], (CLEAR * errors[order]) ** 2
    n = len(one)
    alike, apart = np.zeros(n), np.zeros(n)
    step = max(1, _ROOM // max(n, 1))
    for start in range(0, n, step):
        here, after = slice(start, start + step), slice(start, n)
        gap = two[None, after] - two[here, None]
        clear = gap * gap > square[here, None] + square[None, after]
        clear &= gap > 0  # each pair once
        right = clear & (one[None, after] > one[here, None])
        wrong = clear & (one[None, after] < one[here, None])
        apart[here] += clear.sum(axis=1)
        apart[after] += clear.sum(axis=0)
        alike[here] += right.sum(axis=1) - wrong.sum(axis=1)
        alike[after] += right.sum(axis=0) - wrong.sum(axis=0)
    back = np.argsort(order, kind="stable")
    return alike[back], apart[back]


def tau(a: Floats, b: Floats) -> float | None:
    """Kendall's τ-b; None where a side does not vary."""
    one, two = _dense(a), _dense(b)
    n0 = math.comb(len(a), 2)
    ties = [_tied(one), _tied(two), _tied(one * (int(two.max(initial=0)) + 1) + two)]
    apart = (n0 - ties[0]) * (n0 - ties[1])
    if not apart:
        return None
    alike = int(_below(one, two).sum())
    return (2 * alike - (n0 - ties[0] - ties[1] + ties[2])) / math.sqrt(apart)


def _dense(values: NDArray[np.float64] | Ints) -> Ints:
    return np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _tied(values: Ints) -> int:
    count = np.unique(values, return_counts=True)[1].astype(object)
    return int((count * (count - 1) // 2).sum())


def _below(a: Ints, b: Ints) -> Ints:
    """For each item, how many others are below it in both lists."""
    order = np.lexsort((-b, a))  # equals in a stand so that none of them counts for another
    found = np.empty(len(a), np.int64)
    found[order] = _earlier_and_lower(b[order])
    return found


def _earlier_and_lower(values: Ints) -> Ints:
    """For each place, how many places before it hold a lower value."""
    n = len(values)
    size = _RUN
    while size < n:
        size *= 2
    top = int(values.max(initial=0)) - int(values.min(initial=0)) + 2
    padded = np.full(size, top - 1, np.int64)  # what fills up stands last and is above all
    padded[:n] = values - int(values.min(initial=0))
    found = _within_runs(padded)
    run = _RUN
    while run < size:
        blocks = padded.reshape(-1, 2 * run)
        at = np.arange(len(blocks))[:, None]
        left = (np.sort(blocks[:, :run], axis=1) + at * top).reshape(-1)
        right = (blocks[:, run:] + at * top).reshape(-1)
        lower = np.searchsorted(left, right, side="left").reshape(-1, run) - at * run
        found.reshape(-1, 2 * run)[:, run:] += lower
        run *= 2
    return found[:n]


def _within_runs(padded: Ints) -> Ints:
    runs = padded.reshape(-1, _RUN)
    before = np.tri(_RUN, k=-1, dtype=bool)
    found = np.empty(runs.shape, np.int64)
    for start in range(0, len(runs), 256):
        here = runs[start : start + 256]
        found[start : start + 256] = ((here[:, None, :] < here[:, :, None]) & before).sum(axis=2)
    return found.reshape(-1)
