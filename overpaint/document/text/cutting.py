"""Cutting: the letters of a line in a picture, told apart with the nearest font as a guide."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.document.boxes import box_around
from overpaint.document.layers import Style
from overpaint.document.text.drawing import FINE, draw_line, letters
from overpaint.document.text.faces import Face
from overpaint.document.text.matching import Match, han
from overpaint.document.text.seen import Cover, look
from overpaint.document.text.trial import Trial, settle
from overpaint.document.text.units import alphabet

_STEPS = (1.0, 0.5, 0.5, 0.0, 0.0)  # blurs under which the nearest font is laid on the line
_WORSE = 0.03  # of likeness: lost by more, the way was lost
_SPREAD = 1.3  # a word wider or narrower than the guide's by more was told apart wrongly
_STRAY = 0.3  # how far a cut may be from where the guide has it, in sizes
_UNEVEN = 0.12  # how far letters' widths may differ from the guide's, in sizes
_INKED = 0.2  # pixels covered less hold no letter together
_WHOLE = 0.8  # of which this share is in one letter's cell: the piece is that letter's
_ALIKE = 0.6  # a letter less like the guide's was cut or read wrongly
_MISSHAPEN = 0.35  # nor may it be wider or higher by so much of the guide's larger side
_NONE, _FULL = 0.15, 0.85  # of the strongest column: no ink, full ink; between them is an edge
_SPECK = 2  # pixels: less ink is noise
_FAINT = 0.05  # what is left of the ground


@dataclass(frozen=True, eq=False)
class Guide:
    """A letter of the nearest font: its pen on the line, and its ink from there."""

    letter: str
    number: int  # in the line
    pen: float
    ink: NDArray[np.float32]
    left: int
    top: int


@dataclass(frozen=True, eq=False)
class Specimen:
    """A letter as it stands on the page: its ink, its corner, and how it was cut."""

    letter: str
    number: int
    ink: NDArray[np.float32]
    left: int
    top: float  # from the baseline
    cut: float  # ink that was cut through, in strokes
    guide: Guide

    @property
    def edges(self) -> tuple[float, float]:
        """Where its ink begins and ends on the line."""
        begins, ends = edges_of(self.ink)
        return self.left + begins, self.left + ends


def edges_of(ink: NDArray[np.float32]) -> tuple[float, float]:
    """Where ink begins and ends between pixels: columns before it is full count by strength."""
    profile = ink.max(axis=0)
    profile = np.clip((profile / max(float(profile.max()), 1e-6) - _NONE) / (_FULL - _NONE), 0, 1)
    full = np.flatnonzero(profile >= 1.0)
    first, last = int(full[0]), int(full[-1])
    return first - float(profile[:first].sum()), last + 1 + float(profile[last + 1 :].sum())


def middle(ink: NDArray[np.float32]) -> float:
    """The row that ink is centred on."""
    rows = ink.sum(axis=1)
    return float(rows @ (np.arange(len(rows)) + 0.5) / max(float(rows.sum()), 1e-6))


def lie(words: str, cover: Cover, match: Match) -> Match:
    """The match with the size and the spacing that make it lie on the line, plain or not."""
    seen = look(cover, words)
    if seen is None:
        return match
    small, style = seen.shrunk(), match.style
    text, factor = " ".join(words.split()), small.factor
    whole = Trial(
        alphabet(match.face, style.size), text, style.size, match.left, match.baseline,
        style.spacing, style.gap, style.swell, style.blur,
    ).scaled(factor)  # fmt: skip
    found = settle(whole, small, _STEPS)
    if found.likeness < match.likeness - _WORSE:
        return match
    found = found.scaled(1 / factor)
    bent = replace(style, size=found.size, spacing=found.spacing, gap=found.word_space)
    return replace(match, style=bent, left=found.left, baseline=found.baseline)


def guides(words: str, match: Match) -> list[Guide]:
    """The letters of the line in the matched font, where they stand in the crop."""
    style, face = match.style, match.face
    spaces = np.cumsum([letter == " " for letter in words]) if words else np.zeros(0)
    found = []
    for i, (letter, pen) in enumerate(_pens(words, face, style)):
        if letter.isspace():
            continue
        x = match.left + pen + i * style.spacing + float(spaces[i]) * style.gap
        drawn = letter_ink(letter, face, style)
        if drawn is not None:
            found.append(Guide(letter, i, x, *drawn))
    return found


def _pens(words: str, face: Face, style: Style) -> list[tuple[str, float]]:
    placed = letters(words, face, style.size)
    if len(placed) != len(words):
        return []  # letters with marks of their own are not cut
    return [(letter, pen / FINE * style.stretch) for letter, pen in placed]


def letter_ink(
    letter: str, face: Face, style: Style
) -> tuple[NDArray[np.float32], int, int] | None:
    """One letter drawn with its pen on a pixel: ink and corner; none where it has no ink."""
    drawn = draw_line(letter, face, replace(style, spacing=0.0, gap=0.0))
    if not drawn.alpha.size:
        return None
    return np.asarray(drawn.alpha / 255, np.float32), drawn.left, drawn.top


def fitted(words: str, cover: Cover, match: Match) -> list[Guide]:
    """The guides, those of each word moved and spread to where the word is on the page.

    Letters that stand on a grid are told better by the whole line.
    """
    line = guides(words, match)
    if on_grid(words, match):
        return line
    groups: dict[int, list[Guide]] = {}
    for guide in line:
        groups.setdefault(words[: guide.number].count(" "), []).append(guide)
    parts = list(groups.values())
    spans = [(part[0].pen + part[0].left, part[-1].pen + _right(part[-1])) for part in parts]
    between = [(a[1] + b[0]) / 2 for a, b in pairwise(spans)]
    seen = look(cover, words, between)
    if seen is None or len(seen.spans) != len(parts):
        return line
    moved = []
    for part, (left, right), (begins, ends) in zip(parts, spans, seen.spans, strict=True):
        spread = (ends - begins) / max(right - left, 1e-6)
        if not 1 / _SPREAD < spread < _SPREAD:
            spread, begins = 1.0, left
        moved += [replace(g, pen=begins + (g.pen - left) * spread) for g in part]
    return moved


def on_grid(words: str, match: Match) -> bool:
    """Whether letters are as wide as each other: Chinese ones, and those of typewriters."""
    return han(words) or match.face.kind == "mono"


def _right(guide: Guide) -> int:
    return int(guide.left + guide.ink.shape[1])


def cut(words: str, cover: Cover, match: Match) -> list[Specimen]:
    """The letters of the line that could be told apart, in order."""
    line = fitted(words, cover, match)
    if not line:
        return []
    columns = cover.sum(axis=0)
    edges = [0, *_cuts(columns, line, match.style.size), cover.shape[1]]
    owners = np.where(_near_ink(cover), _owners(cover, np.array(edges)), -1)
    found = []
    for i, guide in enumerate(line):
        ink = np.where((owners == i) & (cover > _FAINT), cover, 0).astype(np.float32)
        box = box_around(ink)
        if box is None:
            continue
        x0, y0, x1, y1 = box
        sides = [edge for edge in edges[i : i + 2] if 0 < edge < len(columns)]
        through = sum(float(columns[edge - 1 : edge + 1].min()) for edge in sides)
        one = Specimen(
            guide.letter, guide.number, ink[y0:y1, x0:x1], x0, y0 - match.baseline,
            through, guide,
        )  # fmt: skip
        if _plausible(one):
            found.append(one)
    return found


def _plausible(one: Specimen) -> bool:
    """Whether it may be the letter that was read."""
    wide, high = (extent(one.ink, axis) - extent(one.guide.ink, axis) for axis in (0, 1))
    most = _MISSHAPEN * max(one.guide.ink.shape) + 1.0
    return abs(wide) < most and abs(high) < most and alike(one.ink, one.guide.ink) > _ALIKE


def _cuts(columns: NDArray[np.float32], line: Sequence[Guide], size: float) -> list[int]:
    """Where to cut between letters: little ink, near the guide's place, widths as the guide's."""
    if len(line) < 2:
        return []
    places = [(a.pen + a.left + a.ink.shape[1] + b.pen + b.left) / 2 for a, b in pairwise(line)]
    reach = math.ceil(_STRAY * size) + 1
    steps = np.arange(-reach, reach + 1)
    last = len(columns) - 1
    tries = [np.clip(round(place) + steps, 1, max(last, 1)) for place in places]
    costs, came = [], []
    for i, (place, tried) in enumerate(zip(places, tries, strict=True)):
        through = np.minimum(columns[tried - 1], columns[np.minimum(tried, last)])
        own = 2.0 * through + ((tried - place) / (_STRAY * size)) ** 2 / 2
        if i == 0:
            costs.append(own)
            continue
        wide = tried[None, :] - tries[i - 1][:, None] - (place - places[i - 1])
        total = costs[-1][:, None] + (wide / (_UNEVEN * size)) ** 2 / 2
        came.append(np.argmin(total, axis=0))
        costs.append(own + total.min(axis=0))
    chosen = [int(np.argmin(costs[-1]))]
    for back in reversed(came):
        chosen.append(int(back[chosen[-1]]))
    return [int(tried[at]) for tried, at in zip(tries, reversed(chosen), strict=True)]


def _near_ink(cover: Cover) -> NDArray[np.bool_]:
    """Pixels that are ink or the soft edge of ink, and not the ground's noise."""
    import cv2

    ink: Any = (cover > _INKED).astype(np.uint8)
    ink = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((2, 2), np.uint8))
    _, labels, about, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    large = about[:, cv2.CC_STAT_AREA] > _SPECK
    large[0] = False
    return np.asarray(cv2.dilate(large[labels].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _owners(cover: Cover, edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Whose each pixel is: a piece of ink goes whole to the letter that has most of it."""
    import cv2

    high, wide = cover.shape
    cell = np.clip(np.searchsorted(edges, np.arange(wide), side="right") - 1, 0, len(edges) - 2)
    owners = np.broadcast_to(cell, (high, wide)).copy()
    count, labels = cv2.connectedComponents((cover > _INKED).astype(np.uint8), connectivity=8)
    cells = len(edges) - 1
    share = np.bincount((labels * cells + owners).ravel(), cover.ravel(), count * cells)
    share = share.reshape(count, cells)
    whole = share.max(axis=1) >= _WHOLE * share.sum(axis=1)
    whole[0] = False
    mine = share.argmax(axis=1)
    # The soft edge of a piece goes with it.
    spread = cv2.dilate(labels.astype(np.float32), np.ones((3, 3), np.uint8)).astype(np.int64)
    spread = np.where(labels > 0, labels, spread)
    return np.where(whole[spread], mine[spread], owners)


def alike(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """The correlation of two letters of about one size, in the best place."""
    import cv2

    high = max(one.shape[0], other.shape[0]) + 4
    wide = max(one.shape[1], other.shape[1]) + 4
    room = np.zeros((high, wide), np.float32)
    y, x = (high - one.shape[0]) // 2, (wide - one.shape[1]) // 2
    room[y : y + one.shape[0], x : x + one.shape[1]] = one
    found = cv2.matchTemplate(room, other, cv2.TM_CCORR)
    norm = math.sqrt(float((one * one).sum()) * float((other * other).sum()))
    return float(found.max()) / max(norm, 1e-6)


def extent(ink: NDArray[np.float32], axis: int) -> float:
    """How high (1) or wide (0) ink is, between pixels: its edges count by their strength."""
    profile = ink.max(axis=axis)
    return float(np.minimum(profile / max(float(profile.max()), 1e-6) * 1.25, 1.0).sum())
