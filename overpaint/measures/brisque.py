"""BRISQUE: how far a photograph departs from natural ones, by a regression on people's opinion.

Mittal, Moorthy, Bovik, "No-reference image quality assessment in the spatial domain", IEEE TIP 21
(2012). Lower is better; about 0 is a good photograph and 100 a bad one, neither being a bound.

The support vectors and the range of each feature are those of the package brisque 0.2.0, trained
on LIVE, and so is what they go with: BT.709 luma, zeros around the picture, half the size by
plain bicubic interpolation. Only the two files are taken out of the package; the one that is a
pickle is read as lists of numbers and nothing else.
"""

import pickle
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from overpaint import weights
from overpaint.core import Measure, each
from overpaint.errors import NotApplicable, Unavailable
from overpaint.measures import natural
from overpaint.measures.natural import Floats, Pixels

VERSION = "1"
NEEDS: Final = ("brisque-svm", "brisque-range")
FEATURES: Final = 36  # 18 at each of two scales
LEAST: Final = 4 * natural.WINDOW  # a side; at half the size a window still has to fit twice
LUMA: Final = (0.2125, 0.7154, 0.0721)
_KIND: Final = {"svm_type": "epsilon_svr", "kernel_type": "rbf"}


@dataclass(frozen=True)
class Model:
    """A regression by support vectors with Gaussian kernels, and the ranges of its features."""

    vectors: Floats  # one a row
    coefficients: Floats
    gamma: float
    rho: float
    low: Floats
    high: Floats

    def predict(self, features: Floats) -> float:
        """What the regression says of these features."""
        scaled = 2 * (features - self.low) / (self.high - self.low) - 1
        near = np.exp(-self.gamma * ((self.vectors - scaled) ** 2).sum(axis=1))
        return float(self.coefficients @ near) - self.rho


def brisque(rgb: Pixels) -> float:
    """BRISQUE of an RGB picture, lower is better; NotApplicable where it is small or flat."""
    return model(*(weights.find(name) for name in NEEDS)).predict(features(rgb))


def features(rgb: Pixels) -> Floats:
    """The 36 numbers that describe a picture: 18 at its own size, 18 at half of it."""
    import cv2

    natural.check_picture(rgb)
    if not large_enough(rgb):
        raise NotApplicable(
            f"BRISQUE needs at least {LEAST}×{LEAST} pixels; this picture has"
            f" {rgb.shape[1]}×{rgb.shape[0]}."
        )
    luma = rgb @ np.array(LUMA)
    half = cv2.resize(luma, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_CUBIC)
    found = np.array([*_of_one_scale(luma), *_of_one_scale(np.asarray(half))])
    if np.isnan(found).any():
        raise NotApplicable("Pixels that differ from their surroundings do so in one way only.")
    return found


def large_enough(rgb: Pixels) -> bool:
    """Whether both scales have room for some windows."""
    return bool(min(rgb.shape[:2]) >= LEAST)


def _of_one_scale(luma: Floats) -> list[float]:
    plane = natural.normalised(luma, "zeros")
    edge = natural.WINDOW // 2  # within it a flat picture seems to vary, because zeros surround it
    natural.check_varied(plane[edge:-edge, edge:-edge])
    shape, low, high = natural.fit(plane)
    found = [shape, (low**2 + high**2) / 2]
    for down, across in natural.NEXT:
        first = plane[: plane.shape[0] - down, max(-across, 0) : plane.shape[1] - max(across, 0)]
        second = plane[down:, max(across, 0) : plane.shape[1] - max(-across, 0)]
        shape, low, high = natural.fit(first * second)
        found += [shape, natural.centre(shape, low, high), low**2, high**2]
    return found


# ── the model ───────────────────────────────────────────────────────────────────────────


class _NumbersOnly(pickle.Unpickler):
    """Reads lists and dictionaries of numbers; whatever else a pickle asks for is refused."""

    def find_class(self, module: str, name: str) -> Any:
        """Nothing has a name in such a file."""
        raise pickle.UnpicklingError(f"{module}.{name} is not allowed in a file of ranges")


@lru_cache(maxsize=1)
def model(vectors: Path, ranges: Path) -> Model:
    """The model in libsvm's text form, with the ranges beside it; read once a process."""
    head, _, body = vectors.read_text("ascii").partition("SV\n")
    said = dict(line.split(" ", 1) for line in head.splitlines())
    rows = [[part.rpartition(":")[2] for part in line.split()] for line in body.splitlines()]
    numbers = np.array(rows, np.float64)
    with ranges.open("rb") as file:
        between = _NumbersOnly(file).load()
    low, high = (np.array(between[end], np.float64) for end in ("min_", "max_"))
    right = numbers.shape == (int(said["total_sv"]), FEATURES + 1) and len(low) == FEATURES
    if not right or any(said[name] != kind for name, kind in _KIND.items()):
        raise Unavailable(f"{vectors} holds no regression on {FEATURES} features.")
    settings = (float(said["gamma"]), float(said["rho"]))
    return Model(numbers[:, 1:], numbers[:, 0], *settings, low, high)


measure = Measure(
    "brisque", each("brisque", natural.scored(brisque, "BRISQUE", large_enough)),
    higher_is_better=False, worst=None, best=None, version=VERSION, needs=NEEDS,
    about="how unnatural a photograph looks, without a reference (Mittal 2012); 0 good, 100 bad",
)  # fmt: skip
