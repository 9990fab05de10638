"""Themes of PPTX: colours by name, with all that may be done to them, and the theme's fonts."""

import colorsys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lxml import etree
from PIL import ImageColor
from pptx.opc.constants import RELATIONSHIP_TYPE as RT

from overpaint.document.layers import Colour, Gradient

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True)
_FILLS = ("solidFill", "gradFill", "noFill", "blipFill", "pattFill", "grpFill")


@dataclass(frozen=True)
class Theme:
    """The colours and fonts that a slide's words and shapes are named in."""

    colours: Mapping[str, Colour] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)  # bg1 -> lt1, as the master maps them
    fonts: Mapping[str, str] = field(default_factory=dict)  # +mj-lt, +mn-lt, +mj-ea, +mn-ea

    def colour(self, parent: Any, holder: str = "") -> Colour | None:
        """The colour that stands in an element; None where there is none that is known."""
        for child in parent if parent is not None else ():
            base = self._base(child, holder)
            if base is not None:
                return _modified(base, child)
        return None

    def _base(self, element: Any, holder: str) -> Colour | None:
        kind, value = local(element), element.get("val", "")
        if kind == "srgbClr" and len(value) == 6:
            return _hex(value)
        if kind == "sysClr":
            return _hex(element.get("lastClr", "000000"))
        if kind == "schemeClr":
            name = holder if value == "phClr" and holder else value
            return self.colours.get(self.names.get(name, name))
        if kind == "prstClr":
            return _named(value)
        if kind == "scrgbClr":
            parts = [whole_number(element.get(c)) / 100_000 for c in "rgb"]
            red, green, blue = (
                round(255 * min(1.0, max(0.0, part)) ** (1 / 2.2)) for part in parts
            )
            return red, green, blue, 255
        return None

    def fill(self, element: Any, holder: str = "") -> Colour | Gradient | None:
        """What fills a shape or words: a colour or a gradient; None where nothing is said."""
        for child in element if element is not None else ():
            kind = local(child)
            if kind == "noFill":
                return 0, 0, 0, 0
            if kind in ("solidFill", "pattFill"):
                inner = child if kind == "solidFill" else child.find(f"{A}fgClr")
                return self.colour(inner, holder)
            if kind == "gradFill":
                return self._gradient(child, holder)
        return None

    def _gradient(self, element: Any, holder: str) -> Colour | Gradient | None:
        stops = []
        for stop in element.iter(f"{A}gs"):
            shade = self.colour(stop, holder)
            if shade is not None:
                stops.append((min(1.0, max(0.0, whole_number(stop.get("pos")) / 100_000)), shade))
        stops.sort(key=lambda stop: stop[0])
        if len(stops) < 2:
            return stops[0][1] if stops else None
        line = element.find(f"{A}lin")
        if line is None:  # from the middle outwards: the colour half way
            return stops[len(stops) // 2][1]
        return Gradient(tuple(stops), whole_number(line.get("ang")) / 60_000 % 360)

    def family(self, typeface: str) -> str:
        """A font's name; the theme's own where it is named by its part."""
        return self.fonts.get(typeface, "" if typeface.startswith("+") else typeface)


def has_fill(element: Any) -> bool:
    """Whether anything is said of how an element is filled."""
    return element is not None and any(local(child) in _FILLS for child in element)


def theme_of(master: Any) -> Theme:
    """The theme of a slide's master."""
    try:
        blob = master.part.part_related_by(RT.THEME).blob
        root = etree.fromstring(blob, _PARSER)
    except (KeyError, etree.XMLSyntaxError):
        return Theme()
    plain = Theme()
    colours = {
        local(slot): shade for scheme in root.iter(f"{A}clrScheme") for slot in scheme
        if (shade := plain.colour(slot)) is not None
    }  # fmt: skip
    mapping = master.element.find(f"{P}clrMap")
    names = dict(mapping.attrib) if mapping is not None else {}
    return Theme(colours, names, dict(_fonts(root)))


def _fonts(root: Any) -> Iterator[tuple[str, str]]:
    for part, short in (("majorFont", "mj"), ("minorFont", "mn")):
        for scheme in root.iter(f"{A}{part}"):
            for kind, tail in (("latin", "lt"), ("ea", "ea"), ("cs", "cs")):
                font = scheme.find(f"{A}{kind}")
                if font is not None and font.get("typeface"):
                    yield f"+{short}-{tail}", font.get("typeface")


def local(element: Any) -> str:
    """An element's name without its namespace."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def whole_number(text: str | None) -> int:
    """A whole number within reason; 0 where there is none."""
    try:
        return max(-(10**9), min(10**9, int(text or 0)))
    except ValueError:
        return 0


def _hex(text: str) -> Colour | None:
    try:
        value = int(text, 16)
    except ValueError:
        return None
    return value >> 16 & 255, value >> 8 & 255, value & 255, 255


def _named(name: str) -> Colour | None:
    try:
        parts = ImageColor.getrgb(name.replace("dk", "dark").replace("lt", "light").lower())
    except ValueError:
        return None
    return parts[0], parts[1], parts[2], 255


def _modified(colour: Colour, element: Any) -> Colour:
    """A colour with its children's changes done: lighter, darker, clearer."""
    red, green, blue = (channel / 255 for channel in colour[:3])
    alpha = colour[3] / 255
    for child in element:
        kind, part = local(child), whole_number(child.get("val")) / 100_000
        hue, light, full = colorsys.rgb_to_hls(red, green, blue)
        if kind == "alpha":
            alpha = part
        elif kind == "lumMod":
            red, green, blue = colorsys.hls_to_rgb(hue, min(1.0, light * part), full)
        elif kind == "lumOff":
            red, green, blue = colorsys.hls_to_rgb(hue, min(1.0, max(0.0, light + part)), full)
        elif kind == "satMod":
            red, green, blue = colorsys.hls_to_rgb(hue, light, min(1.0, full * part))
        elif kind == "tint":
            red, green, blue = (1 - (1 - channel) * part for channel in (red, green, blue))
        elif kind == "shade":
            red, green, blue = (channel * part for channel in (red, green, blue))
    parts = [round(255 * min(1.0, max(0.0, part))) for part in (red, green, blue, alpha)]
    return parts[0], parts[1], parts[2], parts[3]
