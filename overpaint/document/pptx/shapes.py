"""Shapes of PPTX: rectangles, ovals, lines and drawn outlines, with their fill and line."""

from typing import TYPE_CHECKING, Any

from overpaint.document.layers import CLEAR, Colour, Gradient, Layer, Point, Shape, Stroke
from overpaint.document.pptx.theme import A, P, Theme, has_fill, local, whole_number
from overpaint.document.svg.geometry import outlines

if TYPE_CHECKING:
    from overpaint.document.pptx.reading import Origin

_CORNERS: dict[str, tuple[Point, ...]] = {
    "triangle": ((0.5, 0.0), (1.0, 1.0), (0.0, 1.0)),
    "rtTriangle": ((0.0, 0.0), (1.0, 1.0), (0.0, 1.0)),
    "diamond": ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)),
    "hexagon": ((0.25, 0.0), (0.75, 0.0), (1.0, 0.5), (0.75, 1.0), (0.25, 1.0), (0.0, 0.5)),
    "parallelogram": ((0.25, 0.0), (1.0, 0.0), (0.75, 1.0), (0.0, 1.0)),
    "rightArrow": ((0.0, 0.25), (0.5, 0.25), (0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.5, 0.75),
                   (0.0, 0.75)),
    "leftArrow": ((1.0, 0.25), (0.5, 0.25), (0.5, 0.0), (0.0, 0.5), (0.5, 1.0), (0.5, 0.75),
                  (1.0, 0.75)),
    "homePlate": ((0.0, 0.0), (0.75, 0.0), (1.0, 0.5), (0.75, 1.0), (0.0, 1.0)),
    "chevron": ((0.0, 0.0), (0.75, 0.0), (1.0, 0.5), (0.75, 1.0), (0.0, 1.0), (0.25, 0.5)),
}  # fmt: skip
_BOXES = ("rect", "flowChartProcess", "snip1Rect", "frame", "textBox")


def shape_of(shape: Any, origin: "Origin", theme: Theme) -> tuple[Layer | None, str]:
    """What a shape draws besides its words, and what of that is not as it should be."""
    box = origin.box
    assert box is not None
    properties = shape.element.find(f"{P}spPr")
    style = shape.element.find(f"{P}style")
    fill = _fill(properties, style, theme)
    line = properties.find(f"{A}ln") if properties is not None else None
    stroke = _stroke(line, style, theme, origin.space.across)
    if fill == CLEAR and stroke is None:
        return None, ""
    geometry = properties.find(f"{A}prstGeom") if properties is not None else None
    preset = geometry.get("prst", "rect") if geometry is not None else "rect"
    custom = properties.find(f"{A}custGeom") if properties is not None else None
    wide, high = round(box.wide, 3), round(box.high, 3)
    place = (round(box.left, 3), round(box.top, 3), box.angle)
    if local(shape.element) == "cxnSp" or preset == "line":
        return _line(properties, (wide, high), stroke, place), ""
    if custom is not None:
        lines = _custom(custom, wide, high)
        path = Shape("path", wide, high, fill, stroke, outlines=lines)
        return Layer(path, "", "", *place), "" if lines else "its outline is not drawn"
    if preset in _CORNERS:
        corners = tuple((round(x * wide, 3), round(y * high, 3)) for x, y in _CORNERS[preset])
        path = Shape(
            "path", wide, high, fill, stroke, outlines=(_flipped(corners, properties, wide, high),)
        )
        return Layer(path, "", "", *place), ""
    kind = "ellipse" if preset in ("ellipse", "flowChartConnector") else "rectangle"
    radius = _radius(geometry, min(wide, high)) if preset == "roundRect" else 0.0
    known = kind == "ellipse" or preset in (*_BOXES, "roundRect")
    made = Shape(kind, wide, high, fill, stroke, radius)  # type: ignore[arg-type]
    return Layer(made, "", "", *place), "" if known else f"a {preset} is drawn as a box"


def _fill(properties: Any, style: Any, theme: Theme) -> Colour | Gradient:
    if has_fill(properties):
        return theme.fill(properties) or CLEAR
    reference = style.find(f"{A}fillRef") if style is not None else None
    if reference is not None and whole_number(reference.get("idx")) > 0:
        return theme.colour(reference) or CLEAR
    return CLEAR


def _stroke(line: Any, style: Any, theme: Theme, scale: float) -> Stroke | None:
    if has_fill(line):
        return outline_of(line, theme, scale)
    reference = style.find(f"{A}lnRef") if style is not None else None
    if reference is None or not whole_number(reference.get("idx")):
        return None
    colour = theme.colour(reference)
    wide = whole_number(line.get("w", "9525")) if line is not None else 9525
    return Stroke(colour, round(max(0.5, min(wide * scale, 500.0)), 3)) if colour else None


def outline_of(line: Any, theme: Theme, scale: float) -> Stroke | None:
    """An outline as it is said; a hair where nothing is."""
    if line is None:
        return Stroke((191, 191, 191, 255), 1.0)
    colour = theme.fill(line)
    if isinstance(colour, Gradient):
        colour = colour.stops[0][1]
    if colour is None or colour[3] == 0:
        return None
    return Stroke(
        colour, round(max(0.5, min(whole_number(line.get("w", "9525")) * scale, 500.0)), 3)
    )


def _radius(geometry: Any, side: float) -> float:
    guide = geometry.find(f"{A}avLst/{A}gd")
    said = str(guide.get("fmla", "")) if guide is not None else ""
    share = whole_number(said.removeprefix("val ")) if said.startswith("val ") else 16_667
    return round(side * min(0.5, max(0.0, share / 100_000)), 3)


def _line(
    properties: Any, size: Point, stroke: Stroke | None, place: tuple[float, float, float]
) -> Layer | None:
    if stroke is None:
        return None
    wide, high = size
    ends = _flipped(((0.0, 0.0), (wide, high)), properties, wide, high)
    return Layer(Shape("path", wide, high, CLEAR, stroke, outlines=(ends,)), "", "", *place)


def _flipped(
    points: tuple[Point, ...], properties: Any, wide: float, high: float
) -> tuple[Point, ...]:
    xfrm = properties.find(f"{A}xfrm") if properties is not None else None
    if xfrm is not None and xfrm.get("flipH") == "1":
        points = tuple((wide - x, y) for x, y in points)
    if xfrm is not None and xfrm.get("flipV") == "1":
        points = tuple((x, high - y) for x, y in points)
    return points


def _custom(custom: Any, wide: float, high: float) -> tuple[tuple[Point, ...], ...]:
    """Outlines that the deck draws itself."""
    letters = {"moveTo": "M", "lnTo": "L", "cubicBezTo": "C", "quadBezTo": "Q", "close": "Z"}
    made: list[tuple[Point, ...]] = []
    for path in custom.iter(f"{A}path"):
        across = wide / (whole_number(path.get("w")) or 1)
        down = high / (whole_number(path.get("h")) or 1)
        data = " ".join(
            letters.get(local(step), "") + " ".join(
                f"{whole_number(p.get('x')) * across:.3f},{whole_number(p.get('y')) * down:.3f}"
                for p in step.iter(f"{A}pt")
            )
            for step in list(path)[:20_000]
        )  # fmt: skip
        made += [tuple((round(x, 3), round(y, 3)) for x, y in points)
                 for points, _ in outlines(data) if len(points) > 1]  # fmt: skip
    far = 4 * max(wide, high, 1.0)
    return tuple(line for line in made if all(max(abs(x), abs(y)) < far for x, y in line))
