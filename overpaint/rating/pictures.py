"""The pictures of a study: known by their content, shown without whatever else their files say.

A file may name the program or the model that made it (ComfyUI writes its whole workflow into a
PNG). Raters get the pixels and their colours only; anything a browser cannot show becomes a PNG.
"""

import hashlib
import re
import struct
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from overpaint.document import Document
from overpaint.document.pictures import encode_png
from overpaint.errors import OverpaintError, PictureError
from overpaint.store.pictures import PICTURES

Shown = tuple[bytes, str]  # a picture as it is sent, and its media type
MEGABYTES = 192  # of pictures kept in memory, as sent

_PNG = b"\x89PNG\r\n\x1a\n"
# What decides how pixels look; all other chunks are somebody's remarks.
_PNG_KEPT = {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP",
             b"sBIT", b"pHYs"}  # fmt: skip
_WEBP_KEPT = {b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ICCP"}
_END_OF_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_HASH = re.compile(r"[0-9a-f]{64}")
_ORIENTATION = 274  # the EXIF tag that says how a camera was held


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
    digest = path.stem if named else _digest(path)
    width, height = _plain_size(path) or document.size
    return Picture(path, digest, width, height)


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise PictureError(f"{path} cannot be read: {error.strerror}.") from error


def _plain_size(path: Path) -> tuple[int, int] | None:
    """Width and height of a file that a browser shows as it is; None of any other."""
    try:
        with Image.open(path) as picture:
            still = getattr(picture, "n_frames", 1) == 1
            plain = picture.format in ("PNG", "JPEG", "WEBP") and still
            turned = picture.getexif().get(_ORIENTATION, 1) != 1
            deep = picture.mode.startswith(("I", "F"))
            return picture.size if plain and not turned and not deep else None
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


class Gallery:
    """Pictures as they are sent, the latest of them kept in memory; any thread may ask."""

    def __init__(self, megabytes: int = MEGABYTES) -> None:
        self._kept: OrderedDict[str, Shown] = OrderedDict()
        self._room, self._size = megabytes * 2**20, 0
        self._lock = threading.Lock()

    def shown(self, picture: Picture) -> Shown:
        """The picture's bytes and media type; PictureError if it is not what it was."""
        with self._lock:
            if picture.sha256 in self._kept:
                self._kept.move_to_end(picture.sha256)
                return self._kept[picture.sha256]
        found = read_shown(picture)
        with self._lock:
            if picture.sha256 not in self._kept:
                self._kept[picture.sha256] = found
                self._size += len(found[0])
            while self._size > self._room and len(self._kept) > 1:
                self._size -= len(self._kept.popitem(last=False)[1][0])
        return found


def read_shown(picture: Picture) -> Shown:
    """The picture as raters get it, if its file is still the one the study began with."""
    try:
        data = picture.path.read_bytes()
    except OSError as error:
        raise PictureError("The picture cannot be read any more.") from error
    if hashlib.sha256(data).hexdigest() != picture.sha256:
        raise PictureError("The picture has changed since the study began.")
    if _plain_size(picture.path) is not None and (bare := stripped(data)) is not None:
        return bare
    return encode_png(Document(picture.path).rgb), "image/png"


def stripped(data: bytes) -> Shown | None:
    """A PNG, JPEG or WebP without remarks; None where it is none of them, or not well formed."""
    try:
        if data.startswith(_PNG):
            return _PNG + b"".join(_png_chunks(data)), "image/png"
        if data.startswith(b"\xff\xd8\xff"):
            return b"\xff\xd8" + b"".join(_jpeg_parts(data)), "image/jpeg"
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            body = b"".join(_webp_chunks(data))
            return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body, "image/webp"
    except (struct.error, IndexError):
        return None
    return None


def _png_chunks(data: bytes) -> Iterator[bytes]:
    at, kind = len(_PNG), b""
    while kind != b"IEND":
        (length,) = struct.unpack_from(">I", data, at)
        kind = data[at + 4 : at + 8]
        whole = data[at : at + 12 + length]
        if len(whole) < 12 + length:
            raise IndexError
        if kind in _PNG_KEPT:
            yield whole
        at += 12 + length


def _jpeg_parts(data: bytes) -> Iterator[bytes]:
    """Segments and scans up to the end, without comments and APPn but JFIF's, Adobe's, colours."""
    at = 2
    while data[at + 1] != 0xD9:
        if data[at] != 0xFF:
            raise IndexError
        code = data[at + 1]
        if code == 0xFF:  # padding
            at += 1
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        whole = data[at : at + 2 + length]
        at += 2 + length
        remark = code == 0xFE or 0xE0 <= code <= 0xEF
        colours = code == 0xE2 and whole[4:15] == b"ICC_PROFILE"
        if not remark or colours or code in (0xE0, 0xEE):
            yield whole
        if code == 0xDA:  # pixels follow, in which FF is never followed by a mark but restarts
            end = _END_OF_SCAN.search(data, at)
            if end is None:
                raise IndexError
            yield data[at : end.start()]
            at = end.start()
    yield b"\xff\xd9"


def _webp_chunks(data: bytes) -> Iterator[bytes]:
    at = 12
    while at < len(data):
        kind = data[at : at + 4]
        (length,) = struct.unpack_from("<I", data, at + 4)
        end = at + 8 + length + length % 2
        whole = data[at:end]
        if kind == b"VP8X":  # its flags promise EXIF and XMP, which are left out
            whole = whole[:8] + bytes([whole[8] & ~0b1100]) + whole[9:]
        if kind in _WEBP_KEPT:
            yield whole
        at = end


def shown_size(path: Path) -> tuple[int, int]:
    """Width and height of a picture's file as it is shown; PictureError if it cannot be."""
    try:
        return _plain_size(path) or Document(path).size
    except OverpaintError as error:
        raise PictureError(f"{path} cannot be shown: {error}") from error
