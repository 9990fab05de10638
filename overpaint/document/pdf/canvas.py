"""A canvas of PDF operators in pixels, y downwards, and the resources they name."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from overpaint.document.layers import Blend, Gradient
from overpaint.document.pdf.fonts import Embedded, Fonts, Unseen
from overpaint.document.pdf.page import UNIT, Matrix, times

Move = int | float  # a glyph's number, or how far the pen goes back in thousandths of the size
BLENDS: Mapping[Blend, str] = {
    "normal": "Normal", "multiply": "Multiply", "screen": "Screen", "overlay": "Overlay",
    "darken": "Darken", "lighten": "Lighten", "colour-dodge": "ColorDodge",
    "colour-burn": "ColorBurn", "hard-light": "HardLight", "soft-light": "SoftLight",
    "difference": "Difference", "exclusion": "Exclusion", "hue": "Hue",
    "saturation": "Saturation", "colour": "Color", "luminosity": "Luminosity",
}  # fmt: skip


def number(value: float) -> str:
    """A number as PDF writes it: no exponent, and no digits that say nothing."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if value != round(value) else str(round(value))


@dataclass(frozen=True)
class Row:
    """Glyphs to be shown; their codes are known once the whole font is."""

    font: Embedded | Unseen
    moves: tuple[Move, ...]


@dataclass(frozen=True)
class Laid:
    """How what is drawn is laid on what is below: opacity, blend mode, and a soft mask."""

    opacity: float = 1.0
    blend: Blend = "normal"
    mask: Any = None


class Canvas:
    """Operators and what they name; `base` leads from its pixels to the page's points."""

    def __init__(self, file: Any, fonts: Fonts, base: Matrix, mark: str = "Op") -> None:
        self.file, self.fonts, self.base, self.mark = file, fonts, base, mark
        self.parts: list[str | Row] = []
        self.named: dict[str, dict[str, Any]] = {}
        self.inner: list[tuple[Canvas, Any]] = []  # forms, and their streams
        self.laid = Laid()
        self._states: dict[tuple[Any, ...], str] = {}

    def op(self, name: str, *operands: float | str) -> None:
        """Write an operator."""
        said = [one if isinstance(one, str) else number(one) for one in operands]
        self.parts.append(" ".join([*said, name]))

    def name(self, kind: str, thing: Any) -> str:
        """The name of a resource on this canvas."""
        known = self.named.setdefault(kind, {})
        for name, other in known.items():
            if other is thing:
                return name
        known[name := f"/{self.mark}{kind[0]}{len(known) + 1}"] = thing
        return name

    @contextmanager
    def kept(self, matrix: Matrix | None = None) -> Iterator[None]:
        """Restore the state after the block."""
        self.op("q")
        if matrix is not None:
            self.op("cm", *matrix)
        yield
        self.op("Q")

    def state(self, alpha: float = 1.0) -> None:
        """From here on: lay things as `laid` says, and so much more transparent."""
        alpha, blend, mask = round(alpha * self.laid.opacity, 5), self.laid.blend, self.laid.mask
        if (alpha, blend, mask) == (1.0, "normal", None):
            return
        key = (alpha, blend, id(mask))
        if key not in self._states:
            made = Dictionary(Type=Name.ExtGState, ca=alpha, CA=alpha, BM=Name("/" + BLENDS[blend]))
            if mask is not None:
                made.SMask = mask
            self._states[key] = self.name("ExtGState", made)
        self.op("gs", self._states[key])

    def colour(self, colour: Sequence[int], *, stroke: bool = False) -> None:
        """From here on this colour, its alpha left out."""
        self.op("RG" if stroke else "rg", *(channel / 255 for channel in colour[:3]))

    def rectangle(self, left: float, top: float, wide: float, high: float) -> None:
        """The path of a rectangle, its top a curve that is straight: programs that know one move
        its edges to whole pixels (pdfium, also where a corner too many stands on a side)."""
        self.op("m", left, top)
        self.op("c", left + wide / 3, top, left + 2 * wide / 3, top, left + wide, top)
        self.op("l", left + wide, top + high)
        self.op("l", left, top + high)
        self.op("h")

    def gradient(self, gradient: Gradient, ends: tuple[float, ...], matrix: Matrix) -> None:
        """Fill with colours along a line from here on; `matrix` leads to this canvas."""
        shading = Dictionary(
            ShadingType=2, ColorSpace=Name.DeviceRGB, Coords=Array(list(ends)),
            Function=_function(gradient), Extend=Array([True, True]),
        )  # fmt: skip
        pattern = Dictionary(Type=Name.Pattern, PatternType=2, Shading=shading,
                             Matrix=Array(list(times(matrix, self.base))))  # fmt: skip
        self.op("cs", "/Pattern")
        self.op("scn", self.name("Pattern", self.file.make_indirect(pattern)))

    def form(self, size: tuple[int, int], *, grey: bool = False) -> "tuple[Canvas, Any]":
        """A canvas whose picture is laid on this one as a whole, and the form it becomes."""
        group = Dictionary(S=Name.Transparency, I=True,
                           CS=Name.DeviceGray if grey else Name.DeviceRGB)  # fmt: skip
        stream = self.file.make_stream(
            b"", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, *size], Group=group
        )
        canvas = Canvas(self.file, self.fonts, UNIT)  # patterns count from the form's corner
        self.inner.append((canvas, stream))
        return canvas, stream

    # ── done ────────────────────────────────────────────────────────────────────────────

    def resources(self) -> Dictionary:
        """What the operators name."""
        return Dictionary({f"/{kind}": Dictionary(named) for kind, named in self.named.items()})

    def data(self, codes: Mapping[int, Mapping[int, int]]) -> bytes:
        """The operators, once fonts are in the file; forms are finished with them."""
        for canvas, stream in self.inner:
            stream.write(canvas.data(codes))
            stream.Resources = canvas.resources()
        said = [_shown(one, codes) if isinstance(one, Row) else one for one in self.parts]
        return "\n".join(said).encode("latin-1")


def _shown(row: Row, codes: Mapping[int, Mapping[int, int]]) -> str:
    own, parts, held = codes[id(row.font)], list[str](), ""
    for move in row.moves:
        if isinstance(move, int):
            held += f"{own[move]:04X}"
            continue
        if held:
            parts.append(f"<{held}>")
        held = ""
        parts.append(number(move))
    return f"[{' '.join([*parts, f'<{held}>' if held else ''])}] TJ"


def _function(gradient: Gradient) -> pikepdf.Dictionary:
    """The colour at each place of a gradient, 0 to 1."""
    stops = list(gradient.stops)
    if stops[0][0] > 0:
        stops.insert(0, (0.0, stops[0][1]))
    if stops[-1][0] < 1:
        stops.append((1.0, stops[-1][1]))
    parts = [
        Dictionary(FunctionType=2, N=1, Domain=[0, 1], C0=_shares(one[1]), C1=_shares(other[1]))
        for one, other in pairwise(stops)
    ]
    if len(parts) == 1:
        return parts[0]
    return Dictionary(
        FunctionType=3, Domain=[0, 1], Functions=Array(parts),
        Bounds=Array([place for place, _ in stops[1:-1]]), Encode=Array([0, 1] * len(parts)),
    )  # fmt: skip


def _shares(colour: Sequence[int]) -> Array:
    return Array([round(channel / 255, 5) for channel in colour[:3]])
