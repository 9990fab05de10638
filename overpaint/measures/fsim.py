"""FSIM and FSIMc: are the features of two pictures alike, and what surrounds them as steep?

Zhang, Zhang, Mou, Zhang, "FSIM: a feature similarity index for image quality assessment", IEEE
TIP 20 (2011). Features are where the waves of all scales are in phase (Kovesi, "Image features
from phase congruency", Videre 1, 1999); the more of a feature a pixel is, the more it weighs.

With or without a mask (True = counts). Waves reach far, so under a mask what does not count is
first filled in, smoothly and in each picture from its own counting pixels: it has no edge of its
own, and pixels that do not count change no score.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import NotApplicable
from overpaint.measures.checks import Mask, Pixels, check_pair

Floats = NDArray[np.float64]

# ── the authors' numbers, which piq has too ─────────────────────────────────────────────

SIDE: Final = 256  # the shorter side after means over k×k pixels; k is the nearest whole number
YIQ: Final = ((0.299, 0.587, 0.114), (0.596, -0.274, -0.322), (0.211, -0.523, 0.312))
SCALES: Final = 4
ORIENTATIONS: Final = 4
SHORTEST: Final = 6.0  # wavelength in pixels; it doubles from scale to scale
BAND: Final = 0.55  # a log-Gabor's deviation over its centre
SPREAD: Final = math.pi / ORIENTATIONS / 1.2  # deviation over the angle
CUTOFF, STEEPNESS = 0.45, 15  # Butterworth's low pass, which cuts off the spectrum's corners
NOISE: Final = 2.0  # deviations above the mean of what noise alone would give
OVERRATED: Final = 1.7  # Kovesi's: by so much is noise overrated for this kind of congruency
T_PHASE, T_GRADIENT, T_CHROMA = 0.85, 160.0, 200.0
CHROMA: Final = 0.03  # the power of chroma's similarity in FSIMc

LEAST: Final = int(SHORTEST * 2 ** (SCALES - 1))  # the longest wave; a picture has room for one
SILENT: Final = 1e-6  # waves of 8-bit pictures that are there at all are stronger


def fsim(a: Pixels, b: Pixels, mask: Mask | None = None) -> float:
    """Feature similarity of luma, above 0; 1 for equal pictures, the same when they are swapped."""
    return _similarity(a, b, mask, chroma=False)


def fsimc(a: Pixels, b: Pixels, mask: Mask | None = None) -> float:
    """FSIM with the similarity of chroma (YIQ) as a further factor."""
    return _similarity(a, b, mask, chroma=True)


def _similarity(a: Pixels, b: Pixels, mask: Mask | None, *, chroma: bool) -> float:
    check_pair(a, b, mask)
    if min(a.shape[:2]) < LEAST:
        raise NotApplicable(
            f"FSIM looks at waves of up to {LEAST} pixels; this picture has"
            f" {a.shape[1]}×{a.shape[0]}."
        )
    side = max(1, round(min(a.shape[:2]) / SIDE))
    cells = None if mask is None or mask.all() else _whole(mask, side)
    counts = slice(None) if cells is None else _with_neighbours(cells)
    x, y = (_planes(picture, side, cells) for picture in (a, b))
    p, q = (_congruency(planes[0]) for planes in (x, y))
    weight = np.maximum(p, q)[counts]
    total = float(weight.sum())
    if total == 0:
        raise NotApplicable("FSIM compares features, and what counts has none in either picture.")
    # As 1 − similarity, so that equal pictures give exactly 1.
    alike = (1 - _apart(p, q, T_PHASE)) * (1 - _apart(_slope(x[0]), _slope(y[0]), T_GRADIENT))
    if chroma:
        shades = [1 - _apart(u, v, T_CHROMA) for u, v in zip(x[1:], y[1:], strict=True)]
        # The root of a negative number, where a colour turned into its opposite, is complex;
        # the authors take its real part.
        alike = alike * ((shades[0] * shades[1]).astype(complex) ** CHROMA).real
    return 1 - float((weight * (1 - alike[counts])).sum()) / total


def _apart(x: Floats, y: Floats, constant: float) -> Floats:
    """1 − (2xy + c) / (x² + y² + c)."""
    return np.asarray((x - y) ** 2 / (x * x + y * y + constant))


# ── planes at the size FSIM looks at ────────────────────────────────────────────────────


def _planes(picture: Pixels, side: int, cells: Mask | None) -> list[Floats]:
    """Luma, I and Q in means over side×side pixels; lines that are left over are cut off."""
    import cv2

    height, width = (n // side for n in picture.shape[:2])
    rgb = np.atleast_3d(picture)[: height * side, : width * side].astype(np.float64)
    small = cv2.resize(rgb, (width, height), interpolation=cv2.INTER_AREA) if side > 1 else rgb
    small = np.atleast_3d(small)
    small = small.repeat(3, axis=2) if small.shape[2] == 1 else small
    planes = [np.asarray(small @ np.array(row)) for row in YIQ]
    return planes if cells is None else [_filled(plane, cells) for plane in planes]


def _whole(mask: Mask, side: int) -> Mask:
    """The cells of side×side pixels that all count."""
    height, width = (n // side for n in mask.shape)
    blocks = mask[: height * side, : width * side].reshape(height, side, width, side)
    return np.asarray(blocks.all(axis=(1, 3)))


def _with_neighbours(cells: Mask) -> Mask:
    """The cells that count together with all around them, because gradients look at those."""
    import cv2

    whole = cv2.erode(cells.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
    if not whole.any():
        raise NotApplicable("No cell lies wholly, with its neighbours, where pixels count.")
    return np.asarray(whole)


def _filled(plane: Floats, cells: Mask) -> Floats:
    """The plane with what does not count drawn smoothly from what does.

    Pull and push: means of what counts over 2×2 cells, then those of twice as many, until all is
    covered; on the way back each gap takes the coarser value in its place.
    """
    import cv2

    if cells.all():
        return plane
    height, width = plane.shape
    even = ((0, height % 2), (0, width % 2))
    share = np.pad(cells.astype(np.float64), even)
    amount = np.pad(np.where(cells, plane, 0.0), even)
    size = (share.shape[1] // 2, share.shape[0] // 2)
    parts = [cv2.resize(part, size, interpolation=cv2.INTER_AREA) for part in (share, amount)]
    known = np.asarray(parts[0] > 0)
    coarse = _filled(np.where(known, parts[1] / np.where(known, parts[0], 1.0), 0.0), known)
    fine = cv2.resize(coarse, (size[0] * 2, size[1] * 2), interpolation=cv2.INTER_LINEAR)
    return np.where(cells, plane, fine[:height, :width])


def _slope(plane: Floats) -> Floats:
    """The length of Scharr's gradient, with zeros around the picture."""
    import cv2

    smooth, step = np.array([3.0, 10.0, 3.0]) / 16, np.array([1.0, 0.0, -1.0])
    border = cv2.BORDER_CONSTANT
    across = cv2.sepFilter2D(plane, cv2.CV_64F, step, smooth, borderType=border)
    down = cv2.sepFilter2D(plane, cv2.CV_64F, smooth, step, borderType=border)
    return np.hypot(across, down)


