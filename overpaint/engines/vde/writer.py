"""Instructions without a model: from what OCR read on a page, by rules, the same for a seed.

One per kind of edit: something quoted that stands on the page once, in the page's main language,
in one place. Text kinds stay out of tables and pictures, table kinds inside a table.
"""

import json
import math
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import islice
from typing import Any

from overpaint.engines.corpus import VISUAL
from overpaint.engines.released import TYPES
from overpaint.engines.vde.prompts import WORDINGS
from overpaint.engines.vde.tables import rows_of
from overpaint.engines.vde.wording import (
    CHINESE,
    language_of,
    main_language,
    normal,
    page_text,
    places,
)
from overpaint.vision.page import Block

# What a picture, a formula or a stamp says is no running text.
NO_TEXT = VISUAL | {
    "equation", "formula", "display_formula", "inline_formula", "formula_number"
}  # fmt: skip
# Neither headings nor running text: what stands on every page alike, and what belongs to a table.
_ASIDES = frozenset({"header", "footer", "page_number", "number", "abandon", "aside_text"})
_NUMBER = re.compile(r"(?<![\w.,/:-])\d{1,3}(?:,\d{3})+(?:\.\d+)?%?(?![\w/:-])"
                     r"|(?<![\w.,/:-])\d+(?:\.\d+)?%?(?![\w/:-]|[.,]\d)")  # fmt: skip
_SENTENCE = {
    "english": re.compile(r"(?:(?<=^)|(?<=[.!?] ))[A-Z][^.!?]{18,120}[.!?](?= |$)"),
    "chinese": re.compile(r"(?:^|(?<=[。！？!?]))[^。！？!?]{5,45}[。！？!?]"),
}
# Letters that a person could type without looking them up: formulas are not worth quoting.
_TYPED = re.compile(r"[\x20-\x7e\u2010-\u2026\u3000-\u303f\u4e00-\u9fff\uff00-\uffef·°±×€£¥]+")
_ENDED = tuple(".!?:。！？：…")
_ASIDE = re.compile(r" ?[(（][^()（）]{4,40}[)）]")
_HEADING, _CELL = 25, 16  # in squares of the letters' size; what is longer is not called so
_MOST = 200  # places of one kind looked at on a page; more would only cost time


@dataclass(frozen=True)
class Draft:
    """An instruction as written, with what it is about."""

    kind: str
    text: str
    wording: str
    target: str = ""


@dataclass(frozen=True)
class Spot:
    """A place that could be edited: the block, what stands there, what would stand there."""

    block: Block
    old: str
    new: str = ""
    form: str = ""  # of the template, where it is not the kind's own
    row: str = ""


@dataclass(frozen=True)
class Sheet:
    """A page as the writer sees it."""

    blocks: tuple[Block, ...]
    size: tuple[int, int]
    language: str

    @cached_property
    def usual(self) -> float:
        """The size of the page's running text."""
        text = [block for block in self.blocks if block.kind not in NO_TEXT and block.text.strip()]
        sizes = sorted((_letter(block), len(block.text)) for block in text)
        half, passed = sum(count for _, count in sizes) / 2, 0
        for size, count in sizes:
            passed += count
            if passed >= half:
                return size
        return math.inf

    def once(self, text: str) -> bool:
        """Whether the text stands on the page exactly once."""
        return len(list(islice(places(normal(text), self._words), 2))) == 1

    @cached_property
    def _words(self) -> str:
        return page_text(self.blocks)


def applicable(blocks: Sequence[Block]) -> tuple[str, ...]:
    """The kinds of edit that make sense on a page: table kinds only where there is a table."""
    table = any(block.kind == "table" and rows_of(block.text) for block in blocks)
    text = any(block.kind not in NO_TEXT and block.text.strip() for block in blocks)
    return tuple(kind for kind in TYPES if (table if kind.startswith("table") else text))


def write(
    blocks: Sequence[Block], size: tuple[int, int], *, seed: str, most: int = len(TYPES)
) -> Iterator[Draft]:
    """Up to so many instructions, of different kinds; an empty one where no place was found."""
    sheet = Sheet(tuple(blocks), size, main_language(page_text(blocks)))
    kinds = list(applicable(blocks))
    random.Random(f"{seed}:kinds").shuffle(kinds)
    written = 0
    for kind in kinds:
        if written == most:
            return
        draft = _draft(sheet, kind, random.Random(f"{seed}:{kind}"))
        written += bool(draft.text)
        yield draft


def _draft(sheet: Sheet, kind: str, rng: random.Random) -> Draft:
    wording = rng.randrange(len(WORDINGS))
    spots = list(_SPOTS[kind](sheet, rng))
    if not spots:
        return Draft(kind, "", WORDINGS[wording])
    spot = rng.choice(spots)
    words = _words()
    told = words["templates"][sheet.language]
    row = told["row"].format(head=spot.row) if spot.row else ""
    text = told[spot.form or kind][wording].format(
        old=spot.old, new=spot.new, row=row, place=_place(sheet, spot.block),
        noun=words["nouns"][sheet.language][_noun(sheet, spot.block)],
    )  # fmt: skip
    # A quoted sentence has its stop already.
    return Draft(kind, re.sub(r"([.。])([\"”])[.。]$", r"\1\2", text), WORDINGS[wording], spot.old)


