"""New PDF: layers as words, paths and images, in their order, on a page of their own."""

import io
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name
from PIL import Image

from overpaint.document.layers import Gradient, Group, Layer, Mask, Picture, Shape, Text
from overpaint.document.model import Document
from overpaint.document.pdf.canvas import BLENDS, Canvas, Laid
from overpaint.document.pdf.fonts import Fonts
from overpaint.document.pdf.images import image_of
from overpaint.document.pdf.lettering import (
    overlaid,
    shadow_of,
    unlive,
    write_unseen,
    write_words,
)
from overpaint.document.pdf.outlines import write_shape
from overpaint.document.pdf.page import UNIT, Matrix, times
from overpaint.document.render import render, sheet_of
from overpaint.document.tree import with_clipped
from overpaint.document.turning import middle

DPI = 96.0  # of a page made of a document that says nothing of its own
_MOST_POINTS = 14_400.0
# Programs give a picture every pixel that it touches: without a hair's room, one more than it has.
_HAIR = 1e-3


def fresh(document: Document) -> tuple[bytes, tuple[str, ...]]:
    """A PDF of one page that shows a document, and notes on what it does not hold."""
    wide, high = document.size
    dpi = max(_dpi(document.origin), 72 * max(wide, high) / _MOST_POINTS)
    points = 72 / dpi
    # A little less, or programs that round up would draw a row more.
    box = [round(side * points - 2e-4, 4) for side in (wide, high)]
    base = (box[0] / wide, 0.0, 0.0, -box[1] / high, 0.0, box[1])
    with pikepdf.new() as file:
        page = file.add_blank_page(page_size=(3, 3))
        page.MediaBox = [0, 0, *box]
        page.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceRGB, I=True)
        page["/XXOverpaint"] = Dictionary(Dpi=round(dpi, 4))
        canvas = Canvas(file, Fonts(file), base)
        maker = Maker(document.size)
        with canvas.kept(base):
            maker.page(canvas, document)
        page.Contents = file.make_stream(canvas.data(canvas.fonts.put()))
        page.Resources = canvas.resources()
        out = io.BytesIO()
        file.save(out, deterministic_id=True, min_version="1.7")
    return out.getvalue(), tuple(maker.notes)


def _dpi(origin: Path | None) -> float:
    """The dots of an inch of a flat picture that says it; scans do, and mean it."""
    try:
        with Image.open(origin, formats=("PNG", "JPEG", "TIFF")) as image:  # type: ignore[arg-type]
            dpi = float(image.info.get("dpi", (DPI,))[0])
    except (OSError, SyntaxError, ValueError, TypeError, AttributeError):
        return DPI
    return dpi if DPI <= dpi <= 1200 else DPI


