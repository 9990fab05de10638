"""Drawing: lines are what Pillow draws large and shrinks, to the last bit, and keep their laws."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from overpaint.document.layers import Style
from overpaint.document.text.drawing import Cover, advance, draw_line, draw_pieces
from overpaint.document.text.faces import Face
from overpaint.document.text.fonts import here
from overpaint.errors import DataError, Refused, Unavailable

LORA = here().family("Lora")[0]
PT = here().family("PT Sans")[0]
CHINESE = here().family("Noto Sans SC")[0]


def ink(cover: Cover) -> float:
    return float(cover.alpha.sum()) / 255


# ── references ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("face", "words"), [(PT, "Quarterly"), (CHINESE, "季度收入")])
@pytest.mark.parametrize("size", [13.0, 21.5])
def test_a_line_is_what_pillow_draws_four_times_larger_and_shrinks(
    face: Face, words: str, size: float
) -> None:
    font = ImageFont.truetype(str(face.path), 4 * size, index=face.index)
    sheet = Image.new("L", (1200, 320))
    ImageDraw.Draw(sheet).text((41, 200), words, 255, font, "ls")  # a quarter of a pixel in
    expected = np.asarray(sheet.reduce(4)).copy()
    expected[expected < 3] = 0
    drawn = draw_line(words, face, Style(size=size), (0.25, 0.0))
    high, wide = drawn.alpha.shape
    at = expected[50 + drawn.top : 50 + drawn.top + high, 10 + drawn.left : 10 + drawn.left + wide]
    assert np.array_equal(at, drawn.alpha)
    assert at.sum() == expected.sum()


def test_lines_are_drawn_as_generated_documents_have_them() -> None:
    from overpaint.engines.documents import faces, setting

    block = setting.Text(
        ("Quarterly fiat offices AVA rose 12%.",) * 3, 10, 5, 300,
        setting.Style("Lora", 17, bold=True, align="justify"),
    )  # fmt: skip
    try:
        line = setting.lines_of(block)[0]
        path = faces.face("Lora", 17, True).path
    except Unavailable as missing:
        pytest.skip(str(missing))
    expected = setting.ink_of(line)
    face = Face(Path(str(path)), 0, "Lora", 700, False, (("wght", 700.0),))
    x, y = line.pieces[0][1], line.baseline
    pieces = [(words, at - x) for words, at in line.pieces]
    drawn = draw_pieces(pieces, face, Style(size=17.0, weight=700), (x, y))
    assert (drawn.left + int(x), drawn.top + y) == (expected.left, expected.top)
    assert np.array_equal(drawn.alpha, expected.alpha)


# ── laws ────────────────────────────────────────────────────────────────────────────────

styles = st.builds(
    Style,
    size=st.floats(6, 60),
    spacing=st.sampled_from([0.0, 0.0, 1.5, -0.3]),
    stretch=st.sampled_from([1.0, 1.0, 0.8, 1.3]),
    swell=st.sampled_from([0.0, 0.0, 0.03, -0.01]),
    edges=st.sampled_from(["fine", "plain", "hinted"]),
    blur=st.sampled_from([0.0, 0.8]),
)


@settings(deadline=None, max_examples=30)
@given(style=styles, x=st.floats(0, 0.99), words=st.sampled_from(["Ag", "fi", "o", "A b"]))
def test_whole_pixels_move_a_line_and_change_nothing(style: Style, x: float, words: str) -> None:
    one, other = (draw_line(words, LORA, style, (at + x, at + 0.5)) for at in (0.0, 7.0))
    assert (one.left, one.top) == (other.left, other.top)
    assert np.array_equal(one.alpha, other.alpha)


@settings(deadline=None, max_examples=30)
@given(style=styles)
def test_a_line_has_no_empty_rim(style: Style) -> None:
    alpha = draw_line("Hg", PT, style).alpha
    assert alpha[0].any()
    assert alpha[-1].any()
    assert alpha[:, 0].any()
    assert alpha[:, -1].any()


def test_spacing_gaps_and_stretch_widen_a_line_by_what_they_say() -> None:
    plain = Style(size=20.0)
    words = "two words"
    wide = advance(words, PT, plain)
    assert advance(words, PT, replace(plain, gap=3.0)) == pytest.approx(wide + 3.0)
    # Letters that are spaced out are not joined, so that "two words" may be a little wider.
    assert advance(words, PT, replace(plain, spacing=2.0)) == pytest.approx(wide + 18.0, abs=0.5)
    assert advance(words, PT, replace(plain, stretch=1.5)) == pytest.approx(1.5 * wide)
    stretched = draw_line(words, PT, replace(plain, stretch=1.5)).alpha.shape[1]
    assert stretched == pytest.approx(1.5 * draw_line(words, PT, plain).alpha.shape[1], abs=2)


def test_a_gap_moves_the_words_after_it_and_no_others() -> None:
    style = Style(size=18.0)
    near, far = (draw_line("on to", PT, replace(style, gap=gap)).alpha for gap in (0.0, 8.0))
    first = draw_line("on", PT, style).alpha.shape[1]
    assert far.shape[1] == near.shape[1] + 8
    assert np.array_equal(near[:, :first], far[:, :first])
    assert np.array_equal(near[:, first:], far[:, first + 8 :])


def test_swelling_grows_strokes_and_shrinks_them_below_nothing() -> None:
    inks = [ink(draw_line("Stem", PT, Style(size=24.0, swell=by))) for by in (-0.02, 0.0, 0.02)]
    assert inks[0] < 0.9 * inks[1] < 0.9 * 0.9 * inks[2]


def test_blur_spreads_ink_and_keeps_it() -> None:
    sharp, soft = (draw_line("Soft", PT, Style(size=24.0, blur=blur)) for blur in (0.0, 1.2))
    assert ink(soft) == pytest.approx(ink(sharp), rel=0.03)
    assert soft.alpha.max() < sharp.alpha.max()


def test_plain_letters_stand_at_whole_pixels() -> None:
    style = Style(size=15.0, edges="plain")
    alone = draw_line("n", PT, style).alpha
    both = draw_line("nn", PT, style).alpha
    assert np.array_equal(both[:, -alone.shape[1] :], alone)


def test_nothing_is_drawn_of_spaces() -> None:
    assert draw_line("  ", PT, Style()).alpha.size == 0


# ── what cannot be drawn ────────────────────────────────────────────────────────────────


def test_a_font_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ttf"
    broken.write_bytes(b"\x00\x01\x00\x00no font")
    with pytest.raises(DataError, match="broken.ttf cannot be read.*install it again"):
        draw_line("words", Face(broken, 0, "Broken", 400, False), Style())


def test_a_line_that_would_fill_the_memory_is_refused() -> None:
    with pytest.raises(Refused, match="too large to draw.*smaller size or fewer words"):
        draw_line("W" * 400, PT, Style(size=2000.0))
