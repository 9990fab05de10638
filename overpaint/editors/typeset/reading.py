"""Reading: a picture's lines as the editor sees them, each read when it is first asked for."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import Pixels
from overpaint.editors.typeset.even import tight
from overpaint.editors.typeset.gaps import with_gaps, with_wide_signs
from overpaint.vision import sight
from overpaint.vision.page import Box, Line
from overpaint.vision.sight import Reading, Rules

KEPT = 2  # pictures whose lines are remembered, for several ops on one picture
LEANING = 3.0  # pixels from one end to the other: a line that rises by less is level
LONG = 3.0  # times as long as high: the corners of such a line tell its angle
SLIGHT = 1.0  # degrees
SURELY = 0.8  # a line read with more confidence stands as it was read
STEEP = 8.0  # degrees that the corners of a short word may lean by chance


@dataclass(frozen=True, eq=False)
class Page:
    """The lines of a picture, numbered from the top; what was read is remembered."""

    pixels: Pixels
    quads: NDArray[np.float32]  # n×4×2: corners, clockwise from the top left
    rules: Rules
    _read: dict[int, Reading] = field(default_factory=dict, repr=False)
    _glanced: dict[int, tuple[float, str]] = field(default_factory=dict, repr=False)

    _tight: dict[int, Box] = field(default_factory=dict, repr=False)

    @cached_property
    def boxes(self) -> NDArray[np.float64]:
        """The lines' boxes as the detector drew them, n×4."""
        both = [self.quads.min(axis=1), self.quads.max(axis=1)]
        return np.concatenate(both, axis=1).reshape(-1, 4).astype(np.float64)

    def __len__(self) -> int:
        return len(self.quads)

    def reading(self, number: int) -> Reading:
        """What a line says and where its letters are, read with care."""
        if number not in self._read:
            self._read[number] = self._look(number)
        return self._read[number]

    def _look(self, number: int) -> Reading:
        seen = sight.read(self.pixels, self.quads[number])
        left, top, right, bottom = (float(edge) for edge in self.boxes[number])
        if seen.way != "level" or not self.level(number):
            return seen
        return with_gaps(self.pixels, (left, top, right, bottom), with_wide_signs(seen))

    def text(self, number: int) -> str:
        """What a line says, as well as it was looked at so far; empty where it was not."""
        if number in self._read:
            return self._read[number].text
        return self._glanced.get(number, (0.0, ""))[1]

    @property
    def texts(self) -> list[str]:
        """What every line says, as well as it was looked at so far."""
        return [self.text(number) for number in range(len(self))]

    def glance(self, numbers: Iterable[int], narrow: float) -> None:
        """Look at lines that were not yet looked at so closely, their letters made narrower."""
        for number in numbers:
            if number in self._read:
                continue
            if narrow <= 1:
                self.reading(number)
            elif self._glanced.get(number, (9.0, ""))[0] > narrow:
                found = sight.glance(self.pixels, self.quads[number], narrow)
                self._glanced[number] = (narrow, found.text)

    def read_all(self) -> None:
        """Read every line with care."""
        self.glance(range(len(self)), 1.0)

    def level(self, number: int) -> bool:
        """Whether the line runs along the picture's rows or columns, not aslant."""
        if self._rise(number) < LEANING:
            return True
        if self._long(number):
            return False
        # A short word's corners lean by chance: the long lines tell how it stands.
        return abs(self.lean) < SLIGHT if self._some_long else abs(self._angle(number)) < STEEP

    @cached_property
    def lean(self) -> float:
        """By how many degrees clockwise most of the long lines are turned; 0 where none is."""
        angles = [self._angle(number) for number in range(len(self)) if self._long(number)]
        return float(np.median(angles)) if angles else 0.0

    @cached_property
    def _some_long(self) -> bool:
        return any(map(self._long, range(len(self))))

    def _rise(self, number: int) -> float:
        quad = self.quads[number]
        return max(abs(float(quad[1, 1] - quad[0, 1])), abs(float(quad[3, 0] - quad[0, 0])))

    def _long(self, number: int) -> bool:
        quad = self.quads[number]
        wide, high = (float(np.hypot(*(quad[i] - quad[0]))) for i in (1, 3))
        return max(wide, high) > LONG * min(wide, high)

    def _angle(self, number: int) -> float:
        quad = self.quads[number]
        return float(np.degrees(np.arctan2(quad[1, 1] - quad[0, 1], quad[1, 0] - quad[0, 0])))

    def tight(self, number: int) -> Box:
        """A line's box drawn in to its ink, where it is level and its paper plain."""
        if number not in self._tight:
            left, top, right, bottom = (float(edge) for edge in self.boxes[number])
            box: Box = (left, top, right, bottom)
            self._tight[number] = tight(self.pixels, box) if self.level(number) else box
        return self._tight[number]

    def line(self, number: int) -> Line:
        """The line with its box tight around its ink."""
        reading = self.reading(number)
        return Line(self.tight(number), reading.text, reading.confidence)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every line, read with care; those that are but noise say nothing."""
        return tuple(self.line(number) for number in range(len(self)))

    def turned(self, quarters: int) -> "Page":
        """The picture turned counter-clockwise, with lines that were not read as they stood."""
        import cv2

        turns = (None, cv2.ROTATE_90_COUNTERCLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_CLOCKWISE)
        turn = turns[quarters % 4]  # numpy's own turns of a large page take twenty times as long
        found = self.pixels if turn is None else cv2.rotate(self.pixels, turn)
        whole = read_page(np.asarray(found, np.uint8))
        known = [
            n
            for n in range(len(self))
            if self.reading(n).confidence > SURELY and self.reading(n).way in ("level", "over")
        ]
        kept = [
            i
            for i, quad in enumerate(whole.quads)
            if _covered(turn_back(quad, quarters, self.pixels.shape), self.boxes[known]) < 0.5
        ]
        return Page(whole.pixels, whole.quads[kept], whole.rules)


def turn_back(
    points: NDArray[np.floating], quarters: int, shape: tuple[int, ...]
) -> NDArray[np.float64]:
    """Where points of a picture turned counter-clockwise are in the picture of that shape."""
    x, y = np.asarray(points, np.float64).T
    high, wide = shape[:2]
    turned = {0: (x, y), 1: (wide - y, x), 2: (wide - x, high - y), 3: (y, high - x)}
    return np.stack(turned[quarters % 4], axis=-1)


def _covered(quad: NDArray[np.float64], boxes: NDArray[np.float64]) -> float:
    """The greatest share of a line that another's box covers."""
    (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
    wide = np.minimum(boxes[:, 2], right) - np.maximum(boxes[:, 0], left)
    high = np.minimum(boxes[:, 3], bottom) - np.maximum(boxes[:, 1], top)
    area = max(1.0, float((right - left) * (bottom - top)))
    return float((np.maximum(wide, 0) * np.maximum(high, 0)).max(initial=0.0)) / area


def read_page(pixels: Pixels) -> Page:
    """The lines of H×W×3 RGB pixels, remembered under the picture's hash."""
    return _remembered(_Hashed(pixels[:, :, :3]))


class _Hashed:
    """Pixels that can be looked up."""

    def __init__(self, pixels: Pixels) -> None:
        self.pixels = np.ascontiguousarray(pixels)
        told = hashlib.blake2b(repr(pixels.shape).encode(), digest_size=20)
        told.update(self.pixels.data)
        self.digest = told.digest()

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hashed) and self.digest == other.digest


@lru_cache(maxsize=KEPT)
def _remembered(hashed: _Hashed) -> Page:
    quads, rules = sight.find_lines(hashed.pixels)
    return Page(hashed.pixels, quads[_from_the_top(quads)], rules)


def _from_the_top(quads: NDArray[np.float32]) -> NDArray[np.int64]:
    """The order in which lines are counted: row by row, each from the left."""
    tops, bottoms = quads[:, :, 1].min(axis=1), quads[:, :, 1].max(axis=1)
    lefts = quads[:, :, 0].min(axis=1)
    order = np.argsort((tops + bottoms) / 2, kind="stable")
    row = np.zeros(len(quads), np.int64)
    number, floor = -1, -np.inf
    for i in order:
        middle = (tops[i] + bottoms[i]) / 2
        if middle > floor:
            number, floor = number + 1, middle + (bottoms[i] - tops[i]) * 0.4
        row[i] = number
    return np.lexsort((lefts, row))
