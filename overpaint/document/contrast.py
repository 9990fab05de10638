"""How well one colour is told from another: luminance and contrast, as WCAG 2 counts them."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Light = NDArray[np.float64]


def luminance(colours: ArrayLike) -> Light:
    """Relative luminance, 0–1, of sRGB colours of 0–255; alpha is left aside."""
    share = np.asarray(colours, np.float64)[..., :3] / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(one: Light | float, other: Light | float) -> Light:
    """The ratio of two luminances, 1–21."""
    lighter, darker = np.maximum(one, other), np.minimum(one, other)
    return np.asarray((lighter + 0.05) / (darker + 0.05))
