"""Fonts that are not here and letters that a font lacks: what is used instead is told."""

from dataclasses import replace

import numpy as np
import pytest

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Run, Style, Text
from overpaint.document.ops import Insert, Op, ReplaceText, Restyle
from overpaint.document.text.fonts import here
from overpaint.document.where import Where
from overpaint.editors.typeset import perform
from overpaint.editors.typeset.desk import Desk
from overpaint.editors.typeset.printed import adapted
from overpaint.errors import Refused

pytestmark = pytest.mark.slow

FRIDAY = Where(text="Friday")


def page() -> Document:
    ground = np.full((140, 460, 4), 255, np.uint8)
    style = Style("PT Serif", 26, colour=(20, 20, 30, 255))
    words = Layer(Text((Run("Open every Friday at nine", style),)), "when", "2", 40, 70)
    return Document(made=(Layer(Picture(ground), "ground", "1"), words), canvas=(460, 140))


FLAT = Document.of(page().rgb)


@pytest.mark.parametrize(
    ("op", "told"),
    [
        (
            Restyle(FRIDAY, family="Nonesuch Sans"),
            ("now in PT Sans", "Nonesuch Sans is not on this machine; PT Sans is used"),
        ),
        (Restyle(FRIDAY, family="Lato"), ("now in Lato",)),
        (
            ReplaceText(FRIDAY, "周五"),
            ("set in PT Serif, 26 px", "PT Serif has no 周五; Noto Serif SC is used for them"),
        ),
        (ReplaceText(FRIDAY, "Monday"), ("set in PT Serif, 26 px",)),
        (
            Insert(FRIDAY, "周五", side="after"),
            ("set in PT Serif, 26 px", "PT Serif has no 周五; Noto Serif SC is used for them"),
        ),
    ],
    ids=["missing", "here", "Chinese", "plain", "inserted"],
)
def test_a_flat_picture_is_told_of_the_font_that_is_really_used(
    op: Op, told: tuple[str, ...]
) -> None:
    assert perform(FLAT, (op,)).notes == told


def test_letters_that_no_font_has_are_refused() -> None:
    with pytest.raises(Refused, match="No font on this machine has “\U0010fffd”"):
        perform(FLAT, (ReplaceText(FRIDAY, "\U0010fffd day"),))


def test_words_are_of_one_font_where_the_nearest_is_nearly_right_and_letters_are_lacking() -> None:
    desk = Desk(FLAT.rgb, here())
    line = replace(desk.printed(0), exact=False)

    def cut(new: str, likeness: float) -> bool:
        told = replace(line, likeness=likeness)
        return adapted(told, line.words.replace("Friday", new), []).glyphs is not None

    assert cut("Friar", 0.97)  # all of it is on the page
    assert not cut("Monday", 0.97)
    assert cut("Monday", 0.9)
