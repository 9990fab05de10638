"""Edges are OpenCV's own; a sketch is dark lines on white, whatever the picture's size."""

import io

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from scipy.ndimage import gaussian_filter
from skimage.data import astronaut
from skimage.feature import canny as other_canny

from overpaint.document import Pixels
from overpaint.vision.references import Hints, extractor
from overpaint.vision.references.edges import _lines, drawn


def edges(pixels: Pixels) -> Pixels:
    [found] = extractor("canny").find(pixels, Hints())
    assert (found.kind, found.method) == ("canny", "opencv")
    value: Pixels = found.value
    return value


def disc(side: int, *, inside: int = 60, outside: int = 220) -> Pixels:
    y, x = (np.mgrid[:side, :side] + 0.5) / side - 0.5
    shade = np.where(np.hypot(x, y) < 0.3, inside, outside)
    return np.repeat(shade[:, :, None], 3, 2).astype(np.uint8)


def encoded(pixels: Pixels, quality: int) -> Pixels:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=quality)
    return np.asarray(Image.open(file).convert("RGB"))


def test_edges_are_those_of_opencv_at_100_and_200() -> None:
    picture = astronaut()
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    assert np.array_equal(edges(picture), cv2.Canny(grey, 100, 200))


def test_another_library_sees_the_edge_of_a_disc_within_two_pixels() -> None:
    found, other = edges(disc(200)) > 0, other_canny(disc(200)[:, :, 0] / 255, sigma=1)
    near = cv2.dilate(other.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    assert found.sum() > 300
    assert near[found].all()


def test_a_sketch_is_black_along_the_disc_and_white_within_and_around() -> None:
    paper = drawn(disc(400))
    y, x = (np.mgrid[:400, :400] + 0.5) / 400 - 0.5
    away = abs(np.hypot(x, y) - 0.3)
    assert paper[away > 0.02].min() == 255
    line = paper[(away < 0.004) & (np.hypot(x, y) < 0.3)]
    assert np.median(line) < 40


def test_the_difference_of_gaussians_is_that_of_scipy() -> None:
    grey = np.asarray(disc(400)[:, :, 0], np.float32) / 255
    pen = 0.0018 * 400
    near, wide = (gaussian_filter(grey, sigma, mode="mirror") for sigma in (pen, pen * 1.6))
    expected = 1 + np.tanh(26 * np.minimum((near - wide) / (wide + 0.12) + 0.012, 0))
    assert np.abs(_lines(grey) - expected).max() < 0.03  # OpenCV's kernels are cut off earlier


def test_a_larger_copy_gives_the_same_drawing() -> None:
    small, large = drawn(disc(400)), drawn(disc(1200))
    again = cv2.resize(large, (400, 400), interpolation=cv2.INTER_AREA)
    assert np.mean((small / 255 - again / 255) ** 2) < 0.01


@pytest.mark.parametrize("quality", [90, 75])
def test_compression_hardly_changes_a_sketch(quality: int) -> None:
    one, two = drawn(astronaut()) / 255, drawn(encoded(astronaut(), quality)) / 255
    assert np.mean((one - two) ** 2) < 0.005


@given(st.integers(0, 255), st.sampled_from([1, 2, 64]))
@settings(max_examples=12, deadline=None)
def test_one_colour_has_neither_edges_nor_lines(level: int, side: int) -> None:
    flat = np.full((side, side, 3), level, np.uint8)
    assert not edges(flat).any()
    assert drawn(flat).min() == 255


def test_a_line_drawing_stays_one() -> None:
    picture = np.full((300, 300, 3), 255, np.uint8)
    cv2.circle(picture, (150, 150), 90, (0, 0, 0), 2)
    paper = drawn(picture)
    assert paper[picture[:, :, 0] == 0].mean() < 90
    assert (paper < 128).mean() < 0.03


@pytest.mark.slow
def test_a_very_large_picture_is_drawn_at_a_bounded_size() -> None:
    paper = drawn(cv2.resize(disc(500), (8000, 8000)))
    assert paper.shape == (8000, 8000)
    assert paper.min() < 60
