"""The pipeline: make what is missing, score what is missing."""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from overpaint import catalog
from overpaint.core import Measure
from overpaint.errors import UserMistake
from overpaint.measures.aggregate import TableRow, tabulate
from overpaint.measures.columns import of_sets, stored_columns
from overpaint.measures.gap import Gap, ends_of, gaps
from overpaint.run.passes import Settings, make_edits, make_scores
from overpaint.run.planning import (
    announced,
    check_asked,
    check_ids,
    chosen_editors,
    columns_of,
    editors_asking,
    home,
    load,
    measures_asking,
    own_code,
    own_floors,
    plan,
    plan_scores,
)
from overpaint.run.sets import make_sets
from overpaint.run.shards import in_shard, note_shard, shard_of
from overpaint.run.votes import make_votes
from overpaint.store import Asked, Store
from overpaint.store.calls import Bill, Calls, bill_of
from overpaint.store.claiming import claimed
from overpaint.store.pictures import is_sound
from overpaint.store.record import log_command, protocol, take_over
from overpaint.store.sets import failed_sets
from overpaint.store.trusting import check_code

__all__ = [
    "Run",
    "Settings",
    "TableRow",
    "load",
    "open_run",
    "plan",
    "plan_scores",
    "retry",
    "run",
    "score",
]


@dataclass(frozen=True)
class Run:
    """A run on disk, opened for reading whenever it is asked something."""

    folder: Path

    def table(self, by: str | None = None) -> list[TableRow]:
        """The leaderboard, or one row per editor and value of the tag `by`."""
        with Store.open(self.folder) as store:
            measures = [catalog.measure(spec) for spec in store.measures.values()]
            sets, tags = store.sets(of_sets(measures)), (by,) if by else ()
            columns = stored_columns(measures, [store], tags=tags, sets=sets)
            return tabulate(columns, measures, by=by, seed=store.fact("seed"))

    def gaps(self) -> list[Gap]:
        """How much of the way from the source to the truth each editor went, local first."""
        with Store.open(self.folder) as store:
            source, truth = ends_of(store.editors)
            if source is None or truth is None:
                return []
            measures = [catalog.measure(spec) for spec in store.measures.values()]
            columns, ends = stored_columns(measures, [store]), (source, truth)
            others = catalog.competing(store.editors, store.floors)
            return gaps(columns, measures, others, ends=ends, seed=store.fact("seed"))

    def failures(self) -> list[tuple[str, str, str, str, int]]:
        """(editor, measure or "edit", status, reason, count) of whatever is not ok."""
        with Store.open(self.folder) as store:
            measures = [catalog.measure(spec) for spec in store.measures.values()]
            return [*store.failures(), *failed_sets(store.sets(of_sets(measures)))]

    def bill(self) -> list[Bill]:
        """What each model was asked, what that cost, and what may have been paid for twice."""
        return bill_of(self.folder)

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
    shard: str | None = None,
    floors: bool = True,
    redo: Sequence[str] = (),
    measures: Sequence[str] = (),
    settings: Settings = Settings(),  # noqa: B008  (frozen)
) -> Run:
    """Ask every editor for every sample's edit and every measure for its score.

    What was made before is kept, but for the editors named in `redo`; `measures` are scored on
    top of the benchmark's own. With the `shard` "3/16" it is every sixteenth sample from the third.
    """
    shard_of(shard)  # a wrong one is found out before the data are read
    bench = catalog.benchmark(benchmark := catalog.anchored(benchmark))
    chosen = chosen_editors(editors, bench if floors else None)
    loaded = load(bench, data, settings.progress)
    check_ids(loaded)
    places, samples = in_shard(whole := loaded.samples[:limit], shard)
    card = protocol(bench.card, bench.measures, loaded.samples)
    folder, specs = Path(out) if out else home(benchmark), [*bench.measures, *measures]
    own_code([benchmark, *specs], folder)
    with Store.create(folder) as store, claimed(store):
        take_over(store, card, Path(data) if data else None)
        log_command(store)
        repairs = dict(Counter(repair.kind for repair in loaded.repairs))
        store.note(
            benchmark=benchmark, breakdowns=list(bench.breakdowns), repairs=repairs,
            floors=own_floors(bench),
        )  # fmt: skip
        for name in redo:
            store.forget_editor(name)
        for name, spec in chosen.items():
            store.add_editor(name, spec)
        check_code(store.editors.values(), store.folder)
        store.add_samples(samples, places)
        note_shard(store, shard, len(whole))
        asking = editors_asking(chosen) | measures_asking(_made(specs))
        check_asked(asking, samples, settings.asking)
        columns = _register_measures(store, specs)
        wanted = store.missing_edits([sample.id for sample in samples], list(chosen))
        del loaded, samples  # the store has them; 100,000 in memory are 100 MB
        settings = announced(store, columns, list(chosen), wanted, settings)
        make_edits(store, wanted, settings)
        make_scores(store, store.missing_scores(columns), settings)
        make_sets(store, settings)
        return Run(store.folder)


