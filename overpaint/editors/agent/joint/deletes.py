"""What goes and what stays: a layer is deleted or edited, as the instruction has it."""

import re
from collections.abc import Callable

from overpaint.document.layers import plain
from overpaint.document.ops import Delete
from overpaint.editors.agent.joint.meant import WIDE
from overpaint.editors.agent.joint.phrases import colours_in, stands
from overpaint.editors.agent.joint.reading import Part, Wish
from overpaint.editors.agent.joint.table import Clash, Table
from overpaint.editors.agent.joint.words import replaced
from overpaint.editors.agent.rules.page import rests_on
from overpaint.editors.agent.rules.prompts import Tongue, is_chinese

GROUND = re.compile(r"\bback(?:ground|drop)\b|背景", re.IGNORECASE)
_PLAIN = frozenset({"text", "layer", "image", "picture", "shape", "photo", "background", "group"})


def not_both(table: Table) -> Table:
    """A layer is deleted or edited, never both."""
    for wish in table.edited:
        if len({part.deletes for part in wish.parts}) < 2:
            continue
        goes = removal_asked(table, wish) and not _wanted(table, wish)
        drop: Callable[[Part], bool] = (lambda p: not p.deletes) if goes else (lambda p: p.deletes)
        did = "It is deleted." if goes else "It is edited, and stays."
        clash = Clash("contradiction", (wish.id,), "It is to be deleted and edited.", did)
        table = table.with_(clash, wish.without(drop, did))
    return table


def _wanted(table: Table, wish: Wish) -> bool:
    """Whether the instruction speaks of what the layer is to say or of the colour it is to have.

    What it says of other layers does not count.
    """
    news = [text for part in wish.parts for text in news_of(part) if text]
    news += [new for pair in wish.renames for _, new in replaced(*pair)]
    pieces = table.meant.pieces
    if not pieces:
        return any(map(table.asked, news)) or wish.colour in set(
            colours_in(table.scene.instruction)
        )
    own = [one.clause.full(one.clause.text) for one in pieces if wish.id in one.layers]
    open_ = [one.clause.full(one.clause.text) for one in pieces if not one.layers]
    return any(stands(new, text) for new in news for text in own + open_) or any(
        wish.colour in set(colours_in(text)) for text in own
    )


def one_ground(table: Table) -> Table:
    """The ground takes on one colour, and the layer that is the ground takes it on."""
    group = [
        (wish, part, part.colour)
        for wish in table.edited
        for part in wish.parts
        if part.colour and GROUND.search(part.text)
    ]
    if len({wish.id for wish, _, _ in group}) < 2 or len({colour for *_, colour in group}) < 2:
        return table
    asked = set(colours_in(table.scene.instruction))
    named = [one for one in group if one[2] in asked] or group
    best, _, colour = max(named, key=lambda one: (one[0].seen.kind != "text", one[0].seen.covers))
    losers = [(wish, part) for wish, part, own in group if wish.id != best.id and own != colour]
    changed = [wish.less(part, "the ground has another colour") for wish, part in losers]
    ids = tuple(dict.fromkeys(wish.id for wish, _, _ in group))
    did = f"Layer {best.id} gives it its colour."
    return table.with_(
        Clash("contradiction", ids, "The background is to have two colours.", did), *changed
    )


def news_of(part: Part) -> list[str]:
    """All new words of a part."""
    return [part.says, part.adds, *(new for _, new in part.renames)]


def removal_asked(table: Table, wish: Wish) -> bool:
    """Whether the instruction wants a layer gone, or takes away what nobody here can tell."""
    return bool(table.meant.removing) and not table.meant.stays(wish.seen)


def as_meant(table: Table) -> Table:
    """What the instruction takes away goes, and nothing that it does not."""
    mistaken = [w for w in table.edited if w.deletes and _stays(table, w)]
    gone = {w.id for w in table.edited if w.deletes} - {w.id for w in mistaken}
    for wish in mistaken:
        clash = Clash("contradiction", (wish.id,), "It would go, and is to stay.", "It stays.")
        table = table.with_(clash, _instead(table, wish))
    for wish in table.wishes:
        if not table.meant.goes(wish.id) or wish.deletes or _loses(wish) or _wanted(table, wish):
            continue
        if wish.edits or mistaken or any(_belong(table, wish, other) for other in gone):
            prompt = Tongue(is_chinese(table.scene.instruction)).delete(wish.seen)
            clash = Clash("contradiction", (wish.id,), "It is to go, and would stay.", "It goes.")
            table = table.with_(clash, wish.asking(prompt, "the instruction takes it away"))
    return table


def _stays(table: Table, wish: Wish) -> bool:
    """Whether a layer that would go is to stay: it is not meant, or others count on it."""
    if table.meant.stays(wish.seen):
        return True
    if table.meant.removing:
        return False
    asked = table.meant.asked.get(wish.id)
    needing = any(_needs(other, wish) for other in table.wishes)
    return needing or (asked is not None and not asked.deletes)


def _instead(table: Table, wish: Wish) -> Wish:
    """What the instruction asks of a layer in place of its end; kept where that is nothing."""
    asked, why = table.meant.asked.get(wish.id), "the instruction changes it, and keeps it"
    if asked is not None and not asked.deletes:
        return wish.asking(asked.decision.prompt, why)
    alone = {wish.id, *(o.id for o in table.texts if rests_on(o.seen, wish.seen))}
    own = [p.clause for p in table.meant.pieces if {wish.id} <= p.layers <= alone]
    colours = [colour for clause in own for colour in clause.of("colour")]
    if colours and wish.seen.kind != "text" and wish.seen.covers <= WIDE:
        tongue = Tongue(is_chinese(table.scene.instruction))
        return wish.asking(tongue.colour(wish.seen, colours[-1]), why)
    return wish.kept("the instruction does not take it away")


def _loses(wish: Wish) -> bool:
    """Whether a layer loses some of its words, which may be all that is meant."""
    return any(isinstance(op, Delete) for op in wish.ops)


def _belong(table: Table, wish: Wish, other: str) -> bool:
    """Whether one of two layers is the words of the other."""
    seen = table.scene.layer(other)
    return rests_on(wish.seen, seen) or rests_on(seen, wish.seen)


def _needs(other: Wish, gone: Wish) -> bool:
    """Whether what is asked of a layer makes sense only while another is there."""
    if other.id == gone.id or other.deletes:
        return False
    prompt = other.decision.prompt
    if gone.seen.covers > WIDE or GROUND.search(gone.seen.name):
        recoloured = other.seen.kind == "text" and other.colour is not None
        return recoloured or GROUND.search(prompt) is not None
    if other.seen.kind == "text" and gone.seen.kind != "text" and rests_on(other.seen, gone.seen):
        return True  # words without their plate
    name = plain(gone.seen.name)
    named = len(name) >= 3 and name not in _PLAIN and not any(c.isdigit() for c in name)
    words = gone.seen.words.strip()
    return (named and stands(name, prompt) and not stands(name, other.seen.words)) or (
        len(words) >= 3 and stands(words, prompt) and not stands(words, other.seen.words)
    )
