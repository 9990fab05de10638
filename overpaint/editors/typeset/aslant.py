"""Words that are turned or seen at a slant: made upright, edited as any other, and put back."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from overpaint.document.ops import Op
from overpaint.document.where import Where, short
from overpaint.editors.typeset.desk import Desk
from overpaint.editors.typeset.locate import Found, Spot
from overpaint.editors.typeset.plane import back, rectify
from overpaint.editors.typeset.spots import cut
from overpaint.errors import Refused

LONGER = 0.6  # of a line's length that is seen beyond either end
HIGHER = 1.0  # of its height that is seen above and below
GROWN = 0.04  # of its height by which one end of a line seen at a slant is higher
SLIGHT = 1.5  # degrees: a line that leans more is aligned with nothing on the picture
FITS = 0.97  # likeness of a font to a line that is level
RISE = 1.5  # pixels from one end to the other


def aslant(desk: Desk, found: Found) -> bool:
    """Whether any of the words rise, or grow from one end to the other, so that it shows."""
    return any(
        _slanted(np.array(spot.quad)) and not _level_after_all(desk, spot)
        for spot in found.spots
        if spot.quad is not None
    )


def _level_after_all(desk: Desk, spot: Spot) -> bool:
    """Whether a font fits the line as it stands: long tails make a detector's corners lean."""
    if spot.down or abs(spot.angle) > SLIGHT:
        return False
    line = desk.printed(desk.number(spot))
    return line.exact and line.likeness > FITS


def _slanted(quad: NDArray[np.float64]) -> bool:
    (_, along_y), (_, across_y) = quad[1] - quad[0], quad[3] - quad[0]
    far = quad[2] - quad[1]
    grown = abs(across_y - far[1]) > GROWN * abs(across_y)
    return bool(grown or abs(along_y) > RISE or quad[1][0] < quad[0][0])


def upright(desk: Desk, found: Found, op: Op, do: Callable[[Desk, Op], Desk]) -> Desk:
    """The op done on a strip in which the line stands level."""
    spot = found.spots[0]
    if len(found.spots) > 1 or spot.down:
        raise Refused(
            f"“{short(found.words)}” runs over several slanted lines, or downwards.",
            "One line was expected.",
        )
    number = desk.number(spot)
    _, line = cut(desk.page, number, 0, len(spot.line.text))
    quad = np.array(line or spot.quad, np.float64)
    strip, way = rectify(desk.pixels, _grown(quad, desk.pixels.shape))
    align = desk.align(number) if abs(spot.angle) < SLIGHT else "left"
    there = Desk(np.ascontiguousarray(strip), desk.library, desk.adapt, strip=align)
    done = do(there, replace(op, where=Where(text=spot.words)))
    changed = (done.pixels != strip).any(axis=2)
    mask = np.where(changed, 255, 0).astype(np.uint8)
    return desk.now(back(done.pixels, mask, way, desk.pixels), *done.notes)


def _grown(quad: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """The corners moved apart along the line and across it, as far as the picture goes."""
    high, wide = shape[:2]
    first, second, third, fourth = quad
    along = ((second - first) + (third - fourth)) / 2
    across = ((fourth - first) + (third - second)) / 2
    for share in np.linspace(1, 0, 11):
        out, up = LONGER * share * along, HIGHER * share * across
        moved = np.stack([first - out - up, second + out - up, third + out + up, fourth - out + up])
        if (moved >= 0).all() and (moved[:, 0] <= wide).all() and (moved[:, 1] <= high).all():
            return moved
    return quad
