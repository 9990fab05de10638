"""MiLDE's dimensions on designs whose right answers are known: IF, TR, LC and their score."""

from pathlib import Path

import numpy as np
import pytest
from milde_toy import (
    BLUE,
    QUESTIONS,
    SIZE,
    TRUTH,
    blank,
    design,
    edited,
    flat,
    sample,
    with_layer,
)
from PIL import Image

from overpaint import catalog
from overpaint.core import Edit, Evidence, Score
from overpaint.document import Document
from overpaint.errors import Undecided, UserMistake
from overpaint.measures.milde_answers import following
from overpaint.measures.milde_score import milde_score
from overpaint.measures.milde_text import level
from overpaint.measures.milde_totals import from_means, without_taste

EVIDENCE = Evidence()  # what was read once is read for all tests


def scored(name: str, edit: Edit) -> Score:
    (score,) = catalog.measure(name).score([edit], EVIDENCE)
    return score


# ── instruction following ───────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_an_unedited_design_follows_nothing_and_the_truth_all() -> None:
    nothing, all_ = scored("milde_if", edited(design())), scored("milde_if", edited(TRUTH))
    assert (nothing.value, nothing.weight, all_.value, all_.weight) == (0.0, 3.0, 100.0, 3.0)
    assert all_.notes[0] == "3 of 3 answered as expected"
    assert scored("milde_if", edited(flat(TRUTH))).value == 100.0


@pytest.mark.slow
def test_each_question_is_answered_for_itself() -> None:
    half = scored("milde_if", edited(design("Winter Camp")))
    assert half.value == pytest.approx(200 / 3)
    assert "not so: Is the panel blue?" in half.notes[1]
    other = scored("milde_if", edited(design("Autumn Camp", panel=BLUE)))
    assert other.value == pytest.approx(200 / 3)
    assert any("where “Winter Camp” should stand" in note for note in other.notes)


@pytest.mark.slow
def test_live_words_that_are_not_seen_are_not_read() -> None:
    hidden = with_layer(TRUTH, "3", opacity=0.004)
    assert scored("milde_if", edited(hidden)).value == pytest.approx(200 / 3)


def test_half_way_to_the_truth_is_undecided() -> None:
    only = sample(questions=QUESTIONS[2:3])
    between = edited(design(panel=(120, 65, 125, 255)), only)
    assert scored("milde_if", between).status == "undecided"
    assert scored("milde_if", edited(design(panel=(80, 68, 160, 255)), only)).value == 100.0


@pytest.mark.slow
def test_an_output_of_another_size_is_brought_to_the_sources() -> None:
    picture = Image.fromarray(TRUTH.rgb).resize((630, 390), Image.Resampling.LANCZOS)
    assert scored("milde_if", edited(Document.of(np.asarray(picture)))).value == 100.0


def test_without_a_check_or_a_truth_a_question_is_undecided_and_without_any_none_arises() -> None:
    found = scored("milde_if", edited(TRUTH, sample(questions=QUESTIONS[3:])))
    assert found.status == "undecided"
    assert found.reason == "None of its questions can be answered without a model."
    assert scored("milde_if", edited(TRUTH, sample(questions=[]))).status == "not_applicable"
    odd = [QUESTIONS[0] | {"check": {"kind": "smells"}}]
    assert (
        "has the check 'smells'" in scored("milde_if", edited(TRUTH, sample(questions=odd))).reason
    )


@pytest.mark.slow
def test_what_cannot_be_read_in_the_truth_is_undecided_for_everyone() -> None:
    asked = [QUESTIONS[0] | {"check": {**QUESTIONS[0]["check"], "words": "Spring Camp"}}]
    for output in (TRUTH, design(), design("Spring Camp")):
        found = scored("milde_if", edited(output, sample(questions=asked)))
        assert found.status == "undecided"
        assert "cannot be read in the truth either" in found.reason


@pytest.mark.slow
def test_words_that_cannot_be_read_in_the_source_are_not_found_gone() -> None:
    asked = [QUESTIONS[1] | {"check": {"kind": "gone", "words": "Autumn"}}]
    assert scored("milde_if", edited(TRUTH, sample(questions=asked))).status == "undecided"


def test_one_open_question_leaves_no_value() -> None:
    from overpaint.measures.evidence.judged import Verdict

    told = [("a", Verdict(True)), ("c", Verdict(False)), ("d", Verdict(True))]
    found = following(told)
    assert (found.value, found.weight) == (pytest.approx(200 / 3), 3)
    with pytest.raises(Undecided, match="1 of 4 questions cannot be decided: undecided: b"):
        following([*told, ("b", Verdict(None))])


# ── text rendering ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("output", "value"),
    [
        (TRUTH, 100.0),
        (design(), 0.0),
        (design("Winter Camp", "Sunday 2 May"), 50.0),  # right, but another line is lost
        pytest.param(design("Winter Kamp"), 0.0, marks=pytest.mark.slow),
        pytest.param(blank(), 0.0, marks=pytest.mark.slow),
    ],
    ids=["truth", "unedited", "another lost", "misspelt", "blank"],
)
def test_text_is_right_in_part_or_not(output: Document, value: float) -> None:
    assert scored("milde_tr", edited(output)).value == value
    assert scored("milde_tr_text", edited(output)).value == value


