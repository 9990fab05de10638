"""The OCR bench counts errors the same way however a reader cuts the page into lines."""

import sys
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from overpaint.vision.page import Box, Line

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))  # benches import one another

from ocr_pages import BenchPage, PageLine
from ocr_rows import ANY, Result, Task, Truth, distances, judge, letters, misread

NAME = PageLine("Name of pupil", (10, 10, 140, 24), 14, "Lato", "english")
AGE = PageLine("Age", (200, 10, 230, 24), 14, "Lato", "english")
NEXT = PageLine("Ann Lee", (10, 30, 80, 44), 14, "Lato", "english")
HEAD = PageLine("时间：2018年", (10, 60, 140, 74), 14, "Noto Sans SC", "chinese")
LINES = (NAME, AGE, NEXT, HEAD)


def found(*read: tuple[Box, str], lines: tuple[PageLine, ...] = LINES, **told: object) -> Result:
    page = BenchPage("page", "form", "english", np.zeros((100, 300, 3), np.uint8), lines)
    return judge(Task(page, **told), [Line(box, text) for box, text in read])


def as_printed(*lines: PageLine) -> list[tuple[Box, str]]:
    return [(line.box, line.text) for line in lines]


def test_a_perfect_reading_has_no_errors() -> None:
    assert found(*as_printed(*LINES)) == Result((0, 0, 0, 0), ())


def test_a_row_may_be_cut_or_joined_anywhere_between_words() -> None:
    cut = [((10, 11, 60, 22), "Name of"), ((66, 10, 141, 25), "pupil")]
    joined = [((9, 9, 231, 25), "Name of pupil Age")]
    for row in (cut + as_printed(AGE), joined, [((9, 9, 231, 25), "Name of pupilAge")]):
        assert found(*row, *as_printed(NEXT, HEAD)).errors == (0, 0, 0, 0)


def test_each_error_is_counted_in_its_own_line() -> None:
    joined = ((9, 9, 231, 25), "Nameof pupil Aqe")
    assert found(joined, *as_printed(NEXT, HEAD)).errors == (1, 1, 0, 0)


def test_missing_text_and_text_from_nowhere_are_errors() -> None:
    assert found(*as_printed(NAME, NEXT, HEAD)).errors == (0, 3, 0, 0)
    stray = ((250, 40, 260, 50), "|| x")
    assert found(*as_printed(*LINES), stray).errors == (0, 4, 0, 0)
    assert found(*as_printed(*LINES), stray, complete=False).errors == (0, 0, 0, 0)


def test_spaces_count_in_english_but_not_in_chinese() -> None:
    wide = (HEAD.box, "时间: 2018 年")
    assert found(*as_printed(NAME, AGE), (NEXT.box, "AnnLee"), wide).errors == (0, 0, 1, 0)


def test_bullets_and_lines_to_write_on_are_no_text() -> None:
    bullet, field = ((0, 30, 80, 44), "■ Ann Lee"), ((10, 10, 190, 26), "Name of pupil ______")
    assert found(field, bullet, *as_printed(AGE, HEAD)).errors == (0, 0, 0, 0)


def test_an_upright_line_is_read_downwards() -> None:
    column = PageLine("公司报告", (10, 10, 24, 90), 0, "", "chinese")
    pieces = [((12, 50, 24, 90), "报告"), ((10, 10, 22, 48), "公司")]
    assert found(*pieces, lines=(column,)).errors == (0,)


def test_a_formula_may_be_read_as_anything_but_the_words_around_it_may_not() -> None:
    lines = (
        PageLine("where", (0, 0, 40, 10), 0, "", "english"),
        PageLine("is even", (80, 0, 130, 10), 0, "", "english"),
    )
    for text, errors in (("where x2+1=0 is even", (0, 0)), ("where x² ls evn", (0, 2))):
        read = ((0, 0, 130, 10), text)
        assert found(read, lines=lines, free=((45, 0, 75, 10),)).errors == errors
    assert letters(PageLine(ANY + "Aims", (0, 0, 1, 1), 0, "", "english")) == 4


@given(st.text("ab c", max_size=12), st.text("ab c", min_size=1, max_size=12))
def test_the_number_of_errors_is_the_edit_distance(reading: str, text: str) -> None:
    truth = Truth(text, [0] * len(text), [False] * len(text))
    distance = Levenshtein.distance(reading, text)
    assert distances(reading, truth)[-1, -1] == distance
    assert len(list(misread(reading, truth))) == distance
