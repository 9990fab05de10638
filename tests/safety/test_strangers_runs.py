"""A run that somebody else made: its code is not started, its paths and its SQL get nowhere."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import make_sample

from overpaint.cli import main
from overpaint.document import Document
from overpaint.errors import StoreError
from overpaint.report.pictures import Shelf
from overpaint.store import Store, picture_path, trusting
from overpaint.testing import FakeServer

MEASURE = """
from pathlib import Path
Path(__file__).with_name("was-here").touch()
from overpaint.measures.background import mse as stolen
"""
EDITOR = """
from pathlib import Path
Path(__file__).with_name("was-here").touch()
class Mine:
    def __call__(self, request):
        return request.source
"""


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of one sample that names a measure of its maker's own, as it arrives elsewhere."""
    folder = tmp_path / "stranger"
    with Store.create(folder) as store:
        store.add_samples([make_sample(tmp_path / "data", "a/001")])
        store.note(seed=0, benchmark="demo")
        store.add_editor("theirs", "command:touch {output} " + str(folder / "was-here"))
    (folder / "evil.py").write_text(MEASURE)
    monkeypatch.setenv("OVERPAINT_STATE", str(tmp_path / "another-machine"))
    monkeypatch.setattr(trusting, "_here", set())
    return folder


def plant(folder: Path, sql: str, *values: str) -> None:
    with sqlite3.connect(folder / "run.db") as database:
        database.execute(sql, values)
    database.close()


def plant_measure(folder: Path, spec: str) -> None:
    plant(folder, "INSERT INTO measures (name, spec, version) VALUES ('mse', ?, '1')", spec)


