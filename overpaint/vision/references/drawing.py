"""References as pictures, and back: a box picture gives its boxes, a pose picture its joints.

What is drawn has colours of its own, and where two frames or two joints cover the same pixels they
take turns, so that none hides the other. Reading goes by pixels alone and takes pictures that
others drew, too: of other sizes, in other colours, stored with loss.
"""

import colorsys
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.errors import NotApplicable
from overpaint.vision.references import Box, Kind, Reference
from overpaint.vision.references.boxes import box_of
from overpaint.vision.references.skeletons import draw_people, read_people

Size = tuple[int, int]  # width, height
HUES = 24  # frames that can be told apart by colour; of more, colours come again
INK = 64  # of 255: what is darker in every channel is the black ground
FRAME = 140  # one pixel of a frame's line for so many of the shorter side
RARE = 0.0005  # of a map: colours of fewer pixels are smears of storing it with loss
MOST_COLOURS = 256  # exact colours of a map of regions; one with more was stored with loss
MOST_FRAMES = 256  # pieces of line of one colour; what has more was not drawn as boxes
COARSE = 24  # levels between colours that are smears of one another
COARSER = 0b11111100  # the bits that the nearest is told by: 262,144 colours at most then
SAMPLE = 200_000  # pixels that colours are counted in first
LONG = 2048  # pixels of the longer side that lines are followed at


def drawn(reference: Reference, size: Size) -> Pixels:
    """The picture of a reference, in the size of its source (width, height)."""
    draw = _DRAWN.get(reference.kind)
    if draw is None:
        raise NotApplicable(f"A {reference.kind} is words and has no picture.")
    return draw(reference.value, size)


def read(kind: Kind, pixels: Pixels, size: Size | None = None) -> Any:
    """What a reference's picture shows, for a canvas of that size where it has another."""
    reader = _READ.get(kind)
    if reader is None:
        raise NotApplicable(f"A {kind} is words and has no picture.")
    return reader(pixels, size or (pixels.shape[1], pixels.shape[0]))


# ── boxes ───────────────────────────────────────────────────────────────────────────────


def _draw_boxes(boxes: Sequence[Box], size: Size) -> Pixels:
    wide, high = size
    # The pixels of each frame, not masks: a hundred masks of a huge picture do not fit.
    frames = [np.nonzero(_frame(box, size, _line(size))) for box in boxes]
    covered, turn = np.zeros((high, wide), np.int16), np.zeros((high, wide), np.int16)
    for at in frames:
        covered[at] += 1
    made = np.zeros((high, wide, 3), np.uint8)
    for number, at in enumerate(frames):
        mine = turn[at] == (at[0] + at[1]) % covered[at]
        made[at[0][mine], at[1][mine]] = _hues()[number % HUES]
        turn[at] += 1
    return made


def _line(size: Size) -> int:
    """How thick frames are drawn in a picture of that size."""
    return max(2, round(min(size) / FRAME))


def _frame(box: Box, size: Size, line: int) -> NDArray[np.bool_]:
    """The outline of a box, drawn inside of it."""
    left, top, right, bottom = _whole(box, size)
    frame = np.zeros(size[::-1], bool)
    frame[top:bottom, left:right] = True
    if right - left > 2 * line and bottom - top > 2 * line:
        frame[top + line : bottom - line, left + line : right - line] = False
    return frame


def _whole(box: Box, size: Size) -> tuple[int, int, int, int]:
    """A box in whole pixels of the picture, one at least each way."""
    left, right = (min(max(round(edge), 0), size[0]) for edge in (box.left, box.right))
    top, bottom = (min(max(round(edge), 0), size[1]) for edge in (box.top, box.bottom))
    left, top = min(left, size[0] - 1), min(top, size[1] - 1)
    return left, top, max(right, left + 1), max(bottom, top + 1)


