"""A folder of PNGs and a `document.json`: the form a person can look at, edit and keep in git.

`document.json` is the codec's form (codec.py); every picture and mask in it is the name of a PNG
in the same folder. Other files in the folder are left alone.
"""

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from overpaint.document import codec
from overpaint.document.containers import MAX_ENTRY
from overpaint.document.layers import Pixels
from overpaint.document.model import Document
from overpaint.document.pictures import is_there, read_file
from overpaint.errors import PictureError, UserMistake

INDEX = "document.json"
_PNG = re.compile(r"[\w.-]+\.png")
_OWN = re.compile(r"\w+-[0-9a-f]{12}\.png")


def read(path: Path, page: int = 1) -> Document:
    """The document in a folder, named by the folder or by its index."""
    del page  # it has one
    path = path.parent if path.name == INDEX else path
    index = path / INDEX
    if not index.is_file():
        raise PictureError(f"{path} has no {INDEX} in it.", "A folder needs one to be a document.")
    layers, size = codec.loads(_bytes(index), lambda name: _fetched(path, name), index)
    return Document(made=layers, canvas=size, origin=path)


def write(document: Document, path: Path) -> tuple[str, ...]:
    """Write a folder; the index last, so that it is always one document or the other."""
    if path.exists() and not path.is_dir():
        raise UserMistake(f"{path} is a file.", "A folder, or a name that is free, was expected.")
    if path.is_dir() and any(path.iterdir()) and not (path / INDEX).is_file():
        raise UserMistake(
            f"{path} is a folder of other things.",
            f"An empty folder, or one with a {INDEX}, was expected.",
        )
    from overpaint.document.files import replacing

    kept: dict[str, bytes] = {}
    index = codec.dumps(document.layers, document.size, lambda pixels: _kept(kept, pixels))
    with _made(path):
        for name, data in kept.items():
            with replacing(path / name) as beside:
                beside.write_bytes(data)
        with replacing(path / INDEX) as beside:
            beside.write_bytes(index)
    for old in path.glob("*.png"):  # of the document that was here; never a file of the user's own
        if _OWN.fullmatch(old.name) and old.name not in kept:
            old.unlink()
    return ()


@contextmanager
def _made(path: Path) -> Iterator[None]:
    """A folder that is there, and as it was before where something goes wrong inside."""
    were = set(path.iterdir()) if path.is_dir() else None
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserMistake(f"{path} cannot be made: {error.strerror}.") from None
    done = False
    try:
        yield
        done = True
    finally:
        if not done:
            for new in set(path.iterdir()) - (were or set()):
                new.unlink()
            if were is None:
                path.rmdir()


def _kept(kept: dict[str, bytes], pixels: Pixels) -> str:
    data = codec.encode_pixels(pixels)
    kind = "picture" if pixels.ndim == 3 else "mask"
    # Named by what is in it: a file of the document before is never written over.
    name = f"{kind}-{hashlib.sha256(data).hexdigest()[:12]}.png"
    kept[name] = data
    return name


def _fetched(folder: Path, name: str) -> bytes:
    if not _PNG.fullmatch(name) or os.path.islink(folder / name):
        raise PictureError(f"{folder / INDEX} names a picture {name!r}, not a PNG of its folder.")
    return _bytes(folder / name)


def _bytes(path: Path) -> bytes:
    if is_there(path, "file") and path.stat().st_size > MAX_ENTRY:
        raise PictureError(f"{path} has {path.stat().st_size:,} bytes; {MAX_ENTRY:,} are allowed.")
    return read_file(path)
