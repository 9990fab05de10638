"""MiLDEEval with a model as the judge, down to the MiLDEScore of a table."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from milde_toy import QUESTIONS, TRUTH, design, edited, flat, sample

import overpaint.run as pipeline
from overpaint import catalog
from overpaint.core import Card, Edit, Evidence, Loaded, Sample, Score
from overpaint.errors import UserMistake
from overpaint.measures.judge import columns
from overpaint.measures.milde_score import milde_score
from overpaint.models.desk import Desk, Terms
from overpaint.run import Settings
from overpaint.store import Store
from overpaint.store.calls import Calls
from overpaint.testing import Asked, FakeServer

# What a milde benchmark names as its rubrics.
RUBRICS = ("milde:if", "milde:tr", "milde_aesthetics", "milde:score", "milde:output")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    Store.create(tmp_path / "asked").__exit__()
    calls = Calls.open(tmp_path / "asked")
    yield Desk(calls, Terms(deadline=3.0, retries=0))
    calls.close()


def judged(asked: Asked) -> str:
    """Sees winter and blue; finds the text half right and the looks a seven."""
    if "answer this question" in asked.words:
        yes = "Summer" not in asked.words
        return json.dumps({"rationale": "I looked", "answer": "yes" if yes else "no"})
    score = 0.5 if "judge the text" in asked.words else 7
    return json.dumps({"rationale": "I looked", "score": score})


def scored(spec: str, edit: Edit, desk: Desk) -> Score:
    (found,) = catalog.measure(spec).score([edit], Evidence(desk=desk))
    return found


def test_every_question_is_asked_with_the_output_alone(desk: Desk) -> None:
    with FakeServer(judged, process=False) as server:
        found = scored(f"milde:if:{server.url}#m", edited(flat(TRUTH)), desk)
        assert server.counts().total == 4
    assert (found.measure, found.value, found.weight) == ("milde_if@m", 100.0, 4)
    prompts = [desk.calls.prompt(call.prompt) for call in desk.calls]
    assert [any(one["question"] in prompt for prompt in prompts) for one in QUESTIONS] == [True] * 4
    assert {len(call.pictures) for call in desk.calls} == {1}


def test_an_answer_that_is_not_the_expected_one_counts_against_it(desk: Desk) -> None:
    always = json.dumps({"rationale": "so it seems", "answer": "yes"})
    with FakeServer({"reply": always}, process=False) as server:
        found = scored(f"milde:if:{server.url}#m", edited(flat(TRUTH)), desk)
    assert found.value == 75.0
    assert found.notes[0].startswith("not so: Does Summer stand anywhere?")


def test_one_question_without_an_answer_leaves_no_share_of_the_rest(desk: Desk) -> None:
    def mute(asked: Asked) -> str:
        return "no idea" if "panel blue" in asked.words else judged(asked)

    with FakeServer(mute, process=False) as server:
        found = scored(f"milde:if:{server.url}#m", edited(flat(TRUTH)), desk)
    assert (found.value, found.status) == (None, "unreadable")
    assert "“Is the panel blue?” has no answer" in found.reason


def test_text_is_judged_beside_what_was_read(desk: Desk) -> None:
    with FakeServer(judged, process=False) as server:
        found = scored(f"milde:tr:{server.url}#m", edited(flat(TRUTH)), desk)
    assert (found.measure, found.value, found.edit.sample.facts.get("text_read")) == (
        "milde_tr@m", 50.0, None
    )  # fmt: skip
    (call,) = desk.calls
    assert "> Winter Camp\n> Friday 14 June" in desk.calls.prompt(call.prompt)


def test_an_output_has_the_score_of_its_own_four(desk: Desk) -> None:
    with FakeServer(judged, process=False) as server:
        found = scored(f"milde:output:{server.url}#m", edited(design()), desk)
    assert found.value == pytest.approx(milde_score(
        instruction_following=100, layout_consistency=100, text_rendering=50, aesthetics=7
    ))  # fmt: skip
    assert found.notes == ("IF 100, LC 100, TR 50, A 7",)


def test_what_would_be_asked_is_known_before() -> None:
    model = "http://localhost:1/v1#m"
    asked = {kind: catalog.measure(f"milde:{kind}:{model}").asks for kind in ("if", "tr", "output")}
    counts = {kind: len(asks(sample())) for kind, asks in asked.items() if asks}
    assert counts == {"if": 4, "tr": 1, "output": 6}
    assert len({ask.what for ask in asked["if"](sample())}) == 4  # type: ignore[misc]
    assert asked["if"](sample(questions=[])) == ()  # type: ignore[misc]


def test_a_benchmarks_judge_fills_all_columns() -> None:
    specs = columns(RUBRICS, ["openai/m"], repeats=2)
    assert specs == [
        "milde:if;repeats=2:openai/m", "milde:tr;repeats=2:openai/m",
        "judge:milde_aesthetics.aesthetics;repeats=2:openai/m", "milde:score;repeats=2:openai/m",
        "milde:output;repeats=2:openai/m",
    ]  # fmt: skip
    names = [catalog.measure(spec).name for spec in specs]
    assert names[:4] == ["milde_if@m", "milde_tr@m", "aesthetics@m", "milde_score@m"]
    assert catalog.measure(specs[3]).parts == ("milde_if@m", "layout", "milde_tr@m", "aesthetics@m")
    with pytest.raises(UserMistake, match="The evidence judge knows nothing of what"):
        columns(RUBRICS, ["evidence"])


@pytest.mark.parametrize("wrong", ["", "if", "if:", "lc:openai/m", "if;often=3:openai/m"])
def test_what_is_not_of_the_form_is_said_so(wrong: str) -> None:
    with pytest.raises(UserMistake):
        catalog.measure(f"milde:{wrong}")


# ── in a table ──────────────────────────────────────────────────────────────────────────


CARD = Card("milde-toy", "made", "truth", "all", "none", "none", "mean", "counted", ())


@dataclass(frozen=True)
class Bench:
    """Two designs, each asked about as MiLDE asks."""

    card: Card = CARD
    measures: tuple[str, ...] = (
        "milde_if", "layout", "milde_tr", "aesthetics", "milde_score", "milde_partial",
    )  # fmt: skip
    breakdowns: tuple[str, ...] = ()

    def load(self, data: Path | None) -> Loaded:
        one = sample()
        return Loaded((one, Sample("s2", one.request, one.target, facts=one.facts, cluster="s2")))


bench = Bench()


@pytest.mark.slow
def test_a_table_has_the_score_of_the_means_and_says_what_it_lacks(tmp_path: Path) -> None:
    with FakeServer(judged, process=False) as server:
        specs = columns(RUBRICS, [f"{server.url}#m"])
        done = pipeline.run(
            f"{__file__}:bench", editors=["identity", "truth"], floors=False, measures=specs,
            out=tmp_path / "run", settings=Settings(workers=0),
        )  # fmt: skip
    cells = {row.editor: row.cells for row in done.table()}
    truth, nothing = cells["truth"], cells["identity"]
    assert (truth["milde_if"].value, truth["milde_tr"].value) == (100.0, 100.0)
    assert nothing["milde_partial"].value == 0.0
    assert truth["milde_score"].value is None
    assert truth["milde_score"].notes[0].startswith("aesthetics has no score: none of 2 samples")
    assert truth["milde_partial"].value == pytest.approx(
        100 * (2 / 3 + truth["layout"].value / 300) + 0.15 * truth["layout"].value
    )
    assert truth["milde_score@m"].value == pytest.approx(milde_score(
        instruction_following=100, layout_consistency=truth["layout"].value, text_rendering=50,
        aesthetics=7,
    ))  # fmt: skip
    assert truth["milde_output@m"].value == pytest.approx(truth["milde_score@m"].value)
