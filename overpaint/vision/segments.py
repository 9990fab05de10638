"""Segments: the things a picture is made of, as masks. One segmenter for every row of a table.

The default, `regions`, needs no model but the reader's: lines of text as boxes; areas of one
colour, however it shades off, with what stands in them; and what is busy between those, such as
photographs and ornaments. What fills the whole picture is its ground and no thing in it.

Another one is a function of H×W×3 RGB pixels that gives n×H×W masks, found by FILE.py:NAME; what
is not boolean is parted at 0.5.
"""

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint import catalog
from overpaint.core import Evidence, finding
from overpaint.document import Document, Pixels
from overpaint.errors import OverpaintError, UserMistake
from overpaint.vision import ocr
from overpaint.vision.page import Box
from overpaint.vision.sheets import Leaf, leaves

Masks = NDArray[np.bool_]
Size = tuple[int, int]  # width, height
REGIONS = "regions"
REVISION = "1"
MOST = 300  # things in one picture
LARGE = 1024  # pixels of the longer side of a mask; those of larger pictures are made smaller
LONG = 512  # pixels of the longer side that areas are looked for on
# Found on twelve kinds of posters: what gives the same things after JPEG, noise and resizing.
STEP = 28  # levels between neighbours from which there is an edge
SMALLEST = 0.003  # of the picture: less is no thing
GROUND = 0.9  # of the picture: what fills more is what things stand on
HALF = 0.5


@dataclass(frozen=True)
class Segmenter:
    """A way to find the things in a picture: a name, and whatever would change what it finds."""

    name: str
    version: str


def segmenter(spec: str = "") -> Segmenter:
    """The segmenter behind a spec: "" is our own, else FILE.py:NAME."""
    if not spec or spec == REGIONS:
        return Segmenter(REGIONS, f"{REGIONS}{REVISION}")
    if ".py:" not in spec:
        raise UserMistake(
            f"There is no segmenter {spec!r}.",
            f"It is {REGIONS}, or a function of your own as FILE.py:NAME.",
        )
    path = Path(spec.rpartition(":")[0])
    made = catalog.load("segmenter", spec)
    if not callable(made):
        raise UserMistake(f"{spec} is no function.", "One of RGB pixels to masks was expected.")
    told = getattr(made, "version", "") or hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    return Segmenter(spec, f"{spec.rpartition(':')[2]}/{told}")


def segments(evidence: Evidence, document: Document, by: Segmenter) -> Masks:
    """The things in a document's picture, n×H×W, found once for all who ask."""
    found: Masks = _kept_segments(evidence, document, by.name, by.version)
    return found


@finding()
def _kept_segments(evidence: Evidence, document: Document, name: str, version: str) -> Masks:
    if name == REGIONS:
        return regions(document.rgb, [line.box for line in ocr.lines(evidence, document)])
    made: Callable[[Pixels], Any] = catalog.load("segmenter", name)
    return _checked(made(document.rgb), document.rgb, name)


def _checked(given: Any, pixels: Pixels, name: str) -> Masks:
    """What somebody's segmenter gave, as boolean masks."""
    masks = np.asarray(given)
    empty = masks.shape[:1] == (0,)
    fits = empty or (masks.ndim == 3 and masks.shape[1:] == pixels.shape[:2])
    if not fits or masks.dtype.kind not in "bfui" or len(masks) > MOST:
        raise OverpaintError(
            f"The segmenter {name} gave {masks.dtype} {masks.shape}.",
            f"At most {MOST} masks of {pixels.shape[0]}×{pixels.shape[1]} were expected, n×H×W.",
        )
    size = _bounded(pixels.shape[1], pixels.shape[0])
    return _stacked((_at(mask > HALF, size) for mask in masks), size)


def alphas(document: Document, size: Size) -> Masks:
    """Where each layer that shows anything is more than half there, as if the canvas had a size."""
    wide, high = document.size
    found = (_alpha(leaf, (high, wide)) for leaf in islice(leaves(document), MOST))
    at = _bounded(*size)
    return _stacked((_at(mask, at) for mask in found), at)


