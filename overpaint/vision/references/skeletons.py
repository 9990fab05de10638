"""People as skeletons on black, in COCO's seventeen joints, and the joints read back.

Every joint and every limb has a colour of its own, the limbs' darker, so that a joint is found by
its colour and belongs to whomever the limbs lead to. Joints that are not seen are not drawn.
"""

import colorsys
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.errors import NotApplicable

Size = tuple[int, int]  # width, height
JOINTS = (
    "nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder",
    "left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip",
    "left_knee", "right_knee", "left_ankle", "right_ankle",
)  # fmt: skip
FACE = 5  # of them, in front
LIMBS = (
    (0, 1), (0, 2), (1, 3), (2, 4), (0, 5), (0, 6), (5, 6), (5, 7), (7, 9), (6, 8), (8, 10),
    (5, 11), (6, 12), (11, 12), (11, 13), (13, 15), (12, 14), (14, 16),
)  # fmt: skip
MOST_PEOPLE = 64  # in one picture
SEEN = 0.5  # how sure one must be of a joint to draw it
INK = 48  # of 255: darker is the ground
DOT = 110  # one pixel of a joint's radius for so many of the shorter side
SMALL = 55  # or one for so many of the person's height
JOINED = 0.55  # of a limb's line in its colour: so much joins two joints


@cache
def colours() -> NDArray[np.int32]:
    """The colours of the joints, then of the limbs."""
    # Seven turns apart: neighbours on the body are far apart in colour.
    joints = [colorsys.hsv_to_rgb(7 * n % 17 / 17, 1.0, 1.0) for n in range(len(JOINTS))]
    limbs = [colorsys.hsv_to_rgb((5 * n % 18 + 0.5) / 18, 1.0, 0.5) for n in range(len(LIMBS))]
    return np.array([[round(255 * c) for c in colour] for colour in (*joints, *limbs)], np.int32)


# ── drawing ─────────────────────────────────────────────────────────────────────────────


def draw_people(people: NDArray[np.float64], size: Size) -> Pixels:
    """People, n×17×3, as skeletons on black."""
    import cv2

    made = np.zeros((size[1], size[0], 3), np.uint8)
    for person in people:
        thick = _radius(person, size)
        for number, (a, b) in enumerate(LIMBS):
            if min(person[a, 2], person[b, 2]) >= SEEN:
                colour = colours()[len(JOINTS) + number].tolist()
                cv2.line(made, _at(person[a]), _at(person[b]), colour, thick)
    _dots(made, people)
    return made


def _radius(person: NDArray[np.float64], size: Size) -> int:
    """Of somebody's joints, in pixels: small people have small ones, or these would be a blot."""
    seen = person[person[:, 2] >= SEEN, :2]
    tall = float(np.ptp(seen, axis=0).max()) if len(seen) else 0.0
    return max(1, round(min(min(size) / DOT, tall / SMALL)))


