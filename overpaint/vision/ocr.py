"""Reading: a picture in; lines with box, text and confidence out. Engines stand behind one name.

    small       PP-OCRv6 small, English and Chinese, comes with the installation
    tiny        PP-OCRv6 tiny, three times faster and nearly as good on clean pages
    tesseract   the program of that name, where it is installed
    a Reader    a model that is shown the page and asked for its lines (`engines_model.py`)

What was read is remembered under the picture's hash and the engine's version, which names the
library and the hash of every model, so that two engines' readings are never mixed.
"""

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Evidence, finding
from overpaint.document import Document
from overpaint.errors import UserMistake
from overpaint.vision.engines_model import Reader
from overpaint.vision.ink import snap
from overpaint.vision.joining import tidy
from overpaint.vision.page import Line

Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class Engine:
    """One way of reading: where its functions are, and the name they know it by."""

    module: str
    name: str

    def read(self, pixels: Pixels) -> tuple[Line, ...]:
        """The lines of a picture, boxes as the engine drew them."""
        found: Callable[..., tuple[Line, ...]] = self._functions.read
        return found(pixels, self.name)

    def version(self) -> str:
        """Whatever would change a reading if it changed."""
        told: Callable[[str], str] = self._functions.version
        return told(self.name)

    @property
    def _functions(self) -> Any:
        return importlib.import_module(self.module)


ENGINES: Mapping[str, Engine] = {
    "small": Engine("overpaint.vision.engines_paddle", "small"),
    "tiny": Engine("overpaint.vision.engines_paddle", "tiny"),
    "tesseract": Engine("overpaint.vision.engines_tesseract", "tesseract"),
}


def read(pixels: Pixels, engine: str = "small") -> tuple[Line, ...]:
    """The lines of text in H×W×3 RGB pixels, from the top, their boxes tight around the ink."""
    reader = _engine(engine)
    if getattr(pixels, "dtype", None) != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3:
        given = f"{getattr(pixels, 'dtype', type(pixels).__name__)} {getattr(pixels, 'shape', '')}"
        raise UserMistake(
            f"A picture to read was given as {given}.",
            "H×W×3 uint8 RGB was expected.",
            'np.asarray(Image.open(path).convert("RGB")) makes one.',
        )
    return _tight(pixels, reader.read(pixels)) if pixels.size else ()


def _tight(pixels: Pixels, lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines from the top, their boxes tight around the ink."""
    found = [
        Line(snap(pixels, line.box), text, line.confidence)
        for line in lines
        if (text := tidy(line.text))
    ]
    return tuple(sorted(found, key=lambda line: (line.box[1] + line.box[3], line.box[0])))


def version(engine: str | Reader) -> str:
    """The engine's name, library and models in one short string."""
    return engine.version if isinstance(engine, Reader) else _engine(engine).version()


def lines(
    evidence: Evidence, document: Document, engine: str | Reader = "small"
) -> tuple[Line, ...]:
    """What `read` finds in a document, read once for all measures, editors and later runs.

    A model is asked at the desk of the evidence.
    """
    kept = _kept_lines(evidence, document, engine, version(engine))
    return tuple(Line(tuple(box), text, confidence) for box, text, confidence in kept)


@finding(keep=True)
def _kept_lines(
    evidence: Evidence, document: Document, engine: str | Reader, version: str
) -> list[Any]:
    if isinstance(engine, Reader):
        found = _tight(document.rgb, engine.read(document, evidence.desk))
    else:
        found = read(document.rgb, engine)
    return [[list(line.box), line.text, line.confidence] for line in found]


def _engine(name: str) -> Engine:
    if name not in ENGINES:
        raise UserMistake(
            f"There is no OCR engine called {name!r}.",
            f"Known: {', '.join(ENGINES)}.",
            "A model reads for a measure: reading:cdm_local:MODEL." if "/" in name else "",
        )
    return ENGINES[name]
