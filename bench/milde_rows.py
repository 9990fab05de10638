"""Rows of the MiLDE table: reasoners good and bad, and what the agent makes of their decisions.

All rows of a sample are made in one process, and what two rows share is made once: the layers as
they are told, an edit that was decided alike, and what is read in a picture.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from random import Random
from typing import Any

import milde_outcomes as look
from milde_truths import Truth, right_words

from overpaint import catalog
from overpaint.core import Edit, Evidence, Sample
from overpaint.document import Document
from overpaint.editors.agent import Loop
from overpaint.editors.agent.deciding import Decision, Reasoner, Scene, read_decision, written
from overpaint.editors.agent.hands import Hands
from overpaint.editors.agent.joint import settle
from overpaint.errors import OverpaintError, Unreadable
from overpaint.measures.milde_layers import Counts, counted
from overpaint.vision.layers import Seen, seen

SEED = 6
MEASURES = ("milde_if", "layout", "milde_tr")
PLAIN, JOINT, CHECK, BOTH = "plain", "joint", "check", "joint+check"
WITH: Mapping[str, tuple[bool, int]] = {
    PLAIN: (False, 0), JOINT: (True, 0), CHECK: (False, 2), BOTH: (True, 2),
}  # fmt: skip
ALL = tuple(WITH)
# Off the form, as models are: no tags, two answers, an answer of their own, a prompt for nothing.
OFF = (
    "I would change this layer.",
    "<think>Both.</think><decision>Need Edit</decision><decision>Don't Edit</decision>",
    "<think>Hm.</think><decision>Maybe</decision>",
    "<think>Keep it.</think><decision>Don't Edit</decision><prompt>Make it nicer.</prompt>",
    "<decision>Need Edit</decision>",
)
Key = tuple[int, ...]
Values = list[tuple[str, float | None, float]]  # measure, value, weight
Chosen = Callable[[Random, Mapping[str, str], bool], bool | None]


# ── reasoners ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Scripted:
    """Decides by the gold layers, and as badly as it is told to."""

    name: str
    case: Truth
    chosen: Chosen  # (chance, layer, whether it is gold): edit, keep, or no readable answer

    def decide(self, scene: Scene) -> Sequence[Decision]:
        """One decision a layer, the same each time."""
        kinds = self.case.kinds
        chance = Random(f"{SEED}/{self.name}/{self.case.entry['id']}")
        return [
            self._decision(chance, {"id": one.id, "kind": kinds.get(one.id, one.kind)})
            for one in scene.layers
        ]

    def _decision(self, chance: Random, layer: Mapping[str, str]) -> Decision:
        name = layer["id"]
        edit = self.chosen(chance, layer, name in self.case.gold)
        if edit is None:
            return read(name, chance.choice(OFF))
        prompt = self._prompt(chance, name) if edit else ""
        return read(name, written(Decision(name, edit, prompt, "So it is scripted.")))

    def _prompt(self, chance: Random, layer: str) -> str:
        """The gold one; a layer that has none takes another's job, or all that is asked."""
        prompts = self.case.entry["layer_instructions"]
        others = [*prompts.values(), self.case.entry["instruction"]]
        return str(prompts.get(layer) or chance.choice(others))


def read(layer: str, reply: str) -> Decision:
    """The decision in a reply; one that cannot be read decides nothing."""
    try:
        return read_decision(layer, reply)
    except Unreadable as error:
        return Decision(layer, None, "", str(error))


def _flipped(share: float) -> Chosen:
    return lambda chance, layer, gold: gold ^ (chance.random() < share)


def _off_form(chance: Random, layer: Mapping[str, str], gold: bool) -> bool | None:
    return None if chance.random() < 0.3 else gold


SCRIPTS: Mapping[str, Chosen] = {
    "never edit": lambda chance, layer, gold: False,
    "edit all": lambda chance, layer, gold: True,
    "edit all text": lambda chance, layer, gold: layer["kind"] == "text",
    "good (gold)": lambda chance, layer, gold: gold,
    "10 % flipped": _flipped(0.1),
    "30 % flipped": _flipped(0.3),
    "30 % off the form": _off_form,
}
FLOORS = ("never edit", "edit all", "edit all text")


