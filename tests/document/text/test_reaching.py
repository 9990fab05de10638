"""Reaching: what is told without drawing is what drawing shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.document.text.drawing import load, optical
from overpaint.document.text.fonts import here
from overpaint.document.text.reaching import in_words, reach

EM = 400  # pixels: hints move edges by a hundredth
FAMILIES = ("Lora", "Open Sans", "Inter", "Roboto Slab", "PT Serif", "Noto Sans SC", "Pacifico")


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("words", ["AVATAR Töpfe, 12%", "office fjord", "“i”"])
def test_words_reach_as_far_as_they_are_drawn(family: str, words: str) -> None:
    for face in here().family(family)[::5]:
        fit = optical(face, 20.0)
        font = load(face, EM, fit)
        mask, (left, top) = font.getmask2(words, "L", anchor="ls")
        ink = mask.getbbox()
        drawn = (left + ink[0], top + ink[1], left + ink[2], top + ink[3], font.getlength(words))
        told = reach(words, face, fit)
        edges = (told.left, told.top, told.right, told.bottom, told.advance)
        assert [edge * EM for edge in edges] == pytest.approx(drawn, abs=0.011 * EM)


@given(st.lists(st.sampled_from(["To", "yes", "AV", "12%"]), min_size=1, max_size=4))
def test_words_set_apart_are_as_long_as_all_of_them(words: list[str]) -> None:
    face = here().family("Open Sans")[0]
    whole = in_words(" ".join(words), face, 0.0)
    parts = [reach(word, face, 0.0).advance for word in words]
    space = reach(" ", face, 0.0).advance
    assert whole.advance == pytest.approx(sum(parts) + space * (len(words) - 1))
    assert whole.right == pytest.approx(
        whole.advance - parts[-1] + reach(words[-1], face, 0.0).right
    )


def test_spaces_have_no_ink() -> None:
    face = here().family("Open Sans")[0]
    assert reach("  ", face, 0.0).right == in_words(" ", face, 0.0).right == 0.0
    assert reach("  ", face, 0.0).advance > 0
