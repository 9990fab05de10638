"""The rule `score`: what it says fits the schema and is the same for the same question."""

import json
from typing import Annotated, Any, Literal

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.testing.scoring import score


class Box(pydantic.BaseModel):
    """Something inside something."""

    left: Annotated[int, pydantic.Field(ge=0, lt=1000)]
    share: Annotated[float, pydantic.Field(gt=0, le=1)]
    kind: Literal["text", "picture"]


class Verdict(pydantic.BaseModel):
    """A schema with all that judges ask for, written by pydantic and read by it again."""

    model_config = {"extra": "forbid"}
    level: Literal[0, 1, 2]
    score: Annotated[int, pydantic.Field(ge=1, le=5)]
    tens: Annotated[int, pydantic.Field(ge=-30, le=30, multiple_of=10)]
    likely: Annotated[float, pydantic.Field(ge=0.25, le=0.75)]
    sure: bool
    why: Annotated[str, pydantic.Field(min_length=200, max_length=210)]
    short: Annotated[str, pydantic.Field(max_length=5)]
    maybe: int | None
    boxes: Annotated[list[Box], pydantic.Field(min_length=2, max_length=3)]
    pair: tuple[int, str]


def test_what_is_said_fits_a_schema_written_by_another_library() -> None:
    for number in range(200):
        text = score(f"question {number}", (), Verdict.model_json_schema())
        Verdict.model_validate_json(text, strict=False)


def test_without_a_schema_it_is_a_score_from_1_to_5_and_a_rationale() -> None:
    found = [json.loads(score(f"{n}", (), None)) for n in range(200)]
    assert {each["score"] for each in found} == {1, 2, 3, 4, 5}
    assert all(set(each) == {"score", "rationale"} and each["rationale"] for each in found)


def test_the_same_words_and_pictures_have_the_same_score_and_others_another() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 10**9}}}
    texts = {
        score(prompt, pictures, schema)
        for prompt in ("a", "b")
        for pictures in ((), ("p",), ("q",), ("p", "q"), ("q", "p"), ("pq",))
    }
    assert len(texts) == 12
    assert score("a", ("p",), schema) == score("a", ["p"], schema)


@given(
    low=st.integers(-1000, 1000), span=st.integers(0, 50), prompt=st.text(max_size=20)
)  # fmt: skip
def test_a_number_stays_within_its_bounds(low: int, span: int, prompt: str) -> None:
    for kind in ("integer", "number"):
        shape = {"type": kind, "minimum": low, "maximum": low + span}
        found = json.loads(score(prompt, (), {"properties": {"n": shape}}))["n"]
        assert low <= found <= low + span
        assert kind == "number" or isinstance(found, int)


loose = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from([
            "type", "properties", "items", "enum", "anyOf", "$ref", "const", "minimum", "maximum",
            "multipleOf", "minItems", "maxItems", "minLength", "maxLength", "prefixItems",
            "exclusiveMinimum", "exclusiveMaximum", "required", "object", "array",
        ]) | st.text(max_size=4), inner, max_size=4,
    ),
    max_leaves=20,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(["type", "properties", "items", "$ref", "enum"]), loose))
def test_no_schema_makes_it_raise(schema: dict[str, Any]) -> None:
    json.loads(score("a", (), schema))


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"properties": {"a": {"$ref": "#"}}},
        {"items": {"$ref": "#"}, "minItems": 1000},
        {"properties": {str(n): {"items": {"$ref": "#"}, "minItems": 99} for n in range(99)}},
        {"anyOf": [{"$ref": "#/nowhere"}]},
        {"type": "string", "minLength": 10**9},
        {"type": "integer", "minimum": 5, "maximum": 1},
        {"type": "number", "multipleOf": 0, "minimum": 10**400},
    ],
)
def test_a_schema_without_end_has_a_short_answer(schema: dict[str, Any]) -> None:
    assert len(score("a", (), schema)) < 300_000
