"""The agent: looks at a layered document, decides layer by layer, edits just that, checks itself.

    look       what each layer is, says and shows                    vision/layers.py
    decide     a reasoner answers one question a layer               deciding, reasoners, rules
    settle     the decisions are held against each other             joint
    edit       each chosen layer is edited by itself                 hands, painting
    check      the merged result is looked at, and repaired          checking

MiLDE (section 4) has the first, second and fourth; it names the lack of the others. Layers that
are kept are the very same objects before and after. Every step is told in the trace.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from overpaint import catalog
from overpaint.core import Desk, Request, Where
from overpaint.document import Document
from overpaint.editors.agent.checking import Fault, burden, faults, remarks
from overpaint.editors.agent.checking.repairing import repaired
from overpaint.editors.agent.deciding import Decision, Reasoner, Scene
from overpaint.editors.agent.hands import Hands, Understand
from overpaint.editors.agent.joint import settle
from overpaint.editors.agent.judging import Judge
from overpaint.editors.agent.options import ROUNDS, RULES, read_options
from overpaint.errors import OverpaintError, StoreError, Unreadable, UserMistake
from overpaint.models.forecast import Ask
from overpaint.models.names import endpoint
from overpaint.models.trained_card import trained_card
from overpaint.vision.layers import seen

Step = dict[str, Any]


@dataclass(frozen=True)
class Loop:
    """How a document goes through the agent."""

    reasoner: Reasoner
    hands: Hands
    joint: bool = True
    rounds: int = ROUNDS
    judge: Judge | None = None

    def run(self, document: Document, instruction: str) -> tuple[Document, tuple[Step, ...]]:
        """The edited document, and how it came to be."""
        trace: list[Step] = []
        scene = Scene(document, instruction, seen(document))
        decisions = self._decided(scene, trace)
        edited, done = self._carried_out(scene, decisions, trace)
        edited = self._checked(scene, done, edited, trace)
        return edited, tuple(trace)

    def _decided(self, scene: Scene, trace: list[Step]) -> Sequence[Decision]:
        started = time.perf_counter()
        decisions = self.reasoner.decide(scene)
        if [one.layer for one in decisions] != [one.id for one in scene.layers]:
            raise Unreadable(
                f"{self.reasoner.name} decided about {len(decisions)} layers, not those of the"
                f" {len(scene.layers)} that were asked about.",
                "One decision for each, in their order, was expected.",
            )
        trace.append({"step": "decide", "reasoner": self.reasoner.name,
                      "decisions": _told(scene, decisions), **_left(self.reasoner, scene),
                      "seconds": round(time.perf_counter() - started, 3)})  # fmt: skip
        if not self.joint:
            return decisions
        settled = settle(scene, decisions)
        clashes = [asdict(clash) for clash in settled.clashes]
        trace.append(
            {"step": "joint", "clashes": clashes, "decisions": _told(scene, settled.decisions)}
        )
        return settled.decisions

    def _carried_out(
        self, scene: Scene, decisions: Sequence[Decision], trace: list[Step]
    ) -> tuple[Document, Sequence[Decision]]:
        """The document with all that could be done; and the decisions, less what could not."""
        document, done = scene.document, []
        for decision in decisions:
            edited, step = self._edited(scene, document, decision) if decision.edit else (None, {})
            if step:
                trace.append(step)
            document = edited or document
            done.append(decision if edited else replace(decision, edit=False, prompt=""))
        return document, done

    def _edited(
        self, scene: Scene, document: Document, decision: Decision
    ) -> tuple[Document | None, Step]:
        """One layer edited; or None where its edit was refused, and why."""
        started = time.perf_counter()
        step: Step = {"step": "edit", "layer": decision.layer, "prompt": decision.prompt}
        try:
            edited = self.hands.edit(document, scene.layer(decision.layer), decision.prompt)
        except (UserMistake, StoreError):
            raise
        except OverpaintError as error:
            told = {"status": error.status or "failed", "reason": str(error)}
            return None, step | told
        seconds = round(time.perf_counter() - started, 3)
        new = [note for note in edited.notes if note not in document.notes]
        return edited, step | {"status": "ok", "notes": new, "seconds": seconds}

    def _checked(
        self, scene: Scene, done: Sequence[Decision], document: Document, trace: list[Step]
    ) -> Document:
        """The document after at most so many rounds of repair; one that does not help is undone."""
        if not self.rounds:
            return document
        found, step = self._looked(scene, done, document)
        trace.append(step | {"round": 0})
        for turn in range(1, self.rounds + 1):
            if not found:
                break
            tried, did = repaired(scene, done, document, found, self.hands)
            left, step = self._looked(scene, done, tried)
            trace += [{"step": "repair", "round": turn, **one} for one in did]
            trace.append(step | {"round": turn})
            if burden(left) >= burden(found):
                trace.append({"step": "undo", "round": turn})
                break
            document, found = tried, left
        return document

    def _looked(
        self, scene: Scene, done: Sequence[Decision], document: Document
    ) -> tuple[Sequence[Fault], Step]:
        """What is wrong with the result; a judge that does not answer is done without, and told."""
        step: Step = {"step": "check"}
        try:
            found = faults(scene, done, document, judge=self.judge)
        except (UserMistake, StoreError):
            raise
        except OverpaintError as error:
            if self.judge is None:
                raise
            found = faults(scene, done, document)
            step |= {"judge": error.status or "failed", "reason": str(error)}
        step["faults"] = [asdict(fault) for fault in found]
        if notes := remarks(scene, done, document):
            step["notes"] = list(notes)
        return found, step | {"picture": Document.of(document.rgb)} if found else step


@dataclass(frozen=True)
class Agent:
    """Decides layer by layer what must change, changes just that, and checks the result.

    Made from `REASONER;checks=2;joint=yes;judge=MODEL;image=EDITOR`: the reasoner is `rules` or
    the name of a model.
    """

    argument: str = ""

    def __post_init__(self) -> None:
        read_options(self.argument)  # a wrong one is found out now

    @property
    def where(self) -> Where:
        """In threads of the parent where models are asked, else in a process."""
        return "thread" if read_options(self.argument).models else "process"

    @property
    def host(self) -> str:
        """The host of its image editor, where it has one."""
        image = read_options(self.argument).image
        return str(getattr(catalog.editor(image), "host", "")) if image else ""

    def asks(self, request: Request) -> Sequence[Ask]:
        """What it would ask of models: about each layer once, and of a judge after each round."""
        from overpaint.editors.agent import judging, reasoners

        chosen, found = read_options(self.argument), list[Ask]()
        if chosen.reasoner != RULES:
            found += reasoners.asks(chosen.reasoner, request.source, request.instruction)
        if chosen.judge:
            found += (chosen.rounds + 1) * [judging.ask(chosen.judge, request)]
        return found

    def __call__(self, request: Request) -> Document:
        return self.traced(request)[0]

    def traced(
        self, request: Request, desk: Desk | None = None
    ) -> tuple[Document, tuple[Step, ...]]:
        """The edited document and how it came to be; what no hand could do is noted on it."""
        document, trace = self.loop(desk).run(request.source, request.instruction)
        return replace(document, said=tuple(_notes(document, trace))), trace

    def loop(self, desk: Desk | None = None) -> Loop:
        """What carries it out, with whoever is asked at that desk."""
        chosen = read_options(self.argument)
        if chosen.models and desk is None:
            raise UserMistake(
                f"{chosen.models[0]} is asked at a desk, and there is none.",
                "`overpaint run` and `overpaint edit` have one.",
                "In Python: Agent(…).traced(request, desk)",
            )
        image = catalog.editor(chosen.image) if chosen.image else None
        return Loop(
            _reasoner(chosen.reasoner, desk),
            Hands(image, understand=_understanding(chosen.reasoner, desk)),
            joint=chosen.joint,
            rounds=chosen.rounds,
            judge=_judge(chosen.judge, desk),
        )


def _reasoner(name: str, desk: Desk | None) -> Reasoner:
    if name == RULES:
        from overpaint.editors.agent.rules import Rules

        return Rules()
    assert desk is not None  # `loop` has seen to it
    from overpaint.editors.agent.reasoners import by_model

    return by_model(name, desk)


def _understanding(name: str, desk: Desk | None) -> Understand | None:
    """A model that reasons also says in other words what the rules do not understand."""
    if name == RULES or trained_card(endpoint(name)):  # one trained to decide answers nothing else
        return None
    from overpaint.editors.restating import restated

    assert desk is not None
    return lambda prompt, layer, why: restated(prompt, why, name, desk, page_text=layer.words).ops


def _judge(name: str, desk: Desk | None) -> Judge | None:
    if not name:
        return None
    from overpaint.editors.agent.judging import judge

    assert desk is not None
    return judge(name, desk)


# ── what is told ────────────────────────────────────────────────────────────────────────


def _told(scene: Scene, decisions: Sequence[Decision]) -> list[Step]:
    """The decisions with the names and classes of their layers."""
    return [
        {"name": scene.layer(one.layer).name, "kind": scene.layer(one.layer).kind, **asdict(one)}
        for one in decisions
    ]


def _left(reasoner: Reasoner, scene: Scene) -> Step:
    """What of the instruction led to no decision, where the reasoner can tell."""
    tell = getattr(reasoner, "left", None)
    left = list(tell(scene)) if tell else []
    return {"left": left} if left else {}


def _notes(document: Document, trace: Sequence[Step]) -> Iterator[str]:
    """What a user should know of how it went."""
    yield from document.notes
    yield from trace[0].get("left", ())
    names = {one["layer"]: one["name"] or one["layer"] for one in trace[0]["decisions"]}
    for step in trace:
        if step["step"] == "edit" and step["status"] != "ok":
            who = names[step["layer"]]
            yield f"layer {who!r} was not edited ({step['status']}): {step['reason']}"
    undone = {step["round"] for step in trace if step["step"] == "undo"}
    looks = [s for s in trace if s["step"] == "check" and s["round"] not in undone]
    last = looks[-1] if looks else None
    for fault in last["faults"] if last else ():
        who = names.get(fault["layer"])
        yield f"layer {who!r}: {fault['said']}" if who else fault["said"]
    yield from last.get("notes", ()) if last else ()
