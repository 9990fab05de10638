"""Pixels with alpha over a flat colour, and taken off it again."""

from collections.abc import Iterator

import numpy as np

from overpaint.document.layers import Pixels

Colour = tuple[int, int, int]
_ROWS = 128


def matted(pixels: Pixels, matte: Colour) -> Pixels:
    """RGB of RGBA pixels over a flat colour."""
    made = pixels[:, :, :3].copy()
    for rows in _strips(pixels):
        part = pixels[rows]
        if (part[:, :, 3] < 255).any():
            alpha = part[:, :, 3:].astype(np.float32) / 255
            made[rows] = np.rint(part[:, :, :3] * alpha + np.array(matte, np.float32) * (1 - alpha))
    return made


def unmatted(seen: Pixels, alpha: Pixels, matte: Colour) -> Pixels:
    """The colours which, with that alpha and over that flat colour, look as seen."""
    made = seen.copy()
    for rows in _strips(seen):
        if (alpha[rows] < 255).any():
            part = np.maximum(alpha[rows][:, :, None], 1).astype(np.float32) / 255
            found = (seen[rows] - np.array(matte, np.float32) * (1 - part)) / part
            made[rows] = np.rint(np.clip(found, 0, 255))
    return made


def _strips(pixels: Pixels) -> Iterator[slice]:
    """Some rows at a time: floats take four times the memory."""
    return (slice(row, row + _ROWS) for row in range(0, len(pixels), _ROWS))
