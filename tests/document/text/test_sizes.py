"""Sizes: letters too large to draw are refused by their size, letters too small are not drawn."""

import math

import pytest

from overpaint.document.layers import Run, Style, Text
from overpaint.document.text.fonts import here
from overpaint.document.text.setting import draw_text, lay, measure
from overpaint.errors import Refused

pytestmark = pytest.mark.skipif(not here().family("PT Sans"), reason="the fonts are not installed")


def text(words: str, style: Style) -> Text:
    return Text((Run(words, style),))


@pytest.mark.parametrize("size", [15_000.0, 20_000.0, 1e308, math.inf])
def test_letters_that_no_font_draws_are_refused_for_their_size(size: float) -> None:
    with pytest.raises(Refused) as told:
        draw_text(text("A", Style("PT Sans", size)))
    assert str(told.value).startswith(f"Letters of {size:,.12g} px are too large to draw.")
    assert "At most 5,000 px were expected. Use a smaller size." in str(told.value)


def test_a_letter_wider_than_the_rest_is_refused_for_its_size_too() -> None:
    with pytest.raises(Refused, match=r"Letters of 12,000 px are too large to draw\."):
        draw_text(text("W", Style("PT Sans", 12_000.0)))


def test_large_letters_that_must_lean_are_drawn() -> None:
    style = Style("Anton", 1_100.0, italic=True)
    if not here().find(style, "l").lean:
        pytest.skip("Anton has an italic here")
    high, wide = draw_text(text("l", style))[0].shape[:2]
    upright = draw_text(text("l", Style("Anton", 1_100.0)))[0].shape
    assert abs(high - upright[0]) <= 1
    assert wide - upright[1] == pytest.approx(0.2126 * high, abs=3)


@pytest.mark.parametrize("size", [0.0, -4.0, 0.01, math.nan])
@pytest.mark.parametrize("edges", ["fine", "hinted"])
def test_letters_that_nobody_could_see_are_not_drawn(size: float, edges: str) -> None:
    tiny = text("Look", Style("PT Sans", size, edges=edges))  # type: ignore[arg-type]
    assert draw_text(tiny)[0].size == 0
    assert lay(tiny) == ()
    assert measure(tiny) == (0.0, 0.0)
