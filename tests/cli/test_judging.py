"""show RUN --bill, --calls: what judging cost, and every word of it."""

import json
from pathlib import Path
from typing import Any

import judging_toy as toy
import pytest

from overpaint.cli import main
from overpaint.report.judges import sheet_text
from overpaint.report.sheets import bill_sheet
from overpaint.store.calls import Bill, Calls
from overpaint.testing import Asked


def three(asked: Asked) -> Any:
    return toy.verdict(asked, 3, "Three, for all that I see.")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bill") / "run"
    return toy.judged(folder, three, "fake", "other", limit=2, repeats=2).folder


def test_the_bill_counts_every_call_and_calls_an_unknown_price_unknown(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(run), "--bill", "--json"]) == 0
    fake, other = json.loads(capsys.readouterr().out)
    # two samples, three editors, two dimensions, asked twice; the panel asks nothing again
    assert (fake["calls"], fake["replies"], fake["attempts"]) == (24, 24, 24)
    assert other["calls"] == 24
    assert fake["price"] is None
    assert fake["replies_of_unknown_price"] == 24
    assert fake["tokens_in"] > 0
    assert main(["show", str(run), "--bill"]) == 0
    told = capsys.readouterr().out
    assert "unknown" in told
    assert "$" not in told
    assert "--prices" in told


def test_the_transcript_has_the_words_the_pictures_and_the_raw_reply(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(run), "--calls"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 48
    first = lines[0]
    assert "Make it grey" in first["prompt"]
    assert {"hash", "width", "height"} <= set(first["pictures"][0])
    assert "Three, for all that I see." in first["reply"]
    assert first["state"] == "replied"
    assert {line["asked"]["turn"] for line in lines} == {0, 1}
    file = tmp_path / "calls.jsonl"
    assert main(["show", str(run), "--calls", "-o", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"calls": 48, "file": str(file)}
    assert [json.loads(line) for line in file.read_text().splitlines()] == lines


def test_a_transcript_that_cannot_be_written_is_said(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(run), "--calls", "-o", str(tmp_path / "no" / "where.jsonl")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_run_in_which_no_model_was_asked_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toy.judged(tmp_path / "run", three, limit=1, rubrics=())
    assert main(["show", str(tmp_path / "run"), "--bill"]) == 0
    assert "No model has been asked" in capsys.readouterr().out


def test_a_bill_never_says_that_something_cost_nothing() -> None:
    none = Bill("m", "h", calls=3, attempts=9, possibly_paid_twice=2)
    part = Bill("n", "h", calls=3, replies=3, attempts=3, price=0.5, unpriced=2)
    full = Bill("o", "h", calls=1, replies=1, attempts=1, price=0.25, tokens_in=7, tokens_out=8)
    told = sheet_text(bill_sheet([part, full, none]))
    assert "$0.5000 + 2 unknown" in told
    assert "$0.2500" in told
    assert "nothing came back" in told
    assert "In all $0.7500, and 2 times what is not known." in told
    assert "Possibly paid twice: 2 attempts" in told
    assert "$0.0000" not in told


def test_what_a_reply_says_cannot_steer_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = toy.judged(tmp_path / "run", lambda asked: "\x1b[31m\x9b2J\u202e red", limit=1)
    assert main(["show", str(run.folder), "--calls"]) == 0
    told = capsys.readouterr().out
    assert not any(letter in told for letter in "\x1b\x9b\u202e")
    calls = Calls.open(run.folder)
    assert {call.reason != "" for call in calls} == {True}  # in doubt: `retry` asks again
    calls.close()


def test_judges_are_those_of_a_run_and_kin_is_among_its_editors(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for flag in ("--judges", "--bill", "--calls"):
        assert main(["show", "textedit", flag]) == 2
        assert "There is no run in textedit" in capsys.readouterr().err
    assert main(["show", str(run), "--judges", "--kin", "fake=nobody"]) == 2
    assert "the run has no editor 'nobody'. It has good, fair, poor." in capsys.readouterr().err
    assert main(["show", str(run), "--judges", "--kin", "fake"]) == 2
    assert "names no judge and editor" in capsys.readouterr().err


def test_a_bill_can_be_reckoned_at_a_price_that_is_known_now(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(run), "--bill", "--json"]) == 0
    before = json.loads(capsys.readouterr().out)
    assert before[0]["price"] is None
    listed = {bill["model"]: {"in": 1_000_000, "out": 0} for bill in before}
    (tmp_path / "p.json").write_text(json.dumps({"dated": "2026-11-16", "models": listed}))
    assert main(["show", str(run), "--bill", "--json", "--prices", str(tmp_path / "p.json")]) == 0
    for bill in json.loads(capsys.readouterr().out):
        assert bill["price"] == bill["tokens_in"]
    assert main(["show", str(run), "--bill", "--prices", str(tmp_path / "none.json")]) == 2


def test_a_transcript_is_not_written_over_the_run(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(run), "--calls", "-o", str(run / "run.db")]) == 2
    assert "is where a run keeps what it knows" in capsys.readouterr().err
    assert main(["show", str(run), "--bill"]) == 0
