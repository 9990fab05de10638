"""What pictures show: one thing comes into one picture, one motif becomes one thing."""

import re
from collections.abc import Iterator

from overpaint.editors.agent.joint.phrases import Rename, motif_of, reworded, stands
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


_PICTURES = re.compile(
    r"\b(?:pictures|photos|photographs|images|illustrations|drawings|icons)\b", re.IGNORECASE
)
_SMALL = re.compile(
    r"\b(?:small|little|tiny|second|smaller)\b|小(?:图|插图|图片|照片|的那)|第二", re.IGNORECASE
)
_MEASURE = re.compile(r"^(?:一|这|那)?[只个朵座棵辆把条头匹张幅轮艘架台盏杯片颗枚支顶双]|^小")


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
        wish.less(part, "another layer has this job") for wish, part in group if wish.id != best.id
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


# ── a motif that is asked for once ──────────────────────────────────────────────────────


def one_place_for_a_motif(table: Table) -> Table:
    """A new motif comes where the instruction's old one is, and into no other picture."""
    if _SEVERAL.search(table.scene.instruction) or _PICTURES.search(table.scene.instruction):
        return table
    pairs = list(_asked_pairs(table.scene.instruction))
    for thing in dict.fromkeys(_asked_things(table)):
        takers = [
            (wish, part) for wish in table.edited if wish.seen.kind != "text"
            for part in wish.parts if _draws(part, thing)
        ]  # fmt: skip
        olds = [old for old, new in pairs if _names(thing, new)]
        ranked = {w.id: _claim(table, w, p, olds) for w, p in takers}
        if len(ranked) < 2 or _all_meant(table, takers, olds):
            continue
        best = max(takers, key=lambda one: ranked[one[0].id])[0]
        said = f"Several pictures are to show {listed([thing])}."
        table = _taken(table, takers, best, said)
    return table


def _asked_pairs(instruction: str) -> Iterator[Rename]:
    """What pictures show and are to show, as the instruction has it: also "… and X with Y"."""
    for clause in re.split(r"[.;,。；，！]|\band\b|还有|另外", instruction):
        if pair := motif_of(clause) or motif_of(f"replace {clause.strip()}"):
            yield pair


def _asked_things(table: Table) -> Iterator[str]:
    """The new motifs of pictures that the instruction itself names, one of each."""
    for wish in table.edited:
        for part in wish.parts if wish.seen.kind != "text" else ():
            new = part.motif[1] if part.motif else part.object
            known = [word for word in _words(new) if _names(word, table.scene.instruction)]
            if known and not part.understood and table.asked(known[-1]):
                yield known[-1]


def _words(thing: str) -> list[str]:
    """The words of a thing that may name it; Chinese things without their measures."""
    if thing.isascii():
        return [word for word in re.findall(r"[a-z]{3,}", thing) if word not in _GENERIC]
    return [_MEASURE.sub("", thing.rpartition("的")[2])]


def _names(thing: str, text: str) -> bool:
    return any(stands(form, text) for form in (thing, f"{thing}s", f"{thing}es"))


def _draws(part: Part, thing: str) -> bool:
    """Whether a part brings a thing into its picture."""
    old = part.motif[0] if part.motif else ""
    return _names(thing, part.text) and not _names(thing, old) and not part.idle


def _old(part: Part) -> str:
    """What a part says that its picture shows; "" where it does not tell."""
    words = _words(part.motif[0]) if part.motif else []
    return words[-1].rstrip("s") if words else ""


def _claim(table: Table, wish: Wish, part: Part, olds: list[str]) -> tuple[float, ...]:
    """How good a picture's claim to a motif is: what it shows, its name, its class, its size."""
    old, said = _old(part), table.scene.instruction
    shows = bool(old) and (
        any(_names(old, one) for one in olds) or (not olds and _names(old, said))
    )
    names = [word for word in _words(wish.seen.name.casefold()) if word and _names(word, said)]
    size = table.prominence(wish)
    return (
        shows - (bool(old) and not shows), bool(names), wish.seen.kind == "image",
        -size if _SMALL.search(said) else size,
    )  # fmt: skip


def _all_meant(table: Table, takers: list[tuple[Wish, Part]], olds: list[str]) -> bool:
    """Whether the instruction names what each of the pictures shows, and each shows another."""
    own = {wish.id: _old(part) for wish, part in takers}
    said = " ".join(olds) or table.scene.instruction
    return len(set(own.values())) == len(own) and all(
        old and _names(old, said) for old in own.values()
    )
