"""Gaps: spaces between Chinese letters, which no reader tells, seen in the ink."""

from dataclasses import replace

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
