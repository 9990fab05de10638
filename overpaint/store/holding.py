"""What is kept on this machine, where, how large it is, and what of it can be had again."""

import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import overpaint
from overpaint.document.places import cache_folder
from overpaint.errors import StoreError, UserMistake
from overpaint.store import DATABASE
from overpaint.store.orphans import orphans, prune_run

WEIGHTS, FONTS, SETS, CALLS, KERNELS, LEFT, OTHER, RUN = (
    "weights", "fonts", "sets", "calls", "kernels", "left", "other", "run",
)  # fmt: skip
AGAIN = {
    WEIGHTS: "overpaint get", FONTS: "overpaint get", KERNELS: "made when they are needed",
    SETS: "drawn when their benchmark is run", LEFT: "half-done downloads of commands that died",
}  # fmt: skip
DEEP = 4  # folders below the one asked about in which runs are looked for
DAY = 24 * 3600.0
_FETCHED = re.compile(r"[0-9a-f]{12}-.+")
_DRAWN = re.compile(r"(milde|multiref|vde|ebench)-[0-9a-f]{12}|canvases")


@dataclass(frozen=True)
class Held:
    """Some files of one kind in one place."""

    kind: str
    where: str
    files: int
    bytes: int
    spare: int = 0  # bytes of pictures that no row names, of a run
    note: str = ""


def held(folder: Path) -> list[Held]:
    """All that is kept: in the user's cache, beside the program, and the runs below a folder."""
    places: dict[tuple[str, Path], list[Path]] = {}
    for path in _in_cache():
        kind = kind_of(path)
        whole = path if kind in (SETS, CALLS, OTHER) else path.parent
        places.setdefault((kind, whole), []).append(path)
    if found := _kernels():
        places[KERNELS, Path(overpaint.__file__).parent] = found
    rows = []
    for (kind, where), paths in places.items():
        files, size = sums(paths)
        rows.append(Held(kind, str(where), files, size, note=AGAIN.get(kind, "stays")))
    return [*sorted(rows, key=lambda row: (row.kind, row.where)), *map(_run, runs_below(folder))]


def kind_of(path: Path) -> str:
    """What something in the cache is, by its name."""
    name = path.name
    if name.startswith("half-done-"):
        return LEFT
    if path.is_dir():
        return SETS if _DRAWN.fullmatch(name) else CALLS if name == CALLS else OTHER
    if path.suffix.lower() in (".ttf", ".otf", ".ttc", ".woff", ".woff2") or name == "fonts.json":
        return FONTS
    return WEIGHTS if _FETCHED.fullmatch(name) else OTHER


def _in_cache() -> list[Path]:
    folder = cache_folder()
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _kernels() -> list[Path]:
    """Machine code that numba keeps beside the program."""
    return sorted(Path(overpaint.__file__).parent.rglob("__pycache__/*.nb[ic]"))


def runs_below(folder: Path, deep: int = DEEP) -> Iterator[Path]:
    """The runs in a folder and a few below it; links are not followed."""
    names, below = set[str](), list[str]()
    for entry in _entries(folder):
        names.add(entry.name)
        if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
            below.append(entry.name)
    if DATABASE in names and os.path.isfile(folder / DATABASE):
        yield folder
    elif deep:
        for name in sorted(below):
            yield from runs_below(folder / name, deep - 1)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing where it cannot be looked into, or has just gone."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _run(folder: Path) -> Held:
    files, size = sums([folder])
    try:
        spare = sum(size for _, size in orphans(folder))
    except StoreError as error:
        return Held(RUN, str(folder), files, size, note=error.wrong)
    return Held(RUN, str(folder), files, size, spare)


def sums(paths: list[Path]) -> tuple[int, int]:
    """How many files there are in these places, and how many bytes they have."""
    files = size = 0
    for path in paths:
        if os.path.isdir(path) and not os.path.islink(path):
            more, larger = sums([Path(entry.path) for entry in _entries(path)])
            files, size = files + more, size + larger
        elif not os.path.isdir(path):
            with suppress(OSError):  # gone since, or in a folder that can only be listed
                files, size = files + 1, size + path.lstat().st_size
    return files, size


def prune(what: str, folder: Path) -> int:
    """Remove what can be had again of a kind, or the pictures that no row of a run names.

    Gives the bytes that became free. Replies of models, ratings and rows are never removed.
    """
    if what in AGAIN:
        return _prune_kind(what)
    if what in (CALLS, OTHER):
        raise UserMistake(
            f"What is kept under {what!r} is not removed: it cannot be had again for nothing.",
            f"What can is {', '.join(AGAIN)}, and what no row of a run names.",
            f"Delete it by hand if you must; it is in {cache_folder()}.",
        )
    for run in (Path(what), folder / what):
        if (run / DATABASE).is_file():
            return prune_run(run)
    raise UserMistake(
        f"{what!r} is neither a kind of what is kept nor a run.",
        f"Kinds are {', '.join(AGAIN)}; a run is a folder with a {DATABASE} in it.",
        "`overpaint cache` lists both.",
    )


def _prune_kind(kind: str) -> int:
    paths = _kernels() if kind == KERNELS else [p for p in _in_cache() if kind_of(p) == kind]
    freed = 0
    for path in paths:
        # What another command is downloading right now is not left by anybody.
        if kind == LEFT and time.time() - path.lstat().st_mtime < DAY:
            continue
        size = sums([path])[1]
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
        freed += size - (sums([path])[1] if path.exists() else 0)
    return freed
