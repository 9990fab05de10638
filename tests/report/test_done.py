"""What was done, in sentences: sizes are told as people say them."""

import pytest

from overpaint.document import Document, Layer
from overpaint.document.layers import Run, Style, Text
from overpaint.document.ops import Move, Op, ReplaceText, Restyle
from overpaint.document.where import Where
from overpaint.report.done import sentences

FRIDAY = Where(text="Friday")


@pytest.mark.parametrize(
    ("op", "said"),
    [
        (ReplaceText(FRIDAY, "Monday"), "“Friday” → “Monday”, set in PT Sans, 28.5 px"),
        (Restyle(FRIDAY, size=12.34567), "“Friday” is now 12.3 px, set in PT Sans, 12.3 px"),
        (Move(FRIDAY, by=(3.14159, -2.0)), "“Friday” moved 3.1 px right and 2 px up"),
    ],
)
def test_sizes_are_told_to_a_tenth_of_a_pixel(op: Op, said: str) -> None:
    text = Text((Run("Friday", Style(size=28.5447)),))
    document = Document(canvas=(300, 100), made=(Layer(text, "A", "a", 10, 60),))
    assert sentences(op(document)) == (said,)


@pytest.mark.parametrize(
    ("op", "said"),
    [
        (Restyle(FRIDAY, weight=700), "“Friday” was bold already"),
        (Move(FRIDAY, by=(0.0, 0.0)), "“Friday” moved nowhere: that changes nothing"),
    ],
)
def test_what_changes_nothing_is_not_told_as_new(op: Op, said: str) -> None:
    text = Text((Run("Friday", Style(size=28.0, weight=700)),))
    document = Document(canvas=(300, 100), made=(Layer(text, "A", "a", 10, 60),))
    assert sentences(op(document)) == (said,)
