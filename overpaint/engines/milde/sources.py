"""From files to consolidated documents: read, classed, merged, drawn and described."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from overpaint.document import Document, Layer, files
from overpaint.document.folder import INDEX
from overpaint.document.layers import Group
from overpaint.document.pictures import encode_png
from overpaint.engines.milde.consolidate import consolidated, dissolved
from overpaint.engines.milde.records import (
    Place,
    Settings,
    Source,
    told_layers,
    written_layers,
)
from overpaint.engines.vde.pages import performed
from overpaint.engines.vde.records import Terms, read_json, write_bytes, write_json
from overpaint.engines.vde.wording import main_language
from overpaint.errors import DataError, OverpaintError, UserMistake
from overpaint.vision.layers import Kind, Seen, place_of, seen
from overpaint.work import Task

SUFFIXES = (".psd", ".psb", ".ora", ".svg", ".pptx", ".json", ".jsonl")
_COLOURS = 3


def files_below(inputs: Sequence[Path], out: Path, kind: str) -> Iterator[tuple[Path, str]]:
    """Every layered file that was named or lies in a folder that was, and its kind of document.

    The kind is the name of the sub-folder that a file lies in. A folder with a document.json is
    a document itself; so is each file beside that.
    """
    ours = out.resolve()
    for given in inputs:
        if not given.exists():
            raise UserMistake(
                f"{given} is not there.", "PSD, ORA, PPTX, SVG or Crello files were expected."
            )
        if not given.is_dir():
            yield given, kind
            continue
        for file in sorted(given.rglob("*")):
            hidden = any(part.startswith(".") for part in file.relative_to(given).parts)
            if hidden or ours in file.resolve().parents or not _is_document(file):
                continue
            file = file.parent if file.name == INDEX else file
            yield file, file.parent.name if file != given and file.parent != given else kind


def _is_document(file: Path) -> bool:
    return file.is_file() and (file.name == INDEX or file.suffix.lower() in SUFFIXES)


# ── reading ─────────────────────────────────────────────────────────────────────────────


def collect(
    place: Place, found: Iterator[tuple[Path, str]], settings: Settings, terms: Terms
) -> None:
    """Read the documents of files that gave none before."""
    known = {one.file for one in place.sources().values() if not one.reason}
    todo: dict[Path, str] = {}  # a file named twice is one file
    for path, kind in found:
        if str(path.resolve()) not in known:
            todo.setdefault(path.resolve(), kind)
    tasks = [Task(path, (kind,)) for path, kind in todo.items()]
    work = partial(_read_all, place.folder.resolve(), settings.pages)
    first = {one.content: one for one in place.sources().values() if one.content}
    for done, outcome in enumerate(performed(work, tasks, terms), 1):
        gave_none = _none(outcome.subject, 1, outcome.step, str(outcome.error))
        for source in outcome.result or [gave_none]:
            twin = first.setdefault(source.content, source) if source.content else source
            if twin is not source:  # under a name of its own, so that the first stays
                same = f"the same document as {Path(twin.file).name}"
                source = _none(Path(source.file), source.page, source.format, same)
            place.add(source)
        terms.progress("documents", done, len(todo))


def _read_all(folder: Path, most: int, path: Path, kind: str) -> list[Source]:
    """The documents of one file, kept as they were read; inside a worker."""
    count = files.pages(path)
    made = []
    for page in range(1, min(count, most) + 1):
        try:
            made.append(_read(Place(folder), path, page, kind))
        except OverpaintError as error:
            made.append(_none(path, page, kind, str(error)))
    if count > most:
        made[-1] = replace(made[-1], notes=(*made[-1].notes, f"first {most} of {count} pages"))
    return made


def _read(place: Place, path: Path, page: int, kind: str) -> Source:
    document = _numbered(files.read(path, page))
    layers = seen(document)
    check_layered(path, len(layers))
    data = document.encoded
    name = _name(path, page, data)
    place.source(name).parent.mkdir(parents=True, exist_ok=True)
    files.write(document, place.source(name))
    told = {"layers": written_layers(layers)}
    write_json(place.source(name).with_suffix(".json"), told)
    wide, high = document.size
    digest = hashlib.sha256(data).hexdigest()
    return Source(name, str(path), page, kind, wide, high, len(layers), content=digest,
                  notes=document.notes)  # fmt: skip


def check_layered(path: Path, layers: int) -> None:
    """Refuse a document of which nothing shows, or that is one picture with nothing to choose."""
    if not layers:
        raise DataError(f"Nothing shows in {path}.", "A document with visible layers was expected.")
    if layers == 1:
        raise DataError(f"{path} has one layer.", "A design of two or more was expected.")


def _numbered(document: Document) -> Document:
    """The document with folders opened, and with ids of its own where any is missing or twice."""
    layers = dissolved(document.layers)
    opened = document.having(*layers)
    counts = Counter(layer.id for layer in opened)
    if "" not in counts and max(counts.values(), default=1) == 1:
        return opened
    numbers = iter(range(1, sum(counts.values()) + 1))
    return document.having(*(_renamed(layer, numbers) for layer in layers))


def _renamed(layer: Layer, numbers: Iterator[int]) -> Layer:
    layer = replace(layer, id=str(next(numbers)))
    if not isinstance(layer.content, Group):
        return layer
    inner = tuple(_renamed(one, numbers) for one in layer.content.layers)
    return replace(layer, content=Group(inner))


def _none(path: Path, page: int, kind: str, reason: str) -> Source:
    return Source(_name(path, page, str(path).encode()), str(path), page, kind, reason=reason)


def _name(path: Path, page: int, told: bytes) -> str:
    slug = re.sub(r"[^A-Za-z0-9]+", "-", path.stem).strip("-")[:24].strip("-").lower()
    mark = hashlib.sha256(told + str(page).encode()).hexdigest()[:8]
    return f"{slug or 'document'}{f'-p{page}' if page > 1 else ''}-{mark}"


# ── consolidation ───────────────────────────────────────────────────────────────────────


def settle(
    place: Place,
    classes: Mapping[str, Mapping[str, Kind]],
    notes: Mapping[str, Sequence[str]],
    terms: Terms,
) -> None:
    """Consolidate the documents that are classed and were not consolidated before."""
    todo = [
        replace(one, notes=(*one.notes, *notes.get(one.id, ())))
        for one in place.sources().values()
        if one.id in classes and not one.layers
    ]
    tasks = [Task(one, (dict(classes[one.id]),)) for one in todo]
    work = partial(_consolidate, place.folder.resolve())
    for done, outcome in enumerate(performed(work, tasks, terms), 1):
        failed = replace(outcome.subject, reason=str(outcome.error))
        place.add(outcome.result or failed)
        terms.progress("consolidation", done, len(todo))


def read_layers(place: Place, source: str) -> tuple[Seen, ...]:
    """The layers of a document as it was read."""
    file = place.source(source).with_suffix(".json")
    return told_layers(read_json(file), file)


def _consolidate(folder: Path, source: Source, kinds: Mapping[str, Kind]) -> Source:
    """One document merged, drawn and described; inside a worker."""
    place = Place(folder)
    known = {one.id: replace(one, kind=kinds.get(one.id, one.kind))
             for one in read_layers(place, source.id)}  # fmt: skip
    document = files.read(place.source(source.id))
    found = consolidated(document, {name: one.kind for name, one in known.items()})
    members = {name: tuple(one for one in ids if one in known)
               for name, ids in found.members.items()}  # fmt: skip
    layers = _described(found.document, members, known)
    place.document(source.id).parent.mkdir(parents=True, exist_ok=True)
    files.write(found.document, place.document(source.id))
    data = encode_png(found.document.rgb)
    write_bytes(place.picture(source.id), data)
    sure = [one.id for one in layers if all(known[n].live for n in members.get(one.id, (one.id,)))]
    told = {"layers": written_layers(layers), "members": members, "sure": sure}
    write_json(folder / "layers" / f"{source.id}.json", told)
    language = main_language(" ".join(one.words for one in layers))
    digest = hashlib.sha256(data).hexdigest()
    return replace(source, layers=len(layers), sha256=digest, language=language)


def _described(
    document: Document, members: Mapping[str, Sequence[str]], known: Mapping[str, Seen]
) -> tuple[Seen, ...]:
    """The layers that show, bottom first, merged ones from what their members are."""
    layers = []
    for layer in document:
        own = [known[name] for name in members.get(layer.id, (layer.id,)) if name in known]
        if own:
            layers.append(own[0] if len(own) == 1 else _merged(layer, own, document.size))
    return tuple(layers)


def _merged(layer: Layer, own: Sequence[Seen], size: tuple[int, int]) -> Seen:
    lefts, tops, rights, bottoms = zip(*(one.box for one in own), strict=True)
    box = min(lefts), min(tops), max(rights), max(bottoms)
    reading = sorted(own, key=lambda one: (one.box[1], one.box[0]))
    large = sorted(own, key=lambda one: -one.covers)
    colours: dict[str, Any] = dict.fromkeys(colour for one in large for colour in one.colours)
    return Seen(
        id=layer.id, name=layer.name, kind=own[0].kind,
        words="\n".join(one.words for one in reading if one.words),
        colours=tuple(colours)[:_COLOURS], box=box, place=place_of(box, size),
        covers=sum(one.covers for one in own), live=False,
    )  # fmt: skip
