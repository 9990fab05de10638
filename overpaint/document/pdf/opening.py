"""Opening a PDF: its pages, each at the resolution it is taken apart at."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from overpaint.document.containers import check_page
from overpaint.document.pdf.forms import check_forms, own_dpi
from overpaint.document.pdf.page import Page
from overpaint.document.pdf.scans import scan_dpi
from overpaint.document.pictures import pixel_limit, read_file
from overpaint.errors import PictureError

DPI = 150
MIN_DPI = 36
SAME = 0.002  # two resolutions that differ by less are one


def pages(path: Path) -> int:
    """How many pages a PDF has."""
    document = opened(path)
    try:
        return len(document)
    finally:
        document.close()


def opened(path: Path) -> Any:
    """The file by pdfium, whole and not encrypted, or an error in a sentence."""
    try:
        document = pdfium.PdfDocument(read_file(path))
        document.init_forms()
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD:
            raise PictureError(
                f"{path} is encrypted.", "A PDF that opens without a password was expected.",
                "Save it without one.",
            ) from None  # fmt: skip
        raise PictureError(
            f"{path} is no whole PDF: {error}.", "", "Save or fetch it again."
        ) from None
    return document


@contextmanager
def page_of(path: Path, number: int) -> Iterator[Page]:
    """A page, open within the block, at 150 dpi or as much less as the limit of pixels asks."""
    document = opened(path)
    try:
        check_page(path, number, len(document))
        check_forms(path, read_file(path), number)
        try:
            page = document[number - 1]
        except pdfium.PdfiumError as error:
            raise PictureError(f"Page {number} of {path} cannot be read: {error}.") from None
        own = own_dpi(read_file(path), number)
        scanned = scan_dpi(Page(path, document, page, number, DPI / 72))
        wished = own or scanned or DPI
        dpi = _dpi(path, page, wished)
        notes = (f"drawn at {dpi:.0f} dpi, for it is large",) if dpi < wished else ()
        scan = scanned is not None and abs(dpi / scanned - 1) < SAME
        yield Page(path, document, page, number, dpi / 72, notes, scan)
    finally:
        document.close()


def _dpi(path: Path, page: Any, wished: float) -> float:
    width, height = page.get_width(), page.get_height()
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise PictureError(f"A page of {path} is {width:g}×{height:g} points large.")
    # A small part of the limit: a page is held several times while it is taken apart.
    most = pixel_limit() // 4
    dpi = min(wished, math.floor(72 * math.sqrt(most / (width * height))))
    if dpi < min(MIN_DPI, wished) or max(width, height) * dpi / 72 > 60_000:
        raise PictureError(
            f"A page of {path} is {width:,.0f}×{height:,.0f} points large.",
            f"At {MIN_DPI} dpi it would have more than {most:,} pixels.",
            "Save it at a smaller size.",
        )
    return dpi
