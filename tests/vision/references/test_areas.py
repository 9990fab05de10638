"""Regions cover the picture, follow its edges, are the same after JPEG and stay few."""

import cv2
import numpy as np
import pytest
from drawn_pictures import disc_masks, encoded, iou, line_drawing, nothing, two_discs
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from overpaint.document import Pixels
from overpaint.measures.panoptic import compared
from overpaint.vision.references import Hints, Reference, extractor
from overpaint.vision.references.areas import ordered, overlaps, regions
from overpaint.vision.references.merging import tree
from overpaint.vision.references.mosaic import contacts, felt, tiles


def one_map(pixels: Pixels) -> Reference:
    """The map of steady regions."""
    return next(one for one in extractor("semantic_map").find(pixels, Hints()) if not one.maybe)


def all_maps(pixels: Pixels) -> list[Pixels]:
    """The maps in which every pixel has a region."""
    return [one.value for one in extractor("semantic_map").find(pixels, Hints()) if one.maybe]


def test_sky_ground_and_two_discs_are_four_regions() -> None:
    found = one_map(two_discs())
    assert (found.method, found.value.dtype, found.value.shape) == ("areas", np.int32, (400, 400))
    assert set(np.unique(found.value)) == {1, 2, 3, 4}
    for true in disc_masks():
        assert max(iou(found.value == number, true) for number in range(1, 5)) > 0.96
    assert found.confidence is not None
    assert found.confidence > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("quality", [90, 75])
def test_compression_costs_less_than_two_hundredths(quality: int) -> None:
    before, after = regions(two_discs()), regions(encoded(two_discs(), quality))
    assert compared(before.steady, after.steady, after.maps).value > 0.98


@pytest.mark.slow
@pytest.mark.parametrize("name", nothing())
def test_any_picture_is_covered_with_few_regions(name: str) -> None:
    picture = nothing()[name]
    for found in all_maps(picture):
        assert found.shape == picture.shape[:2]
        assert 1 <= found.min() <= found.max() <= 60


@pytest.mark.slow
def test_a_region_that_depends_on_how_much_is_asked_is_a_second_thought() -> None:
    seen = set()
    for level in range(90, 160, 5):
        picture = np.full((200, 300, 3), 90, np.uint8)
        picture[:, 150:] = (170, 150, 60)  # plainly another
        picture[40:160, 25:125] = level
        found = regions(picture)
        assert all(one.min() == 1 for one in found.maps)
        inside, around = found.steady[100, 75], found.steady[5, 5]
        seen.add("nobody says" if 0 in (inside, around) else "one" if inside == around else "two")
    assert seen == {"one", "nobody says", "two"}


def test_one_colour_is_one_region_for_sure() -> None:
    found = one_map(np.full((64, 64, 3), 20, np.uint8))
    assert (found.value.max(), found.confidence) == (1, 1.0)


@pytest.mark.slow
def test_a_line_drawing_and_a_grey_picture_have_regions() -> None:
    assert all_maps(line_drawing())[0].min() == 1
    grey = np.repeat(cv2.cvtColor(two_discs(), cv2.COLOR_RGB2GRAY)[:, :, None], 3, 2)
    found = all_maps(grey)[0]
    assert max(iou(found == n, disc_masks()[1]) for n in range(1, found.max() + 1)) > 0.9


@pytest.mark.slow
def test_the_same_picture_gives_the_same_map() -> None:
    one, again = regions(two_discs()), regions(two_discs().copy())
    assert np.array_equal(one.steady, again.steady)
    assert all(map(np.array_equal, one.maps, again.maps))


@pytest.mark.slow
def test_a_very_large_picture_is_parted_at_a_bounded_size() -> None:
    found = one_map(cv2.resize(two_discs(), (8000, 8000))).value
    assert found.shape == (8000, 8000)
    assert found[::20, ::20].max() == 4


@given(arrays(np.int32, (7, 9), elements=st.integers(0, 5)))
@settings(max_examples=40, deadline=None)
def test_regions_are_numbered_from_one_by_falling_area_and_none_stays_none(
    labels: np.ndarray,
) -> None:
    found = ordered(labels)
    sizes = np.bincount(found.ravel())[1:]
    assert ((found == 0) == (labels == 0)).all()
    assert (sizes > 0).all()
    assert (np.diff(sizes) <= 0).all()
    names = np.unique(np.stack([found, labels]).reshape(2, -1), axis=1).T
    assert len(names) == len(np.unique(labels))  # and the regions are the same ones


def test_overlaps_are_iou() -> None:
    one = np.array([[1, 1, 1, 1, 2, 2]], np.int32)
    two = np.array([[1, 1, 1, 2, 2, 3]], np.int32)
    assert overlaps(one, two) == pytest.approx(np.array([[3 / 4, 1 / 5, 0], [0, 1 / 3, 1 / 2]]))


def test_tiles_cover_a_picture_and_know_their_neighbours() -> None:
    tiled = tiles(felt(two_discs(80)), 8)
    assert set(np.unique(tiled)) == set(range(100))
    assert contacts(np.array([[0, 0, 1], [0, 2, 1]], np.int32), 3) == [
        (0, 1, 1),
        (0, 2, 2),
        (1, 2, 1),
    ]


def test_a_tree_is_cut_where_colours_are_far_apart() -> None:
    tiled = np.arange(4, dtype=np.int32)[None].repeat(10, 0).repeat(10, 1)
    colours = np.zeros((10, 40, 3), np.float32)
    colours[:, 10:20], colours[:, 20:30], colours[:, 30:] = 3, 30, 31
    grown = tree(tiled, colours)
    low, middle, high = grown.between(2, 3), grown.between(0, 1), grown.between(1, 2)
    assert low < middle < high == grown.between(0, 3)
    assert len(set(grown.cut(middle + 1, 60).tolist())) == 2
    assert len(set(grown.cut(0, 60).tolist())) == 4
    assert len(set(grown.cut(0, 3).tolist())) == 3
