"""Scores of sets of edits: each names an editor and a slice, and knows which edits it is of."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from overpaint.core import OF_A_SET, Sample, Score
from overpaint.store.samples import listed
from overpaint.store.schema import Database

ALL = ("", "all")  # the slice of every sample: no tag


class EditSet(NamedTuple):
    """The edits of one editor, on one slice, that a measure of sets has looked at."""

    editor: str
    measure: str
    tag: str
    part: str  # the tag's value
    samples: tuple[str, ...]
    digest: str  # of samples and outputs: another set has another


class SetRow(NamedTuple):
    """The score of a set of edits as the tables read it."""

    editor: str
    measure: str
    tag: str
    part: str
    size: int
    value: float | None
    status: str
    reason: str
    notes: tuple[str, ...]


def edit_sets(
    database: Database, measures: Sequence[str], samples: Iterable[Sample], tags: Sequence[str]
) -> list[EditSet]:
    """The sets of these measures, of all samples and by the values of each tag."""
    if not measures:
        return []
    slices = {sample.id: [ALL, *_slices(sample, tags)] for sample in samples}
    members: dict[tuple[str, str, str, str], list[tuple[str, str]]] = {}
    for measure, editor, sample, output in _looked_at(database, measures):
        for tag, part in slices[sample]:
            members.setdefault((editor, measure, tag, part), []).append((sample, output))
    return [
        EditSet(*key, tuple(sample for sample, _ in found), _digest(found))
        for key, found in members.items()
    ]


def _slices(sample: Sample, tags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The sample's slices, called as tables call them."""
    return ((tag, sample.tags.get(tag, "") or f"no {tag}") for tag in tags)


def _looked_at(database: Database, measures: Sequence[str]) -> Iterator[tuple[str, str, str, str]]:
    """(measure, editor, sample, output) of edits that are in a set, in the samples' order."""
    marks = ", ".join("?" * len(measures))
    return database.rows(
        "SELECT measures.name, editors.name, samples.id, edits.output FROM scores"
        " JOIN measures ON measures.n = scores.measure JOIN editors ON editors.n = scores.editor"
        " JOIN samples ON samples.n = scores.sample"
        " JOIN edits ON edits.sample = scores.sample AND edits.editor = scores.editor"
        f" WHERE measures.name IN ({marks}) AND scores.reason = ? AND against = ''"
        " ORDER BY scores.measure, scores.editor, scores.sample",
        (*measures, OF_A_SET),
    )


def _digest(members: Iterable[tuple[str, str]]) -> str:
    return hashlib.sha256(json.dumps(list(members)).encode()).hexdigest()


def read_sets(database: Database, sets: Sequence[EditSet]) -> list[SetRow]:
    """The scores of these sets, as far as they are there and of the same edits."""
    if not sets:
        return []
    digests = {one[:4]: one.digest for one in sets}
    rows = database.rows(
        "SELECT editors.name, measures.name, tag, part, size, value, status, reason, notes, digest"
        " FROM sets JOIN editors ON editors.n = sets.editor"
        " JOIN measures ON measures.n = sets.measure"
        " ORDER BY sets.measure, sets.editor, tag, part"
    )
    return [
        SetRow._make((*row, listed(notes)))
        for *row, notes, digest in rows
        if digests.get(tuple(row[:4])) == digest
    ]


def write_set(database: Database, numbers: tuple[int, int], which: EditSet, score: Score) -> None:
    """Keep the score of a set in place of the slice's last; numbers of editor and measure."""
    row = (
        *numbers, which.tag, which.part, which.digest, len(which.samples), score.value,
        score.status, score.reason, json.dumps(score.notes, ensure_ascii=False), score.seconds,
    )  # fmt: skip
    database.write(f"INSERT OR REPLACE INTO sets VALUES ({', '.join('?' * len(row))})", [row])


def failed_sets(rows: Iterable[SetRow]) -> list[tuple[str, str, str, str, int]]:
    """(editor, measure, status, reason, edits) of whole sets that have no number."""
    return [
        (row.editor, row.measure, row.status, row.reason, row.size)
        for row in rows
        if row.value is None and (row.tag, row.part) == ALL
    ]
