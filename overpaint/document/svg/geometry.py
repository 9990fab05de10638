"""Geometry of SVG: numbers, units, transforms, and paths as outlines with straight sides."""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from overpaint.document.layers import Point

Matrix = tuple[float, float, float, float, float, float]
UNIT: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
LARGEST = 1e6  # of any number that is drawn
MAX_POINTS = 100_000  # of one path
_FLAT = 0.1  # a curve may be off by so many pixels

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_UNITS = {
    "": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54,
    "q": 96 / 101.6, "in": 96.0,
}  # fmt: skip


def numbers(text: str, most: int) -> list[float]:
    """The numbers in a list, none that is endless or beyond reason."""
    found: list[float] = []
    for match in _NUMBER.finditer(text):
        found.append(_bounded(float(match[0])))
        if len(found) == most:
            break
    return found


def length(text: str, *, em: float = 16.0, whole: float = 0.0) -> float | None:
    """A length in pixels; a percentage is of `whole`; None where it is none."""
    match = re.fullmatch(rf"\s*({_NUMBER.pattern})\s*([a-zA-Z%]*)\s*", text[:64])
    if not match:
        return None
    value, unit = float(match[1]), match[2].lower()
    factors = {**_UNITS, "em": em, "rem": 16.0, "ex": em / 2, "ch": em / 2, "%": whole / 100}
    if unit not in factors or not abs(value * factors[unit]) <= LARGEST:
        return None
    return value * factors[unit]


# ── transforms ──────────────────────────────────────────────────────────────────────────


def times(first: Matrix, then: Matrix) -> Matrix:
    """The matrix that does `then` and, around it, `first`: first is the outer one."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j,
            a * k + c * m + e, b * k + d * m + f)  # fmt: skip


def at(matrix: Matrix, x: float, y: float) -> Point:
    """Where a matrix takes a point."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def inverse(matrix: Matrix) -> Matrix | None:
    """The matrix that undoes another; None where that cannot be."""
    a, b, c, d, e, f = matrix
    whole = a * d - b * c
    if not math.isfinite(whole) or abs(whole) < 1e-12:
        return None
    return (d / whole, -b / whole, -c / whole, a / whole,
            (c * f - d * e) / whole, (b * e - a * f) / whole)  # fmt: skip


def transform(text: str) -> Matrix:
    """The matrix of a `transform` attribute; what is not understood moves nothing."""
    made = UNIT
    for match in re.finditer(r"([a-zA-Z]+)\s*\(([^()]{0,500})\)", text[:10_000]):
        made = times(made, _single(match[1].lower(), numbers(match[2], 6)))
    return made if all(abs(value) <= 1e9 for value in made) else UNIT


def _single(kind: str, values: list[float]) -> Matrix:
    if kind == "matrix" and len(values) == 6:
        a, b, c, d, e, f = values
        return a, b, c, d, e, f
    if kind == "translate" and values:
        return 1.0, 0.0, 0.0, 1.0, values[0], values[1] if len(values) > 1 else 0.0
    if kind == "scale" and values:
        return values[0], 0.0, 0.0, values[1] if len(values) > 1 else values[0], 0.0, 0.0
    if kind == "rotate" and values:
        cos, sin = math.cos(math.radians(values[0])), math.sin(math.radians(values[0]))
        turn: Matrix = (cos, sin, -sin, cos, 0.0, 0.0)
        if len(values) < 3:
            return turn
        x, y = values[1], values[2]
        return times(times((1.0, 0.0, 0.0, 1.0, x, y), turn), (1.0, 0.0, 0.0, 1.0, -x, -y))
    if kind == "skewx" and values:
        return 1.0, 0.0, math.tan(math.radians(values[0])), 1.0, 0.0, 0.0
    if kind == "skewy" and values:
        return 1.0, math.tan(math.radians(values[0])), 0.0, 1.0, 0.0, 0.0
    return UNIT


def turn_of(matrix: Matrix) -> tuple[float, float, float] | None:
    """Degrees clockwise and the scales across and down; None where it slants or mirrors."""
    a, b, c, d, _, _ = matrix
    across, down = math.hypot(a, b), math.hypot(c, d)
    if across < 1e-9 or down < 1e-9 or a * d - b * c <= 0:
        return None
    if abs(a * c + b * d) > 1e-4 * across * down:
        return None
    return round(math.degrees(math.atan2(b, a)), 4) % 360, across, down


# ── paths ───────────────────────────────────────────────────────────────────────────────

Outline = tuple[list[Point], bool]  # points, and whether it is closed
_COUNTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7}
_SEGMENT = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")
# The two flags of an arc are single digits that may stand together: a5 5 0 0110 0.
_ARC = re.compile(
    rf"[\s,]*({_NUMBER.pattern})[\s,]*({_NUMBER.pattern})[\s,]*({_NUMBER.pattern})[\s,]*([01])"
    rf"[\s,]*([01])[\s,]*({_NUMBER.pattern})[\s,]*({_NUMBER.pattern})"
)


def outlines(data: str, scale: float = 1.0) -> list[Outline]:
    """A path's outlines with straight sides, as fine as the scale it is drawn at asks."""
    walker = _Walker(max(scale, 1e-6))
    for command, values in _commands(data):
        walker.go(command, values)
        if walker.count > MAX_POINTS:
            break
    return walker.done


def _commands(data: str) -> Iterator[tuple[str, list[float]]]:
    """Each command with its numbers, those that are repeated spelled out."""
    for command, text in _SEGMENT.findall(data):
        if command in "Zz":
            yield command, []
            continue
        if command in "Aa":
            found = [part for arc in _ARC.findall(text) for part in arc]
        else:
            found = _NUMBER.findall(text)
        count = _COUNTS[command.lower()]
        for at in range(0, len(found) - count + 1, count):
            yield command, [_bounded(float(part)) for part in found[at : at + count]]
            command = {"M": "L", "m": "l"}.get(command, command)


