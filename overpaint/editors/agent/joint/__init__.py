"""The joint pass: decisions that were made layer by layer, held against each other and settled.

MiLDE's agent decides each layer alone and names what comes of it: layers that clash. No model is
asked here. What goes together comes out as it came in.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.joint.dates import same_days
from overpaint.editors.agent.joint.deletes import as_meant, not_both, one_ground
from overpaint.editors.agent.joint.jobs import (
    one_text,
    own_words,
    pictures_to_pictures,
    words_to_texts,
)
from overpaint.editors.agent.joint.left import left_behind
from overpaint.editors.agent.joint.looks import own_places, readable_texts, room_for_words
from overpaint.editors.agent.joint.meant import Meant
from overpaint.editors.agent.joint.motifs import one_motif, one_object, one_place_for_a_motif
from overpaint.editors.agent.joint.phrases import sentence
from overpaint.editors.agent.joint.reading import Wish
from overpaint.editors.agent.joint.table import Clash, Table
from overpaint.editors.agent.joint.words import as_asked, one_spelling, same_names

__all__ = ["Clash", "Settled", "settle"]

# Jobs first, for who edits what; then words, for what is said; then looks, for how that stands.
_PASSES: tuple[Callable[[Table], Table], ...] = (
    not_both, own_words, as_meant, words_to_texts, pictures_to_pictures, one_text,
    one_object, one_motif, one_place_for_a_motif, one_ground, one_spelling, as_asked, same_names,
    same_days, left_behind, own_places, room_for_words, readable_texts,
)  # fmt: skip


@dataclass(frozen=True)
class Settled:
    """The decisions as they go together, and what did not."""

    decisions: tuple[Decision, ...]
    clashes: tuple[Clash, ...] = ()


def settle(scene: Scene, decisions: Sequence[Decision]) -> Settled:
    """The decisions considered together: the same ones, in their order, where nothing clashes."""
    known = {layer.id for layer in scene.layers}
    single, clashes = _one_each(decisions)
    wishes = tuple(Wish(one, scene.layer(one.layer)) for one in single if one.layer in known)
    table = Table(Meant(scene), wishes, clashes)
    for settled in _PASSES:
        table = settled(table)
    new = {wish.id: wish.decision for wish in table.wishes}
    return Settled(tuple(new.get(one.layer, one) for one in single), table.clashes)


def _one_each(decisions: Sequence[Decision]) -> tuple[tuple[Decision, ...], tuple[Clash, ...]]:
    """One decision a layer, in the order of the first; several for one are joined, and told."""
    found: dict[str, Decision] = {}
    clashes: list[Clash] = []
    for one in decisions:
        first = found.setdefault(one.layer, one)
        if first is one or first == one:
            continue
        found[one.layer] = _joined(first, one)
        did = "It does what all of them ask." if first.edit and one.edit else "It is edited."
        clashes.append(Clash("contradiction", (one.layer,), "It was decided about twice.", did))
    return tuple(found.values()), tuple(clashes)


def _joined(first: Decision, other: Decision) -> Decision:
    if not (first.edit and other.edit):
        return first if first.edit else other
    prompt = f"{sentence(first.prompt)} {sentence(other.prompt)}"
    return replace(first, prompt=first.prompt if other.prompt in first.prompt else prompt)
