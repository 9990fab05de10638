"""The parts of a drawn person below the head: trunk, arms and legs in what they wear."""

from collections.abc import Iterator

import numpy as np

from overpaint.engines.scenes.people_body import SIDES, Points, length
from overpaint.engines.scenes.people_clothes import (
    BARE,
    LONG,
    Look,
    folds,
    mixed,
    pleats,
    woven,
)
from overpaint.engines.scenes.people_head import head
from overpaint.engines.scenes.people_paint import Colour, Part, Point

# Half widths of a trunk from the crotch to the neck, and how deep it is at the same heights.
WOMAN = (0.066, 0.090, 0.092, 0.078, 0.074, 0.080, 0.088, 0.090, 0.080, 0.034)
MAN = (0.064, 0.084, 0.088, 0.084, 0.084, 0.090, 0.098, 0.102, 0.092, 0.036)
DEEP = np.array((0.060, 0.072, 0.066, 0.056, 0.056, 0.062, 0.068, 0.062, 0.048, 0.030))
THIGH = (0.056, 0.059, 0.055, 0.047, 0.040)
SHIN = (0.040, 0.043, 0.042, 0.034, 0.026, 0.022)
ARM = (0.029, 0.033, 0.031, 0.028, 0.026)
FOREARM = (0.026, 0.027, 0.025, 0.020, 0.0165)
LAID = 0.05  # how far cloth may bulge in front of what lies on it
WOOD: Colour = (138, 98, 66)


def parts(at: Points, look: Look, *, seated: bool) -> Iterator[Part]:
    """All that a person is made of, in heights of the body."""
    if seated:
        yield from _stool(at)
    yield from _trunk(at, look)
    if look.top in LONG or look.legs == "skirt":
        yield from _skirt(at, look)
    yield from _front(at, look)
    for side, sign in SIDES.items():
        yield from _leg(at, look, side)
        yield from _arm(at, look, side)
        yield from _hand(at, look, side, sign)
    yield from head(at, look)


def _between(a: Point, b: Point, share: float) -> Point:
    return a + share * (b - a)


def _scaled(widths: tuple[float, ...], by: float, more: float = 0.0) -> tuple[float, ...]:
    return tuple(w * by + more for w in widths)


# ── the trunk ───────────────────────────────────────────────────────────────────────────


def _trunk(at: Points, look: Look) -> Iterator[Part]:
    girth = look.build.girth
    wide, deep = np.array(WOMAN if look.who == "woman" else MAN) * girth, DEEP * girth
    across = at["left_shoulder"] - at["right_shoulder"]
    turn = min(1.0, float(np.hypot(*across[:2])) / (2 * look.build.shoulders))
    seen = np.hypot(wide * turn, deep * np.sqrt(1 - turn**2))
    thick = float(np.mean(deep / seen)) * (1.35 - 0.35 * turn)
    base = _between(at["pelvis"], at["neck"], -0.13)
    top = _between(at["neck"], at["pelvis"], 0.05)
    waist = 0.29 if look.legs == "skirt" else 0.25
    steps = np.linspace(0, 1, len(seen))
    below = tuple(np.interp(np.linspace(waist, 0, 4), steps, seen))
    above = tuple(np.interp(np.linspace(1, waist, 12), steps, seen) + 0.004)
    middle, weave = _between(base, top, waist), woven(look)
    yield Part(middle, base, below, look.cloth if look.top in LONG else look.below, thick)
    yield Part(top, middle, above, look.cloth, thick, (True, False), weave)
    for side in SIDES:
        slope = _between(at["neck"], at["pelvis"], 0.02)
        yield Part(slope, at[f"{side}_shoulder"], (0.027, 0.028, 0.028), look.cloth, weave=folds)
    throat, nape = at["head"] - at["up"] * 0.03, _between(at["neck"], at["pelvis"], 0.02)
    yield Part(throat, nape, (0.028, 0.028, 0.032), look.skin, 0.95)


def _front(at: Points, look: Look) -> Iterator[Part]:
    """What a top has in front: a neckline, a collar, a row of buttons."""
    across = at["left_shoulder"] - at["right_shoulder"]
    ahead = np.cross(across, at["pelvis"] - at["neck"])
    ahead = ahead / length(ahead) * float(DEEP[5:8].mean()) * look.build.girth
    high, low = _between(at["neck"], at["pelvis"], 0.03), _between(at["neck"], at["pelvis"], 0.72)
    dark, collar = mixed(look.cloth, (20, 20, 24), 0.45), high + ahead * 0.45
    if look.top in ("jacket", "coat"):
        inner: Colour = (236, 232, 224) if sum(look.cloth) < 560 else (90, 96, 110)
        tip = _between(high, low, 0.5) + ahead
        yield Part(collar, tip, (0.034, 0.026, 0.016, 0.003), inner, 0.1, laid=LAID)
        yield Part(tip, _between(high, low, 1.25) + ahead, (0.0016,), dark, 0.1, laid=LAID)
    elif look.top != "jumper":
        yield Part(collar, _between(high, low, 0.1) + ahead * 0.8, (0.03, 0.02, 0.006),
                   look.skin, 0.1, laid=LAID)  # fmt: skip
    if look.top in ("shirt", "jacket", "coat"):
        for share in (0.35, 0.55, 0.75, 0.95)[look.top != "shirt" :]:
            button = _between(high, low, share) + ahead
            yield Part(button, button, (0.004,), dark, 0.1, laid=LAID)


