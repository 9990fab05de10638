"""Shapes of SVG: rectangles, ellipses and paths, with their paint, as shapes of ours."""

import math
from collections.abc import Mapping, Sequence

from overpaint.document.layers import CLEAR, Colour, Gradient, Point, Shape, Stroke
from overpaint.document.svg.geometry import (
    MAX_POINTS,
    UNIT,
    Matrix,
    Outline,
    at,
    clipped,
    length,
    numbers,
    outlines,
    times,
    transform,
    turn_of,
)
from overpaint.document.svg.source import Element
from overpaint.document.svg.styles import Style, colour, declared, share

SHAPES = ("rect", "circle", "ellipse", "line", "polyline", "polygon", "path")
Placed = tuple[Shape, float, float, float]  # a shape, its corner and its angle
Box = tuple[float, float, float, float]


def tidy(value: float) -> float:
    """Without what adding and multiplying leaves behind the fourth place."""
    return round(value, 4) + 0.0


def shapes_of(
    element: Element, style: Style, ctm: Matrix, canvas: tuple[int, int],
    paints: Mapping[str, Element],
) -> list[Placed]:  # fmt: skip
    """A shape's element as one shape, or two where an open line is filled as well."""
    scale = math.sqrt(abs(ctm[0] * ctm[3] - ctm[1] * ctm[2]))
    stroke = _stroke(style, scale)
    box = _box(element, style)
    turned = turn_of(ctm)
    if box and turned and not _huge(box, turned, canvas):
        return [_boxed(element, style, box, ctm, (turned, stroke, paints))]
    if turned and (ours := _ours(element, style, ctm, (turned, stroke, paints))):
        return [ours]
    lines = _lines(element, box, scale)
    shown = [(_cut([at(ctm, *p) for p in points], canvas, stroke), closed)
             for points, closed in lines]  # fmt: skip
    fill = style.get("fill", "black")
    open_ = [points for points, closed in shown if not closed]
    if stroke is None or not open_:
        made = [_path([p for p, _ in shown], fill, stroke, style, (ctm, paints))]
        return [one for one in made if one]
    # Shapes of ours are closed: a line that is not goes to its end and back again.
    there = [points if closed else [*points, *points[-2:0:-1]] for points, closed in shown]
    edge = _path(there, "none", stroke, style, (ctm, paints))
    inside = _path([p for p, _ in shown], fill, None, style, (ctm, paints))
    filled = fill.strip() != "none" and element.tag != "line"
    return [one for one in (inside if filled else None, edge) if one]


def _stroke(style: Style, scale: float) -> Stroke | None:
    paint = colour(style.get("stroke", "none"), style, "stroke-opacity")
    wide = length(style.get("stroke-width", "1")) or 0.0
    return Stroke(paint, tidy(wide * scale)) if paint and 0 < wide * scale < 10_000 else None


def _box(element: Element, style: Style) -> Box | None:
    """The box of a rectangle or an ellipse in its own units: left, top, width, height."""
    em = length(style.get("font-size", "16px")) or 16.0

    def get(name: str) -> float:
        return length(element.get(name, "0"), em=em) or 0.0

    if element.tag == "rect":
        return get("x"), get("y"), max(0.0, get("width")), max(0.0, get("height"))
    if element.tag == "circle":
        r = max(0.0, get("r"))
        return get("cx") - r, get("cy") - r, 2 * r, 2 * r
    if element.tag == "ellipse":
        rx, ry = max(0.0, get("rx")), max(0.0, get("ry"))
        return get("cx") - rx, get("cy") - ry, 2 * rx, 2 * ry
    return None


def _huge(box: Box, turned: tuple[float, float, float], canvas: tuple[int, int]) -> bool:
    return max(box[2] * turned[1], box[3] * turned[2]) > 2 * max(canvas) + 100


