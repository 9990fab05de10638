"""Layout: paragraphs, headings, items and fields as blocks, in the order they are read."""

import time

import numpy as np
import pytest
from drawn_pages import typeset
from hypothesis import given
from hypothesis import strategies as st

from overpaint import weights
from overpaint.core import Evidence
from overpaint.document import Document
from overpaint.errors import Unavailable
from overpaint.vision import layout
from overpaint.vision.joining import joined, tidy
from overpaint.vision.layout import blocks_of, in_order
from overpaint.vision.page import Block, Line

try:
    weights.find("font-sans"), weights.find("font-chinese-sans")
except Unavailable as missing:
    pytest.skip(str(missing), allow_module_level=True)

PARAGRAPH = (
    "The quarterly review of the northern works",
    "found that output rose by twelve percent",
    "while waste fell. Each foreman kept books.",
)


def texts(rows: list[tuple[int, int, str]], shape: tuple[int, int] = (600, 900)) -> list[str]:
    """What the blocks say of a page with those lines."""
    return [block.text for block in blocks_of(*typeset(rows, shape))]


def column(left: int, top: int, lines: tuple[str, ...] = PARAGRAPH) -> list[tuple[int, int, str]]:
    return [(left, top + 22 * i, text) for i, text in enumerate(lines)]


# ── paragraphs ──────────────────────────────────────────────────────────────────────────


def test_lines_at_one_pitch_are_one_paragraph_and_a_gap_begins_another() -> None:
    rows = [*column(40, 40), *column(40, 120)]
    assert texts(rows) == [" ".join(PARAGRAPH)] * 2


def test_a_line_that_ends_before_it_is_full_ends_its_paragraph() -> None:
    rows = column(40, 40, (*PARAGRAPH, "It was so.", *PARAGRAPH))
    assert texts(rows) == [" ".join([*PARAGRAPH, "It was so."]), " ".join(PARAGRAPH)]


def test_an_indent_begins_a_paragraph_in_chinese_even_above_a_last_word() -> None:
    rows = [
        (72, 40, "每位班组长都保留一本账簿并且"),
        (40, 66, "在三月的第一个星期一进行核对了"),
        (40, 92, "吗。"),
    ]
    again = [(x, y + 78, text) for x, y, text in rows]
    whole = "每位班组长都保留一本账簿并且在三月的第一个星期一进行核对了吗。"
    assert texts([*rows, *again]) == [whole, whole]


def test_a_heading_of_another_size_stands_alone() -> None:
    small, lines = typeset(column(40, 90), (300, 600))
    large, heading = typeset([(40, 50, "A heading")], (300, 600), size=26)
    found = blocks_of(np.minimum(small, large), [*heading, *lines])
    assert [block.text for block in found] == ["A heading", " ".join(PARAGRAPH)]


def test_items_and_fields_are_blocks_of_their_own() -> None:
    numbered = (
        "1. Open the valve and wait until the lamp",
        "goes out again.",
        "2. Close the valve.",
    )
    assert texts(column(40, 40, numbered)) == [" ".join(numbered[:2]), numbered[2]]
    fields = (
        "Name: Peter Novak of the upper town",
        "Born: 26 December 1970 in the town",
        "City: G",
    )
    assert texts(column(40, 40, fields)) == list(fields)
    decimals = ("The tent has a height of no less than", "1.7 metres where people stand below it.")
    assert texts(column(40, 40, decimals)) == [" ".join(decimals)]


def test_a_square_before_a_line_makes_it_an_item() -> None:
    rows = column(
        60, 40, ("Open the main valve slowly, twice", "Close the main valve quickly once")
    )
    pixels, lines = typeset(rows, (120, 400))
    assert len(blocks_of(pixels, lines)) == 1
    marked = pixels.copy()
    for top in (46, 68):
        marked[top : top + 5, 45:50] = 0
    assert [block.text for block in blocks_of(marked, lines)] == [text for _, _, text in rows]


def test_hyphens_at_the_end_of_a_line_stay_as_they_stand() -> None:
    rows = column(
        40, 40, ("The quarterly review of the north-", "ern workshops found that all is well")
    )
    assert texts(rows)[0].startswith("The quarterly review of the north- ern")


