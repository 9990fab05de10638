"""Layers: what a document is made of. Values only; nothing here draws, reads or writes.

Layer        name, id, place, angle, opacity, blend mode, visibility, mask, and one of
├── Picture  RGBA pixels
├── Text     runs of words, each in a style
├── Shape    a rectangle, an ellipse or a path, filled and stroked
└── Group    layers, bottom first
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int, int]  # red, green, blue, alpha, each 0–255
Point = tuple[float, float]  # x, y in pixels, from the top left

Blend = Literal[
    "normal", "multiply", "screen", "overlay", "darken", "lighten", "colour-dodge", "colour-burn",
    "linear-dodge", "linear-burn", "hard-light", "soft-light", "difference", "exclusion",
    "hue", "saturation", "colour", "luminosity", "pass-through",
]  # fmt: skip
BLENDS: tuple[Blend, ...] = get_args(Blend)
Align = Literal["left", "centre", "right", "justify"]
# How letters meet the pixel grid: drawn large and shrunk, at any fraction of a pixel; by FreeType
# at their size; or so with the font's hints, which bend stems to whole pixels.
Edges = Literal["fine", "plain", "hinted"]

BLACK: Colour = (0, 0, 0, 255)
CLEAR: Colour = (0, 0, 0, 0)


class Compared:
    """Equality of values that hold arrays: every field equal, arrays to the last bit."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        names = [f.name for f in fields(self) if f.compare]  # type: ignore[arg-type]
        return all(_same(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return one is other or (
            isinstance(one, np.ndarray)
            and isinstance(other, np.ndarray)
            and one.dtype == other.dtype
            and np.array_equal(one, other)
        )
    return bool(one == other)


# ── text ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Stroke:
    """An outline: its colour and its whole width in pixels, half of it outside the edge."""

    colour: Colour
    width: float


@dataclass(frozen=True)
class Shadow:
    """A copy in one colour, moved and blurred (Gaussian sigma in pixels), below the text."""

    colour: Colour
    across: float
    down: float
    blur: float = 0.0


@dataclass(frozen=True)
class Gradient:
    """Colours along a line through the box; 0° runs left to right, 90° top to bottom."""

    stops: tuple[tuple[float, Colour], ...]  # position 0–1, in order
    angle: float = 0.0


@dataclass(frozen=True)
class Style:
    """How words look."""

    family: str = "PT Sans"
    size: float = 16.0  # of the em, in pixels
    weight: int = 400  # 100–900
    italic: bool = False
    colour: Colour = BLACK
    align: Align = "left"
    spacing: float = 0.0  # added after each letter, in pixels
    gap: float = 0.0  # added to each space, in pixels: a line of justified text
    leading: float = 1.2  # from baseline to baseline, in sizes
    stretch: float = 1.0  # letters are this much wider than the font has them
    underline: bool = False
    strike: bool = False
    stroke: Stroke | None = None
    shadow: Shadow | None = None
    gradient: Gradient | None = None  # fills the letters in place of the colour
    swell: float = 0.0  # strokes grow by this much on either side, in sizes; below 0 they shrink
    edges: Edges = "fine"
    whole: bool = False  # lines are drawn in one go, and letters kern across spaces
    blur: float = 0.0  # Gaussian sigma in pixels: text of a scan or a photograph
    # Of the paragraph that begins with it: how far its lines are indented, the mark before them
    # ("•"; "1.", "a)" or "(i)" where paragraphs are counted), and how far before them it stands.
    indent: float = 0.0
    bullet: str = ""
    hang: float = 0.0


@dataclass(frozen=True)
class Run:
    """Words in one style; \\n ends a line."""

    words: str
    style: Style = Style()


@dataclass(frozen=True, eq=False)
class Glyph(Compared):
    """One letter as it was found drawn: how far each pixel is covered, 0–255, and its place.

    `left` and `top` lead from the pen on the baseline to the corner; `advance` to the next pen,
    which is so much farther off, mostly less than nothing, as `kerns` has it for the next letter.
    """

    alpha: Pixels
    left: float
    top: float
    advance: float
    kerns: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Text(Compared):
    """Words that can still be changed.

    The layer's place is the first baseline: its left end, its middle or its right end as the
    first run is aligned; where `width` is given, the left edge of the box lines are broken in.
    """

    runs: tuple[Run, ...]
    width: float | None = None
    # As the program that wrote the file drew it, cropped, and where its corner is from the
    # layer's place. Shown until the text is changed, so that what nobody edits does not change.
    drawn: Pixels | None = None
    drawn_at: Point = (0.0, 0.0)
    # Letters cut from a picture whose font is not on the machine, used before the font's own.
    glyphs: Mapping[str, Glyph] | None = None
    turned: float = 0.0  # degrees of the layer's angle that are in `drawn` already

    @property
    def words(self) -> str:
        """All it says."""
        return "".join(run.words for run in self.runs)

    @property
    def style(self) -> Style:
        """The style it begins in."""
        return self.runs[0].style if self.runs else Style()


# ── the other contents ──────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Picture(Compared):
    """RGBA pixels, H×W×4, not premultiplied."""

    pixels: Pixels


@dataclass(frozen=True)
class Shape:
    """A figure in a box of `width`×`height` whose corner is the layer's place."""

    kind: Literal["rectangle", "ellipse", "path"]
    width: float
    height: float
    fill: Colour | Gradient = BLACK
    stroke: Stroke | None = None
    radius: float = 0.0  # of a rectangle's corners
    # Of a path: closed outlines with straight sides, points within the box; even-odd.
    outlines: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True)
class Group:
    """Layers, bottom first; their places are the canvas's, as everywhere."""

    layers: "tuple[Layer, ...]"


Content = Picture | Text | Shape | Group


@dataclass(frozen=True, eq=False)
class Mask(Compared):
    """How much of a layer shows: H×W, 0–255, its corner on the canvas; `outside` beyond it."""

    pixels: Pixels
    left: int = 0
    top: int = 0
    outside: int = 0


@dataclass(frozen=True, eq=False)
class Layer(Compared):
    """One sheet of a document."""

    content: Content
    name: str = ""
    id: str = ""  # unlike any other in its document; the file's own where it has one
    left: float = 0.0  # of its place on the canvas: a corner, or a text's first baseline
    top: float = 0.0
    angle: float = 0.0  # degrees clockwise, about the middle of what is drawn
    opacity: float = 1.0
    blend: Blend = "normal"
    visible: bool = True
    clip: bool = False  # shows only where the unclipped layer below it does
    mask: Mask | None = None

    @property
    def pixels(self) -> Pixels:
        """The pixels of a picture."""
        assert isinstance(self.content, Picture), f"{self.name} is no picture"
        return self.content.pixels

    @property
    def kind(self) -> str:
        """picture, text, shape or group."""
        return type(self.content).__name__.lower()


def walk(layers: tuple[Layer, ...]) -> Iterator[Layer]:
    """Every layer, bottom first, a group before what is in it."""
    for layer in layers:
        yield layer
        if isinstance(layer.content, Group):
            yield from walk(layer.content.layers)


def plain(words: str) -> str:
    """Words in small letters and single spaces, so that what says the same is the same."""
    return " ".join(words.casefold().split())
