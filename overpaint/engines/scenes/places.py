"""Places: what things stand in, as areas one over the other, from the farthest to the nearest.

On a flat floor nearness, one over the distance, grows evenly from the horizon down. So it does
here, and a thing's size goes by it as well.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np
from PIL import Image, ImageDraw

from overpaint.document import Pixels
from overpaint.engines.posters.brush import mix

FINE = 2  # areas are drawn so many times as large
Size = tuple[int, int]  # width, height
Points = Sequence[tuple[float, float]]
Pen = ImageDraw.ImageDraw


@dataclass(frozen=True, eq=False)
class Area:
    """A part of a place: where it is, its colour at its top and bottom, and how near it is."""

    name: str
    alpha: Pixels  # H×W
    colours: tuple[str, str]
    near: float | None  # None: it lies on the floor
    texture: str = "plain"
    strength: float = 0.0  # how much of the texture shows


@dataclass(frozen=True, eq=False)
class Place:
    """A place to put things in; heights are shares of the picture's."""

    words: str
    areas: tuple[Area, ...]
    floor: tuple[float, float]  # the height where it begins, and how near that is
    unit: float = 0.75  # how high a person is who is as near as can be
    power: float = 0.85  # under 1: small things are drawn larger than they are
    bands: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # where each site is
    sky: float = 0.0  # down to where things fly

    def height_at(self, near: float) -> float:
        """How far down the picture the floor is that near."""
        top, begins = self.floor
        return top + (1 - top) * (near - begins) / (1 - begins)


def draw(name: str, size: Size, chance: Random) -> Place:
    """A place of that name, with its own colours."""
    return PLACES[name](size, chance)


# ── drawing areas ───────────────────────────────────────────────────────────────────────


def _painted(size: Size, draw_on: Callable[[Pen, float, float], None]) -> Pixels:
    """An area's alpha; the pen draws in white on the large sheet, of which it gets the size."""
    sheet = Image.new("L", (size[0] * FINE, size[1] * FINE), 0)
    draw_on(ImageDraw.Draw(sheet), size[0] * FINE, size[1] * FINE)
    return np.array(sheet.reduce(FINE))


def _whole(size: Size) -> Pixels:
    return np.full((size[1], size[0]), 255, np.uint8)


def _box(size: Size, left: float, top: float, right: float, bottom: float) -> Pixels:
    """A rectangle in shares of the picture."""
    return _painted(
        size, lambda pen, w, h: pen.rectangle((left * w, top * h, right * w, bottom * h), fill=255)
    )


def _shape(size: Size, points: Points) -> Pixels:
    """A polygon in shares of the picture."""
    return _painted(
        size, lambda pen, w, h: pen.polygon([(x * w, y * h) for x, y in points], fill=255)
    )


def _hill(size: Size, chance: Random, base: float, sway: float) -> Pixels:
    """All below a line of two waves."""
    first, second = chance.uniform(0, 6), chance.uniform(0, 6)
    turns = chance.uniform(4, 8)
    line = [
        (i / 60, base - sway * (math.sin(first + turns * i / 60)
                                + 0.4 * math.sin(second + 2.3 * turns * i / 60)))
        for i in range(61)
    ]  # fmt: skip
    return _shape(size, [*line, (1.01, 1.01), (-0.01, 1.01)])


def _cloud(size: Size, chance: Random, top: float, bottom: float) -> Pixels:
    """A heap of discs on a flat foot."""
    x, y = chance.uniform(0.1, 0.9), chance.uniform(top, bottom)
    reach = chance.uniform(0.07, 0.12)
    puffs = [
        (
            off + chance.uniform(-0.12, 0.12),
            0.34 + 0.3 * (1 - abs(off)) + chance.uniform(-0.06, 0.06),
        )
        for off in (-1.1, -0.55, 0.0, 0.55, 1.1)
    ]

    def draw_on(pen: Pen, w: float, h: float) -> None:
        unit = reach * min(w, h)
        for off, r in puffs:
            rise, middle = r * unit, x * w + off * unit
            pen.ellipse((middle - rise, y * h - rise, middle + rise, y * h + rise), fill=255)
        pen.rectangle((0, y * h + unit * 0.2, w, h), fill=0)

    return _painted(size, draw_on)


