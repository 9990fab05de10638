"""People's ratings as a measure: `human:ratings.csv[;dimension=IF][;scale=1-5]`.

The file has the columns sample, editor, rater and value, and may have dimension. An edit's score
is the mean of its ratings; one that nobody rated is outside the count. So a judge is compared with
people by arithmetic on two columns.
"""

import csv
import hashlib
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NoReturn

from overpaint.core import Edit, Evidence, Found, Measure, each
from overpaint.errors import NotApplicable, UserMistake
from overpaint.measures.rubric_scale import read_scale

LARGEST = 64 * 2**20  # bytes of a file of ratings
NEEDED = ("sample", "editor", "rater", "value")
FORM = "It is human:FILE.csv[;dimension=NAME][;scale=LOW-HIGH]."
_SETTINGS = re.compile(r"(.*?)((?:;(?:dimension|scale)=[^;]+)*)", re.DOTALL)
_NAME = re.compile(r"[\w .+-]{1,40}")
LARGEST_VALUE = 1e9  # of a rating; no scale goes that far


@dataclass(frozen=True)
class Ratings:
    """What people said: for each (sample, editor) the value each rater gave."""

    of: Mapping[tuple[str, str], Mapping[str, float]]
    digest: str = field(default="", compare=False)

    @property
    def raters(self) -> int:
        """How many people rated anything."""
        return len({rater for given in self.of.values() for rater in given})

    @property
    def count(self) -> int:
        """How many ratings there are."""
        return sum(len(given) for given in self.of.values())


def human(argument: str) -> Measure:
    """The measure behind `human:ARGUMENT`."""
    path, dimension, scale = read_argument(argument)
    found = ratings(path, dimension, scale)
    name = f"{dimension}@people" if dimension else "human"

    def mean(edit: Edit, evidence: Evidence) -> Found:
        given = found.of.get((edit.sample.id, edit.editor))
        if not given:
            raise NotApplicable("Nobody rated this edit.")
        values = [given[rater] for rater in sorted(given)]
        spread = f"from {min(values):g} to {max(values):g}" if len(values) > 1 else "alone"
        people = "1 rater" if len(values) == 1 else f"{len(values)} raters, {spread}"
        return Found(math.fsum(values) / len(values), (people,))

    worst, best = scale or (None, None)
    told = f"{found.count:,} ratings by {found.raters:,} people, {path.name}"
    return Measure(
        name, each(name, mean), higher_is_better=True, worst=worst, best=best,
        version=found.digest[:12], about=f"Mean of people's ratings: {told}.",
    )  # fmt: skip


def read_argument(argument: str) -> tuple[Path, str, tuple[float, float] | None]:
    """The file, the dimension and the ends of the scale that an argument names."""
    match = _SETTINGS.fullmatch(argument)
    assert match is not None  # it takes any text
    if not match[1].strip():
        raise UserMistake("No file of ratings was named.", FORM)
    settings = dict(part.split("=", 1) for part in match[2].split(";") if part)
    dimension = settings.get("dimension", "")
    if dimension and not _NAME.fullmatch(dimension):
        raise UserMistake(f"{dimension[:60]!r} is no name of a dimension.", FORM)
    return Path(match[1]), dimension, _ends(settings.get("scale", ""))


def _ends(text: str) -> tuple[float, float] | None:
    if not text:
        return None
    found = read_scale(f"{text} any")
    if found is None:
        raise UserMistake(f"The scale {text!r} of the ratings is not understood.", "Write 1-5.")
    return found.low, found.high


@lru_cache(maxsize=8)
def ratings(path: Path, dimension: str, scale: tuple[float, float] | None) -> Ratings:
    """The ratings of that dimension in a file; a UserMistake names the line that is wrong."""
    data = _read(path)
    rows = list(_rows(path, data))
    named = {row["dimension"] for _, row in rows}
    wanted = dimension or (named.pop() if len(named) == 1 else "")  # the only one there is
    found: dict[tuple[str, str], dict[str, float]] = {}
    others: dict[str, None] = {}
    for line, row in rows:
        if row["dimension"] != wanted:
            others[row["dimension"]] = None
            continue
        given = found.setdefault((row["sample"], row["editor"]), {})
        if row["rater"] in given:
            wrong = f"{row['rater']} rates {row['editor']} on {row['sample']} twice."
            _fault(path, line, wrong, "A rater gives an edit one value.")
        given[row["rater"]] = _value(path, line, row["value"], scale)
    if not found:
        known = ", ".join(name or "none" for name in others)
        raise UserMistake(
            f"{path} has no ratings of {dimension or 'no dimension'}.",
            f"Its dimensions: {known}." if others else "It has no rows.",
            f"human:{path};dimension=NAME" if others else "",
        )
    return Ratings(found, hashlib.sha256(data).hexdigest())


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UserMistake(
            f"The ratings {path} cannot be read: {error.strerror}.", FORM,
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
                    _fault(path, lines.line_num, wrong, "Every line has as many as the first.")
                named = {head: cell.strip() for head, cell in zip(heads, row, strict=True)}
                if empty := [name for name in NEEDED if not named[name]]:
                    right = f"Every line has {', '.join(NEEDED)}."
                    _fault(path, lines.line_num, f"it has no {empty[0]}.", right)
                yield lines.line_num, {"dimension": ""} | named
    except csv.Error as error:
        _fault(path, lines.line_num, f"it is no CSV: {error}.", "Every line is a row of CSV.")


def _check_heads(path: Path, heads: Sequence[str]) -> None:
    lacking = [name for name in NEEDED if name not in heads]
    if lacking or len(set(heads)) < len(heads):
        wrong = f"no column {', '.join(lacking)}" if lacking else "two columns of one name"
        raise UserMistake(
            f"The first line of {path} has {wrong}.",
            f"Expected are {', '.join(NEEDED)}, and dimension where there are several.",
        )


def _value(path: Path, line: int, text: str, scale: tuple[float, float] | None) -> float:
    try:
        value = float(text) if len(text) < 40 else math.nan
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST_VALUE:
        _fault(path, line, f"the value {text[:40]!r} is no number.", "It is one, such as 4 or 3.5.")
    if scale and not scale[0] <= value <= scale[1]:
        ends = f"{scale[0]:g} to {scale[1]:g}"
        _fault(path, line, f"{value:g} is not on the scale.", f"The scale is from {ends}.")
    return value


def _fault(path: Path, line: int, wrong: str, right: str) -> NoReturn:
    raise UserMistake(f"Line {line} of {path}: {wrong}", right, "Mend that line and try again.")