def _bounded(value: float) -> float:
    return value if -LARGEST <= value <= LARGEST else math.copysign(LARGEST, value)


class _Walker:
    """A pen that follows commands and leaves points behind."""

    def __init__(self, scale: float) -> None:
        self.scale, self.done, self.count = scale, list[Outline](), 0
        self.pen: Point = (0.0, 0.0)
        self.begun: Point = (0.0, 0.0)
        self.control: Point | None = None  # of the last curve, and which kind that was
        self.kind = ""

    def go(self, command: str, values: list[float]) -> None:
        """Follow one command."""
        kind = command.lower()
        x, y = self.pen if command.islower() else (0.0, 0.0)
        if kind == "m":
            self.pen = self.begun = (values[0] + x, values[1] + y)
            self.done.append(([self.pen], False))
        elif kind == "z":
            if self.done:
                self.done[-1] = (self.done[-1][0], True)
            self.pen = self.begun
        elif kind == "h":
            self._line((values[0] + x, self.pen[1]))
        elif kind == "v":
            self._line((self.pen[0], values[0] + y))
        elif kind == "a":
            self._arc(values[:5], (values[5] + x, values[6] + y))
        else:
            places = [(values[i] + x, values[i + 1] + y) for i in range(0, len(values), 2)]
            self._curve(kind, places)
        self.kind = kind

    def _curve(self, kind: str, places: list[Point]) -> None:
        if kind == "l":
            self._line(places[0])
            return
        if kind in "st":
            before = "cs" if kind == "s" else "qt"
            known = self.control is not None and self.kind and self.kind in before
            mirror = self.control if known and self.control else self.pen
            places = [(2 * self.pen[0] - mirror[0], 2 * self.pen[1] - mirror[1]), *places]
        self.control = places[-2]
        self._bend([self.pen, *places])

    def _line(self, to: Point) -> None:
        if not self.done or self.done[-1][1]:
            self.done.append(([self.pen], False))
        self.done[-1][0].append(to)
        self.pen = to
        self.count += 1

    def _bend(self, places: Sequence[Point]) -> None:
        """A Bézier curve in as many steps as its size asks."""
        long = sum(math.dist(p, q) for p, q in pairwise(places))
        steps = max(2, min(200, math.ceil(math.sqrt(long * self.scale / _FLAT) / 2)))
        for step in range(1, steps + 1):
            self._line(_bezier(places, step / steps) if step < steps else places[-1])

    def _arc(self, shape: list[float], to: Point) -> None:
        """An arc of an ellipse, by the formulas of SVG 1.1, appendix F.6."""
        rx, ry, turn, large, sweep = abs(shape[0]), abs(shape[1]), shape[2], shape[3], shape[4]
        x0, y0 = self.pen
        if rx < 1e-9 or ry < 1e-9 or math.dist(self.pen, to) < 1e-9:
            self._line(to)
            return
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        dx, dy = (x0 - to[0]) / 2, (y0 - to[1]) / 2
        u, v = cos * dx + sin * dy, -sin * dx + cos * dy
        grow = math.sqrt(max(1.0, (u / rx) ** 2 + (v / ry) ** 2))
        rx, ry = rx * grow, ry * grow
        below = (rx * v) ** 2 + (ry * u) ** 2
        root = math.sqrt(max(0.0, (rx * ry) ** 2 / below - 1)) * (-1 if large == sweep else 1)
        cu, cv = root * rx * v / ry, -root * ry * u / rx
        first = math.atan2((v - cv) / ry, (u - cu) / rx)
        span = (math.atan2((-v - cv) / ry, (-u - cu) / rx) - first) % (2 * math.pi)
        span = span if sweep else span - 2 * math.pi
        cx = cos * cu - sin * cv + (x0 + to[0]) / 2
        cy = sin * cu + cos * cv + (y0 + to[1]) / 2
        bend = abs(span) * math.sqrt(max(rx, ry) * self.scale / _FLAT) / 2
        steps = max(2, min(400, math.ceil(bend)))
        for step in range(1, steps):
            angle = first + span * step / steps
            p, q = rx * math.cos(angle), ry * math.sin(angle)
            self._line((cx + cos * p - sin * q, cy + sin * p + cos * q))
        self._line(to)


def _bezier(places: Sequence[Point], share: float) -> Point:
    """A point of a Bézier curve of any degree, by de Casteljau."""
    points = list(places)
    while len(points) > 1:
        points = [
            ((1 - share) * p[0] + share * q[0], (1 - share) * p[1] + share * q[1])
            for p, q in pairwise(points)
        ]
    return points[0]


def clipped(points: Sequence[Point], box: tuple[float, float, float, float]) -> list[Point]:
    """An outline cut to a box, so that nothing larger than the canvas is ever drawn."""
    made = list(points)
    for axis, limit, sign in ((0, box[0], 1), (0, box[2], -1), (1, box[1], 1), (1, box[3], -1)):
        cut: list[Point] = []
        for p, q in zip(made[-1:] + made[:-1], made, strict=True):
            inside, outside = sign * (q[axis] - limit) >= 0, sign * (p[axis] - limit) < 0
            if inside == outside:  # the side crosses
                share = (limit - p[axis]) / (q[axis] - p[axis])
                other = p[1 - axis] + share * (q[1 - axis] - p[1 - axis])
                cut.append((limit, other) if axis == 0 else (other, limit))
            if inside:
                cut.append(q)
        made = cut
    return made
