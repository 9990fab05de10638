"""An agent's trajectory in words: every step, whatever it holds, for a terminal and a page."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layered_runs import layered_run, trace
from made_run import HOSTILE
from test_layers_shown import inside
from test_report_page import Reader, write

from overpaint import cli
from overpaint.report import write_report
from overpaint.report.trajectory import (
    LONGEST,
    MOST_ITEMS,
    MOST_STEPS,
    not_done,
    reasoners,
    shown,
    steps,
    told,
)
from overpaint.store import Store

JSON: Any = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["step", "reasoner", "decisions", "clashes", "faults", "layer", "layers", "edit", "prompt",
     "did", "notes", "round", "seconds", "picture", "kind", "status", "reason", "said"]
)  # fmt: skip
STEPS = st.sampled_from(["decide", "joint", "edit", "check", "repair", "ponder"])
ENTRIES = st.builds(
    lambda step, rest: {**rest, "step": step}, STEPS, st.dictionaries(KEYS, JSON, max_size=6)
)


def test_each_step_is_told_in_words() -> None:
    titles = [step.title for step in steps(trace())]
    assert titles == [
        "rules decided on 5 layers: 3 to edit, 1 to keep, 1 unreadable",
        "Joint pass: 1 clash",
        "Edited headline by typeset",
        "sun was not edited by ops",
        "Check of the result: 1 fault in what was done; 1 wish was not done",
        "Repair 1 of headline: overflow",
        "Check after repair 1: no fault in what was done; 1 wish was not done",
        "ponder",
    ]


def test_a_check_is_open_until_nothing_is_wrong_and_all_was_done() -> None:
    done = {"step": "check", "round": 0, "faults": []}
    left = {"step": "decide", "left": ["Not understood: “sing”, “dance”; nothing was done."]}
    assert [(step.title, step.open) for step in steps((done, left, done))] == [
        ("Check of the result: no fault", False),
        ("The reasoner decided on 0 layers: 0 to edit, 0 to keep", False),
        ("Check of the result: no fault in what was done; 2 wishes were not done", True),
    ]
    assert steps(({**done, "notes": ["hard to read"]},))[0].open
    assert not_done((left, *trace())) == ("sing", "dance", "Turn the sun into a snowflake.")


def test_a_terminal_reads_the_whole_trajectory() -> None:
    text = "\n".join(told(trace()))
    for part in (
        " 1. rules decided on 5 layers: 3 to edit, 1 to keep, 1 unreadable  (0.3 s)",
        "    keep ground (image)", "      a sun is summer", "    unreadable: shop (text)",
        "    clash: two wordings (headline, date)", "    edit date (text)",
        "      → Say “1–31 December”.", "    set “WINTER SALE” in PT Sans Bold 46",
        " 4. sun was not edited by ops  (refused)", "    No image editor is configured.",
        "    fault: overflow of headline", "      12 px beyond the canvas",
        "    made it 8 % smaller", "    about: the meaning of it all", "    depth: 3",
    ):  # fmt: skip
        assert part in text, part


def test_the_joint_pass_tells_only_decisions_that_it_changed() -> None:
    first, joint = trace()[:2]
    same = {**joint, "decisions": first["decisions"], "clashes": []}
    assert steps((first, same))[1].items == ()
    assert [item.text for item in steps(trace())[1].items][1:] == ["date (text)"]


def test_a_layer_goes_by_its_name_once_a_decision_has_told_it() -> None:
    first = {"step": "decide", "decisions": [{"layer": "L7", "name": "Headline", "edit": True}]}
    later = {"step": "edit", "layer": "L7", "by": "typeset", "status": "ok"}
    assert [step.title for step in steps((first, later))][1] == "Edited Headline by typeset"
    assert steps((later,))[0].title == "Edited L7 by typeset"


def test_a_repair_that_did_not_help_is_told_as_undone() -> None:
    found = steps((
        {"step": "repair", "round": 2, "layer": "", "kind": "", "did": "nothing helped; undone"},
        {"step": "undo", "round": 2},
    ))  # fmt: skip
    assert [step.title for step in found] == ["Repair 2", "Repair 2 was undone: it did not help"]
    assert [item.text for item in found[0].items] == ["nothing helped; undone"]


def test_the_reasoners_of_a_trace_are_each_named_once() -> None:
    assert reasoners(trace()) == ("rules",)
    assert reasoners(()) == ()
    assert reasoners(
        ({"step": "decide", "reasoner": "a"}, {"reasoner": "b"}, {"reasoner": "a"})
    ) == (
        "a",
        "b",
    )


def test_what_is_not_known_is_told_plainly() -> None:
    odd: Any = ("just words", 7, None, ["a"], {"new": {"deep": [1]}}, {"step": "edit", "tokens": 9})
    lines = told(odd)
    assert lines[0] == " 1. just words"
    assert '    new: {"deep": [1]}' in lines
    assert "    tokens: 9" in lines


@pytest.mark.slow
def test_long_traces_steps_and_texts_are_cut_and_say_so() -> None:
    many = [{"step": "check", "faults": ["x" * 10_000] * (MOST_ITEMS + 5)}] * (MOST_STEPS + 2)
    found = steps(many)
    assert len(found) == MOST_STEPS + 1
    assert found[-1].title == "and 2 more steps that are not shown"
    assert found[0].title == f"Check of the result: {MOST_ITEMS + 5} faults"
    assert found[0].items[-1].text == "and 5 more"
    assert max(len(item.text) for item in found[0].items) == LONGEST


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(found=st.lists(JSON | ENTRIES, max_size=5))
def test_no_trace_makes_the_telling_fail(found: Any) -> None:
    for line in told(found):
        assert "\n" not in line
    json.dumps(shown(found), allow_nan=False)
    reasoners(found)


# ── in the report ───────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(layered_run(tmp_path_factory.mktemp("traced"), samples=1))


def test_the_page_carries_the_steps_and_their_pictures(page: Path) -> None:
    deck, found = Reader(page).deck, inside(page)[0]
    editor = [one["name"] for one in deck["editors"]].index("agent")
    assert [*found["traces"]] == [str(editor)]
    told_steps = found["traces"][str(editor)]
    assert [step["kind"] for step in told_steps][:3] == ["decide", "joint", "edit"]
    name = told_steps[2]["picture"]
    assert (page.parent / "pictures" / name[:2] / name).read_bytes().startswith(b"\x89PNG")


def test_the_page_says_below_its_table_which_reasoner_decided(page: Path) -> None:
    said = "Which layers agent edits was decided by its own rules, without a model."
    assert said in Reader(page).text


def test_the_page_says_how_many_layers_an_agent_chose_and_could_not_edit(page: Path) -> None:
    assert "1 of 2 chosen layers could not be edited" in Reader(page).text


def test_where_some_samples_are_shown_the_page_says_that_it_counts_them_alone(
    tmp_path: Path,
) -> None:
    run = layered_run(tmp_path / "run", samples=5)
    with Store.open(run) as store:
        text = Reader(write_report(store, tmp_path / "report", limit=4)).text
    assert "chosen layers of the samples shown below could not be edited" in text


@pytest.mark.parametrize("name", ["../../etc/passwd", "x.png", "a" * 64 + ".png", HOSTILE[0]])
def test_a_picture_that_a_trace_names_must_be_one_of_the_run(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("layered_runs.trace", lambda picture: trace(name))
    found = inside(write(layered_run(tmp_path, samples=1)))[0]
    assert [step["picture"] for steps in found["traces"].values() for step in steps] == [""] * 8


def test_showing_a_sample_tells_the_trajectories(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = str(page.parent.parent)
    assert cli.main(["show", run, "poster/000"]) == 0
    text = capsys.readouterr().out
    assert "How agent got there\n 1. rules decided on 5 layers" in text
    assert "How identity" not in text
    assert cli.main(["show", run, "poster/000", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["trajectories"]["agent"]
    assert [entry["step"] for entry in found] == [entry["step"] for entry in trace()]
