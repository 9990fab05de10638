"""Whether a reasoner's training fits into memory, reckoned before its weights are loaded.

A rough figure, as `evaluator_memory` has it: of SmolLM2's recipe 11 GB are reckoned, and 11.7 were
measured. It is there to say early and in words what would otherwise be a crash.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from overpaint.errors import UserMistake
from overpaint.models.trained import SMOLLM2
from overpaint.models.vlm import config_of, skeleton_of, usual_device
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
    inner: int  # width between the two halves of a layer
    kept: int  # numbers of a token that a layer keeps while an answer is written


SMALL = Sizes(134_515_008, 30, 576, 1536, 384)  # SmolLM2-135M


def sizes_of(settings: Settings) -> Sizes:
    """The sizes of the model that is trained from."""
    if settings.base == SMOLLM2:
        return SMALL
    skeleton = skeleton_of(config_of(settings.base, sees=settings.sees), sees=settings.sees)
    text = skeleton.config.get_text_config()
    parameters = sum(one.numel() for one in skeleton.parameters())
    heads = text.num_attention_heads
    kept = 2 * text.hidden_size * getattr(text, "num_key_value_heads", heads) // heads
    inner = getattr(text, "intermediate_size", 4 * text.hidden_size)
    return Sizes(parameters, text.num_hidden_layers, text.hidden_size, inner, kept)


def needed(settings: Settings, sizes: Sizes, *, checkpointing: bool) -> int:
    """Bytes that training takes, roughly: learning from answers, or writing them, if that is more.

    All answers of a step are written at once; three of a layer's inner values are there together.
    """
    words = MORE_WORDS + 2 * (settings.pixels // PATCH) ** 2 if settings.sees else WORDS
    tokens = words + settings.longest
    number = 2 if settings.half else 4
    kept = sizes.layers + PER_LAYER if checkpointing else sizes.layers * PER_LAYER
    learning = max(settings.warm_batch, settings.at_once) * kept * sizes.width * NUMBER
    each = sizes.layers * sizes.kept + 3 * sizes.inner
    writing = settings.prompts * settings.rollouts * each * number if settings.steps else 0
    return int(1.1 * (sizes.parameters * number + tokens * max(learning, writing)))


def check_memory(settings: Settings, sizes: Sizes, *, free: int, checkpointing: bool) -> None:
    """Refuse what does not fit, and say which settings would."""
    need = needed(settings, sizes, checkpointing=checkpointing)
    if need <= free:
        return
    fitting = (
        one for one in _smaller(settings) if needed(one, sizes, checkpointing=checkpointing) <= free
    )
    if found := next(fitting, None):
        told = f"--warm-batch {found.warm_batch} --prompts {found.prompts}"
        full = "" if settings.half else ", without --full"
        fits = f"What would fit: {told} --at-once {found.at_once}{full}."
    else:
        fits = "Only a smaller model would fit."
    raise UserMistake(
        f"Training {settings.base} takes about {in_bytes(need)} of memory, and {in_bytes(free)}"
        " are free.",
        fits,
        "Give these, or use a machine with more memory.",
    )


def _smaller(settings: Settings) -> Iterator[Settings]:
    """Settings that take less and less, down to one layer at a time."""
    warm, prompts = settings.warm_batch, settings.prompts
    while True:
        yield replace(
            settings, warm_batch=warm, prompts=prompts, at_once=settings.rollouts, half=True
        )
        if warm == prompts == 1:
            return
        warm, prompts = max(1, warm * 3 // 4), max(1, prompts * 3 // 4)


def check(settings: Settings) -> None:
    """Refuse settings that this machine has too little memory for."""
    device = usual_device()
    sizes = sizes_of(settings)
    check_memory(settings, sizes, free=free_memory(device), checkpointing=device == "cuda")
