"""Words of a picture that are moved and swapped: whole, never over others, readable or told."""

import numpy as np
import pytest

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Colour, Run, Style, Text
from overpaint.document.ops import Delete, Move, Op, ReplaceText, Swap
from overpaint.document.where import Where
from overpaint.editors.typeset import perform
from overpaint.editors.typeset.reading import read_page
from overpaint.errors import Refused
from overpaint.report.done import sentences

pytestmark = pytest.mark.slow  # each test reads and matches a page

INK: Colour = (30, 40, 60, 255)
WHITE: Colour = (255, 255, 255, 255)


def poster() -> Document:
    """A heading in the middle, three lines of text, and white words on a dark button, 420×260."""
    ground = np.full((260, 420, 4), (250, 247, 240, 255), np.uint8)
    ground[180:230, 30:390] = (30, 60, 110, 255)
    serif = Style("PT Serif", 20, colour=INK)
    sans, button = Style("PT Sans", 24, colour=INK), Style("PT Sans", 22, 700, colour=WHITE)
    lines = (
        ("Saturday in June", sans, 120, 40),
        ("Bread, cheese and honey", serif, 40, 85),
        ("Children enter for free", serif, 40, 115),
        ("Dogs stay in the garden", serif, 40, 145),
        ("Tickets at the door", button, 115, 212),
    )
    words = (Layer(Text((Run(w, s),)), w, w, x, y) for w, s, x, y in lines)
    return Document(made=(Layer(Picture(ground), "ground", "1"), *words), canvas=(420, 260))


FLAT = Document.of(poster().rgb)


def error(one: Document, other: Document) -> float:
    return float(((one.rgb.astype(float) - other.rgb) ** 2).mean())


def test_words_in_two_lines_are_swapped_as_if_each_were_replaced() -> None:
    op = Swap(Where(text="honey"), Where(text="garden"))
    done, right = perform(FLAT, (op,)), op(poster())
    assert error(done, right) < 0.2
    assert error(FLAT, right) > 5


def test_whole_lines_are_swapped_pixel_by_pixel() -> None:
    one, other = "Children enter for free", "Bread, cheese and honey"
    done = perform(FLAT, (Swap(Where(text=one), Where(text=other)),))
    assert (done.rgb[65:95] == FLAT.rgb[95:125]).all()
    assert (done.rgb[95:125] == FLAT.rgb[65:95]).all()


def test_words_replaced_in_several_lines_of_a_paragraph_flow_through_it_once() -> None:
    ground = Layer(Picture(np.full((200, 420, 4), 255, np.uint8)))
    lines = ("The cat sat on the mat all morning", "and another cat came to look at it,",
             "but the mat was far too small.")  # fmt: skip
    style = Style("PT Serif", 20, colour=INK)
    laid = (Layer(Text((Run(w, style),)), w, w, 40, 50 + 30 * n) for n, w in enumerate(lines))
    before = Document.of(Document(made=(ground, *laid), canvas=(420, 200)).rgb)
    done = perform(before, (ReplaceText(Where(text="cat", every=True), "elephant"),))
    page = read_page(done.rgb)
    said = " ".join(page.line(n).text for n in range(len(page)))
    assert said == " ".join(lines).replace("cat", "elephant")


@pytest.mark.parametrize(
    ("op", "says"),
    [
        (Move(Where(text="Tickets at the door"), by=(0, -70)), "“Dogs stay in the garden” is in"),
        (Move(Where(text="Dogs"), by=(30, 0)), "“stay in the garden” is in the way"),
        (Move(Where(text="Dogs"), by=(-45, 0)), "beyond the picture"),
        (Swap(Where(text="Children enter"), Where(text="enter for")), "overlap"),
        (Swap(Where(text="June"), Where(text="Dogs stay in the garden")), "does not fit"),
    ],
)
def test_words_that_would_lie_over_others_are_refused(op: Op, says: str) -> None:
    with pytest.raises(Refused) as refused:
        perform(FLAT, (op,))
    assert says in str(refused.value)


def test_several_lines_that_move_onto_one_another_stay_whole() -> None:
    where = Where(text="Bread, cheese and honey Children enter for free Dogs stay in the garden")
    done = perform(FLAT, (Move(where, by=(0, 6)),))
    assert (done.rgb[75:160] == FLAT.rgb[69:154]).all()


def test_words_that_can_hardly_be_read_where_they_now_stand_are_told_of() -> None:
    note = "the words are hardly readable on their new ground"
    up = perform(FLAT, (Move(Where(text="Tickets at the door"), by=(0, -22)),))
    assert up.notes == (note,)
    white = (FLAT.rgb == 255).all(axis=2)
    assert (up.rgb[150:210][white[172:232]] == 255).all()  # none of them is cut off
    assert not perform(FLAT, (Move(Where(text="Tickets at the door"), by=(0, -8)),)).notes


def test_words_moved_above_others_in_the_middle_stand_in_the_middle_too() -> None:
    ground = Layer(Picture(np.full((260, 420, 4), 255, np.uint8)))
    title, small = (Style("PT Sans", size, colour=INK, align="centre") for size in (44, 22))
    lines = (("Spring Concert", title, 110), ("City Orchestra", small, 160),
             ("Tickets from 9 o'clock", small, 230))  # fmt: skip
    laid = (Layer(Text((Run(w, s),)), w, w, 210, y) for w, s, y in lines)
    before = Document.of(Document(made=(ground, *laid), canvas=(420, 260)).rgb)
    where = Where(text="City Orchestra")
    done = perform(before, (Move(where, side="above", of=Where(text="Spring Concert")),))
    columns = np.flatnonzero((done.rgb[:75] < 128).any(axis=(0, 2)))
    assert abs((columns[0] + columns[-1]) / 2 - 210) < 2


def test_words_that_were_not_quoted_are_told_when_they_are_gone() -> None:
    done = perform(FLAT, (Delete(Where(role="line", nth=2)),))
    assert sentences(done) == ("the second line deleted; it said “Bread, cheese and honey”",)
    quoted = perform(FLAT, (Delete(Where(text="cheese")),))
    assert sentences(quoted) == ("“cheese” deleted",)


def test_of_many_words_that_are_gone_a_few_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overpaint.editors.typeset.hands.MOST_TOLD", 2)
    done = perform(FLAT, (Delete(Where(role="line", every=True)),))
    assert done.notes == ("it said “Saturday in June”, “Bread, cheese and honey” and 3 more",)
