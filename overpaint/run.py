"""The pipeline: make what is missing, score what is missing. The only catch-all stands here."""

import hashlib
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

from overpaint import catalog, weights
from overpaint.core import Card, Edit, Evidence, Loaded, Sample, Score, failed
from overpaint.document import Document
from overpaint.errors import NotApplicable, OverpaintError, StoreError, UserMistake
from overpaint.measures.aggregate import TableRow, tabulate
from overpaint.store import DATABASE, Store, keep_picture, recall_evidence
from overpaint.work import Backend, Here, Outcome, Processes, Progress, Task, silent

LIBRARIES = ("overpaint", "numpy", "numba", "opencv-python-headless", "pillow", "onnxruntime")


@dataclass(frozen=True)
class Settings:
    """How a run is carried out; none of these changes a number."""

    workers: int | None = None  # None: one a core; 0: in this process, unsupervised
    deadline: float = 300.0
    memory: float = 4.0
    progress: Progress = silent


@dataclass(frozen=True)
class Run:
    """A run on disk, opened for reading whenever it is asked something."""

    folder: Path

    def table(self, by: str | None = None) -> list[TableRow]:
        """The leaderboard, or one row per editor and value of the tag `by`."""
        with Store.open(self.folder) as store:
            measures = [catalog.measure(spec) for spec in store.measures.values()]
            seed = store.info["seed"]
            return tabulate(measures, store.rows(), list(store.samples()), by=by, seed=seed)

    def failures(self) -> list[tuple[str, str, str, str, int]]:
        """(editor, measure or "edit", status, reason, count) of whatever is not ok."""
        with Store.open(self.folder) as store:
            return store.failures()

    @property
    def info(self) -> dict[str, Any]:
        """What was recorded of the run: card, command, versions, seed, weights."""
        with Store.open(self.folder) as store:
            return dict(store.info)


def open_run(folder: str | Path) -> Run:
    """A run on disk; it must exist."""
    with Store.open(Path(folder)):
        return Run(Path(folder))


def run(
    benchmark: str,
    *,
    data: Path | None = None,
    editors: Sequence[str] = (),
    out: Path | None = None,
    limit: int | None = None,
    floors: bool = True,
    settings: Settings = Settings(),  # noqa: B008  (frozen)
) -> Run:
    """Ask every editor for every sample's edit and every measure for its score."""
    bench = catalog.benchmark(benchmark)
    loaded = bench.load(data)
    chosen = _chosen(editors, floors)
    with Store.create(out or Path("runs", benchmark)) as store:
        card = protocol(bench.card, bench.measures)
        _take_over(store, card, loaded, data)
        store.note(benchmark=benchmark, breakdowns=list(bench.breakdowns))
        samples = loaded.samples[:limit]
        store.add_samples(samples)
        names = [_register_editor(store, text) for text in chosen]
        measures = _register_measures(store, bench.measures)
        make_edits(store, [sample.id for sample in samples], names, settings)
        make_scores(store, measures, settings)
        return Run(store.folder)


class _CallableModule(ModuleType):
    """Lets `overpaint.run(...)` work although `overpaint.run` is this module."""

    def __call__(self, benchmark: str, **what: Any) -> Run:
        return run(benchmark, **what)


sys.modules[__name__].__class__ = _CallableModule


def score(folder: Path, measures: Sequence[str] = (), settings: Settings = Settings()) -> Run:  # noqa: B008
    """Score what is missing in a run, and add measures to it."""
    with Store.open(folder) as store:
        _register_measures(store, measures)
        make_scores(store, list(store.measures), settings)
        return Run(folder)


def retry(folder: Path, settings: Settings = Settings()) -> tuple[Run, int, int]:  # noqa: B008
    """Try again what failed by accident; gives how many edits and scores were taken up."""
    with Store.open(folder) as store:
        edits, scores = store.forget_failures()
        make_edits(store, [sample.id for sample in store.samples()], list(store.editors), settings)
        make_scores(store, list(store.measures), settings)
        return Run(folder), edits, scores


