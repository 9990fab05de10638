"""`overpaint edit` in a bad world: odd names, plans and files, stops, and a full disk."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from overpaint.cli import editing, main
from overpaint.document import Document, Layer, files
from overpaint.document.layers import Run, Style, Text

CHANGE = "replace 'Friday' with 'Monday'"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a small document in it."""
    monkeypatch.chdir(tmp_path)
    day = Layer(Text((Run("Friday", Style(size=20)),)), "Day", "day", 10, 40)
    files.write(Document(canvas=(120, 60), made=(day,)), tmp_path / "a.ora")
    return tmp_path


def edited(*said: str) -> int:
    return main(["edit", *said])


def planned(folder: Path, *ops: dict[str, object]) -> str:
    (folder / "plan.json").write_text(json.dumps(ops))
    return "plan.json"


# ── names ───────────────────────────────────────────────────────────────────────────────


def test_a_pipe_named_in_a_plan_is_refused_and_not_waited_for(here: Path, capsys: Capture) -> None:
    os.mkfifo(here / "pipe")
    plan = planned(here, {"op": "insert", "picture": "pipe"})
    assert edited("a.ora", "--apply", plan, "-o", "b.ora") == 2
    assert "pipe is no file." in capsys.readouterr().err


def test_a_name_too_long_for_a_file_is_refused_and_said_in_short(
    here: Path, capsys: Capture
) -> None:
    plan = planned(here, {"op": "insert", "picture": "x" * 5000})
    assert edited("a.ora", "--apply", plan, "-o", "b.ora") == 2
    told = capsys.readouterr().err
    assert f"The picture {'x' * 60}… cannot be opened: File name too long." in told
    assert edited("none.png", "é" * 200) == 2
    assert "There is no file none.png." in capsys.readouterr().err
    name = "b" * 250 + ".ora"
    (here / name).write_bytes((here / "a.ora").read_bytes())
    assert edited(name, CHANGE) == 2
    assert "cannot be written: File name too long." in capsys.readouterr().err


def test_a_folder_whose_picture_has_a_name_too_long_is_refused(here: Path, capsys: Capture) -> None:
    (here / "f").mkdir()
    layer = {"name": "a", "id": "a", "picture": {"pixels": "x" * 300 + ".png"}}
    told = {"overpaint": 1, "width": 9, "height": 9, "layers": [layer]}
    (here / "f" / "document.json").write_text(json.dumps(told))
    assert edited("f", CHANGE) == 2
    assert "File name too long" in capsys.readouterr().err


def test_a_link_that_leads_nowhere_is_said_to_be_one(here: Path, capsys: Capture) -> None:
    (here / "loop.png").symlink_to("loop.png")
    assert edited("loop.png", CHANGE) == 2
    assert "loop.png is a link that leads to no file." in capsys.readouterr().err


# ── stops, and a full disk ──────────────────────────────────────────────────────────────


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_leaves_nothing_half_made(
    here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, sent: signal.Signals
) -> None:
    def stopped(path: Path, data: bytes) -> int:
        signal.raise_signal(sent)
        raise AssertionError("still going")

    monkeypatch.setattr(Path, "write_bytes", stopped)
    assert edited("a.ora", CHANGE, "-o", "b.psd") == 130
    assert capsys.readouterr().err.endswith("Stopped. b.psd is as it was.\n")
    assert [path.name for path in here.iterdir()] == ["a.ora"]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_stop_before_anything_is_done_does_not_promise_to_go_on(
    here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(editing, "_ops", lambda _: signal.raise_signal(signal.SIGINT))
    assert edited("a.ora", CHANGE) == 130
    assert capsys.readouterr().err == "\nStopped.\n"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
@pytest.mark.parametrize("said", [["-o", "b.ora"], ["-o", "b.ora", "--json"]])
def test_a_disk_that_is_full_for_what_is_said_is_told(here: Path, said: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "overpaint", "edit", "a.ora", CHANGE, *said],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    wrong = "What there is to say cannot be printed: No space left on device."
    assert done.stderr.endswith(f"overpaint: b.ora is written. {wrong}\n")
    assert (here / "b.ora").is_file()


# ── files ───────────────────────────────────────────────────────────────────────────────


def test_a_deck_without_slides_is_refused(here: Path, capsys: Capture) -> None:
    from pptx import Presentation

    Presentation().save(here / "none.pptx")
    assert edited("none.pptx", CHANGE) == 2
    assert "none.pptx has 0 pages, and no page 1." in capsys.readouterr().err


def test_a_name_that_no_font_has_is_refused_and_not_repeated(here: Path, capsys: Capture) -> None:
    plan = planned(here, {"op": "restyle", "where": {"text": "Friday"}, "family": "x" * 19_000})
    assert edited("a.ora", "--apply", plan) == 2
    told = "overpaint: The font's name has 19,000 letters. At most 200 are taken.\n"
    assert capsys.readouterr().err == told
