"""Whether a reference can be used: it shows something, can be read back, and is found again.

What was drawn is read back and must agree: of edges, lines, depth and styles with the extractor's
second look at the picture, of others with the first, for what things a picture has is remembered
and a second look at the same pixels would only repeat it. Boxes, masks, regions and poses are
looked for once more where it matters, in the picture stored with loss, softened a little, and
moved by a pixel: what is lost by that would be held against whoever obeyed it. A subject, cut out
along such a mask, is not looked for again.
"""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.document import Pixels
from overpaint.measures.oks import area, likeness
from overpaint.measures.panoptic import panoptic_quality
from overpaint.measures.references import Looked, boxes_alike, met
from overpaint.vision.references import Box, Extractor, Hints, Kind, Reference

ALL = 0.98  # of a picture: a box or a mask of more is of nothing
LITTLE = 0.001  # of a picture: a mask of less is of nothing
LINES = 0.0002  # of a picture that edges or strokes cover, at least
FLAT = 8  # levels between the nearest and the farthest: less is no depth
JOINTS = 5  # of a person that are seen, at least
TWICE: tuple[Kind, ...] = ("canny", "sketch", "depth", "style")  # found in the same picture again
FELT: tuple[Kind, ...] = ("bbox", "mask", "semantic_map", "pose")  # that must be steady


# ── agreement ───────────────────────────────────────────────────────────────────────────


def agreement(kind: Kind, read: Any, again: Any) -> float:
    """How far what was read from a reference's picture is what was found again; 0–1."""
    if kind != "bbox" and kind != "pose" and np.shape(read) != np.shape(again):
        return 0.0
    return _COMPARED[kind](read, again)


