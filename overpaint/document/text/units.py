"""Units: the letters and ligatures of a face, drawn once and kept, and lines put together of them.

Hundreds of faces are tried on a line; what they have in common with the last line that was
tried, the letters, is not drawn again.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from overpaint.document.text.drawing import load, optical
from overpaint.document.text.faces import Face

EM = 64  # pixels of the em that letters are drawn at
_KEPT = 256  # letters of a face, of some 2,000 bytes; Latin text never has as many
_PAIRS, _LINES = 2048, 8
Line = tuple[list[str], NDArray[np.float64]]  # units, and pens in pixels of `EM`
_UNITS = re.compile(r"ffi|ffl|ff|fi|fl|.")  # what fonts join into one
_WHOLE = re.compile(r"[!-~]+|.")


@dataclass(frozen=True)
class Unit:
    """A letter at `EM` pixels: its ink, the corner from the pen, and the way to the next pen.

    The box is where ink is half strong or more: left, top, right, bottom from the pen.
    """

    ink: NDArray[np.uint8]
    left: int
    top: int
    advance: float
    box: tuple[int, int, int, int]


@dataclass(frozen=True)
class Alphabet:
    """The letters of a face, drawn for an optical size, as far as they were needed."""

    face: Face
    fit: float
    _units: dict[str, Unit] = field(default_factory=dict)
    _kerns: dict[tuple[str, str], float] = field(default_factory=dict)
    _lines: dict[tuple[str, bool], "Line"] = field(default_factory=dict)

    def units(self, words: str, *, joined: bool = True) -> list[str]:
        """The words in letters, in ligatures where letters are not spaced out, or whole.

        In handwriting the shape of a letter depends on its neighbours.
        """
        if joined:
            return (_WHOLE if self.face.kind == "handwritten" else _UNITS).findall(words)
        return list(words)

    def unit(self, letter: str) -> Unit:
        """The letter drawn."""
        if letter not in self._units:
            if len(self._units) >= _KEPT:
                del self._units[next(iter(self._units))]
            self._units[letter] = self._drawn(letter)
        return self._units[letter]

    def line(self, words: str, *, joined: bool = True) -> "Line":
        """The units of the words, the pen of each, kerned, and the one after the last."""
        if (words, joined) not in self._lines:
            if len(self._lines) >= _LINES:
                del self._lines[next(iter(self._lines))]
            letters = self.units(words, joined=joined)
            self._lines[words, joined] = letters, self._pens(letters)
        return self._lines[words, joined]

    def _pens(self, letters: list[str]) -> NDArray[np.float64]:
        steps = [self.unit(letter).advance for letter in letters]
        for i, pair in enumerate(pairwise(letters)):
            steps[i] += self._kern(pair)
        return np.concatenate([[0.0], np.cumsum(steps)])

    def put(
        self, letters: list[str], at: NDArray[np.float64]
    ) -> tuple[NDArray[np.uint8], int, int]:
        """The letters with their pens at these places, and the corner from the line's pen."""
        whole = np.round(at).astype(int).tolist()
        drawn = [(self.unit(a), x) for a, x in zip(letters, whole, strict=True)]
        left = min(x + u.left for u, x in drawn) - 2
        top = min(u.top for u, _ in drawn) - 2
        wide = max(x + u.left + u.ink.shape[1] for u, x in drawn) + 2 - left
        high = max(u.top + u.ink.shape[0] for u, _ in drawn) + 2 - top
        sheet = np.zeros((high, wide), np.uint8)
        for u, x in drawn:
            y, x = u.top - top, x + u.left - left
            part = sheet[y : y + u.ink.shape[0], x : x + u.ink.shape[1]]
            np.maximum(part, u.ink, out=part)
        return sheet, left, top

    def _drawn(self, letter: str) -> Unit:
        font = load(self.face, EM, self.fit, shaped=len(letter) > 1)
        mask, (left, top) = font.getmask2(letter, "L", anchor="ls")
        wide, high = mask.size
        sheet = Image.new("L", (max(1, wide), max(1, high)), 0)
        ImageDraw.Draw(sheet).draw.draw_bitmap((0, 0), mask, 255)
        # Unshaped, advances are rounded.
        ink, advance = np.array(sheet), load(self.face, EM, self.fit).getlength(letter)
        half = ink >= 128
        rows, columns = np.flatnonzero(half.any(axis=1)), np.flatnonzero(half.any(axis=0))
        if not len(rows):
            return Unit(np.zeros((0, 0), np.uint8), 0, 0, advance, (0, 0, 0, 0))
        x, y = (left + columns[[0, -1]]).tolist(), (top + rows[[0, -1]]).tolist()
        return Unit(ink, left, top, advance, (x[0], y[0], x[1] + 1, y[1] + 1))

    def _kern(self, pair: tuple[str, str]) -> float:
        """How much farther two letters stand than their advances say."""
        if pair not in self._kerns:
            if len(self._kerns) >= _PAIRS:
                del self._kerns[next(iter(self._kerns))]
            apart = self.unit(pair[0]).advance + self.unit(pair[1]).advance
            self._kerns[pair] = load(self.face, EM, self.fit).getlength("".join(pair)) - apart
        return self._kerns[pair]


def alphabet(face: Face, size: float) -> Alphabet:
    """The letters of a face for a size; of one with optical sizes, in steps, so that few are."""
    return _alphabet(face, optical(face, float(min(max(round(size / 2) * 2, 8), 72))))


@lru_cache(maxsize=400)
def _alphabet(face: Face, fit: float) -> Alphabet:
    return Alphabet(face, fit)
