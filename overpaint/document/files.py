"""Files: one table of the formats, and how a document is read from one and written to one.

A file is read as what it is, whatever it is called, and written as it is called. Writing goes to
a file beside the output that then takes its place, so that an output is whole or as it was; and
a document can be written over the very file it came from.
"""

import io
import os
import struct
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from PIL import Image

from overpaint.document import regular
from overpaint.document.containers import check_page, open_zip
from overpaint.document.model import Document
from overpaint.document.pictures import is_markup, is_there, read_file
from overpaint.errors import PictureError, UserMistake

Holding = Literal[
    "layers", "live text", "shapes", "groups", "masks", "blend modes", "transparency", "pages",
]  # fmt: skip


@dataclass(frozen=True)
class Format:
    """A kind of file: its name, its suffixes, the module that knows it, and what it holds."""

    name: str
    suffixes: tuple[str, ...]
    module: str  # of this package; empty: a flat picture
    holds: frozenset[Holding]
    writes: bool = True


def _format(name: str, suffixes: str, module: str, *holds: Holding, writes: bool = True) -> Format:
    return Format(name, tuple(suffixes.split()), module, frozenset(holds), writes)


FORMATS = (
    _format("PSD", ".psd .psb", "psd", "layers", "groups", "masks", "blend modes", "transparency"),
    _format(
        "OpenRaster", ".ora", "ora",
        "layers", "live text", "shapes", "groups", "masks", "blend modes", "transparency",
    ),
    _format(
        "folder", "", "folder",
        "layers", "live text", "shapes", "groups", "masks", "blend modes", "transparency",
    ),
    _format("SVG", ".svg", "svg", "layers", "live text", "shapes", "groups", "transparency"),
    _format("PPTX", ".pptx", "pptx", "layers", "live text", "shapes", "transparency", "pages"),
    _format("PDF", ".pdf", "pdf", "layers", "live text", "shapes", "blend modes", "pages"),
    _format("Crello", ".json .jsonl", "crello", "layers", "live text", "pages", writes=False),
    _format("PNG", ".png", "", "transparency"),
    _format("JPEG", ".jpg .jpeg", ""),
    _format("WebP", ".webp", "", "transparency"),
    _format("TIFF", ".tif .tiff", "", "transparency"),
)  # fmt: skip
JPEG_QUALITY = 95


# ── reading ─────────────────────────────────────────────────────────────────────────────


def read(path: Path, page: int = 1) -> Document:
    """The document in a file, its layers in memory."""
    known = kind(path)
    if known is None or "pages" not in known.holds:
        check_page(path, page, 1)
    document: Document = _module(known).read(path, page) if known else Document(path).opened
    called = [one for one in FORMATS if path.suffix.lower() in one.suffixes]
    wrong = called and (called[0] != known if known else called[0].module)
    if not wrong or path.is_dir():
        return document
    note = f"named {path.suffix} but is {known.name if known else 'a flat picture'}"
    return replace(document, said=(note, *document.said))


def pages(path: Path) -> int:
    """How many pages a file has; one where its format knows none."""
    known = kind(path)
    if known is None or "pages" not in known.holds:
        return 1
    return int(_module(known).pages(path))


def kind(path: Path) -> Format | None:
    """The format of a file that may hold layers, by what is in it; None: some flat picture."""
    if is_there(path, "folder") or path.name == "document.json":
        return _named("folder")
    head = _head(path)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"8BPS"):
        return _named("PSD")
    if head.startswith(b"%PDF"):
        return _named("PDF")
    if head.startswith(b"PK\x03\x04"):
        return _zipped(path)
    if is_markup(head):
        return _named("SVG")
    return _named("Crello") if text.startswith(b"{") else None


def _head(path: Path) -> bytes:
    try:
        return regular.read(path, 4096)
    except OSError:
        return read_file(path)  # which says what is wrong


def _zipped(path: Path) -> Format:
    names = open_zip(path).names
    if "stack.xml" in names:
        return _named("OpenRaster")
    if "ppt/presentation.xml" in names:
        return _named("PPTX")
    raise PictureError(
        f"{path} is a zip file of a kind that is not known.", "OpenRaster and PPTX are read."
    )


def _named(name: str) -> Format:
    return next(known for known in FORMATS if known.name == name)


def _module(known: Format) -> Any:
    return import_module(f"overpaint.document.{known.module}")


