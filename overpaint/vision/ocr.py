"""Reading: a picture in; lines with box, text and confidence out. Engines stand behind one name.

    small       PP-OCRv6 small, English and Chinese, comes with the installation
    tiny        PP-OCRv6 tiny, five times faster and nearly as good on clean pages
    tesseract   the program of that name, where it is installed

What was read is remembered under the picture's hash and the engine's version, which names the
library and the hash of every model, so that two engines' readings are never mixed.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Evidence, finding
from overpaint.document import Document
from overpaint.errors import UserMistake
from overpaint.vision.page import Box, Line

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
    if not pixels.size:
        return ()
    found = [
        Line(snap(pixels, line.box), line.text, line.confidence) for line in reader.read(pixels)
    ]
    return tuple(sorted(found, key=lambda line: (line.box[1] + line.box[3], line.box[0])))


def version(engine: str) -> str:
    """The engine's name, library and models in one short string."""
    return _engine(engine).version()


def lines(evidence: Evidence, document: Document, engine: str = "small") -> tuple[Line, ...]:
    """What `read` finds in a document, read once for all measures, editors and later runs."""
    kept = _kept_lines(evidence, document, engine, version(engine))
    return tuple(Line(tuple(box), text, confidence) for box, text, confidence in kept)


@finding(keep=True)
def _kept_lines(evidence: Evidence, document: Document, engine: str, version: str) -> list[Any]:
    return [[list(line.box), line.text, line.confidence] for line in read(document.rgb, engine)]


def _engine(name: str) -> Engine:
    if name not in ENGINES:
        raise UserMistake(
            f"There is no OCR engine called {name!r}.", f"Known: {', '.join(ENGINES)}."
        )
    return ENGINES[name]


# ── boxes tight around the ink ──────────────────────────────────────────────────────────

_FAR = 24  # a pixel this far from the background's colour is ink, however noisy the picture
_PLAIN = 0.6  # the share of a line's pixels that are background where the background is plain


def snap(pixels: Pixels, box: Box) -> Box:
    """The smallest box around the ink of a line, or the box itself where no ink stands out."""
    height, width = pixels.shape[:2]
    left, top = max(0, int(box[0]) - 2), max(0, int(box[1]) - 1)
    right, bottom = min(width, int(box[2]) + 3), min(height, int(box[3]) + 2)
    window = pixels[top:bottom, left:right].astype(np.int16)
    if min(window.shape[:2]) < 3:
        return box
    rim = np.concatenate([window[0], window[-1], window[:, 0], window[:, -1]])
    paper = np.median(rim, axis=0)
    away = np.abs(window - paper).max(axis=2)
    if not (away > _FAR).any() or (away > _FAR).mean() > 1 - _PLAIN:
        return box
    # On clean paper the faintest edge of a letter counts; on a photograph its noise must not.
    ink = away > min(_FAR, 2 + 3 * np.quantile(np.abs(rim - paper), 0.9))
    rows = _core(np.asarray(_without_rules(ink, axis=1).any(axis=1)))
    columns = np.flatnonzero(_without_rules(ink[rows[0] : rows[1]], axis=0).any(axis=0))
    if not len(columns):
        return box
    return (
        float(left + columns[0]),
        float(top + rows[0]),
        float(left + columns[-1] + 1),
        float(top + rows[1]),
    )


def _without_rules(ink: NDArray[np.bool_], *, axis: int) -> NDArray[np.bool_]:
    """The ink without rows (or columns) that are inked from end to end: rules and frames."""
    full = ink.mean(axis=axis, keepdims=True) > 0.95
    return np.asarray(ink & ~full)


def _core(inked: NDArray[np.bool_]) -> tuple[int, int]:
    """The rows of the line itself: without what the neighbours above and below push in."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], inked, [False]]).astype(np.int8)))
    runs = list(zip(edges[::2], edges[1::2], strict=True))
    if not runs:
        return 0, len(inked)
    tallest = max(b - a for a, b in runs)
    # A run at the rim that is thin beside the tallest belongs to a neighbour: a dot or an accent
    # stands inside the box, since detectors draw it with a margin.
    own = [r for r in runs if (r[0] > 1 and r[1] < len(inked) - 1) or r[1] - r[0] > tallest / 3]
    return int(own[0][0]), int(own[-1][1])
