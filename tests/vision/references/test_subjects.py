"""The subject is the main thing alone, in the middle of white."""

import cv2
import numpy as np
import pytest
from drawn_pictures import disc_masks, nothing, two_discs

from overpaint.vision.references import Hints, extractor
from overpaint.vision.references.subjects import on_white


def test_the_larger_disc_stands_alone_in_the_middle_of_white() -> None:
    [found] = extractor("subject").find(two_discs(), Hints())
    assert (found.method, found.label) == ("cutout", "")
    high, wide = found.value.shape[:2]
    assert high == wide
    assert 165 < high < 185
    red = np.abs(found.value.astype(int) - (200, 40, 30)).max(axis=2) < 20
    y, x = np.nonzero(red)
    assert abs(x.mean() - wide / 2) < 2
    assert abs(y.mean() - high / 2) < 2
    assert (found.value[:10] == 255).all()
    assert (found.value[:, -10:] == 255).all()
    blue = (found.value[:, :, 2].astype(int) - found.value[:, :, 0]) > 40
    assert not blue.any()  # nothing of the sky has come along


@pytest.mark.slow
@pytest.mark.parametrize("name", nothing())
def test_without_a_thing_there_is_no_subject(name: str) -> None:
    assert extractor("subject").find(nothing()[name], Hints()) == []


def test_a_thing_at_the_border_is_cut_out_as_well() -> None:
    mask = np.zeros((50, 80), bool)
    mask[:20, 60:] = True
    shown = on_white(np.zeros((50, 80, 3), np.uint8), mask)
    assert shown.shape == (24, 24, 3)
    assert (shown[2:22, 2:22] < 128).all()


@pytest.mark.slow
def test_the_subject_of_a_very_large_picture_is_bounded() -> None:
    picture = cv2.resize(two_discs(), (8000, 8000))
    mask = cv2.resize(disc_masks()[0].view(np.uint8), (8000, 8000)) > 0
    assert max(on_white(picture, mask).shape) < 900
