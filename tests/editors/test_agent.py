"""The agent: looks, decides, settles, edits, checks, and tells all of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import agent_cases
import numpy as np
import pytest

from overpaint import catalog
from overpaint.core import Request
from overpaint.document import Document, Layer, Picture
from overpaint.editors.agent import Agent, Loop, _notes
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.hands import Hands
from overpaint.editors.agent.options import Options, read_options
from overpaint.errors import Unreachable, Unreadable, UserMistake
from overpaint.vision.layers import seen

WINTER = {"4": "replace 'SUMMER' with 'WINTER'", "3": "replace the sun with a snowflake"}


@dataclass(frozen=True)
class Told:
    """A reasoner that decides what it is told to."""

    prompts: dict[str, str] = field(default_factory=dict)
    name: str = "told"

    def decide(self, scene: Scene) -> Sequence[Decision]:
        """What it was told."""
        return [
            Decision(one.id, one.id in self.prompts, self.prompts.get(one.id, ""))
            for one in scene.layers
        ]


def ran(reasoner: object, document: Document | None = None, **how: object) -> tuple:
    loop = Loop(reasoner, Hands(), **how)  # type: ignore[arg-type]
    return loop.run(document or agent_cases.poster(), "turn it into a winter sale")


@pytest.mark.slow
@pytest.mark.parametrize("live", [True, False])
def test_chosen_layers_are_edited_and_all_others_are_the_very_same(live: bool) -> None:
    source = agent_cases.poster(live=live)
    document, trace = ran(Told(WINTER), source)
    assert [one.words for one in seen(document) if one.id == "4"] == ["WINTER SALE"]
    for before, after in zip(source.layers, document.layers, strict=True):
        assert (before is after) == (before.id != "4")
    assert [step["step"] for step in trace[:4]] == ["decide", "joint", "edit", "edit"]


def test_kept_layers_are_byte_identical_in_the_file_that_is_written(tmp_path: Path) -> None:
    source = agent_cases.poster(live=False)
    (tmp_path / "source.ora").write_bytes(source.encoded)
    opened = Document(tmp_path / "source.ora")
    document, _ = ran(Told({"4": WINTER["4"]}), opened)
    (tmp_path / "out.ora").write_bytes(document.encoded)
    again = Document(tmp_path / "out.ora")
    for before, after in zip(opened.layers, again.layers, strict=True):
        assert (before == after) == (before.id != "4")


def test_a_picture_that_nobody_can_paint_is_refused_alone_and_told() -> None:
    source = agent_cases.poster()
    document, trace = ran(Told(WINTER), source)
    steps = {step["layer"]: step for step in trace if step["step"] == "edit"}
    assert steps["4"]["status"] == "ok"
    assert steps["3"]["status"] == "refused"
    assert "no image editor" in steps["3"]["reason"]
    assert document.layers[2] is source.layers[2]


def test_the_trace_names_the_reasoner_and_every_decision() -> None:
    _, trace = ran(Told({"4": WINTER["4"]}))
    assert trace[0]["reasoner"] == "told"
    assert [one["edit"] for one in trace[0]["decisions"]] == [False, False, False, True] + 3 * [
        False
    ]
    told = trace[0]["decisions"][3]
    assert (told["name"], told["kind"], told["layer"]) == ("Layer 4", "text", "4")


def test_without_joint_pass_and_checks_there_is_nothing_but_decisions_and_edits() -> None:
    _, trace = ran(Told({"4": WINTER["4"]}), joint=False, rounds=0)
    assert [step["step"] for step in trace] == ["decide", "edit"]


@pytest.mark.parametrize("edit", [None, False])
def test_layers_that_nobody_decides_to_edit_stay(edit: bool | None) -> None:
    class Silent:
        name = "silent"

        def decide(self, scene: Scene) -> Sequence[Decision]:
            return [Decision(one.id, edit, why="off the form") for one in scene.layers]

    source = agent_cases.poster()
    document, _ = ran(Silent(), source)
    assert all(a is b for a, b in zip(source.layers, document.layers, strict=True))


def test_a_reasoner_that_edits_everything_is_carried_out_and_told_layer_by_layer() -> None:
    class Eager:
        name = "eager"

        def decide(self, scene: Scene) -> Sequence[Decision]:
            return [Decision(one.id, True, "Make it blue.") for one in scene.layers]

    source = agent_cases.poster()
    document, trace = ran(Eager(), source)
    assert [one["edit"] for one in trace[0]["decisions"]] == [True] * len(trace[0]["decisions"])
    assert any(step["step"] == "edit" and step["status"] == "ok" for step in trace)
    assert [layer.id for layer in document] == [layer.id for layer in source]


def test_a_document_of_one_layer_and_one_of_two_hundred_are_taken() -> None:
    one = Document.of(np.full((60, 80, 3), 200, np.uint8))
    document, trace = ran(Told(), one)
    assert len(trace[0]["decisions"]) == 1
    dots = [
        Layer(Picture(np.full((6, 6, 4), (n, 90, 40, 255), np.uint8)), f"dot {n}", str(n), n, n)
        for n in range(200)
    ]
    many = Document(made=tuple(dots), canvas=(220, 220))
    document, trace = ran(Told({"7": "delete the shape"}), many, rounds=0)
    assert len(trace[0]["decisions"]) == 200
    assert len(document.layers) == 199


def test_hidden_empty_and_clear_layers_are_not_asked_about_and_stay() -> None:
    clear = np.zeros((50, 50, 4), np.uint8)
    large = np.full((900, 900, 4), (10, 120, 90, 255), np.uint8)
    odd = (
        Layer(Picture(large), "larger than the canvas", "a", -100, -50),
        Layer(Picture(clear), "clear", "b"),
        Layer(Picture(np.zeros((0, 0, 4), np.uint8)), "empty", "c"),
        Layer(Picture(np.full((9, 9, 4), 255, np.uint8)), "hidden", "d", visible=False),
        Layer(Picture(np.full((9, 9, 4), 255, np.uint8)), "outside", "e", 5000, 5000),
    )
    source = Document(made=(*odd, *agent_cases.poster().layers[3:]), canvas=agent_cases.SIZE)
    document, trace = ran(Told({"4": WINTER["4"]}), source)
    assert [one["layer"] for one in trace[0]["decisions"]] == ["a", "4", "5", "6", "7"]
    assert document.layers[:5] == odd


def test_a_prompt_beyond_all_reason_is_refused_for_its_layer_alone() -> None:
    wild = {"4": "replace 'SUMMER' with 'WINTER'", "5": "rotate it by 99999999 degrees"}
    document, trace = ran(Told(wild))
    steps = {step["layer"]: step["status"] for step in trace if step["step"] == "edit"}
    assert steps == {"4": "ok", "5": "refused"}
    assert [one.words for one in seen(document) if one.id == "4"] == ["WINTER SALE"]


def test_a_judge_that_does_not_answer_costs_its_look_and_not_the_edit() -> None:
    def silent(scene: Scene, document: Document) -> list[tuple[str, str]]:
        raise Unreachable("nobody is there")

    document, trace = ran(Told({"4": WINTER["4"]}), judge=silent)
    assert [one.words for one in seen(document) if one.id == "4"] == ["WINTER SALE"]
    (look,) = (step for step in trace if step["step"] == "check")
    assert (look["judge"], look["reason"], look["faults"]) == ("unreachable", "nobody is there", [])


def test_a_round_that_does_not_help_is_undone_and_its_faults_are_not_told() -> None:
    calls = iter(["the first look", "the second look", "the second look"])

    def grumbling(scene: Scene, document: Document) -> list[tuple[str, str]]:
        return [("5", next(calls))]

    document, trace = ran(Told({"4": WINTER["4"]}), judge=grumbling)
    assert [step["step"] for step in trace][-1] == "undo"
    assert list(_notes(document, trace))[-1] == "layer 'Layer 5': the first look"


def test_a_reasoner_that_speaks_of_other_layers_cannot_be_read() -> None:
    class Astray:
        name = "astray"

        def decide(self, scene: Scene) -> Sequence[Decision]:
            return [Decision("nowhere", True, "make it red")]

    with pytest.raises(Unreadable, match="One decision for each"):
        ran(Astray())


# ── as an editor ────────────────────────────────────────────────────────────────────────


def test_it_is_an_editor_of_the_catalogue() -> None:
    assert isinstance(catalog.editor("agent"), Agent)
    assert catalog.editor("agent").where == "process"  # type: ignore[attr-defined]
    asking = Agent("http://localhost:9/v1#m;checks=1")
    assert asking.where == "thread"
    request = Request(agent_cases.poster(), "turn it into a winter sale")
    assert len(asking.asks(request)) == 7
    assert len(Agent("rules;judge=http://localhost:9/v1#m;checks=1").asks(request)) == 2
    with pytest.raises(UserMistake, match="asked at a desk"):
        asking(request)


def test_its_options_are_read_strictly() -> None:
    assert read_options("") == Options()
    assert read_options("checks=0") == Options(rounds=0)
    assert read_options("joint=no;image=images:http://h:1/v1#a").joint is False
    assert read_options("image=images:http://localhost:1/v1#a;grid=64").image.endswith("#a;grid=64")
    found = read_options("openai/gpt-4o;joint=no;checks=0;judge=openai/gpt-4o")
    assert found == Options("openai/gpt-4o", 0, False, "openai/gpt-4o")
    for wrong, why in [
        ("rules;speed=3", "no option 'speed'"),
        ("foo=1", "no option 'foo'.*;checks=…, ;joint=…, ;judge=…, ;image=…"),
        ("rules;checks=2;checks=3", "given checks twice"),
        ("rules;checks=many", "checks=many"),
        ("rules;checks=٣", "whole number"),
        ("rules;checks=11", "from 0 to 10"),
        ("rules;joint=perhaps", "one of yes, no"),
        ("nobody", "nobody"),
        ("rules;image=nothing", "nothing"),
        ("rules;image=truth", "truth cannot paint a layer"),
        ("rules;image=agent", "agent cannot paint a layer"),
    ]:
        with pytest.raises(UserMistake, match=why):
            Agent(wrong)


def test_what_no_decision_was_made_about_is_noted_on_the_result() -> None:
    request = Request(agent_cases.poster(), "turn it into a winter sale and blur the band")
    made, trace = Agent("rules").traced(request)
    (told,) = trace[0]["left"]
    assert told.startswith("Not understood: “blur the band”; nothing was done about it.")
    assert told in made.notes
    whole, trace = Agent("rules").traced(Request(request.source, "turn it into a winter sale"))
    assert "left" not in trace[0]
    assert not any("understood" in note for note in whole.notes)
