"""A vision model as an OCR engine: it is shown the page and asked for its lines with their boxes.

What it is asked stands with the other rubrics, in a room below this one, and is handed in. Boxes
come in thousandths of the picture's sides, so that it does not matter how large it was sent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from overpaint.core import Desk
from overpaint.document import Document
from overpaint.errors import Unreadable, UserMistake
from overpaint.models import model, used
from overpaint.models.names import endpoint
from overpaint.models.replies import parse
from overpaint.vision.page import Box, Line

LONGEST = 8192  # tokens of an answer: a dense page has some 6,000 with its boxes
WHOLE = 1000  # what boxes are counted in: thousandths
UNTOLD = 0.0  # a model does not say how sure it is of a line, so nobody may take it for sure


@dataclass(frozen=True)
class Reader:
    """A model that reads pages, and what it is asked."""

    model: str
    wording: str  # the version of what it is asked
    prompt: str = field(repr=False)
    schema: Mapping[str, Any] = field(repr=False, hash=False)  # lines, each with text and box

    @property
    def version(self) -> str:
        """Whatever would change a reading if it changed, as far as it can be known."""
        return f"{endpoint(self.model).name}/{self.wording}"

    def read(self, document: Document, desk: Desk | None) -> tuple[Line, ...]:
        """The lines it sees, boxes in pixels as it drew them."""
        if desk is None:
            raise UserMistake(
                f"{self.model} was to read a page outside of a run.", "It needs Evidence(desk=…)."
            )
        asked = model(self.model, desk, longest=LONGEST)
        reply = asked.ask(self.prompt, (document,), self.schema)
        with used(reply, desk):
            listed = parse(reply.text, self.schema).values["lines"]
            return tuple(_lines(listed, document.size))


def _lines(listed: Sequence[Mapping[str, Any]], size: tuple[int, int]) -> list[Line]:
    return [Line(_box(line["box"], place, size), line["text"], UNTOLD)
            for place, line in enumerate(listed)]  # fmt: skip


def _box(told: Sequence[int], place: int, size: tuple[int, int]) -> Box:
    """A box in pixels, at least one wide and high, inside the picture."""
    left, top, right, bottom = told
    if right < left or bottom < top:
        raise Unreadable(
            f"The reply's lines[{place}].box is {list(told)}.",
            "Expected were left, top, right and bottom, from the top left corner.",
        )
    across = _edges(left, right, size[0])
    down = _edges(top, bottom, size[1])
    return across[0], down[0], across[1], down[1]


def _edges(low: int, high: int, side: int) -> tuple[float, float]:
    """Two edges in pixels of a side, at least one apart."""
    start = min(low * side / WHOLE, side - 1.0)
    return start, min(float(side), max(high * side / WHOLE, start + 1))
