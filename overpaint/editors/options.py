"""What stands behind an editor's name: `HEAD;option=value;option=value`, read strictly."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from overpaint.errors import UserMistake

Reader = Callable[[str], Any]  # a value from its text; a ValueError says what would be right
Size = tuple[int, int]  # width, height
LARGEST_SIDE = 16_384
_SIZE = re.compile(r"(\d{1,5})(?:[x×](\d{1,5}))?")


@dataclass(frozen=True)
class Given:
    """What a spec says: its head, the options of the editor, and those that it passes on."""

    head: str
    options: Mapping[str, Any]
    passed: Mapping[str, str]


def given(spec: str, editor: str, known: Mapping[str, Reader], *, passing: str = "") -> Given:
    """The spec's parts; `UserMistake` says which option is not known or has no such value.

    Options that begin with `passing` and a full stop are handed on as they are.
    """
    head, *parts = spec.split(";")
    options: dict[str, Any] = {}
    passed: dict[str, str] = {}
    for part in parts:
        name, equals, value = part.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not value:
            raise UserMistake(f"{editor} cannot read {part!r}.", _known(editor, known, passing))
        if name in options or (passing and name in {f"{passing}.{one}" for one in passed}):
            raise UserMistake(f"{editor} is given {name} twice.", "Once was expected.")
        if passing and name.startswith(f"{passing}."):
            passed[name.removeprefix(f"{passing}.")] = value
        elif name in known:
            options[name] = _value(editor, name, value, known[name])
        else:
            raise UserMistake(f"{editor} has no option {name!r}.", _known(editor, known, passing))
    return Given(head.strip(), options, passed)


def _value(editor: str, name: str, value: str, read: Reader) -> Any:
    try:
        return read(value)
    except ValueError as error:
        raise UserMistake(f"{editor} has {name}={value}.", f"Expected was {error}.") from None


def _known(editor: str, known: Mapping[str, Reader], passing: str) -> str:
    names = [f"{name}=…" for name in known] + ([f"{passing}.NAME=…"] if passing else [])
    return f"After {editor}:… may come {', '.join(f';{name}' for name in names)}."


# ── values ──────────────────────────────────────────────────────────────────────────────────


def whole(low: int, high: int) -> Reader:
    """Reads a whole number between two."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 19 and low <= int(text) <= high):
            raise ValueError(f"a whole number from {low} to {high}")
        return int(text)

    return read


def number(low: float, high: float) -> Reader:
    """Reads a number between two."""

    def read(text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if not low <= found <= high:
            raise ValueError(f"a number from {low:g} to {high:g}")
        return found

    return read


def one_of(*words: str) -> Reader:
    """Reads one of some words."""

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"one of {', '.join(words)}")
        return text

    return read


def sizes(text: str) -> tuple[Size, ...]:
    """Sizes such as 1024, 1024x1536 or several with / between them."""
    found = []
    for part in text.split("/"):
        match = _SIZE.fullmatch(part.strip())
        wide = int(match[1]) if match else 0
        high = int(match[2] or wide) if match else 0
        if not (0 < wide <= LARGEST_SIDE and 0 < high <= LARGEST_SIDE):
            raise ValueError(f"WIDTHxHEIGHT, at most {LARGEST_SIDE} a side, several with / between")
        found.append((wide, high))
    return tuple(found)
