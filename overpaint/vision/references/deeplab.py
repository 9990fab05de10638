"""A semantic map of Pascal's 21 kinds, by DeepLab v3 on MobileNetV2.

The network (Chen et al., "Rethinking Atrous Convolution", 2017; trained on Pascal VOC 2012) sees
the picture at 513 pixels of its longer side. What hangs together and is of one kind is a region;
what is of none of the twenty kinds is ground, and that is a region, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.document import Pixels
from overpaint.vision.references import Extractor, Hints, Reference
from overpaint.vision.references.inputs import SMOOTH, Looked, looked
from overpaint.vision.tfjs import Part, network

SIDE = 513
GREY = 127.5  # what the network's square is filled up with
SMALLEST = 0.004  # of the picture; a smaller region goes to what surrounds it …
SURE = 0.6  # … and so does one that is less certain than this: on noise the network sees birds
PART = Part("ExpandDims_1", (1, SIDE, SIDE, 3), ("ResizeBilinear_2", "ArgMax"))
KINDS = (
    "background", "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair",
    "cow", "dining table", "dog", "horse", "motorbike", "person", "potted plant", "sheep", "sofa",
    "train", "tv",
)  # fmt: skip

Labels = NDArray[np.int32]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Region:
    """What a region is, its pixels, and how certain that is on the mean."""

    kind: str
    area: int
    certain: float


@dataclass(frozen=True, eq=False)
class Regions:
    """The regions of a picture, 1 … n by falling area, what each is, and how sure that is."""

    labels: Labels
    kinds: tuple[str, ...]
    confidence: float


def regions(pixels: Pixels) -> Regions:
    """The regions of a picture at its own size."""
    return _regions(looked(pixels))


@lru_cache(maxsize=2)
def _regions(seen: Looked) -> Regions:
    size = seen.pixels.shape[1::-1]
    labels, found = _parted(*classes(seen.pixels))
    full = Image.fromarray(labels.astype(np.uint16)).resize(size, Image.Resampling.NEAREST)
    there = np.bincount(np.asarray(full).ravel(), minlength=len(found) + 1)[1:] > 0
    found = [one for one, left in zip(found, there, strict=True) if left]
    number = np.concatenate([[0], np.cumsum(there)]).astype(np.int32)  # a tiny picture loses some
    # Every region counts the same, however small, as it does when two maps are compared.
    sure = float(np.mean([one.certain for one in found])) if found else 0.0
    return Regions(number[np.asarray(full)], tuple(one.kind for one in found), sure)


def classes(pixels: Pixels) -> tuple[NDArray[np.uint8], Floats]:
    """Each pixel's kind and how certain that is, at 513 pixels along the longer side."""
    import cv2

    high, wide = pixels.shape[:2]
    scale = SIDE / max(high, wide)
    size = (max(1, round(wide * scale)), max(1, round(high * scale)))
    given = np.full((1, SIDE, SIDE, 3), GREY, np.float32)
    given[0, : size[1], : size[0]] = np.asarray(Image.fromarray(pixels).resize(size, SMOOTH))
    logits, kinds = network("deeplab", PART).run(None, {"given": given})
    certain = cv2.resize(_certain(logits[0]), (SIDE, SIDE))
    inside = slice(size[1]), slice(size[0])
    return kinds[0][inside].astype(np.uint8), np.asarray(certain[inside], np.float32)


def _certain(logits: Floats) -> Floats:
    """How likely the likeliest kind is: the softmax's largest."""
    apart = np.exp(logits - logits.max(axis=2, keepdims=True))
    return np.asarray(1 / apart.sum(axis=2), np.float32)


def _parted(kinds: NDArray[np.uint8], certain: Floats) -> tuple[Labels, list[Region]]:
    """Regions that hang together, are large enough and certain enough; the largest first."""
    import cv2

    found: list[tuple[Region, NDArray[np.bool_]]] = []
    for kind in np.unique(kinds).tolist():
        _, parts, stats, _ = cv2.connectedComponentsWithStats((kinds == kind).astype(np.uint8))
        for part, area in enumerate(stats[1:, cv2.CC_STAT_AREA].tolist(), 1):
            if area >= SMALLEST * kinds.size:
                where = parts == part
                found.append((Region(KINDS[kind], area, float(certain[where].mean())), where))
    kept = [one for one in found if one[0].certain >= SURE]
    kept.sort(key=lambda one: -one[0].area)
    labels = np.zeros(kinds.shape, np.int32)
    for number, (_, where) in enumerate(kept, 1):
        labels[where] = number
    return _filled(labels), [one for one, _ in kept]


def _filled(labels: Labels) -> Labels:
    """Every pixel of no region given to the nearest one."""
    import cv2

    if labels.all() or not labels.any():
        return labels
    _, nearest = cv2.distanceTransformWithLabels(
        (labels == 0).astype(np.uint8), cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL
    )
    owner = np.zeros(int(nearest.max()) + 1, np.int32)
    owner[nearest[labels > 0]] = labels[labels > 0]
    return np.asarray(owner[nearest], np.int32)


def _semantic_map(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    found = regions(pixels)
    if len(found.kinds) < 2:
        return []  # all ground, or all one thing: there is no map to be drawn
    label = ", ".join(found.kinds)
    by = semantic_map
    return [Reference("semantic_map", found.labels, by.method, by.version, label, found.confidence)]


semantic_map = Extractor(
    "semantic_map", "deeplab", "1", _semantic_map, "regions of Pascal's 21 kinds",
    ("deeplab-graph", "deeplab-weights"),
)  # fmt: skip
