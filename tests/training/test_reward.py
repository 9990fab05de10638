"""MiLDE's reward: hand-worked cases, and laws that every answer obeys."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.editors.agent.deciding import Decision, read_decision, written
from overpaint.errors import Unreadable
from overpaint.measures.text import bleu4, bleus
from overpaint.training.reward import Reward, Truth, reward, rewards

KEPT = Truth(edit=False)
EDITED = Truth(edit=True, prompt="Make the title red")
KEEP = "<think>no</think><decision>Don't Edit</decision>"
EDIT = "<think>yes</think><decision>Need Edit</decision>"


def edit(prompt: str) -> str:
    return f"{EDIT}<prompt>{prompt}</prompt>"


# Worked out by hand from equations 5 and 6: r_f, r_d, r_p, R.
CASES = {
    "a layer rightly kept": (KEEP, KEPT, 1, 1, 1, 1.0),
    "a layer wrongly kept": (KEEP, EDITED, 1, 0, 0, 1 / 2),
    "a layer wrongly edited": (edit("Make the title red"), KEPT, 1, 0, 0, 1 / 2),
    "the very words of the reference": (edit("Make the title red"), EDITED, 1, 1, 1, 1.0),
    "capitals do not count": (edit("MAKE the Title RED"), EDITED, 1, 1, 1, 1.0),
    "kept, and yet with a prompt": (KEEP + "<prompt>x</prompt>", KEPT, 0, 1, 0, 1 / 3),
    "kept, with an empty prompt": (KEEP + "<prompt></prompt>", KEPT, 0, 1, 0, 1 / 3),
    "wrongly kept, with a prompt": (KEEP + "<prompt>x</prompt>", EDITED, 0, 0, 0, 0.0),
    "edited without saying how": (EDIT, EDITED, 0, 1, 0, 1 / 3),
    "edited with an empty prompt": (edit(" "), EDITED, 0, 1, 0, 1 / 3),
    "wrongly edited without saying how": (EDIT, KEPT, 0, 0, 0, 0.0),
    "nothing at all": ("", KEPT, 0, 0, 0, 0.0),
    "no tags": ("Don't Edit", KEPT, 0, 0, 0, 0.0),
    "another word for the decision": ("<think></think><decision>No</decision>", KEPT, 0, 0, 0, 0),
    "words outside the tags": (KEEP + " Sure.", KEPT, 0, 0, 0, 0.0),
    "the parts in another order": (
        "<decision>Don't Edit</decision><think>no</think>", KEPT, 0, 0, 0, 0.0,
    ),
    "no word in common": (edit("blue"), EDITED, 1, 1, 0, 2 / 3),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_reward_is_what_was_worked_out_by_hand(
    case: tuple[str, Truth, float, float, float, float],
) -> None:
    reply, truth, form, decision, prompt, total = case
    found = reward(reply, truth)
    assert found == Reward(form, decision, prompt)
    assert found.total == pytest.approx(total)


def test_a_prompt_is_worth_its_bleu() -> None:
    # Four words, three of them right: precisions 3/4, 2/3, 1/2, and of 4-grams none of one, which
    # smoothing makes 1/2; no brevity.
    by_hand = math.exp((math.log(3 / 4) + math.log(2 / 3) + math.log(1 / 2) + math.log(1 / 2)) / 4)
    found = reward(edit("make the title blue"), EDITED)
    assert found.prompt == pytest.approx(by_hand)
    assert found.total == pytest.approx((2 + by_hand) / 3)


def test_bleu_of_many_pairs_is_that_of_each() -> None:
    pairs = [
        ("a b c d", "a b c d"),
        ("", "a"),
        ("a", ""),
        ("把标题改成红色", "把标题改成蓝色"),
        ("", ""),
    ]
    assert bleus(*zip(*pairs, strict=True)) == [bleu4(*pair) for pair in pairs]  # type: ignore[arg-type]


def test_rewards_of_none_are_none() -> None:
    assert rewards([], []) == []


def test_answers_and_truths_that_do_not_line_up_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        rewards([KEEP, KEEP], [KEPT])


@given(st.text(), st.booleans(), st.text(min_size=1))
def test_no_text_makes_the_reward_fail_or_leave_its_range(
    reply: str, must: bool, prompt: str
) -> None:
    found = reward(reply, Truth(must, prompt if must else ""))
    assert 0 <= found.total <= 1


@given(
    st.sampled_from([KEEP, EDIT, edit("make it red"), KEEP + "<prompt>x</prompt>", "<think>", ""]),
    st.booleans(),
)
def test_the_form_is_worth_one_exactly_where_the_agent_can_read_it(reply: str, must: bool) -> None:
    try:
        read_decision("1", reply)
        readable = 1.0
    except Unreadable:
        readable = 0.0
    assert reward(reply, Truth(must, "make it red" if must else "")).form == readable


@given(st.lists(st.sampled_from(["make", "the", "title", "red", "sky"]), min_size=1, max_size=9))
def test_the_right_answer_is_worth_one_and_no_other_more(words: list[str]) -> None:
    truth = Truth(True, "make the title red and the sky too")
    right = written(Decision("1", True, truth.prompt, "so"))
    assert reward(edit(" ".join(words)), truth).total <= reward(right, truth).total == 1
