"""What goes and what stays: a layer is deleted or edited, as the instruction has it."""

import re
from collections.abc import Callable

from overpaint.document.layers import plain
from overpaint.document.roles import PATTERNS
from overpaint.editors.agent.joint.colours import code
from overpaint.editors.agent.joint.phrases import colours_in, stands
from overpaint.editors.agent.joint.reading import Part, Wish, parts_of
from overpaint.editors.agent.joint.table import Clash, Table
from overpaint.editors.agent.joint.words import replaced

GROUND = re.compile(r"\bback(?:ground|drop)\b|背景", re.IGNORECASE)
_OF_GROUND = re.compile(
    r"(?:please )?(?:make|turn|set|change|paint|colou?r|recolou?r|fill)(?: the)?(?: whole| entire)?"
    r" back(?:ground|drop)\b|[把将]?背景",
    re.IGNORECASE,
)
_REMOVES = re.compile(
    r"\b(?:delet\w*|remov\w*|eras\w*|drop|omit|cut|without|take (?:out|away|off)|get rid"
    r"|no longer|eliminate|scrap)\b|删|去掉|移除|去除|拿掉|取消",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[^.;；。,，!！\n]+(?:[.,](?=\d)[^.;；。,，!！\n]*)*")
_AND = re.compile(r"\s+(?:and|but|then)\s+|并且|同时|并(?!且)", re.IGNORECASE)
# Roles by the words that name them in an instruction.
_ROLES = {
    "price": re.compile(r"\b(?:price|cost|fee|ticket)s?\b|票价|价格|价", re.IGNORECASE),
    "date": re.compile(r"\bdates?\b|日期", re.IGNORECASE),
    "time": re.compile(r"\b(?:time|hour)s?\b|时间", re.IGNORECASE),
    "url": re.compile(r"\b(?:url|link|website|web address)\b|网址|链接", re.IGNORECASE),
    "email": re.compile(r"\be-?mail\b|邮箱", re.IGNORECASE),
    "phone": re.compile(r"\b(?:phone|number|contact)\b|电话|联系", re.IGNORECASE),
}
_WIDE = 0.5  # of the canvas: what covers more is a ground
_PLAIN = frozenset({"text", "layer", "image", "picture", "shape", "photo", "background", "group"})


def not_both(table: Table) -> Table:
    """A layer is deleted or edited, never both."""
    for wish in table.edited:
        if not wish.deletes or all(part.deletes for part in wish.parts):
            continue
        goes = removal_asked(table, wish) and not _wanted(table, wish)
        drop: Callable[[Part], bool] = (lambda p: not p.deletes) if goes else (lambda p: p.deletes)
        did = "It is deleted." if goes else "It is edited, and stays."
        clash = Clash("contradiction", (wish.id,), "It is to be deleted and edited.", did)
        table = table.with_(clash, wish.without(drop, did))
    return table


def _wanted(table: Table, wish: Wish) -> bool:
    """Whether the instruction speaks of what the layer is to say or of the colour it is to have."""
    news = [text for part in wish.parts for text in news_of(part) if text]
    words = [new for pair in wish.renames for _, new in replaced(*pair)]
    colours = set(colours_in(table.scene.instruction))
    return any(table.asked(word) for word in (*news, *words)) or wish.colour in colours


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
    changed = [
        wish.without(lambda p, t=part.text: p.text == t, "the ground has another colour")  # type: ignore[misc]
        for wish, part in losers
    ]
    ids = tuple(dict.fromkeys(wish.id for wish, _, _ in group))
    did = f"Layer {best.id} gives it its colour."
    return table.with_(
        Clash("contradiction", ids, "The background is to have two colours.", did), *changed
    )


def news_of(part: Part) -> list[str]:
    """All new words of a part."""
    return [part.says, part.adds, *(new for _, new in part.renames)]


def removal_asked(table: Table, wish: Wish) -> bool:
    """Whether the instruction wants a layer gone: it speaks of it, or of nothing else."""
    said = table.scene.instruction
    pieces = [p for clause in _CLAUSE.findall(said) for p in _AND.split(clause) if p.strip()]
    removing = [p for p in pieces if _REMOVES.search(p)]
    if not removing:
        return False
    others = [p for p in pieces if p not in removing]
    return any(_speaks_of(p, wish) for p in removing) or not any(
        _speaks_of(p, wish) for p in others
    )


def _speaks_of(piece: str, wish: Wish) -> bool:
    """Whether a piece of an instruction names a layer: by its words, its name or its role."""
    own = wish.seen.words
    if wish.seen.covers > _WIDE and GROUND.search(piece):
        return True
    roles = (role for role, named in _ROLES.items() if named.search(piece))
    if any(role in PATTERNS and PATTERNS[role].search(own) for role in roles):
        return True
    words = (
        re.findall(r"[^\W_]{4,}|[$€£¥]\d+", f"{own} {wish.seen.name}") if piece.isascii() else []
    )
    return any(stands(w, piece) for w in words) or (bool(own) and stands(own, piece))


def deleted_by_mistake(table: Table) -> Table:
    """What the instruction changes, or what another layer counts on, is not deleted."""
    for wish in table.edited:
        if not wish.deletes or removal_asked(table, wish):
            continue
        asked = parts_of(table.scene.instruction, "text", wish.seen.words)
        pairs = [(o, n) for part in asked for o, n in part.renames if stands(o, wish.seen.words)]
        if pairs and wish.seen.kind == "text":
            more = " ".join(f"Replace '{old}' with '{new}'." for old, new in pairs)
            clash = Clash("contradiction", (wish.id,), "What is to change would be deleted.", more)
            table = table.with_(clash, wish.asking(more, "the instruction changes it"))
        elif needing := [other for other in table.edited if _needs(other, wish)]:
            ids = (wish.id, *(other.id for other in needing))
            clash = Clash("contradiction", ids, "Another layer counts on what is deleted.",
                          "It stays.")  # fmt: skip
            table = table.with_(clash, _staying(wish, asked))
    return table


def _staying(wish: Wish, asked: tuple[Part, ...]) -> Wish:
    """The layer kept, or coloured as the instruction has it where it is the ground."""
    for part in asked:
        if part.colour and _OF_GROUND.match(part.text) and wish.seen.covers > _WIDE:
            return wish.asking(f"Make the shape {code(part.colour)}.", "as the instruction says")
    return wish.kept("another layer counts on it")


def _needs(other: Wish, gone: Wish) -> bool:
    """Whether what is asked of a layer makes sense only while another is there."""
    if other.id == gone.id or other.deletes:
        return False
    prompt = other.decision.prompt
    if gone.seen.covers > _WIDE or GROUND.search(gone.seen.name):
        recoloured = other.seen.kind == "text" and other.colour is not None
        return recoloured or GROUND.search(prompt) is not None
    name = plain(gone.seen.name)
    named = len(name) >= 3 and name not in _PLAIN and not any(c.isdigit() for c in name)
    words = gone.seen.words.strip()
    return (named and stands(name, prompt) and not stands(name, other.seen.words)) or (
        len(words) >= 3 and stands(words, prompt) and not stands(words, other.seen.words)
    )