# ── reading order ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("columns", [2, 3, 4])
def test_columns_are_read_one_after_the_other_below_what_spans_them(columns: int) -> None:
    boxes = [Block((0, 0, columns * 120 - 20, 30), "head")]
    for c in range(columns):
        boxes += [
            Block((c * 120, 40 + 60 * r, c * 120 + 100, 90 + 60 * r), f"{c}{r}") for r in range(3)
        ]
    boxes.append(Block((0, 230, columns * 120 - 20, 250), "foot"))
    wanted = ["head", *(f"{c}{r}" for c in range(columns) for r in range(3)), "foot"]
    shuffled = list(np.random.default_rng(columns).permutation(np.array(boxes, object)))
    assert [block.text for block in in_order(shuffled)] == wanted


BOX = st.tuples(*[st.integers(0, 900)] * 2, *[st.integers(1, 300)] * 2).map(
    lambda b: (float(b[0]), float(b[1]), float(b[0] + b[2]), float(b[1] + b[3]))
)


@given(st.lists(BOX, max_size=30))
def test_ordering_loses_and_doubles_nothing(boxes: list[tuple[float, float, float, float]]) -> None:
    blocks = [Block(box, str(i)) for i, box in enumerate(boxes)]
    assert sorted(in_order(blocks), key=lambda b: int(b.text)) == blocks


@pytest.mark.slow
@given(st.lists(st.tuples(BOX, st.text(min_size=1, max_size=9)), max_size=25))
def test_every_line_is_in_one_block_whatever_the_lines(
    found: list[tuple[tuple[float, float, float, float], str]],
) -> None:
    lines = [Line(box, tidy(text)) for box, text in found if tidy(text)]
    pixels = np.full((300, 300, 3), 255, np.uint8)
    blocks = blocks_of(pixels, lines)
    letters = sorted("".join(line.text for line in lines).replace(" ", ""))
    assert sorted("".join(block.text for block in blocks).replace(" ", "")) == letters


def test_columns_of_letters_are_read_from_the_right() -> None:
    lines = [Line((200 - 40 * i, 20, 222 - 40 * i, 220), text) for i, text in enumerate("甲乙丙")]
    lines = [Line(line.box, line.text * 7) for line in lines]
    (block,) = blocks_of(np.full((300, 300, 3), 255, np.uint8), lines)
    assert block.text == "甲" * 7 + "乙" * 7 + "丙" * 7
    assert block.box == (120, 20, 222, 220)


@pytest.mark.slow
def test_ten_thousand_lines_take_seconds() -> None:
    lines = [
        Line(
            (20.0 + 320 * c, 20.0 + 22 * r, 310.0 + 320 * c, 34.0 + 22 * r), f"Line {c} {r} is here"
        )
        for c in range(5)
        for r in range(2000)
    ]
    started = time.perf_counter()
    found = blocks_of(np.full((60, 60, 3), 255, np.uint8), lines)
    assert sum(block.text.count("Line") for block in found) == 10_000
    assert time.perf_counter() - started < 20


def test_no_lines_no_blocks() -> None:
    for shape in ((0, 9), (1, 1), (300, 300)):
        assert blocks_of(np.zeros((*shape, 3), np.uint8), []) == ()


# ── joining ─────────────────────────────────────────────────────────────────────────────


def test_words_get_a_space_and_chinese_gets_none() -> None:
    assert joined(["two words", " and", "", "three"]) == "two words and three"
    assert joined(["预算", "用于", "1987", "年"]) == "预算用于1987年"
    assert tidy(" 第 3 页 of  nine ") == "第3页of nine"


@given(st.lists(st.text(max_size=6), max_size=8))
def test_joining_keeps_every_letter_in_order(pieces: list[str]) -> None:
    whole = joined(pieces)
    assert "".join(whole.split()) == "".join("".join(pieces).split())


# ── the finding ─────────────────────────────────────────────────────────────────────────


def test_blocks_are_found_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels, _ = typeset(column(40, 40), (140, 440))
    first = Evidence()
    found = layout.blocks(first, Document.of(pixels), "small")
    assert [block.text for block in found] == [" ".join(PARAGRAPH)]
    monkeypatch.setattr(layout, "blocks_of", None)  # so that a second look would fail
    assert layout.blocks(Evidence(first.fresh.get), Document.of(pixels), "small") == found
