"""How far people who draw boxes agree: the intersection over the union of each pair of boxes."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from overpaint.stats.agreement import DRAWS, Reliability, with_interval
from overpaint.stats.bootstrap import FEWEST_CLUSTERS, cluster, resampled_means

Box = tuple[float, float, float, float]  # left, top, right, bottom


def iou(a: Box, b: Box) -> float:
    """What two boxes share of the area they cover; 1 for equal boxes, even without an area."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    shared = max(0.0, width) * max(0.0, height)
    covered = _area(a) + _area(b) - shared
    return shared / covered if covered > 0 else float(a == b)


def pairwise_iou(boxes: Sequence[Box]) -> float | None:
    """The mean over all pairs of the boxes drawn for one unit; None for fewer than two."""
    pairs = [iou(a, b) for a, b in combinations(boxes, 2)]
    return sum(pairs) / len(pairs) if pairs else None


def mean_pairwise_iou(
    units: Sequence[Sequence[Box]], *, seed: int = 0, draws: int = DRAWS, level: float = 0.95
) -> Reliability:
    """The mean of `pairwise_iou` over units, each counting the same; the interval draws units."""
    found = [(pairwise_iou(unit), len(unit)) for unit in units]
    values = [value for value, _ in found if value is not None]
    sizes = {"units": len(values), "ratings": sum(n for value, n in found if value is not None)}
    if not values:
        return Reliability(None, notes=("no unit has boxes of two raters",), **sizes)
    column = cluster(values, range(len(values)))
    if len(values) < FEWEST_CLUSTERS:
        return with_interval(column.mean, np.empty(0), sizes, level)
    return with_interval(column.mean, resampled_means([column], seed, draws)[0], sizes, level)


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])
