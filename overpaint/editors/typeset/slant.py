"""Slant: the corners of a line as its plane has them, told by the feet and heads of its letters.

A detector draws a turned rectangle. Seen at a slant the line that letters stand on and the line
that capitals reach are not parallel, and stems lean. All three are fitted to the ink.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.editors.typeset.strokes import Ink
from overpaint.vision.joining import unspaced

Letters = list[tuple[float, float, float, str]]  # middle, top, bottom and name
Line = tuple[float, float]  # a place and a rise: y = first + second · x

_FOOTLESS = re.compile(r"[gjpqyQ,;()\[\]{}/\\|@$-]")  # letters that do not stand on the line
_HIGH = re.compile(r"[A-Z0-9bdhkl]")
_LOW = re.compile(r"[acegmnopqrsuvwxyz]")
_LEANS = np.tan(np.radians(np.linspace(-24, 24, 97)))  # how far stems may lean
_TURNS = np.linspace(-0.3, 0.3, 61)  # and by how much more at the end than at the beginning
_DOUBT = 0.1  # how much clearer the gaps must be for the largest turn to be believed
_LONG = 4.0  # times as long as high: only there both ends tell
_ENOUGH = 4  # letters whose heads and feet were seen
_MANY = 6  # and for a line that a detector took for level
_PLAIN = 14.0  # pixels: the height of capitals below which a pixel is too much
_GROWN = 1.1  # times as high at one end as at the other
_CLOSE = 0.03  # of a capital's height
_ROUNDS = 8  # of fitting, each with less weight for what is off


@dataclass(frozen=True)
class Slant:
    """Of a strip: where letters stand, where capitals end, how far stems lean to the right."""

    foot: Line
    head: Line
    lean: Line
    error: float  # of the fit, in pixels

    def sure(self, high: float) -> bool:
        """Whether heads and feet lie on lines, for letters of that height."""
        return self.error < _CLOSE * high + 0.3

    def corners(self, box: tuple[float, float, float, float]) -> NDArray[np.float64]:
        """The corners, in the strip, of what fills an upright box once it is made straight.

        Top and bottom of the box are kept where they meet its middle.
        """
        left, top, right, bottom = box
        middle = (left + right) / 2
        foot, high = _at(self.foot, middle), _at(self.foot, middle) - _at(self.head, middle)
        found = []
        for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)):
            share = (foot - y) / high  # of a capital's height above the line
            down = _at(self.foot, x)
            up = (down - _at(self.head, x)) * share
            right = _at(self.lean, x) * up
            found.append((x + right, down - up + self.foot[1] * right))
        return np.array(found)


def _at(line: Line, x: float) -> float:
    return line[0] + line[1] * x


def slant_of(ink: Ink, text: str, middles: NDArray[np.float64]) -> Slant | None:
    """How a line in a strip stands; None where too few of its letters tell."""
    seen = _letters(ink, text, middles)
    feet, heads = _feet(seen), _heads(seen)
    if min(len(feet), len(heads)) < _ENOUGH:
        return None
    foot, off = _fitted(feet, np.ones(len(feet)))
    head, error = _head(heads, foot)
    return Slant(foot, head, _lean(ink, foot, head), float(np.hypot(off, error)))


def grows(ink: Ink, text: str, middles: NDArray[np.float64]) -> bool:
    """Whether letters surely grow or shrink along a line, as no font's do.

    Figures beside Chinese are no measure, nor are small letters; of one kind, and large, they
    must lie far better between two lines that meet than between two that do not.
    """
    spoken = [letter for letter in text if letter.isalnum()]
    if len({unspaced(letter) for letter in spoken}) != 1:
        return False
    seen = _letters(ink, text, middles)
    feet, heads = _feet(seen), _heads(seen)
    if len(feet) < _ENOUGH or len(heads) < _MANY:
        return False
    foot, _ = _fitted(feet, np.ones(len(feet)))
    head, error = _head(heads, foot)
    ends = (float(middles[0]), float(middles[-1]))
    highs = sorted(_at(foot, x) - _at(head, x) for x in ends)
    if highs[0] < _PLAIN or highs[1] < _GROWN * highs[0]:
        return False
    high = heads[heads[:, 2] == heads[:, 2].max()]
    parallel = float(np.ptp(foot[0] + foot[1] * high[:, 0] - high[:, 1]))
    return parallel > 6 * error + 1 and error < _CLOSE * highs[0]


def _feet(seen: Letters) -> NDArray[np.float64]:
    feet = [(x, bottom) for x, _, bottom, letter in seen if not _FOOTLESS.match(letter)]
    return np.array(feet).reshape(-1, 2)


def _heads(seen: Letters) -> NDArray[np.float64]:
    heads = [(x, top, _rank(letter)) for x, top, _, letter in seen if _rank(letter)]
    return np.array(heads, np.float64).reshape(-1, 3)


def _rank(letter: str) -> int:
    """2 for letters as high as capitals, 1 for low ones, 0 where that is not known."""
    if unspaced(letter) and letter.isalnum():
        return 2
    return 2 if _HIGH.match(letter) else 1 if _LOW.match(letter) else 0


def _letters(ink: Ink, text: str, middles: NDArray[np.float64]) -> Letters:
    """Each letter that the ink shows by itself."""
    import cv2

    full = (ink > 0.5).astype(np.uint8)
    _, named, stats, centres = cv2.connectedComponentsWithStats(full, connectivity=4)
    if len(stats) < 2 or not len(middles):
        return []
    tall = float(np.median(stats[1:, 3]))
    step = float(np.median(np.diff(middles))) if len(middles) > 2 else tall
    groups: dict[int, list[int]] = {}
    for i in range(1, len(stats)):
        nearest = int(np.argmin(np.abs(middles - centres[i, 0])))
        if abs(middles[nearest] - centres[i, 0]) < 0.8 * max(step, 0.3 * tall):
            groups.setdefault(nearest, []).append(i)
    found = []
    for number, parts in sorted(groups.items()):
        x0, x1 = stats[parts, 0].min(), (stats[parts, 0] + stats[parts, 2]).max()
        wide = 1.6 if unspaced(text[number]) else 1.9
        alone = x1 - x0 < wide * max(step, 0.5 * tall)  # not two that touch
        top, bottom = _reach(ink, np.isin(named, parts), stats[parts])
        if text[number].isalnum() and alone and bottom - top > 0.5 * tall:
            found.append(((x0 + x1) / 2, top, bottom, text[number]))
    return found


def _reach(ink: Ink, own: NDArray[np.bool_], stats: NDArray[Any]) -> tuple[float, float]:
    """Where a letter's ink begins and ends, to parts of a pixel: where it is half as strong."""
    x0, y0 = stats[:, 0].min(), stats[:, 1].min()
    x1, y1 = (stats[:, 0] + stats[:, 2]).max(), (stats[:, 1] + stats[:, 3]).max()
    columns = slice(x0, x1)
    first, last = (np.where(own[y, columns], ink[y, columns], 0) for y in (y0, y1 - 1))
    above = ink[y0 - 1, columns][first > 0].max(initial=0) if y0 else 0.0
    below = ink[y1, columns][last > 0].max(initial=0) if y1 < len(ink) else 0.0
    return float(y0 + _half(above, first.max())), float(y1 - _half(below, last.max()))


