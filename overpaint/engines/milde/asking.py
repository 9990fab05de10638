"""Asking: every question that building puts to a model, in the words of a rubric, read strictly."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, TypeVar

from overpaint.core import Desk
from overpaint.document import Document
from overpaint.document.boxes import Box
from overpaint.errors import Unreadable
from overpaint.measures import rubric
from overpaint.models import Model, used
from overpaint.vision.layers import Seen
from overpaint.vision.lettered import grounds, laid
from overpaint.vision.sheets import leaves

_WORDS = 240  # letters of a layer's words that are told
_LAYERS = 60  # that are told of a document
REPEATS = 2  # times a question is put whose answer cannot be read

Value = TypeVar("Value")


@dataclass(frozen=True)
class Asker:
    """A model, and the desk it is asked at where it has one."""

    model: Model
    desk: Desk | None = None

    def answer(
        self, name: str, pictures: Sequence[Document], slots: Mapping[str, str], *, turn: int = 0
    ) -> Mapping[str, Any]:
        """The values of a reply that is no score; or `Unreadable`."""
        loaded = rubric.load(name)
        return self._read(loaded, lambda text: loaded.answer(text).values, pictures, slots, turn)

    def scores(
        self, name: str, pictures: Sequence[Document], slots: Mapping[str, str], *, turn: int = 0
    ) -> dict[str, float]:
        """The score of every dimension; or `Unreadable`."""
        loaded = rubric.load(name)
        said = self._read(loaded, loaded.read, pictures, slots, turn)
        return {dimension: verdict.value for dimension, verdict in said.items()}

    def _read(
        self, loaded: rubric.Rubric, read: Callable[[str], Value], pictures: Sequence[Document],
        slots: Mapping[str, str], turn: int,
    ) -> Value:  # fmt: skip
        prompt = loaded.prompt(slots, truth=False)
        reply = self.model.ask(prompt, pictures, loaded.schema, turn=turn)
        with used(reply, self.desk) if self.desk is not None else nullcontext():
            return read(reply.text)


def persistently(ask: Callable[[int], Value]) -> Value:
    """What is answered to a question that is put again if the answer cannot be read."""
    for turn in range(REPEATS - 1):
        try:
            return ask(turn)
        except Unreadable:
            continue
    return ask(REPEATS - 1)


# ── what is shown and told ──────────────────────────────────────────────────────────────


def shown(document: Document) -> dict[str, Document]:
    """Each layer that shows, by itself, on a ground that it stands out from."""
    return {
        leaf.layer.id: Document.of(laid(leaf.pixels, grounds(leaf.pixels)[0]))
        for leaf in leaves(document)
    }


def told(layer: Seen, size: tuple[int, int]) -> str:
    """What is known about a layer, on one line."""
    words = " ".join(layer.words.split())
    words = words if len(words) <= _WORDS else f"{words[: _WORDS - 1]}…"
    parts = [f"{layer.kind}, {layer.place}, {_share(layer.box, size)} of the page"]
    parts += [f"says “{words}”"] if words else []
    parts += [f"colours {', '.join(layer.colours)}"] if layer.colours else []
    return "; ".join(parts)


def listed(layers: Sequence[Seen], size: tuple[int, int]) -> str:
    """The layers of a document, bottom first, a line each."""
    lines = [f"- {told(layer, size)}" for layer in layers[:_LAYERS]]
    more = len(layers) - len(lines)
    return "\n".join([*lines, f"- and {more} more above them"] if more > 0 else lines)


def _share(box: Box, size: tuple[int, int]) -> str:
    left, top, right, bottom = box
    return f"{100 * (right - left) * (bottom - top) / (size[0] * size[1]):.0f} %"
