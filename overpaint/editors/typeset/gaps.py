"""Gaps: spaces between Chinese letters and signs as wide as they are, which no reader tells."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from overpaint.document.layers import Pixels
from overpaint.vision.ink import letters
from overpaint.vision.joining import unspaced
from overpaint.vision.page import Box
from overpaint.vision.sight import Reading

_WIDE = 0.28  # heights of a line: letters that stand so far apart have a space between them
_STEP = 1.18  # times as far from middle to middle: around a 一 there is room without a space
_WIDER = 2.5  # times as far as the others do: all of them are far apart where a line is spaced out


def with_gaps(pixels: Pixels, box: Box, reading: Reading) -> Reading:
    """The reading with a space wherever the ink of a level line has one."""
    pairs = [n for n in range(len(reading.text) - 1) if _han(reading.text[n : n + 2])]
    if len(pairs) < 2 or len(reading.places) != len(reading.text):
        return reading
    found = letters(pixels, box)
    if found is None:
        return reading
    ink, left, _ = found
    high = int(ink.any(axis=1).sum())
    middles = box[0] + np.array(reading.places) * (box[2] - box[0]) - left
    free = ~np.asarray(ink.any(axis=0))
    blank = {n: _widest(free[max(0, int(middles[n])) : int(middles[n + 1]) + 1]) for n in pairs}
    least = max(_WIDE * high, _WIDER * float(np.median(list(blank.values()))))
    step = {n: float(middles[n + 1] - middles[n]) for n in pairs}
    farther = _STEP * float(np.median(list(step.values())))
    for n in sorted((n for n in pairs if blank[n] > least and step[n] > farther), reverse=True):
        reading = _parted(reading, n + 1)
    return reading


def _han(pair: str) -> bool:
    return all(letter.isalpha() and unspaced(letter) for letter in pair)


def _widest(free: np.ndarray) -> int:
    """The longest run of columns without ink."""
    edges = np.flatnonzero(np.diff(np.pad(free, 1).astype(np.int8)))
    return int((edges[1::2] - edges[::2]).max(initial=0))


def _parted(reading: Reading, at: int) -> Reading:
    text, places = reading.text, reading.places
    between = (places[at - 1] + places[at]) / 2
    return replace(
        reading,
        text=f"{text[:at]} {text[at:]}",
        places=(*places[:at], between, *places[at:]),
    )


# From the middle of the letter before a sign to that of the letter after it, in squares: 2 where
# a wide sign stands between Chinese letters and some 1.3 where a narrow one does; before figures
# and Latin letters, which are half as wide, less.
_APART, _APART_LATIN = 1.65, 1.4
_WIDE_SIGNS = str.maketrans(":;,!?()", "：；，！？（）")


def with_wide_signs(reading: Reading) -> Reading:
    """The reading with signs after Chinese letters as wide as these are, unless room lacks."""
    text, places = reading.text, reading.places
    if len(places) != len(text):
        return reading
    steps = [b - a for n, (a, b) in enumerate(pairwise(places)) if _han(text[n : n + 2])]
    square = float(np.median(steps)) if steps else 0.0
    made = [
        sign.translate(_WIDE_SIGNS) if n and _wide(text, places, n, square) else sign
        for n, sign in enumerate(text)
    ]
    return replace(reading, text="".join(made))


def _wide(text: str, places: Sequence[float], at: int, square: float) -> bool:
    before, after = text[at - 1], text[at + 1 : at + 2]
    if not (before.isalpha() and unspaced(before)):
        return False
    if not after:
        return True  # most Chinese signs are
    least = _APART if unspaced(after) else _APART_LATIN
    return square > 0 and not after.isspace() and places[at + 1] - places[at - 1] > least * square