@pytest.mark.parametrize("command", ["view", "report", "compare", "score", "retry", "show"])
def test_opening_a_strangers_run_starts_none_of_its_code(
    stranger: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plant_measure(stranger, f"{stranger}/evil.py:stolen")
    assert main([command, str(stranger)]) == 2
    said = capsys.readouterr().err
    assert "was not named on this machine" in said
    assert f"OVERPAINT_TRUST={stranger}" in said
    assert not (stranger / "was-here").exists()


@pytest.mark.parametrize("spec", ["evil.py:stolen", "layout:evil.py:stolen", "./evil.py:stolen"])
def test_nor_where_its_path_is_told_from_the_folder_one_stands_in(
    stranger: Path, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant_measure(stranger, spec)
    monkeypatch.chdir(stranger)
    with pytest.raises(StoreError, match="not named on this machine"):
        Store.open(Path())
    with pytest.raises(StoreError, match="not named on this machine"):
        Store.create(Path())
    assert not (stranger / "was-here").exists()


def test_a_strangers_benchmark_is_code_too(stranger: Path) -> None:
    plant(stranger, "UPDATE info SET value = ? WHERE key = 'benchmark'",
          json.dumps(f"{stranger}/evil.py:stolen"))  # fmt: skip
    with pytest.raises(StoreError, match="not named on this machine"):
        Store.open(stranger)


@pytest.mark.parametrize(
    ("command", "editor"),
    [
        ("retry", "command:touch {output} %s/was-here"),
        ("retry", "%s/evil.py:Mine"),
        pytest.param("run", "%s/evil.py:Mine", marks=pytest.mark.slow),
    ],
)
def test_a_strangers_editors_are_not_started_by_going_on_with_the_run(
    stranger: Path, command: str, editor: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (stranger / "evil.py").write_text(EDITOR)
    plant(stranger, "UPDATE editors SET spec = ?", editor.replace("%s", str(stranger)))
    if command == "run":
        given = ["run", "demo", "--editor", "identity", "--limit", "1", "-o", str(stranger)]
    else:
        plant(stranger, "INSERT INTO edits VALUES (1, 1, 'editor_failed', '', '', '[]', '[]', 0)")
        given = ["retry", str(stranger)]
    assert main([*given, "--workers", "0", "--quiet"]) == 2
    assert "not named on this machine" in capsys.readouterr().err
    assert not (stranger / "was-here").exists()
    with Store.open(stranger) as store:  # nothing was dropped on the way to the refusal
        assert command == "run" or store.counts()["edits"] == 1


@pytest.mark.parametrize("command", ["score", "retry"])
def test_a_server_that_a_strangers_run_names_is_sent_nothing(
    stranger: Path, command: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("OVERPAINT_API_KEY", "sk-swordfish-1234")
    with FakeServer('{"score": 1}', process=False) as server:
        spec = f"judge:textedit_if:{server.url}#m"
        plant(stranger, "UPDATE editors SET spec = 'identity'")
        plant(stranger, "INSERT INTO edits VALUES (1, 1, 'ok', 'a.png', '', '[]', '[]', 0)")
        plant(stranger, "INSERT INTO measures (name, spec, version) VALUES ('IF@m', ?, '1')", spec)
        assert main([command, str(stranger), "--workers", "0"]) == 2
        assert server.counts().connections == 0
    assert "sent pictures and a key" in capsys.readouterr().err
    assert main(["report", str(stranger), "-o", str(stranger / "page")]) == 0, "it can be looked at"


def test_whoever_has_looked_may_say_so_once(
    stranger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant_measure(stranger, f"{stranger}/evil.py:stolen")
    monkeypatch.setenv("OVERPAINT_TRUST", str(stranger.parent))
    with pytest.raises(StoreError, match="not named"):  # another folder's word is not this one's
        Store.open(stranger)
    monkeypatch.setenv("OVERPAINT_TRUST", str(stranger))
    Store.open(stranger).__exit__()
    monkeypatch.delenv("OVERPAINT_TRUST")
    monkeypatch.setattr(trusting, "_here", set())
    Store.open(stranger).__exit__()


@pytest.mark.slow
def test_code_of_ones_own_needs_no_word_in_this_or_any_later_process(stranger: Path) -> None:
    spec = f"{stranger}/evil.py:stolen"
    with Store.open(stranger) as store:
        store.add_measure("mse", spec, "1")
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from pathlib import Path; from overpaint.store import"
         " Store; Store.open(Path(sys.argv[1]))", stranger], check=False,
    )  # fmt: skip
    assert done.returncode == 0


def test_a_command_that_was_named_for_one_run_is_not_named_for_another(
    stranger: Path, tmp_path: Path
) -> None:
    spec = "command:./edit.sh {input} {output}"
    trusting.name_code(spec, tmp_path / "mine")
    trusting.check_code([spec], tmp_path / "mine", working=True)
    with pytest.raises(StoreError, match="not named"):
        trusting.check_code([spec], stranger, working=True)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_what_others_could_have_noted_does_not_count(
    stranger: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    spec = f"{stranger}/evil.py:stolen"
    trusting.name_code(spec, stranger)
    monkeypatch.setattr(trusting, "_here", set())
    noted = tmp_path / "another-machine" / trusting.NOTED
    assert noted.stat().st_mode & 0o777 == 0o600
    assert noted.parent.stat().st_mode & 0o777 == 0o700
    trusting.check_code([spec], stranger)
    noted.chmod(0o666)
    with pytest.raises(StoreError, match=f"not named.* others can write {noted}; delete it"):
        trusting.check_code([spec], stranger)


def test_what_is_to_be_typed_can_be_whatever_the_folder_is_called(tmp_path: Path) -> None:
    folder = tmp_path / "my run; rm -rf x"
    with pytest.raises(StoreError) as found:
        trusting.check_code(["/evil.py:stolen"], folder)
    assert str(found.value).endswith(f"after OVERPAINT_TRUST='{folder}'")
    assert "does not count" not in str(found.value)


# ── its database ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TRIGGER t AFTER INSERT ON info BEGIN DELETE FROM edits; END",
        "CREATE VIEW v AS WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM c)"
        " SELECT x FROM c",
    ],
)
def test_a_run_with_a_program_in_its_database_is_refused(stranger: Path, sql: str) -> None:
    plant(stranger, sql)
    with pytest.raises(StoreError, match="has other tables than a run has"):
        Store.open(stranger)


@pytest.mark.parametrize("table", ["measures", "info"])
def test_a_table_whose_rows_read_otherwise_than_they_are_checked_is_refused(
    stranger: Path, table: str
) -> None:
    evil = f"{stranger}/evil.py:stolen"
    with sqlite3.connect(stranger / "run.db") as database:
        if table == "measures":  # one name twice: the harmless one was looked at, the other used
            database.executescript(
                "DROP TABLE measures; CREATE TABLE measures (n INTEGER PRIMARY KEY, name TEXT"
                " NOT NULL, spec TEXT NOT NULL, version TEXT NOT NULL, pairs INTEGER)"
            )
            rows = [(1, "mse", evil, "1", 0), (2, "mse", "mse", "1", 1)]
            database.executemany("INSERT INTO measures VALUES (?, ?, ?, ?, ?)", rows)
        else:  # columns in another order: what was looked at by name was used by place
            database.executescript(
                "DROP TABLE info; CREATE TABLE info (value TEXT NOT NULL, key TEXT PRIMARY KEY)"
            )
            facts = [("benchmark", json.dumps(evil)), ("x", json.dumps("benchmark"))]
            database.executemany("INSERT INTO info VALUES (?, ?)", facts)
    database.close()
    with pytest.raises(StoreError, match="has other tables than a run has"):
        Store.open(stranger)
    assert not (stranger / "was-here").exists()


def test_a_row_that_an_index_does_not_know_of_is_looked_at(stranger: Path) -> None:
    evil = json.dumps(f"{stranger}/evil.py:stolen")
    with sqlite3.connect(stranger / "run.db") as database:
        query = "SELECT sql FROM sqlite_master WHERE name = 'info'"
        (sql,) = database.execute(query).fetchone()
        database.executescript(
            "DROP TABLE info; CREATE TABLE info (key TEXT, value TEXT NOT NULL);"
            " CREATE INDEX i ON info (value); PRAGMA writable_schema = ON"
        )
        database.execute("INSERT INTO info VALUES ('benchmark', ?)", (evil,))
        database.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'info'", (sql,))
        database.execute(
            "UPDATE sqlite_master SET sql = NULL, name = 'sqlite_autoindex_info_1' WHERE name = 'i'"
        )
    database.close()
    with pytest.raises(StoreError, match="not named on this machine"):
        Store.open(stranger)


def test_a_table_that_is_a_view_without_end_is_refused_at_once(stranger: Path) -> None:
    plant(stranger, "DROP TABLE measures")
    endless = "WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x FROM c)"
    plant(stranger, f"CREATE VIEW measures AS {endless} SELECT x AS n, 'a' AS spec FROM c")
    with pytest.raises(StoreError, match="has other tables than a run has"):
        Store.open(stranger)


def test_sql_of_a_strangers_run_cannot_load_a_library(stranger: Path) -> None:
    with Store.open(stranger) as store, pytest.raises(StoreError, match="not authorized"):
        store._db.execute("SELECT load_extension('/tmp/evil.so')")


# ── its paths ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["../../../../etc/passwd", "/etc/passwd", "..", "aa/../../run.db"])
def test_an_outputs_name_stays_among_the_runs_pictures(stranger: Path, name: str) -> None:
    path, kept = picture_path(stranger, name).resolve(), (stranger / "pictures").resolve()
    assert path == kept or kept in path.parents


@pytest.mark.parametrize("path", ["/etc/passwd", "/etc", "/dev/zero", "/proc/self/environ"])
def test_a_path_in_a_sample_that_is_no_picture_is_never_shown(stranger: Path, path: str) -> None:
    shelf = Shelf(stranger)
    assert shelf.name(Document(Path(path))) is None


def test_the_page_of_a_run_whose_samples_name_files_of_this_machine_shows_none(
    stranger: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the password is swordfish")
    with Store.open(stranger) as store:
        body = store._db.execute("SELECT body FROM samples").fetchone()[0]
    told = json.loads(body) | {"source": str(secret), "target": "/etc/passwd"}
    plant(stranger, "UPDATE samples SET body = ?", json.dumps(told))
    assert main(["report", str(stranger), "-o", str(tmp_path / "page")]) == 0
    for file in (tmp_path / "page").rglob("*"):
        if file.is_file():
            assert b"swordfish" not in file.read_bytes()
            assert b"root:" not in file.read_bytes()
