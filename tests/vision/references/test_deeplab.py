"""Regions of Pascal's kinds: every pixel has one, the largest comes first, a cat is a cat."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from PIL import Image
from skimage import data, measure

from overpaint import weights
from overpaint.errors import Unavailable
from overpaint.vision import tfjs
from overpaint.vision.references import Hints, deeplab, extractor
from overpaint.vision.references.deeplab import KINDS, semantic_map


@pytest.fixture
def fetched() -> None:
    """Tests that need the network are skipped where it is absent."""
    try:
        weights.find("deeplab-weights")
    except Unavailable as missing:
        pytest.skip(str(missing))


@given(arrays.arrays(np.uint8, (9, 12), elements=st.integers(0, 3)))
@settings(max_examples=40, deadline=None)
def test_each_region_hangs_together_and_is_of_one_kind(kinds: np.ndarray) -> None:
    labels, names = deeplab._parted(kinds, np.ones(kinds.shape, np.float32))
    assert labels.min() >= 1
    assert labels.max() == len(names)
    sizes = np.bincount(labels.ravel())[1:]
    assert (np.diff(sizes) <= 0).all()
    # scikit-image's own parts of one kind, by edges and corners: the same division.
    theirs = measure.label(kinds.astype(int) + 1, connectivity=2, background=0)
    pairs = set(zip(labels.ravel().tolist(), theirs.ravel().tolist(), strict=True))
    assert len(pairs) == len(names) == theirs.max()


def test_a_speck_and_what_is_uncertain_go_to_what_surrounds_them() -> None:
    kinds, certain = np.zeros((60, 60), np.uint8), np.full((60, 60), 0.9, np.float32)
    kinds[:, 30:] = 8
    kinds[10:12, 10:15] = 15  # less than four thousandths
    kinds[40:50, 40:50] = 3
    certain[40:50, 40:50] = 0.5
    labels, found = deeplab._parted(kinds, certain)
    assert sorted(one.kind for one in found) == ["background", "cat"]
    assert labels[10, 10] == labels[0, 0] != labels[0, 59]
    assert labels[45, 45] == labels[0, 59]
    nothing, none = deeplab._parted(kinds, certain / 2)
    assert not nothing.any()
    assert none == []


def test_there_are_pascals_twenty_kinds_and_the_ground() -> None:
    assert len(set(KINDS)) == 21
    assert (KINDS[0], KINDS[8], KINDS[12], KINDS[15]) == ("background", "cat", "dog", "person")


def test_a_cat_is_the_largest_region_of_its_photograph(fetched: None) -> None:
    picture = data.chelsea()
    (found,) = extractor("semantic_map", "deeplab").find(picture, Hints())
    assert (found.kind, found.method) == ("semantic_map", "deeplab")
    assert found.value.shape == picture.shape[:2]
    assert found.value.dtype == np.int32
    assert found.value.min() == 1
    assert found.label.split(", ")[0] == "cat"
    assert found.value[150, 150] == 1 != found.value[150, 440]
    assert 0.9 < found.confidence < 1


@pytest.mark.slow
def test_a_picture_and_a_larger_copy_of_it_have_the_same_regions(fetched: None) -> None:
    picture = data.chelsea()
    larger = np.asarray(Image.fromarray(picture).resize((902, 600), Image.Resampling.BICUBIC))
    one, two = (semantic_map.find(pixels, Hints())[0].value for pixels in (picture, larger))
    assert (one == two[::2, ::2]).mean() > 0.98


@pytest.mark.slow
@pytest.mark.parametrize("size", [(64, 64), (1, 1), (3, 900)])
def test_where_there_is_but_ground_there_is_no_map(fetched: None, size: tuple[int, int]) -> None:
    assert list(semantic_map.find(np.full((*size, 3), 90, np.uint8), Hints())) == []
    noise = np.random.default_rng(0).integers(0, 256, (*size, 3), np.uint8)
    assert list(semantic_map.find(noise, Hints())) == []


@pytest.mark.slow
def test_of_a_tiny_picture_only_regions_with_a_pixel_are_counted(fetched: None) -> None:
    tiny = np.asarray(Image.fromarray(data.astronaut()).resize((7, 5), Image.Resampling.BOX))
    for found in semantic_map.find(tiny, Hints()):
        assert set(np.unique(found.value)) == set(range(1, len(found.label.split(", ")) + 1))
    one = deeplab.regions(np.full((1, 1, 3), 128, np.uint8))
    assert one.labels.tolist() == [[1]]
    assert one.kinds == ("background",)


def test_without_the_weights_it_is_unavailable_and_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path))
    tfjs.network.cache_clear()
    with pytest.raises(Unavailable, match="overpaint get deeplab"):
        semantic_map.find(np.zeros((50, 64, 3), np.uint8), Hints())
