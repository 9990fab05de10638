"""Layered results as the page stacks them: each layer a transparent picture under its hash.

A layer is drawn alone, cut to the canvas and to what it paints, with its opacity, its masks and
the opacity of its groups in its alpha; the page lays the pictures over each other again.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from overpaint.document import Document, Layer, Picture, Pixels
from overpaint.document.boxes import Box, box_around
from overpaint.document.layers import Blend, Group, Mask
from overpaint.document.pictures import encode_png
from overpaint.document.render import render, sheet_of, shown_by
from overpaint.document.tree import with_clipped
from overpaint.errors import OverpaintError
from overpaint.report.wording import plain
from overpaint.store.pictures import keep_picture, picture_path

MOST = 100  # layers of a document that can be switched; what is below them is one picture
LONGEST = 120  # characters of a layer's name that are told
FORM = "layers/1"  # of what is kept beside the pictures; a new one is drawn anew

# What `mix-blend-mode` calls our modes; the two it has no word for are shown by the nearest.
CSS: Mapping[Blend, str] = {
    "normal": "", "pass-through": "", "multiply": "multiply", "screen": "screen",
    "overlay": "overlay", "darken": "darken", "lighten": "lighten", "colour-dodge": "color-dodge",
    "colour-burn": "color-burn", "linear-dodge": "plus-lighter", "linear-burn": "multiply",
    "hard-light": "hard-light", "soft-light": "soft-light", "difference": "difference",
    "exclusion": "exclusion", "hue": "hue", "saturation": "saturation", "colour": "color",
    "luminosity": "luminosity",
}  # fmt: skip
_INEXACT = ("linear-dodge", "linear-burn")
_KINDS = {"text": "text", "picture": "image", "shape": "decoration"}


@dataclass(frozen=True)
class Leaf:
    """A layer that is no group, with what the groups around it make of it."""

    layer: Layer
    on: bool  # whether it is seen in the document
    opacity: float
    blend: Blend
    masks: tuple[Mask, ...] = ()
    base: Layer | None = None  # what it is clipped to


@dataclass(frozen=True)
class Drawn:
    """What a leaf paints on the canvas, and where."""

    pixels: Pixels
    box: Box


Stack = dict[str, Any]


# ── leaves ──────────────────────────────────────────────────────────────────────────────────


def leaves(document: Document) -> list[Leaf]:
    """Every layer that is no group, bottom first, hidden ones as well."""
    return list(_leaves(document.layers, Leaf(Layer(Group(())), True, 1.0, "normal")))


def _leaves(layers: Sequence[Layer], around: Leaf) -> Iterator[Leaf]:
    for base, *clipped in with_clipped(layers):
        yield from _leaf(base, around)
        seen = replace(around, on=around.on and base.visible, base=base)
        for layer in clipped:
            yield from _leaf(layer, seen)


def _leaf(layer: Layer, around: Leaf) -> Iterator[Leaf]:
    own = layer.blend if layer.blend not in ("normal", "pass-through") else around.blend
    masks = (*around.masks, layer.mask) if layer.mask else around.masks
    on = around.on and layer.visible
    leaf = replace(around, layer=layer, on=on, opacity=around.opacity * layer.opacity,
                   blend=own, masks=masks)  # fmt: skip
    if isinstance(layer.content, Group):
        yield from _leaves(layer.content.layers, leaf)
    else:
        yield leaf


def drawn(leaf: Leaf, size: tuple[int, int]) -> Drawn | None:
    """What a leaf paints on a canvas of that size, whether it is on or not; None: nothing."""
    sheet = sheet_of(leaf.layer)
    if sheet is None:
        return None
    left, top = max(0, sheet.left), max(0, sheet.top)
    right, bottom = min(size[0], sheet.box[2]), min(size[1], sheet.box[3])
    if left >= right or top >= bottom:
        return None
    window = (left, top, right, bottom)
    rows = slice(top - sheet.top, bottom - sheet.top)
    pixels = sheet.pixels[rows, left - sheet.left : right - sheet.left].copy()
    pixels[:, :, 3] = np.rint(pixels[:, :, 3] * _share(leaf, window, size))
    pixels[pixels[:, :, 3] == 0] = 0  # colours that nobody sees would make other files
    if (box := box_around(pixels[:, :, 3] > 0)) is None:
        return None
    # A clear pixel around it, where there is one: enlarged, it then fades as it does in the whole.
    high, wide = pixels.shape[:2]
    x0, y0, x1, y1 = max(0, box[0] - 1), max(0, box[1] - 1), box[2] + 1, box[3] + 1
    cut = np.ascontiguousarray(pixels[y0:y1, x0:x1])
    return Drawn(cut, (left + x0, top + y0, left + min(x1, wide), top + min(y1, high)))


def _share(leaf: Leaf, window: Box, size: tuple[int, int]) -> Any:
    """How far a leaf's own alpha counts: a number, or one for each pixel of the window."""
    share: Any = np.float32(leaf.opacity)
    for mask in leaf.masks:
        share = share * shown_by(mask, window)
    if leaf.base is not None:
        left, top, right, bottom = window
        base = render((replace(leaf.base, visible=True, clip=False, blend="normal"),), size)
        share = share * (base[top:bottom, left:right, 3] / np.float32(255))
    return share


# ── stacks ──────────────────────────────────────────────────────────────────────────────────


