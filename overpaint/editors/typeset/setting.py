"""Setting words on a picture: in their line, over the lines of their paragraph, on a free line."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from overpaint.document.geometry import scaled_style
from overpaint.document.layers import Align, Layer, Text
from overpaint.document.placing import at
from overpaint.document.render import bounds
from overpaint.document.where import short
from overpaint.editors.typeset.desk import FAR, Desk
from overpaint.editors.typeset.legible import check_read
from overpaint.editors.typeset.locate import Found
from overpaint.editors.typeset.paragraphs import (
    Unit,
    fitting,
    lines_after,
    lines_before,
    runs_on,
    said,
    units,
)
from overpaint.editors.typeset.pressing import cut_out, pressed
from overpaint.editors.typeset.printed import Printed
from overpaint.editors.typeset.rewriting import rewritten
from overpaint.errors import Refused
from overpaint.vision.joining import joined

SLACK = 0.15  # sizes by which a line may overrun its room: side bearings are no ink
LEAST = 0.8  # of its size to which a line is shrunk so that it fits
MOST_LINES = 8  # new ones that one op may need
NONE: Mapping[int, int] = MappingProxyType({})


def reset(desk: Desk, number: int, words: str) -> Desk:
    """The line with other words: as it is aligned, over its paragraph where that is needed."""
    left, right = limits(desk, number)
    line, align = desk.fit_for(number, words, right - left), desk.align(number)
    wide = line.wide(words.rstrip())
    start = start_of(desk, line, wide, align)
    if left <= start and start + wide <= right:
        return _put(desk, line, words, start)
    if align == "left" and runs_on(desk.page, number):
        return refilled(desk, [number], words)
    if align != "left" and wide <= right - left:
        return _put(desk, line, words, min(max(start, left), right - wide))
    return _shrunk(desk, number, words)


def _put(desk: Desk, line: Printed, words: str, start: float) -> Desk:
    """The line with other words, from where its pen begins."""
    made = rewritten(desk.pixels, line, words, start=start)
    check_read(made, line, words)
    return desk.now(made, *_notes(line))


def reset_all(desk: Desk, lines: Mapping[int, str], over: Mapping[int, int] = NONE) -> Desk:
    """Lines with other words, each as `reset` does it; in one paragraph they flow together.

    So do those that words run `over`: lines that go on, without a space, where another ends.
    """
    for group in _by_paragraph(desk, sorted(lines), over):
        torn = any(number in over for number in group)
        if torn or (len(group) > 1 and not all(_fits(desk, n, lines[n]) for n in group)):
            chain = [group[0], *lines_after(desk.page, group[0])]
            taken = chain[: chain.index(group[-1]) + 1] if set(group) <= {*chain} else group
            desk = refilled(desk, taken, _flowing(desk, taken, lines, over))
            continue
        for number in group:
            desk = reset(desk, number, lines[number])
    return desk


def _flowing(
    desk: Desk, numbers: list[int], lines: Mapping[int, str], over: Mapping[int, int]
) -> str:
    """What some lines say together, with other words in some of them."""
    pieces: list[str] = []
    for number in numbers:
        text = lines.get(number, desk.page.line(number).text)
        if pieces and number in over:
            pieces[-1] += text
        else:
            pieces.append(text)
    return joined(pieces)


def _by_paragraph(desk: Desk, numbers: list[int], over: Mapping[int, int]) -> list[list[int]]:
    """Lines in groups that words may flow through together."""
    groups: list[list[int]] = []
    for number in numbers:
        flows = runs_on(desk.page, number) and desk.align(number) == "left"
        for group in groups:
            if over.get(number) in group or (flows and number in lines_after(desk.page, group[0])):
                group.append(number)
                break
        else:
            groups.append([number])
    return groups


def _fits(desk: Desk, number: int, words: str) -> bool:
    line = desk.printed(number)
    return line.pen[0] + line.wide(words.rstrip()) <= limits(desk, number)[1]


def limits(desk: Desk, number: int) -> tuple[float, float]:
    """From where to where the pen of a line may go."""
    line = desk.printed(number)
    left, _, right, _ = desk.room(number)
    slack = SLACK * line.style.size
    return min(left - slack, line.pen[0]), max(
        right + slack, line.pen[0] + line.wide(line.words.rstrip())
    )


def start_of(desk: Desk, line: Printed, wide: float, align: Align) -> float:
    """Where the pen begins so that a line of that width stays aligned."""
    if align == "left" or align == "justify":
        return line.pen[0]
    share = 0.5 if align == "centre" else 1.0
    axis = line.pen[0] + share * line.wide(line.words.rstrip())
    middle = desk.pixels.shape[1] / 2
    # People align at the middle of the picture, or at whole pixels; the pen was rounded.
    if align == "centre":
        axis = middle if abs(axis - middle) < 1 else round(2 * axis) / 2
    elif abs(axis - round(axis)) < 0.4:
        axis = round(axis)
    start = axis - share * wide
    # Hints bend letters to whole pixels, and programs that use them set lines at whole ones.
    gridded = line.style.edges == "hinted" and not line.style.blur and not line.lifted.noise.jpeg
    return float(round(start)) if gridded else start


def _notes(line: Printed) -> tuple[str, ...]:
    gone = line.lifted.rimmed or (line.glyphs is not None and line.style.stroke)
    lost = ("the outline or shadow of the old words was not kept",) if gone else ()
    if line.exact:
        return (f"set in {line.told}", *lost)
    taken = "" if line.glyphs is None else "; letters were taken from the picture"
    like = f" and only {line.likeness:.0%} like it" if line.doubtful else ""
    return (f"the font is not known for sure, {line.told} is nearest{like}{taken}", *lost)


def _shrunk(desk: Desk, number: int, words: str) -> Desk:
    """The whole line smaller, in the room it has."""
    line, align = desk.printed(number), desk.align(number)
    left, right = limits(desk, number)
    wide = line.wide(words.rstrip())
    room = right - (line.pen[0] if align == "left" else left)
    factor = min(1.0, room / wide)
    if factor < LEAST:
        raise Refused(
            f"“{short(words)}” does not fit: it needs {wide:.0f} pixels and there are {room:.0f}.",
            f"Down to {LEAST:.0%} of its size a line is made smaller; this would take"
            f" {factor:.0%}.",
            "Use fewer words.",
        )
    start = line.pen[0] if align == "left" else left
    small = line.styled(scaled_style(line.style, factor), line.face)
    layer = small.text(words, start, "line")
    made = pressed(desk.pixels, line.lifted, [layer])
    return desk.now(made, *_notes(line), f"at {factor:.0%} of its size, so that it fits")


# ── over several lines ──────────────────────────────────────────────────────────────────


def refilled(desk: Desk, numbers: list[int], words: str) -> Desk:
    """Words over some lines, and over those below them in the paragraph as far as that goes."""
    rest = units(words)
    below = lines_after(desk.page, numbers[-1]) if runs_on(desk.page, numbers[-1]) else []
    edge = _edge(desk, [*numbers, *below])
    if rest:
        _check_endless(desk.printed(numbers[0]), rest, edge, len(numbers) + len(below))
    filled: list[tuple[int, str]] = []
    for number in [*numbers, *below]:
        if len(filled) >= len(numbers):
            if not rest:
                break
            rest = [*rest, *units(desk.page.line(number).text)]
        taken, rest = _fill(desk.printed(number), rest, edge)
        filled.append((number, said(taken)))
    for number, new in filled:
        line = desk.printed(number)
        desk = desk.now(rewritten(desk.pixels, line, new), *_notes(line))
    return _below(desk, filled[-1][0], rest, edge) if rest else desk


def _edge(desk: Desk, numbers: list[int]) -> float:
    """Where the lines of a paragraph end: its longest line, or the room where it has but one."""
    numbers = [*lines_before(desk.page, numbers[0]), *numbers]
    if len(numbers) > 1:
        return max(desk.page.line(number).box[2] for number in numbers) + 1
    return desk.room(numbers[0])[2]


def _fill(line: Printed, rest: list[Unit], edge: float) -> tuple[list[Unit], list[Unit]]:
    """As many units as fit into a line, and the others."""
    count = fitting(rest, line.wide, _length(line, edge))
    if rest and not count:
        raise _too_long(rest[0])
    return rest[:count], rest[count:]  # of fewer words than the lines had the last become empty


def _check_endless(line: Printed, rest: Sequence[Unit], edge: float, lines: int) -> None:
    """`Refused` where so many lines could not hold the words, or one of them its longest word.

    Asked before the fonts of all those lines are made out, which takes a second each.
    """
    room, longest = FAR * _length(line, edge), max(rest, key=lambda unit: len(unit.letters))
    if line.wide(longest.letters) > room:
        raise _too_long(longest)
    if line.wide(said(rest)) > room * (lines + MOST_LINES):
        raise _too_many()


def _length(line: Printed, edge: float) -> float:
    """How long a line may become that ends where its paragraph does."""
    return edge + SLACK * line.style.size - line.pen[0]


def _too_long(unit: Unit) -> Refused:
    return Refused(f"“{short(unit.letters)}” is too long for a line of its paragraph.")


def _too_many() -> Refused:
    return Refused(f"More than {MOST_LINES} new lines would be needed.", "Use fewer words.")


def _below(desk: Desk, number: int, rest: list[Unit], edge: float) -> Desk:
    """New lines below the last one of a paragraph, where there is room for them."""
    line, pitch = desk.printed(number), _pitch(desk, number)
    left = _indent(desk, number)
    like = replace(line, pen=(left, line.pen[1]))
    for step in range(1, MOST_LINES + 1):
        if not rest:
            return desk
        taken, rest = _fill(like, rest, edge)
        layer = like.text(said(taken), left, f"line {step}")
        desk = _laid(desk, replace(layer, top=line.pen[1] + step * pitch), line)
    raise _too_many()


def _laid(desk: Desk, layer: Layer, like: Printed) -> Desk:
    box = bounds(layer)
    words = layer.content.words if isinstance(layer.content, Text) else layer.name
    if box is None or not desk.free(box):
        raise Refused(
            f"There is no free room for “{short(words)}”.", "Blank paper was expected there.",
            "Use fewer words, or delete something first.",
        )  # fmt: skip
    return desk.with_layers([layer], like.lifted, *_notes(like))


def _pitch(desk: Desk, number: int) -> float:
    """From one baseline to the next: as between the nearest lines, else as is usual."""
    line = desk.printed(number)
    near = [*lines_before(desk.page, number)[-1:], *lines_after(desk.page, number)[:1],
            *_in_list(desk, number)]  # fmt: skip
    if near:
        return abs(desk.printed(near[0]).pen[1] - line.pen[1])
    return 1.5 * line.style.size


def _in_list(desk: Desk, number: int) -> list[int]:
    """The nearest line as high that begins where this one does, if one is near."""
    own, boxes = desk.page.boxes[number], desk.page.boxes
    high = own[3] - own[1]
    away = abs(boxes[:, 1] + boxes[:, 3] - own[1] - own[3]) / 2
    fits = (abs(boxes[:, 0] - own[0]) < 0.3 * high) & (away > 0) & (away < 4 * high)
    fits &= abs(boxes[:, 3] - boxes[:, 1] - high) < 0.35 * high
    return [int(np.where(fits, away, np.inf).argmin())] if fits.any() else []


def _indent(desk: Desk, number: int) -> float:
    """Where the lines of a paragraph begin, whatever its first line does."""
    before = lines_before(desk.page, number)
    return desk.printed(before[-1]).pen[0] if len(before) > 1 else desk.printed(number).pen[0]


# ── new lines ───────────────────────────────────────────────────────────────────────────


def new_line(desk: Desk, number: int, words: str, *, above: bool) -> Desk:
    """Words on a line of their own, above or below another."""
    line, pitch = desk.printed(number), _pitch(desk, number)
    layer = line.text(words, line.pen[0], "new")
    step = -pitch if above else pitch
    last = number if above else [number, *_of_one_item(desk, number)][-1]
    base = desk.printed(last).pen[1] + step
    if desk.align(number) == "centre":
        box = desk.page.line(number).box
        layer = replace(layer, left=(box[0] + box[2] - line.wide(words)) / 2)
    made = _laid(desk, replace(layer, top=base), line)
    bullet = desk.bullet(number)
    if bullet is None:
        return made
    lifted = desk.lifted(bullet)
    columns = (lifted.left, lifted.left + lifted.cover.shape[1])
    return made.with_layers([cut_out(lifted, columns, (0, round(base - line.pen[1])))], lifted)


def _of_one_item(desk: Desk, number: int) -> list[int]:
    """The lines that a list's entry runs on over: those that begin further right."""
    left = desk.page.line(number).box[0]
    found: list[int] = []
    for below in lines_after(desk.page, number):
        if desk.page.line(below).box[0] <= left + 2:
            break
        found.append(below)
    return found


