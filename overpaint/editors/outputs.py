"""`outputs:PATH`: pictures that any model made elsewhere, as a folder or a JSONL of id and path."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from overpaint.core import Request
from overpaint.document import Document
from overpaint.errors import DataError, NoOutput, UserMistake

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff")


@dataclass(frozen=True)
class Outputs:
    """Looks up each sample's picture; what is not there is `no_output`, never skipped."""

    where: str

    def __call__(self, request: Request) -> Document:
        found = self._listed(request) if self._list is not None else self._filed(request)
        if found is None:
            example = f"{request.names[0]}_edited.png" if request.names else "the sample's id"
            raise NoOutput(f"{self.where} has no picture for this sample (looked for {example}).")
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

    def _listed(self, request: Request) -> Path | None:
        assert self._list is not None
        return next((self._list[name] for name in request.names if name in self._list), None)

    @cached_property
    def _root(self) -> Path:
        root = Path(self.where).expanduser()
        if not root.exists():
            raise UserMistake(
                f"outputs:{self.where} is not there.",
                "A folder of pictures or a JSONL file was expected.",
            )
        return root.resolve()

    @cached_property
    def _list(self) -> dict[str, Path] | None:
        if self._root.is_dir():
            return None
        lines = self._root.read_text(encoding="utf-8-sig").splitlines()
        rows = [(n, _parse(self._root, n, line)) for n, line in enumerate(lines, 1) if line.strip()]
        return {
            identity: _inside(self._root.parent / path, self._root.parent)
            for _, (identity, path) in rows
        }


def _parse(file: Path, number: int, line: str) -> tuple[str, str]:
    try:
        row = json.loads(line)
        identity, path = row["id"], row["path"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise DataError(
            f"{file}, line {number}: {line[:80]!r} cannot be read ({error}).",
            'Each line should be {"id": "…", "path": "…"}.',
        ) from None
    if not isinstance(identity, str) or not isinstance(path, str):
        raise DataError(f"{file}, line {number}: id and path should be strings.")
    return identity, path


def _inside(path: Path, root: Path) -> Path:
    """The path, if it stays below the folder it was listed in."""
    resolved = path.resolve()
    if not resolved.is_relative_to(root.resolve()):
        raise DataError(f"{path} leaves {root}.", "Paths of outputs stay below their own folder.")
    return resolved
