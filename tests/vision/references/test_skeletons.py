"""Skeletons that others drew: OpenPose's are read, and where there are none nobody is made up."""

import io
import math
import tracemalloc
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from PIL import Image
from skimage import data

from overpaint.document import Pixels
from overpaint.errors import Undecided
from overpaint.measures.oks import People, oks_map
from overpaint.vision.references import Reference
from overpaint.vision.references.drawing import drawn, read
from overpaint.vision.references.skeletons import JOINTS, LIMBS, OPENPOSE

SIZE = (512, 480)
# OpenPose's eighteen: those of pytorch-openpose's `util.draw_bodypose`, which ControlNet and
# DWPose go by.
NAMES = (
    "nose", "neck", "right_shoulder", "right_elbow", "right_wrist", "left_shoulder", "left_elbow",
    "left_wrist", "right_hip", "right_knee", "right_ankle", "left_hip", "left_knee", "left_ankle",
    "right_eye", "left_eye", "right_ear", "left_ear",
)  # fmt: skip
RAINBOW = (
    (255, 0, 0), (255, 85, 0), (255, 170, 0), (255, 255, 0), (170, 255, 0), (85, 255, 0),
    (0, 255, 0), (0, 255, 85), (0, 255, 170), (0, 255, 255), (0, 170, 255), (0, 85, 255),
    (0, 0, 255), (85, 0, 255), (170, 0, 255), (255, 0, 255), (255, 0, 170), (255, 0, 85),
)  # fmt: skip
CHAINS = (
    ("neck", "right_shoulder"), ("neck", "left_shoulder"), ("right_shoulder", "right_elbow"),
    ("right_elbow", "right_wrist"), ("left_shoulder", "left_elbow"), ("left_elbow", "left_wrist"),
    ("neck", "right_hip"), ("right_hip", "right_knee"), ("right_knee", "right_ankle"),
    ("neck", "left_hip"), ("left_hip", "left_knee"), ("left_knee", "left_ankle"), ("neck", "nose"),
    ("nose", "right_eye"), ("right_eye", "right_ear"), ("nose", "left_eye"),
    ("left_eye", "left_ear"),
)  # fmt: skip
BODY = np.array(
    [[50, 12], [54, 7], [46, 7], [59, 10], [41, 10], [66, 32], [34, 32], [74, 56], [26, 56],
     [78, 80], [22, 80], [60, 86], [40, 86], [62, 124], [38, 124], [63, 160], [37, 160]], float,
)  # fmt: skip


def person(x: float, y: float, scale: float, raised: bool = False) -> np.ndarray:
    """Somebody who stands there; an arm may be raised."""
    body = BODY.copy()
    if raised:
        body[[8, 10]] = [[20, 14], [30, -10]]
    return np.hstack([np.rint(body * scale + [x, y]), np.ones((17, 1))])


ONE = person(120, 30, 2.6, raised=True)[None]
TWO = np.stack([person(10, 40, 2.2), person(260, 60, 2.4, raised=True)])
CROSSED = np.stack([person(60, 30, 2.5), person(140, 50, 2.5, raised=True)])


def openpose(people: np.ndarray, fine: int = 1) -> Pixels:
    """People as OpenPose's users draw them, at so many times the size."""
    made = np.zeros((SIZE[1] * fine, SIZE[0] * fine, 3), np.uint8)
    bodies = [named(one) for one in people]
    for (a, b), colour in zip(CHAINS, RAINBOW, strict=False):
        for body in bodies:
            if a in body and b in body:
                (x, y), (u, v) = body[a] * fine, body[b] * fine
                long, turn = math.hypot(u - x, v - y), math.degrees(math.atan2(v - y, u - x))
                middle, axes = (int((x + u) / 2), int((y + v) / 2)), (int(long / 2), 4 * fine)
                shape = cv2.ellipse2Poly(middle, axes, int(turn), 0, 360, 1)
                cv2.fillConvexPoly(made, shape, [int(0.6 * channel) for channel in colour])
    for name, colour in zip(NAMES, RAINBOW, strict=True):
        for body in bodies:
            if name in body:
                x, y = (body[name] * fine).astype(int).tolist()
                cv2.circle(made, (x, y), 4 * fine, colour, cv2.FILLED)
    return made


def named(one: np.ndarray) -> dict[str, np.ndarray]:
    """Where somebody's joints are, by name; the neck is between the shoulders."""
    body = {name: one[n, :2] for n, name in enumerate(JOINTS) if one[n, 2]}
    if "left_shoulder" in body and "right_shoulder" in body:
        body["neck"] = (body["left_shoulder"] + body["right_shoulder"]) / 2
    return body


def stored(pixels: Pixels, quality: int = 90) -> Pixels:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=quality)
    return np.asarray(Image.open(out).convert("RGB"))


