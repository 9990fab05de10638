"""New SVG: layers as elements, and a whole document as a file."""

import base64
import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields, replace
from html import escape
from itertools import groupby

from overpaint.document.codec import encode_pixels
from overpaint.document.containers import legal
from overpaint.document.layers import (
    CLEAR,
    Colour,
    Gradient,
    Group,
    Layer,
    Mask,
    Picture,
    Pixels,
    Shape,
    Style,
    Text,
)
from overpaint.document.model import Document
from overpaint.document.render import bounds, render
from overpaint.document.svg.geometry import UNIT, Matrix
from overpaint.document.svg.lettering import EMPTY, ONLY_OURS
from overpaint.document.text.dressing import dressed
from overpaint.document.text.fonts import here
from overpaint.document.text.lines import rows_of
from overpaint.document.text.setting import lay
from overpaint.document.tree import with_clipped
from overpaint.document.turning import middle

Attributes = dict[str, str]
_CSS = {"colour-dodge": "color-dodge", "colour-burn": "color-burn", "colour": "color",
        "linear-dodge": "plus-lighter"}  # fmt: skip


def number(value: float) -> str:
    """A number as it is written: at most four places, none that say nothing."""
    return f"{value:.4f}".rstrip("0").rstrip(".") if value != round(value) else str(round(value))


def said(words: str) -> str:
    """Words as XML can say them."""
    return escape(legal(words), quote=False)


def tag(name: str, attributes: Attributes, inner: str | None = None) -> str:
    """An element; without content it closes itself."""
    listed = "".join(
        f' {key}="{escape(legal(value), quote=True)}"'.replace("\n", "&#10;")
        for key, value in attributes.items()
    )
    return f"<{name}{listed}/>" if inner is None else f"<{name}{listed}>{inner}</{name}>"


def fresh(document: Document) -> tuple[str, tuple[str, ...]]:
    """A whole SVG of a document, and notes on what it does not hold."""
    wide, high = document.size
    maker = Maker(document.size)
    body = "\n".join(maker.elements(document.layers))
    defs = tag("defs", {}, "\n" + "\n".join(maker.defs) + "\n") + "\n" if maker.defs else ""
    head = {
        "xmlns": "http://www.w3.org/2000/svg", "width": str(wide), "height": str(high),
        "viewBox": f"0 0 {wide} {high}",
    }  # fmt: skip
    return tag("svg", head, f"\n{defs}{body}\n") + "\n", tuple(maker.notes)


