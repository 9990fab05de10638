"""Paragraphs of a picture: which lines belong together, how they are aligned, what fits in them."""

from dataclasses import dataclass

from overpaint.document.layers import Align
from overpaint.editors.typeset.flow import follows_of
from overpaint.editors.typeset.reading import Page
from overpaint.vision.joining import unspaced
from overpaint.vision.page import Box, Line

LEVEL = 2.0  # pixels: edges this close are one edge
ALIKE = 1.25  # of two lines' heights: more is another paragraph
LEVEL_ENDS = 0.15  # of the longest line: how uneven the ends of running text are
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
    """How a line is aligned: as its neighbours' edges say, else as it stands on the page."""
    box = page.line(number).box
    near = [*lines_before(page, number), *lines_after(page, number)]
    others = [page.line(n).box for n in near]
    if others:
        for align, edge in (("left", _left), ("centre", _middle), ("right", _right)):
            if all(abs(edge(other) - edge(box)) < LEVEL for other in others):
                return align  # type: ignore[return-value]
        if any(abs(_left(other) - _left(box)) < LEVEL for other in others):
            return "left"
    wide = page.pixels.shape[1]
    if abs(_middle(box) - wide / 2) < max(LEVEL, NEAR * wide):
        return "centre"
    return _by_column(page, number, box)


def _by_column(page: Page, number: int, box: Box) -> Align:
    """What most lines further away share an edge with; left where none does."""
    counts = {"left": 0, "centre": 0, "right": 0}
    for n, other in enumerate(page.boxes):
        if n != number:
            counts["left"] += abs(other[0] - box[0]) < LEVEL
            counts["centre"] += abs((other[0] + other[2]) / 2 - _middle(box)) < LEVEL
            counts["right"] += abs(other[2] - box[2]) < LEVEL
    best = max(counts, key=lambda align: counts[align])
    return best if counts[best] > counts["left"] else "left"  # type: ignore[return-value]


def _left(box: Box) -> float:
    return box[0]


def _right(box: Box) -> float:
    return box[2]


def _middle(box: Box) -> float:
    return (box[0] + box[2]) / 2


# ── what fits ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Unit:
    """Letters that are never parted, and whether a space stands before them."""

    letters: str
    spaced: bool


def units(words: str) -> list[Unit]:
    """The words, and in Chinese the letters, with the signs that hang on them."""
    found: list[Unit] = []
    for word in words.split():
        spaced = True
        for letter in word:
            own = unspaced(letter)
            joins = found and not spaced and not (own and letter not in "，。、；：！？）》”’】")
            if joins and not (unspaced(found[-1].letters[-1]) and not own and letter.isalnum()):
                found[-1] = Unit(found[-1].letters + letter, found[-1].spaced)
            else:
                found.append(Unit(letter, spaced))
            spaced = False
    return found


def said(line: list[Unit]) -> str:
    """Units in a row as words."""
    return "".join((" " if u.spaced and i else "") + u.letters for i, u in enumerate(line))
