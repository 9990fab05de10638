"""Reading SVG: text, pictures, shapes and groups as layers; the rest is kept, and noted."""

import base64
import binascii
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote_to_bytes

import numpy as np

from overpaint.document.containers import UNREAD, Allowance, check_canvas, check_page
from overpaint.document.layers import BLENDS, Blend, Group, Layer, Mask, Picture, Pixels
from overpaint.document.model import Document
from overpaint.document.pictures import pixel_limit
from overpaint.document.render import divided, premultiplied
from overpaint.document.svg.geometry import MAX_POINTS as MAX_PATH
from overpaint.document.svg.geometry import (
    UNIT,
    Matrix,
    at,
    length,
    numbers,
    times,
    transform,
    turn_of,
)
from overpaint.document.svg.lettering import Block, Letters
from overpaint.document.svg.shaping import SHAPES, shapes_of, tidy
from overpaint.document.svg.source import Element, Source, open_svg
from overpaint.document.svg.styles import ROOT, Sheet, Style, computed, every, share
from overpaint.document.turning import anchored
from overpaint.errors import PictureError

GROUPS = ("g", "a", "svg", "switch")
MAX_LAYERS = 20_000
MAX_POINTS = 300_000  # of all paths that are drawn
_SILENT = ("title", "desc", "metadata", "defs", "style", "linearGradient", "radialGradient",
           "symbol", "clipPath", "mask", "pattern", "marker", "filter")  # fmt: skip
_EFFECTS = ("filter", "clip-path", "mask", "stroke-dasharray", "marker-end", "marker")
_CSS = {"color-dodge": "colour-dodge", "color-burn": "colour-burn", "color": "colour",
        "plus-lighter": "linear-dodge"}  # fmt: skip


@dataclass(frozen=True)
class Origin:
    """Where a layer stands in the source."""

    element: Element
    parent: Element
    outer: Matrix  # of the element that it is in
    block: Block | None = None
    whole: bool = True  # whether the layer is all of the element
    inner: Matrix = UNIT  # of what is in the element


@dataclass
class Reading:
    """An SVG as layers, and where each of them comes from."""

    source: Source
    path: Path
    size: tuple[int, int] = (1, 1)
    ctm: Matrix = UNIT
    sheet: Sheet | None = None
    layers: tuple[Layer, ...] = ()
    origins: dict[str, Origin] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)


def read(path: Path, page: int = 1) -> Document:
    """An SVG as a document."""
    check_page(path, page, 1)
    found = reading(path)
    return Document(made=found.layers, canvas=found.size, origin=path, said=tuple(found.notes))


def reading(path: Path) -> Reading:
    """An SVG as layers, with all that a writer needs to change it."""
    source = open_svg(path)
    result = Reading(source, path)
    result.size, result.ctm = _canvas(path, source.root)
    reader = _Reader(result)
    result.sheet = reader.sheet
    result.layers = tuple(reader.inside(source.root, reader.root_style, result.ctm))
    return result


def _canvas(path: Path, root: Element) -> tuple[tuple[int, int], Matrix]:
    box = numbers(root.get("viewBox"), 4)
    box = box if len(box) == 4 and box[2] > 0 and box[3] > 0 else []
    wide, high = (
        None if "%" in root.get(side) else length(root.get(side)) for side in ("width", "height")
    )
    if wide is None and high is None:
        wide, high = (box[2], box[3]) if box else (300.0, 150.0)
    elif box:
        wide = wide if wide is not None else (high or 0.0) * box[2] / box[3]
        high = high if high is not None else wide * box[3] / box[2]
    wide, high = wide if wide is not None else 300.0, high if high is not None else 150.0
    size = (round(min(max(wide, 0), 1e6)), round(min(max(high, 0), 1e6)))
    check_canvas(path, size)
    return size, fitted(box, (wide, high), root.get("preserveAspectRatio"))


