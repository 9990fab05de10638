"""OpenRaster: read and written, exactly, by our own code.

Plain OpenRaster holds pictures and groups. What it cannot hold, `overpaint.json` does (the codec's
form), while `stack.xml` shows every layer's pixels to other programs. A hash ties the two: when
another program has rewritten the file, its pixels are what is read.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from overpaint.document import codec, regular
from overpaint.document.containers import Allowance, Zip, check_canvas, open_zip, parse_xml
from overpaint.document.decoding import MAX_LAYERS
from overpaint.document.layers import Blend, Group, Layer, Picture, Pixels, walk
from overpaint.document.model import Document
from overpaint.document.pictures import with_alpha
from overpaint.errors import PictureError

MIME = b"image/openraster"
OURS = "overpaint.json"
# Krita's names for two that the specification lacks; other programs show these as normal.
OPERATORS: Mapping[Blend, str] = {
    "normal": "svg:src-over", "multiply": "svg:multiply", "screen": "svg:screen",
    "overlay": "svg:overlay", "darken": "svg:darken", "lighten": "svg:lighten",
    "colour-dodge": "svg:color-dodge", "colour-burn": "svg:color-burn", "linear-dodge": "svg:plus",
    "hard-light": "svg:hard-light", "soft-light": "svg:soft-light",
    "difference": "svg:difference", "hue": "svg:hue", "saturation": "svg:saturation",
    "colour": "svg:color", "luminosity": "svg:luminosity", "exclusion": "krita:exclusion",
    "linear-burn": "krita:linear_burn",
}  # fmt: skip
_BLENDS = {name: blend for blend, name in OPERATORS.items()}


def read(path: Path, page: int = 1) -> Document:
    """The document in an OpenRaster file."""
    del page  # it has one
    return Opened(open_zip(path)).document


def write(document: Document, path: Path) -> tuple[str, ...]:
    """Write an OpenRaster file; what its origin holds that is not understood is kept."""
    from overpaint.document.ora_write import packed

    data, notes = packed(document, _origin(document.origin))
    path.write_bytes(data)
    return notes


def encoded(document: Document) -> bytes:
    """The bytes of an OpenRaster file, the same for the same document."""
    from overpaint.document.ora_write import packed

    return packed(document, None)[0]


def shown(stack: bytes, members: Mapping[str, bytes]) -> str:
    """A hash of all that other programs see."""
    digest = hashlib.sha256(stack)
    for name in sorted(members):
        digest.update(f"{name}\0{len(members[name])}\0".encode())
        digest.update(members[name])
    return digest.hexdigest()


@dataclass
class Opened:
    """An OpenRaster file, its stack and its layers."""

    zip: Zip
    notes: list[str] = field(default_factory=list)
    count: int = 0  # of layers that were found so far

    def __post_init__(self) -> None:
        path, stack = self.zip.path, self.zip.read("stack.xml")
        self.root = parse_xml(stack, f"The stack.xml of {path}")
        self.allowance = Allowance(path)
        self.size = (_whole(self.root, "w", 0, path), _whole(self.root, "h", 0, path))
        check_canvas(path, self.size)
        top = self.root.find("stack")
        if self.root.tag != "image" or top is None:
            raise PictureError(f"The stack.xml of {path} has no image with a stack in it.")
        self.top = top
        self.layers = self._ours(stack) or codec.ided(self._stack(top))

    @property
    def document(self) -> Document:
        """Its layers in memory."""
        notes = tuple(dict.fromkeys(self.notes))
        return Document(made=self.layers, canvas=self.size, origin=self.zip.path, said=notes)

    @property
    def elements(self) -> dict[str, tuple[Element, Layer]]:
        """The element of each layer, by the layer's id."""
        found, layers = list(_walked(self.top)), list(walk(self.layers))
        if len(found) != len(layers):
            return {}
        return {layer.id: (one, layer) for one, layer in zip(found, layers, strict=True)}

    @property
    def sources(self) -> set[str]:
        """The members that are layers' pixels."""
        return {element.get("src", "") for element in _walked(self.top)} & set(self.zip.names)

    def _ours(self, stack: bytes) -> tuple[Layer, ...]:
        """The layers as we wrote them; none where the file is not ours, or not any more."""
        if OURS not in self.zip:
            return ()
        data = self.zip.read(OURS)
        members = {name: self.zip.read(name) for name in self.sources}
        said = codec.parse_json(data, f"The {OURS} of {self.zip.path}")
        if said.get("shown") != shown(stack, members):
            self.notes.append(
                "another program has rewritten the file: texts and shapes are read as its pixels"
            )
            return ()
        return codec.loads(data, self.zip.read, self.zip.path)[0]

    def _stack(self, stack: Element) -> tuple[Layer, ...]:
        found = [one for one in reversed(stack) if one.tag in ("stack", "layer")]
        self.count += len(found)
        if self.count > MAX_LAYERS:
            raise PictureError(f"{self.zip.path} has more than {MAX_LAYERS:,} layers.")
        return tuple(map(self._layer, found))

    def _layer(self, element: Element) -> Layer:
        path = self.zip.path
        name = element.get("name", "")
        operator = element.get("composite-op", "svg:src-over")
        blend = _BLENDS.get(operator)
        if blend is None:
            self.notes.append(f"{operator} is not known: {name!r} is blended as normal")
        isolated = element.get("isolation", "auto") == "isolate"
        opacity = _number(element, "opacity", 1.0, path)
        if element.tag == "stack":
            content: Group | Picture = Group(self._stack(element))
            # The specification: not isolated where nothing asks for it.
            if not isolated and operator == "svg:src-over" and opacity == 1:
                blend = "pass-through"
        else:
            content = Picture(self._pixels(element.get("src", ""), name))
        return Layer(
            content, name, left=_whole(element, "x", 0, path), top=_whole(element, "y", 0, path),
            opacity=min(1.0, max(0.0, opacity)), blend=blend or "normal",
            visible=element.get("visibility", "visible") != "hidden",
        )  # fmt: skip

    def _pixels(self, source: str, name: str) -> Pixels:
        if source not in self.zip:
            raise PictureError(f"{self.zip.path}: the layer {name!r} wants {source!r}, not in it.")
        if not source.lower().endswith((".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff")):
            self.notes.append(f"{name!r} is a {Path(source).suffix} layer, which is not drawn here")
            return np.zeros((0, 0, 4), np.uint8)
        return with_alpha(self.allowance.decode(self.zip.read(source), source))


def _origin(path: Path | None) -> Opened | None:
    """The file a document came from, where it still is an OpenRaster file."""
    if path is None or not path.is_file():
        return None
    if regular.read(path, 4) != b"PK\x03\x04":
        return None
    whole = open_zip(path)
    return Opened(whole) if "stack.xml" in whole else None


def _walked(stack: Element) -> Iterator[Element]:
    """Every layer's element, bottom first, a group before what is in it."""
    for element in reversed(stack):
        if element.tag in ("stack", "layer"):
            yield element
        if element.tag == "stack":
            yield from _walked(element)


def _number(element: Element, key: str, default: float, path: Path) -> float:
    text = element.get(key)
    try:
        value = default if text is None else float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) <= 1e6:
        raise PictureError(f"The stack.xml of {path} has {key}={text!r}.", "Expected: a number.")
    return value


def _whole(element: Element, key: str, default: int, path: Path) -> int:
    return round(_number(element, key, default, path))
