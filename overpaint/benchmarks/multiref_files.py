"""MultiRef sets on disk: lists of samples in the released form, and the pictures they name.

The synthetic half has one entry a sample with `original_image_path`, `conditions` and
`instructions`, as `engines.refblend.released` tells them; the real-world half has
`input_image_paths`, `instruction`, `output_image_path` and `category`. Nothing here trusts a file:
what cannot be understood is left out and leaves a repair, and no path leads out of the folder.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from overpaint.benchmarks.milde_files import read_json
from overpaint.core import Repair
from overpaint.engines.album import MANIFEST
from overpaint.engines.refblend.released import CONDITIONS, NUMBERED, SAMPLES, placeholder
from overpaint.errors import DataError, UserMistake
from overpaint.vision.references import KINDS, Kind
from overpaint.vision.references.told import Told

LONGEST_PATH, LONGEST_TEXT = 1_000, 10_000  # characters
MOST_PICTURES = 16  # references of one sample
SYNTHETIC, REAL = "synthetic", "real-world"
# The paper's five, by the word that each of its spellings has and no other.
CATEGORIES = {
    "replace": "element replacement", "add": "element addition", "spatial": "spatial/environment",
    "environment": "spatial/environment", "attribute": "attribute transfer",
    "style": "style/appearance", "appearance": "style/appearance",
}  # fmt: skip
_HOLDER = re.compile(r"<([a-z_]+(?:_?\d+)?)>")
_NUMBER = re.compile(r"(_image)?(_?\d+)?$")  # what a name has after its kind
_Given = tuple[Kind, str, object]  # a reference: what the instruction calls it, its path or words
_INPUTS = ("input_image_paths", "input_images", "image_paths", "images", "inputs")
_OUTPUTS = ("output_image_path", "output_image", "output", "golden", "target")


@dataclass(frozen=True)
class Entry:
    """One sample as its list tells it."""

    id: str
    half: str
    instruction: str
    target: Path | None
    told: tuple[Told, ...]  # of the synthetic half: what each reference is
    pictures: tuple[Path, ...]
    labels: tuple[str, ...]  # what the instruction calls each picture
    tags: Mapping[str, str]
    source: str  # what samples of one picture share


def read_lists(data: Path, log: list[Repair]) -> tuple[list[Entry], int]:
    """The samples of a folder's lists, or of one list; and how many lists there were."""
    lists = _lists(data)
    entries: list[Entry] = []
    taken: set[str] = set()
    for path in lists:
        for place, item in enumerate(_items(path, log)):
            where = f"{path.name}[{place}]"
            try:
                entry = _entry(path.parent, item, f"{place:05}", _Log(where, log))
                if entry.id in taken:
                    raise DataError(f"its id {entry.id!r} is taken already.")
            except DataError as error:
                log.append(Repair(where, "unreadable", f"Left out: {error}"))
                continue
            taken.add(entry.id)
            entries.append(entry)
    return entries, len(lists)


def _lists(data: Path) -> list[Path]:
    if data.is_file():
        return [data]
    if not data.is_dir():
        raise UserMistake(
            f"{data} is not there.",
            "A folder with MultiRef's JSON lists and pictures was expected.",
            "Leave --data away for the built-in set, or make one with `overpaint build refblend`.",
        )
    inner = data / "set"  # of a build: the finished set
    folder = inner if (inner / SAMPLES).is_file() else data
    found = (path for path in folder.glob("*.json") if path.is_file())
    return sorted(path for path in found if path.name != MANIFEST)  # which tells of the set itself


def _items(path: Path, log: list[Repair]) -> list[Any]:
    """The entries of a list; a file that is none is left out."""
    try:
        found = read_json(path)
        if not isinstance(found, list):
            raise DataError(f"{path} holds a {type(found).__name__}, not a list of samples.")
    except DataError as error:
        log.append(Repair(path.name, "unreadable", f"Left out: {error}"))
        return []
    return found


@dataclass(frozen=True)
class _Log:
    """Where repairs of one entry are written down."""

    where: str
    repairs: list[Repair]

    def __call__(self, kind: str, did: str) -> None:
        self.repairs.append(Repair(self.where, kind, did))


# ── one entry ───────────────────────────────────────────────────────────────────────────


def _entry(folder: Path, item: object, number: str, log: _Log) -> Entry:
    if not isinstance(item, dict):
        raise DataError(f"it is a {type(item).__name__}, not an object.")
    if "conditions" in item:
        return _synthetic(folder, item, number, log)
    return _real(folder, item, number, log)


