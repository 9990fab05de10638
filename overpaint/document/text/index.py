"""The index of fonts: those of the machine and those that came with the install.

Reading a few hundred fonts takes a second; what was read is kept in the user's cache under
path, size and date of each file, so that it happens once.
"""

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from overpaint.document.places import cache_folder
from overpaint.document.text.faces import Face, faces_from
from overpaint.document.text.sfnt import Axis, Damaged, Facts, faces_of

FONTS_SETTING = "OVERPAINT_FONTS"
# Packages that `pip install overpaint` brings along, by the name of their module.
SHIPPED = (
    "font_caladea",
    "fontpkg_abril_fatface",
    "fontpkg_anton",
    "fontpkg_archivo_black",
    "fontpkg_arimo",
    "fontpkg_bitter",
    "fontpkg_crimson_text",
    "fontpkg_dancing_script",
    "fontpkg_dm_sans",
    "fontpkg_dm_serif_display",
    "fontpkg_eb_garamond",
    "fontpkg_ibm_plex_sans",
    "fontpkg_ibm_plex_serif",
    "fontpkg_indie_flower",
    "fontpkg_inter",
    "fontpkg_kalam",
    "fontpkg_lato",
    "fontpkg_libre_baskerville",
    "fontpkg_lobster",
    "fontpkg_lora",
    "fontpkg_merriweather",
    "fontpkg_montserrat",
    "fontpkg_noto_sans",
    "fontpkg_noto_sans_arabic",
    "fontpkg_noto_serif",
    "fontpkg_nunito",
    "fontpkg_open_sans",
    "fontpkg_oswald",
    "fontpkg_pacifico",
    "fontpkg_permanent_marker",
    "fontpkg_playfair_display",
    "fontpkg_poppins",
    "fontpkg_pt_sans",
    "fontpkg_pt_serif",
    "fontpkg_quicksand",
    "fontpkg_raleway",
    "fontpkg_roboto",
    "fontpkg_roboto_condensed",
    "fontpkg_roboto_mono",
    "fontpkg_roboto_slab",
    "fontpkg_rubik",
    "fontpkg_source_code_pro",
    "fontpkg_source_sans_3",
    "fontpkg_source_serif_4",
    "pylopdf_fonts_zh_cn",
)
_ENDINGS = (".ttf", ".otf", ".ttc", ".otc")
_MOST_FILES = 20_000
_LARGEST = 256 << 20
_VERSION = 1  # of the kept index


def font_files() -> tuple[Path, ...]:
    """Every font file, the user's own folders first, then what was shipped, then the machine's."""
    seen: dict[str, Path] = {}
    for folder, deep in _folders():
        for path in _walk(folder, deep):
            seen.setdefault(os.path.realpath(path), path)
            if len(seen) >= _MOST_FILES:
                return tuple(seen.values())
    return tuple(seen.values())


def fetched_fonts() -> list[Path]:
    """Font files that `overpaint get` has fetched."""
    return list(_walk(cache_folder(), False))


def installed_fonts() -> str:
    """How many font files the install and the machine have, and a hash of their names and sizes."""
    found = set[tuple[str, int]]()
    for path in (path for folder in (*_shipped(), *_machine()) for path in _walk(folder, True)):
        with suppress(OSError):  # a link that leads nowhere
            found.add((path.name, path.stat().st_size))
    told = hashlib.sha256(repr(sorted(found)).encode(errors="surrogateescape"))
    return f"{len(found)} ({told.hexdigest()[:8]})"


def read_fonts(paths: Sequence[Path]) -> tuple[tuple[Face, ...], tuple[tuple[Path, str], ...]]:
    """The faces in the files, and the files that are damaged, each with what is wrong."""
    kept = _kept()
    rows = {str(path): row for path in paths if (row := _row(path, kept.get(str(path))))}
    if rows.keys() - kept.keys() or any(kept.get(name) is not row for name, row in rows.items()):
        _keep({**kept, **rows})
    faces, damaged = list[Face](), list[tuple[Path, str]]()
    for name, row in rows.items():
        if row["wrong"]:
            damaged.append((Path(name), row["wrong"]))
        for facts in row["faces"]:
            faces.extend(faces_from(Path(name), _facts(facts)))
    return tuple(faces), tuple(damaged)


