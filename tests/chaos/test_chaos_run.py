"""What `tests/chaos/run.py` says of scenes and trials that go wrong, are skipped or fall short."""

import importlib.util
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import psutil
import pytest
from chaos_bed import Skipped
from chaos_kills import Stuck
from chaos_scenes import SCENES, Bed


@pytest.fixture
def chaos(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module, in which every scene makes its kills and every trial is passed."""
    spec = importlib.util.spec_from_file_location("chaos_run", Path(__file__).parent / "run.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    monkeypatch.setattr(made, "play", lambda scene, bed, kills, told, until: done(bed, kills))
    monkeypatch.setattr(made, "play_rating", done)
    monkeypatch.setattr(made, "TRIALS", {"one": lambda folder: None, "other": lambda folder: None})
    return made


def done(bed: Bed, kills: int) -> None:
    bed.log.kills = kills


def raising(error: BaseException) -> Callable[..., None]:
    def trouble(*_: Any) -> None:
        raise error

    return trouble


def told(chaos: ModuleType, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code = chaos.main(["--kills", "40", *words])
    return code, json.loads(capsys.readouterr().out.splitlines()[-1])


def test_all_kills_and_all_trials_end_with_0(
    chaos: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = told(chaos, capsys)
    assert (code, found["kills"], found["right"]) == (0, 40, True)
    assert len(found["scenes"]) == len(SCENES) + 1
    assert [one["verdict"] for one in found["trials"]] == ["ok", "ok"]


TROUBLE = [
    SystemExit("The run does not get on."), subprocess.TimeoutExpired("overpaint", 180),
    FileNotFoundError(2, "No such file", "log.json"), psutil.NoSuchProcess(7), Stuck("It hangs."),
    AssertionError("a row is gone"),
]  # fmt: skip


@pytest.mark.parametrize("error", TROUBLE, ids=lambda error: type(error).__name__)
def test_whatever_goes_wrong_is_a_row_and_the_others_are_tried_all_the_same(
    chaos: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
) -> None:  # fmt: skip
    monkeypatch.setitem(chaos.TRIALS, "one", raising(error))
    monkeypatch.setattr(chaos, "play_rating", raising(error))
    code, found = told(chaos, capsys)
    assert code == 1
    assert [one["verdict"] for one in found["trials"]] == ["WRONG", "ok"]
    assert str(error) in found["trials"][0]["told"]
    assert [one["scene"] for one in found["scenes"] if not one["right"]] == ["rating"]
    assert str(error) in found["scenes"][-1]["hurt"]


def test_a_trial_that_was_skipped_is_no_success_unless_that_was_asked_for(
    chaos: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(chaos.TRIALS, "one", raising(Skipped("no disk")))
    assert told(chaos, capsys)[0] == 1
    code, found = told(chaos, capsys, "--allow-skips")
    assert (code, found["skipped"]) == (0, 1)


def test_fewer_kills_than_were_asked_for_are_no_success(
    chaos: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chaos, "play_rating", lambda bed, kills: done(bed, kills - 1))
    code, found = told(chaos, capsys)
    assert (code, found["kills"], found["wanted"]) == (1, 39, 40)
    assert "kills were made" in found["scenes"][-1]["hurt"]


def test_a_scene_for_which_no_time_is_left_is_no_success(
    chaos: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = told(chaos, capsys, "--minutes", "0")
    assert code == 1
    assert len(found["scenes"]) == len(SCENES) + 1
    assert all("not played" in one["hurt"] for one in found["scenes"])
