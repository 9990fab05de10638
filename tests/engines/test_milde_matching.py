"""Steps are laid on layers as MiLDE says; rules turn away what is useless whoever wrote it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.engines.milde.matching import ELIGIBLE, Step, joined, matched
from overpaint.engines.milde.records import Described
from overpaint.engines.milde.steps import check_of, wordings
from overpaint.engines.milde.validating import (
    place_faults,
    question_faults,
    request_faults,
    says,
    step_faults,
    word_count,
)
from overpaint.errors import Unreadable
from overpaint.vision.layers import KINDS, Kind, Seen


def layer(name: str, kind: Kind, words: str = "", *, live: bool = True) -> Seen:
    return Seen(name, name, kind, words, (), (0, 0, 10, 10), "top left", 0.1, live)


GROUND, TITLE = layer("ground", "image"), layer("title", "text", "Summer Jazz")
DATE, STAR = layer("date", "text", "12 June"), layer("star", "decoration")
LAYERS = (GROUND, TITLE, DATE, STAR)


def told(step: Step, one: Seen) -> bool:
    """Whether a step names a layer by its id."""
    return one.id in step.text


# ── the matcher ─────────────────────────────────────────────────────────────────────────


def test_a_step_goes_to_the_first_eligible_layer_bottom_up_that_it_applies_to() -> None:
    asked: list[tuple[str, str]] = []

    def applies(step: Step, one: Seen) -> bool:
        asked.append((step.text, one.id))
        return told(step, one)

    steps = [Step("the star", "image"), Step("the date", "text"), Step("the ground", "image")]
    found = matched(steps, LAYERS, applies)
    assert [(one.step.text, one.layer) for one in found.laid] == [
        ("the star", "star"), ("the date", "date"), ("the ground", "ground"),
    ]  # fmt: skip
    assert asked == [
        ("the star", "ground"), ("the star", "star"), ("the date", "title"), ("the date", "date"),
        ("the ground", "ground"),
    ]  # fmt: skip


def test_a_layer_takes_several_steps_joined_in_their_order() -> None:
    steps = [Step("make the title red", "text"), Step("Set the star.", "image"),
             Step("Say the title twice!", "text")]  # fmt: skip
    found = matched(steps, LAYERS, told)
    assert found.instructions(LAYERS) == {
        "title": "make the title red. Say the title twice!", "star": "Set the star.",
    }  # fmt: skip


def test_steps_without_a_layer_are_dropped_with_the_reason() -> None:
    steps = [Step("the star", "text"), Step("the moon", "image")]
    found = matched(steps, LAYERS, told)
    assert [one.reason for one in found.dropped] == [
        "applies to no text layer", "applies to no image or decoration layer",
    ]  # fmt: skip
    (alone,) = matched(steps[:1], [GROUND], told).dropped
    assert alone.reason == "no text layer"


def test_where_a_reply_cannot_be_read_the_layers_above_are_not_tried_instead() -> None:
    def applies(step: Step, one: Seen) -> bool:
        if one is TITLE:
            raise Unreadable("It says “perhaps”.", "yes or no was expected.")
        return True

    found = matched([Step("the date", "text")], LAYERS, applies)
    assert not found.laid
    assert found.dropped[0].reason == "unreadable: It says “perhaps”. yes or no was expected."


def test_a_step_that_quotes_words_which_its_layer_does_not_say_is_dropped() -> None:
    found = matched([Step("Replace 'Rock Night' with 'Jazz'", "text")], LAYERS, lambda *_: True)
    assert found.dropped[0].reason == "quotes words that are not on its layer"


_kinds = st.sampled_from(KINDS)


@given(
    st.lists(st.sampled_from(["text", "image"]), max_size=6),
    st.lists(_kinds, max_size=6),
    st.functions(like=lambda step, one: ..., returns=st.booleans(), pure=True),
)
def test_every_step_is_laid_or_dropped_and_none_on_a_layer_of_another_kind(
    steps: list[Kind], kinds: list[Kind], applies: Callable[[str, str], bool]
) -> None:
    layers = [layer(str(n), kind) for n, kind in enumerate(kinds)]
    asked = [Step(f"step {n}", kind) for n, kind in enumerate(steps)]
    found = matched(asked, layers, lambda step, one: applies(step.text, one.id))
    assert len(found.laid) + len(found.dropped) == len(asked)
    for one in found.laid:
        eligible = [each for each in layers if each.kind in ELIGIBLE[one.step.kind]]
        willing = [each.id for each in eligible if applies(one.step.text, each.id)]
        assert one.layer == willing[0]
    gold = found.instructions(layers)
    assert list(gold) == [each.id for each in layers if each.id in gold]


def test_sentences_are_joined_with_their_ends() -> None:
    assert joined(["one", "two.", "三。"]) == "one. two. 三。"


# ── validators ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "empty"), (" \n", "empty"), ("winter " * 61, "too long"), ("x" * 1300, "too long"),
        ("Winter camp", "too short"), ("Change it please", "names nothing"),
        ("Turn the text layer into snow", "speaks of layers or pixels"),
        ("把图层换成雪景图", "speaks of layers or pixels"),
        ("请修改这个设计的内容", "names nothing"),
        ("Make \u0007it a winter camp", "has odd letters in it"),
    ],
)  # fmt: skip
def test_a_useless_request_is_told_by_its_fault(text: str, fault: str) -> None:
    assert fault in request_faults(text)


def test_requests_that_people_would_make_pass() -> None:
    for text in (
        "Turn the concert poster into one for a history exhibition about the Nile",
        "Make it a winter camp", "把这张海报改成冬季音乐会", "Replace 'layers' with 'coats'",
    ):  # fmt: skip
        assert request_faults(text) == ()


def test_a_useless_step_is_told_by_its_fault() -> None:
    good = "Replace “Summer Jazz” with “Winter Jazz”."
    assert step_faults(good, "text", [], LAYERS) == ()
    assert step_faults("summer jazz → replace", "text", ["Summer jazz: replace!"], LAYERS) == (
        "says what an earlier step says",
    )
    assert step_faults("Replace 'Rock' with 'Jazz'", "text", [], LAYERS) == (
        "quotes words that stand nowhere",
    )
    assert step_faults("Change this", "image", [], LAYERS) == ("names nothing",)
    assert "too long" in step_faults("snow " * 91, "image", [], LAYERS)
    assert place_faults("Replace 'Summer' with 'Winter'", DATE) == (
        "quotes words that are not on its layer",
    )
    assert place_faults("Replace the sign 'Open' with 'Closed'", GROUND) == ()


def test_words_that_were_read_by_ocr_may_be_a_little_off() -> None:
    read = layer("t", "text", "Sumer Jazz Night", live=False)
    assert says(read, "Summer Jazz")
    assert not says(layer("t", "text", "Sumer Jazz Night"), "Summer Jazz")
    assert not says(layer("t", "text", "", live=False), "Summer Jazz")


def test_a_useless_question_is_told_by_its_fault() -> None:
    assert question_faults("Does the title read 'Winter Jazz'?", []) == ()
    assert question_faults("The title reads so.", []) == ("is no question",)
    assert question_faults("Was the title changed from the original?", []) == (
        "speaks of the original or of the edit",
    )
    assert question_faults("Is it red?", ["Is it red ?"]) == ("asks what an earlier question asks",)
    assert "empty" in question_faults("", [])


def test_every_chinese_letter_is_a_word() -> None:
    assert word_count("Don't stop: 3 well-known songs") == 5
    assert word_count("冬季音乐会 2026") == 6


@given(st.text(max_size=300))
def test_no_text_makes_a_validator_raise(text: str) -> None:
    request_faults(text)
    step_faults(text, "text", [text], LAYERS)
    question_faults(text, [])
    assert word_count(text) >= 0


# ── what follows without a model ────────────────────────────────────────────────────────


def test_questions_about_words_can_be_answered_by_reading_where_that_is_sure() -> None:
    def check(words: str, expected: str, about: str = "text") -> object:
        return check_of({"question": words, "expected": expected, "about": about}, "title", LAYERS)

    assert check("Does the title read 'Winter'?", "yes") == {
        "kind": "says", "words": "Winter", "box": [0, 0, 10, 10],
    }  # fmt: skip
    assert check("Does 'Summer' stand anywhere?", "no") == {"kind": "gone", "words": "Summer"}
    assert check("Does 'June' stand in the title?", "no") is None  # it stands below it
    assert check("Are 'a' and 'b' there?", "yes") is None
    assert check("Is the title in quotes?", "yes") is None
    assert check("Is there a 'star'?", "yes", "entity") is None


@pytest.mark.parametrize(
    ("steps", "after"),
    [
        (["Replace 'Summer' with 'Winter'"], {"title": "Winter Jazz"}),
        (["Make the words 'Summer Jazz' red"], {}),
        (["Replace 'Summer' with 'Winter'", "Make the title red"], {}),
    ],
)
def test_what_a_layer_says_afterwards_is_known_where_every_step_tells(
    steps: list[str], after: dict[str, str]
) -> None:
    own = [Step(text, "text") for text in steps]
    found = matched(own, LAYERS, lambda step, one: one is TITLE)
    assert wordings(found, Described(LAYERS, {}, frozenset({"title"}))) == after
    assert wordings(found, Described(LAYERS, {}, frozenset())) == {}
