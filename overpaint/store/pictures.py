"""The run's pictures, each under its content hash, written whole or not at all."""

import hashlib
import os
import platform
from pathlib import Path

from overpaint.document import Document
from overpaint.store.schema import explained

PICTURES = "pictures"


def picture_path(folder: Path, name: str) -> Path:
    """Where the picture of that name (hash and suffix) lies."""
    return folder / PICTURES / name[:2] / name


def keep_picture(folder: Path, document: Document) -> Document:
    """The same document, stored in the run under its content hash."""
    data = document.encoded
    path = picture_path(folder, hashlib.sha256(data).hexdigest() + suffix_of(data))
    if not path.exists():
        partial = path.with_name(f".{platform.node()}-{os.getpid()}-{path.name}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            partial.write_bytes(data)
            os.replace(partial, path)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise explained(error, folder) from error
    return Document(path)


def suffix_of(data: bytes) -> str:
    """The suffix of a picture, told by its first bytes."""
    known = ((b"\x89PNG", ".png"), (b"\xff\xd8\xff", ".jpg"), (b"PK\x03\x04", ".ora"))
    for magic, suffix in known:
        if data.startswith(magic):
            return suffix
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return ".webp"
    return ".tiff" if data[:4] in (b"II*\0", b"MM\0*") else ".bin"
