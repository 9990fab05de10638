"""A toy benchmark and misbehaving editors and measures, named as FILE.py:NAME in tests."""

import os
import signal
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from overpaint.core import Card, Loaded, Measure, Request, Sample, each
from overpaint.document import Document
from overpaint.errors import Refused, Unreachable

CARD = Card(
    "toy", "made in tests", "target", "outside the mask", "Lanczos", "SIFT", "mean", "counted", ()
)  # fmt: skip


@dataclass(frozen=True)
class Toy:
    """Whatever sample folders stand in the data folder."""

    measures: tuple[str, ...] = ("mse", "psnr", "ssim")
    breakdowns: tuple[str, ...] = ("operation",)
    card: Card = CARD

    def load(self, data: Path | None) -> Loaded:
        assert data is not None
        return Loaded(tuple(self._sample(path) for path in sorted(data.glob("*/*"))))

    def _sample(self, path: Path) -> Sample:
        name = f"{path.parent.name}/{path.name}"
        target = path / "target.png"
        return Sample(
            name,
            Request(Document(path / "source.png"), 'Change "A" to "B".', names=(name,)),
            target=Document(target) if target.exists() else None,
            masks=(Document(path / "mask.png"),),
            tags={"operation": "change"},
            cluster=name,
        )


class Muddled(Toy):
    """Every sample has the same id."""

    def load(self, data: Path | None) -> Loaded:
        samples = super().load(data).samples
        return Loaded(tuple(replace(sample, id="same") for sample in samples))


@dataclass(frozen=True)
class Floored(Toy):
    """A benchmark with a floor of its own."""

    floors: tuple[str, ...] = (f"dark={__file__}:Dark",)


toy, muddled, floored = Toy(), Muddled(), Floored()


class Dark:
    """A black page."""

    def __call__(self, request: Request) -> Document:
        return Document.of(np.zeros_like(request.source.rgb))


class Light:
    """A white page."""

    def __call__(self, request: Request) -> Document:
        return Document.of(np.full_like(request.source.rgb, 255))


@dataclass(frozen=True)
class Moody:
    """Fails in another way for each sample: crash, hang, memory, refusal, exception, garbage."""

    def __call__(self, request: Request) -> Document:
        match request.names[0].split("/")[1]:
            case "001":
                os.kill(os.getpid(), signal.SIGKILL)
            case "002":
                time.sleep(600)
            case "003":
                raise Refused("I would rather not.")
            case "004":
                raise RuntimeError("a bug of mine")
            case "005":
                raise Unreachable("nobody home")
            case "006":
                broken = request.source.path.parent / "broken.png"
                broken.write_bytes(b"\x89PNG\r\n\x1a\n and then nothing")
                return Document(broken)
            case "007":
                hog = np.ones(2**27)  # 1 GB, touched
                time.sleep(600 + hog[0])
        return request.source


def _crash(edit: object, evidence: object) -> float:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0.0


def _buggy(edit: object, evidence: object) -> float:
    return 1 / 0


def _nan(edit: object, evidence: object) -> float:
    return float("nan")


def _declare(name: str, function: object) -> Measure:
    return Measure(name, each(name, function), True, 0.0, 1.0)


crashing = _declare("crashing", _crash)
buggy = _declare("buggy", _buggy)
nan = _declare("nan", _nan)
stricter = Toy(card=replace(CARD, region="everywhere"))


made_nothing = Measure(
    "made_nothing", each("made_nothing", lambda edit, evidence: float(edit.output is None)),
    higher_is_better=False, worst=1.0, best=0.0, asks_all=True,
)  # fmt: skip