def _skirt(at: Points, look: Look) -> Iterator[Part]:
    """A skirt, or the lower half of a coat or dress: from the waist to where it ends."""
    colour = look.cloth if look.top in LONG else look.below
    share = 0.62 if look.top == "coat" else 0.8
    knees = (at["left_knee"] + at["right_knee"]) / 2
    hips = (at["left_hip"] + at["right_hip"]) / 2
    apart = float(abs(at["left_knee"] - at["right_knee"])[0]) / 2
    wide = look.build.girth * 0.088
    hem = max(wide + 0.008, apart * share + 0.062)
    start, end = _between(at["pelvis"], at["neck"], 0.18), _between(hips, knees, share)
    yield Part(start, end, (wide - 0.008, wide + 0.004, (wide + hem) / 2, hem), colour, 1.0,
               (False, False), pleats)  # fmt: skip
    for side in SIDES:
        hip, knee = at[f"{side}_hip"], at[f"{side}_knee"]
        cover = _scaled(THIGH[:4], look.build.girth, 0.012)
        yield Part(hip, _between(hip, knee, share), cover, colour, 1.0, (True, False), folds)


# ── limbs ───────────────────────────────────────────────────────────────────────────────


def _leg(at: Points, look: Look, side: str) -> Iterator[Part]:
    hip, knee, ankle, heel, toes = (
        at[f"{side}_{name}"] for name in ("hip", "knee", "ankle", "heel", "toes")
    )
    girth = look.build.girth
    if look.legs == "trousers":
        shin = (*_scaled(SHIN[:4], girth, 0.004), 0.036, 0.036)
        hem = _between(knee, ankle, 1.02)
        yield Part(hip, knee, _scaled(THIGH, girth, 0.004), look.below, weave=folds)
        yield Part(knee, hem, shin, look.below, 1.0, (True, False), folds)
    else:
        yield Part(hip, knee, _scaled(THIGH, girth), look.skin)
        yield Part(knee, ankle, _scaled(SHIN, girth), look.skin)
    if look.legs == "shorts":
        wide = (*_scaled(THIGH[:3], girth, 0.006), THIGH[3] * girth + 0.012)
        yield Part(hip, _between(hip, knee, 0.72), wide, look.below, 1.0, (True, False), folds)
    yield Part(heel, toes, (0.024, 0.026, 0.027, 0.025, 0.018), look.shoes, 0.85, shine=0.25)
    yield Part(_between(ankle, heel, 0.45), heel, (0.022, 0.024), look.shoes)


def _arm(at: Points, look: Look, side: str) -> Iterator[Part]:
    shoulder, elbow, wrist = (at[f"{side}_{name}"] for name in ("shoulder", "elbow", "wrist"))
    girth = look.build.girth
    if look.top in BARE:
        yield Part(shoulder, elbow, _scaled(ARM, girth), look.skin)
        yield Part(elbow, wrist, _scaled(FOREARM, girth), look.skin)
        sleeve = tuple(w * girth + more for w, more in zip(ARM, (0.004, 0.007, 0.01), strict=False))
        end = _between(shoulder, elbow, 0.5)
        yield Part(shoulder, end, sleeve, look.cloth, 1.0, (True, False), folds)
        return
    thick = 0.004 if look.top == "shirt" else 0.007
    yield Part(shoulder, elbow, _scaled(ARM, girth, thick), look.cloth, weave=folds)
    wide = _scaled(FOREARM, girth, thick)
    yield Part(elbow, wrist, wide, look.cloth, 1.0, (True, False), folds)


def _hand(at: Points, look: Look, side: str, sign: float) -> Iterator[Part]:
    wrist, tips = at[f"{side}_wrist"], at[f"{side}_tips"]
    way = tips - wrist
    flat = np.array([-way[1], way[0], 0.0])
    flat = flat / max(length(flat), 1e-6)
    palm = _between(wrist, tips, 0.5)
    yield Part(wrist, palm, (0.0155, 0.020, 0.021), look.skin, 0.6)
    for number, reach in enumerate((0.86, 0.98, 1.0, 0.9)):
        spread = flat * (number - 1.5) * 0.0095
        end = _between(wrist, tips, reach) + spread * 1.5
        yield Part(palm + spread, end, (0.0064, 0.0062, 0.005), look.skin)
    inward = flat * (1 if flat[0] * sign < 0 else -1)
    root = _between(wrist, tips, 0.18) + inward * 0.012
    yield Part(root, root + way * 0.34 + inward * 0.016, (0.0085, 0.007, 0.0055), look.skin)


def _stool(at: Points) -> Iterator[Part]:
    """Something to sit on."""
    x, y, z = at["pelvis"] + np.array([0.0, 0.075, 0.0])
    floor = max(float(at[f"{side}_toes"][1]) for side in SIDES) - 0.01
    for right, front in ((-0.07, -0.12), (0.07, -0.12), (-0.075, 0.02), (0.075, 0.02)):
        foot = np.array([x + right * 1.25, floor + front * 0.12, z + front])
        yield Part(np.array([x + right, y, z + front]), foot, (0.011, 0.009), WOOD)
    left, right_end = np.array([x - 0.085, y, z - 0.06]), np.array([x + 0.085, y, z - 0.06])
    yield Part(left, right_end, (0.03, 0.03), WOOD, 1.6)
