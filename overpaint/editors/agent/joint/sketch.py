"""A sketch of what the decisions will make of the document, before anything is edited.

Words, colours and places are as the hands will make them; what a picture will show is not known,
and texts above it are then not judged by it.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Document
from overpaint.document.boxes import Box
from overpaint.document.contrast import luminance
from overpaint.document.geometry import recoloured, shifted
from overpaint.document.layers import Group, Layer, Pixels, Text
from overpaint.document.ops import Move, Scale
from overpaint.document.render import bounds, render, sheet_of
from overpaint.document.tree import swapped
from overpaint.editors.agent.hands import Hands
from overpaint.editors.agent.joint.colours import with_most
from overpaint.editors.agent.joint.reading import Wish
from overpaint.editors.agent.joint.table import Table
from overpaint.errors import OverpaintError

_INKED = 200  # of 255: alpha from which a pixel has the letter's own colour
_SOME = 0.1  # of a box: what paints less of it hardly lies there
_LEAST = 12  # pixels of ink from which a colour can be told


@dataclass(frozen=True, eq=False)
class Sketch:
    """A document as it will be, and the layers of which that is not known."""

    document: Document
    unknown: frozenset[str] = frozenset()

    @cached_property
    def leaves(self) -> tuple[Layer, ...]:
        """All that is drawn, bottom first."""
        return tuple(leaves(self.document.layers))

    def layer(self, name: str) -> Layer | None:
        """The layer of that id; None where it is gone or hidden."""
        return next((layer for layer in self.leaves if layer.id == name), None)

    def box(self, name: str) -> Box | None:
        """The box of what a layer draws."""
        if name not in self._boxes:
            layer = self.layer(name)
            self._boxes[name] = bounds(layer) if layer is not None else None
        return self._boxes[name]

    @cached_property
    def _boxes(self) -> dict[str, Box | None]:
        return {}

    def lies_in(self, name: str, box: Box) -> bool:
        """Whether a layer paints some of a box, and not only its edge."""
        layer = self.layer(name)
        sheet = sheet_of(layer) if layer is not None else None
        if sheet is None:
            return False
        left, top = max(box[0], sheet.left) - sheet.left, max(box[1], sheet.top) - sheet.top
        right, bottom = (
            min(box[2], sheet.box[2]) - sheet.left,
            min(box[3], sheet.box[3]) - sheet.top,
        )
        if left >= right or top >= bottom:
            return False
        painted = float((sheet.pixels[top:bottom, left:right, 3] > 0).sum())
        return painted > _SOME * (box[2] - box[0]) * (box[3] - box[1])

    def below(self, name: str, box: Box) -> Pixels:
        """What lies under a layer, in a box of the canvas, over white."""
        at = next(n for n, layer in enumerate(self.leaves) if layer.id == name)
        size = box[2] - box[0], box[3] - box[1]
        near = [shifted(layer, -box[0], -box[1]) for layer in self.leaves[:at]]
        return render(near, size, over=(255, 255, 255, 255))[:, :, :3]


def leaves(layers: tuple[Layer, ...]) -> list[Layer]:
    """The layers that draw, bottom first, without those that are hidden."""
    found: list[Layer] = []
    for layer in layers:
        if not layer.visible or layer.opacity == 0:
            continue
        found += leaves(layer.content.layers) if isinstance(layer.content, Group) else [layer]
    return found


def sketched(table: Table) -> Sketch:
    """What the wishes will make of the document, as far as the rules can tell."""
    document, unknown = table.scene.document.opened, set()
    for wish in table.edited:
        document, known = with_done(document, wish)
        unknown |= set() if known else {wish.id}
    return Sketch(document, frozenset(unknown))


def with_done(document: Document, wish: Wish) -> tuple[Document, bool]:
    """The document with one wish fulfilled, and whether it could be."""
    layer = next((one for one in document if one.id == wish.id), None)
    if layer is None:
        return document, False
    if wish.deletes:
        return document.having(*swapped(document.layers, layer)), True
    placed = wish.understood and all(isinstance(op, Move | Scale) for op in wish.ops)
    if isinstance(layer.content, Text) or placed:
        try:
            return Hands().edit(document, wish.seen, wish.decision.prompt), True
        except OverpaintError:
            return document, False
    colour = wish.colour
    if colour is None:  # words that are pixels keep their colour when they change
        return document, wish.seen.kind == "text" and bool(wish.renames or wish.says)
    try:
        new = recoloured(layer, colour)
    except OverpaintError:
        return document, False
    return document.having(*swapped(document.layers, layer, new)), True


@dataclass(frozen=True)
class Ink:
    """The letters of a layer and what lies under them."""

    colour: tuple[int, int, int, int]
    ground: NDArray[np.uint8]  # n×3
    high: float  # of the box around them

    @property
    def contrast(self) -> float:
        """Of the letters with most of what lies under them."""
        own = float(luminance(np.array([self.colour[:3]], np.uint8))[0])
        return with_most(own, self.ground)


def ink(sketch: Sketch, name: str) -> Ink | None:
    """The letters of a text layer on the canvas; None where too few show."""
    layer = sketch.layer(name)
    sheet = sheet_of(layer) if layer is not None else None
    if layer is None or sheet is None:
        return None
    wide, high = sketch.document.size
    left, top = max(0, sheet.left), max(0, sheet.top)
    right, bottom = min(wide, sheet.box[2]), min(high, sheet.box[3])
    if left >= right or top >= bottom:
        return None
    part = sheet.pixels[
        top - sheet.top : bottom - sheet.top, left - sheet.left : right - sheet.left
    ]
    inked = part[:, :, 3] >= _INKED
    if int(inked.sum()) < _LEAST:
        return None
    ground = sketch.below(name, (left, top, right, bottom))[inked]
    red, green, blue = (int(part) for part in np.median(part[inked][:, :3], axis=0))
    return Ink((red, green, blue, 255), ground, float(bottom - top))


def plainly_set(layer: Layer | None) -> bool:
    """Whether letters are read by their own colour alone: no outline, no shadow, no gradient."""
    if layer is None or layer.blend != "normal" or layer.opacity < 0.9:
        return False
    if not isinstance(layer.content, Text):
        return True
    return not any(r.style.stroke or r.style.shadow or r.style.gradient for r in layer.content.runs)


def moved_to(wish: Wish, prompt: str) -> Wish:
    """The wish with another prompt, to be tried."""
    return Wish(replace(wish.decision, edit=True, prompt=prompt), wish.seen)
