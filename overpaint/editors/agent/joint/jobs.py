"""One layer for one job: who takes it where two would, and who does not where another has to."""

import re
from collections.abc import Sequence

from overpaint.document.layers import plain
from overpaint.document.ops import Delete, Op, ReplaceText, Restyle
from overpaint.document.where import hits
from overpaint.editors.agent.joint.deletes import GROUND, news_of, removal_asked
from overpaint.editors.agent.joint.phrases import stands
from overpaint.editors.agent.joint.reading import Part, Wish, parts_of
from overpaint.editors.agent.joint.table import Clash, Table, listed
from overpaint.editors.agent.joint.words import asked_pairs
from overpaint.errors import OverpaintError

_BOTH = re.compile(r"\b(?:both|each|two|repeat(?:ed)?|twice)\b|两处|两个|各处|每个|都写", re.I)
_WRITES = re.compile(
    r"\b(?:add|write|put|insert|text|title|headline|caption|words?|say(?:s|ing)?|read(?:s|ing)?"
    r"|letter(?:s|ing)?|display|show)\b|写|文字|标题",
    re.IGNORECASE,
)
_NEAR = 80  # of 100: words that a reader may have read a little wrong


# ── words that stand elsewhere ──────────────────────────────────────────────────────────


def own_words(table: Table) -> Table:
    """No layer works on words that it does not say and another layer does."""
    for wish in table.edited:
        for part in wish.parts:
            words = _foreign(table, table.wish(wish.id), part)
            holders = [
                other
                for other in table.texts
                if words and other.id != wish.id and stands(words, other.seen.words)
            ]
            if holders:
                table = _handed_over(table, table.wish(wish.id), part, holders)
    return table


def _foreign(table: Table, wish: Wish, part: Part) -> str:
    """Words that a part is about and that its layer neither says nor will say."""
    about = [old for old, _ in part.renames]
    about += [op.where.text for op in part.ops if isinstance(op, Restyle | Delete)]
    about = [words for words in about if words in part.quoted]
    own = f"{wish.seen.words}\n{wish.words}\n{wish.seen.name}"
    return next((w for w in about if w and not stands(w, own) and not _nearly(w, own)), "")


def _nearly(words: str, text: str) -> bool:
    from rapidfuzz import fuzz

    return bool(text.strip()) and fuzz.partial_ratio(plain(words), plain(text)) >= _NEAR


def _handed_over(table: Table, wish: Wish, part: Part, holders: Sequence[Wish]) -> Table:
    words = part.quoted[0] if part.quoted else part.text
    dropped = wish.less(part, f"“{words}” stands elsewhere")
    taker = holders[0] if len(holders) == 1 else None
    goes = any(isinstance(op, Delete) for op in part.ops)
    changed, did = [dropped], f"“{part.text}” is left to the layer that says it."
    if taker is not None and not taker.edits:
        changed.append(taker.also(part.text, f"it is the one that says “{words}”"))
        did = f"“{part.text}” goes to the layer that says it."
    elif taker is not None and taker.deletes != goes and removal_asked(table, taker) == goes:
        changed.append(taker.asking(part.text, "as the instruction asks"))
        did = "The layer that says it is deleted." if goes else "It is edited, and not deleted."
    ids = (wish.id, *(holder.id for holder in holders))
    return table.with_(
        Clash("wrong layer", ids, f"“{words}” does not stand in this layer.", did), *changed
    )


def words_to_texts(table: Table) -> Table:
    """A picture is not asked to show words that a text layer is going to say."""
    for wish in table.edited:
        if wish.seen.kind == "text":
            continue
        for part in wish.parts:
            text = next((q for q in part.quoted if not stands(q, wish.seen.words)), "")
            sayers = [o for o in table.texts if o.edits and text and _newly(o, text)]
            if not sayers or not _WRITES.search(part.text) or _olds(part, wish):
                continue
            own = table.wish(wish.id)
            dropped = own.less(part, "a text layer says it")
            clash = Clash(
                "same job", (wish.id, *(s.id for s in sayers)),
                f"“{text}” is to stand in a picture and in a text.", "The text says it.",
            )  # fmt: skip
            table = table.with_(clash, dropped)
    return table


def _newly(wish: Wish, text: str) -> bool:
    return stands(text, wish.words) and not stands(text, wish.seen.words)


def _olds(part: Part, wish: Wish) -> bool:
    """Whether a part changes words that its picture says itself."""
    return any(stands(old, wish.seen.words) for old, _ in part.renames)


def pictures_to_pictures(table: Table) -> Table:
    """A text is not asked for what a picture shows, nor for the ground below it."""
    for wish in table.texts:
        for part in wish.parts:
            others = [o for o in table.edited if o.seen.kind != "text" and _shares(part, o)]
            if not others:
                continue
            own = table.wish(wish.id)
            dropped = own.less(part, "a picture shows it")
            clash = Clash(
                "wrong layer", (wish.id, *(o.id for o in others)),
                f"“{part.text}” is asked of a text.", "It is left to the picture.",
            )  # fmt: skip
            table = table.with_(clash, dropped)
    return table


