"""PSD: a Photoshop file's layers, through psd-tools.

Read: pixels, live text with its fonts and sizes, groups, masks, clipping, blend modes, opacity,
visibility and names. Kept, but not drawn here: adjustment layers, layer effects, artboards'
grounds. Shapes, gradients and patterns come as the pixels the file has of them, or as psd-tools
draws them.
"""

import io
import logging
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from overpaint.document import regular
from overpaint.document.codec import ided
from overpaint.document.containers import Allowance, check_canvas
from overpaint.document.decoding import MAX_DEPTH, MAX_LAYERS
from overpaint.document.layers import Blend, Content, Group, Layer, Picture, Pixels, Shape, walk
from overpaint.document.model import Document
from overpaint.document.pictures import pixel_limit, read_file
from overpaint.document.psd_pixels import exact, guarded, layer_mask, layer_pixels
from overpaint.document.psd_text import text_of
from overpaint.errors import PictureError

BLENDS: Mapping[Blend, str] = {
    "normal": "norm", "multiply": "mul ", "screen": "scrn", "overlay": "over", "darken": "dark",
    "lighten": "lite", "colour-dodge": "div ", "colour-burn": "idiv", "linear-dodge": "lddg",
    "linear-burn": "lbrn", "hard-light": "hLit", "soft-light": "sLit", "difference": "diff",
    "exclusion": "smud", "hue": "hue ", "saturation": "sat ", "colour": "colr",
    "luminosity": "lum ", "pass-through": "pass",
}  # fmt: skip
EFFECTS = (b"lfx2", b"lmfx", b"lfxs", b"lrFX")  # the blocks that hold a layer's effects
_NAMED = {key: blend for blend, key in BLENDS.items()}


def read(path: Path, page: int = 1) -> Document:
    """The document in a PSD or PSB file."""
    del page  # it has one
    return Opened(path).document


def write(document: Document, path: Path) -> tuple[str, ...]:
    """Write a PSD: its origin with what was changed in it, or a new one."""
    from overpaint.document.psd_write import written

    data, notes = written(document, _origin(document.origin), big=path.suffix.lower() == ".psb")
    path.write_bytes(data)
    return notes


def _origin(path: Path | None) -> "Opened | None":
    """The file a document came from, where it still is a PSD."""
    if path is None or not path.is_file():
        return None
    if regular.read(path, 4) != b"8BPS":
        return None
    return Opened(path)


