"""Which pictures a build is given, and what comes with them: captions, subjects, styles.

dog.jpg                       a picture
dog.txt                       its caption
dog/subjects/, dog/styles/    pictures of the same subject, and of the same style
samples.json                  the same in the released form: caption, subject_paths, style_path
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from overpaint.document import regular
from overpaint.document.pictures import SUFFIXES
from overpaint.engines.building import Problem
from overpaint.engines.vde.lines import json_lines
from overpaint.errors import DataError, UserMistake, unread

LARGEST = 256 * 2**20  # bytes of a JSON or CSV file
_CAPTION = 4_000  # letters of a caption that are read; it is cut to its words later
SUBJECTS, STYLES = "subjects", "styles"  # folders of what comes with a picture
_IMAGE_KEYS = ("image", "file_name", "original_image_path", "file", "path")
_CAPTION_KEYS = ("caption", "text", "prompt")


@dataclass(frozen=True)
class Given:
    """One picture as it was given."""

    path: Path
    caption: str = ""
    subjects: tuple[Path, ...] = ()
    styles: tuple[Path, ...] = ()


@dataclass
class Gathered:
    """All that was given, by the pictures' real paths, and what could not be taken."""

    pictures: dict[Path, Given] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def add(self, given: Given) -> None:
        """One more picture; what comes with one that is named twice is put together."""
        real = given.path.resolve()
        known = self.pictures.get(real, Given(real))
        self.pictures[real] = replace(
            known, caption=known.caption or given.caption,
            subjects=tuple(dict.fromkeys((*known.subjects, *given.subjects))),
            styles=tuple(dict.fromkeys((*known.styles, *given.styles))),
        )  # fmt: skip


def gather(inputs: Sequence[Path], out: Path) -> Gathered:
    """Every picture that was named, lies in a folder that was, or stands in a JSON that was."""
    found = Gathered()
    for given in inputs:
        if not given.exists():
            raise UserMistake(f"{given} is not there.", "Pictures or folders were expected.")
        if given.is_dir():
            for path in _below(given, out.resolve()):
                found.add(_with_company(path, found.problems))
        elif given.suffix.lower() == ".json":
            for one in _released(given, found.problems):
                found.add(one)
        else:
            found.add(_with_company(given, found.problems))
    return found


# ── folders ─────────────────────────────────────────────────────────────────────────────


def _below(folder: Path, ours: Path) -> Iterator[Path]:
    """The pictures of a folder but for those that come with another, and for what we wrote."""
    every = [path for path in sorted(folder.rglob("*")) if _is_picture(path)]
    stems = {path.with_suffix("") for path in every}
    for path in every:
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        company = path.parent.name in (SUBJECTS, STYLES) and path.parent.parent in stems
        if not hidden and not company and ours not in path.resolve().parents:
            yield path


