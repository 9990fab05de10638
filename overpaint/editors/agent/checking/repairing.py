"""Repairs of the merged result, one round: each layer with a fault, and no other, is tried again.

What was to be kept is put back bit for bit. An edited layer is repaired where it stands, or edited
again from its original; where nothing helps it is put back as it was, for a spoilt layer is worse
than one that is not edited. Whatever does not lighten the burden of faults is undone.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from overpaint.document import Document
from overpaint.document.instruct import parse
from overpaint.document.instruct.quotes import quotes
from overpaint.document.layers import Group, Layer, Picture, Text
from overpaint.document.ops import Delete, Insert, Op, ReplaceText
from overpaint.document.where import Where
from overpaint.editors.agent.checking import Fault, burden, looked
from overpaint.editors.agent.checking.views import View, pair_of, unquoted
from overpaint.editors.agent.checking.ways import Way, as_it_was, direct, readable_ways
from overpaint.editors.agent.checking.words import same
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.hands import Hands
from overpaint.editors.agent.joint.reading import Wish
from overpaint.editors.agent.phrasing import ways
from overpaint.errors import CostLimit, OverpaintError

_STRUCTURE = ("canvas", "lost", "extra", "order", "kept changed")
_STRETCHED = ("size", "geometry")  # what would stretch new words to the box of the old
_MOST_WAYS = 30  # that are tried for one layer
# What a small figure is asked for that shall go; "from" and "in" would leave some of it.
_ALL_OF_IT = re.compile(
    r"(?:please )?(?:remove|delete|erase|take away) the \w+(?: \w+)?\s*(?:[.,;]|$)"
    r"|(?:请)?(?:去掉|删除|移除|去除)\w{1,6}(?:[，。]|$)",
    re.IGNORECASE,
)
Note = dict[str, Any]


@dataclass(frozen=True, eq=False)
class _Bench:
    """What repairs are made with."""

    scene: Scene
    decisions: tuple[Decision, ...]
    hands: Hands
    before: View

    def found(self, document: Document) -> tuple[Fault, ...]:
        """The faults of a document, as layers, words and pixels show them."""
        return looked(pair_of(self.scene, self.decisions, document, self.before))

    def wish(self, name: str) -> Wish | None:
        """What was asked of a layer; None where it was to be kept."""
        for one in self.decisions:
            if one.layer == name and one.edit:
                return Wish(one, self.scene.layer(name))
        return None


def repaired(
    scene: Scene,
    decisions: Sequence[Decision],
    document: Document,
    faults: Sequence[Fault],
    hands: Hands,
) -> tuple[Document, tuple[Note, ...]]:
    """The document after one round of repair, and what was done for each layer."""
    bench = _Bench(scene, tuple(decisions), hands, View(scene.document.opened))
    start = bench.found(document)
    notes: list[Note] = []
    made = document
    if any(fault.kind in _STRUCTURE for fault in faults):
        made = _rebuilt(bench, document, faults)
        for fault in faults:
            if fault.kind in _STRUCTURE:
                notes.append(_note(fault, "what was to be kept was put back"))
    for name in dict.fromkeys(fault.layer for fault in faults if fault.kind not in _STRUCTURE):
        if bench.wish(name) is not None and not _only_unseen(faults, name):
            made, note = _one_layer(bench, made, name, faults)
            notes.append(note)
    judged = any(fault.kind in ("judge", "instruction") for fault in faults)
    if not judged and burden(bench.found(made)) >= burden(start):
        return document, (*notes, {"layer": "", "kind": "", "did": "nothing helped; undone"})
    return made, tuple(notes)


def _only_unseen(faults: Sequence[Fault], name: str) -> bool:
    """Whether all that is wrong with a layer is that others hide it, which no edit of it mends."""
    return {fault.kind for fault in faults if fault.layer == name} == {"unseen"}


def _note(fault: Fault, did: str) -> Note:
    return {"layer": fault.layer, "kind": fault.kind, "did": did}


# ── what was to be kept ─────────────────────────────────────────────────────────────────


def _rebuilt(bench: _Bench, document: Document, faults: Sequence[Fault]) -> Document:
    """The source's own layers in their order, with the edited ones in place of their originals."""
    now = {layer.id: layer for layer in document if layer.kind != "group"}
    known = {layer.id for layer in bench.scene.document}
    lost = {fault.layer: bench.before.layers[fault.layer] for fault in faults
            if fault.kind == "lost"}  # fmt: skip
    layers = list(_with_edits(bench, bench.scene.document.layers, now | lost))
    fresh = [layer for layer in document.layers if layer.id not in known]
    if not any(fault.kind == "extra" for fault in faults):
        for layer in fresh:
            layers = _beside(layers, layer, document.layers)
    made = document.having(*layers)
    return replace(made, canvas=bench.scene.document.size)


def _with_edits(bench: _Bench, layers: tuple[Layer, ...], now: dict[str, Layer]) -> Iterator[Layer]:
    for layer in layers:
        if isinstance(layer.content, Group):
            inner = tuple(_with_edits(bench, layer.content.layers, now))
            same = len(inner) == len(layer.content.layers) and all(
                one is two for one, two in zip(inner, layer.content.layers, strict=True)
            )
            yield layer if same else replace(layer, content=Group(inner))
            continue
        wish = bench.wish(layer.id)
        if wish is None:
            yield layer
        elif layer.id in now:  # else it was to go
            yield now[layer.id]


