"""Contact sheets of the typeset bench: before, edited and true, one case a row, the worst first."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from typeset_judging import Judged

from overpaint import weights

Pixels = NDArray[np.uint8]

ROWS = 16  # a sheet
WIDE, HIGH = 560, 420  # the most of a crop on the sheet
LABEL = 36


Row = tuple[str, tuple[Pixels, ...]]  # what is said of it, and its crops


def write(folder: Path, group: str, found: Sequence[Judged]) -> None:
    """The sheets of a group, as PNG files."""
    write_rows(folder, group, [(_label(case), case.crops) for case in sorted(found, key=score)])


def write_rows(folder: Path, name: str, rows: Sequence[Row]) -> None:
    """Sheets of rows of crops, as PNG files."""
    folder.mkdir(parents=True, exist_ok=True)
    for start in range(0, len(rows), ROWS):
        sheet = _sheet(rows[start : start + ROWS])
        sheet.save(folder / f"{name}-{start // ROWS + 1:02d}.png")


def score(case: Judged) -> tuple[bool, float]:
    """Where a case stands: not made first, then by SSIM."""
    seen = case.rows.get("typeset", case.rows["identity"])
    return seen.status == "ok", seen.ssim


def _sheet(rows: Sequence[Row]) -> Image.Image:
    pictures = [[_fitted(crop) for crop in crops] for _, crops in rows]
    heights = [LABEL + max(picture.height for picture in row) for row in pictures]
    sheet = Image.new("RGB", (3 * (WIDE + 10), sum(heights)), "white")
    pen, font = ImageDraw.Draw(sheet), ImageFont.truetype(weights.find("font-chinese-sans"), 14)
    top = 0
    for (label, _), row, high in zip(rows, pictures, heights, strict=True):
        pen.text((4, top + 8), label, fill="black", font=font)
        for column, picture in enumerate(row):
            sheet.paste(picture, (column * (WIDE + 10), top + LABEL))
        top += high
    return sheet


def _label(case: Judged) -> str:
    seen = case.rows.get("typeset", case.rows["identity"])
    said = seen.said.get("tiny", "") if seen.status == "ok" else f"{seen.status}: {seen.reason}"
    look = f"{case.family} {case.size:g} {case.mode} {case.ground} {case.align}"
    return f"{case.name}  SSIM {seen.ssim:.3f}  {look}  {case.instruction}  -> {said}"[:230]


def _fitted(crop: Pixels) -> Image.Image:
    """The crop, whole pixels where it fits, else shrunk."""
    picture = Image.fromarray(crop)
    scale = min(WIDE / picture.width, HIGH / picture.height)
    scale = min(2, int(scale)) if scale >= 1 else scale
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    how = Image.Resampling.NEAREST if scale >= 1 else Image.Resampling.LANCZOS
    return picture.resize(size, how)
