"""Setting: every option of a text is measured in the pixels or the places it gives."""

import random
import re
import unicodedata
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import uharfbuzz
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont
from uniseg.linebreak import line_break_boundaries

from overpaint.document.layers import (
    Glyph,
    Gradient,
    Layer,
    Pixels,
    Run,
    Shadow,
    Stroke,
    Style,
    Text,
)  # fmt: skip
from overpaint.document.render import bounds, render
from overpaint.document.shapes import gradient_at
from overpaint.document.text import drawing
from overpaint.document.text.breaking import breaks
from overpaint.document.text.fonts import Face, Library, here
from overpaint.document.text.setting import draw_text, lay, measure, substitutes
from overpaint.document.text.sfnt import rules_of
from overpaint.engines.documents import faces
from overpaint.engines.documents import setting as documents
from overpaint.errors import Refused

Box = tuple[int, int, int, int]
RED, BLUE = (200, 30, 10, 255), (10, 40, 220, 255)
pytestmark = pytest.mark.skipif(
    not here().family("PT Sans") or not here().family("Noto Sans SC"),
    reason="the fonts are not installed",
)


def text(words: str, *, width: float | None = None, **style: Any) -> Text:
    return Text((Run(words, Style(**style)),), width)


def face_of(**style: Any) -> Face:
    return here().find(Style(**style), "").face


def ink(words: Text, at: tuple[float, float] = (0.0, 0.0)) -> Box:
    """The box of all that is not clear, from the text's place."""
    pixels, left, top = draw_text(words, at)
    rows, columns = (np.flatnonzero(pixels[:, :, 3].any(axis=axis)) for axis in (1, 0))
    return left + columns[0], top + rows[0], left + columns[-1] + 1, top + rows[-1] + 1


def on_sheet(words: Text, size: tuple[int, int], place: tuple[int, int]) -> Pixels:
    """The alpha of a text on a sheet of width × height."""
    pixels, left, top = draw_text(words)
    sheet = np.zeros((size[1], size[0]), np.uint8)
    x, y = place[0] + left, place[1] + top
    sheet[y : y + pixels.shape[0], x : x + pixels.shape[1]] = pixels[:, :, 3]
    return sheet


def mass(words: Text) -> float:
    return float(draw_text(words)[0][:, :, 3].sum()) / 255


def middle(words: Text, at: tuple[float, float] = (0.0, 0.0)) -> tuple[float, float]:
    """The centre of gravity of the ink, from the text's place."""
    pixels, left, top = draw_text(words, at)
    alpha = pixels[:, :, 3].astype(float)
    x = (alpha.sum(axis=0) * np.arange(alpha.shape[1])).sum() / alpha.sum()
    y = (alpha.sum(axis=1) * np.arange(alpha.shape[0])).sum() / alpha.sum()
    return x + left + 0.5, y + top + 0.5


# ── shaping ─────────────────────────────────────────────────────────────────────────────


@cache
def harfbuzz(path: Path, index: int, axes: tuple[tuple[str, float], ...]) -> uharfbuzz.Font:
    font = uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path)), index))
    font.set_variations(dict(axes))
    return font


def shaped(words: str, face: Face) -> float:
    """How wide HarfBuzz makes the words, in sizes."""
    font = harfbuzz(face.path, face.index, face.axes)
    buffer = uharfbuzz.Buffer()
    buffer.add_str(words)
    buffer.guess_segment_properties()
    uharfbuzz.shape(font, buffer)
    return sum(p.x_advance for p in buffer.glyph_positions) / font.face.upem


@pytest.mark.parametrize("family", ["PT Sans", "Lora", "EB Garamond", "Inter", "Noto Sans SC"])
@pytest.mark.parametrize("words", ["AVATAR", "office", "To.", "Wave", "1,000"])
def test_words_are_as_wide_as_harfbuzz_shapes_them(family: str, words: str) -> None:
    # At 4 × 100 pixels a letter's advance is off by at most half a pixel in 400 by its hints.
    line = lay(text(words, family=family, size=100))[0]
    face = line.pieces[0].dress.face
    if family == "Inter":
        face = replace(face, axes=(*face.axes, ("opsz", 32.0)))
    assert line.width / 100 == pytest.approx(shaped(words, face), abs=0.5 / 400 * len(words))


