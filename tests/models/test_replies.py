"""Replies: one JSON object, read strictly, from whatever a model wraps it in."""

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.errors import Unreadable, UserMistake
from overpaint.models import schemas
from overpaint.models.replies import LONGEST, Parsed, parse

SCORE = {"type": "integer", "enum": [0, 1, 2, 3, 4, 5]}
JUDGED = schemas.strict({
    "type": "object",
    "properties": {"rationale": {"type": "string"}, "score": SCORE},
})  # fmt: skip
HALVES = schemas.strict({
    "type": "object",
    "properties": {"score": {"type": "number", "enum": [0, 0.5, 1]}},
})  # fmt: skip
ANY = schemas.strict({
    "type": "object",
    "properties": {"score": {"type": "number", "minimum": 1, "maximum": 5}},
})  # fmt: skip
ASKED = schemas.strict({
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}},
})  # fmt: skip
LINES = schemas.strict({
    "type": "object",
    "properties": {
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "box": {"type": "array", "items": {"type": "integer"}, "maxItems": 4},
                    "sure": {"type": "boolean"},
                },
            },
        }
    },
})  # fmt: skip
GOOD = '{"rationale": "as asked", "score": 4}'


def refused(text: str, schema: Any = JUDGED) -> str:
    with pytest.raises(Unreadable) as caught:
        parse(text, schema)
    assert caught.value.right, "a message says what was expected"
    return str(caught.value)


# ── what is read ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\n\n  {GOOD}\n",
        f"\ufeff{GOOD}",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"Here is my verdict:\n\n```json\n{GOOD}\n```\nI hope this helps!",
        f"<think>It could be {{3}} or 2 {{</think>{GOOD}",
        f'<think>{{"rationale": "a draft", "score": 1}}</think>\n{GOOD}',
        f'<THINKING>so "quoted</THINKING> {GOOD}',
        f'it began before: {{"score": 2}} </think>{GOOD}',
        f"a brace left open {{ in thinking </think>{GOOD}",
        f"<think>a<think>b</think>c</think>{GOOD}",
        f"[THINK]a {{draft: 1}}[/THINK]{GOOD}",
        f"<thought>{{</thought> <reasoning>}}</reasoning>{GOOD}",
        f"{GOOD}\n{GOOD}",
        f"[{GOOD}]",
        f"In the set {{x, y}} it is {GOOD}",
        GOOD.replace(", ", ",\n\t"),
        GOOD.replace(" 4", " 4.0"),
        GOOD.replace('"score"', r'"\u0073core"'),
        '{"score": 4, "rationale": "as asked", "score": 4}',
    ],
)
def test_one_object_is_read_from_its_wrapping(text: str) -> None:
    assert parse(text, JUDGED) == Parsed({"rationale": "as asked", "score": 4})


def test_a_chinese_rationale_is_fine_and_so_are_lines_in_it_and_braces_and_tags() -> None:
    said = '“旧”还在；{新}没有 </think> "}{" \\'
    text = json.dumps({"rationale": said, "score": 2}, ensure_ascii=False)
    assert parse(text, JUDGED).values["rationale"] == said
    broken = '{"rationale": "first line\nsecond line", "score": 2}'
    assert parse(broken, JUDGED).values["rationale"] == "first line\nsecond line"


@pytest.mark.parametrize("said", ['"4"', '"4.0"', '"4/5"', '"4.0/5.0"'])
def test_a_number_in_quotes_or_out_of_the_highest_is_read_with_a_note(said: str) -> None:
    parsed = parse(GOOD.replace("4", said), JUDGED)
    assert parsed.values["score"] == 4
    assert parsed.notes == (f"score came as the text “{said[1:-1]}”",)


def test_keys_nobody_asked_for_are_left_out_with_a_note() -> None:
    parsed = parse('{"rationale": "", "score": 3, "confidence": 0.9}', JUDGED)
    assert parsed == Parsed({"rationale": "", "score": 3}, ("left out of the reply: “confidence”",))


def test_yes_and_no_are_read_in_any_case_and_true_as_yes_with_a_note() -> None:
    assert parse('{"answer": " Yes "}', ASKED) == Parsed({"answer": "yes"})
    assert parse('{"answer": false}', ASKED) == Parsed({"answer": "no"}, ("answer came as false",))


