"""New things in PPTX: layers as text boxes, shapes and pictures, and a deck of one slide."""

import io
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from lxml import etree
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.oxml.xmlchemy import OxmlElement
from pptx.text.text import Font
from pptx.util import Emu, Pt

from overpaint.document.containers import legal
from overpaint.document.layers import Colour, Group, Layer, Picture, Pixels, Shape, Style, Text
from overpaint.document.model import Document
from overpaint.document.pictures import encode_png
from overpaint.document.pptx.texts import metrics, raised
from overpaint.document.pptx.theme import A, local
from overpaint.document.render import bounds, render
from overpaint.document.text.setting import measure
from overpaint.document.turning import middle, turned

EMU = 9525
_MOST, _LEAST = 51_206_400, 914_400  # EMU of a slide's side
_ALIGNS = {"left": "l", "centre": "ctr", "right": "r", "justify": "just"}


def fresh(document: Document) -> tuple[bytes, tuple[str, ...]]:
    """A deck of one slide that shows a document, and notes on what it does not hold."""
    wide, high = document.size
    unit = (
        EMU * min(1.0, _MOST / (EMU * max(wide, high))) * max(1.0, _LEAST / (EMU * min(wide, high)))
    )
    deck = Presentation()
    deck.slide_width = Emu(max(_LEAST, min(_MOST, round(wide * unit))))
    deck.slide_height = Emu(max(_LEAST, min(_MOST, round(high * unit))))
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    maker = Maker(slide, 1 / unit, document.size)
    for layer in document.layers:
        maker.add(layer)
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue(), tuple(maker.notes)


class Maker:
    """Adds layers to a slide."""

    def __init__(self, slide: Any, scale: float, size: tuple[int, int]) -> None:
        self.slide, self.scale, self.size = slide, scale, size
        self.notes: dict[str, None] = {}

    def emu(self, pixels: float) -> Emu:
        """Pixels as the deck counts."""
        return Emu(round(pixels / self.scale))

    def add(self, layer: Layer) -> list[Any]:
        """A layer as shapes on top of the others; their elements."""
        content = layer.content
        plain = layer.opacity == 1 and layer.blend in ("normal", "pass-through")
        plain = plain and layer.mask is None and not layer.clip
        if not layer.visible:
            self.notes[f"{layer.name!r} is hidden and was left out"] = None
            return []
        if isinstance(content, Group) and plain:
            return [element for inner in content.layers for element in self.add(inner)]
        if isinstance(content, Text) and plain:
            return [self.text(layer, content)]
        if isinstance(content, Shape) and plain and content.kind != "path" and (
            isinstance(content.fill, tuple)
        ):  # fmt: skip
            return [self.shape(layer, content)]
        if isinstance(content, Picture) and plain:
            box = (layer.left, layer.top, content.pixels.shape[1], content.pixels.shape[0])
            return [self.picture(content.pixels, box, layer)]
        return self.pressed(layer)

    def pressed(self, layer: Layer) -> list[Any]:
        """A layer as a picture of itself: what PowerPoint has no word for."""
        box = bounds(layer)
        if box is None:
            return []
        left, top = max(0, box[0]), max(0, box[1])
        right, bottom = min(self.size[0], box[2]), min(self.size[1], box[3])
        if left >= right or top >= bottom:
            return []
        self.notes[f"{layer.name!r} is a picture of itself"] = None
        shown = replace(layer, clip=False, blend="normal")
        pixels = render((shown,), self.size)[top:bottom, left:right]
        flat = replace(layer, angle=0.0)
        return [self.picture(pixels, (left, top, right - left, bottom - top), flat)]

    def picture(self, pixels: Pixels, box: tuple[float, ...], layer: Layer) -> Any:
        """A picture in a box."""
        sides = [self.emu(side) for side in box]
        shape = self.slide.shapes.add_picture(io.BytesIO(encode_png(pixels)), *sides)
        shape.name, shape.rotation = legal(layer.name) or "Picture", layer.angle
        return shape._element

    def shape(self, layer: Layer, content: Shape) -> Any:
        """A rectangle or an oval."""
        kinds = {"ellipse": MSO_SHAPE.OVAL, "rectangle": MSO_SHAPE.RECTANGLE}
        kind = MSO_SHAPE.ROUNDED_RECTANGLE if content.radius else kinds[content.kind]
        box = (layer.left, layer.top, content.width, content.height)
        shape = self.slide.shapes.add_shape(kind, *(self.emu(side) for side in box))
        shape.name, shape.rotation = legal(layer.name) or "Shape", layer.angle
        if content.radius:
            shape.adjustments[0] = min(0.5, content.radius / min(content.width, content.height))
        style = shape._element.find(f"{{{shape._element.nsmap['p']}}}style")
        if style is not None:  # or the theme would add a shadow and its own line
            shape._element.remove(style)
        assert isinstance(content.fill, tuple)
        paint(shape, content.fill)
        if content.stroke:
            shape.line.width = self.emu(content.stroke.width)
            shape.line.color.rgb = rgb(content.stroke.colour)
        else:
            shape.line.fill.background()
        return shape._element

    def text(self, layer: Layer, text: Text) -> Any:
        """Words in a box without a rim, their first baseline where it was."""
        flat = replace(text, drawn=None)
        wide, _ = measure(flat)
        wide = text.width if text.width is not None else wide
        rise, rest = raised(flat)
        share = {"centre": 0.5, "right": 1.0}.get(text.style.align, 0.0)
        left = layer.left - (0.0 if text.width is not None else wide * share)
        box = (left, layer.top - rise, wide, rise + rest)
        centre = (box[0] + box[2] / 2, box[1] + box[3] / 2)
        if layer.angle:
            x, y = turned(centre, layer.angle, middle(layer))
            box = (x - box[2] / 2, y - box[3] / 2, box[2], box[3])
        shape = self.slide.shapes.add_textbox(*(self.emu(side) for side in box))
        shape.name, shape.rotation = legal(layer.name) or "Text", layer.angle
        if any(run.style.bullet or run.style.indent for run in text.runs):
            self.notes[f"the bullets and indents of {layer.name!r} are left out"] = None
        frame = shape.text_frame
        frame.margin_left = frame.margin_top = frame.margin_right = frame.margin_bottom = 0
        frame.word_wrap = text.width is not None
        self._say(frame, text)
        return shape._element

    def _say(self, frame: Any, text: Text) -> None:
        paragraph = frame.paragraphs[0]
        self._set(paragraph, text.style)
        for run in text.runs:
            for number, part in enumerate(run.words.split("\n")):
                if number:
                    paragraph = frame.add_paragraph()
                    self._set(paragraph, run.style)
                for i, words in enumerate(part.split("\v")):
                    if i:
                        paragraph.add_line_break()
                    if words:
                        made = paragraph.add_run()
                        made.text = legal(words)
                        restyle(made._r, None, run.style, self.scale)

    def _set(self, paragraph: Any, style: Style) -> None:
        properties = paragraph._p.get_or_add_pPr()
        properties.set("algn", _ALIGNS[style.align])
        rise, fall = metrics(style.family, style.weight, style.italic)
        if abs(style.leading - rise - fall) > 0.01:
            paragraph.line_spacing = round(style.leading / (rise + fall), 3)