def _beside(layers: list[Layer], new: Layer, row: tuple[Layer, ...]) -> list[Layer]:
    """The layers with a new one above that which it stood above."""
    at = row.index(new)
    ids = [layer.id for layer in layers]
    below = next((one.id for one in reversed(row[:at]) if one.id in ids), None)
    where = ids.index(below) + 1 if below is not None else 0
    return [*layers[:where], new, *layers[where:]]


# ── what was edited ─────────────────────────────────────────────────────────────────────


def _one_layer(
    bench: _Bench, document: Document, name: str, faults: Sequence[Fault]
) -> tuple[Document, Note]:
    """The first way that leaves no fault on the layer and none new; else the one with fewest."""
    own = [fault for fault in faults if fault.layer == name]
    kinds = ", ".join(dict.fromkeys(fault.kind for fault in own))
    best, did = document, "nothing helped"
    now = bench.found(document)
    least = burden(now) + _unseen(own)
    goal = burden([fault for fault in now if fault.layer != name])
    for count, way in enumerate(_ways(bench, document, name, own)):
        weight = burden(bench.found(way.document))
        if weight < least:
            best, did, least = way.document, way.did, weight
        if least <= goal or count >= _MOST_WAYS:
            break
    return best, {"layer": name, "kind": kinds, "did": did}


def _unseen(faults: Sequence[Fault]) -> float:
    """What only a model or the evidence judge saw weighs as well, until it is looked at again."""
    return 0.25 * any(fault.kind in ("judge", "instruction") for fault in faults)


def _ways(bench: _Bench, document: Document, name: str, own: Sequence[Fault]) -> Iterator[Way]:
    """What can be tried, the gentlest first and the original last."""
    wish, was = bench.wish(name), bench.before.layers.get(name)
    if wish is None or was is None:
        return
    if wish.deletes:
        yield Way("it was deleted", Delete(Where(layer=name))(document))
        return
    if unquoted(wish):
        own = [replace(fault, words="") for fault in own]
    lettered = wish.seen.kind == "text" and isinstance(was.content, Picture)
    for fault in own:
        if not (lettered and fault.kind in _STRETCHED):
            yield from direct(fault, was, document, bench.scene.document.size)
    bare = as_it_was(document, bench.before, name)
    for prompt in _clearer(wish, own):
        try:
            again = bench.hands.edit(bare, wish.seen, prompt)
        except CostLimit:
            raise
        except OverpaintError:
            continue
        if not _worded_as_told(wish, again, document):
            continue
        yield Way(f"it was edited again: {prompt}", again)
        if again is bare:
            continue
        for fault in bench.found(again):
            if fault.layer == name and not (lettered and fault.kind in _STRETCHED):
                yield from direct(fault, was, again, bench.scene.document.size)
    for fault in own:
        yield from direct(fault, was, bare, bench.scene.document.size) if fault.words else ()
        if fault.kind == "contrast" and not fault.against:
            yield from readable_ways(was, document, wish.colour)
    if wish.seen.kind == "decoration" and _ALL_OF_IT.match(wish.decision.prompt):
        yield Way("it was deleted", Delete(Where(layer=name))(bare))
    yield Way("not done: it was put back as it was", bare)


def _worded_as_told(wish: Wish, again: Document, now: Document) -> bool:
    """Whether a layer says only what it said, says already, or what its prompt has in quotes.

    What a prompt does not quote may be the name of a colour that was taken for new words.
    """
    if quotes(wish.decision.prompt) or wish.seen.kind != "text":
        return True
    said = {one.id: one.content.words for one in now if isinstance(one.content, Text)}
    made = next((one.content for one in again if one.id == wish.id), None)
    if isinstance(made, Text):
        return same(made.words, wish.seen.words) or same(made.words, said.get(wish.id, ""))
    return not any(isinstance(op, ReplaceText | Insert) for op in _taken(wish))


def _taken(wish: Wish) -> tuple[Op, ...]:
    """What hands take a prompt for."""
    for words in ways(wish.decision.prompt, wish.seen.kind):
        try:
            return parse(words)
        except OverpaintError:
            continue
    return ()


def _clearer(wish: Wish, own: Sequence[Fault]) -> Iterator[str]:
    """The prompt once more, and then with what was wrong said."""
    prompt = wish.decision.prompt
    words = next((fault.words for fault in own if fault.words), "")
    said = [fault.said for fault in own if fault.kind == "judge"]
    if said:
        yield f"{prompt.rstrip('.')}. {' '.join(said)}"
    yield prompt
    if words and "'" not in words:
        yield f"Change the text to '{words}'."
    elif wish.seen.kind != "text" and not wish.understood:
        yield (f"{prompt.rstrip('.')}. Change nothing else: keep its outline, its place and its"
               " size, and leave what is transparent transparent.")  # fmt: skip