def _people(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Mean OKS of people, each with the one most like."""
    alike = [[likeness(a, b, area(a)) for b in other] for a in one]
    return _matched(np.array(alike), len(one), len(other))


def _matched(alike: NDArray[np.float64], rows: int, columns: int) -> float:
    """The mean over pairs, the best first, of as many as the longer side has."""
    if not rows or not columns:
        return float(rows == columns)
    total, left = 0.0, alike.copy()
    for _ in range(min(rows, columns)):
        row, column = np.unravel_index(int(left.argmax()), left.shape)
        total += max(0.0, float(left[row, column]))
        left[row, :] = left[:, column] = -1.0
    return total / max(rows, columns)


def _masks(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    both, either = int((one & other).sum()), int((one | other).sum())
    return both / either if either else 1.0


def _whites(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """The light both have over the light either has: most of the picture is no line."""
    either = int(np.maximum(one, other).sum(dtype=np.int64))
    return int(np.minimum(one, other).sum(dtype=np.int64)) / either if either else 1.0


def _inks(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    return _whites(255 - one, 255 - other)


def _levels(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    apart = (one.astype(np.float32) - other) / 255
    return 1.0 - float(np.square(apart).mean())


_COMPARED: Mapping[Kind, Callable[[Any, Any], float]] = {
    "bbox": boxes_alike, "pose": _people, "mask": _masks, "semantic_map": panoptic_quality,
    "canny": _whites, "sketch": _inks, "depth": _levels, "subject": _levels, "style": _levels,
}  # fmt: skip


# ── steadiness ──────────────────────────────────────────────────────────────────────────


Look = tuple[Sequence[Reference], int]  # what is found in a picture, and by how much that was moved


def looked_again(by: Extractor, pixels: Pixels) -> list[Look]:
    """What an extractor finds in a picture as others may store it."""
    return [(by.find(other, Hints()), moved) for other, moved in _stored_again(pixels)]


def _stored_again(pixels: Pixels) -> Iterator[tuple[Pixels, int]]:
    """As a JPEG of quality 85, softened by σ 0.6, and moved right and down by a pixel."""
    import cv2

    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=85)
    yield np.asarray(Image.open(out).convert("RGB")), 0
    yield np.asarray(cv2.GaussianBlur(pixels, (0, 0), 0.6), np.uint8), 0
    yield np.pad(pixels, ((1, 0), (1, 0), (0, 0)), mode="edge")[:-1, :-1], 1


def kept_up(by: Extractor, pixels: Pixels, least: float = 0.95) -> list[Reference]:
    """What an extractor finds in a picture for sure, and finds again where that is stored again."""
    found = [one for one in by.find(pixels, Hints()) if not one.maybe]
    if by.kind not in FELT or not found:
        return found
    looks = looked_again(by, pixels)
    return [one for one in found if steadiness(one.kind, one.value, looks) >= least]


def steadiness(kind: Kind, value: Any, looks: Sequence[Look]) -> float:
    """How well a reference is met in the worst of some looks at the picture it is of; 0–1."""
    return min(_met(kind, _moved(kind, value, by), look) for look, by in looks)


def _moved(kind: Kind, value: Any, by: int) -> Any:
    """A reference's value where its picture was moved right and down."""
    if not by:
        return value
    if kind == "bbox":
        return tuple(Box(*(edge + by for edge in box)) for box in value)
    if kind == "pose":
        return value + np.array((by, by, 0))
    return np.pad(value, ((by, 0), (by, 0)), mode="edge")[:-by, :-by]


def _met(kind: Kind, value: Any, look: Sequence[Reference]) -> float:
    if kind == "pose":
        people = [person for one in look for person in one.value]
        best = [max((likeness(a, b, area(a)) for b in people), default=0.0) for a in value]
        return float(np.mean(best)) if best else 0.0
    size = value.shape[1::-1] if kind != "bbox" else (0, 0)
    return met(kind, Looked.at([value], look, size))


# ── emptiness ───────────────────────────────────────────────────────────────────────────


def emptiness(kind: Kind, value: Any, size: tuple[int, int]) -> str:
    """Why a reference shows nothing, if so."""
    check = _EMPTY.get(kind)
    return check(value, size[0] * size[1]) if check else ""


def _no_boxes(boxes: Sequence[Box], whole: int) -> str:
    sizes = [(box.right - box.left) * (box.bottom - box.top) for box in boxes]
    if not sizes:
        return "there is no box"
    return "every box is the whole picture" if min(sizes) > ALL * whole else ""


def _no_mask(mask: NDArray[np.bool_], whole: int) -> str:
    share = float(mask.mean())
    if share < LITTLE:
        return "the mask is empty"
    return "the mask is the whole picture" if share > ALL else ""


def _no_edges(edges: NDArray[np.uint8], whole: int) -> str:
    return "there are no edges" if (edges > 127).mean() < LINES else ""


def _no_strokes(paper: NDArray[np.uint8], whole: int) -> str:
    return "there are no strokes" if (paper < 128).mean() < LINES else ""


def _no_regions(labels: NDArray[np.int32], whole: int) -> str:
    regions = len(np.unique(labels[labels > 0]))
    return "" if regions > 1 else "it is all one region"


def _no_depth(depth: NDArray[np.uint8], whole: int) -> str:
    return "everything is at one distance" if int(np.ptp(depth)) < FLAT else ""


def _nobody(people: NDArray[np.float64], whole: int) -> str:
    seen = [int((person[:, 2] > 0).sum()) for person in people]
    return "" if max(seen, default=0) >= JOINTS else "hardly a joint is seen"


def _one_colour(pixels: NDArray[np.uint8], whole: int) -> str:
    return "it is all one colour" if int(np.ptp(pixels, axis=(0, 1)).max()) < FLAT else ""


_EMPTY: Mapping[Kind, Callable[[Any, int], str]] = {
    "bbox": _no_boxes, "mask": _no_mask, "canny": _no_edges, "sketch": _no_strokes,
    "semantic_map": _no_regions, "depth": _no_depth, "pose": _nobody, "subject": _one_colour,
    "style": _one_colour,
}  # fmt: skip
