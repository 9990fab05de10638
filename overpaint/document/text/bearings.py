"""Bearings: how far letters of a page keep from each other, letter by letter.

The ink of two neighbours is as far apart as what the one has after it and the other before it.
Many pairs give both, by least squares, held near to the nearest font's. Letters with like sides
differ from the nearest font's alike: so many letters tell of those that are seldom seen. Pairs
that stand far off, as over a space that was not read, do not count; what is left over where a
pair is met again and again is its kerning.
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
Kerns = Mapping[str, Mapping[str, float]]  # after a letter, before another

# Set on lines of generated pages whose family was taken out of the library, seeds 0–89.
# How sure things are, in sizes: that a letter keeps as far off as others with such a side, that
# such sides keep as far off as the nearest font's, that a line's spaces are as wide as it has
# them; a distance on the page, and one between letters that touch, for each stroke cut through.
_LETTER, _SIDE, _SPACE, _PAGE, _TOUCHING = 0.03, 0.05, 0.2, 0.015, 0.02
_KERN, _AGREED = 0.08, 0.75  # pairs are brought together by no more, and by that share
_PAIR = 0.012  # how much more or less than the nearest font a page may kern a pair
_FAR, _ROUNDS = 2.0, 4  # doubts beyond which a distance counts less, and how often that is tried
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


def bearings(
    rows: Sequence[Row], guide: Match, wide: Mapping[str, float]
) -> tuple[Bearings, Kerns]:
    """What letters that are so wide have before and after their ink, the nearest font known."""
    start = _nearest(guide, wide)
    if not start:
        return {}, {}
    columns = _Columns({letter: i for i, letter in enumerate(start)}, len(rows))
    size = guide.style.size
    pairs = _pairs(rows, start, guide)
    seen, off = _distances(pairs, start, columns, guide)
    own, more = _advances(start, columns, guide, wide)
    held = np.vstack([np.diag(1 / (columns.doubts * size)), own])
    kept = np.concatenate([np.zeros(len(columns.doubts)), more])
    weights = np.ones(len(pairs))
    for _ in range(_ROUNDS):
        system = np.vstack([held, seen * weights[:, None]])
        moved = np.linalg.lstsq(system, np.concatenate([kept, off * weights]), rcond=None)[0]
        left = off - seen @ moved
        weights = np.minimum(1.0, _FAR / np.maximum(np.abs(left), 1e-9))
    known = {
        letter: (
            before + float(moved[columns.before(letter)].sum()),
            after + float(moved[columns.after(letter)].sum()),
        )
        for letter, (before, after) in start.items()
    }
    return known, _kerns(pairs, left, guide)


def _nearest(guide: Match, wide: Mapping[str, float]) -> Bearings:
    """What the nearest font has before and after the ink of its letters."""
    style, face = replace(guide.style, spacing=0.0, gap=0.0), guide.face
    found: dict[str, tuple[float, float]] = {}
    for letter in wide:
        if drawn := letter_ink(letter, face, style):
            begins, ends = (drawn[1] + edge for edge in edges_of(drawn[0]))
            found[letter] = begins, advance(letter, face, style) - ends
    return found


def _advances(
    start: Bearings, columns: _Columns, guide: Match, wide: Mapping[str, float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What is wider than in the nearest font has less room around it, or its cut took too much."""
    style, face = replace(guide.style, spacing=0.0, gap=0.0), guide.face
    own, more = np.zeros((len(start), len(columns.doubts))), np.zeros(len(start))
    for i, (letter, (before, after)) in enumerate(start.items()):
        own[i, columns.after(letter) + columns.before(letter)] = 1.0
        more[i] = advance(letter, face, style) - before - after - wide[letter]
    doubt = _ADVANCE * style.size
    return own / doubt, more / doubt


@dataclass(frozen=True)
class _Pair:
    """Two neighbours of a line, how much larger the target's letters are, and the doubt."""

    one: Specimen
    other: Specimen
    row: int
    ratio: float
    doubt: float

    @property
    def space(self) -> str:
        """What stands between them."""
        return " " * (self.other.number - self.one.number - 1)


def _pairs(rows: Sequence[Row], start: Bearings, guide: Match) -> list[_Pair]:
    size = guide.style.size
    return [
        _Pair(a, b, number, row.ratio, (_PAGE + _TOUCHING * min(a.cut, b.cut, 2.0)) * size)
        for number, row in enumerate(rows)
        for a, b in pairwise(row.specimens)
        if b.number - a.number <= 2 and not on_grid(a.letter + b.letter, guide)
        if a.letter in start and b.letter in start
    ]


def _kerns(pairs: Sequence[_Pair], left: NDArray[np.float64], guide: Match) -> Kerns:
    """How much farther than the nearest font has it pairs stand, the more sure the more often."""
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for pair, off in zip(pairs, left, strict=True):
        if not pair.space and abs(off) < _FAR:
            which = pair.one.letter, pair.other.letter
            found.setdefault(which, []).append((float(off) * pair.doubt, pair.doubt))
    kerns: dict[str, dict[str, float]] = {}
    for (one, other), seen in found.items():
        doubts = np.array([doubt for _, doubt in seen]) ** -2.0
        apart = float(doubts @ [off for off, _ in seen])
        apart /= float(doubts.sum()) + (_PAIR * guide.style.size) ** -2.0
        kerns.setdefault(one, {})[other] = kern(one, other, guide) + apart
    return kerns


def _distances(
    pairs: Sequence[_Pair], start: Bearings, columns: _Columns, guide: Match
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Which unknowns each pair of neighbours tells of, and how much farther apart it stands."""
    seen, off = np.zeros((len(pairs), len(columns.doubts))), np.zeros(len(pairs))
    for i, pair in enumerate(pairs):
        a, b = pair.one, pair.other
        seen[i, columns.after(a.letter) + columns.before(b.letter)] = 1.0
        if pair.space:
            seen[i, columns.space(pair.row)] = 1.0
        usual = start[a.letter][1] + _between(a.letter, pair.space, b.letter, guide)
        usual += start[b.letter][0]
        off[i] = ((b.edges[0] - a.edges[1]) * pair.ratio - usual) / pair.doubt
        seen[i] /= pair.doubt
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
    """How much farther two letters are to stand: most of what the nearest font wants, or less.

    Fonts agree on which pairs to bring together, and less on how much.
    """
    style, face = replace(guide.style, spacing=0.0, gap=0.0), guide.face
    wanted = advance(one + other, face, style)
    wanted -= advance(one, face, style) + advance(other, face, style)
    most = _KERN * style.size
    return min(max(_AGREED * wanted, -most), most)
