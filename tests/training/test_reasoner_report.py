"""The table of before and after, its warnings, the settings of a run, and the command's plan."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from overpaint.cli import main
from overpaint.document import Document
from overpaint.editors.agent.reasoners import SHORT
from overpaint.errors import UserMistake
from overpaint.models.trained_card import read_card
from overpaint.models.vlm import ADAPTER_WEIGHTS as ADAPTER
from overpaint.training.reasoner import Data
from overpaint.training.reasoner_data import Case, Row, rows_of
from overpaint.training.reasoner_plan import plan
from overpaint.training.reasoner_report import Base, Report, line, report_text, write_card
from overpaint.training.reasoner_rewarding import milde_worth
from overpaint.training.reasoner_settings import Settings, claim, last_checkpoint
from overpaint.training.reward import Truth
from overpaint.vision.layers import Seen

KEEP = "<think>no</think><decision>Don't Edit</decision>"
EDIT = "<think>yes</think><decision>Need Edit</decision><prompt>make it red</prompt>"


def case(name: str, *edited: bool) -> Case:
    layers = tuple(
        Seen(str(at), f"Layer {at}", "decoration", "", (), (0, 0, 10, 10), "centre", 0.5, False)
        for at in range(len(edited))
    )
    truths = {str(at): Truth(edit, "make it red" if edit else "") for at, edit in enumerate(edited)}
    return Case(name, "Make it red", layers, truths, lambda: Document(canvas=(10, 10)))


CASES = [case(name, True, False, False, False) for name in "abcdef"]


@pytest.fixture
def rows() -> list[Row]:
    return rows_of(CASES, sees=False, form=SHORT)


def test_a_line_counts_decisions_over_layers_and_documents(rows: list[Row]) -> None:
    decided: list[bool | None] = [row.truth.edit for row in rows]
    decided[0], decided[1], decided[5] = False, None, True  # missed; unread; spoilt
    found = line("mine", "held out", rows, decided)
    assert found.accuracy == pytest.approx(100 * 21 / 24)
    assert found.recall == pytest.approx(100 * 5 / 6)
    assert found.precision == pytest.approx(100 * 5 / 6)
    assert found.balanced == pytest.approx(100 * (5 / 6 + 16 / 18) / 2)
    assert found.exact == pytest.approx(100 * 4 / 6)
    assert found.unreadable == pytest.approx(100 / 24)
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.accuracy <= found.high


def test_requests_are_exact_or_not_by_themselves_and_documents_are_drawn_whole() -> None:
    both = [replace(case(name, True, False), cluster="one document") for name in "xy"]
    rows = rows_of([*both, case("z", True, False)], sees=False, form=SHORT)
    found = line("mine", "held out", rows, [False, False, True, False, True, False])
    assert (found.documents, found.exact) == (2, pytest.approx(100 * 2 / 3))


def test_few_documents_have_no_interval(rows: list[Row]) -> None:
    found = line("mine", "held out", rows[:8], [False] * 8)
    assert (found.low, found.high, found.accuracy) == (None, None, 75)


def test_the_floors_stand_in_every_table(tmp_path: Path) -> None:
    table = Report.begun(tmp_path, Settings(), Data([], [], CASES, "a test's"))
    told = report_text(table)
    assert [one.accuracy for one in table.lines] == [75, 25]
    assert "always keep" in told
    assert "always edit" in told
    assert "20.7 before, 80.5 after GRPO" in told


@pytest.mark.parametrize(
    ("said", "warning"),
    [
        (KEEP, "it never edits a layer. It answers “Don't Edit” to everything"),
        (EDIT, "it edits every layer it decides about"),
        ("I cannot", "not one answer can be read"),
    ],
)
def test_a_reasoner_that_always_answers_the_same_is_told(
    rows: list[Row], said: str, warning: str
) -> None:
    table = Report().having("after GRPO", "held out", rows, [said] * len(rows))
    assert warning in report_text(table)
    assert len(table.warnings) == 1


def test_a_reasoner_that_decides_is_not_warned_of(rows: list[Row]) -> None:
    said = [row.answer for row in rows]
    table = Report().having("after GRPO", "held out", rows, said)
    assert table.warnings == []
    (only,) = table.lines
    assert (only.accuracy, only.exact, only.reward, only.bleu) == (100, 100, 1, 1)


def test_what_a_stopped_run_has_judged_is_kept(rows: list[Row], tmp_path: Path) -> None:
    table = Report().having("before", "held out", rows, [KEEP] * len(rows))
    table.keep(tmp_path)
    again = Report.begun(tmp_path, Settings(), Data([], [], CASES, "a test's"))
    assert again.lines == table.lines
    assert again.stages == {"before"}


def test_the_card_that_is_written_is_the_card_that_is_read(tmp_path: Path) -> None:
    data = Data([], [], CASES, "a test's")
    table = Report.begun(tmp_path, Settings(), data)
    (tmp_path / ADAPTER).write_bytes(b"weights")
    (tmp_path / "adapter_config.json").write_text("{}")
    write_card(tmp_path, Settings(), data, table, Base("smollm2", None, "ab"))
    card = read_card(tmp_path)
    assert card.fingerprint == "ab"
    assert (card.base, card.prompt, card.sees, card.longest) == ("smollm2", SHORT, False, 96)
    assert json.loads((tmp_path / "reasoner.json").read_text())["data"]["sha256"] == data.key


def test_trl_is_given_the_reward_of_the_spec() -> None:
    answers = [[{"role": "assistant", "content": text}] for text in (KEEP, EDIT, EDIT)]
    found = milde_worth(answers, [False, True, False], ["", "make it red", ""], prompts=None)
    assert found == [1, 1, 0.5]


# ── settings and folders ────────────────────────────────────────────────────────────────


def test_a_run_is_gone_on_with_by_the_same_settings(tmp_path: Path) -> None:
    claim(tmp_path / "out", Settings(), "data")
    begun = (tmp_path / "out" / "run.json").read_text()
    claim(tmp_path / "out", Settings(), "data")
    assert (tmp_path / "out" / "run.json").read_text() == begun


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    claim(tmp_path / "out", Settings(), "data")
    with pytest.raises(UserMistake, match="another run: seed is 1 there and 2 here.* with -o"):
        claim(tmp_path / "out", replace(Settings(), seed=2), "data")
    with pytest.raises(UserMistake, match="another run: data is 'data' there and 'other' here"):
        claim(tmp_path / "out", Settings(), "other")


def test_a_folder_of_something_else_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UserMistake, match="not empty and holds no run"):
        claim(tmp_path, Settings(), "data")


@pytest.mark.parametrize("spoilt", ["", "[]", "{"])
def test_a_spoilt_run_is_refused(tmp_path: Path, spoilt: str) -> None:
    (tmp_path / "run.json").write_text(spoilt)
    with pytest.raises(UserMistake, match="holds checkpoints of another run"):
        claim(tmp_path, Settings(), "data")


def test_a_checkpoint_that_was_being_written_is_not_gone_on_from(tmp_path: Path) -> None:
    assert last_checkpoint(tmp_path) is None
    for step in (9, 10, 11):
        (tmp_path / f"checkpoint-{step}").mkdir()
    for step in (9, 10):
        (tmp_path / f"checkpoint-{step}" / "trainer_state.json").write_text("{}")
    assert last_checkpoint(tmp_path) == str(tmp_path / "checkpoint-10")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"rollouts": 1}, "rollouts is 1. At least 2"),
        ({"at_once": 7}, "cannot be taken 7 at once.*--at-once 5"),
        ({"at_once": 30}, "cannot be taken 30 at once"),
        ({"epsilon": 1.0}, "epsilon 1.0"),
        ({"beta": -0.1}, "beta -0.1"),
        ({"held_out": 4}, "held_out is 4. At least 5"),
    ],
)
def test_settings_that_cannot_be_trained_with_are_refused(
    wrong: dict[str, float], why: str
) -> None:
    with pytest.raises(UserMistake, match=why):
        Settings(**wrong)  # type: ignore[arg-type]


# ── the command ─────────────────────────────────────────────────────────────────────────


def test_a_dry_run_tells_sizes_and_time_and_does_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["train", "reasoner", "--dry-run", "-o", str(out), "--steps", "10"]) == 0
    told = capsys.readouterr().out
    assert "10 steps, 400 answers, 5 to a layer; ε 0.2, β 0.02" in told
    assert "Time:       about" in told
    assert "Hosts:      none" in told
    assert not out.exists()


def test_a_dry_run_of_a_hub_model_says_whom_it_would_ask(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["train", "reasoner", "--dry-run", "--base", "Qwen/Qwen2.5-VL-7B-Instruct"]
    assert main([*command, "--pictures", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["hosts"] == "the model hub, for Qwen/Qwen2.5-VL-7B-Instruct"
    assert told["seconds"] is None
    assert "sees pictures" in told["lines"][0]


def test_a_plan_says_what_it_goes_on_from(tmp_path: Path) -> None:
    (tmp_path / "warm" / "checkpoint-3").mkdir(parents=True)
    (tmp_path / "warm" / "checkpoint-3" / "trainer_state.json").write_text("{}")
    assert "goes on after warm" in plan(Settings(), samples=None, folder=tmp_path).lines[-1]


def test_a_set_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "reasoner", "--dry-run", "--data", "nowhere"]) == 2
    assert "nowhere is not there" in capsys.readouterr().err


def test_a_table_is_json_that_can_be_read_again(rows: list[Row]) -> None:
    found = line("mine", "held out", rows, [None] * len(rows))
    assert json.loads(json.dumps(asdict(found)))["unreadable"] == 100
