"""Glyphs: letters of a font that is not on the machine, taken from the page that is set in it.

Letters that stand on the page are cut out; those that do not come from the nearest font, made as
high, as wide and as heavy as the others are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import Glyph
from overpaint.document.text.adapting import adapt, draw_adapted
from overpaint.document.text.bearings import Row, bearings, kern
from overpaint.document.text.cutting import (
    Specimen,
    alike,
    cut,
    edges_of,
    extent,
    lie,
    middle,
    on_grid,
)  # fmt: skip
from overpaint.document.text.drawing import advance
from overpaint.document.text.matching import Match, han
from overpaint.document.text.seen import Cover

Line = tuple[str, Cover, Match]  # what it says, how far it covers the picture, its nearest font

_SCALED = 1.25  # letters larger or smaller by more are not scaled: their edges would tell
_SAME = 1.05  # and by less they are of one size, as far as can be measured
_ABOUT = 1.1  # or by less, where lines have no letter in common
# How sure a letter's place is, and the way to the next: over a letter, a Chinese one, a space.
_STOOD, _STEP, _GRID, _ACROSS = 0.015, 0.04, 0.004, 0.1
_WHOLE = 0.2  # pixels: lines as near to a whole pixel apart are taken to be
_FIGURES = frozenset("0123456789")
_TABLED = 0.93  # of others: so near to them a 1 stands only where all have one width
_CUT_COSTS = 0.1  # how much less a letter is worth for each stroke that was cut through


def harvest(lines: Sequence[Line]) -> Mapping[str, Glyph]:
    """The letters of some lines in one font, as large as in the first of them."""
    if not lines:
        return {}
    laid = [(words, cover, lie(words, cover, match)) for words, cover, match in lines]
    guide, match = laid[0][2], lines[0][2]
    first = cut(*laid[0])
    rows = [Row(first, 1.0, 0.0)]
    for words, cover, other in laid[1:]:
        specimens = cut(words, cover, other)
        ratio = _ratio(specimens, first, guide.style.size / other.style.size)
        if 1 / _SCALED <= ratio <= _SCALED:
            rows.append(Row(specimens, ratio, _low(specimens, first, ratio)))
    best = _best(rows)
    wide = _breadths(rows)
    known, kerns = bearings(rows, guide, wide)
    glyphs = {
        letter: _square(one, row, guide)
        if on_grid(letter, guide)
        else replace(_glyph(one, row, known[letter], wide[letter]), kerns=kerns.get(letter, {}))
        for letter, (one, row) in best.items()
        if letter in known
    }
    # Whoever sets them adds the match's spacing and stands on its baseline.
    more, up = guide.style.spacing - match.style.spacing, guide.baseline - match.baseline
    placed = {a: replace(g, advance=g.advance + more, top=g.top + up) for a, g in glyphs.items()}
    pitch = _pitch(rows)
    return placed if pitch is None else _tabled(placed, pitch - match.style.spacing)


def _breadths(rows: Sequence[Row]) -> dict[str, float]:
    """How wide each letter is: the middle of all that were cut, some too wide, some too narrow."""
    found: dict[str, list[float]] = {}
    for row in rows:
        for one in row.specimens:
            begins, ends = one.edges
            found.setdefault(one.letter, []).append((ends - begins) * row.ratio)
    return {letter: float(np.median(wide)) for letter, wide in found.items()}


def _ratio(line: Sequence[Specimen], first: Sequence[Specimen], guess: float) -> float:
    """How many times larger the first line's letters are."""
    high = {one.letter: extent(one.ink, 1) for one in first}
    both = [high[one.letter] / extent(one.ink, 1) for one in line if one.letter in high]
    ratio = float(np.median(both)) if len(both) > 1 else guess
    same = _SAME if len(both) > 1 else _ABOUT
    return 1.0 if 1 / same < ratio < same else ratio


def _low(line: Sequence[Specimen], first: Sequence[Specimen], ratio: float) -> float:
    """How much lower than the first line's the letters stand on what was taken for a baseline."""
    high = {one.letter: one.top + middle(one.ink) for one in first}
    both = [
        one.top + middle(one.ink) - high[one.letter] / ratio for one in line if one.letter in high
    ]
    if not both:
        return _sunk(line) - _sunk(first) / ratio
    low = float(np.median(both))
    if ratio != 1.0 or not line:
        return low
    # Lines are mostly set at whole pixels: then letters of one are drawn as those of the other.
    apart = line[0].top - first[0].top
    whole = apart - round(apart - low)
    return whole if abs(whole - low) < _WHOLE else low


def _sunk(line: Sequence[Specimen]) -> float:
    """How much lower than the nearest font's the letters stand."""
    off = [one.top + middle(one.ink) - one.guide.top - middle(one.guide.ink) for one in line]
    return float(np.median(off)) if off else 0.0


def _best(rows: Sequence[Row]) -> dict[str, tuple[Specimen, Row]]:
    """Of each letter the specimen that was cut cleanest and is most like all the others."""
    kinds: dict[str, list[tuple[Specimen, Row]]] = {}
    for row in rows:
        for one in row.specimens:
            kinds.setdefault(one.letter, []).append((one, row))
    return {letter: max(same, key=lambda one: _worth(one, same)) for letter, same in kinds.items()}


def _worth(one: tuple[Specimen, Row], same: Sequence[tuple[Specimen, Row]]) -> float:
    specimen, row = one
    peers = [other for other, its in same if other is not specimen and its.ratio == row.ratio]
    likes = [alike(specimen.ink, other.ink) for other in peers[:8]]
    common = float(np.median(likes)) if likes else alike(specimen.ink, specimen.guide.ink)
    return common - _CUT_COSTS * min(specimen.cut, 2.0) - abs(row.ratio - 1)


