"""What stands in front, by ISNet: masks with soft edges made hard, and the boxes around them.

ISNet (Qin et al., "Highly Accurate Dichotomous Image Segmentation", ECCV 2022) tells of every
pixel whether it belongs to what the picture shows. What hangs together is one thing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint import weights
from overpaint.document import Pixels
from overpaint.vision.references import Box, Extractor, Hints, Reference
from overpaint.vision.references.boxes import box_of
from overpaint.vision.references.inputs import SMOOTH, Looked, looked
from overpaint.vision.sessions import started

NEEDS = "isnet"
SIDE = 1024  # of the square that the network takes
MIDDLE, SPAN = 128.0, 256.0  # it was trained on (colour − 128) / 256
HALF = 128  # of 255: from there on a pixel belongs to a thing
SMALLEST = 0.002  # of the picture; what is smaller is no main thing
MOST = 8  # things of a picture
SURE = 0.3  # a part less decided than this is no thing

Alpha = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Thing:
    """One thing that stands in front, and how decided the network was about its pixels."""

    mask: NDArray[np.bool_]
    box: Box
    confidence: float


def things(pixels: Pixels) -> tuple[Thing, ...]:
    """The things of a picture, the largest first; found once for masks and boxes."""
    return _things(looked(pixels))


@lru_cache(maxsize=2)
def _things(seen: Looked) -> tuple[Thing, ...]:
    alpha = foreground(seen.pixels)
    size = seen.pixels.shape[1::-1]
    places, sure = _parts(alpha)
    inside = _enlarged(alpha, size) >= HALF
    where = np.asarray(Image.fromarray(places).resize(size, Image.Resampling.NEAREST))
    masks = [inside & (where == number) for number in range(1, len(sure) + 1)]
    found = zip(masks, sure, strict=True)
    # A small picture may have no pixel where a part was.
    made = [Thing(mask, box_of(mask), one) for mask, one in found if one >= SURE and mask.any()]
    return tuple(sorted(made, key=lambda thing: -int(thing.mask.sum())))


def foreground(pixels: Pixels) -> Alpha:
    """How much each pixel of the picture, drawn out to 1024×1024, belongs to a thing."""
    square = Image.fromarray(pixels).resize((SIDE, SIDE), SMOOTH)
    given = (np.asarray(square, np.float32) - MIDDLE) / SPAN
    (alpha,) = _network().run(["output"], {"input": given.transpose(2, 0, 1)[None]})
    return np.asarray(np.rint(np.clip(alpha[0, 0], 0, 1) * 255), np.uint8)


@cache
def _network() -> Any:
    return started(weights.find(NEEDS), NEEDS, lean=True)


def _parts(alpha: Alpha) -> tuple[Pixels, list[float]]:
    """Where each part that hangs together is, numbered from 1, and how decided it is."""
    import cv2

    _, labels, stats, _ = cv2.connectedComponentsWithStats((alpha >= HALF).astype(np.uint8))
    area = stats[1:, cv2.CC_STAT_AREA]
    kept = [n for n in np.argsort(-area, kind="stable")[:MOST] if area[n] >= SMALLEST * alpha.size]
    places = np.zeros(alpha.shape, np.uint8)
    for number, part in enumerate(kept, 1):
        places[labels == part + 1] = number
    # An alpha of one half is no certainty at all, whichever side of it a pixel falls.
    sure = [float(2 * alpha[places == n + 1].mean() / 255 - 1) for n in range(len(kept))]
    # One pixel wider, so that an edge that lies between two pixels is not cut off.
    wider = cv2.dilate(places, np.ones((3, 3), np.uint8))
    return np.where(places > 0, places, wider), sure


def _enlarged(alpha: Alpha, size: tuple[int, int]) -> Alpha:
    return np.asarray(Image.fromarray(alpha).resize(size, SMOOTH))


def _masks(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    return [
        Reference("mask", thing.mask, masks.method, masks.version, confidence=thing.confidence)
        for thing in things(pixels)
    ]


def _boxes(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    found = things(pixels)
    if not found:
        return []
    value = tuple(thing.box for thing in found)
    least = min(thing.confidence for thing in found)
    return [Reference("bbox", value, boxes.method, boxes.version, confidence=least)]


masks = Extractor("mask", "isnet", "1", _masks, "what stands in front, by ISNet", (NEEDS,))
boxes = Extractor("bbox", "isnet", "1", _boxes, "boxes of what stands in front", (NEEDS,))
