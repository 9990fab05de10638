"""BlazePose's two networks: one finds people, the other the joints of one person.

Bazarevsky et al. 2020, as MediaPipe's graphs `pose_detection` and `pose_landmark` run them. The
first sees a square of 224 pixels and tells for each person the middle of the hips and how far the
body reaches; from those comes a turned square, which the second sees upright at 256 pixels.
Places are as MediaPipe takes them, pixels and the points between them counted alike.
"""

import functools
import math
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint import weights
from overpaint.document import Pixels
from overpaint.errors import Unavailable
from overpaint.vision.references.boxes import overlaps

Floats = NDArray[np.float64]

DETECTOR, LANDMARKS = "pose-detector", "pose-landmarks"
SIDE = 224  # of the square the detector sees
CLOSE = 256  # of the square the other one sees
STRIDES = (8, 16, 32, 32, 32)  # two anchors for each; those of one stride follow each other
SURE = 0.5  # MediaPipe's least score of a detection, and of there being a person in a square
SAME = 0.3  # overlap from which two detections are one person
ROOM = 1.25  # how much larger than the body its square is
COARSE = 4  # pixels of the picture to one that is seen, from which it is made smaller first
WINDOW = 3  # cells of the map of heat to each side of a joint
POINTS = 39  # 33 landmarks and 6 for the networks' own use
HIPS, REACH = 33, 34  # of those, the two that the next square is made from
# Each landmark's like on the other side: eyes, ears and mouth, then left and right in turn. Of the
# networks' own, those two lie in the middle and the others are not used.
OTHER_SIDE = (0, 4, 5, 6, 1, 2, 3, 8, 7, 10, 9, *(i + 1 if i % 2 else i - 1 for i in range(11, 33)),
              *range(33, POINTS))  # fmt: skip
_TURN = threading.Lock()  # an interpreter serves one at a time


@dataclass(frozen=True)
class Square:
    """A turned square: its middle, its side, and the angle in radians its top leans right."""

    x: float
    y: float
    side: float
    angle: float

    @property
    def matrix(self) -> Floats:
        """What takes coordinates of the unit square to those of the picture, 2×3."""
        cos, sin = math.cos(self.angle) * self.side, math.sin(self.angle) * self.side
        left, top = self.x - (cos - sin) / 2, self.y - (sin + cos) / 2
        return np.array([[cos, -sin, left], [sin, cos, top]])


@dataclass(frozen=True)
class Spotted:
    """A person as the detector tells one."""

    score: float
    square: Square


@dataclass(frozen=True, eq=False)
class Body:
    """The landmarks of one person: x, y and visibility, in pixels of the picture."""

    score: float  # that there is a person in the square at all
    points: Floats  # 33×3
    square: Square  # the next one to look at, made from the landmarks


def square_of(middle: Sequence[float], reach: Sequence[float]) -> Square:
    """The square around the hips whose upright direction is that from the hips to `reach`."""
    across, down = reach[0] - middle[0], reach[1] - middle[1]
    side = 2 * math.hypot(across, down) * ROOM
    return Square(float(middle[0]), float(middle[1]), side, math.atan2(across, -down))


# ── finding people ──────────────────────────────────────────────────────────────────────


def spotted(pixels: Pixels, window: Square) -> list[Spotted]:
    """The people in an upright window of the picture, surest first."""
    seen = _seen(pixels, window, SIDE).astype(np.float32) / np.float32(127.5) - np.float32(1)
    rows, scores = _run(DETECTOR, seen, ((2254, 12), (2254, 1)))
    chance = _sigmoid(np.clip(scores[:, 0], -100, 100))
    likely = chance >= SURE
    middles, chance = anchors()[likely], chance[likely]
    points = rows[likely].astype(np.float64).reshape(-1, 6, 2) / SIDE
    points[:, 0] += middles  # the box's middle; its size stands in points[:, 1]
    points[:, 2:] += middles[:, None]
    merged = merge(points, chance)
    placed = [(score, one[2:4] @ window.matrix[:, :2].T + window.matrix[:, 2])
              for score, one in merged]  # fmt: skip
    return [
        Spotted(score, square_of(*two))
        for score, two in placed
        if float(np.hypot(*(two[1] - two[0]))) > 1  # a square has an inside
    ]


@functools.cache
def anchors() -> Floats:
    """Where the detector's 2254 rows look, as shares of its square."""
    grids = []
    for stride in dict.fromkeys(STRIDES):
        cells = SIDE // stride
        down, across = np.mgrid[0:cells, 0:cells]
        middle = np.stack([across.ravel(), down.ravel()], axis=1) + 0.5
        grids.append(np.repeat(middle / cells, 2 * STRIDES.count(stride), axis=0))
    return np.concatenate(grids)


