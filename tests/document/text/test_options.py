"""Options: every option of a text is measured in the pixels or the places it gives."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from set_texts import BLUE, RED, face_of, ink, mass, middle, text

from overpaint.document.layers import Glyph, Gradient, Layer, Run, Shadow, Stroke, Style, Text
from overpaint.document.render import bounds, render
from overpaint.document.shapes import gradient_at
from overpaint.document.text.fonts import here
from overpaint.document.text.setting import draw_text, lay, measure
from overpaint.document.text.sfnt import rules_of
from overpaint.errors import Refused

pytestmark = pytest.mark.skipif(
    not here().family("PT Sans") or not here().family("Noto Sans SC"),
    reason="the fonts are not installed",
)


@pytest.mark.parametrize("spacing", [-1.5, 0.25, 4.0])
def test_letter_spacing_is_added_after_each_letter(spacing: float) -> None:
    apart = ink(text("HHHH", size=40, spacing=spacing))
    close = ink(text("HHHH", size=40))
    assert (apart[2] - apart[0]) - (close[2] - close[0]) == pytest.approx(3 * spacing, abs=1)
    grown = measure(text("HHHH", size=40, spacing=spacing))[0] - measure(text("HHHH", size=40))[0]
    assert grown == pytest.approx(4 * spacing, abs=0.5)


def test_runs_of_any_size_share_a_baseline() -> None:
    runs = (Run("H", Style(size=20)), Run("H", Style(size=60, family="Anton", colour=RED)))
    pixels, _, top = draw_text(Text(runs))
    red = (pixels[:, :, 0] == RED[0]) & (pixels[:, :, 3] > 128)
    black = (pixels[:, :, 0] == 0) & (pixels[:, :, 3] > 128)
    assert np.flatnonzero(red.any(axis=1))[-1] + top == -1
    assert np.flatnonzero(black.any(axis=1))[-1] + top == -1


def test_a_place_between_pixels_moves_the_ink_by_as_much() -> None:
    words = text("Hamburg", size=30)
    x, y = middle(words)
    for at in ((0.25, 0.0), (0.5, 0.75), (0.75, 0.25)):
        moved = middle(words, at)
        assert moved == pytest.approx((x + at[0], y + at[1]), abs=0.03)


@pytest.mark.parametrize("family", ["PT Sans", "Lora"])
def test_rules_are_where_the_font_wants_them(family: str) -> None:
    size = 100
    face = face_of(family=family)
    font = TTFont(face.path)
    em, post, about = font["head"].unitsPerEm, font["post"], font["OS/2"]
    clear = (0, 0, 0, 0)
    for option, middle_y, thick in (
        ("underline", -post.underlinePosition, post.underlineThickness),
        ("strike", about.yStrikeoutSize / 2 - about.yStrikeoutPosition, about.yStrikeoutSize),
    ):
        ruled = text("HH", size=size, family=family, **{option: True})
        pixels, left, top = draw_text(ruled)
        column = pixels[:, 2 - left, 3].astype(float) / 255  # left of the first stem
        assert column.sum() == pytest.approx(thick / em * size, abs=0.01)
        centre = (column * (np.arange(len(column)) + top + 0.5)).sum() / column.sum()
        assert centre == pytest.approx(middle_y / em * size, abs=0.02)
        bare = replace(ruled.runs[0].style, colour=clear)
        assert not draw_text(Text((Run("HH", bare),)))[0][:, :, 3].any()
        assert ink(ruled)[2] - ink(ruled)[0] == pytest.approx(measure(ruled)[0], abs=1.5)
    assert rules_of(Path("nothing"), 0).under == (0.1, 0.05)


def test_words_that_end_in_spaces_are_underlined_as_far_as_words_go() -> None:
    short, long = text("a", size=30, underline=True), text("a b", size=30, underline=True)
    assert ink(text("a  ", size=30, underline=True)) == ink(short)
    assert ink(long)[2] > ink(short)[2] + 10


def test_an_outline_stands_half_inside_and_half_outside_the_edge() -> None:
    plain = text("O", size=80, weight=700, colour=RED)
    lined = text("O", size=80, weight=700, colour=RED, stroke=Stroke(BLUE, 4))
    for near, far, sign in zip(ink(lined), ink(plain), (-1, -1, 1, 1), strict=True):
        assert (near - far) * sign == pytest.approx(2, abs=1)
    pixels, left, top = draw_text(lined)
    before, x, y = draw_text(plain)
    inside = np.zeros(pixels.shape[:2], bool)
    high, wide = before.shape[:2]
    inside[y - top :, x - left :][:high, :wide] = before[:, :, 3] == 255
    colours = {tuple(map(int, c)) for c in pixels[inside]}
    assert RED in colours  # the middle of the strokes
    assert BLUE in colours  # their inner edge
    assert tuple(map(int, pixels[pixels.shape[0] // 2, 2])) == BLUE
    only = text("O", size=80, weight=700, colour=(0, 0, 0, 0), stroke=Stroke(BLUE, 4))
    area = mass(text("O", size=80, weight=700, swell=0.025)) - mass(
        text("O", size=80, weight=700, swell=-0.025)
    )
    assert mass(only) == pytest.approx(area, rel=0.01)


def test_a_shadow_is_the_same_words_moved_and_blurred_below_them() -> None:
    bare = text("Shade", size=40, colour=RED)
    cast = text("Shade", size=40, colour=RED, shadow=Shadow(BLUE, 60, 80))
    pixels, left, top = draw_text(cast)
    words, x, y = draw_text(bare)
    high, wide = words.shape[:2]
    copy = pixels[y - top + 80 :, x - left + 60 :][:high, :wide]
    assert (copy[:, :, 3] == words[:, :, 3]).all()
    assert {tuple(c) for c in copy[copy[:, :, 3] > 0][:, :3].tolist()} == {BLUE[:3]}
    same = pixels[y - top :, x - left :][:high, :wide]
    assert np.array_equal(same, words)
    soft = text("Shade", size=40, colour=(0, 0, 0, 0), shadow=Shadow(BLUE, 60.5, 80.25, 3))
    assert mass(soft) == pytest.approx(mass(bare), rel=0.01)
    assert middle(soft) == pytest.approx(tuple(np.add(middle(bare), (60.5, 80.25))), abs=0.05)
    assert ink(soft)[0] < ink(bare)[0] + 60 - 4


@pytest.mark.parametrize("angle", [0.0, 90.0, 30.0])
def test_a_gradient_runs_through_the_box_of_the_ink(angle: float) -> None:
    gradient = Gradient(((0.0, RED), (1.0, BLUE)), angle)
    pixels = draw_text(text("Gradient", size=60, gradient=gradient))[0]
    high, wide = pixels.shape[:2]
    expected = gradient_at(gradient, (wide, high), (0, 0), (wide, high))
    shown = pixels[:, :, 3] > 0
    assert np.abs(pixels[shown][:, :3] - expected[shown][:, :3]).max() <= 0.51
    plain = draw_text(text("Gradient", size=60))[0]
    assert np.array_equal(pixels[:, :, 3], plain[:, :, 3])


def test_swollen_strokes_grow_and_shrink() -> None:
    masses = [mass(text("Weight", size=40, swell=swell)) for swell in (-0.02, 0, 0.02, 0.04)]
    assert masses == sorted(masses)
    # Strokes grow by 0.02 × 40 on either side: as much more ink as the outline is long × 0.8.
    assert ink(text("I", size=100, swell=0.04))[2] - ink(text("I", size=100))[2] in (4, 5)


def test_blur_spreads_the_ink_and_keeps_its_mass() -> None:
    sharp, soft = text("Blur", size=40), text("Blur", size=40, blur=2.0)
    assert mass(soft) == pytest.approx(mass(sharp), rel=0.02)
    assert middle(soft) == pytest.approx(middle(sharp), abs=0.05)
    assert ink(soft)[0] <= ink(sharp)[0] - 3


@pytest.mark.parametrize("stretch", [0.7, 1.5])
def test_stretched_letters_are_wider_and_as_high(stretch: float) -> None:
    usual, wide = (
        ink(text("Wide words", size=60)),
        ink(text("Wide words", size=60, stretch=stretch)),
    )
    assert wide[2] - wide[0] == pytest.approx((usual[2] - usual[0]) * stretch, abs=2)
    assert (wide[1], wide[3]) == (usual[1], usual[3])
    natural = measure(text("Wide words", size=60))[0]
    assert measure(text("Wide words", size=60, stretch=stretch))[0] == pytest.approx(
        natural * stretch
    )


def test_colours_are_exact() -> None:
    for colour in (RED, (1, 2, 3, 255), (250, 128, 7, 100)):
        pixels = draw_text(text("Ink", size=50, colour=colour))[0]
        shown = pixels[:, :, 3] > 0
        # A faint edge is too thin to say its colour to the last unit, a full one says it.
        full = pixels[:, :, 3] == colour[3]
        assert {tuple(map(int, c)) for c in pixels[full]} == {colour}
        assert np.abs(pixels[shown][:, :3].astype(int) - colour[:3]).max() == 0
        black = draw_text(text("Ink", size=50))[0][:, :, 3]
        expected = np.rint(black.astype(np.float64) * colour[3] / 255)
        assert np.abs(pixels[:, :, 3] - expected).max() == 0


def test_a_family_without_italic_leans_by_twelve_degrees() -> None:
    upright = text("中I", size=100, family="Noto Sans SC")
    leaning = text("中I", size=100, family="Noto Sans SC", italic=True)
    x, y = middle(upright)
    lean = middle(leaning)
    assert lean[0] - x == pytest.approx(-y * 0.2126, abs=0.3)
    assert lean[1] == pytest.approx(y, abs=0.2)
    assert mass(leaning) == pytest.approx(mass(upright), rel=0.01)
    blurred = text("中I", size=100, family="Noto Sans SC", italic=True, blur=2.0)
    assert mass(blurred) == pytest.approx(mass(upright), rel=0.01)


def test_letters_cut_from_a_picture_are_used_as_they_are() -> None:
    cut = np.arange(12 * 7, dtype=np.uint8).reshape(12, 7) + 60
    glyphs = {"a": Glyph(cut, 1.0, -12.0, 9.0)}
    words = Text((Run("aXa", Style(size=16, colour=RED)),), glyphs=glyphs)
    line = lay(words)[0]
    assert [piece.glyph is not None for piece in line.pieces] == [True, False, True]
    assert line.pieces[1].x == 9.0
    pixels, left, top = draw_text(words)
    first = pixels[-12 - top :, 1 - left :][:12, :7]
    assert np.array_equal(first[:, :, 3], cut)
    assert (first[:, :, :3] == RED[:3]).all()
    moved = Text((Run("a", Style(size=16)),), glyphs=glyphs)
    assert middle(moved, (0.5, 0.25)) == pytest.approx(
        tuple(np.add(middle(moved), (0.5, 0.25))), abs=0.1
    )


def test_a_text_as_its_file_drew_it_is_shown_so() -> None:
    drawn = np.full((3, 5, 4), 9, np.uint8)
    words = replace(text("Anything"), drawn=drawn, drawn_at=(2.0, -7.0))
    pixels, left, top = draw_text(words, (0.25, 0.25))
    assert pixels is drawn
    assert (left, top) == (2, -7)


def test_a_text_that_says_nothing_draws_nothing() -> None:
    for empty in (Text(()), text(""), text(" \n ")):
        assert draw_text(empty)[0].size == 0
    assert measure(text("")) == (0.0, 0.0)


def test_tabs_and_spaces_a_font_does_not_have_take_their_room() -> None:
    size = 40
    usual = measure(text("a b", size=size))[0] - measure(text("ab", size=size))[0]
    bare = sum(measure(text(letter, size=size))[0] for letter in "ab")
    assert measure(text("a\u3000b", size=size))[0] == pytest.approx(bare + size)
    assert measure(text("a\tb", size=size))[0] == pytest.approx(bare + 4 * usual, abs=4)


def test_a_text_too_large_to_draw_is_refused() -> None:
    far = text("a\nb", size=20, leading=1e7)
    with pytest.raises(Refused, match="too large to draw.*Use a smaller size or fewer words"):
        draw_text(replace(far, runs=(*far.runs, Run("c" * 400, far.style))))


def test_a_layer_of_text_stands_on_the_canvas_where_its_box_says() -> None:
    layer = Layer(text("Label", size=24, colour=RED), left=20.0, top=40.0)
    picture = render([layer], (120, 60))
    left, top, right, bottom = bounds(layer) or (0, 0, 0, 0)
    rows, columns = (np.flatnonzero(picture[:, :, 3].any(axis=axis)) for axis in (1, 0))
    assert (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1) == (left, top, right, bottom)
