"""Boxes of things of COCO's eighty kinds, by a single-shot detector on MobileNetV2.

The network (SSD: Liu et al., ECCV 2016; trained on COCO, Lin et al., ECCV 2014) sees the picture
at 300×300 and guesses 1917 boxes with a score for each kind. Of boxes that lie on one another only
the surest stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.vision.references import Box, Extractor, Hints, Reference
from overpaint.vision.references.boxes import overlaps
from overpaint.vision.tfjs import Part, network

SIDE = 300
SURE = 0.5  # the score from which a box shows something
OVERLAP = 0.5  # two boxes of one kind with more in common show the same thing …
SAME = 0.8  # … and two boxes of any kind with more than this
MOST = 20  # things of a picture
PART = Part(
    "Preprocessor/map/TensorArrayStack/TensorArrayGatherV3",  # after the loop that resizes
    (1, SIDE, SIDE, 3),
    ("Postprocessor/Slice", "Postprocessor/ExpandDims_1"),
)
# COCO's kinds by their numbers from 1 to 90; ten numbers were never given to one.
KINDS = (
    "person", "bicycle", "car", "motorcycle", "airplane", "bus", "train", "truck", "boat",
    "traffic light", "fire hydrant", "", "stop sign", "parking meter", "bench", "bird", "cat",
    "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra", "giraffe", "", "backpack",
    "umbrella", "", "", "handbag", "tie", "suitcase", "frisbee", "skis", "snowboard",
    "sports ball", "kite", "baseball bat", "baseball glove", "skateboard", "surfboard",
    "tennis racket", "bottle", "", "wine glass", "cup", "fork", "knife", "spoon", "bowl", "banana",
    "apple", "sandwich", "orange", "broccoli", "carrot", "hot dog", "pizza", "donut", "cake",
    "chair", "couch", "potted plant", "bed", "", "dining table", "", "", "toilet", "", "tv",
    "laptop", "mouse", "remote", "keyboard", "cell phone", "microwave", "oven", "toaster", "sink",
    "refrigerator", "", "book", "clock", "vase", "scissors", "teddy bear", "hair drier",
    "toothbrush",
)  # fmt: skip

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Thing:
    """One thing, what it is, and how sure that is."""

    box: Box
    kind: str
    score: float


def things(pixels: Pixels) -> tuple[Thing, ...]:
    """The things of a picture, the surest first."""
    given = squeezed(pixels, SIDE)[None]
    scores, places = network("coco", PART).run(None, {"given": given})
    high, wide = pixels.shape[:2]
    unit = np.clip(places[0, :, 0], 0, 1)  # top, left, bottom, right
    edges = unit[:, [1, 0, 3, 2]] * np.array([wide, high, wide, high], np.float32)
    found = [
        (place, number)
        for number, kind in enumerate(KINDS)
        if kind
        for place in surest(edges, scores[0, :, number], OVERLAP)
    ]
    each = np.array([scores[0, place, number] for place, number in found], np.float32)
    kept = surest(edges[[place for place, _ in found]], each, SAME)
    return tuple(
        Thing(Box(*map(float, edges[found[n][0]])), KINDS[found[n][1]], float(each[n]))
        for n in kept
    )


def squeezed(pixels: Pixels, side: int) -> Floats:
    """The picture as a square, bilinear from the corner as the network learnt to see it."""
    rows = np.arange(side) * (pixels.shape[0] / side)
    columns = np.arange(side) * (pixels.shape[1] / side)
    lines = _between(pixels, rows)
    return np.ascontiguousarray(_between(lines.swapaxes(0, 1), columns).swapaxes(0, 1))


def _between(lines: NDArray[np.uint8] | Floats, at: NDArray[np.float64]) -> Floats:
    """What lies between two neighbouring lines, at each of these places."""
    low = np.floor(at).astype(np.intp)
    high = np.minimum(low + 1, len(lines) - 1)
    share = (at - low).astype(np.float32)[:, None, None]
    first = lines[low].astype(np.float32)
    return np.asarray(first + (lines[high] - first) * share, np.float32)


def surest(edges: Floats, scores: Floats, overlap: float) -> list[int]:
    """The places of sure boxes, the surest first, without those that lie on a surer one."""
    open_ = np.all(edges[:, 2:] > edges[:, :2], axis=1)  # one beyond the picture has no inside
    order = np.argsort(-scores, kind="stable")
    waiting = order[open_[order] & (scores[order] >= SURE)]
    kept: list[int] = []
    while len(waiting) and len(kept) < MOST:
        best, others = int(waiting[0]), waiting[1:]
        kept.append(best)
        waiting = others[overlaps(edges[[best]], edges[others])[0] <= overlap]
    return kept


def _boxes(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    found = things(pixels)
    if not found:
        return []
    value = tuple(thing.box for thing in found)
    label = ", ".join(thing.kind for thing in found)
    least = min(thing.score for thing in found)
    return [Reference("bbox", value, boxes.method, boxes.version, label, least)]


boxes = Extractor(
    "bbox", "coco", "1", _boxes, "things of COCO's eighty kinds", ("coco-graph", "coco-weights")
)
