"""Layered: words in the picture layers of a document, and in which of them they are meant."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from overpaint.document import Document, Layer, Picture
from overpaint.document.boxes import Box, rounded
from overpaint.document.layers import Group
from overpaint.document.ops import Move, Op, Recolour, ReplaceText, Restyle, Swap
from overpaint.document.text.fonts import Library
from overpaint.document.tree import swapped
from overpaint.document.where import WORDLESS, Hit, Where, hits
from overpaint.errors import NotThere, Refused

_SAYING = (ReplaceText, Restyle)  # ops on words, not on the layer that shows them
_TABLES = ("table", "row", "column", "cell")


def live(document: Document, op: Op) -> bool:
    """Whether an op is about something that stands in the layers as such."""
    if not all(_stands(document, where) for where in _pointed(op)):
        return False
    saying = isinstance(op, _SAYING) and not _wordless(op.where)
    return not (saying and _pictured(_hits(document, op.where)))


def _pointed(op: Op) -> tuple[Where, ...]:
    """All that an op is about: one thing, or two."""
    other = getattr(op, "other", None) or getattr(op, "of", None)
    return (op.where,) if other is None else (op.where, other)


def _stands(document: Document, where: Where) -> bool:
    return _wordless(where) or bool(_hits(document, where))


def _wordless(where: Where) -> bool:
    """Whether something is pointed at that need not have words."""
    return not (where.text or where.row or where.column) and where.role in ("", *WORDLESS)


def _hits(document: Document, where: Where) -> tuple[Hit, ...]:
    try:
        return hits(document, replace(where, every=True))
    except Refused:
        return ()


def _pictured(found: Iterable[Hit]) -> bool:
    return all(isinstance(hit.layer.content, Picture) for hit in found)


@dataclass(frozen=True)
class Pictures:
    """The pictures of a document, and what words are set in there."""

    document: Document
    library: Library
    adapt: bool = True  # whether letters of unknown fonts are cut from the picture

    def with_done(self, op: Op) -> Document:
        """The op done in the picture layer that says what it is about."""
        where, named = op.where, [hit.layer for hit in _hits(self.document, op.where)]
        if where.text or where.row or where.column or where.role in _TABLES:
            return self._in_first(op, [where], list(pictures(self.document.layers)), bool(named))
        if not named:
            return self._by_reading(op)
        # Of a layer that is called after a role, what has it; or else all that it says.
        said = Where(role="text", every=isinstance(op, Restyle))
        return self._in_first(op, [where, said], named, True)

    def _in_first(
        self, op: Op, ways: Sequence[Where], layers: Sequence[Layer], named: bool
    ) -> Document:
        """The op in the first layer that fits the first way to point at it."""
        why: NotThere | None = None
        for where in ways:
            try:
                return self._in_any(op, replace(op, where=where), layers)
            except NotThere as error:
                why = why or error
        if (whole := self._on_layers(op)) is not None:
            return replace(whole(self.document), did=op)
        others = all(_stands(self.document, where) for where in _pointed(op)[1:])
        if (named and others) or why is None:
            return op(self.document)  # a picture without words may still take another colour
        raise why

    def _on_layers(self, op: Op) -> Op | None:
        """An op on two things, each of which is all that some layer says, as one on the layers."""
        name = "other" if isinstance(op, Swap) else "of" if isinstance(op, Move) and op.of else ""
        if not name:
            return None
        one, two = (self._saying_only(where) for where in (op.where, getattr(op, name)))
        if one is None or two is None or one is two:
            return None
        return replace(op, where=Where(layer=one.id), **{name: Where(layer=two.id)})

    def _saying_only(self, where: Where) -> Layer | None:
        """The layer that says what is pointed at, and nothing else."""
        found = _hits(self.document, where)
        if found:
            return found[0].layer if len(found) == 1 and found[0].whole else None
        shown = pictures(self.document.layers)
        return next((one for one in shown if self._says_only(one, where)), None)

    def _says_only(self, layer: Layer, where: Where) -> bool:
        from overpaint.editors.typeset import floating
        from overpaint.editors.typeset.locate import find, read_page
        from overpaint.editors.typeset.matching import fold
        from overpaint.vision.lettered import grounds

        pixels = floating.with_room(floating.seen(layer), self.document.size, whole=False).pixels
        for ground in grounds(pixels):
            page = read_page(floating.laid(pixels, ground))
            try:
                found = find(page, where)
            except Refused:
                continue
            page.read_all()
            return fold("".join(one.words for one in found)) == fold("".join(page.texts))
        return False

    def _by_reading(self, op: Op) -> Document:
        """The op on words whose role is told from the whole page, in the layer that shows them."""
        from overpaint.editors.typeset.locate import find, read_page

        if not any(pictures(self.document.layers)):
            return op(self.document)  # which says what live texts there are
        try:
            found = find(read_page(self.document.rgb), op.where)
        except NotThere as error:
            raise self._in_neither(op, [error]) from None
        done = self.document
        for one in found:
            shown = _showing(done, rounded(one.box))
            only = replace(op, where=Where(text=one.words))
            done = replace(self, document=done)._in_any(op, only, shown)
        return replace(done, before=self.document)

    def _in_any(self, op: Op, narrowed: Op, layers: Iterable[Layer]) -> Document:
        """The op done in the first of some layers that has what it is about."""
        absent: list[NotThere] = []
        why: Refused | None = None
        for layer in layers:
            try:
                return replace(self.on(layer, narrowed), did=op)
            except NotThere as error:
                absent.append(error)
            except Refused as error:
                why = why or error
        raise why or self._in_neither(op, absent)

    def on(self, layer: Layer, op: Op) -> Document:
        """The op done to the words in one picture layer, as they are seen."""
        from overpaint.editors.typeset import floating
        from overpaint.editors.typeset.desk import Desk
        from overpaint.editors.typeset.hands import do

        if not isinstance(layer.content, Picture):
            raise NotThere(f"Layer {layer.name!r} is a {layer.kind}, and shows no picture.")
        document = self.document
        whole = isinstance(op, Move) and bool(op.to)
        bare = floating.seen(layer)
        roomy = bare if document.flat else floating.with_room(bare, document.size, whole=whole)
        colour = op.colour if isinstance(op, (Restyle, Recolour)) else None
        pixels, notes = floating.edited(
            roomy.pixels, lambda flat: do(Desk(flat, self.library, self.adapt), op), colour=colour
        )
        new, more = floating.masked_again(replace(roomy, content=Picture(pixels)), roomy, layer)
        new = new if roomy is bare else floating.trimmed(new, layer)
        made = document.having(*swapped(document.layers, layer, new))
        made = replace(made, said=(*document.notes, *notes, *more))
        return replace(made, did=op, before=document)

    def _in_neither(self, op: Op, absent: Sequence[NotThere]) -> Refused:
        """That words stand neither in live texts nor in pictures, with what stands there."""
        for why in absent:
            if any(other.text and why.sought == other.text for other in _pointed(op)[1:]):
                return why  # the layer has the first of two things, and lacks the second
        for where in _pointed(op):
            try:
                hits(self.document, replace(where, every=True))
            except Refused as told:
                return self._lacking(where, told, absent) if absent else told
        return NotThere("Nothing that was pointed at has words in it.")

    def _lacking(self, where: Where, told: Refused, absent: Sequence[NotThere]) -> NotThere:
        """What live texts say, with the words in pictures that are the nearest, or all of them."""
        near = next((error for error in absent if error.nearest), None)
        if near is None:
            near = max(absent, key=lambda error: bool(error.right))
            near = self._read_at_once(where) or near if len(absent) > 1 else near
        also = f"In its pictures they are not either: {near.wrong} {near.right}".strip()
        return NotThere(told.wrong, f"{told.right} {also}", near.todo)

    def _read_at_once(self, where: Where) -> NotThere | None:
        """What all pictures together say in place of what is sought; None where they are silent."""
        from overpaint.editors.typeset.locate import read_page
        from overpaint.editors.typeset.refusing import missing

        shown = self.document.having(*reversed(list(pictures(self.document.layers))))
        told = missing(read_page(shown.rgb), where)
        return told if told.right else None


def pictures(layers: tuple[Layer, ...]) -> Iterator[Layer]:
    """The pictures that are seen and stand upright, topmost first."""
    for layer in reversed(layers):
        if layer.visible and isinstance(layer.content, Group):
            yield from pictures(layer.content.layers)
        elif (
            layer.visible
            and isinstance(layer.content, Picture)
            and not layer.angle
            and layer.pixels.size
        ):
            yield layer


def _showing(document: Document, box: Box) -> Iterator[Layer]:
    """The pictures with something in a box of the canvas, topmost first."""
    for layer in pictures(document.layers):
        x, y = round(layer.left), round(layer.top)
        part = layer.pixels[max(0, box[1] - y) : max(0, box[3] - y),
                            max(0, box[0] - x) : max(0, box[2] - x), 3]  # fmt: skip
        if np.any(part):
            yield layer