def _dots(made: Pixels, people: NDArray[np.float64]) -> None:
    """Joints on top of limbs; where two cover the same pixels they take turns."""
    import cv2

    dots: list[tuple[int, NDArray[np.bool_]]] = []
    for person in people:
        radius = _radius(person, (made.shape[1], made.shape[0]))
        for joint in np.flatnonzero(person[:, 2] >= SEEN).tolist():
            dot = np.zeros(made.shape[:2], np.uint8)
            small = max(1, radius // 2) if joint < FACE else radius
            cv2.circle(dot, _at(person[joint]), small, 1, cv2.FILLED)
            dots.append((joint, dot > 0))
    covered, turn = np.zeros(made.shape[:2], np.int32), np.zeros(made.shape[:2], np.int32)
    for _, shown in dots:
        covered += shown
    y, x = np.ogrid[: made.shape[0], : made.shape[1]]
    for joint, shown in dots:
        mine = shown & (turn == (x + y) % np.maximum(covered, 1))
        made[mine] = colours()[joint]
        turn += shown


def _at(joint: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(joint[0])), round(float(joint[1]))


# ── reading ─────────────────────────────────────────────────────────────────────────────


def read_people(pixels: Pixels, size: Size) -> NDArray[np.float64]:
    """The people of a skeleton picture, n×17×3; the third column is 1 for joints that are there."""
    names = _named(pixels)
    dots = [list(_centres(names == joint)) for joint in range(len(JOINTS))]
    people = _joined(names, dots)
    scale = np.array([size[0] / pixels.shape[1], size[1] / pixels.shape[0]])
    found = np.zeros((len(people), len(JOINTS), 3))
    for number, person in enumerate(people):
        for joint, dot in person.items():
            found[number, joint] = (*(np.array(dots[joint][dot]) * scale), 1.0)
    return found


def _named(pixels: Pixels) -> NDArray[np.int32]:
    """For each pixel the joint or limb whose colour it has; −1 on the ground."""
    names = np.full(pixels.shape[:2], -1, np.int32)
    ink = pixels.max(axis=2) > INK
    lit = pixels[ink].astype(np.int32)
    near = np.empty(len(lit), np.int32)
    for start in range(0, len(lit), 65_536):
        part = np.abs(lit[start : start + 65_536, None] - colours()[None]).sum(axis=2)
        near[start : start + 65_536] = part.argmin(axis=1)
    names[ink] = near
    return names


def _centres(ink: NDArray[np.bool_]) -> Iterator[tuple[float, float]]:
    """The middle of each dot of one colour; dots that took turns are in splinters."""
    import cv2

    if not ink.any():
        return
    near = cv2.dilate(ink.astype(np.uint8), np.ones((3, 3), np.uint8))
    count, labels = cv2.connectedComponents(near, connectivity=8)
    y, x = np.nonzero(ink)
    names = labels[y, x]
    sizes = np.bincount(names, minlength=count)
    large = np.flatnonzero(4 * sizes[1:] >= sizes[1:].max()) + 1  # less is a smear of another
    if len(large) > MOST_PEOPLE:
        raise NotApplicable(f"The picture has {len(large):,} dots of one joint: it shows no poses.")
    across, down = (np.bincount(names, at, count) / np.maximum(sizes, 1) for at in (x, y))
    yield from zip(across[large].tolist(), down[large].tolist(), strict=True)


def _joined(
    names: NDArray[np.int32], dots: list[list[tuple[float, float]]]
) -> list[dict[int, int]]:
    """People as joint -> which of its dots, put together limb by limb, the surest limbs first."""
    options = []
    for number, (a, b) in enumerate(LIMBS):
        ink = _thick(names == len(JOINTS) + number)
        for i, start in enumerate(dots[a]):
            for j, end in enumerate(dots[b]):
                if (share := _drawn(ink, names, start, end)) >= JOINED:
                    options.append((-share, number, (a, i), (b, j)))
    people: list[dict[int, int]] = []
    owner: dict[tuple[int, int], int] = {}
    for _, _, one, other in sorted(options):
        _join(people, owner, one, other)
    for joint, places in enumerate(dots):
        for place in range(len(places)):
            if (joint, place) not in owner:
                people.append({joint: place})
    return sorted(filter(None, people), key=lambda person: (-len(person), sorted(person.items())))


def _join(
    people: list[dict[int, int]], owner: dict[tuple[int, int], int],
    one: tuple[int, int], other: tuple[int, int],
) -> None:  # fmt: skip
    """Make two dots one person's, unless that person would have a joint twice."""
    for dot in (one, other):
        if dot not in owner:
            owner[dot] = len(people)
            people.append({dot[0]: dot[1]})
    a, b = owner[one], owner[other]
    if a == b or people[a].keys() & people[b].keys():
        return
    for joint, place in people[b].items():
        owner[joint, place] = a
    people[a] |= people[b]
    people[b] = {}


def _thick(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    import cv2

    return np.asarray(cv2.dilate(ink.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _drawn(
    ink: NDArray[np.bool_], names: NDArray[Any], start: tuple[float, float],
    end: tuple[float, float],
) -> float:  # fmt: skip
    """The share of a line between two dots in a limb's colour; other ink on it is not counted."""
    steps = max(2, round(float(np.hypot(end[0] - start[0], end[1] - start[1]))))
    x = np.rint(np.linspace(start[0], end[0], steps)).astype(int).clip(0, ink.shape[1] - 1)
    y = np.rint(np.linspace(start[1], end[1], steps)).astype(int).clip(0, ink.shape[0] - 1)
    mine = ink[y, x]
    other = (names[y, x] >= 0) & ~mine  # a dot or a limb that crosses
    counted = steps - int(other.sum())
    if counted < 3:  # two dots that touch
        return JOINED if steps < 12 else 0.0
    return float(mine.sum()) / counted
