"""Typeset: finds words by OCR, erases them, and sets new ones in their font. No model at all."""

from dataclasses import dataclass, replace

import numpy as np

from overpaint.core import Request
from overpaint.document import Document, Layer, Picture
from overpaint.document.instruct import parse
from overpaint.document.ops import Op
from overpaint.document.text.fonts import Library, here
from overpaint.document.where import hits
from overpaint.errors import Refused


@dataclass(frozen=True)
class Typeset:
    """Sets new words in the font of the old ones; what it does not understand it refuses."""

    library: Library | None = None  # fonts to choose from; None: all that are here
    adapt: bool = True  # whether letters of unknown fonts are cut from the picture

    def __call__(self, request: Request) -> Document:
        ops = parse(request.instruction)
        return perform(request.source, ops, library=self.library, adapt=self.adapt)


def perform(
    document: Document, ops: tuple[Op, ...], *, library: Library | None = None, adapt: bool = True
) -> Document:
    """The document with the ops done to it: to its layers, or to the words in its pictures."""
    for op in ops:
        if document.flat:
            document = _on_picture(document, document.layers[0], op, library or here(), adapt)
        elif _live(document, op):
            document = op(document)
        else:
            document = _in_pictures(document, op, library or here(), adapt)
    return document


def _live(document: Document, op: Op) -> bool:
    """Whether an op is about something that stands in the layers as such."""
    if not op.where.text:
        return True
    try:
        hits(document, replace(op.where, every=True))
    except Refused:
        return False
    return True


def _on_picture(
    document: Document, layer: Layer, op: Op, library: Library, adapt: bool
) -> Document:
    from overpaint.editors.typeset.desk import Desk
    from overpaint.editors.typeset.hands import do

    pixels = layer.pixels
    done = do(Desk(np.ascontiguousarray(pixels[:, :, :3]), library, adapt), op)
    changed = (done.pixels != pixels[:, :, :3]).any(axis=2)
    if (pixels[:, :, 3][changed] < 255).any():
        raise Refused(
            f"The words in layer {layer.name!r} stand where it is transparent.",
            "Only words on an opaque ground can be changed.",
        )
    new = replace(layer, content=Picture(np.dstack([done.pixels, pixels[:, :, 3]])))
    layers = (new if one is layer else one for one in document.layers)
    made = replace(document.having(*layers), said=(*document.notes, *done.notes))
    return replace(made, did=op, before=document)


def _in_pictures(document: Document, op: Op, library: Library, adapt: bool) -> Document:
    """The op done in the topmost picture layer that says what it is about."""
    why: Refused | None = None
    for layer in reversed(document.layers):
        if isinstance(layer.content, Picture) and layer.visible and not layer.angle:
            try:
                return _on_picture(document, layer, op, library, adapt)
            except Refused as error:
                why = why or error
    if why is None:
        return op(document)  # which says what there is instead
    raise why
