"""People as skeletons on black, in COCO's seventeen joints, and the joints read back.

Every joint and every limb has a colour of its own, the limbs' darker, so that a joint is found by
its colour and belongs to whomever the limbs lead to. Joints that are not seen are not drawn.
Skeletons in OpenPose's colours are read as well: those that most data sets have.
"""

import colorsys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.errors import Undecided

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
FEWEST = 3  # joints of a person: fewer are a smear, or somebody of whom nothing can be said
PLACED = 0.6  # of all that is drawn as joints must be people's
SEEN = 0.5  # how sure one must be of a joint to draw it
INK = 48  # of 255: darker is the ground
DOT = 110  # one pixel of a joint's radius for so many of the shorter side
SMALL = 55  # or one for so many of the person's height
NEAR = 90  # levels, all three channels together, that ink may be off its colour at most …
LIKE = 2 / 3  # … and how much of it must not be farther off
PURE, LOSS = 40, 4  # levels that it may be off where it is pure, and more by how much it usually is
SAMPLE, PART = 200_000, 1 << 20  # pixels that a palette is chosen by, and that are named at a time
SMEAR = 16  # a spot of a joint's colour so many times smaller than another is a smear
JOINED = 0.55  # of a limb's line in its colour: so much joins two joints
TOUCH = 3  # radii of two dots together, that they may be apart where only ink lies between
GROUND, STRANGE = -1, -2  # pixels that are nothing, and ink of no colour that is known


# ── colours ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Palette:
    """The colours that skeletons are drawn in."""

    joints: NDArray[np.int32]
    limbs: NDArray[np.int32]
    ends: tuple[tuple[int, int], ...]  # of each limb: its joints
    coco: tuple[int | None, ...]  # which of COCO's each joint is; it has no neck


def _hues(turns: Sequence[float], light: float) -> NDArray[np.int32]:
    rgb = [colorsys.hsv_to_rgb(turn % 1, 1.0, light) for turn in turns]
    return np.array([[round(255 * channel) for channel in colour] for colour in rgb], np.int32)


# Seven turns apart: neighbours on the body are far apart in colour.
OURS = Palette(
    _hues([7 * n / 17 for n in range(17)], 1.0),
    _hues([(5 * n + 0.5) / 18 for n in range(18)], 0.5),
    LIMBS, tuple(range(17)),
)  # fmt: skip
# As OpenPose's users draw it (`draw_bodypose` in `util.py` of pytorch-openpose, ControlNet and
# DWPose): nose, neck, right arm, left arm, right leg, left leg, eyes, ears; round the rainbow.
OPENPOSE = Palette(
    _hues([n / 18 for n in range(18)], 1.0),
    _hues([n / 18 for n in range(17)], 0.6),
    ((1, 2), (1, 5), (2, 3), (3, 4), (5, 6), (6, 7), (1, 8), (8, 9), (9, 10), (1, 11), (11, 12),
     (12, 13), (1, 0), (0, 14), (14, 16), (0, 15), (15, 17)),
    (0, None, 6, 8, 10, 5, 7, 9, 12, 14, 16, 11, 13, 15, 2, 1, 4, 3),
)  # fmt: skip


# ── drawing ─────────────────────────────────────────────────────────────────────────────


def draw_people(people: NDArray[np.float64], size: Size) -> Pixels:
    """People, n×17×3, as skeletons on black."""
    import cv2

    made = np.zeros((size[1], size[0], 3), np.uint8)
    for person in people:
        thick = _radius(person, size)
        for number, (a, b) in enumerate(LIMBS):
            if min(person[a, 2], person[b, 2]) >= SEEN:
                colour = OURS.limbs[number].tolist()
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
    dots = list(_discs(people, (made.shape[1], made.shape[0])))
    covered, turn = np.zeros(made.shape[:2], np.int16), np.zeros(made.shape[:2], np.int16)
    for _, here, shown in dots:
        covered[here] += shown
    for joint, here, shown in dots:
        y, x = np.ogrid[here]
        mine = shown & (turn[here] == (x + y) % np.maximum(covered[here], 1))
        made[here][mine] = OURS.joints[joint]
        turn[here] += shown


