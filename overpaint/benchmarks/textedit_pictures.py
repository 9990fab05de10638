"""Finding the pictures of a TextEditBench sample, however they are named.

The release's convention is tried first, the annotation's words second; neither opens a file
outside the sample's own folder. Pictures that are not there keep the path they should have, so
that a score that needs them says so instead of doing without.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from overpaint.benchmarks.textedit_files import MANUAL, Annotation, Folder, Note, short


@dataclass(frozen=True)
class Pictures:
    """Where a sample's pictures are, or would be if they were there."""

    source: Path
    target: Path | None
    masks: tuple[Path, Path]
    notes: tuple[Note, ...]


def find_pictures(folder: Folder, method: str, annotation: Annotation) -> Pictures | None:
    """The pictures by the release's convention, its field values as hints only.

    None where only what leads out of the folder is left to be read.
    """
    notes: list[Note] = []
    stems = {_stem(name): name for name in reversed(folder.pictures)}
    hints = {f: _hint(f, annotation, notes) for f in ("input_image", "output_image")}
    source = _pick(stems, _sources(stems, folder.number, hints["input_image"]))
    if source is None and any(kind == "unsafe path" for kind, _ in notes):
        return None
    number = source or folder.number
    wanted = {"source": source or number}
    wanted["mask"] = _pick(stems, iter([f"{number}_mask"])) or f"{number}_mask"
    if folder.parts[0] == MANUAL:
        wanted["target"] = _target(
            stems, f"{method or 'truth'}_{number}", number, hints["output_image"]
        )
        wanted["edited mask"] = _edited_mask(stems, f"{wanted['target']}_mask", number)
    else:
        wanted["edited mask"] = _edited_mask(stems, f"{number}_edited_mask", number)
    refused = {_stem(name) for name in folder.refused}
    if any(stem in refused and stem not in stems for stem in wanted.values()):
        return None
    notes += _names_noted(wanted, folder, method, hints)
    notes += _missing_noted(wanted, stems)
    paths = {part: folder.path / stems.get(stem, f"{stem}.jpg") for part, stem in wanted.items()}
    masks = (paths["mask"], paths["edited mask"])
    return Pictures(paths["source"], paths.get("target"), masks, tuple(notes))


def _stem(name: str) -> str:
    return os.path.splitext(name.strip().lower())[0].strip()


def _hint(field: str, annotation: Annotation, notes: list[Note]) -> str:
    """The stem of a bare file name; anything with a folder in it is refused."""
    text = annotation.get(field)
    if text != text.strip():
        notes.append(("trailing space", f"{field} {short(text)} was read without it."))
    name = text.strip()
    if name in (".", "..") or re.search(r"[/\\:\x00]", name):
        notes.append(("unsafe path", f"{field} {short(text)} is no bare file name: not opened."))
        return ""
    return _stem(name)


def _pick(stems: Mapping[str, str], candidates: Iterator[str]) -> str | None:
    return next((stem for stem in candidates if stem in stems), None)


def _sources(stems: Mapping[str, str], number: str, hint: str) -> Iterator[str]:
    yield number
    yield from (stem for stem in sorted(stems) if stem.lstrip("0") == number)
    if not hint.endswith("mask"):
        yield hint


def _target(stems: Mapping[str, str], usual: str, number: str, hint: str) -> str:
    """The truth: by its usual name, by the field, or the only picture that ends in its number."""
    named = [stem for stem in stems if stem.endswith(f"_{number}")]
    hinted = [hint] if hint not in ("", number) and not hint.endswith("mask") else []
    only = named if len(named) == 1 else []  # several would be a guess
    return _pick(stems, iter([usual, *hinted, *only])) or usual


def _edited_mask(stems: Mapping[str, str], usual: str, number: str) -> str:
    others = [stem for stem in stems if stem.endswith("mask") and stem != f"{number}_mask"]
    only = others if len(others) == 1 else []
    return _pick(stems, iter([usual, f"{number}_edited_mask", *only])) or usual


def _names_noted(
    wanted: Mapping[str, str], folder: Folder, method: str, hints: Mapping[str, str]
) -> Iterator[Note]:
    usual = {"source": folder.number}
    if method:
        usual["target"] = f"{method}_{folder.number}"
    for part, field in (("source", "input_image"), ("target", "output_image")):
        if part in wanted and hints[field] and hints[field] != wanted[part]:
            did = f"{field} names {hints[field]}.jpg; {wanted[part]}.jpg was taken."
            yield "wrong file name", did
        elif part in wanted and wanted[part] != usual.get(part, wanted[part]):
            yield "wrong file name", f"The {part} is {wanted[part]}.jpg, not {usual[part]}.jpg."


def _missing_noted(wanted: Mapping[str, str], stems: Mapping[str, str]) -> Iterator[Note]:
    missing = [f"{stem}.jpg" for stem in wanted.values() if stem not in stems]
    if missing:
        yield "missing picture", f"Not there: {', '.join(missing)}."
