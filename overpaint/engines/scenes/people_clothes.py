"""What a drawn person looks like: build, skin, hair and clothes, drawn by lot, and their weaves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from overpaint.engines.scenes.people_body import Build, Random
from overpaint.engines.scenes.people_paint import Colour, Floats, Weave

T = TypeVar("T")

SKIN: tuple[Colour, ...] = (
    (250, 220, 198), (241, 201, 172), (226, 179, 145), (204, 152, 113), (166, 116, 80),
    (131, 88, 60), (99, 66, 47),
)  # fmt: skip
HAIR: tuple[Colour, ...] = (
    (38, 30, 28), (62, 42, 30), (98, 66, 40), (140, 95, 55), (196, 158, 98), (150, 72, 38),
    (168, 166, 164),
)  # fmt: skip
CLOTH: Mapping[str, Colour] = {
    "red": (196, 56, 52), "blue": (52, 98, 168), "green": (62, 128, 84), "yellow": (226, 184, 66),
    "orange": (218, 118, 48), "purple": (116, 78, 150), "pink": (222, 136, 160),
    "teal": (46, 132, 132), "white": (232, 230, 226), "grey": (132, 136, 142),
    "black": (52, 52, 58), "brown": (126, 88, 60),
}  # fmt: skip
BELOW: tuple[Colour, ...] = (
    (48, 58, 92), (50, 50, 56), (98, 102, 110), (72, 98, 138), (98, 74, 56), (158, 142, 110),
    (92, 98, 68),
)  # fmt: skip
SHOES: tuple[Colour, ...] = (
    (46, 42, 42), (88, 60, 42), (224, 222, 218), (150, 48, 44), (60, 70, 96),
)  # fmt: skip
EYES: tuple[Colour, ...] = ((66, 46, 34), (58, 88, 120), (80, 100, 70))
TOPS = ("T-shirt", "shirt", "jumper", "jacket", "coat", "dress")
LONG = ("coat", "dress")  # those that hang below the hips
BARE = ("T-shirt", "dress")  # those with short sleeves
ALIKE = 90  # levels of the three colours together, below which two are not told apart


@dataclass(frozen=True)
class Look:
    """How somebody looks; colours are RGB."""

    who: str  # "woman" or "man"
    build: Build
    skin: Colour
    hair: Colour
    style: str  # "short", "bob", "long", "bun"
    top: str
    colour: str
    legs: str  # "trousers", "shorts" or "skirt"
    below: Colour
    shoes: Colour
    weave: str  # "plain", "stripes" or "checks"
    beard: bool
    eyes: Colour

    @property
    def name(self) -> str:
        """In words."""
        article = "an" if self.colour == "orange" else "a"
        return f"a {self.who} in {article} {self.colour} {self.top}"

    @property
    def cloth(self) -> Colour:
        """The colour of the top."""
        return CLOTH[self.colour]


def look(rng: Random) -> Look:
    """Somebody."""
    woman = bool(rng.random() < 0.5)
    top = pick(rng, TOPS if woman else TOPS[:-1])
    skin = pick(rng, SKIN)
    # Hair is darker than skin: a light head around a dark face is taken for one from behind.
    # Nobody wears the colour of their own skin: where an arm begins is to be seen.
    colour = pick(rng, [name for name, cloth in CLOTH.items() if not _alike(cloth, skin)])
    legs = pick(rng, ("trousers", "trousers", "shorts", *(("skirt",) if woman else ())))
    others = [c for c in BELOW if not _alike(c, CLOTH[colour]) and not _alike(c, skin)]
    girth = float(rng.uniform(0.92, 1.1))
    return Look(
        who="woman" if woman else "man",
        build=Build(0.098 * girth, 0.054, girth) if woman else Build(0.110 * girth, 0.05, girth),
        skin=skin,
        hair=pick(rng, [hair for hair in HAIR if sum(hair) < sum(skin) - ALIKE]),
        style=pick(rng, ("bob", "long", "bun", "short")) if woman else "short",
        top=top,
        colour=colour,
        legs={"dress": "skirt", "coat": "trousers"}.get(top, legs),
        below=pick(rng, others),
        shoes=pick(rng, SHOES),
        weave=pick(rng, ("plain", "plain", "stripes", "checks")) if top in TOPS[:3] else "plain",
        beard=not woman and bool(rng.random() < 0.3),
        eyes=pick(rng, EYES),
    )


def pick(rng: Random, among: Sequence[T]) -> T:
    """One of several, each as likely."""
    return among[int(rng.integers(len(among)))]


def _alike(one: Colour, other: Colour) -> bool:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) < ALIKE


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """A colour between two; `share` is the other's."""
    r, g, b = (round(a + share * (c - a)) for a, c in zip(one, other, strict=True))
    return r, g, b


# ── weaves ──────────────────────────────────────────────────────────────────────────────


def woven(look: Look) -> Weave:
    """The cloth of the top: its folds, and its stripes or checks."""
    dark = {"plain": 0.0, "stripes": 0.34, "checks": 0.2}[look.weave]

    def weave(along: Floats, across: Floats) -> Floats:
        creased = 1 + 0.04 * np.sin(along * 9 + across * 2.2) * np.cos(across * 3.1 + 0.7)
        bands = (np.sin(along * 48) > 0.15) * dark
        if look.weave == "checks":
            bands = bands + (np.sin(across * 13) > 0.2) * dark
        return np.asarray(creased * (1 - bands), np.float32)

    return weave


def folds(along: Floats, across: Floats) -> Floats:
    """Sleeves and trouser legs."""
    return np.asarray(1 + 0.05 * np.sin(along * 11 + across * 1.7) * across, np.float32)


def pleats(along: Floats, across: Floats) -> Floats:
    """Skirts, more so towards the hem."""
    return np.asarray(1 + 0.07 * along * np.sin(across * 9), np.float32)


def strands(along: Floats, across: Floats) -> Floats:
    """Hair."""
    return np.asarray(1 + 0.06 * np.sin(across * 26 + along * 3), np.float32)
