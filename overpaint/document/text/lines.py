"""Lines: letters gathered into pieces, pieces into lines, lines aligned in their box.

A piece is drawn in one go: a word, a space, or a Han letter with its punctuation. With `fine`
edges each word stands on its own, so that kerning does not reach across spaces; with the others
a run of words is one piece, as the programs that draw so have it.
"""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from overpaint.document.layers import Align, Glyph, Style
from overpaint.document.text.bidi import levels, strong, turned, visual
from overpaint.document.text.breaking import breaks, ideograph
from overpaint.document.text.drawing import advance
from overpaint.document.text.dressing import Dress, Letter

_LOOSE = 3.8  # a line is set ragged where justifying would make its spaces this many times wider
_HALF_DOT = 1e-3  # a line may be wider than its box by what adding up widths leaves
_NEARLY = 0.9  # of a line: from here on it is measured whole
# How wide spaces are that a font does not have, in sizes; other spaces are as the usual one.
_SPACES = {"\u3000": 1.0, "\u2003": 1.0, "\u2002": 0.5, "\u2004": 1 / 3, "\u2005": 0.25,
           "\u2006": 1 / 6, "\u2009": 0.2, "\u200a": 0.1, "\u2007": 0.55}  # fmt: skip
_TAB = 4  # spaces


@dataclass(frozen=True)
class Piece:
    """Words drawn in one go: where they begin from the text's place, and in what dress."""

    words: str
    x: float
    advance: float
    dress: Dress
    run: int
    level: int = 0
    glyph: Glyph | None = None

    @property
    def style(self) -> Style:
        """The style, with what had to be forced."""
        return self.dress.style

    @property
    def drawn(self) -> str:
        """The words as they are given to be drawn from the left."""
        signs = self.level % 2 and not strong(self.words)
        return turned(self.words) if signs else self.words


@dataclass(frozen=True)
class SetLine:
    """One line: what it says, its pieces from the left, its baseline and how wide it is."""

    words: str
    pieces: tuple[Piece, ...]
    baseline: float
    left: float
    width: float


@dataclass(frozen=True)
class Row:
    """Letters of one line before they are placed; `first` and `last` of its paragraph."""

    letters: tuple[Letter, ...]
    depths: tuple[int, ...]
    style: Style
    last: bool
    first: bool = False


# ── filling ─────────────────────────────────────────────────────────────────────────────


def rows_of(letters: Sequence[Letter], style: Style, width: float | None) -> list[Row]:
    """The letters in rows that fit the width, filled greedily; \\n begins a new one."""
    rows: list[Row] = []
    start, opens = 0, True
    for end in range(len(letters) + 1):
        if end < len(letters) and letters[end].sign not in "\n\v\u2028\u2029":
            continue
        part = letters[start:end]
        style = (
            (part or letters[end : end + 1] or letters[-1:])[0].dress.style if letters else style
        )
        room = None if width is None else max(1.0, width - style.indent)
        made = list(_paragraph(part, style, room))
        rows += [replace(made[0], first=opens), *made[1:]]
        start = end + 1
        opens = end < len(letters) and letters[end].sign in "\n\u2029"
    return rows


def _paragraph(letters: Sequence[Letter], style: Style, width: float | None) -> Iterator[Row]:
    words = "".join(letter.sign for letter in letters)
    depths = levels(words)
    cuts = [0, *(_cuts(letters, words, depths, width) if width is not None else ()), len(words)]
    for start, end in pairwise(cuts):
        yield Row(tuple(letters[start:end]), depths[start:end], style, end == len(words))


def _cuts(
    letters: Sequence[Letter], words: str, depths: Sequence[int], width: float
) -> Iterator[int]:
    """Where the lines of a paragraph end."""

    def wide(start: int, end: int) -> float:
        return sum(piece.advance for piece in pieces_of(letters[start:end], depths[start:end]))

    used, begun = 0.0, 0
    places = [0, *sorted(breaks(words)), len(words)]
    for start, end in pairwise(places):
        shown = start + len(words[start:end].rstrip(" "))
        whole = used + wide(start, shown)
        if whole > _NEARLY * width:
            whole = wide(begun, shown)  # parts of one word kern with each other
        if start > begun and whole > width + _HALF_DOT:
            yield start
            used, begun, whole = 0.0, start, wide(start, shown)
        if whole > width + _HALF_DOT:
            for cut in _forced(letters, (start, shown), width, wide):
                yield cut
                begun = cut
            used = wide(begun, end)
        else:
            used += wide(start, end)


def _forced(
    letters: Sequence[Letter],
    word: tuple[int, int],
    width: float,
    wide: Callable[[int, int], float],
) -> Iterator[int]:
    """Cuts inside a word that is wider than the line: before the letter that does not fit."""
    begun, used = word[0], 0.0
    for at in range(*word):
        used += wide(at, at + 1)
        if used > _NEARLY * width:
            used = wide(begun, at + 1)
        mark = unicodedata.category(letters[at].sign)[0] == "M"
        if used > width + _HALF_DOT and at > begun and not mark:
            yield at
            begun, used = at, wide(at, at + 1)


# ── pieces ──────────────────────────────────────────────────────────────────────────────


def pieces_of(letters: Sequence[Letter], depths: Sequence[int]) -> list[Piece]:
    """The letters in pieces, in the order they are read, none placed yet."""
    pieces: list[Piece] = []
    start, places = 0, breaks("".join(letter.sign for letter in letters))
    for at in range(1, len(letters) + 1):
        if at < len(letters) and _together(letters, depths, at, places):
            continue
        pieces.extend(_piece(letters[start:at], depths[start], letters[at : at + 1]))
        start = at
    return pieces


