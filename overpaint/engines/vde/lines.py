"""Lines of JSON from outside: hostile until parsed, one bad line costs itself alone."""

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from overpaint.document import regular
from overpaint.engines.building import Problem
from overpaint.engines.vde.records import LONGEST_LINE
from overpaint.errors import DataError, UserMistake, unread


def json_lines(file: Path, problems: list[Problem]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(file and line number, object) of every line that is one; the others become problems."""
    try:
        data = regular.read(file)
    except OSError as error:
        raise UserMistake(f"{file} cannot be read: {error.strerror}.") from None
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        where = f"{file.name}, line {number}"
        if not line.strip():
            continue
        try:
            yield where, _object(line)
        except (ValueError, RecursionError) as error:
            problems.append(Problem(where, f"{unread(error)} (a JSON object was expected)"))


def _object(line: bytes) -> Mapping[str, Any]:
    if len(line) > LONGEST_LINE:
        raise ValueError(f"{len(line):,} bytes are too long for a line")
    found = json.loads(line.decode("utf-8"))
    if not isinstance(found, dict):
        raise ValueError(f"this is a {type(found).__name__}")
    return found


def text_at(row: Mapping[str, Any], key: str, most: int) -> str:
    """The text under a key: there, printable, and not too long."""
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise DataError(f"{key!r} should be a text, not {_told(value)}")
    if len(value) > most or not value.isprintable():
        raise DataError(f"{key!r} should be at most {most:,} printable characters")
    return value.strip()


def whole_at(row: Mapping[str, Any], key: str, low: int, high: int) -> int:
    """The whole number under a key, within its range."""
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise DataError(
            f"{key!r} should be a whole number from {low} to {high}, not {_told(value)}"
        )
    return value


def yes_at(row: Mapping[str, Any], key: str) -> bool:
    """The yes or no under a key."""
    value = row.get(key)
    if not isinstance(value, bool):
        raise DataError(f"{key!r} should be true or false, not {_told(value)}")
    return value


def number_at(row: Mapping[str, Any], key: str) -> float:
    """The finite number under a key."""
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(f"{key!r} should be a number, not {_told(value)}")
    if abs(value) > 1e9 or not math.isfinite(value):
        raise DataError(f"{key!r} should be a number of bearable size")
    return float(value)


def _told(value: Any) -> str:
    return "nothing" if value is None else repr(value)[:60]
