"""One page of a PDF: what stands on it, and the pixels of any part of that, by pdfium."""

import ctypes
import math
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from overpaint.document.boxes import Box
from overpaint.document.layers import Pixels
from overpaint.document.pictures import with_alpha
from overpaint.errors import PictureError

MAX_OBJECTS = 200_000
MAX_NESTED = 20  # forms within forms
_ROUNDED = 0.01  # of a pixel
WHITE, NOTHING = (255, 255, 255, 255), (0, 0, 0, 0)

Matrix = tuple[float, float, float, float, float, float]
UNIT: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_FORM, _TEXT = raw.FPDF_PAGEOBJ_FORM, raw.FPDF_PAGEOBJ_TEXT


def times(first: Matrix, then: Matrix) -> Matrix:
    """The matrix that does the one and then the other, as PDF multiplies them."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j,
            e * g + f * i + k, e * h + f * j + m)  # fmt: skip


def at(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Where the matrix takes a point."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


@dataclass(frozen=True)
class Leaf:
    """One object of a page that is no form, and where it stands in the order of drawing."""

    handle: Any = field(repr=False, compare=False)
    path: tuple[int, ...]  # its number on the page, or that of its form and its number therein
    text: bool
    outer: Matrix  # from the space it is described in to the page's

    @property
    def address(self) -> int:
        """What tells it from every other object of an open page."""
        return ctypes.addressof(self.handle.contents)

    @property
    def lifted(self) -> bool:
        """Whether it is text that shows as letters, and neither hides nor clips."""
        return self.text and raw.FPDFTextObj_GetTextRenderMode(self.handle) in (0, 1, 2)

    @property
    def unseen(self) -> bool:
        """Whether it is text that does not show: what was read on a scan."""
        return self.text and raw.FPDFTextObj_GetTextRenderMode(self.handle) == 3

    def show(self, shown: bool) -> None:
        """Whether it is drawn from now on."""
        raw.FPDFPageObj_SetIsActive(self.handle, shown)


@dataclass
class Page:
    """An open page at a scale in pixels a point."""

    path: Path
    document: Any
    page: Any
    number: int
    scale: float
    notes: tuple[str, ...] = ()
    scan: bool = False  # whether it is a picture of a page, drawn at that picture's resolution
    due: float = math.inf  # the moment of `time.monotonic` at which it takes too long

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return _size(self.page, self.scale)

    def check_time(self) -> None:
        """Refuse a page that takes too long to be taken apart."""
        if time.monotonic() > self.due:
            raise PictureError(
                f"Page {self.number} of {self.path} takes too long to be taken apart.",
                f"It has {len(self.leaves):,} objects.",
                "Save it as a picture in another program and edit that.",
            )

    @cached_property
    def full(self) -> Pixels:
        """The whole page as it is shown, with annotations and form fields."""
        return self.whole(notes=True)

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """All that is drawn, in its order, those in forms as well."""
        found = []
        for leaf in _leaves(_tops(self.page), (), UNIT):
            found.append(leaf)
            if len(found) > MAX_OBJECTS:
                raise PictureError(f"{self.path} has more than {MAX_OBJECTS:,} objects on a page.")
        return tuple(found)

    @cached_property
    def device(self) -> Matrix:
        """From the page's points, y upwards, to pixels, y downwards."""
        left, bottom, right, top = self.page.get_bbox()
        wide, high = self.size
        across, down = max(right - left, 1e-6), max(top - bottom, 1e-6)
        turn = self.page.get_rotation() // 90 % 4
        if turn % 2:
            sx, sy = high / across, wide / down
        else:
            sx, sy = wide / across, high / down
        plain = {
            0: (sx, 0.0, 0.0, -sy, -left * sx, top * sy),
            1: (0.0, sx, sy, 0.0, -bottom * sy, -left * sx),
            2: (-sx, 0.0, 0.0, sy, right * sx, -bottom * sy),
            3: (0.0, -sx, -sy, 0.0, top * sy, right * sx),
        }
        return plain[turn]

    # ── drawing ─────────────────────────────────────────────────────────────────────────

    def whole(self, ground: tuple[int, int, int, int] = WHITE, *, notes: bool = False) -> Pixels:
        """What is shown now, on the whole page; annotations and form fields where asked."""
        if ground == NOTHING and not notes:
            return self.part((0, 0, *self.size))
        wide, high = self.size
        kind = raw.FPDFBitmap_BGR if ground[3] == 255 else raw.FPDFBitmap_BGRA
        bitmap = pdfium.PdfBitmap.new_native(wide, high, kind)
        bitmap.fill_rect(ground, 0, 0, wide, high)
        flags = raw.FPDF_ANNOT if notes else 0
        raw.FPDF_RenderPageBitmap(bitmap, self.page, 0, 0, wide, high, 0, flags)
        if notes and self.page.formenv:
            raw.FPDF_FFLDraw(self.page.formenv, bitmap, self.page, 0, 0, wide, high, 0, flags)
        return _rgba(bitmap.to_numpy())

    def part(self, box: Box) -> Pixels:
        """What is shown now in a box, on nothing."""
        self.check_time()
        wide, high = box[2] - box[0], box[3] - box[1]
        bitmap = pdfium.PdfBitmap.new_native(wide, high, raw.FPDFBitmap_BGRA)
        bitmap.fill_rect(NOTHING, 0, 0, wide, high)
        raw.FPDF_RenderPageBitmap(bitmap, self.page, -box[0], -box[1], *self.size, 0, 0)
        return _rgba(bitmap.to_numpy())

    @contextmanager
    def only(self, shown: Iterable[Leaf]) -> Iterator[None]:
        """Draw nothing but these leaves inside the block, and all again after it."""
        for leaf in self.leaves:
            leaf.show(False)
        for leaf in shown:
            leaf.show(True)
        try:
            yield
        finally:
            for leaf in self.leaves:
                leaf.show(True)


