"""Ops: what can be done to a document. Each is called with one and returns another.

    replace-text · restyle · move · rotate · scale · delete · insert · swap · merge · recolour
    replace-picture · reorder · hide

An op leaves every layer it is not about as it was, to the last bit. The document it returns
remembers it (`did`, `before`), so that a history can be undone, printed and replayed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from overpaint.document import geometry, grid, inserting, placing, runs, sanity, tree
from overpaint.document.layers import (
    Align,
    Colour,
    Layer,
    Picture,
    Point,
    Style,
    Text,
)
from overpaint.document.model import Document
from overpaint.document.where import Hit, Place, Role, Side, Where, hits, short, whole_lane
from overpaint.errors import Refused, UserMistake

ANYWHERE = Where()


@dataclass(frozen=True)
class Op:
    """Something done to what `where` points at."""

    where: Where = ANYWHERE
    lanes: ClassVar[bool] = False  # whether it may be done to whole rows and columns of tables

    def __call__(self, document: Document) -> Document:
        """The document with this done to it, and the memory of it."""
        sanity.check(self)
        if whole_lane(self.where) and not self.lanes:
            raise Refused(
                "Rows and columns of layered documents cannot be taken out, moved or refilled yet.",
                "They can be restyled; words of single cells can be changed and deleted.",
            )
        return replace(self._done(document), did=self, before=document)

    def _done(self, document: Document) -> Document:
        for layer, spans in _by_layer(hits(document, self.where)):
            document = _with(document, layer, *self._changed(document, layer, spans))
        return document

    def _changed(self, document: Document, layer: Layer, spans: "Spans") -> tuple[Layer, ...]:
        """What becomes of one layer that was pointed at; of a text, of some of its letters."""
        raise NotImplementedError


Spans = list[runs.Span]  # from the last to the first, so that changing one moves no other


@dataclass(frozen=True)
class ReplaceText(Op):
    """Let the words of `where.text`, or all that stands there, say something else."""

    text: str = ""

    def _changed(self, document: Document, layer: Layer, spans: Spans) -> tuple[Layer, ...]:
        text = _text(layer)
        for span in spans:
            text = runs.reworded(text, span, self.text)
        return (placing.kept_inside(document, layer, replace(layer, content=text)),)


@dataclass(frozen=True)
class Restyle(Op):
    """Change how words look; None leaves a property as it is. A colour suits any layer."""

    lanes = True
    colour: Colour | None = None
    size: float | None = None  # in pixels
    weight: int | None = None
    italic: bool | None = None
    family: str | None = None  # a family, or serif, sans, mono, handwritten, display; "other": any
    align: Align | None = None
    underline: bool | None = None
    strike: bool | None = None

    def _changed(self, document: Document, layer: Layer, spans: Spans) -> tuple[Layer, ...]:
        if not isinstance(layer.content, Text) and self.colour is not None and self.only_colour:
            return (geometry.recoloured(layer, self.colour),)
        text = _text(layer)
        for span in spans:
            text = runs.restyled(text, span, self.styled)
        changed = replace(layer, content=text)
        if self.align is not None:
            changed = placing.aligned(document, changed, self.align)
        return (changed,)

    @property
    def only_colour(self) -> bool:
        """Whether nothing but a colour is asked for."""
        return self == Restyle(self.where, colour=self.colour)

    def styled(self, style: Style) -> Style:
        """A style with what is asked for; whoever asks for a colour wants no gradient."""
        asked = {
            name: value
            for name in ("colour", "size", "weight", "italic", "underline", "strike")
            if (value := getattr(self, name)) is not None
        }
        if self.family is not None:
            asked["family"] = placing.family(self.family, style)
        if self.colour is not None:
            asked["gradient"] = None
        return replace(style, **asked)


@dataclass(frozen=True)
class Move(Op):
    """Move by an offset, to a place of the canvas, or to one side of something."""

    by: Point | None = None  # pixels to the right and down
    to: Place = ""
    side: Side | Literal[""] = ""
    of: Where | None = None

    def _changed(self, document: Document, layer: Layer, spans: Spans) -> tuple[Layer, ...]:
        layer = _whole(layer, spans, "moved")
        if self.by is not None:
            return (geometry.shifted(layer, *self.by),)
        if self.of is not None and self.side:
            target = hits(document, self.of)[0].layer
            return (placing.put_beside(document, layer, target, self.side),)
        if self.to:
            corner = placing.at(placing.drawn_box(layer), document.size, self.to)
            return (placing.put(layer, corner),)
        raise UserMistake(
            "A move says neither where to nor how far.", 'Give "by", "to", or "side" and "of".'
        )


@dataclass(frozen=True)
class Rotate(Op):
    """Turn clockwise, about the middle."""

    degrees: float = 0.0

    def _changed(self, document: Document, layer: Layer, spans: Spans) -> tuple[Layer, ...]:
        layer = _whole(layer, spans, "turned")
        if layer.kind == "group":
            raise Refused("A group cannot be turned as one.", "Turn its layers, one by one.")
        return (replace(layer, angle=(layer.angle + self.degrees) % 360),)


@dataclass(frozen=True)
class Scale(Op):
    """Make larger or smaller, about the middle; some words of a text on their baseline."""

    factor: float = 1.0

    def _changed(self, document: Document, layer: Layer, spans: Spans) -> tuple[Layer, ...]:
        geometry.check_scaling(layer, self.factor)
        if not isinstance(layer.content, Text) or Hit(layer, spans[0]).whole:
            return (geometry.scaled(layer, self.factor, geometry.middle(layer)),)
        text = layer.content
        for span in spans:
            text = runs.restyled(text, span, lambda s: geometry.scaled_style(s, self.factor))
        return (replace(layer, content=text),)


@dataclass(frozen=True)
class Delete(Op):
    """Take away."""

    def _changed(self, document: Document, layer: Layer, spans: Spans) -> tuple[Layer, ...]:
        if not isinstance(layer.content, Text) or Hit(layer, spans[0]).whole:
            return ()
        text = layer.content
        for span in spans:
            text = runs.removed(text, span)
        return (replace(layer, content=text),)


@dataclass(frozen=True)
class Insert(Op):
    """Put new words, or a picture's file, on one side of `where`, or at its place."""

    lanes = True
    text: str = ""
    picture: str = ""
    side: Side = "at"
    what: Role = ""  # sentence (goes on in the paragraph), line (a new one), row, column …
    values: tuple[str, ...] = ()  # of the cells of a new row or column; a column's name is `text`

    def _done(self, document: Document) -> Document:
        if self.what in ("row", "column") or self.values:
            raise Refused(f"Tables of layered documents take no new {self.what or 'cells'} yet.")
        if self.where in (ANYWHERE, Where(place=self.where.place)):
            return self._on_canvas(document)
        found = hits(document, self.where)[0]
        layer = found.layer
        ahead = self.side in ("above", "before")
        inside = self.side in ("before", "after", "inside") and isinstance(layer.content, Text)
        if self.text and inside and self.what != "line":
            before = self.side == "before"
            changed = inserting.within(document, found, self.text, before=before)
            return _with(document, layer, changed)
        lined = self.side in ("above", "below") or self.what == "line"
        if self.text and lined and inserting.joins(found, self.where):
            changed = inserting.lined(document, found, self.text, above=ahead)
            return _with(document, layer, changed)
        new = placing.put_beside(document, self._layer(document, layer), layer, self.side)
        return document.having(*tree.added(document.layers, layer, new))

    def _on_canvas(self, document: Document) -> Document:
        new = self._layer(document, None)
        corner = placing.at(placing.drawn_box(new), document.size, self.where.place or "centre")
        return document.having(*document.layers, placing.put(new, corner))

    def _layer(self, document: Document, like: Layer | None) -> Layer:
        new = inserting.new_layer(document, like, text=self.text, picture=self.picture)
        placing.check_length(document, new)
        return new


