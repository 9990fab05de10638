"""The nouns that flow and the shapes of those who make them flow. Read this file first.

    Sample -> Editor -> Edit -> Measure -> Score -> report

Each thing holds the one before it (`score.edit.sample`), nothing points forward, and nothing
changes after it is made. Editors see `sample.request` and no more; what only a measure may know
(the target, what may change, difficulty) stands on the sample beside it.
"""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from overpaint.document import Document
from overpaint.errors import OverpaintError

EditStatus = Literal[
    "ok", "no_output", "editor_failed", "refused", "unreachable", "unavailable", "not_applicable"
]  # fmt: skip
ScoreStatus = Literal[
    "ok", "no_edit", "undecided", "unreadable", "refused", "unreachable",
    "measure_failed", "unavailable", "not_applicable",
]  # fmt: skip

# What `retry` takes up again. A refusal or a verdict is an answer; these are accidents.
RETRY_EDITS = ("editor_failed", "unreachable", "no_output", "unavailable")
RETRY_SCORES = ("measure_failed", "unreachable", "unreadable", "unavailable")

# The whole reason of a PSNR that does not exist: a pooled PSNR counts such a pair as no error.
IDENTICAL = "identical"
# The whole reason of an edit's row under a measure of sets: its picture is in the set.
OF_A_SET = "It is a number of a set of edits; this one is in it."


# ── what flows ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Request:
    """All that an editor gets to see."""

    source: Document
    instruction: str
    references: tuple[Document, ...] = ()
    mask: Document | None = None  # only where a user would draw one
    names: tuple[str, ...] = ()  # under which someone may have filed an output for it
    labels: tuple[str, ...] = ()  # what the instruction calls each reference: <image1>, <subject_1>
    begun: bool = False  # an earlier turn made the source: whatever it shows, it is no empty canvas


@dataclass(frozen=True)
class Sample:
    """One question of a benchmark: a request, and what only measures may know."""

    id: str
    request: Request
    target: Document | None = None
    masks: tuple[Document, ...] = ()  # white = may change; the editable region is their union
    tags: Mapping[str, str] = field(default_factory=dict)  # what tables are broken down by
    facts: Mapping[str, Any] = field(default_factory=dict)  # annotations a measure may need
    cluster: str = ""  # samples of one source share it; the bootstrap draws clusters

    @property
    def reference(self) -> Document:
        """What an output is held against: the target where there is one, else the source."""
        return self.target or self.request.source


@dataclass(frozen=True)
class Edit:
    """What one editor made of one sample, or why it made nothing."""

    sample: Sample
    editor: str
    status: EditStatus
    output: Document | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()
    trace: tuple[Mapping[str, Any], ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class Score:
    """One float, or None with a status and a reason. Never a stand-in number."""

    edit: Edit
    measure: str
    value: float | None
    status: ScoreStatus = "ok"
    reason: str = ""
    notes: tuple[str, ...] = ()
    against: str | None = None  # the other editor, where the score is a pairwise vote
    seconds: float = 0.0
    weight: float = 1.0  # what it counts for in a table's mean: blocks, where blocks are pooled
    # The tag and value whose edits it is a number of ("" and "all": every edit), where it is one
    # of a set; `edit` is the first of them and names the editor.
    slice: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.status == "ok"):
            raise ValueError(f"status {self.status!r} does not go with value {self.value!r}")
        if self.value is not None and self.value - self.value != 0:  # inf and NaN
            raise ValueError(f"{self.measure} gave {self.value}; a score is a finite number")
        if not 0 < self.weight < float("inf"):
            raise ValueError(f"{self.measure} gave the weight {self.weight}; it is above 0")


# ── who makes it flow ───────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Card:
    """A benchmark's protocol: whatever would change a number if it changed."""

    name: str
    data: str
    reference: str
    region: str
    resizing: str
    alignment: str
    aggregation: str
    failures: str
    sources: tuple[str, ...]
    judge: str = "none"
    # Filled in by `run.protocol`, so that an id stands for one set of data and measures:
    measures: tuple[str, ...] = ()  # "name/version"
    revision: str = ""  # a short hash of the data as loaded

    @property
    def id(self) -> str:
        """Name and a short hash of everything on the card; printed with every table."""
        text = json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)
        return f"{self.name}#{hashlib.sha256(text.encode()).hexdigest()[:8]}"