@pytest.mark.slow
def test_where_no_text_is_to_change_it_should_be_as_it_was() -> None:
    still = sample(gold=["2"], texts={})
    assert scored("milde_tr", edited(design(panel=BLUE), still)).value == 100.0
    assert scored("milde_tr", edited(design(date="On Sunday"), still)).value == 50.0
    assert scored("milde_tr", edited(blank(), still)).value == 0.0
    assert scored("milde_tr_text", edited(design(), still)).status == "not_applicable"


@pytest.mark.slow
def test_a_text_that_is_deleted_is_right_when_it_is_gone() -> None:
    gone = sample(gold=["4"], texts={"4": ""})
    assert scored("milde_tr", edited(with_layer(design(), "4", visible=False), gone)).value == 100
    assert scored("milde_tr", edited(design(), gone)).value == 0.0


def test_a_wording_that_nobody_knows_is_undecided() -> None:
    found = scored("milde_tr", edited(TRUTH, sample(texts={})))
    assert (found.status, "milde:tr:MODEL" in found.reason) == ("undecided", True)
    none = sample(layers=[{"id": "2", "kind": "decoration"}], gold=["2"], texts={})
    assert scored("milde_tr", edited(TRUTH, none)).status == "not_applicable"


def test_the_three_levels() -> None:
    assert level([True, True], [True]) == level([], [True]) == level([True], []) == 1.0
    assert level([True, False], [True]) == level([True], [True, False]) == 0.5
    assert level([], [True, False]) == 0.5
    assert level([False], [True]) == level([], [False]) == 0.0


# ── layout ──────────────────────────────────────────────────────────────────────────────


def test_layout_of_an_unedited_design_is_100_a_small_change_little_and_a_blank_page_0() -> None:
    assert scored("layout", edited(design())).value == 100.0
    assert scored("layout", edited(flat(design()))).value == 100.0
    assert 90 < scored("layout", edited(TRUTH)).value < 100
    assert scored("layout", edited(blank())).value == 0.0


@pytest.mark.slow
def test_layout_brings_an_output_to_the_sources_size() -> None:
    picture = Image.fromarray(design().rgb).resize((840, 520), Image.Resampling.LANCZOS)
    found = scored("layout", edited(Document.of(np.asarray(picture))))
    assert found.value > 90
    assert found.notes[1] == f"resized from 840×520 to {SIZE[0]}×{SIZE[1]} (Lanczos)"


def test_layers_alpha_is_a_protocol_of_its_own() -> None:
    assert scored("layout@alpha", edited(design())).value == 100.0
    assert scored("layout@alpha", edited(with_layer(design(), "2", left=100.0))).value < 92
    assert scored("layout@alpha", edited(flat(design()))).status == "not_applicable"


def test_that_no_more_masks_are_taken_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "2 masks are the most that are taken of a document"
    assert said not in scored("layout@alpha", edited(design())).notes
    for name in ("vision.segments.MOST", "measures.layout.TAKEN"):
        monkeypatch.setattr(f"overpaint.{name}", 2)
    found = scored("layout@alpha", edited(design()))
    assert found.notes == ("2 masks before, 2 after, 2 pairs", said)


def test_a_segmenter_of_ones_own_is_a_column_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def all_of_it(pixels):\n    return pixels[None, :, :, 0] >= 0\n")
    measure = catalog.measure(catalog.anchored(f"layout:{file}:all_of_it"))
    assert measure.name == "layout@all_of_it"
    (found,) = measure.score([edited(blank())], EVIDENCE)
    assert found.value == 100.0


# ── the score ───────────────────────────────────────────────────────────────────────────


def test_a_single_edit_has_no_milde_score() -> None:
    for name in ("milde_score", "milde_partial"):
        found = scored(name, edited(TRUTH))
        assert found.status == "not_applicable"
        assert "computed once, from the means of milde_if, layout, milde_tr" in found.reason


def test_means_that_rounding_puts_beyond_the_scale_are_on_it_and_others_are_not() -> None:
    found = from_means([100 + 1e-12, 100.0, -1e-13, 10.0])
    assert found == milde_score(
        instruction_following=100, layout_consistency=100, text_rendering=0, aesthetics=10
    )
    assert without_taste([100.0, 100.0, 100.0]) == pytest.approx(115)
    with pytest.raises(UserMistake):
        from_means([101.0, 100.0, 100.0, 10.0])


def test_an_output_without_aesthetics_has_no_score_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("OVERPAINT_AESTHETICS", "OVERPAINT_AESTHETICS_HEAD"):
        monkeypatch.delenv(name, raising=False)
    found = scored("milde_output", edited(TRUTH))
    assert (found.value, found.status) == (None, "unavailable")
    assert found.reason.startswith("aesthetics: ")
