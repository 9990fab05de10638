"""Scripted: a model without a server says what it is told to and remembers what it was asked."""

import json

import numpy as np
import pytest

from overpaint.document import Document
from overpaint.errors import Refused, UserMistake
from overpaint.models import Model, Reply
from overpaint.testing import Question, Scripted

SCHEMA = {"type": "object", "properties": {"level": {"type": "integer", "enum": [0, 1, 2]}}}


def test_it_gives_its_replies_in_order_and_remembers_the_questions() -> None:
    model: Model = Scripted(["yes", {"score": 4}, Refused("No.")])
    picture = Document.of(np.zeros((4, 4, 3), np.uint8))
    assert model.ask("first", [picture], SCHEMA, turn=1) == Reply("yes")
    assert model.ask("second").text == '{"score": 4}'
    with pytest.raises(Refused, match="No."):
        model.ask("third")
    with pytest.raises(UserMistake, match="has 3 replies; this is question 4"):
        model.ask("fourth")
    assert model.asked[0] == Question("first", (picture,), SCHEMA, 1)
    assert [question.prompt for question in model.asked] == ["first", "second", "third", "fourth"]


def test_it_says_one_text_to_all_or_what_a_function_says() -> None:
    always, echo = Scripted("same"), Scripted(lambda question: question.prompt * 2)
    assert [always.ask(prompt).text for prompt in "abc"] == ["same"] * 3
    assert [echo.ask(prompt).text for prompt in "abc"] == ["aa", "bb", "cc"]


def test_without_replies_it_fills_in_the_schema_by_words_and_pictures() -> None:
    model = Scripted()
    shades = [Document.of(np.full((4, 4, 3), shade, np.uint8)) for shade in range(20)]
    levels = {json.loads(model.ask("?", [shade], SCHEMA).text)["level"] for shade in shades}
    assert levels == {0, 1, 2}
    assert model.ask("?", shades[:1], SCHEMA).text == model.ask("?", shades[:1], SCHEMA).text
