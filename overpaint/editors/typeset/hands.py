"""Hands: how each op is done to a flat picture: words lifted, changed as layers, pressed flat."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from overpaint.document import Document, ops, placing
from overpaint.document.boxes import rounded
from overpaint.document.layers import Run, Text
from overpaint.document.ops import Op
from overpaint.document.placing import joined
from overpaint.document.render import bounds
from overpaint.document.text.dressing import dressed
from overpaint.document.text.fonts import Found as Font
from overpaint.document.where import Where, short
from overpaint.editors.typeset import closing, moving, setting, sizing
from overpaint.editors.typeset.aslant import aslant, upright
from overpaint.editors.typeset.desk import Desk
from overpaint.editors.typeset.legible import check_read
from overpaint.editors.typeset.locate import Found, Spot, find
from overpaint.editors.typeset.paragraphs import lines_after
from overpaint.editors.typeset.pressing import pressed
from overpaint.editors.typeset.rewriting import restyled
from overpaint.editors.typeset.tables import TABLES, about_tables, cells_with, rows_exchanged
from overpaint.errors import Refused

SHOWN, MOST_TOLD = 60, 5  # letters of words that are told to be gone, and how many of them


def do(desk: Desk, op: Op) -> Desk:
    """The desk with the op done to what is on it."""
    _check_words(op.where)
    if about_tables(op):
        return TABLES[type(op)](desk, op)
    act = _ACTS.get(type(op))
    if act is None:
        raise Refused(
            f"A flat picture has no layers to {_name(op)}.",
            "Words can be replaced, restyled, moved, turned, scaled, deleted, added and swapped.",
        )
    made = act(desk, op)
    return _telling(made, op, find(desk.page, op.where), "says") if _stay(op) else made


def _stay(op: Op) -> bool:
    """Whether words that were pointed at and not quoted are still there."""
    return isinstance(op, ops.Restyle | ops.Scale | ops.Move | ops.Rotate) and not op.where.text


def _check_words(where: Where | None) -> None:
    while where is not None:
        if where.layer:
            raise Refused(
                f"A flat picture has no layer {where.layer!r}, and what is pictured is not known.",
                "Words that stand on it were expected.",
            )
        where = where.of


def _name(op: Op) -> str:
    return {"ReplacePicture": "replace"}.get(type(op).__name__, type(op).__name__.lower())


# ── words ───────────────────────────────────────────────────────────────────────────────


def _replace_text(desk: Desk, op: Op) -> Desk:
    assert isinstance(op, ops.ReplaceText)
    changes: dict[Spot, str] = {}
    over: dict[int, int] = {}
    gone = find(desk.page, op.where)
    for found in gone:
        if aslant(desk, found):
            desk = upright(desk, found, op, do)
            continue
        first, *more = found.spots
        if more:
            _check_one_cell(desk, found)
        changes |= {first: op.text, **dict.fromkeys(more, "")}
        numbers = [desk.number(one) for one in found.spots]
        over |= dict(zip(numbers[1:], numbers, strict=False))
    return _telling(_reworded(desk, changes, over), op, gone)


def _check_one_cell(desk: Desk, found: Found) -> None:
    count = cells_with(desk, found)
    if count > 1:
        raise Refused(
            f"“{short(found.words, SHOWN)}” stands in {count} cells of a table.",
            "Words in one cell can be replaced.",
        )


def _reworded(
    desk: Desk, changes: Mapping[Spot, str], over: Mapping[int, int] = setting.NONE
) -> Desk:
    """Some words of some lines replaced, all at once; some run over the ends of lines."""
    lines = desk.by_line(changes)
    desk = setting.reset_all(desk, {n: _said(own, changes) for n, own in lines.items()}, over)
    for number, own in lines.items():
        desk = _borrowing(desk, number, "".join(changes[one] for one in own))
    return desk


def _said(spots: Sequence[Spot], changes: Mapping[Spot, str]) -> str:
    """What the line of some words says with others in their place."""
    words = spots[0].line.text
    for one in reversed(spots):
        words = words[: one.start] + changes[one] + words[one.end :]
    return words


def _borrowing(desk: Desk, number: int, new: str) -> Desk:
    """With a note on letters that the font of a line does not have, and where they are from.

    `Refused` where they are from nowhere: words without some of their letters would be wrong.
    """
    line = desk.printed(number)
    cut = (
        set() if line.exact else {sign for n in range(len(desk.page)) for sign in desk.page.text(n)}
    )
    asked = "".join(sign for sign in new if sign not in cut)
    letters, notes = dressed(Text((Run(asked, line.style),)), desk.library)
    if gone := "".join(dict.fromkeys(letter.sign for letter in letters if letter.gone)):
        raise Refused(
            f"No font on this machine has “{short(gone)}”.",
            "Letters that can be drawn were expected.",
            "Leave it out, or install a font that has it.",
        )  # fmt: skip
    return desk.now(desk.pixels, *notes)


def _delete(desk: Desk, op: Op) -> Desk:
    gone = find(desk.page, op.where)
    return _telling(closing.deleted(desk, gone), op, gone)


def _telling(desk: Desk, op: Op, about: Iterable[Found], verb: str = "said") -> Desk:
    """With a note on the words that an op was about, where they were pointed at and not quoted."""
    words = [f"“{short(found.words, SHOWN)}”" for found in about if found.words]
    if op.where.text or not words:
        return desk
    more = f" and {len(words) - MOST_TOLD} more" if len(words) > MOST_TOLD else ""
    return desk.now(desk.pixels, f"it {verb} {', '.join(words[:MOST_TOLD])}{more}")


def _restyle(desk: Desk, op: Op) -> Desk:
    assert isinstance(op, ops.Restyle)
    if op.colour is not None and op.only_colour:
        return moving.as_layers(desk, ops.Recolour(op.where, op.colour))
    if op.align is not None:
        return setting.aligned(desk, find(desk.page, op.where), op.align)
    level: list[Spot] = []
    for found in find(desk.page, op.where):
        if aslant(desk, found):
            desk = upright(desk, found, op, do)
        else:
            level += found.spots
    for number, own in desk.by_line(level).items():
        desk = _line_restyled(desk, op, number, own)
    return desk


def _line_restyled(desk: Desk, op: ops.Restyle, number: int, spots: Sequence[Spot]) -> Desk:
    """A line with some of its words in another style, still aligned as it was."""
    line = desk.printed(number)
    style = op.styled(line.style)
    font = desk.library.find(style, "".join(one.words for one in spots))
    other = line.styled(style, font.face)
    more = sum(other.wide(one.words) - line.wide(one.words) for one in spots)
    wide = line.wide(line.words.rstrip()) + more
    start = setting.start_of(desk, line, wide, desk.align(number))
    spans = [(one.start, one.end) for one in spots]
    made = restyled(desk.pixels, line, spans, other, start=start)
    check_read(made, line, line.words)
    return desk.now(made, *_now_in(font))


def _now_in(font: Font) -> tuple[str, ...]:
    """The font that words are set in, and what had to be replaced for it."""
    return (f"now in {font.face.family}", *([font.note] if font.note else []))


# ── words as things ─────────────────────────────────────────────────────────────────────


def _scale(desk: Desk, op: Op) -> Desk:
    assert isinstance(op, ops.Scale)
    meant = find(desk.page, op.where)
    if any(spot.down for found in meant for spot in found.spots):
        return moving.as_layers(desk, op)
    level: list[Spot] = []
    for found in meant:
        if aslant(desk, found):
            desk = upright(desk, found, op, do)
        else:
            level += found.spots
    return sizing.resized(desk, level, op.factor)


def _swap(desk: Desk, op: Op) -> Desk:
    assert isinstance(op, ops.Swap)
    one, two = (find(desk.page, where)[0] for where in (op.where, op.other))
    made = _swapped(desk, op, one, two)
    if op.where.text and op.other.text:
        return made
    told = (f"“{short(found.words, SHOWN)}”" for found in (one, two))
    return made.now(made.pixels, f"they say {' and '.join(told)}")


def _swapped(desk: Desk, op: ops.Swap, one: Found, two: Found) -> Desk:
    if len(one.spots) > 1 or len(two.spots) > 1:
        return rows_exchanged(desk, one, two)
    first, last = sorted((one.spots[0], two.spots[0]), key=lambda s: (desk.number(s), s.start))
    alike = desk.number(first) == desk.number(last)
    if alike and last.start < first.end:
        raise Refused(
            f"“{short(first.words)}” and “{short(last.words)}” overlap.", "Swap what stands apart."
        )
    if alike and aslant(desk, one):
        return upright(desk, one, op, do)
    if aslant(desk, one) or aslant(desk, two):
        desk = _exchanged(desk, one, op.where, two.words)
        return _exchanged(desk, two, op.other, one.words)
    if _whole(first) and _whole(last):
        return moving.exchanged(desk, first, last)
    return _reworded(desk, {first: last.words, last: first.words})


def _whole(spot: Spot) -> bool:
    return spot.words == spot.line.text


def _exchanged(desk: Desk, found: Found, where: Where, new: str) -> Desk:
    """One of two words replaced, on its own plane where it is turned."""
    if aslant(desk, found):
        return upright(desk, found, ops.ReplaceText(where, new), do)
    return _reworded(desk, {found.spots[0]: new})


# ── new words ───────────────────────────────────────────────────────────────────────────


def _insert(desk: Desk, op: Op) -> Desk:
    assert isinstance(op, ops.Insert)
    if op.picture:
        return _insert_picture(desk, op)
    if op.where == Where(place=op.where.place):
        return setting.on_page(desk, op.text, op.where.place)
    spot = find(desk.page, op.where)[0].spots[-1 if op.side == "after" else 0]
    number = desk.number(spot)
    if op.what == "sentence":
        return _continue(desk, number, op.text)
    if op.side in ("above", "below") or op.what == "line":
        desk = setting.new_line(desk, number, op.text, above=op.side == "above")
        return _borrowing(desk, number, op.text)
    words, side = spot.line.text, {"left": "before", "right": "after"}.get(op.side, op.side)
    cut = spot.start if side == "before" else spot.end
    new = words[:cut] + joined(words[:cut], op.text, words[cut:]) + words[cut:]
    return _borrowing(setting.reset(desk, number, new), number, op.text)


def _continue(desk: Desk, number: int, words: str) -> Desk:
    """A sentence at the end of the paragraph that a line stands in."""
    last = [number, *lines_after(desk.page, number)][-1]
    before = desk.page.line(last).text
    return setting.refilled(desk, [last], before + joined(before, words, ""))


def _insert_picture(desk: Desk, op: ops.Insert) -> Desk:
    document = Document.of(desk.pixels)
    if op.where == Where(place=op.where.place):
        return desk.now(op(document).rgb)
    target = find(desk.page, op.where)[0].box
    new = op._layer(document, None)
    corner = placing.beside(bounds(new) or (0, 0, 0, 0), rounded(target), op.side)
    return desk.now(pressed(desk.pixels, None, [replace(new, left=corner[0], top=corner[1])]))


_ACTS: Mapping[type[Op], Callable[[Desk, Op], Desk]] = {
    ops.ReplaceText: _replace_text, ops.Delete: _delete, ops.Restyle: _restyle,
    ops.Move: moving.move, ops.Rotate: moving.as_layers, ops.Scale: _scale, ops.Swap: _swap,
    ops.Insert: _insert, ops.Recolour: moving.as_layers,
}  # fmt: skip
