"""What a build of a MiLDE set keeps in its folder; whatever is there already is not made again.

build.json            how the build was begun
sources/              the documents as they were read, and what each of their layers is
sources.jsonl         one line a document, or why there is none
documents/            the documents consolidated, pictures/ their renders, layers/ their layers
candidates.jsonl      one line a proposed request: its attempts, scores and faults
plans.jsonl           one line a request taken apart: steps, layers, questions, what was dropped
tasks.jsonl           what people are asked; answers.jsonl: what they said
calls/                every question to the model and what it said
set/                  the finished set, to be loaded as a benchmark
report.json, report.md
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from overpaint.engines.vde.records import append, read_json
from overpaint.errors import DataError
from overpaint.vision.layers import KINDS, Kind, Seen


@dataclass(frozen=True)
class Settings:
    """What a build is begun with and keeps to the end, so that going on means the same."""

    model: str = ""  # who writes and judges
    classes: str = "rules"  # who classes layers: rules, or model
    seed: int = 0  # of the personas that are drawn
    personas: int = 6  # candidates of the persona stream for each document
    near: int = 3  # and of the document stream
    tries: int = 3  # times a candidate is written before it is given up
    least: int = 3  # of 5, in clarity, specificity and realism each
    per_document: int = 3  # requests that are kept of a document, at most
    raters: int = 1  # people wanted for each question; 0: nobody looks
    document: str = "document"  # kind of document where no folder's name says it
    pages: int = 100  # of one file, at most


@dataclass(frozen=True)
class Source:
    """One document, or a file that gave none, with the reason."""

    id: str
    file: str
    page: int = 1
    format: str = ""
    width: int = 0
    height: int = 0
    read: int = 0  # layers that show, as read
    layers: int = 0  # and after consolidation; 0: that is still to come
    content: str = ""  # SHA-256 of the document as read
    sha256: str = ""  # and of its render
    language: str = ""
    notes: Sequence[str] = ()
    reason: str = ""


@dataclass(frozen=True)
class Candidate:
    """One proposed request: what was written, what was said of it, and whether it passed."""

    id: str
    source: str
    stream: str  # persona or document
    cue: str  # the persona, or where the difference is to lie
    text: str = ""
    scores: Mapping[str, int] = field(default_factory=dict)
    attempts: Sequence[Mapping[str, Any]] = ()  # text, scores and faults of each
    faults: Sequence[str] = ()  # why it was given up; none: it passed


@dataclass(frozen=True)
class Plan:
    """A request taken apart and laid on layers, or why it cannot be."""

    id: str  # the candidate's
    instruction: str
    steps: Sequence[Mapping[str, str]] = ()  # text, kind, layer
    dropped: Sequence[Mapping[str, str]] = ()  # text, reason
    layer_instructions: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    questions: Sequence[Mapping[str, Any]] = ()
    faults: Sequence[str] = ()


@dataclass(frozen=True)
class Described:
    """The layers of a consolidated document, what each was merged from, and whose words are sure.

    Words are sure where every layer that was merged could be changed as words.
    """

    layers: tuple[Seen, ...]
    members: Mapping[str, tuple[str, ...]]
    sure: frozenset[str]

    def layer(self, name: str) -> Seen:
        """The layer of that id."""
        return next(layer for layer in self.layers if layer.id == name)


@dataclass(frozen=True)
class Place:
    """The folder of a build."""

    folder: Path

    def sources(self) -> dict[str, Source]:
        """The documents by id, the latest word on each."""
        return {one.id: one for one in _records(self.folder / "sources.jsonl", Source)}

    def candidates(self) -> dict[str, Candidate]:
        """The proposed requests by id."""
        return {one.id: one for one in _records(self.folder / "candidates.jsonl", Candidate)}

    def plans(self) -> dict[str, Plan]:
        """The requests taken apart, by id, the latest of each."""
        return {one.id: one for one in _records(self.folder / "plans.jsonl", Plan)}

    def add(self, record: Source | Candidate | Plan) -> None:
        """One more line, on disk when this returns."""
        name = {Source: "sources", Candidate: "candidates", Plan: "plans"}[type(record)]
        append(self.folder / f"{name}.jsonl", asdict(record))

    def source(self, name: str) -> Path:
        """A document as it was read."""
        return self.folder / "sources" / f"{name}.ora"

    def document(self, name: str) -> Path:
        """The same, consolidated."""
        return self.folder / "documents" / f"{name}.ora"

    def picture(self, name: str) -> Path:
        """What it looks like."""
        return self.folder / "pictures" / f"{name}.png"

    def described(self, name: str) -> Described:
        """The layers of a consolidated document."""
        file = self.folder / "layers" / f"{name}.json"
        found = read_json(file)
        members = {key: tuple(ids) for key, ids in found["members"].items()}
        return Described(told_layers(found, file), members, frozenset(found["sure"]))


def told_layers(found: Mapping[str, Any], file: Path) -> tuple[Seen, ...]:
    """Layers as `written_layers` wrote them; a damaged file is an error that names it."""
    try:
        return tuple(_layer(row) for row in found["layers"])
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{file} is not as a build wrote it: {error}.", "",
                        "Begin the build in another folder.") from None  # fmt: skip


def written_layers(layers: Sequence[Seen]) -> list[dict[str, Any]]:
    """Layers as JSON values."""
    return [asdict(layer) for layer in layers]


def _layer(row: Mapping[str, Any]) -> Seen:
    kind: Kind = KINDS[KINDS.index(row["kind"])]
    left, top, right, bottom = row["box"]
    whole = {**row, "kind": kind, "colours": tuple(row["colours"])}
    return Seen(**(whole | {"box": (left, top, right, bottom)}))


Record = TypeVar("Record", Source, Candidate, Plan)


def _records(path: Path, kind: type[Record]) -> list[Record]:
    """The lines that are whole; one cut off when a build was stopped is made again."""
    names = {field.name for field in fields(kind)}
    found = []
    for line in path.read_bytes().split(b"\n") if path.exists() else []:
        try:
            row = json.loads(line)
            found.append(kind(**{name: row[name] for name in names if name in row}))
        except (ValueError, TypeError, RecursionError):
            continue
    return found
