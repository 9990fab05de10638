"""The self-check of what is left to see: pages emptied unasked, and edits that nobody sees."""

from dataclasses import replace

import pytest
from agent_cases import SIZE, poster

from overpaint.document import Document, Layer
from overpaint.document.geometry import recoloured
from overpaint.document.layers import Shape
from overpaint.editors.agent import Loop
from overpaint.editors.agent.checking import Fault, burden, faults
from overpaint.editors.agent.checking.words import reads
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.hands import Hands
from overpaint.vision.layers import seen

TEXTS = ("4", "5", "6", "7")


class Deleting:
    """A reasoner that deletes those layers, whatever is asked."""

    name = "deleting"

    def __init__(self, *layers: str) -> None:
        self.layers = layers

    def decide(self, scene: Scene) -> list[Decision]:
        return [
            Decision(one.id, True, "Delete it.") if one.id in self.layers
            else Decision(one.id, False)
            for one in scene.layers
        ]  # fmt: skip


def without(document: Document, *names: str) -> Document:
    return document.having(*(layer for layer in document.layers if layer.id not in names))


def checked(instruction: str, *names: str, hide: bool = False) -> tuple[Fault, ...]:
    document = poster()
    scene = Scene(document, instruction, seen(document))
    after = without(document, *names)
    if hide:
        after = document.having(
            *(replace(one, visible=one.id not in names) for one in document.layers)
        )
    return faults(scene, Deleting(*names).decide(scene), after)


@pytest.mark.parametrize("hide", [False, True])
@pytest.mark.parametrize(
    "instruction",
    [
        "Make it a winter sale", "改成冬季促销", "Remove the phone number",
        "Move it to the North Hall on 3 November, with notes, a ride and an outdoor stage",
    ],
)  # fmt: skip
def test_all_text_gone_unasked_is_a_fault_of_each_text(instruction: str, hide: bool) -> None:
    found = checked(instruction, *TEXTS, hide=hide)
    assert {fault.layer for fault in found if fault.kind == "lost"} == set(TEXTS)
    assert all("which nobody asked for" in fault.said for fault in found)


def test_every_layer_gone_unasked_is_a_fault() -> None:
    found = checked("Turn the sun blue", "1", "2", "3", *TEXTS)
    assert {fault.layer for fault in found} == {"1", "2", "3", *TEXTS}


@pytest.mark.parametrize(
    ("instruction", "names"),
    [
        ("Remove all text", TEXTS),
        ("Clear the page, please", ("1", "2", "3", *TEXTS)),
        ("去掉所有文字", TEXTS),
        ("No words at all", TEXTS),
        ("Don't show any text", TEXTS),
        ("Leave only the sun", ("2", *TEXTS)),
        ("Delete the title, the discount, the date and the phone number", TEXTS),
        ("Remove the phone number", ("7",)),
        ("Make it a winter sale", ("7", "3")),
    ],
)
def test_what_was_asked_for_or_leaves_something_is_none(
    instruction: str, names: tuple[str, ...]
) -> None:
    assert checked(instruction, *names) == ()


def test_a_page_emptied_unasked_is_given_back_and_the_user_is_told() -> None:
    loop = Loop(Deleting(*TEXTS), Hands(), joint=False)
    made, trace = loop.run(poster(), "Make it a winter sale")
    assert [layer.id for layer in made] == [layer.id for layer in poster()]
    last = [step for step in trace if step["step"] == "check"][-1]
    assert {(fault["kind"], fault["layer"]) for fault in last["faults"]} == {
        ("not done", name) for name in TEXTS
    }
    assert "all its text would go" in last["faults"][0]["said"]


# ── edits that nobody sees ──────────────────────────────────────────────────────────────


def covered(*, whole: bool) -> Document:
    """The poster with a panel over its ground: over all of it, or but for a strip."""
    wide, high = SIZE
    panel = Shape("rectangle", wide, high if whole else high - 20, fill=(255, 255, 255, 255))
    ground, *rest = poster().layers
    return Document(made=(ground, Layer(panel, "panel", "p"), *rest), canvas=SIZE)


@pytest.mark.parametrize("whole", [True, False])
def test_a_ground_that_is_recoloured_under_another_layer_is_told_to_be_unseen(whole: bool) -> None:
    document = covered(whole=whole)
    scene = Scene(document, "Make the background light blue", seen(document))
    if whole:  # what shows nothing is not told of by those who look
        assert "1" in {one.id for one in scene.layers}
    decisions = [
        Decision(one.id, one.id == "1", "Make it light blue." if one.id == "1" else "")
        for one in scene.layers
    ]
    blue = recoloured(document.layers[0], (173, 216, 230, 255))
    after = document.having(blue, *document.layers[1:])
    found = faults(scene, decisions, after)
    if whole:
        (fault,) = found
        assert (fault.kind, fault.layer, fault.against) == ("unseen", "1", "p")
        assert fault.said == "It lies wholly under “panel”: what was changed does not show."
        assert burden(found) == 0.5
    else:
        assert found == ()


def test_an_unseen_edit_stays_and_the_user_is_told() -> None:
    class Recolouring(Deleting):
        def decide(self, scene: Scene) -> list[Decision]:
            return [
                Decision(one.id, True, "Make the background light blue.") if one.id == "1"
                else Decision(one.id, False)
                for one in scene.layers
            ]  # fmt: skip

    made, trace = Loop(Recolouring(), Hands(), joint=False).run(
        covered(whole=True), "Make the background light blue"
    )
    assert made.layers[0] != poster().layers[0]
    assert trace[1]["status"] == "ok"
    looks = [step for step in trace if step["step"] == "check"]
    assert [fault["kind"] for fault in looks[-1]["faults"]] == ["unseen"]


# ── what a reader of two scripts gives for one ──────────────────────────────────────────


def test_a_form_that_differs_by_a_dot_is_a_readers_own_and_another_letter_is_not() -> None:
    assert reads("滿减20元", "滿減20元")
    assert reads("減价", "减价")
    assert reads("涼夏強檔", "凉夏强檔")
    assert not reads("加价", "减价")
