"""Contrast of letters with what lies below them, as WCAG 2 counts it, and colours that have it."""

import colorsys

import numpy as np
from numpy.typing import NDArray

from overpaint.document.contrast import contrast, luminance
from overpaint.document.layers import Colour, Layer, Text

SMALL, LARGE = 4.5, 3.0  # WCAG 2.2, 1.4.3: the least contrast of small and of large letters
_LARGE, _LARGE_BOLD = 24.0, 18.66  # pixels from which letters are large
_BOLD = 700


_MOST = 0.2  # of the letters may stand on less: where they cross an edge


def with_most(own: float, ground: NDArray[np.uint8]) -> float:
    """The contrast that a luminance has with all but a little of a ground."""
    return float(np.quantile(contrast(own, luminance(ground.reshape(-1, ground.shape[-1]))), _MOST))


def least(layer: Layer, high: float) -> float:
    """The contrast that a layer's letters need; `high` of one line, where they are pixels."""
    if isinstance(layer.content, Text) and layer.content.runs:
        style = max((run.style for run in layer.content.runs), key=lambda style: style.size)
        size, weight = style.size, style.weight
    else:
        size, weight = high / 0.75, 400
    large = size >= _LARGE or (size >= _LARGE_BOLD and weight >= _BOLD)
    return LARGE if large else SMALL


def readable(colour: Colour, ground: NDArray[np.uint8], wanted: float) -> Colour:
    """The colour of that hue nearest in lightness that has the contrast with most of a ground."""
    hue, light, rich = colorsys.rgb_to_hls(*(part / 255 for part in colour[:3]))
    for step in sorted(np.linspace(-1, 1, 201), key=abs):
        if not 0 <= light + step <= 1:
            continue
        made = colorsys.hls_to_rgb(hue, light + float(step), rich)
        new = np.array([[round(255 * part) for part in made]], np.uint8)
        if with_most(float(luminance(new)[0]), ground) >= wanted + 0.05:
            return int(new[0, 0]), int(new[0, 1]), int(new[0, 2]), colour[3]
    dark = with_most(0.0, ground) >= with_most(1.0, ground)
    return (0, 0, 0, colour[3]) if dark else (255, 255, 255, colour[3])


def code(colour: Colour) -> str:
    """The colour as #rrggbb."""
    return "#{:02x}{:02x}{:02x}".format(*colour[:3])
