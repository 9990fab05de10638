"""Containers: zip files and XML from anywhere, read within limits, or an error in a sentence.

Nothing is ever unpacked to disk. XML is read by the standard library's expat with no entity
declared, resolved or fetched, so neither a billion laughs nor a file of this machine comes in.
"""

import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from overpaint.document.layers import Pixels
from overpaint.document.pictures import (
    LIMIT_SETTING,
    decode_picture,
    if_trusted,
    pixel_limit,
    read_file,
    with_alpha,
)
from overpaint.errors import PictureError, TooLarge, UserMistake

MAX_ENTRIES = 10_000
MAX_ENTRY = 256 << 20  # bytes of one entry, unpacked
MAX_TOTAL = 1 << 30  # bytes of all, unpacked
MAX_RATIO = 200  # unpacked to packed, of an entry that is larger than
FREE_OF_RATIO = 8 << 20
MAX_XML = 100 << 20
MAX_DEPTH = 100  # no format needs more, and documents this deep can still be compared
MAX_ELEMENTS = 1_000_000
# Sheets of the largest canvas that all layers may be together: 800 MB of pixels.
SHEETS = 2

_DIRECTORY_ENTRY = b"PK\x01\x02"
_BROKEN = (
    zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError, IndexError,
    struct.error,
)  # fmt: skip
_LOCAL_HEADER = b"PK\x03\x04"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_EAST_ASIAN = re.compile(
    rb"""<\?xml[^>]{0,100}encoding\s*=\s*["'](gb2312|gbk|gb18030|big5|shift_jis|euc-jp|euc-kr)["']"""
    rb"""[^>]{0,100}\?>""",
    re.IGNORECASE,
)


