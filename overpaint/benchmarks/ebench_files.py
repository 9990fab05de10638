"""EBench sets on disk: a folder of one's own with a list of edits, or the released lists.

A list is one of `LISTS`; each entry has a source picture, a task and an instruction, and may have
both descriptions and a target. Nothing here trusts a file: what cannot be used is left out and
leaves a repair, and no path leads out of the folder.
"""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overpaint.benchmarks.ebench_released import DIMENSIONS, Row, is_released, read_rows
from overpaint.core import Repair
from overpaint.document import regular
from overpaint.document.pictures import is_there, read_size
from overpaint.engines.ebench.tasks import CODES, TASKS
from overpaint.errors import DataError, PictureError, UserMistake, unread

LISTS = ("metadata.jsonl", "metadata.csv", "tasks.csv", "tasks.jsonl", "samples.json")
LARGEST = 256 * 2**20  # bytes of a list
LONGEST_PATH, LONGEST_TEXT = 1_000, 10_000  # characters
# What fields may be called; the first is what we call them.
NAMES: Mapping[str, tuple[str, ...]] = {
    "source": ("source", "source_image", "image", "file_name", "input"),
    "target": ("target", "target_image", "truth"),
    "instruction": ("instruction", "prompt", "edit_instruction"),
    "source_description": ("source_description", "source_prompt", "source_caption"),
    "target_description": ("target_description", "target_prompt", "target_caption"),
    "task": ("task", "edit_type", "category"),
}
PATHS = ("source", "target")
OTHER_NAMES = {"colour": "color", "weather": "weather_season", "season": "weather_season",
               "low_light_enhancement": "low_light", "count": "counting"}  # fmt: skip
TOLD = "Each entry has source, task and instruction; both descriptions and a target may be there."


@dataclass(frozen=True)
class Entry:
    """One edit that is asked for."""

    id: str
    source: Path
    target: Path | None
    task: str  # of the 21, or nothing
    instruction: str
    source_description: str = ""
    target_description: str = ""
    level: str = ""  # 1–3, of a known degradation
    strength: float | None = None  # the same as a number
    cluster: str = ""
    split: str = ""


def read_entries(data: Path, log: list[Repair]) -> tuple[list[Entry], int]:
    """The edits that a folder asks for, and of how many lists."""
    if not is_there(data, "folder"):
        raise UserMistake(
            f"{data} is not there, or is no folder.", _expected(),
            "Leave --data away for the built-in set.",
        )  # fmt: skip
    if found := next((data / name for name in LISTS if is_there(data / name, "file")), None):
        return list(_own(data, found, log)), 1
    if is_released(data):
        rows = read_rows(data)
        return _released(data, rows, log), len(DIMENSIONS)
    raise UserMistake(
        f"{data} has no list of edits.", _expected(), "Leave --data away for the built-in set."
    )


def _expected() -> str:
    released = ", ".join(f"test_{end}.json" for end, _ in DIMENSIONS.values())
    return f"Expected is one of {', '.join(LISTS)}, or the released {released}. {TOLD}"


# ── a folder of one's own ───────────────────────────────────────────────────────────────


def _own(folder: Path, path: Path, log: list[Repair]) -> Iterator[Entry]:
    taken: set[str] = set()
    for where, told in _told(path, log):
        try:
            entry = _entry(folder, told, where, log)
            if entry.id in taken:
                raise DataError(f"its id {entry.id!r} is taken already.")
        except (DataError, PictureError) as error:
            log.append(Repair(where, "unreadable", f"Left out: {error}"))
            continue
        taken.add(entry.id)
        yield entry


def _told(path: Path, log: list[Repair]) -> Iterator[tuple[str, object]]:
    """Each entry of a list and where it stands; a line that is none leaves a repair."""
    text = _text(path)
    if path.suffix == ".csv":
        yield from _of_csv(path, text)
    elif path.suffix == ".json":
        found = _parsed(text, str(path))
        if not isinstance(found, list):
            raise DataError(f"{path} holds a {type(found).__name__}.", "A list was expected.")
        yield from ((f"{path.name}[{place}]", one) for place, one in enumerate(found))
    else:
        for number, line in enumerate(text.split("\n"), 1):
            where = f"{path.name}, line {number}"
            if line.strip():
                try:
                    yield where, _parsed(line, where)
                except DataError as error:
                    log.append(Repair(where, "unreadable", f"Left out: {error}"))


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise DataError(f"{path} has more than {LARGEST:,} bytes.")
        return regular.read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}.", "A list is UTF-8.") from None


def _parsed(text: str, where: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where} is no JSON ({unread(error)}).") from None


def _of_csv(path: Path, text: str) -> Iterator[tuple[str, object]]:
    lines = csv.reader(io.StringIO(text, newline=""))
    try:
        heads = [head.strip().casefold() for head in next(lines, [])]
        if not set(heads) & set(NAMES["source"]):
            raise DataError(f"The first line of {path} has no column source.", TOLD)
        for row in lines:
            if any(cell.strip() for cell in row):
                yield f"{path.name}, line {lines.line_num}", dict(zip(heads, row, strict=False))
    except csv.Error as error:
        raise DataError(f"{path}, line {lines.line_num}, is no CSV: {error}.") from None


