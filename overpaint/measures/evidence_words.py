"""Words as a reader sees them: which letters it can tell apart, and where words stand on a page.

Two texts are compared without spaces and, outside numbers, without punctuation, which a reader
gets wrong most often. What is the same but for letters that look alike (l, I and 1; O and 0; c
and C) is `alike`; only what is the same to the letter is `same`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate

from overpaint.measures.text import normalised
from overpaint.vision.joining import unspaced
from overpaint.vision.page import Box, Line, union

MOST_LINES = 3000  # of one picture; more is no page
MOST_LETTERS = 2000  # of words that are looked for
MOST_PAIRED = 200_000  # letters of words times letters read, when the nearest part is sought
DEEPEST = 12  # lines that words may run over
SHORT = 4  # letters; shorter words are found only where they stand alone

_KEPT = "%&$¥€£+#@"
# Letters that readers take for one another, and capitals that differ from small ones by size.
_TWINS = str.maketrans("lI|0OQCSVWXZUPKJ¥", "1110oocsvwxzupkjy")
# And those that it may take for one another where they are small or worn.
_NEAR = (
    " ec co eo ao hb nh un uv vy rn ij 1i 1j 1t tf gq g9 q9 5s 8b 6b 2z 38 17 7t rt mn 1f 1r 4a"
    " 日目 人入 八入 己已 土士 未末 天夭 千干 大太 木本 "
)
_NARROW, _BROAD = "1iljtf.,:;'!|I()", "mwMW@%"


def letters(text: str) -> list[tuple[str, int]]:
    """What is compared of a text, each letter with its place: signs only inside numbers."""
    plain = [(part, at) for at, letter in enumerate(text) for part in _folded(letter)]
    return [
        (part, at)
        for number, (part, at) in enumerate(plain)
        if part.isalnum() or part in _KEPT or _in_number(plain, number)
    ]


def _in_number(plain: list[tuple[str, int]], number: int) -> bool:
    beside = (plain[number - 1 : number], plain[number + 1 : number + 2])
    return all(one and one[0][0].isdigit() for one in beside)


@lru_cache(maxsize=4096)
def _folded(letter: str) -> str:
    return "".join(normalised(letter).split())


def bare(text: str) -> str:
    """The letters and figures of a text, signs kept only inside numbers."""
    return "".join(letter for letter, _ in letters(text))


def key(text: str) -> str:
    """The same with letters that look alike made one."""
    return bare(text).translate(_TWINS)


def signs(text: str) -> str:
    """All that is printed, spaces left out."""
    return "".join(normalised(text).split())


def alike(one: str, other: str) -> bool:
    """Whether two texts differ at most in letters that a reader cannot tell apart."""
    return key(one) == key(other)


def near(one: str, other: str) -> bool:
    """Whether the letters in which two texts differ may well be a reader's own mistakes."""
    from rapidfuzz.distance import Levenshtein

    a, b = key(one), key(other)
    ops = [op for op in Levenshtein.opcodes(a, b) if op.tag != "equal"]
    for op in ops:
        gone, come = a[op.src_start : op.src_end], b[op.dest_start : op.dest_end]
        if op.tag != "replace" or len(gone) != len(come):
            return True  # a letter lost or won: it may be the edge of the line
        if any(
            f" {x}{y} " in _NEAR or f" {y}{x} " in _NEAR for x, y in zip(gone, come, strict=True)
        ):
            return True
    return False


def nearest(words: str, said: str) -> tuple[int, str]:
    """The part of what was read that is most like some words, both as keys, and its distance."""
    if len(words) * len(said) > MOST_PAIRED:
        return len(words), ""
    # Each cell: edits, the length that is missing or too much, and where the part begins.
    row = [(0, 0, at) for at in range(len(said) + 1)]
    for number, letter in enumerate(words, 1):
        last, row = row, [(number, number, 0)]
        for at, other in enumerate(said, 1):
            edits, off, start = last[at - 1]
            options = [(edits + (letter != other), off, start)]
            options += [(last[at][0] + 1, last[at][1] + 1, last[at][2])]
            options += [(row[at - 1][0] + 1, row[at - 1][1] + 1, row[at - 1][2])]
            row.append(min(options))
    end = min(range(len(row)), key=lambda at: row[at][:2])
    return row[end][0], said[row[end][2] : end]


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
        return _key(self.line.text, self.cased)

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
        ends = list(accumulate((_width(letter) for letter in self.line.text), initial=0.0))
        return [end / (ends[-1] or 1.0) for end in ends]

    def said(self, start: int, end: int) -> str:
        """What some letters of the key stand for."""
        return self.line.text[self._places[start] : self._places[end - 1] + 1]

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


def breadth(text: str) -> float:
    """How broad a text is set, in small letters of an average font."""
    return sum(map(_width, text))


def _width(letter: str) -> float:
    if unspaced(letter):
        return 2.0
    if letter in _NARROW:
        return 0.55
    if letter in _BROAD:
        return 1.5
    return 0.6 if letter == " " else 1.25 if letter.isupper() else 1.0


def _key(text: str, cased: bool) -> str:
    found = key(text)
    lower = "".join(letter.lower()[:1] for letter in found)
    return found if cased else lower.translate(_TWINS)


def find(lines: Sequence[Line], words: str, *, cased: bool = True) -> list[Spot]:
    """Where the words stand, over several lines too, letters that look alike forgiven."""
    wanted = _key(words, cased)[:MOST_LETTERS]
    if not wanted:
        return []
    rows = [Row(line, cased) for line in lines[:MOST_LINES]]
    found = []
    for row in rows:
        found += [_spot([(row, at, at + len(wanted))]) for at in _places(row, wanted, words)]
        for held in range(1, min(len(wanted), len(row.key) + 1)):
            begin = len(row.key) - held
            if row.key.endswith(wanted[:held]) and _whole(row, begin, len(row.key), words):
                start = (row, begin, len(row.key))
                rest = _rest(rows, row, wanted[held:], DEEPEST)
                found += [_spot([start, *parts]) for parts in ([rest] if rest else [])]
    return found


def _places(row: Row, wanted: str, words: str) -> Iterator[int]:
    at = row.key.find(wanted)
    while at >= 0:
        if _whole(row, at, at + len(wanted), words):
            yield at
        at = row.key.find(wanted, at + 1)


def _whole(row: Row, start: int, end: int, words: str) -> bool:
    """Figures and short words are not found inside longer ones: no 6 in 62, no "or" in "for"."""
    short = len(key(words)) < SHORT
    for at in (start, end):
        if 0 < at < len(row.key):
            figures = row.key[at - 1].isdigit() and row.key[at].isdigit()
            if figures or (short and row.joined(at)):
                return False
    return True


def _rest(
    rows: Sequence[Row], last: Row, wanted: str, depth: int
) -> list[tuple[Row, int, int]] | None:
    """The rows after one that say the rest of what is wanted."""
    for row in _next(rows, last):
        if row.key.startswith(wanted):
            return [(row, 0, len(wanted))]
        if row.key and wanted.startswith(row.key) and depth:
            more = _rest(rows, row, wanted[len(row.key) :], depth - 1)
            if more:
                return [(row, 0, len(row.key)), *more]
    return None


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
