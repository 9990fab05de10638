"""PSD type layers: words, fonts, sizes, colours and place from the text engine's own data."""

import math
import re
from collections.abc import Iterator
from typing import Any

from overpaint.document.layers import BLACK, Align, Colour, Pixels, Point, Run, Style, Text

# Adobe sets the first line of a box as far below its top as a "d" is high: of most fonts, this.
_FIRST_LINE = 0.74
_WEIGHTS = (
    ("thin", 100), ("extralight", 200), ("ultralight", 200), ("semibold", 600), ("demibold", 600),
    ("demi", 600), ("extrabold", 800), ("ultrabold", 800), ("heavy", 800), ("black", 900),
    ("light", 300), ("medium", 500), ("bold", 700),
)  # fmt: skip
_ALIGNS: dict[int, Align] = {0: "left", 1: "right", 2: "centre"}


def text_of(layer: Any, pixels: Pixels, corner: Point) -> tuple[Text, Point, float]:
    """A type layer's text, its place on the canvas and its angle.

    The angle is about the middle of what is drawn, the file's about its own origin: the place is
    moved so that the text, turned about its middle, stands where the file has it.
    """
    xx, xy, yx, yy, tx, ty = (float(v) for v in layer.transform)
    if not all(abs(v) < 1e6 for v in (xx, xy, yx, yy, tx, ty)):
        raise ValueError("its transform is out of bounds")
    across, down = math.hypot(xx, xy) or 1.0, math.hypot(yx, yy) or 1.0
    runs = tuple(_merged(_runs(layer, across, down)))
    box = _box(layer)
    at = (0.0, 0.0) if box is None else (box[0], box[1] + _FIRST_LINE * runs[0].style.size / down)
    place = (xx * at[0] + yx * at[1] + tx, xy * at[0] + yy * at[1] + ty)
    angle = math.degrees(math.atan2(xy, xx)) if math.hypot(xx, xy) else 0.0
    high, wide = pixels.shape[:2]
    place = _unturned(place, (corner[0] + wide / 2, corner[1] + high / 2), angle)
    text = Text(
        runs, None if box is None else (box[2] - box[0]) * across, pixels,
        (corner[0] - place[0], corner[1] - place[1]), turned=angle,
    )  # fmt: skip
    return text, place, angle


def _unturned(place: Point, middle: Point, angle: float) -> Point:
    """Where a place was before everything was turned about the middle."""
    if abs(angle) < 1e-9:
        return place
    turn = math.radians(-angle)
    x, y = place[0] - middle[0], place[1] - middle[1]
    return (
        middle[0] + x * math.cos(turn) - y * math.sin(turn),
        middle[1] + x * math.sin(turn) + y * math.cos(turn),
    )


def _box(layer: Any) -> tuple[float, float, float, float] | None:
    """The box that a paragraph's lines are broken in; None for text set at a point."""
    from psd_tools.constants import TextType

    if layer.text_type != TextType.PARAGRAPH:
        return None
    shape = layer.engine_dict["Rendered"]["Shapes"]["Children"][0]
    bounds = [float(v) for v in shape["Cookie"]["Photoshop"]["BoxBounds"]]
    if len(bounds) != 4 or not all(abs(v) < 1e6 for v in bounds) or bounds[2] <= bounds[0]:
        return None
    return bounds[0], bounds[1], bounds[2], bounds[3]


def _runs(layer: Any, across: float, down: float) -> Iterator[Run]:
    setting = layer.typesetting
    found = [
        Run(_lines(run.text), _style(run.style, paragraph.style, across, down))
        for paragraph in setting
        for run in paragraph.runs
    ]
    if not any(run.words for run in found):
        found = [Run(_lines(layer.text), Style(size=_bounded(12.0 * down)))]
    last = found[-1]  # the engine ends every text with a line's end
    found[-1] = Run(last.words.removesuffix("\n"), last.style)
    yield from found


def _merged(runs: Iterator[Run]) -> Iterator[Run]:
    """Runs without empty ones, neighbours of one style joined."""
    held: Run | None = None
    for run in runs:
        if held is not None and held.style == run.style:
            held = Run(held.words + run.words, held.style)
        elif run.words or held is None:
            if held is not None:
                yield held
            held = run
    if held is not None:
        yield held


def _lines(words: str) -> str:
    return words.replace("\r\n", "\n").replace("\r", "\n").replace("\x03", "\n").rstrip("\x00")


def _style(run: Any, paragraph: Any, across: float, down: float) -> Style:
    size = _bounded(run.font_size * run.vertical_scale * down)
    family, weight, italic = _font(run)
    leading = paragraph.auto_leading if run.auto_leading else run.leading * down / size
    wide, high = run.horizontal_scale * across, run.vertical_scale * down
    return Style(
        family, size, weight, italic, _colour(run.fill_color),
        _ALIGNS.get(int(paragraph.justification), "justify"),
        spacing=run.tracking / 1000 * size, leading=leading if 0 < leading < 100 else 1.2,
        stretch=wide / high if 0.01 < wide / (high or 1) < 100 else 1.0,
        underline=run.underline, strike=run.strikethrough,
    )  # fmt: skip


def _bounded(size: float) -> float:
    return min(max(size, 0.1), 20_000.0) if math.isfinite(size) else 12.0


def _font(run: Any) -> tuple[str, int, bool]:
    """Family, weight and slant from a font's PostScript name: OpenSans-BoldItalic."""
    font = run.font
    name, style = (font.postscript_name, font.style) if font else ("", "")
    stem, _, rest = name.partition("-")
    stem = re.sub(r"(PS)?(MT)?$", "", stem) or stem
    family = (font.family if font else "") or re.sub(
        r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", stem
    )
    said = f"{rest} {style}".lower().replace(" ", "").replace("-", "")
    weight = next((number for word, number in _WEIGHTS if word in said), 400)
    slanted = "italic" in said or "oblique" in said
    return (
        family or Style().family,
        max(weight, 700) if run.faux_bold else weight,
        slanted or run.faux_italic,
    )


def _colour(values: tuple[float, ...] | None) -> Colour:
    """A colour of the engine: alpha first, then grey, red green blue, or four inks."""
    if values is None or not all(math.isfinite(v) for v in values):
        return BLACK
    share = [min(1.0, max(0.0, v)) for v in values]
    if len(share) == 2:
        rgb = [share[1]] * 3
    elif len(share) == 4:
        rgb = share[1:]
    elif len(share) == 5:
        rgb = [(1 - ink) * (1 - share[4]) for ink in share[1:4]]
    else:
        return BLACK
    red, green, blue = (round(255 * v) for v in rgb)
    return red, green, blue, round(255 * share[0])
