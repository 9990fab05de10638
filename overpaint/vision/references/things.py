"""Things: what stands out of a picture, as masks and boxes, without a word what it is.

Tiles that stand out of the ground (`salience`) make up things where they touch. Each is cut out
anew among its surroundings by its colours (GrabCut; Rother et al. 2004), and its edge is followed
at full size. How sure a thing is goes by how well the layings of the mosaic agree about it, by
how much of its edge parts other colours, and by how little the cut has changed it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.vision.references import SURE, Extractor, Hints, Reference
from overpaint.vision.references.boxes import box_of
from overpaint.vision.references.crisp import FULL, crisp, drawn_out
from overpaint.vision.references.grouping import grouped
from overpaint.vision.references.inputs import Looked, looked
from overpaint.vision.references.layings import Layings, layings
from overpaint.vision.references.mosaic import Floats, Labels, shrunk
from overpaint.vision.references.salience import salience

Mask = NDArray[np.bool_]
LEVEL = 0.12  # salience from which a tile belongs to a thing
APART, AREAS = 16.0, 200  # Lab units between areas that may be of two things, and how many
SMALLEST, LARGEST = 0.01, 0.75  # of the picture
MOST = 8  # things of a picture
ROUNDS = 3  # of GrabCut
RING = 9  # pixels: colours within this of an edge are held against each other …
CLEAR = 18.0  # … and are clearly others, this many Lab units apart
LEAST = 0.65  # a thing less sure than this is none


@dataclass(frozen=True, eq=False)
class Thing:
    """One thing that stands out."""

    mask: Mask
    confidence: float

    @property
    def maybe(self) -> bool:
        """Whether it is too unsure to be more than a second thought."""
        return self.confidence < SURE


def things(pixels: Pixels) -> tuple[Thing, ...]:
    """The main things of a picture, the largest first; found once for masks, boxes and subject."""
    found = _things(looked(shrunk(pixels, FULL)))
    return tuple(Thing(drawn_out(one.mask, pixels), one.confidence) for one in found)


@lru_cache(maxsize=4)
def _things(seen: Looked) -> tuple[Thing, ...]:
    laid = layings(seen.pixels)
    found = [one for one in _candidates(laid) if one[1] >= LEAST]
    numbers = np.ones(laid.small.shape[:2], np.int32)
    for number, (mask, _) in reversed(list(enumerate(found, 2))):
        numbers[mask] = number
    full = crisp(seen.pixels, numbers)
    made = [Thing(full == number, sure) for number, (_, sure) in enumerate(found, 2)]
    made = [one for one in made if one.mask.any()]
    return tuple(sorted(made, key=lambda one: -int(one.mask.sum())))


def _candidates(laid: Layings) -> Iterator[tuple[Mask, float]]:
    """What stands out, parted into things, cut out anew, and how sure each is."""
    lits = [salience(tiled, laid.colours)[tiled].astype(np.float32) for tiled in laid.tiled]
    areas = laid.whole.cut(APART, AREAS)[laid.tiled[0]]
    whole = _apart(np.mean(lits, axis=0), areas, laid.colours)
    each = [
        _apart(lit, grown.cut(APART, AREAS)[tiled], laid.colours)
        for lit, tiled, grown in zip(lits, laid.tiled, laid.trees, strict=True)
    ]
    for part in sorted(whole, key=lambda one: -int(one.sum()))[:MOST]:
        best = [max((_iou(part, one) for one in ones), default=0.0) for ones in each]
        support = sum(best) / len(best)
        mask = _cut_out(laid.small, part)
        sure = support * _edge(laid.colours, mask) * _iou(part, mask)
        yield mask, sure ** (1 / 3)  # the geometric mean of the three


def _apart(lit: Floats, areas: Labels, colours: Floats) -> list[Mask]:
    """What stands out, parted into things."""
    parts = (one for part in _parts(lit) for one in _split(part, areas, colours))
    return [_filled(one) for one in parts if one.mean() >= SMALLEST]


def _split(part: Mask, areas: Labels, colours: Floats) -> list[Mask]:
    """The things that a part which stands out is made of."""
    within = np.where(part, areas + 1, 0)
    numbers = [number for number in np.unique(within) if number]
    return grouped([within == number for number in numbers], colours)


def _edge(colours: Floats, mask: Mask) -> float:
    """How much of the edge parts other colours: those a little within from those a little off."""
    import cv2

    inside = mask.astype(np.float32)
    off = 1 - inside
    reach = (RING, RING)
    within = (
        cv2.blur(colours * inside[:, :, None], reach) / (cv2.blur(inside, reach) + 1e-6)[:, :, None]
    )
    beyond = cv2.blur(colours * off[:, :, None], reach) / (cv2.blur(off, reach) + 1e-6)[:, :, None]
    rim = (cv2.dilate(inside, np.ones((3, 3))) > 0) & ~mask
    if not rim.any():
        return 0.0
    apart = np.linalg.norm((within - beyond)[rim], axis=1)
    return float(np.minimum(1, apart / CLEAR).mean())


def _iou(one: Mask, two: Mask) -> float:
    return float((one & two).sum() / max(1, (one | two).sum()))


def _parts(lit: Floats) -> Iterator[Mask]:
    """Where something stands out, the largest part first."""
    import cv2

    near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    out = cv2.morphologyEx((lit > LEVEL).astype(np.uint8), cv2.MORPH_OPEN, near)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(out, connectivity=4)
    area = stats[1:, cv2.CC_STAT_AREA]
    fits = [n for n in np.argsort(-area, kind="stable") if area[n] >= SMALLEST * out.size]
    for number in fits[:MOST]:
        mask = _filled(labels == number + 1)
        if mask.mean() <= LARGEST:
            yield mask


def _filled(mask: Mask) -> Mask:
    """A mask with its holes closed: whatever the outside does not reach."""
    import cv2

    ringed = cv2.copyMakeBorder(mask.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    cv2.floodFill(ringed, None, (0, 0), 2)
    return np.asarray(ringed[1:-1, 1:-1] != 2)


def _cut_out(small: Pixels, part: Mask) -> Mask:
    """The same part cut out by its colours against those around it; itself where that fails."""
    left, top, right, bottom = (int(edge) for edge in box_of(part))
    room = int(max(10, 0.35 * max(right - left, bottom - top)))
    rows = slice(max(0, top - room), bottom + room)
    columns = slice(max(0, left - room), right + room)
    cut = _grab(np.ascontiguousarray(small[rows, columns]), part[rows, columns])
    if cut is None or not 0.4 < cut.sum() / part.sum() < 2.5:
        return part
    mask = np.zeros(part.shape, bool)
    mask[rows, columns] = cut
    return mask


def _grab(picture: Pixels, part: Mask) -> Mask | None:
    """GrabCut from a first guess: sure deep within and far off, open in between."""
    import cv2

    first = part.astype(np.uint8)
    deep = cv2.distanceTransform(first, cv2.DIST_L2, 3)
    off = cv2.distanceTransform(1 - first, cv2.DIST_L2, 3)
    marks = np.where(part, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    marks[off > 4 + 0.08 * part.sum() ** 0.5] = cv2.GC_BGD
    marks[deep > 0.7 * deep.max()] = cv2.GC_FGD
    if not (marks == cv2.GC_BGD).any():
        return None
    cv2.setRNGSeed(0)  # its clusters start by chance
    models = np.zeros((1, 65)), np.zeros((1, 65))
    whole = (0, 0, picture.shape[1], picture.shape[0])
    cv2.grabCut(picture, marks, whole, models[0], models[1], ROUNDS, cv2.GC_INIT_WITH_MASK)
    cut = np.isin(marks, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        cv2.morphologyEx(cut, cv2.MORPH_OPEN, near)
    )
    return _filled(labels == 1 + stats[1:, cv2.CC_STAT_AREA].argmax()) if count > 1 else None


def _masks(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    found = things(pixels)
    return [_mask(one) for maybe in (False, True) for one in found if one.maybe == maybe]


def _mask(one: Thing) -> Reference:
    who = (masks.method, masks.version)
    return Reference("mask", one.mask, *who, confidence=one.confidence, maybe=one.maybe)


def _boxes(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    return list(_boxed(things(pixels)))


def _boxed(found: Sequence[Thing]) -> Iterator[Reference]:
    """The boxes of what is sure together, then of what is not."""
    for maybe in (False, True):
        some = [one for one in found if one.maybe == maybe]
        if some:
            least = min(one.confidence for one in some)
            value = tuple(box_of(one.mask) for one in some)
            who = (boxes.method, boxes.version)
            yield Reference("bbox", value, *who, confidence=least, maybe=maybe)


masks = Extractor("mask", "salient", "1", _masks, "what stands out, cut out by GrabCut")
boxes = Extractor("bbox", "salient", "1", _boxes, "the boxes of what stands out")
