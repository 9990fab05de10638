"""Lines as they stand: spaces that no reader tells, corners that lean by chance."""

from dataclasses import replace

import numpy as np
import pytest

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Run, Style, Text
from overpaint.document.ops import ReplaceText
from overpaint.document.text.fonts import here
from overpaint.document.where import Where
from overpaint.editors.typeset import perform
from overpaint.editors.typeset.aslant import aslant
from overpaint.editors.typeset.desk import Desk
from overpaint.editors.typeset.gaps import with_gaps, with_wide_signs
from overpaint.editors.typeset.locate import Found, find
from overpaint.vision.sight import Reading


def page(words: str, style: Style) -> Document:
    """One line on white paper, 480×90."""
    ground = Layer(Picture(np.full((90, 480, 4), 255, np.uint8)))
    line = Layer(Text((Run(words, style),)), "line", "line", 30, 55)
    return Document(made=(ground, line), canvas=(480, 90))


@pytest.mark.parametrize(
    ("words", "spacing"),
    [("王老师 电话", 0), ("王老师  电话号码", 0), ("王老师电话号码", 0), ("王老师电话", 14)],
)
def test_a_space_between_chinese_letters_is_seen_where_there_is_one(
    words: str, spacing: float
) -> None:
    style = Style("Noto Sans SC", 30, spacing=spacing)
    pixels = page(words, style).rgb
    left, right = np.flatnonzero((pixels < 128).any(axis=(0, 2)))[[0, -1]]
    step = 30 + spacing
    pens = np.cumsum([0, *(step if c != " " else 0.22 * 30 + spacing for c in words)])[:-1]
    letters = [(c, (30 + x + 15 - left) / (right - left)) for c, x in zip(words, pens, strict=True)]
    kept = [(c, place) for c, place in letters if c != " "]
    read = Reading("".join(c for c, _ in kept), tuple(place for _, place in kept), 1.0)
    seen = with_gaps(pixels, (float(left), 20.0, float(right), 65.0), read)
    assert seen.text == " ".join(words.split())
    assert len(seen.places) == len(seen.text)


@pytest.mark.parametrize(
    ("said", "squares", "wide"),
    [
        ("课时:", (0.5, 1.5, 2.3), "课时："),
        ("课时:三节", (0.5, 1.5, 2.3, 3.5, 4.5), "课时：三节"),
        ("课时:三节", (0.5, 1.5, 2.15, 2.8, 3.8), "课时:三节"),
        ("课时:30", (0.5, 1.5, 2.3, 3.25, 3.75), "课时：30"),
        ("课时:30", (0.5, 1.5, 2.15, 2.55, 3.05), "课时:30"),
        ("At 8:30", (0.2, 0.6, 0.9, 1.2, 1.5, 1.8, 2.1), "At 8:30"),
    ],
)
def test_a_sign_after_chinese_letters_is_as_wide_as_its_room(
    said: str, squares: tuple[float, ...], wide: str
) -> None:
    places = tuple(at / (squares[-1] + 0.5) for at in squares)
    assert with_wide_signs(Reading(said, places, 1.0)).text == wide


@pytest.mark.slow
def test_digits_after_a_gap_are_set_in_the_line_s_own_font() -> None:
    before = page("王老师  电话：13800138000", Style("Noto Sans SC", 30))
    op = ReplaceText(Where(text="13800138000"), "13912345678")
    done = perform(Document.of(before.rgb), (op,))
    assert np.abs(done.rgb.astype(float) - op(before).rgb).mean() < 0.02


def test_a_line_that_a_font_fits_as_it_stands_is_level() -> None:
    desk = Desk(page("Fresh coffee every day", Style("PT Serif", 30)).rgb, here())
    spot = find(desk.page, Where(text="coffee"))[0].spots[0]
    left, top, right, bottom = spot.box
    for angle, leans in ((0.5, False), (4.0, True)):
        rise = (right - left) * np.tan(np.radians(angle)) + 2
        quad = ((left, top), (right, top + rise), (right, bottom + rise), (left, bottom))
        assert aslant(desk, Found((replace(spot, quad=quad, angle=angle),))) is leans
