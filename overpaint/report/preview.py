"""A picture of an edit: before and after side by side, what changed marked and shown larger."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from overpaint.document import Pixels
from overpaint.document.boxes import Box, box_around
from overpaint.document.files import replacing
from overpaint.document.layers import Colour, Run, Style, Text
from overpaint.document.pictures import encode_png
from overpaint.document.text.setting import draw_text

MARK = (214, 51, 108)
HALO, VEIL = (255, 255, 255), 110  # around marks, and how far it covers what it lies on
AWAY = 5  # pixels from a frame's corner to the middle of its number
PAPER = (232, 232, 232)  # so that white pages have edges
LABEL: Colour = (90, 90, 90, 255)
WIDE, HIGH = 720, 1000  # of each of the two pictures, at most
GAP, HEAD = 12, 36  # between pictures, and above them all
LARGEST = 4.0  # times that a small picture or a small change is enlarged, at most
SMALLEST = 0.6  # times that a long change is shrunk; longer ones show their beginning
CLOSE_UPS = 4  # of changes that lie apart; the largest are shown
_CLOSER = 1.25  # times larger than in the whole picture, or a close-up shows nothing new
_FINE = 32  # steps in which the distance of two changes is told: large pages are seen coarsely
_LARGE = 100  # pixels of the picture: what is as high is seen without a close-up


@dataclass(frozen=True)
class Part:
    """A part of both pictures, where it differs, and how much larger it is shown."""

    box: Box
    zoom: float
    marks: tuple[Box, ...] = ()
    label: str = ""


@contextmanager
def previewing(path: Path) -> Iterator[Callable[[Pixels, Pixels], None]]:
    """What shows two pictures side by side in a file, which is there once all went well."""
    with replacing(path) as beside:

        def show(before: Pixels, after: Pixels) -> None:
            beside.write_bytes(encode_png(preview(before, after)))

        yield show


def preview(before: Pixels, after: Pixels) -> Pixels:
    """The two pictures in a row with what differs marked, and a row for each close-up of it."""
    if before.shape != after.shape:
        one, other = (_shown(pixels, _full(pixels, ())) for pixels in (before, after))
        return _sheet([(one, other)])
    changes = changed(before, after)
    parts = [_full(before, changes), *_close_ups(before, changes)]
    return _sheet([(_shown(before, part), _shown(after, part)) for part in parts])


def changed(before: Pixels, after: Pixels) -> tuple[Box, ...]:
    """The boxes of what differs in two pictures of one size; changes that lie close are one."""
    import cv2

    differs = (before != after).any(axis=2).astype(np.uint8)
    near = max(8, round(0.015 * max(differs.shape)))
    step = max(1, near // _FINE)
    size = 2 * round(near / step) + 1
    grown = cv2.dilate(_coarse(differs, step), np.ones((size, size), np.uint8))
    _, numbers, found, _ = cv2.connectedComponentsWithStats(grown)
    boxes = []
    for number, (left, top, wide, high, _) in enumerate(found[1:].tolist(), 1):
        own = numbers[top : top + high, left : left + wide] == number
        left, top = left * step, top * step
        cut = differs[top : top + high * step, left : left + wide * step]
        own = own.repeat(step, axis=0).repeat(step, axis=1)[: cut.shape[0], : cut.shape[1]]
        if box := box_around(cut & own):
            boxes.append((left + box[0], top + box[1], left + box[2], top + box[3]))
    return tuple(boxes)


def _coarse(mask: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """The mask in squares of that many pixels, on where any of them is."""
    if step == 1:
        return mask
    rows, columns = (range(0, side, step) for side in mask.shape)
    made: NDArray[np.uint8] = np.maximum.reduceat(
        np.maximum.reduceat(mask, rows, axis=0), columns, axis=1
    )
    return made


# ── what is shown ───────────────────────────────────────────────────────────────────────


def _full(pixels: Pixels, marks: tuple[Box, ...]) -> Part:
    high, wide = pixels.shape[:2]
    return Part((0, 0, wide, high), min(LARGEST, WIDE / wide, HIGH / high), marks)


def _close_ups(pixels: Pixels, changes: Sequence[Box]) -> list[Part]:
    """The largest changes, in the order they stand in; numbered where there are several."""
    size = (pixels.shape[1], pixels.shape[0])
    whole = _full(pixels, ()).zoom
    small = [box for box in changes if whole < 1 or box[3] - box[1] < _LARGE]
    chosen = sorted(small, key=_area, reverse=True)[:CLOSE_UPS]
    chosen.sort(key=lambda box: (box[1], box[0]))
    numbered = len(changes) > 1
    parts = [
        _close_up(size, box, f"{changes.index(box) + 1}" if numbered else "") for box in chosen
    ]
    return [part for part in parts if part.zoom > _CLOSER * whole]


def _close_up(size: tuple[int, int], box: Box, label: str) -> Part:
    """A change with some of what is around it, as large as fits."""
    wide, high = size
    around = max(16, (box[3] - box[1]) // 2)
    left, right = max(0, box[0] - around), min(wide, box[2] + around)
    right = min(right, left + round(WIDE / SMALLEST))
    least = round(WIDE / LARGEST)
    if right - left < least:
        middle = (left + right) // 2
        left = max(0, min(wide - least, middle - least // 2))
        right = min(wide, left + least)
    top, bottom = max(0, box[1] - around), min(high, box[3] + around)
    zoom = min(LARGEST, WIDE / (right - left), HIGH / (bottom - top))
    return Part((left, top, right, bottom), zoom, label=label)


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


# ── how it is drawn ─────────────────────────────────────────────────────────────────────


def _shown(pixels: Pixels, part: Part) -> Image.Image:
    left, top, right, bottom = part.box
    image = Image.fromarray(np.ascontiguousarray(pixels[top:bottom, left:right]))
    size = (max(1, round(image.width * part.zoom)), max(1, round(image.height * part.zoom)))
    image = image.resize(size, Image.Resampling.LANCZOS)
    drawing = ImageDraw.Draw(image, "RGBA")
    for number, mark in enumerate(part.marks, 1):
        edge = _around(mark, part.zoom, image.size)
        # Thin, and what is beside it shows through: letters stand close by.
        drawing.rectangle(edge, outline=(*HALO, VEIL), width=3)
        drawing.rectangle([edge[0] + 1, edge[1] + 1, edge[2] - 1, edge[3] - 1],
                          outline=(*MARK, 255))  # fmt: skip
        if len(part.marks) > 1:
            _tag(image, str(number), (edge[0] - AWAY, edge[1] - AWAY))
    if part.label:
        _tag(image, part.label, (14, 14))
    return image


def _around(mark: Box, zoom: float, size: tuple[int, int]) -> list[int]:
    """A frame that does not touch what it marks, inside the picture."""
    left, top, right, bottom = (round(side * zoom) for side in mark)
    return [max(0, left - 4), max(0, top - 4),
            min(size[0] - 1, right + 3), min(size[1] - 1, bottom + 3)]  # fmt: skip


def _tag(image: Image.Image, label: str, middle: tuple[int, int]) -> None:
    """A number in a dot, wholly inside the picture."""
    x, y = (min(max(12, at), side - 12) for at, side in zip(middle, image.size, strict=True))
    ImageDraw.Draw(image).ellipse((x - 11, y - 11, x + 11, y + 11), fill=MARK, outline=HALO)
    _write(image, label, (x, y + 5), Style(size=15, weight=700, colour=(*HALO, 255)))


def _write(image: Image.Image, words: str, middle: tuple[int, int], style: Style) -> None:
    pixels, _, top = draw_text(Text((Run(words, style),)))
    drawn = Image.fromarray(pixels)
    image.paste(drawn, (middle[0] - drawn.width // 2, middle[1] + top), drawn)


def _sheet(rows: list[tuple[Image.Image, Image.Image]]) -> Pixels:
    """Two columns, as wide as the widest picture in them."""
    step = max(image.width for row in rows for image in row) + GAP
    highs = [max(image.height for image in row) for row in rows]
    sheet = Image.new("RGB", (2 * step + GAP, HEAD + sum(highs) + GAP * len(rows)), PAPER)
    for column, words in enumerate(("before", "after")):
        _write(sheet, words, (GAP + column * step + 30, HEAD - GAP), Style(size=18, colour=LABEL))
        top = HEAD
        for row, high in zip(rows, highs, strict=True):
            sheet.paste(row[column], (GAP + column * step, top))
            top += high + GAP
    return np.asarray(sheet)
