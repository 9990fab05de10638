"""Layout consistency: laws, a slow reference of its own, and what is refused."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from overpaint.errors import UserMistake
from overpaint.measures.layout import compared, layout_consistency

Masks = NDArray[np.bool_]


@st.composite
def sets_of_masks(draw: st.DrawFn, most: int = 4) -> Masks:
    """A few masks of 9×70 pixels: boxes with holes, so that rows cross the end of a word."""
    count, seed = draw(st.integers(0, most)), draw(st.integers(0, 10_000))
    random = np.random.default_rng(seed)
    masks = np.zeros((count, 9, 70), bool)
    for mask in masks:
        (left, right), (top, bottom) = (np.sort(random.integers(0, n + 1, 2)) for n in (70, 9))
        mask[top:bottom, left:right] = random.random((bottom - top, right - left)) < 0.8
    return masks


def slow(before: Masks, after: Masks, tau: float = 0.1) -> float:
    """The formula written out pixel by pixel, every matching tried."""
    a, b = ([mask for mask in masks if mask.any()] for masks in (before, after))
    if not a or not b:
        return 100.0 if not a and not b else 0.0
    high, wide = a[0].shape
    iou = [[float((x & y).sum() / (x | y).sum()) for y in b] for x in a]
    few, many = (a, b) if len(a) <= len(b) else (b, a)
    matchings = [
        [(i, j) if few is a else (j, i) for i, j in enumerate(chosen)]
        for chosen in permutations(range(len(many)), len(few))
    ]
    best = max(matchings, key=lambda pairs: sum(iou[i][j] for i, j in pairs))
    pairs = [(i, j) for i, j in best if iou[i][j] >= tau]
    gone = sum(x.sum() for i, x in enumerate(a) if i not in [p[0] for p in pairs])
    new = sum(y.sum() for j, y in enumerate(b) if j not in [p[1] for p in pairs])
    position = shape = area = 0.0
    for i, j in pairs:
        (ya, xa), (yb, xb) = (np.argwhere(mask).mean(axis=0) for mask in (a[i], b[j]))
        position += 1 - math.hypot(ya - yb, xa - xb) / math.hypot(high, wide)
        shape += iou[i][j]
        areas = sorted((int(a[i].sum()), int(b[j].sum())))
        area += areas[0] / areas[1]
    each = 0.2 * (position + shape + area) / len(pairs) if pairs else 0.0
    rate = 0.25 * len(pairs) / max(len(a), len(b))
    return 100 * max(0.0, rate + each - 0.15 * (gone + 0.7 * new) / (high * wide)) / 0.85


@settings(max_examples=150, deadline=None)
@given(sets_of_masks(), sets_of_masks(), st.sampled_from([0.05, 0.1, 0.5]))
def test_it_is_what_the_formula_written_out_gives(before: Masks, after: Masks, tau: float) -> None:
    sums = [mask.sum() for mask in (*before, *after) if mask.any()]
    if len(set(sums)) < len(sums):
        return  # equally good matchings: the formula does not say which
    found = layout_consistency(before, after, tau=tau)
    assert found == pytest.approx(slow(before, after, tau), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(sets_of_masks(6))
def test_a_document_that_stays_as_it_is_has_100(masks: Masks) -> None:
    assert layout_consistency(masks, masks.copy()) == 100.0


@settings(max_examples=60, deadline=None)
@given(sets_of_masks(5), sets_of_masks(5), st.integers(0, 1000))
def test_no_order_of_the_masks_moves_it_and_it_stays_on_its_scale(
    before: Masks, after: Masks, seed: int
) -> None:
    found = layout_consistency(before, after)
    assert 0 <= found <= 100
    shuffled = before[np.random.default_rng(seed).permutation(len(before))]
    assert layout_consistency(shuffled, after[::-1]) == found


@settings(max_examples=60, deadline=None)
@given(sets_of_masks(), sets_of_masks())
def test_turned_round_only_what_has_no_pair_counts_otherwise(before: Masks, after: Masks) -> None:
    areas = [int(mask.sum()) for mask in (*before, *after)]
    if len(set(areas)) < len(areas):
        return
    one, other = compared(before, after), compared(after, before)
    assert (one.rate, one.gone, one.new) == (other.rate, other.new, other.gone)
    for share in ("position", "shape", "area"):
        assert getattr(one, share) == pytest.approx(getattr(other, share))
    assert {(a, b) for a, b, _ in one.pairs} == {(b, a) for a, b, _ in other.pairs}


def square(left: int, top: int, side: int = 10) -> Masks:
    mask = np.zeros((1, 100, 100), bool)
    mask[0, top : top + side, left : left + side] = True
    return mask


def test_the_further_a_thing_moves_the_less_is_left() -> None:
    moved = [layout_consistency(square(40, 40), square(40 + by, 40)) for by in range(12)]
    assert moved[0] == 100.0
    assert moved == sorted(moved, reverse=True)
    # Nine pixels leave an IoU of 10 / 190 < 0.1: no pair, and 1 % gone and 1 % new.
    assert moved[9] == 0.0


def test_what_appears_costs_less_than_what_disappears() -> None:
    both = np.concatenate([square(0, 0, 20), square(60, 60, 20)])
    gone, new = layout_consistency(both, both[:1]), layout_consistency(both[:1], both)
    assert gone == pytest.approx((12.5 + 60 - 15 * 0.04) / 0.85)
    assert new == pytest.approx((12.5 + 60 - 15 * 0.7 * 0.04) / 0.85)


def test_no_masks_on_either_side_is_100_and_on_one_side_only_0() -> None:
    none, empty = np.zeros((0, 100, 100), bool), np.zeros((2, 100, 100), bool)
    assert [layout_consistency(a, b) for a in (none, empty) for b in (none, empty)] == [100.0] * 4
    for nothing in (none, empty, np.zeros((0, 0, 0), bool)):
        assert layout_consistency(nothing, square(1, 1)) == 0.0
        assert layout_consistency(square(1, 1), nothing) == 0.0


def test_masks_in_any_memory_order_are_read_alike() -> None:
    both = np.concatenate([square(5, 3), square(30, 60, 33)])
    turned = np.asfortranarray(both)
    assert layout_consistency(turned, both) == 100.0
    assert layout_consistency(both[::-1, ::-1], both[:, ::-1]) == 100.0


def test_masks_of_two_sizes_are_an_error() -> None:
    with pytest.raises(UserMistake, match="before are 100×100, those after 90×80"):
        layout_consistency(square(1, 1), np.ones((1, 80, 90), bool))


@pytest.mark.parametrize(
    "wrong",
    [np.ones((1, 4, 4), np.uint8), np.ones((4, 4), bool), [[True]], np.ones((2001, 1, 1), bool)],
)
def test_masks_that_are_none_are_an_error(wrong: object) -> None:
    with pytest.raises(UserMistake, match="array of bool, n×H×W, with at most 2,000 masks"):
        layout_consistency(wrong, square(1, 1))  # type: ignore[arg-type]


def test_a_threshold_outside_of_an_iou_is_an_error() -> None:
    for tau in (-0.1, 1.1, math.nan):
        with pytest.raises(UserMistake, match="An IoU is between 0 and 1"):
            layout_consistency(square(1, 1), square(1, 1), tau=tau)
