"""The bones of a drawn person: where the joints are in space, in many postures.

A body stands in units of its own height: x towards its left, y down from the crown, z to its
front. Measures are those of an adult, as drawing manuals and anthropometry (Drillis and Contini
1966) have them. `seen` turns it to whoever looks, whose right the body's left then is.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = Mapping[str, NDArray[np.float64]]
Random = np.random.Generator

SIDES = {"left": 1.0, "right": -1.0}
HANGS_ON = {"shoulder": ("elbow", "wrist", "tips"), "elbow": ("wrist", "tips"),
            "wrist": ("tips",), "hip": ("knee", "ankle", "heel", "toes"),
            "knee": ("ankle", "heel", "toes"), "ankle": ("heel", "toes")}  # fmt: skip
ABOVE = ("neck", "head", "shoulder", "elbow", "wrist", "tips")  # what leans with the trunk
UPPER, FORE, HAND = 0.168, 0.145, 0.092
THIGH, SHIN, FOOT = 0.238, 0.238, 0.115
NECK, CHEST, PELVIS = 0.172, 0.195, 0.5  # heights below the crown
# The face on a head, from its middle, in half its width, height and depth.
FACE = {
    "nose": (0.0, 0.20, 1.12), "left_eye": (0.38, -0.10, 0.92), "right_eye": (-0.38, -0.10, 0.92),
    "left_ear": (0.98, 0.04, -0.08), "right_ear": (-0.98, 0.04, -0.08),
}  # fmt: skip
HEAD = (0.050, 0.070, 0.058)  # half its width, height, depth
MIDDLE = 0.070  # of the head, below the crown


@dataclass(frozen=True)
class Limb:
    """Which way the two bones of a limb point: degrees outwards from hanging, then forwards."""

    out: float
    forward: float
    lower_out: float
    lower_forward: float


@dataclass(frozen=True)
class Posture:
    """How somebody holds themselves; angles in degrees."""

    name: str
    arms: tuple[Limb, Limb]  # left, right
    legs: tuple[Limb, Limb]
    turn: float  # to the viewer's right
    lean: float = 0.0
    look: float = 0.0  # how much further the head is turned
    seated: bool = False


@dataclass(frozen=True)
class Build:
    """How broad somebody is, in heights of the body."""

    shoulders: float
    hips: float
    girth: float  # 1 is usual


def bones(posture: Posture, build: Build) -> dict[str, NDArray[np.float64]]:
    """Where everything is, seen from the front and a little above."""
    at = {"neck": _p(0, NECK, -0.005), "pelvis": _p(0, PELVIS, 0), "head": _p(0, MIDDLE, 0.012)}
    for i, (side, sign) in enumerate(SIDES.items()):
        # A raised arm lifts its shoulder and draws it in.
        lift = min(1.0, max(0.0, (posture.arms[i].out - 80) / 60))
        at[f"{side}_shoulder"] = _p(sign * (build.shoulders - 0.01 * lift), CHEST - 0.02 * lift, 0)
        at[f"{side}_hip"] = _p(sign * build.hips, PELVIS + 0.005, 0)
        _hang(at, side, ("shoulder", "elbow", "wrist"), (UPPER, FORE), posture.arms[i])
        way = at[f"{side}_wrist"] - at[f"{side}_elbow"]
        at[f"{side}_tips"] = at[f"{side}_wrist"] + way * (HAND / FORE)
        _hang(at, side, ("hip", "knee", "ankle"), (THIGH, SHIN), posture.legs[i])
        _stand(at, side, sign)
    upper = [name for name in at if name.split("_")[-1] in ABOVE]
    tilt = _around("z", posture.lean)
    for name in upper:
        at[name] = at["pelvis"] + times(tilt, at[name] - at["pelvis"])
    face = times(tilt, _around("y", posture.look))
    for name, where in FACE.items():
        at[name] = at["head"] + times(face, np.array(where) * HEAD)
    at["front"], at["up"] = times(face, _p(0, 0, 1)), times(face, _p(0, -1, 0))
    view = times(_around("x", 7.0), _around("y", posture.turn))
    return {name: times(view, where) for name, where in at.items()}


def times(turn: NDArray[np.float64], of: NDArray[np.float64]) -> NDArray[np.float64]:
    """A turn of a point, or after another turn, in plain sums.

    Libraries' own products differ in the last digit from processor to processor, and so would
    pictures by a shade; what is drawn here is pinned.
    """
    return np.asarray(sum(np.multiply.outer(turn[:, k], of[k]) for k in range(3)))


def length(of: NDArray[np.float64]) -> float:
    """How long a vector is, in plain sums, too."""
    return math.sqrt(float((of * of).sum()))


def _p(x: float, y: float, z: float) -> NDArray[np.float64]:
    return np.array([x, y, z], float)


def _hang(at: dict[str, NDArray[np.float64]], side: str, names: tuple[str, str, str],
          lengths: tuple[float, float], limb: Limb) -> None:  # fmt: skip
    """Put the two bones of a limb below its first joint."""
    first, second, third = (f"{side}_{name}" for name in names)
    sign = SIDES[side]
    at[second] = at[first] + lengths[0] * _way(sign, limb.out, limb.forward)
    at[third] = at[second] + lengths[1] * _way(sign, limb.lower_out, limb.lower_forward)


def _way(sign: float, out: float, forward: float) -> NDArray[np.float64]:
    a, f = math.radians(out), math.radians(forward)
    return _p(sign * math.sin(a) * math.cos(f), math.cos(a) * math.cos(f), math.sin(f))


def _stand(at: dict[str, NDArray[np.float64]], side: str, sign: float) -> None:
    """A foot at a right angle to its shin, toes a little outwards."""
    shin = at[f"{side}_ankle"] - at[f"{side}_knee"]
    shin = shin / length(shin)
    ahead = _p(sign * 0.25, 0, 1)
    ahead = ahead - shin * (ahead * shin).sum() * 0.9
    ahead = ahead / length(ahead)
    sole = at[f"{side}_ankle"] + shin * 0.03
    at[f"{side}_heel"] = sole - ahead * 0.022
    at[f"{side}_toes"] = sole + ahead * (FOOT - 0.03) + shin * 0.004


def _around(axis: str, degrees: float) -> NDArray[np.float64]:
    """The turn about an axis."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    if axis == "x":
        return np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    if axis == "y":
        return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def turned(at: Points, joint: str, degrees: float) -> dict[str, NDArray[np.float64]]:
    """The same bones with what hangs on a joint turned about it, clockwise as it is seen."""
    side, _, name = joint.partition("_")
    spin, around = _around("z", degrees), at[joint]
    moved = {f"{side}_{below}" for below in HANGS_ON[name]}
    return {n: around + times(spin, p - around) if n in moved else p for n, p in at.items()}


