"""`overpaint build refblend` on the command line."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overpaint.cli import main
from overpaint.document.pictures import encode_png
from overpaint.testing import FakeServer, Rule, Script

KINDS = ["--kinds", "canny,sketch,caption", "--quiet"]


def put(path: Path, seed: int, side: int = 96) -> None:
    rng = np.random.default_rng(seed)
    made = np.full((side, side, 3), rng.integers(120, 200, 3), np.uint8)
    left, top = rng.integers(side // 8, side // 3, 2)
    made[top : top + side // 2, left : left + side // 3] = rng.integers(0, 80, 3)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode_png(made))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(3):
        put(tmp_path / "in" / f"{number}.png", number)
    (tmp_path / "captions.csv").write_text("image,caption\n0.png,A dark door.\n1.png,A slab.\n")
    return tmp_path


def ran(folder: Path, *more: str, out: str = "out") -> int:
    return main(["build", "refblend", str(folder / "in"), "-o", str(folder / out), *more])


def test_a_build_by_command_says_what_it_did_and_what_comes_next(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    captions = str(folder / "captions.csv")
    assert ran(folder, "--workers", "0", "--captions", captions, *KINDS) == 0
    told = capsys.readouterr().out
    assert "1 pictures      3 taken, 0 left out" in told
    assert "caption 2, canny 3, sketch 3" in told
    assert "canny (opencv) 0." in told  # seconds a picture
    assert "5 set           4 samples of 2 pictures, 2 combinations" in told
    assert f"overpaint run multiref --data {folder / 'out' / 'set'}" in told
    assert main(["build", "refblend", "-o", str(folder / "out"), "--json", "--quiet"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["report"]["samples"]["all"] == 4
    assert data["report"]["references"]["kept"]["canny"] == {"opencv/1": 3}


def test_a_dry_run_says_who_looks_and_who_is_asked_and_does_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "in" / "broken.png").write_bytes(b"no picture")
    name = "openai/gpt-4o-2024-11-20"
    assert ran(folder, "--dry-run", "--model", name, "--judge", name, "--json", *KINDS) == 0
    told = capsys.readouterr()
    plan = json.loads(told.out)
    assert (plan["pictures"], plan["left_out"]) == (3, 1)
    assert plan["looks_for"] == ["canny by opencv", "sketch by xdog"]
    (asked,) = plan["asked"]
    # Of each picture: a caption, 6 samples said 3 times at most, and 3 references judged, of
    # which each may be asked about twice.
    assert asked["questions"] == 3 * (1 + 6 * 3 + 3 * 2)
    assert "left out:" in told.err
    assert not (folder / "out").exists()


def test_a_dry_run_says_what_is_not_here_and_asked_for_by_name_that_is_a_mistake(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DEPTH", "GROUNDING_DINO", "SAM2"):
        monkeypatch.setenv(f"OVERPAINT_{name}", "nobody/has-this")
    monkeypatch.setitem(sys.modules, "ai_edge_litert.interpreter", None)
    monkeypatch.setattr("overpaint.weights.find", lambda name: folder)  # all of the table is here
    assert ran(folder, "--dry-run", "--json") == 0
    told = capsys.readouterr()
    plan = json.loads(told.out)
    assert plan["not_here"] == ["pose", "depth"]
    assert not [one for one in plan["looks_for"] if one.startswith(("pose", "depth"))]
    assert "no depth: " in told.err
    assert re.search("hf download depth-anything/|pip install 'overpaint", told.err)
    assert "pip install 'overpaint[pose]'" in told.err
    for more in (["--extractor", "mask=grounded"], ["--kinds", "depth,caption"]):
        assert ran(folder, *more, "--dry-run") == 2
        assert re.search("hf download|pip install 'overpaint", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--ocr", "tiny"], "--ocr says nothing about refblend. It is vde's."),
        (["--extractor", "canny=pencil"], "canny=opencv was expected"),
        (["--kinds", "smell"], "There is no kind of reference called 'smell'"),
        (["--captions", "nowhere.csv"], "nowhere.csv cannot be read"),
    ],
)
def test_what_cannot_be_meant_is_a_mistake(
    folder: Path, capsys: pytest.CaptureFixture[str], given: list[str], said: str
) -> None:
    assert ran(folder, "--workers", "0", *given) == 2
    assert said in capsys.readouterr().err


def test_options_of_refblend_say_nothing_about_others(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["build", "milde", str(folder / "in"), "-o", str(folder / "out"), "--kinds", "canny"]
    assert main(given) == 2
    assert "--kinds says nothing about milde. It is refblend's." in capsys.readouterr().err


def test_a_model_is_told_of_asked_once_and_may_come_later(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran(folder, "--workers", "0", *KINDS) == 0
    capsys.readouterr()

    def voice(asked: Any) -> Any:
        line = next(one for one in asked.words.splitlines() if one.startswith("> "))
        return {"instruction": f"Ahoy, {line[2:]}"}

    rules = (Rule("Say the same instruction again", voice), Rule("", {"caption": "A plain slab."}))
    with FakeServer(Script(rules=rules), process=False) as server:
        given = ["--workers", "0", "--model", f"{server.url}#scripted", *KINDS]
        assert ran(folder, *given) == 0
        asked = server.counts().total
        assert "is asked up to" in capsys.readouterr().err
        assert ran(folder, *given) == 0
        assert server.counts().total == asked
    found = json.loads((folder / "out" / "set" / "samples.json").read_text("utf-8"))
    assert found
    for one in found:
        assert one["instructions"]["enhance_prompts"][0].startswith("Ahoy, ")
        assert one["conditions"]["caption"] == "A plain slab."


@pytest.mark.slow
def test_a_killed_build_goes_on_and_makes_the_same_bytes(tmp_path: Path) -> None:
    for number in range(24):
        put(tmp_path / "in" / f"{number}.png", number, 700)
        (tmp_path / "in" / f"{number}.txt").write_text("A dark door.")
    command = [sys.executable, "-m", "overpaint", "build", "refblend", str(tmp_path / "in"), "-o",
               str(tmp_path / "out"), "--workers", "2", *KINDS]  # fmt: skip
    for wait in (1.5, 2.5, 3.5):
        going = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(wait)
        os.kill(going.pid, signal.SIGKILL)
        going.wait()
    subprocess.run(command, check=True, capture_output=True)
    assert ran(tmp_path, "--workers", "0", *KINDS, out="calm") == 0
    made, calm = (
        {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*.*")}
        for home in (tmp_path / "out" / "set", tmp_path / "calm" / "set")
    )
    assert made == calm
    assert len(json.loads(made["samples.json"])) == 48


def test_pictures_are_drawn_with_captions_subjects_and_styles_to_build_from(
    tmp_path, capsys
) -> None:
    assert main(["build", "refblend", "--generate", "1", "-o", str(tmp_path / "drawn")]) == 0
    assert f"→ overpaint build refblend {tmp_path / 'drawn'} -o built" in capsys.readouterr().out
    names = sorted(
        str(p.relative_to(tmp_path / "drawn")) for p in (tmp_path / "drawn").rglob("*.*")
    )
    assert names == [
        "scene-001.png", "scene-001.txt", "scene-001/styles/1.png", "scene-001/subjects/1.png",
    ]  # fmt: skip
