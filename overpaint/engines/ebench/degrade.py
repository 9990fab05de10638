"""Degradations of known strength: what each of the eight low-level tasks is to take away.

Strength 0 is the clean picture, 1 the worst. What is drawn by chance (where a drop falls, the grain
of noise) depends on the seed alone, so a weaker degradation is a part of the stronger one, and
taking half of it away is a picture of half the strength.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from overpaint.engines.ebench.sources import Field, Rgb

LEVELS: Mapping[int, float] = {1: 0.4, 2: 0.7, 3: 1.0}  # the strength of each level
Chance = np.random.Generator
LEAST = 0.02  # of strength: below it nothing is to be seen
GAUSS, MOTION = 3.2, 19.0  # pixels: σ of a blur out of focus, length of one by motion
HAZE, AIR = 1.7, (0.86, 0.88, 0.91)  # optical thickness, the colour of lit air
GRAIN = 0.17  # σ of noise
DROPS, FLAKES = 900, 520
DIM, DARK, DARK_NOISE = 0.9, 0.74, 0.022  # gamma and scale of too little light, its noise
SHADE, SKYLIGHT = 0.66, (1.0, 0.96, 0.86)  # how dark a shadow is; less so in blue
SMALLER = 3.6  # times smaller at most, beyond 1


def degraded(task: str, pixels: Rgb, near: Field, *, strength: float, seed: str) -> Rgb:
    """A clean picture with so much of what the task is to take away."""
    if strength <= LEAST:
        return pixels
    chance = np.random.default_rng([*f"{task} {seed}".encode()])
    made = _WAYS[task](pixels, near, strength, chance)
    return np.clip(made, 0, 1).astype(np.float32)


def _blurred(pixels: Rgb, near: Field, strength: float, chance: Chance) -> Rgb:
    """Out of focus, or moved while it was taken."""
    import cv2

    if chance.random() < 0.5:
        return np.asarray(cv2.GaussianBlur(pixels, (0, 0), GAUSS * strength))
    angle, side = chance.uniform(0, np.pi), int(MOTION) + 4 | 1
    reach = MOTION * strength / 2
    # A line of that length, drawn fine and reduced, so that any length is one.
    fine, middle = 8, (side * 8 - 1) / 2
    line = np.zeros((side * fine, side * fine), np.float32)
    steps = np.linspace(-reach * fine, reach * fine, 400)
    across, down = middle + steps * np.cos(angle), middle + steps * np.sin(angle)
    np.add.at(line, (np.rint(down).astype(int), np.rint(across).astype(int)), 1)
    kernel = line.reshape(side, fine, side, fine).sum((1, 3))
    kernel = cv2.GaussianBlur(kernel, (0, 0), 0.4)
    return np.asarray(cv2.filter2D(pixels, -1, kernel / kernel.sum(), borderType=2))


def _hazy(pixels: Rgb, near: Field, strength: float, chance: Chance) -> Rgb:
    """I = J·t + A·(1 − t), where t falls off with distance (the model of Koschmieder)."""
    import cv2

    drift = cv2.resize(chance.random((4, 5)).astype(np.float32), near.shape[::-1],
                       interpolation=cv2.INTER_CUBIC)  # fmt: skip
    far = cv2.GaussianBlur(1 - near, (0, 0), 2) * (0.85 + 0.3 * drift)
    through = np.exp(-HAZE * strength * np.clip(far, 0.12, None))[..., None]
    return np.asarray(pixels * through + np.array(AIR, np.float32) * (1 - through))


def _noisy(pixels: Rgb, near: Field, strength: float, chance: Chance) -> Rgb:
    """The noise of a sensor: of each colour, and more of all three together."""
    grey = chance.standard_normal((*near.shape, 1))
    each = chance.standard_normal(pixels.shape)
    return np.asarray(pixels + GRAIN * strength * (0.75 * grey + 0.65 * each))


def _rainy(pixels: Rgb, near: Field, strength: float, chance: Chance) -> Rgb:
    """Streaks of several distances in grey air."""
    lean, wet = chance.normal(0.12, 0.1), np.zeros(near.shape, np.float32)
    spots = chance.random((DROPS, 4))
    for close, count in ((0, 0.6), (1, 0.3), (2, 0.1)):
        first = int(DROPS * (0, 0.6, 0.9)[close])
        some = spots[first : first + max(1, int(DROPS * count * strength))]
        drawn = _streaks(some, near.shape, lean, close)
        wet = np.maximum(wet, drawn * (0.5, 0.62, 0.7)[close])
    grey = pixels.mean(axis=2, keepdims=True)
    dull = (pixels * (1 - 0.3 * strength) + grey * 0.3 * strength) * (1 - 0.16 * strength)
    veil = 0.16 * strength * (1 - near)[..., None]
    dull = dull + (0.7 - dull) * veil
    return np.asarray(dull + (0.92 - dull) * wet[..., None] * (0.45 + 0.55 * strength))


def _streaks(spots: NDArray[np.float64], shape: tuple[int, ...], lean: float, close: int) -> Field:
    import cv2

    high, wide = shape
    sheet = np.zeros(shape, np.uint8)
    for x, y, long, bright in spots:
        length = (0.028, 0.06, 0.11)[close] * high * (0.6 + 0.8 * long)
        start = np.array((x * 1.3 * wide - 0.15 * wide, y * 1.2 * high - 0.15 * high))
        end = start + length * np.array((lean, 1))
        ends = [tuple(int(v) for v in np.rint(at * 16)) for at in (start, end)]
        cv2.line(sheet, ends[0], ends[1], int(120 + 135 * bright), 1, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(sheet, (0, 0), (0.5, 0.8, 1.5)[close])
    return np.clip(soft.astype(np.float32) / 255 * (1.3, 1.7, 2.6)[close], 0, 1)


def _snowy(pixels: Rgb, near: Field, strength: float, chance: Chance) -> Rgb:
    """Flakes, the near ones large and out of focus, in white air."""
    import cv2

    spots = chance.random((FLAKES, 3))
    white = np.zeros(near.shape, np.float32)
    for close, count in ((0, 0.72), (1, 0.22), (2, 0.06)):
        first = int(FLAKES * (0, 0.72, 0.94)[close])
        sheet = np.zeros(near.shape, np.uint8)
        for x, y, size in spots[first : first + max(1, int(FLAKES * count * strength))]:
            at = (int(x * near.shape[1] * 16), int(y * near.shape[0] * 16))
            radius = (0.8, 1.9, 4.6)[close] * (0.6 + 0.8 * size)
            cv2.circle(sheet, at, int(radius * 16), 255, -1, cv2.LINE_AA, 4)
        soft = cv2.GaussianBlur(sheet, (0, 0), (0.5, 0.9, 2.4)[close]).astype(np.float32) / 255
        white = np.maximum(white, soft * (0.85, 0.9, 0.7)[close])
    veil = 0.3 * strength * (1 - 0.7 * near)[..., None]
    dull = pixels + (0.86 - pixels) * veil
    return np.asarray(dull + (0.98 - dull) * white[..., None] * (0.55 + 0.45 * strength))


def _dark(pixels: Rgb, near: Field, strength: float, chance: Chance) -> Rgb:
    """Too little light: a gamma, a scale, and the noise that it then has."""
    dim = pixels ** (1 + DIM * strength) * (1 - DARK * strength)
    return np.asarray(dim + DARK_NOISE * strength * chance.standard_normal(pixels.shape))


def _shaded(pixels: Rgb, near: Field, strength: float, chance: Chance) -> Rgb:
    """The soft shadow of something outside the picture, on what is near; the sky has none."""
    import cv2

    high, wide = near.shape
    sheet, lean = np.zeros(near.shape, np.uint8), chance.uniform(-0.7, 0.7)
    foot = chance.uniform(0.2, 0.8) * wide
    for _ in range(26):  # a crown of leaves on a trunk, thrown aslant over the floor
        x, y = chance.normal(0, 0.16) * wide, chance.normal(0.68, 0.1) * high
        at = (int(foot + x + lean * (high - y)), int(y))
        axes = (int(chance.uniform(0.05, 0.13) * wide), int(chance.uniform(0.03, 0.06) * high))
        cv2.ellipse(sheet, at, axes, 0, 0, 360, 255, -1)
    root, fork = (int(foot), int(1.05 * high)), (int(foot + lean * 0.3 * high), int(0.7 * high))
    cv2.line(sheet, root, fork, 255, max(2, wide // 26))
    soft = cv2.GaussianBlur(sheet, (0, 0), 0.011 * wide).astype(np.float32) / 255
    soft *= np.clip(np.linspace(-0.6, 2.2, high), 0, 1).astype(np.float32)[:, None]
    less = SHADE * strength * soft[..., None] * np.array(SKYLIGHT, np.float32)
    return np.asarray(pixels * (1 - less))


def _small(pixels: Rgb, near: Field, strength: float, chance: Chance) -> Rgb:
    """Made smaller and shown at its old size."""
    import cv2

    high, wide = near.shape
    times = 1 + SMALLER * strength
    small = cv2.resize(pixels, (round(wide / times), round(high / times)),
                       interpolation=cv2.INTER_AREA)  # fmt: skip
    return np.asarray(cv2.resize(small, (wide, high), interpolation=cv2.INTER_CUBIC))


_WAYS: Mapping[str, Callable[[Rgb, Field, float, Chance], Rgb]] = {
    "deblur": _blurred, "denoise": _noisy, "derain": _rainy, "desnow": _snowy, "dehaze": _hazy,
    "low_light": _dark, "shadow_removal": _shaded, "super_resolution": _small,
}  # fmt: skip
