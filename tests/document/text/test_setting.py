"""Setting: letters are shaped, broken into lines and drawn as others do it."""

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
from set_texts import face_of, ink, text
from uniseg.linebreak import line_break_boundaries

from overpaint.document.layers import Pixels, Run, Style, Text
from overpaint.document.text import drawing
from overpaint.document.text.breaking import breaks
from overpaint.document.text.fonts import Face, Library, here
from overpaint.document.text.setting import draw_text, lay, measure, substitutes
from overpaint.engines.documents import faces
from overpaint.engines.documents import setting as documents

pytestmark = pytest.mark.skipif(
    not here().family("PT Sans") or not here().family("Noto Sans SC"),
    reason="the fonts are not installed",
)


def on_sheet(words: Text, size: tuple[int, int], place: tuple[int, int]) -> Pixels:
    """The alpha of a text on a sheet of width × height."""
    pixels, left, top = draw_text(words)
    sheet = np.zeros((size[1], size[0]), np.uint8)
    x, y = place[0] + left, place[1] + top
    sheet[y : y + pixels.shape[0], x : x + pixels.shape[1]] = pixels[:, :, 3]
    return sheet


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


@pytest.mark.parametrize(
    "family", ["PT Sans", "Lora", "EB Garamond", "Inter", "Inter 14pt", "Noto Sans SC"]
)
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


@pytest.mark.slow
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


def test_a_text_is_measured_with_its_indent() -> None:
    plain, moved = (
        measure(Text((Run("Bread", Style(size=20, indent=indent)),)))[0] for indent in (0.0, 40.0)
    )
    assert moved == pytest.approx(plain + 40)
