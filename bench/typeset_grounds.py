"""The grounds of the typeset bench: plain colours, scanned paper, gradients, made photographs.

Everything is drawn from a generator of random numbers; no picture is read from anywhere. A
photograph is clouds, hills, lights out of focus, foliage, stone or water, with a vignette and the
grain of a sensor: what makes filling in behind letters hard, without being anybody's picture.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]  # H×W, or H×W×3 with values of 0–255
Chance = np.random.Generator
Size = tuple[int, int]  # width, height

GROUNDS = ("flat", "scanned", "gradient", "photograph")

LIGHT = (
    (255, 255, 255), (250, 247, 238), (236, 242, 248), (246, 232, 222), (226, 238, 226),
    (255, 240, 196), (232, 228, 244), (240, 240, 240),
)  # fmt: skip
DARK = (
    (18, 24, 44), (34, 34, 38), (20, 56, 48), (72, 18, 34), (40, 26, 74), (10, 10, 12),
    (58, 40, 24), (16, 62, 96),
)  # fmt: skip
DARK_INKS = (
    (0, 0, 0), (24, 24, 28), (52, 52, 56), (12, 60, 128), (128, 20, 36), (24, 88, 60),
    (88, 36, 112), (120, 60, 8),
)  # fmt: skip
# On a photograph letters need more contrast than on a plain ground.
DEEP_INKS = ((0, 0, 0), (20, 20, 24), (10, 22, 66), (70, 8, 22), (8, 46, 30))
LIGHT_INKS = (
    (255, 255, 255), (244, 240, 228), (255, 226, 120), (178, 226, 255), (255, 196, 180),
    (206, 240, 200),
)  # fmt: skip


@dataclass(frozen=True)
class Ground:
    """What text stands on before it was scanned, and the colours that can be read on it."""

    pixels: Field  # H×W×3, 0–255
    inks: tuple[tuple[int, int, int], ...]


def make(kind: str, chance: Chance, size: Size) -> Ground:
    """A ground of one of the four kinds."""
    return _MAKERS[kind](chance, size)


def ink_for(ground: Ground, chance: Chance) -> tuple[int, int, int]:
    """A colour that can be read on the ground."""
    found: tuple[int, int, int] = _pick(chance, ground.inks)
    return found


def _inks(dark: bool) -> tuple[tuple[int, int, int], ...]:
    return LIGHT_INKS if dark else DARK_INKS


def _pick(chance: Chance, values: tuple[Any, ...]) -> Any:
    return values[int(chance.integers(len(values)))]


def _filled(size: Size, colour: tuple[int, ...]) -> Field:
    return np.full((size[1], size[0], 3), colour, np.float32)


# ── flat, paper, gradient ───────────────────────────────────────────────────────────────


def _flat(chance: Chance, size: Size) -> Ground:
    dark = bool(chance.random() < 0.35)
    return Ground(_filled(size, _pick(chance, DARK if dark else LIGHT)), _inks(dark))


def _paper(chance: Chance, size: Size) -> Ground:
    """Paper of one tint with faint, wide stains; the scanner's part is `scan`."""
    tint = np.array([250, 247, 240]) - chance.uniform(0, 16, 3) * (0.4, 0.6, 1.0)
    stains = clouds(chance, size, coarse=4, octaves=3)[:, :, None] * chance.uniform(1, 4)
    return Ground((tint - stains).astype(np.float32), _inks(False))


def _gradient(chance: Chance, size: Size) -> Ground:
    dark = bool(chance.random() < 0.5)
    shades = DARK if dark else LIGHT
    first, second = chance.choice(len(shades), 2, replace=False)
    along = _radial(chance, size) if chance.random() < 0.3 else _linear(chance, size)
    one, other = (np.array(shades[int(n)], np.float32) for n in (first, second))
    # The plain colours lie close together; a gradient is to be seen.
    other = other + (38 if dark else -38) * chance.random(3).astype(np.float32)
    mixed = one + (other - one) * along[:, :, None]
    return Ground(np.clip(mixed, 0, 255).astype(np.float32), _inks(dark))


def _linear(chance: Chance, size: Size) -> Field:
    angle = chance.uniform(0, 2 * np.pi)
    x, y = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    way = x * np.cos(angle) + y * np.sin(angle)
    return ((way - way.min()) / (way.max() - way.min())).astype(np.float32)


def _radial(chance: Chance, size: Size) -> Field:
    across, down = chance.uniform(-0.5, 0.5, 2)
    x, y = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    return np.clip(np.hypot(x - across, y - down) / 1.6, 0, 1).astype(np.float32)


# ── photographs ─────────────────────────────────────────────────────────────────────────


def clouds(
    chance: Chance, size: Size, *, coarse: int = 3, octaves: int = 6, fade: float = 0.5
) -> Field:
    """Noise at many scales, from 0 to 1: the stuff of clouds, hills and stone."""
    found = np.zeros((size[1], size[0]), np.float32)
    for octave in range(octaves):
        cells = coarse * 2**octave + 3
        grid = chance.random((cells, cells), np.float32)
        found += fade**octave * cv2.resize(grid, size, interpolation=cv2.INTER_CUBIC)
    return (found - found.min()) / max(float(found.max() - found.min()), 1e-6)


def _sky(chance: Chance, size: Size) -> Field:
    height = np.linspace(0, 1, size[1], dtype=np.float32)[:, None]
    return 0.5 * height + 0.5 * np.clip(1.6 * clouds(chance, size, fade=0.55) - 0.4, 0, 1)