def _sky(size: Size, chance: Random, low: float) -> list[Area]:
    top, bottom = chance.choice(
        (("#6db4e2", "#d5ecf5"), ("#87bfe6", "#f4e7cf"), ("#8fa8dc", "#f7d3c0"),
         ("#5fa9c9", "#dff0dd"))
    )  # fmt: skip
    # Of a height for its gradient's sake: what it shades off to is at the horizon.
    areas = [Area("sky", _box(size, 0, 0, 1, low + 0.12), (top, bottom), 0.0, "sky", 0.06)]
    for _ in range(chance.randint(0, 3)):
        alpha = _cloud(size, chance, 0.08, max(0.1, low - 0.12))
        areas.append(Area("cloud", alpha, ("#ffffff", mix(bottom, "#ffffff", 0.45)), 0.02))
    return areas


# ── the places ──────────────────────────────────────────────────────────────────────────


def _meadow(size: Size, chance: Random) -> Place:
    line = chance.uniform(0.38, 0.48)
    green = chance.choice(("#7fb257", "#93b44d", "#6aa869", "#a9b85a"))
    areas = _sky(size, chance, line)
    if chance.random() < 0.6:
        blue = mix("#7f9fc4", "#a6b7d8", chance.random())
        peaks = [(-0.05, line), *_peaks(chance, line), (1.05, line), (1.05, 1), (-0.05, 1)]
        colours = (mix(blue, "#ffffff", 0.35), blue)
        areas.append(Area("mountains", _shape(size, peaks), colours, 0.04, "plain", 0.2))
    far = mix(green, "#8fb8c0", 0.5)
    hill = _hill(size, chance, line - 0.03, 0.035)
    areas.append(Area("hills", hill, (mix(far, "#ffffff", 0.2), far), 0.1, "grass", 0.08))
    field_ = _hill(size, chance, line + 0.03, 0.012)
    colours = (mix(green, "#ffffff", 0.18), mix(green, "#1f4a2a", 0.22))
    areas.append(Area("meadow", field_, colours, None, "grass", 0.17))
    if chance.random() < 0.55:
        areas.append(_path(size, chance, line + 0.045))
    areas += _flowers(size, chance, line + 0.1)
    return Place("on a meadow before hills", tuple(areas), (line, 0.1), sky=line)


def _path(size: Size, chance: Random, top: float) -> Area:
    """A path that winds from the foot of the hills to the front."""
    far, bend, low = chance.uniform(0.2, 0.8), chance.uniform(-0.25, 0.25), chance.uniform(0.1, 0.9)
    left, right = [], []
    for i in range(31):
        t = i / 30
        middle = far + (low - far) * t + bend * math.sin(t * math.pi) * t
        half = 0.008 + 0.1 * t * t
        y = top + (1.02 - top) * t
        left.append((middle - half, y))
        right.append((middle + half, y))
    earth = chance.choice(("#d9bd8c", "#cfa981", "#dccfae"))
    alpha = _shape(size, [*left, *reversed(right)])
    return Area("path", alpha, (mix(earth, "#ffffff", 0.2), earth), None, "sand", 0.14)


def _flowers(size: Size, chance: Random, top: float) -> list[Area]:
    """Specks of two colours in the grass, larger to the front."""
    spots = [(chance.random(), chance.random() ** 0.7) for _ in range(chance.randint(20, 60))]

    def some(first: int) -> Callable[[Pen, float, float], None]:
        def draw_on(pen: Pen, w: float, h: float) -> None:
            for x, t in spots[first::2]:
                r = h * (0.002 + 0.0045 * t)
                y = (top + (1 - top) * t) * h
                pen.ellipse((x * w - 1.3 * r, y - r, x * w + 1.3 * r, y + r), fill=255)

        return draw_on

    tones = chance.sample(("#f7f1e6", "#f2d04f", "#e48a8a", "#b48fd0"), 2)
    return [
        Area("detail", _painted(size, some(i)), (tone, tone), None) for i, tone in enumerate(tones)
    ]


