"""Finding: where words stand among the lines that were read, whole or over several lines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from overpaint.measures.evidence.words import bare, folded, letters, width
from overpaint.vision.joining import unspaced
from overpaint.vision.page import Box, Line, union

MOST_LINES = 3000  # of one picture; more is no page
MOST_LETTERS = 2000  # of words that are looked for
MOST_STEPS = 1000  # from line to line
DEEPEST = 12  # lines that words may run over
SHORT = 4  # letters; shorter words are found only where they stand alone


@dataclass(frozen=True)
class Spot:
    """Words found in a picture: what was read there, where, and how surely."""

    text: str
    boxes: tuple[Box, ...]  # one for each line
    confidence: float
    high: float  # of its lines

    @cached_property
    def box(self) -> Box:
        """The box around all of it."""
        return union(self.boxes)

    @property
    def middle(self) -> tuple[float, float]:
        """The centre of that box."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2


@dataclass(frozen=True)
class Row:
    """A line as read, ready to be searched: its key, and where each letter of the key stands."""

    line: Line
    cased: bool = True

    @cached_property
    def key(self) -> str:
        """What is compared."""
        return folded(self.line.text, cased=self.cased)

    @property
    def upright(self) -> bool:
        """Whether its letters stand one below the other, or the line is turned by a quarter."""
        left, top, right, bottom = self.line.box
        return bottom - top > 1.5 * (right - left) and len(self.line.text) > 1

    @property
    def high(self) -> float:
        """How high the line is."""
        left, top, right, bottom = self.line.box
        return right - left if self.upright else bottom - top

    @cached_property
    def _places(self) -> list[int]:
        """Where each letter of the key stands in the text."""
        return [at for _, at in letters(self.line.text)]

    @cached_property
    def _edges(self) -> list[float]:
        """Where each letter of the text begins, as a share of the line; the last ends at 1."""
        ends = list(accumulate((width(letter) for letter in self.line.text), initial=0.0))
        return [end / (ends[-1] or 1.0) for end in ends]

    def said(self, start: int, end: int) -> str:
        """What some letters of the key stand for."""
        return self.line.text[self._places[start] : self._places[end - 1] + 1]

    def within_number(self, at: int) -> bool:
        """Whether two figures of the key meet here."""
        own = bare(self.line.text)
        return 0 < at < len(own) and own[at - 1].isdigit() and own[at].isdigit()

    def joined(self, at: int) -> bool:
        """Whether two Latin letters of the key meet here with nothing between them."""
        if not 0 < at < len(self.key) or any(map(unspaced, self.key[at - 1 : at + 1])):
            return False
        return self._places[at] - self._places[at - 1] == 1

    def part(self, start: int, end: int) -> Box:
        """The box of some letters of the key."""
        left, top, right, bottom = self.line.box
        first = self._edges[self._places[start]]
        last = self._edges[self._places[end - 1] + 1]
        if self.upright:
            return left, top + first * (bottom - top), right, top + last * (bottom - top)
        return left + first * (right - left), top, left + last * (right - left), bottom


def find(lines: Sequence[Line], words: str, *, cased: bool = True) -> list[Spot]:
    """Where the words stand, over several lines too, letters that look alike forgiven."""
    wanted = folded(words, cased=cased)[:MOST_LETTERS]
    if not wanted:
        return []
    rows = [Row(line, cased) for line in lines[:MOST_LINES]]
    search = _Search(rows, wanted)
    return [_spot(parts) for row in rows for parts in search.from_row(row)]


Part = tuple["Row", int, int]  # a line, and which letters of its key


@dataclass
class _Search:
    """Looking for words in lines, in a bounded number of steps."""

    rows: Sequence[Row]
    wanted: str
    failed: set[tuple[int, int]] = field(default_factory=set)  # a line, and how much was found
    steps: int = MOST_STEPS

    def from_row(self, row: Row) -> Iterator[list[Part]]:
        """The ways in which the words begin in a line."""
        size, end = len(self.wanted), len(row.key)
        at = row.key.find(self.wanted)
        while at >= 0:
            if self._whole(row, at, at + size):
                yield [(row, at, at + size)]
            at = row.key.find(self.wanted, at + 1)
        for held in range(1, min(size, end + 1)):
            begun = row.key.endswith(self.wanted[:held]) and self._whole(row, end - held, end)
            rest = self._rest(row, held, DEEPEST) if begun else None
            if rest:
                yield [(row, end - held, end), *rest]

    def _rest(self, last: Row, held: int, depth: int) -> list[Part] | None:
        """The lines after one that say the rest of what is wanted."""
        self.steps -= 1
        if self.steps < 0 or not depth or (id(last), held) in self.failed:
            return None
        wanted = self.wanted[held:]
        for row in _next(self.rows, last):
            if row.key.startswith(wanted) and self._whole(row, 0, len(wanted)):
                return [(row, 0, len(wanted))]
            if row.key and wanted.startswith(row.key):
                more = self._rest(row, held + len(row.key), depth - 1)
                if more:
                    return [(row, 0, len(row.key)), *more]
        self.failed.add((id(last), held))
        return None

    def _whole(self, row: Row, start: int, end: int) -> bool:
        """Figures and short words are not found inside longer ones: no 6 in 62, no or in for."""
        short = len(self.wanted) < SHORT
        return not any(row.within_number(at) or (short and row.joined(at)) for at in (start, end))


def _next(rows: Sequence[Row], last: Row) -> Iterator[Row]:
    """What may follow a line: what stands right of it, then the lines just below."""
    left, top, right, bottom = last.line.box
    high = last.high
    for row in rows:
        x0, y0, x1, y1 = row.line.box
        level = min(bottom, y1) - max(top, y0) > 0.5 * min(high, row.high)
        if row is not last and level and -0.5 * high < x0 - right < 3 * high:
            yield row
    for row in rows:
        x0, y0, x1, y1 = row.line.box
        close = -0.4 * high < y0 - bottom < 1.4 * high and 0.5 < row.high / max(1.0, high) < 2
        if row is not last and close and x0 < right + 2 * high and x1 > left - 12 * high:
            yield row


def _spot(parts: Sequence[tuple[Row, int, int]]) -> Spot:
    return Spot(
        " ".join(row.said(start, end) for row, start, end in parts),
        tuple(row.part(start, end) for row, start, end in parts),
        min(row.line.confidence for row, _, _ in parts),
        max(row.high for row, _, _ in parts),
    )
