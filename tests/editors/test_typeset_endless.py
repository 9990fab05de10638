"""Endless words: what cannot fit a picture is refused at once, and not repeated."""

import time

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from overpaint.document import Document
from overpaint.document.layers import Pixels
from overpaint.document.ops import Insert, Op, ReplaceText
from overpaint.document.text.fonts import here
from overpaint.document.where import Where
from overpaint.editors.typeset import perform
from overpaint.editors.typeset.desk import Desk
from overpaint.editors.typeset.paragraphs import fitting, units
from overpaint.errors import Refused

LETTERS = 19_000
SOON = 10.0  # seconds: finding the lines and their fonts takes one or two


def page(*lines: str) -> Pixels:
    """Lines in a font that Pillow brings along and the library does not have."""
    picture = Image.new("RGB", (640, 240), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(28)
    for number, words in enumerate(lines):
        draw.text((40, 40 + 40 * number), words, fill="black", font=font)
    return np.asarray(picture)


ALONE = page("Concert on Friday")
PARAGRAPH = page("Doors open on Friday and", "then there is more to say", "than we can say today.")
ENDLESS = {"one word": "W", "words": "word ", "Chinese": "字", "an emoji": "👨‍👩‍👧‍👦"}


@pytest.mark.slow
@pytest.mark.parametrize("piece", ENDLESS.values(), ids=ENDLESS)
@pytest.mark.parametrize("pixels", [ALONE, PARAGRAPH], ids=["alone", "paragraph"])
@pytest.mark.parametrize("op", [ReplaceText, Insert])
def test_words_without_end_are_refused_at_once_and_not_repeated(
    op: type[Op], pixels: Pixels, piece: str
) -> None:
    began = time.monotonic()
    words = "W" + (piece * LETTERS)[: LETTERS - 1]
    with pytest.raises(Refused) as refused:
        perform(Document.of(pixels), (op(Where(text="Friday"), words),))
    assert time.monotonic() - began < SOON
    assert len(str(refused.value)) < 400


@pytest.mark.slow
def test_a_letter_with_marks_without_end_is_set_at_once() -> None:
    began = time.monotonic()
    perform(Document.of(ALONE), (ReplaceText(Where(text="Friday"), "W" + 19_000 * "\u0301"),))
    assert time.monotonic() - began < SOON


def test_no_letters_are_cut_for_words_that_their_line_could_not_hold() -> None:
    desk = Desk(ALONE, here())
    assert desk.fit_for(0, "Concert on Monday", 500.0).glyphs is not None
    assert desk.fit_for(0, "Concert on " + LETTERS * "W", 500.0).glyphs is None


def test_only_the_words_that_may_fit_are_measured() -> None:
    measured: list[str] = []

    def wide(words: str) -> float:
        measured.append(words)
        return 10.0 * len(words)

    rest = units("ab cde " * 5_000)
    assert fitting(rest, wide, 95.0) == 3
    assert max(map(len, measured)) < 100
    assert fitting(rest, wide, 5.0) == 0
    assert fitting(rest[:1], wide, 95.0) == 1
    assert fitting([], wide, 95.0) == 0