# ── zip files ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Zip:
    """A zip file in memory whose directory has been checked."""

    path: Path
    data: bytes
    entries: Mapping[str, zipfile.ZipInfo]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its files, in order."""
        return tuple(self.entries)

    def __contains__(self, name: str) -> bool:
        return name in self.entries

    def read(self, name: str) -> bytes:
        """The bytes of one file, exactly as many as the directory says."""
        info = self.entries.get(name)
        if info is None:
            raise PictureError(f"{self.path} has no {name!r} in it.", "It is not whole.")
        packed = self._packed(info)
        data = packed if info.compress_type == zipfile.ZIP_STORED else self._inflated(info, packed)
        if len(data) != info.file_size:
            raise self._broken(f"{name!r} does not have the {info.file_size:,} bytes it says")
        if zlib.crc32(data) != info.CRC:
            raise self._broken(f"{name!r} is damaged: its checksum is wrong")
        return data

    def check(self) -> None:
        """Unpack every file once within the limits: what a library may then do without any."""
        for name in self.names:
            self.read(name)

    def _packed(self, info: zipfile.ZipInfo) -> bytes:
        at = info.header_offset
        head = self.data[at : at + 30]
        if len(head) < 30 or not head.startswith(_LOCAL_HEADER):
            raise self._broken(f"{info.filename!r} is not where the directory says")
        start = (
            at + 30 + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:], "little")
        )
        return self.data[start : start + info.compress_size]

    def _inflated(self, info: zipfile.ZipInfo, packed: bytes) -> bytes:
        try:  # one byte more than it may have, so that one that lies is noticed and not unpacked
            return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, info.file_size + 1)
        except zlib.error as error:
            raise self._broken(f"{info.filename!r} cannot be unpacked ({error})") from None

    def _broken(self, what: str) -> PictureError:
        return PictureError(f"{self.path}: {what}.", "A whole zip file was expected.")


def open_zip(path: Path) -> Zip:
    """A zip file, refused where it is larger than a document can be or plays tricks."""
    data = read_file(path)
    # Counted before the directory is read: its own count may lie, and each entry costs memory.
    if data.count(_DIRECTORY_ENTRY) > 2 * MAX_ENTRIES:
        raise _refused(path, f"has more than {MAX_ENTRIES:,} files in it")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            infos = [info for info in file.infolist() if not info.filename.endswith("/")]
    except _BROKEN as error:
        raise PictureError(
            f"{path} is no whole zip file: {error}.", "", "Save or fetch it again."
        ) from None
    if len(infos) > MAX_ENTRIES:
        raise _refused(path, f"has more than {MAX_ENTRIES:,} files in it")
    if (total := sum(info.file_size for info in infos)) > MAX_TOTAL:
        raise _refused(path, f"unpacks to {total:,} bytes; {MAX_TOTAL:,} are allowed")
    entries: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        if trick := _trick(info, entries):
            raise _refused(path, trick)
        entries[info.filename] = info
    return Zip(path, data, entries)


def _trick(info: zipfile.ZipInfo, seen: Mapping[str, zipfile.ZipInfo]) -> str:
    """What is wrong with an entry of a zip file; empty where nothing is."""
    name = info.orig_filename
    parts = name.split("/")
    large = info.file_size > FREE_OF_RATIO
    wrongs = {
        f"names a file {name!r}, outside of itself": (
            not name
            or name.startswith("/")
            or "\\" in name
            or "\0" in name
            or ":" in parts[0]
            or ".." in parts
        ),
        f"has two files named {name!r}": info.filename in seen,
        f"has a link, {name!r}": stat.S_ISLNK(info.external_attr >> 16),
        f"has an encrypted file, {name!r}": bool(info.flag_bits & 0x41),
        f"packs {name!r} by method {info.compress_type}; only deflate is read": (
            info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        ),
        f"has a file of {info.file_size:,} bytes, {name!r}; {MAX_ENTRY:,} are allowed": (
            info.file_size > MAX_ENTRY
        ),
        f"packs {name!r} more than {MAX_RATIO} times": (
            large and info.file_size > MAX_RATIO * max(1, info.compress_size)
        ),
    }
    return next((sentence for sentence, wrong in wrongs.items() if wrong), "")


def _refused(path: Path, what: str) -> PictureError:
    return PictureError(f"{path} {what}.", "A document has no need of that, an attack has.")


# ── XML ─────────────────────────────────────────────────────────────────────────────────


def parse_xml(data: bytes, where: str = "The XML", *, encoding: str | None = None) -> Element:
    """The root element, names as `{namespace}tag`; a plain DOCTYPE is passed over, no more.

    An encoding that is given holds, whatever the XML says of itself.
    """
    if len(data) > MAX_XML:
        raise PictureError(f"{where} has {len(data):,} bytes; {MAX_XML:,} are allowed.")
    try:
        return _Reader(where, encoding).read(data if encoding else _recoded(data))
    except (expat.ExpatError, LookupError, ValueError) as error:
        raise PictureError(
            f"{where} is no whole XML: {error}.", "", "Save or fetch it again."
        ) from None


def _recoded(data: bytes) -> bytes:
    """The same in UTF-8 where it says it is in an encoding of East Asia, which expat lacks."""
    said = _EAST_ASIAN.match(data)
    if not said:
        return data
    return data[said.end() :].decode(said[1].decode()).encode()


def legal(words: str) -> str:
    """The words as XML can hold them: what it cannot is shown as unknown."""
    return _NOT_XML.sub("\ufffd", words)


class _Reader:
    """Builds a tree from what expat reports, and counts."""

    def __init__(self, where: str, encoding: str | None) -> None:
        self.where, self.depth, self.elements, self.tree = where, 0, 0, TreeBuilder()
        parser = self.parser = expat.ParserCreate(encoding, namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.tree.data
        parser.EntityDeclHandler = self.entity
        parser.SkippedEntityHandler = self.entity
        parser.ExternalEntityRefHandler = self.entity

    def read(self, data: bytes) -> Element:
        self.parser.Parse(data, True)
        return self.tree.close()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        self.elements += 1
        if self.depth > MAX_DEPTH:
            raise PictureError(f"{self.where} is nested more than {MAX_DEPTH} deep.")
        if self.elements > MAX_ELEMENTS:
            raise PictureError(f"{self.where} has more than {MAX_ELEMENTS:,} elements.")
        self.tree.start(_named(tag), {_named(key): value for key, value in attributes.items()})

    def end(self, tag: str) -> None:
        self.depth -= 1
        self.tree.end(_named(tag))

    def entity(self, name: str, *_: object) -> int:
        raise PictureError(
            f"{self.where} declares or uses an entity, {name!r}.",
            "Entities can unpack without end or read files, and are not resolved.",
        )


def _named(name: str) -> str:
    return "{" + name if "}" in name else name


# ── pages ───────────────────────────────────────────────────────────────────────────────


def check_page(path: Path, page: int, count: int) -> None:
    """Refuse a page that a file does not have."""
    if not 1 <= page <= count:
        many = "page" if count == 1 else "pages"
        raise UserMistake(f"{path} has {count} {many}, and no page {page}.")


# ── pixels ──────────────────────────────────────────────────────────────────────────────


def check_canvas(where: Path, size: tuple[int, ...]) -> None:
    """Refuse a canvas of no pixels, or of more than the limit."""
    wide, high = size
    if wide < 1 or high < 1 or wide * high > pixel_limit():
        raise PictureError(
            f"{where} says its canvas is {wide}×{high}.",
            f"From 1 to {pixel_limit():,} pixels are read.",
            if_trusted(wide * high) if min(size) > 0 else "",
        )


UNREAD = "a picture of a kind that is not read is not drawn; its format keeps it"


class Allowance:
    """How many pixels all the layers of one file may still have."""

    def __init__(self, where: Path) -> None:
        self.where, self.left = where, SHEETS * pixel_limit()

    def take(self, wide: int, high: int) -> None:
        """Count a sheet, or refuse it."""
        self.left -= wide * high
        if wide < 0 or high < 0 or wide * high > pixel_limit() or self.left < 0:
            raise TooLarge(
                f"The layers of {self.where} have more than {SHEETS * pixel_limit():,} pixels,"
                f" or one has more than {pixel_limit():,}.",
                "A document that large is more often an attack than a page.",
                f"If you trust it, set {LIMIT_SETTING} to more.",
            )

    def decode(self, data: bytes, name: str) -> Pixels:
        """A picture's pixels, H×W×3 or H×W×4; its own size is checked before it is decoded."""
        pixels, _ = decode_picture(data, self.where / name)
        self.take(pixels.shape[1], pixels.shape[0])
        return pixels

    def within(self, data: bytes) -> Pixels | None:
        """A picture inside the file, H×W×4; None where it is of a kind that is not read."""
        try:
            return with_alpha(self.decode(data, "a picture in it"))
        except TooLarge:
            raise
        except PictureError:
            return None