def _boxed(
    element: Element, style: Style, box: Box, ctm: Matrix,
    more: tuple[tuple[float, float, float], Stroke | None, Mapping[str, Element]],
) -> Placed:  # fmt: skip
    (angle, across, down), stroke, paints = more
    wide, high = tidy(box[2] * across), tidy(box[3] * down)
    middle = at(ctm, box[0] + box[2] / 2, box[1] + box[3] / 2)
    left, top = tidy(middle[0] - wide / 2), tidy(middle[1] - high / 2)
    radius = 0.0
    if element.tag == "rect":
        said = [length(element.get(name)) for name in ("rx", "ry")]
        radius = max(0.0, next((value for value in said if value is not None), 0.0)) * across
    flat: Matrix = (across, 0.0, 0.0, down, -box[0] * across, -box[1] * down)
    fill = paint(style.get("fill", "black"), style, paints, (flat, (box, (wide, high))))
    kind = "rectangle" if element.tag == "rect" else "ellipse"
    shape = Shape(kind, wide, high, fill, stroke, tidy(radius))  # type: ignore[arg-type]
    return shape, left, top, angle


def _ours(
    element: Element, style: Style, ctm: Matrix,
    more: tuple[tuple[float, float, float], Stroke | None, Mapping[str, Element]],
) -> Placed | None:  # fmt: skip
    """A path that says how large the box is that its points are in, as we write them."""
    (angle, across, down), stroke, paints = more
    said = [tidy(abs(side)) for side in numbers(element.get("data-box"), 2)]
    if len(said) != 2 or abs(across - 1) + abs(down - 1) > 1e-6 or max(said) > 20_000:
        return None
    wide, high = said
    middle = at(ctm, wide / 2, high / 2)
    room = (UNIT, ((0.0, 0.0, wide, high), (wide, high)))
    shape = Shape(
        "path", wide, high,
        paint(style.get("fill", "black"), style, paints, room), stroke,
        outlines=tuple(tuple((tidy(x), tidy(y)) for x, y in points)
                       for points, _ in outlines(element.get("d")) if len(points) > 1),
    )  # fmt: skip
    reach = [value for points in shape.outlines for point in points for value in point]
    if not reach or max(abs(value) for value in reach) > 20_000:
        return None
    return shape, tidy(middle[0] - wide / 2), tidy(middle[1] - high / 2), angle


def _lines(element: Element, box: Box | None, scale: float) -> list[Outline]:
    if box:
        x, y, w, h = box
        if element.tag == "rect":
            return [([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], True)]
        turns = [2 * math.pi * step / 180 for step in range(180)]
        return [([(x + w / 2 * (1 + math.cos(t)), y + h / 2 * (1 + math.sin(t))) for t in turns],
                 True)]  # fmt: skip
    if element.tag == "path":
        return outlines(element.get("d"), scale)
    if element.tag == "line":
        ends = [length(element.get(name, "0")) or 0.0 for name in ("x1", "y1", "x2", "y2")]
        return [([(ends[0], ends[1]), (ends[2], ends[3])], False)]
    flat = numbers(element.get("points"), 2 * MAX_POINTS)
    points = list(zip(flat[::2], flat[1::2], strict=False))
    return [(points, element.tag == "polygon")] if points else []


def _cut(points: list[Point], canvas: tuple[int, int], stroke: Stroke | None) -> list[Point]:
    """The points, cut off far outside the canvas: nobody sees it, and memory is finite."""
    wide, high = canvas
    more = 50 + (stroke.width if stroke else 0)
    far = max(wide, high) + more
    box = (-far, -far, wide + far, high + far)
    if all(box[0] <= x <= box[2] and box[1] <= y <= box[3] for x, y in points):
        return points
    return clipped(points, box)


def _path(
    lines: Sequence[list[Point]], fill: str, stroke: Stroke | None, style: Style,
    more: tuple[Matrix, Mapping[str, Element]],
) -> Placed | None:  # fmt: skip
    ctm, paints = more
    kept = [points for points in lines if len(points) > 1]
    if not kept:
        return None
    xs, ys = [x for points in kept for x, _ in points], [y for points in kept for _, y in points]
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    wide, high = tidy(right - left), tidy(bottom - top)
    flat = times((1.0, 0.0, 0.0, 1.0, -left, -top), ctm)
    shape = Shape(
        "path", wide, high,
        paint(fill, style, paints, (flat, ((left, top, wide, high), (wide, high)))), stroke,
        outlines=tuple(tuple((tidy(x - left), tidy(y - top)) for x, y in p) for p in kept),
    )  # fmt: skip
    return shape, tidy(left), tidy(top), 0.0


