"""Adapting: letters of the nearest font made as high, as wide and as heavy as some on the page."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import Glyph, Style
from overpaint.document.text.cutting import extent, letter_ink
from overpaint.document.text.drawing import advance
from overpaint.document.text.matching import Match

_FEWEST = 3  # letters that the page must have for its proportions to be known
_ENOUGH = 16  # and that are enough to know its weight
_MOST = 1.15  # the nearest font is made higher or wider by at most so much
_SWELL = 0.03  # and its strokes grow or shrink by so much, in sizes


@dataclass(frozen=True)
class Adapted:
    """A style with the page's heights and weight, and its advances by the nearest font's."""

    style: Style
    far: float


def adapt(harvested: Mapping[str, Glyph], match: Match) -> Adapted:
    """The matched style with the proportions of the letters on the page."""
    face, style = match.face, replace(match.style, spacing=0.0, gap=0.0)
    both = [
        (letter, glyph, drawn[0])
        for letter, glyph in harvested.items()
        if letter.isalnum() and (drawn := letter_ink(letter, face, style))
    ]
    if len(both) < _FEWEST:
        return Adapted(style, 1.0)
    tall, broad = (
        _median([extent(_ink(g), axis) / max(extent(ink, axis), 1e-6) for _, g, ink in both])
        for axis in (1, 0)
    )
    far = _median([g.advance / max(advance(a, face, style), 1e-6) for a, g, _ in both])
    sized = replace(style, size=style.size * tall, stretch=style.stretch * broad / tall)
    return Adapted(_weighed(sized, {a: g for a, g, _ in both[:_ENOUGH]}, match), far)


def _median(ratios: list[float]) -> float:
    return float(np.clip(np.median(ratios), 1 / _MOST, _MOST))


def _ink(glyph: Glyph) -> NDArray[np.float32]:
    return np.asarray(glyph.alpha / 255, np.float32)


def _weighed(style: Style, letters: Mapping[str, Glyph], match: Match) -> Style:
    """The style with strokes so thick that the same letters have as much ink."""
    wanted = sum(float(_ink(glyph).sum()) for glyph in letters.values())

    def lacks(swell: float) -> float:
        grown = replace(style, swell=style.swell + swell)
        drawn = [letter_ink(letter, match.face, grown) for letter in letters]
        return wanted - sum(float(one[0].sum()) for one in drawn if one)

    low, high = 0.0, _SWELL / 3 if lacks(0.0) > 0 else -_SWELL / 3
    less, more = lacks(low), lacks(high)
    for _ in range(3):  # the secant's way
        if abs(less - more) < 1e-6:
            break
        better = high - more * (high - low) / (more - less)
        low, high = high, float(np.clip(better, -_SWELL, _SWELL))
        less, more = more, lacks(high)
    return replace(style, swell=style.swell + high)


def draw_adapted(letter: str, adapted: Adapted, match: Match) -> Glyph | None:
    """A letter that the page lacks; none where it has no ink."""
    drawn = letter_ink(letter, match.face, adapted.style)
    if drawn is None:
        return None
    ink, left, top = drawn
    usual = replace(match.style, spacing=0.0, gap=0.0)
    far = advance(letter, match.face, usual) * adapted.far
    # Wider letters in as much more room keep their place in it.
    room = advance(letter, match.face, adapted.style)
    return Glyph(np.rint(ink * 255).astype(np.uint8), left + (far - room) / 2, float(top), far)
