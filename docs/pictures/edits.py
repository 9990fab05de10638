"""The contact sheet of edits: a dozen generated pictures, each before and after, by `typeset`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from overpaint.document import Document, Pixels
from overpaint.document.instruct import parse
from overpaint.document.layers import Run, Style, Text
from overpaint.document.text.setting import draw_text
from overpaint.editors.typeset import perform
from overpaint.engines import documents
from overpaint.engines.posters import draw
from overpaint.errors import Refused
from overpaint.report.preview import changed

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

WIDE, HIGH = 470, 130  # of a crop
GAP, CAPTION = 14, 26
COLUMNS = 2  # pairs in a row
PAPER, INK, SOFT = (255, 255, 255), (40, 40, 40, 255), (130, 130, 130, 255)


@dataclass(frozen=True)
class Shown:
    """A picture, what is asked of it, and what kind of ground or edit it stands for."""

    about: str
    source: Pixels
    instruction: str


def samples() -> Iterator[Shown]:
    """The pictures of the sheet, as the engines and the bench make them."""
    for about, number in PAGES:
        page = documents.make(number, seed=5)
        yield Shown(about, page.source, page.instruction)
    from typeset_cases import build

    for about, group, number in CASES:
        case = build(group, number)
        yield Shown(about, case.source, case.instruction)
    for about, number, instruction in POSTERS:
        yield Shown(about, draw(51, number).source, instruction)


PAGES = (
    ("a page", 0),
    ("a Chinese page", 31),
    ("a table", 34),
    ("a sentence deleted", 2),
    ("a field filled in", 8),
    ("a row removed", 6),
)
CASES = (
    ("a scan", "known", 9),
    ("a gradient", "known", 2),
    ("a photograph", "known", 3),
    ("Chinese on a photograph", "known", 7),
    ("a scan, shrunk and JPEG-ed", "degraded", 3),
    ("a font that is not here", "held-out", 5),
)
POSTERS = (
    ("a misspelt title", 15, 'Correct "Leters" to "Letters".'),
    ("letters on a pattern", 5, "将标题“高山甜橙”替换为“高山血橙”。"),
    ("restyled", 23, 'Make "Delayed" green and bold.'),
    ("moved", 13, 'Move "3 March" down by 40 pixels.'),
    ("swapped", 0, 'Swap "Plum cake" and "Cheese roll".'),
    ("turned", 17, 'Rotate "New harvest" by 6° counterclockwise.'),
)


def sheet() -> Image.Image:
    """All edits on one picture."""
    cells = [cell for shown in samples() if (cell := _cell(shown)) is not None]
    rows = [cells[n : n + COLUMNS] for n in range(0, len(cells), COLUMNS)]
    highs = [max(cell.height for cell in row) for row in rows]
    wide = COLUMNS * (2 * WIDE + 3 * GAP)
    made = Image.new("RGB", (wide, sum(highs) + GAP * len(rows)), PAPER)
    top = 0
    for row, high in zip(rows, highs, strict=True):
        for number, cell in enumerate(row):
            made.paste(cell, (number * wide // COLUMNS, top))
        top += high + GAP
    return made


def _cell(shown: Shown) -> Image.Image | None:
    """A pair of crops; none, and a line on stderr, where the editor refuses."""
    before = shown.source
    try:
        done = perform(Document.of(before), parse(shown.instruction))
    except Refused as error:
        print(f"{shown.about}: {shown.instruction} {error}", file=sys.stderr)
        return None
    print(f"{shown.about}: {shown.instruction} {'; '.join(done.notes)}", file=sys.stderr)
    after = done.rgb
    box = _crop(before, after)
    crops = [_fitted(pixels[box[1] : box[3], box[0] : box[2]]) for pixels in (before, after)]
    cell = Image.new("RGB", (2 * WIDE + 3 * GAP, 2 * CAPTION + crops[0].height), PAPER)
    _write(cell, shown.about, (GAP, 18), SOFT)
    _write(cell, _short(shown.instruction), (GAP, 18 + CAPTION - 4), INK)
    for number, crop in enumerate(crops):
        cell.paste(crop, (GAP + number * (WIDE + GAP), 2 * CAPTION))
    return cell


def _crop(before: Pixels, after: Pixels) -> tuple[int, int, int, int]:
    """The change and some of what is around it, in the shape of a crop."""
    boxes = changed(before, after)
    high, wide = before.shape[:2]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
    around = max(16, (bottom - top) // 2)
    reach = max(right - left + 2 * around, (bottom - top + 2 * around) * WIDE // HIGH)
    reach = min(wide, max(reach, 2 * WIDE // 3))
    tall = min(high, reach * HIGH // WIDE)
    left = max(0, min(wide - reach, (left + right - reach) // 2))
    top = max(0, min(high - tall, (top + bottom - tall) // 2))
    return left, top, left + reach, top + tall


def _fitted(pixels: Pixels) -> Image.Image:
    image = Image.fromarray(np.ascontiguousarray(pixels))
    return image.resize((WIDE, HIGH), Image.Resampling.LANCZOS)


def _short(words: str) -> str:
    return words if len(words) <= 110 else f"{words[:109]}…"


def _write(image: Image.Image, words: str, at: tuple[int, int], colour: tuple[int, ...]) -> None:
    style = Style(family="PT Sans", size=17, colour=colour)  # type: ignore[arg-type]
    pixels, left, top = draw_text(Text((Run(words, style),)))
    drawn = Image.fromarray(pixels)
    image.paste(drawn, (at[0] + left, at[1] + top), drawn)
