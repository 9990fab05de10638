"""What the pixels of photographs have in common, and how a picture departs from it.

Divided by how much their surroundings vary, the pixels of a photograph follow one law (Ruderman,
"The statistics of natural images", Network 5, 1994), which blur, noise and coding each break in
their own way. BRISQUE and NIQE describe a picture by the 18 numbers here, at two scales, and
differ in what they hold them against. They know photographs only: of a page of text, which has
no grain, they say nothing. `not_a_photograph` tells.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Edit, Evidence, Found, finding
from overpaint.document import Document
from overpaint.errors import NotApplicable, Undecided, UserMistake

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]
Border = Literal["zeros", "nearest"]  # what lies around a picture

WINDOW: Final = 7  # pixels that surround one; Gaussian weights
SIGMA: Final = 7 / 6
NEXT: Final = ((0, 1), (1, 0), (1, 1), (1, -1))  # right, down and along both diagonals
ZERO: Final = 1e-9  # what a flat place gives but for rounding
BENDS: Final = np.arange(0.2, 10.0005, 0.001)  # shapes that are looked for: 2 is Gaussian

# A page or a drawing, by what no camera gives: wide areas without any grain. Of one level and of
# any, 14 photographs that come with scikit-image have up to .19 and .21 (blurred, darkened or as
# coarse JPEG: .38 and .66); all 200 pages of the built-in VDE set and all 200 designs of MiLDE's
# are told by one rule or the other. A page that was scanned has grain, and may pass.
ONE_LEVEL: Final = 0.4
ANY_LEVEL: Final = 0.75
VARIED: Final = 0.02  # share of pixels that has to differ from its surroundings at all


# ── a photograph, or not ────────────────────────────────────────────────────────────────


def flat_shares(rgb: Pixels) -> tuple[float, float]:
    """The shares of pixels amid 3×3 of one grey level: of the commonest such level, of all."""
    import cv2

    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    around = np.ones((3, 3), np.uint8)
    flat = grey[cv2.dilate(grey, around) == cv2.erode(grey, around)]
    return float(np.bincount(flat, minlength=256).max()) / grey.size, flat.size / grey.size


def not_a_photograph(rgb: Pixels) -> str:
    """Why a picture is taken for a page or a drawing; nothing if it may be a photograph."""
    one, every = flat_shares(rgb)
    if one >= ONE_LEVEL:
        return f"{one:.0%} of it is one flat ground, as of a page of text"
    return f"{every:.0%} of it has no grain at all, as of a drawing" if every >= ANY_LEVEL else ""


def scored(
    formula: Callable[[Pixels], float], name: str, least: Callable[[Pixels], bool]
) -> Callable[[Edit, Evidence], Found]:
    """A per-edit function that looks at outputs alone.

    Whether the question arises is the sample's to say: what an output is held against is a page,
    or too small. An output that is flat or too small where that is not is undecided, so that it
    does not leave the denominator.
    """

    def score(edit: Edit, evidence: Evidence) -> Found:
        assert edit.output is not None
        reference = edit.sample.reference
        if why := drawn(evidence, reference):
            raise NotApplicable(f"{name} is for photographs, and this sample has none: {why}.")
        try:
            return Found(formula(edit.output.rgb), edit.output.notes)
        except NotApplicable as none:
            if least(reference.rgb):
                raise Undecided(f"The output cannot be judged. {none}") from None
            raise

    return score


@finding()
def drawn(evidence: Evidence, document: Document) -> str:
    """Why a document is taken for a page or a drawing; nothing if it may be a photograph."""
    return not_a_photograph(document.rgb)


# ── from a picture to numbers ───────────────────────────────────────────────────────────


def check_picture(rgb: Pixels) -> None:
    """Raise a UserMistake unless this is an 8-bit RGB picture."""
    if rgb.dtype != np.uint8 or rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.size == 0:
        raise UserMistake(
            f"A picture is an array of {rgb.dtype} with shape {rgb.shape}.",
            "H×W×3 (RGB) of uint8 was expected, with at least one pixel.",
            "Flatten transparency and convert to 8 bits first.",
        )


def normalised(luma: Floats, border: Border) -> Floats:
    """Luma (0–255) less its local mean, over its local deviation + 1; 0 where it is flat."""
    import cv2

    window = _gaussian()
    around = cv2.BORDER_CONSTANT if border == "zeros" else cv2.BORDER_REPLICATE
    mean, power = (
        cv2.sepFilter2D(part, cv2.CV_64F, window, window, borderType=around)
        for part in (luma, luma * luma)
    )
    found = (luma - mean) / (np.sqrt(np.abs(power - mean * mean)) + 1)
    return np.where(np.abs(found) < ZERO, 0.0, found)


def check_varied(plane: Floats) -> None:
    """Raise NotApplicable where almost nothing of a normalised plane differs from 0."""
    varied = np.count_nonzero(plane) / plane.size
    if varied < VARIED:
        raise NotApplicable(f"Only {varied:.1%} of the picture differs from its surroundings.")


@cache
def _gaussian() -> Floats:
    steps = np.arange(WINDOW) - WINDOW // 2
    weights = np.exp(-(steps**2) / (2 * SIGMA**2))
    return np.asarray(weights / weights.sum())


def fit(values: Floats) -> tuple[float, float, float]:
    """Shape and the two deviations of an asymmetric generalised Gaussian, by its moments.

    Lasmar, Stitou, Berthoumieu, "Multiscale skewed heavy tailed model for texture analysis", ICIP
    2009. NaN throughout where values of one sign are missing: there is nothing to fit.
    """
    left, right = values[values < 0], values[values > 0]
    if not left.size or not right.size:
        return math.nan, math.nan, math.nan
    low, high = (math.sqrt(float(np.mean(side * side))) for side in (left, right))
    skew = low / high
    ratio = float(np.mean(np.abs(values))) ** 2 / float(np.mean(values * values))
    ratio *= (skew**3 + 1) * (skew + 1) / (skew**2 + 1) ** 2
    return float(np.interp(ratio, _ratios(), BENDS)), low, high


@cache
def _ratios() -> Floats:
    """(E|x|)² / E(x²) of a generalised Gaussian of each shape; it rises with the shape."""
    gamma = _gamma()
    return np.asarray(gamma(2 / BENDS) ** 2 / (gamma(1 / BENDS) * gamma(3 / BENDS)))


def width(shape: float) -> float:
    """What a deviation is multiplied with to give the scale of a generalised Gaussian."""
    return math.sqrt(math.gamma(1 / shape) / math.gamma(3 / shape))


def centre(shape: float, low: float, high: float) -> float:
    """The mean of an asymmetric generalised Gaussian."""
    return (high - low) * width(shape) * math.gamma(2 / shape) / math.gamma(1 / shape)


def _gamma() -> Any:
    from scipy.special import gamma

    return gamma
