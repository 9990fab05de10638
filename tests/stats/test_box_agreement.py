"""Agreement of boxes: counted by hand."""

import pytest

from overpaint.stats.boxes import Box, iou, mean_pairwise_iou, pairwise_iou

ONE: Box = (0, 0, 10, 10)
HALF: Box = (0, 0, 10, 5)
AWAY: Box = (20, 20, 30, 30)


def test_the_mean_is_over_all_pairs_of_a_unit() -> None:
    assert pairwise_iou([ONE, ONE, HALF]) == pytest.approx((1 + 0.5 + 0.5) / 3)
    assert pairwise_iou([ONE, AWAY]) == 0
    assert pairwise_iou([ONE]) is None
    assert iou((5, 5, 5, 5), (5, 5, 5, 5)) == 1  # equal, without an area


def test_units_count_the_same_however_many_drew_and_one_box_alone_does_not_count() -> None:
    found = mean_pairwise_iou([[ONE, ONE, ONE], [ONE, HALF], [AWAY], []])
    assert found.value == pytest.approx(0.75)
    assert (found.units, found.ratings) == (2, 5)
    assert found.notes == ("no interval: it needs 5 units and has 2",)


def test_many_units_have_an_interval_that_encloses_the_mean() -> None:
    units = [[ONE, (0, 0, 10, float(k % 10 + 1))] for k in range(40)]
    found = mean_pairwise_iou(units)
    assert found.value == pytest.approx(0.55)
    assert found.low < 0.55 < found.high  # type: ignore[operator]
    assert found == mean_pairwise_iou(units[::-1])


def test_without_two_boxes_of_anything_there_is_no_mean() -> None:
    found = mean_pairwise_iou([[ONE], []])
    assert found.value is None
    assert found.notes == ("no unit has boxes of two raters",)
