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
from overpaint.errors import PictureError, StoreError
from overpaint.store.pictures import PICTURES, suffix_of

NAME = re.compile(r"[0-9a-f]{64}\.(?:png|jpg|webp)")
TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp"}
# What a browser must take a file for, whatever it is called.
_SHOWN_AS = {".png": ".png", ".tiff": ".png", ".jpg": ".jpg", ".webp": ".webp"}
_HASH = re.compile(r"[0-9a-f]{64}")


class Shelf:
    """Names pictures by their hash; browsers cannot show TIFF, so that goes by a PNG of it."""

    def __init__(self, run: Path) -> None:
        self._kept = run / PICTURES
        self._names: dict[tuple[Path, int, int], str | None] = {}
        self._paths: dict[str, Path] = {}

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
        except OSError:
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
        return _as_png(path) if _is_tiff(path) else path.read_bytes()

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
            suffix = _SHOWN_AS.get(suffix_of(file.read(12)))
            if suffix is None:
                return None
            if _HASH.fullmatch(path.stem) and path.parent.parent == self._kept:
                return path.stem + suffix  # the store named it by its content already
            file.seek(0)
            return hashlib.file_digest(file, "sha256").hexdigest() + suffix


def _is_tiff(path: Path) -> bool:
    with path.open("rb") as file:
        return suffix_of(file.read(12)) == ".tiff"


def _as_png(path: Path) -> bytes:
    out = io.BytesIO()
    Image.fromarray(Document(path).rgb).save(out, "PNG")
    return out.getvalue()


def _put(path: Path, goal: Path) -> None:
    """The picture under its new name, whole or not at all; one that cannot be read stays away."""
    partial = goal.with_name(f".{goal.name}")
    partial.unlink(missing_ok=True)
    try:
        if _is_tiff(path):
            partial.write_bytes(_as_png(path))
        else:
            _link(path, partial)
        partial.replace(goal)
    except PictureError:
        return  # its thumbnail says so already
    finally:
        partial.unlink(missing_ok=True)


def _link(path: Path, goal: Path) -> None:
    try:
        os.link(path.resolve(), goal)
    except OSError:  # another disk, or one that knows no links
        shutil.copyfile(path, goal)
