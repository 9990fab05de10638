"""A picture and its copy have nearly one fingerprint, two pictures do not."""

import io

import numpy as np
import pytest
from PIL import Image
from scipy.fft import dctn

from overpaint import catalog
from overpaint.vision.fingerprints import BITS, FREQUENCIES, distances, fingerprint, mirrored


@pytest.fixture(scope="module")
def scenes() -> list[np.ndarray]:
    samples = catalog.benchmark("demo").load(None).samples
    return [sample.request.source.rgb for sample in samples[:8]]


def test_the_bits_are_those_of_an_independent_cosine_transform() -> None:
    light = np.random.default_rng(3).integers(0, 256, (64, 64), np.uint8)
    waves = dctn(light.astype(float), norm="ortho")[:FREQUENCIES, :FREQUENCIES].ravel()[1:]
    expected = waves > np.median(waves)
    assert (fingerprint(np.dstack([light] * 3)) == expected).all()


def test_a_copy_stored_and_scaled_anew_differs_in_few_bits(scenes: list[np.ndarray]) -> None:
    for pixels in scenes:
        data = io.BytesIO()
        half = Image.fromarray(pixels).resize((pixels.shape[1] // 2, pixels.shape[0] // 2))
        half.save(data, "JPEG", quality=50)
        copy = np.asarray(Image.open(data).convert("RGB"))
        assert distances([fingerprint(pixels)], [fingerprint(copy)])[0, 0] < 20


def test_a_mirrored_fingerprint_is_that_of_the_mirror_image(scenes: list[np.ndarray]) -> None:
    for pixels in scenes:
        found = distances([mirrored(fingerprint(pixels))], [fingerprint(pixels[:, ::-1])])
        assert found[0, 0] < 25  # those near the median may fall on its other side


def test_distances_count_bits() -> None:
    chance = np.random.default_rng(0)
    some = list(chance.random((3, BITS)) < 0.5)
    others = list(chance.random((4, BITS)) < 0.5)
    expected = [[int((a != b).sum()) for b in others] for a in some]
    assert distances(some, others).tolist() == expected
    assert distances([], others).shape == (0, 4)
