"""The codec: layers as JSON and back, exactly; pixels lie elsewhere, under a name.

One layer is one object: its own fields, and under `picture`, `text`, `shape` or `group` what it
shows. A field that has its default is left out, so that a person can read and write the rest:

    {"name": "Title", "id": "7", "left": 120.0, "top": 80.0,
     "text": {"runs": [{"words": "Sale", "style": {"family": "Lato", "size": 48.0}}]}}
"""

import base64
import io
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from overpaint.document.containers import check_canvas
from overpaint.document.decoding import INLINE, Fetch, Reader
from overpaint.document.layers import Glyph, Group, Layer, Pixels, walk
from overpaint.document.pictures import encode_png
from overpaint.errors import PictureError, unread

VERSION = 1
_NUMBERS = re.compile(r"\[\n\s+(?:-?[\d.e+-]+,?\n\s+)+\]")  # a colour or a point: one line

Keep = Callable[[Pixels], str]  # puts pixels somewhere and says under what name


# ── writing ─────────────────────────────────────────────────────────────────────────────


def dumps(layers: tuple[Layer, ...], size: tuple[int, int], keep: Keep, **more: Any) -> bytes:
    """The JSON of a document; `keep` is called with each picture and mask in it."""
    value = {
        "overpaint": VERSION, **more, "width": size[0], "height": size[1],
        "layers": [_layer_out(layer, keep) for layer in layers],
    }  # fmt: skip
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    text = _NUMBERS.sub(lambda found: re.sub(r"\s+", " ", found[0]), text)
    return text.encode("utf-8", "backslashreplace")  # half a surrogate pair as JSON escapes it


def encode_pixels(pixels: Pixels) -> bytes:
    """PNG bytes of RGBA pixels, or of a grey mask."""
    if pixels.ndim == 3:
        return encode_png(pixels)
    out = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(out, "PNG", compress_level=1)
    return out.getvalue()


def _layer_out(layer: Layer, keep: Keep) -> dict[str, Any]:
    own = {k: v for k, v in _out(replace(layer, content=Group(())), keep).items() if k != "content"}
    if isinstance(layer.content, Group):
        inner: Any = {"layers": [_layer_out(one, keep) for one in layer.content.layers]}
    else:
        inner = _out(layer.content, keep)
    return {**own, layer.kind: inner}


def _out(value: Any, keep: Keep) -> Any:
    if isinstance(value, np.ndarray):
        return keep(value) if value.size else f"empty {value.shape[1]}×{value.shape[0]}"
    if is_dataclass(value):
        # Letters are many and small: they stand in the JSON itself.
        return _out_fields(value, _inlined if isinstance(value, Glyph) else keep)
    if isinstance(value, Mapping):
        return {key: _out(value[key], keep) for key in sorted(value)}
    if isinstance(value, tuple):
        return [_out(one, keep) for one in value]
    if isinstance(value, float | np.floating | np.integer):
        # 12 and 12.0 are one number, and equal documents are to be the same bytes.
        return int(value) if value == value // 1 else float(value)
    return bool(value) if isinstance(value, np.bool_) else value


def _inlined(pixels: Pixels) -> str:
    return INLINE + base64.b64encode(encode_pixels(pixels)).decode()


def _out_fields(value: Any, keep: Keep) -> dict[str, Any]:
    said = {}
    for field in fields(value):
        one = getattr(value, field.name)
        plain = not isinstance(one, np.ndarray) and one == field.default
        if not plain:
            said[field.name] = _out(one, keep)
    return said


# ── reading ─────────────────────────────────────────────────────────────────────────────


def parse_json(text: bytes, where: str) -> dict[str, Any]:
    """The object that some JSON holds, without NaN, without endless nesting."""
    try:
        value = json.loads(text.decode("utf-8-sig"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise PictureError(f"{where} is no JSON: {unread(error)}.") from None
    if not isinstance(value, dict):
        raise PictureError(f"{where} is a JSON {type(value).__name__}; an object was expected.")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def loads(text: bytes, fetch: Fetch, where: Path) -> tuple[tuple[Layer, ...], tuple[int, int]]:
    """The layers and the canvas that some JSON holds; `fetch` is called for each picture."""
    value = parse_json(text, str(where))
    if value.get("overpaint") != VERSION:
        raise PictureError(
            f"{where} has overpaint = {value.get('overpaint')!r}.", f"{VERSION} was expected."
        )
    reader = Reader(where, fetch)
    size = tuple(reader.value(int, value.get(side), side) for side in ("width", "height"))
    check_canvas(where, size)
    return ided(reader.layers(value.get("layers"), "layers", 0)), size


# ── ids ─────────────────────────────────────────────────────────────────────────────────


def ided(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """The layers, with an id given to each that has none or another's."""
    taken: set[str] = {layer.id for layer in walk(layers)}
    seen: set[str] = set()
    free = (str(n) for n in range(1, len(taken) + sum(1 for _ in walk(layers)) + 2))

    def one(layer: Layer) -> Layer:
        name = layer.id
        if not name or name in seen:
            name = next(n for n in free if n not in taken)
        seen.add(name)
        content = layer.content
        if isinstance(content, Group):
            content = Group(tuple(one(inner) for inner in content.layers))
        same = name == layer.id and content == layer.content
        return layer if same else replace(layer, id=name, content=content)

    return tuple(one(layer) for layer in layers)
