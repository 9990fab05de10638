"""The two passes of a run: what is handed out, to whom, and kept as it comes back."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, islice, takewhile
from operator import itemgetter
from pathlib import Path
from typing import Any

from overpaint import catalog, weights
from overpaint.core import (
    Edit,
    Editor,
    Measure,
    Sample,
    Score,
    Where,
    failed,
)  # fmt: skip
from overpaint.document import Document
from overpaint.errors import CostLimit, NotApplicable, StoreError, UserMistake
from overpaint.models.desk import Desk, Terms
from overpaint.run.planning import foretold, needs_of
from overpaint.run.steps import LONGEST, against, ask_scores, forget, make_edit, make_scores_of
from overpaint.store import Asked, Lacking, Store
from overpaint.store.calls import Calls
from overpaint.store.record import weights_used
from overpaint.store.trusting import check_code
from overpaint.work import (
    Needs,
    Outcome,
    Place,
    Progress,
    Task,
    Threads,
    backend,
    check_place,
    silent,
)  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """How a run is carried out; none of these changes a number."""

    workers: int | None = None  # None: one a core; 0: in this process, unsupervised
    deadline: float = 300.0
    memory: float = 4.0
    progress: Progress = silent
    asking: Terms = Terms()  # noqa: RUF009  (frozen)
    tell: Callable[[str], None] = lambda line: None  # what leaves the machine, before it does
    on: str = ""  # "": this machine; "ray" or "ray://HOST:PORT": a cluster

    def __post_init__(self) -> None:
        """A place that is none is found out before anything is read."""
        check_place(self.on, self.workers)

    @property
    def place(self) -> Place:
        """Where and how work is done."""
        return Place(self.on, self.workers, self.deadline, self.memory)

    @property
    def here(self) -> "Settings":
        """The same for what is done where the command was given; its workers are the cluster's."""
        return replace(self, on="", workers=None) if self.on else self


def make_edits(store: Store, wanted: Iterable[tuple[str, str]], settings: Settings) -> None:
    """Make the edits of these (sample, editor) pairs, which come sample by sample.

    They are gone through more than once, so that none but those at hand need be held.
    """
    specs = store.editors
    asked, totals = Counter(name for _, name in wanted), Counter[tuple[str, Needs]]()
    check_code((specs[name] for name in asked), store.folder, working=True)
    # No others are made: of a run that came from elsewhere an editor may not be here.
    made = {name: catalog.editor(specs[name]) for name in asked}
    ways = {name: (_where_of(one), needs_of(one, settings)) for name, one in made.items()}
    for name, count in asked.items():
        totals[ways[name]] += count
    for way, total in sorted(totals.items()):
        where, needs = way
        part = (pair for pair in wanted if ways[pair[1]] == way)
        tasks = (
            Task(store.sample(sample), tuple((name, specs[name]) for _, name in pairs))
            for sample, pairs in groupby(part, key=itemgetter(0))
        )
        asking = where == "thread"
        edited = _asked_edits if asking else partial(perform, work=make_edit, needs=needs)
        how = settings.here if where == "here" else settings
        outcomes = edited(store, tasks=tasks, total=total, settings=how)
        for done, outcome in enumerate(outcomes, 1):
            store.put_edit(outcome.result or _lost_edit(outcome))
            settings.progress("editing", done, total)


def asks_models(editor: Editor) -> bool:
    """Whether an editor asks models, and so works in threads, at the run's desk."""
    return getattr(editor, "where", "process") == "thread"


def _where_of(editor: Editor) -> str:
    """Where its work is done: by threads, by processes here, or by whoever is there.

    A server is asked from here: its address and key mean this machine's, and a station that is
    lost would have it asked, and paid, again.
    """
    if asks_models(editor):
        return "thread"
    return "here" if getattr(editor, "host", "") else "process"


def _asked_edits(
    store: Store, *, tasks: Iterable[Task], total: int, settings: Settings
) -> Iterator[Outcome]:
    """The edits of editors that ask models, by threads; a cost limit ends it when all is in."""
    if not total:
        return
    desk, stopped = Desk(Calls.open(store.folder), settings.asking), list[CostLimit]()
    work = Threads(partial(make_edit, store.folder.resolve(), desk=desk), settings.place.cores)
    outcomes = work.perform(takewhile(lambda _: not stopped, tasks))
    yield from _unstopped(outcomes, stopped)
    desk.calls.close()
    if stopped:
        raise stopped[0]


def make_scores(store: Store, missing: Iterable[Lacking], settings: Settings) -> None:
    """Score these (sample, editor, has a picture, measures), gone through more than once."""
    specs = store.measures
    store.note(weights=weights_used(specs.values()))
    columns = {name: catalog.measure(spec) for name, spec in specs.items()}
    ways = {name: (one.where, needs_of(one, settings)) for name, one in columns.items()}
    totals = Counter[tuple[Where, Needs]]()
    for sample, editor, made, lacking in missing:
        asked = [name for name in lacking if made or columns[name].asks_all]
        totals.update(ways[name] for name in asked)
        if len(asked) < len(lacking):
            edit = edit_of(store, store.sample(sample), editor)
            spared = [_no_edit(edit, name) for name in lacking if name not in asked]
            store.put_scores(spared, {})
    for way, total in sorted(totals.items()):  # what is computed before what is asked for
        wanted = partial(_of_way, missing, way, ways=ways, columns=columns)
        where, needs = way
        scored = _by_threads if where == "thread" else partial(_by_workers, needs=needs)
        scored(store, Asked(wanted), total, settings)