def _synthetic(folder: Path, item: Mapping[str, Any], number: str, log: _Log) -> Entry:
    target = _path(folder, item.get("original_image_path"), "original_image_path", log)
    conditions, asked = _object(item, "conditions"), _object(item, "instructions")
    words, wording = _wording(asked)
    given = list(_given(asked, conditions, words, log))
    told, pictures = _references(folder, item, given, log)
    _check_holders(words, [one.name for one in told if one.name], log)
    kinds = "+".join(sorted(one.kind for one in told))
    tags = {
        "half": SYNTHETIC, "combination": kinds, "references": str(len(told)),
        "category": "", "wording": wording, "split": _short(item.get("split")),
    }  # fmt: skip
    stem = f"{PurePosixPath(str(item['original_image_path'])).stem}-{kinds}-{number}"
    return Entry(
        _short(item.get("id")) or stem, SYNTHETIC, words, target, tuple(told), tuple(pictures),
        tuple(one.name for one in told if one.place is not None), tags,
        _short(item.get("source")) or target.stem,
    )  # fmt: skip


def _wording(asked: Mapping[str, Any]) -> tuple[str, str]:
    """The instruction: in a persona's voice where there is one, else the structured one."""
    enhanced = asked.get("enhance_prompts")
    texts = enhanced if isinstance(enhanced, list) else [enhanced]
    for text in texts:
        if isinstance(text, str) and text.strip():
            return _clean(text), "enhanced"
    plain = asked.get("original_prompts")
    plain = plain[0] if isinstance(plain, list) and plain else plain
    if not isinstance(plain, str) or not plain.strip():
        raise DataError("it has no instruction.")
    return _clean(plain), "structured"


def _kinds(asked: Mapping[str, Any], conditions: Mapping[str, Any]) -> list[Kind]:
    """The kinds that the sample uses, each once; all it has where it does not say."""
    listed = asked.get("conditions")
    named = [_kind(one) for one in listed] if isinstance(listed, list) else []
    if not named:
        named = [kind for kind, (key, _) in CONDITIONS.items() if conditions.get(key)]
    if not named:
        raise DataError("it has no references.")
    return list(dict.fromkeys(named))


def _kind(name: object) -> Kind:
    text = str(name)[:40].strip().lower().replace(" ", "_").replace("-", "_")
    found = {"semantic": "semantic_map", "bounding_box": "bbox", "art_style": "style"}.get(
        text, text
    )
    for kind in KINDS:
        if found == kind:
            return kind
    raise DataError(f"it asks for a {str(name)[:40]!r}, which is none of {', '.join(KINDS)}.")


def _given(
    asked: Mapping[str, Any], conditions: Mapping[str, Any], words: str, log: _Log
) -> Iterator[_Given]:
    """What the sample refers to: of a kind with several pictures those that its sentence uses."""
    mapped = list(_mapped(asked, log))
    for kind in _kinds(asked, conditions):
        values = _listed(conditions.get(CONDITIONS[kind][0]))
        if not values:
            raise DataError(f"it asks for a {kind} and has none.")
        every = [(kind, _name(kind, number), value) for number, value in enumerate(values, 1)]
        if kind == "caption" or not mapped:
            yield from every
            continue
        used = [one for one in mapped if one[0] == kind]
        used = used or [one for one in every if one[1] in words]
        yield from used
        if (spare := len(values) - len(used)) > 0:
            log("unused reference", f"{spare} of {len(values)} of kind {kind} were left: "
                "image_path_mapping and the instruction do not name them.")  # fmt: skip


def _mapped(asked: Mapping[str, Any], log: _Log) -> Iterator[_Given]:
    """The pictures that the instruction's own table of names has, each with its kind and name."""
    for key, value in _maybe(asked, "image_path_mapping").items():
        name = _short(key).strip("<> ")
        try:
            kind = _kind(_NUMBER.sub("", name))
        except DataError:
            log("unknown name", f"{name[:40]!r} names no kind of reference; it was passed over.")
            continue
        for number, path in enumerate(_listed(value), 1):
            yield kind, f"<{name}>" if number == 1 else f"<{name}_{number}>", path


def _name(kind: Kind, number: int) -> str:
    """What an instruction calls the picture; no two of one kind are called the same."""
    name = placeholder(kind, number)
    return name if number == 1 or kind in NUMBERED else name.replace(">", f"_{number}>")


