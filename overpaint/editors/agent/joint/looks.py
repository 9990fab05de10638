"""Looks of the whole: letters that can be read on what lies under them, and room for new words."""

from collections.abc import Iterator

from overpaint.document.boxes import Box
from overpaint.document.layers import Colour, Text
from overpaint.document.ops import Move, Recolour, Restyle, Scale
from overpaint.editors.agent.hands import Hands
from overpaint.editors.agent.joint.colours import LARGE, SMALL, code, least, readable
from overpaint.editors.agent.joint.phrases import colours_in, corner_of, sentence, stands
from overpaint.editors.agent.joint.reading import Part, Wish, parts_of
from overpaint.editors.agent.joint.room import share_that_fits, width_of
from overpaint.editors.agent.joint.sketch import (
    Ink,
    Sketch,
    ink,
    moved_to,
    plainly_set,
    sketched,
)
from overpaint.editors.agent.joint.table import Clash, Table
from overpaint.errors import OverpaintError

_WORSE = 0.9  # of the contrast that there was: what loses less has not changed
_CLEAR = 1.1  # of the contrast that letters need: nobody should stop at the border
_TOUCH = 0.03  # of the smaller box: less of it under another is no collision
_PLACE = 0.25  # of the smaller box: from here up two things stand in one place
_SHARES = (95, 90, 85, 80, 75, 70, 65, 60, 55, 50, 45, 40)  # percent to which a text is shrunk
_SET_SMALLER = 0.8  # of its size: so much smaller the hands set a line of pixels by themselves
_GROUND = 0.5  # of the canvas: what covers more is a ground


# ── contrast ────────────────────────────────────────────────────────────────────────────


def readable_texts(table: Table) -> Table:
    """Letters in a colour that can be read on what will lie under them."""
    if not any(wish.colour or wish.deletes for wish in table.edited):
        return table
    before, after = Sketch(table.scene.document.opened), sketched(table)
    for wish in table.texts:
        if wish.deletes or not _concerned(table, wish, after):
            continue
        old, new = ink(before, wish.id), ink(after, wish.id)
        layer = after.layer(wish.id)
        if old is None or new is None or layer is None or not plainly_set(layer):
            continue
        lines = 1 + wish.words.strip().count("\n")
        wanted = least(layer, new.high / lines)
        if wish.colour is None:  # nobody asked about its colour: only what cannot be read counts
            wanted = min(LARGE, old.contrast)
        if new.contrast < _CLEAR * wanted and new.contrast < _WORSE * max(old.contrast, wanted):
            table = _recoloured(table, wish, new)
    return table


def _concerned(table: Table, wish: Wish, after: Sketch) -> bool:
    """Whether its letters or what lies under them change, and into what is known."""
    box = after.box(wish.id)
    if box is None:
        return False
    under = [o for o in table.edited if o.id != wish.id and o.seen.kind != "text"]
    under = [o for o in under if shared(o.seen.box, box) > 0]
    hazy = [o for o in table.edited if o.id in after.unknown]
    if any(o.id == wish.id or after.lies_in(o.id, box) for o in hazy):
        return False
    if wish.colour is not None and not under:
        return not _asked_colour(table, wish.colour)  # what a user wants so, alone, is no clash
    return bool(under)


def _asked_colour(table: Table, colour: Colour) -> bool:
    """Whether the instruction itself asks for this colour of words."""
    parts = parts_of(table.scene.instruction, "text", "")
    return any(part.colour == colour for part in parts) or colour in (
        set(colours_in(table.scene.instruction))
    )


def _recoloured(table: Table, wish: Wish, found: Ink) -> Table:
    new = code(readable(found.colour, found.ground, SMALL))
    clash = Clash(
        "contrast", (wish.id,),
        f"The letters ({code(found.colour)}) would have a contrast of {found.contrast:.1f} with"
        " what lies under them.",
        f"They become {new}.",
    )  # fmt: skip
    changed = wish.without(_only_colour, "its colour could not be read") if wish.edits else wish
    why = "so that it can be read on its ground"
    return table.with_(clash, changed.also(f"Make the text {new}.", why))


def _only_colour(part: Part) -> bool:
    """Whether a part asks for a colour and for nothing else."""
    if not part.ops:
        return False
    return all(isinstance(op, Recolour) or (isinstance(op, Restyle) and op.only_colour)
               for op in part.ops)  # fmt: skip


