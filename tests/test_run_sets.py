"""Measures of sets in a run: one number an editor and slice, made anew when its edits change."""

import argparse
import json
import sqlite3
from pathlib import Path

import pytest
import sets_toy
from conftest import make_sample, picture, write

from overpaint.cli import main
from overpaint.cli.comparing import compare_runs
from overpaint.report import read_tables, text_table
from overpaint.report.exports import as_json, markdown, summary_csv
from overpaint.run import Run, Settings, retry, run, score
from overpaint.store import Store

TOY = str(Path(__file__).with_name("sets_toy.py"))
SPREAD = f"{TOY}:spread"
HERE = Settings(workers=0)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for n in range(1, 5):
        make_sample(tmp_path / "data", f"a/{n:03}", n)
    return tmp_path / "data"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "log"
    path.touch()
    monkeypatch.setenv(sets_toy.LOG, str(path))
    return path


def ran(data: Path, out: Path, **more: object) -> Run:
    what = {"measures": [SPREAD], "floors": False, "editors": ["identity"], "settings": HERE}
    return run(f"{TOY}:parted", data=data, out=out, **(what | more))


def cell(done: Run, by: str | None = None, part: str = "all") -> object:
    return next(row for row in done.table(by) if row.slice == part).cells["spread"]


def lines(log: Path) -> list[str]:
    found = log.read_text().splitlines()
    log.write_text("")
    return found


def test_a_set_has_one_number_with_its_count_and_no_interval(data: Path, tmp_path: Path) -> None:
    found = cell(ran(data, tmp_path / "run"))
    sources = [picture(n) for n in range(1, 5)]
    lights = [source.mean() for source in sources]
    assert found.value == pytest.approx(max(lights) - min(lights))
    assert (found.n, found.scored, found.coverage) == (4, 4, 1.0)
    assert (found.low, found.high) == (None, None)
    assert found.notes == ("of a set: no interval",)


def test_each_slice_is_a_set_of_its_own_and_a_refused_one_says_why(
    data: Path, tmp_path: Path
) -> None:
    done = ran(data, tmp_path / "run")
    three = cell(done, "operation", "change")
    assert (three.n, three.scored) == (3, 3)
    lights = [picture(n).mean() for n in range(2, 5)]
    assert three.value == pytest.approx(max(lights) - min(lights))
    one = cell(done, "operation", "add")
    assert (one.n, one.value) == (0, None)
    assert one.notes == ("A range is of two pictures at least.",)


def test_pictures_are_looked_at_once_and_sets_only_when_they_change(
    data: Path, tmp_path: Path, log: Path
) -> None:
    ran(data, tmp_path / "run", limit=3)
    assert sorted(lines(log)) == ["look"] * 3 + [f"set identity {n}" for n in (1, 2, 3)]
    before = cell(Run(tmp_path / "run"))
    ran(data, tmp_path / "run", limit=3)
    assert lines(log) == []
    after = ran(data, tmp_path / "run")  # one sample more, in the slice "change"
    assert sorted(lines(log)) == ["look", "set identity 3", "set identity 4"]
    assert (before.scored, cell(after).scored) == (3, 4)


def test_a_set_that_has_changed_since_shows_no_old_number(data: Path, tmp_path: Path) -> None:
    done = ran(data, tmp_path / "run")
    with Store.open(done.folder) as store:  # as if the run had ended before its sets were scored
        made = next(store.edits())
        other = store.edit(store.sample("a/002"), "identity")
        store.put_edit(other.__class__(made.sample, "identity", "ok", other.output))
    found = cell(done)
    assert (found.value, found.n, found.scored) == (None, 4, 0)
    with Store.open(done.folder) as store:
        told = json.loads(as_json(read_tables(store)))["results"]
    assert next(r for r in told if r["measure"] == "spread")["statuses"] == {"not_run": 4}
    assert cell(score(done.folder, settings=HERE)).scored == 4


