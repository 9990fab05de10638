"""Document: ordered layers on a canvas, immutable, read from their file when first looked at."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overpaint.document import regular
from overpaint.document.layers import Layer, Picture, Pixels, walk
from overpaint.document.pictures import (
    encode_png,
    flatten,
    is_markup,
    is_there,
    read_file,
    read_picture,
    with_alpha,
)
from overpaint.document.render import render

if TYPE_CHECKING:
    from overpaint.document.ops import Op


@dataclass(frozen=True, eq=False)
class Document:
    """Ordered layers, from a file (`path`) or made in memory (`made`).

    A document from a file travels between processes as its path and is decoded when first
    looked at; reading errors therefore surface as `PictureError` at that moment.
    """

    path: Path | None = None
    made: tuple[Layer, ...] = ()
    canvas: tuple[int, int] | None = None  # width, height; None: as large as the first layer
    page: int = 1  # of a file that has several
    # The file the layers came from. A writer of that format changes what was edited and keeps
    # all the rest of it, understood or not.
    origin: Path | None = None
    said: tuple[str, ...] = ()  # notes, for a document made in memory
    # What was done last, and to what: the whole history, sharing every layer that stayed.
    did: "Op | None" = None
    before: "Document | None" = field(default=None, repr=False)

    @classmethod
    def of(cls, pixels: Pixels, name: str = "picture") -> "Document":
        """A document of one layer from H×W×3 or H×W×4 pixels."""
        return cls(made=(Layer(Picture(with_alpha(pixels)), name, id="1"),))

    # ── what is in it ───────────────────────────────────────────────────────────────────

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """The layers, bottom first."""
        return self.opened.made if self.path else self.made

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height of the canvas."""
        if self._picture:
            high, wide = self._picture[0].shape[:2]
            return wide, high
        if self.path:
            return self.opened.size
        if self.canvas is None:
            high, wide = self.made[0].pixels.shape[:2]
            return wide, high
        return self.canvas

    @property
    def flat(self) -> bool:
        """Whether it is a plain picture: one layer that fills the canvas and hides nothing."""
        if len(self.layers) != 1 or not isinstance(self.layers[0].content, Picture):
            return False
        only = self.layers[0]
        plain = Layer(only.content, only.name, only.id)
        return only == plain and only.pixels.shape[1::-1] == self.size

    def __iter__(self) -> Iterator[Layer]:
        """Every layer, those in groups as well, bottom first."""
        return walk(self.layers)

    @cached_property
    def rgb(self) -> Pixels:
        """The flattened picture, H×W×3, transparent parts over white."""
        if self._picture:
            return flatten(self._picture[0])
        if self.flat:
            return flatten(self.layers[0].pixels)
        return render(self.layers, self.size, over=(255, 255, 255, 255))[:, :, :3]

    @cached_property
    def rgba(self) -> Pixels:
        """The flattened picture with its transparency, H×W×4."""
        return self.layers[0].pixels if self.flat else render(self.layers, self.size)

    @property
    def notes(self) -> tuple[str, ...]:
        """What reading had to change ("16 bits reduced to 8", "turned as EXIF says")."""
        return self._picture[1] if self._picture else self.opened.said

    # ── how it is kept ──────────────────────────────────────────────────────────────────

    @cached_property
    def key(self) -> str:
        """SHA-256 of the bytes this document is stored as; equal keys, equal pictures."""
        told = hashlib.sha256(self.encoded)
        if self.page > 1:
            told.update(str(self.page).encode())
        return told.hexdigest()

    @property
    def encoded(self) -> bytes:
        """The file's own bytes, or a PNG of what was made in memory, or an ORA of its layers."""
        if self.path and not self.path.is_dir():
            return read_file(self.path)
        if self.flat:
            return encode_png(self.layers[0].pixels)
        from overpaint.document import ora  # which itself makes documents

        return ora.encoded(self)

    @cached_property
    def opened(self) -> "Document":
        """The same document with its layers in memory."""
        if self.path is None:
            return self
        if self._picture:
            pixels, notes = self._picture
            layer = Layer(Picture(with_alpha(pixels)), "picture", id="1")
            return Document(made=(layer,), origin=self.path, said=notes)
        from overpaint.document import files  # which itself makes documents

        return files.read(self.path, self.page)

    @cached_property
    def _picture(self) -> tuple[Pixels, tuple[str, ...]] | None:
        """The pixels of a flat picture's file, without alpha where it has none."""
        return read_picture(self.path) if self.path and not _has_layers(self.path) else None

    # ── how it changes ──────────────────────────────────────────────────────────────────

    def having(self, *layers: Layer) -> "Document":
        """The same canvas with other layers; neither its history nor this document changes."""
        return replace(self.opened, made=layers, canvas=self.size)

    def layer(self, name: str) -> Layer:
        """The layer of that id."""
        return next(layer for layer in self if layer.id == name)

    @property
    def history(self) -> "tuple[Op, ...]":
        """The ops that made it, oldest first."""
        found: list[Op] = []
        step: Document | None = self
        while step is not None and step.did is not None:
            found.append(step.did)
            step = step.before
        return tuple(reversed(found))

    def undone(self) -> "Document":
        """The document before the last op; itself where nothing was done."""
        return self.before if self.before is not None else self

    def __eq__(self, other: object) -> bool:
        """Whether canvas and layers are the same, whatever file or history they came from."""
        if not isinstance(other, Document):
            return NotImplemented
        return self is other or (self.size == other.size and self.layers == other.layers)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        # Decoded pixels stay where they were decoded; a path is enough to read them again.
        if self.path:
            return (Document, (self.path, (), None, self.page))
        return (Document, (None, self.made, self.canvas, self.page, self.origin, self.said))


def _has_layers(path: Path) -> bool:
    """Whether it is a folder, or begins like one of the files that hold layers."""
    if is_there(path, "folder"):
        return True
    try:
        head = regular.read(path, 256)
    except OSError:
        return False  # reading it as a picture says what is wrong
    known = head.startswith((b"8BPS", b"PK\x03\x04", b"%PDF")) or is_markup(head)
    return known or head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
