"""Pixel measures: how far two pictures are apart, with or without a mask of what counts.

Pictures are uint8 arrays, H×W×3 (RGB) or H×W (grey); `mask` is H×W bool, True = counts.
Whatever a measure looks at through a window (SSIM's 11×11, GMSD's gradient cells, each scale
of MS-SSIM) counts only where every pixel of that window counts, so pixels that do not count
never change a score, and a region painted over never passes as perfect.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import NotApplicable, UserMistake
from overpaint.measures.alignment import Aligned, align

__all__ = ["Aligned", "Joint", "align", "gmsd", "joint", "ms_ssim", "mse", "psnr", "ssim"]

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]

# ── definitions, and whom each follows ──────────────────────────────────────────────────

RANGE: Final = 255.0  # data range of every measure

# SSIM: Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error visibility to
# structural similarity", IEEE TIP 13 (2004). Gaussian windows wholly inside the picture,
# population covariance, no downsampling, the mean over all windows and RGB. The same as
# scikit-image's structural_similarity(gaussian_weights=True, use_sample_covariance=False).
WINDOW: Final = 11
SIGMA: Final = 1.5
C1: Final = (0.01 * RANGE) ** 2
C2: Final = (0.03 * RANGE) ** 2

# MS-SSIM: Wang, Simoncelli, Bovik, "Multiscale structural similarity for image quality
# assessment", Asilomar 2003, as pytorch-msssim has it: 2×2 means between scales, an odd side
# gets one line of zeros before its first line; per channel, negative factors become 0, the
# weighted product of all scales; then the mean over channels.
SCALE_WEIGHTS: Final = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)
MS_SSIM_SIDE: Final = (WINDOW - 1) * 2 ** (len(SCALE_WEIGHTS) - 1) + 1  # smallest side: 161

# GMSD: Xue, Zhang, Mou, Bovik, "Gradient magnitude similarity deviation", IEEE TIP 23 (2014),
# as piq has it: unrounded BT.601 luma, 2×2 means (an odd side gets one line of zeros after
# its last), Prewitt gradients over a frame of zeros, the population deviation over all cells.
LUMA: Final = (0.299, 0.587, 0.114)
GMSD_C: Final = 170.0

# PSNR: 10·log10(RANGE² / MSE), the squared error pooled over counting pixels and channels.


@dataclass(frozen=True)
class Joint:
    """Four measures of one pair; a part that does not apply is None, `missing` says why."""

    mse: float | None
    psnr: float | None  # math.inf where all counting pixels are equal
    ssim: float | None
    gmsd: float | None
    missing: Mapping[str, str] = field(default_factory=dict)

    def value(self, name: str) -> float:
        """The part called `name` ("mse", "psnr", "ssim", "gmsd"), or NotApplicable."""
        if name in self.missing:
            raise NotApplicable(self.missing[name])
        found: float = getattr(self, name)
        return found


def joint(a: Pixels, b: Pixels, mask: Mask | None = None) -> Joint:
    """MSE, PSNR, SSIM and GMSD of one pair, for the price of little more than SSIM alone."""
    _check(a, b, mask)
    values: dict[str, float | None] = {}
    missing: dict[str, str] = {}
    for name, part in (("mse", _mse), ("ssim", _ssim), ("gmsd", _gmsd)):
        try:
            values[name] = part(a, b, mask)
        except NotApplicable as none:
            values[name], missing[name] = None, str(none)
    error = values["mse"]
    if error is None:
        missing["psnr"] = missing["mse"]
    power = None if error is None else _decibels(error)
    return Joint(error, power, values["ssim"], values["gmsd"], missing)


def mse(a: Pixels, b: Pixels, mask: Mask | None = None) -> float:
    """Mean squared error over counting pixels and channels, exact, on the 0–255 scale."""
    _check(a, b, mask)
    return _mse(a, b, mask)


def psnr(a: Pixels, b: Pixels, mask: Mask | None = None) -> float:
    """Peak signal-to-noise ratio in dB; math.inf where all counting pixels are equal."""
    return _decibels(mse(a, b, mask))


def ssim(a: Pixels, b: Pixels, mask: Mask | None = None) -> float:
    """Mean structural similarity over the windows whose pixels all count (Wang et al. 2004)."""
    _check(a, b, mask)
    return _ssim(a, b, mask)


def ms_ssim(a: Pixels, b: Pixels, mask: Mask | None = None) -> float:
    """Multi-scale SSIM; at every scale the windows count whose source pixels all count."""
    _check(a, b, mask)
    if min(a.shape[:2]) < MS_SSIM_SIDE:
        raise NotApplicable(
            f"MS-SSIM needs at least {MS_SSIM_SIDE}×{MS_SSIM_SIDE} pixels for its five scales;"
            f" this picture has {_size(a)}."
        )
    x, y = (np.atleast_3d(picture).astype(np.float32) for picture in (a, b))
    counts = mask
    product = np.ones(x.shape[2])
    for scale, weight in enumerate(SCALE_WEIGHTS):
        last = scale == len(SCALE_WEIGHTS) - 1
        similarity = [
            _windows(x[:, :, [c]], y[:, :, [c]], counts, "MS-SSIM")[0 if last else 1]
            for c in range(x.shape[2])
        ]
        product *= np.maximum(similarity, 0.0) ** weight
        if not last:
            x, y = _halve(x), _halve(y)
            counts = None if counts is None else _halve_mask(counts, before=True)
    return float(product.mean())


def gmsd(a: Pixels, b: Pixels, mask: Mask | None = None) -> float:
    """Gradient magnitude similarity deviation over the cells whose pixels all count; 0 is best."""
    _check(a, b, mask)
    return _gmsd(a, b, mask)


# ── the parts ───────────────────────────────────────────────────────────────────────────


def _mse(a: Pixels, b: Pixels, mask: Mask | None) -> float:
    import cv2

    pixels = a.shape[0] * a.shape[1] if mask is None else int(np.count_nonzero(mask))
    if pixels == 0:
        raise NotApplicable("No pixel counts: the mask leaves out the whole picture.")
    counts = None if mask is None else mask.view(np.uint8)
    # Sums of integers below 2**53: exact in double precision.
    squares = float(cv2.norm(a, b, cv2.NORM_L2SQR, counts))
    return squares / (pixels * (a.size // (a.shape[0] * a.shape[1])))


def _decibels(error: float) -> float:
    return math.inf if error == 0 else 10 * math.log10(RANGE**2 / error)


def _ssim(a: Pixels, b: Pixels, mask: Mask | None) -> float:
    return _windows(np.atleast_3d(a), np.atleast_3d(b), mask, "SSIM")[0]


def _windows(
    a: NDArray[np.generic], b: NDArray[np.generic], mask: Mask | None, name: str
) -> tuple[float, float]:
    """Mean similarity over counting windows and channels, whole and without luminance."""
    height, width = a.shape[:2]
    if min(height, width) < WINDOW:
        raise NotApplicable(
            f"{name} needs at least {WINDOW}×{WINDOW} pixels; this picture has {_size(a)}."
        )
    counts = _counting(mask, (height, width))
    windows = int(np.count_nonzero(counts)) * a.shape[2]
    if windows == 0:
        raise NotApplicable(f"{name} has no {WINDOW}×{WINDOW} window whose pixels all count.")
    whole, structure = _kernels().similarity(
        np.ascontiguousarray(a), np.ascontiguousarray(b), counts, _gaussian()
    )
    return whole / windows, structure / windows


def _counting(mask: Mask | None, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Which windows, named by their first pixel, count: 1 where all their pixels do."""
    import cv2

    edge = WINDOW // 2
    if mask is None:
        return np.ones((shape[0] - 2 * edge, shape[1] - 2 * edge), np.uint8)
    whole = cv2.erode(mask.view(np.uint8), np.ones((WINDOW, WINDOW), np.uint8))
    return np.ascontiguousarray(whole[edge : shape[0] - edge, edge : shape[1] - edge])