def test_a_run_killed_before_its_sets_goes_on_with_them_alone(
    data: Path, tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("overpaint.run.make_sets", killed)
        with pytest.raises(KeyboardInterrupt):
            ran(data, tmp_path / "run")
    assert lines(log) == ["look"] * 4
    assert cell(ran(data, tmp_path / "run")).scored == 4
    assert sorted(lines(log)) == [f"set identity {n}" for n in (1, 3, 4)]


def test_what_cannot_be_looked_at_keeps_its_status_until_it_is_tried_again(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(sets_toy.GONE, "1")
    done = ran(data, tmp_path / "run")
    assert (cell(done).value, cell(done).n) == (None, 4)
    assert [f[1:] for f in done.failures()] == [
        ("spread", "unavailable", "The lamp is gone. `overpaint get lamp` brings it.", 4)
    ]
    monkeypatch.delenv(sets_toy.GONE)
    done, _, scores = retry(done.folder, HERE)
    assert scores == 4
    assert cell(done).scored == 4
    assert done.failures() == []


def test_an_edit_without_a_picture_lowers_the_coverage(data: Path, tmp_path: Path) -> None:
    for n in (1, 2, 3):
        write(tmp_path / "mine" / "a" / f"{n:03}_edited.png", picture(n))
    done = ran(data, tmp_path / "run", editors=[f"mine=outputs:{tmp_path / 'mine'}"])
    found = cell(done)
    assert (found.n, found.scored, found.coverage) == (4, 3, 0.75)
    assert found.value is not None
    write(tmp_path / "mine" / "a" / "004_edited.png", picture(4))
    assert cell(retry(done.folder, HERE)[0]).coverage == 1


def test_a_set_that_fails_is_a_row_and_can_be_tried_again(data: Path, tmp_path: Path) -> None:
    done = ran(data, tmp_path / "run", measures=[f"{TOY}:buggy_set"])
    assert (
        "identity",
        "buggy_set",
        "measure_failed",
        "ZeroDivisionError: division by zero",
        4,
    ) in (done.failures())
    with Store.open(done.folder) as store:
        assert len(store.sets(["buggy_set"])) == 3
        store.forget_failures()
        assert store.sets(["buggy_set"]) == []


@pytest.mark.slow
def test_workers_give_the_same_sets(data: Path, tmp_path: Path) -> None:
    here = cell(ran(data, tmp_path / "here"))
    assert cell(ran(data, tmp_path / "there", settings=Settings(workers=2))) == here


def test_dropping_an_editor_drops_its_sets(data: Path, tmp_path: Path, log: Path) -> None:
    done = ran(data, tmp_path / "run")
    with Store.open(done.folder) as store:
        store.forget_editor("identity")
        assert store.sets(["spread"]) == store.edit_sets(["spread"]) == []
    lines(log)
    assert cell(ran(data, tmp_path / "run", redo=["identity"])).scored == 4
    assert sorted(lines(log)) == [f"set identity {n}" for n in (1, 3, 4)]  # the looks were kept


def test_tables_and_exports_show_it_in_every_slice(data: Path, tmp_path: Path) -> None:
    done = ran(data, tmp_path / "run", floors=True, editors=())
    with Store.open(done.folder) as store:
        tables = read_tables(store)
        told = json.loads(as_json(tables))
    assert "spread" in text_table(tables)
    assert "spread" in markdown(tables)
    rows = [line.split(",") for line in summary_csv(tables).splitlines()]
    found = {(row[2], row[3]): row[7:11] for row in rows if row[5] == "spread"}
    assert found["all", "identity"][:3] == ["4", "4", "1.0"]
    assert float(found["change", "identity"][3]) > 0
    assert found["add", "identity"][:2] == ["0", "0"]
    assert {m["name"]: m["scope"] for m in told["measures"]} == {"mse": "edit", "spread": "set"}
    assert all(r["low"] is None for r in told["results"] if r["measure"] == "spread")
    assert told["failures"] == []
    assert tables.whole


def test_a_comparison_says_that_a_set_has_no_pairs(data: Path, tmp_path: Path) -> None:
    done = ran(data, tmp_path / "run", floors=True, editors=())
    args = argparse.Namespace(run=[done.folder], measure=["spread"], baseline=None, force=False)
    found, text = compare_runs(args)
    assert "it is of a set of edits and not of a sample: no pairs" in text
    assert all(one["found"]["p"] is None for one in found["comparisons"])


def test_the_sample_page_says_that_it_is_in_the_set(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = ran(data, tmp_path / "run")
    assert main(["show", str(done.folder), "a/001"]) == 0
    assert "It is a number of a set of edits; this one is in it." in capsys.readouterr().out
    assert main(["report", str(done.folder), "-o", str(tmp_path / "report")]) == 0
    assert "spread" in (tmp_path / "report" / "report.html").read_text()


def test_a_run_made_before_there_were_sets_opens_and_takes_them(data: Path, tmp_path: Path) -> None:
    done = ran(data, tmp_path / "run", measures=())
    with sqlite3.connect(done.folder / "run.db") as database:
        for later in ("sets", "again"):
            database.execute(f"DROP TABLE {later}")
        database.execute("PRAGMA user_version = 5")
    database.close()
    assert done.table()[0].cells["mse"].scored == 4
    assert cell(score(done.folder, [SPREAD], HERE)).scored == 4
