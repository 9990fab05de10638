"""What the judge bench judges: drawn pages of 1024² and four editors' files, the same each time.

A page is a blurred ground with grain, blocks of colour and lines of text; its JPEG has about the
200 kB that the pictures of TextEditBench have. Three editors leave JPEGs, one a PNG of the page
without its grain. All are below the limit up to which files are sent as they are; what a larger
one costs is measured by itself (`grainy_png`).
"""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from overpaint.core import Card, Loaded, Request, Sample
from overpaint.document import Document

SIDE = 1024
SEED = 20261116
JPEG_EDITORS, PNG_EDITORS = ("quick", "careful", "bold"), ("flat",)
EDITORS = (*JPEG_EDITORS, *PNG_EDITORS)
WORDS = ("Friday", "Monday", "OPEN", "CLOSED", "Coffee 3.50", "Tea 2.80", "Platform 9", "Gate B12")
GROUNDS = 12
HERE = Path(__file__).resolve()
BENCHMARK = f"{HERE}:pages"


# ── pictures ────────────────────────────────────────────────────────────────────────────


@cache
def _grounds(grain: bool) -> list[Any]:
    """Soft clouds of colour, quantised so that a PNG of them stays small, or with grain."""
    rng = np.random.default_rng(SEED)
    small = rng.integers(60, 200, (GROUNDS, 6, 6, 3), np.uint8)
    soft = [cv2.resize(one, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC) for one in small]
    if not grain:
        return [one // 12 * 12 for one in soft]
    return [one + rng.integers(0, 20, one.shape, np.uint8) for one in soft]


def draw(number: int, words: str, *, grain: bool) -> Any:
    """The page of that number with these words on its third line."""
    rng = np.random.default_rng((SEED, number))
    shift = tuple(int(n) for n in rng.integers(0, SIDE, 2))
    page = np.roll(_grounds(grain)[number % GROUNDS], shift, (0, 1))
    for _ in range(6):
        x, y, w, h = (int(n) for n in rng.integers(40, SIDE // 2, 4))
        colour = tuple(int(n) for n in rng.integers(0, 255, 3))
        cv2.rectangle(page, (x, y), (x + w, y + h), colour, -1)
    for line in range(10):
        text = words if line == 2 else f"{WORDS[(number + line) % len(WORDS)]} {number:05}"
        at, ink = (60, 90 * (line + 1)), (20, 20, 20) if line % 2 else (250, 250, 250)
        cv2.putText(page, text, at, cv2.FONT_HERSHEY_DUPLEX, 1.6, ink, 3, cv2.LINE_AA)
    return page


def _write(path: Path, page: Any, quality: int | None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    how = [cv2.IMWRITE_JPEG_QUALITY, quality] if quality else [cv2.IMWRITE_PNG_COMPRESSION, 3]
    done, data = cv2.imencode(".jpg" if quality else ".png", page, how)
    assert done
    path.write_bytes(data.tobytes())


def grainy_png(number: int, folder: Path) -> Document:
    """A PNG that is too large to be sent as it is, as many editors leave them."""
    path = folder / f"{number:05}.png"
    _write(path, draw(number, WORDS[0], grain=True), None)
    return Document(path)


def _make(folder: Path, editors: tuple[str, ...], number: int) -> None:
    """All files of one sample: source, a truth for every other one, and what editors made."""
    name = f"{number:05}"
    asked = WORDS[(number + 3) % len(WORDS)]
    _write(folder / "source" / f"{name}.jpg", draw(number, WORDS[0], grain=True), 90)
    if number % 2 == 0:
        _write(folder / "truth" / f"{name}.jpg", draw(number, asked, grain=True), 90)
    for n, editor in enumerate(editors):
        said = asked if n % 2 else f"{asked}{n}"
        jpeg = editor in JPEG_EDITORS
        path = folder / editor / "page" / f"{name}.{'jpg' if jpeg else 'png'}"
        _write(path, draw(number, f"{said} ", grain=jpeg), (88 + n) if jpeg else None)


def make(folder: Path, samples: int, editors: tuple[str, ...] = EDITORS) -> list[str]:
    """Draw that many samples into the folder; gives the editors as a run wants them named."""
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(partial(_make, folder, editors), range(samples), chunksize=8))
    return [f"{editor}=outputs:{folder / editor}" for editor in editors]


# ── the benchmark ───────────────────────────────────────────────────────────────────────

CARD = Card("pages", "drawn", "source", "all", "none", "none", "mean", "count", ())


@dataclass(frozen=True)
class Pages:
    """The drawn pages; the table has no measures but the judges that are asked for."""

    measures: tuple[str, ...] = ()
    breakdowns: tuple[str, ...] = ()
    card: Card = CARD

    def load(self, data: Path | None) -> Loaded:
        """A sample for each source in the folder."""
        assert data is not None
        return Loaded(tuple(self._sample(path) for path in sorted(data.glob("source/*.jpg"))))

    def _sample(self, path: Path) -> Sample:
        number, truth = int(path.stem), path.parents[1] / "truth" / path.name
        asked = WORDS[(number + 3) % len(WORDS)]
        words = f'On page {number} change the third line from "{WORDS[0]}" to "{asked}".'
        knows = f"Page {number} is listed elsewhere on the sheet, and the list has to follow."
        return Sample(
            f"page/{path.stem}",
            Request(Document(path), words, names=(f"page/{path.stem}",)),
            target=Document(truth) if truth.exists() else None,
            tags={"operation": "change"},
            facts={"knowledge_prompt": knows},
            cluster=path.stem,
        )


pages = Pages()
