"""Letters held against one another: whether new words are set in the letters of the old ones.

Letters that stand in both are cut out of source and output, brought to one height, and compared
by their shape. Where letters touch, or new and old words share none, nothing is said.
"""

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.measures.evidence.looks import Ink, ink
from overpaint.measures.evidence.searching import Spot
from overpaint.measures.evidence.sight import Sight, cut
from overpaint.measures.evidence.words import signs
from overpaint.vision.joining import unspaced

HIGH: Final = 40  # pixels to which letters are brought
ALIKE: Final = 0.82  # correlation of one letter set twice in one font
ENOUGH: Final = 2  # different letters that agree
LEAST: Final = 14  # pixels of a line's height; smaller letters have no shape to compare

Shape = NDArray[np.float32]


def same_letters(sight: Sight, old: Spot, new: Spot) -> tuple[bool | None, str]:
    """True where all letters that can be compared agree; None where too few can be, or one not."""
    before = _cut_out(sight.pair.reference, old)
    after = _cut_out(sight.pair.output, new)
    if before is None or after is None:
        return None, "the letters cannot be told apart"
    fits: dict[str, float] = {}
    for at in _changed(signs(old.text), signs(new.text)):
        letter, shape = after[at]
        found = [_fit(shape, twin) for own, twin in before if own == letter]
        if known := [fit for fit in found if fit is not None]:
            fits[letter] = min(fits.get(letter, 1.0), max(known))
    if len(fits) < ENOUGH:
        return None, "new and old words share too few letters to compare their shapes"
    worst = min(fits, key=lambda letter: fits[letter])
    note = (
        f"{len(fits)} letters compared with those before, least alike {worst!r} ({fits[worst]:.2f})"
    )
    return (True if fits[worst] >= ALIKE else None), note


def _changed(old: str, new: str) -> range:
    """Which letters of the new words are not the unchanged beginning or end of the old ones."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return range(start, len(new) - end)


def _cut_out(picture: Pixels, spot: Spot) -> list[tuple[str, Shape]] | None:
    """Each letter of some words with its shape; None where they cannot be told apart."""
    text, box = signs(spot.text), spot.boxes[0]
    if len(spot.boxes) != 1 or box[3] - box[1] < LEAST or not text:
        return None
    found = ink(picture, box)
    if found is None:
        return None
    part = cut(picture, box, 2).astype(np.float32)
    strength = _strength(part, found)
    spans = _cells(found, len(text)) if all(map(unspaced, text)) else _runs(found)
    if spans is None or len(spans) != len(text):
        return None
    return [(letter, strength[:, a:b]) for letter, (a, b) in zip(text, spans, strict=True)]


def _strength(part: Shape, found: Ink) -> Shape:
    """How much of each pixel is ink, 0 to 1."""
    away = np.linalg.norm(part - found.ground, axis=2)
    full = max(1.0, float(np.linalg.norm(found.colour - found.ground)))
    return np.asarray(np.clip(away / full, 0, 1), np.float32)


def _runs(found: Ink) -> list[tuple[int, int]]:
    """Stretches of columns with ink: letters that do not touch."""
    inked = np.concatenate([[False], found.mask.any(axis=0), [False]])
    edges = np.flatnonzero(np.diff(inked.astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _cells(found: Ink, count: int) -> list[tuple[int, int]] | None:
    """Equal parts of the ink: Chinese letters are as wide as one another."""
    columns = np.flatnonzero(found.mask.any(axis=0))
    if not len(columns):
        return None
    edges = np.linspace(columns[0], columns[-1] + 1, count + 1).round().astype(int).tolist()
    return list(pairwise(edges))


def _fit(one: Shape, other: Shape) -> float | None:
    """The correlation of two letters brought to one height; None where one is a mere stroke."""
    import cv2

    shapes = [_trimmed(shape) for shape in (one, other)]
    (high, wide), (high2, wide2) = (shape.shape for shape in shapes)
    if min(high, wide, high2, wide2) < 4:
        return None
    if not 0.8 < (wide / high) / (wide2 / high2) < 1.25:
        return 0.0
    if not 0.85 < high / high2 < 1.18:
        return 0.0
    size = (max(4, round(HIGH * wide / high)), HIGH)
    small = [cv2.resize(np.ascontiguousarray(shape), size) for shape in shapes]
    padded = cv2.copyMakeBorder(small[0], 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0.0)
    return float(cv2.matchTemplate(padded, small[1], cv2.TM_CCOEFF_NORMED).max())


def _trimmed(shape: Shape) -> Shape:
    inked = shape > 0.4
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    if not len(rows):
        return shape[:0, :0]
    return shape[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
