"""Boxes: parts of a picture by their edges, in whole pixels."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Box = tuple[int, int, int, int]  # left, top, right, bottom


def rounded(edges: Sequence[float]) -> Box:
    """The box with each edge at the nearest whole pixel."""
    left, top, right, bottom = (round(edge) for edge in edges)
    return left, top, right, bottom


def box_around(plane: NDArray[Any]) -> Box | None:
    """The smallest box around all that is not zero; None where nothing is."""
    rows, columns = np.flatnonzero(plane.any(axis=1)), np.flatnonzero(plane.any(axis=0))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
