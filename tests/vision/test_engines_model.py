"""A vision model as an OCR engine: what it is shown, how its reply is read, what is refused."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.core import Evidence
from overpaint.document import Document
from overpaint.errors import Unavailable, Unreachable, Unreadable, UserMistake
from overpaint.measures.reading_model import reader
from overpaint.models import Question, Reply
from overpaint.vision import layout, ocr
from overpaint.vision.engines_model import LONGEST, UNTOLD, Reader

MODEL = "http://localhost:1/v1#tiny"
WIDE, HIGH = 400, 200


class Told:
    """A desk where one thing is said to every question."""

    def __init__(self, said: Any) -> None:
        self.said = said
        self.asked: list[Question] = []
        self.doubts: list[str] = []

    def ask(self, question: Question, /) -> Reply:
        self.asked.append(question)
        if isinstance(self.said, Exception):
            raise self.said
        return Reply(self.said if isinstance(self.said, str) else json.dumps(self.said), key="k")

    def doubt(self, key: str, why: str, /) -> None:
        self.doubts.append(why)


def lines(*said: tuple[str, list[Any]]) -> dict[str, Any]:
    return {"lines": [{"text": text, "box": box} for text, box in said]}


def page() -> Document:
    pixels = np.full((HIGH, WIDE, 3), 255, np.uint8)
    for left in range(45, 155, 10):  # what could be letters
        pixels[42:58, left : left + 5] = 0
    return Document.of(pixels)


def test_boxes_in_thousandths_become_pixels_tight_around_the_ink() -> None:
    desk = Told(lines(("Friday", [100, 190, 400, 310]), ("far", [800, 900, 900, 950])))
    found = ocr.lines(Evidence(desk=desk), page(), reader(MODEL))
    assert [(line.text, line.box) for line in found] == [
        ("Friday", (45.0, 42.0, 150.0, 58.0)), ("far", (320.0, 180.0, 360.0, 190.0)),
    ]  # fmt: skip


def test_nobody_takes_a_line_for_sure_that_a_model_read() -> None:
    (found,) = ocr.lines(Evidence(desk=Told(lines(("a", [0, 0, 9, 9])))), page(), reader(MODEL))
    assert found.confidence == UNTOLD == 0.0


def test_the_page_is_shown_once_for_all_who_ask_and_the_answer_may_be_long() -> None:
    desk = Told(lines(("Friday", [100, 190, 400, 310])))
    evidence, shown = Evidence(desk=desk), page()
    ocr.lines(evidence, shown, reader(MODEL))
    layout.blocks(evidence, shown, reader(MODEL))
    layout.blocks(evidence, shown, reader(MODEL))
    (asked,) = desk.asked
    assert asked.pictures == (shown,)
    assert asked.longest == LONGEST
    assert "thousandths" in asked.prompt
    assert asked.schema == reader(MODEL).schema
    kept = Evidence(dict(evidence.fresh).get)
    assert [block.text for block in layout.blocks(kept, shown, reader(MODEL))] == ["Friday"]


def test_the_version_names_the_model_and_the_wording() -> None:
    assert ocr.version(reader(f"mine={MODEL}")).startswith(f"{MODEL}/2026-11-16.")
    assert repr(reader(MODEL)) == f"Reader(model='{MODEL}', wording='{reader(MODEL).wording}')"


def test_a_page_without_text_has_no_lines() -> None:
    assert ocr.lines(Evidence(desk=Told(lines())), page(), reader(MODEL)) == ()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (lines(("a", [0, 0, 1001, 9])),
         "The reply's lines[0].box[2] is 1001. Expected was a whole number from 0 to 1000."),
        (lines(("a", [-1, 0, 5, 9])), "The reply's lines[0].box[0] is -1."),
        (lines(("a", [0, 0, 9.5, 9])), "The reply's lines[0].box[2] is 9.5."),
        (lines(("a", [0, 0, 9])), "The reply's lines[0].box has 3 items."),
        (lines(("a", [0, 0, 9, 10**40])), "No score is that."),
        (lines(("ok", [0, 0, 9, 9]), ("a", [9, 0, 5, 9])),
         "The reply's lines[1].box is [9, 0, 5, 9]. Expected were left, top, right and bottom,"
         " from the top left corner."),
        (lines(("a", [0, 9, 5, 8])), "The reply's lines[0].box is [0, 9, 5, 8]."),
        ({"lines": [{"text": "a"}]}, "The reply's lines[0] has no 'box'"),
        ({"lines": [{"text": 7, "box": [0, 0, 9, 9]}]}, "The reply's lines[0].text is 7."),
        ("Friday", "The reply has no JSON object: “Friday”."),
    ],
)  # fmt: skip
def test_a_reply_that_is_no_page_is_unreadable_and_doubted(said: Any, told: str) -> None:
    desk = Told(said)
    with pytest.raises(Unreadable) as caught:
        ocr.lines(Evidence(desk=desk), page(), reader(MODEL))
    assert told in str(caught.value)
    assert desk.doubts == [str(caught.value)]


def test_a_server_that_fails_fails_the_reading_by_its_name() -> None:
    with pytest.raises(Unreachable, match="away"):
        ocr.lines(Evidence(desk=Told(Unreachable("away"))), page(), reader(MODEL))


def test_who_cannot_be_asked_or_cannot_see_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        UserMistake, match=r"was to read a page outside of a run\. It needs Evidence\(desk=…\)\."
    ):
        ocr.lines(Evidence(), page(), reader(MODEL))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(Unavailable, match="OPENAI_API_KEY is not set"):
        ocr.lines(Evidence(desk=Told("")), page(), reader("openai/gpt-4o-2024-11-20"))
    with pytest.raises(UserMistake, match=r"Known: small, .*reading:cdm_local:MODEL\.$"):
        ocr.lines(Evidence(), page(), "openai/gpt-4o-2024-11-20")


@given(
    st.lists(
        st.tuples(st.text(max_size=9), st.lists(st.integers(-2, 1002), max_size=5)), max_size=4
    )
)
def test_whatever_boxes_come_the_lines_lie_inside_the_picture_or_are_refused(
    said: list[tuple[str, list[int]]],
) -> None:
    asked = reader(MODEL)
    try:
        found = Reader(MODEL, "", asked.prompt, asked.schema).read(page(), Told(lines(*said)))
    except Unreadable:
        return
    assert len(found) == len(said)
    for left, top, right, bottom in (line.box for line in found):
        assert 0 <= left <= right - 1 <= WIDE - 1
        assert 0 <= top <= bottom - 1 <= HIGH - 1
