"""What training a reasoner would do and take, said before anything is done."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from overpaint.core import Sample
from overpaint.models.trained import SMOLLM2
from overpaint.training.reasoner_settings import Settings, last_checkpoint

# Seconds that SmolLM2 took for one document, right answer, answer of GRPO, and question, with about
# one core's worth of a Zen 4 in bfloat16.
LOOKED, WARMED, REWARDED, ASKED = 0.5, 0.55, 1.7, 0.4
LAYERS = 4.45  # a document


@dataclass(frozen=True)
class Plan:
    """Lines that say what would be done, and about how long it takes."""

    lines: Sequence[str]
    seconds: float | None  # None where nothing was measured
    why: str
    hosts: str


def plan(settings: Settings, *, samples: Sequence[Sample] | None, folder: Path) -> Plan:
    """What would be done."""
    drawn = settings.documents + settings.validation + settings.held_out
    documents = drawn if samples is None else len(samples)
    warm = settings.warm_steps * settings.warm_batch
    answers = settings.steps * settings.prompts * settings.rollouts
    begun = [stage for stage in ("warm", "grpo") if last_checkpoint(folder / stage)]
    source = "drawn by Overpaint, English" if samples is None else "of the set"
    lines = [
        f"Model:      {settings.base}, {'sees pictures' if settings.sees else 'reads descriptions'}"
        f", LoRA of rank {settings.rank} on every linear part",
        f"Documents:  {documents:,} {source}; {settings.held_out} held out at most",
        f"Warm-up:    {settings.warm_steps} steps, {warm:,} right answers",
        f"GRPO:       {settings.steps} steps, {answers:,} answers, {settings.rollouts} to a layer;"
        f" ε {settings.epsilon}, β {settings.beta}",
        f"Folder:     {folder}" + (f", goes on after {begun[-1]}" if begun else ""),
    ]
    if settings.base != SMOLLM2:
        why = ": nothing was measured with this model. A few steps will tell"
        hub = "" if Path(settings.base).is_dir() else f"the model hub, for {settings.base}"
        return Plan(lines, None, why, hub)
    asked = LAYERS * (3 * settings.held_out + 2 * settings.validation)
    seconds = LOOKED * documents + WARMED * warm + REWARDED * answers + ASKED * asked
    return Plan(lines, seconds, ", measured on a Zen 4 with bfloat16", "")
