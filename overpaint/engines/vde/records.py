"""What a build keeps, line by line, in its folder; whatever is there already is not made again.

build.json            how the build was begun
pages.jsonl           one line a page, its picture in pages/, what was read in blocks/
instructions.jsonl    one line an instruction, accepted or rejected with the reason
candidates.jsonl      one line an attempt of the editor, its picture in candidates/
tasks.jsonl           what people are asked; answers.jsonl: what they said
truths/               pages with the agreed region pasted in, and what was read there
set/                  the finished set, to be loaded as a benchmark
report.json, report.md
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from overpaint.errors import DataError, UserMistake, unread
from overpaint.models.desk import Terms as Asking
from overpaint.vision.page import Block, from_json, to_json
from overpaint.work import Progress, silent

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

TASKS, ANSWERS = "tasks.jsonl", "answers.jsonl"
LONGEST_LINE = 5_000_000  # bytes; a page of corrected blocks is far below it


@dataclass(frozen=True)
class Settings:
    """What a build is begun with and keeps to the end, so that going on means the same."""

    seed: int = 0
    per_page: int = 7
    ocr: str = "small"  # an engine, or a model that is shown the pages
    raters: int = 3  # ratings, boxes and last looks wanted from different people or groups
    document: str = "document"  # kind of document where no folder's name says it
    dpi: int = 150  # at which pages of a PDF are drawn
    pdf_pages: int = 100  # at most, of one PDF


@dataclass(frozen=True)
class Terms:
    """How a build is carried out; changes nothing in what comes of it."""

    workers: int | None = None  # None: one a core; 0: in this process, unsupervised
    deadline: float = 300.0
    memory: float = 4.0
    progress: Progress = silent
    asking: Asking = Asking()  # noqa: RUF009  (frozen); of a model that reads pages
    tell: Callable[[str], None] = lambda line: None  # what leaves the machine, before it does


@dataclass(frozen=True)
class Page:
    """One page, or a file that gave none, with the reason."""

    id: str
    file: str
    number: int = 0  # in its PDF, from 1; 0 for a picture
    sha256: str = ""
    width: int = 0
    height: int = 0
    document: str = ""
    language: str = ""
    notes: tuple[str, ...] = ()
    reason: str = ""  # why there is no page, or why it could not be read


@dataclass(frozen=True)
class Instruction:
    """One instruction, accepted or with what speaks against it."""

    id: str
    page: str
    kind: str
    text: str
    wording: str = ""
    origin: str = "rules"
    openness: Mapping[str, int] | None = None
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Candidate:
    """What the editor made of an instruction, or why nothing can be used."""

    id: str  # the instruction's
    editor: str
    status: str
    sha256: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Place:
    """The folder of a build."""

    folder: Path

    def pages(self) -> dict[str, Page]:
        """The pages by id, the latest word on each."""
        return {page.id: page for page in _records(self.folder / "pages.jsonl", Page)}

    def instructions(self) -> dict[str, Instruction]:
        """The instructions by id."""
        found = _records(self.folder / "instructions.jsonl", Instruction)
        return {one.id: one for one in found}

    def candidates(self) -> dict[str, Candidate]:
        """The candidates by id, the latest attempt of each."""
        return {one.id: one for one in _records(self.folder / "candidates.jsonl", Candidate)}

    def picture(self, kind: str, name: str) -> Path:
        """Where the picture of that kind (pages, candidates, truths) and id lies."""
        return self.folder / kind / f"{name}.png"

    def blocks(self, name: str) -> tuple[Block, ...]:
        """What was read on a page."""
        return from_json(read_json(self.folder / "blocks" / f"{name}.json"))

    def keep_blocks(self, name: str, blocks: Iterable[Block]) -> None:
        """Keep what was read on a page."""
        write_json(self.folder / "blocks" / f"{name}.json", to_json(blocks))

    def add(self, record: "Page | Instruction | Candidate") -> None:
        """One more line, on disk when this returns."""
        name = {Page: "pages", Instruction: "instructions", Candidate: "candidates"}[type(record)]
        append(self.folder / f"{name}.jsonl", asdict(record))


Record = TypeVar("Record", Page, Instruction, Candidate)


def _records(path: Path, kind: type[Record]) -> list[Record]:
    """The lines that are whole; one cut off when a build was stopped is made again."""
    types = {field.name: field.type for field in fields(kind)}
    found = []
    for line in path.read_bytes().split(b"\n") if path.exists() else []:
        try:
            row = json.loads(line)
            known = {name: _frozen(row[name], types[name]) for name in types if name in row}
            found.append(kind(**known))
        except (ValueError, TypeError, RecursionError):
            continue
    return found


def _frozen(value: Any, wanted: Any) -> Any:
    """The value as the record holds it; one of another type was not written by a build."""
    if wanted in (str, int) and type(value) is not wanted:
        raise TypeError(f"{value!r} is no {wanted.__name__}")
    return tuple(map(str, value)) if isinstance(value, list) else value


def begin(folder: Path, asked: "DataclassInstance") -> None:
    """Begin a build, or go on with one; other settings than it was begun with are a mistake."""
    file = folder / "build.json"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        if any(path.name[0] != "." and path.name != ANSWERS for path in folder.iterdir()):
            raise UserMistake(f"{folder} is not empty and holds no build.",
                              "A new or empty folder was expected.")  # fmt: skip
        write_json(file, asdict(asked))
        return
    kept = read_json(file)
    for name, value in asdict(asked).items():
        if kept.get(name) != value:
            raise UserMistake(
                f"The build in {folder} was begun with {name} = {kept.get(name)!r}, not {value!r}.",
                "A build keeps its settings to the end.",
                "Leave the option away, or begin another folder.",
            )


def kept_settings(folder: Path) -> Mapping[str, Any]:
    """The settings of a build that has begun, else nothing."""
    file = folder / "build.json"
    return read_json(file) if file.exists() else {}


def append(path: Path, row: Mapping[str, Any]) -> None:
    """One line more; a line that was cut off before it stays a line of its own."""
    line = as_json(row) + "\n"
    with open(path, "ab") as file:
        if file.tell() and not _ends_whole(path):
            file.write(b"\n")
        file.write(line.encode())


def _ends_whole(path: Path) -> bool:
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def read_json(path: Path) -> Any:
    """A JSON object of our own; a damaged one is an error that names it."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(f"{path} cannot be read: {unread(error)}.", "A build wrote it.",
                        "Delete it, and the same command makes it again.") from None  # fmt: skip
    if not isinstance(found, dict):
        raise DataError(f"{path} holds a {type(found).__name__}, not an object.")
    return found


def write_json(path: Path, value: Any) -> None:
    """The value as JSON, whole or not at all."""
    write_text(path, as_json(value, indent=1) + "\n")


def as_json(value: Any, indent: int | None = None) -> str:
    """JSON with its letters as they are, unless one has no bytes: half a pair of surrogates."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    odd = any("\ud800" <= letter <= "\udfff" for letter in text)
    return json.dumps(value, indent=indent) if odd else text


def write_text(path: Path, text: str) -> None:
    """The text, whole or not at all; a letter that has no bytes becomes a question mark."""
    write_bytes(path, text.encode(errors="replace"))


def write_bytes(path: Path, data: bytes) -> None:
    """The bytes, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    draft.write_bytes(data)
    os.replace(draft, path)