# ── paint ───────────────────────────────────────────────────────────────────────────────

Room = tuple[Matrix, tuple[Box, Point]]  # from user units to the box's pixels; both boxes


def paint(text: str, style: Style, paints: Mapping[str, Element], room: Room) -> Colour | Gradient:
    """What fills a shape: a colour, a gradient, or nothing."""
    if text.strip().startswith("url("):
        name, _, other = text.strip()[4:].partition(")")
        element = paints.get(name.strip("'\" ").removeprefix("#"))
        if element is not None and (made := gradient(element, paints, room)):
            return made
        text = other.strip() or "none"
    return colour(text, style, "fill-opacity") or CLEAR


def gradient(
    element: Element, paints: Mapping[str, Element], room: Room
) -> Gradient | Colour | None:
    """A linear gradient; of a radial one, the middle of its colours."""
    chain = [element]
    while (more := paints.get(chain[-1].get("href").removeprefix("#"))) and len(chain) < 10:
        chain.append(more)
    stops = next((found for one in chain if (found := _stops(one))), [])
    if not stops:
        return None
    if element.tag != "linearGradient" or len(stops) == 1:
        return stops[len(stops) // 2][1]
    said = {name: value for one in reversed(chain) for name, value in one.attributes.items()}
    ends = _ends(said, room)
    (wide, high) = room[1][1]
    dx, dy = ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]
    far = math.hypot(dx, dy)
    if far < 1e-6:
        return stops[-1][1]
    reach = (abs(dx) * wide + abs(dy) * high) / far or 1.0
    start = ((ends[0][0] - wide / 2) * dx + (ends[0][1] - high / 2) * dy) / far / reach + 0.5
    places = [(tidy(start + place * far / reach), shade) for place, shade in stops]
    return Gradient(_within(places), tidy(math.degrees(math.atan2(dy, dx))) % 360)


def _within(stops: Sequence[tuple[float, Colour]]) -> tuple[tuple[float, Colour], ...]:
    """The stops from 0 to 1; beyond, the colours that a gradient has there."""
    kept = [stop for stop in stops if 0 <= stop[0] <= 1]
    if stops[0][0] < 0:
        kept.insert(0, (0.0, _between(stops, 0.0)))
    if stops[-1][0] > 1:
        kept.append((1.0, _between(stops, 1.0)))
    return tuple(kept) or ((0.0, stops[-1][1]),)


def _between(stops: Sequence[tuple[float, Colour]], place: float) -> Colour:
    below = [stop for stop in stops if stop[0] <= place] or [stops[0]]
    above = [stop for stop in stops if stop[0] > place] or [stops[-1]]
    (p, one), (q, other) = below[-1], above[0]
    part = (place - p) / (q - p) if q > p else 0.0
    red, green, blue, alpha = (round(a + part * (b - a)) for a, b in zip(one, other, strict=True))
    return red, green, blue, alpha


def _stops(element: Element) -> list[tuple[float, Colour]]:
    found: list[tuple[float, Colour]] = []
    for stop in list(element)[:200]:
        if stop.tag != "stop":
            continue
        said = {**stop.attributes, **declared(stop.get("style"))}
        place = share(said.get("offset", "0"), 0.0)
        shade = colour(said.get("stop-color", "black"), said, "stop-opacity") or CLEAR
        found.append((max(place, found[-1][0]) if found else place, shade))
    return found


def _ends(said: Mapping[str, str], room: Room) -> tuple[Point, Point]:
    """Where a gradient begins and ends, in pixels from the corner of the box."""
    to, (_, (wide, high)) = room
    user = said.get("gradientUnits") == "userSpaceOnUse"
    usual = {"x1": "0%", "y1": "0%", "x2": "100%", "y2": "0%"}
    ends = [length(said.get(name, text), whole=1.0) or 0.0 for name, text in usual.items()]
    own = transform(said.get("gradientTransform", ""))
    to = times(to if user else (wide, 0.0, 0.0, high, 0.0, 0.0), own)
    return at(to, ends[0], ends[1]), at(to, ends[2], ends[3])
