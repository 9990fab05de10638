"""What a build may ask of its model, before it asks: how many questions, pictures, dollars."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from overpaint.document import files
from overpaint.engines.milde.classes import MODEL
from overpaint.engines.milde.records import Settings
from overpaint.engines.milde.sources import check_layered
from overpaint.errors import OverpaintError
from overpaint.measures import rubric
from overpaint.models import words_of
from overpaint.models.forecast import Ask
from overpaint.models.names import Endpoint
from overpaint.vision.sheets import leaves

STEPS = 8  # of a request, at most: the rubric's
_LINE = 120  # letters in which a layer is told, about


@dataclass(frozen=True)
class Shape:
    """As much of a document as its questions depend on."""

    layers: int
    size: tuple[int, int]


def shapes(paths: Iterable[Path], pages: int) -> Iterator[Shape | OverpaintError]:
    """The documents of some files, or what keeps one from being read; nothing is kept."""
    for path in paths:
        try:
            for page in range(1, min(files.pages(path), pages) + 1):
                document = files.read(path, page)
                layers = sum(1 for _ in leaves(document))
                check_layered(path, layers)
                yield Shape(layers, document.size)
        except OverpaintError as error:
            yield error


def asks(
    found: Sequence[Shape], settings: Settings, endpoint: Endpoint, *, done: bool = False
) -> list[Ask]:
    """The most that may be asked about documents of these shapes, replies being readable.

    `done` leaves out what is asked before people have a say.
    """
    asked: list[Ask] = []
    streams = settings.tries * settings.personas, settings.tries * settings.near
    for one in found:
        counts = {
            "milde_steps": settings.per_document,
            "milde_applies": settings.per_document * STEPS * one.layers,
            "milde_questions": settings.per_document * one.layers,
        }
        if not done:
            counts |= {"milde_persona": streams[0], "milde_transfer": streams[1],
                       "milde_rank": sum(streams)}  # fmt: skip
            if settings.classes == MODEL:
                counts["milde_class"] = one.layers
        for name, count in counts.items():
            asked += [_ask(name, one, endpoint)] * count
    return asked


def _ask(name: str, shape: Shape, endpoint: Endpoint) -> Ask:
    loaded = rubric.load(name)
    slots = {slot.name: slot.name for slot in loaded.slots}
    prompt = loaded.prompt(slots, truth=False)
    more = _LINE * (shape.layers if "layers" in slots else 1) + _LINE * len(slots)
    pictures = (shape.size,) * len(loaded.pictures)
    words = words_of(prompt, loaded.schema, len(pictures)) + more
    return Ask(endpoint, name, words, pictures)
