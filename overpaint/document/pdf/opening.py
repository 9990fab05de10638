"""Opening a PDF: its pages, each at the resolution it is taken apart at."""

import math
import time
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
from overpaint.document.pdf.trial import try_page
from overpaint.document.pictures import pixel_limit, read_file
from overpaint.errors import PictureError

DPI = 150
MIN_DPI = 36
SECONDS = 8.0  # to take a page apart
MAX_NOTES = 5_000  # annotations of a page
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
            f"{path} is no whole PDF: {str(error).rstrip('.')}.", "", "Save or fetch it again."
        ) from None
    return document


@contextmanager
def page_of(path: Path, number: int, *, ours: bool = False) -> Iterator[Page]:
    """A page, open within the block, at 150 dpi or as much less as the limit of pixels asks.

    `ours`: it was written here, of a page that has been tried.
    """
    document = opened(path)
    try:
        check_page(path, number, len(document))
        data = read_file(path)
        check_forms(path, data, number)
        if not ours:
            try_page(path, number, _trial_scale(path, document, number))
        page = _loaded(path, document, number)
        own = own_dpi(data, number)
        due = time.monotonic() + SECONDS
        scanned = scan_dpi(Page(path, document, page, number, DPI / 72, due=due))
        wished = own or scanned or DPI
        dpi = _dpi(path, page.get_size(), wished)
        notes = (f"drawn at {dpi:.0f} dpi, for it is large",) if dpi < wished else ()
        scan = scanned is not None and abs(dpi / scanned - 1) < SAME
        yield Page(path, document, page, number, dpi / 72, notes, scan, due)
    finally:
        document.close()


def point(path: Path, number: int) -> float:
    """How many pixels of a page that is read are a point."""
    with page_of(path, number, ours=True) as page:
        return page.scale


def _loaded(path: Path, document: Any, number: int) -> Any:
    try:
        page = document[number - 1]
    except pdfium.PdfiumError as error:
        why = str(error).rstrip(".")
        raise PictureError(f"Page {number} of {path} cannot be read: {why}.") from None
    if raw.FPDFPage_GetAnnotCount(page) > MAX_NOTES:
        raise PictureError(f"{path} has more than {MAX_NOTES:,} annotations on a page.")
    return page


def _trial_scale(path: Path, document: Any, number: int) -> float:
    """How large a page is drawn on trial; known before it is loaded, which is tried, too."""
    size = raw.FS_SIZEF()
    if not raw.FPDF_GetPageSizeByIndexF(document, number - 1, size):
        return DPI / 72
    return _dpi(path, (size.width, size.height), DPI) / 72


def _dpi(path: Path, size: tuple[float, float], wished: float) -> float:
    width, height = size
    if not (1 <= width < math.inf and 1 <= height < math.inf):
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
