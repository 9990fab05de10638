"""Roles: what people call the parts of a page (the title, the date, the third line), found by
size, place and what they look like.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median

from overpaint.document.roles import PATTERNS, SENTENCE, labelled
from overpaint.document.where import Role
from overpaint.editors.typeset.blocks import Block, blocks, cells, rows, tables, whole
from overpaint.editors.typeset.flow import level
from overpaint.editors.typeset.matching import Match, Part
from overpaint.editors.typeset.reading import Page
from overpaint.vision.joining import unspaced

Domain = Sequence[Part] | None  # the letters that are looked at; None: all

_LARGE = 0.85  # of the largest letters: still the title's
_HEAD = 1.12  # times as large as the running text: a heading
_RIM = 0.09  # of the picture's height: where headers and footers are
_CAPTION = re.compile(
    r"^\s*(fig(ure)?\b|table\b|photo\b|source\b|chart\b|图|表|来源|照片)", re.IGNORECASE
)
_ITEM = re.compile(
    r"^\s*([•●○◦▪■□◆·*–—-]|[(（]?(\d{1,2}|[A-Za-z]|[一二三四五六七八九十]{1,2})[.)、）])"
)
_ADDRESS = re.compile(
    r"\d+[\w-]* (?:[A-Z][\w.'’-]* ){1,4}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Square|Sq"
    r"|Boulevard|Blvd|Place|Way|Court)\b\.?"
    r"|[\u4e00-\u9fff]{1,10}(?:路|街|大道|巷)\d+号?(?:[\u4e00-\u9fff\d]{1,12}[楼室层座])?"
)
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff](?:[^\W\u3400-\u9fff]|['’.,-](?=\w))*")


def of_role(page: Page, role: Role, domain: Domain) -> list[Match]:
    """Everything on the page, or among some letters of it, that has the role; from the top."""
    page.read_all()
    parts = [(n, 0, len(page.text(n))) for row in rows(page) for n in row]
    inside = parts if domain is None else list(domain)
    if role in _SPANS:
        spans = list(_spans(page, inside, _SPANS[role])) or _labelled(page, inside, role)
        return [Match((part,)) for part in spans]
    if role == "sentence":
        return sentences(page, domain)
    found = _LARGER.get(role, _texts)(page)
    if domain is None:
        return found
    return [kept for match in found if (kept := _within(match, inside))]


def _within(match: Match, domain: Sequence[Part]) -> Match | None:
    """What of a match is among some letters."""
    common = [
        (line, max(start, a), min(end, b))
        for line, start, end in match.parts
        for number, a, b in domain
        if number == line and max(start, a) < min(end, b)
    ]
    return Match(tuple(common), match.likeness) if common else None


# ── parts of lines ──────────────────────────────────────────────────────────────────────

_SPANS: Mapping[str, re.Pattern[str]] = {
    **PATTERNS,
    "address": _ADDRESS,
    "word": _WORD,
    "letter": re.compile(r"\S"),
}


def _spans(page: Page, parts: Sequence[Part], look: re.Pattern[str]) -> Iterator[Part]:
    for line, start, end in parts:
        for match in look.finditer(page.text(line)[start:end]):
            yield (line, start + match.start(), start + match.end())


def _labelled(page: Page, parts: Sequence[Part], role: str) -> list[Part]:
    """What stands after the label of a role: “八点半” in “时间：八点半”."""
    return [
        (line, start + a, start + b)
        for line, start, end in parts
        for a, b in labelled(role, page.text(line)[start:end])
    ]


def sentences(page: Page, domain: Domain) -> list[Match]:
    """The sentences of paragraphs, each over as many lines as it runs."""
    running = [b for b in blocks(page) if _runs(b.text)] or blocks(page)
    groups = [whole(page, b.numbers).parts for b in running] if domain is None else [domain]
    return [match for parts in groups for match in _sentences(page, parts)]


def _sentences(page: Page, parts: Sequence[Part]) -> Iterator[Match]:
    text, origins = "", []
    for line, start, end in parts:
        piece = page.text(line)[start:end]
        if text and piece and not unspaced(text[-1]) and not unspaced(piece[0]):
            text += " "
            origins.append((line, start))
        text += piece
        origins += [(line, at) for at in range(start, end)]
    ends = [match.end() for match in SENTENCE.finditer(text)]
    for a, b in zip([0, *ends], [*ends, len(text)], strict=True):
        letters = [origins[i] for i in range(a, b) if not text[i].isspace()]
        if letters:
            yield Match(tuple(_by_line(letters)))


def _by_line(letters: Sequence[tuple[int, int]]) -> Iterator[Part]:
    for line in dict.fromkeys(line for line, _ in letters):
        places = [at for one, at in letters if one == line]
        yield (line, min(places), max(places) + 1)


# ── lines and more ──────────────────────────────────────────────────────────────────────


def _texts(page: Page) -> list[Match]:
    return [whole(page, block.numbers) for block in blocks(page)]


def _lines(page: Page) -> list[Match]:
    """The lines as people count them: what stands level in a row of a table is one."""
    lanes = _lanes(page)
    groups: dict[tuple[int, ...], list[int]] = {}
    for row in rows(page):
        groups.setdefault(lanes.get(row[0], (row[0],)), []).extend(row)
    return [whole(page, sorted(group, key=lambda n: page.boxes[n, 0])) for group in groups.values()]


def _lanes(page: Page) -> dict[int, tuple[int, ...]]:
    """For each line of a table which table, row, and line of that row it is in."""
    found: dict[tuple[int, int], list[Match]] = {}
    for n, table in enumerate(tables(page)):
        for placed in cells(page, table):
            if placed.match and placed.cell.rows == 1:
                found.setdefault((n, placed.cell.row), []).append(placed.match)
    return {
        number: (*row, n)
        for row, said in found.items()
        for n, numbers in enumerate(_levels(page, said))
        for number in numbers
    }


def _levels(page: Page, said: Sequence[Match]) -> list[list[int]]:
    """The lines of cells in a row: one each are one line, of several those that stand level."""
    numbers = list(dict.fromkeys(part[0] for match in said for part in match.parts))
    if all(len(match.parts) == 1 for match in said):
        return [numbers]
    levels: list[list[int]] = []
    for number in sorted(numbers, key=lambda n: page.boxes[n, 1] + page.boxes[n, 3]):
        if levels and level(page.boxes, levels[-1][0], number):
            levels[-1].append(number)
        else:
            levels.append([number])
    return levels


def _paragraphs(page: Page) -> list[Match]:
    """Running text: several lines, or one that is long or ends as a sentence does."""
    running = [b for b in blocks(page) if len(b.numbers) > 1 or _runs(b.text)]
    return [whole(page, block.numbers) for block in running] or _texts(page)


def _runs(text: str) -> bool:
    wide = sum(1 + unspaced(letter) for letter in text)
    return wide > 60 or (wide > 24 and text[-1] in ".!?。！？")


def _large(page: Page) -> list[Block]:
    """The blocks that may be a title: not a lone figure or drop letter, not at the foot."""
    low = 0.75 * page.pixels.shape[0]
    worded = [b for b in blocks(page) if sum(map(str.isalpha, b.text)) > 1]
    return [b for b in worded if b.box[1] < low] or worded


def _title(page: Page) -> list[Match]:
    return [whole(page, b.numbers) for b in _topmost(_large(page))]


def _topmost(found: Sequence[Block]) -> list[Block]:
    """Of the largest blocks the uppermost; of those level with it the widest."""
    largest = max((b.size for b in found), default=0.0)
    large = [b for b in found if b.size > _LARGE * largest]
    top = min((b.box[3] for b in large), default=0.0)
    level = [b for b in large if b.box[1] < top]
    return sorted(level, key=lambda b: b.box[0] - b.box[2])[:1]


def _subtitle(page: Page) -> list[Match]:
    """What stands next below the title in smaller letters, or else the largest of the rest."""
    found = _large(page)
    title = next(iter(_topmost(found)), None)
    if title is None:
        return []
    rest = [b for b in found if b is not title]
    below = sorted((b for b in rest if b.box[1] >= title.box[3] - 2), key=lambda b: b.box[1])
    near = [b for b in below if b.box[1] - title.box[3] < 2.5 * title.size]
    chosen = near[:1] or sorted(rest, key=lambda b: -b.size)[:1]
    return [whole(page, b.numbers) for b in chosen]


def _headings(page: Page) -> list[Match]:
    """Short blocks in letters larger than those of the running text; the title is none of them."""
    every = blocks(page)
    body = median([b.size for b in every for _ in b.text]) if every else 0.0
    title = {match.parts[0][0] for match in _title(page)}
    large = [b for b in every if b.size > _HEAD * body and b.numbers[0] not in title]
    return [whole(page, b.numbers) for b in large if len(b.numbers) < 4]


def _header(page: Page) -> list[Match]:
    rim = _RIM * page.pixels.shape[0]
    return [whole(page, b.numbers) for b in blocks(page) if b.box[3] < rim]


def _footer(page: Page) -> list[Match]:
    rim = (1 - _RIM) * page.pixels.shape[0]
    return [whole(page, b.numbers) for b in blocks(page) if b.box[1] > rim]


def _captions(page: Page) -> list[Match]:
    return [whole(page, b.numbers) for b in blocks(page) if _CAPTION.search(b.text)]


def _lists(page: Page) -> list[Match]:
    """Items that follow one another, as one."""
    groups: list[list[int]] = [[]]
    for block in blocks(page):
        if _ITEM.search(block.text):
            groups[-1] += block.numbers
        elif groups[-1]:
            groups.append([])
    return [whole(page, numbers) for numbers in groups if len(numbers) > 1]


def _labels(page: Page) -> list[Match]:
    every = (whole(page, row) for row in rows(page))
    return [m for m in every if sum(end - start for _, start, end in m.parts) < 40]


def _tables(page: Page) -> list[Match]:
    said = ([p.match.parts for p in cells(page, t) if p.match] for t in tables(page))
    return [Match(tuple(part for parts in some for part in parts)) for some in said if some]


_LARGER: Mapping[str, Callable[[Page], list[Match]]] = {
    "title": _title,
    "subtitle": _subtitle,
    "slogan": _subtitle,
    "heading": _headings,
    "header": _header,
    "footer": _footer,
    "caption": _captions,
    "paragraph": _paragraphs,
    "line": _lines,
    "label": _labels,
    "list": _lists,
    "table": _tables,
}