class Maker:
    """Draws layers on canvases of PDF operators."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.notes: dict[str, None] = {}
        self.pictured: set[str] = set()  # ids of layers whose words are no words any more

    def page(self, canvas: Canvas, document: Document) -> None:
        """All layers; apart from the paper where blending with it would show."""
        layers = self._held(document.layers)
        blends = any(one.blend not in ("normal", "pass-through") for one in _inline(layers))
        if blends and (render(layers, self.size)[:, :, 3] < 255).any():
            self._whole(canvas, Laid(), lambda inner: self.layers(inner, layers))
        else:
            self.layers(canvas, layers)

    def _held(self, layers: Sequence[Layer]) -> Sequence[Layer]:
        """The layers, those up to one that PDF cannot blend as one picture."""
        last = max((i for i, one in enumerate(layers) if _odd(one)), default=-1)
        if last < 0:
            return layers
        odd = layers[last]
        self.notes[f"{odd.name!r} and what is below it are one picture: PDF has no such blending"] \
            = None  # fmt: skip
        pixels = render(layers[: last + 1], self.size)
        return [Layer(Picture(pixels), odd.name, odd.id), *layers[last + 1 :]]

    def layers(self, canvas: Canvas, layers: Sequence[Layer]) -> None:
        """Layers, bottom first; what is clipped becomes one picture with its base."""
        for some in with_clipped(layers):
            self.layer(canvas, self._clipped(some) if len(some) > 1 else some[0])

    def _clipped(self, layers: Sequence[Layer]) -> Layer:
        self.notes[f"{layers[0].name!r} and what is clipped to it are one picture"] = None
        plain = replace(layers[0], opacity=1.0, blend="normal", visible=True, mask=None)
        pixels = render((plain, *layers[1:]), self.size)
        return replace(layers[0], content=Picture(pixels), left=0.0, top=0.0, angle=0.0)

    def layer(self, canvas: Canvas, layer: Layer) -> None:
        """One layer, laid as it says."""
        if not layer.visible:
            self.notes[f"{layer.name!r} is hidden and was left out"] = None
            return
        if layer.opacity <= 0:
            return
        content = layer.content
        if isinstance(content, Group):
            self._group(canvas, layer, content)
            return
        laid = Laid(layer.opacity, _blend(layer), self._mask(canvas, layer.mask))
        if laid != Laid() and _overlaid(content):
            self._whole(canvas, laid, lambda inner: self.content(inner, layer))
        else:
            canvas.laid = laid
            self.content(canvas, layer)
            canvas.laid = Laid()

    def _group(self, canvas: Canvas, layer: Layer, group: Group) -> None:
        plain = layer.opacity == 1 and layer.mask is None
        simple = all(one.blend in ("normal", "pass-through") for one in _inline(group.layers))
        if plain and (layer.blend == "pass-through" or (layer.blend == "normal" and simple)):
            self.layers(canvas, group.layers)
            return
        laid = Laid(layer.opacity, _blend(layer), self._mask(canvas, layer.mask))
        self._whole(canvas, laid, lambda inner: self.layers(inner, self._held(group.layers)))

    def _whole(self, canvas: Canvas, laid: Laid, draw: Callable[[Canvas], None]) -> None:
        """Several things laid on the canvas as one."""
        inner, form = canvas.form(self.size)
        draw(inner)
        with canvas.kept():
            canvas.laid = laid
            canvas.state()
            canvas.laid = Laid()
            canvas.op("Do", canvas.name("XObject", form))

    def _mask(self, canvas: Canvas, mask: Mask | None) -> Any:
        """A soft mask of grey levels."""
        if mask is None:
            return None
        inner, form = canvas.form(self.size, grey=True)
        inner.op("g", mask.outside / 255)
        inner.op("re", 0, 0, *self.size)
        inner.op("f")
        if mask.pixels.size:
            _put(inner, image_of(canvas.file, mask.pixels), (mask.left, mask.top))
        return Dictionary(Type=Name.Mask, S=Name.Luminosity, G=form)

    # ── contents ────────────────────────────────────────────────────────────────────────

    def content(self, canvas: Canvas, layer: Layer) -> None:
        """What a layer that is no group draws."""
        content = layer.content
        why = _unheld(layer)
        if why:
            self.notes[f"{layer.name!r} is a picture of itself: {why}"] = None
            self._pressed(canvas, layer)
            return
        with _turned(canvas, layer) as turn:
            if isinstance(content, Picture):
                _put(canvas, image_of(canvas.file, content.pixels), (layer.left, layer.top))
            elif isinstance(content, Shape):
                write_shape(canvas, layer, content, turn)
            elif isinstance(content, Text):
                if shadow := shadow_of(layer, content):
                    _put(canvas, image_of(canvas.file, shadow.pixels), (shadow.left, shadow.top))
                write_words(canvas, layer, content, turn)

    def _pressed(self, canvas: Canvas, layer: Layer) -> None:
        """A picture of a layer, with its words over it to be found."""
        sheet = sheet_of(layer)
        if sheet is None:
            return
        _put(canvas, image_of(canvas.file, sheet.pixels), (sheet.left, sheet.top))
        if isinstance(layer.content, Text):
            self.pictured.add(layer.id)
            with _turned(canvas, layer):
                write_unseen(canvas, layer, layer.content)


def _unheld(layer: Layer) -> str:
    """Why a layer must be a picture in a PDF, as the end of a sentence; "" where it need not."""
    content = layer.content
    if isinstance(content, Text):
        return unlive(layer, content)
    if isinstance(content, Shape) and isinstance(content.fill, Gradient):
        clear = any(colour[3] < 255 for _, colour in content.fill.stops)
        return "a PDF's gradients are not transparent" if clear else ""
    return ""


@contextmanager
def _turned(canvas: Canvas, layer: Layer) -> Iterator[Matrix]:
    """The canvas turned about the middle of a layer; the matrix that does it."""
    if not layer.angle % 360:
        yield UNIT
        return
    x, y = middle(layer)
    cos, sin = math.cos(math.radians(layer.angle)), math.sin(math.radians(layer.angle))
    about = times((1.0, 0.0, 0.0, 1.0, -x, -y), (cos, sin, -sin, cos, x, y))
    with canvas.kept(about):
        yield about


def _inline(layers: Sequence[Layer]) -> Iterator[Layer]:
    """Every visible layer, a group before what is in it."""
    for layer in layers:
        if layer.visible:
            yield layer
            if isinstance(layer.content, Group):
                yield from _inline(layer.content.layers)


def _odd(layer: Layer) -> bool:
    """Whether PDF cannot lay it on what is below."""
    if not layer.visible:
        return False
    if not isinstance(layer.content, Group) or layer.blend != "pass-through":
        return layer.blend not in (*BLENDS, "pass-through")
    inner = layer.content.layers
    mixed = any(one.blend not in ("normal", "pass-through") for one in _inline(inner))
    partly = layer.opacity < 1 or layer.mask is not None
    return (partly and mixed) or any(map(_odd, inner))


def _blend(layer: Layer) -> Any:
    return "normal" if layer.blend == "pass-through" else layer.blend


def _overlaid(content: Picture | Text | Shape) -> bool:
    """Whether it is of several things that lie over each other."""
    if isinstance(content, Text):
        return overlaid(content)
    return isinstance(content, Shape) and content.stroke is not None


def _put(canvas: Canvas, image: Any, corner: tuple[float, float]) -> None:
    wide, high = int(image.Width), int(image.Height)
    with canvas.kept():
        canvas.state()
        canvas.op("cm", wide - 2 * _HAIR, 0, 0, 2 * _HAIR - high, corner[0] + _HAIR,
                  corner[1] + high - _HAIR)  # fmt: skip
        canvas.op("Do", canvas.name("XObject", image))
