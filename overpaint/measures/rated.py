"""Rows of people's ratings as CSV: read strictly, and written so that no spreadsheet runs them.

The columns are sample, editor, rater, value, and where they are needed dimension, against (the
value is then a vote: 1 for the editor, 0 for the other, 0.5 for neither), x, y, width and height
(a box in percent of the picture, without a value), seconds and comment. Others are left alone.
"""

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from overpaint.document import regular
from overpaint.errors import UserMistake

LARGEST = 64 * 2**20  # bytes of a file of ratings
LONGEST = 1_000  # letters of a name
LARGEST_VALUE = 1e9  # of a rating; no scale goes that far
NEEDED = ("sample", "editor", "rater", "value")
BOX = ("x", "y", "width", "height")
VOTES = (1.0, 0.5, 0.0)
ROOM = 1e-6  # percent by which a box may stand out, for numbers that were rounded

# What a spreadsheet takes for a formula, with the quotes that keep it from that.
_FORMULA = re.compile(r"[\s']*[=+\-@\t\r\n]")
_QUOTED = re.compile(r"'([\s']*[=+\-@\t\r\n].*)", re.DOTALL)


class Box(NamedTuple):
    """A part of a picture, in percent of it."""

    x: float
    y: float
    width: float
    height: float


class Rating(NamedTuple):
    """What one person said of one edit; `value` is None only where they drew a box."""

    sample: str
    editor: str
    rater: str
    dimension: str
    value: float | None
    against: str = ""  # the other editor, where the value is a vote
    box: Box | None = None
    seconds: float | None = None
    comment: str = ""
    line: int = 0  # of the file it was read from


# ── reading ─────────────────────────────────────────────────────────────────────────────


def read_ratings(path: Path, form: str = "") -> tuple[list[Rating], bytes]:
    """Every rating in a file, and the file's bytes; a UserMistake names the line that is wrong."""
    data = read_bytes(path, form)
    return [_rating(path, line, row) for line, row in _rows(path, data)], data


def read_bytes(path: Path, form: str = "") -> bytes:
    """A file of ratings, which has a size that ratings can have."""
    try:
        with regular.opened(path) as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UserMistake(
            f"The ratings {path} cannot be read: {error.strerror}.", form,
            "Name a file that is there and that you may read.",
        ) from None  # fmt: skip
    if len(data) > LARGEST:
        raise UserMistake(
            f"The ratings {path} are too large.", f"At most {LARGEST:,} bytes are read.",
            "Leave out what was rated elsewhere, or give each dimension a file of its own.",
        )  # fmt: skip
    return data


def _rows(path: Path, data: bytes) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Line and columns of each row that is not empty."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserMistake(
            f"The ratings {path} are not UTF-8, from byte {error.start}.",
            "A table of ratings is CSV in UTF-8.", "Save it again in that encoding.",
        ) from None  # fmt: skip
    lines = csv.reader(io.StringIO(text, newline=""))
    try:
        heads = [head.strip().casefold() for head in next(lines, [])]
        _check_heads(path, heads)
        for row in lines:
            if any(cell.strip() for cell in row):
                if len(row) != len(heads):
                    wrong = f"it has {len(row)} columns, the first line {len(heads)}."
                    fault(path, lines.line_num, wrong, "Every line has as many as the first.")
                cells = (unquoted(cell).strip() for cell in row)
                yield lines.line_num, dict(zip(heads, cells, strict=True))
    except csv.Error as error:
        fault(path, lines.line_num, f"it is no CSV: {error}.", "Every line is a row of CSV.")


def _check_heads(path: Path, heads: Sequence[str]) -> None:
    lacking = [name for name in NEEDED if name not in heads]
    if lacking or len(set(heads)) < len(heads):
        wrong = f"no column {', '.join(lacking)}" if lacking else "two columns of one name"
        raise UserMistake(
            f"The first line of {path} has {wrong}." if heads else f"{path} is empty.",
            f"Expected are {', '.join(NEEDED)}, and dimension where there are several.",
        )


