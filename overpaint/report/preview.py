"""A picture of an edit: before and after side by side, what changed marked and shown larger."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from overpaint.document import Document, Pixels
from overpaint.document.pictures import encode_png

MARK = (214, 51, 108)
PAPER = (255, 255, 255)
WIDE = 720  # of each of the two pictures
GAP = 12
AROUND = 40  # pixels shown around what changed


def write_preview(before: Document, after: Document, path: Path) -> None:
    """Write the two side by side, and below them the changed part of each."""
    path.write_bytes(encode_png(preview(before.rgb, after.rgb)))


def preview(before: Pixels, after: Pixels) -> Pixels:
    """The two pictures in a row; where they differ, marked, and enlarged in a second row."""
    rows = [_row(before, after, _changed(before, after))]
    box = _changed(before, after)
    if box is not None:
        left, top = max(0, box[0] - AROUND), max(0, box[1] - AROUND)
        cut = (slice(top, box[3] + AROUND), slice(left, box[2] + AROUND))
        rows.append(_row(before[cut], after[cut], None))
    sheet = Image.new("RGB", (2 * WIDE + 3 * GAP, sum(r.height + GAP for r in rows) + GAP), PAPER)
    top = GAP
    for row in rows:
        sheet.paste(row, (GAP, top))
        top += row.height + GAP
    return np.asarray(sheet)


def _row(before: Pixels, after: Pixels, box: tuple[int, int, int, int] | None) -> Image.Image:
    shown = []
    for pixels in (before, after):
        image = Image.fromarray(np.ascontiguousarray(pixels))
        factor = WIDE / image.width
        image = image.resize((WIDE, max(1, round(image.height * factor))), Image.Resampling.LANCZOS)
        if box is not None:
            edge = [
                round(side * factor) + more for side, more in zip(box, (-4, -4, 4, 4), strict=True)
            ]
            ImageDraw.Draw(image).rectangle(edge, outline=MARK, width=2)
        shown.append(image)
    row = Image.new("RGB", (2 * WIDE + GAP, max(image.height for image in shown)), PAPER)
    for number, image in enumerate(shown):
        row.paste(image, (number * (WIDE + GAP), 0))
    return row


def _changed(before: Pixels, after: Pixels) -> tuple[int, int, int, int] | None:
    """The box of all that differs; none where nothing does, or the canvas itself changed."""
    if before.shape != after.shape or not (differs := (before != after).any(axis=2)).any():
        return None
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
