"""The fonts of the typeset bench: those the editor has, and eight families it must never have.

Known families are rows of the table of weights (`overpaint get fonts`). The held-out ones are
fetched for this bench alone, each at an exact version and hash, and kept in a folder of their own
beside Overpaint's cache, where no font library looks: Vollkorn and Spectral (serif), Work
Sans (sans), Righteous and Alfa Slab One (display), Caveat (handwritten), ZCOOL XiaoWei and Ma
Shan Zheng (Chinese). All are under the Open Font Licence. Nothing of a package is installed or run.
"""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

from overpaint import weights
from overpaint.errors import Unavailable
from overpaint.weights import npm, registry
from overpaint.weights.registry import Package


@dataclass(frozen=True)
class Font:
    """One font of the bench: a row of the table of weights, or a member of a package here."""

    family: str
    style: str  # serif, sans, display, hand, mono, chinese
    row: str = ""  # of the table of weights
    held: str = ""  # a key of HELD
    weight: int = 400

    @property
    def path(self) -> Path:
        """Where its file is; it is fetched where it is missing and held out."""
        return held_out(self.held) if self.held else weights.find(self.row)


# ── fonts that the editor has ───────────────────────────────────────────────────────────

_STATIC = (
    ("PT Sans", "sans", "font-sans", 400),
    ("PT Sans", "sans", "font-sans-bold", 700),
    ("PT Serif", "serif", "font-serif", 400),
    ("PT Serif", "serif", "font-serif-bold", 700),
    ("Anton", "display", "font-display", 400),
    ("DM Serif Display", "display", "font-display-serif", 400),
    ("Pacifico", "hand", "font-script", 400),
    ("Crimson Text", "serif", "font-crimson-text", 400),
    ("Crimson Text", "serif", "font-crimson-text-bold", 700),
    ("Kalam", "hand", "font-kalam", 400),
    ("Kalam", "hand", "font-kalam-bold", 700),
    ("Lato", "sans", "font-lato", 400),
    ("Poppins", "sans", "font-poppins", 400),
    ("IBM Plex Serif", "serif", "font-ibm-plex-serif", 400),
    ("Abril Fatface", "display", "font-abril-fatface", 400),
    ("Lobster", "display", "font-lobster", 400),
)
_VARIABLE = (
    ("Lora", "serif", "font-lora"),
    ("EB Garamond", "serif", "font-eb-garamond"),
    ("Libre Baskerville", "serif", "font-libre-baskerville"),
    ("Roboto Slab", "serif", "font-roboto-slab"),
    ("Source Sans 3", "sans", "font-source-sans-3"),
    ("Open Sans", "sans", "font-open-sans"),
    ("Roboto", "sans", "font-roboto"),
    ("Inter", "sans", "font-inter"),
    ("IBM Plex Sans", "sans", "font-ibm-plex-sans"),
    ("Montserrat", "sans", "font-montserrat"),
    ("Roboto Mono", "mono", "font-roboto-mono"),
    ("Noto Serif", "serif", "font-noto-serif"),
    ("Bitter", "serif", "font-bitter"),
    ("Playfair Display", "serif", "font-playfair-display"),
    ("Noto Sans", "sans", "font-noto-sans"),
    ("Nunito", "sans", "font-nunito"),
    ("Raleway", "sans", "font-raleway"),
    ("Rubik", "sans", "font-rubik"),
    ("Oswald", "sans", "font-oswald"),
    ("Roboto Condensed", "sans", "font-roboto-condensed"),
    ("Dancing Script", "hand", "font-dancing-script"),
)
KNOWN_LATIN: tuple[Font, ...] = (
    *(Font(family, style, row, weight=weight) for family, style, row, weight in _STATIC),
    *(Font(family, style, row, weight=w) for family, style, row in _VARIABLE for w in (400, 700)),
)
KNOWN_CHINESE: tuple[Font, ...] = (
    Font("Noto Sans SC", "chinese", "font-chinese-sans"),
    Font("Noto Serif SC", "chinese", "font-chinese-serif"),
)


# ── fonts that it must not have ─────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Held:
    """A font file inside a package of a registry."""

    package: Package
    member: str
    sha256: str


def _wheel(name: str, version: str, size: int, sha256: str) -> Package:
    file = f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    return Package(name, version, file, sha256, size, "OFL-1.1")


def _npm(name: str, version: str, size: int, sha256: str) -> Package:
    file = f"fontsource-{name}-{version}.tgz"
    return Package(f"@fontsource/{name}", version, file, sha256, size, "OFL-1.1", "npm")


