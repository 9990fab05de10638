"""The pictures of a study: known by their content, and sent as pixels alone.

A file may name the program or the model that made it (ComfyUI writes its whole workflow into a
PNG), and so may its kind, where one editor writes JPEG and another PNG. So raters get every
picture as a PNG of the very pixels that measures see.
"""

import hashlib
import re
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from overpaint.document import Document
from overpaint.document.pictures import encode_png, read_size
from overpaint.errors import OverpaintError, PictureError
from overpaint.store.pictures import PICTURES

MEDIA = "image/png"
MEGABYTES = 192  # of pictures kept in memory, as sent
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Picture:
    """A picture's file, its content's hash, and its size as it is shown."""

    path: Path
    sha256: str
    width: int
    height: int


def picture_of(document: Document) -> Picture:
    """The picture of a document that has a file; PictureError where it cannot be shown."""
    if document.path is None:
        raise PictureError("A picture without a file cannot be shown to raters.")
    path = document.path.absolute()
    # A run's own pictures bear their hash, which is held against them again when they are shown.
    named = _HASH.fullmatch(path.stem) and path.parent.parent.name == PICTURES
    return Picture(path, path.stem if named else _digest(path), *shown_size(path))


def shown_size(path: Path) -> tuple[int, int]:
    """Width and height of a picture's file as it is shown; PictureError if it cannot be."""
    try:
        return read_size(path)
    except PictureError:  # a layered document, or none at all
        return _opened_size(path)


def _opened_size(path: Path) -> tuple[int, int]:
    try:
        return Document(path).size
    except OverpaintError as error:
        raise PictureError(f"{path} cannot be shown: {error}") from error


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise PictureError(f"{path} cannot be read: {error.strerror}.") from error


class Gallery:
    """Pictures as they are sent, the latest of them kept in memory; any thread may ask."""

    def __init__(self, megabytes: int = MEGABYTES) -> None:
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._room, self._size = megabytes * 2**20, 0
        self._lock = threading.Lock()

    def shown(self, picture: Picture) -> bytes:
        """The picture as a PNG; PictureError if it is not what it was."""
        with self._lock:
            if picture.sha256 in self._kept:
                self._kept.move_to_end(picture.sha256)
                return self._kept[picture.sha256]
        found = read_shown(picture)
        with self._lock:
            if picture.sha256 not in self._kept:
                self._kept[picture.sha256] = found
                self._size += len(found)
            while self._size > self._room and len(self._kept) > 1:
                self._size -= len(self._kept.popitem(last=False)[1])
        return found


def read_shown(picture: Picture) -> bytes:
    """The picture as raters get it, if its file is still the one the study began with."""
    try:
        data = picture.path.read_bytes()
    except OSError as error:
        raise PictureError("The picture cannot be read any more.") from error
    if hashlib.sha256(data).hexdigest() != picture.sha256:
        raise PictureError("The picture has changed since the study began.")
    return encode_png(Document(picture.path).rgb)
