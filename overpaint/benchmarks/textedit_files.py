"""TextEditBench on disk: its folders walked, its annotations read.

Nothing here trusts a file. An annotation that cannot be understood is a `DataError`; a path or
a link that leaves its folder is never opened; everything mended leaves a note.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from overpaint.core import Repair
from overpaint.document import regular
from overpaint.document.pictures import SUFFIXES
from overpaint.errors import DataError, UserMistake, unread

MANUAL, WEB = "data_manual_production", "data_web-sourced_instances"
SPLITS = {MANUAL: "synthetic", WEB: "real-world"}
FIELDS = (
    "id", "topic", "prompt", "editing_method", "difficulty", "difficulty_score",
    "input_image", "output_image", "source_tag", "knowledge_prompt",
)  # fmt: skip
OPTIONAL = ("output_image", "knowledge_prompt")

# Annotations are under 3 kB; what is a thousand times that is no annotation.
BYTES_LIMIT = 2_000_000
SEARCH_DEPTH = 3
SEARCH_FOLDERS = 5_000
KEYS_COMPARED = 40

Note = tuple[str, str]  # kind of repair, what was done

# White space that people type by accident and JSON does not know, wherever it is no text. The
# closing quote is optional so that text without one is passed over once, not once per quote.
_STRING_OR_ODD_SPACE = re.compile(
    r'"(?:[^"\\]|\\.)*"?|[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff]', re.DOTALL
)
# What neither a database nor a command line can carry: lone surrogates and control characters.
_UNWRITABLE = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


# ── where the data is ───────────────────────────────────────────────────────────────────


def find_tree(data: Path | None) -> tuple[Path, tuple[str, ...]]:
    """The folder that holds the splits, and the splits to read there."""
    expected = f"A folder that holds {MANUAL}/ and {WEB}/ was expected."
    if data is None:
        raise UserMistake(
            "TextEditBench does not come with Overpaint; it has to be downloaded.",
            expected,
            "Give that folder with --data FOLDER.",
        )
    if not data.is_dir():
        raise UserMistake(f"{data} is {'no folder' if data.exists() else 'not there'}.", expected)
    for spelt in (data.absolute(), data.resolve()):
        if spelt.name in SPLITS:
            return spelt.parent, (spelt.name,)
    trees = [data] if _splits_in(data) else sorted(_trees_below(data))
    if len(trees) != 1:
        seen = f"holds {len(trees) or 'no'} TextEditBench trees"
        named = f" ({', '.join(str(tree) for tree in trees[:4])})" if trees else ""
        raise UserMistake(f"{data} {seen}{named}.", expected, "Give that folder with --data.")
    return trees[0], _splits_in(trees[0])


def _splits_in(folder: Path) -> tuple[str, ...]:
    return tuple(split for split in SPLITS if (folder / split).is_dir())


def _trees_below(data: Path) -> set[Path]:
    """Folders a few levels down that hold a split; the search is bounded, not exhaustive."""
    found, level, looked = set(), [data], 0
    for _ in range(SEARCH_DEPTH):
        level = [below for folder in level for below in _folders_in(folder)]
        looked += len(level)
        if looked > SEARCH_FOLDERS:
            break
        found |= {folder for folder in level if _splits_in(folder)}
        level = [folder for folder in level if folder not in found]
    return found


def _folders_in(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [Path(e.path) for e in entries if e.is_dir(follow_symlinks=False)]
    except OSError:
        return []


# ── folders ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Folder:
    """One folder of the tree and what it safely holds, under the names files really have."""

    path: Path
    where: str  # split and path below it: the identity of a sample
    annotations: tuple[str, ...]
    pictures: tuple[str, ...]
    refused: tuple[str, ...] = ()  # links that lead out, pipes, devices: never to be opened

    @property
    def parts(self) -> tuple[str, ...]:
        """Split, topic, sample, and what is nested below."""
        return tuple(self.where.split("/"))

    @property
    def number(self) -> str:
        """The number its pictures are named by: 36 in the folder 036."""
        name = self.path.name.strip()
        return name.lstrip("0") or name


def walk(root: Path, splits: Sequence[str], log: list[Repair]) -> list[Folder]:
    """Every folder below the splits, in the order of their paths."""
    found, todo = [], [root / split for split in splits]
    while todo:
        here = todo.pop()
        where = clean(here.relative_to(root).as_posix())
        try:
            folder, below = _look(here, where, log)
        except OSError as error:
            log.append(Repair(where, "unreadable", f"The folder cannot be listed: {error}."))
            continue
        found.append(folder)
        todo += below
    return sorted(found, key=lambda folder: folder.parts)


def _look(here: Path, where: str, log: list[Repair]) -> tuple[Folder, list[Path]]:
    annotations: list[str] = []
    pictures: list[str] = []
    refused: list[str] = []
    below: list[Path] = []
    for entry in _entries(here):
        if _is_unsafe(entry, here):
            refused.append(entry.name)
            did = f"{short(entry.name)} leads out of its folder or is no ordinary file: not opened."
            log.append(Repair(where, "unsafe path", did))
        elif entry.is_dir():
            below.append(Path(entry.path))
        elif (suffix := os.path.splitext(entry.name.strip().lower())[1]) == ".json":
            annotations.append(entry.name)
        elif suffix in SUFFIXES:
            pictures.append(entry.name)
    for name in annotations + pictures:
        if name != name.strip():
            log.append(Repair(where, "trailing space", f"The file {short(name)} was read."))
    return Folder(here, where, tuple(annotations), tuple(pictures), tuple(refused)), below


def _is_unsafe(entry: os.DirEntry[str], here: Path) -> bool:
    """Links to folders, links that lead out, and pipes or devices, which would never end."""
    if entry.is_symlink():
        # os.path answers where entry.is_file() would raise: a link that leads to itself.
        return not os.path.isfile(entry.path) or not _stays_in(here, Path(entry.path))
    return not entry.is_dir() and not entry.is_file()


def _entries(here: Path) -> list[os.DirEntry[str]]:
    with os.scandir(here) as entries:
        return sorted((e for e in entries if not e.name.startswith(".")), key=lambda e: e.name)


def _stays_in(folder: Path, path: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # a link that leads to itself
        return False


# ── annotations ─────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Annotation:
    """The texts of one annotation under their right names, and what reading them took."""

    texts: Mapping[str, str]
    notes: tuple[Note, ...] = ()

    def get(self, field: str) -> str:
        """The field's text as written, or nothing."""
        return self.texts.get(field, "")


