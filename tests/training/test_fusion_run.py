"""`overpaint train fusion` from a run to a measure, and what it says of wrong input."""

import argparse
import json
from pathlib import Path

import numpy as np
import pytest

from overpaint.cli import main
from overpaint.cli.training_fusion import fusion_command
from overpaint.cli.training_fusion_options import fusion_options
from overpaint.core import Edit, Evidence, Request, Sample
from overpaint.document import Document
from overpaint.errors import UserMistake
from overpaint.measures.learned import columns, known_among, learned, read_package
from overpaint.measures.rated import Rating, write_ratings
from overpaint.store import Store, keep_picture
from overpaint.training import fusion_table

SOURCES, EDITORS, RATERS = 8, 5, 6
slow = pytest.mark.slow


@pytest.fixture(autouse=True)
def _few_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measures that need no weights."""
    monkeypatch.setattr(fusion_table, "DEFAULT", ("mse@source", "ssim@source"))
    monkeypatch.setattr(fusion_table, "have_words", lambda *_: False)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Edits that are tinted more and more; the last editor's have no picture."""
    folder = tmp_path_factory.mktemp("fusion") / "run"
    random = np.random.default_rng(0)
    with Store.create(folder) as store:
        store.note(benchmark="demo", breakdowns=["task"], card_id="toy#1", seed=0)
        for editor in range(EDITORS + 1):
            store.add_editor(f"e{editor}", f"command:e{editor} {{input}} {{output}}")
        for at in range(SOURCES):
            pixels = random.integers(40, 200, (8, 8, 3)).repeat(8, 0).repeat(8, 1).astype(np.uint8)
            source = keep_picture(folder, Document.of(pixels))
            sample = Sample(f"s{at}", Request(source, "Remove the ball."), tags={"task": "remove"},
                            cluster=f"c{at}")  # fmt: skip
            store.add_samples([sample])
            for editor in range(EDITORS):
                tinted = np.clip(pixels.astype(int) + np.array((9 * editor, 0, 0)), 0, 255)
                output = keep_picture(folder, Document.of(tinted.astype(np.uint8)))
                store.put_edit(Edit(sample, f"e{editor}", "ok", output))
            store.put_edit(Edit(sample, f"e{EDITORS}", "no_output", reason="It was away."))
    return folder


def ratings(path: Path, *, sources: int = SOURCES, editors: int = EDITORS) -> Path:
    random = np.random.default_rng(1)
    rows = [
        Rating(f"s{at}", f"e{editor}", f"simulated-{rater}", dimension,
               float(np.clip(4.5 - 0.7 * editor + random.normal(0, 0.3), 1, 5)))
        for at in range(sources) for editor in range(editors) for rater in range(RATERS)
        for dimension in ("quality", "alignment")
    ]  # fmt: skip
    path.write_text(write_ratings(rows), encoding="utf-8")
    return path


def said(*words: object) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    fusion_options(parser)
    return parser.parse_args(["--workers", "0", *map(str, words)])


