"""The run's pictures, each under its content hash, written whole or not at all."""

import errno
import hashlib
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from overpaint.document import Document
from overpaint.errors import StoreError
from overpaint.store.schema import explained

PICTURES = "pictures"
ANEW = "`overpaint retry RUN` makes it anew; what was imported, another `overpaint import` brings."


def picture_path(folder: Path, name: str) -> Path:
    """Where the picture of that name (hash and suffix) lies: in the run, whatever it is called."""
    name = Path(name).name.lstrip(".")
    return folder / PICTURES / name[:2] / name


def keep_picture(folder: Path, document: Document) -> Document:
    """The same document, stored in the run under its content hash."""
    data = document.encoded
    path = picture_path(folder, hashlib.sha256(data).hexdigest() + suffix_of(data))
    try:
        if not is_sound(folder, path.name):
            with whole(path) as partial:
                partial.write_bytes(data)
    except OSError as error:
        raise explained(error, folder) from error
    return Document(path)


def is_sound(folder: Path, name: str) -> bool:
    """Whether the picture is there and whole: a power cut may leave a part of it, or none."""
    path = picture_path(folder, name)
    try:
        return path.is_file() and _digest(path) == name.partition(".")[0]
    except OSError as error:
        raise explained(error, folder) from error


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Where to write a file that shall be there whole or not at all; its folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Threads, processes and machines that share a disk may make the same file at once.
    partial = path.with_name(f".{uuid.uuid4().hex}-{path.name}")
    try:
        yield partial
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def unwritable(error: OSError, out: Path) -> StoreError:
    """Why a file that the user named cannot be written: its disk, or its name."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
        return explained(error, out.parent)
    return StoreError(
        f"The file {out} cannot be written: {error.strerror or error}.",
        "A place that is there, or can be made, and written to was expected.",
        "Name another with -o.",
    )


def take_picture(name: str, origin: Path, folder: Path) -> bool:
    """Keep a picture of the run `origin` in the run `folder` too; False where it is gone there.

    It is the same file under two names where the disk allows that, else a copy. Either way it is
    a file, not a link to one that is somewhere else, and its hash is that in its name.
    """
    source, path = picture_path(origin, name), picture_path(folder, name)
    try:
        if _is_here(path, source) or is_sound(folder, name):
            return True
        if source.is_symlink():
            raise _leads_away(source)
        if not source.is_file():
            return False
        _take(source, path)
    except OSError as error:
        raise explained(error, folder) from error
    return True


def _is_here(path: Path, source: Path) -> bool:
    """Whether both are one file, which was hashed when it got its second name."""
    return path.is_file() and source.is_file() and path.samefile(source)


def _take(source: Path, path: Path) -> None:
    """Under its name stands only what has been looked at."""
    with whole(path) as partial:
        try:
            os.link(source, partial)
        except OSError:  # another disk, or one that knows no links
            shutil.copyfile(source, partial)
        check_picture(partial, path.name, source)


def _leads_away(source: Path) -> StoreError:
    return StoreError(
        f"The picture {source} is a link to another place.",
        "A run keeps its pictures itself.",
        f"Put the file there in place of the link, or delete it: {ANEW}",
    )


def check_picture(path: Path, name: str, where: object) -> None:
    """Refuse a file that is not the picture its name says."""
    if (digest := _digest(path)) != name.partition(".")[0]:
        raise StoreError(
            f"The picture {where} is damaged: its sha256 is {digest}.",
            "A picture is called by its hash.",
            ANEW,
        )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def suffix_of(data: bytes) -> str:
    """The suffix of a picture, told by its first bytes."""
    known = ((b"\x89PNG", ".png"), (b"\xff\xd8\xff", ".jpg"), (b"PK\x03\x04", ".ora"))
    for magic, suffix in known:
        if data.startswith(magic):
            return suffix
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return ".webp"
    return ".tiff" if data[:4] in (b"II*\0", b"MM\0*") else ".bin"
