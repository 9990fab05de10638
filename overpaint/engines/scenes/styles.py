"""Styles: how colour and light become a picture. None moves an edge, so the truth stays true."""

from collections.abc import Callable, Mapping
from random import Random

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.engines.scenes.sheet import Sheet
from overpaint.engines.scenes.textures import grain

Rgb = NDArray[np.float32]
Light = NDArray[np.float32]
PAPER = np.array((0.975, 0.955, 0.91), np.float32)
INK = np.array((0.2, 0.17, 0.2), np.float32)

# The mood of a picture: what its colours are multiplied by.
MOODS: Mapping[str, tuple[float, float, float]] = {
    "": (1.0, 1.0, 1.0), "warm ": (1.05, 0.99, 0.86), "cool ": (0.9, 0.98, 1.06),
}  # fmt: skip


def render(style: str, sheet: Sheet, chance: Random) -> Pixels:
    """The picture in that style: a technique, or a mood and a technique."""
    mood = next(m for m in ("warm ", "cool ", "") if style.startswith(m))
    made = TECHNIQUES[style.removeprefix(mood)](sheet, chance)
    made = made * np.array(MOODS[mood], np.float32)
    return np.rint(np.clip(made, 0, 1) * 255).astype(np.uint8)


def _lit(colour: Rgb, light: Light) -> Rgb:
    """Colours in light: towards a bluish dark below 0, towards a warm white above."""
    dark, bright = np.maximum(-light, 0)[..., None], np.maximum(light, 0)[..., None]
    shadow = colour * np.array((0.18, 0.2, 0.3), np.float32)
    lit = colour + (shadow - colour) * dark + (np.float32(1) - colour) * bright * 0.75
    return np.asarray(lit, np.float32)


def _borders(sheet: Sheet, width: float) -> Light:
    """1 on the borders of regions and of strong colours, falling off within `width` pixels."""
    import cv2

    labels = sheet.labels
    edge = np.zeros(labels.shape, np.float32)
    edge[:, 1:] = labels[:, 1:] != labels[:, :-1]
    edge[1:] = np.maximum(edge[1:], labels[1:] != labels[:-1])
    grey = sheet.colour.mean(axis=2)
    jump = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    edge = np.maximum(edge, np.clip(jump * 0.8 - 0.1, 0, 1))
    soft = cv2.GaussianBlur(edge, (0, 0), width)
    return np.asarray(np.clip(soft * 2.2 * width, 0, 1), np.float32)


def _flat(sheet: Sheet, chance: Random) -> Rgb:
    """Plain colours and two steps of shade."""
    light = sheet.light
    steps = 0.16 * np.tanh((light - 0.17) * 14) - 0.17 * np.tanh((-light - 0.16) * 14)
    return _lit(sheet.colour, (steps * 0.5 + light * 0.25).astype(np.float32))


def _soft(sheet: Sheet, chance: Random) -> Rgb:
    """Round shading with a fine grain."""
    return _lit(sheet.colour, sheet.light * 1.35 + 0.018 * grain(sheet.size, chance, (2, 2)))


def _watercolour(sheet: Sheet, chance: Random) -> Rgb:
    """Washes that pool at their borders, on rough paper."""
    pool = 0.16 * _borders(sheet, 2.2)
    wash = 0.5 * grain(sheet.size, chance, (70, 70)) + 0.35 * grain(sheet.size, chance, (22, 22))
    rough = grain(sheet.size, chance, (3, 3)) + grain(sheet.size, chance, (2, 2))
    thin = np.clip(0.23 + 0.15 * wash + 0.05 * rough, 0, 0.6)[..., None]
    painted = _lit(sheet.colour, sheet.light * 1.05 - pool)
    return np.asarray(painted + (PAPER - painted) * thin, np.float32)


def _halftone(sheet: Sheet, chance: Random) -> Rgb:
    """Rows of dots, the larger the darker, printed over lighter colours."""
    pitch = 6.0
    width, height = sheet.size
    x, y = np.arange(width, dtype=np.float32)[None, :], np.arange(height, dtype=np.float32)[:, None]
    turn = np.float32(np.sqrt(0.5))
    u, v = (x + y) * turn * 2 * np.pi / pitch, (x - y) * turn * 2 * np.pi / pitch
    screen = (np.cos(u) + np.cos(v)) / 4 + 0.5
    lit = _lit(sheet.colour, sheet.light * 1.2)
    dark = 1 - lit.mean(axis=2)
    dots = np.clip((screen - (1 - dark * 0.7)) * 6 + 0.5, 0, 1)[..., None]
    paper = lit + (PAPER - lit) * 0.16
    return np.asarray(paper + (lit * 0.68 - paper) * dots, np.float32)


def _pencil(sheet: Sheet, chance: Random) -> Rgb:
    """Coloured pencil: hatching where it is dark, an outline around everything."""
    width, height = sheet.size
    x, y = np.arange(width, dtype=np.float32)[None, :], np.arange(height, dtype=np.float32)[:, None]
    sway = 1.6 * grain(sheet.size, chance, (60, 60))
    rough = grain(sheet.size, chance, (2, 2))
    lit = _lit(sheet.colour, sheet.light * 1.25)
    dark = 1 - lit.mean(axis=2)
    first = np.sin((x * 0.8 + y) * 0.95 + sway) * 0.5 + 0.5
    second = np.sin((x - y * 0.75) * 0.9 - sway) * 0.5 + 0.5
    strokes = np.clip((first - 1 + dark * 1.15) * 2.2 + 0.25 * rough, 0, 1)
    strokes = np.maximum(strokes, np.clip((second - 1.45 + dark * 1.25) * 2.2, 0, 1))
    paper = lit + (PAPER - lit) * 0.42
    made = paper + (lit * 0.78 - paper) * (0.7 * strokes)[..., None]
    outline = np.clip(_borders(sheet, 0.8) * (0.8 + 0.3 * rough), 0, 1)[..., None] * 0.6
    return np.asarray(made + (INK - made) * outline, np.float32)


def _night(sheet: Sheet, chance: Random) -> Rgb:
    """Moonlight: blue and dim, the near a little brighter than the far."""
    lit = _lit(sheet.colour, sheet.light * 1.5)
    grey = lit.mean(axis=2, keepdims=True)
    cold = (lit * 0.8 + grey * 0.2) * np.array((0.52, 0.58, 0.84), np.float32)
    near = (0.72 + 0.38 * np.clip(sheet.depth, 0, 1))[..., None]
    stars = (grain(sheet.size, chance, (2, 2)) > 0.986) & (sheet.depth < 0.01)
    made = cold * near + 0.012 * grain(sheet.size, chance, (2, 2))[..., None]
    return np.where(stars[..., None], np.float32(0.85), made)


TECHNIQUES: Mapping[str, Callable[[Sheet, Random], Rgb]] = {
    "flat vector": _flat, "soft shading": _soft, "watercolour": _watercolour,
    "halftone print": _halftone, "coloured pencil": _pencil, "night": _night,
}  # fmt: skip
STYLES = (*(m + name for name in TECHNIQUES if name != "night" for m in MOODS), "night")
