"""Blend modes: B(backdrop, source) of W3C Compositing and Blending Level 1, on colours 0–1."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]
LUMA = np.asarray([0.3, 0.59, 0.11], np.float32)


def _screen(below: Plane, above: Plane) -> Plane:
    return below + above - below * above


def _hard_light(below: Plane, above: Plane) -> Plane:
    return np.where(above <= 0.5, below * 2 * above, _screen(below, 2 * above - 1))


def _dodge(below: Plane, above: Plane) -> Plane:
    with np.errstate(divide="ignore", invalid="ignore"):
        lit = np.minimum(1, below / (1 - above))
    return np.where(below == 0, 0, np.where(above >= 1, 1, lit)).astype(np.float32)


def _burn(below: Plane, above: Plane) -> Plane:
    with np.errstate(divide="ignore", invalid="ignore"):
        burnt = 1 - np.minimum(1, (1 - below) / above)
    return np.where(below >= 1, 1, np.where(above <= 0, 0, burnt)).astype(np.float32)


def _soft_light(below: Plane, above: Plane) -> Plane:
    curve = np.where(
        below <= 0.25, ((16 * below - 12) * below + 4) * below, np.sqrt(np.maximum(below, 0))
    )
    dark = below - (1 - 2 * above) * below * (1 - below)
    return np.where(above <= 0.5, dark, below + (2 * above - 1) * (curve - below))


# ── modes that take hue, saturation and light apart ─────────────────────────────────────


def _light(colour: Plane) -> Plane:
    return np.asarray(colour @ LUMA, np.float32)[..., None]


def with_light(colour: Plane, light: Plane) -> Plane:
    """The colours as light as asked, hue kept, and as saturated as they can then be."""
    moved = colour + (light - _light(colour))
    low, high = moved.min(-1, keepdims=True), moved.max(-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = np.where(low < 0, light + (moved - light) * light / (light - low), moved)
        moved = np.where(high > 1, light + (moved - light) * (1 - light) / (high - light), moved)
    return np.asarray(moved, np.float32)


def _spread(colour: Plane) -> Plane:
    return np.asarray(colour.max(-1, keepdims=True) - colour.min(-1, keepdims=True))


def _with_spread(colour: Plane, spread: Plane) -> Plane:
    low, own = colour.min(-1, keepdims=True), _spread(colour)
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = (colour - low) * spread / own
    return np.where(own > 0, scaled, 0).astype(np.float32)


BLENDS: Mapping[str, Callable[[Plane, Plane], Plane]] = {
    "multiply": lambda below, above: below * above,
    "screen": _screen,
    "overlay": lambda below, above: _hard_light(above, below),
    "darken": np.minimum,
    "lighten": np.maximum,
    "colour-dodge": _dodge,
    "colour-burn": _burn,
    "linear-dodge": lambda below, above: np.minimum(1, below + above),
    "linear-burn": lambda below, above: np.maximum(0, below + above - 1),
    "hard-light": _hard_light,
    "soft-light": _soft_light,
    "difference": lambda below, above: np.abs(below - above),
    "exclusion": lambda below, above: below + above - 2 * below * above,
    "hue": lambda below, above: with_light(_with_spread(above, _spread(below)), _light(below)),
    "saturation": lambda below, above: with_light(
        _with_spread(below, _spread(above)), _light(below)
    ),
    "colour": lambda below, above: with_light(above, _light(below)),
    "luminosity": lambda below, above: with_light(below, _light(above)),
}