def test_half_levels_and_bounds_are_kept() -> None:
    assert parse('{"score": 0.5}', HALVES).values == {"score": 0.5}
    assert parse('{"score": 3.75}', ANY).values == {"score": 3.75}
    assert "Expected was 0, 0.5 or 1." in refused('{"score": 0.25}', HALVES)
    assert "Expected was a number from 1 to 5." in refused('{"score": 5.01}', ANY)


def test_lists_of_objects_are_read_and_their_faults_told_by_place() -> None:
    good = {"lines": [{"text": "a", "box": [1, 2, 3, 4], "sure": True}] * 2}
    assert parse(json.dumps(good), LINES).values == good
    assert parse('{"lines": []}', LINES).values == {"lines": []}
    for text, said in (
        ('{"lines": {}}', "The reply's lines is an object. Expected was a list."),
        ('{"lines": [{"box": [], "sure": true}]}', "The reply's lines[0] has no 'text'"),
        (
            '{"lines": [{"text": "a", "box": [1.5], "sure": true}]}',
            "The reply's lines[0].box[0] is 1.5. Expected was a whole number.",
        ),
        (
            '{"lines": [{"text": "a", "box": [1, 2, 3, 4, 5], "sure": true}]}',
            "The reply's lines[0].box has 5 items. Expected: 0 to 4.",
        ),
        (
            '{"lines": [{"text": "a", "box": [], "sure": 1}]}',
            "The reply's lines[0].sure is 1. Expected was true or false.",
        ),
    ):
        assert said in refused(text, LINES)


# ── what is not ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The reply is empty."),
        (" \n\t ", "The reply is empty."),
        ("I would give it a 4.", "The reply has no JSON object: “I would give it a 4.”."),
        ("4", "The reply has no JSON object: “4”."),
        ("I can't help with that.", "no JSON object"),
        ("画面保持不变，评分：4", "no JSON object: “画面保持不变，评分：4”"),
        ("｛“评分”：4｝", "written with full-width signs"),
        ('{“rationale”：“好”，“score”：4}', "typographic quotes are no JSON"),
        ('{"理由": "好", "评分": 4}', "has no 'rationale'; its keys are: “理由”, “评分”."),
        ('{"rationale": "cut', "breaks off inside a JSON object: “{\"rationale\": \"cut”."),
        ('{"rationale": "cut", "score": ', "breaks off"),
        (f"{GOOD} and {{", "breaks off"),
        ("<think>it is hard to say", "ends inside its thinking"),
        (f"<think>{GOOD}", "ends inside its thinking"),
        ("<think>done</think>", "no JSON object"),
        (
            f'{GOOD} {GOOD.replace("4", "5")}',
            "holds JSON objects that differ: “{\"rationale\": \"as asked\", \"score\": 4}” and",
        ),
        ('{"score": 1, "rationale": ""} {"score": true, "rationale": ""}', "that differ"),
        ("{'rationale': '', 'score': 4}", "is no JSON: “{'rationale': '', 'score': 4}”"),
        (f"{{'score': 3}} {GOOD}", "is no JSON"),
        ('{"rationale": "", "score": 4,}', "is no JSON"),
        ("{}", "has no 'rationale'; its keys are: none."),
        ('{"rationale": ""}', "has no 'score'; its keys are: “rationale”."),
        ('{"rationale": "", "Score": 4}', "has no 'score'"),
        ('{"rationale": 3, "score": 4}', "The reply's rationale is 3. Expected was a text."),
        ('{"rationale": null, "score": 4}', "The reply's rationale is null."),
        (
            '{"score": 4, "rationale": "", "score": 5}',
            "gives “score” twice, as 4 and as 5. One value was expected.",
        ),
    ],
)  # fmt: skip
def test_what_is_no_reply_is_unreadable_and_says_why(text: str, said: str) -> None:
    assert said in refused(text)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("4.5", "is 4.5. Expected was 0, 1, 2, 3, 4 or 5."),
        ("11", "is 11."),
        ("-1", "is -1."),
        ("true", "is true."),
        ("null", "is null."),
        ("NaN", "“NaN” for a number"),
        ("Infinity", "“Infinity” for a number"),
        ("-Infinity", "“-Infinity” for a number"),
        ("1e999", "“1e999” for a number"),
        ("9" * 5000, "for a number"),
        ("[4]", "is a list."),
        ('{"score": 4}', "is an object."),
        ('"four"', "is “four”."),
        ('"4/10"', "is “4/10”."),
        ('"8/10"', "is “8/10”."),
        ('"11/5"', "is “11/5”."),
        ('"4/5/5"', "is “4/5/5”."),
        ('"4 out of 5"', "is “4 out of 5”."),
        ('"４"', "is “４”."),
        ('"nan"', "is “nan”."),
        ('""', "is “”."),
        ('"4-5"', "is “4-5”."),
        ('"1e0"', "is “1e0”."),
    ],
)
def test_a_number_that_is_no_level_is_unreadable_and_named(value: str, said: str) -> None:
    assert said in refused(f'{{"rationale": "", "score": {value}}}')


