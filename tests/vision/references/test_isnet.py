"""What stands in front, by ISNet: parts of a soft mask, and what is seen in pictures."""

from pathlib import Path

import numpy as np
import pytest
from skimage import data
from skimage.draw import disk

from overpaint import weights
from overpaint.errors import Unavailable
from overpaint.vision.references import Hints, extractor, isnet


@pytest.fixture
def fetched() -> None:
    """Tests that need the network are skipped where it is absent."""
    try:
        weights.find(isnet.NEEDS)
    except Unavailable as missing:
        pytest.skip(str(missing))


def soft(*discs: tuple[int, int, int, int]) -> np.ndarray:
    """Discs (row, column, radius, alpha) on nothing."""
    alpha = np.zeros((256, 256), np.uint8)
    for row, column, radius, level in discs:
        alpha[disk((row, column), radius, shape=alpha.shape)] = level
    return alpha


def test_what_hangs_together_is_one_part_the_largest_first() -> None:
    places, sure = isnet._parts(soft((60, 60, 20, 255), (180, 180, 40, 255), (60, 75, 15, 200)))
    assert len(sure) == 2
    assert places[180, 180] == 1
    assert places[60, 60] == places[60, 80] == 2
    assert places[0, 0] == 0


def test_confidence_is_how_far_from_half_the_mask_is() -> None:
    _, sure = isnet._parts(soft((60, 60, 30, 255), (180, 60, 28, 191), (180, 180, 26, 128)))
    assert sure == pytest.approx([1.0, 0.498, 0.004], abs=0.01)


def test_specks_and_faint_parts_are_no_things() -> None:
    _, sure = isnet._parts(soft((60, 60, 2, 255), (180, 180, 40, 120)))
    assert sure == []


def test_a_part_that_a_small_picture_has_no_pixel_for_is_no_thing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    between = soft((124, 124, 90, 255))
    between[::, 240:250] = 255  # between two of four pixels' middles
    monkeypatch.setattr(isnet, "foreground", lambda pixels: between)
    isnet._things.cache_clear()
    [thing] = isnet.things(np.zeros((4, 4, 3), np.uint8))
    assert thing.mask[1, 1]
    isnet._things.cache_clear()


def test_without_the_weights_it_is_unavailable_and_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path))
    isnet._network.cache_clear()
    with pytest.raises(Unavailable, match="overpaint get isnet"):
        isnet.masks.find(np.zeros((40, 64, 3), np.uint8), Hints())


# ── the real network ────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_cup_and_saucer_are_one_thing_and_its_box_fits(fetched: None) -> None:
    picture = data.coffee()
    (mask,) = extractor("mask", "isnet").find(picture, Hints())
    (box,) = extractor("bbox", "isnet").find(picture, Hints())
    assert mask.value.shape == picture.shape[:2]
    assert mask.value.dtype == bool
    assert mask.value[100, 290]  # the coffee
    assert mask.value[350, 250]  # the saucer
    assert not mask.value[200, 550]  # the table
    assert mask.confidence == box.confidence > 0.95
    rows, columns = np.nonzero(mask.value)
    whole = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    assert [tuple(one) for one in box.value] == [whole]


@pytest.mark.slow
def test_two_drawn_discs_are_found_to_the_pixel(fetched: None) -> None:
    picture = np.full((300, 500, 3), (200, 215, 230), np.uint8)
    truths = []
    for centre, radius, colour in (((150, 130), 80, (190, 40, 40)), ((170, 370), 60, (30, 90, 40))):
        truth = np.zeros(picture.shape[:2], bool)
        truth[disk(centre, radius)] = True
        picture[truth] = colour
        truths.append(truth)
    found = isnet.masks.find(picture, Hints())
    assert len(found) == 2
    for truth, one in zip(truths, found, strict=True):
        assert (truth & one.value).sum() / (truth | one.value).sum() > 0.97
        assert one.confidence > 0.8


@pytest.mark.slow
@pytest.mark.parametrize("size", [(64, 64), (1, 1), (20, 3000)])
def test_where_nothing_stands_in_front_nothing_is_found(
    fetched: None, size: tuple[int, int]
) -> None:
    picture = np.full((*size, 3), (90, 120, 60), np.uint8)
    assert list(isnet.masks.find(picture, Hints())) == []
    assert list(isnet.boxes.find(picture, Hints())) == []
