"""Layers told in few words: what a small model needs to tell them apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.editors.agent.briefs import brief, colour_word, largest, title_told
from overpaint.vision.layers import Kind, Seen


def layer(kind: Kind, words: str = "", box: tuple[int, int, int, int] = (0, 0, 100, 100),
          covers: float = 1.0, colours: tuple[str, ...] = ("#c82828",)) -> Seen:  # fmt: skip
    return Seen("1", "Layer 1", kind, words, colours, box, "centre", covers, bool(words))


GROUND = layer("decoration")
TITLE = layer("text", "Fish Day", (10, 10, 90, 30), 0.05)
DATE = layer("text", "Friday 21 May\nFish & chips", (10, 40, 90, 60), 0.03)
FRAME = layer("decoration", "", (2, 2, 98, 98), 0.04)
BAND = layer("decoration", "", (0, 80, 100, 95), 0.15)
PHOTO = layer("image", "", (20, 20, 80, 70), 0.3)
SMALL = layer("image", "", (80, 80, 95, 95), 0.02)
ALL = (GROUND, FRAME, BAND, PHOTO, SMALL, TITLE, DATE)


@pytest.mark.parametrize(
    ("which", "told"),
    [
        (GROUND, "decoration, “Layer 1”, whole page, solid, centre, red"),
        (FRAME, "decoration, “Layer 1”, whole page, thin, centre, red"),
        (BAND, "decoration, “Layer 1”, strip, solid, centre, red"),
        (PHOTO, "main picture, “Layer 1”, large, solid, centre, red"),
        (SMALL, "other picture, “Layer 1”, small, filled, centre, red"),
    ],
)
def test_numbers_become_words(which: Seen, told: str) -> None:
    assert brief(which, ALL, "Make it blue") == told


def test_a_text_says_what_the_request_and_the_title_name_of_it() -> None:
    told = brief(DATE, ALL, "Move the FISHES day to 28 May")
    assert told.endswith("the title too says Fish")
    assert "says “Friday 21 May / Fish & chips”, the request names May" in told


def test_a_text_that_the_request_does_not_name_says_so() -> None:
    told = brief(TITLE, ALL, "Make the band blue and not it")
    assert told.startswith("title text, ")
    assert told.endswith("the request names none of it")


def test_the_title_is_the_text_with_the_highest_lines() -> None:
    assert largest(ALL) is TITLE
    assert largest((GROUND, PHOTO)) is None
    assert title_told(DATE, ALL) == "Fish Day"
    assert title_told(TITLE, ALL) == "this layer"
    assert title_told(GROUND, (GROUND,)) == "none"


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("#ffffff", "white"), ("#000000", "black"), ("#808080", "grey"), ("#ff0000", "red"),
        ("#0000ff", "blue"), ("#00aa00", "green"), ("#ffff00", "yellow"), ("#ff8800", "orange"),
        ("#8b4513", "brown"), ("#ffd0f0", "pale pink"), ("#102a5c", "dark blue"),
    ],
)  # fmt: skip
def test_colours_have_the_names_that_people_give_them(code: str, word: str) -> None:
    assert colour_word(code) == word


@given(st.integers(0, 0xFFFFFF), st.text(max_size=40), st.text(max_size=40))
def test_no_colour_and_no_words_make_it_fail(colour: int, words: str, asked: str) -> None:
    one = layer("text", words, colours=(f"#{colour:06x}",))
    assert brief(one, (one, GROUND), asked).startswith(("text", "title text"))


def test_a_layer_without_an_extent_is_told_all_the_same() -> None:
    empty = layer("decoration", "", (0, 0, 0, 0), 0.0, ())
    assert brief(empty, (empty,), "x") == "decoration, “Layer 1”, tiny, thin, centre"