def _references(
    folder: Path, item: Mapping[str, Any], given: Sequence[_Given], log: _Log
) -> tuple[list[Told], list[Path]]:
    """What is told of each reference, and the pictures of those that have one."""
    told, pictures = list[Told](), list[Path]()
    for kind, name, value in given:
        method, version = _found_by(item, kind)
        if kind == "caption":
            told.append(Told(kind, "", None, _clean(str(value)), method, version))
            continue
        text = _short(_maybe(item, "labels").get(name))
        told.append(Told(kind, name, len(pictures), text, method, version))
        pictures.append(_path(folder, value, kind, log))
    if not told:
        raise DataError("it has no references.")
    if len(pictures) > MOST_PICTURES:
        raise DataError(f"it has {len(pictures)} references; at most {MOST_PICTURES} are taken.")
    return told, pictures


def _found_by(item: Mapping[str, Any], kind: Kind) -> tuple[str, str]:
    """Method and version of whoever found a reference, where the list tells it."""
    method, _, version = _short(_maybe(item, "extractors").get(kind)).partition("/")
    return method, version


def _check_holders(words: str, names: Sequence[str], log: _Log) -> None:
    """That every placeholder has its picture, and every picture its place in the sentence."""
    asked = [f"<{one}>" for one in _HOLDER.findall(words)]
    if lacking := [one for one in asked if one not in names]:
        raise DataError(f"its instruction names {lacking[0]}, which has no picture.")
    if unnamed := [name for name in names if name not in asked]:
        log("unnamed reference", f"The instruction does not name {', '.join(unnamed)}.")


def _real(folder: Path, item: Mapping[str, Any], number: str, log: _Log) -> Entry:
    given = next((item[key] for key in _INPUTS if isinstance(item.get(key), list)), None)
    if not given or len(given) > MOST_PICTURES:
        raise DataError("it has neither conditions nor input pictures.")
    pictures = [_path(folder, one, f"<image{n}>", log) for n, one in enumerate(given, 1)]
    labels = tuple(f"<image{n}>" for n in range(1, len(pictures) + 1))
    words = item.get("instruction")
    if not isinstance(words, str) or not words.strip():
        raise DataError("it has no instruction.")
    words = _clean(words)
    _check_holders(words, labels, log)
    output = next((item[key] for key in _OUTPUTS if item.get(key)), None)
    target = _path(folder, output, "output", log) if output else None
    if not (category := _category(item.get("category"))):
        log("unknown category", f"{str(item.get('category'))[:60]!r} is none of the five.")
    tags = {
        "half": REAL, "combination": "", "references": str(len(pictures)),
        "category": category, "wording": "", "split": _short(item.get("split")),
    }  # fmt: skip
    return Entry(
        _short(item.get("id")) or f"real-{number}", REAL, words, target, (), tuple(pictures),
        labels, tags, _short(item.get("source")) or pictures[0].stem,
    )  # fmt: skip


def _category(value: object) -> str:
    """The paper's name of a category, whatever its spelling; none where it is none of the five."""
    text = str(value or "").lower()
    return next((name for word, name in CATEGORIES.items() if word in text), "")


# ── values ──────────────────────────────────────────────────────────────────────────────


def _object(item: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = item.get(key)
    if not isinstance(value, dict):
        raise DataError(f"its {key} are no object.")
    return value


def _maybe(item: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = item.get(key)
    return value if isinstance(value, dict) else {}


def _listed(value: object) -> list[object]:
    return [one for one in (value if isinstance(value, list) else [value]) if one]


def _short(value: object) -> str:
    """A name: a short text, or nothing."""
    text = value if isinstance(value, str) else ""
    return "".join(letter for letter in text[:200] if letter.isprintable()).strip()


def _clean(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise DataError(f"a text of it has {len(text):,} characters; {LONGEST_TEXT:,} are taken.")
    return "".join(letter for letter in text if letter.isprintable() or letter == "\n").strip()


def _path(folder: Path, value: object, what: str, log: _Log) -> Path:
    """The file a field names, below the folder; lists that moved name it by the end of its path."""
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_PATH or "\0" in value:
        raise DataError(f"its {what} is no path.")
    parts = [one for one in re.split(r"[\\/]+", value) if one not in ("", ".", "..")]
    for tail in _tails(parts):
        path = folder.joinpath(*tail)
        try:
            there = path.is_file() and path.resolve().is_relative_to(folder.resolve())
        except (OSError, ValueError):  # a name that no file can have
            continue
        if there and len(tail) < len(re.split(r"[\\/]+", value)):
            log("moved path", f"{value[:120]!r} was found as {'/'.join(tail)!r}.")
        if there:
            return path
    raise DataError(f"its {what} {value[:120]!r} is not there, below the list's folder.")


def _tails(parts: Sequence[str]) -> Iterator[Sequence[str]]:
    return (parts[start:] for start in range(len(parts)))
