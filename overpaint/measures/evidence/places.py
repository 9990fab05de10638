"""Places: which words of the source an op means, and whether words of the output stand there."""

from typing import Final

from overpaint.document.where import Where
from overpaint.measures.evidence.searching import Spot, find
from overpaint.measures.evidence.sight import Sight, cut
from overpaint.measures.evidence.words import key
from overpaint.measures.pixel import Mask
from overpaint.vision.page import Box, union

IN: Final = 0.6  # the share of words that lies in the mask where they stand in it
OUT: Final = 0.15  # and where they do not
NEAR: Final = 1.6  # heights of a line between words and their place, without a mask
FAR: Final = 3.0


def meant(sight: Sight, where: Where) -> list[Spot]:
    """The words in the source that an op is about; none where the reader does not find them."""
    if not where.text:
        return []
    spots = find(sight.before, where.text) or find(sight.before, where.text, cased=False)
    if where.every or len(spots) < 2:
        return spots
    if sight.may is not None:
        held = [spot for spot in spots if (sight.inside(spot) or 0.0) >= IN]
        spots = held or spots
    return spots


def place_of(sight: Sight, spots: list[Spot], words: str) -> Box | None:
    """Where new words for the old ones are looked for: the mask around them, or some room."""
    if not spots:
        return mask_box(sight)
    box = union([spot.box for spot in spots])
    high = max(spot.high for spot in spots)
    if sight.may is not None:
        part = cut(sight.may, box, 2 * high)
        if part.any():
            return union([box, _around(sight, box)])
    old = max(1, sum(len(key(spot.text)) for spot in spots) // len(spots))
    more = max(0.0, (len(key(words)) / old - 1) * (box[2] - box[0])) + high
    down = 0.6 * high if max(len(spot.boxes) for spot in spots) == 1 else 1.5 * high
    return box[0] - more, box[1] - down, box[2] + more, box[3] + down


def mask_box(sight: Sight) -> Box | None:
    """The box around all that may change."""
    if sight.may is None or not sight.may.any():
        return None
    return bounds(sight.may)


def bounds(mask: Mask) -> Box:
    """The box around what is true in a mask."""
    import numpy as np

    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    return float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1)


def _around(sight: Sight, box: Box) -> Box:
    """The box around the parts of the mask that touch a box."""
    import cv2
    import numpy as np

    assert sight.may is not None
    _, labels, stats, _ = cv2.connectedComponentsWithStats(
        sight.may.astype(np.uint8), connectivity=8
    )
    touched = [int(label) for label in np.unique(cut(labels, box)) if label]
    boxes = [
        (float(x), float(y), float(x + w), float(y + h))
        for x, y, w, h, _ in (stats[label] for label in touched)
    ]
    return union([box, *boxes])


def stands_in(sight: Sight, spot: Spot, spots: list[Spot]) -> bool | None:
    """Whether words stand where others stood, or inside the mask; None where it cannot be told."""
    olds = [box for old in spots for box in old.boxes]
    if any(shared(box, old) > 0.3 for box in spot.boxes for old in olds):
        return True
    share = sight.inside(spot)
    if share is not None:
        return True if share >= IN else False if share <= OUT else None
    if not spots:
        return None
    gap = min(distance(spot.box, old.box) / max(1.0, old.high) for old in spots)
    return True if gap <= NEAR else False if gap > FAR else None


def distance(one: Box, other: Box) -> float:
    """Pixels between two boxes; 0 where they touch."""
    across = max(0.0, one[0] - other[2], other[0] - one[2])
    down = max(0.0, one[1] - other[3], other[1] - one[3])
    return float((across**2 + down**2) ** 0.5)


def shared(one: Box, other: Box) -> float:
    """The part of the smaller of two boxes that lies in the larger."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    if across <= 0 or down <= 0:
        return 0.0
    areas = [(b[2] - b[0]) * (b[3] - b[1]) for b in (one, other)]
    return across * down / max(1e-9, min(areas))