def _gaussian() -> NDArray[np.float32]:
    steps = np.arange(WINDOW) - WINDOW // 2
    weights = np.exp(-(steps**2) / (2 * SIGMA**2))
    return (weights / weights.sum()).astype(np.float32)


def _gmsd(a: Pixels, b: Pixels, mask: Mask | None) -> float:
    import cv2

    cells = tuple((side + 1) // 2 for side in a.shape[:2])
    if mask is None:
        counts = np.ones(cells, np.uint8)
    else:
        whole = _halve_mask(mask, before=False).view(np.uint8)
        counts = cv2.erode(whole, np.ones((3, 3), np.uint8))
    if (found := int(np.count_nonzero(counts))) < 2:
        raise NotApplicable(
            "GMSD is a deviation over 2×2-pixel cells whose 6×6 surroundings count;"
            f" this pair has {found} such cell{'' if found == 1 else 's'}, two are needed."
        )
    kernels = _kernels()
    weights = np.array(LUMA if a.ndim == 3 else (1.0,), np.float32)
    x, y = (kernels.cells(np.ascontiguousarray(np.atleast_3d(p)), weights) for p in (a, b))
    first, second = kernels.gradient_deviation(x, y, counts, GMSD_C)
    mean = first / found
    return math.sqrt(max(second / found - mean * mean, 0.0))


def _halve(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """2×2 means; an odd side gets a line of zeros before its first."""
    odd = [(side % 2, 0) for side in x.shape[:2]]
    x = np.pad(x, (*odd, (0, 0)))
    quarter = x[::2, ::2] + x[1::2, ::2] + x[::2, 1::2] + x[1::2, 1::2]
    return np.asarray(quarter / 4, np.float32)


def _halve_mask(mask: Mask, *, before: bool) -> Mask:
    """Cells whose pixels all count; the zeros that pad an odd side count, being constant."""
    odd = [(side % 2, 0) if before else (0, side % 2) for side in mask.shape]
    mask = np.pad(mask, odd, constant_values=True)
    whole: Mask = mask[::2, ::2] & mask[1::2, ::2] & mask[::2, 1::2] & mask[1::2, 1::2]
    return whole


def _kernels() -> ModuleType:
    """The compiled kernels; importing them costs numba's start-up, so only when needed."""
    from overpaint.measures import kernels

    return kernels


# ── what may come in ────────────────────────────────────────────────────────────────────


def _check(a: Pixels, b: Pixels, mask: Mask | None) -> None:
    for picture in (a, b):
        good = picture.ndim == 2 or (picture.ndim == 3 and picture.shape[2] == 3)
        if picture.dtype != np.uint8 or not good or picture.size == 0:
            raise UserMistake(
                f"A picture is an array of {picture.dtype} with shape {picture.shape}.",
                "H×W×3 (RGB) or H×W (grey) of uint8 was expected, with at least one pixel.",
                "Flatten transparency and convert to 8 bits first.",
            )
    if a.shape != b.shape:
        raise UserMistake(
            f"The pictures differ in shape: {a.shape} and {b.shape}.",
            "Two pictures of one size and the same channels were expected.",
            "Resize one of them first.",
        )
    if mask is not None and (mask.dtype != np.bool_ or mask.shape != a.shape[:2]):
        raise UserMistake(
            f"The mask is an array of {mask.dtype} with shape {mask.shape}.",
            f"An array of bool with shape {a.shape[:2]} was expected, True = counts.",
        )


def _size(a: NDArray[np.generic]) -> str:
    return f"{a.shape[1]}×{a.shape[0]}"