# ── running text ────────────────────────────────────────────────────────────────────────────


def _replacements(sheet: Sheet, rng: random.Random) -> Iterator[Spot]:
    """Words that have an opposite or a neighbour, and numbers, with enough around to be unique."""
    pairs = [pair.split("/") for pair in _words()["exchanges"][sheet.language]]
    exchange = dict(pairs) | {b: a for a, b in pairs if b not in dict(pairs)}
    edge = r"\b" if sheet.language != CHINESE else ""
    known = sorted(map(re.escape, exchange), key=len, reverse=True)
    pattern = re.compile(f"{edge}(?:{'|'.join(known)}){edge}")
    for block, text, _ in _running(sheet):
        for match in pattern.finditer(text):
            yield from _unique(sheet, block, text, match, exchange[match[0]])
        for match in _NUMBER.finditer(text):
            if new := _other_number(match[0], rng):
                yield from _unique(sheet, block, text, match, new)


def _unique(
    sheet: Sheet, block: Block, text: str, match: "re.Match[str]", new: str
) -> Iterator[Spot]:
    """The match with as many words around it as make it unique; nothing if six do not."""
    start, end = _clause(text, *match.span()) if sheet.language == CHINESE else match.span()
    for step in range(7):
        old = text[start:end].strip()
        if (len(old) >= 4 or step) and _quotable(old) and sheet.once(old):
            fresh = text[start : match.start()] + new + text[match.end() : end]
            yield Spot(block, old, fresh.strip())
            return
        wider = _wider(sheet.language, text, start, end, after=step % 2 == 0)
        if wider == (start, end):
            wider = _wider(sheet.language, text, start, end, after=step % 2 == 1)
        if wider == (start, end):
            return
        start, end = wider


def _clause(text: str, start: int, end: int) -> tuple[int, int]:
    """The words between two marks around a place, where they are few: Chinese has no spaces."""
    marks = [m.start() for m in re.finditer(r"[^\w%.％．]|$", text)]
    left = max((m + 1 for m in marks if m < start), default=0)
    right = min(m for m in marks if m >= end)
    return (left, right) if right - left <= 18 else (start, end)


def _wider(language: str, text: str, start: int, end: int, *, after: bool) -> tuple[int, int]:
    """One word more on that side, where a plain word stands there."""
    if language == CHINESE:
        near = text[end : end + 1] if after else text[max(start - 1, 0) : start]
        if not re.fullmatch(r"[\u4e00-\u9fff]", near):
            return start, end
        return (start, end + 1) if after else (start - 1, end)
    found = (re.match(r" [A-Za-z]+(?=[ ,.;:]|$)", text[end:]) if after
             else re.search(r"(?:^|(?<= ))[A-Za-z]+ $", text[:start]))  # fmt: skip
    if not found:
        return start, end
    return (start, end + len(found[0])) if after else (start - len(found[0]), end)


def _additions(sheet: Sheet, rng: random.Random) -> Iterator[Spot]:
    more = _words()["additions"][sheet.language]
    for block, text, begins in _running(sheet):
        if _noun(sheet, block) == "heading":
            if _quotable(text) and sheet.once(text):
                yield Spot(block, text, rng.choice(more["heading"]))
        else:
            for sentence in _sentences(sheet, text, begins):
                yield Spot(block, sentence, rng.choice(more["sentence"]))


def _deletions(sheet: Sheet, rng: random.Random) -> Iterator[Spot]:
    for block, text, begins in _running(sheet):
        if _noun(sheet, block) == "heading" and _quotable(text) and sheet.once(text):
            yield Spot(block, text)
        for sentence in _sentences(sheet, text, begins):
            yield Spot(block, sentence)
        for aside in map(str.strip, _ASIDE.findall(text)):
            if language_of(aside) == sheet.language and _quotable(aside) and sheet.once(aside):
                yield Spot(block, aside)


def _sentences(sheet: Sheet, text: str, begins: bool) -> Iterator[str]:
    """Whole sentences of a bearable length that stand on the page once.

    The first is left out where it may be the rest of one that began in the block before.
    """
    for found in _SENTENCE[sheet.language].finditer(text):
        sentence = found[0].strip()
        if not begins and found.start() == 0:
            continue
        if "- " not in sentence and _quotable(sentence) and sheet.once(sentence):  # no broken words
            yield sentence


def _running(sheet: Sheet) -> Iterator[tuple[Block, str, bool]]:
    """Headings and running text in the main language, and whether a sentence begins there."""
    found, ended = 0, True
    for block in sheet.blocks:
        text = _spaced(block.text)
        begins, ended = ended, text.endswith(_ENDED) or _noun(sheet, block) == "heading"
        if block.kind in NO_TEXT | _ASIDES or language_of(text) != sheet.language:
            continue
        least = 4 if sheet.language == CHINESE else 6
        if len(text) >= least and found < _MOST:
            found += 1
            yield block, text, begins


# ── tables ──────────────────────────────────────────────────────────────────────────────────


