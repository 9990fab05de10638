"""The compiled loop behind the tree edit distance; import this module only when it is needed."""

import numpy as np

from overpaint.measures.kernels import Flat, compiled


@compiled
def edit_distance(left: tuple[Flat, Flat], roots: tuple[Flat, Flat], rename: Flat) -> float:
    """Zhang & Shasha 1989 (SIAM J. Computing 18): inserting or deleting a node costs 1.

    Of both trees, nodes in postorder: `left`, the leftmost leaf below each; `roots`, the nodes
    that have a sibling to their left, and the root; `rename[i, j]`, what changing i to j costs.
    """
    (left_a, left_b), (roots_a, roots_b) = left, roots
    trees = np.zeros(rename.shape)
    forests = np.zeros((rename.shape[0] + 1, rename.shape[1] + 1))
    for i in roots_a:
        for j in roots_b:
            a, b = left_a[i], left_b[j]
            if a == i and b == j:  # most pairs of a table: two cells
                trees[i, j] = min(rename[i, j], 2.0)
                continue
            for x in range(i - a + 2):
                forests[x, 0] = x
            for y in range(j - b + 2):
                forests[0, y] = y
            for x in range(a, i + 1):
                before, row, whole = forests[x - a], forests[x - a + 1], left_a[x] == a
                across = forests[left_a[x] - a]
                for y in range(b, j + 1):
                    least = min(before[y - b + 1], row[y - b]) + 1
                    if whole and left_b[y] == b:
                        least = min(least, before[y - b] + rename[x, y])
                        trees[x, y] = least
                    else:
                        least = min(least, across[left_b[y] - b] + trees[x, y])
                    row[y - b + 1] = least
    return float(trees[-1, -1])