@dataclass(frozen=True)
class Repair:
    """Something in a dataset that was not as its format promises, and what was done."""

    where: str
    kind: str
    did: str


@dataclass(frozen=True)
class Loaded:
    """A dataset as read: its samples and every repair that reading took."""

    samples: tuple[Sample, ...]
    repairs: tuple[Repair, ...] = ()
    files: int = 0


class Benchmark(Protocol):
    """A loader and a protocol card.

    One whose built-in data is made on first use may have a `prepare(progress)`, called before it.
    Its `floors`, where it has such a tuple, are specs of editors that its runs have beside the
    catalogue's.
    """

    @property
    def card(self) -> Card: ...
    @property
    def measures(self) -> tuple[str, ...]:
        """Catalogue names of the measures that make its table, in column order."""
        ...

    @property
    def breakdowns(self) -> tuple[str, ...]:
        """The tags its tables are broken down by."""
        ...

    def load(self, data: Path | None) -> Loaded:
        """The samples below `data`, or the built-in ones where the benchmark has them."""
        ...


class Editor(Protocol):
    """Anything that turns a request into a document; it raises `Refused`, `NoOutput` … if not.

    An editor with `sees_target = True` is called with the whole sample; only `truth` may. One
    that can tell how it went has `traced(request, desk)`, which gives the document and its trace
    (JSON values, and a document as a step's "picture"). With `where = "thread"` it asks models at
    that desk; `asks(request)` is what it would ask, and `host` whom it contacts besides.
    """

    def __call__(self, request: Any, /) -> Document: ...


class Desk(Protocol):
    """Where questions to models are asked, remembered and paid for; `overpaint.models` has it."""

    def ask(self, question: Any, /) -> Any:
        """The reply, from memory where it is known; an error with a status if there is none."""
        ...

    def doubt(self, key: str, why: str, /) -> None:
        """Note that a reply could not be used, so that it may be asked for again."""
        ...


Pool = Literal["mean", "weighted", "psnr", "failed_as_worst"]
Where = Literal["process", "thread"]  # a worker of its own, or a thread that waits for a server
Scope = Literal["edit", "set"]


@dataclass(frozen=True)
class Measure:
    """A formula, a judge, a person or a trained evaluator: edits in, one score each out."""

    name: str
    score: Callable[[Sequence[Edit], "Evidence"], Iterable[Score]]
    higher_is_better: bool
    worst: float | None  # None: unbounded on that side
    best: float | None
    version: str = "1"
    needs: tuple[str, ...] = ()  # names in the table of weights
    pool: Pool = "mean"  # how per-edit values become a table's number
    asks_all: bool = False  # whether it is asked of edits without a picture as well
    where: Where = "process"
    gpus: float = 0.0  # that a worker must have, where there are any
    gigabytes: float = 0.0  # likewise, where it is more than a worker may hold anyway
    # A total's columns: its number in a table is made of theirs, each over its own samples. It is
    # their sum, or what `whole` makes of them, which never falls when one of them gets better.
    parts: tuple[str, ...] = ()
    whole: Callable[[Sequence[float]], float] | None = None
    # A tag: the number in a table is the plain mean of its part's means over the tag's values.
    over: str = ""
    # "set": one score for all edits of an editor, or of a slice, after a `look` at each of them.
    scope: Scope = "edit"
    look: Callable[[Edit, "Evidence"], object] | None = None
    # What it would ask of models about a sample, so that a run can say so beforehand.
    asks: Callable[[Sample], Sequence[Any]] | None = None
    unit: str = ""
    about: str = ""  # one line for people: what it is and whom it follows


def each(
    name: str, function: Callable[[Edit, "Evidence"], "float | Found"]
) -> Callable[[Sequence[Edit], "Evidence"], Iterable[Score]]:
    """Lift a per-edit function to the shape of a measure; its errors become statuses."""

    def score(edits: Sequence[Edit], evidence: "Evidence") -> Iterable[Score]:
        for edit in edits:
            try:
                found = function(edit, evidence)
            except OverpaintError as error:
                yield failed(edit, name, error)
            else:
                found = found if isinstance(found, Found) else Found(found)
                value, weight = float(found.value), float(found.weight)
                yield Score(edit, name, value, notes=found.notes, weight=weight)

    return score


