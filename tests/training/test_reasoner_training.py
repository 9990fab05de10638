"""Training a reasoner with tiny random models: it learns, sees, goes on and refuses."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from overpaint.editors.agent.reasoners import CURRENT
from overpaint.errors import UserMistake
from overpaint.training.reasoner_data import Case, drawn
from overpaint.training.reasoner_settings import Settings
from overpaint.work import Progress

pytest.importorskip("trl")
pytestmark = pytest.mark.slow
TINY = Settings(
    documents=6, validation=0, held_out=5, warm_steps=2, warm_batch=4, steps=2, prompts=2,
    longest=24, half=False, save_every=1, warm_rate=1e-2, rate=1e-2,
)  # fmt: skip


@pytest.fixture(scope="module")
def text_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    from overpaint.testing.tiny import tiny_text

    return str(tiny_text(tmp_path_factory.mktemp("text")))


@pytest.fixture(scope="module")
def seeing_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    from overpaint.testing.tiny import tiny_vlm

    return str(tiny_vlm(tmp_path_factory.mktemp("vlm")))


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return drawn(11)


def data_of(cases: list[Case]) -> Any:
    from overpaint.training.reasoner import Data

    return Data(cases[5:], [], cases[:5], "a test's")


def vowels(completions: Sequence[Any], **columns: Any) -> list[float]:
    """A toy reward: the share of vowels."""
    said = [answer[0]["content"] for answer in completions]
    return [sum(map(text.count, "aeiou")) / max(1, len(text)) for text in said]


def logged(folder: Path, name: str) -> list[float]:
    lines = map(json.loads, (folder / "log.jsonl").read_text().splitlines())
    return [line[name] for line in lines if name in line]


def sharper(model: str, folder: Path) -> str:
    """The model with longer embeddings: adapters alone can then make one token likely."""
    from safetensors.torch import load_file, save_file

    shutil.copytree(model, folder)
    found = load_file(folder / "model.safetensors")
    found["model.embed_tokens.weight"] *= 3
    save_file(found, folder / "model.safetensors", metadata={"format": "pt"})
    return str(folder)


def test_a_toy_reward_rises(text_model: str, cases: list[Case], tmp_path: Path) -> None:
    from overpaint.training.reasoner import train

    base = sharper(text_model, tmp_path / "model")
    settings = replace(TINY, base=base, warm_steps=0, steps=40, save_every=40, beta=0.0,
                       prompts=4, at_once=20, longest=8, alpha=24)  # fmt: skip
    train(tmp_path / "out", settings, data_of(cases), worth=vowels)
    rewards = logged(tmp_path / "out" / "grpo", "reward")
    assert len(rewards) == 40
    first, last = (sum(some) / 5 for some in (rewards[:5], rewards[-5:]))
    assert first < 0.3
    assert last > max(0.4, 2 * first)


def test_what_is_rewarded_is_in_balance_and_new(cases: list[Case], tmp_path: Path) -> None:
    from overpaint.training import reasoner, reasoner_report

    base = reasoner_report.Base("tiny", None, "")
    settings = replace(TINY, warm_steps=3, steps=2)
    run = reasoner._Run(tmp_path, settings, data_of(cases), vowels, lambda *_: None, base)
    warmed, rewarded = run.warm_rows(), run.reward_rows()
    assert [len(warmed), len(rewarded)] == [12, 4]
    assert sum(row.truth.edit for row in rewarded) == 2
    known = {(row.case.id, row.layer.id) for row in warmed}
    new = [row for row in rewarded if (row.case.id, row.layer.id) not in known]
    # Those that change are met again where there are too few of them; those that stay are new.
    assert [row for row in new if not row.truth.edit] == [r for r in rewarded if not r.truth.edit]


def test_a_model_that_cannot_be_loaded_is_told_before_documents_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from overpaint.cli import main

    monkeypatch.setattr("overpaint.training.reasoner.gather", lambda *_, **__: pytest.fail("drew"))
    (tmp_path / "empty").mkdir()
    told = ["train", "reasoner", "--base", str(tmp_path / "empty"), "-o", str(tmp_path / "out")]
    assert main(told) == 2
    assert not (tmp_path / "out").exists()


def test_the_loss_of_the_warm_up_falls(text_model: str, cases: list[Case], tmp_path: Path) -> None:
    from overpaint.training.reasoner import train

    settings = replace(TINY, base=text_model, steps=0, warm_steps=40, save_every=40)
    train(tmp_path / "out", settings, data_of(cases))
    losses = logged(tmp_path / "out" / "warm", "loss")
    assert sum(losses[-5:]) / 5 < 0.85 * sum(losses[:5]) / 5


def test_a_model_that_sees_is_trained_with_pictures(
    seeing_model: str, cases: list[Case], tmp_path: Path
) -> None:
    from overpaint.models.trained import Trained
    from overpaint.training.reasoner import train
    from overpaint.training.reasoner_pictures import shown

    settings = replace(TINY, base=seeing_model, sees=True, form=CURRENT, pixels=56)
    found = train(tmp_path / "out", settings, data_of(cases))
    assert {"before", "after warm-up", "after GRPO"} <= found.stages
    assert len(logged(tmp_path / "out" / "grpo", "reward")) == 2
    assert Trained(tmp_path / "out").card.sees
    row = _first_row(cases, settings)
    whole, alone = shown(row, 56)
    assert max(whole.size) == max(alone.size) == 56
    assert whole.tobytes() != alone.tobytes()


def _first_row(cases: list[Case], settings: Settings) -> Any:
    from overpaint.training.reasoner_data import rows_of

    return rows_of(cases, sees=settings.sees, form=settings.form)[1]


def test_a_run_that_was_stopped_ends_as_one_that_was_not(
    text_model: str, cases: list[Case], tmp_path: Path
) -> None:
    from overpaint.training.reasoner import train

    settings = replace(TINY, base=text_model, warm_steps=4, steps=4)
    train(tmp_path / "whole", settings, data_of(cases))

    class Stopped(Exception):
        pass

    def stop(at: str) -> Progress:
        def told(label: str, done: int, total: int) -> None:
            if (label, done) == (at, 2):
                raise Stopped

        return told

    for at in ("warm-up", "GRPO"):
        with pytest.raises(Stopped):
            train(tmp_path / "parts", settings, data_of(cases), progress=stop(at))
    train(tmp_path / "parts", settings, data_of(cases))
    for name in ("warm/adapter_model.safetensors", "adapter_model.safetensors", "table.json"):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_trained_reasoner_is_asked_by_the_agent(
    text_model: str, cases: list[Case], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from overpaint.cli import main
    from overpaint.training.reasoner import train

    train(tmp_path / "out", replace(TINY, base=text_model), data_of(cases))
    capsys.readouterr()
    page = tmp_path / "page.ora"
    page.write_bytes(cases[0].opened().encoded)
    asked = ["edit", str(page), cases[0].instruction, "--with", f"agent:local/{tmp_path / 'out'}"]
    main([*asked, "-o", str(tmp_path / "edited.ora")])
    heard = capsys.readouterr()
    assert "out decided on 3 layers" in heard.err
    assert f"out: trained from {text_model}; right about" in heard.err


def test_what_is_written_tells_no_path_of_this_machine_but_the_models(
    text_model: str, cases: list[Case], tmp_path: Path
) -> None:
    from overpaint.training.reasoner import train

    train(tmp_path / "out", replace(TINY, base=text_model), data_of(cases))
    told = json.loads((tmp_path / "out" / "adapter_config.json").read_text())
    assert told["base_model_name_or_path"] == text_model
    assert not (tmp_path / "out" / "README.md").exists()


def test_what_is_finished_is_not_trained_any_further(
    text_model: str, cases: list[Case], tmp_path: Path
) -> None:
    from overpaint.training.reasoner import train

    out, settings = tmp_path / "out", replace(TINY, base=text_model)
    first = train(out, settings, data_of(cases))
    weights = (out / "adapter_model.safetensors").read_bytes()
    card = (out / "warm" / "reasoner.json").read_text()
    assert train(out, settings, data_of(cases)).lines == first.lines
    # Stopped after the last step, before anything was written: no step more is taken.
    (out / "reasoner.json").unlink()
    (out / "adapter_model.safetensors").unlink()
    train(out, settings, data_of(cases))
    assert (out / "adapter_model.safetensors").read_bytes() == weights
    assert (out / "warm" / "reasoner.json").read_text() == card


def test_a_spoilt_table_is_told(text_model: str, cases: list[Case], tmp_path: Path) -> None:
    from overpaint.training.reasoner import train

    out, settings = tmp_path / "out", replace(TINY, base=text_model)
    train(out, settings, data_of(cases))
    (out / "table.json").write_text("{")
    with pytest.raises(UserMistake, match="table.json cannot be read"):
        train(out, settings, data_of(cases))


def test_a_model_that_reads_alone_is_not_shown_pictures(
    text_model: str, cases: list[Case], tmp_path: Path
) -> None:
    from overpaint.training.reasoner import train

    settings = replace(TINY, base=text_model, sees=True, form=CURRENT)
    with pytest.raises(UserMistake, match="No vision tower was found"):
        train(tmp_path / "out", settings, data_of(cases))
