"""Laying: a face put on a line by widths and heights alone, then moved by whole pixels."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from overpaint.document.text.faces import Face
from overpaint.document.text.reaching import in_words, reach
from overpaint.document.text.seen import Seen
from overpaint.document.text.trial import Trial, render, soften
from overpaint.document.text.units import EM, alphabet

Laid = tuple[float, Trial]  # how badly it fits, in tolerances squared, and the face as it is laid

_SPREAD = 0.012  # in sizes: less is no letter spacing but a slip of the measures
_SPACED = 0.4  # what it costs to suppose that letters are spaced out
_UNPARTED = 0.6  # and that words were told apart in the wrong places
_SOFT = 0.8  # blur under which pictures are compared that do not lie on each other yet
_ROOM = 2  # pixels to move by


def lay(face: Face, seen: Seen) -> list[Laid]:
    """The face laid on the line in the ways that are likely, each with what it costs.

    Letters may stand close or be spaced out, and words may have been told apart wrongly.
    """
    letters = alphabet(face, 1.1 * seen.high / seen.factor)
    words = [reach(word, face, letters.fit) for word in seen.words]
    inked = [word for word in words if word.right > word.left]
    if not inked:
        return []
    ink = min(word.top for word in inked), max(word.bottom for word in inked)
    wide = np.array([word.right - word.left for word in words])
    have = np.array([right - left for left, right in seen.spans])
    start = Trial(letters, seen.text, 1.0)
    found = []
    for size, spacing in _ways(seen, wide, have, ink[1] - ink[0]):
        gaps = np.array([len(word) - 1 for word in seen.words], float)
        off = have - size * wide - spacing * gaps
        trial = _upright(replace(start, size=size, spacing=spacing), seen, ink)
        cost = float(off @ off) / len(off) / _slack(size) ** 2 + _height_cost(seen, size, ink)
        found.append((cost + _SPACED * bool(spacing), trial))
    if len(words) > 1:
        found.append(_unparted(start, seen, ink))
    return found


def _ways(
    seen: Seen, wide: NDArray[np.float64], have: NDArray[np.float64], tall: float
) -> list[tuple[float, float]]:
    """Sizes and letter spacings: by the widths alone, and by the height."""
    ways = [(float(have @ wide / (wide @ wide)), 0.0)]
    gaps = np.array([len(word) - 1 for word in seen.words], float)
    if gaps.any():
        size = seen.high / max(tall, 0.05)
        spread = float((have - size * wide) @ gaps / (gaps @ gaps))
        if abs(spread) > _SPREAD * size:
            ways.append((size, spread))
    return ways


def _unparted(start: Trial, seen: Seen, ink: tuple[float, float]) -> Laid:
    """Laid by the ends of the whole line, as if no space had been widened."""
    whole = in_words(seen.text, start.face, start.letters.fit)
    size = (seen.spans[-1][1] - seen.spans[0][0]) / max(whole.right - whole.left, 0.05)
    left = seen.spans[0][0] - size * whole.left
    trial = _upright(replace(start, size=size, left=left), seen, ink)
    return _UNPARTED + _height_cost(seen, size, ink), trial


def _slack(size: float) -> float:
    """How far a measure may be off: edges are blurred, and kerning is not counted yet."""
    return 0.04 * size + 0.7


def _height_cost(seen: Seen, size: float, ink: tuple[float, float]) -> float:
    return ((seen.high - size * (ink[1] - ink[0])) / _slack(size)) ** 2


def _upright(trial: Trial, seen: Seen, ink: tuple[float, float]) -> Trial:
    """The baseline where the middle of the ink is the middle of the line's."""
    middle = (seen.top + seen.bottom) / 2 - trial.size * (ink[0] + ink[1]) / 2
    return replace(trial, baseline=middle)


def place(trial: Trial, seen: Seen) -> Trial:
    """The pen and the word space that bring each word to its place."""
    if trial.left:
        return trial  # laid by its ends
    letters, natural = trial.letters.line(seen.text, joined=not trial.spacing)
    scale = trial.size / EM
    at = natural * scale + trial.spacing * np.arange(len(letters) + 1)
    many = len(seen.words) > 1
    starts = [0, *(i + 1 for i, a in enumerate(letters) if a == " ")] if many else [0]
    ends = [*(i - 1 for i in starts[1:]), len(letters)]
    marks = []
    for (left, right), first, end in zip(seen.spans, starts, ends, strict=True):
        begins = at[first] + trial.letters.unit(letters[first]).box[0] * scale
        stops = at[end - 1] + trial.letters.unit(letters[end - 1]).box[2] * scale
        marks.append((left + right - begins - stops) / 2)
    if not many:
        return replace(trial, left=float(marks[0]))
    word_space, left = np.polyfit(np.arange(len(marks)), marks, 1).tolist()
    return replace(trial, left=left, word_space=word_space)


def nudge(trial: Trial, seen: Seen) -> Trial:
    """The trial moved by whole pixels to where it is most like the line."""
    import cv2

    drawn = soften(render(trial, seen.cover.shape), _SOFT)
    around = np.pad(soften(seen.cover, _SOFT), _ROOM)
    found = cv2.matchTemplate(around, drawn, cv2.TM_CCOEFF_NORMED)
    y, x = divmod(int(np.argmax(found)), found.shape[1])
    like = float(found[y, x])
    return replace(
        trial,
        left=trial.left + x - _ROOM,
        baseline=trial.baseline + y - _ROOM,
        likeness=like if math.isfinite(like) else 0.0,
    )