def plan(
    benchmark: str,
    *,
    data: Path | None = None,
    editors: Sequence[str] = (),
    out: Path | None = None,
    limit: int | None = None,
    floors: bool = True,
) -> dict[str, Any]:
    """What `run` would do, without doing it; `out` need not exist."""
    bench = catalog.benchmark(benchmark)
    samples = [sample.id for sample in bench.load(data).samples[:limit]]
    named = dict(map(catalog.editor_name, _chosen(editors, floors)))
    for spec in named.values():
        catalog.editor(spec)
    folder = out or Path("runs", benchmark)
    if (folder / DATABASE).exists():
        with Store.open(folder) as store:
            edits = sum(len(store.missing_edits(samples, name)) for name in named)
            made = store.counts()
    else:
        edits, made = len(samples) * len(named), {"edits": 0, "scores": 0}
    return {
        "benchmark": protocol(bench.card, bench.measures).id,
        "run": str(folder),
        "already_there": [f"{count} {what}" for what, count in made.items()],
        "samples": len(samples),
        "editors": list(named),
        "measures": list(bench.measures),
        "edits_to_make": edits,
        "hosts_contacted": "none",
        "price": "nothing: no paid service is asked",
    }


def _chosen(editors: Sequence[str], floors: bool) -> list[str]:
    """The editors asked for, and the rows every table has unless told otherwise."""
    chosen = [*editors, *(catalog.FLOORS + catalog.CEILINGS if floors else ())]
    if not chosen:
        raise UserMistake("No editor was named.", "At least one --editor was expected.")
    return list(dict.fromkeys(chosen))


def protocol(card: Card, measures: Sequence[str]) -> Card:
    """The card with the versions of its measures written on it."""
    found = map(catalog.measure, measures)
    return replace(card, measures=tuple(f"{one.name}/{one.version}" for one in found))


# ── the two passes ──────────────────────────────────────────────────────────────────────────


def make_edits(
    store: Store, samples: Sequence[str], editors: Sequence[str], settings: Settings
) -> None:
    """Ask each editor about each sample it has not been asked about."""
    steps: dict[str, list[str]] = {}
    for editor in editors:
        for sample in store.missing_edits(samples, editor):
            steps.setdefault(sample, []).append(editor)
    specs = store.editors
    tasks = (
        Task(store.sample(sample), tuple((name, specs[name]) for name in names))
        for sample, names in steps.items()
    )
    total = sum(map(len, steps.values()))
    for done, outcome in enumerate(_perform(store, _make_edit, tasks, total, settings), 1):
        store.put_edit(outcome.result or _lost_edit(outcome))
        settings.progress("editing", done, total)


def make_scores(store: Store, measures: Sequence[str], settings: Settings) -> None:
    """Ask each measure about each edit it has not scored."""
    store.note(weights=_weights_used(store.measures.values()))
    missing = store.missing_scores(measures)
    for sample, editor, made, lacking in missing:
        if not made:
            edit = _edit(store, sample, editor)
            store.put_scores([_no_edit(edit, measure) for measure in lacking], {})
    wanted = [(sample, editor, lacking) for sample, editor, made, lacking in missing if made]
    specs = store.measures
    tasks = (
        Task(_edit(store, *which), tuple((name, specs[name]) for name in lacking))
        for *which, lacking in wanted
    )
    total = sum(len(lacking) for _, _, lacking in wanted)
    for done, outcome in enumerate(_perform(store, _make_scores, tasks, total, settings), 1):
        scores, evidence = outcome.result or ([_lost_score(outcome)], {})
        store.put_scores(scores, evidence)
        settings.progress("scoring", done, total)


def _edit(store: Store, sample: str, editor: str) -> Edit:
    edit = store.edit(store.sample(sample), editor)
    assert edit is not None  # the query that named it just found it
    return edit


def _perform(
    store: Store, work: Callable[..., Any], tasks: Iterable[Task], total: int, settings: Settings
) -> Iterator[Outcome]:
    """The outcomes of all tasks; an error that would spoil every row alike ends the run."""
    if not total:
        return
    for outcome in _backend(partial(work, store.folder.resolve()), settings).perform(tasks):
        if isinstance(outcome.error, StoreError | UserMistake):
            raise outcome.error
        yield outcome


def _backend(function: Callable[[Any, Any], Any], settings: Settings) -> Backend:
    workers = (os.cpu_count() or 1) if settings.workers is None else settings.workers
    if workers == 0:
        return Here(function)
    return Processes(function, workers, settings.deadline, settings.memory)


# ── inside a worker ─────────────────────────────────────────────────────────────────────────


