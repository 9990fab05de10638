"""What TextEditBench's released scripts compute, quirks included: the `textedit@official` columns.

They compare with the input even where there is a truth; align for MSE and PSNR only and skip a
sample when that fails; multiply the editable area to black for SSIM and LPIPS, so that it counts
as perfect; skip outputs of another size there; and use the SqueezeNet LPIPS. A skipped sample is
a `measure_failed` row here, so that coverage shows what a mean over survivors hides.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from overpaint.core import IDENTICAL, Edit, Evidence, Found, Measure, each, finding
from overpaint.document import Document, Pixels
from overpaint.errors import NotApplicable, PictureError
from overpaint.measures import perceptual, pixel
from overpaint.measures.background import editable, picture

_REFLECTED = pixel.WINDOW // 2  # torchmetrics pads by reflection; its map keeps the full size

RATIO = 0.7  # a match counts if it is that much nearer than the second best
FEWEST = 4  # matches


@finding()
def aligned(evidence: Evidence, output: Document, source: Document) -> Pixels:
    """The output over the input by the scripts' own alignment, whatever the output's size."""
    import cv2

    fixed, moving = picture(evidence, source), picture(evidence, output)
    cv2.setRNGSeed(0)  # theirs is not seeded; ours gives the same score twice
    points = _matches(fixed, moving)
    if len(points) < FEWEST:
        raise PictureError(
            f"Only {len(points)} matches; the official script skips what it cannot align."
        )
    here, there = (np.array(side, np.float32) for side in zip(*points, strict=True))
    matrix, _ = cv2.estimateAffinePartial2D(there, here, method=cv2.LMEDS)
    if matrix is None:
        raise PictureError("No transform fits; the official script skips what it cannot align.")
    size = fixed.shape[1::-1]
    warped = cv2.warpAffine(moving, matrix, size, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(warped)


def _matches(fixed: Pixels, moving: Pixels) -> list[tuple[Any, Any]]:
    """Points of `fixed` with their counterparts in `moving`, by SIFT and FLANN."""
    import cv2

    sift = cv2.SIFT.create()
    found = [
        sift.detectAndCompute(cv2.cvtColor(p, cv2.COLOR_RGB2GRAY), None) for p in (fixed, moving)
    ]
    (here, first), (there, second) = found
    if first is None or second is None or min(len(first), len(second)) < 2:
        return []
    flann = cv2.FlannBasedMatcher({"algorithm": 1, "trees": 5}, {"checks": 50})
    pairs = flann.knnMatch(first, second, k=2)
    good = [m for m, n in pairs if m.distance < RATIO * n.distance]
    return [(here[m.queryIdx].pt, there[m.trainIdx].pt) for m in good]


@finding()
def blackened(
    evidence: Evidence, output: Document, source: Document, *masks: Document
) -> tuple[Pixels, Pixels]:
    """Input and output with the editable area multiplied to black."""
    moving, fixed = picture(evidence, output), picture(evidence, source)
    if moving.shape != fixed.shape:
        raise PictureError(
            f"The output is {moving.shape[1]}×{moving.shape[0]}, the input"
            f" {fixed.shape[1]}×{fixed.shape[0]}; the official script skips such samples."
        )
    keep = ~editable(evidence, source, *masks)[:, :, None]
    return fixed * keep, moving * keep


def _documents(edit: Edit) -> tuple[Document, ...]:
    assert edit.output is not None
    return (edit.output, edit.sample.request.source, *edit.sample.masks)


def _mse(edit: Edit, evidence: Evidence) -> Found:
    output, source, *masks = _documents(edit)
    counts = ~editable(evidence, source, *masks)
    return Found(pixel.mse(picture(evidence, source), aligned(evidence, output, source), counts))


def _psnr(edit: Edit, evidence: Evidence) -> Found:
    error = _mse(edit, evidence).value
    if error == 0:
        raise NotApplicable(IDENTICAL)  # the official mean becomes infinite
    return Found(10 * math.log10(pixel.RANGE**2 / error))


def _ssim(edit: Edit, evidence: Evidence) -> Found:
    padding = ((_REFLECTED, _REFLECTED), (_REFLECTED, _REFLECTED), (0, 0))
    pair = blackened(evidence, *_documents(edit))
    a, b = (np.pad(pixels, padding, mode="reflect") for pixels in pair)
    return Found(pixel.ssim(a, b))


def _lpips(edit: Edit, evidence: Evidence) -> Found:
    return Found(perceptual.lpips(*blackened(evidence, *_documents(edit)), net="squeeze"))


def _measure(name: str, function: Callable[[Edit, Evidence], Found], **declared: Any) -> Measure:
    about = f"{name.upper()} as TextEditBench's released script computes it"
    return Measure(f"{name}@official", each(f"{name}@official", function), about=about, **declared)


mse = _measure("mse", _mse, higher_is_better=False, worst=255.0**2, best=0.0)
psnr = _measure("psnr", _psnr, higher_is_better=True, worst=0.0, best=None, unit="dB")
ssim = _measure("ssim", _ssim, higher_is_better=True, worst=-1.0, best=1.0)
# It needs no entry of the table of weights: no package carries SqueezeNet's, so none is to be had.
lpips = _measure("lpips", _lpips, higher_is_better=False, worst=None, best=0.0)
