"""Hands: one layer edited as a prompt says, and no other layer touched.

Words are set by the typesetter, colours and places changed by ops; what a picture shows is left to
an image editor, and refused where there is none.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from overpaint.core import Editor
from overpaint.document import Document, Layer, Picture, sanity
from overpaint.document.instruct import parse
from overpaint.document.layers import Text
from overpaint.document.ops import Insert, Op, Recolour, ReplacePicture, ReplaceText, Restyle
from overpaint.document.roles import PATTERNS, labelled, wholes
from overpaint.document.text.fonts import here
from overpaint.document.tree import swapped
from overpaint.document.where import Where
from overpaint.editors.agent.phrasing import bare, ways
from overpaint.errors import NotThere, Refused, UserMistake
from overpaint.vision.layers import Seen

Understand = Callable[[str, Seen, Refused], tuple[Op, ...]]


@dataclass(frozen=True)
class Hands:
    """Carries out what was decided for a layer."""

    image_editor: Editor | None = None  # for what pictures show
    understand: Understand | None = None  # whoever is asked where the rules do not understand

    def edit(self, document: Document, seen: Seen, prompt: str) -> Document:
        """The document with that layer edited; `Refused` where it cannot be, or others would be."""
        done = self._edited(document, seen, prompt)
        if not _same_but(document, done, seen.id):
            raise Refused(
                f"The prompt “{prompt[:80]}” would change more than layer {seen.name!r}.",
                "What is decided for a layer changes that layer alone, in its place in the stack.",
            )
        return done

    def _edited(self, document: Document, seen: Seen, prompt: str) -> Document:
        try:
            ops = self._ops(prompt, seen)
        except Refused as refusal:
            if seen.kind == "text":
                raise
            return self._painted(document, seen, prompt, refusal)
        try:
            for op in ops:
                document = self._done(document, seen, op)
        except NotThere as refusal:
            if seen.kind == "text":
                raise
            return self._painted(document, seen, prompt, refusal)
        return document

    def _ops(self, prompt: str, seen: Seen) -> tuple[Op, ...]:
        """What the prompt asks for; its own layer may be called "it"."""
        why: Refused | None = None
        for words in ways(prompt, seen.kind):
            try:
                found = parse(words)
            except (Refused, UserMistake) as error:  # a prompt too long for any sentence, too
                why = why or Refused(error.wrong, error.right, error.todo)
            else:
                _check(found)
                return found
        assert why is not None
        if self.understand is not None:
            return self.understand(prompt, seen, why)
        raise why

    def _done(self, document: Document, seen: Seen, op: Op) -> Document:
        """One op on that layer: on the layer as such, or on the words in its picture."""
        layer = _leaves(document).get(seen.id)
        if layer is None:
            raise Refused(f"Layer {seen.name!r} is gone already.", "Its edit came before this one.")
        if isinstance(layer.content, Picture) and seen.words and _about_words(op, seen):
            from overpaint.editors.typeset.layered import Pictures

            shown = Pictures(document, here())
            return shown.on(layer, replace(op, where=_inside(op.where, seen)))
        if isinstance(op, ReplaceText) and seen.kind != "text":
            raise NotThere(f"Layer {seen.name!r} says nothing that could be replaced.")
        return _bound(op, seen, layer)(document)

    def _painted(self, document: Document, seen: Seen, prompt: str, refusal: Refused) -> Document:
        """The layer as an image editor makes it, under its own alpha and in its own place."""
        if self.image_editor is None:
            raise Refused(
                "It is a picture, and no image editor is named to change what it shows.",
                "Words, colours and places are changed without one.",
                "Name one: agent:rules;image=EDITOR, as images:VENDOR/MODEL, diffusers:MODEL …",
            ) from refusal
        from overpaint.editors.agent.painting import layer_edit

        layer = _leaves(document)[seen.id]
        if not isinstance(layer.content, Picture):
            raise refusal
        pixels, notes = layer_edit(self.image_editor, layer.pixels, prompt)
        new = replace(layer, content=Picture(pixels))
        made = document.having(*swapped(document.layers, layer, new))
        return replace(made, said=(*document.notes, *notes))


def _leaves(document: Document) -> dict[str, Layer]:
    return {layer.id: layer for layer in document if layer.kind != "group"}


def _same_but(before: Document, after: Document, layer: str) -> bool:
    """Whether nothing but that layer differs: it may have gone, the others stay as they stand."""
    old, new = _leaves(before), _leaves(after)
    if list(new) != [name for name in old if name in new or name != layer]:
        return False
    return all(new[name] is old[name] or new[name] == old[name] for name in new if name != layer)


def _check(ops: tuple[Op, ...]) -> None:
    """Refuse ops beyond all reason, and those that name a file: prompts are not a user's own."""
    for op in ops:
        try:
            sanity.check(op)
        except UserMistake as error:
            raise Refused(error.wrong, error.right, error.todo) from error
        if isinstance(op, Insert | ReplacePicture) and op.picture:
            raise Refused(
                f"The prompt names the file {op.picture!r}.", "A prompt may use no files."
            )


def _about_words(op: Op, seen: Seen) -> bool:
    """Whether an op is on words rather than on the layer that shows them."""
    if isinstance(op, ReplaceText | Insert):
        return True
    if isinstance(op, Restyle):
        return not op.only_colour or bool(op.where.text and not _all_of_it(op.where, seen))
    return bool(op.where.text and not _all_of_it(op.where, seen))


def _all_of_it(where: Where, seen: Seen) -> bool:
    return bare(where.text) == bare(seen.words)


def _inside(where: Where, seen: Seen) -> Where:
    """What of the words in a layer's picture is meant."""
    if where.text and not _all_of_it(where, seen):
        return Where(text=where.text, nth=where.nth, every=where.every)
    if _has(where.role, seen.words):
        return Where(role=where.role, nth=where.nth, every=where.every)
    return Where(text=seen.words)


def _has(role: str, words: str) -> bool:
    """Whether some of these words, as a date among others, have that role."""
    pattern = PATTERNS.get(role)
    return bool((pattern and pattern.search(words)) or labelled(role, words) or wholes(role, words))


def _bound(op: Op, seen: Seen, layer: Layer) -> Op:
    """The op on this layer, or on those of its words that are meant."""
    own, meant = Where(layer=seen.id), _inside(op.where, seen)
    if isinstance(layer.content, Text) and meant.text != seen.words:
        own = replace(meant, layer=seen.id)
    if isinstance(op, Restyle) and op.only_colour and op.colour and not seen.live:
        return Recolour(own, op.colour)
    if isinstance(op, Insert) and op.side == "at":
        return replace(op, where=own, side="after")
    return replace(op, where=own)