def merge(points: Floats, chance: Floats) -> list[tuple[float, Floats]]:
    """Detections that overlap made one, each counting as much as it is sure; surest first."""
    order = np.argsort(-chance, kind="stable")
    middles, halves = points[:, 0], points[:, 1] / 2
    boxes = np.hstack([middles - halves, middles + halves])
    found: list[tuple[float, Floats]] = []
    while len(order):
        alike = overlaps(boxes[order[0]], boxes[order])[0] > SAME
        alike[0] = True  # a box of no size overlaps with nothing
        group = order[alike]
        share = chance[group] / chance[group].sum()
        found.append((float(chance[order[0]]), np.tensordot(share, points[group], 1)))
        order = order[~alike]
    return found


# ── the joints of one ───────────────────────────────────────────────────────────────────


def body_in(pixels: Pixels, square: Square, *, mirrored: bool = False, soft: float = 0.0) -> Body:
    """The landmarks of the person in a square, whether or not there is one.

    Seen in a mirror, or softened by so many pixels of what is seen, it should be the same.
    """
    seen = _softened(_seen(pixels, square, CLOSE), soft).astype(np.float32) / np.float32(255)
    shapes = ((195,), (1,), (CLOSE, CLOSE, 1), (64, 64, POINTS))
    rows, score, _, heat = _run(LANDMARKS, seen[:, ::-1] if mirrored else seen, shapes)
    table = rows.astype(np.float64).reshape(POINTS, 5)
    places = np.column_stack([refined(table[:, :2] / CLOSE, heat), _sigmoid(table[:, 3])])
    if mirrored:
        places = places[list(OTHER_SIDE)] * (-1, 1, 1) + (1, 0, 0)
    here = places[:, :2] @ square.matrix[:, :2].T + square.matrix[:, 2]
    points = np.column_stack([here, places[:, 2]])[:33]
    return Body(float(score[0]), points, square_of(here[HIPS], here[REACH]))


def _softened(seen: Pixels, soft: float) -> Pixels:
    import cv2

    return np.asarray(cv2.GaussianBlur(seen, (0, 0), soft), np.uint8) if soft else seen


def refined(places: Floats, heat: NDArray[Any]) -> Floats:
    """Each place moved to the middle of the heat around it, where that is clear."""
    high, wide = heat.shape[:2]
    better = places.copy()
    for i, (x, y) in enumerate(places):
        column, row = int(x * wide), int(y * high)
        if not (0 <= column < wide and 0 <= row < high):
            continue
        left, top = max(0, column - WINDOW), max(0, row - WINDOW)
        near = _sigmoid(heat[top : row + WINDOW + 1, left : column + WINDOW + 1, i])
        if near.max() < SURE:
            continue
        down, across = np.mgrid[top : top + near.shape[0], left : left + near.shape[1]]
        better[i] = np.array([(across * near).sum() / wide, (down * near).sum() / high])
        better[i] /= near.sum()
    return better


# ── running them ────────────────────────────────────────────────────────────────────────


def _seen(pixels: Pixels, square: Square, side: int) -> Pixels:
    """What is in the square, upright, at that many pixels; past the picture its rim goes on."""
    import cv2

    matrix = square.matrix
    if square.side > COARSE * side:  # else fine detail would flicker
        share = COARSE * side / square.side
        high, wide = pixels.shape[:2]
        size = max(1, round(wide * share)), max(1, round(high * share))
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
        matrix = matrix * np.array([[size[0] / wide], [size[1] / high]])
    matrix = matrix / [side, side, 1]
    flags, rim = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, cv2.BORDER_REPLICATE
    seen = cv2.warpAffine(pixels, matrix, (side, side), flags=flags, borderMode=rim)
    return np.asarray(seen, np.uint8)


def _run(name: str, seen: NDArray[np.float32], shapes: Sequence[tuple[int, ...]]) -> list[Any]:
    """The network's outputs of those shapes, in their order."""
    network = _network(name)
    with _TURN:
        network.set_tensor(network.get_input_details()[0]["index"], seen[None])
        network.invoke()
        told = [network.get_tensor(row["index"])[0] for row in network.get_output_details()]
    return [next(one for one in told if one.shape == shape) for shape in shapes]


@functools.cache
def _network(name: str) -> Any:
    """The network of that row of the table of weights, ready to run."""
    path, interpreter = weights.find(name), runtime()
    with _hushed():
        network = interpreter(str(path), num_threads=1)
        network.allocate_tensors()
    return network


def runtime() -> Any:
    """The class that runs these networks."""
    try:
        from ai_edge_litert.interpreter import Interpreter
    except ImportError as error:
        raise Unavailable(
            f"Poses cannot be found: {error}.",
            "Their networks are run by ai-edge-litert.",
            "pip install 'overpaint[pose]'",
        ) from None
    return Interpreter


@contextmanager
def _hushed() -> Iterator[None]:
    """Keep what a library says past Python off the terminal: it has no setting for it."""
    try:
        kept = os.dup(2)
    except OSError:  # no terminal, nothing to keep it off
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nowhere)
        os.close(kept)


def _sigmoid(values: NDArray[Any]) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.asarray(values, np.float64))))
