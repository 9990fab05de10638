"""Document and Layer: immutable, read from their file when first looked at."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.document.pictures import encode_png, flatten, read_file, read_picture

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Layer:
    """One sheet of a document: RGBA pixels, H×W×4, and a name."""

    pixels: Pixels
    name: str = ""


@dataclass(frozen=True, eq=False)
class Document:
    """Ordered layers, from a file (`path`) or made in memory (`made`).

    A document from a file travels between processes as its path and is decoded when first
    looked at; reading errors therefore surface as `PictureError` at that moment.
    """

    path: Path | None = None
    made: tuple[Layer, ...] = ()

    @classmethod
    def of(cls, pixels: Pixels, name: str = "picture") -> "Document":
        """A document of one layer from H×W×3 or H×W×4 pixels."""
        return cls(made=(Layer(_with_alpha(pixels), name),))

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """The layers, bottom first."""
        return (Layer(_with_alpha(self._read[0]), "picture"),) if self.path else self.made

    @cached_property
    def rgb(self) -> Pixels:
        """The flattened picture, H×W×3, transparent parts over white."""
        pixels = self._read[0] if self.path else self.made[0].pixels
        return flatten(pixels)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What reading had to change ("16 bits reduced to 8", "turned as EXIF says")."""
        return self._read[1] if self.path else ()

    @cached_property
    def key(self) -> str:
        """SHA-256 of the bytes this document is stored as; equal keys, equal pictures."""
        return hashlib.sha256(self.encoded).hexdigest()

    @property
    def encoded(self) -> bytes:
        """The file's own bytes, or a PNG of what was made in memory."""
        return read_file(self.path) if self.path else encode_png(self.made[0].pixels)

    @cached_property
    def _read(self) -> tuple[Pixels, tuple[str, ...]]:
        assert self.path is not None
        return read_picture(self.path)

    def __reduce__(self) -> tuple[Any, ...]:
        # Decoded pixels stay where they were decoded; a path is enough to read them again.
        return (Document, (self.path, self.made))


def _with_alpha(pixels: Pixels) -> Pixels:
    if pixels.shape[2] == 4:
        return pixels
    opaque = np.full((*pixels.shape[:2], 1), 255, np.uint8)
    return np.concatenate([pixels, opaque], axis=2)
