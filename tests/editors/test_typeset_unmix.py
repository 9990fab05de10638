"""Unmixing: the colour of ink and how far each pixel is ink, told from mixed pixels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lifted_cases import flat, gradient, jpeg, put, rough, scanned

from overpaint.editors.typeset.unmix import Lifted, colour_under, lift

pytestmark = pytest.mark.slow


def part(plane: np.ndarray, lifted: Lifted) -> np.ndarray:
    """The lifted window of a plane."""
    high, wide = lifted.cover.shape
    return plane[lifted.top : lifted.top + high, lifted.left : lifted.left + wide]


@given(
    st.sampled_from([(255, 255, 255), (250, 246, 235), (20, 30, 60), (130, 170, 130)]),
    st.sampled_from([(0, 0, 0), (200, 20, 30), (20, 60, 160), (255, 255, 255), (90, 90, 90)]),
    st.sampled_from([("PT Serif", 16), ("Open Sans", 19), ("Noto Sans SC", 24), ("Lora", 31)]),
)
@settings(max_examples=12, deadline=None)
def test_clean_text_gives_back_its_colour_and_its_cover(paper, ink, face) -> None:  # type: ignore[no-untyped-def]
    if max(abs(a - b) for a, b in zip(paper, ink, strict=True)) < 60:
        return
    case = put(flat(paper), "会议 Friday 10:30", colour=ink, family=face[0], size=face[1])
    lifted = lift(case.picture, case.box)
    assert lifted.colour == (*ink, 255)
    # A step of a colour is so much of a cover.
    step = 1 / max(abs(a - b) for a, b in zip(paper, ink, strict=True))
    off = np.abs(lifted.cover - part(case.cover, lifted) / 255)
    assert off.max() <= max(2 / 255, 0.75 * step)
    assert lifted.noise.nothing


@pytest.mark.parametrize("size", [10, 11, 12])
def test_ink_too_thin_to_show_itself_is_still_told_closely(size: int) -> None:
    case = put(flat(), "thin and small", size=size, family="Open Sans")
    lifted = lift(case.picture, case.box)
    assert max(lifted.colour[:3]) <= 16


def test_the_cover_is_right_on_a_gradient() -> None:
    case = put(gradient(), "Meeting on Friday", colour=(40, 10, 60))
    lifted = lift(case.picture, case.box)
    assert lifted.colour == (40, 10, 60, 255)
    assert np.abs(lifted.cover - part(case.cover, lifted) / 255).max() < 0.025


def test_the_cover_is_near_on_a_photograph() -> None:
    case = put(rough(), "Summer sale", size=30, colour=(255, 255, 255), bold=True)
    lifted = lift(case.picture, case.box)
    assert lifted.kind == "photograph"
    assert lifted.colour == (255, 255, 255, 255)
    letters = part(case.cover, lifted) / 255
    assert np.corrcoef(lifted.cover.ravel(), letters.ravel())[0, 1] > 0.97


def test_a_cover_is_between_none_and_all_and_lies_in_the_hole() -> None:
    for ground in (flat(), gradient(), rough()):
        case = put(ground, "Summer", colour=(255, 255, 255), bold=True)
        lifted = lift(case.picture, case.box)
        assert lifted.cover.min() >= 0
        assert lifted.cover.max() <= 1
        assert not lifted.cover[~lifted.hole].any()


def test_blurred_ink_is_not_taken_for_grey() -> None:
    case = put(flat((250, 246, 235)), "Meeting on Friday", size=20)
    lifted = lift(scanned(case.picture, 1, blur=0.8, quality=0), case.box)
    assert max(lifted.colour[:3]) < 45
    assert 0.6 < lifted.noise.blur < 1.05


def test_a_cover_drawn_in_the_right_font_tells_the_very_colour() -> None:
    for colour in ((0, 0, 0), (150, 20, 30), (30, 90, 60)):
        case = put(flat((247, 243, 233)), "Meeting on Friday", size=14, colour=colour)
        seen = jpeg(case.picture, 80)
        lifted = lift(seen, case.box)
        cover = (part(case.cover, lifted) / 255).astype(np.float32)
        found = colour_under(part(seen, lifted), lifted, cover)
        assert max(abs(a - b) for a, b in zip(found, colour, strict=False)) < 18
        clean = lift(case.picture, case.box)
        exact = colour_under(part(case.picture, clean), clean, cover)
        assert max(abs(a - b) for a, b in zip(exact, colour, strict=False)) <= 1


def test_letters_of_a_soft_line_close_below_are_not_taken_along() -> None:
    above = put(flat(), "The limit on the ring road", size=14, family="PT Sans", at=(30, 70))
    both = put(above.picture, "Shelf by shelf, all doubled", size=14, family="PT Sans", at=(30, 86))
    left, top, right, bottom = above.box
    below = (left, both.box[3] - 18, right, both.box[3])  # a reader's boxes are not tight
    scan = scanned(both.picture, 1, blur=0.9)
    taken = lift(scan, (left, top, right, bottom + 1), keep=(below,))
    assert taken.cover[bottom + 2 - taken.top :].max() < 0.3
