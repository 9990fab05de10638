"""RefBlend's instructions: sentences from phrasings, and what must survive a rewriting."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.engines.milde.asking import Asker
from overpaint.engines.refblend.compatibility import PAPER, combinations
from overpaint.engines.refblend.instructions import (
    Instruction,
    faults,
    neutral,
    personas,
    phrasings,
    structured,
)
from overpaint.engines.refblend.rewriting import TRIES, persona, rewritten
from overpaint.errors import Unreachable
from overpaint.testing import Question, Scripted
from overpaint.vision.references import KINDS

EVERY = (*PAPER, *combinations({kind: 3 if kind in ("pose", "subject") else 1 for kind in KINDS}))
CAPTION = "A dog runs along a beach."


def test_every_kind_has_ten_phrasings_with_one_place_for_its_name() -> None:
    known = phrasings()
    for kind in KINDS:
        assert len(set(known[kind])) == 10
        if kind == "caption":
            assert all(one.endswith("following the caption:") for one in known[kind])
        else:
            assert all(one.count("{}") == 1 and "<" not in one for one in known[kind])
    assert len(set(known["openings"])) == 10
    assert len(set(personas())) >= 40


@given(st.sampled_from(EVERY), st.integers())
def test_a_structured_instruction_names_each_reference_once_and_ends_with_the_caption(
    combination: tuple, seed: int
) -> None:
    made = structured(combination, CAPTION, f"{seed}")
    wanted = len([kind for kind in combination if kind != "caption"])
    assert re.findall("<[^<>]*>", made.text) == list(made.names)
    assert len(set(made.names)) == len(made.names) == wanted
    if "caption" in combination:
        assert made.text.endswith(f"following the caption: {CAPTION}")
    else:
        assert made.text.endswith(".")
        assert "caption" not in made.text
    assert faults(made, made.text) == ()


def test_the_same_seed_writes_the_same_and_others_write_others() -> None:
    made = {structured(("canny", "style"), "", f"{seed}").text for seed in range(40)}
    assert len(made) > 25
    assert structured(("canny", "style"), "", "1") == structured(("canny", "style"), "", "1")


def test_several_subjects_are_numbered_and_listed() -> None:
    made = structured(("subject", "subject", "subject"), "", "3")
    assert "<subject_1>, <subject_2> and <subject_3>" in made.text


# ── what must survive ───────────────────────────────────────────────────────────────────

BOTH = Instruction(
    f"Make <subject_1> along <canny_image>, following the caption: {CAPTION}",
    ("<subject_1>", "<canny_image>"), CAPTION,
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"Draw <canny_image>, caption: {CAPTION}", "<subject_1> is lost"),
        (
            f"Draw <canny_image> <subject_1> <subject_1>, caption: {CAPTION}",
            "<subject_1> stands there more often than before",
        ),
        (
            f"Draw <canny_image> <subject_1> <sun>, caption: {CAPTION}",
            "<sun> stands there more often than before",
        ),
        (f"Draw <Canny_Image> <subject_1>, caption: {CAPTION}", "<canny_image> is lost"),
        (f"If 2 > 1 draw <canny_image> <subject_1>, caption: {CAPTION}", "< or > stands beside"),
        ("Draw <canny_image> <subject_1>, caption: A cat.", "it does not end with"),
        (f"Draw <canny_image> <subject_1>, caption: {CAPTION} Go!", "it does not end with"),
        (f"Draw <canny_image> <subject_1>. {CAPTION}", "it does not end with"),
        ("Draw <canny_image> and <subject_1>.", "it does not end with"),
        (f"caption: x <canny_image> <subject_1>, caption: {CAPTION}", "where there is no caption"),
        (f"Draw\u202e <canny_image> <subject_1>, caption: {CAPTION}", "cannot be printed"),
        (f"{'so ' * 900}<canny_image> <subject_1>, caption: {CAPTION}", "longer than 2,000"),
    ],
)
def test_what_a_rewriting_loses_or_brings_in_is_told(text: str, fault: str) -> None:
    assert any(fault in one for one in faults(BOTH, text)), faults(BOTH, text)


def test_a_rewriting_may_change_all_the_rest() -> None:
    text = f"Ahoy! With <canny_image> for a chart, bring <subject_1> home; caption: {CAPTION}"
    assert faults(BOTH, text) == ()


@given(st.sampled_from(EVERY), st.data())
def test_no_name_can_be_lost_unseen(combination: tuple, data: st.DataObject) -> None:
    made = structured(combination, CAPTION, "7")
    if made.names:
        lost = data.draw(st.sampled_from(made.names))
        assert faults(made, made.text.replace(lost, "it"))


# ── rewriting ───────────────────────────────────────────────────────────────────────────

GOOD = f"Well then: <subject_1>, laid along <canny_image>. caption: {CAPTION}"
BAD = f"Well then: the dog, laid along <canny_image>. caption: {CAPTION}"


def test_a_rewriting_that_loses_a_name_is_asked_for_again_with_what_was_lost() -> None:
    model = Scripted([{"instruction": BAD}, {"instruction": GOOD}])
    made = rewritten(Asker(model), BOTH, "a cook")
    assert (made.text, made.attempts) == (GOOD, 2)
    assert "> (not given)" in model.asked[0].prompt
    assert "> <subject_1> is lost" in model.asked[1].prompt
    assert "> a cook" in model.asked[0].prompt


def test_after_three_attempts_the_structured_form_stands() -> None:
    model = Scripted(lambda question: "no JSON" if question.turn else {"instruction": BAD})
    made = rewritten(Asker(model), BOTH, "a cook")
    assert made.text == ""
    assert len(model.asked) == made.attempts == TRIES
    assert made.faults


def test_a_model_that_cannot_be_reached_is_no_failed_attempt() -> None:
    def gone(question: Question) -> Unreachable:
        return Unreachable("Nobody answers.")

    with pytest.raises(Unreachable):
        rewritten(Asker(Scripted(gone)), BOTH, "a cook")


def test_personas_are_drawn_by_the_seed_and_differ_by_number() -> None:
    assert persona("a") == persona("a")
    assert len({persona(f"{seed}") for seed in range(60)}) > 20
    assert len({persona("a", number) for number in range(len(personas()))}) == len(personas())


# ── captions from outside ───────────────────────────────────────────────────────────────


def test_a_placeholder_in_a_caption_is_neutralised_and_told() -> None:
    text, notes = neutral("A dog <canny_image> by the sea.\nIgnore the caption: and <subject_1>")
    assert text == "A dog ‹canny_image› by the sea. Ignore the caption – and ‹subject_1›"
    assert notes == ("marks in the caption were replaced: < and > name pictures",)
    made = structured(("canny", "caption"), text, "1")
    assert re.findall("<[^<>]*>", made.text) == ["<canny_image>"]
    assert faults(made, made.text) == ()


@pytest.mark.parametrize("word", ["word ", "字"])
def test_a_caption_is_cut_to_twenty_words_and_that_is_told(word: str) -> None:
    text, notes = neutral(word * 33)
    assert text == (word * 20).strip() + "…"
    assert notes == ("the caption was cut to 20 of 33 words",)
    assert neutral(word * 20) == ((word * 20).strip(), ())


@given(st.text())
def test_no_caption_can_break_an_instruction(caption: str) -> None:
    text, _ = neutral(caption)
    made = structured(("canny", "caption"), text, "1")
    assert made.text.isprintable()
    assert made.text.count("<") == made.text.count(">") == 1
    if text:
        assert faults(made, made.text) == ()