def _cells(sheet: Sheet) -> Iterator[tuple[Block, str, list[str]]]:
    """(table, cell, its row) of every cell below the first row that stands on the page once."""
    found = 0
    for block in sheet.blocks:
        for row in rows_of(block.text)[1:] if block.kind == "table" else []:
            for cell in row:
                if found < _MOST and _ems(cell) <= _CELL and _quotable(cell) and sheet.once(cell):
                    found += 1
                    yield block, cell, row


def _cell_spots(sheet: Sheet, make: Any) -> Iterator[Spot]:
    for block, cell, row in _cells(sheet):
        head = row[0] if row[0] != cell and _ems(row[0]) <= _CELL and _quotable(row[0]) else ""
        if new := make(cell):
            yield Spot(block, cell, new, row=head)


def _cell_replacements(sheet: Sheet, rng: random.Random) -> Iterator[Spot]:
    yield from _cell_spots(sheet, lambda cell: _other_cell(cell, rng))


def _cell_additions(sheet: Sheet, rng: random.Random) -> Iterator[Spot]:
    more = _words()["additions"][sheet.language]["cell"]
    yield from _cell_spots(sheet, lambda cell: rng.choice(more))


def _cell_deletions(sheet: Sheet, rng: random.Random) -> Iterator[Spot]:
    for spot in _cell_spots(sheet, lambda cell: cell):
        if spot.row:  # a row's name stays
            yield spot


def _structures(sheet: Sheet, rng: random.Random) -> Iterator[Spot]:
    for block in sheet.blocks:
        rows = rows_of(block.text) if block.kind == "table" else []
        for head in rows[0][1:] if len(rows) > 1 else []:
            if _names(sheet, head):
                yield Spot(block, head, form="delete column")
        for row in rows[1:]:
            if len(row) > 1 and _names(sheet, row[0]):
                yield Spot(block, row[0], form=rng.choice(["delete row", "insert row"]))


def _names(sheet: Sheet, cell: str) -> bool:
    """Whether a cell can name its row or column: short, of letters, once on the page."""
    lettered = sum(map(str.isalpha, cell)) >= 2
    return lettered and _ems(cell) <= _CELL and _quotable(cell) and sheet.once(cell)


_SPOTS = dict(
    zip(
        TYPES,
        (_replacements, _additions, _deletions, _cell_replacements, _cell_additions,
         _cell_deletions, _structures),
        strict=True,
    )
)  # fmt: skip


# ── small things ────────────────────────────────────────────────────────────────────────────


def _other_number(text: str, rng: random.Random) -> str:
    """A number of the same make that is another; nothing for ones too short to be told apart."""
    if re.fullmatch(r"(19|20)\d\d", text):
        return str(int(text) + rng.choice([-3, -2, -1, 1, 2, 3]))
    digits = [n for n, letter in enumerate(text) if letter.isdigit()]
    if len(digits) < 2:
        return ""
    place = digits[rng.randrange(1, len(digits))]
    digit = str((int(text[place]) + rng.randrange(1, 9)) % 10)
    return text[:place] + digit + text[place + 1 :]


def _other_cell(cell: str, rng: random.Random) -> str:
    """The cell with one number in it changed; nothing where there is none."""
    found = _NUMBER.search(cell)
    new = _other_number(found[0], rng) if found else ""
    return cell[: found.start()] + new + cell[found.end() :] if found and new else ""


def _quotable(text: str) -> bool:
    """Whether quotation marks can be put around it and it can be read and typed."""
    return '"' not in normal(text) and bool(_TYPED.fullmatch(text))


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _noun(sheet: Sheet, block: Block) -> str:
    """What people would call the block; larger letters make a short one a heading."""
    if block.kind == "table":
        return "table"
    large = _ems(block.text) <= _HEADING and _letter(block) > 1.25 * sheet.usual
    if "title" in block.kind or (large and not block.text.endswith(tuple(",;，；、"))):
        return "heading"
    return "paragraph" if len(block.text) > 60 else "line"


def _letter(block: Block) -> float:
    """Roughly how large the block's letters are, from the room they take."""
    left, top, right, bottom = block.box
    room = max(right - left, 0.0) * max(bottom - top, 0.0)
    return math.sqrt(room / (_ems(block.text) or 1.0))


def _ems(text: str) -> float:
    """How long a text is in squares of its size: a Latin letter takes half of one."""
    return sum(1.0 if letter > "\u2e80" else 0.5 for letter in text)


def _place(sheet: Sheet, block: Block) -> str:
    """Where on the page the block stands, in thirds."""
    (left, top, right, bottom), (width, height) = block.box, sheet.size
    down = ("top", "middle", "bottom")[min(max(int(1.5 * (top + bottom) / height), 0), 2)]
    third = min(max(int(1.5 * (left + right) / width), 0), 2)
    across = "" if right - left > 0.6 * width else ("left", "", "right")[third]
    place: str = _words()["places"][sheet.language][f"{down} {across}".strip()]
    return place


@cache
def _words() -> Any:
    text = (files("overpaint.engines.vde") / "words.json").read_text(encoding="utf-8")
    return json.loads(text)