# ── where fonts are ─────────────────────────────────────────────────────────────────────


def _folders() -> Iterator[tuple[Path, bool]]:
    """Folders of fonts, and whether those inside them count."""
    for chosen in os.environ.get(FONTS_SETTING, "").split(os.pathsep):
        if chosen:
            yield Path(chosen).expanduser(), True
    yield from ((folder, True) for folder in _shipped())
    yield cache_folder(), False  # what `overpaint get` fetched
    yield from ((folder, True) for folder in _machine())


def _shipped() -> Iterator[Path]:
    for module in SHIPPED:
        spec = find_spec(module)  # which does not run it
        yield from map(Path, (spec.submodule_search_locations or ()) if spec else ())


def _machine() -> list[Path]:
    home = Path.home()
    if sys.platform == "win32":
        local = Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local")
        windows = Path(os.environ.get("WINDIR") or "C:/Windows")
        return [windows / "Fonts", local / "Microsoft/Windows/Fonts"]
    if sys.platform == "darwin":
        return [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts"]
    data = os.environ.get("XDG_DATA_HOME") or str(home / ".local/share")
    shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    return [*(Path(p) / "fonts" for p in (data, *shared.split(":")) if p), home / ".fonts"]


def _walk(folder: Path, deep: bool) -> Iterator[Path]:
    for place, inner, names in os.walk(folder):
        if not deep:
            inner.clear()
        inner.sort()
        for name in sorted(names):
            if name.lower().endswith(_ENDINGS):
                yield Path(place, name)


# ── what was read before ────────────────────────────────────────────────────────────────

Row = Mapping[str, Any]  # size, changed, faces, wrong


def _row(path: Path, kept: Row | None) -> Row | None:
    try:
        about = path.stat()
        if kept and (kept["size"], kept["changed"]) == (about.st_size, about.st_mtime_ns):
            return kept
        row = {"size": about.st_size, "changed": about.st_mtime_ns, "faces": [], "wrong": ""}
        if not 0 < about.st_size <= _LARGEST:
            return {**row, "wrong": f"it has {about.st_size} bytes"}
        faces = faces_of(path)
        _open(path, [facts.index for facts in faces])
        return {**row, "faces": [_plain(facts) for facts in faces]}
    except Damaged as damage:
        return {**row, "wrong": str(damage)}
    except OSError:
        return None  # gone, or not ours to read


def _open(path: Path, indices: Sequence[int]) -> None:
    """Let FreeType, which will draw it, open every face once."""
    from PIL import ImageFont

    for index in indices:
        try:
            ImageFont.truetype(str(path), 16, index)
        except (OSError, ValueError) as error:
            raise Damaged(f"it cannot be opened: {error}") from error


def _plain(facts: Facts) -> dict[str, Any]:
    return {**asdict(facts), "panose": facts.panose.hex()}


def _facts(plain: Mapping[str, Any]) -> Facts:
    return Facts(
        **{
            **plain,
            "names": tuple(plain["names"]),
            "panose": bytes.fromhex(plain["panose"]),
            "axes": tuple(Axis(**axis) for axis in plain["axes"]),
        }
    )


def _kept() -> dict[str, Row]:
    """The rows of the last time; none where they are of another version or damaged."""
    try:
        said = json.loads(_place().read_bytes())
        if said["version"] == _VERSION:
            rows = dict[str, Row](said["files"])
            for row in rows.values():
                [row[field] for field in ("size", "changed", "wrong")]
                [_facts(facts) for facts in row["faces"]]
            return rows
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    return {}


def _keep(rows: Mapping[str, Row]) -> None:
    """Write the index whole or not at all; where it cannot be written, it is read anew."""
    here = {name: row for name, row in rows.items() if Path(name).is_file()}
    said = json.dumps({"version": _VERSION, "files": here}, ensure_ascii=False)
    try:
        _place().parent.mkdir(parents=True, exist_ok=True)
        # All that is half done lives in here and goes with it, whatever happens.
        with tempfile.TemporaryDirectory(prefix="half-done-", dir=_place().parent) as work:
            part = Path(work) / "fonts.json"
            part.write_text(said, encoding="utf-8")
            part.replace(_place())
    except OSError:
        return


def _place() -> Path:
    return cache_folder() / "fonts.json"