def test_letters_are_kerned() -> None:
    face = face_of(family="PT Sans")
    font = TTFont(face.path)
    metrics, names = font["hmtx"], font.getBestCmap()
    apart = sum(metrics[names[ord(letter)]][0] for letter in "AVATAR") / font["head"].unitsPerEm
    assert measure(text("AVATAR", size=100))[0] / 100 < apart - 0.1


@pytest.mark.parametrize("words", ["مرحبا", "שלום", "नमस्ते"])
def test_letters_that_join_are_joined(words: str) -> None:
    piece = lay(text(words, size=100, family="Noto Sans"))[0].pieces[0]
    assert piece.words == words
    assert piece.advance / 100 == pytest.approx(shaped(words, piece.dress.face), abs=0.01)
    spaced = lay(text(words, size=100, family="Noto Sans", spacing=20, edges="plain"))[0]
    if words != "שלום":
        assert spaced.width == piece.advance


def test_scripts_of_both_directions_stand_in_their_order() -> None:
    line = lay(text("abc שלום (12) def", size=20, family="Arimo"))[0]
    said = [piece.drawn for piece in sorted(line.pieces, key=lambda piece: piece.x)]
    assert said == ["abc", "(", "12", ")", "שלום", "def"]
    first = lay(text("שלום abc!", size=20, family="Arimo"))[0]
    assert [p.drawn for p in sorted(first.pieces, key=lambda p: p.x)] == ["!", "abc", "שלום"]


def test_a_line_of_arabic_is_drawn_as_raqm_draws_it() -> None:
    words, size = "مرحبا بالعالم", 40
    face = lay(text(words, size=size, family="Noto Sans Arabic"))[0].pieces[0].dress.face
    font = drawing.load(face, 4.0 * size, float(size))
    sheet = Image.new("L", (1600, 480), 0)
    ImageDraw.Draw(sheet).text((80, 320), words, 255, font, "ls")
    theirs = np.asarray(sheet.reduce(4)).astype(int)
    ours = on_sheet(text(words, size=size, family="Noto Sans Arabic"), (400, 120), (20, 80))
    # Words may stand a quarter of a pixel apart: the space between them is added in float.
    assert np.abs(theirs - ours).mean() < 0.2
    assert ours.astype(float).sum() == pytest.approx(theirs.sum(), rel=0.01)


def test_each_letter_is_set_in_a_font_that_has_it() -> None:
    line = lay(text("PT 字体 sans", family="PT Serif", size=20))[0]
    families = [(piece.words, piece.dress.face.family) for piece in line.pieces]
    assert families == [("PT", "PT Serif"), ("字", "Noto Serif SC"), ("体", "Noto Serif SC"),
                        ("sans", "PT Serif")]  # fmt: skip
    note = "PT Serif has no 字体; Noto Serif SC is used for them"
    assert substitutes(text("PT 字体 sans", family="PT Serif")) == (note,)


def test_letters_no_font_has_are_named_and_the_rest_is_drawn() -> None:
    strange = text("ab\ue000\U0001f984c", size=20)
    library = here().without("*emoji*", "DejaVu*", "Segoe*", "Symbola*")
    assert substitutes(strange, library) == ("no font here has \U0001f984\ue000",)
    whole = "".join(piece.words for piece in lay(strange, library)[0].pieces)
    assert whole == "abc"
    assert draw_text(strange, library=library)[0].any()


# ── lines ───────────────────────────────────────────────────────────────────────────────

PLAIN = "The quick brown fox (a well-known one) jumps over 1,000 lazy dogs, and/or “cats”."
HAN = "本季度报告显示，公司（总部）的收入增长了12%，达到“四百五十万”元。请在周五之前提交：谢谢！"


