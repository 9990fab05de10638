"""Reasoners that are models: one question a layer, side by side, answered in MiLDE's form.

A model that sees pictures is shown the document and the layer; one on this machine, which sees
none, decides by the description of the layers alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from overpaint.core import Desk
from overpaint.document import Document, Pixels
from overpaint.editors.agent.deciding import Decision, Scene, read_decision
from overpaint.errors import Unreadable
from overpaint.measures.rubric_text import Template, quoted, template
from overpaint.models import Model, model, used, words_of
from overpaint.models.desk import Terms
from overpaint.models.forecast import Ask
from overpaint.models.names import endpoint
from overpaint.vision.layers import Seen
from overpaint.work import Progress, Task, Threads, silent

CURRENT = "2026-11-16-decide.md"  # a changed prompt is a new file
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
            reply = self.model.ask(prompt(scene, layer, sees=self.sees), pictures)
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
    return ByModel(where.short, model(name, desk), bool(where.address), desk, terms.progress)


def asks(name: str, document: Document, instruction: str) -> Iterator[Ask]:
    """What deciding about a document asks of that model; layers are counted, not looked at."""
    where = endpoint(name)
    leaves = [layer for layer in document if layer.kind != "group" and layer.visible]
    told = words_of(instruction, None, 2) + len(_template_text()) + 200 * len(leaves)
    size = (document.size, document.size) if where.address else ()
    yield from (Ask(where, layer.id, told, size) for layer in leaves)


def prompt(scene: Scene, layer: Seen, *, sees: bool) -> str:
    """What is asked about a layer."""
    return _template().filled(
        {
            "instruction": quoted(scene.instruction),
            "layers": quoted("\n".join(map(told, scene.layers))),
            "layer": quoted(told(layer)),
            "pictures": _SHOWN if sees else _TOLD,
        }
    )


def told(layer: Seen) -> str:
    """A layer in one line of words."""
    says = f"; says “{' / '.join(layer.words.split(chr(10)))}”" if layer.words else ""
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
def _template() -> Template:
    return template(_template_text())


@cache
def _template_text() -> str:
    found = files("overpaint.editors.agent.prompts") / CURRENT
    return found.read_text(encoding="utf-8").replace("\r\n", "\n")
