"""Settling: of a face that lies on a line, the style it is set in, to the size and the pixel.

Whoever set the line chose whole sizes, added nothing to letters and spaces, or the same to all.
What was measured is therefore held against such simple styles, each drawn exactly as it would be
drawn on the page, and the simplest that is as like as any is taken.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from overpaint.document.layers import Edges, Pixels, Style
from overpaint.document.text.drawing import FINE, draw_fine, draw_line
from overpaint.document.text.drawing import Cover as Drawn
from overpaint.document.text.faces import Face
from overpaint.document.text.seen import Cover, Seen
from overpaint.document.text.trial import Trial, likeness, settle, soften

# Less than this is nothing, in sizes; sigma in pixels for blur.
_NO_SPACING, _NO_GAP, _NO_SWELL, _NO_BLUR = 0.012, 0.02, 0.008, 0.3
_NEAR = 0.02  # a size is no whole one where it is farther off, in sizes
# A simpler style is taken where its error is at most so many times that of the best, and more.
_AS_GOOD, _AND = 1.1, 3e-4


@dataclass(frozen=True)
class Settled:
    """A face, a style, the pen's place in the picture, and how like it is drawn so."""

    face: Face
    style: Style
    left: float
    baseline: float
    likeness: float = 0.0

    @property
    def error(self) -> float:
        """The share of the line that it does not explain."""
        return 1.0 - self.likeness**2


def draw_over(settled: Settled, text: str, shape: tuple[int, int]) -> Cover:
    """The text drawn in a picture of that shape, 0–1."""
    made = draw_line(text, settled.face, settled.style, (settled.left, settled.baseline))
    corner = math.floor(settled.left) + made.left, math.floor(settled.baseline) + made.top
    return np.asarray(_pasted(made.alpha, corner, shape) / 255, np.float32)


def _pasted(ink: Pixels, corner: tuple[int, int], shape: tuple[int, int]) -> Pixels:
    """The ink on a sheet of that shape; what lies beyond its edge is lost."""
    sheet = np.zeros(shape, np.uint8)
    (left, top), (high, wide) = corner, ink.shape
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + wide, shape[1]), min(top + high, shape[0])
    if x0 < x1 and y0 < y1:
        sheet[y0:y1, x0:x1] = ink[y0 - top : y1 - top, x0 - left : x1 - left]
    return sheet


def measure(settled: Settled, seen: Seen) -> Settled:
    """The same with how like it is to the line."""
    drawn = draw_over(settled, seen.text, seen.cover.shape)
    return replace(settled, likeness=likeness(seen.cover, drawn))


