"""Edits: one place of a page says something else. Whole lines or cells change, nothing moves."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from overpaint.engines.documents.setting import SetLine, Text, chinese, join, lines_of
from overpaint.engines.documents.sheet import Page, item_lines, marker_box, spoken
from overpaint.engines.documents.tables import (
    Cell,
    Rect,
    Table,
    cell_lines,
    fits,
    lay,
    merged,
    table_block,
    without_column,
    without_row,
)
from overpaint.engines.documents.words import rules
from overpaint.engines.released import TYPES
from overpaint.vision.page import Block, Box, union

MOST_LINES = 4  # that one replacement may change
PAD = 4  # pixels around the changed lines, where there is room


@dataclass(frozen=True)
class Revision:
    """A source page, its truth, where they differ, what stands there now, and who asked for it."""

    source: Page
    truth: Page
    region: Rect
    blocks: tuple[Block, ...]
    instruction: str
    targets: tuple[str, ...]  # what the instruction quotes; each found once on the source


Slots = Mapping[str, str | tuple[str, ...]]


@dataclass(frozen=True)
class Wish:
    """An edit before it is worded: the page with one item swapped, and what a person would say."""

    old: Text | Table
    new: Text | Table
    wording: str  # which rule of the instructions
    said: Slots  # what its slots say
    targets: tuple[str, ...]
    fresh: str = ""  # words the source must not have yet
    cell: Cell | None = None  # the one cell that changes


def revise(page: Page, kind: str, language: str, chance: Random) -> Revision | None:
    """An edit of that type somewhere on the page, or none where the page offers none."""
    wishes = list(_WISHES[kind](page))
    chance.shuffle(wishes)
    # Long paragraphs offer more edits than short texts, and tables more merges than new rows:
    # the item is drawn first, then what is done to it, then where.
    order = {id(item): chance.random() for item in page.items}
    rank = {wording: chance.random() for wording in sorted({wish.wording for wish in wishes})}
    for wish in sorted(wishes, key=lambda w: (order[id(_standing(page, w))], rank[w.wording])):
        if found := _carry_out(page, wish, language, chance):
            return found
    return None


def _standing(page: Page, wish: Wish) -> Text | Table:
    return wish.old if any(item is wish.old for item in page.items) else wish.new


def _carry_out(page: Page, wish: Wish, language: str, chance: Random) -> Revision | None:
    standing = _standing(page, wish)
    source, truth = page.swapped(standing, wish.old), page.swapped(standing, wish.new)
    changed, blocks = _place(wish)
    region = _padded(changed, wish, truth)
    spoken_now = "\n".join(spoken(source))
    if any(spoken_now.count(target) != 1 for target in wish.targets):
        return None
    if region is None or (wish.fresh and wish.fresh in spoken_now):
        return None
    tongue = "english" if language == "english" else "chinese"
    pattern = chance.choice(rules(f"asked_{tongue}")[wish.wording])
    instruction = pattern.format(**{key: _listed(said, tongue) for key, said in wish.said.items()})
    return Revision(source, truth, region, blocks, instruction, wish.targets)


def _listed(said: str | tuple[str, ...], tongue: str) -> str:
    if isinstance(said, str):
        return said
    if tongue == "chinese":
        return "、".join(f"“{part}”" for part in said)
    return ", ".join(f'"{part}"' for part in said)


# ── where a page changed ────────────────────────────────────────────────────────────────


def _place(wish: Wish) -> tuple[Rect, tuple[Block, ...]]:
    """The box of what changed, and what stands in it in the truth."""
    if isinstance(wish.old, Table) and isinstance(wish.new, Table):
        if wish.cell is None:
            return _whole(union([wish.old.box, wish.new.box])), (table_block(wish.new),)
        left, top, right, bottom = wish.old.room(wish.cell)
        box = (left + 2, top + 2, right - 1, bottom - 1)
        return box, _as_block(cell_lines(wish.new, _twin(wish.new, wish.cell)))
    assert isinstance(wish.old, Text)
    assert isinstance(wish.new, Text)
    before, after = lines_of(wish.old), lines_of(wish.new)
    first, last = _span(before, after)
    changed = before[first : last + 1] + after[first : last + 1]
    boxes = [line.box for line in changed]
    if first == 0 and wish.new.marker:
        boxes.append(marker_box(wish.old if before else wish.new))
    return _whole(union(boxes)), _as_block(after[first : last + 1])


def _twin(table: Table, cell: Cell) -> Cell:
    return table.at(cell.row, cell.column)


def _whole(box: tuple[float, ...]) -> Rect:
    left, top, right, bottom = map(int, box)
    return left, top, right, bottom


def _span(before: tuple[SetLine, ...], after: tuple[SetLine, ...]) -> tuple[int, int]:
    """First and last line that are not the same in both."""
    most = max(len(before), len(after))
    differs = [n for n in range(most) if before[n : n + 1] != after[n : n + 1]]
    return differs[0], differs[-1]


def _as_block(lines: tuple[SetLine, ...]) -> tuple[Block, ...]:
    if not lines:
        return ()
    return (Block(union([line.box for line in lines]), join([line.text for line in lines])),)


def _padded(region: Rect, wish: Wish, truth: Page) -> Rect | None:
    """The region with some room around it that touches nothing else; none where it must."""
    if wish.cell is not None:
        return region
    height, width = truth.backdrop.shape[:2]
    others = [line.box for item in truth.items if item is not wish.new for line in item_lines(item)]
    others += [item.box for item in truth.items if isinstance(item, Table) and item is not wish.new]
    if isinstance(wish.old, Text) and isinstance(wish.new, Text):
        before, after = lines_of(wish.old), lines_of(wish.new)
        first, last = _span(before, after)
        others += [line.box for n, line in enumerate(after) if not first <= n <= last]
    for pad in range(PAD, -1, -1):
        left, top, right, bottom = region
        box = (left - pad, top - pad, right + pad, bottom + pad)
        inside = box[0] >= 0 and box[1] >= 0 and box[2] <= width and box[3] <= height
        if inside and not any(touch(box, other) for other in others):
            return box
    return None


def touch(box: Box, other: Box) -> bool:
    """Whether two boxes share a pixel."""
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


# ── text ────────────────────────────────────────────────────────────────────────────────


def _text_replacements(page: Page) -> Iterator[Wish]:
    said = "\n".join(spoken(page))
    for text in (item for item in page.items if isinstance(item, Text)):
        for old, new in text.swaps:
            for number, sentence in enumerate(text.sentences):
                grown = _grown(sentence, old, new, said)
                if grown is None:
                    continue
                target, fresh = grown
                parts = list(text.sentences)
                parts[number] = sentence.replace(target, fresh)
                other = text.says(*parts)
                if _close(text, other):
                    slots = {"old": target, "new": fresh}
                    yield Wish(text, other, "replace", slots, (target,), fresh)


def _grown(sentence: str, old: str, new: str, said: str) -> tuple[str, str] | None:
    """Old and new with as many neighbouring words as make the old one unique on the page."""
    found = re.search(rf"(?<![\dA-Za-z])(?<!\d[.,]){re.escape(old)}(?![\dA-Za-z]|[.,]\d)", sentence)
    if not found:
        return None
    before = _STOP.split(sentence[: found.start()])[-1].lstrip()
    after = _STOP.split(sentence[found.end() :])[0].rstrip()
    heads, tails = re.findall(f"{_WORD} ?|.", before), re.findall(f" ?{_WORD}|.", after)
    for more in range(7):
        head, tail = "".join(heads[max(0, len(heads) - more) :]), "".join(tails[:more])
        target = head + old + tail
        if len(target) > 1 and said.count(target) == 1:
            return target, head + new + tail
    return None


_WORD = r"[\dA-Za-z]+(?:[.,:'-][\dA-Za-z]+)*"  # any other letter, such as a Chinese one, is a word
_STOP = re.compile(r"[，。、；：？！（）()\[\]]|[.,;:!?](?= |$)")


def _close(text: Text, other: Text) -> bool:
    """Whether a replacement keeps the number of lines and touches few of them."""
    before, after = lines_of(text), lines_of(other)
    if len(before) != len(after) or before == after:
        return False
    first, last = _span(before, after)
    return last - first < MOST_LINES


def _endings(page: Page) -> Iterator[tuple[Text, Text, str, str, str]]:
    """Texts with and without their end: the two, what they are, the end, what stands before it."""
    texts = [item for item in page.items if isinstance(item, Text)]
    for text in texts:
        if text.role == "field" and len(text.sentences) == 2:
            yield text, text.says(text.sentences[0]), "field", text.sentences[1], text.sentences[0]
        elif text.role == "paragraph" and len(text.sentences) > 1:
            kept = text.says(*text.sentences[:-1])
            yield text, kept, "sentence", text.sentences[-1], _opening(text.words)
    for before, text in pairwise(texts):
        if text.role == "item" == before.role and text.left == before.left:
            yield text, text.says(), "item", text.words, before.words


def _opening(words: str) -> str:
    """Enough of a text's beginning to know it by."""
    return words[:9] if chinese(words) else " ".join(words.split(" ")[:5]).rstrip(",;:")