HELD: Mapping[str, Held] = {
    "Vollkorn": Held(
        _wheel("fontpkg-vollkorn", "5.1", 484_270,
               "c795b540e38e406d8da872b19791da1411f88f22b0b75c5e927f9572d48d2365"),
        "fontpkg_vollkorn/files/Vollkorn[wght].ttf",
        "4ebef434f76f80286204840354a84db79a0dc3c87deeeb791e015b70b2ade49d",
    ),
    "Spectral": Held(
        _wheel("fontpkg-spectral", "2.5", 1_715_247,
               "b4b077a49a690706f3f392b864332436330eae0cd50d0535802107c4993a743c"),
        "fontpkg_spectral/files/Spectral-Regular.ttf",
        "c89021dc20720c8d0dcf40b0b2f6e00c13665fa8041717f581396f51b8c78f5d",
    ),
    "Work Sans": Held(
        _wheel("fontpkg-work-sans", "2.12", 341_104,
               "33ffc04b7fa9c846b99a9d5eb1dd3b548331ffcd1d942258e787f61eb2cf32c1"),
        "fontpkg_work_sans/files/WorkSans[wght].ttf",
        "f50f61f2ba738e239442d40bf1069adb195c224b6a5a73a581fc2f3ed62a9f63",
    ),
    "Righteous": Held(
        _wheel("fontpkg-righteous", "1.0", 30_428,
               "46ad39585ec34800ad2df26a65d47c7085fb7f654b411473a425979b15b7a147"),
        "fontpkg_righteous/files/Righteous-Regular.ttf",
        "2ffb3fe5c27d7e6571210b800448c4e234e651b46c6b4426c1bb567e5341348a",
    ),
    "Alfa Slab One": Held(
        _wheel("fontpkg-alfa-slab-one", "2.0", 52_676,
               "d8dab1cf0da9706010eb422221a6edbbeb20f65542f03dc0318e5c15c61a2b37"),
        "fontpkg_alfa_slab_one/files/AlfaSlabOne-Regular.ttf",
        "28664afa698a3393bd5a29eec750230a0645c5301d62200e5f2d3a027fb2299d",
    ),
    "Caveat": Held(
        _wheel("fontpkg-caveat", "2.0", 224_496,
               "fcab480da07243af667fd70098d54f34129f8e5c42c1bf5da5c5842b7c187c19"),
        "fontpkg_caveat/files/Caveat[wght].ttf",
        "0bdb6b660482d31531b3945849fba5916b3ef8695da7024a9e6b9ee3c4157988",
    ),
    "ZCOOL XiaoWei": Held(
        _npm("zcool-xiaowei", "5.3.0", 10_576_106,
             "da63bdd0b1fe09ca18433ced3033c0ecbcffcfdca09c021206e8076822d28720"),
        "package/files/zcool-xiaowei-chinese-simplified-400-normal.woff",
        "27b75caf6611f1a36bc4c863bcc2c4b835265d300250ca711293b781d95e1d5b",
    ),
    "Ma Shan Zheng": Held(
        _npm("ma-shan-zheng", "5.3.1", 13_268_328,
             "f441a8e137c210da78e8a287616227b11771ff8bbc4a6e506a0f5f84790ca272"),
        "package/files/ma-shan-zheng-chinese-simplified-400-normal.woff",
        "0e606ca22431696db0e8b557a8880be7eea710e0eee7d5b988560a216de9a639",
    ),
}  # fmt: skip

HELD_OUT: tuple[str, ...] = tuple(HELD)
HELD_FONTS: tuple[Font, ...] = (
    Font("Vollkorn", "serif", held="Vollkorn"),
    Font("Spectral", "serif", held="Spectral"),
    Font("Work Sans", "sans", held="Work Sans"),
    Font("Righteous", "display", held="Righteous"),
    Font("Alfa Slab One", "display", held="Alfa Slab One"),
    Font("Caveat", "hand", held="Caveat"),
    Font("ZCOOL XiaoWei", "chinese", held="ZCOOL XiaoWei"),
    Font("Ma Shan Zheng", "chinese", held="Ma Shan Zheng"),
)


def folder() -> Path:
    """Where held-out fonts are kept: beside the cache, not in it."""
    cache = weights.cache_folder()
    return cache.with_name(f"{cache.name}-bench")


@lru_cache(maxsize=64)
def held_out(name: str) -> Path:
    """The file of a held-out font, its hash checked, fetched where it is missing."""
    font = HELD[name]
    path = folder() / f"{font.sha256[:12]}{Path(font.member).suffix}"
    if not path.is_file() or registry.sha256(path) != font.sha256:
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder()) as work:
            _take(font, Path(work), path)
    return path


def _take(font: Held, work: Path, path: Path) -> None:
    """Put one member of a package, and nothing else, in its place."""
    package = font.package
    get = npm.download if package.source == "npm" else registry.download
    found = registry.take_out(get(package, work), [font.member], work)
    part = found[font.member]
    if (got := registry.sha256(part)) != font.sha256:
        raise Unavailable(f"{font.member} has the sha256 {got}.", f"{font.sha256} was expected.")
    part.replace(path)


# ── opened ──────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=256)
def opened(font: Font, size: float) -> ImageFont.FreeTypeFont:
    """The font at a size, a variable one at its weight and, where it has one, optical size."""
    found = ImageFont.truetype(font.path, size)
    if "[" not in font.path.name and not (font.held and _varies(found)):
        return found
    values: list[float] = []
    for axis in found.get_variation_axes():
        low, high, usual = axis["minimum"] or 0, axis["maximum"] or 0, axis["default"] or 0
        named = bytes(axis["name"] or b"").decode().lower()
        values.append(min(max(font.weight if "weight" in named else usual, low), high))
    found.set_variation_by_axes(values)
    return found


def _varies(font: ImageFont.FreeTypeFont) -> bool:
    try:
        return bool(font.get_variation_axes())
    except OSError:  # what Pillow says of a font without axes
        return False