@dataclass(frozen=True)
class _Fine:
    """A style drawn large, to be set down on any quarter of a pixel."""

    sheet: Drawn
    shape: tuple[int, int]

    def at(self, quarters: tuple[int, int]) -> Cover:
        """The line with its pen there."""
        import cv2

        if not self.sheet.alpha.size:
            return np.zeros(self.shape, np.float32)
        x, y = quarters[0] + self.sheet.left, quarters[1] + self.sheet.top
        (right, down), (high, wide) = (x % FINE, y % FINE), self.sheet.alpha.shape
        after = -(right + wide) % FINE, -(down + high) % FINE
        large = np.pad(self.sheet.alpha, ((down, after[1]), (right, after[0])))
        whole = (large.shape[1] // FINE, large.shape[0] // FINE)
        drawn = np.asarray(cv2.resize(large, whole, interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(_pasted(drawn, (x // FINE, y // FINE), self.shape) / 255, np.float32)


def snap(settled: Settled, seen: Seen) -> Settled:
    """The pen at the quarter of a pixel where it is most like the line, blurred as it is."""
    fine = _Fine(draw_fine(seen.text, settled.face, settled.style), seen.cover.shape)

    def like(quarters: tuple[int, int]) -> float:
        return likeness(seen.cover, soften(fine.at(quarters), settled.style.blur))

    best = round(settled.left * FINE), round(settled.baseline * FINE)
    most, whole = like(best), FINE * round(settled.baseline)
    for _ in range(4):
        x, y = best
        near = {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1), (x, whole)} - {best}
        found, spot = max((like(one), one) for one in near)
        if found <= most:
            break
        best, most = spot, found
    blur, most = _blurred(fine.at(best), seen, settled.style.blur)
    return replace(
        settled, left=best[0] / FINE, baseline=best[1] / FINE, likeness=most,
        style=replace(settled.style, blur=blur),
    )  # fmt: skip


def _blurred(drawn: Cover, seen: Seen, blur: float) -> tuple[float, float]:
    """The blur that is most like the line's, and how like it is."""
    steps = sorted({0.0, 0.4, 0.6, 0.9, 1.2, blur, blur * 0.85, blur * 1.15})
    likes = [(likeness(seen.cover, soften(drawn, step)), step) for step in steps]
    like, step = max(likes)
    # Sharp where it makes no difference.
    sharp = likes[0][0]
    return (0.0, sharp) if 1 - sharp**2 <= _AS_GOOD * (1 - like**2) + _AND else (step, like)


def settle_style(trial: Trial, small: Seen, seen: Seen) -> Settled:
    """The simplest style that is about as like as any, from a trial on the shrunk line."""
    found = [snap(_settled(one, small.factor), seen) for one in _simple(trial, small)]
    least = min(one.error for one in found)
    return next(one for one in found if one.error <= _AS_GOOD * least + _AND)


def _simple(trial: Trial, small: Seen) -> Iterator[Trial]:
    """The trial in simpler and simpler styles, the simplest first."""
    exact = settle(trial, small, (0.0, 0.0, 0.0))
    if abs(exact.swell) < _NO_SWELL:
        exact = replace(exact, swell=0.0)
    spaced = abs(exact.spacing) > _NO_SPACING * exact.size
    for size in _sizes(exact.size / small.factor):
        at = replace(exact, size=size * small.factor)
        if not spaced:
            yield _held(replace(at, spacing=0.0), small, ("size", "spacing", "swell"))
        yield _held(at, small, ("size", "swell"))
    if not spaced:
        yield _held(replace(exact, spacing=0.0), small, ("spacing", "swell"))
    yield exact


def _sizes(size: float) -> list[float]:
    """Whole and half sizes that are near."""
    near = [float(round(size)), round(2 * size) / 2]
    return [one for one in dict.fromkeys(near) if abs(one - size) < _NEAR * size and one > 0]


def _held(trial: Trial, small: Seen, held: Sequence[str]) -> Trial:
    moved = settle(trial, small, (0.5, 0.0), held)
    if " " in trial.text and abs(moved.word_space) < _NO_GAP * moved.size:
        free = replace(moved, word_space=0.0)
        moved = settle(free, small, (0.0,), (*held, "word_space"))
    return moved


def _settled(trial: Trial, factor: float) -> Settled:
    """The trial as a style on the whole picture."""
    full = trial.scaled(1 / factor)
    # What shrinking blurred does not show how sharp the picture is.
    blur = full.blur if full.blur > _NO_BLUR and factor == 1.0 else 0.0
    face = trial.face
    style = Style(
        family=face.family, size=full.size, weight=face.weight, italic=face.italic,
        spacing=full.spacing, gap=full.word_space, swell=full.swell, blur=blur,
    )  # fmt: skip
    return Settled(face, style, full.left, full.baseline)


# ── to the pixel ────────────────────────────────────────────────────────────────────────


def refine(settled: Settled, seen: Seen) -> Settled:
    """The same with the edges that are most like the line."""
    others = [measure(other, seen) for other in _edges(settled)]
    return min([settled, *others], key=lambda one: one.error)


def _edges(at: Settled) -> Iterator[Settled]:
    """Letters at whole pixels, bent by hints or not, where the size allows it."""
    if at.error < 2e-3 or at.style.size > 40 or at.style.blur or at.style.size % 0.5:
        return
    edges: tuple[Edges, ...] = ("plain", "hinted")
    gap = 0.0 if abs(at.style.gap) < 0.5 else at.style.gap
    for kind in edges:
        style = replace(at.style, edges=kind, gap=gap)
        for step in (-1.0, 0.0, 1.0):
            place = float(round(at.left) + step)
            yield replace(at, style=style, left=place, baseline=float(round(at.baseline)))
