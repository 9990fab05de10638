"""VDE Bench on disk: the lists of samples, the boxes in percent, the OCR files.

Nothing here trusts a file. What cannot be understood is left out and leaves a repair; a path
that leads out of the data folder is never opened.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from overpaint.core import Repair
from overpaint.document import regular
from overpaint.errors import DataError, UserMistake, unread
from overpaint.vision.page import Box

BYTES_LIMIT = 256_000_000  # the release's largest list is a few megabytes
FILES_LIMIT = 200_000
BLOCKS_LIMIT = 20_000  # of one page
LONGEST_PATH, LONGEST_INSTRUCTION = 1_000, 10_000  # characters
# How the release, the paper and its scripts spell what is done, beside our own spelling.
_VERBS = {
    "structur": "structure edit", "delet": "deletion", "remov": "deletion", "add": "addition",
    "insert": "addition", "replac": "replacement", "modif": "replacement", "edit": "replacement",
    "chang": "replacement",
}  # fmt: skip
_LANGUAGES = {
    "english": "english", "en": "english", "chinese": "chinese", "zh": "chinese",
    "simplified_chinese": "chinese", "mixed": "mixed", "en_ch_mixed": "mixed",
}  # fmt: skip
# What the release's OCR files append to the picture's name.
_TAILS = ("", "_0", "_modified", "_modified_0", "_merged_0_0", "_res")


@dataclass(frozen=True)
class Entry:
    """One sample as its list tells it; paths are below the data folder."""

    id: str
    source: Path
    target: Path
    instruction: str
    kind: str
    language: str
    document: str
    regions: tuple[Box, ...]  # in percent of the edited picture
    size: tuple[float, float] | None  # the edited picture's, where the list tells it
    names: tuple[str, ...]


def find_lists(data: Path) -> list[Path]:
    """The JSON files of the folder that may be lists of samples: its own, none of its folders'."""
    if data.is_file():
        return [data]
    if not data.is_dir():
        raise UserMistake(
            f"{data} is not there.",
            "A folder with VDE Bench's JSON lists and pictures was expected.",
            "Leave --data away for the built-in set, or make one with `overpaint build vde`.",
        )
    return sorted(path for path in data.glob("*.json") if path.is_file())


def read_list(path: Path, log: list[Repair]) -> list[Entry]:
    """The samples of one list; what is no sample is left out with a repair."""
    found = read_json(path)
    if not isinstance(found, list):
        return []
    entries = []
    for place, item in enumerate(found):
        where = f"{path.name}[{place}]"
        try:
            entries.append(_entry(path.parent, item, where, log))
        except DataError as error:
            log.append(Repair(where, "unreadable", f"Left out: {error}"))
    return entries


def read_json(path: Path) -> Any:
    """What a JSON file holds."""
    try:
        if path.stat().st_size > BYTES_LIMIT:
            raise DataError(f"{path.name} has {path.stat().st_size:,} bytes.", "That is no list.")
        # NaN and Infinity are no JSON and no numbers: nothing, not a reason to drop the file.
        return json.loads(regular.read(path), parse_constant=lambda name: None)
    except OSError as error:
        raise DataError(f"{path.name} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path.name} is no JSON: {unread(error)}.") from None


class OcrFiles:
    """The OCR results below a folder, by the name of the picture they belong to."""

    def __init__(self, data: Path) -> None:
        self._paths: dict[tuple[str, bool], Path] = {}
        folder = data if data.is_dir() else data.parent
        for number, path in enumerate(sorted(folder.glob("*/**/*.json"))):
            if number == FILES_LIMIT:
                raise DataError(f"{folder} holds more than {FILES_LIMIT:,} JSON files.")
            if _inside(path, folder) and path.is_file():
                local = "local" in path.relative_to(folder).parts[0]
                self._paths.setdefault((path.stem, local), path)

    def __len__(self) -> int:
        return len(self._paths)

    def of(self, entry: Entry, *, local: bool) -> Path | None:
        """The OCR file of the sample's truth, of its region where `local`."""
        stems = (entry.id, entry.target.name, entry.target.stem, entry.source.stem)
        tried = (stem + tail for stem in stems for tail in _TAILS)
        return next(
            (self._paths[stem, local] for stem in tried if (stem, local) in self._paths), None
        )


# ── one entry ───────────────────────────────────────────────────────────────────────────


