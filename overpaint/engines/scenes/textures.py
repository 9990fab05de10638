"""Textures: what lies on sky, grass, sand and walls, as fields of light from −1 to 1."""

from collections.abc import Callable, Mapping
from random import Random

import numpy as np
from numpy.typing import NDArray

from overpaint.engines.posters.brush import noise

Light = NDArray[np.float32]
Size = tuple[int, int]  # width, height


def light(name: str, size: Size, chance: Random) -> Light:
    """How much lighter or darker a texture makes each pixel, from −1 to 1."""
    return np.clip(TEXTURES[name](size, chance), -1, 1).astype(np.float32)


def grain(size: Size, chance: Random, cell: tuple[float, float]) -> Light:
    """Noise around 0, its blobs about so many pixels wide and high."""
    return (noise(chance, size, cell) * 2 - 1).astype(np.float32)


def _plain(size: Size, chance: Random) -> Light:
    return 0.25 * grain(size, chance, (90, 90))


def _sky(size: Size, chance: Random) -> Light:
    return 0.4 * grain(size, chance, (160, 46)) + 0.2 * grain(size, chance, (60, 20))


def _grass(size: Size, chance: Random) -> Light:
    blades = grain(size, chance, (3, 11))
    return 0.45 * grain(size, chance, (110, 36)) + 0.5 * blades * np.abs(blades)


def _sand(size: Size, chance: Random) -> Light:
    ripples = np.sin(_rows(size) * 0.42 + 3 * grain(size, chance, (70, 24)))
    fine, wide = grain(size, chance, (2, 2)), grain(size, chance, (90, 30))
    return np.asarray(0.3 * fine + 0.16 * ripples + 0.25 * wide)


def _sea(size: Size, chance: Random) -> Light:
    waves = grain(size, chance, (34, 5))
    return np.asarray(0.55 * waves + 0.9 * np.maximum(waves - 0.45, 0))


def _road(size: Size, chance: Random) -> Light:
    return 0.35 * grain(size, chance, (2, 2)) + 0.25 * grain(size, chance, (120, 18))


def _slabs(size: Size, chance: Random) -> Light:
    """Paving stones, seen at a slant."""
    step = size[0] / chance.uniform(7, 10)
    row = np.floor(_rows(size) / (step * 0.42))
    across = (_columns(size) + row * step / 2) % step
    joints = (across < 2) | (_rows(size) % (step * 0.42) < 1.6)
    return _picked(joints, -0.7, 0.25 * grain(size, chance, (step, step * 0.42)))


def _planks(size: Size, chance: Random) -> Light:
    """Boards that run into the depth."""
    middle = size[0] * chance.uniform(0.35, 0.65)
    spread = 0.5 + _rows(size) / size[1]
    place = (_columns(size) - middle) / spread / (size[0] / chance.uniform(9, 13))
    joints = np.abs(place - np.round(place)) < 0.02
    tone = np.sin(np.floor(place + 0.5) * 2.4) * 0.3
    return _picked(joints, -0.8, tone + 0.22 * grain(size, chance, (5, 40)))


def _boards(size: Size, chance: Random) -> Light:
    """A table top of boards that run across."""
    step = size[1] / chance.uniform(8, 11)
    place = _rows(size) / step
    joints = place % 1 < 0.035
    tone = np.sin(np.floor(place) * 2.1) * 0.22
    return _picked(joints, -0.75, tone + 0.3 * grain(size, chance, (70, 4)))


def _stripes(size: Size, chance: Random) -> Light:
    step = size[0] / chance.uniform(14, 24)
    return np.asarray(0.28 * np.sign(np.sin(_columns(size) * 6.2832 / step)) + _plain(size, chance))


def _dots(size: Size, chance: Random) -> Light:
    step = size[0] / chance.uniform(14, 20)
    row = np.floor(_rows(size) / step)
    x = (_columns(size) + row % 2 * step / 2) % step - step / 2
    y = _rows(size) % step - step / 2
    return np.asarray(0.6 * (x * x + y * y < (step * 0.14) ** 2) + _plain(size, chance))


def _bricks(size: Size, chance: Random) -> Light:
    step = 13.0
    row = np.floor(_rows(size) / step)
    joints = ((_columns(size) + row % 2 * step) % (2 * step) < 1.6) | (_rows(size) % step < 1.6)
    return _picked(joints, 0.5, 0.35 * grain(size, chance, (2 * step, step)))


def _picked(here: NDArray[np.bool_], one: float, other: Light) -> Light:
    return np.where(here, np.float32(one), other)


def _rows(size: Size) -> Light:
    return np.arange(size[1], dtype=np.float32)[:, None]


def _columns(size: Size) -> Light:
    return np.arange(size[0], dtype=np.float32)[None, :]


TEXTURES: Mapping[str, Callable[[Size, Random], Light]] = {
    "plain": _plain, "sky": _sky, "grass": _grass, "sand": _sand, "sea": _sea, "road": _road,
    "slabs": _slabs, "planks": _planks, "boards": _boards, "stripes": _stripes, "dots": _dots,
    "bricks": _bricks,
}  # fmt: skip
