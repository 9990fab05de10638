"""What chaos is let loose on: small samples, editors and measures, named as FILE.py:NAME.

With CHAOS_MOOD=bad in the environment some of them fail by accident, as machines do.
"""

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))  # workers import this file by itself

import toy

from overpaint.core import Edit, Evidence, Loaded, Measure, Request, Sample, each, finding, together
from overpaint.document import Document

HERE = str(Path(__file__).resolve())
MOOD = "CHAOS_MOOD"
RUBRICS = ("textedit_if", "textedit_ta")
MEASURES = ("mse", "psnr", "ssim", f"{HERE}:slow", f"{HERE}:spread")
EDITORS = tuple(f"{name.lower()}={HERE}:{name}" for name in ("Red", "Green", "Blue"))


@dataclass(frozen=True)
class Scene(toy.Toy):
    """The toy's samples, each with words of its own, so that no two questions are one."""

    rubrics: tuple[str, ...] = RUBRICS
    measures: tuple[str, ...] = ()

    def load(self, data: Path | None) -> Loaded:
        return Loaded(tuple(map(_worded, super().load(data).samples)))


def _worded(sample: Sample) -> Sample:
    words = f'Change "A" to "B" on page {sample.id}.'
    part = "even" if int(sample.id[-3:]) % 2 == 0 else "odd"
    return replace(
        sample, request=replace(sample.request, instruction=words), tags={"operation": part}
    )


@dataclass(frozen=True)
class Tint:
    """Fills a corner with a colour that depends on the sample; takes a moment for it."""

    channel: int = 0
    seconds: float = 0.01

    def __call__(self, request: Request) -> Document:
        time.sleep(self.seconds)
        pixels = request.source.rgb.copy()
        pixels[10:30, 10:40] = 0
        pixels[10:30, 10:40, self.channel] = 40 + int(request.names[0][-3:]) % 200
        return Document.of(pixels)


class Red(Tint):
    """Its corner is red."""


@dataclass(frozen=True)
class Green(Tint):
    """Its corner is green."""

    channel: int = 1


@dataclass(frozen=True)
class Blue(Tint):
    """Its corner is blue; in a bad mood it fails two times out of three."""

    channel: int = 2

    def __call__(self, request: Request) -> Document:
        if os.environ.get(MOOD) == "bad" and int(request.names[0][-3:]) % 3:
            raise RuntimeError("not today")
        return super().__call__(request)


def _slow(edit: Edit, evidence: Evidence) -> float:
    time.sleep(0.005)
    if os.environ.get(MOOD) == "bad" and int(edit.sample.id[-3:]) % 2:
        raise RuntimeError("not now")
    return _light(evidence, edit.output) / 255


@finding(keep=True)
def _light(evidence: Evidence, document: Any) -> float:
    """The mean of all pixels; kept in the run."""
    return float(np.mean(document.rgb))


def _look(edit: Edit, evidence: Evidence) -> None:
    _light(evidence, edit.output)


def _spread(edits: Sequence[Edit], evidence: Evidence) -> float:
    lights = [_light(evidence, edit.output) for edit in edits]
    return max(lights) - min(lights)


edited, whole = Scene(), Scene(measures=MEASURES)
slow = Measure("slow", each("slow", _slow), True, 0.0, 1.0)
spread = Measure(
    "spread", together("spread", _spread), higher_is_better=False, worst=None, best=0.0,
    scope="set", look=_look,
)  # fmt: skip