def at(share: float, way: int) -> Callable[[np.ndarray], Pixels]:
    return lambda people: np.asarray(
        cv2.resize(openpose(people), None, fx=share, fy=share, interpolation=way)
    )


WAYS: dict[str, Callable[[np.ndarray], Pixels]] = {
    "as it is": openpose,
    "JPEG": lambda people: stored(openpose(people)),
    "soft edges": lambda people: np.asarray(
        cv2.resize(openpose(people, 4), SIZE, interpolation=cv2.INTER_AREA)
    ),
    "half": at(0.5, cv2.INTER_AREA),
    "smaller": at(0.7, cv2.INTER_LINEAR),
    "larger": at(1.5, cv2.INTER_CUBIC),
    "twice, JPEG": lambda people: stored(at(2, cv2.INTER_LINEAR)(people)),
}


def test_openposes_colours_are_what_they_are() -> None:
    assert OPENPOSE.joints.tolist() == [list(colour) for colour in RAINBOW]
    assert OPENPOSE.limbs.tolist() == [[int(0.6 * c) for c in colour] for colour in RAINBOW[:17]]
    assert [(NAMES[a], NAMES[b]) for a, b in OPENPOSE.ends] == list(CHAINS)
    told = ["neck" if joint is None else JOINTS[joint] for joint in OPENPOSE.coco]
    assert told == list(NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("people", [ONE, TWO, CROSSED], ids=["one", "two", "crossed"])
def test_a_picture_in_openposes_colours_gives_cocos_joints(people: np.ndarray, way: str) -> None:
    found = read("pose", WAYS[way](people), SIZE)
    assert found.shape == people.shape
    found = found[np.argsort(found[:, 5, 0])]
    assert (found[:, :, 2] == 1).mean() > 0.9  # a dot may hide another one
    assert np.abs(found - people)[found[:, :, 2] == 1].max() < 3
    value = oks_map([People(found, people)])
    assert value is not None
    assert value > 0.99


def test_joints_that_openpose_did_not_draw_are_not_read() -> None:
    one = ONE.copy()
    hidden = [JOINTS.index(name) for name in ("left_wrist", "right_ankle", "left_ear")]
    one[0, hidden, 2] = 0
    found = read("pose", openpose(one))
    assert np.flatnonzero(found[0, :, 2] == 0).tolist() == sorted(hidden)


def test_joints_of_nobody_are_left_out() -> None:
    two = TWO.copy()
    two[1, :, 2] = 0
    two[1, [7, 9], 2] = 1  # an elbow and a wrist, and the limb between them
    for picture in (openpose(two), drawn(Reference("pose", two, "test", "1"), SIZE)):
        [found] = read("pose", picture)
        assert np.abs(found - TWO[0]).max() < 3


def test_somebody_small_beside_somebody_tall_is_read() -> None:
    people = np.stack([person(20, 20, 0.8), person(180, 10, 2.8)])
    found = read("pose", drawn(Reference("pose", people, "test", "1"), SIZE))
    found = found[np.argsort(found[:, 5, 0])]
    assert np.abs(found - people).max() <= 1.5


def limbs_in(*colours: tuple[int, int, int]) -> Pixels:
    """A skeleton in a few colours only."""
    made = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    for number, (a, b) in enumerate(LIMBS):
        ends = [tuple(map(int, ONE[0, joint, :2])) for joint in (a, b)]
        cv2.line(made, ends[0], ends[1], colours[number % len(colours)], 4)
        for end in ends:
            cv2.circle(made, end, 5, colours[number % len(colours)], cv2.FILLED)
    return made


@pytest.mark.parametrize(
    "picture",
    [
        limbs_in((255, 255, 255)),
        limbs_in((51, 153, 255), (0, 255, 0), (255, 128, 0)),  # as MMPose draws them
        data.astronaut(),
        data.coffee(),
        np.random.default_rng(0).integers(0, 256, (200, 200, 3)).astype(np.uint8),
        np.full((40, 60, 3), 255, np.uint8),
        np.full((40, 60, 3), (255, 0, 0), np.uint8),
    ],
    ids=["white", "other colours", "portrait", "cup", "noise", "blank", "red"],
)
def test_where_no_skeleton_is_drawn_in_colours_that_are_known_nobody_is_made_up(
    picture: Pixels,
) -> None:
    with pytest.raises(Undecided, match=r"cannot be read: .* own colours and in OpenPose's"):
        read("pose", picture)


@pytest.mark.slow
def test_skeletons_in_a_huge_picture_are_drawn_and_read_in_little_memory() -> None:
    people = np.stack([person(100, 300, 20, raised=True)])
    tracemalloc.start()
    picture = drawn(Reference("pose", people, "test", "1"), (3000, 4000))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10 * 3000 * 4000  # bytes: one mask a joint would be more
    assert np.abs(read("pose", picture) - people).max() <= 1.5