def test_an_answer_that_is_neither_yes_nor_no_is_unreadable() -> None:
    for value in ('"maybe"', '"是"', '"yes and no"', "1", "null"):
        said = refused(f'{{"answer": {value}}}', ASKED)
        assert 'Expected was "yes" or "no".' in said


def test_half_letters_do_not_get_through() -> None:
    said = parse(r'{"rationale": "\ud83d alone", "score": 1}', JUDGED).values["rationale"]
    assert said == "\ufffd alone"
    refused("\ud83d").encode()


# ── laws ────────────────────────────────────────────────────────────────────────────────

SOUP = st.text(
    st.one_of(st.sampled_from('{}[]":,\\/<>0123456789.eE+- \nthinkscore'), st.characters()),
    max_size=200,
)
PIECES = st.lists(
    st.sampled_from([
        "{", "}", "[", "]", '"', ":", ",", '"score"', '"rationale"', '"score": 4', '"a"', "4",
        "4.5", "true", "NaN", "1e999", "<think>", "</think>", "```json\n", "```", "\\", "\\u0073",
        "[THINK]", " ", GOOD, '{"score":', "\ud800", "｛", "“",
    ])
).map("".join)  # fmt: skip


@settings(deadline=None)
@given(st.one_of(SOUP, PIECES), st.sampled_from([JUDGED, HALVES, ANY, ASKED, LINES]))
def test_no_text_raises_anything_else_or_gives_what_the_schema_does_not_have(
    text: str, schema: Any
) -> None:
    try:
        values = parse(text, schema).values
    except Unreadable as error:
        str(error).encode()
        return
    said = values.get("score", values.get("answer"))
    allowed = schema["properties"].get("score", schema["properties"].get("answer", {}))
    if "enum" in allowed:
        assert [said] == [
            each for each in allowed["enum"] if type(each) is type(said) and each == said
        ]
    elif said is not None:
        assert 1 <= said <= 5


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@settings(deadline=None)
@given(JSON)
def test_a_score_of_any_json_value_is_one_of_the_levels_or_unreadable(value: Any) -> None:
    try:
        score = parse(json.dumps({"rationale": "", "score": value}), JUDGED).values["score"]
    except Unreadable:
        return
    assert isinstance(score, int)
    assert 0 <= score <= 5
    assert str(score) in str(value)


WRAPPINGS = st.sampled_from([
    "{0}", "```json\n{0}\n```", "```\n{0}\n```", "Sure!\n{0}\nDone.", "[{0}]", "{0}\n\n{0}",
    "<think>hm {{ \" </think>{0}", "hm {{ </think>\n```json\n{0}\n```", "\ufeff{0}\u00a0",
])  # fmt: skip


