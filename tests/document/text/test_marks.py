"""Marks: bullets and numbers stand before the paragraphs of a list."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.document.layers import Run, Style, Text
from overpaint.document.text.marks import counted
from overpaint.document.text.setting import draw_text, lay


@pytest.mark.parametrize(
    ("bullet", "after", "mark"),
    [
        ("1.", 0, "1."), ("1.", 11, "12."), ("(5)", 2, "(7)"), ("3", 1, "4"),
        ("a)", 2, "c)"), ("A.", 26, "AA."), ("a.", 53, "bbb."),
        ("i.", 3, "iv."), ("I)", 8, "IX)"), ("i.", 39, "xl."), ("I.", 1993, "MCMXCIV."),
        ("•", 4, "•"), ("a", 4, "a"), ("o", 4, "o"), ("–", 1, "–"), ("x)", 1, "x)"),
    ],
)  # fmt: skip
def test_paragraphs_are_counted_as_their_list_begins(bullet: str, after: int, mark: str) -> None:
    assert counted(bullet, after) == mark


@given(st.text(max_size=9), st.integers(0, 5000))
def test_no_bullet_makes_a_mark_fail(bullet: str, after: int) -> None:
    assert isinstance(counted(bullet, after), str)


def _marks(*paragraphs: tuple[str, str, float]) -> list[str]:
    """The marks of paragraphs that say something, have a bullet and are indented."""
    runs = [
        Run(f"{words}\n", Style(size=20, bullet=bullet, indent=indent, hang=15))
        for words, bullet, indent in paragraphs
    ]
    lines = lay(Text(tuple(runs), 150.0))
    return ["".join(p.words for p in line.pieces if p.x < line.left) for line in lines]


def test_a_list_goes_on_after_one_inside_it_and_begins_anew_after_another() -> None:
    assert _marks(
        ("Rent", "1.", 0.0), ("Heat", "a)", 30.0), ("Light", "a)", 30.0), ("Wages", "1.", 0.0),
        ("Bonus", "a)", 30.0), ("Note", "", 0.0), ("Taxes", "1.", 0.0), ("", "1.", 0.0),
        ("Fees", "1.", 0.0),
    ) == ["1.", "a)", "b)", "2.", "a)", "", "1.", "", "2.", ""]  # fmt: skip


def test_only_the_first_line_of_a_paragraph_has_its_mark_and_all_are_indented() -> None:
    marks = _marks(("word " * 12 + "end", "•", 40.0))
    assert marks[0] == "•"
    assert len(marks) > 2
    assert not any(marks[1:])
    style = Style(size=20, bullet="•", indent=40.0, hang=15)
    lines = lay(Text((Run("word " * 12, style),), 150.0))
    assert {line.left for line in lines} == {40.0}
    assert all(line.width <= 110 for line in lines)
    assert lines[0].pieces[0].x == 25.0


def test_a_mark_wider_than_its_room_does_not_touch_the_words() -> None:
    style = Style(size=20, bullet="(888)", hang=5)
    plain, _, _ = draw_text(Text((Run("word", Style(size=20)),)))
    listed, left, _ = draw_text(Text((Run("word", style),)))
    assert left < -30
    gap = listed[:, -left - 4 : -left, 3]
    assert not np.any(gap)
    assert listed.shape[1] > plain.shape[1] + 30
