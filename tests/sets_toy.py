"""Measures of sets that count how often they are asked, named as FILE.py:NAME in tests."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import toy

from overpaint.core import Edit, Evidence, Loaded, Measure, Sample, finding, together
from overpaint.errors import NotApplicable, Unavailable

LOG = "SETS_TOY_LOG"  # a file that gets a line for each look and each set
GONE = "SETS_TOY_GONE"  # set: nothing can be looked at


class Parted(toy.Toy):
    """The toy's samples in two slices, the second of which holds one."""

    def load(self, data: Path | None) -> Loaded:
        samples = super().load(data).samples
        return Loaded(tuple(replace(one, tags={"operation": _part(one)}) for one in samples))


def _part(sample: Sample) -> str:
    return "add" if sample.id.endswith("001") else "change"


@finding(keep=True)
def light(evidence: Evidence, document: object) -> float:
    """The mean of all pixels."""
    _log("look")
    return float(document.rgb.mean())


def _look(edit: Edit, evidence: Evidence) -> None:
    if os.environ.get(GONE):
        raise Unavailable("The lamp is gone.", todo="`overpaint get lamp` brings it.")
    light(evidence, edit.output)


def _range(edits: Sequence[Edit], evidence: Evidence) -> float:
    _log(f"set {edits[0].editor} {len(edits)}")
    if len(edits) < 2:
        raise NotApplicable("A range is of two pictures at least.")
    lights = [light(evidence, edit.output) for edit in edits]
    return max(lights) - min(lights)


def _kill(edits: Sequence[Edit], evidence: Evidence) -> float:
    return 1 / 0


def _log(line: str) -> None:
    if path := os.environ.get(LOG):
        with open(path, "a") as file:
            file.write(f"{line}\n")


parted = Parted(measures=("mse",))
spread = Measure(
    "spread", together("spread", _range), higher_is_better=False, worst=None, best=0.0,
    scope="set", look=_look, about="how far pictures differ in light",
)  # fmt: skip
buggy_set = Measure("buggy_set", together("buggy_set", _kill), True, 0.0, 1.0, scope="set")
