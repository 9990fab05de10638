"""Plans: ops to JSON and back; nothing that is no plan gets through."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.document import ops, plan
from overpaint.document.where import Where
from overpaint.errors import UserMistake

EVERY = (
    ops.ReplaceText(Where(text="Friday", nth=2), "Monday"),
    ops.Restyle(Where(role="title"), colour=(1, 2, 3, 255), size=20.5, italic=False, align="right"),
    ops.Move(Where(layer="a"), by=(1.5, -2)),
    ops.Move(Where(text="x"), side="below", of=Where(text="y", side="left", of=Where(text="z"))),
    ops.Rotate(Where(text="x"), 30),
    ops.Scale(Where(text="x"), 2.0),
    ops.Delete(Where(role="row", row="Total")),
    ops.Insert(Where(role="row", row="3"), side="below", what="row", values=("a", "b")),
    ops.Swap(Where(text="a"), Where(text="b")),
    ops.Merge(Where(text="a"), Where(text="b"), "ab"),
    ops.Recolour(Where(role="background"), (0, 0, 0, 0)),
    ops.ReplacePicture(Where(role="logo"), "logo.png"),
    ops.Reorder(Where(layer="x"), "back"),
    ops.Hide(Where(layer="x"), visible=True),
)


def test_every_op_survives_json() -> None:
    assert {type(op) for op in EVERY} == set(ops.OPS)
    assert plan.loads(json.dumps(plan.to_json(EVERY))) == EVERY


def test_a_plan_says_only_what_is_not_usual() -> None:
    assert plan.to_json(EVERY[:1]) == [
        {"op": "replace-text", "where": {"text": "Friday", "nth": 2}, "text": "Monday"}
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "The plan is no JSON"),
        ("[" * 100_000, "The plan is no JSON"),
        ('{"op": "delete"}', "The plan is not a list of ops."),
        ('[{"op": "explode"}]', "op 1 is 'explode'"),
        ("[3]", "op 1 is '3'"),
        ('[{"op": "delete", "what": 1}]', "op 1 has 'what'"),
        (
            '[{"op": "rotate", "degrees": "much"}]',
            "op 1, degrees is 'much'. a number was expected.",
        ),
        ('[{"op": "rotate", "degrees": NaN}]', "op 1, degrees is 'nan'"),
        ('[{"op": "hide", "visible": 1}]', "true or false was expected"),
        ('[{"op": "delete", "where": {"role": "king"}}]', "op 1, where, role is 'king'"),
        ('[{"op": "recolour", "colour": [1, 2]}]', "op 1, colour is '[1, 2]'"),
        ('[{"op": "move", "by": [1]}]', "op 1, by is '[1]'. a list of 2 numbers was expected."),
        ('[{"op": "reorder", "to": "up"}]', "one of front, back, forward, backward was expected."),
        ('[{"op": "insert", "values": "a"}]', "a list of strings was expected."),
        (json.dumps([{"op": "delete"}] * 1001), "The plan has 1,001 ops"),
    ],
)
def test_what_is_no_plan_is_named(text: str, says: str) -> None:
    with pytest.raises(UserMistake) as error:
        plan.loads(text)
    assert says in str(error.value)


def test_a_where_within_a_where_ends_somewhere() -> None:
    nested: dict[str, object] = {"text": "x"}
    for _ in range(50):
        nested = {"of": nested}
    with pytest.raises(UserMistake, match="nested too deeply"):
        plan.from_json([{"op": "delete", "where": nested}])


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda inner: (
    st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["op", "where", "text", "of"]), inner, max_size=3)
)))  # fmt: skip
def test_no_json_makes_the_parser_raise_anything_else(data: object) -> None:
    with contextlib.suppress(UserMistake):
        plan.from_json(data)
