"""Scores of sets: what one editor made of a slice, held as a whole against what it should be.

Every edit was looked at in the scoring pass, and what was found there is kept; here the numbers of
the sets are made of it. A set that has changed since it was scored is scored anew.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from overpaint import catalog
from overpaint.core import Edit, Score
from overpaint.measures.columns import of_sets
from overpaint.run.passes import Settings, edit_of, lost_score, perform
from overpaint.run.steps import make_scores_of
from overpaint.store import EditSet, Store
from overpaint.work import Task


class _Step(NamedTuple):
    """A measure, and the set it is asked about."""

    name: str
    spec: str
    which: EditSet


def make_sets(store: Store, settings: Settings) -> None:
    """Score the sets of edits that have no score as they are now.

    It is done here: what was found when each edit was looked at cannot be read from elsewhere.
    """
    here = settings.here
    names = of_sets(map(catalog.measure, store.measures.values()))
    scored = {row[:4] for row in store.sets(names)}
    missing = [one for one in store.edit_sets(names) if one[:4] not in scored]
    outcomes = perform(
        store, work=_make_set, tasks=_tasks(store, missing), total=len(missing), settings=here
    )
    for done, outcome in enumerate(outcomes, 1):
        score, _ = outcome.result or (lost_score(outcome), {})
        which: EditSet = outcome.step.which
        store.put_set(which, replace(score, against=None, slice=(which.tag, which.part)))
        settings.progress("scoring sets", done, len(missing))


def _tasks(store: Store, missing: list[EditSet]) -> Iterator[Task]:
    specs = store.measures
    for one in missing:
        edits = tuple(edit_of(store, store.sample(name), one.editor) for name in one.samples)
        yield Task(edits, (_Step(one.measure, specs[one.measure], one),))


def _make_set(folder: Path, edits: tuple[Edit, ...], step: _Step) -> tuple[Score, dict[str, str]]:
    return make_scores_of(folder, edits, (step.name, step.spec), as_set=True)
