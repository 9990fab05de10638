"""NIQE: how far a photograph departs from natural ones that nobody has rated.

Mittal, Soundararajan, Bovik, "Making a completely blind image quality analyzer", IEEE SPL 20
(2013). Each block of 96×96 pixels is described by 36 numbers; their mean and covariance over the
picture are held against those of the authors' pristine photographs, which basicsr 1.4.2 carries.
Lower is better, and 0 would be those photographs themselves.
"""

import math
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from overpaint import weights
from overpaint.core import Measure, each
from overpaint.errors import NotApplicable
from overpaint.measures import natural
from overpaint.measures.natural import Floats, Pixels

VERSION = "1"
NEEDS: Final = ("niqe",)
BLOCK: Final = 96  # pixels a side
FEWEST: Final = 2  # blocks; a covariance needs two
# BT.601 luma from 16 to 235, as MATLAB's rgb2ycbcr gives it.
LUMA: Final = np.array([65.481, 128.553, 24.966]) / 255
BLACK: Final = 16.0
# MATLAB's imresize to half: Keys' bicubic, stretched over twice as many pixels against aliasing.
HALVING: Final = np.array([-3, -9, 29, 111, 111, 29, -9, -3]) / 256


def niqe(rgb: Pixels) -> float:
    """NIQE of an RGB picture, lower is better; NotApplicable where it is small or flat."""
    rows = features(rgb)
    mean, covariance = pristine(weights.find(NEEDS[0]))
    whole = rows[~np.isnan(rows).any(axis=1)]
    if len(whole) < FEWEST:
        raise NotApplicable(
            f"NIQE needs at least {FEWEST} blocks that vary; {len(whole)} of {len(rows)} do."
        )
    apart = mean - np.nanmean(rows, axis=0)
    between = np.linalg.pinv((covariance + np.cov(whole, rowvar=False)) / 2)
    return math.sqrt(float(apart @ between @ apart))


def features(rgb: Pixels) -> Floats:
    """The 36 numbers of every whole block, a row each; NaN where a block does not vary."""
    natural.check_picture(rgb)
    if not large_enough(rgb):
        raise NotApplicable(
            f"NIQE needs at least {FEWEST} blocks of {BLOCK}×{BLOCK} pixels; this picture has"
            f" {rgb.shape[1]}×{rgb.shape[0]}."
        )
    down, across = (side // BLOCK for side in rgb.shape[:2])
    luma = np.rint(rgb[: down * BLOCK, : across * BLOCK] @ LUMA + BLACK)
    scales = [_of_blocks(luma, BLOCK), _of_blocks(halved(luma), BLOCK // 2)]
    return np.concatenate(scales, axis=1)


def large_enough(rgb: Pixels) -> bool:
    """Whether there are blocks enough for a covariance."""
    return bool((rgb.shape[0] // BLOCK) * (rgb.shape[1] // BLOCK) >= FEWEST)


def halved(plane: Floats) -> Floats:
    """A plane with even sides at half its size, as MATLAB's imresize makes it."""
    import cv2

    soft = cv2.sepFilter2D(
        plane, cv2.CV_64F, HALVING, HALVING, anchor=(3, 3), borderType=cv2.BORDER_REFLECT
    )
    return np.ascontiguousarray(soft[::2, ::2])


def _of_blocks(luma: Floats, side: int) -> Floats:
    plane = natural.normalised(luma, "nearest")
    natural.check_varied(plane)
    rows, columns = (range(0, length, side) for length in plane.shape)
    blocks = (plane[top : top + side, left : left + side] for left in columns for top in rows)
    return np.array([_of_block(block) for block in blocks])


def _of_block(block: Floats) -> list[float]:
    shape, low, high = _fit(block)
    found = [shape, natural.width(shape) * (low + high) / 2]
    for step in natural.NEXT:
        shape, low, high = _fit(block * np.roll(block, step, axis=(0, 1)))
        wide = natural.width(shape)
        found += [shape, natural.centre(shape, low, high), low * wide, high * wide]
    return found


def _fit(values: Floats) -> tuple[float, float, float]:
    """A fit whose shape is a multiple of .001, as it was when the pristine blocks were fitted."""
    shape, low, high = natural.fit(values)
    return round(shape, 3), low, high


@lru_cache(maxsize=1)
def pristine(path: Path) -> tuple[Floats, Floats]:
    """Mean and covariance of the 36 numbers over pristine photographs."""
    with np.load(path, allow_pickle=False) as arrays:
        return arrays["mu_pris_param"].reshape(-1), arrays["cov_pris_param"]


measure = Measure(
    "niqe", each("niqe", natural.scored(niqe, "NIQE", large_enough)),
    higher_is_better=False, worst=None, best=0.0, version=VERSION, needs=NEEDS,
    about="how unnatural a photograph looks, without a reference or ratings (Mittal 2013)",
)  # fmt: skip