# ── postures ────────────────────────────────────────────────────────────────────────────


def posture(rng: Random) -> Posture:
    """Some posture; each kind is as likely."""
    kind = POSTURES[int(rng.integers(len(POSTURES)))]
    return kind(rng)


def _arm_down(rng: Random) -> Limb:
    out = rng.uniform(7, 18)
    return Limb(out, rng.uniform(-8, 10), out - rng.uniform(0, 12), rng.uniform(2, 22))


def _arm_on_hip(rng: Random) -> Limb:
    return Limb(rng.uniform(40, 52), -8.0, rng.uniform(-62, -48), 12.0)


def _leg_down(rng: Random) -> Limb:
    out = rng.uniform(1, 7)
    return Limb(out, rng.uniform(-3, 4), out - rng.uniform(0, 2), rng.uniform(-4, 1))


def _either(rng: Random, one: Limb, other: Limb) -> tuple[Limb, Limb]:
    """The two on the one side and the other, or the other way round."""
    return (one, other) if rng.random() < 0.5 else (other, one)


def _turn(rng: Random, low: float, high: float) -> float:
    return float(rng.choice([-1, 1]) * rng.uniform(low, high))


def _standing(rng: Random) -> Posture:
    left, right = (_arm_on_hip(rng) if rng.random() < 0.3 else _arm_down(rng) for _ in SIDES)
    legs = (_leg_down(rng), _leg_down(rng))
    return Posture("standing", (left, right), legs, _turn(rng, 0, 35), look=_turn(rng, 0, 15))


