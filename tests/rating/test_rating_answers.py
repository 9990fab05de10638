"""What raters send is taken strictly, each kind of question in its own form."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.errors import DataError
from overpaint.rating.answers import MOST_LETTERS, read_said, read_value
from overpaint.rating.presets import questions_of
from overpaint.rating.study import Question, words

TOLD = words("a", "b")
SLIDER = Question("s", "slider", TOLD, low=1.0, high=5.0)
LEVELS = Question("l", "levels", TOLD, values=(0.0, 1.0, 2.0))
YES = Question("y", "yesno", TOLD)
PAIR = Question("p", "choice", TOLD)
BOX = Question("b", "box", TOLD)
TEXT = Question("t", "text", TOLD, texts=({"id": "1", "text": "as it was", "where": ""},))
ALL = (SLIDER, LEVELS, YES, PAIR, BOX, TEXT)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["left", "tie", "x", "y", "width", "height", "right", "texts", "id"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["x", "y", "width", "height", "right", "texts", "id", "text"]), inner
    ),
    max_leaves=12,
)  # fmt: skip


@given(value=json_values, question=st.sampled_from(ALL))
def test_whatever_is_sent_is_taken_or_refused_with_a_sentence(
    value: Any, question: Question
) -> None:
    try:
        taken = read_value(question, value)
    except DataError as error:
        assert question.name in str(error) or "corrected text" in str(error)
        return
    assert read_value(question, taken) == taken


@pytest.mark.parametrize(
    ("question", "good", "bad"),
    [
        (SLIDER, [1, 5, 3.14], [0.99, 5.01, True, "3", None, float("nan"), float("inf"), 10**400]),
        (LEVELS, [0, 2, 1.0], [0.5, 3, -1, False]),
        (YES, [True, False], [1, 0, "yes", None]),
        (PAIR, ["left", "tie", "right"], ["LEFT", "both", 1, None, ["left"]]),
        (BOX, [{"x": 0, "y": 0, "width": 100, "height": 100}],
         [{"x": 0, "y": 0, "width": 0, "height": 5}, {"x": 90, "y": 0, "width": 11, "height": 5},
          {"x": -1, "y": 0, "width": 5, "height": 5}, {"x": 1, "y": 1, "width": 5}, [1, 2, 3, 4],
          {"x": 1, "y": 1, "width": float("nan"), "height": 5}]),
        (TEXT, [{"right": True}, {"right": False, "texts": [{"id": "1", "text": "new"}]}],
         [{"right": False}, {"right": True, "texts": [{"id": "1", "text": "new"}]},
          {"right": False, "texts": [{"id": "2", "text": "new"}]}, True,
          {"right": False, "texts": [{"id": "1", "text": "x" * (MOST_LETTERS + 1)}]}]),
    ],
    ids=lambda value: value.kind if isinstance(value, Question) else "",
)  # fmt: skip
def test_each_kind_of_question_takes_its_own_answers_only(
    question: Question, good: list[Any], bad: list[Any]
) -> None:
    for value in good:
        read_value(question, value)
    for value in bad:
        with pytest.raises(DataError):
            read_value(question, value)


def test_a_tie_can_be_switched_off() -> None:
    with pytest.raises(DataError, match="left or right"):
        read_value(PAIR, "tie", ties=False)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"answers": {}}, "quality has not been answered"),
        ({"answers": None}, "should be an object"),
        ({"seconds": -1}, "seconds"),
        ({"seconds": "long"}, "seconds"),
        ({"revision": None}, "revision"),
        ({"revision": True}, "revision"),
        ({"comment": 7}, "comment should be a text"),
        ({"comment": "x" * 2001}, "2,001 letters"),
        ({"extra": 1}, "'extra'"),
    ],
)
def test_an_answer_lacks_nothing_and_has_nothing_besides(change: Any, told: str) -> None:
    answers = {"quality": 3, "alignment": 3, "preservation": 3, "done": True}
    good = {"answers": answers, "comment": "", "seconds": 2, "revision": 0}
    asked = questions_of("ebench")
    assert read_said(good, asked, ties=True, comments=True).answers == answers
    with pytest.raises(DataError, match=told):
        read_said(good | change, asked, ties=True, comments=True)


def test_a_comment_keeps_its_words_and_loses_controls() -> None:
    asked = (YES,)
    data = {"answers": {"y": True}, "comment": "a\x00b\u202ec\r\n<b>d", "revision": 0}
    assert read_said(data, asked, ties=True, comments=True).comment == "abc\n<b>d"
    with pytest.raises(DataError, match="no comments"):
        read_said(data, asked, ties=True, comments=False)


@pytest.mark.parametrize(
    "text",
    [
        "10\u00a0000\u202f€", "می\u200cخواهم", "👩\u200d💻", "两\u3000格", "10\u2009%",
        "soft\u00adhyphen", "\u200fעברית", "\U0001fae8", "a\tb\nc",
    ],
)  # fmt: skip
def test_a_corrected_text_keeps_all_its_letters_also_those_that_cannot_be_seen(text: str) -> None:
    said = {"right": False, "texts": [{"id": "1", "text": text}]}
    assert read_value(TEXT, said)["texts"] == [{"id": "1", "text": text}]


def test_a_text_that_was_only_sent_back_is_not_corrected() -> None:
    was = {"id": "1", "text": "one\r\ntwo\x0bthree\u2028four", "where": "page"}
    asked = Question("t", "text", TOLD, texts=(was,))
    for sent in (was["text"], "one\ntwo\x0bthree\u2028four", "one\ntwothree\nfour"):
        said = {"right": True, "texts": [{"id": "1", "text": sent}]}
        assert read_value(asked, said) == {"right": True}


def test_seconds_larger_than_any_float_are_a_day() -> None:
    data = {"answers": {}, "seconds": 10**400, "revision": 0}
    assert read_said(data, (), ties=True, comments=True).seconds == 86_400
