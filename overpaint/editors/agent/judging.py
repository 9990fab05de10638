"""A model that looks at the merged result, beside what the agent's own checks can see."""

from collections.abc import Callable, Sequence

from overpaint.core import Desk, Request
from overpaint.document import Document
from overpaint.editors.agent.deciding import Scene
from overpaint.editors.agent.reasoners import told
from overpaint.measures import rubric
from overpaint.models import model, used, words_of
from overpaint.models.forecast import Ask
from overpaint.models.names import endpoint

RUBRIC = "milde_check"

# (layer's id, or "" of the whole; what is wrong) for each thing that it finds
Judge = Callable[[Scene, Document], Sequence[tuple[str, str]]]


def judge(name: str, desk: Desk) -> Judge:
    """The judge that the model of that name is."""
    asked, looks = model(name, desk), rubric.load(RUBRIC)

    def look(scene: Scene, document: Document) -> Sequence[tuple[str, str]]:
        slots = {"instruction": scene.instruction, "layers": "\n".join(map(told, scene.layers))}
        pictures = (scene.document, document)
        reply = asked.ask(looks.prompt(slots, truth=False), pictures, looks.schema)
        with used(reply, desk):
            found = looks.answer(reply.text).values["faults"]
        known = {layer.id for layer in scene.layers}
        return [(one["layer"] if one["layer"] in known else "", one["wrong"]) for one in found]

    return look


def ask(name: str, request: Request) -> Ask:
    """What one look asks of that model."""
    looks, size = rubric.load(RUBRIC), request.source.size
    told_of = looks.prompt({"instruction": request.instruction, "layers": "-"}, truth=False)
    layers = 200 * sum(1 for _ in request.source)
    return Ask(endpoint(name), RUBRIC, words_of(told_of, looks.schema, 2) + layers, (size, size))
