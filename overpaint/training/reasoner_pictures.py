"""What a reasoner that sees is shown in training: the document, and one layer by itself."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from overpaint.document import Document
from overpaint.editors.agent.reasoners import alone
from overpaint.models.trained import shrunk
from overpaint.training.reasoner_data import Row


def shown(row: Row, pixels: int) -> list[Any]:
    """Both pictures, as the agent shows them, their longer side at most so long."""
    document = _opened(row.case.opened)
    return [_picture(document, pixels), _picture(alone(document, row.layer), pixels)]


def _picture(document: Document, pixels: int) -> Any:
    from PIL import Image

    return shrunk(Image.fromarray(document.rgb), pixels)


@lru_cache(maxsize=8)
def _opened(opened: Callable[[], Document]) -> Document:
    """A document, opened once for its layers, which are asked about one after the other."""
    return opened()
