"""Parquet: what is written is what the run holds, typed and named."""

import importlib.util
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from test_run_shards import BENCH, HERE, NOTHING, SPREAD, part

from overpaint.cli import main
from overpaint.core import Score
from overpaint.errors import Unavailable
from overpaint.store import DATABASE, Store, parquet

needs_arrow = pytest.mark.skipif(
    importlib.util.find_spec("pyarrow") is None, reason="pyarrow is not installed"
)


def test_without_the_library_the_command_that_gets_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Unavailable, match=r"pip install 'overpaint\[parquet\]'"):
        parquet.library()


@needs_arrow
def test_tables_read_back_are_the_rows_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow.parquet as pq

    monkeypatch.setattr(parquet, "GROUP", 5)  # several row groups
    run = part(tmp_path / "run", measures=[SPREAD, NOTHING], limit=4, floors=True,
               editors=[f"good={BENCH}:Good", f"idle={BENCH}:Idle"])  # fmt: skip
    with closing(sqlite3.connect(run / DATABASE)) as database, database:
        database.execute('UPDATE scores SET notes = \'["resized", "größer"]\' WHERE sample = 2')
        database.execute("INSERT INTO measures VALUES (99, 'duel', 'x', '1', 1)")
        database.execute("INSERT INTO scores VALUES (1, 1, 99, 'idle', .5, 'ok', '', '[]', 1, 1)")
    assert main(["export", str(run), "--parquet", "-o", str(tmp_path / "t")]) == 0
    files = {path.stem: pq.ParquetFile(path) for path in (tmp_path / "t").iterdir()}
    assert set(files) == {"samples", "edits", "scores", "votes", "sets"}
    read = {name: file.read().to_pylist() for name, file in files.items()}
    assert files["scores"].num_row_groups > 1
    assert str(files["scores"].schema_arrow.field("editor").type).startswith("dictionary<")
    assert str(files["scores"].schema_arrow.field("value").type) == "double"
    with Store.open(run) as store:
        rows = [{**row._asdict(), "notes": list(row.notes)} for row in store.rows()]
        assert read["scores"] == rows
        assert read["votes"] == [{**v._asdict(), "notes": list(v.notes)} for v in store.votes()]
        assert read["sets"] == [
            {**s._asdict(), "notes": list(s.notes)} for s in store.sets(["spread"])
        ]
        assert [(e["sample"], e["editor"], e["status"], e["output"]) for e in read["edits"]] == [
            (e.sample.id, e.editor, e.status, e.output.path.name if e.output else "")
            for e in store.edits()
        ]
        told = [(s.id, n, s.cluster, s.request.instruction, list(s.tags.items()))
                for n, s in enumerate(store.samples(), 1)]  # fmt: skip
    assert [tuple(s.values()) for s in read["samples"]] == told
    assert len(rows) == 4 * 6 * 2
    assert str(HERE.parent) not in str(read)


@needs_arrow
def test_halves_of_letters_are_written_as_the_run_file_has_them(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    run = part(tmp_path / "run", measures=[SPREAD, NOTHING], limit=2)
    with Store.open(run) as store:
        edit = next(store.edits())
        store.put_scores([Score(edit, "made_nothing", 1.0, notes=("b\udcff.png",))], {})
    with closing(sqlite3.connect(run / DATABASE)) as database, database:
        database.execute("UPDATE sets SET notes = ?", ('["b\\udcff.png"]',))
    assert main(["export", str(run), "--parquet", "-o", str(tmp_path / "t")]) == 0
    for table in ("scores", "sets"):
        notes = pq.read_table(tmp_path / "t" / f"{table}.parquet").column("notes").to_pylist()
        assert ["b\\udcff.png"] in notes


def test_long_rows_are_held_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "LETTERS", 100)
    rows = [(n, "x" * 40, None, 1.0) for n in range(8)]
    assert [len(group) for group in parquet._groups(rows)] == [3, 3, 2]
    assert [row for group in parquet._groups(rows) for row in group] == rows


@needs_arrow
def test_a_sample_is_read_once_and_all_tables_are_of_one_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow.parquet as pq

    run = part(tmp_path / "run", measures=[SPREAD, NOTHING], limit=3)
    parsed: list[str] = []
    told_in = parquet.told_in
    monkeypatch.setattr(parquet, "told_in", lambda body: parsed.append(body) or told_in(body))

    def of_sets(store: Store) -> list[str]:
        with closing(sqlite3.connect(run / DATABASE)) as other, other:
            other.execute("DELETE FROM scores")  # another command, in the middle
        return ["spread"]

    found = parquet.export_parquet(run, tmp_path / "t", of_sets, lambda *_: None)
    assert len(parsed) == found["samples"] == 3
    assert pq.read_table(tmp_path / "t" / "scores.parquet").num_rows == found["scores"] == 6
    assert found["sets"] == 1
