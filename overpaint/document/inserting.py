"""Inserting: new words within a text, as a line of it, or as a layer; and new pictures."""

from dataclasses import replace
from pathlib import Path

from overpaint.document import placing, runs
from overpaint.document.layers import Layer, Picture, Pixels, Run, Text
from overpaint.document.model import Document
from overpaint.document.where import Hit, Where
from overpaint.errors import UserMistake


def within(document: Document, found: Hit, words: str, *, before: bool) -> Layer:
    """The text with more words right before or after those that were pointed at."""
    text = found.layer.content
    assert isinstance(text, Text)
    at = found.span[0] if before else found.span[1]
    joined = placing.joined(text.words[:at], words, text.words[at:])
    changed = replace(found.layer, content=runs.reworded(text, (at, at), joined))
    return placing.kept_inside(document, found.layer, changed)


def joins(found: Hit, where: Where) -> bool:
    """Whether a line above or below what was pointed at is one of the same text."""
    text = found.layer.content
    if not isinstance(text, Text):
        return False
    if "\n" in text.words.strip("\n"):
        return not found.whole or where.role in ("list", "line")
    return bool(text.style.bullet and where.text)  # a list of one


def lined(document: Document, found: Hit, words: str, *, above: bool) -> Layer:
    """The text with a new line above or below the one that was pointed at."""
    text = found.layer.content
    assert isinstance(text, Text)
    changed = replace(found.layer, content=runs.with_line(text, found.span, words, above=above))
    return placing.kept_inside(document, found.layer, changed)


def new_layer(document: Document, like: Layer | None, *, text: str, picture: str) -> Layer:
    """A layer of words, in the style of another, or of a picture's file; it has no place yet."""
    if picture:
        return Layer(Picture(picture_of(picture)), Path(picture).stem, _new(document))
    if not text:
        raise UserMistake("An insertion brings neither words nor a picture.")
    style = placing.style_for(document, like)
    return Layer(Text((Run(text, style),)), text[:40], _new(document))


def picture_of(path: str) -> Pixels:
    """The pixels of a picture's file."""
    if not path:
        raise UserMistake("The picture to show is not named.", "A picture's file was expected.")
    return Document(Path(path)).rgba


def _new(document: Document) -> str:
    """An id that no layer has."""
    taken = {layer.id for layer in document}
    return next(name for n in range(1, len(taken) + 2) if (name := f"new-{n}") not in taken)
