"""The compiled loop behind the tree edit distance; import this module only when it is needed."""

from typing import Any

import numpy as np

from overpaint.measures.kernels import Flat, compiled

Pair = tuple[Flat, Flat]  # of the one tree and of the other, by nodes in postorder


@compiled
def edit_distance(left: Pair, roots: Pair, labels: Pair, words: Pair, texts: Flat) -> float:
    """Zhang & Shasha 1989 (SIAM J. Computing 18): inserting or deleting a node costs 1.

    `left`: the leftmost leaf below each node; `roots`: the nodes that have a sibling to their
    left, and the root. Changing a node to another costs 1 between different `labels`, else
    `texts` at their `words`, at most 1.
    """
    size = len(left[0]), len(left[1])
    trees, forests = np.zeros(size), np.zeros((size[0] + 1, size[1] + 1))
    for i in roots[0]:
        for j in roots[1]:
            a, b = left[0][i], left[1][j]
            if b == j:  # a leaf takes the place of the node most like it; the others go
                least = 1.0
                for x in range(a, i + 1):
                    least = min(least, _renaming(labels, words, texts, x, j))
                    if left[0][x] == a:
                        trees[x, j] = x - a + least
                continue
            if a == i:
                least = 1.0
                for y in range(b, j + 1):
                    least = min(least, _renaming(labels, words, texts, i, y))
                    if left[1][y] == b:
                        trees[i, y] = y - b + least
                continue
            for x in range(i - a + 2):
                forests[x, 0] = x
            for y in range(j - b + 2):
                forests[0, y] = y
            for x in range(a, i + 1):
                before, row, whole = forests[x - a], forests[x - a + 1], left[0][x] == a
                across = forests[left[0][x] - a]
                for y in range(b, j + 1):
                    least = min(before[y - b + 1], row[y - b]) + 1
                    if whole and left[1][y] == b:
                        cost = _renaming(labels, words, texts, x, y)
                        trees[x, y] = least = min(least, before[y - b] + cost)
                    else:
                        least = min(least, across[left[1][y] - b] + trees[x, y])
                    row[y - b + 1] = least
    return float(trees[-1, -1])


@compiled
def _renaming(labels: Pair, words: Pair, texts: Flat, x: int, y: int) -> Any:
    return texts[words[0][x], words[1][y]] if labels[0][x] == labels[1][y] else 1.0
