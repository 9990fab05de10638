"""Unseen words of a scan: what a program read on it, for searching, follows an edit of the picture.

They are changed where they say exactly what was replaced, and their font can say the new words;
else a note says that they still say the old ones.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pikepdf import Dictionary

from overpaint.document.ops import Op, ReplaceText
from overpaint.document.pdf.content import Change, Item, Piece, changed, shows
from overpaint.document.pdf.encoding import (
    Coded,
    coded,
    content_of,
    editable,
    of_the_file,
    packed,
    put_content,
    units,
)
from overpaint.document.pdf.lines import Line, lines_of
from overpaint.document.pdf.page import Page, matrix_of
from overpaint.document.where import short
from overpaint.errors import Refused

_MAX_CODES = 70_000
_CHAR = re.compile(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]*)>")
_RANGE = re.compile(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>")


def reword(data: bytes, page: Page, history: Sequence[Op]) -> tuple[bytes, tuple[str, ...]]:
    """The file with its unseen words as the ops have it, and notes on those that stayed."""
    if not any(leaf.unseen for leaf in page.leaves):
        return data, ()
    lines = lines_of(page, unseen=True)
    notes, wishes = dict[str, None](), list[tuple[str, str]]()
    for op in history:
        if isinstance(op, ReplaceText) and op.where.text:
            wishes.append((op.where.text, op.text))
        else:
            notes["its unseen words, which searching finds, are as they were"] = None
    for old, new in wishes:
        done = _reworded(data, page, lines, old, new)
        if done is None:
            notes[f"its unseen words, which searching finds, do not say {short(new)!r} yet"] = None
        else:
            data = done
    return data, tuple(notes)


def _reworded(data: bytes, page: Page, lines: list[Line], old: str, new: str) -> bytes | None:
    """The file with the old words as the new ones; None where they cannot be found or said."""
    found = [(line, match.start()) for line in lines
             for match in re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", line.words)]  # fmt: skip
    if len(found) != 1:
        return None
    line, start = found[0]
    with editable(data) as file:
        try:
            originals, plain = content_of(file, page.number)
        except Refused:
            return None
        tops = [i for i, leaf in enumerate(page.leaves) if leaf.text and len(leaf.path) == 1]
        written, wide = shows(plain), units(file, page.number)
        if len(written) != len(tops) or not set(line.leaves) <= set(tops):
            return None
        by_leaf = dict(zip(tops, written, strict=True))
        own = {n: coded(line, n, by_leaf[n], wide.get(by_leaf[n].state.font, 1))
               for n in line.leaves}  # fmt: skip
        spelt = _codes(file, page, by_leaf[line.letters[start].leaf].state.font)
        if not all(own.values()) or not set(new) <= set(spelt):
            return None
        changes = _changes(page, line, (start, start + len(old)), own, [spelt[a] for a in new])
        put_content(file, page.number, originals, [*changed(plain, changes)])
        return packed(file)


def _changes(
    page: Page, line: Line, span: tuple[int, int], own: Mapping[int, Coded | None],
    new: Sequence[bytes],
) -> dict[int, Change]:  # fmt: skip
    """What each object of the line shows now: the new words are where the old ones began."""
    first = line.letters[span[0]].leaf
    changes = {}
    for number, it in own.items():
        assert it is not None
        items: list[Item] = []
        put = number != first
        for code, kern, group in zip(it.codes, it.kerns, it.letters, strict=True):
            if span[0] <= group[0] < span[1]:
                items += [] if put else new
                put = True
            else:
                items += [code, kern] if kern else [code]
        if any(span[0] <= group[0] < span[1] for group in it.letters):
            matrix = matrix_of(page.leaves[number].handle)
            changes[it.show.at] = Change((Piece(tuple(items)),) if items else (), matrix)
    return changes


@of_the_file()
def _codes(file: Any, page: Page, font: str) -> dict[str, bytes]:
    """The code of each letter that a font's own map knows, or that a Latin font has."""
    held = file.pages[page.number - 1].Resources.get("/Font", Dictionary()).get(font)
    if not isinstance(held, Dictionary):
        return {}
    if "/ToUnicode" in held:
        return _inverted(held.ToUnicode.read_bytes())
    latin = held.get("/Encoding") == "/WinAnsiEncoding"
    return {chr(code): bytes([code]) for code in range(32, 127)} if latin else {}


def _inverted(table: bytes) -> dict[str, bytes]:
    """From letters to codes, by the map from codes to letters."""
    found: dict[str, bytes] = {}
    for part in re.findall(rb"beginbfchar(.*?)endbfchar", table, re.DOTALL):
        for code, words in _CHAR.findall(part):
            said = _told(words)
            if len(said) == 1:
                found.setdefault(said, _bytes(code))
    for part in re.findall(rb"beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for low, high, words in _RANGE.findall(part):
            start, said = int(low, 16), _told(words)
            for step in range(min(int(high, 16) - start + 1, _MAX_CODES)):
                letter = ord(said) + step if len(said) == 1 else -1
                if 0 <= letter < 0xD800 or 0xE000 <= letter < 0x10000:
                    code = (start + step).to_bytes(len(_bytes(low)), "big")
                    found.setdefault(chr(letter), code)
    return found


def _bytes(digits: bytes) -> bytes:
    return bytes.fromhex(digits.decode().rjust(len(digits) + len(digits) % 2, "0"))


def _told(digits: bytes) -> str:
    return _bytes(digits).decode("utf-16-be", "replace") if digits else ""
