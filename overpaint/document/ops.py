"""Ops: what can be done to a document. Each is called with one and returns another.

    replace-text · restyle · move · rotate · scale · delete · insert · swap · merge · recolour
    replace-picture · reorder · hide

An op leaves every layer it is not about as it was, to the last bit. The document it returns
remembers it (`did`, `before`), so that a history can be undone, printed and replayed.
"""

from dataclasses import dataclass
from typing import Literal

from overpaint.document.layers import Align, Colour, Point
from overpaint.document.model import Document
from overpaint.document.where import Place, Role, Side, Where

ANYWHERE = Where()


@dataclass(frozen=True)
class Op:
    """Something done to what `where` points at."""

    where: Where = ANYWHERE

    def __call__(self, document: Document) -> Document:
        """The document with this done to it."""
        raise NotImplementedError


@dataclass(frozen=True)
class ReplaceText(Op):
    """Let the words of `where.text`, or all that stands there, say something else."""

    text: str = ""


@dataclass(frozen=True)
class Restyle(Op):
    """Change how words look; None leaves a property as it is."""

    colour: Colour | None = None
    size: float | None = None  # in pixels
    weight: int | None = None
    italic: bool | None = None
    family: str | None = None  # a family, or serif, sans, mono, handwritten, display; "other": any
    align: Align | None = None
    underline: bool | None = None
    strike: bool | None = None


@dataclass(frozen=True)
class Move(Op):
    """Move by an offset, to a place of the canvas, or to one side of something."""

    by: Point | None = None  # pixels to the right and down
    to: Place = ""
    side: Side | Literal[""] = ""
    of: Where | None = None


@dataclass(frozen=True)
class Rotate(Op):
    """Turn clockwise, about the middle."""

    degrees: float = 0.0


@dataclass(frozen=True)
class Scale(Op):
    """Make larger or smaller about the middle; text stays on its baseline."""

    factor: float = 1.0


@dataclass(frozen=True)
class Delete(Op):
    """Take away."""


@dataclass(frozen=True)
class Insert(Op):
    """Put new words, or a picture's file, on one side of `where`, or at its place."""

    text: str = ""
    picture: str = ""
    side: Side = "at"
    what: Role = ""  # sentence (goes on in the paragraph), line (a new one), row, column …
    values: tuple[str, ...] = ()  # of the cells of a new row or column; a column's name is `text`


@dataclass(frozen=True)
class Swap(Op):
    """Exchange two things: words change places with words, layers with layers."""

    other: Where = ANYWHERE


@dataclass(frozen=True)
class Merge(Op):
    """Join two neighbouring cells of a table into one that says `text`."""

    other: Where = ANYWHERE
    text: str = ""


@dataclass(frozen=True)
class Recolour(Op):
    """Give a shape or a picture another colour; a picture keeps its light and shade."""

    colour: Colour = (0, 0, 0, 255)


@dataclass(frozen=True)
class ReplacePicture(Op):
    """Show another picture's file in the same box."""

    picture: str = ""


@dataclass(frozen=True)
class Reorder(Op):
    """Bring to the front, send to the back, or a step forward or backward."""

    to: Literal["front", "back", "forward", "backward"] = "front"


@dataclass(frozen=True)
class Hide(Op):
    """Hide, or show again."""

    visible: bool = False
