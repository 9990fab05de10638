"""What `retry`, `show`, `merge` and `import` say of a run: in the singular, and what is left."""

import shlex
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from conftest import make_sample

from overpaint.cli import main
from overpaint.cli.bundling import _line
from overpaint.cli.merging import _told
from overpaint.cli.unfinished import told_of_unfinished
from overpaint.store import DATABASE, Store

TOY = str(Path(__file__).parents[1] / "toy.py")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A toy run of three samples, which notes the command as a shell's."""
    for n in range(3):
        make_sample(tmp_path / "data", f"a/{n:03}", n)
    out = tmp_path / "run"
    command = ["run", f"{TOY}:toy", "--data", str(tmp_path / "data"), "-o", str(out), "--quiet"]
    command += ["--workers", "0"]
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/overpaint", *command])
    assert main(command) == 0
    return out


def forget(run: Path, *rows: str) -> None:
    with closing(sqlite3.connect(run / DATABASE)) as database, database:
        for table in rows:
            database.execute(f"DELETE FROM {table} WHERE sample = (SELECT max(n) FROM samples)")


def test_a_retry_of_a_run_that_was_killed_says_what_goes_on_with_it(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["retry", str(run), "--workers", "0"]) == 0
    said = capsys.readouterr().err
    assert "Tried again: 0 edits, 0 scores." in said
    assert "not finished" not in said
    forget(run, "scores")
    with Store.open(run) as store:
        lacking = len(store.editors) * len(store.measures)
        assert f"0 edits and {lacking} scores were never made" in told_of_unfinished(store)
    forget(run, "edits")
    assert main(["retry", str(run), "--workers", "0"]) == 0
    with Store.open(run) as store:
        edits = len(store.editors)
    said = capsys.readouterr().err
    assert (
        f"not finished: {edits} edits and 0 scores were never made. The same `overpaint run`"
        in said
    )
    assert main(sys.argv[1:]) == 0
    with Store.open(run) as store:
        assert told_of_unfinished(store) == ""


def test_a_runs_commands_are_shown_as_one_can_type_them(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["show", str(run)]) == 0
    lines = capsys.readouterr().out.splitlines()
    typed = shlex.join(["overpaint", *sys.argv[1:]])
    assert f"{'command':14} {typed}" in lines
    assert not [line for line in lines if line.startswith("commands")]  # it would be the same
    again = ["overpaint", "score", "my run", "--measure", "x" * 1000]
    with Store.open(run) as store:
        commands = [*store.info["commands"], {"started": "2026-11-19", "command": again}]
        store.note(command=again, commands=commands)
    assert main(["show", str(run)]) == 0
    lines = capsys.readouterr().out.splitlines()
    [at] = [n for n, line in enumerate(lines) if line.startswith("commands")]
    assert lines[at].endswith(f"  {typed}")
    assert lines[at + 1].startswith(f"{'':15}2026-11-19  overpaint score 'my run' --measure xxx")
    assert lines[at + 1].endswith("x…")
    assert len(lines[at + 1]) < 500


def test_one_is_told_in_the_singular(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _told("edits", 4, 4) == "        4 of 4 edits are"
    assert _told("edits", 1, 4) == "        1 of 4 edits is"
    assert _told("samples", 0, 1) == "        0 of 1 sample is"
    assert _told("calls", 1, None) == "        1 call is"
    assert _told("calls", 0, None) == "        0 calls are"
    assert _line("edits", 1) == "        1 edit"
    assert _line("replies known", 1) == "        1 reply known"
    assert _line("replies known", 2) == "        2 replies known"