# ── writing ─────────────────────────────────────────────────────────────────────────────


def write(document: Document, path: Path, *, quality: int | None = None) -> tuple[str, ...]:
    """Write a document as its path's suffix says; notes on what that format could not hold."""
    if quality is not None and not 1 <= quality <= 100:
        raise UserMistake(f"The quality is {quality}.", "1 to 100 was expected.")
    known = format_of(path)
    if known.name == "folder":
        return tuple(_module(known).write(document, path))
    with replacing(path) as beside:
        if known.module:
            return tuple(_module(known).write(document, beside))
        beside.write_bytes(_flat(document, known, quality))
    return _flat_notes(document, known, quality)


def format_of(path: Path) -> Format:
    """The format a file of that name is written in; `UserMistake` where none is."""
    suffix = path.suffix.lower()
    if path.name.lower() in (s for known in FORMATS for s in known.suffixes):
        raise UserMistake(f"{path} is only a suffix.", f"A name such as picture{path.name} works.")
    if is_there(path, "folder") or not suffix:
        return _named("folder")
    for known in FORMATS:
        if suffix in known.suffixes and known.writes:
            return known
    works = " ".join(s for known in FORMATS if known.writes for s in known.suffixes)
    raise UserMistake(
        f"{path} cannot be written: {suffix} is none of the formats that can.",
        f"These work: {works}, or a name without a suffix for a folder of PNGs.",
    )


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside `path`, with its suffix, that takes its place when all went well.

    A link stays, and what it leads to is written over.
    """
    try:
        real = Path(os.path.realpath(path)) if path.is_symlink() else path
        if real.exists() and not real.is_file():
            raise UserMistake(f"{path} cannot be written: it is no file.", "Give another name.")
        handle, name = tempfile.mkstemp(path.suffix, f".{path.stem[:40]}-", real.parent)
    except OSError as error:
        raise _unwritable(path, error) from None
    os.close(handle)
    beside = Path(name)
    try:
        yield beside
        beside.chmod(real.stat().st_mode & 0o777 if real.exists() else 0o666 & ~_umask())
        beside.replace(real)
    except OSError as error:
        raise _unwritable(path, error) from None
    finally:
        beside.unlink(missing_ok=True)


def _unwritable(path: Path, error: OSError) -> UserMistake:
    return UserMistake(
        f"{path} cannot be written: {error.strerror or error}.",
        "A folder that can be written to, on a disk with room, was expected.",
    )


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _flat(document: Document, known: Format, quality: int | None) -> bytes:
    opaque = known.name == "JPEG" or bool((document.rgba[:, :, 3] == 255).all())
    image = Image.fromarray(document.rgb if opaque else document.rgba)
    options: dict[str, dict[str, Any]] = {
        "PNG": {},
        "JPEG": {"quality": quality or JPEG_QUALITY, "subsampling": 0},
        "WebP": {"quality": quality} if quality else {"lossless": True, "exact": True},
        "TIFF": {"compression": "tiff_adobe_deflate"},
    }
    out = io.BytesIO()
    image.save(out, known.name.upper(), **options[known.name], **_meta(document.origin))
    return out.getvalue()


def _flat_notes(document: Document, known: Format, quality: int | None) -> tuple[str, ...]:
    notes = []
    if not document.flat:
        notes.append(f"{known.name} holds no layers: they were flattened")
    if known.name == "JPEG" and (document.rgba[:, :, 3] < 255).any():
        notes.append("JPEG holds no transparency: it is over white")
    if known.name == "JPEG" or (known.name == "WebP" and quality):
        notes.append(f"{known.name} of quality {quality or JPEG_QUALITY} holds no exact pixels")
    return tuple(notes)


def _meta(origin: Path | None) -> dict[str, Any]:
    """The colour profile and the resolution of the flat picture that a document came from."""
    if origin is None or not origin.is_file():
        return {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(origin, formats=("PNG", "JPEG", "WEBP", "TIFF")) as image:
                # A profile of grey or of inks says nothing about the RGB that is written.
                names = ("icc_profile", "dpi") if image.mode in ("RGB", "RGBA") else ("dpi",)
                found = {name: image.info[name] for name in names if image.info.get(name)}
    except (OSError, SyntaxError, ValueError, struct.error):
        return {}
    return found
