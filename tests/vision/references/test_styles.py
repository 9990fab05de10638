"""A swatch keeps the palette and loses the arrangement; likeness tells styles apart."""

import cv2
import numpy as np
import pytest
from drawn_pictures import encoded, line_drawing, nothing, two_discs
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage.color import rgb2lab
from skimage.data import astronaut, coffee

from overpaint.document import Pixels
from overpaint.engines.scenes import scene
from overpaint.vision.references import Hints, extractor
from overpaint.vision.references.mosaic import lab
from overpaint.vision.references.styles import blocks, likeness, likeness_of


def swatch(pixels: Pixels) -> Pixels:
    [found] = extractor("style").find(pixels, Hints())
    value: Pixels = found.value
    return value


def dotted(pixels: Pixels, every: int) -> Pixels:
    """The same picture in another style: dots of print all over it."""
    y, x = np.mgrid[: pixels.shape[0], : pixels.shape[1]]
    dots = np.hypot(y % every - every / 2, x % every - every / 2) < every / 4
    return np.where(dots[:, :, None], pixels // 2, pixels).astype(np.uint8)


def shared(one: Pixels, two: Pixels) -> float:
    """How much of their histograms two pictures share, 8 bins a colour."""
    counts = [
        np.stack([np.histogram(p[:, :, plane], 8, (0, 256))[0] for plane in range(3)])
        / p[:, :, 0].size
        for p in (one, two)
    ]
    return float(np.minimum(*counts).sum() / 3)


def test_a_swatch_has_the_palette_of_its_picture_in_another_order() -> None:
    picture = coffee()
    made = swatch(picture)
    assert made.shape == (400, 400, 3)
    # Photographs share .3 to .75 of their histograms with one another.
    assert shared(picture, made) > 0.8 > shared(picture, astronaut())
    same = cv2.matchTemplate(picture, made[100:300, 100:300], cv2.TM_CCOEFF_NORMED).max()
    assert same < 0.7  # no large part of it is where it was


def test_a_picture_has_the_same_swatch_each_time() -> None:
    assert np.array_equal(swatch(coffee()), swatch(coffee()))


@pytest.mark.parametrize("name", [*nothing(), "lines"])
def test_any_picture_has_a_swatch_and_statistics(name: str) -> None:
    picture = {**nothing(), "lines": line_drawing()}[name]
    made = swatch(picture)
    assert made.shape[0] == made.shape[1] >= 64
    assert all(np.isfinite(block).all() for block in blocks(picture).values())
    assert likeness(picture, picture) == 1


def test_a_swatch_of_one_colour_is_that_colour() -> None:
    assert (swatch(np.full((64, 64, 3), 9, np.uint8)) == 9).all()


def test_there_are_as_many_statistics_of_a_picture_of_any_size() -> None:
    small, large = (blocks(two_discs(side)) for side in (300, 900))
    assert {name: len(block) for name, block in small.items()} == {
        name: len(block) for name, block in large.items()
    }


@given(st.integers(0, 200))
@settings(max_examples=8, deadline=None)
def test_likeness_goes_both_ways_and_lies_between_0_and_1(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one = rng.integers(0, 256, (40, 50, 3), dtype=np.uint8)
    two = cv2.GaussianBlur(rng.integers(0, 256, (64, 40, 3), dtype=np.uint8), (0, 0), 3)
    assert likeness(one, two) == pytest.approx(likeness(two, one))
    assert 0 < likeness(one, two) < 1


def test_the_same_dots_are_more_alike_than_the_same_picture() -> None:
    plain, other = astronaut(), coffee()
    same_style = likeness(dotted(plain, 6), dotted(other, 6))
    assert same_style > likeness(dotted(plain, 6), other)
    assert same_style > likeness(plain, dotted(plain, 6))


def test_compression_leaves_a_picture_more_like_itself_than_any_other() -> None:
    assert likeness(astronaut(), encoded(astronaut(), 90)) > 0.7
    assert likeness(astronaut(), encoded(astronaut(), 75)) > likeness(astronaut(), coffee())


def test_colours_are_those_of_another_library() -> None:
    assert np.abs(lab(coffee()) - rgb2lab(coffee())).max() < 0.6  # tables against formulas


@pytest.mark.slow
def test_drawn_scenes_of_one_style_are_told_from_others() -> None:
    scenes = [scene(number) for number in range(0, 48, 2)]
    known = [(blocks(one.pixels), one.style) for one in scenes]
    pairs = [(a, b) for at, a in enumerate(known) for b in known[:at]]
    told = np.asarray([likeness_of(a, b) for (a, _), (b, _) in pairs])
    same = np.asarray([a == b for (_, a), (_, b) in pairs])
    above = (told[same][:, None] > told[~same][None]).mean()
    assert above > 0.85


@pytest.mark.slow
def test_a_very_large_picture_is_taken_at_a_bounded_size() -> None:
    assert swatch(cv2.resize(two_discs(), (8000, 8000))).shape == (512, 512, 3)
