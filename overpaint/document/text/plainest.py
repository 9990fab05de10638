"""Plainest: a face at one size, with nothing added to letters or spaces, laid on a line.

Most lines are set so. Their width tells the size to a hundredth, and what is left to find is the
pixel, and whether hints bent the letters to the grid.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from overpaint.document.layers import Style
from overpaint.document.text.drawing import draw_line, optical
from overpaint.document.text.faces import Face
from overpaint.document.text.reaching import Reach, in_words, reach
from overpaint.document.text.seen import Seen
from overpaint.document.text.settling import Settled, measure, snap

_HIGHER = 0.12  # of the ink's height: how far a face may be off
_STEPS = (1.0, 0.5, 0.25, 0.1)  # sizes that people choose are multiples of these
_ROUND = 0.012  # of a size: so far it may be from such a one
# A rounder size is taken where its error is at most so many times that of the best, and more.
_AS_GOOD, _AND = 1.15, 4e-4
_TIE = 2e-4  # of the line unexplained: two ways that differ by less cannot be told apart
_TALLER = 1.6  # pixels by which hints make letters higher or lower
_FITTING = 12  # faces that are tried for their proportions alone


def plainest(faces: Iterable[Face], seen: Seen) -> list[Settled]:
    """The faces as plain styles on the line, best first; none that cannot be so high and wide."""
    sized = [(face, size) for face in faces if (size := _size(face, seen)) is not None]
    fine = sorted(
        (snap(_laid(face, size, seen), seen) for face, size in sized),
        key=lambda one: one.error,
    )
    bent = [one for face, size in sized for one in _hinted(face, size, seen)]
    rounded = [_rounded(one, seen) for one in fine[:2]]
    wholes = [one for best in rounded[:1] for one in _in_one_go(best, seen)]
    return sorted([*rounded, *fine[2:], *bent, *wholes], key=lambda one: one.error)


def _in_one_go(found: Settled, seen: Seen) -> Iterator[Settled]:
    """The same drawn in one go, which most programs do; where it shows, that must be as like."""
    if " " not in seen.text:
        return
    size, _ = _fit(found.face, seen, whole=True)
    whole = _rounded(snap(_laid(found.face, size, seen, whole=True), seen), seen)
    yield whole if whole.error > found.error + _TIE else replace(whole, likeness=_above(found))


def _above(found: Settled) -> float:
    """A likeness that is a hair greater."""
    return min(1.0, found.likeness + 1e-9)


def gridded(faces: Iterable[Face], seen: Seen) -> list[Settled]:
    """The faces at whole sizes as hints bend them, best first: small letters look like others."""
    sized = [(face, *_fit(face, seen)) for face in faces]
    whole = [
        (face, size)
        for face, size, off in sized
        if off < _TALLER and abs(size - round(size)) < 0.25 + _ROUND * size
    ]
    bent = [one for face, size in whole for one in _hinted(face, size, seen, steps=(0,))]
    return sorted(bent, key=lambda one: one.error)


def _size(face: Face, seen: Seen) -> float | None:
    """The size that makes the line as wide as it is; None where it is then too high or too low."""
    size, off = _fit(face, seen)
    return size if off < _HIGHER * seen.high + 1.0 else None


def _fit(face: Face, seen: Seen, *, whole: bool = False) -> tuple[float, float]:
    """The size that makes the line as wide as it is, and by how much it is then too high or low."""
    ink = _reach(face, seen, whole=whole)
    if ink.right <= ink.left:
        return 0.0, float("inf")
    size = (seen.spans[-1][1] - seen.spans[0][0]) / (ink.right - ink.left)
    return size, abs((ink.bottom - ink.top) * size - seen.high)


def _reach(face: Face, seen: Seen, *, whole: bool) -> Reach:
    """The ink of the line from its pen, as it is drawn at the size it is seen."""
    measured = reach if whole else in_words
    return measured(seen.text, face, optical(face, 0.8 * seen.high))


def fitting(faces: Iterable[Face], seen: Seen) -> list[Face]:
    """The faces whose letters are as high as seen where the line is as wide, the best first."""
    return sorted(faces, key=lambda face: _fit(face, seen)[1])[:_FITTING]


def _laid(face: Face, size: float, seen: Seen, *, whole: bool = False) -> Settled:
    """The line at a size, its ink where the ink is seen."""
    style = Style(
        family=face.family, size=size, weight=face.weight, italic=face.italic, whole=whole
    )
    ink = _reach(face, seen, whole=whole)
    baseline = (seen.top + seen.bottom - size * (ink.top + ink.bottom)) / 2
    return Settled(face, style, seen.spans[0][0] - size * ink.left, baseline)


def _rounded(found: Settled, seen: Seen) -> Settled:
    """The same at the roundest size that is about as like."""
    size = found.style.size
    tried = [found]
    for step in _STEPS:
        near = round(size / step) * step
        if near > 0 and abs(near - size) < _ROUND * size:
            laid = _laid(found.face, near, seen, whole=found.style.whole)
            tried.insert(-1, snap(laid, seen))
    least = min(one.error for one in tried)
    return next(one for one in tried if one.error <= _AS_GOOD * least + _AND)


def _hinted(
    face: Face, size: float, seen: Seen, *, steps: tuple[int, ...] = (-1, 0, 1)
) -> Iterator[Settled]:
    """The line at whole sizes as hints bend it, its ink on the ink to the pixel."""
    for whole in {max(4, round(size) + step) for step in steps}:
        style = Style(family=face.family, size=float(whole), weight=face.weight,
                      italic=face.italic, edges="hinted")  # fmt: skip
        drawn = draw_line(seen.text, face, style)
        if not drawn.alpha.size:
            continue
        wide = seen.spans[-1][1] - seen.spans[0][0]
        if abs(drawn.alpha.shape[1] - wide) > 2.5 + 0.004 * wide:
            continue
        left = round(seen.spans[0][0] - drawn.left - (drawn.alpha.shape[1] - wide) / 2)
        top = round((seen.top + seen.bottom - drawn.alpha.shape[0]) / 2 - drawn.top)
        places = [(left + x, top + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
        found = [measure(Settled(face, style, float(x), float(y)), seen) for x, y in places]
        yield _softened(min(found, key=lambda one: one.error), seen)


def _softened(found: Settled, seen: Seen) -> Settled:
    """The same with the blur that is most like the line's, where that makes a difference."""
    tried = [found]
    for blur in (0.4, 0.6, 0.9):
        tried.append(measure(replace(found, style=replace(found.style, blur=blur)), seen))
    least = min(one.error for one in tried)
    return next(one for one in tried if one.error <= _AS_GOOD * least + _AND)