@dataclass
class Opened:
    """A PSD, its layers, and where each came from."""

    path: Path
    notes: list[str] = field(default_factory=list)
    sources: dict[str, Any] = field(default_factory=dict)  # psd-tools' layers, by our ids

    def __post_init__(self) -> None:
        from psd_tools import ParseLimits, PSDImage

        # It reports what it skips to the log, and a log nobody set up goes to the screen.
        logging.getLogger("psd_tools").addHandler(logging.NullHandler())
        data = read_file(self.path)
        self.size = _checked(self.path, data)
        self.allowance = Allowance(self.path)
        limits = ParseLimits(max_read_bytes=len(data) + 1)

        def opened() -> Any:
            return PSDImage.open(
                io.BytesIO(data), parse_limits=limits, max_alloc_bytes=40 * pixel_limit()
            )

        with guarded(self.path):
            self.psd = opened()
            self.spare = opened  # another copy, to be changed while it draws
            self._say_mode()
            found = list(self.psd)
            self.layers = self._layers(found, 0) if found else (self._merged(),)
        self.layers = self._ided()

    @property
    def document(self) -> Document:
        """Its layers in memory."""
        notes = tuple(dict.fromkeys(self.notes))
        return Document(made=self.layers, canvas=self.size, origin=self.path, said=notes)

    def _say_mode(self) -> None:
        mode, depth = self.psd.color_mode.name, self.psd.depth
        if mode != "RGB":
            self.notes.append(f"converted from {mode.lower()}")
        if depth != 8:
            self.notes.append(f"{depth} bits reduced to 8 bits")

    def _merged(self) -> Layer:
        """The picture of a file without layers."""
        self.allowance.take(*self.size)
        image = self.psd.topil(apply_icc=not exact(self.psd))
        if image is None:
            raise ValueError("it has neither layers nor a picture")
        return Layer(Picture(np.asarray(image.convert("RGBA"))), "picture")

    def _layers(self, found: list[Any], depth: int) -> tuple[Layer, ...]:
        if depth > MAX_DEPTH:
            raise PictureError(f"{self.path}: groups lie more than {MAX_DEPTH} deep.")
        return tuple(self._layer(one, depth) for one in found)

    def _layer(self, found: Any, depth: int) -> Layer:
        """A layer of the file as ours; its id is a number of its own until all are known."""
        name, record = str(found.name), found._record
        if len(self.sources) >= MAX_LAYERS:
            raise PictureError(f"{self.path} has more than {MAX_LAYERS:,} layers.")
        number = f"{len(self.sources)}"
        self.sources[number] = found
        content, left, top, angle = self._content(found, depth)
        fill = found.fill_opacity if 0 <= found.fill_opacity <= 255 else 255
        self._say_kept(found, name)
        return Layer(
            content, name, number, left, top, angle,
            opacity=record.opacity / 255 * (fill / 255), blend=self._blend(found, name),
            visible=bool(record.flags.visible), clip=bool(record.clipping),
            mask=layer_mask(found, self.allowance),
        )  # fmt: skip

    def _content(self, found: Any, depth: int) -> tuple[Content, float, float, float]:
        """What a layer shows, where, and how far it is turned."""
        from psd_tools.api.layers import AdjustmentLayer, FillLayer, ShapeLayer, TypeLayer

        record = found._record
        if found.is_group():
            return Group(self._layers(list(found), depth + 1)), 0.0, 0.0, 0.0
        corner = (float(record.left), float(record.top))
        drawn = isinstance(found, FillLayer | ShapeLayer) and not found.has_pixels()
        if drawn:
            return self._drawn(found)
        pixels = layer_pixels(found, self.allowance)
        if isinstance(found, TypeLayer) and found._type_data is not None:
            text, place, angle = text_of(found, pixels, corner)
            return text, *place, angle
        if isinstance(found, AdjustmentLayer):
            self.notes.append(f"the adjustment layer {found.name!r} is kept, but not drawn here")
        elif found.kind not in ("pixel", "type"):
            self.notes.append(f"{found.name!r} ({found.kind}) is read as its pixels")
        return Picture(pixels), *corner, 0.0

    def _drawn(self, found: Any) -> tuple[Content, float, float, float]:
        """A fill or a shape that the file has no pixels of: a plain one as a shape."""
        plain = found.kind == "solidcolorfill" and not found.has_vector_mask()
        if plain and (colour := _solid(found)):
            wide, high = self.size
            return Shape("rectangle", float(wide), float(high), colour), 0.0, 0.0, 0.0
        self.allowance.take(*self.size)
        pixels = self._by_psd_tools(found)
        if pixels is None:
            self.notes.append(f"{found.name!r} ({found.kind}) is kept, but not drawn here")
            return Picture(np.zeros((0, 0, 4), np.uint8)), 0.0, 0.0, 0.0
        self.notes.append(f"{found.name!r} ({found.kind}) is read as pixels that psd-tools drew")
        rows, columns = (np.flatnonzero(pixels[:, :, 3].any(axis=axis)) for axis in (1, 0))
        if not rows.size:
            return Picture(pixels[:0, :0]), 0.0, 0.0, 0.0
        top, left = int(rows[0]), int(columns[0])
        cropped = pixels[top : rows[-1] + 1, left : columns[-1] + 1]
        return Picture(cropped), float(left), float(top), 0.0

    def _by_psd_tools(self, found: Any) -> Pixels | None:
        """A layer alone on the canvas; None where a library that it takes is missing."""
        copy = self.spare()
        number = next(n for n, one in enumerate(self.psd.descendants()) if one is found)
        layer = next(one for n, one in enumerate(copy.descendants()) if n == number)
        layer.opacity, layer.fill_opacity, layer.visible = 255, 255, True
        layer.blend_mode = "norm"
        layer._record.mask_data = None
        for key in EFFECTS:
            layer.tagged_blocks.pop(key, None)
        try:
            image = layer.composite(
                (0, 0, *self.size), force=True, layer_filter=lambda one: one is layer
            )
        except ImportError:
            return None
        return None if image is None else np.asarray(image.convert("RGBA"))

    def _blend(self, found: Any, name: str) -> Blend:
        key = found.blend_mode.value.decode("ascii")
        if key not in _NAMED:
            words = found.blend_mode.name.lower().replace("_", " ")
            self.notes.append(f"{name!r} blends by {words}, which is kept, but drawn as normal")
        return _NAMED.get(key, "normal")

    def _say_kept(self, found: Any, name: str) -> None:
        if found.has_effects():
            self.notes.append(f"the effects of {name!r} are kept, but not drawn here")
        mask = found._record.mask_data
        if mask is not None and mask.flags.parameters_applied:
            self.notes.append(f"the mask of {name!r} is kept, but drawn without feather or density")
        if found.has_vector_mask() and mask is None and found.kind in ("pixel", "type", "group"):
            self.notes.append(f"the vector mask of {name!r} is kept, but not drawn here")

    def _ided(self) -> tuple[Layer, ...]:
        """The layers under the file's own ids, where it has them and they differ."""
        own = {number: found.layer_id for number, found in self.sources.items()}
        named = ided(_renamed(self.layers, {n: str(i) if i > 0 else "" for n, i in own.items()}))
        numbers = [layer.id for layer in walk(self.layers)]
        if self.sources:
            self.sources = {
                layer.id: self.sources[number]
                for layer, number in zip(walk(named), numbers, strict=True)
            }
        return named


def _renamed(layers: tuple[Layer, ...], ids: Mapping[str, str]) -> tuple[Layer, ...]:
    from dataclasses import replace

    made = []
    for layer in layers:
        content = layer.content
        if isinstance(content, Group):
            content = Group(_renamed(content.layers, ids))
        made.append(replace(layer, id=ids.get(layer.id, ""), content=content))
    return tuple(made)


def _solid(found: Any) -> tuple[int, int, int, int] | None:
    """The colour of a solid fill, where it is given in red, green and blue."""
    colour = found.data  # psd-tools takes it out of its descriptor
    keys = (b"Rd  ", b"Grn ", b"Bl  ")
    if colour is None or any(key not in colour for key in keys):
        return None
    red, green, blue = (min(255, max(0, round(float(colour[key].value)))) for key in keys)
    return red, green, blue, 255


def _checked(path: Path, data: bytes) -> tuple[int, int]:
    """Width and height from the head of a file, before anything is made of them."""
    if len(data) < 26:
        raise PictureError(f"{path} is a damaged PSD: it has only {len(data)} bytes.")
    version, channels, high, wide, depth, _ = struct.unpack(">4xH6xHIIHH", data[:26])
    check_canvas(path, (wide, high))
    if version not in (1, 2) or not 1 <= channels <= 56 or depth not in (1, 8, 16, 32):
        raise PictureError(f"{path} is a damaged PSD: its head makes no sense.")
    return wide, high
