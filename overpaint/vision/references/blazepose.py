"""Poses by BlazePose: everyone in a picture, as COCO's 17 joints.

The detector was made for one or two people near the camera, so it looks at the whole picture and
at windows of it; whoever many looks of the second network do not agree on is dropped.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.vision.references import Extractor, Hints, Reference
from overpaint.vision.references.blazepose_nets import (
    DETECTOR,
    LANDMARKS,
    Body,
    Spotted,
    Square,
    runtime,
    spotted,
)
from overpaint.vision.references.blazepose_views import COCO, between, person_in, settled
from overpaint.vision.references.skeletons import LIMBS

TRUNK = [5, 6, 11, 12]  # of COCO's joints, the shoulders and hips
LARGEST = 2048  # pixels of the longer side that are looked at
MOST = 64  # people in one picture
WINDOWS = (1, 2, 3)  # the whole picture, and windows of that share of its longer side
# Pixels of softening, by which storing again matters less and more are found: so many, and in a
# small picture so much of its longer side.
GRAIN, FINE = 0.8, 1 / 640
NARROW = 96  # pixels of a window's side, below which nobody in it would be recognised
SPOTTED = 0.6  # the detector's scores in all windows together, from which one looks closer
# How sure and at one the looks at somebody are, at least: half way between what was nobody in fifty
# drawn scenes, 0.50 at most, and nearly everybody there, 0.66. Of people cut off at the hips, 8 %
# have less.
SEEN = 0.58
# All below in sides of a body's square.
APART = 0.08  # trunks nearer to each other are one person's
BESIDE = 0.06  # joints nearer to somebody's limbs lie on them
PIECE = 0.8  # of the joints of what is a piece of somebody, such as a leg, lie on their limbs


def _find(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    """One reference with all people of the picture; none where there are none."""
    bodies = people(pixels)
    if not bodies:
        return []
    joints = np.stack([body.points[COCO] for body in bodies])
    least = min(body.score for body in bodies)
    return [Reference("pose", joints, poses.method, poses.version, confidence=least)]


def people(pixels: Pixels) -> list[Body]:
    """Everyone in a picture, surest first."""
    small, scale = _bounded(pixels)
    small = _calm(small)
    found: list[Body] = []
    for square in candidates(small)[:MOST]:
        body = _confirmed(small, square, found)
        if body is not None:
            found.append(body)
    kept: list[Body] = []
    for body in sorted(found, key=lambda body: -body.score):
        if not any(same(body, other) for other in kept):
            kept.append(body)
    return [_enlarged(body, scale) for body in kept]


def candidates(pixels: Pixels) -> list[Square]:
    """Where somebody may be, those first that are spotted in most windows."""
    groups: list[list[Spotted]] = []
    every = [one for window in windows(*pixels.shape[1::-1]) for one in spotted(pixels, window)]
    for one in sorted(every, key=lambda one: -one.score):
        alike = [group for group in groups if _near(one.square, group[0].square)]
        if alike:
            alike[0].append(one)
        else:
            groups.append([one])
    told = [(sum(one.score for one in group), group) for group in groups]
    told.sort(key=lambda pair: -pair[0])
    return [between([one.square for one in group]) for sure, group in told if sure >= SPOTTED]


def windows(wide: int, high: int) -> Iterator[Square]:
    """The squares that people are looked for in: each overlaps the next by half."""
    for part in WINDOWS:
        side = max(wide, high) / part
        if part > 1 and side < NARROW:
            break
        for y in _middles(high, side):
            for x in _middles(wide, side):
                yield Square(x, y, side, 0.0)


def _middles(length: float, side: float) -> Iterable[float]:
    if side >= length:
        return [length / 2]
    count = math.ceil(2 * (length - side) / side - 1e-9) + 1
    return [float(x) for x in np.linspace(side / 2, length - side / 2, count)]


def _confirmed(pixels: Pixels, square: Square, found: Sequence[Body]) -> Body | None:
    """The person in the square; none if it is nobody, or somebody who was found already."""
    place = settled(pixels, square)
    if place is None or any(_near(place, body.square) for body in found):
        return None
    body = person_in(pixels, place)
    return body if body is not None and body.score >= SEEN else None


def _near(one: Square, other: Square) -> bool:
    """Whether two squares are likely to hold the same person."""
    apart = math.hypot(one.x - other.x, one.y - other.y)
    return apart < APART * other.side and 0.67 < one.side / other.side < 1.5


def same(one: Body, other: Body) -> bool:
    """Whether one body is the other, or a piece of it: its trunk or its joints are there too."""
    joints, others = (body.points[COCO, :2] for body in (one, other))
    apart = float(np.hypot(*(joints[TRUNK].mean(axis=0) - others[TRUNK].mean(axis=0))))
    if apart < APART * max(one.square.side, other.square.side):
        return True
    flesh = _flesh(others)
    away = np.hypot(*(joints[:, None] - flesh[None]).transpose(2, 0, 1)).min(axis=1)
    return float(np.mean(away < BESIDE * other.square.side)) >= PIECE


def _flesh(joints: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points all along the limbs and all over the trunk."""
    share = np.linspace(0, 1, 9)[:, None, None]
    starts, ends = (joints[[limb[i] for limb in LIMBS]] for i in (0, 1))
    limbs = (starts + share * (ends - starts)).reshape(-1, 2)
    shoulders, hips = joints[TRUNK[:2]], joints[TRUNK[2:]]
    sides = shoulders + share * (hips - shoulders)
    middles = sides.mean(axis=1)
    return np.concatenate([limbs, sides.reshape(-1, 2), middles])


def _bounded(pixels: Pixels) -> tuple[Pixels, float]:
    """The picture at a size that is looked at, and how much larger it was."""
    import cv2

    long = max(pixels.shape[:2])
    if long <= LARGEST:
        return pixels, 1.0
    scale = long / LARGEST
    size = [max(1, round(n / scale)) for n in pixels.shape[1::-1]]
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8), scale


def _calm(pixels: Pixels) -> Pixels:
    """The picture without its finest grain, which storing it again changes most."""
    import cv2

    soft = min(GRAIN, FINE * max(pixels.shape[:2]))
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), soft), np.uint8)


def _enlarged(body: Body, scale: float) -> Body:
    return replace(body, points=body.points * [scale, scale, 1.0])


poses = Extractor(
    "pose",
    "blazepose",
    "2",
    _find,
    "people's joints by MediaPipe's BlazePose, full",
    (DETECTOR, LANDMARKS),
    runs=runtime,
)
