"""The run's pictures, each under its content hash, written whole or not at all."""

import hashlib
import os
import shutil
import uuid
from pathlib import Path

from overpaint.document import Document
from overpaint.errors import StoreError
from overpaint.store.schema import explained

PICTURES = "pictures"


def picture_path(folder: Path, name: str) -> Path:
    """Where the picture of that name (hash and suffix) lies: in the run, whatever it is called."""
    name = Path(name).name.lstrip(".")
    return folder / PICTURES / name[:2] / name


def keep_picture(folder: Path, document: Document) -> Document:
    """The same document, stored in the run under its content hash."""
    data = document.encoded
    path = picture_path(folder, hashlib.sha256(data).hexdigest() + suffix_of(data))
    if not _is_whole(path, data):
        # Threads, processes and machines that share a disk may make the same picture at once.
        partial = path.with_name(f".{uuid.uuid4().hex}-{path.name}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            partial.write_bytes(data)
            os.replace(partial, path)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise explained(error, folder) from error
    return Document(path)


def _is_whole(path: Path, data: bytes) -> bool:
    """Whether the picture is there; a power cut may have left its name and nothing behind it."""
    try:
        return path.stat().st_size == len(data)
    except OSError:  # what is wrong with it shows when it is written
        return False


def take_picture(name: str, origin: Path, folder: Path) -> bool:
    """Keep a picture of the run `origin` in the run `folder` too; False where it is gone there.

    It is the same file under two names where the disk allows that, else a copy. Either way it is
    a file, not a link to one that is somewhere else, and its hash is that in its name.
    """
    source, path = picture_path(origin, name), picture_path(folder, name)
    if path.exists():
        return True
    try:
        if source.is_symlink():
            raise _leads_away(source)
        if not source.is_file():
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        _take(source, path)
    except OSError as error:
        raise explained(error, folder) from error
    return True


def _take(source: Path, path: Path) -> None:
    """Under its name stands only what has been looked at."""
    partial = path.with_name(f".{uuid.uuid4().hex}-{path.name}")
    try:
        try:
            os.link(source, partial)
        except OSError:  # another disk, or one that knows no links
            shutil.copyfile(source, partial)
        check_picture(partial, path.name, source)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def _leads_away(source: Path) -> StoreError:
    return StoreError(
        f"The picture {source} is a link to another place.",
        "A run keeps its pictures itself.",
        "Put the file there in place of the link, or delete it: `overpaint retry RUN` makes it"
        " anew.",
    )


def check_picture(path: Path, name: str, where: object) -> None:
    """Refuse a file that is not the picture its name says."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != name.partition(".")[0]:
        raise StoreError(
            f"The picture {where} is damaged: its sha256 is {digest}.",
            "A picture is called by its hash.",
            "Delete it, and `overpaint retry RUN` makes it anew.",
        )


def suffix_of(data: bytes) -> str:
    """The suffix of a picture, told by its first bytes."""
    known = ((b"\x89PNG", ".png"), (b"\xff\xd8\xff", ".jpg"), (b"PK\x03\x04", ".ora"))
    for magic, suffix in known:
        if data.startswith(magic):
            return suffix
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return ".webp"
    return ".tiff" if data[:4] in (b"II*\0", b"MM\0*") else ".bin"
