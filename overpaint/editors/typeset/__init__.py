"""Typeset: finds words by OCR, erases them, and sets new ones in their font. No model at all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from overpaint.core import Request
from overpaint.document import Document, Layer, Picture
from overpaint.document.instruct import parse
from overpaint.document.layers import Group
from overpaint.document.ops import Insert, Move, Op, Recolour, ReplacePicture, Restyle
from overpaint.document.text.fonts import Library, here
from overpaint.document.tree import swapped
from overpaint.document.where import hits
from overpaint.errors import Refused


@dataclass(frozen=True)
class Typeset:
    """Sets new words in the font of the old ones; what it does not understand it refuses."""

    library: Library | None = None  # fonts to choose from; None: all that are here
    adapt: bool = True  # whether letters of unknown fonts are cut from the picture

    def __call__(self, request: Request) -> Document:
        ops = parse(request.instruction)
        _check_files(ops)
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


def _check_files(ops: tuple[Op, ...]) -> None:
    """Refuse ops that name a file: who wrote a sample's instruction may not have files opened."""
    for op in ops:
        if isinstance(op, (Insert, ReplacePicture)) and op.picture:
            raise Refused(
                f"The instruction names the file {op.picture!r}.",
                "The instruction of a sample may use no files of this machine.",
                "For your own files there is “overpaint edit”.",
            )


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
    from overpaint.editors.typeset import floating
    from overpaint.editors.typeset.desk import Desk
    from overpaint.editors.typeset.hands import do

    whole = isinstance(op, Move) and bool(op.to)
    bare = floating.seen(layer)
    roomy = bare if document.flat else floating.with_room(bare, document.size, whole=whole)
    colour = op.colour if isinstance(op, (Restyle, Recolour)) else None
    pixels, notes = floating.edited(
        roomy.pixels, lambda flat: do(Desk(flat, library, adapt), op), colour=colour
    )
    new, more = floating.masked_again(replace(roomy, content=Picture(pixels)), roomy, layer)
    new = new if roomy is bare else floating.trimmed(new, layer)
    made = document.having(*swapped(document.layers, layer, new))
    made = replace(made, said=(*document.notes, *notes, *more))
    return replace(made, did=op, before=document)


def _in_pictures(document: Document, op: Op, library: Library, adapt: bool) -> Document:
    """The op done in the topmost picture layer that says what it is about."""
    from overpaint.editors.typeset.refusing import NotThere

    absent: list[NotThere] = []
    why: Refused | None = None
    for layer in _pictures(document.layers):
        try:
            return _on_picture(document, layer, op, library, adapt)
        except NotThere as error:
            absent.append(error)
        except Refused as error:
            why = why or error
    if why is not None:
        raise why
    try:
        return op(document)  # which says what live texts there are
    except Refused as error:
        raise _in_neither(error, absent) from None


def _pictures(layers: tuple[Layer, ...]) -> Iterator[Layer]:
    """The pictures that are seen and stand upright, topmost first."""
    for layer in reversed(layers):
        if layer.visible and isinstance(layer.content, Group):
            yield from _pictures(layer.content.layers)
        elif (
            layer.visible
            and isinstance(layer.content, Picture)
            and not layer.angle
            and layer.pixels.size
        ):
            yield layer


def _in_neither(live: Refused, absent: Sequence[Refused]) -> Refused:
    """That words stand neither in the live texts nor in the pictures, with what stands there."""
    if not absent:
        return live
    near = next((error for error in absent if error.right), absent[0])
    pictures = f"In its pictures they are not either: {near.wrong} {near.right}".strip()
    return Refused(live.wrong, f"{live.right} {pictures}", near.todo)