class Maker:
    """Makes elements of layers; what they share is gathered in `defs`."""

    def __init__(self, size: tuple[int, int], prefix: str = "op") -> None:
        self.size, self.prefix = size, prefix
        self.defs: list[str] = []
        self.notes: dict[str, None] = {}

    def elements(self, layers: Sequence[Layer]) -> Iterator[str]:
        """Layers as elements; what is clipped is pressed flat with what it is clipped to."""
        for some in with_clipped(layers):
            yield self.element(self._pressed(some) if len(some) > 1 else some[0])

    def _pressed(self, layers: Sequence[Layer]) -> Layer:
        base = layers[0]
        self.notes[f"{base.name!r} and what is clipped to it are one picture"] = None
        plain = replace(base, opacity=1.0, blend="normal", visible=True, mask=None)
        box = bounds(plain) or (0, 0, 1, 1)
        left, top = max(0, box[0]), max(0, box[1])
        right, bottom = min(self.size[0], box[2]), min(self.size[1], box[3])
        pixels = render((plain, *layers[1:]), self.size)[top:bottom, left:right]
        flat = Picture(pixels)
        return replace(base, content=flat, left=float(left), top=float(top), angle=0.0)

    def element(self, layer: Layer, outer: Matrix = UNIT) -> str:
        """One layer as an element; `outer` undoes the matrix of the place it is put in."""
        common = self._common(layer)
        content = layer.content
        if isinstance(content, Group):
            if outer != UNIT:
                common["transform"] = matrix(outer)
            return tag("g", common, "\n" + "\n".join(self.elements(content.layers)) + "\n")
        made = outer
        if layer.angle % 360:
            x, y = middle(layer)
            turn = f"rotate({number(layer.angle % 360)} {number(x)} {number(y)})"
            common["transform"] = (matrix(made) + " " if made != UNIT else "") + turn
        elif made != UNIT:
            common["transform"] = matrix(made)
        if isinstance(content, Text):
            return self.text(layer, content, common)
        if isinstance(content, Picture):
            return tag("image", common | picture(content.pixels, layer.left, layer.top))
        return self.shape(layer, content, common)

    def _common(self, layer: Layer) -> Attributes:
        """What layers of every kind have."""
        valid = re.fullmatch(r"[A-Za-z_][\w.-]*", layer.id) and not layer.id.startswith("op-")
        made: Attributes = {"id" if valid else "data-id": layer.id} if layer.id else {}
        made["data-name"] = layer.name
        if layer.opacity != 1:
            made["opacity"] = repr(float(layer.opacity))
        if not layer.visible:
            made["display"] = "none"
        group = isinstance(layer.content, Group)
        css = _CSS.get(layer.blend, layer.blend)
        if css not in ("normal", "pass-through", "linear-burn"):
            made["style"] = f"mix-blend-mode:{css}"
        elif group and layer.blend == "normal":
            made["style"] = "isolation:isolate"
        if layer.blend == "linear-burn" or (layer.blend == "pass-through" and layer.opacity < 1):
            made["data-blend"] = layer.blend
        if layer.mask:
            made["mask"] = f"url(#{self._mask(layer.mask)})"
        return made

    def _mask(self, mask: Mask) -> str:
        name = self._name("mask")
        wide, high = (str(side) for side in self.size)
        ground = f"#{mask.outside:02x}{mask.outside:02x}{mask.outside:02x}"
        rect = tag("rect", {"width": wide, "height": high, "fill": ground,
                            "data-outside": str(mask.outside)})  # fmt: skip
        box = {"x": "0", "y": "0", "width": wide, "height": high, "maskUnits": "userSpaceOnUse"}
        shown = picture(mask.pixels, mask.left, mask.top)
        self.defs.append(tag("mask", {"id": name, **box}, rect + tag("image", shown)))
        return name

    def _name(self, kind: str) -> str:
        return f"{self.prefix}-{kind}-{len(self.defs) + 1}"

    # ── shapes ──────────────────────────────────────────────────────────────────────────

    def shape(self, layer: Layer, shape: Shape, common: Attributes) -> str:
        """A rectangle, an ellipse or a path."""
        left, top, wide, high = layer.left, layer.top, shape.width, shape.height
        corner = (0.0, 0.0) if shape.kind == "path" else (left, top)
        common |= self.filled(shape.fill, (*corner, wide, high))
        common |= self.stroked(shape.stroke.colour, shape.stroke.width) if shape.stroke else {}
        if shape.kind == "rectangle":
            box = {"x": left, "y": top, "width": wide, "height": high}
            box |= {"rx": shape.radius} if shape.radius else {}
            return tag("rect", common | {key: number(value) for key, value in box.items()})
        if shape.kind == "ellipse":
            oval = {"cx": left + wide / 2, "cy": top + high / 2, "rx": wide / 2, "ry": high / 2}
            # Halves may need a place more than what they are halves of.
            return tag("ellipse", common | {key: repr(round(v, 6)) for key, v in oval.items()})
        turned = common.get("transform", "")
        common["transform"] = f"{turned} translate({number(left)} {number(top)})".strip()
        data = " ".join(
            "M" + " ".join(f"{number(x)},{number(y)}" for x, y in outline) + "Z"
            for outline in shape.outlines
        )
        box_ = {"data-box": f"{number(wide)} {number(high)}", "fill-rule": "evenodd"}
        return tag("path", common | box_ | {"d": data})

    def filled(
        self, fill: Colour | Gradient, box: tuple[float, float, float, float] | None
    ) -> Attributes:
        """Attributes for what fills; a gradient goes to `defs`, in units of the box or of one."""
        if not isinstance(fill, Gradient):
            return coloured("fill", fill)
        x, y, wide, high = box or (0.0, 0.0, 1.0, 1.0)
        turn = math.radians(fill.angle)
        across, down = math.cos(turn), math.sin(turn)
        reach = (abs(across) * wide + abs(down) * high) / 2
        cx, cy = x + wide / 2, y + high / 2
        ends = {"x1": cx - across * reach, "y1": cy - down * reach,
                "x2": cx + across * reach, "y2": cy + down * reach}  # fmt: skip
        name = self._name("gradient")
        head = {"id": name, "gradientUnits": "userSpaceOnUse" if box else "objectBoundingBox",
                **{key: repr(round(value, 9)) for key, value in ends.items()}}  # fmt: skip
        stops = "".join(
            tag("stop", {"offset": number(place)} | coloured("stop", shade, "-color"))
            for place, shade in fill.stops
        )
        self.defs.append(tag("linearGradient", head, stops))
        return {"fill": f"url(#{name})"}

    def stroked(self, colour: Colour, width: float) -> Attributes:
        """Attributes for an outline."""
        return coloured("stroke", colour) | {"stroke-width": number(width)}

    # ── words ───────────────────────────────────────────────────────────────────────────

    def text(self, layer: Layer, text: Text, common: Attributes) -> str:
        """Words as <text>, each line and each style in a <tspan>."""
        if text.drawn is not None:
            self.notes["words are set anew, in fonts of the machine that shows the SVG"] = None
        if any(run.style.bullet or run.style.indent for run in text.runs):
            self.notes["the bullets and indents of lists are left out"] = None
        if text.width is not None:
            common["data-width"] = number(text.width)
        lines = list(broken(text))
        several = len(lines) > 1
        looks = self.styled(text.style, several=several)
        both = [part for part in (common.get("style"), looks.get("style")) if part]
        head = common | {"xml:space": "preserve"} | looks
        head |= {"style": ";".join(both)} if both else {}
        if not several:
            place = {"x": number(self._x(layer, text)), "y": number(layer.top)}
            return tag("text", head | place, self.inner(lines[0][0], text.style))
        return tag("text", head, self.lines(layer, text))

    def _x(self, layer: Layer, text: Text) -> float:
        share = {"centre": 0.5, "right": 1.0}.get(text.style.align, 0.0)
        return layer.left + (text.width or 0.0) * share

    def lines(self, layer: Layer, text: Text, scale: float = 1.0) -> str:
        """The lines of a text, each at its place; in units that are `scale` pixels."""
        made = ""
        x = self._x(layer, text) / scale
        for number_, (runs, soft, baseline) in enumerate(broken(text)):
            place = {"x": number(x), "y": number((layer.top + baseline) / scale)}
            place |= {"data-line": "1"} if number_ else {}
            place |= {"data-soft": "1"} if soft else {}
            made += tag("tspan", place, self.inner(runs, text.style, scale))
        return made

    def inner(self, runs: Sequence[tuple[str, Style]], around: Style, scale: float = 1.0) -> str:
        """Words, each stretch that looks otherwise in a <tspan>."""
        made = ""
        for words, style in runs:
            looks = self.styled(style, scale=scale) if style != around else None
            shown = said(words) or EMPTY
            made += shown if looks is None else tag("tspan", looks, shown)
        return made

    def styled(self, style: Style, *, several: bool = True, scale: float = 1.0) -> Attributes:
        """The attributes of a style, those that SVG has no word for in `data-style`."""
        anchor = {"centre": "middle", "right": "end"}.get(style.align, "start")
        lines = [name for name, on in (("underline", style.underline),
                                       ("line-through", style.strike)) if on]  # fmt: skip
        made = {
            "font-family": _family(style.family),
            "font-size": number(style.size / scale) + "px", "font-weight": str(style.weight),
            "font-style": "italic" if style.italic else "normal", "text-anchor": anchor,
            "letter-spacing": number(style.spacing / scale),
            "word-spacing": number(style.gap / scale),
            "text-decoration": " ".join(lines) or "none",
        }  # fmt: skip
        plain = {"font-weight": "400", "font-style": "normal", "text-anchor": "start",
                 "letter-spacing": "0", "word-spacing": "0", "text-decoration": "none"}  # fmt: skip
        made = {k: v for k, v in made.items() if plain.get(k) != v or several}
        made |= self.filled(style.gradient or style.colour, None)
        stroke = style.stroke
        made |= self.stroked(stroke.colour, stroke.width / scale) if stroke else {"stroke": "none"}
        if several:  # within another element, whose opacities would be inherited
            made.setdefault("fill-opacity", "1")
            made.setdefault("stroke-opacity", "1")
        if style.shadow:
            s = style.shadow
            shade = f"rgba({s.colour[0]},{s.colour[1]},{s.colour[2]},{number(s.colour[3] / 255)})"
            parts = " ".join(f"{number(v / scale)}px" for v in (s.across, s.down, s.blur))
            made["style"] = f"filter:drop-shadow({parts} {shade})"
        if ours := only_ours(style, several=several):
            made["data-style"] = json.dumps(ours, separators=(",", ":"))
        return made