def read_bytes(path: Path) -> bytes:
    """The bytes of an annotation file, unless it is too large to be one."""
    try:
        with regular.opened(path) as file:
            data = file.read(BYTES_LIMIT + 1)
    except OSError as error:
        raise DataError(f"{short(path.name)} cannot be read: {error}.") from error
    if len(data) > BYTES_LIMIT:
        raise DataError(f"{short(path.name)} is larger than {BYTES_LIMIT:,} bytes.")
    return data


def parse_annotation(data: bytes) -> Annotation:
    """The annotation in these bytes, mended where it can be; nothing but `DataError` is raised."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"It is not UTF-8 text: {error.reason} at byte {error.start}.") from error
    notes: list[Note] = []
    if text.startswith("\ufeff"):
        text = text[1:]
        notes.append(("byte order mark", "A byte order mark at the start was left out."))
    found = _only_object(_parse_json(text, notes), notes)
    texts = _texts(_right_keys(found, notes), notes)
    if not texts.get("prompt", "").strip():
        raise DataError("It has no prompt.", "A text under the key 'prompt' was expected.")
    return Annotation(texts, tuple(notes))


def _parse_json(text: str, notes: list[Note]) -> Any:
    try:
        return _loads(text)
    except ValueError as error:
        wrong = unread(error)
    mended = _STRING_OR_ODD_SPACE.sub(lambda m: m[0] if m[0][0] == '"' else " ", text)
    try:
        value = _loads(mended, strict=False)
    except ValueError:
        raise DataError(f"It is not JSON: {wrong}.") from None
    notes.append(("invalid JSON", f"{wrong}: odd white space was read as a space."))
    return value


def _loads(text: str, *, strict: bool = True) -> Any:
    def refuse(name: str) -> NoReturn:
        raise ValueError(f"{name} is no JSON value")

    try:
        return json.loads(text, parse_constant=refuse, strict=strict)
    except RecursionError:
        raise DataError("Its JSON is nested too deeply.") from None


def _only_object(value: Any, notes: list[Note]) -> Mapping[str, Any]:
    """The object itself or the first of a list: both are how the release writes annotations."""
    if isinstance(value, list) and value:
        if len(value) > 1:
            notes.append(("extra annotation", f"The first of {len(value)} objects was taken."))
        value = value[0]
    if not isinstance(value, dict):
        raise DataError(f"It holds {short(value)}.", "One JSON object was expected.")
    return value


def _right_keys(found: Mapping[str, Any], notes: list[Note]) -> Mapping[str, Any]:
    right = {key: value for key, value in found.items() if key in FIELDS}
    unknown = []
    for at, key in enumerate(key for key in found if key not in FIELDS):
        near = closest(key, FIELDS, 0.85) if at < KEYS_COMPARED else None
        if near and near not in right:
            right[near] = found[key]
            notes.append(("misspelt key", f"{short(key)} was read as {near!r}."))
        else:
            unknown.append(key)
    if unknown:
        some = ", ".join(short(key) for key in unknown[:5]) + (" …" if unknown[5:] else "")
        notes.append(("unknown key", f"{some}: left out."))
    return right


def _texts(found: Mapping[str, Any], notes: list[Note]) -> Mapping[str, str]:
    texts = {}
    for field in FIELDS:
        value = found.get(field)
        if isinstance(value, str):
            texts[field] = clean(value)
            if texts[field] != value:
                notes.append(("odd character", f"{field}: unwritable characters became �."))
        elif value is not None:
            notes.append(("wrong type", f"{field} is {short(value)}, no text: left out."))
        elif field not in OPTIONAL:
            notes.append(("missing field", f"There is no {field}."))
    return texts


def clean(text: str) -> str:
    """The text without what a database or a command line cannot carry."""
    return _UNWRITABLE.sub("�", text)


def closest(text: str, choices: Sequence[str], cutoff: float) -> str | None:
    """The choice this is most likely a misspelling of, if any is near enough."""
    near = get_close_matches(text[:80].strip().lower().replace(" ", "_"), choices, 1, cutoff)
    return near[0] if near else None


def short(value: object) -> str:
    """How a value begins, for a message."""
    text = repr(value) if isinstance(value, str) else f"{type(value).__name__} {_start(value)}"
    text = clean(text)
    return text if len(text) <= 60 else text[:57] + "…"


def _start(value: object) -> str:
    """How a JSON value begins; the whole of a large number or list need not be spelt out."""
    if isinstance(value, list | dict):
        return f"of {len(value)}"
    return str(value) if not isinstance(value, int) or abs(value) < 10**18 else "of many digits"