def reasoners(case: Truth) -> dict[str, Reasoner]:
    """Every reasoner of the table; the rules where they are there."""
    found: dict[str, Reasoner] = {
        name: Scripted(name, case, chosen) for name, chosen in SCRIPTS.items()
    }
    if find_spec("overpaint.editors.agent.rules"):
        from overpaint.editors.agent.rules import Rules

        found["rules"] = Rules()
    return found


# ── what comes of them ──────────────────────────────────────────────────────────────────


@dataclass
class Cell:
    """What one row got on some samples; cells add up."""

    counts: Counts = field(default_factory=Counts)
    scores: dict[str, tuple[float, float]] = field(default_factory=dict)  # sum, weight
    undecided: dict[str, int] = field(default_factory=dict)
    kept: tuple[int, int] = (0, 0)  # byte-identical, of
    texts: tuple[int, int] = (0, 0)  # right, of those that were edited
    wanted: tuple[int, int] = (0, 0)  # right, of all that should have been
    edits: int = 0
    no_painter: int = 0  # edits refused because no image editor is named
    refused: int = 0  # for any other reason
    repairs: int = 0
    seconds: float = 0.0
    documents: int = 0

    def __add__(self, other: "Cell") -> "Cell":
        names = {*self.scores, *other.scores}
        return Cell(
            self.counts + other.counts,
            {name: _sum(self.scores.get(name, (0, 0)), other.scores.get(name, (0, 0)))
             for name in names},
            {name: self.undecided.get(name, 0) + other.undecided.get(name, 0)
             for name in {*self.undecided, *other.undecided}},
            *(_sum(getattr(self, name), getattr(other, name))
              for name in ("kept", "texts", "wanted")),
            *(getattr(self, name) + getattr(other, name)
              for name in ("edits", "no_painter", "refused", "repairs", "seconds", "documents")),
        )  # fmt: skip

    def mean(self, measure: str) -> float | None:
        """A measure's pooled mean; None where nothing was decided."""
        total, weight = self.scores.get(measure, (0.0, 0.0))
        return total / weight if weight else None


def _sum(one: tuple[Any, Any], other: tuple[Any, Any]) -> tuple[Any, Any]:
    return one[0] + other[0], one[1] + other[1]


@dataclass
class Bench:
    """One sample, and all that its rows share."""

    sample: Sample
    evidence: Evidence = field(default_factory=Evidence)
    measured: dict[Key, tuple[Document, Values]] = field(default_factory=dict)

    @cached_property
    def case(self) -> Truth:
        """The sample with its truth."""
        sample, target = self.sample, self.sample.target
        assert target is not None
        entry = {**sample.facts, "instruction": sample.request.instruction, "id": sample.id,
                 "language": sample.tags["language"]}  # fmt: skip
        return Truth(0, sample.request.source.opened, target.opened, entry)

    @cached_property
    def looking(self) -> float:
        """Seconds that telling the layers takes; whoever looks again has it from memory."""
        started = time.perf_counter()
        seen(self.case.source)
        return time.perf_counter() - started

    def row(self, reasoner: Reasoner, way: str) -> Cell:
        """The whole agent on this sample; its seconds are those of an agent that runs alone."""
        (joint, rounds), looking = WITH[way], self.looking
        hands = _Remembering()
        started = time.perf_counter()
        loop = Loop(reasoner, hands, joint=joint, rounds=rounds)
        result, trace = loop.run(self.case.source, self.case.entry["instruction"])
        seconds = time.perf_counter() - started + looking + sum(hands.saved)
        cell = Cell(seconds=seconds, documents=1)
        told = [step for step in trace if "decisions" in step][-1]["decisions"]
        cell.counts = counted(self.sample, {one["layer"]: one["edit"] for one in told})
        self._tell(cell, trace)
        self._look(cell, result, {step["layer"] for step in trace if _done(step)})
        for name, value, weight in self._measured(result, trace):
            if value is None:
                cell.undecided[name] = 1
            else:
                cell.scores[name] = value * weight, weight
        return cell

    def _tell(self, cell: Cell, trace: Sequence[Mapping[str, Any]]) -> None:
        edits = [step for step in trace if step["step"] == "edit"]
        wrong = [step for step in edits if step["status"] != "ok"]
        cell.edits = len(edits)
        cell.no_painter = sum("no image editor" in step["reason"] for step in wrong)
        cell.refused = len(wrong) - cell.no_painter
        cell.repairs = sum(step["step"] == "repair" for step in trace)

    def _look(self, cell: Cell, result: Document, done: set[str]) -> None:
        """Layers that must stay and were not asked to change; texts that were to change."""
        case = self.case
        still = [name for name in case.kept if name not in done]
        same = sum(look.found(result, name) == look.found(case.source, name) for name in still)
        cell.kept = same, len(still)
        asked = [name for name, words in case.entry["texts"].items()
                 if not words or name in case.reworded]  # fmt: skip
        right = {name: _worded(case, result, name) for name in asked}
        cell.texts = (sum(right[n] for n in right if n in done), sum(n in done for n in right))
        cell.wanted = sum(right.values()), len(right)

    def _measured(self, result: Document, trace: tuple[Mapping[str, Any], ...]) -> Values:
        if _key(result) not in self.measured:
            edit = Edit(self.sample, "agent", "ok", result, trace=trace)
            values = [
                (name, score.value, score.weight)
                for name in MEASURES
                for score in catalog.measure(name).score([edit], self.evidence)
            ]
            self.measured[_key(result)] = result, values
        return self.measured[_key(result)][1]


