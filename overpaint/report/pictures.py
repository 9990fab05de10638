"""The pictures of a run by their content: what each is called, and where it lies."""

import hashlib
import io
import os
import re
import shutil
import stat
from pathlib import Path

from PIL import Image

from overpaint.document import Document
from overpaint.document.pictures import read_file
from overpaint.errors import OverpaintError, StoreError
from overpaint.store.pictures import PICTURES, suffix_of

NAME = re.compile(r"[0-9a-f]{64}\.(?:png|jpg|webp)")
LAYERED = (b"PK\x03\x04", b"8BPS", b"%PDF")  # how files with layers begin
KEPT = re.compile(r"[0-9a-f]{64}\.[a-z]{3,4}")  # what a run calls its pictures
TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp"}
# What a browser must take a file for, whatever it is called.
_SHOWN_AS = {".png": ".png", ".tiff": ".png", ".jpg": ".jpg", ".webp": ".webp"}
_HASH = re.compile(r"[0-9a-f]{64}")


class Shelf:
    """Names pictures by their hash; TIFF and layers, which browsers cannot show, by a PNG."""

    def __init__(self, run: Path) -> None:
        self._kept = run / PICTURES
        self._names: dict[tuple[Path, int, int], str | None] = {}
        self._paths: dict[str, Path] = {}
        self._layered: set[str] = set()

    def name(self, document: Document | None) -> str | None:
        """Hash and suffix of a picture; None where there is no file, or none to be shown."""
        if document is None or document.path is None:
            return None
        try:
            seen = document.path.stat()
            if not stat.S_ISREG(seen.st_mode):
                return None
            key = (document.path, seen.st_mtime_ns, seen.st_size)
            if key not in self._names:
                self._names[key] = self._look(document.path)
        except (OSError, ValueError):  # not there, or named as no file can be
            return None
        name = self._names[key]
        if name:
            self._paths[name] = document.path
        return name

    def path(self, name: str) -> Path | None:
        """Where the picture of that name lies, if it was named here before."""
        return self._paths.get(name)

    def data(self, name: str) -> bytes:
        """The picture's bytes as a browser can show them."""
        path = self._paths[name]
        return _as_png(path) if _is_drawn(path) else read_file(path)

    def is_layered(self, name: str) -> bool:
        """Whether the picture of that name is drawn from a file that has layers."""
        return name in self._layered

    def place(self, folder: Path) -> None:
        """Put every picture named so far below `folder`: a link where one is possible."""
        try:
            for name, path in self._paths.items():
                goal = folder / PICTURES / name[:2] / name
                if not goal.exists():
                    goal.parent.mkdir(parents=True, exist_ok=True)
                    _put(path, goal)
        except OSError as error:
            raise StoreError(
                f"Pictures cannot be put into {folder}: {error.strerror}.",
                "The report's folder must be writable and its disk have room.",
            ) from error

    def _look(self, path: Path) -> str | None:
        with path.open("rb") as file:
            head = file.read(12)
            layered = head.startswith(LAYERED)
            suffix = ".png" if layered else _SHOWN_AS.get(suffix_of(head))
            if suffix is None:
                return None
            # The store named its pictures by their content already.
            named = bool(_HASH.fullmatch(path.stem)) and path.parent.parent == self._kept
            file.seek(0)
            name = path.stem if named else hashlib.file_digest(file, "sha256").hexdigest()
        if layered:
            self._layered.add(name + suffix)
        return name + suffix


def _is_drawn(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(12)
    return suffix_of(head) == ".tiff" or head.startswith(LAYERED)


def _as_png(path: Path) -> bytes:
    out = io.BytesIO()
    Image.fromarray(Document(path).rgb).save(out, "PNG")
    return out.getvalue()


def _put(path: Path, goal: Path) -> None:
    """The picture under its new name, whole or not at all; one that cannot be read stays away."""
    partial = goal.with_name(f".{goal.name}")
    partial.unlink(missing_ok=True)
    try:
        if _is_drawn(path):
            partial.write_bytes(_as_png(path))
        else:
            _link(path, partial)
        partial.replace(goal)
    except OverpaintError:
        return  # its thumbnail says so already
    finally:
        partial.unlink(missing_ok=True)


def _link(path: Path, goal: Path) -> None:
    try:
        os.link(path.resolve(), goal)
    except OSError:  # another disk, or one that knows no links
        shutil.copyfile(path, goal)
