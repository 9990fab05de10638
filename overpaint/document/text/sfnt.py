"""Font files: names, weights, axes and letters of TrueType and OpenType fonts, nothing else.

A font is a file of strangers. Every count and offset in it is checked against the file's size
before it is used, and only the few small tables that are needed are read.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from overpaint.document import regular

_SFNT = (b"\x00\x01\x00\x00", b"OTTO", b"true")
_MOST_FACES = 64  # in a collection
_MOST_TABLES = 256
_MOST_BYTES = 8 << 20  # of a table that is read
_MOST_NAMES = 4096
_LONGEST_NAME = 200
_CODES = 0x110000
_FAMILY, _FULL, _POSTSCRIPT, _TYPOGRAPHIC, _SUBFAMILY = 1, 4, 6, 16, 17
_NAMES = (_FAMILY, _FULL, _POSTSCRIPT, _TYPOGRAPHIC, _SUBFAMILY)
_ENGLISH = 0x409


class Damaged(ValueError):
    """A font file that contradicts itself; the message says where."""


@dataclass(frozen=True)
class Axis:
    """What a variable font can vary: its tag and its lowest, usual and highest value."""

    tag: str
    low: float
    usual: float
    high: float


@dataclass(frozen=True)
class Facts:
    """What a file says of one of its faces."""

    index: int
    family: str
    names: tuple[str, ...]  # of the family and of the face, in every language it has them
    weight: int
    italic: bool
    fixed: bool  # every letter is as wide
    panose: bytes
    family_class: int
    axes: tuple[Axis, ...]


@dataclass(frozen=True)
class Rules:
    """The middle of a rule below the baseline and how thick it is, in sizes."""

    under: tuple[float, float] = (0.1, 0.05)
    strike: tuple[float, float] = (-0.28, 0.05)


def faces_of(path: Path) -> tuple[Facts, ...]:
    """The faces with outlines in a file; `Damaged` where it is no sound font."""
    with regular.opened(path) as file:
        starts = _starts(file)
        found = (_facts(file, index, start) for index, start in enumerate(starts))
        return tuple(facts for facts in found if facts is not None)


@lru_cache(maxsize=512)
def letters_of(path: Path, index: int) -> NDArray[np.uint32]:
    """Every code point that the face has a glyph for, in order; none where it cannot be read."""
    try:
        with regular.opened(path) as file:
            tables = _tables(file, _starts(file)[index])
            return _letters(_table(file, tables, b"cmap"))
    except (OSError, Damaged, IndexError):
        return np.zeros(0, np.uint32)


@lru_cache(maxsize=512)
def rules_of(path: Path, index: int) -> Rules:
    """Where the face wants words underlined and struck; the usual where it does not say."""
    try:
        with regular.opened(path) as file:
            tables = _tables(file, _starts(file)[index])
            em = _unpack("H", _table(file, tables, b"head"), 18)[0] or 1000
            under = _unpack("hh", _table(file, tables, b"post", 32), 8)
            strike = _unpack("hh", _table(file, tables, b"OS/2", 96), 26)[::-1]
    except (OSError, Damaged, IndexError):
        return Rules()
    usual = Rules()
    # A position leads from the baseline up to the rule: to its middle below, to its top through.
    return Rules(
        (-under[0] / em, under[1] / em) if 0 < under[1] < em / 4 else usual.under,
        (-strike[0] / em + strike[1] / em / 2, strike[1] / em)
        if 0 < strike[1] < em / 4
        else usual.strike,
    )


# ── tables ──────────────────────────────────────────────────────────────────────────────

Tables = dict[bytes, tuple[int, int]]  # offset and length


def _starts(file: BinaryIO) -> tuple[int, ...]:
    """Where each face of the file begins."""
    head = _read(file, 0, 12)
    if head[:4] in _SFNT:
        return (0,)
    if head[:4] != b"ttcf":
        raise Damaged("it begins like no TrueType or OpenType font")
    count = int.from_bytes(head[8:12])
    if not 0 < count <= _MOST_FACES:
        raise Damaged(f"it says that it holds {count} faces")
    return struct.unpack(f">{count}L", _read(file, 12, 4 * count))


def _tables(file: BinaryIO, start: int) -> Tables:
    head = _read(file, start, 12)
    count = int.from_bytes(head[4:6])
    if head[:4] not in _SFNT or not 0 < count <= _MOST_TABLES:
        raise Damaged("its table of contents is broken")
    rows = struct.iter_unpack(">4sLLL", _read(file, start + 12, 16 * count))
    return {tag: (offset, length) for tag, _, offset, length in rows}


def _table(file: BinaryIO, tables: Tables, tag: bytes, most: int = _MOST_BYTES) -> bytes:
    if tag not in tables:
        raise Damaged(f"it has no table {tag.decode('latin-1')}")
    offset, length = tables[tag]
    return _read(file, offset, min(length, most))


def _read(file: BinaryIO, offset: int, length: int) -> bytes:
    file.seek(offset)
    data = file.read(length)
    if len(data) < length:
        raise Damaged("it ends too early")
    return data


def _unpack(form: str, data: bytes, offset: int) -> tuple[int, ...]:
    try:
        return struct.unpack_from(">" + form, data, offset)
    except struct.error as error:
        raise Damaged("a table ends too early") from error


# ── what a face is ──────────────────────────────────────────────────────────────────────


def _facts(file: BinaryIO, index: int, start: int) -> Facts | None:
    tables = _tables(file, start)
    if not tables.keys() & {b"glyf", b"CFF ", b"CFF2"}:
        return None  # of bitmaps only
    names = dict[int, dict[int, str]]()
    for number, language, words in _names(_table(file, tables, b"name")):
        names.setdefault(number, {}).setdefault(language, words)
    family = _family(names)
    if not family:
        raise Damaged("it has no name")
    about = _table(file, tables, b"OS/2", 96) if b"OS/2" in tables else bytes(78)
    weight, italic = _weight(about), bool(_unpack("H", about, 62)[0] & 0x201)
    style = _unpack("H", _table(file, tables, b"head"), 44)[0]  # bold 1, italic 2
    fixed = b"post" in tables and _unpack("L", _table(file, tables, b"post", 32), 12)[0] != 0
    return Facts(
        index=index,
        family=family,
        names=tuple(dict.fromkeys(w for n in _NAMES[:4] for w in names.get(n, {}).values())),
        weight=700 if style & 1 and weight < 600 else weight,
        italic=italic or bool(style & 2),
        fixed=fixed,
        panose=about[32:42],
        family_class=about[30],
        axes=tuple(_axes(_table(file, tables, b"fvar"))) if b"fvar" in tables else (),
    )


def _names(table: bytes) -> Iterator[tuple[int, int, str]]:
    """Number, language and words of the names that are needed, Windows' and Unicode's first."""
    count, strings = _unpack("HH", table, 2)
    rows = [_unpack("6H", table, 6 + 12 * row) for row in range(min(count, _MOST_NAMES))]
    for platform, encoding, language, number, length, offset in sorted(rows, key=lambda r: -r[0]):
        if number not in _NAMES:
            continue
        data = table[strings + offset : strings + offset + length]
        if platform in (0, 3):
            said = data.decode("utf-16-be", "ignore")
        elif platform == 1 and encoding == 0:
            said, language = data.decode("mac-roman", "ignore"), _ENGLISH
        else:
            continue
        said = "".join(letter for letter in said if letter.isprintable()).strip()
        if said:
            yield number, language, said[:_LONGEST_NAME]


def _family(names: dict[int, dict[int, str]]) -> str:
    """The name people choose it by: without weight and slant, with a width that is not usual."""

    def said(number: int) -> str:
        languages = names.get(number, {})
        return languages.get(_ENGLISH) or next(iter(languages.values()), "")

    family = said(_TYPOGRAPHIC) or said(_FAMILY)
    for width in ("Condensed", "Narrow", "Compressed", "Extended", "Expanded"):
        if width in said(_SUBFAMILY) and width not in family:
            family += " " + next(w for w in said(_SUBFAMILY).split() if width in w)
    return family


def _weight(about: bytes) -> int:
    weight = _unpack("H", about, 4)[0]
    if 0 < weight < 10:
        weight *= 100  # as old fonts count
    return min(max(weight, 100), 900) if weight else 400


def _axes(table: bytes) -> Iterator[Axis]:
    offset, _, count, size = _unpack("4H", table, 4)
    for number in range(min(count, 64)):
        tag, *values = struct.unpack_from(">4s3l", _part(table, offset + number * size, 16))
        low, usual, high = (value / 65536 for value in values)
        if not low <= usual <= high:
            raise Damaged("an axis contradicts itself")
        yield Axis(tag.decode("latin-1"), low, usual, high)


def _part(table: bytes, offset: int, length: int) -> bytes:
    data = table[offset : offset + length]
    if len(data) < length:
        raise Damaged("a table ends too early")
    return data


# ── letters ─────────────────────────────────────────────────────────────────────────────


def _letters(table: bytes) -> NDArray[np.uint32]:
    """The code points of the richest Unicode map of a `cmap` table."""
    count = _unpack("H", table, 2)[0]
    best: NDArray[np.uint32] = np.zeros(0, np.uint32)
    seen = set[int]()
    for row in range(min(count, 64)):
        platform, encoding, offset = _unpack("HHL", table, 4 + 8 * row)
        if (platform == 0 or (platform == 3 and encoding in (1, 10))) and offset not in seen:
            seen.add(offset)
            found = _READERS.get(_unpack("H", table, offset)[0], _nothing)(table, offset)
            best = found if found.size > best.size else best
    return best


def _nothing(table: bytes, offset: int) -> NDArray[np.uint32]:
    return np.zeros(0, np.uint32)


def _segments(table: bytes, offset: int) -> NDArray[np.uint32]:
    """Format 4: runs of codes below 0x10000, some of which lead through an array of glyphs."""
    count = _unpack("H", table, offset + 6)[0] // 2
    words = np.frombuffer(table, ">u2", offset=offset, count=(len(table) - offset) // 2)
    if words.size < 8 + 4 * count:
        raise Damaged("its map of letters ends too early")
    words = words.astype(np.int64)
    end, start = words[7 : 7 + count], words[8 + count : 8 + 2 * count]
    delta, through = words[8 + 2 * count : 8 + 3 * count], words[8 + 3 * count : 8 + 4 * count]
    codes, segment = _spread(start, end, 2 * 0x10000)
    glyph = (codes + delta[segment]) & 0xFFFF
    at = 8 + 3 * count + segment + through[segment] // 2 + codes - start[segment]
    indirect = (through[segment] != 0) & (through[segment] != 0xFFFF)
    inside = indirect & (at < words.size)
    glyph[indirect] = 0
    glyph[inside] = words[at[inside]]
    return np.unique(codes[(glyph != 0) & (codes != 0xFFFF)]).astype(np.uint32)


def _trimmed(table: bytes, offset: int) -> NDArray[np.uint32]:
    """Format 6: one run of codes."""
    first, count = _unpack("HH", table, offset + 6)
    glyphs = np.frombuffer(_part(table, offset + 10, 2 * count), ">u2")
    return (first + np.flatnonzero(glyphs)).astype(np.uint32)


def _groups(table: bytes, offset: int) -> NDArray[np.uint32]:
    """Format 12: runs of codes of all of Unicode."""
    count = _unpack("L", table, offset + 12)[0]
    rows = np.frombuffer(_part(table, offset + 16, 12 * count), ">u4").reshape(-1, 3)
    start, end, first = rows.astype(np.int64).T
    codes, segment = _spread(start, end, _CODES)
    glyphs = first[segment] + codes - start[segment]
    return np.unique(codes[(glyphs != 0) & (codes < _CODES)]).astype(np.uint32)


_READERS = {4: _segments, 6: _trimmed, 12: _groups}


def _spread(
    start: NDArray[np.int64], end: NDArray[np.int64], most: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every code of the runs, and the run that each is of."""
    length = np.maximum(end - start + 1, 0)
    if int(length.sum()) > most:
        raise Damaged("its map of letters has more than there are")
    segment = np.repeat(np.arange(length.size), length)
    before = np.cumsum(length) - length
    return np.arange(segment.size) - before[segment] + start[segment], segment