def _rating(path: Path, line: int, row: Mapping[str, str]) -> Rating:
    box = _box(path, line, row)
    needed = NEEDED[:-1] if box else NEEDED
    if empty := [name for name in needed if not row[name]]:
        fault(path, line, f"it has no {empty[0]}.", f"Every line has {', '.join(NEEDED)}.")
    dimension, against = row.get("dimension", ""), row.get("against", "")
    names = (row["sample"], row["editor"], row["rater"], dimension, against)
    if long := [name for name in names if len(name) > LONGEST]:
        right = f"Names have at most {LONGEST:,} letters."
        fault(path, line, f"{long[0][:40]!r} … is too long.", right)
    value = None if box else number(path, line, row["value"])
    if against and value not in VOTES:
        told = "a box" if box else row["value"][:40]
        fault(path, line, f"{told} is no vote.", "A line with `against` has 1, 0.5 or 0.")
    if against and against == row["editor"]:
        fault(path, line, f"{against[:40]} is held against itself.", "A vote is on two editors.")
    seconds = row.get("seconds", "")
    return Rating(
        row["sample"], row["editor"], row["rater"], dimension, value, against, box,
        number(path, line, seconds) if seconds else None, row.get("comment", ""), line,
    )  # fmt: skip


def _box(path: Path, line: int, row: Mapping[str, str]) -> Box | None:
    told = [row.get(name, "") for name in BOX]
    if not any(told):
        return None
    if not all(told) or row["value"]:
        wrong = "it has a value and a box." if all(told) else f"its box has no {_lacking(told)}."
        fault(path, line, wrong, f"A box is {', '.join(BOX)}, and has no value beside it.")
    return checked_box(path, line, [number(path, line, text) for text in told])


def _lacking(told: Sequence[str]) -> str:
    return next(name for name, text in zip(BOX, told, strict=True) if not text)


def checked_box(path: Path, line: int, told: Sequence[float]) -> Box:
    """The box, which lies in its picture and has a size."""
    box = Box(*told)
    ends = (box.x + box.width, box.y + box.height)
    if min(box[:2]) < -ROOM or max(ends) > 100 + ROOM or min(box[2:]) <= 0:
        wrong = f"the box {', '.join(f'{side:g}' for side in box)} is not in the picture."
        fault(path, line, wrong, "A box is in percent of its picture.")
    return box


def number(path: Path, line: int, text: str) -> float:
    """A finite number that a rating can be."""
    try:
        value = float(text) if len(text) < 40 else math.nan
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST_VALUE:
        fault(path, line, f"the value {text[:40]!r} is no number.", "It is one, such as 4 or 3.5.")
    return value


def fault(path: Path, line: int, wrong: str, right: str) -> NoReturn:
    """Refuse a file for one of its lines."""
    raise UserMistake(f"Line {line} of {path}: {wrong}", right, "Mend that line and try again.")


# ── writing ─────────────────────────────────────────────────────────────────────────────


def write_ratings(
    ratings: Iterable[Rating], *, seconds: bool = False, comments: bool = False
) -> str:
    """Ratings as the CSV that `read_ratings` reads, with the columns that they need."""
    rows = list(ratings)
    paired, boxed = any(row.against for row in rows), any(row.box for row in rows)
    heads = ["sample", "editor", "rater", "dimension", "value"]
    heads += ["against"] * paired + [*BOX] * boxed + ["seconds"] * seconds + ["comment"] * comments
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    for row in rows:
        cells: list[Any] = [row.sample, row.editor, row.rater, row.dimension, row.value]
        cells += [row.against] * paired
        cells += [*(row.box or [None] * len(BOX))] * boxed
        cells += [row.seconds] * seconds + [row.comment] * comments
        writer.writerow([_written(cell) for cell in cells])
    return out.getvalue()


def _written(cell: Any) -> Any:
    """Numbers in full and without a needless point, text that is no formula."""
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() else repr(cell)
    return quoted(cell) if isinstance(cell, str) else cell


def quoted(text: str) -> str:
    """Text that no spreadsheet takes for a formula: such a one gets a ' before it."""
    return f"'{text}" if _FORMULA.match(text) else text


def unquoted(text: str) -> str:
    """What `quoted` made its text of."""
    match = _QUOTED.fullmatch(text)
    return match[1] if match else text