@dataclass(frozen=True)
class Swap(Op):
    """Exchange two things: parts of texts and cells exchange their words, layers their places."""

    other: Where = ANYWHERE

    def _done(self, document: Document) -> Document:
        one, two = hits(document, self.where)[0], hits(document, self.other)[0]
        if one.layer is two.layer:
            return _with(document, one.layer, _exchanged(one, two))
        seated = all(grid.on_ground(document, hit.layer) for hit in (one, two))
        if one.whole and two.whole and not seated:
            (x0, y0), (x1, y1) = geometry.middle(one.layer), geometry.middle(two.layer)
            made = _with(document, one.layer, geometry.shifted(one.layer, x1 - x0, y1 - y0))
            return _with(made, two.layer, geometry.shifted(two.layer, x0 - x1, y0 - y1))
        first = runs.reworded(_text(one.layer), one.span, two.words)
        second = runs.reworded(_text(two.layer), two.span, one.words)
        made = _with(document, one.layer, replace(one.layer, content=first))
        return _with(made, two.layer, replace(two.layer, content=second))


@dataclass(frozen=True)
class Merge(Op):
    """Join two neighbouring cells of a table into one that says `text`."""

    lanes = True
    other: Where = ANYWHERE
    text: str = ""

    def _done(self, document: Document) -> Document:
        raise Refused("Cells of layered documents cannot be merged yet.")


