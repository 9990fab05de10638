"""Marks: bullets and numbers before the paragraphs of a list."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from overpaint.document.layers import Run, Style, Text
from overpaint.document.text.dressing import dressed
from overpaint.document.text.fonts import Library
from overpaint.document.text.lines import Piece, Row, SetLine, pieces_of

_COUNTED = re.compile(r"(\(?)(\d{1,6}|[aAiI](?=[.)]))([.)]?)")
_APART = 0.25  # sizes between a mark that is wider than its room and the words
_LONGEST = 8  # letters of a mark
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
          (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip


def marked(rows: Sequence[Row], lines: Sequence[SetLine], library: Library) -> tuple[SetLine, ...]:
    """The lines with the mark of each paragraph before the first of its own."""
    if not any(row.style.bullet for row in rows):
        return tuple(lines)
    made = []
    for row, line, mark in zip(rows, lines, _marks(rows), strict=True):
        pieces = _pieces(mark, row, line, library) if mark else ()
        made.append(replace(line, pieces=(*pieces, *line.pieces)))
    return tuple(made)


def _marks(rows: Sequence[Row]) -> Iterator[str]:
    """What stands before each row: nothing, its bullet, or its number in its list."""
    lists: dict[float, tuple[str, int]] = {}  # by indent: how they are counted, and how far
    for row in rows:
        bullet, indent = row.style.bullet[:_LONGEST], row.style.indent
        if not row.first or not row.letters:
            yield ""
            continue
        lists = {key: value for key, value in lists.items() if key <= indent}
        same, count = lists.get(indent, ("", 0))
        count = count + 1 if same == bullet else 0
        lists[indent] = bullet, count
        yield counted(bullet, count)


def counted(bullet: str, after: int) -> str:
    """The mark of a paragraph so many after the first of its list."""
    found = _COUNTED.fullmatch(bullet)
    if found is None:
        return bullet
    before, first, behind = found.groups()
    return f"{before}{_number(first, after)}{behind}"


def _number(first: str, after: int) -> str:
    if first.isdecimal():
        return str(int(first) + after)
    told = _letters(after + 1) if first in "aA" else _roman(after + 1)
    return told.upper() if first.isupper() else told


def _letters(number: int) -> str:
    """a to z, then aa to zz, as slides have them."""
    return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)


def _roman(number: int) -> str:
    told = ""
    for value, sign in _ROMAN:
        told += sign * (number // value)
        number %= value
    return told


def _pieces(mark: str, row: Row, line: SetLine, library: Library) -> Iterator[Piece]:
    """The mark as it is drawn, before the words, or after them where they run to the left."""
    style: Style = replace(row.style, bullet="", underline=False, strike=False)
    letters, _ = dressed(Text((Run(mark, style),)), library)
    pieces = pieces_of(letters, [0] * len(letters))
    wide = sum(piece.advance for piece in pieces)
    away = max(row.style.hang, wide + _APART * style.size)
    backward = bool(row.depths and row.depths[0] % 2)
    x = line.left + line.width + away - wide if backward else line.left - away
    for piece in pieces:
        yield replace(piece, x=x, run=row.letters[0].run)
        x += piece.advance
