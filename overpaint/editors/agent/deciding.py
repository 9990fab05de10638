"""What a reasoner is shown and what it decides: one decision a layer, in MiLDE's form."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from overpaint.document import Document
from overpaint.errors import Unreadable
from overpaint.vision.layers import Seen

EDIT, KEEP = "Need Edit", "Don't Edit"
LONGEST = 100_000  # characters of a reply that are looked at
_APOSTROPHES = str.maketrans("’‘ʼ＇`", "'''''")
_TAG = re.compile(r"</?(think|decision|prompt)>")


@dataclass(frozen=True)
class Scene:
    """The document, what is asked of it, and its layers as they are told, bottom first."""

    document: Document
    instruction: str
    layers: tuple[Seen, ...]

    def layer(self, name: str) -> Seen:
        """The layer with that id."""
        return next(layer for layer in self.layers if layer.id == name)


@dataclass(frozen=True)
class Decision:
    """Whether a layer is edited, and how. `edit` is None where a reply could not be read."""

    layer: str
    edit: bool | None
    prompt: str = ""  # what to do to this layer, in one or a few sentences
    why: str = ""  # what the reasoner thought, or why it could not be read


class Reasoner(Protocol):
    """Whoever decides, layer by layer, what must change."""

    @property
    def name(self) -> str:
        """As the report calls it."""
        ...

    def decide(self, scene: Scene) -> Sequence[Decision]:
        """One decision for each layer of the scene, in its order."""
        ...


def read_decision(layer: str, reply: str) -> Decision:
    """The decision in `<think>…</think><decision>…</decision><prompt>…</prompt>`, read strictly.

    Each part stands once, in this order, with nothing but space around it; a prompt is there if
    and only if the layer is edited. Anything else is `Unreadable`.
    """
    form = read_form(reply)
    if form.edit and not form.prompt:
        raise Unreadable("The layer is to be edited, but the reply does not say how.",
                         "A <prompt> was expected.")  # fmt: skip
    if form.prompt is not None and not form.edit:
        raise Unreadable("The layer is to be kept, and yet the reply says how to edit it.",
                         "No <prompt> was expected.")  # fmt: skip
    return Decision(layer, form.edit, form.prompt or "", form.why)


@dataclass(frozen=True)
class Form:
    """What stands between the tags of a reply, whether or not it fits together."""

    edit: bool
    prompt: str | None  # None where there is no <prompt>
    why: str


def read_form(reply: str) -> Form:
    """The parts of a reply; `Unreadable` where the tags or the words of the decision are wrong."""
    parts = _parts(reply)
    said = " ".join(parts["decision"].translate(_APOSTROPHES).split()).casefold()
    if said not in (EDIT.casefold(), KEEP.casefold()):
        raise Unreadable(
            f"The decision reads “{said[:60]}”.", f"“{EDIT}” or “{KEEP}” was expected."
        )
    prompt = parts["prompt"].strip() if "prompt" in parts else None
    return Form(said == EDIT.casefold(), prompt, parts["think"].strip())


def _parts(reply: str) -> dict[str, str]:
    """What stands between the tags; `Unreadable` where they are not exactly those of the form."""
    reply = reply[:LONGEST]
    tags = list(_TAG.finditer(reply))
    found = [tag[0] for tag in tags]
    names = ["think", "decision", "prompt"][: len(found) // 2]
    if len(names) < 2 or found != [tag for name in names for tag in (f"<{name}>", f"</{name}>")]:
        raise Unreadable(
            f"The reply has the tags {' '.join(found[:8]) or 'none'}.",
            "<think>…</think><decision>…</decision>, and <prompt>…</prompt> where the layer is"
            " edited, were expected.",
        )
    ends = [0, *(tag.end() for tag in tags[1::2])]
    starts = [*(tag.start() for tag in tags[::2]), len(reply)]
    if any(reply[end:start].strip() for end, start in zip(ends, starts, strict=True)):
        raise Unreadable("The reply says something outside its tags.", "Only the form is read.")
    pairs = zip(names, tags[::2], tags[1::2], strict=True)
    return {name: reply[first.end() : last.start()] for name, first, last in pairs}


def written(decision: Decision) -> str:
    """The decision in the form that `read_decision` reads."""
    told = f"<think>{decision.why}</think><decision>{EDIT if decision.edit else KEEP}</decision>"
    return f"{told}<prompt>{decision.prompt}</prompt>" if decision.edit else told