def _walking(rng: Random) -> Posture:
    step, swing = rng.uniform(16, 27), rng.uniform(12, 28)
    ahead = Limb(1, step, 0, step - rng.uniform(5, 14))
    behind = Limb(1, -step * 0.8, 0, -step * 0.8 - rng.uniform(12, 34))
    back = Limb(9, -swing, 4, -swing + rng.uniform(8, 22))
    front = Limb(9, swing, 2, swing + rng.uniform(15, 40))
    # The arm of one side swings with the leg of the other.
    arms, legs = ((front, back), (behind, ahead)) if rng.random() < 0.5 else (
        (back, front), (ahead, behind))  # fmt: skip
    return Posture("walking", arms, legs, _turn(rng, 15, 45))


def _sitting(rng: Random) -> Posture:
    thigh, spread = rng.uniform(66, 80), rng.uniform(4, 14)
    one, two = (Limb(spread, thigh, rng.uniform(-4, 6), rng.uniform(-12, 10)) for _ in SIDES)
    left, right = (
        Limb(rng.uniform(8, 16), rng.uniform(8, 22), rng.uniform(-14, 0), rng.uniform(48, 62))
        for _ in SIDES
    )
    return Posture("sitting", (left, right), (one, two), _turn(rng, 15, 45),
                   look=_turn(rng, 0, 12), seated=True)  # fmt: skip


def _cheering(rng: Random) -> Posture:
    left, right = (
        Limb(rng.uniform(100, 138), rng.uniform(-5, 12), rng.uniform(150, 178), rng.uniform(-5, 15))
        for _ in SIDES
    )
    legs = (_leg_down(rng), _leg_down(rng))
    return Posture("cheering", (left, right), legs, _turn(rng, 0, 30))


def _waving(rng: Random) -> Posture:
    wave = Limb(rng.uniform(62, 105), rng.uniform(0, 15), rng.uniform(140, 190), rng.uniform(0, 18))
    other = _arm_on_hip(rng) if rng.random() < 0.25 else _arm_down(rng)
    legs = (_leg_down(rng), _leg_down(rng))
    return Posture(
        "waving", _either(rng, wave, other), legs, _turn(rng, 0, 30), look=_turn(rng, 0, 15)
    )


def _reaching(rng: Random) -> Posture:
    out, forward = rng.uniform(70, 100), rng.uniform(5, 35)
    reach, rest = Limb(out, forward, out + rng.uniform(-12, 14), forward), _arm_down(rng)
    left = rng.random() < 0.5
    legs, sign = (Limb(9, 3, 6, -4), Limb(9, -2, 6, -6)), 1 if left else -1
    return Posture(
        "reaching", (reach, rest) if left else (rest, reach), legs, sign * rng.uniform(0, 35),
        lean=sign * rng.uniform(0, 9), look=sign * rng.uniform(0, 22),
    )  # fmt: skip


def _dancing(rng: Random) -> Posture:
    up = Limb(rng.uniform(95, 150), rng.uniform(0, 15), rng.uniform(130, 215), rng.uniform(0, 20))
    out = Limb(rng.uniform(50, 95), rng.uniform(0, 15), rng.uniform(20, 120), rng.uniform(0, 30))
    free = Limb(rng.uniform(18, 42), rng.uniform(0, 25), rng.uniform(-12, 25), rng.uniform(-35, 0))
    return Posture(
        "dancing", _either(rng, up, out), _either(rng, Limb(3, 0, 2, -3), free), _turn(rng, 0, 35),
        lean=rng.uniform(-9, 9), look=_turn(rng, 0, 15),
    )  # fmt: skip


POSTURES: tuple[Callable[[Random], Posture], ...] = (
    _standing, _walking, _sitting, _cheering, _waving, _reaching, _dancing,
)  # fmt: skip
