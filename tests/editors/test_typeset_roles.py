"""What people call the parts of a picture, found where shapes stand beside the words."""

from dataclasses import replace

import numpy as np
import pytest

from overpaint.document import Document, Layer, Picture, Pixels
from overpaint.document.layers import Colour, Run, Style, Text
from overpaint.document.render import bounds
from overpaint.document.where import Place, Where
from overpaint.editors.typeset.locate import find
from overpaint.editors.typeset.paragraphs import align_of
from overpaint.editors.typeset.reading import read_page
from overpaint.errors import Refused

INK: Colour = (20, 20, 30, 255)


def form() -> Document:
    """A centred heading over a column of labels, and boxes to tick as high as its letters."""
    ground = np.full((300, 560, 4), (251, 251, 247, 255), np.uint8)
    for left in (40, 240):
        ground[200:225, left : left + 25] = INK
        ground[202:223, left + 2 : left + 23] = (251, 251, 247, 255)
    serif, bold = Style("PT Serif", 22, colour=INK), Style("PT Serif", 30, 700, colour=INK)
    lines = (("Registration Form", bold, 150, 60), ("Name:", serif, 40, 120),
             ("Email:", serif, 40, 160), ("Adult", serif, 76, 220), ("Student", serif, 276, 220),
             ("Return this form before Friday.", serif, 40, 270))  # fmt: skip
    laid = (Layer(Text((Run(w, s),)), w, w, x, y) for w, s, x, y in lines)
    return Document(made=(Layer(Picture(ground), "ground", "1"), *laid), canvas=(560, 300))


def test_a_box_to_tick_does_not_make_its_label_the_title() -> None:
    page = read_page(form().rgb)
    assert find(page, Where(role="title"))[0].words == "Registration Form"


@pytest.mark.slow
def test_a_heading_in_the_middle_is_centred_though_all_below_it_is_not() -> None:
    came = form()
    heading = came.layer("Registration Form")
    left, _, right, _ = bounds(heading) or (0.0, 0.0, 0.0, 0.0)
    middle = replace(heading, left=heading.left + 280 - (left + right) / 2)
    made = tuple(middle if one is heading else one for one in came.layers)
    page = read_page(replace(came, made=made).rgb)
    page.read_all()
    assert align_of(page, page.texts.index("Registration Form")) == "centre"
    assert align_of(page, page.texts.index("Name:")) == "left"


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (Where(role="line", text="IBAN"), "IBAN GB00 1234 5678"),
        (Where(role="line", text="days. IBAN"), "days. IBAN"),  # of two lines
        (Where(role="sentence", text="days"), "Please pay within 14 days."),
        (Where(role="sentence", text="14 days."), "14 days."),  # quoted to its end
        (Where(role="time"), "half past eight"),
    ],
)
def test_words_are_found_by_what_they_stand_in_and_after(where: Where, words: str) -> None:
    lines = (("Alma Road", 40), ("Please pay within 14 days.", 100), ("IBAN GB00 1234 5678", 130),
             ("Time: half past eight", 200))  # fmt: skip
    found = find(read_page(noted(*lines)), where)
    assert found[0].words.replace("\n", " ") == words


@pytest.mark.parametrize(("place", "half"), [("left", 0), ("right", 1)])
def test_of_words_that_stand_in_both_columns_those_on_that_side_are_meant(
    place: Place, half: int
) -> None:
    both = np.hstack([noted(("Alma Road", 40))[:, :280], noted(("Alma Hill", 140))[:, :280]])
    (found,) = find(read_page(both), Where(text="Alma", place=place))
    assert int(found.box[0]) // 280 == half


def test_words_in_the_other_column_are_not_meant() -> None:
    with pytest.raises(Refused, match="“Alma” was not found in the picture where it was said"):
        find(read_page(noted(("Alma Road", 40))), Where(text="Alma", place="right"))


def noted(*lines: tuple[str, int]) -> Pixels:
    """Lines on the left half of white paper, at some heights."""
    ground = Layer(Picture(np.full((240, 560, 4), 255, np.uint8)))
    style = Style("PT Serif", 20, colour=INK)
    laid = (Layer(Text((Run(w, style),)), w, w, 30, y) for w, y in lines)
    return Document(made=(ground, *laid), canvas=(560, 240)).rgb