def _text_additions(page: Page) -> Iterator[Wish]:
    for full, short, what, end, anchor in _endings(page):
        last = page.items[page.items.index(full) + 1 :][:1]
        if what == "item" and last and isinstance(last[0], Text) and last[0].role == "item":
            continue  # a gap inside a list would give the place away
        slots = {"new": end, "anchor": anchor}
        yield Wish(short, full, f"add {what}", slots, (anchor,), end)


def _text_deletions(page: Page) -> Iterator[Wish]:
    for full, short, what, end, anchor in _endings(page):
        targets = (anchor, end) if what == "field" else (end,)
        yield Wish(full, short, f"delete {what}", {"old": end, "anchor": anchor}, targets)


# ── tables ──────────────────────────────────────────────────────────────────────────────


def _tables(page: Page) -> Iterator[Table]:
    return (item for item in page.items if isinstance(item, Table))


def _values(table: Table) -> Iterator[tuple[Cell, str, str]]:
    """Cells that hold a value, each with the names of its row and its column."""
    heads = table.dress.heads
    for cell in table.cells:
        if cell.other and cell.row >= heads and cell.column:
            row, column = table.at(cell.row, _names(table)), table.at(heads - 1, cell.column)
            yield cell, row.words, column.words


def _names(table: Table) -> int:
    """The column that names the rows: the second where the first groups them."""
    heads = table.dress.heads
    return int(any(c.column == 0 and c.rows > 1 and c.row >= heads for c in table.cells))