def _done(step: Mapping[str, Any]) -> bool:
    return step["step"] == "edit" and step["status"] == "ok"


def _worded(case: Truth, result: Document, name: str) -> bool:
    """Whether a text says what it should; one that is to go must show nothing."""
    if not case.entry["texts"][name]:
        return not look.shows(result, name)
    return look.found(result, name) is not None and right_words(case, result, name)


@dataclass(frozen=True)
class _Made:
    """What became of an edit; the document it was made of is held, so that its id stays its own."""

    of: Document
    result: Document | OverpaintError
    seconds: float


_EDITS: dict[tuple[Key, str, str], _Made] = {}


def _key(document: Document) -> Key:
    """The very layers it has: what was kept is the same object, and so is what was remembered."""
    return tuple(map(id, document.layers))


@dataclass(frozen=True)
class _Remembering(Hands):
    """The real hands; the same edit of the same document is done once."""

    saved: list[float] = field(default_factory=list)  # seconds

    def edit(self, document: Document, seen: Seen, prompt: str) -> Document:
        """What the hands make of it, or made of it before."""
        key = _key(document), seen.id, prompt
        if key in _EDITS:
            self.saved.append(_EDITS[key].seconds)
        else:
            started = time.perf_counter()
            try:
                made: Document | OverpaintError = super().edit(document, seen, prompt)
            except OverpaintError as error:
                made = error
            _EDITS[key] = _Made(document, made, time.perf_counter() - started)
        found = _EDITS[key].result
        if isinstance(found, OverpaintError):
            raise found
        return found


def forget() -> None:
    """Let go of what rows of a sample share."""
    _EDITS.clear()


def decided(sample: Sample) -> dict[str, Counts]:
    """What every reasoner decides about a sample, alone or settled; nothing is carried out."""
    case = Bench(sample).case
    scene = Scene(case.source, case.entry["instruction"], seen(case.source))
    found = {}
    for name, reasoner in reasoners(case).items():
        decisions = reasoner.decide(scene)
        for settled in (False, True):
            told = settle(scene, decisions).decisions if settled else decisions
            found[f"{name}/{JOINT if settled else PLAIN}"] = counted(
                sample, {one.layer: one.edit for one in told}
            )
    return found


def rows(sample: Sample, ways: Mapping[str, Sequence[str]]) -> dict[str, Cell]:
    """The cells of a sample: each reasoner in each of the ways that are asked for it."""
    bench = Bench(sample)
    named = reasoners(bench.case)
    found = {
        f"{name}/{way}": bench.row(named[name], way)
        # The longest way first: what its checks read, the others have from memory.
        for name, asked in ways.items() if name in named for way in sorted(asked, key=len)[::-1]
    }  # fmt: skip
    forget()
    return found
