"""The command line: what it prints where, and what it says when something is wrong."""

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import make_sample

from overpaint import cli
from overpaint.cli import main
from overpaint.cli.parser import build
from overpaint.cli.progress import Bar, duration

TOY = str(Path(__file__).with_name("toy.py"))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A finished toy run of six samples."""
    folder = tmp_path_factory.mktemp("cli")
    for n in range(6):
        make_sample(folder / "data", f"a/{n:03}", n)
    out = folder / "run"
    command = ["run", f"{TOY}:toy", "--data", str(folder / "data"), "-o", str(out)]
    assert main([*command, "--workers", "0", "--quiet"]) == 0
    return out


def commands(run: Path) -> dict[str, list[str]]:
    return {
        "score": ["score", str(run), "--workers", "0"],
        "retry": ["retry", str(run), "--workers", "0"],
        "compare": ["compare", str(run)],
        "report": ["report", str(run)],
        "list": ["list", "measures"],
        "show a run": ["show", str(run)],
        "show a sample": ["show", str(run), "a/003"],
        "show a card": ["show", "textedit@official"],
        "show a measure": ["show", "ssim"],
        "cite": ["show", "textedit", "--cite"],
        "doctor": ["doctor"],
        "validate": ["validate", "demo"],
        "plan": ["run", f"{TOY}:toy", "--data", str(run.parent / "data"), "--dry-run"],
    }


@pytest.mark.parametrize("name", commands(Path()))
def test_every_command_prints_json_and_nothing_else_when_asked(
    run: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*commands(run)[name], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", commands(Path()))
def test_every_command_prints_something_readable(
    run: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(commands(run)[name]) == 0
    assert (
        "{" not in capsys.readouterr().out.replace("{input}", "").replace("{instruction}", "")[:40]
    )


def test_results_go_to_stdout_and_progress_to_stderr(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["run", f"{TOY}:toy", "--data", str(run.parent / "data"), "-o", str(tmp_path / "r")]
    assert main([*command, "--workers", "0", "--limit", "2"]) == 0
    said = capsys.readouterr()
    assert "scoring" in said.err
    assert "scoring" not in said.out
    assert "identity" in said.out


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["run", "textedt"], "Did you mean 'textedit'"),
        (["run", "textedit"], "--data"),
        (["run", "textedit", "--data", "/nowhere"], "/nowhere"),
        (["run", "demo", "--editor", "outputs:/nowhere"], "outputs:/nowhere is not there"),
        (["score", "/nowhere"], "There is no run in /nowhere"),
        (["show", "nothing-of-the-kind"], "overpaint list"),
        (["get", "moon"], "moon"),
        (["run", "no_file.py:bench"], "is not there"),
    ],
)
def test_a_mistake_is_a_sentence_and_exit_code_2(
    command: list[str], words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(command) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.out == ""


def test_runs_under_two_protocols_are_compared_only_by_force(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    base = ["--data", str(run.parent / "data"), "-o", str(other), "--workers", "0", "--quiet"]
    assert main(["run", f"{TOY}:stricter", *base]) == 0
    capsys.readouterr()
    assert main(["compare", str(run), str(other)]) == 2
    assert "different protocols" in capsys.readouterr().err
    assert main(["compare", str(run), str(other), "--force", "--measure", "mse"]) == 0
    assert "identity@other" in capsys.readouterr().out


def test_every_command_has_examples_in_its_help() -> None:
    (subparsers,) = (action for action in build()._actions if action.dest == "command")
    assert len(subparsers.choices) == 22
    for name, parser in subparsers.choices.items():
        assert f"overpaint {name}" in parser.format_help().partition("examples:")[2]
    (trained,) = (one for one in subparsers.choices["train"]._actions if one.dest == "what")
    assert set(trained.choices) == {"evaluator", "fusion", "reasoner"}
    for name, parser in trained.choices.items():
        assert f"overpaint train {name}" in parser.format_help().partition("examples:")[2]


def test_the_bar_shows_rate_and_time_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter([100.0, 110.0, 120.0])
    monkeypatch.setattr("overpaint.cli.progress.time.monotonic", lambda: next(now))
    bar = Bar()
    for done in (0, 25, 100):
        bar("scoring", done, 100)
    lines = capsys.readouterr().err.splitlines()
    assert "25/100  2.5/s  30 s left" in lines[0]
    assert "100/100  5.0/s  20 s in all" in lines[1]
    assert not sys.stderr.isatty()


def test_durations_are_said_as_people_say_them() -> None:
    assert [duration(s) for s in (0.4, 59, 200, 7500)] == ["0 s", "59 s", "3 min 20 s", "2 h 5 min"]


def test_nothing_from_outside_commands_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "loud.py"
    file.write_text(
        "class Loud:\n    def __call__(self, request):\n        raise ValueError('\\x1b[31m')\n"
    )
    make_sample(tmp_path / "data", "a/001")
    command = ["run", f"{TOY}:toy", "--data", str(tmp_path / "data"), "-o", str(tmp_path / "run")]
    assert main([*command, "--workers", "0", "--editor", f"{file}:Loud"]) == 1
    assert main(["show", str(tmp_path / "run"), "a/001"]) == 0
    said = capsys.readouterr()
    assert "ValueError" in said.err + said.out
    assert "\x1b" not in said.err + said.out


class Left(io.StringIO):
    """What nobody reads any more."""

    def write(self, _: str) -> int:
        raise BrokenPipeError


def broken(*_: object) -> None:
    raise BrokenPipeError("inside")


def test_nobody_reading_on_is_no_error_and_a_pipe_that_breaks_inside_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setattr(sys, "stdout", Left())
    assert main(["list"]) == 0
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setattr(cli, "_parsed", broken)
    with pytest.raises(BrokenPipeError, match="inside"):
        main(["list"])