class _CallableModule(ModuleType):
    """Lets `overpaint.run(...)` work although `overpaint.run` is this module."""

    __call__ = staticmethod(run)


sys.modules[__name__].__class__ = _CallableModule


def score(folder: Path, measures: Sequence[str] = (), settings: Settings = Settings()) -> Run:  # noqa: B008
    """Score what is missing in a run, and add measures to it."""
    own_code(measures, folder)
    with Store.open(folder) as store, claimed(store):
        check_code(store.editors.values(), folder)
        check_code(store.measures.values(), folder, working=True)
        check_asked(measures_asking(_made(measures)), Asked(store.samples), settings.asking)
        _register_measures(store, [*store.measures.values(), *measures])
        settings = announced(store, list(store.measures), list(store.editors), (), settings)
        log_command(store)
        make_scores(store, store.missing_scores(list(store.measures)), settings)
        make_sets(store, settings)
        return Run(folder)


def retry(folder: Path, settings: Settings = Settings()) -> tuple[Run, int, int]:  # noqa: B008
    """Try again what failed by accident; gives how many edits and scores were taken up."""
    with Store.open(folder) as store, claimed(store):
        named = (store.editors, store.measures, store.contests)
        check_code([spec for specs in named for spec in specs.values()], folder, working=True)
        _register_measures(store, list(store.measures.values()))
        log_command(store)
        lost = _lost(store, settings)
        calls = Calls.open(folder)
        calls.set_aside()
        calls.close()
        edits, scores = store.forget_failures(lost)
        make_edits(store, edits, settings)
        make_scores(store, _taken_up(store), settings)
        make_sets(store, settings)
        store.forget_taken_up()
        votes = store.forget_failed_votes()  # not before: a cost limit may have ended it above
        make_votes(store, votes, settings)
        store.forget_taken_up(votes=True)
        return Run(folder), len(edits), scores + len(votes)


def _taken_up(store: Store) -> list[tuple[str, str, bool, list[str]]]:
    """The scores that a retry makes again; what had never been scored is `score`'s business."""
    again = store.taken_up()
    return [
        (sample, editor, made, here)
        for sample, editor, made, lacking in store.missing_scores(list(store.measures))
        if (here := [name for name in lacking if (sample, editor, name) in again])
    ]


def _lost(store: Store, settings: Settings) -> set[str]:
    """The edits' pictures that are gone, or not what was kept: a power cut may leave a part."""
    lost, done, total = set[str](), 0, store.counts()["edits"]
    for name, edits in store.outputs():
        if name and not is_sound(store.folder, name):
            lost.add(name)
        done += edits
        settings.progress("looking", done, total)
    return lost


def _made(specs: Sequence[str]) -> list[Measure]:
    return [catalog.measure(spec) for spec in columns_of(specs)]


def _register_measures(store: Store, specs: Sequence[str]) -> list[str]:
    """The names under which these measures' scores are kept."""
    names = []
    for spec in columns_of(specs):
        if spec.startswith("pairwise:"):
            raise UserMistake(
                f"{spec} holds edits against each other, so it makes no column.",
                todo="overpaint score RUN --pairwise MODEL",
            )
        measure = catalog.measure(spec)
        store.add_measure(measure.name, spec, measure.version)
        names.append(measure.name)
    for name, spec in store.measures.items():
        if lacking := [part for part in catalog.measure(spec).parts if part not in store.measures]:
            raise UserMistake(
                f"{name} is made of columns that the run does not have: {', '.join(lacking)}.",
                "A total is told only beside its parts.",
                "Name them as well, or use --judge, which does.",
            )
    return names
