"""Many looks at one person: the vote on left and right, how much they agree, and storing again."""

import io
import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from overpaint import weights
from overpaint.document import Pixels
from overpaint.engines import scenes
from overpaint.engines.scenes.people import person
from overpaint.errors import Unavailable
from overpaint.measures.oks import People, oks_map
from overpaint.vision.references.blazepose import COCO, people
from overpaint.vision.references.blazepose_nets import (
    DETECTOR,
    OTHER_SIDE,
    Body,
    Square,
    body_in,
)
from overpaint.vision.references.blazepose_views import SWAPPED, agreed, between

SQUARE = Square(200.0, 200.0, 300.0, 0.0)
SIZE = (400, 400)
SQUARES = st.builds(
    Square, st.floats(-500, 500), st.floats(-500, 500), st.floats(1, 900), st.floats(-3.1, 3.1)
)


@pytest.fixture(scope="module")
def networks() -> None:
    """Skip where the networks or their runtime are not on this machine."""
    pytest.importorskip("ai_edge_litert", reason="pip install 'overpaint[pose]'")
    try:
        weights.find(DETECTOR)
    except Unavailable as error:
        pytest.skip(str(error))


def somebody(seed: int, *, off: float = 0.0) -> Body:
    """A body with joints all over the square, each moved by about `off` pixels by the seed."""
    places = np.random.default_rng(99).uniform(80, 320, (33, 2))
    places += np.random.default_rng(seed).normal(0, off, (33, 2)) if off else 0
    return Body(1.0, np.column_stack([places, np.ones(33)]), SQUARE)


def turned(body: Body) -> Body:
    return Body(body.score, body.points[SWAPPED], body.square)


def found(pixels: Pixels) -> np.ndarray:
    return np.array([body.points[COCO] for body in people(pixels)]).reshape(-1, 17, 3)


def stored(pixels: Pixels, form: str, quality: int) -> Pixels:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, form, quality=quality)
    return np.asarray(Image.open(out).convert("RGB"))


def test_the_other_side_of_the_other_side_is_the_same_side() -> None:
    assert [OTHER_SIDE[OTHER_SIDE[i]] for i in range(39)] == list(range(39))
    assert [COCO.index(OTHER_SIDE[i]) for i in COCO[:7]] == [0, 2, 1, 4, 3, 6, 5]


def test_a_minority_that_takes_left_for_right_is_outvoted_and_still_counts_as_seen() -> None:
    right, wrong = [somebody(i, off=1) for i in range(6)], [turned(somebody(i)) for i in range(4)]
    body, vote = agreed([*wrong, *right], SQUARE, SIZE)
    assert body.score > 0.95  # all agree that somebody is there
    straight = np.abs(body.points - somebody(0).points)[:, :2].max() < 5
    assert (vote > 0) == straight  # the vote is for what was told, or against it
    assert abs(vote) < 0.4


def test_looks_that_are_at_one_have_all_votes() -> None:
    body, vote = agreed([somebody(0)] * 4, SQUARE, SIZE)
    assert body.score == pytest.approx(1)
    assert vote > 0.8
    assert body.points == pytest.approx(somebody(0).points)


@given(st.floats(5, 60), st.integers(0, 99))
def test_the_more_looks_differ_the_less_sure_it_is(off: float, seed: int) -> None:
    near = agreed([somebody(seed + i, off=off / 4) for i in range(6)], SQUARE, SIZE)[0]
    far = agreed([somebody(seed + i, off=off) for i in range(6)], SQUARE, SIZE)[0]
    assert far.score < near.score <= 1


def test_joints_past_the_rim_take_nothing_from_how_sure_somebody_is() -> None:
    points = somebody(0).points.copy()
    points[23:] = (200, 600, 0.0)  # hips and legs, invisible
    inside = agreed([Body(1.0, points, SQUARE)] * 3, SQUARE, SIZE)[0]
    assert inside.score == pytest.approx(1)
    hidden = agreed([Body(1.0, points, SQUARE)] * 3, SQUARE, (400, 700))[0]
    assert hidden.score < 0.7


def test_a_body_outside_of_the_picture_is_nobody() -> None:
    assert agreed([somebody(0)] * 3, SQUARE, (60, 60))[0].score == 0


@given(SQUARES)
def test_the_middle_of_a_square_and_itself_is_that_square(square: Square) -> None:
    middle = between([square, square])
    assert (middle.x, middle.y, middle.side) == pytest.approx((square.x, square.y, square.side))
    assert math.cos(middle.angle - square.angle) == pytest.approx(1)


def test_the_middle_of_squares_that_lean_to_both_sides_of_upside_down_is_upside_down() -> None:
    middle = between([Square(0, 0, 10, math.pi - 0.1), Square(4, 2, 20, -math.pi + 0.1)])
    assert (middle.x, middle.y, middle.side) == (2, 1, 15)
    assert abs(middle.angle) > 3


@pytest.mark.usefixtures("networks")
def test_a_mirror_of_a_mirror_shows_the_same_joints() -> None:
    """Nearly: the network sees the same picture, cut out up to a pixel beside the other."""
    drawn = person(np.random.default_rng(5), height=300).draw()
    share = drawn[:, :, 3:] / 255
    pixels = (200 * (1 - share) + drawn[:, :, :3] * share).astype(np.uint8)
    high, wide = pixels.shape[:2]
    square = Square(wide * 0.55, high / 2, high * 1.2, 0.1)
    other = Square(wide - square.x, square.y, square.side, -0.1)
    straight = body_in(pixels, square).points
    back = body_in(np.ascontiguousarray(pixels[:, ::-1]), other, mirrored=True).points[SWAPPED]
    assert back[COCO, 1] == pytest.approx(straight[COCO, 1], abs=3)
    assert wide - back[COCO, 0] == pytest.approx(straight[COCO, 0], abs=3)
    assert back[COCO, 2] == pytest.approx(straight[COCO, 2], abs=0.1)


@pytest.mark.usefixtures("networks")
def test_things_that_one_look_took_for_somebody_are_nobody() -> None:
    assert len(found(scenes.scene(2, seed=10).pixels)) == 0


@pytest.mark.usefixtures("networks")
def test_half_a_person_in_a_photograph_is_somebody() -> None:
    from skimage import data

    assert len(found(data.astronaut())) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("networks")
def test_a_picture_stored_again_shows_the_same_people() -> None:
    """Known scenes in which one look at each person turned round or lost somebody."""
    marks = []
    for seed, number in ((1, 42), (5, 0), (5, 38), (11, 8), (11, 14), (15, 46), (20, 4)):
        pixels = scenes.scene(number, seed=seed).pixels
        asked, again = found(pixels), (stored(pixels, "JPEG", 95), stored(pixels, "WEBP", 90))
        blurred = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 0.6))
        marks += [oks_map([People(asked, found(other))]) for other in (*again, blurred)]
    assert np.mean([mark for mark in marks if mark is not None]) > 0.95
