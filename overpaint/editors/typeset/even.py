"""Even light: the surroundings of a line with a slow change of its ground taken out.

Ink is told from paper of one colour. On a gradient the paper is another colour at the other end
of the line, and would be taken for ink.
"""

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import Pixels
from overpaint.vision.ink import snap
from overpaint.vision.page import Box

AROUND = 3.0  # heights of the line that are seen around it
SLIGHT = 6.0  # levels from one end to the other: so much is no gradient
ROUGH = 4.0  # levels that a gradient's own pixels may be off: more is a picture
ROWS = 5  # of the line that are looked at
FAR = 8.0  # levels from the gradient: ink, and not asked about it


def levelled(pixels: Pixels, box: Box) -> tuple[Pixels, int, int]:
    """The picture around a box in even light, and the corner at which it begins."""
    high, wide = pixels.shape[:2]
    more = int(AROUND * (box[3] - box[1])) + 1
    left, top = max(0, int(box[0]) - more), max(0, int(box[1]) - more)
    right, bottom = min(wide, int(box[2]) + more), min(high, int(box[3]) + more)
    window = pixels[top:bottom, left:right]
    slope = _slope(window, (box[0] - left, box[1] - top, box[2] - left, box[3] - top))
    if slope is None:
        return window, left, top
    even = window - slope + slope.mean(axis=(0, 1))
    return np.rint(np.clip(even, 0, 255)).astype(np.uint8), left, top


def tight(pixels: Pixels, box: Box) -> Box:
    """The smallest box around the ink of a line, on plain paper or on a gradient."""
    window, left, top = levelled(pixels, box)
    found = snap(window, (box[0] - left, box[1] - top, box[2] - left, box[3] - top))
    return found[0] + left, found[1] + top, found[2] + left, found[3] + top


def _slope(window: Pixels, box: Box) -> NDArray[np.float64] | None:
    """How the ground's colours rise or fall over the window; None where they do not, or not so."""
    first, last = max(0, int(box[1])), min(window.shape[0] - 1, int(box[3]))
    columns = np.arange(max(0, int(box[0])), min(window.shape[1], int(box[2]) + 1))
    if len(columns) < 8 or first >= last:
        return None
    # Some rows between: a bar above the line and paper below it are no gradient.
    rows = np.unique(np.linspace(first, last, ROWS).round().astype(int))
    y, x = (part.ravel() for part in np.meshgrid(rows, columns, indexing="ij"))
    values = window[y, x].astype(np.float64)
    basis = np.stack([np.ones_like(x), x, y], axis=1).astype(np.float64)
    kept = np.ones(len(x), bool)
    for _ in range(3):  # letters that reach the rim are not the ground's
        if kept.sum() < len(x) / 2:
            return None
        plane, *_ = np.linalg.lstsq(basis[kept], values[kept], rcond=None)
        off = np.abs(basis @ plane - values).max(axis=1)
        kept = off < max(FAR, 2 * float(np.median(off)))
    rise = np.abs(plane[1:] * [[columns[-1] - columns[0]], [last - first]]).max()
    if rise < SLIGHT or float(np.median(off[kept])) > ROUGH:
        return None
    high, wide = window.shape[:2]
    grid = np.mgrid[0:high, 0:wide]
    return np.asarray(plane[0] + grid[1][..., None] * plane[1] + grid[0][..., None] * plane[2])
