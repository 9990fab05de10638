"""Softness: the blur of a line is told from its edges, whatever font it is drawn in."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from overpaint.document.layers import Style
from overpaint.document.text.fonts import here
from overpaint.document.text.seen import look
from overpaint.document.text.settling import Settled, draw_over
from overpaint.document.text.softness import as_soft, softness

WORDS = "Meeting on Friday"


def set_in(family: str, blur: float = 0.0, size: float = 24.0) -> Settled:
    face = next(f for f in here().family(family) if f.weight == 400 and not f.italic)
    return Settled(face, Style(family=family, size=size, blur=blur), 10.0, 34.0)


@pytest.mark.parametrize("blur", [0.0, 0.5, 0.8, 1.2])
def test_another_font_is_blurred_as_the_line_is(blur: float) -> None:
    line = draw_over(set_in("PT Serif", blur), WORDS, (48, 300))
    seen = look(line, WORDS)
    assert seen is not None
    found = as_soft(set_in("Lora", blur=2.0), seen).style.blur
    assert found == pytest.approx(blur, abs=0.2)


def test_nothing_is_blurred_more_than_it_was() -> None:
    seen = look(draw_over(set_in("PT Serif", 1.5), WORDS, (48, 300)), WORDS)
    assert seen is not None
    assert as_soft(set_in("Lora", blur=0.4), seen).style.blur == 0.4


def test_softness_grows_with_blur_and_not_with_size_or_noise() -> None:
    sharp = draw_over(set_in("PT Serif"), WORDS, (48, 300))
    soft = [softness(np.asarray(cv2.GaussianBlur(sharp, (0, 0), s))) for s in (0.5, 1.0, 2.0)]
    assert softness(sharp) < soft[0] < soft[1] < soft[2]
    large = draw_over(replace(set_in("PT Serif", size=48.0), baseline=60.0), WORDS, (90, 600))
    assert softness(large) == pytest.approx(softness(sharp), rel=0.15)
    noisy = np.clip(sharp + np.random.default_rng(1).normal(0, 0.02, sharp.shape), 0, 1)
    assert softness(noisy.astype(np.float32)) == pytest.approx(softness(sharp), rel=0.1)
    assert softness(np.zeros((5, 5), np.float32)) == 0.0
