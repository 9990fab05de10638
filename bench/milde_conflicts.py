"""Planted conflicts: decisions that clash the way layers decided alone do, and what settles them.

Sixty pages with their decisions stand in `milde_conflicts.json`, written before
the joint pass was run on any. A conflict is gone when the outcome says so: the decisions are
carried out by the agent's own hands and the result is measured (`milde_outcomes.py`); of pictures,
which no hands here can repaint, the decisions themselves are looked at. Each page has a peaceful
set of decisions as well, which must come out as it went in.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import milde_outcomes as look
from milde_pages import page

from overpaint.document import Document
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.hands import Hands
from overpaint.errors import OverpaintError
from overpaint.vision.layers import seen

KINDS = ("wording", "left over", "one job", "contrast", "room", "delete")
PICTURES = ("motif", "second")
FILE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True)
class Conflict:
    """One page with decisions that clash, and what tells whether they still do."""

    number: int
    case: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """Which way they clash."""
        return str(self.case["kind"])

    @property
    def name(self) -> str:
        """As a list of failures calls it."""
        return f"{self.number:02d} {self.kind}, {self.case['language']}"

    @property
    def involved(self) -> frozenset[str]:
        """The layers that a settlement may decide anew."""
        gone = self.case["gone"]
        lists = [gone.get(key, ()) for key in ("alike", "among", "contrast", "apart", "inside")]
        lists += [gone.get(key, ()) for key in ("there", "away", "turned")]
        return frozenset(name for one in lists for name in one) | set(self.case["edits"])

    def scene(self) -> Scene:
        """What the reasoner was shown."""
        document = page(self.case, self.number)
        return Scene(document, self.case["instruction"], seen(document))

    def decisions(self, scene: Scene, *, peaceful: bool = False) -> tuple[Decision, ...]:
        """One for each layer: those of the case, or those that would have been in peace."""
        prompts = dict(self.case["edits"])
        if peaceful:
            prompts |= self.case["peace"]
        return tuple(
            Decision(layer.id, True, prompt, "This layer has to change.")
            if (prompt := prompts.get(layer.id))
            else Decision(layer.id, False, "", "Nothing here is concerned.")
            for layer in scene.layers
        )

    def wrong(self, decisions: Sequence[Decision], result: Document) -> list[str]:
        """What still clashes in the outcome; nothing where the conflict is settled."""
        want, wrong = self.case["gone"], list[str]()
        prompts = {one.layer: one.prompt for one in decisions if one.edit}
        wrong += _worded(want, result)
        wrong += _jobs(want, prompts, result)
        wrong += _placed(want, result)
        wrong += _seen(want, result)
        return wrong


def _worded(want: Mapping[str, Any], result: Document) -> list[str]:
    """One name stands in all layers, and no other one in any."""
    layers, wrong = want.get("alike", ()), list[str]()
    named = [
        name for name in want.get("any", ()) if all(look.says(result, one, name) for one in layers)
    ]
    if layers and not named:
        said = ", ".join(f"{one} says “{look.words(result, one)}”" for one in layers)
        wrong.append(f"not one of {want['any']} in all: {said}")
    for one in layers:
        wrong += [f"{one} says {old}" for old in want["not"] if look.says(result, one, old)]
    for one, words in want.get("says", {}).items():
        if not look.says(result, one, words):
            wrong.append(f"{one} says “{look.words(result, one)}”, not “{words}”")
    return wrong


def _jobs(want: Mapping[str, Any], prompts: Mapping[str, str], result: Document) -> list[str]:
    """One layer alone takes the job, and it is one that may."""
    wrong = list[str]()
    if job := want.get("once"):
        takers = [one for one in want["among"] if _takes(one, job, prompts, result)]
        if len(takers) != 1 or takers[0] not in want["owner"]:
            wrong.append(f"“{job}” is taken by {takers}")
    for one, words in want.get("still", {}).items():
        if words not in prompts.get(one, ""):
            wrong.append(f"{one} is no longer to show {words}")
    return wrong


def _takes(layer: str, job: str, prompts: Mapping[str, str], result: Document) -> bool:
    if layer in PICTURES:
        return look.bare(job) in look.bare(prompts.get(layer, ""))
    return look.says(result, layer, job)


def _placed(want: Mapping[str, Any], result: Document) -> list[str]:
    """Inks stand clear of one another and within the canvas."""
    group, wrong = want.get("apart", ()), list[str]()
    for at, one in enumerate(group):
        wrong += [
            f"{one} runs into {other}" for other in group[at + 1 :]
            if not look.apart(result, one, other) or not look.boxes_apart(result, one, other)
        ]  # fmt: skip
    wrong += [f"{one} is cut off" for one in want.get("inside", ()) if not look.inside(result, one)]
    wrong += [f"{one} is gone" for one in want.get("there", ()) if not look.shows(result, one)]
    return wrong + [f"{one} is there" for one in want.get("away", ()) if look.shows(result, one)]


def _seen(want: Mapping[str, Any], result: Document) -> list[str]:
    """Letters can be told from what they stand on, and what was to change its colour has."""
    wrong = [
        f"{one} has a contrast of {ratio:.1f}" for one in want.get("contrast", ())
        if (ratio := look.contrast(result, one)) < look.READ
    ]  # fmt: skip
    return wrong + [
        f"{one} is not {colour}" for one, colour in want.get("turned", {}).items()
        if not look.turned(result, one, colour)
    ]  # fmt: skip


def carried_out(scene: Scene, decisions: Sequence[Decision], hands: Hands) -> Document:
    """The document with all that the hands can do; what they refuse stays as it was."""
    document = scene.document
    for decision in decisions:
        if decision.edit:
            try:
                document = hands.edit(document, scene.layer(decision.layer), decision.prompt)
            except OverpaintError:
                continue
    return document


@cache
def conflicts() -> tuple[Conflict, ...]:
    """All sixty, in their order."""
    cases = json.loads(FILE.read_text("utf-8"))
    return tuple(Conflict(number, case) for number, case in enumerate(cases))


def stamp() -> str:
    """SHA-256 of what is planted, whatever the spacing of its file."""
    told = json.dumps(json.loads(FILE.read_text("utf-8")), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()