def _half(outside: float, inside: float) -> float:
    """How far from the outer edge of the inner pixel strength is one half, from -0.5 to 0.5."""
    outside = min(outside, 0.5)
    return float((0.5 - outside) / max(1e-3, inside - outside)) - 0.5


def _fitted(points: NDArray[np.float64], share: NDArray[np.float64]) -> tuple[Line, float]:
    """The line through most of the points, and how far these are from it."""
    x, y = points[:, 0], points[:, 1]
    design = np.stack([share, share * x], axis=1)
    weight = np.ones(len(x))
    for _ in range(_ROUNDS):
        root = np.sqrt(weight)
        (place, rise), *_ = np.linalg.lstsq(design * root[:, None], y * root, rcond=None)
        off = np.abs(design @ np.array([place, rise]) - y)
        scale = max(0.3, 1.5 * float(np.median(off)))
        weight = 1 / (1 + (off / scale) ** 2)
    return (float(place), float(rise)), float(np.median(off))


def _head(heads: NDArray[np.float64], foot: Line) -> tuple[Line, float]:
    """The line that capitals reach; how high low letters are is tried, fonts differ in it."""
    x, top, rank = heads.T
    down = foot[0] + foot[1] * x
    best: tuple[float, Line] | None = None
    for low in np.linspace(0.6, 0.82, 23) if (rank == 2).any() and (rank == 1).any() else (0.72,):
        share = np.where(rank == 2, 1.0, low)
        (place, rise), off = _fitted(np.stack([x, down - top], axis=1), share)
        if best is None or off < best[0]:
            best = (off, (foot[0] - place, foot[1] - rise))
    assert best is not None
    return best[1], best[0]


def _lean(ink: Ink, foot: Line, head: Line) -> Line:
    """By how much stems lean to the right, going up: upright, they leave the clearest gaps."""
    rows, columns = np.nonzero(ink > 0.5)
    up = foot[0] + foot[1] * columns - rows
    high = max(2.0, foot[0] - head[0] + (foot[1] - head[1]) * float(columns.mean()))
    inside = (up > -0.1 * high) & (up < 1.1 * high)
    columns, up = columns[inside], up[inside]
    if not len(columns):
        return (0.0, 0.0)
    first, last = float(columns.min()), float(columns.max())
    along = (columns - (first + last) / 2) / max(1.0, last - first)  # -½ at one end, ½ at the other
    lean, turn = _clearest(columns, up, _LEANS), 0.0
    if last - first > _LONG * high:
        # Stems of a wall seen from below come together: they lean more at one end.
        turn = _clearest(columns - lean * up, up * along, _TURNS, doubt=_DOUBT)
        lean = _clearest(columns - turn * along * up, up, _LEANS)
    rise = turn / max(1.0, last - first)
    return (lean - rise * (first + last) / 2, rise)


def _clearest(
    columns: NDArray[Any], up: NDArray[Any], tried: NDArray[np.float64], *, doubt: float = 0.0
) -> float:
    """The shift for each row up that leaves the ink in the fewest columns; large ones are rare."""
    scores = []
    for lean in tried:
        straight = columns - lean * up
        profile = np.bincount((straight - straight.min()).astype(int))
        scores.append(float((profile.astype(np.float64) ** 2).sum()))
    return _peak(np.array(scores) * (1 - doubt * (tried / tried.max()) ** 2), tried)


def _peak(scores: NDArray[np.float64], tried: NDArray[np.float64]) -> float:
    """The best of what was tried, or a place between two."""
    smooth = np.convolve(np.pad(scores, 1, mode="edge"), [0.25, 0.5, 0.25], mode="valid")
    at = int(np.clip(np.argmax(smooth), 1, len(smooth) - 2))
    before, here, after = smooth[at - 1 : at + 2]
    bend = before - 2 * here + after
    shift = 0.5 * (before - after) / bend if bend < 0 else 0.0
    return float(np.interp(at + shift, np.arange(len(tried)), tried))
