"""Words are found however they were read, and what a reader cannot see makes no difference."""

import time

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from overpaint.document import Document
from overpaint.document.layers import Layer, Run, Style, Text
from overpaint.measures.evidence.live import with_layers
from overpaint.measures.evidence.searching import find
from overpaint.measures.evidence.words import bare, key, near, nearest
from overpaint.vision.page import Line


def line(text: str, top: float = 0, left: float = 0) -> Line:
    return Line((left, top, left + 10 * len(text), top + 20), text, 0.9)


def found(words: str, *lines: Line) -> list[str]:
    return [spot.text for spot in find(lines, words)]


def test_spaces_width_and_signs_make_no_difference_but_those_inside_numbers_do() -> None:
    assert bare("Ｆｒｉ．, 7.50 !") == bare("Fri 7.50") == "Fri7.50"
    assert bare("7,50") != bare("750")


def test_letters_that_look_alike_have_one_key_and_not_one_text() -> None:
    assert key("Hall 10") == key("HaII lO")
    assert bare("Hall 10") != bare("HaII lO")
    assert key("Monday") != key("monday")


def test_words_are_found_within_a_line_and_over_two() -> None:
    assert found("North Sea", line("The North Sea today")) == ["North Sea"]
    two = (line("Maps of the North"), line("Sea and its coast", 24))
    assert found("North Sea", *two) == ["North Sea"]
    assert found("North Sea", two[0], line("Sea", 400)) == []


def test_numbers_and_short_words_are_not_found_inside_others() -> None:
    assert found("6", line("62")) == []
    assert found("or", line("for all")) == []
    assert found("or", line("red or blue")) == ["or"]
    assert found("Renewal", line("Renewal loans")) == ["Renewal"]


def test_a_part_of_a_line_has_its_own_box() -> None:
    (spot,) = find([line("Price 7.50")], "7.50")
    left, top, right, bottom = spot.box
    assert 45 < left < 75
    assert (top, right, bottom) == (0, 100, 20)


def test_differences_that_a_reader_makes_are_told_from_those_it_does_not() -> None:
    assert near("Mondey", "Mondoy")
    assert near("Monda", "Monday")
    assert not near("Monkay", "Monday")


@given(st.text("abc1", min_size=1, max_size=6), st.text("abc1", max_size=12))
def test_the_nearest_part_is_as_near_as_any(words: str, said: str) -> None:
    off, part = nearest(words, said)
    parts = {said[i:j] for i in range(len(said) + 1) for j in range(i, len(said) + 1)}
    assert part in parts
    assert off == Levenshtein.distance(words, part)
    assert off == min(Levenshtein.distance(words, other) for other in parts)


@given(st.text(max_size=40), st.lists(st.text(max_size=20), max_size=5))
def test_no_text_makes_finding_raise(words: str, said: list[str]) -> None:
    lines = [line(text, 24.0 * number) for number, text in enumerate(said)]
    for cased in (True, False):
        for spot in find(lines, words, cased=cased):
            assert key(spot.text).lower() == key(words)[:2000].lower() or not cased


def test_a_page_of_one_letter_is_searched_in_bounded_time() -> None:
    lines = [line("a" * 30, 24.0 * (n // 10), 320.0 * (n % 10)) for n in range(400)]
    start = time.process_time()
    find(lines, "a" * 399 + "b")
    assert time.process_time() - start < 10


def test_a_line_is_spelt_as_the_layer_has_it_where_both_nearly_agree() -> None:
    words = Layer(Text((Run("Monday at seven", Style(size=20)),)), id="1", left=2, top=20)
    document = Document(made=(words,), canvas=(300, 100))
    read = (Line((2, 2, 120, 22), "Mondey at seven", 0.8), Line((2, 60, 90, 80), "Closed", 0.9))
    mine, other = with_layers(document, read)
    assert mine == Line((2, 2, 120, 22), "Monday at seven", 1.0)
    assert other == read[1]
