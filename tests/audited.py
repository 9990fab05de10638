"""Samples to be audited on, and measures that are sound, deaf, broken or upside down."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from conftest import picture, write

from overpaint.core import Card, Edit, Evidence, Found, Loaded, Measure, Request, Sample, each
from overpaint.document import Document
from overpaint.errors import Refused, Undecided

HERE = str(Path(__file__))
CARD = Card("words", "made in tests", "truth", "", "", "", "mean", "counted", ())
WORDS = ("LEMON", "PEARS", "GRAPE", "MELON", "PLUMS", "OLIVE")


def draw(folder: Path, count: int = 4) -> Path:
    """Pictures with a word; the truth has another word in its place, which is the mask."""
    for n in range(count):
        for name, word in (("source", WORDS[n % 6]), ("target", WORDS[(n + 1) % 6])):
            write(folder / f"{n:03}" / f"{name}.png", _page(n, word))
        mask = np.zeros((160, 200, 3), np.uint8)
        mask[110:150, 4:124] = 255
        write(folder / f"{n:03}" / "mask.png", mask)
    return folder


def _page(seed: int, word: str) -> np.ndarray:
    page = np.full((160, 200, 3), 235, np.uint8)
    page[:100] = picture(seed, 100, 200)
    return cv2.putText(page, word, (8, 140), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (20, 20, 60), 2)


@dataclass(frozen=True)
class Words:
    """The pictures that `draw` wrote."""

    card: Card = CARD
    measures: tuple[str, ...] = ("mse",)
    breakdowns: tuple[str, ...] = ()
    rubrics: tuple[str, ...] = ()

    def load(self, data: Path | None) -> Loaded:
        assert data is not None
        return Loaded(tuple(self._sample(path) for path in sorted(data.iterdir())))

    def _sample(self, path: Path) -> Sample:
        source, target, mask = (_document(path, n) for n in ("source", "target", "mask"))
        words = f"Write the fruit number {path.name}."
        request = Request(source, words, names=(path.name,))
        return Sample(path.name, request, target, (mask,), cluster=path.name)


def _document(path: Path, name: str) -> Document:
    return Document(path / f"{name}.png")


words = Words()


# ── measures ────────────────────────────────────────────────────────────────────────────────


def _whole(edit: Edit, evidence: Evidence) -> float:
    """The mean absolute difference from the truth, over everything, with no alignment."""
    assert edit.output is not None
    truth, output = edit.sample.reference.rgb, edit.output.rgb
    if output.shape != truth.shape:
        output = cv2.resize(output, truth.shape[1::-1])
    return float(np.abs(output.astype(float) - truth).mean())


def _lookup(edit: Edit, evidence: Evidence) -> Found:
    """Does it as `_whole` says, and gives a reason, as judges do."""
    apart = _whole(edit, evidence)
    return Found(max(1.0, 5.0 - apart), (f"<b>It is {apart:.0f} apart.</b>",))


def _fussy(edit: Edit, evidence: Evidence) -> float:
    assert edit.output is not None
    if np.ptp(edit.output.rgb, axis=(0, 1)).max() == 0:
        raise Refused("I do not look at blank pages.")
    if edit.output.rgb.shape != edit.sample.reference.rgb.shape:
        raise Undecided("The sizes differ.")
    return _whole(edit, evidence)


def _reader(edit: Edit, evidence: Evidence) -> float:
    """Only the instruction counts: the number in it should be the truth's."""
    return float(edit.sample.request.instruction.endswith(f"{edit.sample.tags['base']}."))


def _broken(edit: Edit, evidence: Evidence) -> float:
    raise RuntimeError("a bug of mine")


def _made(name: str, function: object, higher: bool = False, best: float = 0.0) -> Measure:
    ends = (None, best) if not higher else (0.0, None)
    return Measure(name, each(name, function), higher, *ends, about=f"made in tests: {name}")


whole = _made("whole", _whole)
inverted = _made("inverted", _whole, higher=True)
constant = _made("constant", lambda edit, evidence: 3.0)
broken = _made("broken", _broken)
fussy = _made("fussy", _fussy)
reader = Measure("reader", each("reader", _reader), True, 0.0, 1.0)
lookup = Measure(
    "lookup", each("lookup", _lookup), True, 1.0, 5.0, about="<script>alert(1)</script>"
)
