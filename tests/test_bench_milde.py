"""The bench of the layered-document agent plants what it says it plants, and nothing moves."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))  # benches import one another

import milde_conflicts
import milde_outcomes as look
import milde_rows
import milde_spoils
from milde_conflicts import KINDS, carried_out, conflicts
from milde_rows import SCRIPTS, Cell, Scripted
from milde_spoils import WAYS, spoils
from milde_truths import Truth, wrongs

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Shape
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.hands import Hands
from overpaint.measures.milde_layers import Counts
from overpaint.vision.layers import seen

CONFLICTS = "24f39744759fd0364f38fbb2d6836d4713e572f369c7a8c55149c410866fe168"

SPOILS = "29f13fde9ad52dc120cbb07532e29774e4d178d8bb22f7a04be76aac78617921"


def test_the_planted_conflicts_are_the_frozen_ones() -> None:
    assert milde_conflicts.stamp() == CONFLICTS


def test_sixty_conflicts_are_planted_ten_of_each_main_kind_half_of_them_chinese() -> None:
    kinds = Counter(conflict.kind for conflict in conflicts())
    assert set(kinds) == set(KINDS)
    assert sum(kinds.values()) == 60
    assert all(kinds[kind] >= 10 for kind in KINDS if kind != "delete")
    for kind in KINDS:
        languages = [one.case["language"] for one in conflicts() if one.kind == kind]
        assert languages.count("Chinese") == len(languages) / 2


# The others are drawn and read by the bench itself, which says where one is not as planted.
@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 13, 22, 37, 47, 55])
def test_decisions_carried_out_clash_as_planted_and_do_not_in_peace(number: int) -> None:
    conflict = conflicts()[number]
    scene = conflict.scene()
    for peaceful in (False, True):
        decisions = conflict.decisions(scene, peaceful=peaceful)
        result = carried_out(scene, decisions, Hands())
        assert bool(conflict.wrong(decisions, result)) is not peaceful


def test_contrast_is_that_of_letters_and_what_is_below_them() -> None:
    def layer(name: str, colour: int, side: int) -> Layer:
        return Layer(Shape("rectangle", side, side, (colour,) * 3 + (255,)), name, name)

    page = Document(made=(layer("ground", 255, 40), layer("words", 0, 20)), canvas=(40, 40))
    assert look.contrast(page, "words") == pytest.approx(21)
    faint = Document(made=(layer("ground", 255, 40), layer("words", 250, 20)), canvas=(40, 40))
    assert look.contrast(faint, "words") < 1.1


def test_ink_that_leaves_the_canvas_is_cut_off_and_soft_edges_may_touch() -> None:
    block = np.full((10, 10, 4), 255, np.uint8)
    page = Document(
        made=(
            Layer(Picture(block), "one", "one", left=10, top=10),
            Layer(Picture(block), "other", "other", left=19, top=10),
            Layer(Picture(block), "out", "out", left=-1, top=0),
        ),
        canvas=(40, 40),
    )
    assert look.inside(page, "one")
    assert not look.inside(page, "out")
    assert not look.apart(page, "one", "other")
    assert look.boxes_apart(page, "one", "other")
    assert look.apart(page, "one", "out")


def test_sixty_bad_edits_are_planned_in_sixteen_ways_half_of_them_chinese() -> None:
    assert sum(2 * way.each for way in WAYS) == 60
    assert len({way.name for way in WAYS}) == len(WAYS) == 16


@pytest.mark.slow
def test_the_planted_bad_edits_are_the_frozen_ones_each_on_a_document_of_its_own() -> None:
    assert len({one.number for one in spoils()}) == 60
    languages = Counter(one.case.language for one in spoils())
    assert languages == {"English": 30, "Chinese": 30}
    assert milde_spoils.stamp() == SPOILS


@pytest.mark.slow
@pytest.mark.parametrize("at", range(0, 60, 7))
def test_a_truth_is_right_and_a_spoiled_one_is_wrong(at: int) -> None:
    spoil = spoils()[at]
    assert not wrongs(spoil.case, spoil.case.truth)
    assert wrongs(spoil.case, spoil.made()[0])


# ── rows of the table ───────────────────────────────────────────────────────────────────


def decided(name: str) -> list[Decision]:
    """What a scripted reasoner decides about a page of two shapes, of which the upper is gold."""
    layers = tuple(
        Layer(Shape("rectangle", 20, 20, (9, 9, 9, 255)), one, one, left=30 * n)
        for n, one in enumerate("ab")
    )
    page = Document(made=layers, canvas=(80, 40))
    entry = {"id": "x", "instruction": "Make b red.", "gold": ["b"], "texts": {}, "questions": [],
             "layers": [{"id": "a", "kind": "text"}, {"id": "b", "kind": "image"}],
             "layer_instructions": {"b": "Make it red."}}  # fmt: skip
    scene = Scene(page, "Make b red.", seen(page))
    return list(Scripted(name, Truth(0, page, page, entry), SCRIPTS[name]).decide(scene))


def test_scripted_reasoners_decide_as_they_are_called() -> None:
    def edits(name: str) -> list[bool | None]:
        return [one.edit for one in decided(name)]

    assert edits("never edit") == [False, False]
    assert edits("edit all") == [True, True]
    assert edits("edit all text") == [True, False]
    assert edits("good (gold)") == [False, True]
    assert decided("good (gold)")[1].prompt == "Make it red."
    assert decided("30 % flipped") == decided("30 % flipped")


def test_replies_off_the_form_cannot_be_read() -> None:
    assert all(milde_rows.read("a", reply).edit is None for reply in milde_rows.OFF)


def test_cells_add_up_and_pool_by_weight() -> None:
    one = Cell(Counts(hit=1, documents=1), {"milde_if": (100.0, 1.0)}, kept=(2, 3), edits=1)
    other = Cell(Counts(missed=1, documents=1), {"milde_if": (0.0, 3.0)}, {"milde_tr": 1}, (1, 1))
    both = one + other
    assert both.counts.recall == 50
    assert both.mean("milde_if") == 25
    assert both.mean("milde_tr") is None
    assert both.kept == (3, 4)
    assert both.undecided == {"milde_tr": 1}
