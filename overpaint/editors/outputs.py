"""`outputs:PATH`: pictures that any model made elsewhere, as a folder or a JSONL of id and path."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from overpaint.core import Request
from overpaint.document import Document, regular
from overpaint.errors import DataError, NoOutput, UserMistake, unread

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff")


@dataclass(frozen=True)
class Outputs:
    """Pictures made elsewhere, in a folder or listed in a JSONL; what is missing counts as such.

    In a folder: `<sample id>_edited.<suffix>` or `<sample id>.<suffix>`; TextEditBench's own
    `<Topic>/<NNN>_edited.jpg` where only one split has that topic and number. In a list: lines of
    {"id": …, "path": …}, paths below the list's folder.
    """

    where: str

    def __post_init__(self) -> None:
        """A folder or list that cannot be used is said before anything is run."""
        _ = self._list

    def __call__(self, request: Request) -> Document:
        found = self._listed(request) if self._list is not None else self._filed(request)
        if found is None:
            raise NoOutput(self._why_not(request))
        return Document(found)

    def _filed(self, request: Request) -> Path | None:
        """`<name>_edited.<suffix>` or `<name>.<suffix>`, under any of the sample's names."""
        for name in request.names:
            for ending in ("_edited", ""):
                for suffix in SUFFIXES:
                    path = self._root / f"{name}{ending}{suffix}"
                    if path.is_file():
                        return _inside(path, self._root)
        return None

    def _why_not(self, request: Request) -> str:
        """The same words for every sample, so that a table of failures can count them."""
        if self._list is not None:
            return f"{self.where} does not list this sample's id."
        short = request.names[0].partition("/")[2] if request.names else ""
        if short and any(self._root.glob(f"{short}_edited.*")):
            return (
                f"{self.where} has a picture <Topic>/<NNN>_edited, but both splits have a sample"
                " called that; put each split's pictures below a folder of the split's name."
            )
        kinds = ", ".join(SUFFIXES)
        return f"{self.where} has no <sample id>_edited or <sample id> picture ({kinds})."

    def _listed(self, request: Request) -> Path | None:
        assert self._list is not None
        found = (self._list[name] for name in request.names if name in self._list)
        return next((_inside(path, self._root.parent) for path in found), None)

    @cached_property
    def _root(self) -> Path:
        root = Path(self.where).expanduser()
        if not self.where.strip() or not root.exists():
            raise UserMistake(
                f"outputs:{self.where} is not there.",
                "A folder of pictures or a JSONL file was expected.",
            )
        return root.resolve()

    @cached_property
    def _list(self) -> dict[str, Path] | None:
        if self._root.is_dir():
            return None
        try:
            lines = regular.read_text(self._root).split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"{self._root} cannot be read: {error}.") from None
        found: dict[str, Path] = {}
        for number, line in enumerate(lines, 1):
            if line.strip():
                identity, path = _parse(self._root, number, line)
                if identity in found:
                    raise DataError(f"{self._root}, line {number}: {identity!r} comes twice.")
                found[identity] = self._root.parent / path
        return found


def _parse(file: Path, number: int, line: str) -> tuple[str, str]:
    try:
        row = json.loads(line)
        identity, path = row["id"], row["path"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise DataError(
            f"{file}, line {number}: {line[:80]!r} cannot be read ({unread(error)}).",
            'Each line should be {"id": "…", "path": "…"}.',
        ) from None
    if not isinstance(identity, str) or not isinstance(path, str):
        raise DataError(f"{file}, line {number}: id and path should be strings.")
    return identity, path


def _inside(path: Path, root: Path) -> Path:
    """The path, if it stays below the folder it was listed in."""
    try:
        resolved = path.resolve()
    except (OSError, ValueError, RuntimeError) as error:  # a loop of links, a NUL
        raise DataError(f"The path {str(path)[:200]!r} leads nowhere: {error}.") from None
    if not resolved.is_relative_to(root.resolve()):
        raise DataError(f"{path} leaves {root}.", "Paths of outputs stay below their own folder.")
    return resolved