@slow
def test_a_run_and_its_ratings_become_a_measure(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    csv, out = ratings(tmp_path / "ratings.csv"), tmp_path / "fusion"
    assert fusion_command(said(run, "--ratings", csv, "-o", out, "--name", "mine")) == 0
    told = capsys.readouterr()
    assert "| quality | 40 |" in told.out
    assert f"--measure learned:{out}" in told.err
    package = read_package(out)
    assert package.facts["agreement"][0]["srcc"]["value"] > 0.8
    card = (out / "card.md").read_text()
    assert "simulated opinion and makes no claim about people" in card.splitlines()[2]
    assert "40 edits of 8 sources" in card
    measures = [learned(spec.partition(":")[2]) for spec in columns(str(out))]
    assert sorted(one.name for one in measures) == ["alignment@mine", "quality@mine"]
    with Store.open(run) as store:
        edits = {one.editor: one for one in store.edits() if one.sample.id == "s0" and one.output}
    (quality,) = (one for one in measures if one.name == "quality@mine")
    first, last = (next(iter(quality.score([edits[e]], Evidence()))) for e in ("e0", "e4"))
    assert first.value is not None
    assert last.value is not None
    assert first.value > last.value + 10
    # Trained again, from what the run has kept, it is the same to the last byte.
    again = tmp_path / "again"
    assert fusion_command(said("--json", run, "--ratings", csv, "-o", again, "--name", "mine")) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "mine"
    for name in ("learned.json", "fusion.json", "card.md"):
        assert (again / name).read_bytes() == (out / name).read_bytes()
    with pytest.raises(UserMistake, match="There is a trained evaluator in .* already"):
        fusion_command(said(run, "--ratings", csv, "-o", out))


def test_the_plan_is_told_and_nothing_is_written(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    csv, out = ratings(tmp_path / "ratings.csv"), tmp_path / "fusion"
    assert fusion_command(said(run, "--ratings", csv, "-o", out, "--dry-run")) == 0
    assert "40 edits of 8 sources" in capsys.readouterr().out
    fusion_command(said("--json", run, "--ratings", csv, "-o", out, "--dry-run"))
    assert json.loads(capsys.readouterr().out)["hosts"] == []
    assert not out.exists()


def test_ratings_without_pictures_are_refused(run: Path, tmp_path: Path) -> None:
    csv = ratings(tmp_path / "ratings.csv", editors=EDITORS + 1)
    with pytest.raises(UserMistake, match="8 rated edits have no picture"):
        fusion_command(said(run, "--ratings", csv, "-o", tmp_path / "out"))


def test_too_few_sources_are_refused_before_anything_is_written(run: Path, tmp_path: Path) -> None:
    csv, out = ratings(tmp_path / "ratings.csv", sources=3), tmp_path / "out"
    with pytest.raises(UserMistake, match="of 3 sources"):
        fusion_command(said(run, "--ratings", csv, "-o", out))
    assert not out.exists()


def test_scores_outside_the_scale_are_refused(run: Path, tmp_path: Path) -> None:
    rows = [Rating("s0", "e0", "r", "quality", 9999.0), Rating("s1", "e0", "r", "quality", 1.0)]
    path = tmp_path / "ratings.csv"
    path.write_text(write_ratings(rows), encoding="utf-8")
    with pytest.raises(UserMistake, match="quality of s0 by e0 is 9999"):
        fusion_command(said(run, "--ratings", path, "--scores", "mean", "-o", tmp_path / "out"))


def test_plain_means_are_no_opinion_scores(run: Path, tmp_path: Path) -> None:
    csv = ratings(tmp_path / "ratings.csv")
    with pytest.raises(UserMistake, match="--scores mos"):
        fusion_command(said(run, "--ratings", csv, "--scores", "mean", "-o", tmp_path / "out"))


def test_a_dimension_that_no_column_could_bear_is_refused_before_anything_is_learned(
    run: Path, tmp_path: Path
) -> None:
    csv, out = ratings(tmp_path / "ratings.csv"), tmp_path / "out"
    csv.write_text(csv.read_text().replace("quality", "looks good?"))
    with pytest.raises(UserMistake, match="dimension cannot be called 'looks good\\?'"):
        fusion_command(said(run, "--ratings", csv, "-o", out))
    assert not out.exists()


@slow
def test_calibrating_where_it_has_learned_is_told(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    csv, out = ratings(tmp_path / "ratings.csv"), tmp_path / "fusion"
    fusion_command(said(run, "--ratings", csv, "-o", out, "--name", "mine"))
    main(["score", str(run), "--measure", f"learned:{out}", "--workers", "0"])
    capsys.readouterr()
    assert main(["calibrate", str(run), "--ratings", str(csv), "-o", str(tmp_path / "page")]) == 0
    told = "@mine: has learned from 8 of the 8 pictures that are edited here, so that"
    heard = capsys.readouterr().out
    assert heard.count(told) == 1
    version = read_package(out).digest[:12]
    assert known_among(f"learned:{out}", version, ["0" * 64]) == ""
    assert "not where it was" in known_among(f"learned:{out}", "before", [])


@slow
def test_where_one_rater_is_simulated_the_card_makes_no_claim_about_people(
    run: Path, tmp_path: Path
) -> None:
    csv, out = ratings(tmp_path / "ratings.csv"), tmp_path / "mixed"
    csv.write_text(csv.read_text().replace("simulated-0", "anna"))
    assert fusion_command(said(run, "--ratings", csv, "-o", out)) == 0
    assert "makes no claim about people" in (out / "card.md").read_text()
    csv.write_text(csv.read_text().replace("simulated-", "rater-"))
    assert fusion_command(said(run, "--ratings", csv, "-o", tmp_path / "people")) == 0
    assert "makes no claim" not in (tmp_path / "people" / "card.md").read_text()


def test_a_name_with_a_colon_is_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="cannot be called"):
        fusion_command(said(run, "-o", tmp_path / "out", "--name", "a:b"))
