"""Panoptic quality held against counting by hand and against torchmetrics."""

import time

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from torchmetrics.functional.detection import panoptic_quality as by_torchmetrics

from overpaint.errors import UserMistake
from overpaint.measures.panoptic import compared, panoptic_quality

SIZE = (9, 11)
NAMES = st.sampled_from([0, 1, 2, 3, 7, 70_000, 2**31 - 1])


@st.composite
def maps(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """A map of rectangles, and the same with pixels and names changed."""
    one = np.zeros(SIZE, np.int64)
    for _ in range(draw(st.integers(0, 5))):
        top, left = draw(st.integers(0, 8)), draw(st.integers(0, 10))
        one[top : top + draw(st.integers(1, 6)), left : left + draw(st.integers(1, 6))] = draw(
            NAMES
        )
    other = np.where(draw(arrays(bool, SIZE)) & draw(st.booleans()), draw(NAMES), one)
    other[:, : draw(st.integers(0, 4))] = draw(NAMES)
    return one, other


def by_hand(asked: np.ndarray, found: np.ndarray) -> float:
    counted = asked != 0
    wanted = [asked == name for name in np.unique(asked) if name]
    there = [found == name for name in np.unique(found) if name]
    there = [one for one in there if 2 * (one & counted).sum() >= one.sum()]
    overlaps = [(a & b).sum() / (a | b & counted).sum() for a in wanted for b in there]
    kept = [iou for iou in overlaps if iou > 0.5]
    # What lies mostly where nothing is asked can still be somebody's pair.
    strays = [found == name for name in np.unique(found) if name]
    strays = [one for one in strays if 2 * (one & counted).sum() < one.sum()]
    more = [(a & b).sum() / (a | b & counted).sum() for a in wanted for b in strays]
    pairs = kept + [iou for iou in more if iou > 0.5]
    if not wanted and not there:
        return 1.0
    lacking = len(wanted) - len(pairs) + len(there) - len(kept)
    whole = len(pairs) + lacking / 2
    return sum(pairs) / whole if whole else 1.0


@settings(max_examples=200, deadline=None)
@given(maps())
def test_it_is_what_counting_region_by_region_gives(pair: tuple[np.ndarray, np.ndarray]) -> None:
    assert panoptic_quality(*pair) == pytest.approx(by_hand(*pair), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(maps())
def test_it_is_torchmetrics_number_where_every_pixel_has_a_region(
    pair: tuple[np.ndarray, np.ndarray],
) -> None:
    sides = [
        torch.from_numpy(np.stack([np.ones_like(side), side % 2**31 + 1], axis=-1))[None]
        for side in pair
    ]
    theirs = float(by_torchmetrics(sides[1], sides[0], things={1}, stuffs={2}))
    # One class of two occurs, and torchmetrics averages over those that do, in single precision.
    assert panoptic_quality(pair[0] + 1, pair[1] + 1) == pytest.approx(theirs, abs=1e-6)


@given(maps())
def test_names_do_not_matter_and_sides_of_full_maps_can_be_changed(
    pair: tuple[np.ndarray, np.ndarray],
) -> None:
    one, other = pair
    renamed = np.where(other > 0, 5 + other * 3, 0)
    assert panoptic_quality(one, renamed) == panoptic_quality(one, other)
    there, back = panoptic_quality(one + 1, other + 1), panoptic_quality(other + 1, one + 1)
    assert there == pytest.approx(back, abs=1e-12)
    assert panoptic_quality(one, one) == 1.0


FOUR = np.kron([[1, 2], [3, 4]], np.ones((4, 4), np.int32)).astype(np.int32)


def test_missing_and_extra_regions_cost_the_same() -> None:
    merged = np.where(FOUR == 4, 3, FOUR)
    assert (
        panoptic_quality(FOUR, merged) == panoptic_quality(merged, FOUR) == pytest.approx(2 / 3.5)
    )
    found = compared(FOUR, merged)
    assert (found.pairs, found.missing, found.extra) == (2, 2, 1)
    lost = compared(FOUR, np.where(FOUR == 4, 0, FOUR))
    assert (lost.pairs, lost.missing, lost.extra) == (3, 1, 0)
    assert panoptic_quality(FOUR, np.zeros_like(FOUR)) == 0.0
    assert panoptic_quality(np.zeros_like(FOUR), np.zeros_like(FOUR)) == 1.0


def test_where_nothing_is_asked_nothing_is_extra_and_nothing_counts() -> None:
    three = np.where(FOUR == 4, 0, FOUR)
    assert panoptic_quality(three, FOUR) == 1.0
    wide = np.where(FOUR == 4, 3, FOUR)  # region 3 reaches into what is open
    assert panoptic_quality(three, wide) == 1.0


def test_a_second_thought_can_meet_what_is_asked_and_is_never_extra() -> None:
    halves = np.where(FOUR > 2, 2, 1).astype(np.int32)
    unsure = compared(FOUR, halves, [FOUR])
    assert (unsure.pairs, unsure.missing, unsure.overlap) == (4, 0, 4.0)
    assert unsure.extra == 2
    assert compared(halves, halves, [FOUR]).value == 1.0


def test_half_is_not_enough() -> None:
    one, other = np.zeros((1, 4), np.int32), np.zeros((1, 4), np.int32)
    one[0, :2], other[0, :1] = 1, 1
    assert compared(one, other).pairs == 0


def test_a_large_map_of_many_regions_takes_no_time() -> None:
    blocks = np.arange(1, 1025, dtype=np.int32).reshape(32, 32)
    large = np.kron(blocks, np.ones((32, 32), np.int32))
    started = time.perf_counter()
    assert panoptic_quality(large, np.roll(large, 3, axis=1)) > 0.7
    assert time.perf_counter() - started < 1.0


def test_what_are_no_maps_of_regions_is_refused() -> None:
    good = np.ones((3, 3), np.int32)
    with pytest.raises(UserMistake, match="float64.*H×W whole numbers were expected"):
        panoptic_quality(good, np.ones((3, 3)))
    with pytest.raises(UserMistake, match="H×W whole numbers"):
        panoptic_quality(good - 2, good)
    with pytest.raises(UserMistake, match=r"\(3, 3\) and \(3, 4\).*one size.*nearest"):
        panoptic_quality(good, np.ones((3, 4), np.int32))
