"""BlazePose's arithmetic, without its networks: anchors, merging, squares and the map of heat."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.vision.references.blazepose import windows
from overpaint.vision.references.blazepose_nets import Square, anchors, merge, refined, square_of

PLACE = st.floats(-500, 500)


def detection(x: float, y: float, side: float) -> np.ndarray:
    """A row as the detector tells it: the middle, the size and four points."""
    return np.array([(x, y), (side, side), *((x + i, y - i) for i in range(4))])


def test_there_is_an_anchor_for_every_row_and_it_lies_in_the_picture() -> None:
    found = anchors()
    assert found.shape == (2254, 2)
    assert found.min() > 0
    assert found.max() < 1
    assert found[:2] == pytest.approx(np.full((2, 2), 0.5 / 28))  # two of the finest grid's first
    assert len(np.unique(found[-294:], axis=0)) == 49  # six of each of the coarsest grid's


def test_detections_of_one_person_become_one_in_which_the_surer_counts_more() -> None:
    rows = np.stack([detection(0.5, 0.5, 0.4), detection(0.52, 0.5, 0.4), detection(3, 3, 0.4)])
    found = merge(rows, np.array([0.9, 0.6, 0.7]))
    assert [score for score, _ in found] == [0.9, 0.7]
    assert found[0][1][0] == pytest.approx([(0.5 * 0.9 + 0.52 * 0.6) / 1.5, 0.5])
    assert found[1][1] == pytest.approx(rows[2])


@given(st.lists(st.tuples(PLACE, PLACE, st.floats(-1, 1), st.floats(0.5, 1)), max_size=12))
def test_merging_loses_nobody_and_ends_whatever_the_boxes(rows: list[tuple[float, ...]]) -> None:
    points = np.array([detection(x, y, side) for x, y, side, _ in rows]).reshape(-1, 6, 2)
    chance = np.array([row[3] for row in rows])
    found = merge(points, chance)
    assert len(found) <= len(rows)
    assert [score for score, _ in found] == sorted((score for score, _ in found), reverse=True)
    assert bool(found) == bool(rows)


@given(PLACE, PLACE, st.floats(0, 2 * math.pi), st.floats(1, 500))
def test_a_square_stands_upright_along_the_body(
    x: float, y: float, angle: float, length: float
) -> None:
    reach = (x + length * math.sin(angle), y - length * math.cos(angle))
    square = square_of((x, y), reach)
    matrix = square.matrix
    assert square.side == pytest.approx(2.5 * length)
    assert matrix @ (0.5, 0.5, 1) == pytest.approx((x, y), abs=1e-6)
    # Upwards in the square is the way from the hips to what the body reaches.
    assert matrix @ (0.5, 0.1, 1) == pytest.approx(reach, abs=1e-6)


def test_a_joint_moves_to_the_middle_of_the_heat_near_it_and_to_none_far_away() -> None:
    heat = np.full((64, 64, 3), -20.0)
    heat[30:33, 40:43, 0] = 5.0  # around the cell 41, 31
    heat[5, 5, 1] = 5.0
    places = np.array([(40 / 64, 30 / 64), (0.5, 0.5), (1.4, -0.2)])
    moved = refined(places, heat)
    assert moved[0] == pytest.approx((41 / 64, 31 / 64), abs=1e-6)
    assert (moved[1:] == places[1:]).all()


@given(st.integers(1, 3000), st.integers(1, 3000))
def test_the_windows_cover_the_picture_and_are_no_more_than_some(wide: int, high: int) -> None:
    found = list(windows(wide, high))
    assert found[0] == Square(wide / 2, high / 2, max(wide, high), 0.0)
    assert len(found) <= 1 + 9 + 25
    for side in {square.side for square in found}:
        for x, y in ((0, 0), (wide, 0), (wide, high), (wide / 3, high / 2)):
            near = [max(abs(s.x - x), abs(s.y - y)) for s in found if s.side == side]
            assert min(near) <= side / 2 + 1e-6