def _alpha(leaf: Leaf, shape: tuple[int, int]) -> Masks:
    mask = np.zeros(shape, bool)
    left, top, right, bottom = leaf.box
    mask[top:bottom, left:right] = leaf.pixels[:, :, 3] > 127
    return mask


def _bounded(wide: int, high: int) -> Size:
    scale = min(1.0, LARGE / max(wide, high))
    return max(1, round(wide * scale)), max(1, round(high * scale))


def _at(mask: Masks, size: Size) -> Masks:
    """The mask at another size, by its nearest pixels."""
    import cv2

    if mask.shape[::-1] == size:
        return mask
    return np.asarray(cv2.resize(mask.view(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0)


def _stacked(masks: Iterable[Masks], size: Size) -> Masks:
    found = list(masks)
    return np.stack(found) if found else np.zeros((0, *size[::-1]), bool)


# ── our own ─────────────────────────────────────────────────────────────────────────────


def regions(pixels: Pixels, lines: Sequence[Box]) -> Masks:
    """Boxes of lines of text, areas of one colour and what is busy."""
    import cv2

    high, wide = pixels.shape[:2]
    size = _bounded(wide, high)
    texts = [mask for box in lines[:MOST] if (mask := _box(box, size, size[0] / wide)).any()]
    scale = min(1.0, LONG / max(high, wide))
    less = (max(1, round(wide * scale)), max(1, round(high * scale)))
    small = np.asarray(
        cv2.resize(np.ascontiguousarray(pixels), less, interpolation=cv2.INTER_AREA), np.uint8
    )
    lettered = np.zeros(small.shape[:2], np.uint8)
    for box in lines:
        lettered[_box(box, less, scale, 2)] = 1
    found = sorted(_things(small, lettered), key=lambda mask: -int(mask.sum()))
    things = [_at(mask, size) for mask in found[: MOST - len(texts)]]
    return _stacked([*texts, *things], size)


def _box(box: Box, size: Size, scale: float, more: int = 0) -> Masks:
    mask = np.zeros(size[::-1], bool)
    left, top = (max(0, math.floor(edge * scale) - more) for edge in box[:2])
    right, bottom = (max(0, math.ceil(edge * scale) + more) for edge in box[2:])
    mask[top:bottom, left:right] = True
    return mask


def _things(small: Pixels, lettered: Pixels) -> Iterator[Masks]:
    """Areas of one colour with what stands in them, then what is busy; letters are neither."""
    import cv2

    ground = cv2.inpaint(small, lettered, 3, cv2.INPAINT_TELEA) if lettered.any() else small
    smooth = cv2.bilateralFilter(ground, 7, 40, 5)
    near, ring, wide = (
        cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)) for side in (3, 5, 9)
    )
    flat = cv2.morphologyEx(smooth, cv2.MORPH_GRADIENT, near).max(axis=2) < STEP
    least, rest = SMALLEST * flat.size, np.ones(flat.shape, np.uint8)
    for area in _parts(flat.astype(np.uint8), least):
        grown = np.asarray(cv2.dilate(area, near), np.uint8)  # by as much as the edge took
        rest[grown > 0] = 0
        if (mask := _filled(grown)).mean() < GROUND:
            yield mask
    busy = cv2.morphologyEx(cv2.morphologyEx(rest, cv2.MORPH_CLOSE, ring), cv2.MORPH_OPEN, wide)
    for area in _parts(np.asarray(busy, np.uint8), least):
        if (mask := _filled(area)).mean() < GROUND:
            yield mask


def _parts(mask: Pixels, least: float) -> Iterator[Pixels]:
    """The connected parts of a mask that are large enough."""
    import cv2

    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    for number in np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= least) + 1:
        yield (labels == number).astype(np.uint8)


def _filled(mask: Pixels) -> Masks:
    """A mask with its holes closed: whatever the outside does not reach."""
    import cv2

    ringed = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    cv2.floodFill(ringed, None, (0, 0), 2)
    return np.asarray(ringed[1:-1, 1:-1] != 2)