def _table_replacements(page: Page) -> Iterator[Wish]:
    for table in _tables(page):
        for cell, row, _ in _values(table):
            new = table.with_cell(cell, cell.other)
            if fits(new, _twin(new, cell)) and len(cell.words) > 1:
                slots = {"old": cell.words, "new": cell.other, "row": row}
                yield Wish(table, new, "replace cell", slots, (cell.words, row), cell=cell)


def _table_additions(page: Page) -> Iterator[Wish]:
    for table in _tables(page):
        for cell, row, column in _values(table):
            if column and row:
                slots = {"new": cell.words, "row": row, "column": column}
                empty = table.with_cell(cell, "")
                yield Wish(empty, table, "fill cell", slots, (row, column), cell=cell)


def _table_deletions(page: Page) -> Iterator[Wish]:
    for table in _tables(page):
        for cell, row, _ in _values(table):
            slots = {"old": cell.words, "row": row}
            empty = table.with_cell(cell, "")
            if len(cell.words) > 1:
                yield Wish(table, empty, "empty cell", slots, (cell.words, row), cell=cell)


def _structures(page: Page) -> Iterator[Wish]:
    for table in _tables(page):
        yield from _row_edits(table)
        yield from _column_edits(table)
        yield from _merges(table)


def _relaid(table: Table, cells: tuple[Cell, ...]) -> Table:
    left, top, right, _ = table.box
    return lay(cells, left, top, right - left, dress=table.dress)


def _row_edits(table: Table) -> Iterator[Wish]:
    for row in range(table.dress.heads, len(table.heights)):
        touched = [cell for cell in table.cells if cell.covers(row, cell.column)]
        if any(cell.rows > 1 for cell in touched) or len(table.heights) - table.dress.heads < 3:
            continue
        name = touched[0].words
        fewer = _relaid(table, without_row(table.cells, row))
        yield Wish(table, fewer, "remove row", {"row": name}, (name,))
        above = table.at(row - 1, 0)
        if row > table.dress.heads and above.rows == 1:
            values = tuple(cell.words for cell in touched)
            slots: Slots = {"row": name, "anchor": above.words, "values": values}
            yield Wish(fewer, table, "add row", slots, (above.words,), name)


def _column_edits(table: Table) -> Iterator[Wish]:
    heads, last = table.dress.heads, len(table.widths) - 1
    for column in range(1, len(table.widths)):
        touched = [cell for cell in table.cells if cell.covers(cell.row, column)]
        if any(cell.columns > 1 or cell.rows > 1 for cell in touched) or heads > 1 or last < 2:
            continue
        name = touched[0].words
        fewer = _relaid(table, without_column(table.cells, column))
        yield Wish(table, fewer, "remove column", {"column": name}, (name,))
        if column == last:
            anchor = table.at(0, column - 1).words
            values = tuple(cell.words for cell in touched[1:])
            slots: Slots = {"column": name, "anchor": anchor, "values": values}
            yield Wish(fewer, table, "add column", slots, (anchor,), name)


def _merges(table: Table) -> Iterator[Wish]:
    cells = [c for c in table.cells if c.row >= table.dress.heads and c.column and c.other]
    for first in cells:
        for second in cells:
            beside = first.row == second.row and first.column + 1 == second.column
            below = first.column == second.column and first.row + 1 == second.row
            below = below and not table.dress.band
            if (beside or below) and len(first.words) > 1 < len(second.words):
                words = f"{first.words} / {second.words}"
                other = replace(table, cells=merged(table.cells, first, second, words))
                slots = {"first": first.words, "second": second.words, "new": words}
                if fits(other, _twin(other, first)):
                    yield Wish(
                        table, other, "merge cells", slots, (first.words, second.words), words
                    )


_WISHES = dict(
    zip(
        TYPES,
        (
            _text_replacements,
            _text_additions,
            _text_deletions,
            _table_replacements,
            _table_additions,
            _table_deletions,
            _structures,
        ),
        strict=True,
    )
)
