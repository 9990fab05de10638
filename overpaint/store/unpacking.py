"""Opening a bundle that a stranger may have made: bounded in time, memory and disk, or refused.

Nothing is ever written under a name that the file gives: a picture's is its hash, which is
computed. Pictures are not compressed and lists at most 200-fold, so what comes out is bounded by
the size of the file; members that share bytes are refused.
"""

import hashlib
import io
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from overpaint.document import regular
from overpaint.errors import DataError, unread
from overpaint.store.bodies import KEPT
from overpaint.store.bundles import FORM, LISTS, MANIFEST, member_of
from overpaint.store.pictures import picture_path, suffix_of, whole
from overpaint.store.schema import explained

DIRECTORY = 256 * 2**20  # bytes the table of contents may have: two million pictures
LINE = 32 * 2**20  # bytes a line of a list may have
LARGEST = 512 * 2**20  # bytes a picture may have
SMALL = 64 * 2**20  # bytes that a list may unpack to, however small it is
FOLD = 200  # times its size that it may unpack to where it is larger

_BROKEN = (
    zipfile.BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError, RuntimeError,
    UnicodeError, ValueError, KeyError, OverflowError,
)  # fmt: skip
_TODO = "Ask whoever made it for another; nothing of it was taken."


def refused(wrong: str, right: str = "") -> DataError:
    """Why a bundle is not taken."""
    return DataError(f"The bundle cannot be taken: {wrong}.", right, _TODO)


class _Careful(io.FileIO):
    """A file of which no more is read at once than a table of contents may have."""

    def read(self, size: int | None = -1, /) -> Any:
        """As any file's, up to that size."""
        if size is None or size < 0:
            size = os.fstat(self.fileno()).st_size - self.tell()
        if size > DIRECTORY:
            raise refused("its table of contents is larger than that of any bundle")
        return super().read(size)


@contextmanager
def opened(path: Path) -> Iterator["Bundle"]:
    """The bundle; whatever is wrong with it is a sentence."""
    with ExitStack() as left:
        try:
            handle = left.enter_context(regular.opened(path)).fileno()
            file = left.enter_context(_Careful(handle, closefd=False))
            with speaking():
                archive = left.enter_context(zipfile.ZipFile(cast(BinaryIO, file)))
            found = Bundle(archive, os.fstat(handle).st_size)
        except OSError as error:
            raise DataError(
                f"The bundle {path} cannot be read: {error.strerror or error}.",
                "A file that `overpaint export` wrote was expected.",
            ) from None
        yield found


