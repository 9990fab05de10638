"""Tables of a picture as things: rows are counted, exchanged and deleted whole."""

import numpy as np
import pytest

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Colour, Run, Style, Text
from overpaint.document.ops import Delete, Move, ReplaceText, Restyle, Swap
from overpaint.document.where import Where
from overpaint.editors.typeset import perform
from overpaint.editors.typeset.locate import find
from overpaint.editors.typeset.reading import read_page
from overpaint.errors import Refused
from overpaint.report.done import sentences

pytestmark = pytest.mark.slow  # each test reads and matches a page

INK: Colour = (20, 20, 30, 255)
ROWS = (("Item", "Count", "Price"), ("Bread", "4", "12.50"), ("Cheese", "2", "35.00"),
        ("Delivery", "1", "15.00"))  # fmt: skip
LEFTS, TOP, HIGH = (40, 200, 300, 420), 60, 40


def invoice(rows: int = len(ROWS), order: tuple[int, ...] = (0, 1, 2, 3)) -> Document:
    """A ruled table over a line of thanks, 460×300."""
    ground = np.full((300, 460, 4), 255, np.uint8)
    bottom = TOP + rows * HIGH
    for n in range(rows + 1):
        ground[TOP + n * HIGH, LEFTS[0] : LEFTS[-1] + 1] = (120, 120, 120, 255)
    for x in LEFTS:
        ground[TOP : bottom + 1, x] = (120, 120, 120, 255)
    style = Style("PT Sans", 18, colour=INK)
    cells = [(words, LEFTS[c] + 8, TOP + r * HIGH + 26)
             for r, n in enumerate(order[:rows]) for c, words in enumerate(ROWS[n])]  # fmt: skip
    lines = (*cells, ("Thank you for your order!", 40, 280))
    laid = (Layer(Text((Run(w, style),)), w, f"{n}", x, y) for n, (w, x, y) in enumerate(lines, 1))
    return Document(made=(Layer(Picture(ground), "ground", "0"), *laid), canvas=(460, 300))


FLAT = Document.of(invoice().rgb)


def letterhead(*cells: tuple[str, str]) -> Document:
    """A ruled table of two columns whose cells have several lines each, 560×300."""
    ground = np.full((300, 560, 4), 255, np.uint8)
    lefts, tops = (30, 280, 530), [40 + 110 * n for n in range(len(cells) + 1)]
    ground[tops, lefts[0] : lefts[-1] + 1] = (120, 120, 120, 255)
    ground[tops[0] : tops[-1] + 1, lefts] = (120, 120, 120, 255)
    style = Style("PT Sans", 18, colour=INK)
    lines = ((words, left + 10, top + 28 + 26 * n)
             for top, row in zip(tops, cells, strict=False)
             for left, cell in zip(lefts, row, strict=False)
             for n, words in enumerate(cell.split("\n")))  # fmt: skip
    laid = (Layer(Text((Run(w, style),)), w, w, x, y) for w, x, y in lines)
    return Document(made=(Layer(Picture(ground), "ground", "0"), *laid), canvas=(560, 300))


ADDRESSES = (("Bill to\nAlma Road 12\nLondon", "Pay to\nIBAN GB00 1234\nwithin two weeks"),
             ("Sent by ship\non Friday", "No returns\nafter May"))  # fmt: skip


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (Where(role="line", text="IBAN"), "Alma Road 12 IBAN GB00 1234"),
        (Where(role="line", nth=5), "on Friday after May"),
    ],
)
def test_of_cells_with_several_lines_those_that_stand_level_are_one_line(
    where: Where, words: str
) -> None:
    page = read_page(letterhead(*ADDRESSES).rgb)
    assert [found.words for found in find(page, where)] == [words]


def test_the_last_row_goes_and_the_table_keeps_its_bottom_rule() -> None:
    done = perform(FLAT, (Delete(Where(role="row", text="Delivery")),))
    assert (done.rgb == invoice(3).rgb).all()


@pytest.mark.parametrize("part", [np.s_[:, LEFTS[0] :], np.s_[: TOP + len(ROWS) * HIGH + 2]])
def test_a_row_goes_from_a_table_at_the_edge_of_the_picture(part: tuple[slice, ...]) -> None:
    done = perform(Document.of(FLAT.rgb[part]), (Delete(Where(role="row", text="Delivery")),))
    assert (done.rgb == invoice(3).rgb[part]).all()


