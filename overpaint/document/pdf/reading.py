"""Reading a PDF's page: a picture of all but its words, and each line of words as a text layer.

Every text layer carries its pixels as pdfium drew them, so that the layers together look as the
page does. Where something is drawn over words, the page's picture is cut in sheets between them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2.raw as raw

from overpaint.document.boxes import Box, box_around
from overpaint.document.layers import Layer, Picture, Pixels, Point, Text
from overpaint.document.model import Document
from overpaint.document.pdf.lines import Line, lines_of
from overpaint.document.pdf.opening import page_of
from overpaint.document.pdf.page import NOTHING, WHITE, Leaf, Page, around, box_of
from overpaint.document.pdf.scans import with_scan
from overpaint.document.pictures import flatten
from overpaint.document.render import render
from overpaint.document.where import short

SHEETS = 12  # at most so many pictures of a page
EXACT = 2  # grey levels that rounding twice may cost


@dataclass(frozen=True)
class Lifted:
    """A line of words as a layer, its objects, and the box of the page it is in."""

    line: Line
    layer: Layer
    box: Box


def read(path: Path, page: int = 1) -> Document:
    """One page as a document; pages count from 1."""
    with page_of(path, page) as opened:
        layers, notes = layers_of(opened, lifted(opened))
        notes = (*opened.notes, *notes, *_unlifted(opened))
        return Document(made=layers, canvas=opened.size, page=page, origin=path, said=notes)


def _unlifted(page: Page) -> tuple[str, ...]:
    hidden = sum(leaf.text and not leaf.lifted for leaf in page.leaves)
    if not hidden:
        return ()
    return (f"{hidden} texts that are invisible or cut out others are left in the picture",)


# ── words ───────────────────────────────────────────────────────────────────────────────


def lifted(page: Page) -> list[Lifted]:
    """The lines of a page that show anything, as layers with unlike ids."""
    found, lines = [], lines_of(page)  # first: pdfium reads no words that are not shown
    with page.only(()):
        for line in lines:
            own = [page.leaves[number] for number in line.leaves]
            for leaf in own:
                leaf.show(True)
            if made := _lift(page, line):
                found.append(made)
            for leaf in own:
                leaf.show(False)
    return found


def _lift(page: Page, line: Line) -> Lifted | None:
    """A line as a layer, its objects being all that is shown; None where that is nothing."""
    size = max(letter.style.size for letter in line.letters)
    points = [(letter.x, letter.y) for letter in line.letters]
    turn = math.radians(line.angle)
    last = line.letters[-1]
    reach = max(0.0, last.end - last.x * math.cos(turn) - last.y * math.sin(turn))
    points.append((last.x + reach * math.cos(turn), last.y + reach * math.sin(turn)))
    box = around(page, points, 1.2 * size + 4)
    box = box if box[0] < box[2] and box[1] < box[3] else (0, 0, *page.size)
    pixels = page.part(box)
    inked = _ink(pixels)
    if inked and _at_rim(inked, pixels) and box != (0, 0, *page.size):
        box = (0, 0, *page.size)  # letters that reach further than their font says
        pixels = page.part(box)
        inked = _ink(pixels)
    if inked is None:
        return None
    x0, y0, x1, y1 = inked
    shown = (box[0] + x0, box[1] + y0, box[0] + x1, box[1] + y1)
    left, top = _place(line, shown)
    drawn = np.ascontiguousarray(pixels[y0:y1, x0:x1])
    turned = line.angle % 360
    at = (shown[0] - left, shown[1] - top)
    text = Text(line.runs, drawn=drawn, drawn_at=at, turned=turned)
    return Lifted(line, Layer(text, short(line.words), _id(page, line), left, top, turned), shown)


def _place(line: Line, box: Box) -> Point:
    """Where the first pen would be if the line were turned flat about its middle."""
    first, turn = line.letters[0], -math.radians(line.angle)
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    across, down = first.x - middle[0], first.y - middle[1]
    left = middle[0] + across * math.cos(turn) - down * math.sin(turn)
    top = middle[1] + across * math.sin(turn) + down * math.cos(turn)
    return round(left, 3), round(top, 3)


def _ink(pixels: Pixels) -> Box | None:
    return box_around(pixels[:, :, 3])


def _at_rim(inked: Box, pixels: Pixels) -> bool:
    return inked[0] == 0 or inked[1] == 0 or (inked[2], inked[3]) == pixels.shape[1::-1]


def _id(page: Page, line: Line) -> str:
    return "text-" + ".".join(str(i) for i in page.leaves[line.leaves[0]].path)


# ── the rest ────────────────────────────────────────────────────────────────────────────


def layers_of(page: Page, words: Sequence[Lifted]) -> tuple[tuple[Layer, ...], tuple[str, ...]]:
    """All layers of a page, bottom first, and what of them does not look as the page does."""
    full = page.full
    own = {number for lift in words for number in lift.line.leaves}
    others = [leaf for number, leaf in enumerate(page.leaves) if number not in own]
    notes = _annotations(page)
    layers = [_sheet(page, others, 0), *(lift.layer for lift in words), *notes]
    wrong = _wrong(layers, words, full)
    if wrong:
        layers = [*_cut(page, words, wrong), *notes]
        wrong = _wrong(layers, words, full)
    said = tuple(f"{lift.layer.name!r} looks a little different as a layer" for lift in wrong)
    return tuple(layers), said if len(said) < 4 else (*said[:3], f"and {len(said) - 3} more do")


def _wrong(layers: Sequence[Layer], words: Sequence[Lifted], full: Pixels) -> list[Lifted]:
    """The lines in whose box the layers do not look as the page does."""
    size = (full.shape[1], full.shape[0])
    made = flatten(render(layers, size)).astype(np.int16)
    off = np.abs(made - full[:, :, :3]).max(axis=2) > EXACT
    return [
        lift for lift in words
        if off[lift.box[1] : lift.box[3], lift.box[0] : lift.box[2]].any()
    ]  # fmt: skip


def _sheet(page: Page, leaves: Sequence[Leaf], number: int) -> Layer:
    with page.only(leaves):
        pixels = page.whole(WHITE if number == 0 else NOTHING)
    if number == 0:
        pixels = with_scan(page, pixels)
    name = "page" if number == 0 else f"over the words, {number}"
    return Layer(Picture(pixels), name, "page" if number == 0 else f"page-{number}")


def _cut(page: Page, words: Sequence[Lifted], wrong: Sequence[Lifted]) -> list[Layer]:
    """The layers with a new picture wherever something is drawn over words that look wrong."""
    line_of = {number: lift for lift in words for number in lift.line.leaves}
    unsure = {id(lift) for lift in wrong}
    sheets: list[list[Leaf]] = [[]]
    placed: dict[int, int] = {}
    below: list[Box] = []
    for number, leaf in enumerate(page.leaves):
        if lift := line_of.get(number):
            placed[id(lift)] = len(sheets) - 1
            if id(lift) in unsure:
                below.append(lift.box)
            continue
        if below and len(sheets) < SHEETS and any(_meet(box_of(page, leaf), b) for b in below):
            sheets.append([])
            below = []
        sheets[-1].append(leaf)
    layers = []
    for level, leaves in enumerate(sheets):
        layers.append(_sheet(page, leaves, level))
        layers += [lift.layer for lift in words if placed[id(lift)] == level]
    return layers


def _meet(one: Box, other: Box) -> bool:
    return (one[0] < other[2] and other[0] < one[2]) and (one[1] < other[3] and other[1] < one[3])


def _annotations(page: Page) -> list[Layer]:
    """What is drawn over the page: comments, stamps, the fields of a form."""
    if not raw.FPDFPage_GetAnnotCount(page.page):
        return []
    with page.only(()):
        pixels = page.whole(NOTHING, notes=True)
    return [Layer(Picture(pixels), "annotations", "annotations")] if pixels[:, :, 3].any() else []
