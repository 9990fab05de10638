"""The law of the mask: what may change touches no score, also where an output is resampled."""

import json
from dataclasses import asdict

import cv2
import numpy as np
import pytest
from conftest import write

from overpaint import catalog
from overpaint.core import Edit, Evidence, Request, Sample, Score
from overpaint.document import Document
from overpaint.measures import background
from overpaint.measures.alignment import IN_PLACE, Transform, find_transform, reach

NAMES = ("mse", "psnr", "ssim", "gmsd", "ms_ssim", "fsim", "fsimc", "lpips")
WIDTH, HEIGHT = 480, 384
SIZES = {
    "as it was": (480, 384), "half": (240, 192), "half as large again": (720, 576),
    "another aspect": (360, 410), "one axis": (480, 301), "tiny": (61, 47),
}  # fmt: skip


def about_the_middle(linear: np.ndarray, shift: tuple[float, float]) -> Transform:
    middle = np.array([(WIDTH - 1) / 2, (HEIGHT - 1) / 2])
    back = np.hstack([linear, (middle + shift - linear @ middle)[:, None]])
    return Transform(tuple(back.ravel().tolist()), "aligned", "Given.")


def turn(degrees: float) -> np.ndarray:
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([[c, -s], [s, c]])


TRANSFORMS = {
    "part of a pixel": about_the_middle(np.eye(2), (2.4, 1.3)),
    "whole pixels": about_the_middle(np.eye(2), (-7.0, 4.0)),
    "turned": about_the_middle(turn(3.0), (0.3, -0.8)),
    "shrunk": about_the_middle(0.8 * np.eye(2), (1.7, 0.2)),
    "stretched": about_the_middle(np.array([[1.3, 0.05], [0.0, 1.1]]), (-3.1, 2.6)),
}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """Texture everywhere, and two regions that may change, one of them at the border."""
    folder = tmp_path_factory.mktemp("law")
    rng = np.random.default_rng(3)
    source = background.resized(
        rng.integers(0, 255, (48, 60, 3), dtype=np.uint8), width=WIDTH, height=HEIGHT
    )
    mask = np.zeros_like(source)
    mask[40:100, 61:160] = mask[370:, 300:333] = 255
    request = Request(write(folder / "s.png", source), "…")
    return Sample("law", request, masks=(write(folder / "m.png", mask),))


def damaged(sample: Sample, size: tuple[int, int]) -> np.ndarray:
    """The source with a third of it spoilt, at another size."""
    picture = sample.request.source.rgb.copy()
    picture[260:] = np.roll(picture[260:], 40, 1)
    return np.array(background.resized(picture, *size))


def may_change(sample: Sample, size: tuple[int, int], transform: Transform) -> np.ndarray:
    """Pixels of an output of which any part, laid over the source, is inside the mask."""
    editable = background.editable(Evidence(), sample.request.source, *sample.masks)
    finer = 4  # places looked at in each pixel, across and down
    (width, height), forward = size, cv2.invertAffineTransform(_matrix(transform))
    # To pixels of the output at the source's size, then to those of the source.
    x = (np.arange(width * finer) + 0.5) * WIDTH / (width * finer) - 0.5
    y = (np.arange(height * finer) + 0.5) * HEIGHT / (height * finer) - 0.5
    u, v = np.rint(np.tensordot(forward[:, :2], np.stack(np.meshgrid(x, y)), 1).T + forward[:, 2]).T
    inside = (u >= 0) & (u < WIDTH) & (v >= 0) & (v < HEIGHT)
    touched = np.zeros(inside.shape, bool)
    touched[inside] = editable[v[inside].astype(int), u[inside].astype(int)]
    return touched.reshape(height, finer, width, finer).any(axis=(1, 3))


def _matrix(transform: Transform) -> np.ndarray:
    return np.array(transform.back).reshape(2, 3)


def two_outputs(
    sample: Sample, size: tuple[int, int], transform: Transform
) -> tuple[np.ndarray, np.ndarray]:
    """Outputs that differ wherever they may, as far as they can."""
    one = damaged(sample, size)
    other, free = one.copy(), may_change(sample, size, transform)
    other[free] = np.where(one[free] < 128, 255, 0)
    return one, other


