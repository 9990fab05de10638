"""A vision-language model that tells what people would say of an edit (LMM4Edit).

One model for all dimensions. A score is read by a two-layer head from the last hidden state of the
token just before the number; a question is answered by the weights of Yes and No. What the heads
read is what the model's own output layer reads, so that any chat model will do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from overpaint.core import Edit, Evidence
from overpaint.document import Document
from overpaint.errors import Unavailable, UserMistake
from overpaint.measures.learned import FILE, YES_NO, Package, Predictor, Told
from overpaint.measures.learned.vlm_chat import Asked, Chat, lead
from overpaint.models.vlm import (
    ADAPTER_CONFIG,
    ADAPTER_WEIGHTS,
    be_quiet,
    fingerprint,
    first_line,
    load_base,
    processor_of,
    usual_device,
    with_adapter,
)

ADAPTER, HEADS = "adapter", "heads.safetensors"
CONFIG, WEIGHTS = ADAPTER_CONFIG, ADAPTER_WEIGHTS
KINDS = ("ADALORA", "LORA")


@dataclass(frozen=True)
class Unit:
    """What a dimension's heads count in: opinion scores less their mean, in spreads."""

    mean: float
    spread: float

    def scaled(self, value: float) -> float:
        """An opinion score as the head gives it."""
        return (value - self.mean) / self.spread

    def points(self, value: float) -> float:
        """What the head gives, as an opinion score."""
        return value * self.spread + self.mean


@dataclass(frozen=True)
class Evaluator:
    """A model, its heads and its chat: asked for a dimension, it answers."""

    model: Any
    heads: Any  # one for each dimension with a unit, in their order
    chat: Chat
    units: Mapping[str, Unit]
    dtype: str
    _read: dict[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        layer = self.model.get_output_embeddings()
        if layer is None:
            raise UserMistake(
                f"The model ({type(self.model).__name__}) does not name the layer of its words.",
                "What that layer reads is what the scores are read from.",
                "Give another model.",
            )
        layer.register_forward_pre_hook(lambda _, given: self._read.update(last=given[0]))

    def look(self, inputs: Mapping[str, Any], keep: int) -> tuple[Any, Any]:
        """Hidden states and logits of the last `keep` tokens."""
        import torch

        device = next(self.heads.parameters()).device
        given = {name: value.to(device) for name, value in inputs.items()}
        low = self.dtype != "float32"
        with torch.autocast(device.type, getattr(torch, self.dtype), enabled=low):
            logits = self.model(**given, use_cache=False, logits_to_keep=keep).logits
        hidden = self._read.pop("last")
        return hidden[0, -keep:].float(), logits[0, -keep:].float()

    def score(self, asked: Asked) -> Any:
        """What the head says of a dimension, in its unit, as a tensor that can be learned from."""
        hidden, _ = self.look(self.chat.inputs(asked, lead(asked.dimension, self.chat.prompt)), 1)
        return self.heads[list(self.units).index(asked.dimension)](hidden[0])[0]

    def answers(self, asked: Asked) -> Any:
        """The logits of yes and of no."""
        _, logits = self.look(self.chat.inputs(asked), 1)
        return logits[0, list(self.chat.yes_and_no())]

    def value(self, asked: Asked) -> float:
        """A dimension in points, or a question as the chance of a yes."""
        import torch

        with torch.inference_mode():
            if asked.yes_no:
                return float(self.answers(asked).softmax(0)[0])
            return self.units[asked.dimension].points(float(self.score(asked)))

    def values(
        self, source: Document, output: Document, instruction: str, dimensions: Mapping[str, bool]
    ) -> dict[str, float]:
        """All dimensions of an edit; of each is told whether it is a question."""
        return {
            name: self.value(Asked(source, output, instruction, name, yes_no))
            for name, yes_no in dimensions.items()
        }


def heads_of(width: int, count: int) -> Any:
    """A two-layer head for each dimension."""
    from torch import nn

    one = [
        nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, 1)) for _ in range(count)
    ]
    return nn.ModuleList(one)


# ── from a folder ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Loaded:
    """An evaluator from a folder, as measures call it."""

    evaluator: Evaluator
    dimensions: Mapping[str, bool]

    def __call__(self, edit: Edit, evidence: Evidence, /) -> Mapping[str, Told]:
        """What it says of an edit, in every dimension."""
        assert edit.output is not None
        request = edit.sample.request
        found = self.evaluator.values(
            request.source, edit.output, request.instruction, self.dimensions
        )
        return {name: Told(value) for name, value in found.items()}


