"""The quiz: what a model on this machine is worth is found out by asking it."""

from pathlib import Path

import pytest

from overpaint.measures.quiz import QUESTIONS, card, quiz
from overpaint.models import local
from overpaint.models.desk import Desk, Terms
from overpaint.store import Store
from overpaint.store.calls import Calls
from overpaint.testing import FakeServer


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    Store.create(tmp_path / "run").__exit__()
    return Desk(Calls.open(tmp_path / "run"), Terms(retries=0))


def test_a_model_that_says_yes_to_all_is_told_how_often_that_was_right(desk: Desk) -> None:
    with FakeServer({"reply": {"answer": "yes"}}, process=False) as server:
        told = card(f"{server.url}#m", desk)
    rightly = sum(right == "yes" for _, right in QUESTIONS)
    assert f"{rightly} of {len(QUESTIONS)} simple questions answered rightly" in told
    assert told.count("It said yes.") == len(QUESTIONS) - rightly


def test_what_is_said_of_small_models_counts_the_questions_of_the_quiz() -> None:
    assert f"of the {len(QUESTIONS)} simple questions" in (local.__doc__ or "")
    assert f"guessing gets {len(QUESTIONS) // 2}" in (local.__doc__ or "")


def test_no_answer_is_not_right_and_no_model_is_no_card(desk: Desk) -> None:
    with FakeServer({"reply": "who knows"}, process=False) as server:
        found = list(quiz(f"{server.url}#m", desk))
    assert not any(one.passed for one in found)
    assert {one.said for one in found} == {"nothing that could be read"}
    assert "could not be tried" in card("http://127.0.0.1:9/v1#m", desk)