def rgb(colour: Colour) -> Any:
    """A colour as python-pptx has it."""
    return RGBColor(*colour[:3])  # type: ignore[no-untyped-call]


def paint(shape: Any, colour: Colour) -> None:
    """Fill a shape with a colour, or with nothing."""
    if colour[3] == 0:
        shape.fill.background()
        return
    shape.fill.solid()
    shape.fill.fore_color.rgb = rgb(colour)
    clear(shape.fill._xPr.find(f"{A}solidFill"), colour)


def clear(solid: Any, colour: Colour) -> None:
    """Give a solid fill the colour's opacity."""
    if colour[3] < 255 and solid is not None and len(solid):
        alpha = etree.SubElement(solid[0], f"{A}alpha")
        alpha.set("val", str(round(colour[3] / 255 * 100_000)))


def restyle(element: Any, was: Style | None, style: Style, scale: float) -> None:
    """Give a run the properties in which a style differs from the one it had."""
    properties = element.find(f"{A}rPr")
    if properties is None:
        properties = OxmlElement("a:rPr")
        element.insert(0, properties)
    font = Font(properties)

    def new(name: str) -> bool:
        return was is None or getattr(was, name) != getattr(style, name)

    if new("family"):
        font.name = legal(style.family)
        for kind in ("ea", "cs"):
            if (other := properties.find(f"{A}{kind}")) is not None:
                other.set("typeface", legal(style.family))
    if new("size"):
        font.size = Pt(max(1, round(style.size / scale / 12_700, 1)))
    if new("weight"):
        font.bold = style.weight >= 600
    if new("italic"):
        font.italic = style.italic
    if new("underline"):
        font.underline = style.underline
    if new("strike"):
        properties.set("strike", "sngStrike" if style.strike else "noStrike")
    if new("spacing"):
        properties.set("spc", str(round(style.spacing / scale / 127)))
    if new("colour") or new("gradient"):
        fill: Any = font.fill
        fill.solid()
        fill.fore_color.rgb = rgb(style.colour)
        clear(properties.find(f"{A}solidFill"), style.colour)


def copied(element: Any, words: str) -> Any:
    """A run as another, saying something else."""
    made = deepcopy(element)
    if local(element) in ("br", "fld"):  # what is reworded is no field any more
        made = OxmlElement("a:r")
        if (properties := element.find(f"{A}rPr")) is not None:
            made.append(deepcopy(properties))
    said = made.find(f"{A}t")
    if said is None:
        said = OxmlElement("a:t")
        made.append(said)
    said.text = legal(words)
    return made


def aligned(paragraph: Any, style: Style) -> None:
    """Align a paragraph as a style says."""
    properties = paragraph.find(f"{A}pPr")
    if properties is None:
        properties = OxmlElement("a:pPr")
        paragraph.insert(0, properties)
    properties.set("algn", _ALIGNS[style.align])


def emptied(body: Any, paragraphs: Sequence[Any]) -> None:
    """Let a frame say nothing: one paragraph that is empty."""
    for paragraph in paragraphs[1:]:
        body.remove(paragraph)
    for child in list(paragraphs[0]):
        if local(child) in ("r", "fld", "br"):
            paragraphs[0].remove(child)