def _is_picture(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES and path.is_file()


def _with_company(path: Path, problems: list[Problem]) -> Given:
    given, note = Given(path), path.with_suffix(".txt")
    if note.is_file():
        try:
            with regular.opened(note) as file:
                text = file.read(4 * _CAPTION).decode("utf-8-sig", "ignore")
            given = replace(given, caption=text[:_CAPTION].strip())
        except OSError as error:
            problems.append(Problem(note.name, f"it cannot be read: {error.strerror}"))
    home = path.with_suffix("")
    return replace(given, subjects=_inner(home / SUBJECTS), styles=_inner(home / STYLES))


def _inner(folder: Path) -> tuple[Path, ...]:
    inside = sorted(folder.iterdir()) if folder.is_dir() else []
    return tuple(path.resolve() for path in inside if _is_picture(path))


# ── the released form ───────────────────────────────────────────────────────────────────


def _released(file: Path, problems: list[Problem]) -> Iterator[Given]:
    entries = _parsed(file)
    for number, entry in enumerate(entries, 1):
        where = f"{file.name}, entry {number}"
        try:
            yield _entry(file.parent.resolve(), entry)
        except DataError as error:
            problems.append(Problem(where, str(error)))


def _parsed(file: Path) -> Sequence[Any]:
    try:
        found = json.loads(_bounded(file))
    except (ValueError, RecursionError) as error:
        raise UserMistake(f"{file} is no JSON: {unread(error)}.",
                          "A list in MultiRef's released form was expected.") from None  # fmt: skip
    if not isinstance(found, list):
        raise UserMistake(f"{file} holds a {type(found).__name__}.",
                          "A list in MultiRef's released form was expected.")  # fmt: skip
    return found


def _entry(folder: Path, entry: Any) -> Given:
    own = entry.get("conditions") if isinstance(entry, dict) else None
    if not isinstance(own, dict):
        raise DataError("an object with original_image_path and conditions was expected")
    caption = own.get("caption") or ""
    if not isinstance(caption, str):
        raise DataError("'caption' should be a text")
    return Given(
        _inside(folder, entry.get("original_image_path")), caption[:_CAPTION],
        tuple(_inside(folder, one) for one in _listed(own.get("subject_paths"))),
        tuple(_inside(folder, one) for one in _listed(own.get("style_path"))),
    )  # fmt: skip


def _listed(value: Any) -> list[Any]:
    found = value if isinstance(value, list) else [value] if value else []
    if len(found) > 100:
        raise DataError("more than 100 pictures come with one")
    return found


def _inside(folder: Path, name: Any) -> Path:
    """The picture of that name below the folder; lists that moved name it by its path's end."""
    if not isinstance(name, str) or not 0 < len(name) < 1000 or "\0" in name:
        raise DataError("a path below the file's folder was expected")
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    for start in range(len(parts)):
        try:
            path = folder.joinpath(*parts[start:]).resolve()
            if folder in path.parents and _is_picture(path):
                return path
        except (OSError, ValueError):  # a name that no file can have
            continue
    raise DataError(f"{name!r} is no picture below the file's folder")


# ── captions from a file ────────────────────────────────────────────────────────────────


def captions(file: Path, known: Sequence[Path], problems: list[Problem]) -> dict[Path, str]:
    """The captions of a JSONL or CSV file by picture; what fits several is told.

    A file may have captions of more pictures; that it has none of these is told as well.
    """
    by_name: dict[str, list[Path]] = {}
    for path in known:
        by_name.setdefault(path.name, []).append(path)
    found: dict[Path, str] = {}
    for where, row in _rows(file, problems):
        name, text = _first(row, _IMAGE_KEYS), _first(row, _CAPTION_KEYS)
        if not name or not text:
            problems.append(Problem(where, "a picture's name and its caption were expected"))
            continue
        fits = [path for path in by_name.get(Path(name).name, ()) if _ends(path, name)]
        if len(fits) == 1:
            found[fits[0]] = text[:_CAPTION]
        elif fits:
            said = f"{len(fits)} pictures are called {name[:80]!r}; more of the path tells which"
            problems.append(Problem(where, said))
    if not found and known:
        problems.append(Problem(file.name, f"none of its captions is of {known[0].name} or others"))
    return found


def _rows(file: Path, problems: list[Problem]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if file.suffix.lower() == ".csv":
        text = _bounded(file).decode("utf-8-sig", "replace")
        try:
            for number, row in enumerate(csv.DictReader(io.StringIO(text)), 2):
                yield f"{file.name}, line {number}", row
        except csv.Error as error:
            problems.append(Problem(file.name, f"it is no CSV: {error}"))
    elif file.suffix.lower() == ".jsonl":
        _bounded(file)
        yield from json_lines(file, problems)
    else:
        raise UserMistake(f"{file} is neither .jsonl nor .csv.", "Captions are read from these.")


def _first(row: Mapping[str, Any], keys: Sequence[str]) -> str:
    values = (row.get(key) for key in keys)
    return next((one.strip() for one in values if isinstance(one, str) and one.strip()), "")


def _ends(path: Path, name: str) -> bool:
    """Whether a path ends with what a file calls a picture."""
    parts = [part for part in Path(name).parts if part not in (".", "/")]
    return path.parts[-len(parts) :] == tuple(parts)


def _bounded(file: Path) -> bytes:
    try:
        if file.stat().st_size > LARGEST:
            raise UserMistake(f"{file} has more than {LARGEST:,} bytes.", "Take it apart.")
        return regular.read(file)
    except OSError as error:
        raise UserMistake(f"{file} cannot be read: {error.strerror}.") from None
