"""Sanity of ops: numbers, colours and words within reason, before anything is done with them.

Ops come from instructions and from plans that anybody wrote. What no page has is a mistake, said
as such, and never a crash or a minute of waiting further on.
"""

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from overpaint.errors import UserMistake

LARGEST_SIZE = 5000.0  # pixels of a letter
LONGEST = 20_000  # letters of new words
LONGEST_FAMILY = 200  # letters of a font's name
LONGEST_TARGET = 2_000  # letters of words that are pointed at
# From, to, and of what.
_RANGES: Mapping[str, tuple[float, float, str]] = {
    "size": (0.5, LARGEST_SIZE, " px"),
    "weight": (1, 1000, ""),
    "factor": (0.01, 100, ""),
    "degrees": (-36_000, 36_000, ""),
    "by": (-100_000, 100_000, " px"),
    "colour": (0, 255, ""),
    "nth": (-100_000, 100_000, ""),
}
_CALLED = {"by": "move", "degrees": "turn", "nth": "count", "values": "cell",
           "family": "font's name"}  # fmt: skip
# Neither a letter nor a space, nor anything that XML can hold.
_NO_LETTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def check(op: Any) -> None:
    """`UserMistake` where an op asks for what no page has."""
    for field in fields(op):
        longest = LONGEST_FAMILY if field.name == "family" else LONGEST
        _check(field.name, getattr(op, field.name), longest)


def _check(name: str, value: Any, longest: int) -> None:
    if is_dataclass(value):
        for field in fields(value):
            _check(field.name, getattr(value, field.name), LONGEST_TARGET)
    elif isinstance(value, str):
        _check_words(name, value, longest)
    elif isinstance(value, tuple):
        for one in value:
            _check(name, one, longest)
    elif name in _RANGES and isinstance(value, int | float):
        low, high, unit = _RANGES[name]
        if not low <= value <= high:
            right = f"{low:,g} to {high:,g}{unit} was expected."
            raise UserMistake(f"The {_CALLED.get(name, name)} is {value:,.12g}{unit}.", right)


def _check_words(name: str, words: str, longest: int) -> None:
    what = f"The {_CALLED.get(name, name)} has"
    if len(words) > longest:
        raise UserMistake(
            f"The {_CALLED.get(name, name)} has {len(words):,} letters.",
            f"At most {longest:,} are taken.",
        )
    if found := _NO_LETTERS.search(words):
        raise UserMistake(
            f"{what} U+{ord(found[0]):04X} in it, which is no letter.",
            "Letters, spaces and line ends were expected.",
        )
