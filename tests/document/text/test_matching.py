"""Matching: lines drawn in a known font are found in it, at their size and to the pixel."""

import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from overpaint.document.layers import Edges, Style
from overpaint.document.text.drawing import draw_line
from overpaint.document.text.fonts import Face, Library, here
from overpaint.document.text.matching import able, match
from overpaint.document.text.naming import native
from overpaint.errors import Refused

FAMILIES = ("PT Sans", "Open Sans", "Lora", "PT Serif", "EB Garamond", "Roboto Slab",
            "Noto Sans SC", "Noto Serif SC")  # fmt: skip
PEN = (9.25, 40.0)


@cache
def library() -> Library:
    return Library(tuple(face for name in FAMILIES for face in here().family(name)))


def face_of(family: str, weight: int = 400) -> Face:
    faces = [face for face in library().family(family) if not face.italic]
    return min(faces, key=lambda face: abs(face.weight - weight))


def page(words: str, face: Face, style: Style) -> NDArray[np.float32]:
    """How far a line covers a page with some room around it."""
    drawn = draw_line(words, face, style, PEN)
    sheet = np.zeros((70, drawn.alpha.shape[1] + 30), np.float32)
    y, x = math.floor(PEN[1]) + drawn.top, math.floor(PEN[0]) + drawn.left
    high, wide = drawn.alpha.shape
    sheet[y : y + high, x : x + wide] = drawn.alpha / np.float32(255)
    return sheet


def worn(cover: NDArray[np.float32], seed: int = 0) -> NDArray[np.float32]:
    """The page shrunk, blurred, with noise, and kept as a JPEG."""
    grey = cv2.resize(230 - 200 * cover, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(grey, (0, 0), 0.6)
    grey = grey + np.random.default_rng(seed).normal(0, 4, grey.shape)
    coded = cv2.imencode(".jpg", np.clip(grey, 0, 255).astype(np.uint8), [1, 75])[1]
    back = cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE).astype(np.float32)
    return np.clip((230 - back) / 200, 0, 1).astype(np.float32)


@pytest.mark.parametrize(
    ("words", "family", "weight", "size"),
    [
        ("Quarterly revenue rose by 12% in Lisbon", "Open Sans", 400, 13.0),
        ("Total amount due", "Roboto Slab", 700, 17.0),
        ("第三季度在上海新设了办事处", "Noto Sans SC", 400, 16.0),
        ("收入增长 12%，成本下降", "Noto Serif SC", 400, 20.0),
    ],
)
def test_a_line_is_found_in_its_font_at_its_size_and_place(
    words: str, family: str, weight: int, size: float
) -> None:
    face = face_of(family, weight)
    found = match(page(words, face, Style(size=size)), words, library())
    assert (found.face.family, found.face.weight) == (family, face.weight)
    assert found.style.size == size
    assert (found.left, found.baseline) == (pytest.approx(PEN[0], abs=0.26), PEN[1])
    assert found.exact
    assert found.likeness > 0.999
    assert found.ranked[0][0] == family


@pytest.mark.slow
def test_spaces_that_were_widened_are_measured() -> None:
    words, style = "words in a justified line", Style(size=16.0, gap=4.2)
    found = match(page(words, face_of("Lora"), style), words, library())
    assert found.face.family == "Lora"
    assert found.style.size == pytest.approx(16.0, abs=0.1)
    assert found.style.gap == pytest.approx(4.2, abs=0.3)


@pytest.mark.slow
def test_letters_that_are_spaced_out_are_measured() -> None:
    style = Style(size=20.0, spacing=2.0)
    found = match(page("GRAND OPENING", face_of("PT Sans", 700), style), "GRAND OPENING", library())
    assert found.face.family == "PT Sans"
    assert found.style.size == pytest.approx(20.0, abs=0.2)
    assert found.style.spacing == pytest.approx(2.0, abs=0.15)


@pytest.mark.slow
def test_a_worn_scan_is_found_in_its_font() -> None:
    words = "Please contact Jane before Friday"
    found = match(worn(page(words, face_of("PT Serif"), Style(size=20.0))), words, library())
    assert found.face.family == "PT Serif"
    assert found.style.size == pytest.approx(15.0, abs=0.15)
    assert found.style.blur > 0.2


@pytest.mark.slow
def test_a_font_that_is_missing_is_not_taken_for_another() -> None:
    words = "Quarterly revenue rose in Lisbon"
    cover = page(words, face_of("EB Garamond"), Style(size=18.0))
    found = match(cover, words, library().without("EB Garamond"))
    assert found.face.family != "EB Garamond"
    assert not found.exact


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "weight", "edges"),
    [("Open Sans", 300, "hinted"), ("Roboto Slab", 900, "fine"), ("Lora", 600, "plain")],
)
def test_every_weight_of_a_family_is_told(family: str, weight: int, edges: Edges) -> None:
    words = "Quarterly revenue rose in Lisbon"
    (face,) = (f for f in library().family(family) if f.weight == weight and not f.italic)
    cover = page(words, face, Style(size=24.0, weight=weight, edges=edges))
    found = match(cover, words, library())
    assert (found.face.family, found.face.weight, found.style.size) == (family, weight, 24.0)


def test_letters_that_no_font_has_together_are_told() -> None:
    cover = page("some words", face_of("PT Serif"), Style(size=20.0))
    with pytest.raises(Refused, match="No font on this machine has all letters of 'สวัสดี ₿ 王'"):
        match(cover, "สวัสดี ₿ 王", library())


@pytest.mark.parametrize(("ink", "words"), [(0, "words"), (1, "Wwwwwwwwwww"), (200, "l")])
def test_a_place_without_ink_that_could_be_the_words_is_told(ink: int, words: str) -> None:
    cover = np.zeros((220, 60), np.float32)
    cover[10 : 10 + ink, 30] = 1
    with pytest.raises(Refused, match=f"no ink where '{words}' could be.*on the picture"):
        match(cover, words, library())


@pytest.mark.parametrize(
    ("words", "variant"),
    [("每公里补贴", "SC"), ("臺灣書店", "TC"), ("カタカナ", "JP"), ("한국", "KR")],
)
def test_a_family_is_told_in_the_variant_of_its_words_language(words: str, variant: str) -> None:
    assert native("Noto Serif CJK HK", words) == f"Noto Serif CJK {variant}"
    assert native("PT Serif", words) == "PT Serif"


def test_a_sign_at_the_end_that_left_no_ink_does_not_change_the_size() -> None:
    words = "纸质阅读组的平均分为68.6分。"
    cover = page(words, face_of("Noto Sans SC"), Style(size=13.25))
    cover[:, np.flatnonzero(cover.any(axis=0))[-1] - 6 :] = 0
    found = match(cover, words, library())
    assert (found.style.size, found.exact) == (pytest.approx(13.25, abs=0.05), True)


def test_letters_of_one_language_are_matched_with_the_fonts_of_that_language() -> None:
    face = face_of("Noto Sans SC")
    every = ("Song SC", "Song JP", "Song TC", "Kai JP")
    faces = Library(tuple(replace(face, family=family) for family in every))
    assert {one.family for one in able(faces, "报名不足八人")} == {"Song SC", "Kai JP"}
    assert {one.family for one in able(faces, "日本")} == set(every)  # it may be any of them
