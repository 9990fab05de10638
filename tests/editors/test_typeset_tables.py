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


def test_the_last_row_goes_and_the_table_keeps_its_bottom_rule() -> None:
    done = perform(FLAT, (Delete(Where(role="row", text="Delivery")),))
    assert (done.rgb == invoice(3).rgb).all()


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


def test_rows_of_other_heights_are_not_exchanged() -> None:
    low = np.delete(FLAT.rgb, slice(TOP + HIGH + 2, TOP + HIGH + 8), axis=0)
    rows = (Where(role="row", row="Bread"), Where(role="row", row="Cheese"))
    with pytest.raises(Refused, match="The rows are 33 and 39 pixels high. Rows as high as one"):
        perform(Document.of(low), (Swap(*rows),))


def test_words_that_were_not_quoted_are_told_when_they_look_different() -> None:
    done = perform(FLAT, (Restyle(Where(role="line", nth=-1), colour=(200, 0, 0, 255)),))
    assert sentences(done) == ("the last line is now #c80000; it says “Thank you for your order!”",)