def _family(name: str) -> str:
    plain = name.replace("'", "").replace('"', "").replace(",", " ")
    return plain if re.fullmatch(r"[A-Za-z][\w -]*", plain) else f"'{plain}'"


def only_ours(style: Style, *, several: bool) -> dict[str, object]:
    """The properties of a style that SVG has no word for."""
    usual, said_ = Style(), {}
    for field in fields(style):
        value = getattr(style, field.name)
        kept = field.name in ONLY_OURS and value != getattr(usual, field.name)
        if field.name == "align":
            kept = value == "justify"
        if kept or (field.name == "leading" and several):
            said_[field.name] = asdict(value) if field.name == "shadow" else value
    if style.gradient is not None and style.colour != usual.colour:
        said_["colour"] = style.colour
    return said_


Line = tuple[list[tuple[str, Style]], bool, float]  # stretches, whether it goes on, its baseline


def broken(text: Text) -> Iterator[Line]:
    """The lines of a text as they are set here."""
    if text.width is None and "\n" not in text.words:
        yield [(run.words, run.style) for run in text.runs if run.words], False, 0.0
        return
    letters, _ = dressed(text, here())
    plain = replace(text, drawn=None)
    rows, lines = rows_of(letters, text.style, text.width), lay(plain)
    soft, reached = False, 0
    for row, line in zip(rows, lines, strict=True):
        stretches = [
            ("".join(letter.sign for letter in part), text.runs[run].style)
            for run, part in groupby(row.letters, key=lambda letter: letter.run)
        ]
        reached += len(row.letters)
        if not stretches:  # an empty line looks as the break that ends it
            stretches = [("", text.runs[letters[min(reached, len(letters) - 1)].run].style)]
        yield stretches, soft, line.baseline
        soft = not row.last
        reached += row.last


def coloured(kind: str, colour: Colour, suffix: str = "") -> Attributes:
    """A colour and its opacity as attributes."""
    if colour == CLEAR and kind == "fill":
        return {kind: "none"}
    made = {kind + suffix: "#" + "".join(f"{channel:02x}" for channel in colour[:3])}
    if colour[3] < 255:
        made[f"{kind}-opacity"] = number(colour[3] / 255)
    return made


def picture(pixels: Pixels, left: float, top: float) -> Attributes:
    """Attributes of an <image> that holds its pixels itself."""
    data = base64.b64encode(encode_pixels(pixels)).decode()
    return {
        "x": number(left), "y": number(top), "width": str(pixels.shape[1]),
        "height": str(pixels.shape[0]), "preserveAspectRatio": "none",
        "href": f"data:image/png;base64,{data}",
    }  # fmt: skip


def matrix(values: Matrix) -> str:
    """A matrix as a `transform`, as short as can be."""
    if values[:4] == UNIT[:4]:
        return f"translate({number(values[4])} {number(values[5])})"
    return "matrix(" + " ".join(repr(round(value, 9)) for value in values) + ")"
