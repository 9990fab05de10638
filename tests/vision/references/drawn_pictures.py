"""Plain pictures whose things and regions are known, and pictures in which there is nothing."""

import io

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.document import Pixels

CENTRES = ((130, 230), (300, 170))  # x, y of the two discs
RADII = (70, 45)


def two_discs(side: int = 400) -> Pixels:
    """A red and a white disc before a shaded sky and a green ground."""
    scale = side / 400
    picture = np.zeros((side, side, 3), np.uint8)
    picture[:] = np.linspace((120, 170, 230), (170, 205, 240), side)[:, None]
    picture[round(280 * scale) :] = (90, 150, 70)
    for (x, y), radius, colour in zip(
        CENTRES, RADII, ((200, 40, 30), (250, 250, 240)), strict=True
    ):
        middle = (round(x * scale), round(y * scale))
        cv2.circle(picture, middle, round(radius * scale), colour, -1, cv2.LINE_AA)
    return picture


def disc_masks(side: int = 400) -> list[NDArray[np.bool_]]:
    """Where the two are, the larger one first."""
    scale = side / 400
    y, x = np.mgrid[:side, :side]
    return [
        np.hypot(x - cx * scale, y - cy * scale) <= radius * scale
        for (cx, cy), radius in zip(CENTRES, RADII, strict=True)
    ]


def nothing() -> dict[str, Pixels]:
    """Pictures in which nothing stands out."""
    rng = np.random.default_rng(5)
    stripes = np.zeros((300, 300, 3), np.uint8)
    stripes[:, ::12] = stripes[:, 1::12] = 255
    return {
        "one colour": np.full((120, 200, 3), 93, np.uint8),
        "64 by 64": np.full((64, 64, 3), 200, np.uint8),
        "one pixel": np.full((1, 1, 3), 7, np.uint8),
        "two rows": np.full((2, 90, 3), 7, np.uint8),
        "noise": rng.integers(0, 256, (300, 300, 3), dtype=np.uint8),
        "small noise": rng.integers(0, 256, (64, 64, 3), dtype=np.uint8),
        "stripes": stripes,
    }


def line_drawing() -> Pixels:
    """Thin black lines on white."""
    picture = np.full((300, 300, 3), 255, np.uint8)
    cv2.circle(picture, (150, 150), 90, (0, 0, 0), 2)
    cv2.line(picture, (20, 280), (280, 260), (0, 0, 0), 2)
    return picture


def encoded(pixels: Pixels, quality: int) -> Pixels:
    """The same picture after JPEG."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=quality)
    return np.asarray(Image.open(file).convert("RGB"))


def iou(one: NDArray[np.bool_], two: NDArray[np.bool_]) -> float:
    """Intersection over union."""
    return float((one & two).sum() / (one | two).sum())
