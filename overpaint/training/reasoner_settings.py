"""Settings of a reasoner's training, and the run they belong to.

The defaults are a recipe for SmolLM2-135M on two CPU cores in an hour.
Names of the second stage are those of MiLDE's equations 6 to 9 as far as it has any.
"""

import json
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import Any

from overpaint.editors.agent.reasoners import SHORT
from overpaint.errors import UserMistake
from overpaint.models.vlm import base_of
from overpaint.training.reasoner_data import HELD_OUT, VALIDATION, written_whole

RUN = "run.json"


@dataclass(frozen=True)
class Settings:
    """All that decides what is learned; two runs of equal settings and data are one run."""

    base: str = "smollm2"
    sees: bool = False  # whether it is shown the document and the layer, or told of them alone
    form: str = SHORT  # the file with the words of the question
    seed: int = 1
    documents: int = 1100  # drawn for training, where no set is given
    validation: int = VALIDATION
    held_out: int = HELD_OUT
    pixels: int = 448  # of the longer side of a picture
    # Low-rank adapters on every linear part.
    rank: int = 6
    alpha: int = 12
    # First stage: right answers.
    warm_steps: int = 140
    warm_batch: int = 16  # answers a step and device
    warm_rate: float = 1e-3
    # Second stage: GRPO.
    steps: int = 20
    prompts: int = 8  # layers a step and device
    rollouts: int = 5
    rate: float = 1e-4
    passes: int = 1  # over the same answers; ε matters from the second on
    epsilon: float = 0.2  # how far the ratio of probabilities may go before it is clipped
    beta: float = 0.02  # weight of the KL term, to the model after the first stage
    temperature: float = 1.0
    longest: int = 96  # tokens of an answer
    at_once: int = 10  # answers that are learned from at once; the rest is accumulated
    half: bool = True  # bfloat16 weights; adapters are float32
    save_every: int = 20  # steps between two checkpoints

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise UserMistake(f"{name} is {getattr(self, name)}.", f"At least {least} was"
                                  " expected.")  # fmt: skip
        if self.save_every % self.passes:
            raise UserMistake(
                f"A checkpoint every {self.save_every} steps falls between {self.passes} passes.",
                "The answers of a step are not in a checkpoint, so it comes after the last pass.",
                f"Give --save-every {self.passes * max(1, self.save_every // self.passes)}.",
            )
        if self.at_once % self.rollouts or (self.prompts * self.rollouts) % self.at_once:
            raise UserMistake(
                f"{self.prompts} layers a step with {self.rollouts} answers each cannot be taken"
                f" {self.at_once} at once.",
                "Whole groups of answers, and whole parts of a step, were expected.",
                f"Give --at-once {self.rollouts}.",
            )
        if not (0 <= self.epsilon < 1 and 0 <= self.beta < inf and 0 < self.temperature < inf):
            raise UserMistake(
                f"epsilon {self.epsilon}, beta {self.beta}, temperature {self.temperature} cannot"
                " be trained with.",
                "0 ≤ epsilon < 1, beta ≥ 0 and a temperature above 0 were expected.",
            )


_LEAST = {
    "documents": 1, "validation": 0, "held_out": 5, "pixels": 28, "rank": 1, "alpha": 1,
    "warm_steps": 0, "warm_batch": 1, "warm_rate": 0, "steps": 0, "prompts": 1, "rollouts": 2,
    "rate": 0, "passes": 1, "longest": 8, "at_once": 2, "save_every": 1,
}  # fmt: skip


def check_folder(folder: Path) -> None:
    """Refuse a folder that holds something else."""
    if not (folder / RUN).is_file() and folder.is_dir() and any(folder.iterdir()):
        raise UserMistake(
            f"{folder} is not empty and holds no run of `overpaint train reasoner`.",
            "A new folder, or one with a run to go on with, was expected.",
        )


def claim(folder: Path, settings: Settings, data: str) -> None:
    """Make the folder this run's own; checkpoints of another run are never gone on from."""
    mine: dict[str, Any] = {**asdict(settings), "base": base_of(settings.base), "data": data}
    path = folder / RUN
    if not path.is_file():
        check_folder(folder)
        folder.mkdir(parents=True, exist_ok=True)
        written_whole(path, json.dumps(mine, indent=1))
        return
    try:
        theirs = json.loads(path.read_bytes())
        differing = [name for name in mine if theirs.get(name) != mine[name]]
    except (OSError, ValueError, AttributeError):
        theirs, differing = {}, [RUN]
    if differing:
        name = differing[0]
        told = f"{name} is {theirs.get(name)!r} there and {mine.get(name)!r} here"
        raise UserMistake(
            f"{folder} holds checkpoints of another run: {told}.",
            "A run is gone on with by the same settings and the same data.",
            f"Give another folder with -o, or remove {folder}.",
        )


def last_checkpoint(folder: Path) -> str | None:
    """The newest whole checkpoint of a stage; one that was being written is not whole."""
    found = [
        path for path in folder.glob("checkpoint-*") if (path / "trainer_state.json").is_file()
    ]
    newest = max(found, key=lambda path: int(path.name.rpartition("-")[2]), default=None)
    return str(newest) if newest else None
