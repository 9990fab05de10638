"""Whether a reasoner's training fits into memory, reckoned before its weights are loaded.

A rough figure, as `evaluator_memory` has it: of SmolLM2's recipe 11 GB are reckoned, and 11.7 were
measured. It is there to say early and in words what would otherwise be a crash.
"""

from dataclasses import dataclass, replace
from typing import Any

from overpaint.errors import UserMistake
from overpaint.models.trained import SMOLLM2
from overpaint.models.vlm import config_of, libraries, skeleton_of, usual_device
from overpaint.training.evaluator_memory import PER_LAYER, free_memory, in_bytes
from overpaint.training.reasoner_settings import Settings

WORDS, MORE_WORDS = 190, 900  # tokens of a question in the short form and in the long one
PATCH = 28  # pixels of a side that become one token, about
NUMBER = 4  # bytes of an activation


@dataclass(frozen=True)
class Sizes:
    """What memory is reckoned from."""

    parameters: int
    layers: int
    width: int


SMALL = Sizes(134_515_008, 30, 576)  # SmolLM2-135M


def sizes_of(settings: Settings) -> Sizes:
    """The sizes of the model that is trained from."""
    if settings.base == SMOLLM2:
        return SMALL
    _, transformers = libraries()
    if settings.sees:
        skeleton = skeleton_of(config_of(settings.base))
    else:
        skeleton = _blank(transformers, settings.base)
    text = skeleton.config.get_text_config()
    parameters = sum(one.numel() for one in skeleton.parameters())
    return Sizes(parameters, text.num_hidden_layers, text.hidden_size)


def _blank(transformers: Any, base: str) -> Any:
    from accelerate import init_empty_weights

    config = transformers.AutoConfig.from_pretrained(base, trust_remote_code=False)
    with init_empty_weights():
        return transformers.AutoModelForCausalLM.from_config(config, trust_remote_code=False)


def needed(settings: Settings, sizes: Sizes, *, checkpointing: bool) -> int:
    """Bytes that training takes, roughly."""
    words = MORE_WORDS + 2 * (settings.pixels // PATCH) ** 2 if settings.sees else WORDS
    tokens = max(settings.warm_batch, settings.at_once) * (words + settings.longest)
    kept = sizes.layers + PER_LAYER if checkpointing else sizes.layers * PER_LAYER
    weights = sizes.parameters * (2 if settings.half else 4)
    return int(1.1 * (weights + tokens * kept * sizes.width * NUMBER))


def check_memory(settings: Settings, sizes: Sizes, *, free: int, checkpointing: bool) -> None:
    """Refuse what does not fit, and say which settings would."""
    need = needed(settings, sizes, checkpointing=checkpointing)
    if need <= free:
        return
    smaller = replace(settings, warm_batch=1, at_once=settings.rollouts, half=True)
    least = needed(smaller, sizes, checkpointing=checkpointing)
    told = f"--warm-batch 1 --at-once {settings.rollouts}"
    while smaller.warm_batch < settings.warm_batch:
        more = replace(smaller, warm_batch=smaller.warm_batch + 1)
        if needed(more, sizes, checkpointing=checkpointing) > free:
            break
        smaller, told = more, f"--warm-batch {more.warm_batch} --at-once {settings.rollouts}"
    fits = f"What would fit: {told}." if least <= free else "Only a smaller model would fit."
    raise UserMistake(
        f"Training {settings.base} takes about {in_bytes(need)} of memory, and {in_bytes(free)}"
        " are free.",
        fits,
        "Give these, or use a machine with more memory.",
    )


def check(settings: Settings) -> None:
    """Refuse settings that this machine has too little memory for."""
    device = usual_device()
    sizes = sizes_of(settings)
    check_memory(settings, sizes, free=free_memory(device), checkpointing=device == "cuda")
