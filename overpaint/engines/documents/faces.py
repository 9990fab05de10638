"""Faces: the font families documents are set in, and a font of one of them at a size."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from PIL import ImageFont

from overpaint import weights

FINE = 4  # letters are drawn this many times larger and shrunk: no hinting, exact places
REGULAR, BOLD = 400, 700


@dataclass(frozen=True)
class Family:
    """Rows of the table of weights. One row alone has all weights, or is made bold by force."""

    regular: str
    bold: str = ""
    swell: float = 0.0  # by how much strokes grow where there is no bold, in sizes


FAMILIES: Mapping[str, Family] = {
    "PT Sans": Family("font-sans", "font-sans-bold"),
    "Source Sans 3": Family("font-source-sans-3"),
    "Open Sans": Family("font-open-sans"),
    "Roboto": Family("font-roboto"),
    "Inter": Family("font-inter"),
    "IBM Plex Sans": Family("font-ibm-plex-sans"),
    "Montserrat": Family("font-montserrat"),
    "PT Serif": Family("font-serif", "font-serif-bold"),
    "Lora": Family("font-lora"),
    "EB Garamond": Family("font-eb-garamond"),
    "Crimson Text": Family("font-crimson-text", "font-crimson-text-bold"),
    "Libre Baskerville": Family("font-libre-baskerville"),
    "Roboto Slab": Family("font-roboto-slab"),
    "Roboto Mono": Family("font-roboto-mono"),
    "Kalam": Family("font-kalam", "font-kalam-bold"),
    "Noto Sans SC": Family("font-chinese-sans", swell=0.022),
    "Noto Serif SC": Family("font-chinese-serif", swell=0.024),
}
SANS = ("PT Sans", "Source Sans 3", "Open Sans", "Roboto", "Inter", "IBM Plex Sans", "Montserrat")
SERIF = ("PT Serif", "Lora", "EB Garamond", "Crimson Text", "Libre Baskerville", "Roboto Slab")
# At one size some families look larger or smaller than others; they are set a step apart.
LARGE = ("Libre Baskerville", "Montserrat", "Open Sans")
SMALL = ("EB Garamond", "Crimson Text")


@lru_cache(maxsize=512)
def face(family: str, size: int, bold: bool) -> ImageFont.FreeTypeFont:
    """The font, drawn `FINE` times larger than it will stand on the page."""
    rows = FAMILIES[family]
    path = weights.find(rows.bold if bold and rows.bold else rows.regular)
    font = ImageFont.truetype(path, size * FINE)
    if not rows.bold and not rows.swell:
        _weigh(font, BOLD if bold else REGULAR, size)
    return font


def swell(family: str, size: int, bold: bool) -> int:
    """By how much each stroke is thickened on either side, on the fine sheet."""
    return max(1, round(FAMILIES[family].swell * size * FINE)) if bold and _forced(family) else 0


def _forced(family: str) -> bool:
    return FAMILIES[family].swell > 0


def _weigh(font: ImageFont.FreeTypeFont, weight: int, size: int) -> None:
    """Set a variable font's weight, and its optical size where it has one."""
    values: list[float] = []
    for axis in font.get_variation_axes():
        low, high, usual = axis["minimum"] or 0, axis["maximum"] or 0, axis["default"] or 0
        named = bytes(axis["name"] or b"").decode().lower()
        wish = weight if "weight" in named else size if "optical" in named else usual
        values.append(min(max(wish, low), high))
    font.set_variation_by_axes(values)
