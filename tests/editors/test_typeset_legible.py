"""Legible: letters cut from a picture are used where a reader can read them, and only there."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from overpaint.document.layers import Glyph, Layer, Run, Style, Text
from overpaint.document.render import bounds
from overpaint.document.text.drawing import draw_line
from overpaint.document.text.fonts import here
from overpaint.editors.typeset.legible import legible
from overpaint.editors.typeset.printed import Printed

WORDS = "Harbour Market"


def printed(glyphs: dict[str, Glyph] | None) -> Printed:
    """A line whose letters are these; the rest of what is known of it does not matter."""
    face = next(f for f in here().family("PT Serif") if f.weight == 400 and not f.italic)
    style = Style(family="PT Serif", size=24.0)
    rest: Any = SimpleNamespace()
    return Printed("x", face, style, (0.0, 0.0), False, 0.4, rest, rest, glyphs)


def glyphs_of(words: str, shown: str) -> dict[str, Glyph]:
    """For each letter of the words the picture of another."""
    line = printed(None)
    found = {}
    for letter, other in zip(words, shown, strict=True):
        drawn = draw_line(other, line.face, line.style)
        far = 14.0 if letter != " " else 6.0
        found[letter] = Glyph(drawn.alpha, float(drawn.left), float(drawn.top), far)
    return {letter: glyph for letter, glyph in found.items() if letter != " "}


def test_letters_that_say_the_words_are_legible() -> None:
    assert legible(printed(glyphs_of(WORDS, WORDS)), WORDS)


def test_letters_that_say_something_else_are_not() -> None:
    assert not legible(printed(glyphs_of(WORDS, "Qxnvzei Wkoyst")), WORDS)


def test_letters_without_ink_are_not() -> None:
    blank = Glyph(np.zeros((20, 10), np.uint8), 0.0, -20.0, 12.0)
    assert not legible(printed(dict.fromkeys(WORDS, blank)), WORDS)


@pytest.mark.parametrize(("kern", "wide"), [(0.0, 50.0), (-6.0, 38.0)])
def test_pairs_of_cut_letters_stand_as_near_as_they_are_kerned(kern: float, wide: float) -> None:
    block = Glyph(np.full((20, 10), 255, np.uint8), 0.0, -20.0, 20.0, {"a": kern})
    content = Text((Run("aaa", Style(family="PT Serif", size=24.0)),), glyphs={"a": block})
    box = bounds(Layer(content))
    assert box is not None
    assert box[2] - box[0] == pytest.approx(wide)
    line = replace(printed({"a": block}), places=())
    assert line.wide("aaa") == pytest.approx(60.0 + 2 * kern)