def load(package: Package) -> Predictor:
    """The evaluator in a folder, on a GPU where there is one."""
    facts = _checked(package)
    dimensions = {name: scale == YES_NO for name, scale in package.scales.items()}
    return Loaded(_evaluator(package, facts), dimensions)


def _checked(package: Package) -> Mapping[str, Any]:
    """What the folder says of its model, as training writes it; its files are hashed."""
    for part in (f"{ADAPTER}/{CONFIG}", f"{ADAPTER}/{WEIGHTS}", HEADS):
        package.part(part)
    facts = package.facts.get("vlm")
    kinds = {"base": str, "prompt": str, "fingerprint": str, "pixels": int, "projector": list,
             "units": dict}  # fmt: skip
    if (
        isinstance(facts, dict)
        and all(isinstance(facts.get(name), kind) for name, kind in kinds.items())
        and facts.get("dtype") in ("float32", "bfloat16")
        and 0 < facts["pixels"] < 2**28
        and all(isinstance(name, str) for name in facts["projector"])
        and all(map(_is_unit, facts["units"].values()))
        and set(facts["units"]) == {name for name, of in package.scales.items() if of != YES_NO}
    ):
        return dict(facts)
    raise UserMistake(
        f"{package.folder / FILE} does not tell what its model is.",
        "It stands as training wrote it.",
        "Copy the folder again, or train it again.",
    )


def _is_unit(told: Any) -> bool:
    """Whether it is a mean and a spread, as numbers."""
    numbers = isinstance(told, list) and len(told) == 2
    return (
        numbers
        and all(type(one) in (int, float) and abs(one) < 1e9 for one in told)
        and told[1] > 0
    )


def _evaluator(package: Package, facts: Mapping[str, Any]) -> Evaluator:
    base = _base(package, facts)
    if fingerprint(base) != facts["fingerprint"]:
        raise UserMistake(
            f"The model {facts['base']!r} is not the one that {package.folder} was trained from.",
            "Adapters fit the weights they were trained on, and no others.",
            f"Name the right one as `base` in {package.folder / FILE}.",
        )
    model, heads = _learned(package, facts, base)
    device = usual_device()
    model, heads = model.to(device).eval(), heads.to(device).eval()
    processor = processor_of(facts["base"], facts.get("revision"))
    chat = Chat(processor, facts["pixels"], facts["prompt"])
    units = {name: Unit(*unit) for name, unit in facts["units"].items()}
    return Evaluator(model, heads, chat, units, facts["dtype"])


def _learned(package: Package, facts: Mapping[str, Any], base: Any) -> tuple[Any, Any]:
    """The model with its adapters, and the heads."""
    from safetensors import SafetensorError
    from safetensors.torch import load_model

    heads = heads_of(width_of(base), len(facts["units"]))
    try:
        in_full(base, facts["projector"])
        load_model(heads, package.folder / HEADS)
    except (AttributeError, RuntimeError, SafetensorError) as error:
        raise UserMistake(
            f"What {package.folder} has learned does not fit its model: {first_line(error)}",
            "Projector and heads are those of the model that it names.",
            "Copy the folder again, or train it again.",
        ) from error
    return with_adapter(base, package.folder / ADAPTER, KINDS), heads


def _base(package: Package, facts: Mapping[str, Any]) -> Any:
    """The model that was trained from, which a folder names and does not hold."""
    be_quiet()
    try:
        return load_base(facts["base"], dtype=facts["dtype"], revision=facts.get("revision"))
    except UserMistake as error:
        raise Unavailable(
            error.wrong,
            f"{package.folder} was trained from it, and holds what was learned alone.",
            f"Put it there, or name where it is as `base` in {package.folder / FILE}.",
        ) from error


def in_full(model: Any, names: Sequence[str]) -> None:
    """Let these modules, which learn as a whole, have numbers of full length."""
    for name in names:
        model.get_submodule(name).float()


def width_of(model: Any) -> int:
    """How wide the hidden states are that the heads read."""
    return int(model.config.get_text_config().hidden_size)
