"""Closing up: words taken out of a line, the rest of which moves together."""

from collections.abc import Container, Mapping, Sequence

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

# Sizes: words that stand so far from the next stand alone, as cells and labels do. Between the
# words of a line there are at most 0.4.
APART = 1.0
WIDE = ("，", "。", "；", "：", "！", "？", "、")


def deleted(desk: Desk, gone: Sequence[Found]) -> Desk:
    """Words gone from their lines: the gap is closed where they stood among others.

    Words that run over lines of a paragraph let it flow on, with all else that goes from it. Each
    line is set once: the desk knows the lines as they came.
    """
    lines = desk.by_line(one for found in gone for one in found.spots)
    over = {desk.number(one) for found in gone if len(found.spots) > 1 for one in found.spots}
    flowing = _flowing(desk, gone)
    for chain in flowing:
        desk = _drawn_up(desk, chain, lines)
    drawn = {number for chain in flowing for number in chain}
    for number in sorted(lines.keys() - drawn):
        own = lines[number]
        closes = number not in over and all(_among(desk, number, one) for one in own)
        desk = (_closed(desk, number, own) if closes else None) or erased(desk, own)
    return erased(desk, _bullets(desk, gone, drawn))


def _bullets(desk: Desk, gone: Sequence[Found], drawn: Container[int]) -> list[Spot]:
    """Those of lines that go whole, and that no others flow into."""
    firsts = [
        desk.number(found.spots[0])
        for found in gone
        if found.spots[0].start == 0 and found.spots[-1].end == len(found.spots[-1].line.text)
    ]
    return [dot for n in firsts if n not in drawn and (dot := desk.bullet(n)) is not None]


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


def _flowing(desk: Desk, gone: Sequence[Found]) -> list[list[int]]:
    """The lines that flow on, of each paragraph in which words that run over lines go."""
    chains: list[list[int]] = []
    for found in gone:
        numbers = [desk.number(one) for one in found.spots]
        if len(numbers) > 1 and not any(numbers[0] in chain for chain in chains):
            chain = [*numbers, *lines_after(desk.page, numbers[-1])]
            chains += [chain] if _flows(desk, found, chain) else []
    return chains


def _flows(desk: Desk, found: Found, chain: Sequence[int]) -> bool:
    """Whether what follows words can move up to them: running text in fonts that are known."""
    last = found.spots[-1]
    return (
        any(map(str.isalnum, last.line.text[last.end :]))
        and runs_on(desk.page, desk.number(last))
        and all(desk.align(n) == "left" and desk.printed(n).exact for n in chain)
    )


def _drawn_up(desk: Desk, chain: list[int], gone: Mapping[int, Sequence[Spot]]) -> Desk:
    """Lines of a paragraph without some words, what is left flowing through them."""
    text = ""
    spans: list[runs.Span] = []
    for number in chain:
        line = desk.page.line(number).text
        text = joined([text, line])
        at = len(text) - len(line)
        spans += [(at + one.start, at + one.end) for one in gone.get(number, ())]
    return refilled(desk, chain, without(text, spans))
