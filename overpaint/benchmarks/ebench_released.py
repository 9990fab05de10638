"""EBench's released lists: JSON lines in four files, whose rows are about the same edits.

`test_v.json` has quality, `test_e.json` alignment, `test_c.json` preservation and `test_yn.json`
the question. A row has a `query` with the instruction in it, a `response` with the score, and the
two `images`. Editors are anonymous (model00 …), tasks are numbers in the paths (H_00 …, L_00 …).
The four are read side by side; where they do not line up, nothing is believed.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple, NoReturn

from overpaint.engines.ebench.tasks import CODES
from overpaint.errors import DataError, unread

# Dimension -> the end of its file's name, and the words by which its queries ask for it.
DIMENSIONS: Mapping[str, tuple[str, str]] = {
    "quality": ("v", "visual quality"),
    "alignment": ("e", "editing correspondence"),
    "preservation": ("c", "attribute preservation"),
    "done": ("yn", "editing expectations"),
}
SPLITS = ("test", "train")
LARGEST = 256 * 2**20  # bytes of a list
LONGEST = 20_000  # characters of a line
SCORES = (-100.0, 200.0)  # an opinion score is about 0–100, and is not clamped
_INSTRUCTION = re.compile(r"prompt \[(.*)\], the source image", re.DOTALL)
_SCORE = re.compile(r"\W*the [a-z ]*score is ?(-?\d+(?:\.\d+)?)\W*", re.IGNORECASE)
_ANSWER = re.compile(r"\W*(yes|no)\W*", re.IGNORECASE)
_PLACE = re.compile(r"([^/\\]+)[/\\]([HL]_\d\d)_(\d+)\.\w+")


class Opinion(NamedTuple):
    """What people thought of an edit in one dimension: an opinion score, or yes (1) or no (0)."""

    sample: str
    editor: str
    dimension: str
    value: float


@dataclass(frozen=True)
class Row:
    """One edit as the four lists tell it; both pictures as the lists name them."""

    sample: str
    editor: str
    task: str
    split: str
    instruction: str
    source: str
    output: str
    scores: Mapping[str, float]  # by dimension


class _Line(NamedTuple):
    instruction: str
    images: tuple[str, str]
    value: float


def lists(folder: Path, split: str) -> dict[str, Path]:
    """Dimension -> its file, for those that are in the folder or in the folder `data` of it."""
    for place in (folder, folder / "data"):
        named = {name: place / f"{split}_{end}.json" for name, (end, _) in DIMENSIONS.items()}
        if found := {name: path for name, path in named.items() if path.is_file()}:
            return found
    return {}


def is_released(folder: Path) -> bool:
    """Whether any of the released lists is there."""
    return any(lists(folder, split) for split in SPLITS)


def read_rows(folder: Path) -> list[Row]:
    """The edits of a folder's lists; a DataError where they do not line up."""
    rows: list[Row] = []
    seen: dict[tuple[str, str], str] = {}
    for split in SPLITS:
        if not (files := lists(folder, split)):
            continue
        for number, row in enumerate(_aligned(files, split), 1):
            where = f"{split}, line {number}"
            if first := seen.get((row.sample, row.editor)):
                raise DataError(
                    f"{where}: {row.editor} edits {row.sample} twice; the first is {first}.",
                    "Each edit has one row in each list.",
                )
            seen[row.sample, row.editor] = where
            rows.append(row)
    return rows


def read_opinions(folder: Path) -> list[Opinion]:
    """What people thought of each released edit, in the three dimensions and the question."""
    if not is_released(folder):
        raise DataError(
            f"{folder} has none of EBench's released lists.",
            f"Expected are {', '.join(f'test_{end}.json' for end, _ in DIMENSIONS.values())}.",
        )
    return [
        Opinion(row.sample, row.editor, name, value)
        for row in read_rows(folder)
        for name, value in row.scores.items()
    ]


# ── four files side by side ─────────────────────────────────────────────────────────────


def _aligned(files: Mapping[str, Path], split: str) -> Iterator[Row]:
    if lacking := [f"{split}_{end}.json" for name, (end, _) in DIMENSIONS.items()
                   if name not in files]:  # fmt: skip
        raise DataError(
            f"{', '.join(lacking)} {'is' if len(lacking) == 1 else 'are'} not beside"
            f" {next(iter(files.values()))}.",
            "The released set has four lists whose rows are about the same edits.",
        )
    readers = [_lines(files[name], name) for name in DIMENSIONS]
    for number, lines in enumerate(zip_longest(*readers), 1):
        found: dict[str, _Line] = {}
        for name, line in zip(DIMENSIONS, lines, strict=True):
            if line is None:
                other = next(one for one, told in zip(DIMENSIONS, lines, strict=True) if told)
                _apart(files[name], number, f"it ends here, and {files[other].name} goes on")
            found[name] = line
        first_name = next(iter(found))
        first = found[first_name]
        for name, line in found.items():
            if line.images != first.images:
                _apart(
                    files[name], number, f"its pictures are not those of {files[first_name].name}"
                )
            if line.instruction != first.instruction:
                _apart(files[name], number, f"its prompt is not that of {files[first_name].name}")
        yield _row(files[first_name], number, found, split)


