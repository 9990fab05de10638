"""`overpaint calibrate`: from a file, a run's own columns or released opinions to page and maps."""

import json
import re
from pathlib import Path

import calibrating_toy as toy
import pytest

from overpaint.benchmarks.ebench_released import Opinion
from overpaint.cli import main, opinions
from overpaint.measures.calibration_maps import read_map
from overpaint.measures.human import ratings
from overpaint.store import Store

FEW = ("--draws", "40")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    ratings.cache_clear()
    return toy.make_run(tmp_path / "run")


@pytest.mark.slow
def test_ratings_from_a_file_become_a_table_a_page_and_maps(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    csv = toy.write_csv(tmp_path / "r.csv", only=16)
    assert main(["calibrate", str(run), "--ratings", str(csv), "--budget", "900", *FEW]) == 0
    out, err = capsys.readouterr()
    assert "QUALITY: SRCC BY TASK" in out
    assert out.startswith("Ratings: r.csv, 12 raters\n")
    assert "64 of 96" in out
    assert "900 more ratings would settle" in out
    assert "calibration/index.html" in err
    page = (run / "calibration" / "index.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    made = read_map(run / "calibration" / "calibration.json", "sees", "quality")
    assert made(5.0) > made(1.0)
    assert json.loads((run / "calibration" / "people.json").read_text())["by"] == "task"


def test_json_is_all_that_is_printed_and_o_says_where_to(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    csv, out = toy.write_csv(tmp_path / "r.csv"), tmp_path / "out"
    told = ["calibrate", str(run), "--ratings", str(csv), "--measure", "noise", "--json"]
    assert main([*told, "-o", str(out), *FEW]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["measures"] == ["noise"]
    assert [one["dimension"] for one in data["people"]] == ["quality", "done"]
    assert (out / "index.html").is_file()
    assert not (run / "calibration").exists()


def test_a_run_s_own_people_are_asked_where_nobody_is_named(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    csv = toy.write_csv(tmp_path / "r.csv")
    column = f"human:{csv};dimension=quality"
    assert main(["score", str(run), "--measure", column, "--workers", "0"]) == 0
    capsys.readouterr()
    assert main(["calibrate", str(run), "--scores", "mean", *FEW]) == 0
    out = capsys.readouterr().out
    assert "quality: raw means: nothing was screened." in out
    assert "quality@people" not in out  # people are not held against themselves


def test_what_failed_stays_visible(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = toy.make_run(tmp_path / "run", without="fair")
    csv = toy.write_csv(tmp_path / "r.csv")
    assert main(["calibrate", str(run), "--ratings", str(csv), "--measure", "sees", *FEW]) == 0
    out = capsys.readouterr().out
    assert "72 of 96" in out
    assert "sees: without a score: 24 measure failed." in out
    assert "fair: sees has not scored 24 of 24 rated edits." in out


@pytest.mark.slow
def test_released_opinions_are_held_against_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = toy.make_run(tmp_path / "run")
    said = [Opinion(*key, "quality", 20 * value) for key, value in toy.truth().items()]
    monkeypatch.setattr(opinions, "read_opinions", lambda folder: said)
    assert main(["calibrate", str(run), "--opinions", str(tmp_path), *FEW]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"Ratings: {tmp_path.name}, opinion scores as released\n")
    assert "as released, without the ratings" in out


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ([], "Nobody has rated anything in .* Name a file: --ratings FILE.csv"),
        (["--study", "none"], "There is no study 'none'"),
        (["--ratings", "nowhere.csv"], "nowhere.csv cannot be read"),
        (["--opinions", "nowhere"], "none of EBench's released lists"),
    ],
)
def test_nobody_to_ask_is_told_with_what_to_do(
    run: Path, capsys: pytest.CaptureFixture[str], more: list[str], told: str
) -> None:
    assert main(["calibrate", str(run), *more, *FEW]) == 2
    assert re.search(told, capsys.readouterr().err)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--measure", "lpips"], "no measure 'lpips' to hold against people. It has sees, error"),
        (["--by", "weather"], "No sample of the run has the tag 'weather'. Their tags: task"),
    ],
)
def test_columns_and_tags_that_are_not_there_are_named(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], told: str
) -> None:
    csv = toy.write_csv(tmp_path / "r.csv")
    assert main(["calibrate", str(run), "--ratings", str(csv), *more, *FEW]) == 2
    assert told in capsys.readouterr().err


def test_ratings_of_another_run_and_files_of_votes_are_refused(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    csv = tmp_path / "r.csv"
    csv.write_text("sample,editor,rater,value\nx1,fine,ann,3\nx2,fine,ann,4\n")
    assert main(["calibrate", str(run), "--ratings", str(csv), *FEW]) == 2
    err = capsys.readouterr().err
    assert "None of the rated edits is in" in err
    assert "x1 by fine, x2 by fine … The run has s00 by fair, s00 by fine, s00 by good …" in err
    csv.write_text("sample,editor,rater,value\ns00,another,ann,3\n")
    assert main(["calibrate", str(run), "--ratings", str(csv), *FEW]) == 2
    assert "s00 by another …" in capsys.readouterr().err
    csv.write_text("sample,editor,rater,value,against\ns00,fine,ann,1,poor\n")
    assert main(["calibrate", str(run), "--ratings", str(csv), *FEW]) == 2
    assert "--pairwise human:FILE.csv" in capsys.readouterr().err


@pytest.mark.parametrize(("others", "told"), [(0, "all"), (1, "2 of them")])
def test_simulated_raters_are_told_as_such(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], others: int, told: str
) -> None:
    csv = tmp_path / "s.csv"
    raters = ["simulated-1", "simulated-2", *["ann"] * others]
    lines = [f"{s},fine,{r},quality,{1 + at % 4}" for at, s in enumerate(toy.samples())
             for r in raters]  # fmt: skip
    csv.write_text("\n".join(["sample,editor,rater,dimension,value", *lines]) + "\n")
    assert main(["calibrate", str(run), "--ratings", str(csv), *FEW]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == f"Ratings: s.csv, {2 + others} raters, {told} simulated"


def test_two_ways_to_say_whose_opinion_are_one_too_many(run: Path) -> None:
    with pytest.raises(SystemExit):
        main(["calibrate", str(run), "--ratings", "r.csv", "--study", "s"])


@pytest.mark.slow
def test_a_source_that_is_gone_does_not_matter_where_nothing_was_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, csv = toy.make_run(tmp_path / "run"), toy.write_csv(tmp_path / "r.csv")
    with Store.open(run) as store:
        first = next(iter(store.samples())).request.source.path
    assert first is not None
    first.unlink()
    assert main(["calibrate", str(run), "--ratings", str(csv), *FEW]) == 0
