"""Compiled loops over boolean masks; import this module only when one is needed.

Masks are held a bit a pixel, so that two of them meet sixty-four pixels at a time, and only in the
rows and words that both of their boxes have.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.measures.kernels import compiled

Words = NDArray[np.uint64]
Counts = NDArray[np.int64]

_ONES, _PAIRS, _FOURS, _BYTES = (
    np.uint64(pattern)
    for pattern in (
        0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x0101010101010101,
    )
)  # fmt: skip
_1, _2, _4, _56 = (np.uint64(shift) for shift in (1, 2, 4, 56))


def packed(masks: NDArray[np.bool_]) -> Words:
    """The masks, n×H×W, with sixty-four pixels of a row in each word; a row's last is filled up."""
    count, high, wide = masks.shape
    room = np.zeros((count, high, -(-wide // 64) * 8), np.uint8)
    room[:, :, : -(-wide // 8)] = np.packbits(masks, axis=2)
    return room.view(np.uint64)


@compiled
def measured(masks: NDArray[np.uint8]) -> Counts:
    """For each mask: area, sums of x and of y, and the box (left, top, right, bottom)."""
    count, high, wide = masks.shape
    found = np.zeros((count, 7), np.int64)
    for n in range(count):
        area, sum_x, sum_y = np.int64(0), np.int64(0), np.int64(0)
        left, top, right, bottom = wide, high, 0, 0
        for y in range(high):
            row = masks[n, y]
            inked, weighed = np.uint64(0), np.uint64(0)
            for x in range(wide):
                inked += np.uint64(row[x])
                weighed += np.uint64(row[x]) * np.uint64(x)
            if inked == 0:
                continue
            area += np.int64(inked)
            sum_x += np.int64(weighed)
            sum_y += np.int64(inked) * y
            top, bottom = min(top, y), y + 1
            for x in range(left):
                if row[x]:
                    left = x
                    break
            for x in range(wide - 1, right - 1, -1):
                if row[x]:
                    right = x + 1
                    break
        found[n] = np.array([area, sum_x, sum_y, left, top, right, bottom])
    return found


@compiled
def shared(a: Words, b: Words, boxes_a: Counts, boxes_b: Counts) -> Counts:
    """How many pixels each mask of `a` has in common with each of `b`."""
    found = np.zeros((len(a), len(b)), np.int64)
    for i in range(len(a)):
        for j in range(len(b)):
            left = max(boxes_a[i, 0], boxes_b[j, 0]) // 64
            right = (min(boxes_a[i, 2], boxes_b[j, 2]) + 63) // 64
            top = max(boxes_a[i, 1], boxes_b[j, 1])
            bottom = min(boxes_a[i, 3], boxes_b[j, 3])
            total = np.uint64(0)
            for y in range(top, bottom):
                one, other = a[i, y], b[j, y]
                for x in range(left, right):
                    total += _ones(one[x] & other[x])
            found[i, j] = np.int64(total)
    return found


@compiled
def _ones(word: Any) -> Any:
    """How many bits are set: sums of neighbouring bits, pairs, fours and bytes."""
    word = word - ((word >> _1) & _ONES)
    word = (word & _PAIRS) + ((word >> _2) & _PAIRS)
    word = (word + (word >> _4)) & _FOURS
    return (word * _BYTES) >> _56