def scores(sample: Sample, output: np.ndarray, given: Transform | None = None) -> list[Score]:
    """The scores as found, or with the movement taken from the run as if it had been kept."""
    kept = None if given is None else json.dumps(asdict(given))
    edit, evidence = Edit(sample, "e", "ok", Document.of(output)), Evidence(lambda key: kept)
    # Where LPIPS has no weights its rows say so, alike.
    return [row for name in NAMES for row in catalog.measure(name).score([edit], evidence)]


def told(rows: list[Score]) -> list[tuple[object, ...]]:
    return [(row.measure, row.value, row.status, row.reason, row.notes) for row in rows]


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_what_may_change_touches_no_score_of_an_output_in_place(sample: Sample, size: str) -> None:
    one, two = (scores(sample, output) for output in two_outputs(sample, SIZES[size], IN_PLACE))
    assert told(one) == told(two)
    if size != "tiny":  # a tiny one says too little to be found in place
        assert all(row.value is not None for row in one if row.measure != "lpips")
        assert not any("aligned" in note for row in one for note in row.notes)


@pytest.mark.slow
@pytest.mark.parametrize("size", ["as it was", "half", "another aspect"])
@pytest.mark.parametrize("movement", TRANSFORMS)
def test_under_a_given_movement_nothing_that_may_change_is_compared(
    sample: Sample, size: str, movement: str
) -> None:
    given, size = TRANSFORMS[movement], SIZES[size]
    one, two = (scores(sample, output, given) for output in two_outputs(sample, size, given))
    assert told(one) == told(two)
    notes = [" ".join(row.notes) for row in one if row.status == "ok"]
    assert all("aligned: Given." in note for note in notes)
    assert sum(row.status == "ok" for row in one) >= len(NAMES) - 1


@pytest.mark.parametrize("movement", TRANSFORMS)
def test_a_movement_is_found_alike_whatever_was_painted_where_it_may_be(
    sample: Sample, movement: str
) -> None:
    """Not to the last bit: where the mask lies in a picture that moved is not known before."""
    true, source = TRANSFORMS[movement], sample.request.source.rgb
    forward, size = cv2.invertAffineTransform(_matrix(true)), (WIDTH, HEIGHT)
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    one = cv2.warpAffine(source, forward, size, flags=flags, borderMode=cv2.BORDER_REFLECT)
    other, free = one.copy(), may_change(sample, size, true)
    other[free] = np.where(one[free] < 128, 255, 0)
    counts = ~background.editable(Evidence(), sample.request.source, *sample.masks)
    corners = np.array([[0, WIDTH, 0, WIDTH], [0, 0, HEIGHT, HEIGHT], [1, 1, 1, 1]])
    found = [find_transform(moving, source, mask=counts) for moving in (one, other)]
    assert found[0].verdict == found[1].verdict
    if found[0].verdict == "aligned":
        far = (_matrix(found[0]) - _matrix(found[1])) @ corners
        assert np.hypot(*far).max() < 0.2


@pytest.mark.parametrize("verdict", ["identity", "failed: no better"])
def test_an_output_in_place_and_of_the_right_size_loses_no_pixel(verdict) -> None:
    assert reach(Transform(IN_PLACE.back, verdict, "")) == (0, 0)


def test_no_more_is_left_out_than_resampling_reaches(sample: Sample) -> None:
    """Twice the size: six pixels of the filter's window, and what half a source pixel covers."""
    output, documents = Document.of(damaged(sample, (240, 192))), (sample.reference, *sample.masks)
    counts = background.background(Evidence(), output, *documents).counts
    expected = np.ones((HEIGHT, WIDTH), bool)
    expected[40 - 7 : 100 + 7, 61 - 7 : 160 + 7] = expected[370 - 7 :, 300 - 7 : 333 + 7] = False
    assert np.array_equal(counts, expected)


def test_a_mask_that_resizing_carries_everywhere_leaves_nothing_and_says_so(
    sample: Sample,
) -> None:
    found = scores(sample, damaged(sample, (3, 2)))[0]
    assert found.status == "measure_failed"
    assert "resizing and moving carry what may change" in found.reason
