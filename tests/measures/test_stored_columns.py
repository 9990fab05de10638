"""A run's scores read by number: the same columns as from its rows, to the last bit."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import make_sample, picture
from rows_read import read_columns

from overpaint.core import IDENTICAL, OF_A_SET, Edit, Measure, Score
from overpaint.document import Document
from overpaint.measures.columns import Columns, stored_columns
from overpaint.report import exports
from overpaint.store import Row, Store, keep_picture, reading

OWN = "by CLIP open_clip ViT-B-32 (sha256 85668a22250f)"
OTHER = "by CLIP open_clip ViT-B-32 (sha256 0123456789ab)"


def measure(name: str) -> Measure:
    return Measure(name, lambda edits, evidence: [], True, 0.0, 1.0)


MEASURES = [measure(name) for name in ("m", "w", "unasked")]
MADE = [  # value, status, reason, notes, weight
    (0.1, "ok", "", (OWN,), 3.0), (None, "not_applicable", IDENTICAL, (), 1.0),
    (None, "not_applicable", OF_A_SET, (), 1.0), (None, "unavailable", "Get it.", (), 1.0),
    (1 / 3, "ok", "", (OTHER, "by the way"), 1.0), (None, "no_edit", "no_output: -", (), 1.0),
    (-2e-17, "ok", "", ("=1+1", "a, \"b\"\nc"), 0.25),
]  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Seven samples, two editors, rows of every kind, and a vote, which is no score."""
    with Store.create(tmp_path / "run") as store:
        samples = [make_sample(tmp_path / "data", f"=a,{n}", n) for n in range(len(MADE))]
        store.add_samples(samples)
        for name in ("-one", 'two "2"'):
            store.add_editor(name, name)
        for name in ("m", "w", "left out"):
            store.add_measure(name, name, "1")
        picked = keep_picture(store.folder, Document.of(picture(9)))
        for n, sample in enumerate(samples):
            for editor in ('two "2"', "-one")[: 1 + n % 2]:
                edit = Edit(sample, editor, "ok", picked, seconds=0.5)
                store.put_edit(edit)
                made = [
                    Score(edit, name, *row[:4], weight=row[4], seconds=0.001 * n)
                    for name, row in {"m": MADE[n], "w": MADE[-n], "left out": MADE[n]}.items()
                ]  # fmt: skip
                store.put_scores(made, {})
        store.put_scores([Score(edit, "m", 1.0, against="-one")], {})
        yield store


def same(one: Columns, two: Columns) -> None:
    assert [*one.found] == [*two.found]
    for key in one.found:
        for name in ("states", "values", "weights"):
            left, right = getattr(one.found[key], name), getattr(two.found[key], name)
            assert left.tobytes() == right.tobytes(), (key, name)
    assert one.sources.tolist() == two.sources.tolist()
    assert one.ids == two.ids
    assert one.mixed == two.mixed
    assert parted(one) == parted(two)


def parted(columns: Columns) -> dict[str, dict[str, list[int]]]:
    return {
        tag: {value: places.tolist() for value, places in parts.items()}
        for tag, parts in columns.slices.items()
    }


@pytest.mark.parametrize("at_once", [1, 5, 1000])
def test_columns_by_number_are_those_by_name(
    store: Store, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(reading, "AT_ONCE", at_once)
    tags = ("operation", "nothing")
    by_name = read_columns(MEASURES, store.rows(), store.samples(), tags=tags)
    same(stored_columns(MEASURES, [store], tags=tags), by_name)
    assert by_name.mixed  # so that notes were compared, too


def test_two_runs_stand_side_by_side_under_the_names_they_are_told_by(store: Store) -> None:
    renamed = [{"-one": "-one", 'two "2"': "b"}, {"-one": "c", 'two "2"': "d"}]
    found = stored_columns(MEASURES[:1], [store, store], renamed=renamed)
    assert sorted(found.editors()) == ["-one", "b", "c", "d"]
    assert len(found) == len(MADE)
    assert np.array_equal(found.of("-one", "m").values, found.of("c", "m").values, equal_nan=True)


def test_a_run_without_samples_has_no_columns(tmp_path: Path) -> None:
    with Store.create(tmp_path) as store:
        assert stored_columns(MEASURES, [store]).found == {}


def test_scores_csv_is_what_the_writer_of_csv_makes_of_the_rows(store: Store) -> None:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(Row._fields)
    for row in store.rows():
        cells = [*row[:6], "; ".join(row.notes), *row[7:]]
        writer.writerow([exports.in_csv(cell) for cell in cells])
    assert "".join(exports.scores_csv(store)) == out.getvalue()


def test_some_samples_are_read_with_all_that_is_theirs_and_nothing_else(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_ASKED", 2)
    wanted = ["=a,5", "=a,1", "=a,3"]
    samples = reading.samples_of(store, [*wanted, "nobody"])
    assert [sample.id for sample in samples.values()] == wanted
    rows, edits = reading.rows_of(store, samples), reading.edits_of(store, samples)
    assert [row for n in sorted(rows) for row in rows[n]] == [
        row for row in store.rows() if row.sample in wanted
    ]
    every = [(e.sample.id, e.editor) for e in store.edits() if e.sample.id in wanted]
    assert [(e.sample.id, e.editor) for n in sorted(edits) for e in edits[n]] == every
    assert list(reading.rows_of_measures(store, ["w"])) == [
        row for row in store.rows() if row.measure == "w"
    ]
    votes = reading.votes_of(store, reading.samples_of(store, ["=a,6"]))
    assert [vote for found in votes.values() for vote in found] == list(store.votes())
