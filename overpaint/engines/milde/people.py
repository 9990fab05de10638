"""What people are asked about a build, and how far each request has come with them.

instruction (is it feasible?) -> plan (made by the model) -> layers (are the layer instructions
right?) -> done. Tasks and answers are the lines of `docs/decisions/008-tasks-and-answers.md`; an
answer says `keep`, and may correct the text that it is about.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from overpaint.engines.building import Standing
from overpaint.engines.milde.records import Candidate, Place, Plan, Settings, Source
from overpaint.engines.milde.validating import request_faults, word_count
from overpaint.engines.vde import review
from overpaint.engines.vde.lines import text_at, yes_at
from overpaint.engines.vde.records import ANSWERS, TASKS, as_json, write_text
from overpaint.engines.vde.tasks import Answer, Inbox, Task
from overpaint.errors import DataError

_LONGEST = 2_000  # letters of a corrected text
_QUESTIONS = {
    "instruction": "Would somebody ask this of this document, and can it be done by changing words"
    " and pictures that are there? Correct its wording if that is enough.",
    "layers": "Do these layers, and no others, have to change for the request, and does each"
    " instruction say rightly how? Correct the wording of an instruction if that is enough.",
}


@dataclass(frozen=True)
class Checked:
    """What one person said: whether it is kept, and corrected texts, by layer where they are."""

    keep: bool
    instruction: str = ""
    layers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Check(Task):
    """A question about a request, or about its layer instructions."""

    @property
    def question(self) -> str:
        """What people are asked."""
        return _QUESTIONS[self.kind]

    def answer(self, row: Mapping[str, Any]) -> Checked:
        """What a line says to it, checked."""
        keep = yes_at(row, "keep")
        if self.kind == "instruction":
            text = _corrected(row.get("instruction"))
            if text and (faults := request_faults(text)):
                raise DataError(f"the corrected instruction cannot be taken: {', '.join(faults)}")
            return Checked(keep, instruction=text)
        given = row.get("layer_instructions")
        if given is not None and not isinstance(given, dict):
            raise DataError("'layer_instructions' should be an object of texts by layer")
        known = self.facts["layer_instructions"]
        if unknown := [name for name in given or {} if name not in known]:
            raise DataError(f"there is no layer {str(unknown[0])[:60]!r} among those that change")
        return Checked(
            keep, layers={name: _corrected(text) for name, text in (given or {}).items()}
        )


def _corrected(text: Any) -> str:
    if text is None:
        return ""
    found = text_at({"a corrected text": text}, "a corrected text", _LONGEST)
    if not word_count(found):
        raise DataError("a corrected text should have words in it")
    return found


# ── how far each has come ───────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Fate:
    """How far a request has come: the stage it waits at, its rejection, or its plan."""

    candidate: Candidate
    source: Source
    stage: str  # instruction, plan: waits for the model; layers, done
    text: str  # the request as people left it
    rejected: str = ""
    plan: Plan | None = None


def follow(place: Place, chosen: Iterable[Candidate], settings: Settings) -> Standing[Fate]:
    """Follow every request as far as plans and answers go, and write tasks.jsonl."""
    inbox, plans, sources = Inbox(place.folder / ANSWERS), place.plans(), place.sources()
    fates, tasks = [], []
    for candidate in chosen:
        source = sources[candidate.source]
        desk = _Desk(place, settings, candidate, source, inbox)
        fates.append(desk.follow(plans.get(candidate.id)))
        tasks += desk.tasks
    write_text(place.folder / TASKS, "".join(as_json(task) + "\n" for task in tasks))
    return Standing(tuple(fates), tuple(tasks), inbox.leave())


@dataclass
class _Desk:
    """One request on its way, and the tasks it has given rise to."""

    place: Place
    settings: Settings
    candidate: Candidate
    source: Source
    inbox: Inbox
    tasks: list[dict[str, Any]] = field(default_factory=list)

    def follow(self, plan: Plan | None) -> Fate:
        """The request's fate as far as plans and answers go."""
        said, verdict = self._ask("instruction", instruction=self.candidate.text)
        text = next((one.instruction for one in said if one.instruction), self.candidate.text)
        fate = Fate(self.candidate, self.source, "instruction", text, verdict.reason)
        if verdict.state != "passed":
            return fate
        fate = replace(fate, stage="plan")
        if plan is None or plan.instruction != text:
            return fate
        if plan.faults:
            return replace(fate, rejected="; ".join(plan.faults), plan=plan)
        said, verdict = self._ask(
            "layers", instruction=text, layer_instructions=dict(plan.layer_instructions),
            layers=self._layers(plan), questions=[one["question"] for one in plan.questions],
        )  # fmt: skip
        fate = replace(fate, stage="layers", plan=plan, rejected=verdict.reason)
        if verdict.state != "passed":
            return fate
        own: dict[str, str] = {}
        for one in reversed(said):  # the first to correct a text has the last word
            own |= {name: new for name, new in one.layers.items() if new}
        return replace(fate, stage="done", plan=_retold(plan, own))

    def _layers(self, plan: Plan) -> list[dict[str, Any]]:
        """The layers as people are told of them."""
        described = self.place.described(self.source.id)
        return [
            {"id": one.id, "kind": one.kind, "box": list(one.box), "words": one.words,
             "changes": one.id in plan.layer_instructions}
            for one in described.layers
        ]  # fmt: skip

    def _ask(self, kind: str, **facts: Any) -> tuple[Sequence[Checked], review.Verdict]:
        """What has been said to a question, which becomes a task, and what follows from it."""
        wanted, source = self.settings.raters, self.source
        if not wanted:
            return (), review.Verdict("passed")
        picture = {"path": f"pictures/{source.id}.png", "sha256": source.sha256,
                   "width": source.width, "height": source.height}  # fmt: skip
        document = {"path": f"documents/{source.id}.ora"}
        task = Check(kind, self.candidate.id, picture, wanted, facts={"source": document, **facts})
        answers = self.inbox.take(task)[:wanted]
        verdict = review.looked_at([_bare(one) for one in answers], wanted)
        self.tasks.append(task.line(len(answers), is_open=verdict.state == "open"))
        return [one.value for one in answers], verdict


def _retold(plan: Plan, own: Mapping[str, str]) -> Plan:
    """The plan with layers told in people's words; what was known of the old ones is not kept."""
    told = {**plan.layer_instructions, **own}
    steps = [one for one in plan.steps if one["layer"] not in own]
    steps += [
        {"text": own[one["layer"]], "kind": one["kind"], "layer": one["layer"]}
        for one in {step["layer"]: step for step in plan.steps}.values()
        if one["layer"] in own
    ]
    return replace(
        plan, layer_instructions=told, steps=steps,
        texts={name: words for name, words in plan.texts.items() if name not in own},
        questions=[one for one in plan.questions if one["layer"] not in own],
    )  # fmt: skip


def _bare(answer: Answer) -> Answer:
    return replace(answer, value=answer.value.keep)
