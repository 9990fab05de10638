"""Reasoners that are models: one question a layer, side by side, answered in MiLDE's form.

A model that sees pictures is shown the document and the layer; one on this machine, which sees
none, decides by the description of the layers alone. A model that was trained for it
(`overpaint train reasoner`) is asked in the very words it was trained with.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from overpaint.core import Desk
from overpaint.document import Document, Pixels
from overpaint.editors.agent.briefs import brief, one_line, title_told
from overpaint.editors.agent.deciding import Decision, Scene, read_decision
from overpaint.errors import DataError, Unreadable
from overpaint.measures.rubric_text import Template, quoted, template
from overpaint.models import Model, model, used, words_of
from overpaint.models.desk import Terms
from overpaint.models.forecast import Ask
from overpaint.models.names import Endpoint, endpoint
from overpaint.models.trained_card import trained_card
from overpaint.vision.layers import Seen
from overpaint.work import Progress, Task, Threads, silent

CURRENT = "2026-11-16-decide.md"  # a changed prompt is a new file
SHORT = "2026-11-18-decide-short.md"  # for small models, which read slowly
AT_ONCE = 8  # layers of one document asked about side by side
GREY = 128  # what a layer is shown on by itself
_SHOWN = "You see two pictures: the whole document, and this layer by itself on grey."
_TOLD = "You see no pictures; the descriptions are all there is."


@dataclass(frozen=True)
class ByModel:
    """Asks a model about each layer."""

    name: str
    model: Model
    sees: bool = True  # whether it is shown pictures
    desk: Desk | None = None  # where a reply that cannot be read is noted
    progress: Progress = silent
    form: str = CURRENT  # the file with the words of the question

    def decide(self, scene: Scene) -> Sequence[Decision]:
        """One decision for each layer; one that cannot be read is neither edit nor keep."""
        work = Threads(lambda _, layer: self._asked(scene, layer), AT_ONCE)
        tasks = (Task(number, (layer,)) for number, layer in enumerate(scene.layers))
        found: dict[int, Decision] = {}
        self.progress("layers", 0, len(scene.layers))
        for outcome in work.perform(tasks):
            if outcome.error is not None:
                raise outcome.error
            found[outcome.subject] = outcome.result
            self.progress("layers", len(found), len(scene.layers))
        return [found[number] for number in sorted(found)]

    def _asked(self, scene: Scene, layer: Seen) -> Decision:
        pictures = (scene.document, alone(scene.document, layer)) if self.sees else ()
        try:
            asked = prompt(scene, layer, sees=self.sees, form=self.form)
            reply = self.model.ask(asked, pictures)
            if self.desk is None:
                return read_decision(layer.id, reply.text)
            with used(reply, self.desk):
                return read_decision(layer.id, reply.text)
        except Unreadable as error:
            return Decision(layer.id, None, why=str(error))


def by_model(name: str, desk: Desk) -> ByModel:
    """The reasoner that the model of that name is."""
    where = endpoint(name)
    terms = getattr(desk, "terms", Terms())  # a desk of somebody's own may have none
    sees, form = _asked_how(where)
    return ByModel(where.short, model(name, desk), sees, desk, terms.progress, form)


def asks(name: str, document: Document, instruction: str) -> Iterator[Ask]:
    """What deciding about a document asks of that model; layers are counted, not looked at."""
    where = endpoint(name)
    sees, form = _asked_how(where)
    leaves = [layer for layer in document if layer.kind != "group" and layer.visible]
    told = words_of(instruction, None, 2) + len(prompt_text(form)) + 200 * len(leaves)
    size = (document.size, document.size) if sees else ()
    yield from (Ask(where, layer.id, told, size) for layer in leaves)


def _asked_how(where: Endpoint) -> tuple[bool, str]:
    """Whether it is shown pictures, and the file with the words of the question."""
    card = trained_card(where)
    return (card.sees, card.prompt) if card else (bool(where.address), CURRENT)


def prompt(scene: Scene, layer: Seen, *, sees: bool, form: str = CURRENT) -> str:
    """What is asked about a layer."""
    return question(scene.instruction, scene.layers, layer, sees=sees, form=form)


def question(
    instruction: str, layers: Sequence[Seen], layer: Seen, *, sees: bool, form: str = CURRENT
) -> str:
    """The words of that file, filled with what is asked for and what is known of the layers."""
    return _template(form).filled(
        {
            "instruction": quoted(instruction),
            "layers": quoted("\n".join(map(told, layers))),
            "layer": quoted(told(layer)),
            "pictures": _SHOWN if sees else _TOLD,
            "largest": quoted(title_told(layer, layers)),
            "brief": quoted(brief(layer, layers, instruction)),
        }
    )


def told(layer: Seen) -> str:
    """A layer in one line of words."""
    says = f"; says “{one_line(layer.words)}”" if layer.words else ""
    colours = f"; {', '.join(layer.colours)}" if layer.colours else ""
    return (
        f"{layer.id}: {layer.kind} layer “{layer.name}”, {layer.place},"
        f" covers {layer.covers:.0%}{colours}{says}"
    )


def alone(document: Document, seen: Seen) -> Document:
    """One layer by itself on its canvas, over grey."""
    layer = next(layer for layer in document if layer.id == seen.id)
    return Document.of(_on_grey(document.having(layer).rgba))


def _on_grey(pixels: Pixels) -> Pixels:
    alpha = pixels[:, :, 3:].astype(np.uint16)
    mixed = pixels[:, :, :3] * alpha + GREY * (255 - alpha) + 127
    return (mixed // 255).astype(np.uint8)


@cache
def _template(form: str) -> Template:
    return template(prompt_text(form))


@cache
def prompt_text(form: str = CURRENT) -> str:
    """What stands in the file of that name."""
    found = files("overpaint.editors.agent.prompts") / form
    if not found.is_file():
        raise DataError(
            f"There is no prompt {form!r} in this version of Overpaint.",
            "A trained reasoner is asked in the words it was trained with.",
            "Use the version it was trained with, or train it again.",
        )
    return found.read_text(encoding="utf-8").replace("\r\n", "\n")
