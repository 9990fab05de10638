"""Closing up: words taken out of a line, the rest of which moves together."""

from collections.abc import Sequence

from overpaint.document import runs
from overpaint.document.layers import Run, Style, Text
from overpaint.editors.typeset.aslant import aslant
from overpaint.editors.typeset.desk import Desk
from overpaint.editors.typeset.locate import Found, Spot, spot
from overpaint.editors.typeset.paragraphs import lines_after, runs_on
from overpaint.editors.typeset.pressing import pressed
from overpaint.editors.typeset.rewriting import rewritten
from overpaint.editors.typeset.setting import refilled, start_of
from overpaint.vision.joining import joined
from overpaint.vision.letters import Type

APART = 1.0  # sizes: words that stand so far from the next stand alone, as cells and labels do
WIDE = ("，", "。", "；", "：", "！", "？", "、")


def deleted(desk: Desk, spots: Sequence[Spot]) -> Desk:
    """Words gone from their lines: the gap is closed where they stood among others."""
    lines: dict[int, list[Spot]] = {}
    for one in spots:
        lines.setdefault(desk.number(one), []).append(one)
    for number, own in lines.items():
        closed = _closed(desk, number, own) if all(_among(desk, number, s) for s in own) else None
        desk = closed or erased(desk, own)
    return desk


def erased(desk: Desk, spots: Sequence[Spot]) -> Desk:
    """Words gone, and nothing moved."""
    for one in spots:
        desk = desk.now(pressed(desk.pixels, desk.lifted(one), []))
    return desk


def _among(desk: Desk, number: int, words: Spot) -> bool:
    """Whether words stand in a level line with others close beside them."""
    if words.down or aslant(desk, Found((words,))):
        return False
    text, far = words.line.text, APART * Type(desk.line(number)).size
    before, after = len(text[: words.start].rstrip()), text[words.end :]
    first = len(text) - len(after.lstrip())
    gaps = []
    if before:
        gaps.append(words.box[0] - spot(desk.page, number, 0, before).box[2])
    if after.strip():
        gaps.append(spot(desk.page, number, first, len(text)).box[0] - words.box[2])
    return bool(gaps) and max(gaps) < far


def _closed(desk: Desk, number: int, spots: Sequence[Spot]) -> Desk | None:
    """The line without the words; None where nothing moves, or it is not known how far."""
    old = desk.page.line(number).text
    new = without(old, [(one.start, one.end) for one in spots])
    align = desk.align(number)
    if not any(map(str.isalnum, new)) or (align == "left" and old.startswith(new)):
        return None
    line = desk.printed(number)
    if line.doubtful:
        return None
    start = start_of(desk, line, line.wide(new), align)
    return desk.now(rewritten(desk.pixels, line, new, start=start))


def without(words: str, spans: Sequence[runs.Span]) -> str:
    """A line without some letters, and without the spaces that they would leave."""
    text = Text((Run(words, Style()),))
    for start, end in sorted(spans, reverse=True):
        if words[:start].endswith(WIDE):  # such a sign has its own room, and needs no space
            end = len(words) - len(words[end:].lstrip())
        text = runs.removed(text, (start, end))
    return text.words.strip()


# ── over several lines ──────────────────────────────────────────────────────────────────


def drawn_up(desk: Desk, found: Found) -> Desk:
    """Words gone from several lines; what is left of their paragraph flows on, if fonts allow."""
    first, last = found.spots[0], found.spots[-1]
    numbers = [desk.number(one) for one in found.spots]
    head, tail = first.line.text[: first.start], last.line.text[last.end :]
    if not (any(map(str.isalnum, tail)) and runs_on(desk.page, numbers[-1])):
        return erased(desk, found.spots)
    after = lines_after(desk.page, numbers[-1])
    lines = [*numbers, *after]
    if not all(desk.align(n) == "left" and desk.printed(n).exact for n in lines):
        return erased(desk, found.spots)
    return refilled(desk, lines, joined([head, tail, *(desk.page.line(n).text for n in after)]))
