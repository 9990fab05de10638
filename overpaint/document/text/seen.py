"""Seen: what can be measured of a line in a picture before any font is tried.

`cover` is how far each pixel is covered by ink, 0–1. Words are told apart by the gaps between
them, so that lines whose spaces were widened to fill a column are measured word by word.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Cover = NDArray[np.float32]
_LEAST = 0.2  # fainter pixels are no ink
_INK = 0.4  # of the strongest ink: where the edge of a letter is put
_SPACE = 0.27  # how wide a space is in most fonts, in sizes
_BREADTHS = (("iljt.,:;'!|I", 0.28), ('fr()[]-"/', 0.36), ("mwMW%@", 0.85))
# Where words end, in ink's heights and widths of the line; set on generated lines, seeds 0–299.
_USUAL_GAP, _ASTRAY, _WIDTH_COUNTS = 0.25, 0.02, 4.0
_NARROWEST = 0.5  # pixels: no letter of a line is narrower
_UPRIGHT = 30  # times higher than wide: no letter of any font is
_WORK = 20  # pixels of height that fonts are told apart at; more would only take longer


@dataclass(frozen=True)
class Seen:
    """A line: its words in order, where each begins and ends, and how high the ink reaches."""

    cover: Cover
    words: tuple[str, ...]
    spans: tuple[tuple[float, float], ...]
    top: float
    bottom: float
    factor: float = 1.0  # how large the picture is, measured by the one it was shrunk from

    @property
    def text(self) -> str:
        """The words with one space between them."""
        return " ".join(self.words)

    @property
    def high(self) -> float:
        """From the top of the ink to its bottom."""
        return self.bottom - self.top

    def part(self, letters: int) -> "Seen":
        """The words in a row, from the first on, that have about that many letters."""
        count = np.cumsum([len(word) for word in self.words])
        last = int(np.searchsorted(count, letters)) + 1
        if last >= len(self.words):
            return self
        right = (self.spans[last - 1][1] + self.spans[last][0]) / 2
        cover = self.cover[:, : math.ceil(right)].copy()
        top, bottom = _edges(cover.max(axis=1) / _peak(cover))
        return replace(
            self, cover=cover, words=self.words[:last], spans=self.spans[:last],
            top=top, bottom=bottom,
        )  # fmt: skip

    def shrunk(self) -> "Seen":
        """The line at a height that is quick to work at."""
        if self.high <= _WORK:
            return self
        import cv2

        factor = _WORK / self.high
        # By a factor, not to a shape: both sides shrink by exactly as much.
        small: Any = cv2.resize(
            self.cover, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA
        )
        spans = tuple((a * factor, b * factor) for a, b in self.spans)
        top, bottom = self.top * factor, self.bottom * factor
        return Seen(
            np.asarray(small, np.float32), self.words, spans, top, bottom, factor * self.factor
        )


def look(cover: Cover, words: str, spaces: Sequence[float] | None = None) -> Seen | None:
    """The line measured; none where it has no words, or no ink that could be them.

    Where the middles of its spaces are known about, words are told apart there.
    """
    said = tuple(words.split())
    if not said or not (cover > _LEAST).any():
        return None
    rows, columns = cover.max(axis=1) / _peak(cover), cover.max(axis=0) / _peak(cover)
    top, bottom = _edges(rows)
    left, right = _edges(columns)
    if right - left < max(_NARROWEST * len("".join(said)), (bottom - top) / _UPRIGHT):
        return None
    where = _expected(said, left, right) if spaces is None else np.array(spaces, float)
    slack = (_ASTRAY * (right - left) if spaces is None else 0.0) + 0.5 * (bottom - top)
    cuts = _cuts(_gaps(columns, int(left), int(right)), where, slack, bottom - top)
    if len(cuts) != len(said) - 1:
        said, cuts = (" ".join(said),), []
    ends = [left, *(edge for gap in cuts for edge in _ends(columns, gap)), right]
    spans = tuple(zip(ends[::2], ends[1::2], strict=True))
    return Seen(np.asarray(cover, np.float32), said, spans, top, bottom)


def _peak(cover: Cover) -> float:
    """How strong strong ink is."""
    return float(np.quantile(cover[cover > _LEAST], 0.9))


def _edges(profile: NDArray[np.float32]) -> tuple[float, float]:
    """First and last place where a profile crosses the ink's edge, between pixels."""
    inked = np.flatnonzero(profile > _INK)
    first, last = int(inked[0]), int(inked[-1])
    return _crossing(profile, first, -1), _crossing(profile, last, 1) + 1.0


def _crossing(profile: NDArray[np.float32], at: int, step: int) -> float:
    """How far into the next pixel outwards a letter reaches: its share of full ink."""
    beyond = at + step
    rest = float(profile[beyond]) if 0 <= beyond < len(profile) else 0.0
    # The edge pixel may be covered in part: what lacks there is taken off again.
    lacks = 1.0 - min(1.0, float(profile[at]) + rest)
    return at + (lacks if step < 0 else -lacks)


def _gaps(columns: NDArray[np.float32], left: int, right: int) -> list[tuple[float, float]]:
    """Stretches without ink between the ends of the line."""
    blank = columns[left:right] <= _INK
    steps = np.flatnonzero(np.diff(np.concatenate([[False], blank, [False]]).astype(np.int8)))
    return [(float(left + a), float(left + b)) for a, b in steps.reshape(-1, 2)]


def _ends(columns: NDArray[np.float32], gap: tuple[float, float]) -> tuple[float, float]:
    """Where the word before a gap ends and the one after it begins, between pixels."""
    before, after = int(gap[0]) - 1, int(gap[1])
    return _crossing(columns, before, 1) + 1.0, _crossing(columns, after, -1)


def _expected(words: tuple[str, ...], left: float, right: float) -> NDArray[np.float64]:
    """About where words of so many letters have their spaces."""
    sizes = np.array([sum(map(_breadth, word)) for word in words])
    count = len(words) - 1
    reached = np.cumsum(sizes[:-1]) + _SPACE * (np.arange(count) + 0.5)
    return np.asarray(left + (right - left) * reached / (sizes.sum() + _SPACE * count))


def _cuts(
    gaps: list[tuple[float, float]], where: NDArray[np.float64], slack: float, high: float
) -> list[tuple[float, float]]:
    """The gaps between words: wide, and about where they are expected; none if too few."""
    if not len(where) or len(gaps) < len(where):
        return []
    found = np.array(gaps)
    breadth = np.minimum((found[:, 1] - found[:, 0]) / (_USUAL_GAP * high), 1.6)
    off = (found.mean(axis=1)[None, :] - where[:, None]) / slack
    return [gaps[i] for i in _rising(_WIDTH_COUNTS * breadth[None, :] - off**2 / 2)]


def _rising(worth: NDArray[np.float64]) -> list[int]:
    """One column for each row, from left to right, whose worth is greatest together."""
    rows, columns = worth.shape
    total = np.full((rows, columns), -np.inf)
    total[0] = worth[0]
    for row in range(1, rows):
        before = np.maximum.accumulate(total[row - 1])
        total[row, 1:] = worth[row, 1:] + before[:-1]
    chosen = [int(np.argmax(total[-1]))]
    for row in range(rows - 2, -1, -1):
        chosen.append(int(np.argmax(total[row, : chosen[-1]])))
    return chosen[::-1]


def _breadth(letter: str) -> float:
    """How wide a letter is in most fonts, in sizes."""
    if ord(letter) > 0x2E7F:
        return 1.0
    for letters, breadth in _BREADTHS:
        if letter in letters:
            return breadth
    return 0.65 if letter.isupper() else 0.53
