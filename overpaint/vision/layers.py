"""Layers as they are told to somebody who decides about them: class, words, colours and place."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "image", "decoration"]  # MiLDE's classes
KINDS: tuple[Kind, ...] = ("text", "image", "decoration")


@dataclass(frozen=True)
class Seen:
    """One layer of a document, described in words and numbers."""

    id: str
    name: str
    kind: Kind
    words: str  # what it says; read by OCR where it is a picture, "" where it says nothing
    colours: tuple[str, ...]  # "#rrggbb", what covers most first; at most three
    box: tuple[int, int, int, int]  # left, top, right, bottom of what is seen of it on the canvas
    place: str  # "top left", "centre", "bottom right" …
    covers: float  # the share of the canvas that it paints
    live: bool  # whether its words can be changed as words
