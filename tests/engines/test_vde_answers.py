"""People's answers: hostile until parsed; boxes, and what is pasted back."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vde_made import GOOD

from overpaint.engines.released import in_percent, in_pixels
from overpaint.engines.vde.people import pasted
from overpaint.engines.vde.review import agreement
from overpaint.engines.vde.tasks import Answer, Inbox, Task, parse
from overpaint.errors import DataError
from overpaint.vision.page import Box

# ── hostile answers ─────────────────────────────────────────────────────────────────────────

SHA = "ab" * 32
ODD = {"block_bbox": [0, 0, 5, 5], "block_content": "\ud800"}
PICTURE = {"path": "p.png", "sha256": SHA, "width": 400, "height": 300}


def task_of(kind: str) -> Task:
    return Task(kind, "s", PICTURE, 3)


@pytest.mark.parametrize(
    ("kind", "change", "wrong"),
    [
        ("rate", {"compliance": 4}, "'compliance' should be a whole number from 1 to 3, not 4"),
        ("rate", {"satisfaction": True}, "'satisfaction' should be a whole number"),
        ("rate", {"authenticity": 2.0}, "'authenticity' should be a whole number"),
        ("rate", {"picture": "cd" * 32}, "it is about another picture than rate:s shows"),
        ("rate", {"by": ""}, "'by' should be a text, not ''"),
        ("rate", {"by": "a\x1b[2J"}, "'by' should be at most 80 printable characters"),
        ("box", {"box": [1, 2, 3, 4]}, "'box' should be an object"),
        ("box", {"box": GOOD["box"]["box"] | {"width": 95}}, "within 0 to 100 percent"),
        ("box", {"box": GOOD["box"]["box"] | {"height": 0}}, "the box should have a size"),
        ("box", {"box": GOOD["box"]["box"] | {"x": float("nan")}}, "a number of bearable size"),
        ("box", {"box": GOOD["box"]["box"] | {"original_width": 9}}, "a picture of another width"),
        ("look", {"keep": "yes"}, "'keep' should be true or false, not 'yes'"),
        ("text", {"right": False}, "corrects nothing"),
        ("text", {"right": True, "page": []}, "all is right and corrects it"),
        ("text", {"right": False, "region": [{"block_bbox": [0, 0, 500, 5]}]}, "four corners"),
        ("text", {"right": False, "page": "none"}, "should be a list of at most"),
        ("text", {"right": False, "page": [ODD]}, "odd text"),
    ],
)  # fmt: skip
def test_an_answer_that_cannot_be_taken_says_why(
    kind: str, change: dict[str, Any], wrong: str
) -> None:
    row = {"task": f"{kind}:s", "picture": SHA, "by": "a"} | GOOD[kind] | change
    with pytest.raises(DataError, match=wrong.replace("(", r"\(")):
        parse(task_of(kind), row)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["x", "y", "width", "height", "block_bbox", "block_content"]), inner
        )
    ),
    max_leaves=8,
)
KEYS = ("task", "by", "picture", "note", "compliance", "authenticity", "satisfaction", "box",
        "keep", "right", "page", "region")  # fmt: skip


@given(
    kind=st.sampled_from(["rate", "box", "look", "text"]),
    row=st.dictionaries(st.sampled_from(KEYS), JSON),
    whole=st.booleans(),
)
def test_no_answer_makes_the_parser_raise_anything_else(
    kind: str, row: dict[str, Any], whole: bool
) -> None:
    row = row | ({"by": "a", "picture": SHA} if whole else {})
    try:
        found = parse(task_of(kind), row)
    except DataError as error:
        assert str(error)
    else:
        assert isinstance(found, Answer)


@given(data=st.binary(max_size=200))
@settings(max_examples=50)
def test_no_file_of_answers_makes_the_inbox_raise(
    data: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("inbox") / "answers.jsonl"
    file.write_bytes(data)
    inbox = Inbox(file)
    assert inbox.take(task_of("rate")) == []
    assert all(problem.where.startswith("answers.jsonl, line ") for problem in inbox.leave())


# ── boxes ───────────────────────────────────────────────────────────────────────────────────

BOXES = st.builds(
    lambda x, y, w, h: (x, y, x + w * (100 - x), y + h * (100 - y)),
    st.floats(0, 99), st.floats(0, 99), st.floats(0.01, 1), st.floats(0.01, 1),
)  # fmt: skip


@given(a=BOXES, b=BOXES)
def test_agreement_of_boxes_is_symmetric_and_full_only_for_the_same_box(a: Box, b: Box) -> None:
    assert agreement([a, b]) == pytest.approx(agreement([b, a]))
    assert 0 <= agreement([a, b]) <= 1 + 1e-9
    assert agreement([a, a]) == pytest.approx(1)
    assert agreement([a, a, b]) == pytest.approx((1 + 2 * agreement([a, b])) / 3)


@given(box=BOXES, width=st.integers(10, 3000), height=st.integers(10, 3000))
def test_a_region_holds_its_box_and_survives_percent(box: Box, width: int, height: int) -> None:
    region = in_pixels(box, (width, height))
    left, top, right, bottom = region
    assert 0 <= left < right <= width
    assert 0 <= top < bottom <= height
    assert left <= box[0] * width / 100 + 1e-5
    assert right >= box[2] * width / 100 - 1e-5
    told = in_percent(region, (width, height))
    x, y = told["x"], told["y"]
    again = (x, y, x + told["width"], y + told["height"])
    assert in_pixels(again, (width, height)) == region


@given(seed=st.integers(0, 99), left=st.integers(0, 20), top=st.integers(0, 20))
def test_pasting_back_touches_nothing_outside(seed: int, left: int, top: int) -> None:
    rng = np.random.default_rng(seed)
    page, candidate = rng.integers(0, 256, (2, 30, 40, 3), dtype=np.uint8)
    region = (left, top, left + 10, top + 8)
    made = pasted(page, candidate, region)
    inside = np.zeros((30, 40), bool)
    inside[top : top + 8, left : left + 10] = True
    assert np.array_equal(made[inside], candidate[inside])
    assert np.array_equal(made[~inside], page[~inside])


# ── the decision that fixes them ────────────────────────────────────────────────────────────

DECISION = Path(__file__).parents[2] / "docs" / "decisions" / "008-tasks-and-answers.md"


def test_the_documented_answers_are_taken_and_the_documented_task_is_ours() -> None:
    lines = [line for line in DECISION.read_text(encoding="utf-8").splitlines() if line[:1] == "{"]
    task, *answers = map(json.loads, lines)
    assert len(answers) == 5
    for row in answers:
        kind = row["task"].partition(":")[0]
        assert parse(task_of(kind), row | {"picture": SHA}).by
    ours = Task("box", task["sample"], task["picture"], 3, 2).line(1, is_open=True)
    assert ours["task"] == task["task"]
    assert set(ours) | {"source", "instruction", "instruction type", "language"} == set(task)
