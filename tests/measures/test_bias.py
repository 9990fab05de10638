"""Biases of judges: a biased script is found out, an honest one is cleared, by real runs."""

from pathlib import Path
from typing import Any

import judging_toy as toy
import numpy as np
import pytest

import overpaint.run as pipeline
from overpaint.measures.bias import Contest, contests, family, kin_of, self_preferences
from overpaint.measures.reliability import read_judged
from overpaint.run.votes import vote
from overpaint.store import Store
from overpaint.testing import Asked, FakeServer

pytestmark = pytest.mark.slow

LEVELS = {"good": 4, "fair": 3, "poor": 2}


def voted(folder: Path, script: Any, limit: int = 12) -> Contest:
    toy.judged(folder, script, limit=limit, rubrics=())
    with FakeServer(script, process=False) as server:
        spec = f"pairwise:pairwise:{server.url}#fake"
        vote(folder, [spec], settings=pipeline.Settings(workers=0))
    with Store.open(folder) as store:
        (found,) = contests(store, read_judged(store))
    return found


def lighter(asked: Asked) -> bool:
    first, second = (toy.shade(url) for url in asked.pictures[1:3])
    return first > second


def noise(asked: Asked, share: float) -> bool:
    """Whether this sample and pair is one of those in which the weaker edit is better."""
    shades = sorted(toy.shade(url) for url in asked.pictures[1:3])
    seed = [toy.stripe(asked.pictures[0]), *(shade // 16 for shade in shades)]
    return bool(np.random.default_rng(seed).random() < share)


def honest(asked: Asked) -> Any:
    """The lighter edit is better in three cases of four, whichever comes first."""
    first = lighter(asked) != noise(asked, 0.25)
    return toy.verdict(asked, "first" if first else "second")


def always_first(asked: Asked) -> Any:
    return toy.verdict(asked, "first")


def leaning(asked: Asked) -> Any:
    """Names the first edit when in doubt, which it is in six cases of ten."""
    doubt = noise(asked, 0.6)
    return toy.verdict(asked, "first" if doubt or lighter(asked) else "second")


@pytest.mark.slow
def test_a_judge_that_always_names_the_first_is_found_out(tmp_path: Path) -> None:
    found = voted(tmp_path / "run", always_first)
    assert found.first.value == 1
    assert found.prefers_a_place is True
    assert found.inconsistent.value == 1
    assert {one.rate for one in found.winners} == {0.5}
    assert {(one.wins, one.losses) for one in found.winners} == {(0, 0)}


@pytest.mark.slow
def test_a_judge_that_leans_to_the_first_is_found_out(tmp_path: Path) -> None:
    found = voted(tmp_path / "run", leaning)
    assert found.first.value is not None
    assert 0.6 < found.first.value < 1
    assert found.prefers_a_place is True


@pytest.mark.slow
def test_an_honest_judge_is_cleared_and_ranks_the_editors(tmp_path: Path) -> None:
    found = voted(tmp_path / "run", honest, limit=24)
    assert found.first.value == 0.5  # each verdict names the first once and the second once
    assert found.prefers_a_place is False
    assert found.inconsistent.value == 0
    assert [one.editor for one in found.winners] == ["good", "fair", "poor"]
    best = found.winners[0]
    assert best.votes == 48
    assert best.rate is not None
    assert best.expected == pytest.approx(best.rate, abs=0.05)  # all met all equally often
    assert best.expected_low is not None
    assert best.expected_high is not None
    assert best.expected_low < best.expected < best.expected_high
    assert best.wins + best.ties + best.losses == 48


def test_one_that_never_lost_has_a_rate_but_no_strength(tmp_path: Path) -> None:
    def clear(asked: Asked) -> Any:
        return toy.verdict(asked, "first" if lighter(asked) else "second")

    found = voted(tmp_path / "run", clear, limit=6)
    assert [(one.editor, one.rate) for one in found.winners] == [
        ("good", 1), ("fair", 0.5), ("poor", 0),
    ]  # fmt: skip
    assert {one.expected for one in found.winners} == {None}
    assert "no finite value" in found.notes[0]


# ── self-preference ─────────────────────────────────────────────────────────────────────


def shaky(asked: Asked) -> int:
    """-1, 0 or 1, by sample, judge and editor."""
    seed = [toy.stripe(asked.pictures[0]), toy.shade(asked.pictures[1]) // 16, len(asked.model)]
    return int(np.random.default_rng(seed).integers(-1, 2))


def fair_judges(asked: Asked) -> Any:
    """Each judge has its own noise; the first is also stricter with everybody."""
    strict = asked.model == "gpt-judge"
    return toy.verdict(asked, min(5, max(0, LEVELS[toy.made_by(asked)] + shaky(asked) - strict)))


def loyal(asked: Asked) -> Any:
    """As strict, but for the editor of its own family."""
    own = asked.model == "gpt-judge" and toy.made_by(asked) == "fair"
    strict = asked.model == "gpt-judge"
    value = LEVELS[toy.made_by(asked)] + shaky(asked) - strict + 2 * own
    return toy.verdict(asked, min(5, max(0, value)))


PAINTERS = {"flux_edit": "Good", "gpt_image": "Fair", "own_model": "Poor"}
JUDGES = ("gpt-judge", "claude-x", "qwen2.5-vl")


def preferred(folder: Path, script: Any, **more: Any) -> Any:
    one = {"rubrics": ("textedit_if",), "painters": PAINTERS}
    run = toy.judged(folder, script, *JUDGES, limit=16, **one, **more)
    with Store.open(run.folder) as store:
        judged, editors = read_judged(store), store.editors
        return self_preferences(judged, kin_of(judged, editors), editors)


@pytest.mark.slow
def test_a_judge_that_favours_its_family_is_found_out(tmp_path: Path) -> None:
    (found,) = preferred(tmp_path / "run", loyal)
    assert found.kin.who == "gpt-judge"
    assert found.kin.editors == ("gpt-image",)
    assert (found.kin.how, found.kin.family) == ("guessed", "openai")
    assert (found.kin_edits, found.other_edits) == (16, 32)
    assert found.found is True
    assert found.difference == pytest.approx(2, abs=0.4)


@pytest.mark.slow
def test_a_judge_that_is_only_strict_is_cleared(tmp_path: Path) -> None:
    (found,) = preferred(tmp_path / "run", fair_judges)
    assert found.found is False
    assert found.low is not None
    assert found.low <= 0 <= found.high


@pytest.mark.slow
def test_people_can_stand_for_the_other_judges(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    rows = [
        f"s{n:02},{editor},ann,{LEVELS[who] * 0.8 + 1}"  # the same on a scale from 1 to 5
        for n in range(16)
        for editor, who in (("flux-edit", "good"), ("gpt-image", "fair"), ("own-model", "poor"))
    ]
    path.write_text("sample,editor,rater,value\n" + "\n".join(rows))
    run = toy.judged(
        tmp_path / "run", loyal, "gpt-judge", limit=16, painters=PAINTERS,
        measures=[f"human:{path};scale=1-5"],
    )  # fmt: skip
    with Store.open(run.folder) as store:
        judged, editors = read_judged(store), store.editors
        (found,) = self_preferences(judged, kin_of(judged, editors), editors)
    assert found.others == "people"
    assert found.found is True
    assert found.difference == pytest.approx(2, abs=0.4)


def test_kin_is_declared_or_guessed_and_nobody_else_is_accused(tmp_path: Path) -> None:
    run = toy.judged(tmp_path / "run", fair_judges, *JUDGES, limit=1, painters=PAINTERS)
    with Store.open(run.folder) as store:
        judged, editors = read_judged(store), store.editors
    assert [(one.who, one.editors, one.how) for one in kin_of(judged, editors)] == [
        ("gpt-judge", ("gpt-image",), "guessed")
    ]
    declared = [("claude-x", "own-model"), ("gpt-judge", "flux-edit"), ("who", "own-model")]
    assert [(one.who, one.editors, one.how) for one in kin_of(judged, editors, declared)] == [
        ("gpt-judge", ("flux-edit",), "declared"), ("claude-x", ("own-model",), "declared"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "maker"),
    [
        ("openai/gpt-4o-2024-11-20", "openai"), ("gpt-image-1", "openai"),
        ("gemini/gemini-2.5-flash", "google"), ("nano-banana", "google"),
        ("http://localhost:8000/v1#qwen2.5-vl", "qwen"), ("Qwen-Image-Edit", "qwen"),
        ("anthropic/claude-sonnet", "anthropic"), ("ollama/llava", ""), ("mymodel", ""),
        ("seeded-noise", ""), ("metadata", ""), ("", ""),
    ],
)  # fmt: skip
def test_a_family_is_told_from_a_name_where_it_says_so(name: str, maker: str) -> None:
    assert family(name) == maker
