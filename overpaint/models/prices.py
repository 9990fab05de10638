"""What a question costs: from a dated list of prices or the user's own. Unknown is None, never 0.

Before a question is sent its price is bounded from above: a token is at least one byte of text,
and a picture counts by its vendor's rule. Afterwards it is what the reply says was used.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from overpaint.document import regular
from overpaint.errors import UserMistake, unread
from overpaint.models.names import LOCAL

MILLION = 1_000_000
_LARGEST = 1024 * 1024


def _tiles(width: int, height: int) -> int:
    """OpenAI's tiles: within 2048², then the short side at 768, 170 for each 512² and 85."""
    shrink = min(1.0, 2048 / max(width, height))
    shrink *= min(1.0, 768 / (min(width, height) * shrink))
    wide, high = (math.ceil(side * shrink / 512) for side in (width, height))
    return 85 + 170 * wide * high


def _patches(width: int, height: int) -> int:
    """OpenAI's patches of 32², at most 1,536, times the small models' factor of at most 2.46."""
    return math.ceil(2.46 * min(1536, math.ceil(width / 32) * math.ceil(height / 32)))


def _squares(width: int, height: int) -> int:
    """Google's 258 for each square of 768²."""
    return 258 * math.ceil(width / 768) * math.ceil(height / 768)


RULES: Mapping[str, Callable[[int, int], int]] = {
    "tiles": _tiles,
    # The small model of that family counts a picture as 33 times as many tokens.
    "mini-tiles": lambda width, height: 2833 + 5667 * ((_tiles(width, height) - 85) // 170),
    "patches": _patches,
    "squares": _squares,
    "area": lambda width, height: math.ceil(width * height / 750),  # Anthropic's
    # Open models cut a picture into patches; the finest in use are 14 pixels wide.
    "finest": lambda width, height: math.ceil(width / 14) * math.ceil(height / 14),
}


@dataclass(frozen=True)
class Price:
    """Dollars for a million tokens in and out, and the rule by which pictures are tokens."""

    into: float
    out: float
    pictures: str = "finest"

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """Dollars for so many tokens."""
        return (tokens_in * self.into + tokens_out * self.out) / MILLION

    def at_most(self, text: int, pictures: list[tuple[int, int]], answer: int) -> float:
        """Dollars for a question of so many bytes, pictures of these sizes, a longest answer."""
        seen = sum(RULES[self.pictures](*size) for size in pictures)
        return self.of(text + seen, answer)


@dataclass(frozen=True)
class Prices:
    """The prices a run reckons with, and of which day they are."""

    dated: str
    known: Mapping[str, Price]

    def of(self, model: str) -> Price | None:
        """The model's price; None where it is not known."""
        here = Price(0.0, 0.0) if model.startswith(f"{LOCAL}/") else None
        return self.known.get(model, here)


@cache
def prices(own: Path | None = None) -> Prices:
    """The dated list that comes with the package, with the user's own entries over it."""
    packed = json.loads((files("overpaint.models") / "prices.json").read_text(encoding="utf-8"))
    listed = _read(packed, "the package")
    if own is None:
        return listed
    mine = _read(_load(own), str(own))
    return Prices(f"{mine.dated} ({own.name})", {**listed.known, **mine.known})


def unpriced(model: str, known: Prices) -> UserMistake:
    """That a cost limit was given for a model whose price is not known."""
    return UserMistake(
        f"The price of {model} is not known, so a cost limit cannot be kept.",
        f"The list of {known.dated} does not have it.",
        "Give its price in a file with --prices, or leave --cost-limit out.",
    )


def _load(path: Path) -> Any:
    try:
        data = regular.read(path, _LARGEST + 1)
        if len(data) > _LARGEST:
            raise ValueError("it is larger than a megabyte")
        return json.loads(data)
    except OSError as error:
        raise UserMistake(
            f"The prices in {path} cannot be read: {error.strerror}.", *_FORM
        ) from None
    except (ValueError, RecursionError) as error:
        why = unread(error)
        raise UserMistake(f"The prices in {path} cannot be read: {why}.", *_FORM) from error


_FORM = (
    'A file of prices is {"dated": "2026-11-16", "models": {"NAME": {"in": 2.5, "out": 10}}}.',
    "in and out are US dollars for a million tokens; NAME is the model's as --judge has it.",
)


def _read(data: Any, where: str) -> Prices:
    try:
        known = {name: _price(one) for name, one in data["models"].items()}
        return Prices(str(data["dated"])[:40], known)
    except KeyError as error:
        raise UserMistake(f"The prices in {where} lack {error}.", *_FORM) from None
    except ValueError as error:
        raise UserMistake(f"The prices in {where} are not as expected: {error}.", *_FORM) from None
    except (TypeError, AttributeError, OverflowError) as error:  # which tell of Python, not of them
        raise UserMistake(f"The prices in {where} are not as expected.", *_FORM) from error


def _price(one: Mapping[str, Any]) -> Price:
    into, out = float(one["in"]), float(one["out"])
    if not (0 <= into < math.inf and 0 <= out < math.inf):
        raise ValueError(f"{into} and {out} are no dollars")
    rule = one.get("pictures", "finest")
    if rule not in RULES:
        raise ValueError(f"pictures is {str(rule)[:40]!r}; known are {', '.join(RULES)}")
    return Price(into, out, rule)
