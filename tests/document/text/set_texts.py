"""Texts that tests set, and what is measured of their ink."""

from typing import Any

import numpy as np

from overpaint.document.layers import Run, Style, Text
from overpaint.document.text.fonts import Face, here
from overpaint.document.text.setting import draw_text

Box = tuple[int, int, int, int]
RED, BLUE = (200, 30, 10, 255), (10, 40, 220, 255)


def text(words: str, *, width: float | None = None, **style: Any) -> Text:
    """One run in one style."""
    return Text((Run(words, Style(**style)),), width)


def face_of(**style: Any) -> Face:
    """The font that a style is set in."""
    return here().find(Style(**style), "").face


def ink(words: Text, at: tuple[float, float] = (0.0, 0.0)) -> Box:
    """The box of all that is not clear, from the text's place."""
    pixels, left, top = draw_text(words, at)
    rows, columns = (np.flatnonzero(pixels[:, :, 3].any(axis=axis)) for axis in (1, 0))
    return left + columns[0], top + rows[0], left + columns[-1] + 1, top + rows[-1] + 1


def mass(words: Text) -> float:
    """How many pixels the ink would fill."""
    return float(draw_text(words)[0][:, :, 3].sum()) / 255


def middle(words: Text, at: tuple[float, float] = (0.0, 0.0)) -> tuple[float, float]:
    """The centre of gravity of the ink, from the text's place."""
    pixels, left, top = draw_text(words, at)
    alpha = pixels[:, :, 3].astype(float)
    x = (alpha.sum(axis=0) * np.arange(alpha.shape[1])).sum() / alpha.sum()
    y = (alpha.sum(axis=1) * np.arange(alpha.shape[0])).sum() / alpha.sum()
    return x + left + 0.5, y + top + 0.5