def _hills(chance: Chance, size: Size) -> Field:
    found = 0.75 + 0.2 * clouds(chance, size, octaves=4)
    rows = np.arange(size[1])[:, None]
    for number in range(4):
        ridge = clouds(chance, (size[0], 1), coarse=2 + number, octaves=5)[0]
        edge = size[1] * (0.3 + 0.17 * number + 0.16 * (ridge - 0.5))
        slope = 0.6 - 0.14 * number + 0.16 * clouds(chance, size, coarse=8, octaves=5, fade=0.6)
        found = np.where(rows > edge[None, :], slope, found)
    return found.astype(np.float32)


def _lights(chance: Chance, size: Size) -> Field:
    found = 0.25 * clouds(chance, size, octaves=3)
    for _ in range(int(chance.integers(25, 60))):
        disc = np.zeros_like(found)
        centre = (int(chance.integers(size[0])), int(chance.integers(size[1])))
        cv2.circle(disc, centre, int(chance.integers(12, 70)), chance.uniform(0.1, 0.5), -1)
        found = found + cv2.GaussianBlur(disc, (0, 0), float(chance.uniform(1.5, 6)))
    return np.clip(found, 0, 1.3).astype(np.float32)


def _foliage(chance: Chance, size: Size) -> Field:
    found = 0.4 * clouds(chance, size, coarse=6, octaves=5)
    for _ in range(int(chance.integers(120, 260))):
        centre = (int(chance.integers(size[0])), int(chance.integers(size[1])))
        axes = (int(chance.integers(14, 60)), int(chance.integers(5, 18)))
        angle, shade = float(chance.uniform(0, 360)), float(chance.uniform(0.2, 0.9))
        cv2.ellipse(found, centre, axes, angle, 0, 360, shade, -1, cv2.LINE_AA)
    blurred = cv2.GaussianBlur(found, (0, 0), float(chance.uniform(1.2, 4)))
    return np.asarray(blurred, np.float32)


def _stone(chance: Chance, size: Size) -> Field:
    fine = clouds(chance, size, coarse=24, octaves=5, fade=0.7)
    return np.asarray(0.45 * fine + 0.55 * clouds(chance, size, coarse=2, octaves=3), np.float32)


def _water(chance: Chance, size: Size) -> Field:
    wide = cv2.resize(clouds(chance, (size[0] // 4, size[1]), coarse=10, octaves=4), size)
    height = np.linspace(1, 0.2, size[1], dtype=np.float32)[:, None]
    return np.asarray(0.45 * wide + 0.55 * height, np.float32)


_SCENES: tuple[Callable[[Chance, Size], Field], ...] = (
    _sky, _hills, _lights, _foliage, _stone, _water,
)  # fmt: skip
_TONES = (  # shadow, middle, light
    ((12, 22, 40), (70, 104, 148), (206, 222, 240)),
    ((20, 26, 14), (84, 108, 62), (226, 228, 190)),
    ((30, 16, 10), (150, 92, 58), (250, 222, 180)),
    ((22, 14, 34), (120, 80, 140), (250, 206, 214)),
    ((22, 22, 24), (112, 112, 110), (230, 228, 222)),
)


def _photograph(chance: Chance, size: Size) -> Ground:
    """A scene in the tones of one film, dark or light enough for its letters."""
    scene = _pick(chance, _SCENES)(chance, size)
    scene = (scene - scene.min()) / max(float(scene.max() - scene.min()), 1e-6)
    dark = bool(chance.random() < 0.6)
    low, high = (0.03, 0.46) if dark else (0.7, 1.0)
    tones = np.array(_pick(chance, _TONES), np.float32)
    level = low + (high - low) * scene
    found = np.stack([np.interp(level, (0, 0.5, 1), tones[:, c]) for c in range(3)], axis=2)
    drift = clouds(chance, size, coarse=2, octaves=2)[:, :, None] - 0.5
    found += drift * chance.uniform(-14, 14, 3)
    found *= 1 - 0.22 * _radial(chance, size)[:, :, None] ** 2
    grain = chance.normal(0, chance.uniform(0.8, 2.0), found.shape)
    inks = LIGHT_INKS if dark else DEEP_INKS
    return Ground(np.clip(found + grain, 0, 255).astype(np.float32), inks)


_MAKERS: Mapping[str, Callable[[Chance, Size], Ground]] = {
    "flat": _flat, "scanned": _paper, "gradient": _gradient, "photograph": _photograph,
}  # fmt: skip


# ── the scanner ─────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Scanner:
    """What a scanner does to a page: soften, light unevenly, add noise; the same each time."""

    blur: float  # sigma in pixels
    light: Field  # H×W, about 1
    noise: Field  # H×W×3

    def __call__(self, page: Field) -> Field:
        """The page as scanned, before rounding."""
        return soften(page, self.blur) * self.light[:, :, None] + self.noise


def scanner(chance: Chance, size: Size) -> Scanner:
    """A scanner with its lamp and its noise."""
    slope = (_linear(chance, size) - 0.5) * chance.uniform(0.02, 0.08)
    light = (1 - slope - chance.uniform(0, 0.03)).astype(np.float32)
    return Scanner(
        float(chance.uniform(0.4, 0.8)), light, noise(chance, size, chance.uniform(1, 2.5))
    )


def noise(chance: Chance, size: Size, sigma: float) -> Field:
    """Noise of grey with a little colour in it."""
    grey = chance.normal(0, sigma, (size[1], size[0], 1))
    return (grey + chance.normal(0, 0.3 * sigma, (size[1], size[0], 3))).astype(np.float32)


def soften(page: Field, sigma: float) -> Field:
    """A Gaussian blur that reaches three sigma and no further."""
    reach = 2 * int(np.ceil(3 * sigma)) + 1
    blurred = cv2.GaussianBlur(page, (reach, reach), sigma, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, np.float32)
