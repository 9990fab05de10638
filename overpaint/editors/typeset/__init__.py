"""Typeset: finds words by OCR, erases them, and sets new ones in their font. No model at all."""

from dataclasses import dataclass

from overpaint.core import Request
from overpaint.document import Document
from overpaint.document.instruct import parse
from overpaint.document.ops import Insert, Op, ReplacePicture
from overpaint.document.text.fonts import Library, here
from overpaint.editors.typeset.layered import Pictures, live
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
        if not document.flat and live(document, op):
            document = op(document)
            continue
        shown = Pictures(document, library or here(), adapt)
        document = shown.on(document.layers[0], op) if document.flat else shown.with_done(op)
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
