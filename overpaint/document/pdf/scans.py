"""Pictures of pages: where an image stands on a page, and the page drawn at its resolution.

A scan is edited in its own pixels. It is laid on the page's grid without being resampled, so
that what was not edited goes back as it was.
"""

import ctypes
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from overpaint.document.layers import Pixels
from overpaint.document.pdf.page import Matrix, Page, at, matrix_of, times
from overpaint.document.pictures import pixel_limit

LARGE = 0.5  # of the page: from here on an image is the page
_EVEN = 0.02  # by which the two resolutions of a scan may differ
_LEAST_DPI, _MOST_DPI = 72.0, 1200.0
_ALIKE = 12.0  # grey levels, on average, between an image and the page that shows it


@dataclass(frozen=True)
class Placed:
    """An image of a page: its number among the images, its pixels, and from those to the page's."""

    number: int
    handle: Any
    size: tuple[int, int]
    to: Matrix

    def covers(self, box: tuple[int, int, int, int]) -> bool:
        """Whether a box of the page lies on it."""
        a, b, c, d, e, f = self.to
        whole = a * d - b * c
        if abs(whole) < 1e-9:
            return False
        for x, y in ((box[0], box[1]), (box[2], box[1]), (box[0], box[3]), (box[2], box[3])):
            u = (d * (x - e) - c * (y - f)) / whole
            v = (a * (y - f) - b * (x - e)) / whole
            if not (-1.0 <= u <= self.size[0] + 1 and -1.0 <= v <= self.size[1] + 1):
                return False
        return True

    @property
    def affine(self) -> Any:
        """From the middles of its pixels to those of the page's, as OpenCV counts them."""
        a, b, c, d, e, f = self.to
        x, y = a / 2 + c / 2 + e - 0.5, b / 2 + d / 2 + f - 0.5
        return np.array([[a, c, x], [b, d, y]])


def images_of(page: Page) -> list[Placed]:
    """The images of a page in the order of drawing."""
    found: list[Placed] = []
    for leaf in page.leaves:
        if raw.FPDFPageObj_GetType(leaf.handle) != raw.FPDF_PAGEOBJ_IMAGE:
            continue
        wide, high = ctypes.c_uint(), ctypes.c_uint()
        raw.FPDFImageObj_GetImagePixelSize(leaf.handle, wide, high)
        size = (wide.value, high.value)
        unit: Matrix = (1 / max(1, size[0]), 0.0, 0.0, -1 / max(1, size[1]), 0.0, 1.0)
        to = times(times(times(unit, matrix_of(leaf.handle)), leaf.outer), page.device)
        found.append(Placed(len(found), leaf.handle, size, to))
    return found


def scan_dpi(page: Page) -> float | None:
    """The resolution of the one image that a page without words is; None where it is not so."""
    if any(leaf.lifted for leaf in page.leaves):
        return None
    images = images_of(page)
    large = [one for one in images if _share(one, page) >= LARGE]
    if len(large) != 1:
        return None
    a, b, c, d, _, _ = large[0].to
    across, down = math.hypot(a, b), math.hypot(c, d)
    if not (across > 0 and down > 0) or abs(across / down - 1) > _EVEN:
        return None
    dpi = 72 * page.scale / max(across, down)
    return dpi if _LEAST_DPI <= dpi <= _MOST_DPI else None


def _share(image: Placed, page: Page) -> float:
    """How much of a page an image covers."""
    wide, high = page.size
    corners = [at(image.to, x, y) for x in (0, image.size[0]) for y in (0, image.size[1])]
    if not all(map(math.isfinite, (value for corner in corners for value in corner))):
        return 0.0
    xs = [min(max(x, 0.0), float(wide)) for x, _ in corners]
    ys = [min(max(y, 0.0), float(high)) for _, y in corners]
    return (max(xs) - min(xs)) * (max(ys) - min(ys)) / (wide * high)


def scan_of(page: Page) -> Placed | None:
    """The image that a page is, laid on its grid; None where it is not drawn at that resolution."""
    if not page.scan:
        return None
    large = [one for one in images_of(page) if _share(one, page) >= LARGE]
    a, b, c, d, _, _ = large[0].to
    turn = [float(round(value)) for value in (a, b, c, d)]
    if sorted(map(abs, turn)) != [0.0, 0.0, 1.0, 1.0] or turn[0] * turn[3] == turn[1] * turn[2]:
        return None
    if max(abs(value - whole) for value, whole in zip((a, b, c, d), turn, strict=True)) > _EVEN:
        return None
    # The middle stays in its place, to half a pixel.
    u, v = large[0].size[0] / 2, large[0].size[1] / 2
    x, y = at(large[0].to, u, v)
    left, top = x - turn[0] * u - turn[2] * v, y - turn[1] * u - turn[3] * v
    to = (turn[0], turn[1], turn[2], turn[3], float(round(left)), float(round(top)))
    return Placed(large[0].number, large[0].handle, large[0].size, to)


def pixels_of(image: Placed) -> Pixels | None:
    """An image as pdfium shows it, H×W×3, without its mask; None where it cannot be shown."""
    if not 0 < image.size[0] * image.size[1] <= pixel_limit():
        return None
    held = raw.FPDFImageObj_GetBitmap(image.handle)
    if not held:
        return None
    pixels = pdfium.PdfBitmap.from_raw(held).to_numpy()
    if pixels.shape[1::-1] != image.size:
        return None
    if pixels.ndim == 2 or pixels.shape[2] == 1:
        return np.repeat(pixels.reshape(*pixels.shape[:2], 1), 3, axis=2)
    return np.ascontiguousarray(pixels[:, :, 2::-1])


def with_scan(page: Page, pixels: Pixels) -> Pixels:
    """A page's pixels with the very ones of its scan in them."""
    import cv2

    scan = scan_of(page)
    own = pixels_of(scan) if scan else None
    if scan is None or own is None:
        return pixels
    wide, high = page.size
    shown = cv2.warpAffine(own, scan.affine, (wide, high), flags=cv2.INTER_NEAREST)
    there = cv2.warpAffine(np.full(own.shape[:2], 255, np.uint8), scan.affine, (wide, high),
                           flags=cv2.INTER_NEAREST) > 0  # fmt: skip
    # Where the page shows something else than the image alone, it is no plain scan.
    off = np.abs(shown.astype(np.int16) - pixels[:, :, :3]).mean(axis=2)[there].mean()
    if not off <= _ALIKE:
        return pixels
    made = pixels.copy()
    made[there, :3] = shown[there]
    return made
