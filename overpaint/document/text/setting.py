"""Setting: the words of a text layer in lines, as pixels."""

import numpy as np

from overpaint.document.layers import Pixels, Point, Text


def draw_text(text: Text, at: Point = (0.0, 0.0)) -> tuple[Pixels, int, int]:
    """RGBA pixels of a text whose place is a fraction of a pixel, and their corner from it."""
    if text.drawn is not None:
        return text.drawn, round(text.drawn_at[0] + at[0]), round(text.drawn_at[1] + at[1])
    return np.zeros((0, 0, 4), np.uint8), 0, 0