def _rgba(bgra: Pixels) -> Pixels:
    order = [2, 1, 0, 3] if bgra.shape[2] == 4 else [2, 1, 0]
    return with_alpha(np.ascontiguousarray(bgra[:, :, order]))


def _size(page: Any, scale: float) -> tuple[int, int]:
    # A page of 1000.0001 pixels has 1000: points are rounded.
    wide, high = page.get_width() * scale, page.get_height() * scale
    return max(1, math.ceil(wide - _ROUNDED)), max(1, math.ceil(high - _ROUNDED))


# ── objects ─────────────────────────────────────────────────────────────────────────────


def _tops(page: Any) -> list[Any]:
    count = raw.FPDFPage_CountObjects(page)
    return [raw.FPDFPage_GetObject(page, i) for i in range(count)]


def _leaves(handles: Sequence[Any], path: tuple[int, ...], outer: Matrix) -> Iterator[Leaf]:
    for i, handle in enumerate(handles):
        kind = raw.FPDFPageObj_GetType(handle)
        if kind != _FORM:
            yield Leaf(handle, (*path, i), kind == _TEXT, outer)
        elif len(path) < MAX_NESTED:
            count = raw.FPDFFormObj_CountObjects(handle)
            inner = [raw.FPDFFormObj_GetObject(handle, j) for j in range(count)]
            yield from _leaves(inner, (*path, i), times(matrix_of(handle), outer))


def matrix_of(handle: Any) -> Matrix:
    """The matrix of an object, in the space it is described in."""
    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(handle, matrix)
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def box_of(page: Page, leaf: Leaf) -> Box:
    """The pixels that an object may touch."""
    edges = [ctypes.c_float() for _ in range(4)]
    if not raw.FPDFPageObj_GetBounds(leaf.handle, *edges):
        return 0, 0, *page.size
    left, bottom, right, top = (edge.value for edge in edges)
    to = times(leaf.outer, page.device)
    corners = [at(to, x, y) for x in (left, right) for y in (bottom, top)]
    return around(page, corners, 1.0)


def around(page: Page, points: Sequence[tuple[float, float]], more: float) -> Box:
    """The box of some points and more, within the page; empty boxes have no pixels."""
    wide, high = page.size
    xs, ys = zip(*points, strict=True)
    if not all(math.isfinite(value) for value in (*xs, *ys)):
        return 0, 0, wide, high
    return (
        int(min(max(min(xs) - more, 0), wide)), int(min(max(min(ys) - more, 0), high)),
        int(min(max(max(xs) + more + 1, 0), wide)), int(min(max(max(ys) + more + 1, 0), high)),
    )  # fmt: skip
