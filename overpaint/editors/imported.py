"""`imported:HASH`: an editor whose edits came in a bundle; it cannot be asked here."""

from dataclasses import dataclass

from overpaint.core import Request
from overpaint.document import Document
from overpaint.errors import NoOutput


@dataclass(frozen=True)
class Imported:
    """Made elsewhere, by an editor that its owner did not show; `overpaint import` brought it."""

    maker: str = ""

    def __call__(self, request: Request) -> Document:
        raise NoOutput(
            "The bundle that this editor came in has no edit of this sample.",
            "It was made elsewhere and cannot be asked here.",
            "Ask whoever made it for a bundle that has it, and `overpaint import` that.",
        )