# ── phase congruency ────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Bank:
    """The filters, on the spectrum: each is a band of one scale times a spread about an angle."""

    bands: Floats  # scales × height × width, the finest first
    spreads: Floats  # orientations × height × width
    noise: tuple[float, ...]  # an orientation's energy for noise that gives its finest scale 1


def _congruency(plane: Floats) -> Floats:
    """How far the waves at each place are in phase, 0–1, all orientations taken together."""
    from scipy import fft

    spectrum, bank = fft.fft2(plane), _bank(*plane.shape)
    energy, amplitude = np.zeros(plane.shape), np.zeros(plane.shape)
    for spread, noise in zip(bank.spreads, bank.noise, strict=True):
        answers = fft.ifft2(spectrum * spread * bank.bands)
        sizes = np.abs(answers)
        amplitude += sizes.sum(axis=0)
        energy += np.maximum(_in_phase(answers) - _floor(sizes[0], noise), 0)
    heard = amplitude > SILENT
    return np.where(heard, energy / np.where(heard, amplitude, 1.0), 0.0)


def _in_phase(answers: NDArray[Any]) -> Floats:
    """Over scales, the sum of size · (cos φ − |sin φ|), φ being the angle to the mean phase."""
    mean = answers.sum(axis=0)
    length = np.abs(mean)
    mean = np.conj(mean) / np.where(length > 0, length, 1.0)
    turned = answers * mean
    return np.asarray((turned.real - np.abs(turned.imag)).sum(axis=0))


def _floor(finest: Floats, noise: float) -> float:
    """What noise alone may give: it is judged by the median of the finest scale (Rayleigh)."""
    power = float(np.median(finest**2)) / math.log(2)
    tau = math.sqrt(power * noise)
    return tau * (math.sqrt(math.pi / 2) + NOISE * math.sqrt(2 - math.pi / 2)) / OVERRATED


@lru_cache(maxsize=2)
def _bank(height: int, width: int) -> _Bank:
    """The filters for planes of this size."""
    down, across = np.meshgrid(_frequencies(height), _frequencies(width), indexing="ij")
    radius, angle = np.hypot(across, down), np.arctan2(-down, across)
    low = 1 / (1 + (radius / CUTOFF) ** (2 * STEEPNESS))
    low[0, 0], radius[0, 0] = 0.0, 1.0  # the mean, which no filter passes and has no logarithm
    ratios = (radius * SHORTEST * 2**scale for scale in range(SCALES))
    bands = np.stack([low * np.exp(-0.5 * (np.log(r) / math.log(BAND)) ** 2) for r in ratios])
    turns = (angle - turn * math.pi / ORIENTATIONS for turn in range(ORIENTATIONS))
    offs = (np.angle(np.exp(1j * turned)) for turned in turns)
    spreads = np.stack([np.exp(-0.5 * (off / SPREAD) ** 2) for off in offs])
    return _Bank(bands, spreads, tuple(_noise(bands, spread) for spread in spreads))


def _noise(bands: Floats, spread: Floats) -> float:
    """The energy with which all scales answer to noise whose finest scale has the energy 1."""
    together = bands.sum(axis=0) * spread
    # What counts is a filter's real part; by Parseval that is the even half of its spectrum.
    even = (together + np.roll(together[::-1, ::-1], (1, 1), axis=(0, 1))) / 2
    return float((even**2).sum() / ((bands[0] * spread) ** 2).sum())


def _frequencies(side: int) -> Floats:
    """Cycles a pixel along a side, the mean's first; an odd side's reach ±1/2, as Kovesi has it."""
    steps = np.arange(side) - side // 2
    return np.fft.ifftshift(steps / (side - side % 2))
