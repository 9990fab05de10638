"""Rows of ratings: what is written is read back, what is wrong is told by its line."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.errors import UserMistake
from overpaint.measures.rated import (
    LONGEST,
    Box,
    Rating,
    quoted,
    read_ratings,
    unquoted,
    write_ratings,
)

HEAD = "sample,editor,rater,dimension,value,against,x,y,width,height,seconds,comment\n"
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(
    lambda text: text == text.strip()
)


def read(tmp_path: Path, body: str, head: str = HEAD) -> list[Rating]:
    path = tmp_path / "r.csv"
    path.write_text(head + body, encoding="utf-8")
    return [row._replace(line=0) for row in read_ratings(path)[0]]


def test_values_votes_and_boxes_are_read_side_by_side(tmp_path: Path) -> None:
    body = "s,a,r,quality,4.5,,,,,,3,fine\ns,a,r,better,0.5,b,,,,,,\ns,a,r,box,,,10,20,30,40,,\n"
    value, vote, box = read(tmp_path, body)
    assert value == Rating("s", "a", "r", "quality", 4.5, seconds=3, comment="fine")
    assert vote == Rating("s", "a", "r", "better", 0.5, "b")
    assert box == Rating("s", "a", "r", "box", None, box=Box(10, 20, 30, 40))


@settings(max_examples=60, deadline=None)
@given(names=st.lists(TEXT, min_size=4, max_size=4), value=st.floats(-1e9, 1e9))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], value: float
) -> None:
    sample, editor, rater, dimension = names
    rows = [
        Rating(sample, editor, rater, dimension, value, comment="=cmd()"),
        Rating(sample, editor, rater, "box", None, box=Box(1.25, 0, 98.75, 100)),
        Rating(sample, editor, rater, "better", 0.5, f"{editor}!", seconds=1.5),
    ]
    path = tmp_path_factory.getbasetemp() / "round.csv"
    path.write_text(write_ratings(rows, seconds=True, comments=True), encoding="utf-8")
    assert [row._replace(line=0) for row in read_ratings(path)[0]] == rows


@settings(max_examples=200)
@given(st.text(st.characters(codec="utf-8"), max_size=8) | st.text("='+-@ \t\n\r1", max_size=6))
def test_quoting_is_undone_by_unquoting_and_leaves_no_formula(text: str) -> None:
    assert unquoted(quoted(text)) == text
    assert not quoted(text).lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


def test_no_cell_of_a_written_file_is_a_formula_but_numbers_stay_numbers() -> None:
    rows = [Rating("=1+1", "@x", "-2", "+d", -1.5, comment="\t=HYPERLINK()")]
    text = write_ratings(rows, comments=True)
    cells = next(iter(list(csv.reader(io.StringIO(text)))[1:]))
    assert cells == ["'=1+1", "'@x", "'-2", "'+d", "-1.5", "'\t=HYPERLINK()"]


def test_columns_that_nothing_needs_are_left_out() -> None:
    assert write_ratings([Rating("s", "a", "r", "d", 4.0)]) == (
        "sample,editor,rater,dimension,value\ns,a,r,d,4\n"
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "s,a,r,better,0.7,b,,,,,,",
            "Line 2 of .*0.7 is no vote. A line with `against` has 1, 0.5",
        ),
        ("s,a,r,better,1,a,,,,,,", "a is held against itself"),
        ("s,a,r,box,,,10,20,30,,,", "its box has no height"),
        ("s,a,r,box,3,,10,20,30,40,,", "it has a value and a box"),
        ("s,a,r,box,,b,10,20,30,40,,", "a box is no vote"),
        ("s,a,r,box,,,90,20,30,40,,", "the box 90, 20, 30, 40 is not in the picture"),
        ("s,a,r,box,,,10,20,0,40,,", "is not in the picture"),
        ("s,a,r,q,nan,,,,,,,", "the value 'nan' is no number"),
        ("s,a,r,q,4,,,,,,inf,", "the value 'inf' is no number"),
        (f"{'s' * (LONGEST + 1)},a,r,q,4,,,,,,,", "is too long"),
        ("s,a,r,q,,,,,,,,", "it has no value"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, line: str, told: str) -> None:
    with pytest.raises(UserMistake, match=told) as caught:
        read(tmp_path, line + "\n")
    assert caught.value.todo == "Mend that line and try again."


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_raise_anything_else(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(HEAD.encode() + data)
    try:
        read_ratings(path)
    except UserMistake as error:
        assert str(path) in str(error)


def test_an_empty_file_is_called_empty(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("")
    with pytest.raises(UserMistake, match=r"r\.csv is empty\. Expected are sample"):
        list(read_ratings(tmp_path / "r.csv"))