def test_a_column_goes_from_a_table_at_the_top_of_the_picture() -> None:
    column = (Delete(Where(role="column", text="Count")),)
    done = perform(Document.of(FLAT.rgb[TOP:]), column)
    assert (done.rgb == perform(FLAT, column).rgb[TOP:]).all()


def test_words_moved_below_a_table_stand_below_its_last_rule() -> None:
    where, table = Where(text="Thank you for your order!"), Where(role="table")
    done = perform(FLAT, (Move(where, side="below", of=table),))
    bottom = TOP + len(ROWS) * HIGH
    assert (done.rgb[: bottom + 3] == FLAT.rgb[: bottom + 3]).all()
    assert (done.rgb[bottom + 3 : bottom + 30, 40:250] < 100).any()


def test_cells_side_by_side_are_one_line_and_are_exchanged_as_one_row() -> None:
    second, third = (Where(role="line", nth=n) for n in (2, 3))
    done = perform(FLAT, (Swap(second, third),))
    assert (done.rgb == invoice(order=(0, 2, 1, 3)).rgb).all()
    assert sentences(done) == (
        "the second line and the third line exchanged;"
        " they say “Bread 4 12.50” and “Cheese 2 35.00”",
    )


@pytest.mark.parametrize(("told", "says"), [("2", "Bread"), ("-1", "Delivery"), ("4", "Delivery")])
def test_a_row_is_told_by_its_number_though_a_cell_of_another_says_it(told: str, says: str) -> None:
    row = find(read_page(FLAT.rgb), Where(role="row", row=told))[0]
    assert row.words.startswith(says)


def test_rows_are_not_refilled_nor_exchanged_with_what_is_no_row() -> None:
    with pytest.raises(Refused, match="“Bread 4 12.50” stands in 3 cells of a table. Words in one"):
        perform(FLAT, (ReplaceText(Where(role="line", nth=2), "Milk"),))
    with pytest.raises(Refused, match="Words that run over several lines cannot be swapped."):
        perform(FLAT, (Swap(Where(role="line", nth=2), Where(role="line", nth=-1)),))


def test_words_that_wrap_inside_one_cell_are_replaced_there() -> None:
    before, after = letterhead(*ADDRESSES), letterhead(
        ("Bill to\nAlma Road 12\nLondon", "Pay to\nIBAN GB00 5678\nin three weeks"), ADDRESSES[1]
    )  # fmt: skip
    op = ReplaceText(Where(text="1234 within two"), "5678 in three")
    assert error(perform(Document.of(before.rgb), (op,)), after) < 0.5


def test_cells_with_several_lines_are_not_swapped_by_exchanging_their_rows() -> None:
    one, two = (Where(role="cell", row=r, column="2") for r in ("1", "2"))
    with pytest.raises(Refused, match="Words that run over several lines cannot be swapped."):
        perform(Document.of(letterhead(*ADDRESSES).rgb), (Swap(one, two),))
    rows = (Where(role="row", row="1"), Where(role="row", row="2"))
    done = perform(Document.of(letterhead(*ADDRESSES).rgb), (Swap(*rows),))
    assert error(done, letterhead(*ADDRESSES[::-1])) == 0


def error(one: Document, other: Document) -> float:
    return float(((one.rgb.astype(float) - other.rgb) ** 2).mean())


@pytest.mark.parametrize("cut", [TOP - 2, TOP + 1])
def test_rows_of_a_table_at_the_top_of_the_picture_are_exchanged(cut: int) -> None:
    rows = (Where(role="row", row="Item"), Where(role="row", row="Bread"))
    done = perform(Document.of(FLAT.rgb[cut:]), (Swap(*rows),))
    assert (done.rgb == invoice(order=(1, 0, 2, 3)).rgb[cut:]).all()


def test_rows_of_other_heights_are_not_exchanged() -> None:
    low = np.delete(FLAT.rgb, slice(TOP + HIGH + 2, TOP + HIGH + 8), axis=0)
    rows = (Where(role="row", row="Bread"), Where(role="row", row="Cheese"))
    with pytest.raises(Refused, match="The rows are 33 and 39 pixels high. Rows as high as one"):
        perform(Document.of(low), (Swap(*rows),))


def test_words_that_were_not_quoted_are_told_when_they_look_different() -> None:
    done = perform(FLAT, (Restyle(Where(role="line", nth=-1), colour=(200, 0, 0, 255)),))
    assert sentences(done) == ("the last line is now #c80000; it says “Thank you for your order!”",)
