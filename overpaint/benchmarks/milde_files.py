"""MiLDE sets on disk: an index of samples beside layered documents, as somebody else wrote it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from overpaint.core import Repair
from overpaint.document import regular
from overpaint.errors import DataError, UserMistake, unread
from overpaint.vision.layers import KINDS

FORM, INDEX = "milde/1", "samples.json"
BYTES_LIMIT = 256_000_000
LAYERS_LIMIT, QUESTIONS_LIMIT = 2_000, 500  # of one sample
LONGEST_PATH, LONGEST_TEXT = 1_000, 10_000  # characters
ABOUT, CHECKS = ("place", "text", "entity"), ("says", "gone", "looks")


@dataclass(frozen=True)
class Entry:
    """One sample as the index tells it; paths are below the folder."""

    id: str
    instruction: str
    document: Path
    truth: Path | None
    tags: Mapping[str, str]
    layers: tuple[Mapping[str, str], ...]
    gold: tuple[str, ...]
    layer_instructions: Mapping[str, str] = field(default_factory=dict)
    steps: tuple[Mapping[str, str], ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    questions: tuple[Mapping[str, Any], ...] = ()

    @property
    def edits(self) -> str:
        """text, image or both, by the classes of the layers that change."""
        kinds = {one["id"]: one["kind"] for one in self.layers}
        found = {"text" if kinds[one] == "text" else "image" for one in self.gold}
        return "both" if len(found) == 2 else "".join(found)

    @property
    def edited(self) -> str:
        """How many layers change: 1, 2 or 3+."""
        return str(len(self.gold)) if len(self.gold) < 3 else "3+"


def read_index(folder: Path, log: list[Repair]) -> list[Entry]:
    """The samples of a folder; one that cannot be used is left out with a repair."""
    if not folder.is_dir():
        raise UserMistake(
            f"{folder} is not there, or is no folder.",
            f"A folder with a {INDEX} of MiLDE samples and their documents was expected.",
            "Leave --data away for the built-in set, or make one with"
            " `overpaint build milde --generate 200 -o OUT`.",
        )
    entries, taken = [], set[str]()
    for place, item in enumerate(_listed(folder / INDEX)):
        try:
            entry = _entry(folder, item)
            if entry.id in taken:
                raise DataError(f"its id {entry.id!r} is taken already.")
        except DataError as error:
            log.append(Repair(f"{INDEX}[{place}]", "unreadable", f"Left out: {error}"))
            continue
        taken.add(entry.id)
        entries.append(entry)
    return entries


def _listed(index: Path) -> list[Any]:
    found = read_json(index)
    form = found.get("form") if isinstance(found, dict) else None
    if form != FORM:
        raise DataError(
            f"{index} is of the form {str(form)[:40]!r}.", f"{FORM!r} was expected.",
            "Write the set again with this version of Overpaint.",
        )  # fmt: skip
    listed = found.get("samples")
    if not isinstance(listed, list):
        raise DataError(f'{index} has no list "samples".', "One object a sample was expected.")
    return listed


def read_json(path: Path) -> Any:
    """What a JSON file holds."""
    expected = "A JSON file of at most 256 MB was expected."
    try:
        if path.stat().st_size > BYTES_LIMIT:
            raise DataError(f"{path} has {path.stat().st_size:,} bytes.", expected)
        # NaN and Infinity are no JSON and no numbers.
        return json.loads(regular.read(path), parse_constant=lambda name: None)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.", expected) from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path} is no JSON: {unread(error)}.", expected) from None


# ── one entry ───────────────────────────────────────────────────────────────────────────


def _entry(folder: Path, item: object) -> Entry:
    if not isinstance(item, dict):
        raise DataError(f"it is a {type(item).__name__}, not an object.")
    layers = _layers(item.get("layers"))
    known = [one["id"] for one in layers]
    gold = _gold(item.get("gold"), known)
    truth = _below(folder, item, "truth") if item.get("truth") is not None else None
    names = ("language", "format", "theme", "split", "kind")
    return Entry(
        id=_text(item, "id", 200), instruction=_text(item, "instruction", LONGEST_TEXT),
        document=_below(folder, item, "document"), truth=truth,
        tags={name: _short(item.get(name)) for name in names},
        layers=layers, gold=gold,
        layer_instructions=_by_layer(item, "layer_instructions", gold),
        steps=tuple(_steps(item.get("steps", []), gold)),
        texts=_by_layer(item, "texts", gold),
        questions=tuple(_questions(item.get("questions", []), gold)),
    )  # fmt: skip


def _text(item: Mapping[str, Any], key: str, most: int) -> str:
    """A text that must be there."""
    value = item.get(key)
    if not isinstance(value, str) or not value.strip():
        raise DataError(f"it has no {key}.")
    if len(value) > most:
        raise DataError(f"its {key} has {len(value):,} characters; at most {most:,} are taken.")
    return "".join(letter for letter in value if letter.isprintable() or letter == "\n").strip()


def _short(value: object) -> str:
    """A tag: a short text, or nothing."""
    text = value if isinstance(value, str) else ""
    return "".join(letter for letter in text[:100] if letter.isprintable())


def _below(folder: Path, item: Mapping[str, Any], key: str) -> Path:
    """The file a field names, which must be there, below the folder."""
    text = item.get(key)
    if not isinstance(text, str) or not 0 < len(text.strip()) <= LONGEST_PATH or "\0" in text:
        raise DataError(f"it has no {key}.")
    path = folder / text.strip()
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
        there = inside and path.exists()
    except (ValueError, OSError, RuntimeError):  # letters no path has; a link to itself
        inside = there = False
    if not inside:
        raise DataError(f"its {key} {text[:80]!r} leads out of the folder, or nowhere.")
    if not there:
        raise DataError(f"its {key} {text[:80]!r} is not there.")
    return path


def _layers(value: object) -> tuple[dict[str, str], ...]:
    """Id and class of every leaf layer."""
    if not isinstance(value, list) or not 0 < len(value) <= LAYERS_LIMIT:
        raise DataError(f"its layers are no list of 1 to {LAYERS_LIMIT:,}.")
    found = []
    for one in value:
        name, kind = (one.get("id"), one.get("kind")) if isinstance(one, dict) else (None, None)
        if not _is_text(name, 1_000) or not name or kind not in KINDS:
            raise DataError(f"a layer of it is {str(one)[:60]!r}, not an id and one of {KINDS}.")
        found.append({"id": str(name), "kind": str(kind)})
    if len({one["id"] for one in found}) < len(found):
        raise DataError("two of its layers have one id.")
    return tuple(found)


def _gold(value: object, known: Sequence[str]) -> tuple[str, ...]:
    """The layers that must change, in z-order; one at least."""
    if not isinstance(value, list) or not value or not all(one in known for one in value):
        raise DataError(f"its gold layers {str(value)[:80]} are not ids of its layers.")
    return tuple(one for one in known if one in value)


def _by_layer(item: Mapping[str, Any], key: str, gold: Sequence[str]) -> dict[str, str]:
    """Texts by gold layer."""
    value = item.get(key, {})
    fits = isinstance(value, dict) and all(
        name in gold and _is_text(text) for name, text in value.items()
    )
    if not fits:
        raise DataError(f"its {key} are not texts by gold layer.")
    return dict(value)


def _steps(value: object, gold: Sequence[str]) -> Iterator[dict[str, str]]:
    for one in _few(value, "steps"):
        step = {key: one.get(key) for key in ("text", "kind", "layer")}
        if (
            not _is_text(step["text"])
            or step["kind"] not in ("text", "image")
            or step["layer"] not in gold
        ):
            raise DataError(f"a step of it is {str(one)[:80]!r}: a text, a kind and a gold layer.")
        yield {key: str(text) for key, text in step.items()}


def _questions(value: object, gold: Sequence[str]) -> Iterator[dict[str, Any]]:
    for one in _few(value, "questions"):
        text, check = one.get("question"), one.get("check")
        right = (
            _is_text(text) and text and one.get("layer") in gold and one.get("about") in ABOUT
            and one.get("expected") in ("yes", "no") and (check is None or _is_check(check))
        )  # fmt: skip
        if not right:
            raise DataError(f"a question of it is {str(one)[:80]!r}, which has not the form.")
        keys = ("layer", "question", "about", "expected")
        yield {**{key: one[key] for key in keys}, "check": check}


def _few(value: object, what: str) -> list[dict[str, Any]]:
    if isinstance(value, list) and len(value) <= QUESTIONS_LIMIT:
        found = [one for one in value if isinstance(one, dict)]
        if len(found) == len(value):
            return found
    raise DataError(f"its {what} are no list of at most {QUESTIONS_LIMIT} objects.")


def _is_check(check: object) -> bool:
    """Whether it is of one of the three kinds, with what that kind needs."""
    if not isinstance(check, dict) or check.get("kind") not in CHECKS:
        return False
    words = check.get("words")
    worded = _is_text(words) and bool(str(words).strip())
    boxed = _is_box(check.get("box"))
    return (worded or check["kind"] == "looks") and (boxed or check["kind"] == "gone")


def _is_text(value: object, most: int = LONGEST_TEXT) -> bool:
    """Whether it is a text that is not too long and can be written to a file."""
    if not isinstance(value, str) or len(value) > most:
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_box(box: object) -> bool:
    """Left, top, right, bottom, in an order that leaves room between them."""
    if not isinstance(box, list) or len(box) != 4:
        return False
    if not all(type(value) in (int, float) and abs(value) < 1e6 for value in box):
        return False
    return bool(box[0] < box[2] and box[1] < box[3])
