"""The pipeline: make what is missing, score what is missing. The only catch-all stands here."""

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

from overpaint import catalog
from overpaint.core import (
    Benchmark,
    Edit,
    EditStatus,
    Evidence,
    Loaded,
    Measure,
    Sample,
    Score,
    failed,
)
from overpaint.document import Document
from overpaint.errors import DataError, NotApplicable, OverpaintError, StoreError, UserMistake
from overpaint.measures.aggregate import TableRow, tabulate
from overpaint.measures.gap import Gap, read_gaps
from overpaint.store import DATABASE, Store, keep_picture, recall_evidence
from overpaint.store.record import log_command, protocol, take_over, weights_used
from overpaint.work import Backend, Here, Outcome, Processes, Progress, Task, silent

LONGEST = 2_000  # characters of a reason or a note; more is noise, and would fill the run
SLACK = 1e-6  # rounding may carry a value this far past its declared ends


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
            seed = store.fact("seed")
            return tabulate(measures, store.rows(), store.samples(), by=by, seed=seed)

    def gaps(self) -> list[Gap]:
        """How much of the way from the source to the truth each editor went, local first."""
        with Store.open(self.folder) as store:
            measures = [catalog.measure(spec) for spec in store.measures.values()]
            editors, seed = store.editors, store.fact("seed")
            return read_gaps(measures, store.rows(), store.samples(), editors, seed=seed)

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
    data: str | Path | None = None,
    editors: Sequence[str] = (),
    out: str | Path | None = None,
    limit: int | None = None,
    floors: bool = True,
    redo: Sequence[str] = (),
    settings: Settings = Settings(),  # noqa: B008  (frozen)
) -> Run:
    """Ask every editor for every sample's edit and every measure for its score.

    What was made before is kept, but for the editors named in `redo`.
    """
    bench, chosen = catalog.benchmark(benchmark), _chosen(editors, floors)
    loaded = load(bench, data, settings.progress)
    _check_ids(loaded)
    card = protocol(bench.card, bench.measures, loaded.samples)
    with Store.create(Path(out) if out else _home(benchmark)) as store:
        take_over(store, card, Path(data) if data else None)
        log_command(store)
        repairs = dict(Counter(repair.kind for repair in loaded.repairs))
        store.note(benchmark=benchmark, breakdowns=list(bench.breakdowns), repairs=repairs)
        for name in redo:
            store.forget_editor(name)
        samples = loaded.samples[:limit]
        store.add_samples(samples)
        for name, spec in chosen.items():
            store.add_editor(name, spec)
        measures = _register_measures(store, bench.measures)
        wanted = store.missing_edits([sample.id for sample in samples], list(chosen))
        make_edits(store, wanted, settings)
        make_scores(store, store.missing_scores(measures), settings)
        return Run(store.folder)


def load(bench: Benchmark, data: str | Path | None, progress: Progress = silent) -> Loaded:
    """The benchmark's samples; built-in ones may have to be made first, which takes a while."""
    if data is None and (prepare := getattr(bench, "prepare", None)):
        prepare(progress)
    return bench.load(Path(data) if data else None)


def _check_ids(loaded: Loaded) -> None:
    """An id must name one sample, in letters that can be written down."""
    for name, count in Counter(sample.id for sample in loaded.samples).items():
        if count > 1 or not name.isprintable():
            wrong = f"comes {count} times" if count > 1 else "holds letters that do not print"
            raise DataError(f"The sample id {name!r} {wrong}.", "Each sample needs its own.")


def _home(benchmark: str) -> Path:
    """Where a benchmark's run lies unless told otherwise."""
    return Path("runs", Path(benchmark).name.replace(".py:", "-"))


class _CallableModule(ModuleType):
    """Lets `overpaint.run(...)` work although `overpaint.run` is this module."""

    __call__ = staticmethod(run)


sys.modules[__name__].__class__ = _CallableModule


def score(folder: Path, measures: Sequence[str] = (), settings: Settings = Settings()) -> Run:  # noqa: B008
    """Score what is missing in a run, and add measures to it."""
    with Store.open(folder) as store:
        _register_measures(store, measures)
        log_command(store)
        make_scores(store, store.missing_scores(list(store.measures)), settings)
        return Run(folder)


def retry(folder: Path, settings: Settings = Settings()) -> tuple[Run, int, int]:  # noqa: B008
    """Try again what failed by accident; gives how many edits and scores were taken up."""
    with Store.open(folder) as store:
        log_command(store)
        for edit in list(store.edits()):
            if edit.output and edit.output.path and not edit.output.path.exists():
                why = "Its picture is gone from the run."
                store.put_edit(replace(edit, status="editor_failed", output=None, reason=why))
        before = {which[:2]: which[3] for which in store.missing_scores(list(store.measures))}
        edits, scores = store.forget_failures()
        make_edits(store, edits, settings)
        missing = store.missing_scores(list(store.measures))
        # What had never been scored is `score`'s business, not an accident of this run.
        lost = [which for which in missing if which[3] != before.get(which[:2])]
        make_scores(store, lost, settings)
        return Run(folder), len(edits), scores


