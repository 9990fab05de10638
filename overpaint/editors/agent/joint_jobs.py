"""One layer for one job: who takes it where two would, and who does not where another has to."""

import re
from collections.abc import Callable, Sequence

from overpaint.document.layers import plain
from overpaint.document.ops import Delete, Op, ReplaceText, Restyle
from overpaint.document.where import hits
from overpaint.editors.agent.joint_phrases import colours_in, reworded, stands
from overpaint.editors.agent.joint_reading import Part, Wish, parts_of
from overpaint.editors.agent.joint_table import Clash, Table, listed
from overpaint.editors.agent.joint_words import replaced
from overpaint.errors import OverpaintError

_REMOVES = re.compile(
    r"\b(?:delete|remove|erase|drop|omit|cut|without|take out|take away|get rid|no longer)\b"
    r"|删|去掉|移除|去除",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"\b(?:both|each|every|all|two|everywhere|repeat)\b|都|每|所有|全部", re.I)
_WRITES = re.compile(
    r"\b(?:add|write|put|insert|text|title|headline|caption|words?|say(?:s|ing)?|read(?:s|ing)?"
    r"|letter(?:s|ing)?|display|show)\b|写|文字|标题",
    re.IGNORECASE,
)
_GROUND = re.compile(r"\bback(?:ground|drop)\b|背景", re.IGNORECASE)
# Words for a picture as such: two of them may well become two different things.
_GENERIC = frozenset({
    "photo", "photograph", "picture", "image", "illustration", "background", "backdrop", "scene",
    "icon", "it", "this", "layer", "shape", "decoration", "graphic", "artwork", "drawing",
    "element", "object", "figure", "colour", "color", "style", "text", "poster", "design",
    "foreground", "photos", "pictures", "images",
})  # fmt: skip
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
    dropped = wish.without(lambda own: own.text == part.text, f"“{words}” stands elsewhere")
    taker = holders[0] if len(holders) == 1 else None
    changed, did = [dropped], f"“{part.text}” is left to the layer that says it."
    if taker is not None and not taker.edits:
        changed.append(taker.also(part.text, f"it is the one that says “{words}”"))
        did = f"“{part.text}” goes to the layer that says it."
    elif taker is not None and taker.deletes and not _REMOVES.search(table.scene.instruction):
        changed.append(taker.asking(part.text, "what is restyled is not deleted"))
        did = "It is restyled, and not deleted."
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
            dropped = own.without(lambda p, t=part.text: p.text == t, "a text layer says it")  # type: ignore[misc]
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
            dropped = own.without(lambda p, t=part.text: p.text == t, "a picture shows it")  # type: ignore[misc]
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
    return on_ground and any(_GROUND.search(p.text) or p.colour for p in other.parts)


# ── one job, two layers ─────────────────────────────────────────────────────────────────


def one_text(table: Table) -> Table:
    """New words stand in one layer, unless several are asked for."""
    jobs = [(wish, part) for wish in table.edited for part in wish.parts]
    texts = dict.fromkeys(plain(new) for _, part in jobs if (new := _whole_new(part)))
    for text in texts:
        group = [(w, p) for w, p in jobs if text in map(plain, _news(p)) and table.wish(w.id).edits]
        olds = {plain(wish.seen.words) for wish, _ in group}
        if len({w.id for w, _ in group}) < 2 or len(olds) < 2 or _several(table, text):
            continue
        best = max(group, key=lambda one: _fits(table, one[0], text))[0]
        losers = [(wish, part) for wish, part in group if wish.id != best.id]
        changed = [_instead(table, wish, part, text) for wish, part in losers]
        clash = Clash(
            "same job", tuple(wish.id for wish, _ in group),
            f"{listed([text])} is to stand in {len(group)} layers.",
            f"It stands in layer {best.id}, which it suits best.",
        )  # fmt: skip
        table = table.with_(clash, *changed)
    return table


def _whole_new(part: Part) -> str:
    """All that a layer is to say, or words that come to it."""
    whole = [new for old, new in part.renames if plain(old) == plain(part.own)]
    return part.says or part.adds or next(iter(whole), "")


def _news(part: Part) -> list[str]:
    """All new words of a part."""
    return [part.says, part.adds, *(new for _, new in part.renames)]


def _several(table: Table, text: str) -> bool:
    """Whether the instruction itself puts words in more than one place."""
    said = table.scene.instruction
    return plain(said).count(text) > 1 or _SEVERAL.search(said) is not None


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
    left = wish.without(lambda own: own.text == part.text, "another layer has this job")
    for op in _asked(table):
        own = isinstance(op, ReplaceText) and wish.id in _pointed(table, op)
        if own and isinstance(op, ReplaceText) and plain(op.text) != taken:
            old = op.where.text
            more = (
                f"Replace '{old}' with '{op.text}'." if old else f"Change the text to '{op.text}'."
            )
            return left.also(more, "the instruction asks it of this layer")
    return left


