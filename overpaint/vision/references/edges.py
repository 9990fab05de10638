"""Edges: Canny's, as MultiRef takes them, and a sketch of dark lines on white paper.

The sketch is made as Winnemöller, Kyprianidis and Olsen describe XDoG (2012): what is darker than
its surroundings, sharpened and parted softly. How wide its pen is goes by the picture's size, so
that a picture and a larger copy of it give the same drawing.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.vision.references import Extractor, Hints, Reference

LOW, HIGH = 100, 200  # Canny's thresholds, as the paper has them
LONG = 1280  # pixels of the longer side that a sketch is drawn at; larger ones are drawn out
PEN = 0.0018  # the narrow Gaussian's sigma, of the picture's longer side
FINEST = 0.7  # pixels: a narrower pen draws the noise
WIDER = 1.6  # the wide Gaussian over the narrow one, Marr and Hildreth's
DARK = 0.12  # added to the light that a difference is held against: black has no lines in it
GRAIN = 0.012  # how much darker than its surroundings grain is, of their light
STEEP = 26.0  # how fast what is darker than grain gets black
SPECK = 12.0  # pens squared: a smaller stroke stands for nothing
INK = 0.9  # what is darker belongs to a stroke


def _canny(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    import cv2

    grey = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY)
    edges = np.asarray(cv2.Canny(grey, LOW, HIGH), np.uint8)
    return [Reference("canny", edges, canny.method, canny.version)]


def _sketch(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    return [Reference("sketch", drawn(pixels), sketch.method, sketch.version)]


def drawn(pixels: Pixels) -> NDArray[np.uint8]:
    """The sketch of a picture, 0 on lines and 255 on paper."""
    import cv2

    high, wide = pixels.shape[:2]
    scale = min(1.0, LONG / max(high, wide))
    grey = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY)
    if scale < 1:
        less = (max(1, round(wide * scale)), max(1, round(high * scale)))
        grey = cv2.resize(grey, less, interpolation=cv2.INTER_AREA)
    lines = _lines(np.asarray(grey / np.float32(255), np.float32))
    paper = np.asarray(np.rint(lines * 255), np.uint8)
    if scale < 1:
        paper = np.asarray(cv2.resize(paper, (wide, high), interpolation=cv2.INTER_LINEAR))
    return paper


def _lines(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """White paper, and soft dark lines on the darker side of each edge."""
    import cv2

    pen = max(FINEST, PEN * max(grey.shape))
    near = cv2.GaussianBlur(grey, (0, 0), pen)
    wide = cv2.GaussianBlur(grey, (0, 0), pen * WIDER)
    # Held against the light around it, a shadow gets lines, too, and does not turn black whole.
    darker = np.minimum((near - wide) / (wide + DARK) + GRAIN, 0)
    lines = 1 + np.tanh(STEEP * darker)
    _, marks, stats, _ = cv2.connectedComponentsWithStats((lines < INK).astype(np.uint8))
    specks = stats[:, cv2.CC_STAT_AREA] < SPECK * pen**2
    lines[specks[marks]] = 1
    return np.asarray(lines, np.float32)


canny = Extractor("canny", "opencv", "1", _canny, "Canny's edges, thresholds 100 and 200")
sketch = Extractor("sketch", "xdog", "1", _sketch, "a sketch by differences of Gaussians (XDoG)")