def _discs(
    people: NDArray[np.float64], size: Size
) -> Iterator[tuple[int, tuple[slice, slice], NDArray[np.bool_]]]:
    """Each joint that is seen, the part of the picture around it, and its dot there."""
    import cv2

    for person in people:
        radius = _radius(person, size)
        for joint in np.flatnonzero(person[:, 2] >= SEEN).tolist():
            small = max(1, radius // 2) if joint < FACE else radius
            x, y = _at(person[joint])
            left, right = max(0, x - small), min(size[0], x + small + 1)
            top, bottom = max(0, y - small), min(size[1], y + small + 1)
            if left < right and top < bottom:
                dot = np.zeros((bottom - top, right - left), np.uint8)
                cv2.circle(dot, (x - left, y - top), small, 1, cv2.FILLED)
                yield joint, (slice(top, bottom), slice(left, right)), dot > 0


def _at(joint: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(joint[0])), round(float(joint[1]))


# ── reading ─────────────────────────────────────────────────────────────────────────────


class _Dot(NamedTuple):
    """One spot of a joint's colour."""

    x: float
    y: float
    radius: float  # of a disc of as many pixels


def read_people(pixels: Pixels, size: Size) -> NDArray[np.float64]:
    """The people of a skeleton picture, n×17×3; the third column is 1 for joints that are there.

    A black picture shows nobody; `Undecided` where something is drawn and no person is read.
    """
    ink = pixels.max(axis=2) > INK
    if not ink.any():
        return np.zeros((0, len(JOINTS), 3))
    palette, names = _named(pixels, ink)
    dots = [list(_dots_of(names == joint)) for joint in range(len(palette.joints))]
    whole = _joined(names, dots, palette)
    found = [one for one in whole if sum(palette.coco[n] is not None for n in one) >= FEWEST]
    drawn = sum(dot.radius**2 for ones in dots for dot in ones)
    placed = sum(dots[joint][place].radius ** 2 for one in found for joint, place in one.items())
    if not found or placed < PLACED * drawn:
        raise _unread("its dots do not hang together as people")
    scale = np.array([size[0] / pixels.shape[1], size[1] / pixels.shape[0], 1.0])
    return np.stack([_person(one, dots, palette) * scale for one in found])


def _unread(why: str) -> Undecided:
    return Undecided(
        f"The skeletons of a pose's picture cannot be read: {why}.",
        "Read are those in Overpaint's own colours and in OpenPose's (as ControlNet and DWPose "
        "draw them), on black.",
        "Have the pose drawn in one of the two.",
    )


def _person(
    one: dict[int, int], dots: Sequence[Sequence[_Dot]], palette: Palette
) -> NDArray[np.float64]:
    """Somebody's joints as COCO numbers them."""
    joints = np.zeros((len(JOINTS), 3))
    for joint, place in one.items():
        if (known := palette.coco[joint]) is not None:
            joints[known] = (*dots[joint][place][:2], 1.0)
    return joints


def _named(pixels: Pixels, ink: NDArray[np.bool_]) -> tuple[Palette, NDArray[np.int8]]:
    """Whose colours these are, and for each pixel the number of its joint or, after those, limb."""
    lit = pixels[ink]
    some = lit[:: 1 + len(lit) // SAMPLE]
    told = [(palette, _nearest(some, palette)[1]) for palette in (OURS, OPENPOSE)]
    # What lies far off is just far off: how far it is must not decide.
    palette, far = min(told, key=lambda one: float(np.minimum(one[1], NEAR).mean()))
    if (share := float((far <= NEAR).mean())) < LIKE:
        raise _unread(f"{1 - share:.0%} of what is drawn there is in other colours")
    # Where ink is pure, what is a little off is a mixture: the edge between two colours.
    most = PURE + LOSS * float(np.median(far))
    known = np.empty(len(lit), np.int8)
    for start in range(0, len(lit), PART):
        near, off = _nearest(lit[start : start + PART], palette)
        known[start : start + PART] = np.where(off <= most, near, STRANGE)
    names = np.full(ink.shape, GROUND, np.int8)
    names[ink] = known
    return palette, names


def _nearest(lit: Pixels, palette: Palette) -> tuple[NDArray[np.int8], NDArray[np.int16]]:
    """Which colour each of these pixels is nearest to, and how far off it is."""
    near, far = np.zeros(len(lit), np.int8), np.full(len(lit), 3 * 255, np.int16)
    for number, colour in enumerate(np.vstack([palette.joints, palette.limbs])):
        off = np.abs(lit - colour.astype(np.int16)).sum(axis=1, dtype=np.int16)
        near[off < far] = number
        far = np.minimum(far, off)
    return near, far


def _dots_of(ink: NDArray[np.bool_]) -> Iterator[_Dot]:
    """Each dot of one colour; dots that took turns are in splinters."""
    import cv2

    if not ink.any():
        return
    near = cv2.dilate(ink.astype(np.uint8), np.ones((3, 3), np.uint8))
    count, labels = cv2.connectedComponents(near, connectivity=8)
    y, x = np.nonzero(ink)
    names = labels[y, x]
    sizes = np.bincount(names, minlength=count)
    large = np.flatnonzero(SMEAR * sizes[1:] >= sizes[1:].max()) + 1
    if len(large) > MOST_PEOPLE:
        raise _unread(f"it has {len(large):,} dots of one joint")
    across, down = (np.bincount(names, at, count) / np.maximum(sizes, 1) for at in (x, y))
    for dot in large.tolist():
        yield _Dot(float(across[dot]), float(down[dot]), float(np.sqrt(sizes[dot] / np.pi)))


def _joined(
    names: NDArray[np.int8], dots: Sequence[Sequence[_Dot]], palette: Palette
) -> list[dict[int, int]]:
    """People as joint -> which of its dots, put together limb by limb, the surest limbs first."""
    options = []
    for number, (a, b) in enumerate(palette.ends):
        ink = _thick(names == len(palette.joints) + number)
        for i, start in enumerate(dots[a]):
            for j, end in enumerate(dots[b]):
                if (share := _drawn(ink, names, start, end)) >= JOINED:
                    # A smear of two other colours is smaller than a dot.
                    sure = share * min(start.radius, end.radius)
                    options.append((-sure, number, (a, i), (b, j)))
    people: list[dict[int, int]] = []
    owner: dict[tuple[int, int], int] = {}
    for _, _, one, other in sorted(options):
        _join(people, owner, one, other)
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


def _drawn(ink: NDArray[np.bool_], names: NDArray[np.int8], start: _Dot, end: _Dot) -> float:
    """The share of a line between two dots in a limb's colour; other ink on it is not counted."""
    steps = max(2, round(float(np.hypot(end.x - start.x, end.y - start.y))))
    x = np.rint(np.linspace(start.x, end.x, steps)).astype(int).clip(0, ink.shape[1] - 1)
    y = np.rint(np.linspace(start.y, end.y, steps)).astype(int).clip(0, ink.shape[0] - 1)
    mine = ink[y, x]
    other = (names[y, x] != GROUND) & ~mine  # a dot or a limb that crosses
    counted = steps - int(other.sum())
    if counted < 3:  # two dots that touch
        return JOINED if steps < TOUCH * (start.radius + end.radius) else 0.0
    return float(mine.sum()) / counted