def plan(
    benchmark: str,
    *,
    data: str | Path | None = None,
    editors: Sequence[str] = (),
    out: str | Path | None = None,
    limit: int | None = None,
    floors: bool = True,
    progress: Progress = silent,
) -> dict[str, Any]:
    """What `run` would do, without doing it; `out` need not exist."""
    bench, chosen = catalog.benchmark(benchmark), _chosen(editors, floors)
    loaded = load(bench, data, progress)
    samples = [sample.id for sample in loaded.samples[:limit]]
    folder = Path(out) if out else _home(benchmark)
    edits, made = len(samples) * len(chosen), {"edits": 0, "scores": 0}
    if (folder / DATABASE).exists():
        with Store.open(folder) as store:
            edits, made = len(store.missing_edits(samples, list(chosen))), store.counts()
    programs = [name for name, spec in chosen.items() if spec.startswith("command:")]
    asked = (
        f"none by Overpaint; what {', '.join(programs)} does is not known" if programs else "none"
    )
    return {
        "benchmark": protocol(bench.card, bench.measures, loaded.samples).id,
        "run": str(folder),
        "already_there": [f"{count} {what}" for what, count in made.items()],
        "samples": len(samples),
        "editors": list(chosen),
        "measures": list(bench.measures),
        "edits_to_make": edits,
        "hosts_contacted": asked,
        "price": "nothing: no paid service is asked",
    }


def _chosen(editors: Sequence[str], floors: bool) -> dict[str, str]:
    """Name and spec of the editors asked for, and of the rows every table has by default."""
    texts = [*editors, *(catalog.FLOORS + catalog.CEILINGS if floors else ())]
    if not texts:
        raise UserMistake("No editor was named.", "At least one --editor was expected.")
    chosen: dict[str, str] = {}
    for name, spec in map(catalog.editor_name, texts):
        if chosen.setdefault(name, spec) != spec:
            raise UserMistake(
                f"Two editors are called {name!r}: {chosen[name]} and {spec}.",
                "Each needs a name of its own.",
                f"Name one of them: --editor OTHERNAME={spec}",
            )
        catalog.editor(spec)  # a wrong one is found out now, not row by row
    return chosen


# ── the two passes ──────────────────────────────────────────────────────────────────────────


def make_edits(store: Store, wanted: Sequence[tuple[str, str]], settings: Settings) -> None:
    """Make the edits of these (sample, editor) pairs, which come sample by sample."""
    specs, total = store.editors, len(wanted)
    tasks = (
        Task(store.sample(sample), tuple((name, specs[name]) for _, name in pairs))
        for sample, pairs in groupby(wanted, key=itemgetter(0))
    )
    for done, outcome in enumerate(_perform(store, _make_edit, tasks, total, settings), 1):
        store.put_edit(outcome.result or _lost_edit(outcome))
        settings.progress("editing", done, total)


def make_scores(
    store: Store, missing: Sequence[tuple[str, str, bool, list[str]]], settings: Settings
) -> None:
    """Score these (sample, editor, has a picture, measures)."""
    specs, wanted = store.measures, []
    store.note(weights=weights_used(specs.values()))
    for sample, editor, made, lacking in missing:
        asked = [name for name in lacking if made or catalog.measure(specs[name]).asks_all]
        if spared := [name for name in lacking if name not in asked]:
            edit = _edit(store, sample, editor)
            store.put_scores([_no_edit(edit, measure) for measure in spared], {})
        if asked:
            wanted.append((sample, editor, asked))
    tasks = (
        Task(_edit(store, *which), tuple((name, specs[name]) for name in lacking))
        for *which, lacking in wanted
    )
    total = sum(len(lacking) for _, _, lacking in wanted)
    for done, outcome in enumerate(_perform(store, _make_scores, tasks, total, settings), 1):
        score, evidence = outcome.result or (_lost_score(outcome), {})
        store.put_scores([score], evidence)
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
        status: Any = error.status if error.status in get_args(EditStatus) else "editor_failed"
        edit = Edit(sample, name, status, reason=str(error))
    except Exception as error:  # noqa: BLE001
        edit = Edit(sample, name, "editor_failed", reason=f"{type(error).__name__}: {error}")
    return replace(edit, reason=edit.reason[:LONGEST], seconds=time.perf_counter() - started)


def _readable(output: Document) -> tuple[str, ...]:
    """Decode an editor's output once, so that a broken picture is the editor's failure."""
    if not isinstance(output, Document):
        raise OverpaintError(f"The editor gave back a {type(output).__name__}, not a Document.")
    if output.rgb.size == 0:
        raise OverpaintError("The editor gave a picture without pixels.")
    return output.notes


def _make_scores(folder: Path, edit: Edit, step: tuple[str, str]) -> tuple[Score, dict[str, str]]:
    """The measure's score of the edit, and evidence worth keeping that was found on the way."""
    name, spec = step
    evidence, measure = _evidence(folder), catalog.measure(spec)
    started = time.perf_counter()
    try:
        (found,) = measure.score([edit], evidence)
        score = _checked(found, name, measure)
    except Exception as error:  # noqa: BLE001
        reason = OverpaintError(f"{type(error).__name__}: {error}"[:LONGEST])
        score = failed(edit, name, reason)
    fresh, evidence.fresh = evidence.fresh, {}
    return replace(score, seconds=time.perf_counter() - started), fresh


def _checked(score: Score, name: str, measure: Measure) -> Score:
    """The score as a row can hold it; one that is not the measure's own is an error."""
    if score.measure != name:
        raise ValueError(f"{name} gave a score called {score.measure}")
    ends = [end for end in (measure.worst, measure.best) if end is not None]
    value = None if score.value is None else float(score.value)
    if value is not None and len(ends) == 2 and not min(ends) - SLACK <= value <= max(ends) + SLACK:
        raise ValueError(f"{value:g} is not between {min(ends):g} and {max(ends):g}")
    notes = tuple(str(note)[:LONGEST] for note in score.notes)
    return replace(score, value=value, reason=str(score.reason)[:LONGEST], notes=notes)


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


def _register_measures(store: Store, specs: Sequence[str]) -> list[str]:
    """The names under which these measures' scores are kept."""
    names = []
    for spec in map(catalog.anchored, specs):
        measure = catalog.measure(spec)
        store.add_measure(measure.name, spec, measure.version)
        names.append(measure.name)
    return names
