"""What a reasoner says is read strictly: MiLDE's form or nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.editors.agent.deciding import Decision, read_decision, written
from overpaint.errors import Unreadable

WORDS = st.text(st.characters(exclude_characters="<>", exclude_categories=["Cs"]), max_size=40)


def test_a_decision_to_edit_and_one_to_keep_are_read() -> None:
    edit = "<think>It names summer.</think>\n<decision>Need Edit</decision>\n<prompt>go</prompt>\n"
    assert read_decision("7", edit) == Decision("7", True, "go", "It names summer.")
    keep = "<think></think><decision> don’t  edit </decision>"
    assert read_decision("7", keep) == Decision("7", False)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "the tags none"),
        ("Need Edit", "the tags none"),
        ("<think>a</think>", "the tags <think> </think>"),
        ("<decision>Need Edit</decision><prompt>x</prompt>", "the tags"),
        ("<think>a</think><decision>maybe</decision>", "The decision reads “maybe”"),
        ("<think>a</think><decision>Need Edit</decision>", "does not say how"),
        ("<think>a</think><decision>Need Edit</decision><prompt> </prompt>", "does not say how"),
        ("<think>a</think><decision>Don't Edit</decision><prompt>x</prompt>", "to be kept"),
        ("<think>a</think><decision>Don't Edit</decision><prompt></prompt>", "to be kept"),
        ("Sure! <think>a</think><decision>Don't Edit</decision>", "outside its tags"),
        ("<think>a</think> so <decision>Don't Edit</decision>", "outside its tags"),
        ("<think>a</think><decision>Don't Edit</decision> done", "outside its tags"),
        ("<think>a<think>b</think><decision>Don't Edit</decision>", "the tags"),
        (2 * "<think>a</think><decision>Don't Edit</decision>", "the tags"),
    ],
)
def test_whatever_is_off_the_form_cannot_be_read(reply: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        read_decision("1", reply)


@given(st.text(max_size=300))
def test_no_text_makes_the_reader_fail_otherwise(reply: str) -> None:
    try:
        found = read_decision("1", reply)
    except Unreadable:
        return
    assert found.edit is not None


@given(WORDS, WORDS.filter(str.strip), st.booleans())
def test_what_is_written_is_read_again(why: str, prompt: str, edit: bool) -> None:
    decision = Decision("3", edit, prompt.strip() if edit else "", why.strip())
    assert read_decision("3", written(decision)) == decision