@pytest.mark.parametrize("words", [PLAIN, HAN, PLAIN + HAN, "소리 없는 아우성", "http://a.b/c?d=1"])
def test_lines_end_where_unicode_says_they_may(words: str) -> None:
    allowed = set(line_break_boundaries(words))
    for width in range(60, 300, 30):
        at = 0
        for line in lay(text(words, size=16, width=width))[:-1]:
            at = words.index(line.words, at) + len(line.words)
            while words[at : at + 1] == " ":
                at += 1
            assert at in allowed


def test_breaks_are_those_of_another_implementation_even_in_nonsense() -> None:
    # It is older than the rule that lines may end between Han letters and quotation marks.
    draw, unlike, places = random.Random(5), 0, 0
    for _ in range(3000):
        words = "".join(draw.choices("abc 12,.-/()%$你好，。（）「」！…—:AV'世", k=10))
        theirs = set(line_break_boundaries(words)) - {len(words)}
        unlike += len(theirs ^ breaks(words))
        places += len(words) - 1
    assert unlike / places < 0.005


MIXED = st.text(st.sampled_from("abc de-f,.(“”)你好，。（）「」！1 2$%/\n"), max_size=40)


@given(MIXED, st.integers(20, 200))
@settings(max_examples=80, deadline=None)
def test_no_letter_is_lost_and_no_line_is_wider_than_its_box(words: str, width: int) -> None:
    lines = lay(text(words, size=12, width=width))
    said = "".join(line.words for line in lines)
    assert re.sub(r"\s", "", said) == re.sub(r"\s", "", words)
    for line in lines:
        assert line.width <= width + 0.01 or len(line.words) == 1
    if words:
        assert len(lines) >= words.count("\n") + 1


@given(st.text(st.sampled_from("你好世界的，。！）》（《“、：A1"), min_size=1, max_size=30))
@settings(max_examples=80, deadline=None)
def test_no_line_begins_with_closing_or_ends_with_opening_punctuation(words: str) -> None:
    # What must not be parted may be wider than the box; it is parted then.
    places = [0, *line_break_boundaries(words)]
    longest = max(end - start for start, end in pairwise(places))
    lines = lay(text(words, size=10, width=10 * max(6, longest)))
    for before, after in pairwise(lines):
        assert after.words[0] not in "，。！）》、："
        assert before.words[-1] not in "（《“"


def test_a_newline_of_any_kind_begins_a_line_and_an_empty_line_counts() -> None:
    assert [line.words for line in lay(text("a\r\nb\rc\n\nd"))] == ["a", "b", "c", "", "d"]


def test_a_soft_hyphen_shows_only_where_a_line_ends_at_it() -> None:
    def said(width: float) -> list[str]:
        lines = lay(text("hyphen\u00adation", size=20, width=width))
        return ["".join(piece.words for piece in line.pieces) for line in lines]

    assert said(300) == ["hyphenation"]
    assert said(90) == ["hyphen-", "ation"]


def test_a_word_wider_than_its_box_is_broken() -> None:
    lines = lay(text("incomprehensibilities", size=20, width=70))
    assert len(lines) > 2
    assert "".join(line.words for line in lines) == "incomprehensibilities"


def test_lines_follow_one_another_by_their_leading() -> None:
    small, large = Style(size=20, leading=1.5), Style(size=40, leading=1.25)
    lines = lay(Text((Run("a\nb", small), Run("c\nd", large))))
    assert [line.baseline for line in lines] == [0, 50, 100]
    assert measure(text("a\nb\nc", size=20, leading=1.5)) == pytest.approx(
        (lay(text("c", size=20))[0].width, 90), abs=2
    )


@pytest.mark.parametrize("align", ["left", "centre", "right"])
def test_lines_are_aligned_about_their_place(align: str) -> None:
    lines = lay(text("I\nMMMM", size=30, align=align))
    wide = lines[1].width
    share = {"left": 0.0, "centre": 0.5, "right": 1.0}[align]
    assert lines[1].left == pytest.approx(-wide * share)
    assert lines[0].left == pytest.approx(-lines[0].width * share)
    box = text("I", size=30, align=align, width=200)
    assert lay(box)[0].left == pytest.approx((200 - lines[0].width) * share)
    left, _, right, _ = ink(box)
    assert left >= lay(box)[0].left - 1
    assert right <= lay(box)[0].left + lines[0].width + 1