# ── room ────────────────────────────────────────────────────────────────────────────────


def room_for_words(table: Table) -> Table:
    """New words smaller where they would run into other words or off the canvas."""
    before = Sketch(table.scene.document.opened)
    for wish in table.texts:
        live = isinstance(getattr(before.layer(wish.id), "content", None), Text)
        if not _grows(wish) or (live and _across_lines(wish)):
            continue
        after = sketched(table)
        known = live and wish.id not in after.unknown
        if known and not _collides(table, wish, before, after):
            continue
        if not known and share_that_fits(table, wish) is None:
            continue
        tried = _shrunk(table, wish, before) if live else table
        table = tried if tried is not table else _guessed(table, wish)
    return table


def _guessed(table: Table, wish: Wish) -> Table:
    """Words smaller by what their letters tell, where they cannot be set before."""
    share = share_that_fits(table, wish)
    if share is None or any(isinstance(op, Scale) for op in wish.ops):
        return table
    prompt = f"Make the text {100 - share}% smaller. {sentence(wish.decision.prompt)}"
    if not wish.seen.live:
        prompt, share = _carried_out(table, wish, share) or (
            f"{sentence(wish.decision.prompt)} Make the text {100 - share}% smaller.", share,
        )  # fmt: skip
    clash = Clash("overlap", (wish.id,), f"“{_short(wish.words)}” is too long for its place.",
                  f"It is set at {share} % of its size.")  # fmt: skip
    return table.with_(clash, wish.asking(prompt, "so that it has room"))


def _carried_out(table: Table, wish: Wish, share: int) -> tuple[str, int] | None:
    """The largest size at which the hands find room for words that are pixels; None: at none."""
    document = table.scene.document
    for smaller in (one for one in _SHARES[1::2] if one * _SET_SMALLER <= share):
        prompt = f"Make the text {100 - smaller}% smaller. {sentence(wish.decision.prompt)}"
        try:
            done = Hands().edit(document, wish.seen, prompt)
        except OverpaintError:
            continue
        if not _collides(table, wish, Sketch(document.opened), Sketch(done)):
            return prompt, smaller
    return None


def _grows(wish: Wish) -> bool:
    moved = any(part.moves for part in wish.parts)
    longer = width_of(wish.words) > width_of(wish.seen.words)
    return wish.edits and not wish.deletes and not moved and longer


def _across_lines(wish: Wish) -> bool:
    """Whether words of several lines change, whose new breaks nobody told."""
    lines = wish.seen.words.strip().splitlines()
    olds = [old for old, _ in wish.renames]
    return len(lines) > 1 and not all(any(stands(o, line) for line in lines) for o in olds or [""])


def _collides(table: Table, wish: Wish, before: Sketch, after: Sketch) -> str:
    """The text that new words run into, or "canvas"; "" where they have room."""
    old, new = before.box(wish.id), after.box(wish.id)
    if old is None or new is None:
        return ""
    wide, high = table.scene.document.size
    if _inside(old, (wide, high)) and not _inside(new, (wide, high)):
        return "canvas"
    for other in table.texts:
        own, then = before.box(other.id), after.box(other.id)
        if other.id == wish.id or own is None or then is None:
            continue
        if shared(new, then) > _TOUCH and shared(old, own) < shared(new, then) / 2:
            return other.id
    return ""


def _shrunk(table: Table, wish: Wish, before: Sketch) -> Table:
    """Words at the largest size at which they have room; as they were where none is found."""
    for prompt, share in _smaller(wish):
        tried = moved_to(wish, prompt)
        trial = table.having(tried)
        after = sketched(trial)
        if wish.id in after.unknown or _collides(trial, tried, before, after):
            continue
        clash = Clash(
            "overlap", (wish.id,), f"“{_short(wish.words)}” would run into other words or off the"
            " canvas.", f"It is set at {share} % of its size.",
        )  # fmt: skip
        return table.with_(clash, wish.asking(prompt, "so that it has room"))
    return table


def _smaller(wish: Wish) -> Iterator[tuple[str, int]]:
    own = sentence(wish.decision.prompt)
    for share in _SHARES:
        yield f"{own} Make the text {100 - share}% smaller.", share
        yield f"Make the text {100 - share}% smaller. {own}", share


