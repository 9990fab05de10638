"""`overpaint train evaluator`: the plan, a training in seconds, and what it says of wrong input."""

import argparse
import json
from pathlib import Path

import calibrating_toy as toy
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("peft")

from overpaint.cli import main  # noqa: E402
from overpaint.cli.parser import build  # noqa: E402
from overpaint.cli.training_evaluator import evaluator_command, settings_of  # noqa: E402
from overpaint.document import Document  # noqa: E402
from overpaint.errors import UserMistake  # noqa: E402
from overpaint.testing.tiny import tiny_vlm  # noqa: E402
from overpaint.training.evaluator_parts import Named  # noqa: E402
from overpaint.training.evaluator_settings import Settings  # noqa: E402

slow = pytest.mark.slow


def said(*words: object) -> argparse.Namespace:
    return build().parse_args(["train", "evaluator", *map(str, words)])


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    return tiny_vlm(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("rated")
    return toy.make_run(folder / "run"), toy.write_csv(folder / "ratings.csv")


def test_what_is_not_said_is_as_in_the_paper() -> None:
    assert settings_of(said("run", "-o", "out")) == Settings()


def test_what_is_said_is_what_is_done() -> None:
    model = "--base x --towers vision --no-projector --adapter lora --rank 16"
    course = "--rate 1e-3 --batch 4 --text-epochs 0 --score-epochs 1.5 --no-checkpointing --seed 3"
    layers = r"--vision-layers visual\..* --projector-modules joint"
    words = f"{model} {course} {layers}".split()
    told = settings_of(said("run", "-o", "out", *words))
    assert told == Settings(
        base="x", towers="vision", projector=False, adapter="lora", rank=16, first_rank=24,
        rate=1e-3, batch=4, text_epochs=0.0, score_epochs=1.5, checkpointing=False, seed=3,
        named=Named(vision=r"visual\..*", projector="joint"),
    )  # fmt: skip


@slow
def test_the_plan_is_printed_and_nothing_is_trained(
    base: Path, rated: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, ratings = rated
    words = (run, "--ratings", ratings, "-o", tmp_path / "out", "--base", base, "--dry-run")
    assert evaluator_command(said(*words)) == 0
    told = capsys.readouterr().out
    assert "80 edits of 10 sources (editors: 4), 154 questions" in told
    assert "16 edits of 2 other sources" in told
    assert "done (yes or no), quality" in told
    assert "10 of words, 29 of scores, 16 questions each" in told
    assert "10 layers that see and 14 that speak; projector: model.visual.merger" in told
    assert "Memory" in told
    assert not (tmp_path / "out").exists()
    assert evaluator_command(said(*words, "--json")) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["steps"] == {"words": 10, "scores": 29}
    assert found["memory"]["fits"] is True


@slow
def test_a_training_ends_with_its_agreement_and_says_how_it_is_used(
    base: Path, rated: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, ratings = rated
    out = tmp_path / "out"
    words = (run, "--ratings", ratings, "-o", out, "--base", base, "--limit", 12, "--batch", 4,
             "--text-epochs", 0.5, "--score-epochs", 1, "--name", "tiny")  # fmt: skip
    assert evaluator_command(said(*words)) == 0
    told = capsys.readouterr()
    assert "| quality | 12 |" in told.out
    assert f"--measure learned:{out}" in told.err
    facts = json.loads((out / "learned.json").read_text())
    assert facts["name"] == "tiny"
    assert facts["data"]["whose"] == "ratings.csv, 12 raters"
    quality = next(one for one in facts["agreement"] if one["dimension"] == "quality")
    assert 0.5 < quality["people"] < 1, "people's agreement with people stands beside it"
    assert evaluator_command(said(*words, "--json")) == 0
    assert json.loads(capsys.readouterr().out)["agreement"] == facts["agreement"]


@slow
def test_what_does_not_fit_is_told_with_the_plan_and_refused_without(
    base: Path,
    rated: tuple[Path, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from overpaint.training import evaluator_plan

    monkeypatch.setattr(evaluator_plan, "free_memory", lambda device: 1_000_000)
    run, ratings = rated
    words = (run, "--ratings", ratings, "-o", tmp_path / "out", "--base", base)
    assert evaluator_command(said(*words, "--dry-run")) == 0
    assert "are free. What would fit" in capsys.readouterr().err
    with pytest.raises(UserMistake, match="takes about .* MB of memory, and 1.0 MB are free"):
        evaluator_command(said(*words))
    assert not (tmp_path / "out").exists()


@slow
def test_a_model_that_cannot_see_is_refused_before_pictures_are_read(
    rated: tuple[Path, Path], tmp_path: Path
) -> None:
    from overpaint.testing.tiny import tiny_text

    run, ratings = rated
    blind = tiny_text(tmp_path / "blind")
    with pytest.raises(UserMistake, match="No vision tower"):
        evaluator_command(said(run, "--ratings", ratings, "-o", tmp_path / "o", "--base", blind))


# ── EBench's released lists ─────────────────────────────────────────────────────────────

ASKS = {
    "v": "visual quality", "e": "editing correspondence", "c": "attribute preservation",
    "yn": "editing expectations",
}  # fmt: skip


def released(folder: Path) -> Path:
    """Lists and pictures in the released form: two editors, twelve sources of two tasks."""
    random = np.random.default_rng(0)
    rows: dict[str, list[str]] = {end: [] for end in ASKS}
    items = [f"{task}_{number:02}" for task in ("H_00", "L_04") for number in range(6)]
    for model in ("model00", "model01"):
        for item in items:
            places = [f"{kind}img_{item[0].lower()}/{model}/{item}.jpg"
                      for kind in ("source", "target")]  # fmt: skip
            for place in places:
                (folder / place).parent.mkdir(parents=True, exist_ok=True)
                shade = random.integers(0, 256, 3).astype(np.uint8)
                flat = Document.of(np.full((56, 56, 3), shade, np.uint8))
                (folder / place).write_bytes(flat.encoded)
            for end, asks in ASKS.items():
                score = f"The quality score is {random.uniform(20, 80):.2f}"
                answer = random.choice(["Yes", "No"]) if end == "yn" else score
                query = f"With the prompt [Add a hat], the source image is edited. The {asks}?"
                rows[end].append(json.dumps(
                    {"query": query, "response": str(answer), "images": places}
                ))  # fmt: skip
    for end, lines in rows.items():
        (folder / f"test_{end}.json").write_text("\n".join(lines) + "\n")
    return folder


@slow
def test_the_released_lists_train_by_the_same_command(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists = released(tmp_path / "EBench")
    run = tmp_path / "run"
    words = ["run", "ebench", "--data", str(lists), "--measure", "mse@source", "-o", str(run),
             "--workers", "1", "--quiet"]  # fmt: skip
    assert main([*words, "--editor", "released:model00"]) == 0
    train = ["train", "evaluator", str(run), "--opinions", str(lists), "-o", str(tmp_path / "out"),
             "--base", str(base), "--score-epochs", "0.5"]  # fmt: skip
    capsys.readouterr()
    assert main(train) == 2
    assert "12 rated edits have no picture" in capsys.readouterr().err
    assert main([*train, "--leave-out-missing", "--dry-run"]) == 0
    assert "10 edits of 10 sources (editors: 1)" in capsys.readouterr().out
    assert main([*words, "--editor", "released:model01"]) == 0
    capsys.readouterr()
    assert main(train) == 0
    assert "| done | 4 |" in capsys.readouterr().out
    lines = (lists / "test_e.json").read_text().splitlines()
    (lists / "test_e.json").write_text("\n".join([*lines[1:], lines[0]]) + "\n")
    assert main([*train[:-4], "-o", str(tmp_path / "other"), *train[-4:]]) == 2
    assert "The lists do not line up" in capsys.readouterr().err
