"""Pixel measures: how far two pictures are apart, with or without a mask of what counts.

Pictures are uint8 arrays, H×W×3 (RGB) or H×W (grey); `mask` is H×W bool, True = counts.
Whatever a measure looks at through a window (SSIM's 11×11, GMSD's gradient cells, each scale
of MS-SSIM) counts only where every pixel of that window counts, so pixels that do not count
never change a score, and a region painted over never passes as perfect.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import NotApplicable
from overpaint.measures.alignment import Aligned, align
from overpaint.measures.checks import check_pair

__all__ = ["Aligned", "Joint", "align", "gmsd", "joint", "ms_ssim", "mse", "psnr", "ssim"]

Pixels = NDArray[np.uint8]
Picture = NDArray[Any]  # in the making: single precision, or one channel
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
NO_LIGHT: Final = 1e30  # in place of C1: the luminance part becomes 1, its digits lost beside it

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
    a, b, mask = _checked(a, b, mask)
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
    a, b, mask = _checked(a, b, mask)
    return _mse(a, b, mask)


def psnr(a: Pixels, b: Pixels, mask: Mask | None = None) -> float:
    """Peak signal-to-noise ratio in dB; math.inf where all counting pixels are equal."""
    return _decibels(mse(a, b, mask))


def ssim(a: Pixels, b: Pixels, mask: Mask | None = None) -> float:
    """Mean structural similarity over the windows whose pixels all count (Wang et al. 2004)."""
    a, b, mask = _checked(a, b, mask)
    return _ssim(a, b, mask)


def ms_ssim(a: Pixels, b: Pixels, mask: Mask | None = None) -> float:
    """Multi-scale SSIM; at every scale the windows count whose source pixels all count."""
    import cv2

    a, b, mask = _checked(a, b, mask)
    if min(a.shape[:2]) < MS_SSIM_SIDE:
        raise NotApplicable(
            f"MS-SSIM needs at least {MS_SSIM_SIDE}×{MS_SSIM_SIDE} pixels for its five scales;"
            f" this picture has {_size(a)}."
        )
    x, y, counts = a.astype(np.float32), b.astype(np.float32), mask
    product = np.ones(1 if a.ndim == 2 else a.shape[2])
    for scale, weight in enumerate(SCALE_WEIGHTS):
        last = scale == len(SCALE_WEIGHTS) - 1
        planes = zip(cv2.split(x), cv2.split(y), strict=True)
        similar = [_similarity(p, q, counts, c1=C1 if last else NO_LIGHT) for p, q in planes]
        product *= np.maximum(similar, 0.0) ** weight
        if not last:
            x, y = _halve(x), _halve(y)
            counts = None if counts is None else _halve_mask(counts)
    return float(product.mean())


def gmsd(a: Pixels, b: Pixels, mask: Mask | None = None) -> float:
    """Gradient magnitude similarity deviation over the cells whose pixels all count; 0 is best."""
    a, b, mask = _checked(a, b, mask)
    return _gmsd(a, b, mask)


# ── the parts ───────────────────────────────────────────────────────────────────────────


def _mse(a: Pixels, b: Pixels, mask: Mask | None) -> float:
    import cv2

    area = a.shape[0] * a.shape[1]
    pixels = area if mask is None else int(np.count_nonzero(mask))
    if pixels == 0:
        raise NotApplicable("No pixel counts: the mask leaves out the whole picture.")
    counts = None if mask is None else mask.view(np.uint8)
    # A sum of integers below 2**53: exact in double precision.
    squares = float(cv2.norm(a, b, cv2.NORM_L2SQR, counts))
    return squares / (pixels * int(a.size // area))


def _decibels(error: float) -> float:
    return math.inf if error == 0 else 10 * math.log10(RANGE**2 / error)


def _ssim(a: Pixels, b: Pixels, mask: Mask | None) -> float:
    return _similarity(a, b, mask, c1=C1)


def _similarity(a: Picture, b: Picture, mask: Mask | None, *, c1: float) -> float:
    """Mean SSIM over counting windows and channels, with a luminance constant of choice."""
    import cv2

    if min(a.shape[:2]) < WINDOW:
        raise NotApplicable(
            f"SSIM looks through windows of {WINDOW}×{WINDOW} pixels; this picture has {_size(a)}."
        )
    height, width, channels = np.atleast_3d(a).shape
    counts = _counting(mask, height, width)
    windows = int(np.count_nonzero(counts))
    if windows == 0:
        raise NotApplicable(
            f"No window of {WINDOW}×{WINDOW} pixels lies wholly where pixels count."
        )
    counts = counts if channels == 1 else cv2.merge([counts] * channels)
    settings = (_half_window(), np.float32(c1), np.float32(C2))
    shape = (height, width, channels)
    loss = _kernels().dissimilarity(a.ravel(), b.ravel(), counts.ravel(), shape, settings)
    return 1.0 - float(loss) / (windows * int(channels))


def _counting(mask: Mask | None, height: int, width: int) -> NDArray[Any]:
    """For every window inside the picture, in reading order, 1 where all its pixels count."""
    import cv2

    edge = WINDOW // 2
    if mask is None:
        return np.ones((height - 2 * edge, width - 2 * edge), np.uint8)
    whole = cv2.erode(mask.view(np.uint8), np.ones((WINDOW, WINDOW), np.uint8))
    return np.ascontiguousarray(whole[edge : height - edge, edge : width - edge])


@cache
def _half_window() -> tuple[np.float32, ...]:
    """The Gaussian's weights up to its middle; the kernel mirrors them."""
    steps = np.arange(WINDOW) - WINDOW // 2
    exact = np.exp(-(steps**2) / (2 * SIGMA**2))
    weights = (exact / exact.sum()).astype(np.float32)[: WINDOW // 2 + 1]
    # Rounded weights must still add up to one, or flat bright regions seem to vary: the two
    # outermost, with the finest steps, take what is missing.
    weights[0] += np.float32((1.0 - weights[:-1].sum(dtype=np.float64) * 2 - weights[-1]) / 2)
    return tuple(weights)


def _gmsd(a: Pixels, b: Pixels, mask: Mask | None) -> float:
    counts = _counting_cells(mask, *a.shape[:2])
    cells = int(np.count_nonzero(counts))
    if cells < 2:
        raise NotApplicable(
            "GMSD is a deviation over cells of 2×2 pixels that count with all their neighbours;"
            f" this pair has {cells} such cell{'' if cells == 1 else 's'}, and two are needed."
        )
    kernels = _kernels()
    luma = tuple(np.float32(weight) for weight in LUMA)
    x, y = (kernels.luma_cells(_even_rgb(picture), luma) for picture in (a, b))
    # The kernels leave out two divisions: the mean of four pixels and Prewitt's of three.
    first, second = kernels.gradient_differences(x, y, counts, GMSD_C * (4 * 3) ** 2)
    return math.sqrt(max(second / cells - (first / cells) ** 2, 0.0))


def _counting_cells(mask: Mask | None, height: int, width: int) -> NDArray[Any]:
    """For every cell 1 where the pixels of it and its neighbours count (6×6 but at the border)."""
    import cv2

    if mask is None:
        return np.ones(((height + 1) // 2, (width + 1) // 2), np.uint8)
    whole = cv2.erode(mask.view(np.uint8), np.ones((6, 6), np.uint8), anchor=(2, 2))
    return np.ascontiguousarray(whole[::2, ::2])


def _even_rgb(picture: Pixels) -> NDArray[Any]:
    """Three channels, the grey ones being equal, with a line of zeros after an odd side."""
    import cv2

    rgb = picture if picture.ndim == 3 else cv2.merge([picture] * 3)
    height, width = picture.shape[0] % 2, picture.shape[1] % 2
    if height or width:
        rgb = cv2.copyMakeBorder(rgb, 0, height, 0, width, cv2.BORDER_CONSTANT, value=0)
    return np.ascontiguousarray(rgb)


def _halve(x: Picture) -> NDArray[Any]:
    """2×2 means; an odd side gets a line of zeros before its first."""
    import cv2

    height, width = x.shape[0] % 2, x.shape[1] % 2
    even = cv2.copyMakeBorder(x, height, 0, width, 0, cv2.BORDER_CONSTANT, value=0)
    return cv2.resize(even, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def _halve_mask(mask: Mask) -> Mask:
    """Cells whose pixels all count; the zeros before an odd side do, being always the same."""
    mask = np.pad(mask, [(side % 2, 0) for side in mask.shape], constant_values=True)
    whole: Mask = mask[::2, ::2] & mask[1::2, ::2] & mask[::2, 1::2] & mask[1::2, 1::2]
    return whole


def _kernels() -> ModuleType:
    """The compiled kernels; importing them costs numba's start-up, so only when needed."""
    from overpaint.measures import kernels

    return kernels


# ── what may come in ────────────────────────────────────────────────────────────────────


def _checked(a: Pixels, b: Pixels, mask: Mask | None) -> tuple[Pixels, Pixels, Mask | None]:
    """The same, laid out contiguously; a UserMistake where they do not fit together."""
    check_pair(a, b, mask)
    counts = None if mask is None else np.ascontiguousarray(mask)
    return np.ascontiguousarray(a), np.ascontiguousarray(b), counts


def _size(a: NDArray[np.generic]) -> str:
    return f"{a.shape[1]}×{a.shape[0]}"
