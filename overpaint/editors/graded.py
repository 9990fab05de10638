"""Editors whose pictures came with the data: `graded:NAME` and `released:NAME`.

They make nothing. They look beside a sample's source for what somebody made of it beforehand, and
no more: of the target they know nothing, and a picture that is not there counts as missing.
"""

from dataclasses import dataclass
from pathlib import Path

from overpaint.core import Request
from overpaint.document import Document
from overpaint.editors.outputs import SUFFIXES
from overpaint.errors import NoOutput, NotApplicable, UserMistake

# Best first, as their outputs are made to rank.
NAMES = ("thorough", "careful", "hasty", "timid", "rough", "careless")
GRADED = "graded"  # beside the folder of the sources
SOURCES, OUTPUTS = "sourceimg_", "targetimg_"  # of the released set, with h or l at their end


@dataclass(frozen=True)
class Graded:
    """What an editor of known quality made of the built-in set of EBench.

    `thorough`, `careful`, `hasty`, `timid`, `rough` and `careless`: how much each did and harmed is
    known by construction, hence how they rank.
    """

    name: str

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            known = ", ".join(NAMES)
            raise UserMistake(f"There is no graded:{self.name[:80]}.", f"Known are {known}.")

    def __call__(self, request: Request) -> Document:
        source = _path(request, GRADED)
        folder = source.parent.parent / GRADED / self.name
        if not folder.is_dir():
            raise NotApplicable("No graded outputs came with this sample.")
        return _found(folder, source.stem)


@dataclass(frozen=True)
class Released:
    """What one of the anonymous editors of EBench's released files made: `released:model00`."""

    name: str

    def __post_init__(self) -> None:
        """A name is one folder's, and leads nowhere else."""
        name = self.name
        if not name.isprintable() or Path(name).name != name or not name.strip(". "):
            raise UserMistake(
                f"released:{name[:80]} names no editor.",
                "The released ones are called released:model00 to released:model16.",
            )

    def __call__(self, request: Request) -> Document:
        source = _path(request, "released")
        group = source.parent.parent
        if not group.name.startswith(SOURCES):
            raise NotApplicable("No released outputs came with this sample.")
        folder = group.parent / group.name.replace(SOURCES, OUTPUTS, 1) / self.name
        return _found(folder, source.stem)


def _path(request: Request, kind: str) -> Path:
    if request.source.path is None:
        raise NotApplicable(f"No {kind} outputs came with this sample.")
    return request.source.path.absolute()


def _found(folder: Path, stem: str) -> Document:
    for suffix in SUFFIXES:
        path = folder / f"{stem}{suffix}"
        if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
            return Document(path)
    raise NoOutput(f"{folder.name} has no picture of this sample.")
