"""Glyphs: letters of a font that is not here are cut off the page, and what it lacks is made."""

import math
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from overpaint.document.layers import Glyph, Style
from overpaint.document.text.adapting import adapt
from overpaint.document.text.bearings import bearings
from overpaint.document.text.cutting import alike, cut, edges_of, letter_ink, lie
from overpaint.document.text.drawing import advance, draw_line
from overpaint.document.text.fonts import Face, Library, here
from overpaint.document.text.glyphs import Line, compose, harvest, pens
from overpaint.document.text.matching import Match, match

PEN = (9.0, 30.0)
LINES = (
    "The annual report covers revenue",
    "from regions and how customers",
    "moved between plans",
)
CHINESE = ("年度报告介绍了收入情况", "并说明客户如何选择方案")


def face_of(family: str) -> Face:
    faces = here().family(family)
    return min(faces, key=lambda face: (face.italic, abs(face.weight - 400)))


def page(words: str, face: Face, style: Style) -> NDArray[np.float32]:
    drawn = draw_line(words, face, style, PEN)
    sheet = np.zeros((50, drawn.alpha.shape[1] + 40), np.float32)
    y, x = math.floor(PEN[1]) + drawn.top, math.floor(PEN[0]) + drawn.left
    sheet[y : y + drawn.alpha.shape[0], x : x + drawn.alpha.shape[1]] = drawn.alpha / 255
    return sheet


@cache
def latin() -> tuple[Line, ...]:
    """Lines in PT Serif, of which only Lora is known."""
    return tuple(_line(words, "PT Serif", "Lora") for words in LINES)


@cache
def chinese() -> tuple[Line, ...]:
    """Lines in Noto Serif SC, of which only Noto Sans SC is known."""
    return tuple(_line(words, "Noto Serif SC", "Noto Sans SC") for words in CHINESE)


def _line(words: str, family: str, known: str) -> Line:
    cover = page(words, face_of(family), Style(size=18.0))
    return words, cover, match(cover, words, Library((face_of(known),)))


def likeness(glyph: Glyph, letter: str, family: str) -> float:
    """How like a letter is to one of that font, wherever between pixels either stands."""
    own = np.asarray(glyph.alpha / 255, np.float32)
    quarters = (0.0, 0.25, 0.5, 0.75)
    drawn = [draw_line(letter, face_of(family), Style(size=18.0), (x, 0.0)) for x in quarters]
    return max(alike(own, np.asarray(one.alpha / 255, np.float32)) for one in drawn)


@pytest.mark.slow
def test_letters_on_the_page_are_cut_as_they_are() -> None:
    glyphs = harvest(latin())
    assert set("Theanulrpotcvsfgidwmb") <= set(glyphs)
    own = [likeness(glyph, letter, "PT Serif") for letter, glyph in glyphs.items()]
    other = [likeness(glyph, letter, "Lora") for letter, glyph in glyphs.items()]
    assert np.median(own) > 0.98
    assert np.mean(np.array(own) > np.array(other)) > 0.9


def test_chinese_letters_are_cut_and_stand_on_their_grid() -> None:
    glyphs = harvest(chinese())
    assert set(glyphs) == set("".join(CHINESE))
    assert all(likeness(g, letter, "Noto Serif SC") > 0.97 for letter, g in glyphs.items())
    style = chinese()[0][2].style
    assert all(g.advance + style.spacing == pytest.approx(18.0, abs=0.1) for g in glyphs.values())


@pytest.mark.slow
def test_cut_letters_take_as_much_room_as_they_did() -> None:
    words, _, found = latin()[0]
    glyphs, style = harvest(latin()), found.style
    own = face_of("PT Serif")
    off = [
        glyphs[a].advance + style.spacing - advance(a, own, Style(size=18.0))
        for a in set(words) - {" "}
    ]
    assert np.median(np.abs(off)) < 0.03 * 18


@pytest.mark.slow
def test_pens_are_found_where_they_stood() -> None:
    for lines, family in ((latin(), "PT Serif"), (chinese(), "Noto Serif SC")):
        words, cover, found = lines[0]
        where = pens(words, cover, found, harvest(lines))
        style = Style(size=18.0)
        true = [PEN[0] + advance(words[:i], face_of(family), style) for i in range(len(words) + 1)]
        assert np.median(np.abs(np.array(where) - true)) < 0.5


