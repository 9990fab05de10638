"""Colours with names people use, which go together, and how well one is read on another."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from overpaint.document.contrast import contrast as ratio
from overpaint.document.contrast import luminance
from overpaint.engines.posters.brush import rgb

# The hex, then what it is called in English and in Chinese.
COLOURS: Mapping[str, tuple[str, str, str]] = {
    "white": ("#ffffff", "white", "白色"),
    "cream": ("#fbf3e2", "cream", "米色"),
    "sky": ("#dcedf9", "light blue", "浅蓝色"),
    "mint": ("#dff3e6", "mint green", "薄荷绿"),
    "blush": ("#fbe3e4", "pale pink", "浅粉色"),
    "lemon": ("#fdf3c4", "pale yellow", "浅黄色"),
    "lavender": ("#e9e3f7", "lavender", "淡紫色"),
    "grey": ("#e9ebee", "light grey", "浅灰色"),
    "black": ("#1b1b1f", "black", "黑色"),
    "navy": ("#1b2c5a", "navy blue", "藏青色"),
    "forest": ("#1d4b3a", "dark green", "深绿色"),
    "wine": ("#6a1730", "wine red", "酒红色"),
    "plum": ("#45205e", "dark purple", "深紫色"),
    "brown": ("#55331c", "brown", "棕色"),
    "petrol": ("#0f4a57", "petrol", "墨青色"),
    "red": ("#d32f2f", "red", "红色"),
    "orange": ("#ef7d1a", "orange", "橙色"),
    "yellow": ("#f7c531", "yellow", "黄色"),
    "green": ("#3a9d4f", "green", "绿色"),
    "teal": ("#149a92", "teal", "青绿色"),
    "blue": ("#2a72c8", "blue", "蓝色"),
    "purple": ("#7e4bc0", "purple", "紫色"),
    "pink": ("#e7559a", "pink", "粉红色"),
}
PALE = ("white", "cream", "sky", "mint", "blush", "lemon", "lavender", "grey")
DEEP = ("navy", "forest", "wine", "plum", "petrol", "black")
BRIGHT = ("red", "orange", "yellow", "green", "teal", "blue", "purple", "pink")
# Grounds with the letters and the accents that look well on them.
_SCHEMES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "white": (("black", "navy", "forest", "plum"), ("red", "orange", "teal", "blue", "pink")),
    "cream": (("brown", "forest", "navy", "wine"), ("orange", "red", "teal", "green")),
    "sky": (("navy", "black", "plum"), ("orange", "blue", "red", "pink")),
    "mint": (("forest", "petrol", "black"), ("orange", "teal", "purple", "red")),
    "blush": (("wine", "plum", "navy"), ("pink", "red", "teal", "purple")),
    "lemon": (("brown", "navy", "black"), ("orange", "red", "blue", "green")),
    "lavender": (("plum", "navy", "black"), ("purple", "pink", "blue", "orange")),
    "grey": (("black", "navy", "petrol"), ("red", "orange", "teal", "blue")),
    "navy": (("white", "lemon", "sky"), ("orange", "yellow", "pink", "teal")),
    "forest": (("cream", "white", "lemon"), ("yellow", "orange", "red")),
    "wine": (("cream", "white", "blush"), ("yellow", "orange", "pink")),
    "plum": (("white", "lavender", "lemon"), ("pink", "yellow", "orange")),
    "petrol": (("white", "mint", "lemon"), ("orange", "yellow", "pink")),
    "black": (("white", "cream", "lemon"), ("red", "yellow", "teal", "orange")),
}
READABLE = 4.5  # WCAG's contrast for text
APART = 62.0  # between two colours of one figure, before and after


@dataclass(frozen=True)
class Palette:
    """Names of the colours of a design."""

    ground: str
    ink: str  # of the title
    body: str  # of the other lines
    accent: str

    @property
    def deep(self) -> bool:
        """Whether the ground is dark."""
        return self.ground in DEEP


def draw_palette(chance: Random) -> Palette:
    """Colours that go together."""
    ground = chance.choice((*PALE, *PALE, *DEEP))
    inks, accents = _SCHEMES[ground]
    ink = chance.choice(inks)
    body = ink if chance.random() < 0.55 else inks[0]
    return Palette(ground, ink, body, chance.choice(accents))


def hexed(name: str) -> str:
    """The hex of a colour's name."""
    return COLOURS[name][0]


def called(name: str, language: str) -> str:
    """What people call a colour."""
    return COLOURS[name][1 if language == "English" else 2]


def contrast(one: str, other: str) -> float:
    """WCAG's contrast ratio of two hex colours, 1 to 21."""
    return float(ratio(luminance(rgb(one)), luminance(rgb(other))))


def distance(one: str, other: str) -> float:
    """How far two hex colours are apart, in steps of 255."""
    pairs = zip(rgb(one), rgb(other), strict=True)
    return math.hypot(*(a - b for a, b in pairs))


def on(fill: str) -> str:
    """The name of white or black, whichever is read better on a named colour."""
    return max(("white", "black"), key=lambda name: contrast(hexed(name), hexed(fill)))


def others(names: tuple[str, ...], ground: str, *, least: float, than: str) -> list[str]:
    """Names that stand out on a ground and are clearly not the one named."""
    return [
        name for name in names
        if distance(hexed(name), hexed(than)) > APART
        and contrast(hexed(name), hexed(ground)) >= least
    ]  # fmt: skip
