"""Photographs for the measures that know no reference, graded damage, and recorded values."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter
from skimage import data

from overpaint import weights
from overpaint.errors import Unavailable

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "natural.json").read_text())
PHOTOGRAPHS = ("astronaut", "camera", "chelsea", "coffee", "motorcycle", "rocket")


@cache
def photograph(name: str) -> np.ndarray:
    """One of scikit-image's own, in RGB."""
    found = data.stereo_motorcycle()[0] if name == "motorcycle" else getattr(data, name)()
    return found if found.ndim == 3 else np.stack([found] * 3, axis=2)


def blurred(picture: np.ndarray, sigma: float) -> np.ndarray:
    return np.rint(gaussian_filter(picture.astype(float), (sigma, sigma, 0))).astype(np.uint8)


def noisy(picture: np.ndarray, strength: float) -> np.ndarray:
    noise = np.random.default_rng(0).normal(0, strength, picture.shape)
    return np.clip(np.rint(picture + noise), 0, 255).astype(np.uint8)


def recorded(name: str) -> np.ndarray:
    """The picture that a golden value is of."""
    name, _, damage = name.partition(":")
    whole = photograph(name)
    return {"": lambda p: p, "blur2": lambda p: blurred(p, 2), "noise20": lambda p: noisy(p, 20)}[
        damage
    ](whole)


def weights_or_skip(*names: str) -> None:
    """Skip where the files of a measure are not on this machine."""
    try:
        for name in names:
            weights.find(name)
    except Unavailable as missing:
        pytest.skip(str(missing))