def together(
    name: str, function: Callable[[Sequence[Edit], "Evidence"], "float | Found"]
) -> Callable[[Sequence[Edit], "Evidence"], Iterable[Score]]:
    """Lift a function of a set of edits to the shape of a measure with the scope "set"."""

    def score(edits: Sequence[Edit], evidence: "Evidence") -> Iterable[Score]:
        try:
            found = function(edits, evidence)
        except OverpaintError as error:
            yield failed(edits[0], name, error)
        else:
            found = found if isinstance(found, Found) else Found(found)
            yield Score(edits[0], name, float(found.value), notes=found.notes)

    return score


def looked_at(measure: Measure, edits: Sequence[Edit], evidence: "Evidence") -> Iterable[Score]:
    """An edit's own row under a measure of sets: it is in the set, or what keeps it out."""
    for edit in edits:
        try:
            if measure.look:
                measure.look(edit, evidence)
        except OverpaintError as error:
            yield failed(edit, measure.name, error)
        else:
            yield Score(edit, measure.name, None, "not_applicable", OF_A_SET)


@dataclass(frozen=True)
class Found:
    """A value with the notes that belong beside it ("resized", "not aligned")."""

    value: float
    notes: tuple[str, ...] = ()
    weight: float = 1.0


def failed(edit: Edit, measure: str, error: OverpaintError) -> Score:
    """The row of a score that could not be had."""
    status: Any = error.status if error.status and error.status != "no_output" else "measure_failed"
    return Score(edit, measure, None, status, str(error))


# ── evidence ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Finding:
    """Something to be seen in documents: computed once per (name, version, what it is asked of).

    It is asked of documents, known by their hash, and of plain values such as a box or the name
    of an engine. `keep` findings return JSON values; the store keeps them for later runs.
    """

    name: str
    version: str
    keep: bool
    compute: Callable[..., Any]

    def __call__(self, evidence: "Evidence", *subjects: Any) -> Any:
        return evidence.get(self, subjects)


def finding(*, version: str = "1", keep: bool = False) -> Callable[[Callable[..., Any]], Finding]:
    """Make a function of evidence, documents and plain values remember what it found."""

    def wrap(function: Callable[..., Any]) -> Finding:
        name = f"{function.__module__}.{function.__qualname__}"
        return Finding(name, version, keep, function)

    return wrap


class Evidence:
    """A lazy memo of findings, in memory up to a size, and kept by whoever passes `recall`.

    `fresh` collects what was newly found and is worth keeping, for the store's one writer.
    """

    def __init__(
        self,
        recall: Callable[[str], str | None] = lambda key: None,
        *,
        megabytes: int = 512,
        desk: Desk | None = None,  # for measures that ask models
    ) -> None:
        self._recall = recall
        self.desk = desk
        self._room = megabytes * 2**20
        self._size = 0
        self._memo: OrderedDict[str, tuple[Any, int]] = OrderedDict()
        self.fresh: dict[str, str] = {}

    def get(self, what: Finding, subjects: Sequence[Any]) -> Any:
        """The finding for these subjects, from memory, from the store, or computed now."""
        key = ":".join((what.name, what.version, *map(_name_of, subjects)))
        if key in self._memo:
            self._memo.move_to_end(key)
            return self._memo[key][0]
        kept = self._recall(key) if what.keep else None
        if kept is not None:
            value = json.loads(kept)
        else:
            value = what.compute(self, *subjects)
            if what.keep:
                self.fresh[key] = json.dumps(value)
        self._remember(key, value)
        return value

    def _remember(self, key: str, value: Any) -> None:
        size = _bytes_of(value)
        self._memo[key] = (value, size)
        self._size += size
        while self._size > self._room and len(self._memo) > 1:
            _, (_, freed) = self._memo.popitem(last=False)
            self._size -= freed


def _name_of(subject: Any) -> str:
    return subject.key if isinstance(subject, Document) else repr(subject)


def _bytes_of(value: Any) -> int:
    """Roughly what a finding weighs: arrays by their buffers, anything else as small, each once."""
    size, seen, left = 0, set[int](), [value]
    while left:
        one = left.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, tuple | list):
            left += one
        elif is_dataclass(one) and not isinstance(one, type):
            left += (getattr(one, part.name) for part in fields(one))
        else:
            size += int(getattr(one, "nbytes", 256))
    return size
