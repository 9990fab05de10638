"""The size of a line's letters and their baseline, guessed from its ink and what it says."""

import re
from dataclasses import dataclass
from functools import cached_property

from overpaint.vision.joining import unspaced
from overpaint.vision.page import Line

_HIGH = re.compile(r"[A-Z0-9bdfhikl!?()\[\]{}|/\\\"'“”‘’%&$#@ß]")
_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_HANGING = re.compile("[，；、（）《》【】]")
_LOW = re.compile(r"[a-z]")
_TALL = re.compile(r"[()\[\]{}|/\\]")
_DEEP = re.compile(r"[gjpqyQ,;()\[\]{}|/\\$@]")


@dataclass(frozen=True)
class Type:
    """A line as its printer saw it."""

    line: Line

    @cached_property
    def _reach(self) -> tuple[float, float]:
        """How far its letters go above and below the baseline, in sizes."""
        text = self.line.text
        if self.chinese:
            return 0.86, 0.2 if _HANGING.search(text) else 0.08
        if _TALL.search(text):
            return 0.76, 0.2
        up = 0.72 if _HIGH.search(text) or not _LOW.search(text) else 0.62 if "t" in text else 0.53
        return up, 0.21 if _DEEP.search(text) else 0.01

    @cached_property
    def chinese(self) -> bool:
        """Whether any letter is Chinese or Japanese."""
        return bool(_HAN.search(self.line.text))

    @cached_property
    def size(self) -> float:
        """The size of its letters in pixels."""
        return (self.line.box[3] - self.line.box[1]) / sum(self._reach)

    @cached_property
    def base(self) -> float:
        """Where its baseline is."""
        return self.line.box[3] - self.size * self._reach[1]

    @property
    def middle(self) -> float:
        """Half way between the baseline and the top of a capital."""
        return self.base - 0.36 * self.size

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.line.box[0]

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.line.box[2]

    @property
    def _advance(self) -> float:
        """The width of a Latin letter, of which a Chinese one takes two."""
        return (self.right - self.left) / sum(1 + unspaced(c) for c in self.line.text)

    @property
    def first_word(self) -> float:
        """How much room its first word would have taken at the end of the line above."""
        text = self.line.text
        if unspaced(text[0]):
            return self.size
        word = next((i for i, letter in enumerate(text) if letter == " " or unspaced(letter)), None)
        return (1 + (len(text) if word is None else word)) * self._advance