def _glyph(one: Specimen, row: Row, bearing: tuple[float, float], wide: float) -> Glyph:
    """The letter as the target's are: its pen where distances on the page have it."""
    before, after = bearing
    ink, top = one.ink, (one.top - row.low) * row.ratio
    if row.ratio != 1.0:
        ink = _resized(ink, row.ratio)
    begins, ends = edges_of(ink)
    left = before - begins + (wide - (ends - begins)) / 2
    alpha = np.rint(np.clip(ink, 0, 1) * 255).astype(np.uint8)
    return Glyph(alpha, left, top, before + wide + after)


def _square(one: Specimen, row: Row, match: Match) -> Glyph:
    """A letter that stands in a square as wide as the next."""
    ink, top = one.ink, (one.top - row.low) * row.ratio
    left = (one.left - one.guide.pen) * row.ratio
    if row.ratio != 1.0:
        ink = _resized(ink, row.ratio)
    far = advance(one.letter, match.face, replace(match.style, spacing=0.0, gap=0.0))
    return Glyph(np.rint(np.clip(ink, 0, 1) * 255).astype(np.uint8), left, top, far)


def _resized(ink: NDArray[np.float32], ratio: float) -> NDArray[np.float32]:
    import cv2

    way = cv2.INTER_AREA if ratio < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(ink, None, fx=ratio, fy=ratio, interpolation=way), np.float32)


# ── lines set in them ───────────────────────────────────────────────────────────────────


def compose(words: str, harvested: Mapping[str, Glyph], match: Match) -> Mapping[str, Glyph]:
    """A glyph for every letter of the words: off the page, or of the nearest font, made alike."""
    asked = [letter for letter in dict.fromkeys(words) if not letter.isspace()]
    found = {letter: harvested[letter] for letter in asked if letter in harvested}
    if len(found) < len(asked):
        adapted = adapt(harvested, match)
        made = {a: draw_adapted(a, adapted, match) for a in asked if a not in found}
        # Small letters in large squares are as good as spaced out; figures among them are not.
        less = match.style.spacing if han(words) else 0.0
        found.update({
            letter: glyph if han(letter) else replace(glyph, advance=glyph.advance - less)
            for letter, glyph in made.items()
            if glyph is not None
        })  # fmt: skip
    tabled = {harvested[figure].advance for figure in _FIGURES if figure in harvested}
    if len(tabled) == 1:
        found = _tabled(found, *tabled)
    return {letter: _kerned(letter, glyph, words, match) for letter, glyph in found.items()}


def _pitch(rows: Sequence[Row]) -> float | None:
    """From figure to figure, where all are of one width: then a 1 is as far from its neighbours."""
    found: dict[bool, list[float]] = {True: [], False: []}
    for row in rows:
        for a, b in pairwise(row.specimens):
            if b.number == a.number + 1 and {a.letter, b.letter} <= _FIGURES:
                apart = (sum(b.edges) - sum(a.edges)) / 2 * row.ratio
                found["1" in (a.letter, b.letter)].append(apart)
    slim, others = found[True], found[False]
    if not slim or not others or np.median(slim) < _TABLED * np.median(others):
        return None
    return float(np.median([*slim, *others]))


def _tabled(glyphs: Mapping[str, Glyph], far: float) -> dict[str, Glyph]:
    """The same with figures that all take so much room, each in the middle of it."""
    return {
        letter: replace(glyph, advance=far, left=glyph.left + (far - glyph.advance) / 2)
        if letter in _FIGURES
        else glyph
        for letter, glyph in glyphs.items()
    }


def _kerned(letter: str, glyph: Glyph, words: str, match: Match) -> Glyph:
    """The glyph with kerning for all that follows it in the words: the page's, else the font's."""
    after = {b for a, b in pairwise(words) if a == letter and not b.isspace()}
    usual = {b: kern(letter, b, match) for b in after - set(glyph.kerns)}
    return replace(glyph, kerns={**glyph.kerns, **usual})


def pens(words: str, cover: Cover, match: Match, harvested: Mapping[str, Glyph]) -> list[float]:
    """Where the pen stood before each letter of the line, and after the last, in the crop."""
    guide = lie(words, cover, match)
    known = {one.number: one for one in cut(words, cover, guide) if one.letter in harvested}
    if not known:
        ends = range(len(words) + 1)
        return [guide.left + advance(words[:i], guide.face, guide.style) for i in ends]
    where = np.array(list(known))
    stood = np.array([one.edges[0] - _begins(harvested[one.letter]) for one in known.values()])
    own = match.style.spacing
    steps = [
        harvested[a].advance + harvested[a].kerns.get(b, 0.0) + own
        if a in harvested
        else advance(a, guide.face, guide.style)
        for a, b in zip(words, words[1:] + " ", strict=True)
    ]
    doubt = [_ACROSS if a == " " else _GRID if on_grid(a, match) else _STEP for a in words]
    return _agreed(where, stood, np.array(steps), np.array(doubt))


def _agreed(
    where: NDArray[np.int64],
    stood: NDArray[np.float64],
    steps: NDArray[np.float64],
    doubt: NDArray[np.float64],
) -> list[float]:
    """Pens that agree best, by least squares, with where letters stood and with their advances."""
    each = np.eye(len(steps) + 1)
    walk = (each[1:] - each[:-1]) / doubt[:, None]
    system = np.vstack([each[where] / _STOOD, walk])
    wanted = np.concatenate([stood / _STOOD, steps / doubt])
    return [float(x) for x in np.linalg.lstsq(system, wanted, rcond=None)[0]]


def _begins(glyph: Glyph) -> float:
    return glyph.left + edges_of(np.asarray(glyph.alpha / 255, np.float32))[0]