def _peaks(chance: Random, line: float) -> list[tuple[float, float]]:
    count = chance.randint(2, 4)
    points = []
    for i in range(count):
        points.append(((i + chance.uniform(0.3, 0.7)) / count, line - chance.uniform(0.1, 0.24)))
        points.append(((i + 1) / count, line - chance.uniform(0.0, 0.06)))
    return points


def _beach(size: Size, chance: Random) -> Place:
    line, shore = chance.uniform(0.34, 0.42), chance.uniform(0.36, 0.42)
    sea = chance.choice(("#3f8fb5", "#3fa3a8", "#4a7fb8"))
    sand = chance.choice(("#ecd3a0", "#e6c794", "#f0dcb4"))
    areas = _sky(size, chance, line)
    colours = (mix(sea, "#1d3f66", 0.25), mix(sea, "#d8f0e8", 0.35))
    areas.append(Area("sea", _box(size, 0, line, 1, 1.01), colours, None, "sea", 0.16))
    edge = line + (1 - line) * shore
    foam = _hill(size, chance, edge - 0.012, 0.011)
    areas.append(Area("foam", foam, ("#f4fbf8", "#f4fbf8"), None))
    beach = np.minimum(foam, _shifted(foam, round(size[1] * 0.018)))
    colours = (mix(sand, "#8a6a48", 0.2), sand)
    areas.append(Area("sand", beach, colours, None, "sand", 0.14))
    return Place(
        "on a beach by the sea", tuple(areas), (line, 0.0), sky=line,
        bands={"water": (0.16, shore - 0.06), "floor": (shore + 0.1, 0.95)},
    )  # fmt: skip


def _shifted(alpha: Pixels, rows: int) -> Pixels:
    moved = np.zeros_like(alpha)
    moved[rows:] = alpha[:-rows]
    return moved


def _street(size: Size, chance: Random) -> Place:
    line = 0.3
    areas = _sky(size, chance, line + 0.1)
    place = Place("", (), (line, 0.0))
    foot = place.height_at(0.27)
    x = -chance.uniform(0, 0.1)
    while x < 1:
        wide = chance.uniform(0.16, 0.3) * min(1.4, size[1] / size[0])
        areas += _facade(size, chance, (x, chance.uniform(0.08, 0.24), x + wide, foot))
        x += wide
    stone = chance.choice(("#c9bfb0", "#bcb8b4", "#d0c2a6"))
    road = chance.choice(("#6f727c", "#7a736e"))
    kerbs = [place.height_at(near) for near in (0.4, 0.66)]
    areas.append(Area("far pavement", _box(size, 0, foot, 1, 1.01),
                      (mix(stone, "#5a5a66", 0.2), stone), None, "slabs", 0.12))  # fmt: skip
    areas.append(Area("road", _box(size, 0, kerbs[0], 1, 1.01),
                      (road, mix(road, "#2c2c38", 0.2)), None, "road", 0.14))  # fmt: skip
    middle = sum(kerbs) / 2
    areas.append(Area("detail", _dashes(size, middle), ("#e9e4d2", "#e9e4d2"), None))
    areas.append(Area("pavement", _box(size, 0, kerbs[1], 1, 1.01),
                      (mix(stone, "#ffffff", 0.25), stone), None, "slabs", 0.16))  # fmt: skip
    return Place(
        "in a street with houses", tuple(areas), (line, 0.0), sky=0.3,
        bands={"road": (0.5, 0.63), "floor": (0.7, 0.95)},
    )  # fmt: skip


