"""`overpaint show vde --stats --judge MODEL`: what judges say the instructions leave open."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parent))
from test_building import made_set as made_set  # a fixture

from overpaint.cli import main
from overpaint.cli.openness import rows
from overpaint.core import Request, Sample
from overpaint.document import Document
from overpaint.engines.vde import judged as judging
from overpaint.engines.vde.ambiguity import DIMENSIONS
from overpaint.engines.vde.judged import OVERALL, RULES, Judgement, check_judges
from overpaint.errors import UserMistake
from overpaint.models import own
from overpaint.testing import Asked, FakeServer

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "cache_folder", lambda: tmp_path / "cache")


def said(**scores: int) -> dict[str, Any]:
    """A reply in which what is not named is 1."""
    return {name: {"rationale": "It says so.", "score": scores.get(name, 1)} for name in DIMENSIONS}


def stats(made_set: Path, *more: str) -> int:
    return main(["show", "vde", "--stats", "--data", str(made_set), *more])


def two(asked: Asked) -> dict[str, Any]:
    """One judge finds nothing open; the other something, the more the more is asked."""
    return said() if asked.model == "mild" else said(target=2, space=4)


def test_each_judge_is_a_column_beside_the_rules_and_the_papers_number(
    made_set: Path, capsys: Capture
) -> None:
    with FakeServer(two, process=False) as server:
        judges = [f"--judge={server.url}#{name}" for name in ("mild", "harsh")]
        assert stats(made_set, *judges) == 0
        told = capsys.readouterr()
        lines = [line for line in told.err.splitlines() if "is asked" in line]
        # Three samples, of which two have one instruction for one kind of document.
        assert lines[0] == (
            f"127.0.0.1:{server.port} is asked up to 2 questions of mild with no pictures;"
            " price: unknown"
            " (--prices FILE gives one)"
        )
        assert len(lines) == 2
        assert server.counts().total == 4
        assert not any(asked["pictures"] for asked in server.requests())
    table = told.out[told.out.index("instruction ambiguity  ") :]
    cells = [re.split(r"\s{2,}", line) for line in table.splitlines()]
    assert cells[0] == ["instruction ambiguity", "rules", "mild", "harsh", "agreement"]
    found = {row[0]: row[1:] for row in cells[1:9]}
    assert found["target"][1:3] == ["1.000", "2.000"]
    assert found["language"][1:3] == ["1.000", "1.000"]
    assert found["overall"][1:3] == ["1.000", "1.667"]
    assert found["instructions"] == ["3", "3", "3"]
    assert "the paper's judges gave its instructions 1.298,\nand 1.753 to 200 of them" in table
    assert "Krippendorff's alpha of the judges, the rules not among them" in table


def test_the_same_command_again_asks_nothing(made_set: Path) -> None:
    with FakeServer(two, process=False) as server:
        for _ in range(2):
            assert stats(made_set, "--judge", f"{server.url}#mild") == 0
        assert server.counts().total == 2


def test_a_dry_run_says_what_would_be_asked_and_asks_nothing(
    made_set: Path, tmp_path: Path, capsys: Capture
) -> None:
    with FakeServer(two, process=False) as server:
        judge = f"{server.url}#mild"
        listed = tmp_path / "prices.json"
        listed.write_text(json.dumps({"dated": "today", "models": {judge: {"in": 1, "out": 1}}}))
        more = ["--judge", judge, "--dry-run", "--prices", str(listed)]
        assert stats(made_set, *more) == 0
        told = capsys.readouterr()
        assert "is asked up to 2 questions of mild with no pictures; price: about $0.0" in told.err
        assert told.out == ""
        assert stats(made_set, *more, "--json", "--limit", "1") == 0
        data = json.loads(capsys.readouterr().out)
        assert data["samples"] == data["asked"][0]["questions"] == 1
        assert server.counts().total == 0
    assert stats(made_set, "--dry-run") == 0
    assert "Nothing is asked of anybody: no --judge is named." in capsys.readouterr().err


def test_json_holds_means_agreement_scores_and_what_is_missing(
    made_set: Path, capsys: Capture
) -> None:
    with FakeServer(two, process=False) as server:
        judges = [f"--judge={server.url}#{name}" for name in ("mild", "harsh")]
        assert main(["show", "vde", "--data", str(made_set), *judges, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    found = told["judged"]
    assert found["means"]["harsh"]["space"] == {"value": 4.0, "low": None, "high": None, "n": 3}
    assert found["means"]["rules"]["target"]["value"] == told["ambiguity"]["target"]
    assert found["agreement"]["space"]["alpha"] < 0
    assert found["agreement"]["language"]["alpha"] is None  # all said the same everywhere
    assert found["agreement"]["language"]["notes"]
    assert found["paper"] == {"instructions": 1.298, "rewrites": 1.753}
    assert found["missing"] == []
    assert found["scores"][0]["harsh"]["target"] == 2.0


def test_what_became_no_score_is_counted_by_its_reason_and_is_no_number(
    made_set: Path, capsys: Capture
) -> None:
    with FakeServer({"reply": "I would say three or so."}, process=False) as server:
        assert stats(made_set, "--judge", f"{server.url}#m") == 1
        told = capsys.readouterr()
        assert "3 × m unreadable: The reply has no JSON object" in told.err
        assert re.search(r"^target +1\.000 +–$", told.out, re.MULTILINE)
        assert re.search(r"^instructions +3 +0$", told.out, re.MULTILINE)
        asked = server.counts().total
        assert stats(made_set, "--judge", f"{server.url}#m") == 1
        assert server.counts().total == 2 * asked  # what could not be used is asked for again


def test_a_score_off_the_scale_is_unreadable(made_set: Path, capsys: Capture) -> None:
    with FakeServer({"reply": said(target=6)}, process=False) as server:
        assert stats(made_set, "--judge", f"{server.url}#m", "--limit", "1") == 1
    assert "1 × m unreadable: The reply's target.score is 6." in capsys.readouterr().err


def test_a_cost_limit_stops_it_and_an_unknown_price_is_refused(
    made_set: Path, tmp_path: Path, capsys: Capture
) -> None:
    with FakeServer(two, process=False) as server:
        judge = f"{server.url}#mild"
        assert stats(made_set, "--judge", judge, "--cost-limit", "1") == 2
        assert f"The price of {judge} is not known" in capsys.readouterr().err
        listed = tmp_path / "prices.json"
        listed.write_text(json.dumps({"dated": "today", "models": {judge: {"in": 9, "out": 9}}}))
        more = ("--prices", str(listed), "--cost-limit", "0.001")
        assert stats(made_set, "--judge", judge, *more) == 2
        assert "The cost limit of $0.00 would be passed" in capsys.readouterr().err
        assert server.counts().total == 0


def test_a_missing_key_is_found_out_before_anything_is_asked(
    made_set: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert stats(made_set, "--judge", "openai/gpt-4o-2024-11-20") == 2
    assert "OPENAI_API_KEY is not set." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("judges", "told"),
    [
        (["evidence"], "evidence is no judge of instructions. The rules' own scores are there"),
        (["openai/a", "http://h/v1#a"], "Two judges are called a. Name them: NAME=MODEL."),
        (["rules=openai/a"], "Two judges are called rules."),
        (["gpt"], "'gpt' names no model."),
    ],
)
def test_a_judge_that_is_none_is_said(judges: list[str], told: str) -> None:
    with pytest.raises(UserMistake) as caught:
        check_judges(judges)
    assert told in str(caught.value)


# ── the numbers ─────────────────────────────────────────────────────────────────────────────


def sample(name: str, instruction: str = "Delete “a”.") -> Sample:
    return Sample(name, Request(Document(), instruction), tags={"edit": "deletion"})


def even(score: float) -> dict[str, float]:
    return dict.fromkeys(DIMENSIONS, score)


def test_the_overall_mean_is_that_of_the_six_and_its_interval_goes_by_sources() -> None:
    samples = tuple(sample(f"s{n}") for n in range(8))
    scores = [{**even(1.0), "target": 1.0 + 3 * (n % 2)} for n in range(8)]
    found = Judgement(samples, {RULES: [even(1.0)] * 8, "a": scores, "b": [None] * 8})
    mean = found.mean("a", OVERALL)
    assert mean.value == pytest.approx(1.25)
    assert mean.low is not None
    assert mean.high is not None
    assert 1.0 <= mean.low < 1.25 < mean.high <= 1.5
    assert found.mean("b", OVERALL) == judging.Mean(None)
    assert rows(found)[1][3] == "–"


def test_judges_who_say_the_same_agree_and_the_rules_do_not_count() -> None:
    samples = tuple(sample(f"s{n}") for n in range(6))
    scores = [even(1.0 + n % 3) for n in range(6)]
    found = Judgement(samples, {RULES: [even(5.0)] * 6, "a": scores, "b": scores})
    assert found.agreement("target").alpha == 1.0
    assert found.agreement(OVERALL).alpha == 1.0


def test_an_instruction_that_cannot_be_asked_about_is_not_foreseen() -> None:
    judges = ["openai/gpt-4o-2024-11-20"]
    assert len(judging.asks([sample("a"), sample("b"), sample("c", " ")], judges)) == 1


def test_judges_of_one_dimension_work_as_measures_of_a_run(made_set: Path) -> None:
    from overpaint import catalog

    measure = catalog.measure("judge:vde_ambiguity.target:openai/gpt-4o-2024-11-20")
    (one,) = catalog.benchmark("vde").load(made_set).samples[:1]
    assert measure.name == "target@gpt-4o-2024-11-20"
    assert (measure.worst, measure.best) == (5.0, 1.0)
    assert measure.asks is not None
    (asked,) = measure.asks(one)
    assert asked.pictures == ()