def _shares(part: Part, other: Wish) -> bool:
    """Whether a part of a text's prompt is the job of a picture."""
    if part.motif and not stands(part.motif[0], part.own):
        return any(p.motif and p.motif[0] == part.motif[0] for p in other.parts)
    if part.object:
        return any(p.object == part.object for p in other.parts)
    on_ground = any(op.where.role == "background" for op in part.ops)
    return on_ground and any(GROUND.search(p.text) or p.colour for p in other.parts)


# ── one job, two layers ─────────────────────────────────────────────────────────────────


def one_text(table: Table) -> Table:
    """New words stand in one layer, unless several are asked for."""
    jobs = [(wish, part) for wish in table.edited for part in wish.parts]
    texts = dict.fromkeys(plain(new) for _, part in jobs if (new := _whole_new(part)))
    for text in texts:
        group = [
            (w, p) for w, p in jobs if text in map(plain, news_of(p)) and table.wish(w.id).edits
        ]
        if len({w.id for w, _ in group}) < 2 or _several(table, text):
            continue
        owners = {w.id for w, p in group if _rightful(table, w, p, group)}
        best = max(group, key=lambda one: (one[0].id in owners, _fits(table, one[0], text)))[0]
        losers = [(w, p) for w, p in group if w.id not in owners | {best.id}]
        if not losers:
            continue
        changed = [_instead(table, wish, part, text) for wish, part in losers]
        clash = Clash(
            "same job", tuple(wish.id for wish, _ in group),
            f"{listed([text])} is to stand in {len(group)} layers.",
            f"It stands in layer {best.id}, which it suits best.",
        )  # fmt: skip
        table = table.with_(clash, *changed)
    return table


def _rightful(table: Table, wish: Wish, part: Part, group: Sequence[tuple[Wish, Part]]) -> bool:
    """Whether a layer says what the new words take the place of, as others may do as well."""
    if any(stands(old, wish.seen.words) for old, _ in part.renames):
        return True
    own = plain(wish.seen.words)
    olds = [old for _, p in group for old, _ in p.renames]
    olds += [old for old, new in asked_pairs(table) if stands(new, _whole_new(part))]
    olds += [w.seen.words for w, _ in group if w.id != wish.id]
    return any(_mostly(plain(old), own) for old in olds if old.strip())


def _mostly(old: str, own: str) -> bool:
    """Whether old words are at least half of what a layer says."""
    return stands(old, own) and len(old) >= len(own) / 2


def _whole_new(part: Part) -> str:
    """All that a layer is to say, or words that come to it."""
    whole = [new for old, new in part.renames if plain(old) == plain(part.own)]
    return part.says or part.adds or next(iter(whole), "")


def _several(table: Table, text: str) -> bool:
    """Whether the instruction itself puts words in more than one place."""
    said = table.scene.instruction
    return plain(said).count(text) > 1 or _BOTH.search(said) is not None


def _fits(table: Table, wish: Wish, text: str) -> tuple[float, ...]:
    """How well new words suit a layer: asked for there, of its class, like what it says."""
    from rapidfuzz import fuzz

    asked = wish.id in _asked_of(table, text)
    owns = any(stands(old, wish.seen.words) for old, new in wish.renames if plain(new) == text)
    own = plain(wish.seen.words)
    alike = fuzz.token_set_ratio(own, text) / 100
    size = min(len(own), len(text)) / max(1, len(own), len(text))
    role = _shape(own) == _shape(text)
    suits = alike + size + role
    return (asked, owns, wish.seen.kind == "text", suits, table.prominence(wish))


def _shape(text: str) -> tuple[bool, bool, bool]:
    """What sort of words: with figures, with a sign of money or shares, with an address."""
    figures = any(c.isdigit() for c in text)
    return figures, any(c in "$€£¥%" for c in text), "@" in text or "www" in text


def _asked_of(table: Table, text: str) -> set[str]:
    """The layers in which the instruction itself wants these words."""
    return {
        hit
        for op in _asked(table)
        if isinstance(op, ReplaceText) and plain(op.text) == text
        for hit in _pointed(table, op)
    }


def _asked(table: Table) -> list[Op]:
    return [op for part in parts_of(table.scene.instruction, "text", "") for op in part.ops]


def _pointed(table: Table, op: Op) -> list[str]:
    try:
        return [hit.layer.id for hit in hits(table.scene.document, op.where)]
    except OverpaintError:
        return []


def _instead(table: Table, wish: Wish, part: Part, taken: str) -> Wish:
    """A layer without the job that another has; with its own, where the instruction has one."""
    left = wish.less(part, "another layer has this job")
    for op in _asked(table):
        own = isinstance(op, ReplaceText) and wish.id in _pointed(table, op)
        if own and isinstance(op, ReplaceText) and plain(op.text) != taken:
            old = op.where.text
            more = (
                f"Replace '{old}' with '{op.text}'." if old else f"Change the text to '{op.text}'."
            )
            return left.also(more, "the instruction asks it of this layer")
    return left
