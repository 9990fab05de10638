"""Damages of known strength: seven ways to spoil a truth, each in five levels.

A stronger level holds the weaker ones: the same grain of noise, the same patch grown, the same
letters and more. So a sound measure never scores a level better than the one before it.
"""

import io
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Where = Literal["everywhere", "inside", "outside", "instruction", "source", "truth"]

LEVELS = 5
NOISE = (4, 8, 16, 32, 64)  # σ, of 255
BLUR = (0.6, 1.0, 1.8, 3.2, 5.6)  # σ, pixels
JPEG = (60, 40, 25, 12, 5)  # quality
PATCH = (1, 2, 4, 8, 16)  # percent of the picture
LETTERS = (0.0, 0.25, 0.5, 0.75, 1.0)  # share of the letters; at least one is lost
SHIFT = (1, 2, 4, 8, 16)  # pixels to the right, and half as many down
CAST = (4, 8, 16, 32, 64)  # added to red and taken from blue

_INK = 28  # a pixel this far from the ground around it is ink
_SPECK = 12  # pixels; less ink is no letter
_FRESH = 0.3  # share of a letter that the source has otherwise
_EDGE = 5  # pixels of a letter's soft edge, which goes with it


@dataclass(frozen=True, eq=False)
class Base:
    """What damage is done to: a truth, where the edit was, and content that belongs elsewhere."""

    source: Pixels
    truth: Pixels
    region: Mask  # where the edit was; at the truth's size
    other: Pixels  # another sample's truth
    seed: int

    def chance(self, what: str) -> np.random.Generator:
        """Chance of its own for each use, the same for the same seed."""
        return np.random.default_rng([self.seed, *what.encode()])

    @cached_property
    def grain(self) -> NDArray[np.float64]:
        """Noise of deviation 1."""
        return self.chance("grain").standard_normal(self.truth.shape)

    @cached_property
    def letters(self) -> "list[Mask]":
        """The letters that the edit wrote, in the order in which they are lost."""
        found = written(self.source, self.truth, self.region)
        order = self.chance("letters").permutation(len(found))
        return [found[place] for place in order]

    @cached_property
    def ground(self) -> Pixels:
        """The truth with all ink of letters taken away, for what lies below a letter."""
        return ground_of(self.truth, self.region)

    @cached_property
    def busy(self) -> tuple[int, int]:
        """The place outside the region where most is to be seen: row, column."""
        return busiest(self.truth, self.region)


@dataclass(frozen=True)
class Damage:
    """A way to spoil a picture, and what each level of it is."""

    name: str
    title: str
    where: Where
    levels: tuple[str, ...]
    spoil: Callable[[Base, int], Pixels | None] = field(repr=False)


def noise(base: Base, level: int) -> Pixels:
    """Gaussian noise over everything."""
    return _clipped(base.truth + NOISE[level - 1] * base.grain)


def blur(base: Base, level: int) -> Pixels:
    """A Gaussian blur of everything."""
    import cv2

    return np.asarray(cv2.GaussianBlur(base.truth, (0, 0), BLUR[level - 1]), np.uint8)


def jpeg(base: Base, level: int) -> Pixels:
    """What JPEG leaves of it at a low quality."""
    data = encoded(base.truth, "JPEG", quality=JPEG[level - 1])
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def patch(base: Base, level: int) -> Pixels:
    """A piece of another picture over what the edit had nothing to do with."""
    height, width = base.region.shape
    side = math.sqrt(PATCH[level - 1] / 100)
    top, bottom = _span(base.busy[0], round(side * height), height)
    left, right = _span(base.busy[1], round(side * width), width)
    here = np.zeros((height, width), bool)
    here[top:bottom, left:right] = True
    here &= ~base.region
    spoilt = base.truth.copy()
    spoilt[here] = fitting(base.other, width, height)[here]
    return spoilt


def letters(base: Base, level: int) -> Pixels | None:
    """Letters lost from what the edit wrote; None where it wrote none."""
    if len(base.letters) < 2:
        return None
    lost = max(1, math.ceil(LETTERS[level - 1] * len(base.letters)))
    gone = np.logical_or.reduce(base.letters[:lost])
    spoilt = base.truth.copy()
    spoilt[gone] = base.ground[gone]
    return spoilt


