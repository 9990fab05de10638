"""Writing OpenRaster: every layer as pixels for other programs, and all the rest for ourselves."""

import copy
import hashlib
import io
import zipfile
from dataclasses import dataclass, field, replace
from xml.etree.ElementTree import Element, SubElement, tostring

import numpy as np
from PIL import Image

from overpaint.document import codec
from overpaint.document.containers import legal
from overpaint.document.layers import Group, Layer, Picture, Pixels, Shape, Text
from overpaint.document.model import Document
from overpaint.document.ora import MIME, OPERATORS, OURS, Opened, shown
from overpaint.document.pictures import encode_png
from overpaint.document.render import render, sheet_of

_KNOWN = {"name", "src", "x", "y", "opacity", "visibility", "composite-op", "isolation"}
_BLENDING = ("composite-op", "isolation")
_REWRITTEN = ("mimetype", "stack.xml", "mergedimage.png", "Thumbnails/", OURS, "overpaint/")
_THUMBNAIL = (256, 256)
_EPOCH = (1980, 1, 1, 0, 0, 0)


def packed(document: Document, origin: Opened | None) -> tuple[bytes, tuple[str, ...]]:
    """The file's bytes, and notes on what other programs will not see."""
    packer = _Packer(document.size, origin)
    stack = packer.stack(document.layers)
    kept = packer.others()
    ours = codec.dumps(
        document.layers, document.size, packer.keep, shown=shown(stack, packer.sources)
    )
    flat = document.rgba
    members = {
        "mimetype": MIME,
        "stack.xml": stack,
        **packer.sources,
        **packer.hidden,
        OURS: ours,
        "mergedimage.png": encode_png(flat),
        "Thumbnails/thumbnail.png": _thumbnail(flat),
        **kept,
    }
    return _zipped(members), tuple(dict.fromkeys(packer.notes))


def _zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, _EPOCH)  # the same document, the same bytes
            info.create_system, info.external_attr = 3, 0o644 << 16
            small = name.endswith((".xml", ".json"))
            info.compress_type = zipfile.ZIP_DEFLATED if small else zipfile.ZIP_STORED
            file.writestr(info, data)
    return out.getvalue()


def _thumbnail(flat: Pixels) -> bytes:
    image = Image.fromarray(flat)
    image.thumbnail(_THUMBNAIL)
    return encode_png(np.asarray(image))


