"""From a request to layer instructions: steps, the layers they are laid on, and questions."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from overpaint.document import Document
from overpaint.engines.milde.asking import Asker, listed, persistently, shown, told
from overpaint.engines.milde.matching import Dropped, Matching, Step, matched
from overpaint.engines.milde.records import Described, Place, Plan, Source
from overpaint.engines.milde.validating import old_words, question_faults, says, step_faults
from overpaint.engines.vde.wording import normal, quotations
from overpaint.errors import Refused, Unreadable
from overpaint.vision.layers import Kind, Seen

_STEP_KINDS: Mapping[str, Kind] = {"text": "text", "image": "image"}


def plan(place: Place, source: Source, name: str, instruction: str, asker: Asker) -> Plan:
    """A request taken apart, laid on layers and asked about; or with what speaks against it."""
    work = _Work(place, source, instruction, asker)
    try:
        steps, unfit = work.steps()
    except (Unreadable, Refused) as error:
        return Plan(name, instruction, faults=(f"no steps ({error.status}): {error}",))
    found = matched(steps, work.layers, work.applies)
    dropped = [_told(one) for one in (*unfit, *found.dropped)]
    if not found.laid:
        return Plan(name, instruction, dropped=dropped, faults=("no step has a layer",))
    instructions = found.instructions(work.layers)
    questions, faults = work.questions(instructions)
    return Plan(
        name, instruction,
        steps=[{"text": one.step.text, "kind": one.step.kind, "layer": one.layer}
               for one in found.laid],
        dropped=dropped, layer_instructions=instructions, questions=questions, faults=faults,
        texts=wordings(found, work.described),
    )  # fmt: skip


def _told(one: Dropped) -> dict[str, str]:
    return {"text": one.step.text, "kind": one.step.kind, "reason": one.reason}


class _Work:
    """One request on one document, and the model that is asked about it."""

    def __init__(self, place: Place, source: Source, instruction: str, asker: Asker) -> None:
        self.instruction, self.asker = instruction, asker
        self.size = source.width, source.height
        self.described = place.described(source.id)
        self.layers = self.described.layers
        self.document = Document(place.picture(source.id))
        self.pictures = shown(Document(place.document(source.id)))

    def steps(self) -> tuple[list[Step], list[Dropped]]:
        """The steps that rules have nothing against, and the others with what they have."""
        slots = {"instruction": self.instruction, "layers": listed(self.layers, self.size)}
        said = persistently(lambda turn: self.asker.answer(
            "milde_steps", (self.document,), slots, turn=turn))  # fmt: skip
        good: list[Step] = []
        unfit: list[Dropped] = []
        for row in said["steps"]:
            step = Step(" ".join(str(row["text"]).split()), _STEP_KINDS[row["kind"]])
            earlier = [one.text for one in good]
            faults = step_faults(step.text, step.kind, earlier, self.layers)
            if faults:
                unfit.append(Dropped(step, "; ".join(faults)))
            else:
                good.append(step)
        return good, unfit

    def applies(self, step: Step, layer: Seen) -> bool:
        """Whether the model says that the step is to be made on the layer."""
        slots = {"step": step.text, "told": told(layer, self.size)}
        pictures = self.document, self.pictures[layer.id]
        ask = partial(self.asker.scores, "milde_applies", pictures, slots)
        return persistently(lambda turn: ask(turn=turn))["applies"] > 0

    def questions(
        self, instructions: Mapping[str, str]
    ) -> tuple[list[Mapping[str, Any]], tuple[str, ...]]:
        """Questions about every layer that changes, and the layers that got none."""
        found: list[Mapping[str, Any]] = []
        faults = []
        for name, text in instructions.items():
            try:
                own = self._about(name, text, [str(one["question"]) for one in found])
            except (Unreadable, Refused) as error:
                faults.append(f"no question about a layer ({error.status})")
                continue
            if not own:
                faults.append("no question about a layer that rules let pass")
            found += own
        return found, tuple(faults)

    def _about(self, name: str, text: str, earlier: Sequence[str]) -> list[Mapping[str, Any]]:
        slots = {"instruction": self.instruction, "layer_instruction": text}
        pictures = self.document, self.pictures[name]
        said = persistently(lambda turn: self.asker.answer(
            "milde_questions", pictures, slots, turn=turn))  # fmt: skip
        own: list[Mapping[str, Any]] = []
        for row in said["questions"]:
            words = " ".join(str(row["question"]).split())
            if question_faults(words, [*earlier, *(str(one["question"]) for one in own)]):
                continue
            own.append({
                "layer": name, "question": words, "about": row["about"],
                "expected": row["expected"], "check": check_of(row, name, self.layers),
            })  # fmt: skip
        return own


# ── what follows without a model ────────────────────────────────────────────────────────


def check_of(
    question: Mapping[str, Any], name: str, layers: Sequence[Seen]
) -> dict[str, Any] | None:
    """How a question about words can be answered by reading; None where it cannot.

    One quotation, expected there: it is looked for where the layer is. Expected gone: it must have
    stood on this layer alone, since then it is to stand nowhere.
    """
    quotes = quotations(str(question["question"]))
    if question["about"] != "text" or len(quotes) != 1:
        return None
    words = quotes[0].text
    if question["expected"] == "yes":
        box = next(layer.box for layer in layers if layer.id == name)
        return {"kind": "says", "words": words, "box": list(box)}
    where = [layer.id for layer in layers if says(layer, words)]
    return {"kind": "gone", "words": words} if where == [name] else None


def wordings(found: Matching, described: Described) -> dict[str, str]:
    """What text layers say afterwards, where their words are sure and every step tells them."""
    texts = {}
    for layer in described.layers:
        own = [one.step for one in found.laid if one.layer == layer.id]
        if own and layer.kind == "text" and layer.id in described.sure:
            words: str | None = layer.words
            for step in own:
                words = None if words is None else _reworded(words, step.text)
            if words is not None:
                texts[layer.id] = words
    return texts


def _reworded(words: str, step: str) -> str | None:
    """The words after a step that replaces one quotation by another; None for any other step."""
    old, new = old_words(step), [quote.text for quote in quotations(step) if quote.new]
    if len(old) != 1 or len(new) != 1:
        return None
    if normal(words) == old[0]:
        return new[0]
    return words.replace(old[0], new[0]) if words.count(old[0]) == 1 else None
