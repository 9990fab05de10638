"""Runs that a disk has damaged or a stranger has written: a report, or a sentence."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from made_run import make_sample, usual_run

from overpaint.cli import main
from overpaint.measures.calibration_run import read_columns, read_edits
from overpaint.report import exports
from overpaint.report.choosing import read_standings
from overpaint.report.deck import make_deck
from overpaint.report.pictures import Shelf
from overpaint.report.tables import Tables, read_tables
from overpaint.store import DATABASE, Store, reading

SAID = "UPDATE scores SET {} WHERE sample = 2 AND editor = 1 AND measure = 1"
ROW = (
    "INSERT INTO scores (sample, editor, measure, against, value, status, reason, notes, seconds)"
    " VALUES ({}, '', 0.25, 'ok', '', '[]', 1)"
)
# What costs a row at most: the run is read, and no other row is changed by it.
SKIPPED = {
    "a sample that is not there": ROW.format("99, 1, 1"),
    "a sample before the first": ROW.format("-1, 1, 1"),
    "a sample far away": ROW.format("100000000000, 1, 1"),
    "an editor that is not there": ROW.format("2, 99, 1"),
    "a measure that is not there": ROW.format("2, 1, 99"),
    "an editor that is a word": ROW.format("2, 'x', 1"),
    "a number for a note": SAID.format("notes = '[\"by a\", 5, null, {}]'"),
    "a number that is far away": "INSERT INTO samples SELECT 100000000000, 'far',"
    " replace(body, 'a/000', 'far') FROM samples WHERE n = 1",
}
BROKEN = {
    "a word for a value": SAID.format("value = 'much'"),
    "no number for a value": SAID.format("value = 9e999"),
    "bytes for a value": SAID.format("value = x'ff'"),
    "a word for a weight": SAID.format("weight = 'much'"),
    "a status that is none": SAID.format("status = 'fine'"),
    "a reason in no encoding": SAID.format("value = NULL, reason = CAST(x'ff' AS TEXT)"),
    "a note in no encoding": SAID.format("notes = CAST(x'5b22627920ff225d' AS TEXT)"),
    "a body that is no list": SAID.format("notes = 'by \"by x'"),
    "tags that are none": "UPDATE samples SET body = json_set(body, '$.tags', 'x') WHERE n = 1",
    "a source that is none": "UPDATE samples SET body = json_set(body, '$.cluster', 5) WHERE n = 1",
}


def spoilt(run: Path, statement: str) -> Path:
    with closing(sqlite3.connect(run / DATABASE)) as database, database:
        database.execute(statement)
    return run


def zeroed(run: Path) -> Path:
    """A page of the scores, as a disk that lost it gives it back."""
    with closing(sqlite3.connect(run / DATABASE)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = database.execute("PRAGMA page_size").fetchone()[0]
        (page,) = database.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'scores'"
        ).fetchone()
    with (run / DATABASE).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(bytes(size))
    return run


@pytest.mark.parametrize("damage", [*SKIPPED, *BROKEN, "a page of zeros"])
def test_whatever_is_wrong_in_a_run_the_commands_end_with_a_sentence(
    tmp_path: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = usual_run(tmp_path / "run")
    if damage == "a page of zeros":
        zeroed(run)
    else:
        spoilt(run, (SKIPPED | BROKEN)[damage])
    out = ["-o", str(tmp_path / "out")]
    codes = [main(["report", str(run), *out]), main(["compare", str(run)])]
    assert codes == ([0, 0] if damage in SKIPPED else [2, 2])
    if damage in BROKEN:
        assert "Traceback" not in capsys.readouterr().err


def values(tables: Tables) -> dict[tuple[str, str], list[float]]:
    return {key: column.values[:8].tolist() for key, column in tables.columns.found.items()}


@pytest.mark.parametrize("damage", SKIPPED)
def test_a_row_that_nobody_wrote_stands_in_no_other_rows_place(tmp_path: Path, damage: str) -> None:
    run = usual_run(tmp_path / "run")
    with Store.open(run) as store:
        before = values(read_tables(store))
    spoilt(run, SKIPPED[damage])
    with Store.open(run) as store:
        after = values(read_tables(store))
        lines = list("".join(exports.scores_csv(store)).splitlines())
        columns = read_columns(store)
        assert not any("much" in line or "99" in line.split(",")[:3] for line in lines)
        assert {key[0] for one in columns for key in one.values} <= {*reading.ids(store).values()}
        make_deck(store, read_tables(store), Shelf(run), limit=2)
    assert after.keys() == before.keys()
    assert repr(after) == repr(before)


def test_what_comes_while_a_run_is_read_waits_for_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = usual_run(tmp_path / "run")
    with Store.open(run) as store:
        ids, names = reading.ids(store), reading.key_names(store)
        heads = list(reading.heads(store))
    with Store.open(run) as store:
        store.add_samples([make_sample(tmp_path / "more", "new", 50)])
        store.add_editor("new", "outputs:new")
    spoilt(run, ROW.format("9, 1, 1"))
    spoilt(run, ROW.format("2, 5, 1"))
    spoilt(run, "INSERT INTO edits SELECT 9, editor, status, output, reason, notes, trace, seconds"
           " FROM edits WHERE sample = 1")  # fmt: skip
    monkeypatch.setattr(reading, "ids", lambda _: ids)
    monkeypatch.setattr(reading, "key_names", lambda _: names)
    monkeypatch.setattr(reading, "heads", lambda _: iter(heads))
    with Store.open(run) as store:
        assert len(read_tables(store).columns) == 8
        assert "new" not in "".join(exports.scores_csv(store))
        assert len(read_columns(store)) == 3
        assert len(list(reading.rows_of_measures(store, ["mse"]))) == 31
        assert len(read_edits(store)) == 30
        some = reading.samples_of(store, ["a/001"])
        assert {row.editor for row in reading.rows_of(store, some)[2]} == {
            "good", "poor", "identity", "truth",
        }  # fmt: skip


def test_a_note_that_is_like_the_raters_but_has_no_numbers_says_nothing(tmp_path: Path) -> None:
    csv = tmp_path / "r.csv"
    csv.write_text("sample,editor,rater,value\na/000,good,r1,1\na/000,good,r2,5\n")
    run = usual_run(tmp_path / "run")
    with Store.open(run) as store:
        store.add_measure("human", f"human:{csv}", "1")
    spoilt(run, ROW.format("1, 1, 4"))
    notes = ("from a to b", "from 1 to nan", "from 1 to 9e999", "from ٣ to 4")
    for note, apart in [*((note, {}) for note in notes), ("from 1 to 3.5", {"a/000": 1.0})]:
        spoilt(run, f"UPDATE scores SET notes = json_array('3 raters, {note}') WHERE measure = 4")
        with Store.open(run) as store:
            assert read_standings(store, read_tables(store)).told_apart == apart