def on_page(desk: Desk, words: str, place: str) -> Desk:
    """Words at a place of the picture, like the lines it has."""
    if not len(desk.page):
        raise Refused("The picture has no text that new words could be like.")
    sizes = sorted(
        range(len(desk.page)), key=lambda n: desk.page.boxes[n, 3] - desk.page.boxes[n, 1]
    )
    line = desk.printed(sizes[len(sizes) // 2])
    layer = line.text(words, 0.0, "new")
    box = bounds(layer)
    if box is None:
        raise Refused("Nothing is to be written.")
    high, wide = desk.pixels.shape[:2]
    left, top = at(box, (wide, high), place or "centre")
    moved = replace(
        layer, left=layer.left + round(left - box[0]), top=layer.top + round(top - box[1])
    )
    return _laid(desk, moved, line)


def aligned(desk: Desk, found: tuple[Found, ...], align: Align) -> Desk:
    """Lines at the left, the middle or the right of the picture, between its margins."""
    wide = desk.pixels.shape[1]
    for number in {desk.number(spot): None for one in found for spot in one.spots}:
        line, box = desk.printed(number), desk.page.line(number).box
        edge = min(box[0], wide - box[2])
        ink = box[2] - box[0]
        left = {"centre": (wide - ink) / 2, "right": wide - edge - ink}.get(align, edge)
        start = line.pen[0] + round(left - box[0])
        desk = desk.now(rewritten(desk.pixels, line, line.words, start=start))
    return desk
