"""MiLDE's construction on the command line: `overpaint build milde`, and `show --stats`."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from milde_made import PHRASES, made, samples, script, summer

from overpaint.benchmarks import milde as benchmark
from overpaint.cli import main
from overpaint.document import files
from overpaint.document.pictures import encode_png
from overpaint.testing import FakeServer, Question, Rule, Script

BENCHMARK = f"{benchmark.__file__}:milde"


@pytest.fixture
def poster(tmp_path: Path) -> Path:
    files.write(summer(), tmp_path / "summer.ora")
    return tmp_path / "summer.ora"


def rules() -> tuple[Rule, ...]:
    """The sensible model's answers, by the words of a question."""
    sensible = script()

    def reply(asked: Any) -> Any:
        return sensible(Question(asked.words))

    return tuple(Rule(phrase, reply) for phrase in PHRASES.values())


def test_a_build_by_command_keeps_its_calls_and_a_second_one_asks_nothing(
    poster: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out")
    with FakeServer(Script(rules=rules()), process=False) as server:
        name = f"{server.url}#scripted"
        given = ["build", "milde", str(poster), "-o", out, "--model", name, "--raters", "0",
                 "--per-document", "1", "--workers", "0", "--quiet"]  # fmt: skip
        assert main(given) == 0
        asked = server.counts().total
        told = capsys.readouterr()
        assert "is asked up to" in told.err
        assert "5 set           1 samples finished" in told.out
        assert main(["build", "milde", "-o", out, "--workers", "0", "--quiet", "--json"]) == 0
        assert server.counts().total == asked
    assert json.loads(capsys.readouterr().out)["steps"]["set"] == "1 samples finished"
    assert main(["show", f"{out}/calls", "--bill"]) == 0
    assert f"scripted  127.0.0.1:{server.url.split(':')[2][:-3]}" in capsys.readouterr().out


def test_statistics_are_shown_beside_the_papers(
    poster: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(poster, tmp_path / "out")
    show = ["show", BENCHMARK, "--stats", "--data", str(tmp_path / "out/set")]
    assert main(show) == 0
    shown = capsys.readouterr()
    assert re.search(r"layers a document +3\.00 +4\.44 +4\.45", shown.out)
    assert "edits    text 0 %, image 0 %, both 100 %" in shown.out
    assert main([*show, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["paper"]["edited layers"]["test"] == 1.66
    assert main([*show, "-o", "x.html"]) == 2
    assert "-o says nothing about" in capsys.readouterr().err


def test_a_dry_run_says_who_is_asked_and_does_nothing(
    poster: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.psd").write_bytes(b"8BPS no more")
    given = ["build", "milde", str(tmp_path), "-o", str(tmp_path / "out"), "--dry-run"]
    assert main(given) == 2
    assert "No model is named." in capsys.readouterr().err
    assert main([*given, "--model", "openai/gpt-4o-2024-11-20", "--json"]) == 0
    told = capsys.readouterr()
    plan = json.loads(told.out)
    assert (plan["documents"], plan["left_out"], plan["layers"]) == (1, 1, 5)
    assert "api.openai.com is asked up to 192 questions" in told.err
    assert "left out: " in told.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        (["milde", "--editor", "identity"], "--editor says nothing about milde. It is vde's."),
        (
            ["vde", "--model", "a/b"],
            "--model says nothing about vde. It is milde's and refblend's.",
        ),
        (["vde", "--raters", "0"], "--raters is 0. vde needs people"),
        (["milde", "--generate", "3", "--model", "a/b"], "--generate makes its own pages"),
    ],
)
def test_options_of_another_set_are_a_mistake(
    given: list[str], wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", *given, "-o", str(tmp_path / "out")]) == 2
    assert wrong in capsys.readouterr().err


def test_generated_designs_are_a_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from overpaint.engines.milde import album

    asked: list[Any] = []
    monkeypatch.setattr(album, "write", lambda folder, **how: asked.append((folder, how)))
    monkeypatch.setattr("os.cpu_count", lambda: 5)
    out = tmp_path / "drawn"
    given = ["build", "milde", "--generate", "3", "-o", str(out), "--seed", "7", "--quiet"]
    assert main(given) == main([*given, "--workers", "0"]) == 0
    told = {"count": 3, "seed": 7, "progress": None}
    assert asked == [(out, {**told, "workers": 5}), (out, {**told, "workers": 0})]
    assert f"→ overpaint run milde --data {out}" in capsys.readouterr().out


def test_a_cost_limit_ends_a_build_and_what_was_answered_is_kept(
    poster: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, prices = tmp_path / "out", tmp_path / "prices.json"
    given = ["build", "milde", str(poster), "-o", str(out), "--workers", "0", "--quiet",
             "--raters", "0", "--prices", str(prices)]  # fmt: skip
    with FakeServer(Script(rules=rules()), process=False) as server:
        name = f"{server.url}#scripted"
        table = {"dated": "2026-11-16", "source": "ours", "models": {name: {"in": 9, "out": 9}}}
        prices.write_text(json.dumps(table))
        assert main([*given, "--model", name, "--cost-limit", "0.1"]) == 2
        assert "$0.10" in capsys.readouterr().err
        before = server.counts().total
        assert 0 < before < 32
        assert main(given) == 0
        assert server.counts().total == 32
    assert len(samples(out)) == 3


@pytest.mark.slow
def test_documents_are_read_and_merged_before_any_model_is_named(
    poster: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["build", "milde", str(tmp_path / "none.psd"), "-o", str(out)]) == 2
    assert "none.psd is not there" in capsys.readouterr().err
    flat = tmp_path / "flat.png"
    flat.write_bytes(encode_png(np.full((40, 60, 3), 255, np.uint8)))
    # Files may stand behind an option, too.
    assert main(["build", "milde", "--raters", "0", str(poster), str(flat), "-o", str(out)]) == 0
    told = capsys.readouterr().out
    assert "1 read" in told
    assert "1 left out" in told
    assert "--model VENDOR/MODEL" in told
    assert f"{flat} has one layer." in (out / "sources.jsonl").read_text("utf-8")
    dry = ["build", "milde", str(poster), str(flat), "-o", str(out), "--dry-run", "--json"]
    assert main([*dry, "--model", "openai/gpt-4o-2024-11-20"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert (plan["documents"], plan["left_out"]) == (1, 1)
    with FakeServer(Script(rules=rules()), process=False) as server:
        assert main(["build", "milde", "-o", str(out), "--model", f"{server.url}#scripted"]) == 0
    assert "The set is finished" in capsys.readouterr().out


def test_an_option_that_is_not_known_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["build", "milde", "-o", "x", "--colour", "red"])
    assert "unrecognized arguments: --colour" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["doctor", "twice"])
    assert "unrecognized arguments: twice" in capsys.readouterr().err
