"""What a rater sends, checked strictly: every question answered, each in its own form."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from overpaint.errors import DataError
from overpaint.rating.study import Question

SIDES = ("left", "tie", "right")
MOST_LETTERS = 2_000  # of a comment, or of a corrected instruction
MOST_READ = 20_000  # of a block that was read on a page; a table is long
_STEP = 6  # decimals of a number that are kept
_LINE_ENDS = str.maketrans("\r\u2028\u2029", "\n\n\n")
_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True)
class Said:
    """One answer to one item as it arrived, checked."""

    answers: Mapping[str, Any]
    comment: str
    seconds: float
    revision: int


def read_said(data: Any, questions: Sequence[Question], *, ties: bool, comments: bool) -> Said:
    """The answer in a request's JSON; DataError says what is wrong with it."""
    if not isinstance(data, dict):
        raise DataError("An object was expected.")
    if unknown := sorted(data.keys() - {"answers", "comment", "seconds", "revision"}):
        raise DataError(f"There is nothing called {unknown[0][:40]!r} in an answer.")
    answers = data.get("answers")
    if not isinstance(answers, dict):
        raise DataError("The answers should be an object, one for each question.")
    names = [one.name for one in questions]
    if unknown := [name for name in answers if name not in names]:
        raise DataError(f"Nothing called {unknown[0][:40]!r} is asked.")
    if missing := [name for name in names if name not in answers]:
        raise DataError(f"{missing[0]} has not been answered.")
    comment = text_of(data.get("comment", ""), "comment")
    if comment and not comments:
        raise DataError("This study takes no comments.")
    return Said(
        {one.name: read_value(one, answers[one.name], ties=ties) for one in questions},
        comment, _seconds(data.get("seconds", 0)), _revision(data.get("revision")),
    )  # fmt: skip


def read_value(question: Question, value: Any, *, ties: bool = True) -> Any:
    """One answer in the form that is kept."""
    if question.kind in ("yesno", "keep"):
        if not isinstance(value, bool):
            raise DataError(f"{question.name} should be true or false.")
        return value
    if question.kind == "slider":
        return _number(question, value)
    if question.kind == "levels":
        number = _number(question, value)
        if number not in (question.values or ()):
            levels = ", ".join(f"{level:g}" for level in question.values or ())
            raise DataError(f"{question.name} should be one of {levels}.")
        return number
    if question.kind == "choice":
        sides = SIDES if ties else ("left", "right")
        if value not in sides or not isinstance(value, str):
            raise DataError(f"{question.name} should be {', '.join(sides[:-1])} or right.")
        return value
    return _box(question, value) if question.kind == "box" else _texts(question, value)


def _number(question: Question, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e9:
        raise DataError(f"{question.name} should be a number.")
    number = float(value)
    low, high = question.ends or (-1e9, 1e9)
    if not low <= number <= high:  # NaN too
        raise DataError(f"{question.name} should be from {low:g} to {high:g}.")
    return round(number, _STEP)


def _box(question: Question, value: Any) -> dict[str, float]:
    sides = ("x", "y", "width", "height")
    if not isinstance(value, dict) or set(value) != set(sides):
        raise DataError(f"{question.name} should have x, y, width and height in percent.")
    numbers = [value[side] for side in sides]
    if any(isinstance(n, bool) or not isinstance(n, int | float) for n in numbers):
        raise DataError(f"{question.name} should have four numbers.")
    if not all(abs(n) <= 1e9 for n in numbers):
        raise DataError(f"{question.name} should have four numbers.")
    x, y, width, height = map(float, numbers)
    inside = min(x, y) >= 0 and max(x + width, y + height) <= 100 + 1e-6
    if not inside or min(width, height) <= 0:
        raise DataError(f"{question.name} should have a size and lie within 0 to 100 percent.")
    width, height = min(width, 100 - x), min(height, 100 - y)
    kept = {"x": x, "y": y, "width": width, "height": height}
    return {side: round(number, _STEP) for side, number in kept.items()}


def _texts(question: Question, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or not isinstance(value.get("right"), bool):
        raise DataError(f"{question.name} should say whether all is right.")
    given = value.get("texts", [])
    if not isinstance(given, list) or set(value) - {"right", "texts"}:
        raise DataError(f"{question.name} should have a list of corrected texts.")
    was = {one["id"]: _plain(one["text"]) for one in question.texts or ()}
    where = {one["id"]: one.get("where") for one in question.texts or ()}
    said: dict[str, str] = {}
    for one in given:
        if not isinstance(one, dict) or set(one) != {"id", "text"}:
            raise DataError(f"A corrected text of {question.name} has an id and a text.")
        name = one["id"]
        if not isinstance(name, str) or name not in was or name in said:
            raise DataError(f"{question.name} has no text {str(name)[:40]!r}, or has it twice.")
        most = MOST_READ if where.get(name) else MOST_LETTERS
        said[name] = text_of(one["text"], "corrected text", most)
    changed = {name: text for name, text in said.items() if text != was[name]}
    if value["right"] and changed:
        raise DataError(f"{question.name} says that all is right and corrects it.")
    if not value["right"] and not changed:
        raise DataError(f"{question.name} says that something is wrong but corrects nothing.")
    if value["right"]:
        return {"right": True}
    return {"right": False, "texts": [{"id": n, "text": t} for n, t in changed.items()]}


def text_of(value: Any, name: str, most: int = MOST_LETTERS) -> str:
    """A text that people wrote: whole letters, no controls but line ends and tabs, not too long."""
    if not isinstance(value, str):
        raise DataError(f"The {name} should be a text.")
    if len(value) > most:
        raise DataError(f"The {name} has {len(value):,} letters; {most:,} are taken.")
    return _plain(value)


def _plain(text: str) -> str:
    """The same letters without controls; what ends a line is one line end.

    Letters that cannot be seen stay, as words are spelt with them: spaces that do not break, the
    joiners of Persian and of emoji. Only what turns the direction of other texts goes.
    """
    lines = text.replace("\r\n", "\n").translate(_LINE_ENDS)
    return "".join(c for c in lines if c in "\n\t" or _is_letter(c))


def _is_letter(c: str) -> bool:
    # By what it is not: letters younger than Python's tables are of no category at all.
    return unicodedata.category(c) not in ("Cc", "Cs") and c not in _TURNS


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise DataError("The seconds should be a number from 0 on.")
    return round(float(min(value, 86_400)), 1)  # whole numbers can be larger than any float


def _revision(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**9:
        raise DataError("The revision should be a whole number from 0 on.")
    return value
