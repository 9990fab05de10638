"""Pictures as they leave the machine: encoded once, of a stated size, without what a camera wrote.

A JPEG or PNG within the limits is sent as it is, less its metadata (place, date, comments); all
others, and larger ones, as a JPEG of stated quality with full colour resolution.
"""

import base64
import hashlib
import io
import struct
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from overpaint.document import Document
from overpaint.document.pictures import read_file
from overpaint.models.once import Once

LONGEST = 2048  # pixels a side: what is larger, vendors shrink themselves, each in its own way
AS_IS = 1024 * 1024  # bytes a file may have to be sent as it is
QUALITY = 95
ROOM = 256 * 1024 * 1024  # bytes of encoded pictures that are remembered
_JPEG_KEPT = (*range(0xC0, 0xE0), 0xE0, 0xE2, 0xEE)  # tables and frames, JFIF, colour, Adobe
_PNG_DROPPED = (b"eXIf", b"tEXt", b"zTXt", b"iTXt", b"tIME")


@dataclass(frozen=True)
class Sent:
    """A picture as it is sent: what the call table keeps of it, and the address it travels as."""

    hash: str
    width: int
    height: int
    format: str
    quality: int | None  # None: the file's own
    bytes: int
    url: str = field(repr=False, default="")

    @property
    def told(self) -> dict[str, Any]:
        """What the call table keeps."""
        return {
            "hash": self.hash, "width": self.width, "height": self.height,
            "format": self.format, "quality": self.quality, "bytes": self.bytes,
        }  # fmt: skip


class Wrapping:
    """Encodes each picture once, however many threads ask for it at the same time."""

    def __init__(self, room: int = ROOM) -> None:
        self._room, self._size = room, 0
        self._lock = threading.Lock()
        self._known: OrderedDict[Any, Sent] = OrderedDict()
        self._once = Once()
        self.encoded = 0  # how many pictures were encoded so far

    def __call__(self, document: Document) -> Sent:
        """The picture as it is sent."""
        key = _identity(document)
        with self._once(key):
            with self._lock:
                if key in self._known:
                    self._known.move_to_end(key)
                    return self._known[key]
            sent = encode(document)
            with self._lock:
                self._remember(key, sent)
        return sent

    def _remember(self, key: Any, sent: Sent) -> None:
        self.encoded += 1
        self._known[key] = sent
        self._size += len(sent.url)
        while self._size > self._room and len(self._known) > 1:
            _, gone = self._known.popitem(last=False)
            self._size -= len(gone.url)


def _identity(document: Document) -> Any:
    """What tells pictures apart without reading them again: a file by its name, time and size."""
    if document.path and document.path.is_file():
        seen = document.path.stat()
        return str(document.path), document.page, seen.st_mtime_ns, seen.st_size
    return document.key


def encode(document: Document) -> Sent:
    """The picture as it is sent, by the rules above."""
    data, kind, size = _own(document) or (b"", "", (0, 0))
    if not data or max(size) > LONGEST:
        data, size = _jpeg(document)
        return _sent(data, "jpeg", size, QUALITY)
    return _sent(data, kind, size, None)


def _sent(data: bytes, kind: str, size: tuple[int, int], quality: int | None) -> Sent:
    url = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
    return Sent(hashlib.sha256(data).hexdigest(), *size, kind, quality, len(data), url)


def _jpeg(document: Document) -> tuple[bytes, tuple[int, int]]:
    """The flattened picture, no larger than the limit."""
    from PIL import Image

    picture = Image.fromarray(document.rgb)
    shrink = LONGEST / max(picture.size)
    if shrink < 1:
        size = (max(1, round(picture.width * shrink)), max(1, round(picture.height * shrink)))
        picture = picture.resize(size, Image.Resampling.LANCZOS)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=QUALITY, subsampling=0)
    return out.getvalue(), picture.size


# ── files sent as they are ──────────────────────────────────────────────────────────────────


def _own(document: Document) -> tuple[bytes, str, tuple[int, int]] | None:
    """The file's own bytes without metadata, its kind and size; None where it must be encoded."""
    if document.path is None or not document.path.is_file():
        return None
    if document.path.stat().st_size > AS_IS:
        return None
    data = read_file(document.path)
    stripped = _bare_png(data) or _bare_jpeg(data)
    size = _plain_size(data) if stripped else None
    return (*stripped, size) if stripped and size else None


def _plain_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a picture that everyone shows alike; None for any other.

    It is not decoded: whoever made the edit, or looked at the source, has done that.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as image:
            turned = image.format == "JPEG" and image.getexif().get(0x0112, 1) != 1
            plain = image.mode in ("RGB", "L") and not turned and "transparency" not in image.info
            return image.size if plain and getattr(image, "n_frames", 1) == 1 else None
    except (OSError, ValueError, SyntaxError, struct.error):
        return None


def _bare_png(data: bytes) -> tuple[bytes, str] | None:
    """A PNG of colour or grey without alpha, less the chunks that hold metadata."""
    if not data.startswith(b"\x89PNG\r\n\x1a\n") or data[24:25] != b"\x08":
        return None
    if data[25:26] not in (b"\x00", b"\x02"):
        return None
    kept = [chunk for name, chunk in _chunks(data) if name not in _PNG_DROPPED]
    return data[:8] + b"".join(kept), "png"


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at + 12 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        yield data[at + 4 : at + 8], data[at : at + 12 + length]
        at += 12 + length


def _bare_jpeg(data: bytes) -> tuple[bytes, str] | None:
    """A JPEG less the segments that hold metadata; its scans are left as they are."""
    if not data.startswith(b"\xff\xd8\xff"):
        return None
    kept, at = [data[:2]], 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        (length,) = struct.unpack(">H", data[at + 2 : at + 4])
        if marker == 0xDA:
            return b"".join([*kept, data[at:]]), "jpeg"
        if marker in _JPEG_KEPT:
            kept.append(data[at : at + 2 + length])
        at += 2 + length
    return None