def _together(
    letters: Sequence[Letter], depths: Sequence[int], at: int, places: frozenset[int]
) -> bool:
    before, after = letters[at - 1], letters[at]
    if before.run != after.run or before.dress != after.dress or depths[at - 1] != depths[at]:
        return False
    if before.glyph or after.glyph or before.gone or after.gone:
        return False
    style = before.dress.style
    if (style.edges != "fine" or style.whole) and style.align != "justify" and not depths[at]:
        return not _odd_space(before) and not _odd_space(after)
    if before.sign.isspace() or after.sign.isspace():
        return False
    return at not in places or not (ideograph(before.sign) or ideograph(after.sign))


def _odd_space(letter: Letter) -> bool:
    return letter.sign == "\t" or (letter.sign.isspace() and not letter.dress.face.has(letter.sign))


def _piece(letters: Sequence[Letter], level: int, after: Sequence[Letter]) -> Iterator[Piece]:
    first = letters[0]
    words = "".join(letter.sign for letter in letters).replace("\u00ad", "")
    if first.gone or not words:
        return
    dress = first.dress
    if first.glyph:
        kerns = [first.glyph.kerns.get(letter.sign, 0.0) for letter in after]
        wide = first.glyph.advance + dress.style.spacing + sum(kerns)
    elif len(words) == 1 and _odd_space(first):
        wide = _space(words, dress)
    else:
        wide = advance(words, dress.face, dress.style)
    yield Piece(words, 0.0, wide, dress, first.run, level, first.glyph)


def _space(sign: str, dress: Dress) -> float:
    style = dress.style
    if sign in _SPACES:
        return _SPACES[sign] * style.size * style.stretch + style.spacing
    return advance(" ", dress.face, style) * (_TAB if sign == "\t" else 1)


# ── placing ─────────────────────────────────────────────────────────────────────────────


def placed(rows: Sequence[Row], width: float | None, align: Align) -> tuple[SetLine, ...]:
    """The rows as lines on their baselines, the first at 0, aligned in their box."""
    shown = [_shown(row) for row in rows]
    wides = [sum(piece.advance for piece in pieces) for pieces in shown]
    reach = [wide + row.style.indent for wide, row in zip(wides, rows, strict=True)]
    room = max(reach, default=0.0) if width is None else width
    left = 0.0 if width is not None else {"centre": -room / 2, "right": -room}.get(align, 0.0)
    lines: list[SetLine] = []
    baseline = 0.0
    for number, (row, pieces, wide) in enumerate(zip(rows, shown, wides, strict=True)):
        baseline += _pitch(row) if number else 0.0
        spare = room - row.style.indent - wide
        if row.style.align == "justify" and width is not None and not row.last and spare > 0:
            pieces = _stretched(pieces, spare)
            wide = sum(piece.advance for piece in pieces)
        x = (
            left
            + row.style.indent
            + {"centre": spare / 2, "right": spare}.get(row.style.align, 0.0)
        )
        words = "".join(letter.sign for letter in row.letters).rstrip(" ")
        lines.append(SetLine(words, tuple(_in_order(pieces, x)), baseline, x, wide))
    return tuple(lines)


def _pitch(row: Row) -> float:
    """From the baseline before to this one: as the largest of its letters asks."""
    styles = [letter.dress.style for letter in row.letters] or [row.style]
    return max(style.size * style.leading for style in styles)


def _shown(row: Row) -> list[Piece]:
    """The pieces of a row without the spaces at its end, with a hyphen where a word is parted."""
    letters = list(row.letters)
    while letters and letters[-1].sign in " \t":
        letters.pop()
    if letters and letters[-1].sign == "\u00ad" and not row.last:
        letters[-1] = replace(letters[-1], sign="-")
    return pieces_of(letters, row.depths)


def _in_order(pieces: Sequence[Piece], x: float) -> Iterator[Piece]:
    for at in visual([piece.level for piece in pieces]):
        piece = pieces[at]
        if piece.words.strip() or piece.style.underline or piece.style.strike:
            yield replace(piece, x=x)
        x += piece.advance


def _stretched(pieces: list[Piece], spare: float) -> list[Piece]:
    """The pieces of a line with spaces widened; in Chinese, which has none, every gap is."""
    gaps = _gaps(pieces)
    real = [at for at in gaps if not pieces[at].words.strip()]
    if not gaps:
        return pieces
    if 2 * len(real) > len(gaps):
        each = spare / len(real)
        usual = min(pieces[at].advance for at in real)
        wider = real if each <= (_LOOSE - 1) * usual else []
    else:
        each = spare / len(gaps)
        usual = advance(" ", pieces[0].dress.face, pieces[0].style)
        wider = gaps if each <= 1.2 * usual else []
    return [
        replace(piece, advance=piece.advance + each) if at in wider else piece
        for at, piece in enumerate(pieces)
    ]


def _gaps(pieces: Sequence[Piece]) -> list[int]:
    """Pieces that may be followed by more room: spaces, and Han letters that may end a line."""
    words = "".join(piece.words for piece in pieces)
    places = breaks(words)
    gaps, at = [], 0
    for number, piece in enumerate(pieces[:-1]):
        at += len(piece.words)
        beside = ideograph(piece.words[-1]) or ideograph(pieces[number + 1].words[0])
        if not piece.words.strip() or (beside and at in places):
            gaps.append(number)
    return gaps
