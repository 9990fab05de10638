"""What a build of RefBlend keeps in its folder; whatever is there already is not made again.

build.json            how the build was begun
images/               the pictures that references are taken from
sources.jsonl         one line a picture, or why it is left out
references/           every reference as it is drawn, a folder a picture
found.jsonl           one line a picture and kind: who looked, what was found, what was dropped
captions.jsonl        one line a caption, and who wrote it
judged.jsonl          one line a reference that a judge looked at
rewritten.jsonl       one line an instruction in a persona's voice
tasks.jsonl           what people are asked; answers.jsonl: what they said
calls/                every question to models and what they said
set/                  the finished set: samples.json, metadata.jsonl, and the pictures they name
sheet.html            what to look at; report.json, report.md: what became of everything
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from overpaint.engines.vde.records import append
from overpaint.vision.references import Kind

GIVEN = "given"  # the method of what came with a picture


@dataclass(frozen=True)
class Settings:
    """What a build is begun with and keeps to the end, so that going on means the same."""

    seed: int = 0
    combinations: str = "all"  # or paper: its 32
    per_image: int = 6  # samples of one picture, at most
    kinds: str = ""  # with commas; "": whatever works here
    extractors: str = ""  # KIND=METHOD with commas; "": the defaults
    model: str = ""  # who writes captions and lends personas a voice
    judge: str = ""  # who scores references
    personas: int = 1  # voices an instruction is said again in
    raters: int = 0  # people wanted for each pose, subject and style; 0: nobody looks
    confidence: float = 0.8  # what semantic maps and masks need, where their method tells it
    least: int = 3  # of 5, in each dimension that a judge scores
    cycle: float = 0.95  # agreement when read back and found again; 0: that is not asked
    longest: int = 2048  # pixels of a side; larger pictures are made smaller first


@dataclass(frozen=True)
class Source:
    """One picture, or a file that gave none, with the reason."""

    id: str
    file: str
    picture: str = ""  # below the build's folder
    width: int = 0
    height: int = 0
    sha256: str = ""  # of its pixels
    notes: Sequence[str] = ()
    reason: str = ""


@dataclass(frozen=True)
class Drawn:
    """One reference as it lies in the folder, and what speaks against it."""

    file: str
    sha256: str
    width: int
    height: int
    label: str = ""
    confidence: float | None = None
    agreement: float | None = None  # of what can be read from the file with what was found
    whole: bool = False  # all poses in one picture, beside those of each person
    dropped: str = ""


@dataclass(frozen=True)
class Found:
    """What one extractor found in one picture, or why it could not look."""

    source: str
    kind: Kind
    method: str
    version: str = ""
    seconds: float = 0.0  # of looking once
    references: Sequence[Drawn] = ()
    reason: str = ""

    @property
    def id(self) -> tuple[str, str]:
        """The picture and the kind."""
        return self.source, self.kind


@dataclass(frozen=True)
class Caption:
    """A picture's caption and who wrote it: a method and its version."""

    source: str
    text: str
    by: str
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Judged:
    """What a judge said of one reference: its file, or a caption's text."""

    source: str
    kind: Kind
    subject: str  # SHA-256 of the picture, or the caption
    scores: Mapping[str, int] = field(default_factory=dict)
    faults: Sequence[str] = ()  # why there are none


@dataclass(frozen=True)
class Voiced:
    """An instruction in a persona's voice, or what every attempt had wrong."""

    sample: str
    source: str
    number: int
    structured: str  # what it was made of
    persona: str
    text: str = ""
    attempts: int = 0
    faults: Sequence[str] = ()


Record = Source | Found | Caption | Judged | Voiced
_FILES: Mapping[type[Record], str] = {
    Source: "sources", Found: "found", Caption: "captions", Judged: "judged", Voiced: "rewritten",
}  # fmt: skip


@dataclass(frozen=True)
class Place:
    """The folder of a build."""

    folder: Path

    def sources(self) -> dict[str, Source]:
        """The pictures by id, in the order of their ids."""
        return {one.id: one for one in self._told() if one.picture}

    def taken(self) -> list[Source]:
        """Every file whose picture is stored, twins as well."""
        return [one for one in _records(self.folder, Source) if one.picture]

    def left_out(self) -> list[Source]:
        """The files that gave no picture, or one that is there already, with the reason."""
        return [one for one in self._told() if one.reason]

    def _told(self) -> Iterator[Source]:
        """The latest word on each file; of pictures that are the same the first by name counts."""
        files = {one.file: one for one in _records(self.folder, Source)}
        first: dict[str, Source] = {}
        for one in sorted(files.values(), key=lambda source: (source.id, source.file)):
            twin = first.setdefault(one.sha256, one) if one.sha256 else one
            same = f"the same picture as {twin.file}"
            yield one if twin is one else Source(one.id, one.file, reason=same)

    def found(self) -> dict[tuple[str, str], Found]:
        """What extractors found, by picture and kind."""
        return {one.id: one for one in map(_whole, _records(self.folder, Found))}

    def captions(self) -> dict[str, Caption]:
        """The captions by picture, the latest of each."""
        return {one.source: one for one in _records(self.folder, Caption)}

    def judged(self) -> dict[tuple[str, str, str], Judged]:
        """What judges said, by picture, kind and what they looked at."""
        known = _records(self.folder, Judged)
        return {(one.source, one.kind, one.subject): one for one in known}

    def voiced(self) -> dict[tuple[str, int], Voiced]:
        """Rewritten instructions by sample and number."""
        return {(one.sample, one.number): one for one in _records(self.folder, Voiced)}

    def add(self, record: Record) -> None:
        """One more line, on disk when this returns."""
        append(self.folder / f"{_FILES[type(record)]}.jsonl", asdict(record))


Line = TypeVar("Line", Source, Found, Caption, Judged, Voiced)


def _records(folder: Path, kind: type[Line]) -> list[Line]:
    """The lines that are whole; one cut off when a build was stopped is made again."""
    path, names = folder / f"{_FILES[kind]}.jsonl", {field.name for field in fields(kind)}
    found = []
    for line in path.read_bytes().split(b"\n") if path.exists() else []:
        try:
            row = json.loads(line)
            found.append(kind(**{name: row[name] for name in names if name in row}))
        except (ValueError, TypeError, RecursionError):
            continue
    return found


def _whole(found: Found) -> Found:
    """A line of found.jsonl with its references as such."""
    rows: Sequence[Mapping[str, Any]] = found.references  # type: ignore[assignment]
    return replace(found, references=tuple(Drawn(**row) for row in rows))