def _entry(folder: Path, item: object, where: str, log: list[Repair]) -> Entry:
    if not isinstance(item, Mapping):
        raise DataError(f"it is a {type(item).__name__}, not an object.")
    source, target = (_below(folder, item, key) for key in ("image_input", "image_output"))
    name = _text(item.get("id")) or target.stem
    kind, language = _kind(item, where, log), _language(item, where, log)
    labels = item.get("label_output")
    labels = labels if isinstance(labels, list) else []
    regions = tuple(box for label in labels if (box := _region(label)))
    if not regions:
        log.append(Repair(where, "no box", "It has no local scores."))
    instruction = item.get("instruction")
    if not isinstance(instruction, str) or not instruction.strip():
        raise DataError("it has no instruction.")
    if len(instruction) > LONGEST_INSTRUCTION:
        raise DataError(f"its instruction has {len(instruction):,} characters.")
    return Entry(
        name, source, target, instruction.strip(), kind, language,
        _text(item.get("data_source")) or "unknown", regions, _size(labels),
        tuple(dict.fromkeys((name, target.stem, source.stem))),
    )  # fmt: skip


def _below(folder: Path, item: Mapping[str, Any], key: str) -> Path:
    """The picture a field names, which must be below the folder."""
    text = item.get(key)
    if not isinstance(text, str) or not 0 < len(text.strip()) <= LONGEST_PATH or "\0" in text:
        raise DataError(f"it has no {key}.")
    path = folder / text.strip()
    if not _inside(path, folder):
        raise DataError(f"its {key} {text[:80]!r} leads out of the folder, or nowhere.")
    return path


def _inside(path: Path, folder: Path) -> bool:
    """Whether a path stays below the folder, links followed."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (ValueError, OSError, RuntimeError):  # letters no path has; a link to itself
        return False


def _text(value: object) -> str:
    """A short text or number as text that prints; anything else is nothing."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return "".join(letter for letter in str(value).strip()[:200] if letter.isprintable())


def _kind(item: Mapping[str, Any], where: str, log: list[Repair]) -> str:
    """The instruction type in our spelling; the key has a space in the release."""
    raw = _text(item.get("instruction type") or item.get("edit_type"))
    lowered = raw.lower()
    verb = next((verb for part, verb in _VERBS.items() if part in lowered), None)
    if verb is None:
        log.append(Repair(where, "unknown type", f"{raw[:60]!r} is none of the seven."))
        return "unknown"
    on_table = "table" in lowered or verb == "structure edit"
    return f"{'table' if on_table else 'text'} {verb}"


def _language(item: Mapping[str, Any], where: str, log: list[Repair]) -> str:
    raw = _text(item.get("language"))
    known = _LANGUAGES.get(re.sub(r"[\s-]+", "_", raw.lower()))
    if known is None:
        log.append(Repair(where, "unknown language", f"{raw[:60]!r} was kept as it is."))
    return known or raw or "unknown"


def _region(label: object) -> Box | None:
    """A box in percent, clipped to the picture; None where it is none."""
    if not isinstance(label, Mapping):
        return None
    numbers = [_number(label.get(key)) for key in ("x", "y", "width", "height")]
    if any(number is None for number in numbers):
        return None
    x, y, width, height = (float(number) for number in numbers if number is not None)
    box = (max(x, 0.0), max(y, 0.0), min(x + width, 100.0), min(y + height, 100.0))
    return box if box[2] > box[0] and box[3] > box[1] else None


def _size(labels: Sequence[object]) -> tuple[float, float] | None:
    for label in labels:
        if isinstance(label, Mapping):
            sides = (_number(label.get("original_width")), _number(label.get("original_height")))
            if sides[0] and sides[1] and min(sides[0], sides[1]) >= 1:
                return (sides[0], sides[1])
    return None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e9 else None  # so is no NaN, nor an endless integer


def unique(entries: Sequence[Entry], log: list[Repair]) -> Iterator[tuple[str, Entry]]:
    """Each entry with an id of its own: the release numbers its lists separately."""
    taken, numbers = set[str](), defaultdict[str, Iterator[int]](lambda: count(2))
    for entry in entries:
        name = entry.id
        while name in taken:
            name = f"{entry.id}#{next(numbers[entry.id])}"
        if name != entry.id:
            log.append(Repair(entry.id, "duplicate id", f"Called {name}."))
        taken.add(name)
        yield name, entry
