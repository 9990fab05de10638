"""What a run still lacks, asked for a page of samples at a time.

No answer grows with the run, and none is left open: a reader that stayed would keep SQLite from
tidying up after whoever writes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Generic, TypeVar

from overpaint.store.schema import Database

PAGE = 500  # samples

Wanted = tuple[str, str]  # sample, editor
Lacking = tuple[str, str, bool, list[str]]  # sample, editor, has a picture, measures
T = TypeVar("T")


@dataclass(frozen=True)
class Asked(Generic[T]):
    """Rows that are asked for anew each time they are gone through."""

    ask: Callable[[], Iterator[T]]

    def __iter__(self) -> Iterator[T]:
        return self.ask()


def missing_edits(
    database: Database, samples: Sequence[str], editors: Sequence[str]
) -> Iterator[Wanted]:
    """(sample, editor) for each of these samples that one of these editors was not asked."""
    for start in range(0, len(samples), PAGE):
        page = samples[start : start + PAGE]
        done = set(
            database.execute(
                "SELECT samples.id, editors.name FROM samples"
                " JOIN edits ON edits.sample = samples.n JOIN editors ON editors.n = edits.editor"
                f" WHERE samples.id IN ({_marks(page)})",
                page,
            )
        )
        yield from (pair for pair in product(page, editors) if pair not in done)


def missing_scores(database: Database, wanted: Mapping[int, str]) -> Iterator[Lacking]:
    """(sample, editor, has a picture, measures) of edits without some of these numbered ones."""
    scored = "FROM scores WHERE sample = edits.sample AND editor = edits.editor AND against = ''"
    for first, last in _pages(database):
        rows = database.execute(
            "SELECT samples.id, editors.name, output != '',"
            f" (SELECT group_concat(measure) {scored})"
            " FROM edits JOIN samples ON samples.n = edits.sample"
            " JOIN editors ON editors.n = edits.editor"
            " WHERE edits.sample BETWEEN ? AND ?"
            f" AND (SELECT count(*) {scored} AND measure IN ({_marks(wanted)})) < ?"
            " ORDER BY edits.sample, edits.editor",
            (first, last, *wanted, len(wanted)),
        ).fetchall()
        for sample, editor, made, present in rows:
            have = set(map(int, present.split(","))) if present else set[int]()
            lacking = [name for n, name in wanted.items() if n not in have]
            yield sample, editor, bool(made), lacking


def _pages(database: Database) -> Iterator[tuple[int, int]]:
    """The first and the last number of the samples on each page."""
    last = -1
    while True:
        first, end = database.execute(
            "SELECT min(n), max(n) FROM (SELECT n FROM samples WHERE n > ? ORDER BY n LIMIT ?)",
            (last, PAGE),
        ).fetchone()
        if end is None:
            return
        yield first, end
        last = end


def scored(database: Database, sample: str, measures: Sequence[str]) -> set[tuple[str, str]]:
    """(editor, measure) of the scores that a sample's edits have under these measures."""
    return set(
        database.execute(
            "SELECT editors.name, measures.name FROM scores"
            " JOIN editors ON editors.n = scores.editor"
            " JOIN measures ON measures.n = scores.measure"
            " WHERE sample = (SELECT n FROM samples WHERE id = ?) AND against = ''"
            f" AND measures.name IN ({_marks(measures)})",
            (sample, *measures),
        )
    )


def _marks(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)
