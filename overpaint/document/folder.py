"""A folder of PNGs and a `document.json`: the form a person can look at, edit and keep in git.

`document.json` is the codec's form (codec.py); every picture and mask in it is the name of a PNG
in the same folder. Other files in the folder are left alone. Without one, a folder's PNGs are read
as layers in the order of their names, the first at the bottom, all from the same corner.
"""

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from overpaint.document import codec
from overpaint.document.containers import MAX_ENTRY, Allowance, check_canvas
from overpaint.document.decoding import MAX_LAYERS
from overpaint.document.layers import Layer, Picture, Pixels
from overpaint.document.model import Document
from overpaint.document.pictures import is_there, read_file, with_alpha
from overpaint.errors import PictureError, UserMistake

INDEX = "document.json"
_PNG = re.compile(r"[\w.-]+\.png")
_NUMBER = re.compile(r"^\d+[-_. ]+")  # that only gives the order of layers
_OWN = re.compile(r"\w+-[0-9a-f]{12}\.png")


def read(path: Path, page: int = 1) -> Document:
    """The document in a folder, named by the folder or by its index."""
    del page  # it has one
    if path.name != INDEX and not (path / INDEX).is_file():
        return _plain(path)
    path = path.parent if path.name == INDEX else path
    index = path / INDEX
    layers, size = codec.loads(_bytes(index), lambda name: _fetched(path, name), index)
    return Document(made=layers, canvas=size, origin=path)


def _plain(path: Path) -> Document:
    """The PNGs of a folder as layers."""
    named = sorted((one for one in path.iterdir() if one.suffix.lower() == ".png"), key=_order)
    own = [one for one in named if is_there(one, "file") and not one.is_symlink()]
    if not own:
        raise PictureError(
            f"{path} has neither a {INDEX} nor a PNG in it.",
            f"A folder of PNGs, one for each layer, was expected, or one with a {INDEX}.",
        )
    if len(own) > MAX_LAYERS:
        raise PictureError(f"{path} has more than {MAX_LAYERS:,} PNGs in it.")
    allowance = Allowance(path)
    sheets = [with_alpha(allowance.decode(_bytes(one), one.name)) for one in own]
    layers = tuple(
        Layer(Picture(sheet), _NUMBER.sub("", one.stem) or one.stem, f"{number}")
        for number, (one, sheet) in enumerate(zip(own, sheets, strict=True), 1)
    )
    size = (max(sheet.shape[1] for sheet in sheets), max(sheet.shape[0] for sheet in sheets))
    check_canvas(path, size)
    said = (f"{path.name} has no {INDEX}: its PNGs are its layers, in the order of their names",)
    return Document(made=layers, canvas=size, origin=path, said=said)


def _order(path: Path) -> list[tuple[bool, int, str]]:
    """By name, numbers in it by what they count: 2 before 10."""
    parts = re.split(r"(\d{1,18})", path.name.casefold())
    return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


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
