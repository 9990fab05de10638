"""Pressing flat: layers in the place of lifted ink; no pixel further away changes."""

import numpy as np
from numpy.typing import NDArray

from overpaint.document.boxes import Box, box_around
from overpaint.document.geometry import shifted
from overpaint.document.layers import Layer, Picture, Pixels
from overpaint.document.render import bounds, render, sheet_of
from overpaint.editors.typeset.grain import Grain, apply
from overpaint.editors.typeset.outlines import painted
from overpaint.editors.typeset.unmix import Lifted

AROUND = 1  # pixels around old and new ink in which anything may change
INK = 0.12  # of full cover: fainter is no ink
NEIGHBOUR = 0.1  # a piece of ink with no more of it inside is another letter's
Columns = tuple[float, float]
EVERYWHERE: Columns = (-np.inf, np.inf)


def cut_out(lifted: Lifted, columns: tuple[int, int], by: tuple[int, int]) -> Layer:
    """The ink between two columns of the picture as a layer of its own, moved."""
    first, last = (int(np.clip(x - lifted.left, 0, lifted.cover.shape[1])) for x in columns)
    if lifted.fill.stroke:
        inked = painted(lifted.cover, lifted.fill)[:, first:last]
    else:
        inked = np.empty((lifted.cover.shape[0], last - first, 4), np.uint8)
        inked[:, :, :3] = lifted.colour[:3]
        inked[:, :, 3] = np.rint(lifted.cover[:, first:last] * 255)
    place = (lifted.left + first + by[0], lifted.top + by[1])
    return Layer(Picture(inked), "cut", "cut", float(place[0]), float(place[1]))


def pressed(
    pixels: Pixels, lifted: Lifted | None, layers: list[Layer],
    *, within: Columns = EVERYWHERE, noise: Grain | None = None,
) -> Pixels:  # fmt: skip
    """The picture with the lifted ink gone between two columns, and the layers in its place.

    Only pixels in the box of the old and the new ink, and a little around it, may change.
    """
    boxes = [box for layer in layers if (box := _inked(layer, within))]
    if lifted and (old := _box(_gone(lifted), (lifted.left, lifted.top), within)):
        boxes.append(old)
    for group in _apart(boxes):
        pixels = _pressed_in(pixels, _touched(group, pixels.shape, within), lifted, layers,
                             within=within, noise=noise)  # fmt: skip
    return pixels


def _gone(lifted: Lifted) -> NDArray[np.bool_]:
    """What goes with the words: their ink, and what is painted around it."""
    more = lifted.fill.stroke or lifted.fill.shadow or lifted.rimmed
    return (lifted.cover > INK) | lifted.hole if more else lifted.cover > INK


def _inked(layer: Layer, within: Columns) -> Box | None:
    """The box of what a layer draws so strongly that it is ink; all of it, where nothing is."""
    sheet = sheet_of(layer)
    if sheet is None or not (ink := sheet.pixels[:, :, 3] > 255 * INK).any():
        return bounds(layer)
    return _box(ink, (sheet.left, sheet.top), within)


def _apart(boxes: list[Box]) -> list[list[Box]]:
    """The boxes in groups that do not meet: words that move far leave what is between alone."""
    groups: list[list[Box]] = []
    for box in boxes:
        meeting = [group for group in groups if any(_meet(box, other) for other in group)]
        rest = [group for group in groups if group not in meeting]
        groups = [*rest, [box, *(one for group in meeting for one in group)]]
    return groups


def _meet(one: Box, other: Box) -> bool:
    near = 2 * AROUND + 1
    return min(one[2], other[2]) + near > max(one[0], other[0]) and min(
        one[3], other[3]
    ) + near > max(one[1], other[1])


def _pressed_in(
    pixels: Pixels, touched: Box, lifted: Lifted | None, layers: list[Layer],
    *, within: Columns, noise: Grain | None,
) -> Pixels:  # fmt: skip
    """The picture with one box of it drawn anew."""
    window = _joined(_window(lifted), touched, pixels.shape) if lifted else touched
    ground = pixels[window[1] : window[3], window[0] : window[2]].copy()
    if lifted:
        _lay_ground(ground, lifted, window, within)
    base = Layer(Picture(np.dstack([ground, np.full(ground.shape[:2], 255, np.uint8)])))
    moved = [shifted(layer, -window[0], -window[1]) for layer in layers]
    size = (window[2] - window[0], window[3] - window[1])
    drawn, alone = render((base, *moved), size)[:, :, :3], render(moved, size)[:, :, 3]
    x0, y0, x1, y1 = touched
    cut = (slice(y0 - window[1], y1 - window[1]), slice(x0 - window[0], x1 - window[0]))
    out = pixels.copy()
    out[y0:y1, x0:x1] = drawn[cut]
    where, cover = np.zeros(out.shape[:2], np.bool_), np.zeros(out.shape[:2], np.float32)
    where[y0:y1, x0:x1] = True
    cover[y0:y1, x0:x1] = alone[cut] / 255
    rough = noise or (lifted.noise if lifted else Grain())
    return apply(out, where, rough, cover=cover)


def _box(ink: NDArray[np.bool_], corner: tuple[int, int], within: Columns) -> Box | None:
    """The box of the ink between two columns of the picture."""
    left, top = corner
    box = box_around(_own(ink, within[0] - left, within[1] - left))
    return (left + box[0], top + box[1], left + box[2], top + box[3]) if box else None


def _own(ink: NDArray[np.bool_], first: float, last: float) -> NDArray[np.bool_]:
    """The ink between two columns, without the edges of neighbours that reach in."""
    import cv2

    columns = np.arange(ink.shape[1])
    inside = ink & ((columns >= first) & (columns < last))[None]
    count, pieces = cv2.connectedComponents(ink.astype(np.uint8), connectivity=8)
    whole, part = (np.bincount(pieces[which], minlength=count) for which in (ink, inside))
    own: NDArray[np.bool_] = part > NEIGHBOUR * whole
    return np.asarray(inside & own[pieces])


def _touched(boxes: list[Box], shape: tuple[int, ...], within: Columns) -> Box:
    """The box of all ink and a little more, between the two columns."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    left, right = max(0, min(lefts) - AROUND), min(shape[1], max(rights) + AROUND)
    return (
        int(max(left, within[0])), max(0, min(tops) - AROUND),
        int(min(right, within[1])), min(shape[0], max(bottoms) + AROUND),
    )  # fmt: skip


def _window(lifted: Lifted) -> Box:
    high, wide = lifted.cover.shape
    return lifted.left, lifted.top, lifted.left + wide, lifted.top + high


def _joined(one: Box, other: Box, shape: tuple[int, ...]) -> Box:
    return (
        max(0, min(one[0], other[0])), max(0, min(one[1], other[1])),
        min(shape[1], max(one[2], other[2])), min(shape[0], max(one[3], other[3])),
    )  # fmt: skip


def _lay_ground(ground: Pixels, lifted: Lifted, window: Box, within: Columns) -> None:
    """Put the estimated ground into a window of the picture, between two columns."""
    high, wide = lifted.cover.shape
    first = int(np.clip(np.ceil(within[0] - lifted.left), 0, wide)) if within[0] > -np.inf else 0
    last = int(np.clip(within[1] - lifted.left, 0, wide)) if within[1] < np.inf else wide
    x, y = lifted.left - window[0], lifted.top - window[1]
    part = ground[y : y + high, x + first : x + last]
    hole = lifted.hole[:, first:last]
    part[hole] = lifted.ground[:, first:last][hole]
