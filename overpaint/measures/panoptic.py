"""Panoptic quality of two maps of regions (Kirillov et al. 2019): one number, 0–1.

Regions whose IoU is above a half are pairs; there can be but one such for each. With their IoUs
added up,

    PQ = sum / (pairs + ½ · extra + ½ · missing)

so what is found too much and what is not found both cost. Labels are names and no classes: which
number a region has says nothing. Where the map that is asked for has 0, nothing is asked: as in the
paper, such pixels of a found region do not count, and one that lies mostly there is no extra one.

Whoever parts a picture into regions may be of two minds. Maps of `maybe` are such second thoughts:
one of their regions can meet what is asked for, and none of them is an extra one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import UserMistake

Labels = NDArray[np.integer[Any]]
LEAST = 0.5  # an IoU above this makes a pair
_ROOM = 2**22  # numbers in a table of joint labels; more names than that are counted otherwise


@dataclass(frozen=True)
class Quality:
    """How two maps of regions compare."""

    pairs: int
    overlap: float  # the sum of the pairs' IoU
    missing: int  # regions asked for without a pair
    extra: int  # regions found without a pair

    @property
    def value(self) -> float:
        """Panoptic quality; 1 where there is no region on either side."""
        whole = self.pairs + (self.missing + self.extra) / 2
        return self.overlap / whole if whole else 1.0


def panoptic_quality(asked: Labels, found: Labels) -> float:
    """PQ of two label maps of one size, 0–1."""
    return compared(asked, found).value


def compared(asked: Labels, found: Labels, maybe: Sequence[Labels] = ()) -> Quality:
    """The pairs of two label maps of one size, and what has none."""
    for labels in (asked, found, *maybe):
        _check(labels)
        if labels.shape != asked.shape:
            raise UserMistake(
                f"The maps differ in shape: {asked.shape} and {labels.shape}.",
                "Maps of one size were expected.",
                "Resize one of them first, by the nearest pixel.",
            )
    sure, extra = _met(asked, found)
    best = np.max([sure, *(_met(asked, other)[0] for other in maybe)], axis=0)
    near = best > LEAST
    return Quality(int(near.sum()), float(best[near].sum()), int((~near).sum()), extra)


def _met(asked: Labels, found: Labels) -> tuple[NDArray[np.float64], int]:
    """For each region asked for the IoU of its pair, 0 without one; and how many are extra."""
    (one, n), (other, m) = _named(asked), _named(found)
    shared = np.bincount(one * m + other, minlength=n * m).reshape(n, m)
    inside = shared[1:].sum(axis=0)[1:]  # of each found region, where something is asked
    there = shared[1:].sum(axis=1) > 0
    common = shared[1:, 1:][there]
    iou = common / np.maximum(shared[1:].sum(axis=1)[there][:, None] + inside - common, 1)
    iou[iou <= LEAST] = 0.0
    alone = (inside > 0) & ~iou.any(axis=0) & (2 * inside >= shared[:, 1:].sum(axis=0))
    return iou.max(axis=1, initial=0.0), int(alone.sum())


def _check(labels: Labels) -> None:
    whole = np.issubdtype(getattr(labels, "dtype", np.float64), np.integer)
    if not whole or labels.ndim != 2 or (labels.size and int(labels.min()) < 0):
        given = f"{getattr(labels, 'dtype', type(labels).__name__)} {getattr(labels, 'shape', '')}"
        raise UserMistake(
            f"A map of regions was given as {given}.",
            "H×W whole numbers were expected: 1 and up are regions, 0 is none.",
        )


def _named(labels: Labels) -> tuple[NDArray[np.int64], int]:
    """The labels in a row as small numbers, 0 being none, and how many numbers those may be."""
    flat = labels.ravel().astype(np.int64)
    most = int(flat.max(initial=0))
    if most**2 <= _ROOM:
        return flat, most + 1
    names, flat = np.unique(flat, return_inverse=True)
    if len(names) and names[0] == 0:
        return flat, len(names)
    return flat + 1, len(names) + 1