def _apart(path: Path, number: int, what: str) -> NoReturn:
    raise DataError(
        f"The lists do not line up. {path}, line {number}: {what}.",
        "Line by line, all four are about the same edit.",
        "Take the four files of one release as they are.",
    )


def _row(path: Path, number: int, found: Mapping[str, _Line], split: str) -> Row:
    line = next(iter(found.values()))
    places = [_PLACE.search(image[-200:]) for image in line.images]
    if not all(places):
        _fault(path, number, f"the paths {line.images} name no edit", "…/model00/H_00_04.jpg")
    source, output = (place.groups() for place in places if place)
    if source != output:
        _fault(path, number, f"source and target of {line.images} are not of one edit",
               "both end in the same editor and number")  # fmt: skip
    editor, code, item = output
    if code not in CODES:
        _fault(path, number, f"there is no task {code}", "H_00 to H_12 and L_00 to L_07")
    scores = {name: one.value for name, one in found.items()}
    return Row(f"{code}_{item}", editor, CODES[code], split, line.instruction, *line.images, scores)


# ── one file ────────────────────────────────────────────────────────────────────────────


def _lines(path: Path, dimension: str) -> Iterator[_Line]:
    """The rows of a list, each understood or refused."""
    for number, text in enumerate(_texts(path), 1):
        try:
            told = json.loads(text)
        except (ValueError, RecursionError) as error:
            _fault(path, number, f"it is no JSON ({unread(error)})", "one object a line")
        query, response, images = (
            told.get(key) if isinstance(told, dict) else None
            for key in ("query", "response", "images")
        )
        if not isinstance(query, str) or not isinstance(response, str):
            _fault(path, number, "it has no query and response", "query, response and images")
        yield _Line(
            _instruction(path, number, query, dimension),
            _images(path, number, images),
            _value(path, number, response, dimension),
        )


def _texts(path: Path) -> Iterator[str]:
    """The lines that are not empty; where some are, their numbers are of those that are not."""
    try:
        if path.stat().st_size > LARGEST:
            raise DataError(f"{path} has more than {LARGEST:,} bytes.", "The released have 2 MB.")
        with path.open(encoding="utf-8-sig") as file:
            while line := file.readline(LONGEST + 1):
                if len(line) > LONGEST:
                    raise DataError(f"{path} has a line of more than {LONGEST:,} letters.")
                if line.strip():
                    yield line
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}.") from None


def _instruction(path: Path, number: int, query: str, dimension: str) -> str:
    found = _INSTRUCTION.search(query)
    if not found or not found[1].strip():
        _fault(path, number, "its query has no prompt", "… prompt [WORDS], the source image …")
    asked = [name for name, (_, words) in DIMENSIONS.items() if words in query[found.end() :]]
    if asked and dimension not in asked:
        _fault(path, number, f"it asks for {asked[0]}", f"this file is of {dimension}")
    words = "".join(letter if letter.isprintable() else " " for letter in found[1])
    return " ".join(words.split())


def _images(path: Path, number: int, images: object) -> tuple[str, str]:
    named = images if isinstance(images, list) else []
    if len(named) != 2 or not all(isinstance(one, str) for one in named):
        _fault(path, number, "its images are not two paths", "[source, target]")
    source, output = named
    return source, output


def _value(path: Path, number: int, response: str, dimension: str) -> float:
    if dimension == "done":
        if answer := _ANSWER.fullmatch(response):
            return float(answer[1].lower() == "yes")
        _fault(path, number, f"{response[:60]!r} is no answer", "Yes or No")
    found = _SCORE.fullmatch(response[:200])
    value = float(found[1]) if found else None
    if value is None or not SCORES[0] <= value <= SCORES[1]:
        _fault(path, number, f"{response[:60]!r} has no opinion score",
               "The quality score is 48.95")  # fmt: skip
    return value


def _fault(path: Path, number: int, wrong: str, right: str) -> NoReturn:
    raise DataError(f"{path}, line {number}: {wrong}.", f"Expected: {right}.")
