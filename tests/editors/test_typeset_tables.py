"""Tables of a picture as things: their last row goes but not their frame, words go below them."""

import numpy as np

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Colour, Run, Style, Text
from overpaint.document.ops import Delete, Move
from overpaint.document.where import Where
from overpaint.editors.typeset import perform

INK: Colour = (20, 20, 30, 255)
ROWS = (("Item", "Count", "Price"), ("Bread", "4", "12.50"), ("Cheese", "2", "35.00"),
        ("Delivery", "1", "15.00"))  # fmt: skip
LEFTS, TOP, HIGH = (40, 200, 300, 420), 60, 40


def invoice(rows: int = len(ROWS)) -> Document:
    """A ruled table over a line of thanks, 460×300."""
    ground = np.full((300, 460, 4), 255, np.uint8)
    bottom = TOP + rows * HIGH
    for n in range(rows + 1):
        ground[TOP + n * HIGH, LEFTS[0] : LEFTS[-1] + 1] = (120, 120, 120, 255)
    for x in LEFTS:
        ground[TOP : bottom + 1, x] = (120, 120, 120, 255)
    style = Style("PT Sans", 18, colour=INK)
    cells = [(words, LEFTS[c] + 8, TOP + r * HIGH + 26)
             for r, row in enumerate(ROWS[:rows]) for c, words in enumerate(row)]  # fmt: skip
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
