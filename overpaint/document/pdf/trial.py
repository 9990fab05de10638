"""A trial: a page is drawn once by another process, which may be stopped, before it is drawn here.

What a PDF asks of whoever draws it has no bound: a file of one kilobyte can take a day, or all
memory. A process of its own takes a tenth of a second, and dies alone.
"""

import subprocess
import sys
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
import time
raw.FPDF_InitLibrary()
file = raw.FPDF_LoadDocument(sys.argv[1].encode(), None)
first, scale = int(sys.argv[2]), float(sys.argv[3])
for number in range(first, raw.FPDF_GetPageCount(file) if file else 0):
    page = raw.FPDF_LoadPage(file, number)
    if page:
        wide, high = raw.FPDF_GetPageWidthF(page), raw.FPDF_GetPageHeightF(page)
        fit = min(scale, (25e6 / max(1.0, wide * high)) ** 0.5)
        wide, high = max(1, int(wide * fit)), max(1, int(high * fit))
        bitmap = raw.FPDFBitmap_Create(wide, high, 1)
        if not bitmap:
            sys.exit(3)
        raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, wide, high, 0, raw.FPDF_ANNOT)
        raw.FPDFBitmap_Destroy(bitmap)
        raw.FPDF_ClosePage(page)
    print(number + 1, flush=True)
    if time.process_time() > float(sys.argv[6]):
        break
"""
_UNTRIED = 77  # how it ends where pdfium is not found: nothing is known of the page


_AHEAD = 1.0  # seconds of one core in which the pages that follow are tried as well
_TRIED: dict[tuple[Path, int, int], set[int]] = {}  # pages that can be drawn, of each file


def try_page(path: Path, number: int, scale: float) -> None:
    """Refuse a page that cannot be drawn in bounded time and memory."""
    about = path.stat()
    known = _TRIED.setdefault((path, about.st_mtime_ns, about.st_size), set())
    if number in known or not sys.executable:
        return
    # Whoever reads page after page is spared a process for each.
    done, why = _drawn(path, number, scale, _AHEAD if number - 1 in known else 0.0)
    known |= done
    if number not in done and why:
        raise PictureError(
            f"Page {number} of {path} {why}.",
            "A page has no need of that, an attack has.",
            "If you trust it, save it as a picture in another program and edit that.",
        )


def _drawn(path: Path, number: int, scale: float, ahead: float) -> tuple[set[int], str]:
    """The pages that were drawn, and what was wrong with the first that was not."""
    given = [str(path), number - 1, scale, SECONDS, MEGABYTES, ahead]
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _DRAW, *map(str, given)], timeout=_PATIENCE, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return set(), f"takes more than {SECONDS} s to draw"
    pages = {int(line) for line in done.stdout.split()}
    if done.returncode in _LATE:
        return pages, f"takes more than {SECONDS} s to draw"
    drawn = done.returncode in (0, _UNTRIED)
    return pages, "" if drawn else f"cannot be drawn with {MEGABYTES:,} MB of memory"
