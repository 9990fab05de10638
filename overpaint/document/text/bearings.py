"""Bearings: how far letters of a page keep from each other, letter by letter.

The ink of two neighbours is as far apart as what the one has after it and the other before it.
Many pairs give both, by least squares, held near to the nearest font's. Letters with like sides
differ from the nearest font's alike: so many letters tell of those that are seldom seen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from overpaint.document.text.cutting import Specimen, edges_of, letter_ink, on_grid
from overpaint.document.text.drawing import advance
from overpaint.document.text.matching import Match

Bearings = Mapping[str, tuple[float, float]]  # from the pen to the ink, from its end to the pen

# Set on lines of generated pages whose family was taken out of the library, seeds 0–89.
# How sure things are, in sizes: that a letter keeps as far off as others with such a side, that
# such sides keep as far off as the nearest font's, that a line's spaces are as wide as it has
# them; a distance on the page, and one between letters that touch, for each stroke cut through.
_LETTER, _SIDE, _SPACE, _PAGE, _TOUCHING = 0.03, 0.05, 0.2, 0.015, 0.02
_KERN = 0.04  # pairs are brought together by no more
_ADVANCE = 0.02  # that a letter takes as much room as in the nearest font
_LEFTS = ("bhiklmnpruBDEFHIKLMNPRU1!|[", "cdegoqCGOQ069&@", "vwxyAVWXYT74", "")
_RIGHTS = ("dhilmnquHIMNUJj1!|]", "bceopDOPQRBS035689@", "vwxyAVWXYTkKL47", "")


@dataclass(frozen=True)
class Row:
    """The letters of a line, how much larger the target's are, and how far it stands too low."""

    specimens: Sequence[Specimen]
    ratio: float
    low: float


@dataclass(frozen=True)
class _Columns:
    """Where each unknown is: after and before letters, spaces of lines, right and left sides."""

    names: Mapping[str, int]
    lines: int

    def after(self, letter: str) -> list[int]:
        """What makes up the room after a letter."""
        side = 2 * len(self.names) + self.lines + _side(letter, _RIGHTS)
        return [self.names[letter], side]

    def before(self, letter: str) -> list[int]:
        """What makes up the room before a letter."""
        side = 2 * len(self.names) + self.lines + len(_RIGHTS) + _side(letter, _LEFTS)
        return [len(self.names) + self.names[letter], side]

    def space(self, line: int) -> int:
        """By how much a line's spaces are wider."""
        return 2 * len(self.names) + line

    @property
    def doubts(self) -> NDArray[np.float64]:
        """How far each may be off."""
        letters, sides = 2 * len(self.names), len(_RIGHTS) + len(_LEFTS)
        return np.array([_LETTER] * letters + [_SPACE] * self.lines + [_SIDE] * sides)


def _side(letter: str, sides: Sequence[str]) -> int:
    return next(i for i, members in enumerate(sides) if letter in members or not members)


def bearings(rows: Sequence[Row], guide: Match, wide: Mapping[str, float]) -> Bearings:
    """What letters that are so wide have before and after their ink, the nearest font known."""
    style, face = replace(guide.style, spacing=0.0, gap=0.0), guide.face
    start: dict[str, tuple[float, float]] = {}
    for letter in wide:
        if drawn := letter_ink(letter, face, style):
            begins, ends = (drawn[1] + edge for edge in edges_of(drawn[0]))
            start[letter] = begins, advance(letter, face, style) - ends
    columns = _Columns({letter: i for i, letter in enumerate(start)}, len(rows))
    if not start:
        return {}
    size = guide.style.size
    seen, off = _distances(rows, start, columns, guide)
    # What is wider than in the nearest font has less room around it, or its cut took too much.
    own, more = np.zeros((len(start), len(columns.doubts))), np.zeros(len(start))
    for i, (letter, (before, after)) in enumerate(start.items()):
        own[i, columns.after(letter) + columns.before(letter)] = 1 / (_ADVANCE * size)
        far = advance(letter, face, style)
        more[i] = (far - before - after - wide[letter]) / (_ADVANCE * size)
    system = np.vstack([np.diag(1 / (columns.doubts * size)), seen, own])
    wanted = np.concatenate([np.zeros(len(columns.doubts)), off, more])
    moved = np.linalg.lstsq(system, wanted, rcond=None)[0]
    return {
        letter: (
            before + float(moved[columns.before(letter)].sum()),
            after + float(moved[columns.after(letter)].sum()),
        )
        for letter, (before, after) in start.items()
    }


def _distances(
    rows: Sequence[Row], start: Bearings, columns: _Columns, guide: Match
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Which unknowns each pair of neighbours tells of, and how much farther apart it stands."""
    pairs = [
        (a, b, number, row.ratio)
        for number, row in enumerate(rows)
        for a, b in pairwise(row.specimens)
        if b.number - a.number <= 2 and not on_grid(a.letter + b.letter, guide)
        if a.letter in start and b.letter in start
    ]
    seen, off = np.zeros((len(pairs), len(columns.doubts))), np.zeros(len(pairs))
    for i, (a, b, number, ratio) in enumerate(pairs):
        seen[i, columns.after(a.letter) + columns.before(b.letter)] = 1.0
        between = " " * (b.number - a.number - 1)
        if between:
            seen[i, columns.space(number)] = 1.0
        usual = start[a.letter][1] + _between(a.letter, between, b.letter, guide)
        usual += start[b.letter][0]
        doubt = (_PAGE + _TOUCHING * min(a.cut, b.cut, 2.0)) * guide.style.size
        off[i] = ((b.edges[0] - a.edges[1]) * ratio - usual) / doubt
        seen[i] /= doubt
    return seen, off


def _between(one: str, space: str, other: str, guide: Match) -> float:
    """What stands between two letters beside their own room: kerning, spacing, a space."""
    style = guide.style
    added = style.spacing * (1 + len(space)) + style.gap * len(space)
    if not space:
        return kern(one, other, guide) + added
    plain = replace(style, spacing=0.0, gap=0.0)
    return advance(space, guide.face, plain) + added


def kern(one: str, other: str, guide: Match) -> float:
    """How much farther two letters are to stand: half of what the nearest font wants, or less.

    Fonts agree on which pairs to bring together, and not on how much.
    """
    style, face = replace(guide.style, spacing=0.0, gap=0.0), guide.face
    wanted = advance(one + other, face, style)
    wanted -= advance(one, face, style) + advance(other, face, style)
    most = _KERN * style.size
    return min(max(wanted / 2, -most), most)
