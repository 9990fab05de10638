"""Flow: which line may be read after which, by their places alone."""

import numpy as np
from numpy.typing import NDArray

from overpaint.vision.page import Box

Boxes = NDArray[np.float64]

LEVEL = 0.55  # of the lower line's height: lines that share more of it stand side by side
BESIDE = 2.0  # heights: the widest gap in a line that a detector took apart
BELOW = 2.4  # heights from the middle of a line to the middle of the next
INDENT = 3.0  # heights that the first line of a paragraph begins farther right, at most
ALIKE = 1.6  # one line's letters reach up and down, the next one's do not


def follows_of(boxes: Boxes, walls: tuple[Box, ...]) -> list[list[int]]:
    """For each line those that may go on where it ends: beside it, or below its beginning."""
    right = [_beside(boxes, i, walls) for i in range(len(boxes))]
    left = {j: i for i, j in enumerate(right) if j is not None}
    found: list[list[int]] = []
    for i in range(len(boxes)):
        below = _below(boxes, row_of(i, left, right))
        beside = right[i]
        on = [] if beside is None else [beside]
        # A gap as wide as a letter is a space; a wider one may part two columns.
        close = beside is not None and boxes[beside, 0] - boxes[i, 2] < _high(boxes, i)
        found.append(on if close or below is None else [*on, below])
    return found


def ways_on(boxes: Boxes, walls: tuple[Box, ...]) -> list[list[int]]:
    """The same, and what stands under a line alone: columns may be as close as words."""
    under = (_below(boxes, [i], indent=0.0) for i in range(len(boxes)))
    return [
        [*on, *([] if n is None or n in on else [n])]
        for on, n in zip(follows_of(boxes, walls), under, strict=True)
    ]


def row_of(i: int, left: dict[int, int], right: list[int | None]) -> list[int]:
    """The pieces of one row, from the left."""
    row = [i]
    while row[0] in left and left[row[0]] not in row:
        row.insert(0, left[row[0]])
    while (after := right[row[-1]]) is not None and after not in row:
        row.append(after)
    return row


def rows_of(boxes: Boxes, walls: tuple[Box, ...]) -> list[list[int]]:
    """All lines by row, pieces from the left; rows in the order of their first pieces."""
    right = [_beside(boxes, i, walls, gap=1.0) for i in range(len(boxes))]
    left = {j: i for i, j in enumerate(right) if j is not None}
    starts = [i for i in range(len(boxes)) if i not in left]
    return [row_of(i, left, right) for i in starts]


def level(boxes: Boxes, one: int, other: int) -> bool:
    """Whether two lines stand side by side, whatever is between them."""
    common = min(boxes[one, 3], boxes[other, 3]) - max(boxes[one, 1], boxes[other, 1])
    return bool(common > LEVEL * min(_high(boxes, one), _high(boxes, other)))


def _high(boxes: Boxes, i: int) -> float:
    return float(boxes[i, 3] - boxes[i, 1])


def _beside(boxes: Boxes, i: int, walls: tuple[Box, ...], gap: float = BESIDE) -> int | None:
    """The next line to the right on the same level, with no rule between."""
    box, high = boxes[i], boxes[:, 3] - boxes[:, 1]
    lower = np.minimum(high, high[i])
    common = np.minimum(boxes[:, 3], box[3]) - np.maximum(boxes[:, 1], box[1])
    away = boxes[:, 0] - box[2]
    alike = np.maximum(high, high[i]) < ALIKE * lower
    fits = (common > LEVEL * lower) & (away > -0.4 * lower) & (away < gap * lower) & alike
    fits[i] = False
    if not fits.any():
        return None
    j = int(np.argmin(np.where(fits, away, np.inf)))
    middle = (box[1] + box[3]) / 2
    between = (w for w in walls if w[1] < middle < w[3])
    return None if any(box[2] - 2 < w[0] and w[2] < boxes[j, 0] + 2 for w in between) else j


def _below(boxes: Boxes, row: list[int], indent: float = INDENT) -> int | None:
    """The first piece of the next row down, which may begin so many heights before this one."""
    whole = np.r_[boxes[row, :2].min(axis=0), boxes[row, 2:].max(axis=0)]
    size = float(np.median(boxes[row, 3] - boxes[row, 1]))
    high = boxes[:, 3] - boxes[:, 1]
    down = (boxes[:, 1] + boxes[:, 3] - whole[1] - whole[3]) / 2
    common = np.minimum(boxes[:, 2], whole[2]) - np.maximum(boxes[:, 0], whole[0] - indent * size)
    alike = np.maximum(high, size) < ALIKE * np.minimum(high, size)
    fits = (down > 0.6 * size) & (down < BELOW * size) & (common > 0) & alike
    fits[row] = False
    if not fits.any():
        return None
    nearest = down[fits].min()
    level = fits & (down < nearest + 0.4 * size)
    return int(np.argmin(np.where(level, boxes[:, 0], np.inf)))