@cache
def _hues() -> NDArray[np.uint8]:
    """Colours of frames, each far from the one before it."""
    turns = [(7 * n % HUES) / HUES for n in range(HUES)]
    return np.array([[round(255 * c) for c in colorsys.hsv_to_rgb(t, 1, 1)] for t in turns],
                    np.uint8)  # fmt: skip


def _read_boxes(pixels: Pixels, size: Size) -> tuple[Box, ...]:
    found: list[Box] = []
    for ink in _inks(pixels):
        whole = box_of(ink)
        found += [whole] if _is_frame(ink, whole) else _frames_in(ink)
    across, down = size[0] / pixels.shape[1], size[1] / pixels.shape[0]
    scaled = [Box(b.left * across, b.top * down, b.right * across, b.bottom * down) for b in found]
    return tuple(sorted(scaled, key=lambda b: ((b.left - b.right) * (b.bottom - b.top), b)))


def _inks(pixels: Pixels) -> Iterator[NDArray[np.bool_]]:
    """Where each colour stands on the black ground; all ink where it was stored with loss."""
    ink = pixels.max(axis=2) > INK
    packed = _packed(pixels)
    lit = packed[ink]
    # Where there are more colours a few pixels tell so mostly; to sort all takes long.
    colours = np.unique(lit[:: 1 + len(lit) // SAMPLE])
    colours = np.unique(lit) if len(colours) <= HUES else colours
    if len(colours) > HUES:
        yield ink
    else:
        yield from (packed == colour for colour in colours)


def _is_frame(ink: NDArray[np.bool_], box: Box) -> bool:
    """Whether ink is the outline of its own extent, or fills it."""
    line = _thickness(ink) + 1
    left, top, right, bottom = map(int, box)
    inner = ink[top + line : bottom - line, left + line : right - line]
    inside, all_ink = int(inner.sum()), int(ink.sum())
    sides = (ink[top : top + line, left:right].any(axis=0).mean(),
             ink[bottom - line : bottom, left:right].any(axis=0).mean(),
             ink[top:bottom, left : left + line].any(axis=1).mean(),
             ink[top:bottom, right - line : right].any(axis=1).mean())  # fmt: skip
    hollow = inside <= 0.1 * all_ink or inside >= 0.9 * inner.size
    return hollow and min(sides) > 0.3


def _thickness(ink: NDArray[np.bool_]) -> int:
    """How thick lines are, in pixels, from how far ink is from its edge in the mean."""
    import cv2

    far = cv2.distanceTransform(np.pad(ink, 1).astype(np.uint8), cv2.DIST_L1, 3)[1:-1, 1:-1]
    return max(2, round(4 * float(far[ink].mean()) - 2))


def _frames_in(ink: NDArray[np.bool_]) -> list[Box]:
    """The frames of one colour: each that stands apart, and those that cross, by their lines."""
    import cv2

    if (step := math.ceil(max(ink.shape) / LONG)) > 1:
        return [Box(*(step * edge for edge in box)) for box in _frames_in(_pooled(ink, step))]
    near = cv2.dilate(ink.astype(np.uint8), np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
    if count > MOST_FRAMES:
        raise NotApplicable(f"The picture has {count:,} pieces of line, so it shows no boxes.")
    found: list[Box] = []
    for label in range(1, count):
        left, top, wide, high = (int(value) for value in stats[label, :4])
        here = slice(top, top + high), slice(left, left + wide)
        part = ink[here] & (labels[here] == label)
        whole = box_of(part)
        frames = [whole] if _is_frame(part, whole) else _crossing(part) or [whole]
        found += [Box(b.left + left, b.top + top, b.right + left, b.bottom + top) for b in frames]
    return found


def _pooled(ink: NDArray[np.bool_], step: int) -> NDArray[np.bool_]:
    """A smaller copy, where there is ink where there is any."""
    room = [(0, -length % step) for length in ink.shape]
    high, wide = (math.ceil(length / step) for length in ink.shape)
    return np.asarray(np.pad(ink, room).reshape(high, step, wide, step).any(axis=(1, 3)))


def _crossing(ink: NDArray[np.bool_]) -> list[Box]:
    """Rectangles all of whose sides are drawn, the largest first, each explaining new ink."""
    line = _thickness(ink)
    rows, columns = _lines(ink, line), _lines(ink.T, line)
    options = [
        Box(left, top, right, bottom)
        for top, _ in rows for _, bottom in rows if bottom - top > 4 * line
        for left, _ in columns for _, right in columns if right - left > 4 * line
    ]  # fmt: skip
    options.sort(key=lambda b: (b.left - b.right) * (b.bottom - b.top))
    drawn_ink, left_over, found = _summed(ink), ink.copy(), list[Box]()
    new_ink = drawn_ink
    for box in options:
        covers = _frame_area(box, line)
        if _on_frame(drawn_ink, box, line) > 0.97 * covers and (
            _on_frame(new_ink, box, line) > 0.25 * covers
        ):
            left_over &= ~_frame(box, (ink.shape[1], ink.shape[0]), line)
            new_ink = _summed(left_over)
            found.append(box)
    return found


def _summed(ink: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How much ink stands above and left of each corner of a pixel."""
    return np.pad(ink.astype(np.int64).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))


def _on_frame(summed: NDArray[np.int64], box: Box, line: int) -> int:
    """How much ink stands on a frame's line."""
    left, top, right, bottom = map(int, box)
    return _within(summed, left, top, right, bottom) - _within(
        summed, left + line, top + line, right - line, bottom - line
    )


def _within(summed: NDArray[np.int64], left: int, top: int, right: int, bottom: int) -> int:
    return int(
        summed[bottom, right] - summed[top, right] - summed[bottom, left] + summed[top, left]
    )


def _frame_area(box: Box, line: int) -> int:
    wide, high = int(box.right - box.left), int(box.bottom - box.top)
    return wide * high - (wide - 2 * line) * (high - 2 * line)


def _lines(ink: NDArray[np.bool_], line: int) -> list[tuple[int, int]]:
    """First row and first row after each horizontal line; at most 24."""
    import cv2

    long = cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_OPEN, np.ones((1, 6 * line), np.uint8))
    rows = np.flatnonzero(long.any(axis=1))
    if not len(rows):
        return []
    breaks = np.flatnonzero(np.diff(rows) > 1)
    starts, ends = rows[np.r_[0, breaks + 1]], rows[np.r_[breaks, len(rows) - 1]] + 1
    return [(int(start), int(end)) for start, end in zip(starts, ends, strict=True)][:24]


# ── maps ────────────────────────────────────────────────────────────────────────────────


def _grey(value: NDArray[np.uint8], size: Size) -> Pixels:
    return np.repeat(_at(value, size, smooth=True)[:, :, None], 3, axis=2)


def _read_grey(pixels: Pixels, size: Size) -> NDArray[np.uint8]:
    grey = np.rint(pixels.astype(np.float32).mean(axis=2)).astype(np.uint8)
    return _at(grey, size, smooth=True)


def _draw_mask(value: NDArray[np.bool_], size: Size) -> Pixels:
    return _grey(np.where(_at(value.astype(np.uint8), size) > 0, 255, 0).astype(np.uint8), size)


def _read_mask(pixels: Pixels, size: Size) -> NDArray[np.bool_]:
    return _at((pixels.max(axis=2) > 127).astype(np.uint8), size) > 0


def _draw_regions(value: NDArray[np.int32], size: Size) -> Pixels:
    colours = region_colours(int(value.max(initial=0)))
    return np.asarray(_at(colours[value], size))


def region_colours(count: int) -> Pixels:
    """The colour of each region, black first, for none."""
    # A walk through the cube in large steps; no two of the first million are the same.
    steps = np.arange(count, dtype=np.int64)[:, None] * np.array([149, 83, 199]) + 97
    return np.vstack([[[0, 0, 0]], 40 + steps % np.array([216, 215, 211])]).astype(np.uint8)


def _read_regions(pixels: Pixels, size: Size) -> NDArray[np.int32]:
    shown = _at(pixels, size)
    packed = _packed(shown)
    colours, counts = np.unique(packed, return_counts=True)
    if len(colours) > MOST_COLOURS:
        colours = _common(colours, counts)
        labels = _nearest(_packed(shown & np.uint8(COARSER)), colours)
        counts = np.bincount(labels.ravel(), minlength=len(colours))
    else:
        labels = np.searchsorted(colours, packed)
    black = np.flatnonzero(colours == 0)
    order = [int(n) for n in np.argsort(-counts, kind="stable") if n not in black]
    ranks = np.zeros(len(colours), np.int32)
    ranks[order] = np.arange(1, len(order) + 1)
    return ranks[labels]


def _packed(pixels: Pixels) -> NDArray[np.int32]:
    """Each pixel's colour as one number."""
    red, green, blue = (pixels[:, :, channel].astype(np.int32) for channel in range(3))
    return red << 16 | green << 8 | blue


def _parted(colours: NDArray[np.int32]) -> NDArray[np.int32]:
    """Red, green and blue of such numbers."""
    return np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1)


def _common(colours: NDArray[np.int32], counts: NDArray[np.intp]) -> NDArray[np.int32]:
    """Of too many colours the common ones, that the others are smears of."""
    rgb = _parted(colours)
    kept: list[int] = []
    for at in np.argsort(-counts, kind="stable")[: 4 * MOST_COLOURS]:
        apart = np.abs(rgb[kept] - rgb[at]).max(axis=1) if kept else np.array([COARSE + 1])
        common = counts[at] >= RARE * counts.sum() or not kept
        if common and apart.min() > COARSE and len(kept) < MOST_COLOURS:
            kept.append(int(at))
    return colours[kept]


def _nearest(packed: NDArray[np.int32], colours: NDArray[np.int32]) -> NDArray[np.intp]:
    """For each pixel which of these colours it is nearest to."""
    there = np.zeros(1 << 24, bool)
    there[packed] = True
    some = np.flatnonzero(there).astype(np.int32)
    rgb, found, far = _parted(some), np.zeros(len(some), np.intp), np.full(len(some), 3 * 255)
    for number, colour in enumerate(_parted(colours)):
        off = np.abs(rgb - colour).sum(axis=1)
        found[off < far] = number
        far = np.minimum(far, off)
    table = np.zeros(1 << 24, np.intp)
    table[some] = found
    return table[packed]


def _at(values: NDArray[Any], size: Size, *, smooth: bool = False) -> NDArray[Any]:
    """A map at another size: its nearest pixels, or their mean."""
    import cv2

    if values.shape[1::-1] == size:
        return values
    smaller = size[0] < values.shape[1]
    way = (cv2.INTER_AREA if smaller else cv2.INTER_LINEAR) if smooth else cv2.INTER_NEAREST
    return np.asarray(cv2.resize(values, size, interpolation=way))


def _as_it_is(pixels: Pixels, size: Size) -> Pixels:
    return pixels


_DRAWN: Mapping[Kind, Callable[[Any, Size], Pixels]] = {
    "bbox": _draw_boxes, "mask": _draw_mask, "pose": draw_people, "semantic_map": _draw_regions,
    "depth": _grey, "canny": _grey, "sketch": _grey, "subject": _as_it_is, "style": _as_it_is,
}  # fmt: skip
_READ: Mapping[Kind, Callable[[Pixels, Size], Any]] = {
    "bbox": _read_boxes, "mask": _read_mask, "pose": read_people, "semantic_map": _read_regions,
    "depth": _read_grey, "canny": _read_grey, "sketch": _read_grey, "subject": _as_it_is,
    "style": _as_it_is,
}  # fmt: skip