@dataclass(frozen=True)
class Recolour(Op):
    """Give a shape or a picture another colour; a picture keeps its light and shade."""

    colour: Colour = (0, 0, 0, 255)

    def _changed(self, document: Document, layer: Layer, spans: Spans) -> tuple[Layer, ...]:
        return (geometry.recoloured(layer, self.colour),)


@dataclass(frozen=True)
class ReplacePicture(Op):
    """Show another picture's file in the same box, as large as fills it, its middle kept."""

    picture: str = ""

    def _changed(self, document: Document, layer: Layer, spans: Spans) -> tuple[Layer, ...]:
        if not isinstance(layer.content, Picture):
            raise Refused(f"Layer {layer.name!r} is a {layer.kind}.", "A picture was expected.")
        old, new = layer.pixels, inserting.picture_of(self.picture)
        (high, wide), (own_high, own_wide) = old.shape[:2], new.shape[:2]
        factor = max(high / own_high, wide / own_wide)
        size = (max(wide, round(own_wide * factor)), max(high, round(own_high * factor)))
        geometry.check_growth(self.picture, size)
        grown = geometry.fitted(new, *size)
        left, top = (size[0] - wide) // 2, (size[1] - high) // 2
        cut = np.ascontiguousarray(grown[top : top + high, left : left + wide])
        return (replace(layer, content=Picture(cut)),)


@dataclass(frozen=True)
class Reorder(Op):
    """Bring to the front, send to the back, or a step forward or backward."""

    to: Literal["front", "back", "forward", "backward"] = "front"

    def _done(self, document: Document) -> Document:
        for hit in hits(document, self.where):
            layer = _whole(hit.layer, (hit.span,), "brought forward or sent back")
            document = document.having(*tree.moved(document.layers, layer, self.to))
        return document


@dataclass(frozen=True)
class Hide(Op):
    """Hide, or show again."""

    visible: bool = False

    def _done(self, document: Document) -> Document:
        for hit in hits(document, self.where, hidden=self.visible):
            layer = _whole(hit.layer, (hit.span,), "shown" if self.visible else "hidden")
            document = _with(document, layer, replace(layer, visible=self.visible))
        return document


OPS: tuple[type[Op], ...] = (
    ReplaceText, Restyle, Move, Rotate, Scale, Delete, Insert, Swap, Merge, Recolour,
    ReplacePicture, Reorder, Hide,
)  # fmt: skip


# ── what several ops need ───────────────────────────────────────────────────────────────


def _by_layer(found: tuple[Hit, ...]) -> list[tuple[Layer, Spans]]:
    layers: dict[int, tuple[Layer, Spans]] = {}
    for hit in found:
        layers.setdefault(id(hit.layer), (hit.layer, []))[1].append(hit.span)
    return [(layer, sorted(spans, reverse=True)) for layer, spans in layers.values()]


def _with(document: Document, old: Layer, *new: Layer) -> Document:
    return document.having(*tree.swapped(document.layers, old, *new))


def _text(layer: Layer) -> Text:
    if not isinstance(layer.content, Text):
        raise Refused(
            f"Layer {layer.name!r} is a {layer.kind} and has no live words.",
            "A text layer was expected.",
        )
    return layer.content


def _whole(layer: Layer, spans: Sequence[runs.Span], done: str) -> Layer:
    if isinstance(layer.content, Text) and not Hit(layer, spans[0]).whole:
        part, all_of_it = Hit(layer, spans[0]).words, layer.content.words
        raise Refused(
            f"“{short(part)}” is only a part of the text “{short(all_of_it)}”.",
            f"A whole text layer can be {done}.",
        )
    return layer


def _exchanged(one: Hit, two: Hit) -> Layer:
    first, last = sorted((one, two), key=lambda hit: hit.span)
    if first.span[1] > last.span[0]:
        raise Refused(
            f"“{short(one.words)}” and “{short(two.words)}” overlap.", "Two things were expected."
        )
    text = runs.reworded(_text(one.layer), last.span, first.words)
    return replace(one.layer, content=runs.reworded(text, first.span, last.words))
