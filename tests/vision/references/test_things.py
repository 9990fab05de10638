"""Things that stand out are found where they are, again after JPEG, and none where none are."""

import cv2
import numpy as np
import pytest
from drawn_pictures import disc_masks, encoded, iou, line_drawing, nothing, two_discs
from skimage.data import coffee

from overpaint.document import Pixels
from overpaint.vision.references import Hints, Reference, extractor
from overpaint.vision.references.boxes import box_of
from overpaint.vision.references.grouping import grouped
from overpaint.vision.references.salience import salience
from overpaint.vision.references.things import _things, things


def masks(pixels: Pixels) -> list[Reference]:
    return list(extractor("mask").find(pixels, Hints()))


def test_two_discs_are_two_masks_the_larger_first_and_surely() -> None:
    found = masks(two_discs())
    assert [one.method for one in found] == ["salient", "salient"]
    for one, true in zip(found, disc_masks(), strict=True):
        assert iou(one.value, true) > 0.96
        assert one.confidence is not None
        assert one.confidence > 0.8


def test_boxes_are_those_of_the_masks_and_as_sure_as_the_least() -> None:
    found = masks(two_discs())
    [boxes] = extractor("bbox").find(two_discs(), Hints())
    assert boxes.value == tuple(box_of(one.value) for one in found)
    assert boxes.confidence == min(one.confidence for one in found if one.confidence)
    for box, true in zip(boxes.value, disc_masks(), strict=True):
        assert np.allclose(box, box_of(true), atol=3)


@pytest.mark.slow
@pytest.mark.parametrize("name", nothing())
def test_where_nothing_stands_out_there_is_nothing(name: str) -> None:
    assert masks(nothing()[name]) == []
    assert extractor("bbox").find(nothing()[name], Hints()) == []


@pytest.mark.slow
def test_a_line_drawing_and_a_grey_picture_are_looked_at_like_any_other() -> None:
    assert masks(line_drawing()) == []  # lines alone are no body
    grey = np.repeat(cv2.cvtColor(two_discs(), cv2.COLOR_RGB2GRAY)[:, :, None], 3, 2)
    assert max(iou(one.value, disc_masks()[1]) for one in masks(grey)) > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("quality", [90, 75])
def test_compression_costs_hardly_anything(quality: int) -> None:
    for picture in (two_discs(), coffee()):
        before, after = masks(picture), masks(encoded(picture, quality))
        assert len(before) == len(after) > 0
        kept = [iou(a.value, b.value) for a, b in zip(before, after, strict=True)]
        assert min(kept) > 0.98


@pytest.mark.slow
def test_the_same_picture_gives_the_same_masks_and_both_kinds_share_the_work() -> None:
    first = things(two_discs())
    asked = _things.cache_info().misses
    extractor("bbox").find(two_discs(), Hints())
    assert _things.cache_info().misses == asked
    _things.cache_clear()
    again = things(two_discs())
    assert all(np.array_equal(a.mask, b.mask) for a, b in zip(first, again, strict=True))


@pytest.mark.slow
def test_masks_have_the_size_of_the_picture_and_crisp_edges_when_it_is_large() -> None:
    found = masks(two_discs(1600))
    assert iou(found[0].value, disc_masks(1600)[0]) > 0.97


@pytest.mark.slow
def test_a_very_large_picture_is_looked_at_at_a_bounded_size() -> None:
    picture = cv2.resize(two_discs(), (8000, 8000))
    found = masks(picture)
    assert [one.value.shape for one in found] == [(8000, 8000)] * 2


def test_ground_that_reaches_the_border_does_not_stand_out() -> None:
    tiled = np.arange(9, dtype=np.int32).reshape(3, 3).repeat(4, 0).repeat(4, 1)
    colours = np.zeros((12, 12, 3), np.float32)
    colours[:, :, 0] = 50
    colours[4:8, 4:8] = (50, 60, 0)  # the tile in the middle, 60 units off
    lit = salience(tiled, colours)
    assert lit[4] == pytest.approx((60 - 3) / 60)
    assert np.delete(lit, 4).max() == 0


def boxes_on_ground(*places: tuple[int, int, int, int]) -> list[np.ndarray]:
    found = []
    for left, top, right, bottom in places:
        mask = np.zeros((100, 100), bool)
        mask[top:bottom, left:right] = True
        found.append(mask)
    return found


def coloured(parts: list[np.ndarray], *colours: tuple[int, int, int]) -> np.ndarray:
    picture = np.zeros((100, 100, 3), np.float32)
    for mask, colour in zip(parts, colours, strict=True):
        picture[mask] = colour
    return picture


def test_a_roof_and_its_wall_are_one_thing() -> None:
    parts = boxes_on_ground((30, 20, 70, 40), (35, 40, 65, 80))
    assert len(grouped(parts, coloured(parts, (50, 60, 0), (90, 0, 0)))) == 1


def test_neighbours_of_other_colours_are_two_things_and_of_like_colours_one() -> None:
    parts = boxes_on_ground((20, 40, 50, 80), (50, 30, 80, 80))
    assert len(grouped(parts, coloured(parts, (50, 60, 0), (40, 0, 50)))) == 2
    assert len(grouped(parts, coloured(parts, (50, 60, 0), (50, 55, 0)))) == 1


def test_a_rug_that_something_stands_on_is_ground() -> None:
    thing, rug = boxes_on_ground((40, 20, 60, 70), (10, 60, 90, 80))
    rug &= ~thing
    parts = [thing, rug]
    [left] = grouped(parts, coloured(parts, (50, 60, 0), (40, 0, 50)))
    assert np.array_equal(left, thing)
