"""Words deleted from a line of a picture: the rest closes up, as in any text."""

from dataclasses import replace

import numpy as np
import pytest

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Colour, Run, Style, Text
from overpaint.document.ops import Delete, ReplaceText
from overpaint.document.where import Where
from overpaint.editors.typeset import perform
from overpaint.editors.typeset.closing import without
from overpaint.errors import Refused

pytestmark = pytest.mark.slow  # each test reads and matches a page

INK: Colour = (30, 40, 60, 255)
LINE = Style("PT Serif", 22, colour=INK)


def page(*lines: tuple[str, float, float], style: Style = LINE) -> Document:
    """Lines on plain paper, each with the place of its pen, 440×200."""
    ground = Layer(Picture(np.full((200, 440, 4), (250, 247, 240, 255), np.uint8)), "ground", "0")
    laid = (Layer(Text((Run(w, style),)), w, w, x, y) for w, x, y in lines)
    return Document(made=(ground, *laid), canvas=(440, 200))


def error(one: Document, other: Document) -> float:
    return float(((one.rgb.astype(float) - other.rgb) ** 2).mean())


def deleted(before: Document, words: str, *, every: bool = False) -> Document:
    return perform(Document.of(before.rgb), (Delete(Where(text=words, every=every)),))


ABOVE = ("Everything is cheaper today", 40.0, 60.0)


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("will soon", "The bridge open on Monday."),
        ("on Monday", "The bridge will soon open."),
        ("The bridge", "will soon open on Monday."),
    ],
)
def test_what_follows_deleted_words_on_the_line_moves_up_to_them(words: str, left: str) -> None:
    before = page(ABOVE, ("The bridge will soon open on Monday.", 40, 110))
    assert error(deleted(before, words), page(ABOVE, (left, 40, 110))) < 0.5


def test_a_line_in_the_middle_is_centred_again_when_words_of_it_go() -> None:
    middle = replace(LINE, align="centre")
    rest = ("Monday to Friday", 220.0, 150.0)
    before = page(("Up to half off everything", 220, 80), rest, style=middle)
    after = page(("Up to half everything", 220, 80), rest, style=middle)
    assert error(deleted(before, "off"), after) < 3


def test_words_that_stand_apart_leave_their_place_empty() -> None:
    before = page(ABOVE, ("Total:", 40, 110), ("99.00", 140, 110), ("paid", 240, 110))
    after = page(ABOVE, ("Total:", 40, 110), ("paid", 240, 110))
    assert error(deleted(before, "99.00"), after) < 0.5


def test_a_sentence_deleted_from_a_paragraph_draws_up_the_lines_after_it() -> None:
    lines = ("The cat sat on the mat all day.", "The dog looked at it and was", "sad. So"
             " they shared it at noon,", "and all was well.")  # fmt: skip
    left = ("The cat sat on the mat all day.", "So they shared it at noon, and", "all was well.")
    before = page(*((w, 40, 50 + 32 * n) for n, w in enumerate(lines)))
    after = page(*((w, 40, 50 + 32 * n) for n, w in enumerate(left)))
    assert error(deleted(before, "The dog looked at it and was sad."), after) < 0.5


OLD = ("The cat sat on the mat with old", "bread in it and was content, as",
       "you can see; there was old bread", "on the table for the dog, as well.")  # fmt: skip


def test_words_deleted_twice_from_a_paragraph_once_over_two_lines_are_gone_twice() -> None:
    left = ("The cat sat on the mat with in it", "and was content, as you can see;",
            "there was on the table for the", "dog, as well.")  # fmt: skip
    before, after = (page(*((w, 40, 50 + 32 * n) for n, w in enumerate(ls))) for ls in (OLD, left))
    assert error(deleted(before, "old bread", every=True), after) < 0.5


def test_words_replaced_twice_in_a_paragraph_once_over_two_lines_are_both_new() -> None:
    left = ("The cat sat on the mat with cake", "in it and was content, as you can",
            "see; there was cake", "on the table for the dog, as well.")  # fmt: skip
    before, after = (page(*((w, 40, 50 + 32 * n) for n, w in enumerate(ls))) for ls in (OLD, left))
    op = ReplaceText(Where(text="old bread", every=True), "cake")
    assert error(perform(Document.of(before.rgb), (op,)), after) < 0.5


def test_words_that_leave_a_gap_stay_gone_when_others_of_their_line_go() -> None:
    middle = replace(LINE, align="centre")
    lines = ("We bake cakes and old", "bread and cakes and old bread", "for all who come")
    before = page(*((w, 220, 50 + 32 * n) for n, w in enumerate(lines)), style=middle)
    done = deleted(before, "old bread", every=True)
    with pytest.raises(Refused, match="“bread” was not found"):
        deleted(done, "bread")


@pytest.mark.parametrize(
    ("words", "span", "left"),
    [
        ("one two three", (4, 7), "one three"),
        ("one two, three", (4, 7), "one, three"),
        ("one two.", (4, 7), "one."),
        ("时间：二月十日 晚七点", (3, 7), "时间：晚七点"),
        ("票价180元", (2, 5), "票价元"),
    ],
)
def test_one_space_stays_where_words_were_and_none_before_a_sign(
    words: str, span: tuple[int, int], left: str
) -> None:
    assert without(words, [span]) == left
