"""Parts: all that decides how one layer looks, and the layer made of it.

A layer is drawn from its own part and nothing else, so a changed part leaves every other layer
as it was, bit for bit.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from overpaint.document import Layer, Picture
from overpaint.document.layers import Run, Shape, Stroke, Style, Text
from overpaint.document.render import sheet_of
from overpaint.engines.milde import figures, grounds
from overpaint.engines.milde.brush import plain_colour
from overpaint.engines.milde.palette import hexed
from overpaint.vision.layers import Kind

Figure = Literal[
    "ground", "motif", "pattern", "bunting", "corners", "ribbon", "seal", "band", "frame", "rule",
    "text",
]  # fmt: skip
Box = tuple[int, int, int, int]
LEADING, LOOSE = 1.26, 1.75  # from baseline to baseline, in sizes; below a title
SHAPES = ("band", "frame", "rule")


@dataclass(frozen=True)
class Part:
    """One leaf layer before it is drawn."""

    id: str
    role: str  # what it is for: ground, motif, second, title, details …
    kind: Kind
    name: str
    figure: Figure
    box: Box
    colour: str = "white"  # names of colours
    other: str = "white"
    motif: str = ""
    plate: str = ""  # the shape behind a motif, or nothing
    variant: str = ""
    grain: int = 0  # seeds what is scattered
    roles: tuple[str, ...] = ()  # of a text's lines, top first
    lines: tuple[str, ...] = ()
    family: str = ""
    weight: int = 400
    size: float = 0.0  # of its first line
    rest: float = 0.0  # of the lines below it; 0: the same
    align: Literal["left", "centre", "right"] = "left"
    live: bool = True

    @property
    def words(self) -> str:
        """What it says."""
        return "\n".join(self.lines)


def layer(part: Part) -> Layer:
    """The layer of a part."""
    left, top = part.box[:2]
    if part.figure == "text":
        return _lettered(part)
    if part.figure in SHAPES and part.live:
        return Layer(_shape(part), part.name, part.id, left=left, top=top)
    if part.figure in SHAPES:
        return _flattened(replace(part, live=True))
    return Layer(Picture(_drawn(part)), part.name, part.id, left=left, top=top)


@lru_cache(maxsize=64)  # source and truth share most of them
def _drawn(part: Part) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    wide, high = part.box[2] - part.box[0], part.box[3] - part.box[1]
    colours = hexed(part.colour), hexed(part.other)
    if part.figure == "ground":
        return grounds.draw(part.variant, (wide, high), colours, part.grain)
    if part.figure == "motif":
        return figures.motif(part.motif, wide, part.variant, (part.plate, colours[1]))
    if part.figure == "pattern":
        return figures.pattern(part.motif, (wide, high), colours[0], part.grain)
    if part.figure == "seal":
        return figures.seal(part.variant, wide, colours[0])
    return figures.DECORATIONS[part.figure]((wide, high), colours, part.grain)


def _shape(part: Part) -> Shape:
    wide, high = part.box[2] - part.box[0], part.box[3] - part.box[1]
    colour = plain_colour(hexed(part.colour))
    if part.figure == "frame":
        stroke = Stroke(colour, max(3.0, round(min(wide, high) / 130)))
        return Shape("rectangle", wide, high, (0, 0, 0, 0), stroke, radius=float(part.grain))
    return Shape("rectangle", wide, high, colour, radius=float(part.grain))


def style(part: Part, size: float) -> Style:
    """How the words of a part are set at a size."""
    colour = plain_colour(hexed(part.colour))
    return Style(
        part.family,
        size,
        part.weight,
        colour=colour,
        align=part.align,
        leading=LEADING,
    )


def text(part: Part) -> Text:
    """The words of a part, set."""
    first, *rest = part.lines
    if not rest or not part.rest:
        return Text((Run(part.words, style(part, part.size)),))
    lower = replace(part, weight=min(part.weight, 500), variant="")
    below = Run("\n".join(rest), replace(style(lower, part.rest), leading=LOOSE))
    return Text((Run(f"{first}\n", style(part, part.size)), below))


def _lettered(part: Part) -> Layer:
    left, top, right, _ = part.box
    x = {"left": left, "centre": (left + right) / 2, "right": right}[part.align]
    live = Layer(text(part), part.name, part.id, left=float(x), top=float(top + part.size * 0.92))
    return live if part.live else _pixels(live)


def _flattened(part: Part) -> Layer:
    return _pixels(layer(part))


def _pixels(live: Layer) -> Layer:
    sheet = sheet_of(live)
    assert sheet is not None, f"{live.name} draws nothing"
    return Layer(Picture(sheet.pixels), live.name, live.id, left=sheet.left, top=sheet.top)
