"""Layout: lines of text grouped into paragraphs and tables, in reading order.

A paragraph is found as a printer would: lines of one size that follow each other at one pitch,
and a line ends where the next word would not have fitted. No model is asked for text; tables
are in `tables.py`.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Evidence, finding
from overpaint.document import Document
from overpaint.vision import ocr, tables_model
from overpaint.vision.engines_model import Reader
from overpaint.vision.ink import bulleted
from overpaint.vision.joining import joined
from overpaint.vision.letters import Type
from overpaint.vision.page import Block, Box, Line, from_json, to_json, union
from overpaint.vision.tables import tables_of, within

REVISION = "3"
ALIKE = 1.22  # letters of one size differ by less, as far as ink can tell
SHORT_ALIKE = 1.4  # and a word or two by less than this
INDENT = 2.6  # sizes: the deepest indent of a first line
TALL = 2.0  # a line this many times higher than wide is a column of letters


def blocks(
    evidence: Evidence, document: Document, engine: str | Reader = "small"
) -> tuple[Block, ...]:
    """The blocks of a document as that engine reads it, found once for all who ask."""
    version = f"{ocr.version(engine)}/{REVISION}/{tables_model.version()}"
    return from_json(_kept_blocks(evidence, document, engine, version))


@finding(keep=True)
def _kept_blocks(
    evidence: Evidence, document: Document, engine: str | Reader, version: str
) -> dict[str, Any]:
    return to_json(blocks_of(document.rgb, ocr.lines(evidence, document, engine)))


def blocks_of(pixels: NDArray[np.uint8], lines: Sequence[Line]) -> tuple[Block, ...]:
    """Paragraphs, headings, items and tables in reading order."""
    tables = tables_of(pixels, lines)
    found = [Block(table.box, table.html, "table") for table in tables]
    lines = [line for line in lines if not any(within(line.box, t.box) for t in tables)]
    tall = [line for line in lines if _tall(line)]
    level = [line for line in lines if not _tall(line)]
    boxes = np.array([line.box for line in lines]).reshape(-1, 4)
    items = {line for line in level if bulleted(pixels, line, boxes)}
    found += [_block(paragraph) for paragraph in paragraphs(level, items)]
    # Columns of letters run from the right: turned by a quarter they are lines from the top.
    for paragraph in paragraphs([replace(line, box=_turned(line.box)) for line in tall]):
        block = _block(paragraph)
        found.append(replace(block, box=_turned_back(block.box)))
    return tuple(in_order(found))


def _tall(line: Line) -> bool:
    left, top, right, bottom = line.box
    return len(line.text) > 1 and bottom - top > TALL * (right - left)


def _turned(box: Box) -> Box:
    left, top, right, bottom = box
    return (top, -right, bottom, -left)


def _turned_back(box: Box) -> Box:
    left, top, right, bottom = box
    return (-bottom, left, -top, right)


def _block(paragraph: Sequence[Line]) -> Block:
    return Block(union([line.box for line in paragraph]), joined(line.text for line in paragraph))


# ── paragraphs ──────────────────────────────────────────────────────────────────────────

_MARKER = re.compile(
    r"^\s*(?P<bullet>[•●○◦▪■□◆◇►▶·*✓☐☑]|[–—-](?!\d)|[①-⑳]|第[一二三四五六七八九十\d]+[章节条题])"
    r"|^\s*[(（\[]?(?P<number>\d{1,2})[).、）．\]]"
    r"|^\s*[(（]?(?P<letter>[A-Za-z]|[ivx]{2,4}|[一二三四五六七八九十]{1,3})[).、）．]"
)
_FIELD = re.compile(r"^[^:：]{1,28}[:：](\s|$|[^\x00-\x7f])")  # "Name: …" on a form


def paragraphs(lines: Sequence[Line], items: Collection[Line] = ()) -> list[list[Line]]:
    """The lines grouped into paragraphs, headings and items; those in `items` have a bullet."""
    rows = _rows([Type(line) for line in lines if line.text])
    firsts = {line.box[:2] for line in items}
    chains = _chains(rows)
    usual = {chinese: _usual(chains, chinese=chinese) for chinese in (False, True)}
    parts = [part for chain in chains for part in _split(chain, usual)]
    return [[t.line for t in part] for whole in parts for part in _items(whole, firsts)]


def _items(part: Sequence[Type], firsts: Collection[tuple[float, ...]]) -> list[list[Type]]:
    """A paragraph taken apart before every line that has a bullet, and after the last item."""
    found: list[list[Type]] = [[]]
    for t in part:
        item = bool(found[-1]) and found[-1][0].line.box[:2] in firsts
        left_of_item = item and t.left < found[-1][0].left - t.size / 2
        if found[-1] and (left_of_item or t.line.box[:2] in firsts):
            found.append([])
        found[-1].append(t)
    return found


def _rows(types: Sequence[Type]) -> list[Type]:
    """Pieces of one line, which the detector took apart at a wide space, as one again."""
    rows: list[Type] = []
    at: dict[int, list[int]] = {}  # rows by where their baseline is, in steps of 16 pixels
    for piece in sorted(types, key=lambda t: t.left):
        first, last = (int(piece.base + way * piece.size / 3) // 16 for way in (-1, 1))
        near = [i for step in range(first, last + 1) for i in at.get(step, ())]
        match = next((i for i in near if _continues(rows[i], piece)), None)
        if match is None:
            at.setdefault(int(piece.base) // 16, []).append(len(rows))
            rows.append(piece)
        else:
            rows[match] = _together(rows[match], piece)
    return rows


def _continues(row: Type, piece: Type) -> bool:
    size = min(piece.size, row.size)
    level = abs(piece.base - row.base) < 0.25 * size and max(piece.size, row.size) < 1.3 * size
    return level and -0.5 * size < piece.left - row.right < 0.9 * size


def _together(a: Type, b: Type) -> Type:
    sure = min(a.line.confidence, b.line.confidence)
    return Type(Line(union([a.line.box, b.line.box]), joined([a.line.text, b.line.text]), sure))


def _chains(rows: Sequence[Type]) -> list[list[Type]]:
    """Lines of one size that stand below each other, each the nearest to the next."""
    places = np.array([(t.left, t.right, t.base, t.size) for t in rows]).reshape(-1, 4)
    below = [_nearest(places, i, 1) for i in range(len(rows))]
    above = [_nearest(places, i, -1) for i in range(len(rows))]
    after = {i: j for i, j in enumerate(below) if j is not None and above[j] == i}
    starts = set(range(len(rows))) - set(after.values())
    chains = []
    for start in sorted(starts, key=lambda i: rows[i].base):
        chain, at = [rows[start]], start
        while at in after:
            at = after[at]
            chain.append(rows[at])
        chains.append(chain)
    return chains


def _nearest(places: NDArray[np.float64], i: int, way: int) -> int | None:
    """The next line below (or, with -1, above) that shares room with line `i` and its size."""
    left, right, base, size = places.T
    pitch = (base - base[i]) * way / np.maximum(size, size[i])
    common = np.minimum(right, right[i]) - np.maximum(left, left[i])
    # The last words of a paragraph may stand wholly below the indent of its first line.
    deeper = (left[i] - left if way > 0 else left - left[i]) / size[i]
    common[(deeper > 0) & (deeper < INDENT) & (common > -INDENT * size[i])] = np.inf
    narrow = np.minimum(right - left, right[i] - left[i])
    pitch[(pitch < 0.6) | (common < 0.3 * narrow)] = np.inf
    best = int(np.argmin(pitch))
    # A few letters tell their size less well.
    short = min(narrow[best], right[i] - left[i]) < 5 * size[i]
    alike = max(size[best] / size[i], size[i] / size[best]) < (SHORT_ALIKE if short else ALIKE)
    return best if alike and pitch[best] < 2.4 else None


def _pitches(chain: Sequence[Type]) -> list[float]:
    """How far each line is below the one before, in sizes."""
    size = float(np.median([t.size for t in chain]))
    # Which letters a line happens to have moves its top, its bottom or the guessed baseline.
    steps = [
        (b.base - a.base, b.line.box[1] - a.line.box[1], b.line.box[3] - a.line.box[3])
        for a, b in pairwise(chain)
    ]
    return [sorted(step)[1] / size for step in steps]


def _usual(chains: Sequence[Sequence[Type]], *, chinese: bool) -> float:
    """How far lines of that script are apart on the page, where they are set closest."""
    found = [
        pitch
        for chain in chains
        for t, pitch in zip(chain[1:], _pitches(chain), strict=True)
        if t.chinese == chinese
    ]
    return float(np.quantile(found, 0.1)) if found else 1.6 if chinese else 1.45


def _split(chain: Sequence[Type], usual: Mapping[bool, float]) -> list[list[Type]]:
    """A chain cut where one paragraph ends and the next begins."""
    pitches = _pitches(chain)
    closest = {chinese: _closest(chain, pitches, chinese, usual) for chinese in usual}
    parts = [[chain[0]]]
    for i, two in enumerate(chain[1:]):
        wide = pitches[i] > 1.15 * closest[two.chinese] + 1 / two.size
        if wide or _begins(chain, i + 1):
            parts.append([])
        parts[-1].append(two)
    return parts


def _closest(
    chain: Sequence[Type], pitches: Sequence[float], chinese: bool, usual: Mapping[bool, float]
) -> float:
    """How far apart the lines of a paragraph are in this chain, or else on this page."""
    alike = [p for t, p in zip(chain[1:], pitches, strict=True) if t.chinese == chinese]
    pitch = float(np.quantile(alike, 0.1 if alike[6:] else 0)) if alike[2:] else np.inf
    return pitch if pitch < 1.75 else min(pitch, usual[chinese])


def _begins(chain: Sequence[Type], at: int) -> bool:
    """Whether a paragraph begins with a line, though it stands close below the one before."""
    one, two = chain[at - 1], chain[at]
    size = two.size
    if _begins_item(chain, at):
        return True
    if _FIELD.match(two.line.text) and _FIELD.match(one.line.text):
        return True
    near = chain[max(0, at - 6) : at + 6]  # further off the column may be wider
    left, right = min(t.left for t in near), max(t.right for t in near)
    centred = abs((one.left + one.right) - (two.left + two.right)) < size and (
        abs(one.left - two.left) > size
    )
    spare = (right - left) - (one.right - one.left) if centred else right - one.right
    if spare > two.first_word + 0.8 * size:
        return True
    if _MARKER.match(one.line.text):
        return False  # the other lines of an item stand further in
    after = chain[at + 1].left if at + 1 < len(chain) else two.left
    return two.left > max(one.left, after) + 0.7 * size


def _begins_item(chain: Sequence[Type], at: int) -> bool:
    """Whether a line begins with a bullet, or with the number or letter that is next."""
    one, two = chain[at - 1], chain[at]
    mark = _MARKER.match(two.line.text)
    if not mark or mark["bullet"]:
        return bool(mark)
    before = [m for t in chain[max(0, at - 40) : at] if (m := _MARKER.match(t.line.text))]
    if mark["number"]:
        last = next((int(m["number"]) for m in reversed(before) if m["number"]), 0)
        if two.line.text[mark.end() :][:1].isdigit():  # "1.7 metres" is no item
            return last > 0 and int(mark["number"]) == last + 1
        return two.left < one.left - two.size / 2 or int(mark["number"]) == last + 1
    if two.left < one.left - two.size / 2:
        return True
    opening = mark["letter"] in "Aa一i" and one.line.text[-1] in ".?!:)。？！：）"
    return opening or any(m["letter"] for m in before)


# ── reading order ───────────────────────────────────────────────────────────────────────


def in_order(found: Sequence[Block]) -> list[Block]:
    """The blocks as they are read: columns from the left, each from the top."""
    if len(found) < 2:
        return list(found)
    if columns := _cut(found, 0):
        return [block for column in columns for block in in_order(column)]
    strips = _cut(found, 1)
    if not strips:
        return sorted(found, key=lambda b: (b.box[1], b.box[0]))
    # Strips that share a gutter are read as columns together, not strip by strip.
    bands: list[list[Block]] = []
    for strip in strips:
        if bands and _cut([*bands[-1], *strip], 0):
            bands[-1].extend(strip)
        else:
            bands.append(list(strip))
    return [block for band in bands for block in in_order(band)]


def _cut(found: Sequence[Block], axis: int) -> list[list[Block]]:
    """The blocks parted at every gap that runs through all of them; none where there is none."""
    ordered = sorted(found, key=lambda b: b.box[axis])
    groups, end = [[ordered[0]]], ordered[0].box[axis + 2]
    slack = 1.0
    for block in ordered[1:]:
        if block.box[axis] > end - slack:
            groups.append([])
        groups[-1].append(block)
        end = max(end, block.box[axis + 2])
    return groups if len(groups) > 1 else []