def _entry(folder: Path, told: object, where: str, log: list[Repair]) -> Entry:
    if not isinstance(told, dict):
        raise DataError(f"it is a {type(told).__name__}, not an object.")
    texts = {name: _clean(_field(told, name)) for name in NAMES if name not in PATHS}
    if not texts["instruction"]:
        raise DataError("it has no instruction.", TOLD)
    source = _path(folder, _field(told, "source"), "source")
    read_size(source)  # found out now, not in every row of a run
    given = _field(told, "target")
    target = _path(folder, given, "target") if given else None
    if not (task := _task(texts["task"])):
        did = f"{texts['task'][:60]!r} is none of the 21; it is kept without one."
        log.append(Repair(where, "unknown task", did))
    level, strength = str(told.get("level") or ""), told.get("strength")
    return Entry(
        _clean(told.get("id"))[:200] or source.relative_to(folder).with_suffix("").as_posix(),
        source, target, task, texts["instruction"], texts["source_description"],
        texts["target_description"], level if level in ("1", "2", "3") else "",
        strength if isinstance(strength, float) and 0 <= strength <= 1 else None,
        _clean(told.get("cluster"))[:200],
    )  # fmt: skip


def _field(told: Mapping[str, Any], name: str) -> object:
    return next((told[key] for key in NAMES[name] if told.get(key)), "")


def _task(text: str) -> str:
    """The paper's name of a task, whatever its spelling; nothing where it is none of the 21."""
    if text.upper() in CODES:
        return CODES[text.upper()]
    name = re.sub(r"[\W_]+", "_", text.casefold()).strip("_")
    name = OTHER_NAMES.get(name, name)
    return name if name in TASKS else ""


def _clean(value: object) -> str:
    text = value if isinstance(value, str) else ""
    if len(text) > LONGEST_TEXT:
        raise DataError(f"a text of it has {len(text):,} letters; {LONGEST_TEXT:,} are taken.")
    return "".join(letter for letter in text if letter.isprintable() or letter == "\n").strip()


def _path(folder: Path, text: object, what: str) -> Path:
    """The file that a field names, which stays below the folder."""
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST_PATH:
        raise DataError(f"its {what} is no path.")
    path = folder / text.replace("\\", "/")
    if not is_there(path, "file"):
        raise DataError(f"its {what} {text[:120]!r} is not there.")
    if not path.resolve().is_relative_to(folder.resolve()):
        raise DataError(f"its {what} {text[:120]!r} leads out of the folder.")
    return path


# ── the released lists ──────────────────────────────────────────────────────────────────


def _released(folder: Path, rows: list[Row], log: list[Repair]) -> list[Entry]:
    """The samples of the released lists whose source is there; outputs are the editors'."""
    entries: dict[str, Entry] = {}
    lacking, outputs = Counter[str](), Counter[str]()
    missing: dict[str, str] = {}
    for row in rows:
        outputs[row.editor] += 1
        lacking[row.editor] += _below(folder, row.output) is None
        if row.sample in entries:
            known = entries[row.sample].instruction
            if row.instruction != known:
                did = f"{row.editor} was asked {row.instruction[:80]!r}; {known[:80]!r} is kept."
                log.append(Repair(row.sample, "other instruction", did))
        elif source := _below(folder, row.source):
            entries[row.sample] = Entry(row.sample, source, None, row.task, row.instruction,
                                        cluster=row.sample, split=row.split)  # fmt: skip
        else:
            missing.setdefault(row.sample, row.source)
    for sample, name in missing.items():
        if sample not in entries:
            did = f"Left out: its source {name[-120:]!r} is not there."
            log.append(Repair(sample, "missing picture", did))
    for editor, count in lacking.items():
        if count:
            did = f"{count} of {outputs[editor]} outputs are not there, and will count as missing."
            log.append(Repair(editor, "missing outputs", did))
    if not entries:
        raise UserMistake(
            f"{folder} has EBench's lists and none of the {len(missing):,} sources they name.",
            f"{_tail(next(iter(missing.values()), ''))} and so on were expected below it.",
            "Put the released pictures there; for people's scores alone no picture is needed.",
        )
    return list(entries.values())


def _tail(name: str) -> str:
    return "/".join(_parts(name)[-3:])


def _parts(name: str) -> list[str]:
    """The parts of a path, without what leads up or nowhere."""
    return [one for one in re.split(r"[\\/]+", name[-LONGEST_PATH:]) if one not in ("", ".", "..")]


def _below(folder: Path, name: str) -> Path | None:
    """The file that a list names by its path on another machine, found by the end of it."""
    parts = _parts(name)
    for start in range(max(0, len(parts) - 6), len(parts) - 1):
        path = folder.joinpath(*parts[start:])
        if is_there(path, "file") and path.resolve().is_relative_to(folder.resolve()):
            return path
    return None