def stack_of(document: Document, folder: Path, known: dict[str, str] | None = None) -> Stack:
    """The document as the page stacks it, its pictures below `folder`; `error` if it has none.

    What was drawn before is not drawn again; `known` are pictures of other documents by a hash
    of their pixels, so that a layer that several share is written once.
    """
    try:
        if (kept := kept_stack(document.key, folder)) is not None:
            return kept
        stack = _stack(document, folder, {} if known is None else known)
        _draw(document, picture_path(folder, f"{document.key}.png"))
        index = _index(document.key, folder)
        index.write_text(json.dumps({"form": FORM} | stack, ensure_ascii=False), encoding="utf-8")
    except (OverpaintError, OSError) as error:
        return {"error": plain(str(error))}
    return stack


def _draw(document: Document, path: Path) -> None:
    """The picture that all layers make, beside them under the name that the page has for it."""
    if not path.exists():
        partial = path.with_name(f".{os.getpid()}-{path.name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(encode_png(document.rgb))
        partial.replace(path)


def _index(key: str, folder: Path) -> Path:
    return picture_path(folder, f"{key}.layers.json")


def kept_stack(key: str, folder: Path) -> Stack | None:
    """The stack of the document with that key as it was drawn before, if all of it is there."""
    try:
        found = json.loads(_index(key, folder).read_text(encoding="utf-8"))
        if found.pop("form") != FORM:
            return None
        pictures = [layer["picture"] for layer in found["layers"] if layer["picture"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return found if all(picture_path(folder, name).exists() for name in pictures) else None


def _stack(document: Document, folder: Path, known: dict[str, str]) -> Stack:
    size, every = document.size, leaves(document)
    below = every[: len(every) - MOST + 1] if len(every) > MOST else []
    listed = [] if not below else [_together(below, size, folder, known)]
    for leaf in every[len(below) :]:
        made = drawn(leaf, size)
        listed.append({
            "id": leaf.layer.id, "name": _name(leaf.layer), "kind": _KINDS[leaf.layer.kind],
            "on": leaf.on, "mode": _mode(leaf), "blend": CSS[leaf.blend],
        } | _placed(made, folder, known))  # fmt: skip
    return {"size": [*size], "total": len(every), "together": len(below), "layers": listed,
            "notes": list(_notes(document, every))}  # fmt: skip


def _placed(made: Drawn | None, folder: Path, known: dict[str, str]) -> dict[str, Any]:
    """A drawn layer's picture and box; None and no box where nothing of it is to be seen."""
    if made is None:
        return {"picture": None, "box": []}
    digest = hashlib.sha256(repr(made.pixels.shape).encode() + made.pixels.tobytes()).hexdigest()
    if digest not in known:
        path = keep_picture(folder, Document.of(made.pixels)).path
        assert path is not None
        known[digest] = path.name
    return {"picture": known[digest], "box": [*made.box]}


def _together(
    below: Sequence[Leaf], size: tuple[int, int], folder: Path, known: dict[str, str]
) -> dict[str, Any]:
    """The lowest layers of a document that has too many, as one picture."""
    seen = []
    for leaf in below:
        if leaf.on and (made := drawn(leaf, size)) is not None:
            left, top = made.box[:2]
            seen.append(Layer(Picture(made.pixels), left=left, top=top, blend=leaf.blend))
    whole = drawn(Leaf(Layer(Picture(render(seen, size))), True, 1.0, "normal"), size)
    return {"id": "", "name": f"the lowest {len(below)} layers", "kind": "", "on": True,
            "mode": "", "blend": ""} | _placed(whole, folder, known)  # fmt: skip


def _mode(leaf: Leaf) -> str:
    return leaf.blend if CSS[leaf.blend] else ""


def _name(layer: Layer) -> str:
    name = plain(layer.name) or f"layer {layer.id}"
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def _notes(document: Document, every: Sequence[Leaf]) -> Iterator[str]:
    """What the page's stack cannot show exactly."""
    for blend in _INEXACT:
        if any(leaf.blend == blend for leaf in every):
            yield f"a browser has no blend mode {blend}; the nearest is shown"
    if any(leaf.base is not None for leaf in every):
        yield "soft edges of clipped layers are shown slightly stronger"
    groups = [one for one in document if isinstance(one.content, Group)]
    if any(one.opacity < 1 or one.mask or one.blend not in ("normal", "pass-through")
           for one in groups):  # fmt: skip
        yield "opacity, mask or blend mode of a group is shown on each of its layers"


# ── beside each other ───────────────────────────────────────────────────────────────────────


def compared(stack: Stack, source: Stack) -> Stack:
    """The stack with a mark on each layer: kept, edited or added; and the ids that are gone."""
    if "error" in stack or "error" in source:
        return stack
    before = {layer["id"]: layer for layer in source["layers"]}
    layers = [layer | {"mark": _mark(layer, before.get(layer["id"]))} for layer in stack["layers"]]
    there = {layer["id"] for layer in layers}
    gone = [layer["name"] for key, layer in before.items() if key not in there]
    return stack | {"layers": layers, "gone": gone}


def _mark(layer: Mapping[str, Any], before: Mapping[str, Any] | None) -> str:
    if before is None:
        return "added"
    same = all(layer[key] == before[key] for key in ("picture", "box", "on", "mode"))
    return "kept" if same else "edited"