def _dashes(size: Size, middle: float) -> Pixels:
    def draw_on(pen: Pen, w: float, h: float) -> None:
        for i in range(7):
            left = (i + 0.15) * w / 6.5
            pen.rectangle((left, middle * h, left + w / 13, middle * h + h * 0.013), fill=255)

    return _painted(size, draw_on)


def _facade(size: Size, chance: Random, box: tuple[float, float, float, float]) -> list[Area]:
    left, top, right, bottom = box
    wall = chance.choice(("#d98f6c", "#e3b778", "#9fb3a2", "#b9a2b8", "#c9766a", "#8fa9bf"))
    made = [Area("building", _box(size, *box), (wall, mix(wall, "#3a3040", 0.12)), 0.27,
                 chance.choice(("bricks", "plain")), 0.12)]  # fmt: skip
    rows, columns = max(2, round((bottom - top) / 0.12)), 3

    def draw_on(pen: Pen, w: float, h: float) -> None:
        for row in range(rows):
            for column in range(columns):
                x = left + (right - left) * (0.12 + 0.28 * column)
                y = top + (bottom - top) * (0.1 + row * 0.92 / rows)
                corners = (x, y, x + (right - left) * 0.18, y + (bottom - top) * 0.55 / rows)
                pen.rectangle([v * (w, h)[i % 2] for i, v in enumerate(corners)], fill=255)

    colours = (mix(wall, "#31435e", 0.75), mix(wall, "#a8c4d8", 0.6))
    return [*made, Area("detail", _painted(size, draw_on), colours, 0.27)]


def _room(size: Size, chance: Random) -> Place:
    line = chance.uniform(0.5, 0.6)
    wall = chance.choice(("#e7cfa8", "#a9c5c0", "#c8b8d4", "#e0b0a0", "#b9c99a", "#9db7cf"))
    wood = chance.choice(("#b98a5c", "#a2714a", "#c79f72"))
    areas = [
        Area("wall", _whole(size), (mix(wall, "#ffffff", 0.22), wall), 0.4,
             chance.choice(("stripes", "dots", "plain")), 0.14),
        Area("skirting", _box(size, 0, line - 0.035, 1, line), ("#f6f0e4", "#e4dccb"), 0.4),
        Area("floor", _box(size, 0, line, 1, 1.01), (mix(wood, "#3a2418", 0.22), wood), None,
             "planks", 0.16),
    ]  # fmt: skip
    if chance.random() < 0.6:
        cloth = chance.choice(("#b5514a", "#4a6fa0", "#5c8f74", "#8a5c8f", "#d8a24a"))
        middle, low = chance.uniform(0.35, 0.65), chance.uniform(0.78, 0.88)
        rug = _oval(size, (middle - 0.36, low - 0.11, middle + 0.36, low + 0.11))
        areas.append(Area("rug", rug, (mix(cloth, "#ffffff", 0.15), cloth), None, "grass", 0.12))
    areas += _window(size, chance) if chance.random() < 0.75 else _painting(size, chance)
    return Place("in a room", tuple(areas), (line, 0.4), unit=0.8, power=0.85,
                 bands={"floor": (0.46, 0.95)})  # fmt: skip


def _oval(size: Size, box: tuple[float, float, float, float]) -> Pixels:
    return _painted(
        size,
        lambda pen, w, h: pen.ellipse([v * (w, h)[i % 2] for i, v in enumerate(box)], fill=255),
    )


def _window(size: Size, chance: Random) -> list[Area]:
    middle, half = chance.uniform(0.25, 0.75), chance.uniform(0.13, 0.18)
    top, low = 0.07, chance.uniform(0.34, 0.4)
    box = (middle - half, top, middle + half, low)
    bars = [
        _box(size, middle - 0.008, top, middle + 0.008, low),
        _box(size, middle - half, (top + low) / 2 - 0.008, middle + half, (top + low) / 2 + 0.008),
    ]
    frame = _box(size, box[0] - 0.02, top - 0.02, box[2] + 0.02, low + 0.03)
    return [
        Area("frame", frame, ("#fbf6ea", "#e6dcc6"), 0.4),
        Area("window", _box(size, *box), ("#79b6e0", "#e2f1ee"), 0.05, "sky", 0.08),
        Area("detail", np.maximum(*bars), ("#fbf6ea", "#e6dcc6"), 0.4),
    ]