@pytest.mark.parametrize("edges", ["fine", "plain", "hinted"])
def test_justified_lines_fill_their_box_but_for_the_last(edges: str) -> None:
    for words in (PLAIN, HAN):
        lines = lay(text(words, size=16, width=240, align="justify", edges=edges))
        for line in lines[:-1]:
            assert line.width == pytest.approx(240, abs=0.01)
            last = line.pieces[-1]
            assert last.x + last.advance == pytest.approx(240, abs=0.01)
        assert lines[-1].width < 240


def test_a_line_that_would_be_torn_apart_is_left_ragged() -> None:
    lines = lay(text("a b incomprehensibilities", size=16, width=160, align="justify"))
    assert lines[0].width < 30


# ── options ─────────────────────────────────────────────────────────────────────────────


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


# ── as others draw ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("family", ["PT Sans", "Crimson Text", "Noto Sans SC", "Anton"])
@pytest.mark.parametrize("size", [11, 16, 37])
def test_hinted_words_are_drawn_as_pillow_draws_them(family: str, size: int) -> None:
    words = "Hinted words, AV To 中文" if "SC" in family else "Hinted words, AV To"
    face = face_of(family=family)
    sheet = Image.new("L", (600, 80), 0)
    font = ImageFont.truetype(str(face.path), size, face.index)
    ImageDraw.Draw(sheet).text((20, 50), words, 255, font, "ls")
    theirs = np.asarray(sheet)
    kept = np.where(theirs < drawing.FAINT, 0, theirs)
    ours = on_sheet(text(words, family=family, size=size, edges="hinted"), (600, 80), (20, 50))
    assert np.array_equal(ours, kept)


@pytest.mark.parametrize("family", faces.FAMILIES)
@pytest.mark.parametrize("align", ["left", "centre", "right", "justify"])
def test_paragraphs_are_those_of_our_generated_documents(family: str, align: Any) -> None:
    words = HAN if "SC" in family else "Revenue grew 12% to $4.5 million; A VA To P. Wylie says"
    for size, bold in ((11, False), (16, True), (22, False)):
        pitch = 2 * round(0.71 * size)
        style = documents.Style(family, size, bold, leading=pitch / size, align=align)
        page = documents.Text((words,), 30, 40, size * 13, style)
        lines = documents.lines_of(page)
        theirs = np.zeros((400, 500), np.uint8)
        for line in lines:
            drawn = documents.ink_of(line)
            high, wide = drawn.alpha.shape
            part = theirs[drawn.top :, drawn.left :][:high, :wide]
            np.maximum(part, drawn.alpha, out=part)
        ours = text(words, family=family, size=size, weight=700 if bold else 400, align=align,
                    leading=pitch / size, width=page.width)  # fmt: skip
        assert [line.words for line in lay(ours)] == [line.text for line in lines]
        sheet = on_sheet(ours, (500, 400), (page.left, lines[0].baseline))
        assert np.array_equal(sheet, theirs)


# ── directions ──────────────────────────────────────────────────────────────────────────


@given(st.text(st.sampled_from("אבגدابجabc012٣٤ .,:-+$%()[]!"), max_size=16))
@settings(max_examples=300)
def test_the_order_of_letters_is_that_of_another_implementation(words: str) -> None:
    from bidi import get_display

    from overpaint.document.text.bidi import levels, visual

    ours = "".join(words[at] for at in visual(levels(words)))
    assert ours == get_display(words)


def test_the_library_decides_which_fonts_are_used() -> None:
    only = Library(here().family("Lora"))
    piece = lay(text("Words", family="PT Sans"), only)[0].pieces[0]
    assert piece.dress.face.family == "Lora"
    assert substitutes(text("Words", family="PT Sans"), only) == (
        "PT Sans is not on this machine; Lora is used",
    )
    assert unicodedata.name(piece.words[0]) == "LATIN CAPITAL LETTER W"