@dataclass
class _Packer:
    """Collects the members of a file."""

    size: tuple[int, int]
    origin: Opened | None
    sources: dict[str, bytes] = field(default_factory=dict)  # pixels that the stack shows
    hidden: dict[str, bytes] = field(default_factory=dict)  # pixels for ourselves
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.before = self.origin.elements if self.origin else {}
        self.named: dict[str, str] = {}  # by hash: where bytes already lie
        self.hashes: dict[int, str] = {}  # of arrays whose bytes lie in the file

    def stack(self, layers: tuple[Layer, ...]) -> bytes:
        """The bytes of stack.xml."""
        wide, high = self.size
        root = Element("image", {"version": "0.0.3", "w": str(wide), "h": str(high)})
        top = SubElement(root, "stack")
        if self.origin:
            _adopt(root, self.origin.root, {"version", "w", "h"})
            _adopt(top, self.origin.top, set())
        self.fill(top, layers)
        return bytes(tostring(root, "UTF-8", xml_declaration=True))

    def fill(self, stack: Element, layers: tuple[Layer, ...]) -> None:
        """Add an element for each layer, the top one first."""
        base: Layer | None = None
        made = []
        for layer in layers:
            made.append(self.element(layer, base if layer.clip else None))
            base = base if layer.clip else layer
        stack.extend(reversed(made))

    def element(self, layer: Layer, base: Layer | None) -> Element:
        """The element of one layer; `base` is what it is clipped to."""
        group = isinstance(layer.content, Group)
        element = Element("stack" if group else "layer")
        element.set("name", legal(layer.name))
        element.set("opacity", repr(float(layer.opacity)))
        seen = layer.visible and (base is None or base.visible)
        element.set("visibility", "visible" if seen else "hidden")
        element.set("composite-op", OPERATORS.get(layer.blend, "svg:src-over"))
        if isinstance(layer.content, Group):
            passing = layer.blend == "pass-through"
            element.set("isolation", "auto" if passing else "isolate")
            self.fill(element, layer.content.layers)
        else:
            self.show(element, layer, base)
        old, was = self.before.get(layer.id, (None, None))
        if old is not None and was is not None and old.tag == element.tag:
            _adopt(element, old, _KNOWN)
            if was.blend == layer.blend:  # an operator that is not known here stays as well
                element.attrib.update({k: old.attrib[k] for k in _BLENDING if k in old.attrib})
        self.warn(layer)
        return element

    def show(self, element: Element, layer: Layer, base: Layer | None) -> None:
        """Put a layer's pixels into the file, as they lie there already where nothing changed."""
        before = self.before.get(layer.id)
        if before and self.origin and not layer.clip and _looks(before[1]) == _looks(layer):
            old = before[0]
            source = old.get("src", "")
            self.put(source, self.origin.zip.read(source), layer)
            element.attrib.update({k: old.get(k, "0") for k in ("src", "x", "y")})
            return
        pixels, left, top = self.raster(layer, base)
        taken = {*self.sources, *(self.origin.zip.names if self.origin else ())}
        numbers = (f"data/layer{n:03d}.png" for n in range(len(self.sources), 10**6))
        source = next(name for name in numbers if name not in taken)
        self.put(source, encode_png(pixels), layer)
        element.attrib.update({"src": source, "x": str(left), "y": str(top)})

    def put(self, source: str, data: bytes, layer: Layer) -> None:
        """Put the bytes of a layer's pixels into the file, and remember whose they are."""
        self.sources[source] = data
        digest = hashlib.sha256(data).hexdigest()
        self.named.setdefault(digest, source)
        if isinstance(layer.content, Picture) and _plain(layer):
            self.hashes[id(layer.pixels)] = digest

    def raster(self, layer: Layer, base: Layer | None) -> tuple[Pixels, int, int]:
        """What other programs are to show of a layer: masked, clipped and turned already."""
        if layer.mask is None and base is None:
            sheet = sheet_of(layer)
            if sheet is None:
                return np.zeros((1, 1, 4), np.uint8), 0, 0
            return sheet.pixels, sheet.left, sheet.top
        plain = replace(layer, opacity=1.0, blend="normal", visible=True, clip=False)
        drawn = render([plain], self.size)
        if base is not None:
            below = render([replace(base, blend="normal", visible=True)], self.size)
            share = below[:, :, 3:].astype(np.float32) / 255
            drawn[:, :, 3:] = np.rint(drawn[:, :, 3:] * share).astype(np.uint8)
        return drawn, 0, 0

    def keep(self, pixels: Pixels) -> str:
        """Put pixels into the file for ourselves, unless the same lie there already."""
        if id(pixels) in self.hashes:
            return self.named[self.hashes[id(pixels)]]
        data = codec.encode_pixels(pixels)
        digest = hashlib.sha256(data).hexdigest()
        if digest not in self.named:
            self.named[digest] = f"overpaint/{digest[:20]}.png"
            self.hidden[self.named[digest]] = data
        return self.named[digest]

    def others(self) -> dict[str, bytes]:
        """The origin's members that are not understood."""
        if self.origin is None:
            return {}
        known = self.origin.sources | set(self.sources)
        names = [n for n in self.origin.zip.names if n not in known]
        return {n: self.origin.zip.read(n) for n in names if not n.startswith(_REWRITTEN)}

    def warn(self, layer: Layer) -> None:
        if isinstance(layer.content, Text | Shape):
            what = "text" if isinstance(layer.content, Text) else "shapes"
            self.notes.append(f"OpenRaster holds no {what}: other programs see pixels")
        elif isinstance(layer.content, Group) and (layer.mask or layer.clip):
            self.notes.append(f"other programs see the group {layer.name!r} whole, not masked")
        elif isinstance(layer.content, Picture) and layer.mask:
            self.notes.append("OpenRaster holds no masks: other programs see them applied")
        if layer.blend in ("exclusion", "linear-burn"):
            self.notes.append(f"OpenRaster has no name for {layer.blend}: Krita's is used")


def _looks(layer: Layer) -> Layer:
    """A layer without what its element says of it: what remains is in its pixels."""
    return replace(layer, name="", opacity=1.0, blend="normal", visible=True)


def _plain(layer: Layer) -> bool:
    """Whether a picture is shown by the very pixels it has."""
    whole = layer.left == int(layer.left) and layer.top == int(layer.top)
    return whole and layer.angle % 360 == 0 and layer.mask is None and not layer.clip


def _adopt(element: Element, before: Element, known: set[str]) -> None:
    """Take over the attributes and elements that are not ours."""
    for key, value in before.attrib.items():
        if key not in known and key not in element.attrib:
            element.set(key, value)
    element.extend(copy.deepcopy(one) for one in before if one.tag not in ("stack", "layer"))