def _painting(size: Size, chance: Random) -> list[Area]:
    left, wide = chance.uniform(0.15, 0.6), chance.uniform(0.2, 0.28)
    box = (left, 0.08, left + wide, 0.36)
    inner = (left + 0.02, 0.1, left + wide - 0.02, 0.34)
    hill = [(inner[0], 0.3), (left + wide * 0.45, 0.22), (inner[2], 0.28), (inner[2], 0.34),
            (inner[0], 0.34)]  # fmt: skip
    return [
        Area("frame", _box(size, *box), ("#8a5f38", "#6d4727"), 0.41),
        Area("painting", _box(size, *inner), ("#f0c27a", "#f4e3c0"), 0.41),
        Area("detail", _shape(size, hill), ("#6f9a8a", "#4f7a70"), 0.41),
    ]


def _table(size: Size, chance: Random) -> Place:
    edge, front = chance.uniform(0.42, 0.5), 0.93
    wall = chance.choice(("#d9c3a5", "#a7bfc9", "#c9b0bf", "#b5c4a0", "#e3b99a", "#8fa3b8"))
    wood = chance.choice(("#b47f4f", "#8f6240", "#cda374", "#7f94a0"))
    areas = [
        Area("wall", _whole(size), (mix(wall, "#ffffff", 0.25), mix(wall, "#40364a", 0.12)), 0.15,
             chance.choice(("plain", "stripes", "dots")), 0.12),
        Area("table", _box(size, 0, edge, 1, 1.01), (mix(wood, "#2c1c12", 0.2), wood), None,
             "boards", 0.15),
        Area("table's edge", _box(size, 0, front, 1, 1.01), (mix(wood, "#2c1c12", 0.35),) * 2, 0.93,
             "boards", 0.1),
    ]  # fmt: skip
    if chance.random() < 0.5:
        cloth = chance.choice(("#f4efe4", "#d6635a", "#5f8fb8", "#efcf75"))
        left, right = chance.uniform(0.05, 0.2), chance.uniform(0.8, 0.95)
        low, high = 0.86, edge + 0.08
        mat = [(left + 0.08, high), (right - 0.08, high), (right, low), (left, low)]
        colours = (cloth, mix(cloth, "#000000", 0.08))
        areas.append(Area("cloth", _shape(size, mat), colours, None, "dots", 0.2))
    return Place("on a table", tuple(areas), (edge, 0.35), unit=1.45, power=0.85,
                 bands={"floor": (0.5, 0.88)})  # fmt: skip


def _studio(size: Size, chance: Random) -> Place:
    tone = chance.choice(("#d8c9b6", "#b9cfd6", "#d6bcc4", "#c3d0b4", "#c9c3d6", "#e6d09a"))
    line = chance.uniform(0.55, 0.66)
    areas = (
        Area("backdrop", _whole(size), (tone, mix(tone, "#ffffff", 0.4)), 0.3, "plain", 0.1),
        Area("ground", _box(size, 0, line, 1, 1.01), (mix(tone, "#3f3846", 0.16), tone), None,
             "plain", 0.12),
    )  # fmt: skip
    return Place("before a plain wall", areas, (line, 0.35), unit=0.85, power=0.3,
                 bands={"floor": (0.5, 0.9)})  # fmt: skip


PLACES: Mapping[str, Callable[[Size, Random], Place]] = {
    "meadow": _meadow, "room": _room, "beach": _beach, "street": _street, "table": _table,
    "studio": _studio,
}  # fmt: skip
