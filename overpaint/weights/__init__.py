"""Weights and fonts: where they are on this machine, and how they get here.

Every file stands inside a package of a public registry, at an exact version and with a known
hash (`table.py`). `fetch` downloads that package with the user's own pip or npm, checks the hash,
takes out only the files of the table and keeps them in the user's cache. Nothing in a package is
ever installed, run or unpickled. `find` never touches the network.
"""

import functools
import importlib.metadata
import shutil
import tempfile
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from overpaint.document.places import CACHE_SETTING, cache_folder
from overpaint.errors import OverpaintError, Unavailable, UserMistake
from overpaint.weights import npm, registry
from overpaint.weights.registry import Package
from overpaint.weights.table import DEFAULT, GROUPS, TABLE, Weight

__all__ = [
    "CACHE_SETTING", "DEFAULT", "GROUPS", "TABLE", "Package", "Status", "Weight",
    "cache_folder", "expand", "fetch", "find", "hashes", "present", "row", "status",
]  # fmt: skip

_HALF_DONE = "half-done-"


@dataclass(frozen=True)
class Status:
    """What `doctor` says of one row."""

    name: str
    present: bool
    size: int  # bytes to download where it is not present
    licence: str
    what_for: str
    command: str


# ── looking, without the network ────────────────────────────────────────────────────────


def row(name: str) -> Weight:
    """The row of that name."""
    for entry in TABLE:
        if entry.name == name:
            return entry
    known = ", ".join([*GROUPS, *(entry.name for entry in TABLE)])
    raise UserMistake(f"There are no weights or fonts called {name!r}.", f"Known are {known}.")


def expand(names: Iterable[str] = ()) -> tuple[str, ...]:
    """Row names of what a user asked for: rows, groups of rows, or nothing for the default."""
    asked = tuple(names) or DEFAULT
    return tuple(dict.fromkeys(n for a in asked for n in GROUPS.get(a) or (row(a).name,)))


def find(name: str) -> Path:
    """The file of that row, its hash checked, from the cache or an installed package."""
    entry = row(name)
    for path in (_cached(entry), _installed(entry)):
        if path is not None and path.is_file() and _hash(path) == entry.sha256:
            return path
    damaged = _cached(entry).is_file()
    raise Unavailable(
        f"{entry.what_for} ({name}) is {'damaged' if damaged else 'not on this machine'}.",
        f"It comes in {entry.package.name} {entry.package.version}, and in that version only.",
        f"Get it with: {entry.command}",
    )


def status() -> tuple[Status, ...]:
    """Every row: is it here, how large is the download, whose licence, which command gets it."""
    return tuple(
        Status(e.name, _present(e), e.size, e.package.licence, e.what_for, e.command) for e in TABLE
    )


def hashes() -> dict[str, str]:
    """Name and sha256 of every file that is here, for the record of a run."""
    return {entry.name: entry.sha256 for entry in TABLE if _present(entry)}


def present(names: Collection[str]) -> list[Path]:
    """Files of these rows that are in the cache; whether they are whole is not looked at."""
    found = (_cached(entry) for entry in TABLE if entry.name in names)
    return [path for path in found if path.is_file()]


def _present(entry: Weight) -> bool:
    try:
        return find(entry.name).is_file()
    except Unavailable:
        return False


def _cached(entry: Weight) -> Path:
    # The hash in the name lets two versions of Overpaint share one cache.
    member = Path(entry.member)
    name = member.stem if entry.rest else member.name  # "net.part0" is "net" when it is joined
    return cache_folder() / f"{entry.sha256[:12]}-{entry.file or name}"


def _installed(entry: Weight) -> Path | None:
    """Where an installed package of that very version would have the file."""
    if entry.rest or entry.package.source != "pip":
        return None  # it is in pieces there, or where Python does not look
    try:
        found = importlib.metadata.distribution(entry.package.name)
    except importlib.metadata.PackageNotFoundError:
        return None
    if _numbers(found.version) != _numbers(entry.package.version):
        return None
    in_source = entry.package.file.endswith(".tar.gz")  # there a top folder comes first
    return Path(str(found.locate_file(entry.member.split("/", int(in_source))[-1])))


def _numbers(version: str) -> tuple[str, ...]:
    """A version such that 2.001 and 2.1 are the same, as they are to pip."""
    return tuple(part.lstrip("0") or "0" for part in version.lower().split("."))


def _hash(path: Path) -> str:
    about = path.stat()
    return _hash_once(path, about.st_size, about.st_mtime_ns)


@functools.lru_cache(maxsize=64)
def _hash_once(path: Path, size: int, changed: int) -> str:
    """The sha256 of a file, computed once a process while size and date stay the same."""
    return registry.sha256(path)


# ── getting ─────────────────────────────────────────────────────────────────────────────


def fetch(name: str, *, progress: registry.Progress | None = None) -> Path:
    """The file of that row, downloaded where it is missing, with its package's other rows."""
    entry = row(name)
    if _present(entry):
        return find(name)
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder)
        # All that is half done lives in here and goes with it, whatever happens.
        with tempfile.TemporaryDirectory(prefix=_HALF_DONE, dir=folder) as work:
            _take_all(entry, Path(work), progress)
    except OSError as error:
        raise OverpaintError(
            f"{name} cannot be kept in {folder}: {error}.",
            f"A folder that can be written, with {entry.size >> 19} MB free, was expected.",
            f"Set {CACHE_SETTING} to one.",
        ) from error
    return find(name)


def _sweep(folder: Path) -> None:
    """Remove what a killed process left half done more than a day ago."""
    for left in folder.glob(f"{_HALF_DONE}*"):
        if time.time() - left.stat().st_mtime > 24 * 3600:
            left.unlink() if left.is_file() else shutil.rmtree(left, ignore_errors=True)


def _take_all(entry: Weight, work: Path, progress: registry.Progress | None) -> None:
    """Download a row's packages, and take out every row that is in the first of them."""
    rows = [sibling for sibling in TABLE if sibling.package == entry.package]
    wanted: dict[Package, list[str]] = {}
    for package, member in dict.fromkeys(part for sibling in rows for part in sibling.parts):
        wanted.setdefault(package, []).append(member)
    pieces: dict[tuple[Package, str], Path] = {}
    for package, members in wanted.items():
        get = npm.download if package.source == "npm" else registry.download
        archive = get(package, work, progress=progress)
        found = registry.take_out(archive, members, work)
        pieces.update({(package, member): path for member, path in found.items()})
    for sibling in rows:
        _keep(sibling, [pieces[part] for part in sibling.parts], work)


def _keep(entry: Weight, pieces: Sequence[Path], work: Path) -> None:
    """Move one file, its pieces joined, into the cache."""
    part = work / entry.sha256
    with part.open("wb") as out:
        for piece in pieces:
            with piece.open("rb") as source:
                shutil.copyfileobj(source, out)
    if _hash(part) != entry.sha256:
        raise Unavailable(
            f"{entry.member} in {entry.package.file} has the sha256 {_hash(part)}.",
            f"{entry.sha256} was expected.",
            "Nothing of it was kept; this version of Overpaint cannot use that package.",
        )
    part.replace(_cached(entry))