def fitted(box: list[float], room: tuple[float, float], how: str) -> Matrix:
    """From the units of a viewBox to those around it."""
    if not box:
        return UNIT
    across, down = room[0] / box[2], room[1] / box[3]
    left = top = 0.0
    if not how.strip().startswith("none"):
        across = down = max(across, down) if "slice" in how else min(across, down)
        shares = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
        found = re.search(r"x(M..)Y(M..)", how)
        x, y = (shares.get(found[1], 0.5), shares.get(found[2], 0.5)) if found else (0.5, 0.5)
        left, top = (room[0] - box[2] * across) * x, (room[1] - box[3] * down) * y
    return across, 0.0, 0.0, down, left - box[0] * across, top - box[1] * down


class _Reader:
    """Walks through the elements and makes layers of them."""

    def __init__(self, result: Reading) -> None:
        self.result, self.notes = result, result.notes
        root = result.source.root
        self.sheet = Sheet(root)
        self.named = {e.get("id"): e for e in every(root) if e.get("id")}
        self.root_style: Style = computed(root, ROOT, self.sheet)
        self.allowance = Allowance(result.path)
        self.counts: dict[str, int] = {}
        self.made = self.points = self.tspans = 0

    def inside(self, parent: Element, style: Style, ctm: Matrix) -> Iterator[Layer]:
        """The layers of what stands in an element, bottom first."""
        for element in parent:
            own = computed(element, style, self.sheet)
            to = times(ctm, transform(own.get("transform", "")))
            origin = Origin(element, parent, ctm, inner=to)
            if element.tag in GROUPS:
                yield self.group(element, own, to, origin)
            elif element.tag == "text":
                yield from self.text(element, own, to, origin)
            elif element.tag == "image":
                yield from self.image(element, own, to, origin)
            elif element.tag in SHAPES:
                yield from self.shape(element, own, to, origin)
            elif element.tag not in _SILENT and not element.tag.startswith(("{", "inkscape:")):
                self.note(f"<{element.tag[:40]}> is not drawn; its format keeps it")

    def note(self, words: str) -> None:
        if len(self.notes) < 50:
            self.notes[words] = None

    # ── layers ──────────────────────────────────────────────────────────────────────────

    def layer(self, layer: Layer, style: Style, origin: Origin, name: str) -> Layer:
        """A layer with its id, its name, its opacity and whether it shows."""
        self.made += 1
        self._check(self.made)
        element = origin.element
        key = element.get("data-id") or element.get("id")
        if not key or key in self.result.origins:
            key = self._free(element.tag)
        self.result.origins[key] = origin
        label = element.get("inkscape:label") or element.get("id") or name
        label = element.attributes.get("data-name", label)
        hidden = style.get("display", "").strip() == "none" or (
            style.get("visibility", "visible").strip() in ("hidden", "collapse")
            and layer.kind != "group"
        )
        for effect in _EFFECTS:
            said = style.get(effect, "none").strip()
            if said not in ("none", "") and not self._known(effect, style):
                self.note(f"{effect} is not drawn; its format keeps it")
        self._patterned(style)
        return replace(
            layer, id=key, name=label[:200], visible=not hidden,
            opacity=share(style.get("opacity", "1")),
            blend=self._blend(layer, style, element), mask=self._mask(style),
        )  # fmt: skip

    def _patterned(self, style: Style) -> None:
        for what in ("fill", "stroke"):
            said = style.get(what, "").strip()
            name = said.removeprefix("url(").partition(")")[0].strip("'\" ").removeprefix("#")
            used = self.named.get(name) if said.startswith("url(") else None
            if used is not None and used.tag == "pattern":
                self.note("a pattern is not drawn; its format keeps it")

    def _check(self, count: int) -> None:
        if count > MAX_LAYERS:
            raise PictureError(f"{self.result.path} has more than {MAX_LAYERS:,} elements to draw.")

    def _free(self, tag: str) -> str:
        """An id that no other layer has: the tag and a number."""
        while True:
            self.counts[tag] = self.counts.get(tag, 0) + 1
            key = f"{tag}-{self.counts[tag]}"
            if key not in self.result.origins and key not in self.named:
                return key

    def _known(self, effect: str, style: Style) -> bool:
        if effect == "filter":
            return "url(" not in style["filter"] and "shadow" in style["filter"]
        return effect == "mask" and self._mask(style) is not None

    def _blend(self, layer: Layer, style: Style, element: Element) -> Blend:
        said = element.get("data-blend") or style.get("mix-blend-mode", "normal").strip()
        name = _CSS.get(said, said)
        found: Blend = next((blend for blend in BLENDS if blend == name), "normal")
        if layer.kind != "group" or found != "normal" or element.get("data-blend"):
            return found
        alone = style.get("isolation", "auto").strip() == "isolate"
        return "normal" if alone or share(style.get("opacity", "1")) < 1 else "pass-through"

    def _mask(self, style: Style) -> Mask | None:
        """A mask as we write it: a picture of its light on one even ground."""
        name = style.get("mask", "").strip().removeprefix("url(#").removesuffix(")")
        element = self.named.get(name)
        parts = list(element) if element is not None and element.tag == "mask" else []
        if [part.tag for part in parts] != ["rect", "image"]:
            return None
        pixels = self._pixels(parts[1])
        place = [length(parts[1].get(side, "0")) or 0.0 for side in ("x", "y")]
        outside = length(parts[0].get("data-outside", "0")) or 0.0
        if pixels is None or not 0 <= outside <= 255:
            return None
        return Mask(np.ascontiguousarray(pixels[:, :, 0]), round(place[0]), round(place[1]),
                    round(outside))  # fmt: skip

    def group(self, element: Element, style: Style, ctm: Matrix, origin: Origin) -> Layer:
        if element.tag == "svg":
            ctm = self._nested(element, ctm)
            origin = replace(origin, inner=ctm)
        # The id is taken before those of what is in it, so that it does not depend on them.
        shell = self.layer(Layer(Group(())), style, origin, element.tag)
        return replace(shell, content=Group(tuple(self.inside(element, style, ctm))))

    def _nested(self, element: Element, ctm: Matrix) -> Matrix:
        x, y = (length(element.get(name, "0")) or 0.0 for name in ("x", "y"))
        wide, high = (length(element.get(name), whole=100.0) for name in ("width", "height"))
        box = numbers(element.get("viewBox"), 4)
        box = box if len(box) == 4 and box[2] > 0 and box[3] > 0 else []
        room = (wide or (box[2] if box else 1.0), high or (box[3] if box else 1.0))
        inner = fitted(box, room, element.get("preserveAspectRatio"))
        return times(times(ctm, (1.0, 0.0, 0.0, 1.0, x, y)), inner)

    def text(self, element: Element, style: Style, ctm: Matrix, origin: Origin) -> Iterator[Layer]:
        spare = MAX_LAYERS - self.tspans
        letters = Letters(self.sheet, ctm, self.named, self.notes, spare=spare)
        blocks = letters.read(element, style)
        self.tspans = MAX_LAYERS - letters.spare
        self._check(self.tspans)
        angle = round(math.degrees(math.atan2(ctm[1], ctm[0])), 4) % 360
        limit = 4 * max(self.result.size)
        for block in blocks:
            own = replace(origin, block=block, whole=len(blocks) == 1)
            if any(not 0.05 < run.style.size < limit for run in block.text.runs):
                self.note(
                    "words too small or too large to see are not drawn; their format keeps them"
                )
                continue
            left, top = at(ctm, block.x, block.y)
            if block.text.width is not None:
                part = {"centre": 0.5, "right": 1.0}.get(block.text.style.align, 0.0)
                left -= block.text.width * part
            layer = Layer(block.text, left=tidy(left), top=tidy(top))
            if angle:
                layer = anchored(layer, angle, (left, top))
            yield self.layer(layer, style, own, " ".join(block.text.words.split())[:40])

    def shape(self, element: Element, style: Style, ctm: Matrix, origin: Origin) -> Iterator[Layer]:
        found = shapes_of(element, style, ctm, self.result.size, self.named)
        points = sum(len(line) for shape, *_ in found for line in shape.outlines)
        self.points += points if points <= MAX_PATH else 0
        if points > MAX_PATH or self.points > MAX_POINTS:
            self.note("paths of too many points are not drawn; their format keeps them")
            return
        layers = [Layer(shape, left=x, top=y, angle=angle) for shape, x, y, angle in found]
        if len(layers) == 1:
            yield self.layer(layers[0], style, origin, element.tag)
        elif layers:
            plain = {"visibility": style.get("visibility", "visible")}
            shell = self.layer(Layer(Group(())), style, origin, element.tag)
            parts = [replace(layer, id=f"{shell.id}-{name}", name=name,
                             visible=plain["visibility"] == "visible")
                     for layer, name in zip(layers, ("fill", "stroke"), strict=True)]  # fmt: skip
            yield replace(shell, content=Group(tuple(parts)))

    # ── pictures ────────────────────────────────────────────────────────────────────────

    def image(self, element: Element, style: Style, ctm: Matrix, origin: Origin) -> Iterator[Layer]:
        pixels = self._pixels(element)
        if pixels is None:
            return
        layer = self._placed(element, pixels, ctm)
        if layer is not None:
            yield self.layer(layer, style, origin, "image")

    def _pixels(self, element: Element) -> Pixels | None:
        data = self._data(element.get("href"))
        if data is None:
            return None
        pixels = self.allowance.within(data)
        if pixels is None:
            self.note(UNREAD)
        return pixels

    def _data(self, href: str) -> bytes | None:
        """The bytes of a picture that is in the file itself; nothing is ever fetched."""
        head, comma, body = href.strip().partition(",")
        if not head.startswith("data:") or not comma:
            self.note("pictures outside the file are not fetched, and not drawn")
            return None
        if "svg" in head:
            self.note("an SVG in the SVG is not drawn; its format keeps it")
            return None
        if not head.rstrip().endswith(";base64"):
            return unquote_to_bytes(body)
        try:
            return base64.b64decode(re.sub(r"\s+", "", unquote_to_bytes(body).decode("ascii")))
        except (binascii.Error, ValueError):
            self.note("a picture that is no base64 is not drawn; its format keeps it")
            return None

    def _placed(self, element: Element, pixels: Pixels, ctm: Matrix) -> Layer | None:
        high, wide = pixels.shape[:2]
        room = [length(element.get("width")), length(element.get("height"))]
        across = room[0] if room[0] is not None else (room[1] or high) * wide / max(1, high)
        down = room[1] if room[1] is not None else across * high / max(1, wide)
        if not wide or not high or across <= 0 or down <= 0:
            return None
        x, y = (length(element.get(name, "0")) or 0.0 for name in ("x", "y"))
        inner = fitted([0.0, 0.0, wide, high], (across, down), element.get("preserveAspectRatio"))
        to = times(times(ctm, (1.0, 0.0, 0.0, 1.0, x, y)), inner)
        how = turn_of(to)
        size = (round(wide * how[1]), round(high * how[2])) if how else (0, 0)
        if how is None or size[0] * size[1] > min(4 * math.prod(self.result.size), pixel_limit()):
            return self._warped(pixels, to)
        size = max(1, size[0]), max(1, size[1])
        middle = at(to, wide / 2, high / 2)
        left, top = tidy(middle[0] - size[0] / 2), tidy(middle[1] - size[1] / 2)
        self.allowance.take(*size)
        return Layer(Picture(_resized(pixels, size)), left=left, top=top, angle=how[0])

    def _warped(self, pixels: Pixels, to: Matrix) -> Layer:
        """A picture that slants, is mirrored or far larger than the canvas: what shows of it."""
        import cv2

        self.allowance.take(*self.result.size)
        a, b, c, d, e, f = to
        # Pixel middles: (x + ½, y + ½) of the one goes to (x' + ½, y' + ½) of the other.
        matrix = np.array([[a, c, e + (a + c - 1) / 2], [b, d, f + (b + d - 1) / 2]])
        plane = premultiplied(pixels)
        made = cv2.warpAffine(plane, matrix, self.result.size, flags=cv2.INTER_LINEAR)
        return Layer(Picture(divided(np.asarray(made, np.float32))))


def _resized(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    if pixels.shape[1::-1] == size:
        return pixels
    import cv2

    smaller = size[0] < pixels.shape[1]
    how = cv2.INTER_AREA if smaller else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, size, interpolation=how))
