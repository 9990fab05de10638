"""Votes of a run: edits held against each other, pair by pair, in the scoring pass."""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from pathlib import Path

from overpaint import catalog
from overpaint.core import Score
from overpaint.errors import UserMistake
from overpaint.measures.human import read_argument
from overpaint.measures.rated import read_ratings
from overpaint.measures.voted import counted, file_votes
from overpaint.models.desk import Desk
from overpaint.run.passes import Settings, ask_all, edit_of
from overpaint.run.planning import check_asked, foretold, measures_asking
from overpaint.store import Store
from overpaint.store.calls import Calls
from overpaint.store.claiming import claimed
from overpaint.store.record import log_command
from overpaint.work import Task

_Wanted = tuple[str, str, str, str]  # sample, editor, the other, measure
_PEOPLE = "human:"  # before the file of people's votes


def vote(
    folder: Path,
    measures: Sequence[str],
    pairs: Sequence[tuple[str, str]] = (),
    *,
    samples: int | None = None,
    settings: Settings = Settings(),  # noqa: B008  (frozen)
) -> int:
    """Ask pairwise measures for the votes that are missing; gives how many were asked for.

    Those of people (`human:FILE.csv`) are taken from their file, on whatever pairs it has.
    Without `pairs` all editors beside floors and ceilings meet each other, on the first `samples`.
    """
    asked = [spec for spec in measures if not spec.startswith(_PEOPLE)]
    told = sum(_take_votes(folder, spec) for spec in measures if spec.startswith(_PEOPLE))
    return told + (_ask(folder, asked, pairs, samples=samples, settings=settings) if asked else 0)


def _take_votes(folder: Path, spec: str) -> int:
    """Votes of people from their file; how many pairs of edits they are on."""
    spec = catalog.anchored(spec if ";as=votes" in spec else f"{spec};as=votes")
    measure, asked = catalog.measure(spec), read_argument(spec.removeprefix(_PEOPLE))
    with Store.open(folder) as store, claimed(store):
        store.add_measure(measure.name, spec, measure.version, pairs=True)
        log_command(store)
        rows, _ = read_ratings(asked.path)
        return file_votes(store, measure.name, counted(asked.path, rows, asked.dimension))[0]


def _ask(
    folder: Path,
    measures: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    *,
    samples: int | None,
    settings: Settings,
) -> int:
    with Store.open(folder) as store, claimed(store):
        chosen = chosen_pairs(store, pairs)
        wanted: list[_Wanted] = []
        about = list(islice(store.samples(), samples))
        ids = [sample.id for sample in about]
        specs = list(map(catalog.anchored, measures))
        made = [catalog.measure(spec) for spec in specs]
        check_asked(measures_asking(made), about, settings.asking)
        for spec, measure in zip(specs, made, strict=True):
            store.add_measure(measure.name, spec, measure.version, pairs=True)
            missing = store.missing_votes(measure.name, ids, chosen)
            wanted += [(*which, measure.name) for which in missing]
        log_command(store)
        make_votes(store, wanted, settings)
        return len(wanted)


def make_votes(store: Store, wanted: Sequence[_Wanted], settings: Settings) -> None:
    """Ask for these votes; where an edit has no picture there is none, and the row says so."""
    asked = [which for which in wanted if _both_made(store, which)]
    if not asked:
        return
    desk = Desk(Calls.open(store.folder), settings.asking)
    told = [(sample, editor, [measure]) for sample, editor, _, measure in asked]
    for line in foretold(store, told, desk):
        settings.tell(line)
    ask_all(store, desk, _tasks(store, asked), len(asked), settings)


def _both_made(store: Store, which: _Wanted) -> bool:
    name, editor, against, measure = which
    sample = store.sample(name)
    edit, other = edit_of(store, sample, editor), edit_of(store, sample, against)
    if edit.output is not None and other.output is not None:
        return True
    lacking = edit if edit.output is None else other
    why = f"{lacking.editor} has no picture: {lacking.status}: {lacking.reason}"
    store.put_scores([Score(edit, measure, None, "no_edit", why, against=against)], {})
    return False


def _tasks(store: Store, wanted: Sequence[_Wanted]) -> Iterator[Task]:
    specs = store.contests
    for name, editor, against, measure in wanted:
        sample = store.sample(name)
        edits = (edit_of(store, sample, editor), edit_of(store, sample, against))
        yield Task(edits, ((measure, specs[measure]),))


def chosen_pairs(store: Store, named: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pairs, each in the run's order of editors, so that none is asked for twice."""
    editors = list(store.editors)
    for pair in named:
        for name in pair:
            if name not in editors:
                raise UserMistake(
                    f"The run has no editor {name!r}.", f"It has {', '.join(editors)}."
                )
        if pair[0] == pair[1]:
            raise UserMistake(f"{pair[0]} cannot be held against itself.", "Name two: --pair A,B")
    if named:
        asked = set(map(frozenset, named))
        return [pair for pair in combinations(editors, 2) if frozenset(pair) in asked]
    competing = catalog.competing(store.editors, store.floors)
    if len(competing) < 2:
        raise UserMistake(
            "Beside floors and ceilings the run has fewer than two editors.",
            f"Any two can be held against each other: {', '.join(editors)}.",
            "Name them: --pair A,B",
        )
    return list(combinations(competing, 2))
