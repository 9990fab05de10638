"""The features of rated edits and of their floors, found in parallel and kept with the run."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Edit, Evidence, Request, Sample
from overpaint.document import Document
from overpaint.measures.learned.features import DEFAULT, WORDS, Features, features, words_in
from overpaint.measures.learned.fusion import as_row
from overpaint.store import Store, recall_evidence
from overpaint.training.fusion_floors import Floor, floor_count, floors
from overpaint.training.rated import Example
from overpaint.work import Here, Processes, Progress, Task, silent

Floats = NDArray[np.float64]

TRIED = 40  # sources in which words are looked for …
WORDED = 0.2  # … and the share of them that has some, from which on words count


@dataclass(frozen=True, eq=False)
class Table:
    """Edits × features, NaN where one is missing, and the same of floors."""

    names: tuple[str, ...]
    values: Floats
    clusters: tuple[str, ...]  # the source of each edit
    floor_values: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    floor_clusters: tuple[str, ...] = ()
    floor_shares: tuple[float, ...] = ()
    floor_of: tuple[int, ...] = ()  # the edit that a floor is mixed from, or -1


def table_of(
    examples: Sequence[Example],
    *,
    store: Store | None = None,
    workers: int | None = None,
    progress: Progress = silent,
) -> Table:
    """Look at all examples and their floors; what the store knows already is not looked at again.

    Floors have no measures but of words: what is learned from them needs no others.
    """
    below: list[Floor] = []
    words = WORDS if have_words(examples, store) else ()
    asked = _asked(examples, below, words)
    count = len(examples) + floor_count(examples)
    found = list(_looked(asked, count, store, workers=workers, progress=progress))
    own, under = found[: len(examples)], found[len(examples) :]
    names = tuple(own[0])
    blank: Features = dict.fromkeys(names)
    return Table(
        names, np.array([as_row(one, names) for one in own]),
        tuple(one.cluster for one in examples),
        np.array([as_row({**blank, **one}, names) for one in under]).reshape(-1, len(names)),
        tuple(one.cluster for one in below), tuple(one.share for one in below),
        tuple(one.of for one in below),
    )  # fmt: skip


def have_words(examples: Sequence[Example], store: Store | None = None) -> bool:
    """Whether words stand in the sources, so that reading them is worth its while."""
    evidence = _evidence(store.folder.resolve() if store else None)
    sources = list({one.cluster: one.source for one in examples}.values())
    some = sources[:: max(1, len(sources) // TRIED)][:TRIED]
    # Copies: a document keeps what was decoded.
    found = [bool(words_in(evidence, replace(one))) for one in some]
    if store and evidence.fresh:
        store.put_scores([], evidence.fresh)
    return sum(found) >= WORDED * len(found)


_Subject = tuple[Document, Document, str, tuple[str, ...]]


def _asked(
    examples: Sequence[Example], below: list[Floor], words: tuple[str, ...]
) -> Iterator[_Subject]:
    """What is looked at, made when it is asked for: pictures of all floors would fill the memory.

    Floors are noted in `below` without their pictures.
    """
    yield from (_subject(one, (*DEFAULT, *words)) for one in examples)
    # Copies: a document keeps what was decoded.
    copies = (replace(one, source=replace(one.source), output=replace(one.output))
              for one in examples)  # fmt: skip
    for floor in floors(copies):
        below.append(replace(floor, source=NOTHING, output=NOTHING))
        yield _subject(floor, words)


NOTHING = Document()


def _subject(one: Example | Floor, measures: tuple[str, ...]) -> _Subject:
    return one.source, one.output, one.instruction, measures


def _looked(
    asked: Iterable[_Subject],
    count: int,
    store: Store | None,
    *,
    workers: int | None,
    progress: Progress,
) -> Iterator[Features]:
    """The features of each, in order."""
    folder = store.folder.resolve() if store else None
    crew = (os.cpu_count() or 1) if workers is None else workers
    look = partial(_look, folder)
    work = Processes(look, crew) if crew else Here(look)
    tasks = (Task(place, (one,)) for place, one in enumerate(asked))
    found: dict[int, Features] = {}
    for done, outcome in enumerate(work.perform(tasks), 1):
        if outcome.error is not None:
            raise outcome.error
        found[outcome.subject], fresh = outcome.result
        if store and fresh:
            store.put_scores([], fresh)
        progress("looking", done, count)
    yield from (found[place] for place in range(count))


def _look(folder: Path | None, place: int, step: _Subject) -> tuple[Features, dict[str, str]]:
    """Inside a worker: the features, and the evidence that is worth keeping."""
    source, output, instruction, measures = step
    evidence = _evidence(folder)
    edit = Edit(Sample("", Request(source, instruction)), "", "ok", output)
    return features(edit, evidence, measures), evidence.fresh


def _evidence(folder: Path | None) -> Evidence:
    """Evidence that knows what the run in that folder has kept."""
    how: dict[str, Any] = {"recall": partial(recall_evidence, folder)} if folder else {}
    return Evidence(**how)
