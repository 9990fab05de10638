"""Drawn people: the joints are where they were drawn, at every size, and limbs turn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.engines.scenes.people import Figure, person
from overpaint.errors import UserMistake
from overpaint.vision.references.skeletons import JOINTS

SEEDS = st.integers(0, 10_000)
TURNED = {
    "left_shoulder": ("left_elbow", "left_wrist"),
    "right_elbow": ("right_wrist",),
    "left_hip": ("left_knee", "left_ankle"),
    "right_knee": ("right_ankle",),
}


def somebody(seed: int, height: float = 120) -> Figure:
    return person(np.random.default_rng(seed), height=height)


def at(figure: Figure, joint: str) -> np.ndarray:
    """A joint from a point of the body that never moves, so that boxes do not matter."""
    joints = figure.joints[:, :2]
    return joints[JOINTS.index(joint)] - joints[JOINTS.index("nose")]


@settings(max_examples=12, deadline=None)
@given(SEEDS)
def test_the_same_seed_draws_the_same_person_with_every_joint_on_the_body(seed: int) -> None:
    figure, again = somebody(seed), somebody(seed)
    drawn = figure.draw()
    assert (drawn == again.draw()).all()
    assert (figure.name, figure.joints.shape) == (again.name, (17, 3))
    assert drawn.dtype == np.uint8
    for x, y, seen in figure.joints:
        assert drawn[int(y), int(x), 3] > 127
        assert seen in (0.0, 1.0)
    assert figure.joints[5:7, 2].any()  # a shoulder is never behind the whole body


@settings(max_examples=8, deadline=None)
@given(SEEDS, st.floats(0.4, 2.5))
def test_a_picture_is_tight_and_scales_with_its_joints(seed: int, scale: float) -> None:
    figure = somebody(seed)
    one, other = figure.draw()[:, :, 3] > 127, figure.draw(scale)[:, :, 3] > 127
    assert other.shape == pytest.approx(np.array(one.shape) * scale, abs=1)
    for there in (one, other):
        edges = (there[:2].any(), there[-2:].any(), there[:, :2].any(), there[:, -2:].any())
        assert all(edges), "nothing but the body's own width stands between it and the rim"
    for x, y, _ in figure.joints * (scale, scale, 1):
        row, column = max(0, int(y) - 1), max(0, int(x) - 1)
        assert other[row : row + 3, column : column + 3].any()  # the tip of a nose is on the rim


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.sampled_from(list(TURNED)), st.floats(-120, 120))
def test_a_limb_turns_about_its_joint_and_nothing_else_moves(
    seed: int, joint: str, degrees: float
) -> None:
    figure = somebody(seed)
    turned = figure.turned(joint, degrees)
    angle = np.radians(degrees)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    for name in JOINTS:
        before, after = at(figure, name), at(turned, name)
        if name in TURNED[joint]:
            root = at(figure, joint)
            before = root + spin @ (before - root)
        assert after == pytest.approx(before, abs=1e-6), name


def test_the_far_ear_is_hidden_and_the_near_one_is_not() -> None:
    hidden = 0
    for seed in range(30):
        figure = somebody(seed)
        nose, left, right = (figure.points[n] for n in ("nose", "left_ear", "right_ear"))
        near, far = (3, 4) if left[2] > right[2] else (4, 3)
        if abs(nose[0] - figure.points["head"][0]) > 0.035:  # well turned to one side
            assert figure.joints[near, 2] == 1
            assert figure.joints[far, 2] == 0
            hidden += 1
    assert hidden >= 3


def test_people_differ_in_posture_in_clothes_and_in_colour() -> None:
    crowd = [somebody(seed, 40) for seed in range(60)]
    assert len({figure.posture for figure in crowd}) == 7
    assert len({figure.name for figure in crowd}) > 25
    assert len({figure.look.skin for figure in crowd}) >= 6
    assert {figure.name.split()[1] for figure in crowd} == {"woman", "man"}


def test_the_name_says_what_colour_the_top_is() -> None:
    figure = somebody(5, 300)
    assert figure.name == "a man in a purple T-shirt"
    x, y = figure.joints[[5, 6, 11, 12], :2].mean(axis=0)
    red, green, blue, opaque = (int(v) for v in figure.draw()[int(y), int(x)])
    assert opaque == 255
    assert green < red < blue


def test_what_cannot_be_drawn_or_turned_is_said() -> None:
    for height in (0, -5, 7.9, 1e9, float("nan")):
        with pytest.raises(UserMistake, match="From 8 to 4096 pixels were expected"):
            somebody(0, height)
    for joint in ("nose", "left_ear", "elbow", "left_", ""):
        with pytest.raises(UserMistake, match=r"Nothing hangs on.*left_shoulder, left_elbow"):
            somebody(0).turned(joint, 10)


def test_the_smallest_person_is_a_person_still() -> None:
    drawn = somebody(3, 8).draw()
    assert (drawn[:, :, 3] > 0).sum() > 10
    assert 6 <= drawn.shape[0] <= 12