def test_a_line_of_cut_letters_lies_on_the_line_they_were_cut_from() -> None:
    words, cover, found = chinese()[0]
    glyphs = compose(words, harvest(chinese()), found)
    sheet = np.zeros_like(cover)
    x = pens(words, cover, found, glyphs)[0]
    for letter in words:
        glyph = glyphs[letter]
        left, top = round(x + glyph.left), round(found.baseline + glyph.top)
        high, wide = glyph.alpha.shape
        part = sheet[top : top + high, left : left + wide]
        np.maximum(part, glyph.alpha[:, : part.shape[1]] / 255, out=part)
        x += glyph.advance + found.style.spacing
    assert np.corrcoef(sheet.ravel(), cover.ravel())[0, 1] > 0.97


def test_letters_the_page_lacks_are_made_as_heavy_and_as_high_as_the_others() -> None:
    glyphs, found = harvest(latin()), latin()[0][2]
    made = compose("Xyz9", glyphs, found)
    assert set(made) == set("Xyz9")
    adapted = adapt(glyphs, found).style
    drawn = [letter_ink(letter, found.face, adapted) for letter in "nopv"]
    ours = sum(float(one[0].sum()) for one in drawn if one)
    theirs = sum(float(glyphs[a].alpha.sum()) / 255 for a in "nopv")
    assert ours == pytest.approx(theirs, rel=0.12)


@pytest.mark.parametrize(("family", "known", "one"), [("PT Serif", "Lora", True),
                                                      ("Lora", "PT Serif", False)])  # fmt: skip
def test_figures_are_of_one_width_where_the_page_has_them_so(
    family: str, known: str, one: bool
) -> None:
    line = _line("since 1926 and 1971", family, known)
    glyphs = compose("since 1926", harvest([line]), line[2])
    wide = [glyphs[figure].advance for figure in "1926"]
    assert (max(wide) - min(wide) < 1e-9) == one


def test_too_few_letters_adapt_nothing() -> None:
    _, _, found = latin()[0]
    assert adapt({}, found).style.size == found.style.size


def test_letters_of_another_size_are_scaled_and_much_larger_ones_left() -> None:
    words, cover, found = latin()[0]
    larger = page("Qzkj quiz jazz", face_of("PT Serif"), Style(size=21.0))
    huge = page("Qzkj quiz jazz", face_of("PT Serif"), Style(size=34.0))
    library = Library((face_of("Lora"),))
    lines = [(words, cover, found)]
    some = harvest([*lines, ("Qzkj quiz jazz", larger, match(larger, "Qzkj quiz jazz", library))])
    none = harvest([*lines, ("Qzkj quiz jazz", huge, match(huge, "Qzkj quiz jazz", library))])
    assert "z" in some
    true = letter_ink("z", face_of("PT Serif"), Style(size=18.0))
    assert true is not None
    assert some["z"].alpha.shape[0] == pytest.approx(true[0].shape[0], abs=1.5)
    assert "z" not in none


def test_nothing_is_cut_of_nothing() -> None:
    words, cover, found = latin()[0]
    assert harvest([]) == {}
    assert cut(words, np.zeros_like(cover), found) == []
    assert lie(words, np.zeros_like(cover), found) == found
    assert bearings([], found, {}) == ({}, {})
    assert len(pens(words, np.zeros_like(cover), found, {})) == len(words) + 1


def test_edges_lie_between_pixels() -> None:
    ink = np.array([[0.0, 0.5, 1.0, 1.0, 0.25, 0.0]], np.float32)
    assert edges_of(ink) == (pytest.approx(1.5), pytest.approx(4 + 1 / 7, abs=0.02))


def test_a_match_guides_whatever_was_read() -> None:
    words, cover, found = latin()[0]
    for said in ("", " ", "?", "words that are not there at all", words * 3, "the\u0301 annual"):
        assert isinstance(harvest([(said, cover, found)]), dict)
        assert isinstance(found, Match)
