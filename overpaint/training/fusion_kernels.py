"""The compiled loops behind `fusion_model`: import this module only when it is needed."""

import numpy as np
from numpy.typing import NDArray

from overpaint.measures.kernels import compiled

Floats = NDArray[np.float64]
Bins = NDArray[np.uint8]
Places = NDArray[np.intp]


@compiled
def grow(
    bins: Bins,
    slopes: Floats,
    rows: NDArray[np.bool_],
    columns: Places,
    terms: tuple[int, int, float, int],
) -> tuple[Places, Places, NDArray[np.bool_], Floats, Places]:
    """A tree for squared error: feature, last bin to the left and side of what is missing by node.

    `bins` is edits × features with 255 for what is missing, `slopes` what is left to explain;
    `terms` are depth, fewest edits of a leaf, weight that pulls a leaf to 0, number of bins. Nodes
    stand in a full tree, the root first; one that is not split has the feature -1 and sends all to
    the left. Gives also the leaves' values and the leaf of every edit.
    """
    depth, _, pull, _ = terms
    inner = 2**depth - 1
    feature, cut = np.full(inner, -1, np.intp), np.zeros(inner, np.intp)
    missing_left = np.zeros(inner, np.bool_)
    at = np.zeros(len(bins), np.intp)
    for level in range(depth):
        first, count = 2**level - 1, 2**level
        best = np.full(count, 1e-12)
        sums, counts = np.zeros((count, 256)), np.zeros((count, 256))
        for column in columns:
            sums[:] = 0.0
            counts[:] = 0.0
            for row in range(len(bins)):
                if rows[row]:
                    sums[at[row] - first, bins[row, column]] += slopes[row]
                    counts[at[row] - first, bins[row, column]] += 1
            for node in range(count):
                gain, place, left = _best_cut(sums[node], counts[node], terms)
                if gain > best[node]:
                    best[node] = gain
                    feature[first + node], cut[first + node] = column, place
                    missing_left[first + node] = left
        _moved(bins, at, feature, cut, missing_left)
    leaves, sizes = np.zeros(inner + 1), np.zeros(inner + 1)
    for row in range(len(bins)):
        at[row] -= inner
        if rows[row]:
            leaves[at[row]] += slopes[row]
            sizes[at[row]] += 1
    return feature, cut, missing_left, leaves / np.maximum(sizes + pull, 1e-12), at


@compiled
def _best_cut(
    sums: Floats, counts: Floats, terms: tuple[int, int, float, int]
) -> tuple[float, int, bool]:
    """The best gain of a node by one feature, the last bin to the left, where what is missing goes.

    It goes to the right first and then, counted from the other end, to the left. What was never
    missing here goes with the most, should it be once.
    """
    _, fewest, pull, most = terms
    total, size, lost = sums.sum(), counts.sum(), counts[255]
    best, place, missing_left = 0.0, 0, False
    if size == 0:
        return best, place, missing_left
    before = total**2 / (size + pull)
    for side in range(2 if lost > 0 else 1):
        part, n = 0.0, 0.0
        # To the left, the last cut would be what is known from what is missing: the right had it.
        for step in range(most - side):
            b = step if side == 0 else most - 1 - step
            part += sums[b]
            n += counts[b]
            other = size - n
            if n < fewest or other < fewest:
                continue
            gain = part**2 / (n + pull) + (total - part) ** 2 / (other + pull) - before
            if gain > best:
                best, place = gain, (b if side == 0 else b - 1)
                missing_left = side == 1 if lost > 0 else n > other
    return best, place, missing_left


@compiled
def _moved(
    bins: Bins, at: Places, feature: Places, cut: Places, missing_left: NDArray[np.bool_]
) -> None:
    """Send every edit from its node to the one below."""
    for row in range(len(bins)):
        node = at[row]
        is_left = True
        if feature[node] >= 0:
            b = bins[row, feature[node]]
            is_left = missing_left[node] if b == 255 else b <= cut[node]
        at[row] = 2 * node + (1 if is_left else 2)


@compiled
def rising(values: Floats, weights: Floats) -> Floats:
    """The closest to these that never falls: pool adjacent violators."""
    n = len(values)
    level, weight, size = np.empty(n), np.empty(n), np.empty(n, np.intp)
    blocks = 0
    for at in range(n):
        level[blocks], weight[blocks], size[blocks] = values[at], weights[at], 1
        blocks += 1
        while blocks > 1 and level[blocks - 2] >= level[blocks - 1]:
            whole = weight[blocks - 2] + weight[blocks - 1]
            level[blocks - 2] = (
                level[blocks - 2] * weight[blocks - 2] + level[blocks - 1] * weight[blocks - 1]
            ) / whole
            weight[blocks - 2] = whole
            size[blocks - 2] += size[blocks - 1]
            blocks -= 1
    found, place = np.empty(n), 0
    for block in range(blocks):
        found[place : place + size[block]] = level[block]
        place += size[block]
    return found


@compiled
def climb(
    bins: Bins, slopes: Floats, signs: NDArray[np.int8], counts: Floats
) -> tuple[int, Floats]:
    """The feature that explains most of what is left by a curve that never falls, and the curve.

    `slopes` is what is left, by edit; `counts` features × bins, how many edits there are in each;
    `signs` is -1 where a curve never rises and 0 where a feature is left out. The curve is by bin.
    """
    width = counts.shape[1]
    best, chosen, curve = -1.0, -1, np.zeros(width)
    total, there = np.zeros(width), np.zeros(width, np.intp)
    for column in range(bins.shape[1]):
        if signs[column] == 0:
            continue
        total[:] = 0.0
        for row in range(len(bins)):
            if bins[row, column] != 255:
                total[bins[row, column]] += slopes[row]
        known = 0
        for b in range(width):
            if counts[column, b] > 0:
                there[known] = b
                known += 1
        if known < 2:
            continue
        means, weights = np.empty(known), np.empty(known)
        for k in range(known):
            weights[k] = counts[column, there[k]]
            means[k] = signs[column] * total[there[k]] / weights[k]
        fit = rising(means, weights)
        fit -= (fit * weights).sum() / weights.sum()
        gain = (fit * fit * weights).sum()
        if gain > best:
            best, chosen = gain, column
            curve[:] = 0.0
            for k in range(known):
                curve[there[k]] = signs[column] * fit[k]
    return chosen, curve
