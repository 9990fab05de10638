"""The self-check: the merged result looked at, against the document before and what was decided.

MiLDE's agent names the lack of it. Every test compares with the state before the edit: what was so
already is no fault. Layers are compared as such, then words, then pixels, then the whole; a model
looks as well where there is one.

    canvas · lost · extra · order · kept changed      what stands where
    unchanged · not done · unseen · words · empty     what was asked did not happen
    visibility · looks · colour · geometry · size     more happened than was asked
    alpha · halo · flat · noise · cut · double        a layer's pixels are spoilt
    overlap · hidden · contrast · instruction · judge the whole does not hold together
"""

from collections.abc import Callable, Iterator, Sequence

from overpaint.core import Evidence
from overpaint.document import Document
from overpaint.document.instruct import parse
from overpaint.document.instruct.quotes import quotes
from overpaint.document.layers import Text
from overpaint.document.ops import Delete, Insert, ReplaceText
from overpaint.editors.agent.checking.drawn import drawn
from overpaint.editors.agent.checking.layers import edited, kept, structure
from overpaint.editors.agent.checking.pixels import pixels
from overpaint.editors.agent.checking.shown import shown
from overpaint.editors.agent.checking.sight import hard_to_read, sight
from overpaint.editors.agent.checking.views import Fault, Pair, pair_of
from overpaint.editors.agent.checking.words import says, words
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.joint.phrases import stands
from overpaint.editors.agent.judging import Judge
from overpaint.errors import OverpaintError

__all__ = ["Fault", "burden", "faults", "looked", "remarks"]

_TESTS: tuple[Callable[[Pair], Iterator[Fault]], ...] = (
    structure, shown, kept, edited, words, drawn, pixels, sight,
)  # fmt: skip
# A layer that is as it was is better than one that is spoilt.
_LIGHT = frozenset({"unchanged", "not done", "unseen"})


def faults(
    scene: Scene,
    decisions: Sequence[Decision],
    document: Document,
    *,
    judge: Judge | None = None,
) -> tuple[Fault, ...]:
    """What is wrong with a document that was edited as decided; nothing where all is well."""
    pair = pair_of(scene, decisions, document)
    found = list(looked(pair))
    if not found:
        found += _instruction(pair)
    if judge is not None:
        found += [Fault("judge", layer, wrong) for layer, wrong in judge(scene, document)]
    return tuple(found)


def remarks(scene: Scene, decisions: Sequence[Decision], document: Document) -> tuple[str, ...]:
    """What is no fault, since it was asked for, and should be known all the same."""
    pair = pair_of(scene, decisions, document)
    coloured = any(wish.colour is not None for wish in pair.wishes.values())
    return tuple(hard_to_read(pair)) if coloured else ()


def looked(pair: Pair) -> tuple[Fault, ...]:
    """What layers, words and pixels alone show, one fault of a kind for each layer."""
    found = {(fault.kind, fault.layer): fault for test in reversed(_TESTS) for fault in test(pair)}
    return tuple(reversed(found.values()))


def burden(found: Sequence[Fault]) -> float:
    """How bad faults are together: one each, and half for a layer that is merely as it was."""
    return sum(0.5 if fault.kind in _LIGHT else 1.0 for fault in found)


def _open_words(pair: Pair) -> bool:
    """Whether words that the instruction quotes are missing from what the layers say, or stay."""
    try:
        ops = parse(pair.scene.instruction)
    except OverpaintError:
        return False
    said = "\n".join(
        layer.content.words
        for name, layer in pair.after.layers.items()
        if isinstance(layer.content, Text) and name in pair.after.leaves
    )
    said += "\n".join(wish.words for wish in pair.wishes.values())  # read already where drawn
    quoted = {span.text for span in quotes(pair.scene.instruction)}
    for op in ops:
        new = op.text if isinstance(op, ReplaceText | Insert) else ""
        gone = op.where.text if isinstance(op, ReplaceText | Delete) else ""
        if new in quoted and not says(said, new):
            return True
        if gone in quoted and not new and stands(gone, said):
            return True
    return False


def _instruction(pair: Pair) -> Iterator[Fault]:
    """What the evidence judge finds not to have happened, where the layers leave it open.

    It reads both pictures anew, which takes seconds; so it is asked only about words that the
    instruction names and that live layers do not settle.
    """
    from overpaint.measures.evidence import verdicts

    if not _open_words(pair):
        return
    before, after = pair.before.document, pair.after.document
    verdict = verdicts(Evidence(), after, before, pair.scene.instruction, False)["IF"]
    if verdict.passed is False and before.rgb.shape == after.rgb.shape:
        yield Fault("instruction", "", f"It does not follow: {'; '.join(verdict.notes)[:200]}.")
