"""Votes: scores of one edit against another of the same sample, kept apart from all others."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from overpaint.core import RETRY_SCORES
from overpaint.store.forgetting import ON_LOST, put_aside, votes_left
from overpaint.store.lacking import PAGE
from overpaint.store.samples import listed
from overpaint.store.schema import Database

_NAMED = (
    " JOIN samples ON samples.n = scores.sample JOIN editors ON editors.n = scores.editor"
    " JOIN measures ON measures.n = scores.measure"
)
_ORDER = " ORDER BY scores.sample, scores.editor, scores.measure, against"


class Vote(NamedTuple):
    """Which of two edits a judge prefers: 1 the editor's, 0 the other's, ½ neither."""

    sample: str
    editor: str
    against: str
    measure: str
    value: float | None
    status: str
    reason: str
    notes: tuple[str, ...]


def read_votes(database: Database) -> Iterator[Vote]:
    """Every vote, in the order of samples, editors, measures."""
    rows = database.rows(
        "SELECT samples.id, editors.name, against, measures.name, value, status, reason, notes"
        f" FROM scores{_NAMED} WHERE against != ''{_ORDER}"
    )
    for *row, notes in rows:
        yield Vote._make((*row, listed(notes)))


def missing(
    database: Database, measure: str, samples: Sequence[str], pairs: Sequence[tuple[str, str]]
) -> list[tuple[str, str, str]]:
    """(sample, editor, the other) where both were asked for an edit, and no vote is there."""
    found = []
    for start in range(0, len(samples), PAGE):
        page = samples[start : start + PAGE]
        marks = ", ".join("?" * len(page))
        made = set(
            database.execute(
                "SELECT samples.id, editors.name FROM edits JOIN samples ON samples.n = sample"
                f" JOIN editors ON editors.n = editor WHERE samples.id IN ({marks})",
                page,
            )
        )
        done = set(
            database.execute(
                f"SELECT samples.id, editors.name, against FROM scores{_NAMED}"
                f" WHERE against != '' AND measures.name = ? AND samples.id IN ({marks})",
                (measure, *page),
            )
        )
        found += [
            (sample, *pair)
            for sample, pair in product(page, pairs)
            if {(sample, editor) for editor in pair} <= made and (sample, *pair) not in done
        ]
    return found


def forget_failed(database: Database) -> list[tuple[str, str, str, str]]:
    """Drop the votes that may be tried again; those on edits that will be made again, too.

    Gives them, and those that a retry which was stopped has left behind.
    """
    marks = ", ".join("?" * len(RETRY_SCORES))
    put_aside(database, f"against != '' AND (status IN ({marks}) OR {ON_LOST})", RETRY_SCORES)
    return votes_left(database)


def forget_measure(database: Database, name: str) -> None:
    """Drop a measure, its scores, votes and scores of sets, all or nothing."""
    which = "(SELECT n FROM measures WHERE name = ?)"
    with database.transaction():
        for table in ("scores", "sets", "again"):
            database.execute(f"DELETE FROM {table} WHERE measure = {which}", (name,))
        database.execute("DELETE FROM measures WHERE name = ?", (name,))