def one_object(table: Table) -> Table:
    """A single new thing comes into one picture; a motif changes where it is."""
    groups: dict[str, list[tuple[Wish, Part]]] = {}
    for wish in table.edited:
        for part in wish.parts:
            if part.object and not part.understood:
                groups.setdefault(part.object, []).append((wish, part))
    for thing, group in groups.items():
        if len({w.id for w, _ in group}) < 2 or _SEVERAL.search(table.scene.instruction):
            continue
        best = max(group, key=lambda one: _shows(table, one[0], thing))[0]
        table = _taken(table, group, best, f"{listed([thing])} is to come into several layers.")
    return table


def _shows(table: Table, wish: Wish, thing: str) -> tuple[float, ...]:
    """How well a thing suits a layer: by its class, its name and its size."""
    named = any(stands(word, wish.seen.name) for word in thing.split())
    return (wish.seen.kind == "image", named, table.prominence(wish))


def _taken(table: Table, group: list[tuple[Wish, Part]], best: Wish, said: str) -> Table:
    changed = [
        wish.without(lambda own, t=part.text: own.text == t, "another layer has this job")  # type: ignore[misc]
        for wish, part in group
        if wish.id != best.id
    ]
    ids = tuple(wish.id for wish, _ in group)
    return table.with_(Clash("same job", ids, said, f"Layer {best.id} takes it."), *changed)


def one_motif(table: Table) -> Table:
    """What pictures show becomes the same thing in all of them."""
    groups: dict[str, list[tuple[Wish, Part]]] = {}
    for wish in table.edited:
        for part in wish.parts if wish.seen.kind != "text" else ():
            if part.motif and not part.understood and part.motif[0] not in _GENERIC:
                groups.setdefault(part.motif[0].rstrip("s"), []).append((wish, part))
    for group in groups.values():
        news = list(dict.fromkeys(part.motif[1] for _, part in group if part.motif))
        if len(news) > 1 and not any(_within(a, b) for a in news for b in news if a != b):
            table = _one_thing(table, group, news)
        elif len(group) > 1:
            table = _where_it_is(table, group)
    return table


def _within(one: str, other: str) -> bool:
    return set(one.split()) <= set(other.split())


def _one_thing(table: Table, group: list[tuple[Wish, Part]], news: list[str]) -> Table:
    named = [new for new in news if _mentioned(table, new)]
    if len(named) == len(news):
        return table  # the instruction itself asks for different things
    if len(named) == 1:
        winner = named[0]
    else:
        _, winner = table.chosen([(wish, part.motif[1]) for wish, part in group if part.motif])
    changed = [
        wish.asking(_articled(reworded(wish.decision.prompt, part.motif[1], winner)), "one motif")
        for wish, part in group
        if part.motif and part.motif[1] != winner
    ]
    old = group[0][1].motif
    clash = Clash(
        "motif", tuple(wish.id for wish, _ in group),
        f"“{old[0] if old else ''}” becomes {listed(news)}.", f"It becomes “{winner}”.",
    )  # fmt: skip
    return table.with_(clash, *changed)


def _mentioned(table: Table, thing: str) -> bool:
    last = thing.split()[-1]
    return table.asked(thing) or table.asked(last) or table.asked(last.rstrip("s"))


def _articled(prompt: str) -> str:
    prompt = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", prompt)
    return re.sub(r"\b([Aa])n (?=[b-df-hj-np-tv-z])", r"\1 ", prompt)


def _where_it_is(table: Table, group: list[tuple[Wish, Part]]) -> Table:
    """One and the same change in two pictures, only one of which is called after the motif."""
    words = group[0][1].motif[0].split() if group[0][1].motif else []
    named = [
        w for w, _ in group if any(stands(x.rstrip("s"), w.seen.name.rstrip("s")) for x in words)
    ]
    if len(named) != 1 or _SEVERAL.search(table.scene.instruction):
        return table
    return _taken(table, group, named[0], f"“{group[0][1].text}” is asked of several layers.")


# ── jobs that cannot both be done ───────────────────────────────────────────────────────


def not_both(table: Table) -> Table:
    """A layer is deleted or edited, never both."""
    for wish in table.edited:
        if not wish.deletes or all(part.deletes for part in wish.parts):
            continue
        goes = _REMOVES.search(table.scene.instruction) is not None and not _wanted(table, wish)
        drop: Callable[[Part], bool] = (lambda p: not p.deletes) if goes else (lambda p: p.deletes)
        did = "It is deleted." if goes else "It is edited, and stays."
        clash = Clash("contradiction", (wish.id,), "It is to be deleted and edited.", did)
        table = table.with_(clash, wish.without(drop, did))
    return table


def _wanted(table: Table, wish: Wish) -> bool:
    """Whether the instruction speaks of what the layer is to say or of the colour it is to have."""
    news = [text for part in wish.parts for text in _news(part) if text]
    words = [new for pair in wish.renames for _, new in replaced(*pair)]
    colours = set(colours_in(table.scene.instruction))
    return any(table.asked(word) for word in (*news, *words)) or wish.colour in colours


def one_ground(table: Table) -> Table:
    """The ground takes on one colour, and the layer that is the ground takes it on."""
    group = [
        (wish, part, part.colour)
        for wish in table.edited
        for part in wish.parts
        if part.colour and _GROUND.search(part.text)
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