def shift(base: Base, level: int) -> Pixels:
    """Everything moved, the rim repeated."""
    import cv2

    right, down = SHIFT[level - 1], SHIFT[level - 1] // 2
    moved = cv2.copyMakeBorder(base.truth, down, 0, right, 0, cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(moved[: base.truth.shape[0], : base.truth.shape[1]], np.uint8)


def cast(base: Base, level: int) -> Pixels:
    """A cast of colour: warmer everywhere."""
    tint = np.array([CAST[level - 1], 0, -CAST[level - 1]])
    return _clipped(base.truth + tint)


DAMAGES = (
    Damage("noise", "noise", "everywhere", tuple(f"σ {s}" for s in NOISE), noise),
    Damage("blur", "blur", "everywhere", tuple(f"σ {s:g} px" for s in BLUR), blur),
    Damage("jpeg", "JPEG", "everywhere", tuple(f"quality {q}" for q in JPEG), jpeg),
    Damage("patch", "a patch over unrelated content", "outside",
           tuple(f"{p} % of the picture" for p in PATCH), patch),
    Damage("letters", "letters lost from the edited text", "inside",
           ("one", *(f"{s:.0%}".replace("%", " %") for s in LETTERS[1:])), letters),
    Damage("shift", "shift", "everywhere", tuple(f"{s} px" for s in SHIFT), shift),
    Damage("cast", "colour cast", "everywhere", tuple(f"{c} of 255" for c in CAST), cast),
)  # fmt: skip


# ── where things are ────────────────────────────────────────────────────────────────────────


def written(source: Pixels, truth: Pixels, region: Mask) -> list[Mask]:
    """The letters in the region of the truth that the source has not, from left to right."""
    import cv2

    if source.shape != truth.shape or not region.any():
        return []
    ink = (_apart(truth, ground_of(truth, region)) > _INK) & region
    fresh = _apart(truth, source) > _INK
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    found = []
    for label in sorted(range(1, count), key=lambda n: (stats[n, 0], stats[n, 1])):
        letter = labels == label
        if stats[label, cv2.CC_STAT_AREA] >= _SPECK and fresh[letter].mean() > _FRESH:
            edge = cv2.dilate(letter.astype(np.uint8), np.ones((_EDGE, _EDGE), np.uint8)) > 0
            found.append(edge & region)
    return found


def ground_of(picture: Pixels, region: Mask) -> Pixels:
    """The picture as its median over windows wider than a letter has it."""
    import cv2

    rows, columns = np.flatnonzero(region.any(axis=1)), np.flatnonzero(region.any(axis=0))
    high = min(rows[-1] - rows[0], columns[-1] - columns[0]) if len(rows) else 0
    window = min(max(int(1.5 * high), 15), 201) | 1
    return np.asarray(cv2.medianBlur(picture, window), np.uint8)


def busiest(picture: Pixels, region: Mask) -> tuple[int, int]:
    """The middle of the window outside the region, a fifth as wide, with the most edges."""
    import cv2

    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    edges = np.abs(cv2.Laplacian(grey, cv2.CV_32F)) * ~region
    height, width = region.shape
    seen = cv2.blur(edges, (max(1, width // 5), max(1, height // 5)))
    row, column = np.unravel_index(int(seen.argmax()), seen.shape)
    return int(row), int(column)


def fitting(picture: Pixels, width: int, height: int) -> Pixels:
    """The picture at that size, by Lanczos."""
    image = Image.fromarray(np.ascontiguousarray(picture))
    return np.asarray(image.resize((width, height), Image.Resampling.LANCZOS))


def encoded(picture: Pixels, kind: str, **settings: Any) -> bytes:
    """The picture as a file of that kind."""
    out = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(picture)).save(out, kind, **settings)
    return out.getvalue()


def _apart(a: Pixels, b: Pixels) -> NDArray[np.int16]:
    return np.asarray(np.abs(a.astype(np.int16) - b).max(axis=2), np.int16)


def _span(middle: int, length: int, room: int) -> tuple[int, int]:
    start = min(max(0, middle - length // 2), max(0, room - length))
    return start, min(room, start + max(1, length))


def _clipped(values: NDArray[Any]) -> Pixels:
    return np.asarray(np.clip(np.rint(values), 0, 255), np.uint8)
