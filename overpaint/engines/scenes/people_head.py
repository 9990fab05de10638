"""The head of a drawn person: its face and hair, on an egg that looks some way."""

from collections.abc import Iterator

import numpy as np

from overpaint.engines.scenes.people_body import HEAD, SIDES, Points
from overpaint.engines.scenes.people_clothes import Look, mixed, strands
from overpaint.engines.scenes.people_paint import Colour, Part, Point

EGG = np.array((0.45, 0.82, 0.97, 1.0, 0.98, 0.93, 0.82, 0.56))  # from crown to chin
WHITE: Colour = (246, 244, 240)
DARK: Colour = (38, 28, 26)
LIPS: Colour = (176, 40, 52)


def head(at: Points, look: Look) -> Iterator[Part]:
    """Skull, ears, hair and face."""
    up, facing = at["up"], float(np.clip(abs(at["front"][2]), 0, 1))
    broad = float(np.hypot(HEAD[0] * facing, HEAD[2] * np.sqrt(1 - facing**2)))
    crown, chin = at["head"] + up * HEAD[1] * 0.72, at["head"] - up * HEAD[1] * 0.72
    yield Part(crown, chin, tuple(EGG * broad), look.skin, HEAD[2] / broad)
    for side in SIDES:
        ear = at[f"{side}_ear"]
        yield Part(ear + up * 0.009, ear - up * 0.010, (0.008, 0.009, 0.006), look.skin, 0.6)
    yield from _hair(at, look, broad)
    yield from _face(at, look)


def _spot(at: Points, x: float, y: float, lift: float = 1.0) -> Point:
    """A place on the skull: x towards its left and y down, both from -1 to 1."""
    z = float(np.sqrt(max(0.0, 1 - x * x - y * y)))
    side = np.cross(at["front"], at["up"])
    place = side * x * HEAD[0] - at["up"] * y * HEAD[1] + at["front"] * z * HEAD[2]
    return np.asarray(at["head"] + place * lift)


def _hair(at: Points, look: Look, broad: float) -> Iterator[Part]:
    up, front = at["up"], at["front"]
    colour, shine = look.hair, 0.15
    back = at["head"] - front * 0.014
    top = back + up * 0.030
    yield Part(top, top - up * 0.012, (broad * 1.08, broad * 1.10), colour, 1.08, weave=strands,
               shine=shine)  # fmt: skip
    nape = back - front * 0.014
    yield Part(nape + up * 0.02, nape - up * 0.022, (broad * 1.05, broad * 0.92), colour, 0.9)
    yield from _fringe(at, look)
    if look.style in ("bob", "long"):
        low = 0.072 if look.style == "bob" else 0.135
        wide = (broad * 1.08, broad * 1.22, broad * 1.18)
        yield Part(back - front * 0.022, back - front * 0.028 - up * low, wide, colour, 0.7,
                   weave=strands, shine=shine)  # fmt: skip
        for sign in SIDES.values():
            yield Part(_spot(at, 0.9 * sign, -0.42), _spot(at, 0.96 * sign, 0.62, 1.1),
                       (0.010, 0.014, 0.009), colour, weave=strands)  # fmt: skip
    if look.style == "bun":
        bun = back + up * 0.082
        yield Part(bun, bun, (0.026,), colour, weave=strands, shine=shine)
    if look.beard:
        yield from _beard(at, look)


def _fringe(at: Points, look: Look) -> Iterator[Part]:
    """Hair that falls over the forehead, parted on one side."""
    parting = -0.4 if look.style in ("short", "bun") else 0.3
    for end in (-0.86, -0.62, -0.3, 0.3, 0.62, 0.86):
        low = -0.34 if abs(end) > 0.7 else -0.62
        yield Part(_spot(at, parting * 0.8, -0.86, 1.06), _spot(at, end, low, 1.0),
                   (0.009, 0.013, 0.006), look.hair, 0.7)  # fmt: skip


def _beard(at: Points, look: Look) -> Iterator[Part]:
    left, right = _spot(at, 0.8, 0.36), _spot(at, -0.8, 0.36)
    chin = _spot(at, 0, 0.80, 1.04)
    for cheek in (left, right):
        yield Part(cheek, chin, (0.008, 0.016, 0.020), look.hair, 0.8, weave=strands)
    lip = _spot(at, 0.0, 0.37, 1.02)
    for sign in SIDES.values():
        yield Part(lip, _spot(at, 0.34 * sign, 0.46, 1.02), (0.0045, 0.004), look.hair, 0.6)


def _face(at: Points, look: Look) -> Iterator[Part]:
    for sign in SIDES.values():
        yield from _eye(at, look, sign)
    tip, bridge = at["nose"], _spot(at, 0, -0.12)
    yield Part(bridge, tip, (0.0045, 0.006, 0.009), mixed(look.skin, WHITE, 0.06), 0.9)
    for sign in SIDES.values():
        wing = _spot(at, 0.17 * sign, 0.22, 1.03)
        yield Part(wing, wing, (0.0052,), mixed(look.skin, DARK, 0.1), 0.8)
    red = mixed(look.skin, LIPS, 0.55)
    for sign in SIDES.values():
        corner, middle = _spot(at, 0.32 * sign, 0.47, 1.0), _spot(at, 0, 0.52, 1.02)
        yield Part(corner, middle, (0.002, 0.0064), red, 0.6)
        line = np.array([0.0, 0.0, 0.004])
        yield Part(corner + line, middle + line, (0.0010, 0.0014), (92, 38, 38), 0.6)


def _eye(at: Points, look: Look, sign: float) -> Iterator[Part]:
    inner, outer = _spot(at, 0.24 * sign, -0.09), _spot(at, 0.52 * sign, -0.10)
    middle = _spot(at, 0.38 * sign, -0.10)
    if middle[2] < at["head"][2] + 0.01:
        return  # round the corner
    yield Part(inner, outer, (0.003, 0.0082, 0.003), WHITE, 0.5)
    over = np.array([0.0, 0.0, 0.004])
    yield Part(middle + over, middle + over, (0.0058,), look.eyes, 0.2)
    yield Part(middle + over * 1.4, middle + over * 1.4, (0.0028,), DARK, 0.2)
    lid = at["up"] * 0.007 + over * 0.8
    yield Part(inner + lid * 0.7, outer + lid * 0.9, (0.0014, 0.0024, 0.0016), DARK, 0.4)
    near, far = _spot(at, 0.18 * sign, -0.31, 1.05), _spot(at, 0.58 * sign, -0.33, 1.05)
    yield Part(near, far, (0.003, 0.004, 0.002), mixed(look.hair, DARK, 0.5), 0.5)
