"""Contrast, against the figures that WCAG and its readers give."""

import numpy as np
import pytest

from overpaint.document.contrast import contrast, luminance


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [  # https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
        ((255, 255, 255), (0, 0, 0), 21.0),
        ((0x76, 0x76, 0x76), (255, 255, 255), 4.54),
        ((0x77, 0x77, 0x77), (255, 255, 255), 4.48),
        ((0x94, 0x94, 0x94), (255, 255, 255), 3.03),
        ((255, 0, 0), (255, 255, 255), 4.0),
        ((0, 0, 255), (255, 255, 255), 8.59),
    ],
)
def test_contrast_is_as_published(
    one: tuple[int, int, int], other: tuple[int, int, int], ratio: float
) -> None:
    found = contrast(luminance(one), luminance(other))
    assert float(found) == pytest.approx(ratio, abs=0.005)
    assert contrast(luminance(other), luminance(one)) == found


def test_many_colours_are_reckoned_at_once_and_alpha_is_left_aside() -> None:
    colours = np.array([[[255, 0, 0, 9], [0, 255, 0, 255]]], np.uint8)
    assert luminance(colours) == pytest.approx(np.array([[0.2126, 0.7152]]))
