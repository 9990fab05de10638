"""A trial: a page is drawn once by another process, which may be stopped, before it is drawn here.

What a PDF asks of whoever draws it has no bound: a file of one kilobyte can take a day, or all
memory. A process of its own takes a tenth of a second, and dies alone.
"""

import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from overpaint.errors import PictureError

SECONDS = 3  # of one core, to draw a page once
MEGABYTES = 1200
_PATIENCE = 20.0  # seconds of the clock, on a machine that has other work
_LATE = (-24, -9, 152)  # how a process ends that was stopped for the time it took
# The process knows nothing of this package, so that it starts at once.
_DRAW = """
import sys
try:
    import pypdfium2.raw as raw
except ImportError:
    sys.exit(77)
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[4]), int(sys.argv[4])))
    most = int(sys.argv[5]) << 20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (ImportError, ValueError, OSError):
    pass
raw.FPDF_InitLibrary()
file = raw.FPDF_LoadDocument(sys.argv[1].encode(), None)
page = raw.FPDF_LoadPage(file, int(sys.argv[2])) if file else None
if page:
    scale = float(sys.argv[3])
    wide = max(1, int(raw.FPDF_GetPageWidthF(page) * scale))
    high = max(1, int(raw.FPDF_GetPageHeightF(page) * scale))
    bitmap = raw.FPDFBitmap_Create(wide, high, 1)
    if not bitmap:
        sys.exit(3)
    raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, wide, high, 0, raw.FPDF_ANNOT)
"""
_UNTRIED = 77  # how it ends where pdfium is not found: nothing is known of the page


def try_page(path: Path, number: int, scale: float) -> None:
    """Refuse a page that cannot be drawn in bounded time and memory."""
    known = path.stat()
    said = _tried(path, number, scale, (known.st_mtime_ns, known.st_size))
    if said:
        raise PictureError(
            f"Page {number} of {path} {said}.",
            "A page has no need of that, an attack has.",
            "If you trust it, save it as a picture in another program and edit that.",
        )


@lru_cache(maxsize=4096)
def _tried(path: Path, number: int, scale: float, _version: tuple[int, int]) -> str:
    """What is wrong with drawing it; "" where nothing is."""
    if not sys.executable:
        return ""
    given = [str(path), str(number - 1), str(scale), str(SECONDS), str(MEGABYTES)]
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _DRAW, *given], timeout=_PATIENCE, check=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"takes more than {SECONDS} s to draw"
    if done.returncode in _LATE:
        return f"takes more than {SECONDS} s to draw"
    return (
        ""
        if done.returncode in (0, _UNTRIED)
        else f"cannot be drawn with {MEGABYTES:,} MB of memory"
    )