@settings(deadline=None)
@given(st.text(), st.integers(0, 5), WRAPPINGS, st.booleans(), st.integers(0, 2))
def test_every_verdict_reads_back_from_every_wrapping(
    rationale: str, score: int, wrapping: str, ascii_only: bool, way: int
) -> None:
    said: Any = (score, str(score), f"{score}/5")[way]
    text = json.dumps({"rationale": rationale, "score": said}, ensure_ascii=ascii_only)
    parsed = parse(wrapping.replace("{{", "{").replace("{0}", text), JUDGED)
    assert parsed.values == {"rationale": rationale, "score": score}
    assert bool(parsed.notes) == (way > 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "{" * LONGEST,
        "}" * LONGEST,
        '{"a":' * (LONGEST // 5),
        '{"a":' * 10_000 + "1" + "}" * 10_000,
        '{"rationale": "", "score": ' + "[" * 10_000 + "]" * 10_000 + "}",
        '"' * LONGEST,
        '{"' + '\\"' * (LONGEST // 2 - 1),
        "{" + '\\"' * (LONGEST // 2 - 1),
        "<think>" * (LONGEST // 7),
        "</think>" * (LONGEST // 8),
        "{</think>" * (LONGEST // 9),
        '{"a":1}' * (LONGEST // 7),
        '{"a":"b"} ' * (LONGEST // 20) + '{"a": "' + "x" * (LONGEST // 3),
        "{x}" * (LONGEST // 3),
        '{"a": ' + "9" * (LONGEST - 8) + "}",
        '{"a": "' + "\\u0041" * (LONGEST // 7) + '"}',
        "{" + ",".join(['"a": {"b": [1, 2, 3]}'] * (LONGEST // 30)) + "}",
        "x" * (LONGEST + 1),
    ],
    ids=range(18),
)
def test_a_reply_of_any_length_and_depth_is_unreadable_in_linear_time(text: str) -> None:
    started = time.process_time()
    refused(text)
    assert time.process_time() - started < 3


def test_a_reply_too_long_or_too_deep_says_so() -> None:
    assert "is 500,001 letters long. At most 500,000 are read." in refused("x" * (LONGEST + 1))
    deep = '{"rationale": "", "score": ' + "[" * 10_000 + "]" * 10_000 + "}"
    assert "nested 10,001 deep. At most 64 levels are read." in refused(deep)


# ── schemas ─────────────────────────────────────────────────────────────────────────────


def test_a_schema_is_made_strict_at_every_level() -> None:
    item = LINES["properties"]["lines"]["items"]
    for made in (JUDGED, LINES, item):
        assert made["additionalProperties"] is False
        assert made["required"] == list(made["properties"])


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ([], "no type that is understood"),
        ({"type": "any"}, "no type that is understood"),
        ({"type": ["string", "null"]}, "no type that is understood"),
        (
            {"type": "array", "items": {"type": "string"}},
            "A reply is one object. Put it in one",
        ),
        ({"type": "object"}, "names no properties"),
        ({"type": "object", "properties": {}}, "names no properties"),
        ({"type": "object", "properties": {"a": {"type": "string", "pattern": "x"}}}, "'pattern'"),
        ({"type": "object", "properties": {"a": 3}}, "The schema of a has no type"),
        (
            {"type": "object", "properties": {"a": SCORE}, "additionalProperties": True},
            "allows properties it does not name",
        ),
        ({"type": "object", "properties": {"a": SCORE}, "required": []}, "requires []"),
        ({"type": "object", "properties": {"a": {"type": "array"}}}, "a[] has no type"),
        ({"type": "object", "properties": {"a": {"type": "string", "enum": []}}}, "the enum []"),
        (
            {"type": "object", "properties": {"a": {"type": "string", "enum": ["No", "no"]}}},
            "differ in more than case",
        ),
        ({"type": "object", "properties": {"a": {"type": "integer", "enum": [True]}}}, "the enum"),
        (
            {"type": "object", "properties": {"a": {"type": "number", "minimum": 2, "maximum": 1}}},
            "the bounds [2, 1]",
        ),
        (
            {
                "type": "object",
                "properties": {"a": {"type": "array", "items": SCORE, "maxItems": 0}},
            },
            "the minItems 0, maxItems 0",
        ),
    ],
)
def test_what_is_no_schema_is_a_mistake_and_says_why(schema: Any, said: str) -> None:
    with pytest.raises(UserMistake) as caught:
        schemas.strict(schema)
    assert said in str(caught.value)


def test_a_schema_nested_without_end_is_a_mistake() -> None:
    schema: Any = {"type": "string"}
    for _ in range(50):
        schema = {"type": "object", "properties": {"a": schema}}
    with pytest.raises(UserMistake) as caught:
        schemas.strict(schema)
    assert "too deep. At most 12 objects and lists" in str(caught.value)
    assert caught.value.todo


def test_a_schema_is_shown_as_a_form() -> None:
    assert schemas.form(JUDGED) == '{"rationale": "⟨text⟩", "score": ⟨0, 1, 2, 3, 4 or 5⟩}'
    assert schemas.form(LINES) == (
        '{"lines": [{"text": "⟨text⟩", "box": [⟨a whole number⟩, …], "sure": ⟨true or false⟩}, …]}'
    )


def test_what_is_expected_is_said_in_words() -> None:
    kinds = {
        "a number from 1 to 5": {"type": "number", "minimum": 1, "maximum": 5},
        "a whole number of at least 0": {"type": "integer", "minimum": 0},
        "a number of at most 2": {"type": "number", "maximum": 2},
        '"yes"': {"type": "string", "enum": ["yes"]},
        "an object": {"type": "object"},
    }
    assert {schemas.expected(schema): schema for schema in kinds.values()} == kinds
