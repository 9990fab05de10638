"""What pictures show: one thing comes into one picture, one motif becomes one thing."""

import re

from overpaint.editors.agent.joint.phrases import reworded, stands
from overpaint.editors.agent.joint.reading import Part, Wish
from overpaint.editors.agent.joint.table import Clash, Table, listed

_SEVERAL = re.compile(r"\b(?:both|each|every|all|two|everywhere|repeat)\b|都|每|所有|全部", re.I)
# Words for a picture as such: two of them may well become two different things.
_GENERIC = frozenset({
    "photo", "photograph", "picture", "image", "illustration", "background", "backdrop", "scene",
    "icon", "it", "this", "layer", "shape", "decoration", "graphic", "artwork", "drawing",
    "element", "object", "figure", "colour", "color", "style", "text", "poster", "design",
    "foreground", "photos", "pictures", "images",
})  # fmt: skip


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


def one_place_for_a_motif(table: Table) -> Table:
    """A new motif comes where the instruction's old one is, and into no other picture."""
    groups: dict[str, list[tuple[Wish, Part]]] = {}
    for wish in table.edited:
        for part in wish.parts if wish.seen.kind != "text" else ():
            if part.motif and not part.understood:
                groups.setdefault(part.motif[1].rstrip("s"), []).append((wish, part))
    for new, group in groups.items():
        meant = [one for one in group if _is_meant(table, *one)]
        others = [one for one in group if one not in meant]
        if not meant or not others or _SEVERAL.search(table.scene.instruction):
            continue
        best = meant[0][0]
        said = f"Several pictures are to show {listed([new])}."
        table = _taken(table, [(best, meant[0][1]), *others], best, said)
    return table


def _is_meant(table: Table, wish: Wish, part: Part) -> bool:
    """Whether the instruction speaks of what a picture shows, or of the picture by its name."""
    old = part.motif[0] if part.motif else ""
    last = old.split()[-1] if old.split() else ""
    if last and last.rstrip("s") not in _GENERIC and last not in _GENERIC:
        return table.asked(last) or table.asked(last.rstrip("s"))
    words = re.findall(r"[^\W\d_]{3,}", wish.seen.name.casefold())
    return any(table.asked(word) for word in words if word not in _GENERIC)