def _short(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= 40 else f"{words[:39]}…"


def own_places(table: Table) -> Table:
    """No two layers are moved to one place, and none onto words."""
    table = _told_plainly(table)
    movers = [wish for wish in table.edited if any(part.moves for part in wish.parts)]
    if not movers:
        return table
    before = Sketch(table.scene.document.opened)
    for wish in movers:
        after = sketched(table)
        for other in table.wishes:
            if other.id != wish.id and _same_place(wish, other, before, after):
                table = _kept_apart(table, wish, other, after)
                break
    return table


def _told_plainly(table: Table) -> Table:
    """Moves to a corner that two layers want, in words that the rules know."""
    found = [(w, p, c) for w in table.edited for p in w.parts if (c := corner_of(p.text))]
    for wish, part, corner in found:
        shared_by = {w.id for w, _, c in found if c == corner}
        if len(shared_by) < 2 or part.moves or part.renames or part.says:
            continue
        called = "text" if wish.seen.kind == "text" else "shape"
        left = [p.text if p.text != part.text else "" for p in table.wish(wish.id).parts]
        rest = " ".join(sentence(text) for text in left if text)
        prompt = f"Move the {called} to the {corner}. {rest}".strip()
        table = table.having(table.wish(wish.id).asking(prompt, "in plain words"))
    return table


def _same_place(wish: Wish, other: Wish, before: Sketch, after: Sketch) -> bool:
    both = all(any(part.moves for part in w.parts) for w in (wish, other))
    alike = both or wish.seen.kind == other.seen.kind
    if not alike or max(wish.seen.covers, other.seen.covers) > _GROUND:
        return False
    boxes = [sketch.box(w.id) for sketch in (before, after) for w in (wish, other)]
    one, two, new, then = boxes
    if one is None or two is None or new is None or then is None:
        return False
    return shared(new, then) > _PLACE and shared(one, two) < shared(new, then) / 2


def _kept_apart(table: Table, wish: Wish, other: Wish, after: Sketch) -> Table:
    """The less asked for or less prominent of two goes beside the other, or stays where it was."""
    both = [w for w in (wish, other) if any(part.moves for part in w.parts)]
    goes = min(both, key=lambda w: (_asked_move(table, w), table.prominence(w)))
    stays = other if goes.id == wish.id else wish
    ids = (wish.id, other.id)
    box, fixed = after.box(goes.id), after.box(stays.id)
    if box is None or fixed is None:
        return table
    gap = max(4, (box[3] - box[1]) // 4)
    for way, by in (("down", fixed[3] - box[1] + gap), ("up", box[3] - fixed[1] + gap)):
        called = "text" if goes.seen.kind == "text" else "shape"
        more = f"Move the {called} {by} pixels {way}."
        tried = goes.also(more, "so that it does not stand on another")
        if _stands_free(table, tried):
            clash = Clash("same place", ids, "Both would stand in one place.",
                          f"Layer {goes.id} stands {by} pixels farther {way}.")  # fmt: skip
            return table.with_(clash, tried)
    clash = Clash("same place", ids, "Both would stand in one place.",
                  f"Layer {goes.id} stays where it is.")  # fmt: skip
    return table.with_(clash, goes.without(lambda part: part.moves, "its new place is taken"))


def _asked_move(table: Table, wish: Wish) -> bool:
    parts = parts_of(table.scene.instruction, "text", "")
    places = {op.to for part in parts for op in part.ops if isinstance(op, Move)}
    return any(op.to in places for op in wish.ops if isinstance(op, Move))


def _stands_free(table: Table, tried: Wish) -> bool:
    trial = table.having(tried)
    after = sketched(trial)
    box = after.box(tried.id)
    if box is None or tried.id in after.unknown or not _inside(box, table.scene.document.size):
        return False
    others = [w for w in trial.wishes if w.id != tried.id and w.seen.kind == tried.seen.kind]
    return all(
        (then := after.box(w.id)) is None or w.seen.covers > _GROUND or shared(box, then) <= _TOUCH
        for w in others
    )


def shared(one: Box, other: Box) -> float:
    """How much of the smaller of two boxes lies in the other."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    if wide <= 0 or high <= 0:
        return 0.0
    sizes = [(b[2] - b[0]) * (b[3] - b[1]) for b in (one, other)]
    return wide * high / max(1, min(sizes))


def _inside(box: Box, size: tuple[int, int]) -> bool:
    return box[0] >= -1 and box[1] >= -1 and box[2] <= size[0] + 1 and box[3] <= size[1] + 1
