"""Scales: which answers a rubric takes, and the number each stands for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

MOST = 101  # levels of one scale: 0 to 100
_NUMBER = r"(-?[0-9]{1,6}(?:\.[0-9]{1,6})?)"
_SPAN = re.compile(rf"{_NUMBER} ?[-–] ?{_NUMBER}( (?:whole|any))?")
_WORD = re.compile(rf"([A-Za-z][A-Za-z_]{{0,30}}) ?= ?{_NUMBER}")
UNDERSTOOD = (
    "A scale is `0-5 whole`, `1-10 any` (every number between), levels such as `0, 0.5, 1`,"
    " `yes/no`, or words with their numbers: `first = 1, tie = 0.5, second = 0`."
)


@dataclass(frozen=True)
class Scale:
    """The levels of a rubric, lowest first; without levels every number from low to high."""

    low: float
    high: float
    levels: tuple[float, ...] = ()
    words: tuple[str, ...] = ()  # what is said for each level, where it is said in words

    @property
    def schema(self) -> dict[str, Any]:
        """What a reply may say, as JSON Schema."""
        if self.words:
            return {"type": "string", "enum": list(self.words)}
        if not self.levels:
            return {"type": "number", "minimum": self.low, "maximum": self.high}
        whole = all(level == int(level) for level in self.levels)
        enum = [int(level) if level == int(level) else level for level in self.levels]
        return {"type": "integer" if whole else "number", "enum": enum}

    def value(self, said: str | float) -> float:
        """The number an answer stands for, once it is known to be one of the scale's."""
        return self.levels[self.words.index(said)] if isinstance(said, str) else float(said)

    def names(self) -> tuple[str, ...]:
        """What levels are called where each needs a meaning: all of them, or the two ends."""
        return self.words or tuple(f"{level:g}" for level in self.levels or (self.low, self.high))

    def named(self, text: str) -> tuple[str, ...] | None:
        """The levels a list item speaks of ("3", "81-100", "yes"); None if it names no level."""
        if self.words:
            said = text.strip().casefold()
            return next(((word,) for word in self.words if word.casefold() == said), None)
        if re.fullmatch(_NUMBER, text):
            return (f"{float(text):g}",)
        span = _SPAN.fullmatch(text)
        if span is None or span[3]:
            return None
        low, high = float(span[1]), float(span[2])
        inside = (name for name in self.names() if low <= float(name) <= high)
        return tuple(inside) or (f"{low:g}",)

    def holds(self, name: str) -> bool:
        """Whether a level of that name is on the scale."""
        if self.words or self.levels:
            return name in self.names()
        return self.low <= float(name) <= self.high


def read_scale(text: str) -> Scale | None:
    """The scale a line describes, or None if it is not understood."""
    if text == "yes/no":
        return Scale(0.0, 1.0, (0.0, 1.0), ("no", "yes"))
    if span := _SPAN.fullmatch(text):
        return _span(float(span[1]), float(span[2]), (span[3] or "").strip())
    parts = [part.strip() for part in text.split(",")]
    if not 2 <= len(parts) <= MOST:
        return None
    if all(re.fullmatch(_NUMBER, part) for part in parts):
        levels = tuple(float(part) for part in parts)
        rising = all(a < b for a, b in pairwise(levels))
        return Scale(levels[0], levels[-1], levels) if rising else None
    worded = [_WORD.fullmatch(part) for part in parts]
    return _worded([(m[1], float(m[2])) for m in worded if m], len(parts))


def _span(low: float, high: float, kind: str) -> Scale | None:
    if kind == "any":
        return Scale(low, high) if low < high else None
    whole = kind == "whole" and low == int(low) and high == int(high)
    if not whole or not 0 < high - low < MOST:
        return None
    return Scale(low, high, tuple(float(level) for level in range(int(low), int(high) + 1)))


def _worded(pairs: Sequence[tuple[str, float]], wanted: int) -> Scale | None:
    ordered = sorted(pairs, key=lambda pair: pair[1])
    words, levels = tuple(word for word, _ in ordered), tuple(level for _, level in ordered)
    if len({word.casefold() for word in words}) != wanted or len(set(levels)) != wanted:
        return None
    return Scale(levels[0], levels[-1], levels, words)
