"""Paragraphs of a picture: which lines belong together, how they are aligned, what fits in them."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from overpaint.document.layers import Align
from overpaint.document.text.breaking import breaks
from overpaint.editors.typeset.flow import follows_of
from overpaint.editors.typeset.locate import spot
from overpaint.editors.typeset.reading import Page
from overpaint.vision.joining import unspaced
from overpaint.vision.page import Box, Line

LEVEL = 2.0  # pixels: edges this close are one edge
BEARING = 0.08  # of a line's height: letters begin so far from where their line does
ALIKE = 1.25  # of two lines' heights: more is another paragraph
LEVEL_ENDS = 0.15  # of the longest line: how uneven the ends of running text are
# A line that has the very same edge, n heights away, votes 1 / (1 + n) for that alignment. So much
# from all lines, as much as from one nine heights away, tells how a line is aligned; and so much
# from those that share an edge with it (one anywhere on the page) tells that it is so itself.
_VOTED, _SHARED = 0.1, 0.02
NEAR = 0.004  # of the width: how far from the middle a centred line may be


def number_of(page: Page, line: Line) -> int:
    """Which of the page's lines it is."""
    left, top, right, bottom = line.box
    x, y = (left + right) / 2, (top + bottom) / 2
    boxes = page.boxes
    away = abs((boxes[:, 0] + boxes[:, 2]) / 2 - x) + abs((boxes[:, 1] + boxes[:, 3]) / 2 - y)
    return int(away.argmin())


def lines_after(page: Page, number: int) -> list[int]:
    """The lines that go on below one, in the same paragraph."""
    follows = follows_of(page.boxes, page.rules[1])
    found: list[int] = []
    at = number
    while True:
        below = [n for n in follows[at] if n not in (number, *found) and _goes_on(page, at, n)]
        if not below:
            return found
        at = below[-1]
        found.append(at)


def lines_before(page: Page, number: int) -> list[int]:
    """The lines above one in the same paragraph, from the top."""
    follows = follows_of(page.boxes, page.rules[1])
    found: list[int] = []
    at = number
    while True:
        above = [n for n in range(len(page)) if at in follows[n] and _goes_on(page, n, at)
                 and n not in (number, *found)]  # fmt: skip
        if not above:
            return found[::-1]
        at = above[0]
        found.append(at)


def _goes_on(page: Page, one: int, other: int) -> bool:
    """Whether a line is the next of the same paragraph: as high, close below, no edge between."""
    (x0, y0, x1, y1), (a0, b0, a1, b1) = page.boxes[one], page.boxes[other]
    high, low = max(y1 - y0, b1 - b0), min(y1 - y0, b1 - b0)
    return bool(b0 > y0 + 0.5 * low and high < ALIKE * low and b0 - y1 < 0.9 * low
                and min(x1, a1) > max(x0, a0))  # fmt: skip


def runs_on(page: Page, number: int) -> bool:
    """Whether the lines around one are running text, which words may flow through.

    Lines of running text end where the next word did not fit, so that their ends are level; of
    two lines alone the second goes on in the middle of a sentence.
    """
    chain = [*lines_before(page, number), number, *lines_after(page, number)]
    boxes = [page.line(n).box for n in chain]
    edge, wide = max(box[2] for box in boxes), max(box[2] - box[0] for box in boxes)
    if len(chain) == 2:
        first, second = (page.line(n).text for n in chain)
        goes_on = second[:1].islower() or (unspaced(second[:1]) and first[-1:] not in "。！？：")
        return goes_on and boxes[0][2] > edge - LEVEL_ENDS * wide
    full = [box[2] > edge - LEVEL_ENDS * wide for box in boxes[:-1]]
    return len(chain) > 2 and sum(full) >= 0.7 * len(full)


def align_of(page: Page, number: int) -> Align:
    """How a line is aligned: what edge it and its neighbours share with lines of other lengths.

    A line that shares none is centred where it stands in the middle of the picture.
    """
    own = spot(page, number, 0, len(page.line(number).text)).line.box
    boxes = [own if n == number else page.tight(n) for n in range(len(page))]
    votes = _votes(boxes, number)
    shared = dict(votes)
    for n, box in enumerate(boxes):
        if n != number and _over(box, own):
            away = abs(box[1] + box[3] - own[1] - own[3]) / (own[3] - own[1])
            for align, vote in _votes(boxes, n).items():
                votes[align] += vote / (2 + away)
    best = max(votes, key=lambda align: votes[align])
    wide = page.pixels.shape[1]
    level = max(_level(own), NEAR * wide)
    middle = abs(_EDGES["centre"](own) - wide / 2) < level
    told = votes[best] > _VOTED
    if middle and not (told and shared[best] > _SHARED):
        return "centre"
    return best if told else "left"


def _votes(boxes: Sequence[Box], number: int) -> dict[Align, float]:
    """For each alignment how many lines of other lengths share that edge, near ones most."""
    box = boxes[number]
    level = _level(box)
    votes: dict[Align, float] = {"left": 0.0, "centre": 0.0, "right": 0.0}
    for n, other in enumerate(boxes):
        longer = abs((other[2] - other[0]) - (box[2] - box[0]))
        if n == number or longer < 3 * level or not _over(other, box):
            continue
        away = abs(other[1] + other[3] - box[1] - box[3]) / 2 / (box[3] - box[1])
        for align, edge in _EDGES.items():
            votes[align] += math.exp(-(((edge(other) - edge(box)) / level) ** 2)) / (1 + away)
    return votes


def _level(box: Box) -> float:
    return max(LEVEL, BEARING * (box[3] - box[1]))


def _over(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether one box is above or below the other."""
    return min(one[2], other[2]) > max(one[0], other[0]) and not (
        min(one[3], other[3]) - max(one[1], other[1]) > 0.5 * (other[3] - other[1])
    )


_EDGES: Mapping[Align, Callable[[Sequence[float]], float]] = {
    "left": lambda box: float(box[0]),
    "centre": lambda box: float(box[0] + box[2]) / 2,
    "right": lambda box: float(box[2]),
}


# ── what fits ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Unit:
    """Letters that are never parted, and whether a space stands before them."""

    letters: str
    spaced: bool


def units(words: str) -> list[Unit]:
    """The words, and in Chinese the letters, with the signs that hang on them."""
    text = " ".join(words.split())
    ends = sorted({*breaks(text), len(text)} - {0})
    pieces = [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    before = [" ", *pieces]
    return [
        Unit(piece.strip(), last.endswith(" ")) for piece, last in zip(pieces, before, strict=False)
    ]


def said(line: Sequence[Unit]) -> str:
    """Units in a row as words."""
    return "".join((" " if u.spaced and i else "") + u.letters for i, u in enumerate(line))


def fitting(rest: Sequence[Unit], wide: Callable[[str], float], room: float) -> int:
    """How many of the units, at most, are no wider than the room together.

    Kerning may make more of them narrower than fewer, but not by half: what follows words that
    are twice as wide as the room is not measured.
    """
    most = 1
    while most < len(rest) and wide(said(rest[:most])) <= 2 * room:
        most *= 2
    tried = range(min(most, len(rest)), 0, -1)
    return next((count for count in tried if wide(said(rest[:count])) <= room), 0)