class Bundle:
    """A bundle whose table of contents is that of one, and whose lists are what it says."""

    def __init__(self, archive: zipfile.ZipFile, size: int) -> None:
        self._archive = archive
        self._members = {entry.filename: entry for entry in archive.infolist()}
        with speaking():
            self._check_members(size)
            self.manifest = self._manifest()
            for name in LISTS:
                self._check_list(name)

    def _check_members(self, size: int) -> None:
        entries = self._archive.infolist()
        if len(entries) != len(self._members):
            raise refused("a name stands in it twice")
        if sum(entry.compress_size for entry in entries) > size:
            raise refused("its members are together larger than the file")
        for entry in entries:
            self._check_member(entry)
        for name in (MANIFEST, *LISTS):
            if name not in self._members:
                raise refused(f"it has no {name}", "`overpaint export` writes one.")

    def _check_member(self, entry: zipfile.ZipInfo) -> None:
        name, shown = entry.filename, entry.filename[:80]
        if entry.flag_bits & 1:
            raise refused(f"{shown!r} in it is encrypted")
        if name in (MANIFEST, *LISTS):
            packed = entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
            if not packed or entry.file_size > max(SMALL, FOLD * entry.compress_size):
                raise refused(f"{name} would unpack to {entry.file_size:,} bytes")
            return
        picture = name.rpartition("/")[2]
        if not KEPT.fullmatch(picture) or name != member_of(picture):
            raise refused(f"{shown!r} is no name of anything in a bundle")
        if entry.compress_type != zipfile.ZIP_STORED or entry.file_size != entry.compress_size:
            raise refused(f"the picture {shown} is compressed", "Pictures stand in it as they are.")
        if entry.file_size > LARGEST:
            raise refused(f"the picture {shown} has {entry.file_size:,} bytes")

    def _manifest(self) -> dict[str, Any]:
        with self._archive.open(MANIFEST) as file:
            data = file.read(2**20 + 1)
        if len(data) > 2**20:
            raise refused(f"{MANIFEST} is longer than any")
        told = parsed(data, MANIFEST)
        kinds = {"overpaint": int, "card_id": str, "revision": str, "editors": dict, "lists": dict}
        for key, kind in kinds.items():
            if not isinstance(told.get(key), kind):
                raise refused(f"{MANIFEST} has no {key}")
        if told["overpaint"] != FORM:
            raise DataError(
                f"The bundle is of form {told['overpaint']}; this Overpaint knows {FORM}.",
                "A newer Overpaint made it.", "Upgrade: pip install -U overpaint",
            )  # fmt: skip
        return told

    def _check_list(self, name: str) -> None:
        told, digest = self.manifest["lists"].get(name), hashlib.sha256()
        with self._archive.open(name) as file:
            while data := file.read(2**20):
                digest.update(data)
        if not isinstance(told, dict) or told.get("sha256") != digest.hexdigest():
            raise refused(f"{name} is not what {MANIFEST} says: its sha256 is {digest.hexdigest()}")

    def count(self, name: str) -> int:
        """How many lines a list has, as the bundle says."""
        told = self.manifest["lists"][name].get("lines")
        return told if isinstance(told, int) else 0

    def lines(self, name: str) -> Iterator[dict[str, Any]]:
        """The lines of a list, one at a time."""
        with speaking(), self._archive.open(name) as file:
            for number in range(1, 2**62):
                line = file.readline(LINE + 1)
                if len(line) > LINE:
                    raise refused(f"{name}, line {number} is longer than {LINE:,} bytes")
                if not line:
                    return
                yield parsed(line, f"{name}, line {number}")

    def has(self, picture: str) -> bool:
        """Whether it holds the picture of that name."""
        return member_of(picture) in self._members

    def take(self, picture: str, folder: Path) -> None:
        """Keep the picture in the run, its hash held against its name."""
        path = picture_path(folder, picture)
        try:
            with whole(path) as partial:
                self._copy(picture, partial)
        except OSError as error:
            raise explained(error, folder) from error

    def _copy(self, picture: str, partial: Path) -> None:
        digest, head = hashlib.sha256(), b""
        with speaking(), self._archive.open(member_of(picture)) as file, partial.open("wb") as out:
            while data := file.read(2**20):
                head = head or data[:16]
                digest.update(data)
                out.write(data)
        if digest.hexdigest() + suffix_of(head) != picture:
            raise refused(f"the picture {picture} is {digest.hexdigest()}{suffix_of(head)}")


@contextmanager
def speaking() -> Iterator[None]:
    """What zipfile complains of, as a sentence."""
    try:
        yield
    except _BROKEN as error:
        raise refused(f"it is damaged ({type(error).__name__}: {str(error)[:200]})") from None


def parsed(data: bytes, where: str) -> dict[str, Any]:
    """A line of JSON that is an object."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise refused(f"{where} is no JSON ({unread(error)})") from None
    if not isinstance(found, dict):
        raise refused(f"{where} is not an object")
    return found


def checked(line: Mapping[str, Any], kinds: Mapping[str, Any], where: str) -> list[Any]:
    """The values of a line, each of its kind."""
    for key, kind in kinds.items():
        value = line.get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise refused(f"{where} has {str(value)[:60]!r} as its {key}")
        if isinstance(value, float) and value - value != 0:
            raise refused(f"{where} has {value} as its {key}")
        if isinstance(value, int) and not -(2**63) <= value < 2**63:  # SQLite holds none such
            raise refused(f"{where} has a number too large as its {key}")
    return [line[key] for key in kinds]
