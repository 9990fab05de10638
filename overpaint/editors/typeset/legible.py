"""Legible: letters cut from a picture are tried on paper and read before they are used.

Where the font is in doubt, so may be what was taken for ink: then the picture is read again.
"""

import math
from dataclasses import replace

import numpy as np
from rapidfuzz.distance import Levenshtein

from overpaint.document.layers import Pixels
from overpaint.document.render import bounds, render
from overpaint.document.where import short
from overpaint.editors.typeset.printed import Printed
from overpaint.errors import Refused
from overpaint.measures.text import normalised
from overpaint.vision import sight

ALIKE = 0.85  # of the letters must be read right at the least
SOME = 0.6  # and in a picture, where there are other things to see
RIM = 0.3  # sizes of paper around the words


def legible(line: Printed, words: str) -> bool:
    """Whether words are read as what they say when they are set in the letters cut for a line.

    A reader has slips of its own in some letters: it may have as many as in the words that stand
    there, down to the least share that must be right.
    """
    right = _read(line, words)
    return right == 1.0 or (right >= ALIKE and right >= _read(line, line.words))


def _read(line: Printed, words: str) -> float:
    """The share of the letters that are read right."""
    plain = replace(line.style, colour=(0, 0, 0, 255), stroke=None, shadow=None, gradient=None)
    layer = replace(line, style=plain).text(words, 0.0, "tried")
    box = bounds(layer)
    if box is None:
        return 0.0
    rim = math.ceil(RIM * line.style.size)
    left, top = (math.floor(edge) - rim for edge in box[:2])
    wide, high = math.ceil(box[2]) + rim - left, math.ceil(box[3]) + rim - top
    moved = replace(layer, left=layer.left - left, top=layer.top - top)
    page = render((moved,), (wide, high), over=(255, 255, 255, 255))[:, :, :3]
    return _right(page, words)


def check_read(pixels: Pixels, line: Printed, words: str) -> None:
    """`Refused` where a line in a doubtful font does not say its new words in the picture."""
    if not line.doubtful:
        return
    size = line.style.size
    left, right = line.pen[0] - RIM * size, line.pen[0] + line.wide(words) + RIM * size
    top, bottom = line.pen[1] - size, line.pen[1] + RIM * size
    y, x = (slice(max(0, round(a)), max(1, round(b))) for a, b in ((top, bottom), (left, right)))
    if _right(pixels[y, x, :3], words) < SOME:
        raise Refused(
            f"“{short(words)}” could not be read where it was set: what is its ink is not clear.",
            f"{line.told}, is nearest to the font and only {line.likeness:.0%} like it.",
            "A larger or cleaner picture may help.",
        )


def _right(page: Pixels, words: str) -> float:
    """The share of the letters of a picture of words that are read right."""
    high, wide = page.shape[:2]
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    said = normalised(sight.read(page, corners).text), normalised(words)
    return Levenshtein.normalized_similarity(*said)
