"""Floors that a benchmark names as its own are floors wherever a run is read."""

from argparse import Namespace
from pathlib import Path

import pytest
from conftest import make_sample

from overpaint.cli.comparing import compare_runs
from overpaint.errors import UserMistake
from overpaint.report.tables import read_tables
from overpaint.run import Run, Settings, run
from overpaint.run.votes import chosen_pairs
from overpaint.store import Store

TOY = str(Path(__file__).with_name("toy.py"))


@pytest.fixture
def done(tmp_path: Path) -> Run:
    """A run with a floor of the benchmark's own, and one editor."""
    for n in range(1, 4):
        make_sample(tmp_path / "data", f"a/{n:03}", n)
    return run(
        f"{TOY}:floored", data=tmp_path / "data", editors=[f"light={TOY}:Light"],
        out=tmp_path / "run", settings=Settings(workers=0),
    )  # fmt: skip


def roles(done: Run) -> dict[str, str]:
    with Store.open(done.folder) as store:
        return {entry.name: entry.role for entry in read_tables(store).entries}


def compared(done: Run) -> set[str]:
    args = Namespace(run=[done.folder], force=False, measure=["mse"], baseline=None)
    return {row["a"] for row in compare_runs(args)[0]["comparisons"]}


def test_a_benchmarks_own_floor_competes_with_nobody(done: Run) -> None:
    assert roles(done) == {
        "light": "editor", "identity": "floor", "blank": "floor", "source-noise": "floor",
        "dark": "floor", "truth": "ceiling",
    }  # fmt: skip
    assert compared(done) == {"light"}
    assert {gap.editor for gap in done.gaps()} <= {"light"}
    with Store.open(done.folder) as store, pytest.raises(UserMistake, match="fewer than two"):
        chosen_pairs(store, ())


def test_a_run_that_does_not_tell_of_own_floors_is_read_all_the_same(done: Run) -> None:
    with Store.open(done.folder) as store:
        store.note(floors=None)
        assert store.floors == ()
        assert chosen_pairs(store, ()) == [("light", "dark")]
    assert (roles(done)["dark"], roles(done)["blank"]) == ("editor", "floor")
    assert compared(done) == {"light", "dark"}