_Wanted = Iterable[tuple[str, str, list[str]]]  # sample, editor, measures; more than once


def _of_way(
    missing: Iterable[Lacking],
    way: tuple[Where, Needs],
    *,
    ways: Mapping[str, tuple[Where, Needs]],
    columns: Mapping[str, Measure],
) -> Iterator[tuple[str, str, list[str]]]:
    """What is missing of the measures that are scored in one way."""
    for sample, editor, made, lacking in missing:
        names = [n for n in lacking if ways[n] == way and (made or columns[n].asks_all)]
        if names:
            yield sample, editor, names


def _by_workers(
    store: Store, wanted: _Wanted, total: int, settings: Settings, *, needs: Needs
) -> None:
    """Scores that are computed, by processes."""
    tasks = _scoring(store, wanted)
    outcomes = perform(
        store, work=make_scores_of, tasks=tasks, total=total, settings=settings, needs=needs
    )
    _keep_scores(store, outcomes, partial(settings.progress, "scoring"), total)


def _by_threads(store: Store, wanted: _Wanted, total: int, settings: Settings) -> None:
    """Scores that models are asked for; a cost limit ends it when all is in."""
    desk = Desk(Calls.open(store.folder), settings.asking)
    for line in foretold(store, wanted, desk):
        settings.tell(line)
    ask_all(store, desk, _scoring(store, wanted), total, settings)


def ask_all(
    store: Store, desk: Desk, tasks: Iterable[Task], total: int, settings: Settings
) -> None:
    """Ask for these scores by threads, and keep them; the desk is closed at the end."""
    stopped: list[CostLimit] = []
    work = Threads(partial(ask_scores, store.folder.resolve(), desk), settings.asking.concurrency)
    outcomes = work.perform(takewhile(lambda _: not stopped, tasks))
    kept = _unstopped(outcomes, stopped)
    _keep_scores(store, kept, partial(settings.progress, "judging"), total)
    # Not closed where the run was broken off: answers in flight may still come in, and are paid.
    desk.calls.close()
    if stopped:
        raise stopped[0]


def _unstopped(outcomes: Iterable[Outcome], stopped: list[CostLimit]) -> Iterator[Outcome]:
    """The outcomes, without those that a cost limit prevented; the first of these is noted."""
    for outcome in outcomes:
        if isinstance(outcome.error, CostLimit):
            stopped.append(outcome.error)
        elif isinstance(outcome.error, StoreError | UserMistake):
            raise outcome.error
        else:
            yield outcome


def _scoring(store: Store, wanted: _Wanted) -> Iterator[Task]:
    """The tasks, read from the store as they are taken up."""
    specs = store.measures
    for name, edits in groupby(wanted, key=itemgetter(0)):
        sample = store.sample(name)
        for _, editor, lacking in edits:
            steps = tuple((measure, specs[measure]) for measure in lacking)
            yield Task((edit_of(store, sample, editor),), steps)


def _keep_scores(
    store: Store, outcomes: Iterable[Outcome], progress: Callable[[int, int], None], total: int
) -> None:
    for done, outcome in enumerate(outcomes, 1):
        score, evidence = outcome.result or (lost_score(outcome), {})
        store.put_scores([score], evidence)
        progress(done, total)


def edit_of(store: Store, sample: Sample, editor: str) -> Edit:
    """What the editor made of the sample; it has been asked."""
    edit = store.edit(sample, editor)
    assert edit is not None  # the query that named it just found it
    return edit


def perform(
    store: Store,
    *,
    work: Callable[..., Any],
    tasks: Iterable[Task],
    total: int,
    settings: Settings,
    needs: Needs = Needs(),  # noqa: B008  (frozen)
) -> Iterator[Outcome]:
    """The outcomes of all tasks; an error that would spoil every row alike ends the run."""
    if not total:
        return
    folder = store.folder.resolve()
    shown = _shown(store) if settings.on else ()
    doing = backend(
        partial(work, folder), settings.place, folder=folder, needs=needs, shown=shown, total=total
    )
    try:
        for outcome in doing.perform(tasks):
            if isinstance(outcome.error, StoreError | UserMistake):
                raise outcome.error
            yield outcome
    finally:
        forget()  # as a worker's goes with the worker, where it was this process that worked


def _shown(store: Store) -> list[Path]:
    """Files that are read wherever work is done: a sample's pictures, and weights that are here."""
    pictures = list[Document | None]()
    for one in islice(store.samples(), 1):
        pictures += [one.request.source, *one.request.references, one.target, *one.masks]
    needed = {name for spec in store.measures.values() for name in catalog.measure(spec).needs}
    return [one.path for one in pictures if one and one.path] + weights.present(needed)


# ── rows for what did not come back ─────────────────────────────────────────────────────────


def _lost_edit(outcome: Outcome) -> Edit:
    reason = str(outcome.error)[:LONGEST]
    return Edit(outcome.subject, outcome.step[0], "editor_failed", reason=reason)


def lost_score(outcome: Outcome) -> Score:
    """The row of a score whose worker did not come back."""
    assert outcome.error is not None
    return against(failed(outcome.subject[0], outcome.step[0], outcome.error), outcome.subject)


def _no_edit(edit: Edit, measure: str) -> Score:
    if edit.status == "not_applicable":
        return failed(edit, measure, NotApplicable(edit.reason))
    return Score(edit, measure, None, "no_edit", f"{edit.status}: {edit.reason}")
