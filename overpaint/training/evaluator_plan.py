"""What a training of an evaluator will be, before anything heavy is loaded."""

from dataclasses import dataclass
from typing import Any

from overpaint.measures.learned.vlm_chat import Asked, Chat
from overpaint.models.vlm import (
    config_of,
    processor_of,
    revision_of,
    skeleton_of,
    usual_device,
)
from overpaint.training.evaluator_adapters import chosen_layers
from overpaint.training.evaluator_memory import (
    Sizes,
    check_memory,
    free_memory,
    in_bytes,
    needed,
    sizes_of,
)
from overpaint.training.evaluator_parts import Parts, parts_of
from overpaint.training.evaluator_schedule import Schedule, schedule_of
from overpaint.training.evaluator_settings import Data, Settings
from overpaint.training.rated import Example

PROBED = 8  # examples of which the longest question is taken


@dataclass(frozen=True)
class Plan:
    """What would be trained, on what, for how long and with how much memory."""

    data: Data
    settings: Settings
    schedule: Schedule
    parts: Parts
    sizes: Sizes
    device: str
    dtype: str
    free: int
    revision: str | None  # of a model from a hub

    @property
    def needed(self) -> int:
        """Bytes of memory, about."""
        low = self.dtype != "float32"
        return needed(self.sizes, low=low, checkpointing=self.settings.checkpointing)

    def check(self) -> None:
        """Refuse what does not fit into memory, and say what would."""
        check_memory(self.sizes, self.settings, low=self.dtype != "float32", free=self.free)

    @property
    def facts(self) -> dict[str, Any]:
        """All of it, for programs."""
        train, test = _counted(self.data.train), _counted(self.data.test)
        return {
            "base": self.settings.base, "train": train, "test": test,
            "dimensions": {name: "question" if yes_no else "score"
                           for name, yes_no in self.data.dimensions.items()},
            "questions": self.schedule.questions,
            "steps": {"words": self.schedule.words, "scores": self.schedule.scores},
            "parameters": self.sizes.parameters, "trained": self.sizes.trained,
            "layers": self._layers(), "projector": list(self._projector()),
            "tokens": self.sizes.tokens, "patches": self.sizes.patches,
            "device": self.device, "dtype": self.dtype,
            "memory": {"needed": self.needed, "free": self.free, "fits": self.needed <= self.free},
        }  # fmt: skip

    @property
    def lines(self) -> list[str]:
        """All of it in words."""
        one, two = _counted(self.data.train), _counted(self.data.test)
        layers = self._layers()
        words, scores = self.schedule.words, self.schedule.scores
        projector = ", ".join(self._projector()) or "not trained"
        return [
            f"Learns from  {one['edits']:,} edits of {one['sources']:,} sources"
            f" (editors: {one['editors']}), {self.schedule.questions:,} questions",
            f"Is tried on  {two['edits']:,} edits of {two['sources']:,} other sources",
            f"Asked for    {', '.join(self._dimensions())}",
            f"Model        {self.settings.base}, {self.sizes.parameters:,} parameters",
            f"Trained      {self.sizes.trained:,} parameters: {self.settings.adapter} on"
            f" {layers['vision']} layers that see and {layers['language']} that speak;"
            f" projector: {projector}",
            f"A question   {self.sizes.tokens:,} tokens and {self.sizes.patches:,} patches",
            f"Steps        {words:,} of words, {scores:,} of scores, {self.settings.batch}"
            " questions each",
            f"Memory       about {in_bytes(self.needed)} of {in_bytes(self.free)} that are free"
            f" ({self.device}, {self.dtype})",
        ]

    def _layers(self) -> dict[str, int]:
        chosen = set(chosen_layers(self.parts, self.settings))
        both = ("vision", self.parts.vision), ("language", self.parts.language)
        return {which: len(chosen & set(names)) for which, names in both}

    def _projector(self) -> tuple[str, ...]:
        return self.parts.projector if self.settings.projector else ()

    def _dimensions(self) -> list[str]:
        return [
            f"{name} (yes or no)" if yes_no else name
            for name, yes_no in self.data.dimensions.items()
        ]


def plan_of(data: Data, settings: Settings, *, device: str = "") -> Plan:
    """The plan; it needs the model's configuration and processor, and none of its weights."""
    revision = revision_of(settings.base)
    config = config_of(settings.base, revision)
    device = device or usual_device()
    skeleton = skeleton_of(config)
    parts = parts_of(skeleton, settings.named)
    chat = Chat(processor_of(settings.base, revision), settings.pixels)
    probe = max(
        (chat.inputs(asked_of(one, name, data)) for one, name in _probes(data)),
        key=lambda inputs: int(inputs["input_ids"].shape[-1]),
    )
    sizes = sizes_of(skeleton, parts, settings, probe, heads=len(data.units))
    return Plan(
        data, settings, schedule_of(data, settings), parts, sizes, device,
        _dtype(settings, device), free_memory(device), revision,
    )  # fmt: skip


def asked_of(one: Example, dimension: str, data: Data) -> Asked:
    """The question for a dimension of an example."""
    yes_no = data.dimensions[dimension]
    return Asked(one.source, one.output, one.instruction, dimension, yes_no)


def _probes(data: Data) -> list[tuple[Example, str]]:
    questions = data.questions
    apart = max(1, len(questions) // PROBED)
    return [(data.train[at], name) for at, name in questions[::apart][:PROBED]]


def _counted(examples: Any) -> dict[str, int]:
    return {
        "edits": len(examples), "sources": len({one.cluster for one in examples}),
        "editors": len({one.editor for one in examples}),
    }  # fmt: skip


def _dtype(settings: Settings, device: str) -> str:
    if settings.dtype != "auto":
        return settings.dtype
    import torch

    return "bfloat16" if device == "cuda" and torch.cuda.is_bf16_supported() else "float32"
