"""The judge: from a rubric and a model to a score, a status and a sentence."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import make_sample, picture, write

from overpaint import catalog
from overpaint.core import Edit, Evidence, Sample, Score
from overpaint.errors import UserMistake
from overpaint.measures.judge import columns
from overpaint.models.desk import Desk, Terms
from overpaint.store import Store
from overpaint.store.calls import Calls
from overpaint.testing import FakeServer


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    Store.create(tmp_path / "run").__exit__()
    calls = Calls.open(tmp_path / "run")
    yield Desk(calls, Terms(deadline=3.0, retries=0))
    calls.close()


@pytest.fixture
def edit(sample: Sample, tmp_path: Path) -> Edit:
    return Edit(sample, "mine", "ok", write(tmp_path / "out.png", picture(9)))


def score(spec: str, edit: Edit, desk: Desk) -> Score:
    (found,) = catalog.measure(spec).score([edit], Evidence(desk=desk))
    return found


def test_a_judges_score_is_what_the_model_said_with_its_reasons_beside_it(
    edit: Edit, desk: Desk
) -> None:
    with FakeServer(process=False) as server:
        found = score(f"judge:textedit_if:{server.url}#m", edit, desk)
    (call,) = desk.calls
    answer = json.loads(json.loads(call.reply)["choices"][0]["message"]["content"])
    assert (found.measure, found.value) == ("IF@m", answer["score"])
    assert found.notes[0] == answer["rationale"]
    assert '> Change "A" to "B".' in desk.calls.prompt(call.prompt)
    assert len(call.pictures) == 3  # source, output, target


@pytest.mark.parametrize(
    ("behaviour", "status", "told"),
    [
        ("prose", "unreadable", "JSON"),
        ("chinese", "unreadable", "JSON"),
        ("empty", "unreadable", "empty"),
        ("null", "unreadable", "empty"),
        ("half", "unreadable", "4.5"),
        ("off_scale", "unreadable", "11"),
        ("two_objects", "unreadable", "JSON objects that differ"),
        ("cut_off", "unreadable", "cut off"),
        ("refusal", "refused", "declined"),
        ("filtered", "refused", "content filter"),
        ("anthropic", "unreadable", "OpenAI-style"),
        ("ollama", "unreadable", "OpenAI-style"),
        ("server_error", "unreachable", "500"),
        ("no_model", "unavailable", "404"),
        ("bad_key", "unavailable", "key was not accepted"),
    ],
)
def test_a_reply_that_is_no_score_is_a_status_and_a_sentence(
    edit: Edit, desk: Desk, behaviour: str, status: str, told: str
) -> None:
    with FakeServer({"behaviours": {behaviour: 1.0}}, process=False) as server:
        found = score(f"judge:textedit_if:{server.url}#m", edit, desk)
    assert (found.value, found.status) == (None, status)
    assert told in found.reason


@pytest.mark.parametrize("behaviour", ["fenced", "thinking", "reasoning", "fraction", "no_usage"])
def test_a_reply_that_can_be_read_without_guessing_is_read(
    edit: Edit, desk: Desk, behaviour: str
) -> None:
    with FakeServer({"behaviours": {behaviour: 1.0}}, process=False) as server:
        found = score(f"judge:textedit_if:{server.url}#m", edit, desk)
    assert found.status == "ok", found.reason


def numbered(server: FakeServer, edit: Edit, desk: Desk, spec: str = "textedit_if") -> Score:
    return score(f"judge:{spec}:{server.url}#m", edit, desk)


def reply(number: int) -> str:
    return json.dumps({"rationale": f"it is a {number}", "score": number})


def test_repeats_are_asked_anew_and_averaged(edit: Edit, desk: Desk) -> None:
    with FakeServer({"replies": [reply(4), reply(4), reply(1)]}, process=False) as server:
        found = numbered(server, edit, desk, "textedit_if;repeats=3")
        assert server.counts().total == 3
    assert found.value == 3
    assert "said 4, 4, 1 when asked 3 ×" in found.notes


def test_more_than_half_of_the_repeats_must_have_an_answer(edit: Edit, desk: Desk) -> None:
    with FakeServer({"replies": [reply(4), "no", reply(2)]}, process=False) as server:
        assert numbered(server, edit, desk, "textedit_if;repeats=3").value == 3
    with FakeServer({"replies": ["no", "no", reply(2)]}, process=False) as server:
        assert numbered(server, edit, desk, "textedit_if;repeats=3").status == "unreadable"


def panel(servers: tuple[FakeServer, ...], settings: str = "") -> str:
    names = ",".join(f"{name}={s.url}#m" for name, s in zip("abc", servers, strict=True))
    return f"judge:textedit_if{settings}:{names}"


def test_a_panel_gives_the_mean_of_its_judges_if_a_quorum_answered(edit: Edit, desk: Desk) -> None:
    good = FakeServer({"reply": reply(5)}, process=False)
    fair = FakeServer({"reply": reply(3)}, process=False)
    mute = FakeServer({"reply": "no idea"}, process=False)
    with good, fair, mute:
        found = score(panel((good, fair, mute)), edit, desk)
        strict = score(panel((good, fair, mute), ";quorum=3"), edit, desk)
    assert (found.measure, found.value) == ("IF@panel", 4)
    assert found.notes[:2] == ("a 5, b 3", "they are 2 apart")
    assert any(note.startswith("c gave none") for note in found.notes)
    assert strict.status == "undecided"
    assert "2 of 3 judges gave a score; the quorum is 3" in strict.reason


def test_a_total_adds_its_parts_and_does_not_arise_where_one_does_not(
    edit: Edit, desk: Desk
) -> None:
    four = "textedit_if+textedit_ta+textedit_vc+textedit_lp"
    with FakeServer(process=False) as server:
        parts = [numbered(server, edit, desk, name).value for name in four.split("+")]
        total = numbered(server, edit, desk, four)
        asked = server.counts().total
        whole = numbered(server, edit, desk, f"{four}+textedit_se")
    assert (total.measure, total.value) == ("total20@m", sum(v for v in parts if v is not None))
    assert asked == 4  # the total asked nothing that was not known
    assert whole.status == "not_applicable"
    told = replace(edit, sample=replace(edit.sample, facts={"knowledge_prompt": "B follows."}))
    with FakeServer(process=False) as server:
        assert numbered(server, told, desk, f"{four}+textedit_se").measure == "total25@m"


def test_a_measure_says_beforehand_what_it_would_ask(edit: Edit) -> None:
    measure = catalog.measure("judge:textedit_if;repeats=2:openai/gpt-4o")
    assert measure.asks is not None
    asks = measure.asks(edit.sample)
    assert [(ask.endpoint.model, ask.pictures) for ask in asks] == 2 * [
        ("gpt-4o", ((80, 64), (80, 64), (80, 64)))
    ]
    assert catalog.measure("judge:textedit_se:openai/gpt-4o").asks(edit.sample) == ()  # type: ignore[misc]


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("judge", "is not understood"),
        ("judge:textedit_if", "is not understood"),
        ("judge:textedit_iff:openai/gpt-4o", "Did you mean 'textedit_if'"),
        ("judge:textedit_if.XX:openai/gpt-4o", "has no dimension 'XX'.*One of IF"),
        ("judge:vde_ambiguity:openai/gpt-4o", "has 6 dimensions"),
        ("judge:textedit_if;repeats=0:openai/gpt-4o", "0 repeats were asked for; 1 to 100"),
        ("judge:textedit_if;colour=3:openai/gpt-4o", "no setting 'colour'"),
        ("judge:textedit_if;quorum=2:openai/gpt-4o", "quorum of 2 was asked of 1 judges"),
        ("judge:textedit_if:openai/gpt-4o,openai/gpt-4o", "have the same name"),
        ("judge:textedit_if:somebody", "names no model"),
        ("judge:textedit_if+textedit_if:openai/x", "cannot be added up: two are called alike"),
        ("judge:milde_questions:openai/gpt-4o", "gives no scores"),
        ("judge:missing.md:openai/gpt-4o", "missing.md is not there"),
    ],
)
def test_a_judge_that_cannot_be_says_what_would_be_right(spec: str, told: str) -> None:
    with pytest.raises(UserMistake, match=told):
        catalog.measure(spec)


def test_a_benchmarks_columns_are_its_rubrics_by_judge_then_by_panel() -> None:
    found = columns(["textedit_if", "a+b"], ["openai/x", "y=openai/z", "evidence"], repeats=3)
    assert found == [
        "judge:textedit_if.IF;repeats=3:openai/x", "judge:a+b;repeats=3:openai/x",
        "judge:textedit_if.IF;repeats=3:y=openai/z", "judge:a+b;repeats=3:y=openai/z",
        "judge:textedit_if.IF;repeats=3:openai/x,y=openai/z",
        "judge:a+b;repeats=3:openai/x,y=openai/z", "evidence:IF",
    ]  # fmt: skip


def test_a_judge_outside_of_a_run_says_what_it_needs(edit: Edit) -> None:
    with pytest.raises(UserMistake, match="outside of a run"):
        list(catalog.measure("judge:textedit_if:openai/x").score([edit], Evidence()))


def test_many_samples_need_one_rubric_only(tmp_path: Path, desk: Desk) -> None:
    with FakeServer(process=False) as server:
        edits = [
            Edit(made, "mine", "ok", made.target)
            for made in (make_sample(tmp_path, f"s/{n}", n) for n in range(3))
        ]
        found = list(
            catalog.measure(f"judge:textedit_lp:{server.url}#m").score(edits, Evidence(desk=desk))
        )
    assert [one.edit.sample.id for one in found] == ["s/0", "s/1", "s/2"]
    assert len(list(desk.calls)) == 3