def _make_edit(folder: Path, sample: Sample, step: tuple[str, str]) -> Edit:
    """What the editor makes of the sample; whatever goes wrong is the edit's status."""
    name, spec = step
    editor = catalog.editor(spec)
    started = time.perf_counter()
    try:
        seen = sample if getattr(editor, "sees_target", False) else sample.request
        output = editor(seen)
        notes = _readable(output)
        edit = Edit(sample, name, "ok", keep_picture(folder, output), notes=notes)
    except (StoreError, UserMistake):
        raise
    except OverpaintError as error:
        status: Any = error.status or "editor_failed"
        edit = Edit(sample, name, status, reason=str(error))
    except Exception as error:  # noqa: BLE001
        edit = Edit(sample, name, "editor_failed", reason=f"{type(error).__name__}: {error}")
    return replace(edit, seconds=time.perf_counter() - started)


def _readable(output: Document) -> tuple[str, ...]:
    """Decode an editor's output once, so that a broken picture is the editor's failure."""
    if output.rgb.size == 0:
        raise OverpaintError("The editor gave a picture without pixels.")
    return output.notes


def _make_scores(
    folder: Path, edit: Edit, step: tuple[str, str]
) -> tuple[list[Score], dict[str, str]]:
    """The measure's scores of the edit, and evidence worth keeping that was found on the way."""
    name, spec = step
    evidence, measure = _evidence(folder), catalog.measure(spec)
    started = time.perf_counter()
    try:
        scores = list(measure.score([edit], evidence))
    except Exception as error:  # noqa: BLE001
        reason = OverpaintError(f"{type(error).__name__}: {error}")
        scores = [failed(edit, name, reason)]
    seconds = time.perf_counter() - started
    fresh, evidence.fresh = evidence.fresh, {}
    return [replace(score, seconds=seconds) for score in scores], fresh


@cache
def _evidence(folder: Path) -> Evidence:
    return Evidence(partial(recall_evidence, folder))


# ── rows for what did not come back ─────────────────────────────────────────────────────────


def _lost_edit(outcome: Outcome) -> Edit:
    return Edit(outcome.subject, outcome.step[0], "editor_failed", reason=str(outcome.error))


def _lost_score(outcome: Outcome) -> Score:
    assert outcome.error is not None
    return failed(outcome.subject, outcome.step[0], outcome.error)


def _no_edit(edit: Edit, measure: str) -> Score:
    if edit.status == "not_applicable":
        return failed(edit, measure, NotApplicable(edit.reason))
    return Score(edit, measure, None, "no_edit", f"{edit.status}: {edit.reason}")


# ── what a run is recorded as ───────────────────────────────────────────────────────────────


def _take_over(store: Store, card: Card, loaded: Loaded, data: Path | None) -> None:
    """Record what the run is, or check that it is still the same run."""
    digest = hashlib.sha256()
    for sample in loaded.samples:
        digest.update(f"{sample.id}\0{sample.request.instruction}\0".encode())
    facts = {"card_id": card.id, "data": str(data.resolve()) if data else "built in",
             "data_digest": digest.hexdigest()}  # fmt: skip
    known = store.info
    for key, what in (("card_id", "protocol"), ("data", "data"), ("data_digest", "data's content")):
        if key in known and known[key] != facts[key]:
            raise StoreError(
                f"The run in {store.folder} has another {what}: {known[key]}, not {facts[key]}.",
                "One run is one benchmark under one protocol.",
                "Give the new run a folder of its own with -o.",
            )
    if "created" not in known:
        store.note(created=datetime.now(UTC).isoformat(timespec="seconds"), seed=0, **facts)
    store.note(
        card=asdict(card), version=version("overpaint"), versions=_versions(),
        command=sys.argv,
        commands=[*known.get("commands", []), sys.argv],
    )  # fmt: skip


def _weights_used(measures: Iterable[str]) -> dict[str, str]:
    """The hash of each weight file that the measures read and that is here."""
    needed = {name for measure in measures for name in catalog.measure(measure).needs}
    return {name: found for name, found in weights.hashes().items() if name in needed}


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = "not installed"
    return found


def _register_editor(store: Store, text: str) -> str:
    name, spec = catalog.editor_name(text)
    catalog.editor(spec)  # a wrong name is found out now, not row by row
    store.add_editor(name, spec)
    return name


def _register_measures(store: Store, specs: Sequence[str]) -> list[str]:
    """The names under which these measures' scores are kept."""
    names = []
    for spec in map(catalog.anchored, specs):
        measure = catalog.measure(spec)
        store.add_measure(measure.name, spec, measure.version)
        names.append(measure.name)
    return names
