"""Whether an evaluator's training fits into memory, reckoned before anything is loaded.

Parameters are counted on the model without weights; what a question's activations take is a rough
figure of the layers' widths. The reckoning errs by a fifth or so: it is there to say early and in
words what would otherwise be a crash after a long download.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from overpaint.errors import UserMistake
from overpaint.training.evaluator_adapters import chosen_layers
from overpaint.training.evaluator_parts import Parts
from overpaint.training.evaluator_settings import Settings

GIGA = 2**30
TRAINED = 4 + 4 + 8 + 12  # bytes: weight, gradient, Adam's two means, AdaLoRA's three
PER_LAYER = 34  # widths of activations a token and layer, attention and MLP together
WORDS = 200  # tokens of a question besides its pictures, about
ROUGH = 1.1  # what the reckoning is multiplied by
SMALLER, SMALLER_HAS = "Qwen/Qwen2.5-VL-3B-Instruct", 3.8  # billion parameters


@dataclass(frozen=True)
class Sizes:
    """What memory is reckoned from."""

    parameters: int
    trained: int
    patches: int  # of both pictures, in the vision tower
    tokens: int  # of a question, in the language model
    vision: tuple[int, int]  # layers and width
    language: tuple[int, int]
    vocabulary: int


def sizes_of(
    skeleton: Any, parts: Parts, settings: Settings, inputs: Mapping[str, Any], *, heads: int
) -> Sizes:
    """The sizes of a model that has no weights yet, and of a question to it."""
    sees, speaks = skeleton.config.vision_config, skeleton.config.get_text_config()
    vision = (
        _first(sees, "depth", _first(sees, "num_hidden_layers", 24)),
        _first(sees, "hidden_size", 1024),
    )
    width = speaks.hidden_size
    return Sizes(
        sum(one.numel() for one in skeleton.parameters()),
        _trained(skeleton, parts, settings) + heads * (width * width + 2 * width + 1),
        patches_of(inputs["pixel_values"].shape, _first(sees, "patch_size", 14)),
        int(inputs["input_ids"].shape[-1]), vision, (speaks.num_hidden_layers, width),
        speaks.vocab_size,
    )  # fmt: skip


def patches_of(shape: Sequence[int], side: int) -> int:
    """How many patches the vision tower sees: one a row, or squares of pictures and tiles."""
    if len(shape) == 2:
        return int(shape[0])
    *tiles, _, high, wide = shape
    return prod(tiles) * (high // side) * (wide // side)


def _first(config: Any, name: str, usual: int) -> int:
    found = getattr(config, name, None)
    found = found[0] if isinstance(found, list | tuple) else found
    return int(found) if found else usual


def _trained(skeleton: Any, parts: Parts, settings: Settings) -> int:
    names = chosen_layers(parts, settings)
    # AdaLoRA's factors are three: a rank has a number of its own between its two vectors.
    rank, own = (settings.first_rank, 1) if settings.adapter == "adalora" else (settings.rank, 0)
    layers = [skeleton.get_submodule(name) for name in names]
    found: int = sum(rank * (one.in_features + one.out_features + own) for one in layers)
    if settings.projector:
        whole = [skeleton.get_submodule(name) for name in parts.projector]
        found += sum(one.numel() for module in whole for one in module.parameters())
    return found


def needed(sizes: Sizes, *, low: bool, checkpointing: bool) -> int:
    """Bytes that training takes, roughly."""
    number = 2 if low else 4
    fixed = sizes.parameters * number + sizes.trained * TRAINED
    activations = 0
    for count, (layers, width) in (
        (sizes.patches, sizes.vision), (sizes.tokens, sizes.language),
    ):  # fmt: skip
        kept = layers + PER_LAYER if checkpointing else layers * PER_LAYER
        activations += count * width * kept * number
    words = 32 * sizes.vocabulary * 8  # logits are made for the answer alone
    return int((fixed + activations + words) * ROUGH)


def free_memory(device: str) -> int:
    """Bytes that are free where training is to run."""
    if device == "cuda":
        import torch

        return int(torch.cuda.mem_get_info()[0])
    import psutil

    return int(psutil.virtual_memory().available)


def check_memory(sizes: Sizes, settings: Settings, *, low: bool, free: int) -> int:
    """What training takes; if that does not fit, the settings that would are told."""
    need = needed(sizes, low=low, checkpointing=settings.checkpointing)
    if need <= free:
        return need
    tried = [(told, other, needed(other, low=bf16, checkpointing=True))
             for told, other, bf16 in _others(sizes, settings, low)]  # fmt: skip
    fitting = [f"{told} ({in_bytes(count)})" for told, _, count in tried if count <= free]
    if not fitting:
        _, least, count = tried[-1]
        room = free / ROUGH - (count / ROUGH - least.parameters * 2)
        fitting = [_smaller(max(0.0, room / 2 / 1e9), tried[-1][0])]
    raise UserMistake(
        f"Training {settings.base} takes about {in_bytes(need)} of memory, and"
        f" {in_bytes(free)} are free.",
        f"What would fit: {'; or '.join(fitting)}.",
        "Choose that, or a larger GPU.",
    )


def _smaller(billions: float, settings: str) -> str:
    if billions < 0.1:
        return "no model of use, with any settings"
    such = f", such as {SMALLER} ({SMALLER_HAS:g})" if billions >= SMALLER_HAS else ""
    return f"a model of at most {billions:.1f} billion parameters{such}, with {settings}"


def _others(sizes: Sizes, settings: Settings, low: bool) -> list[tuple[str, Sizes, bool]]:
    """Settings that take less, from the least loss to the greatest; all have checkpointing."""
    kept = [] if settings.checkpointing else ["gradient checkpointing (no --no-checkpointing)"]
    half = [] if low else ["--dtype bfloat16"]
    fewer = [f"--pixels {max(1, settings.pixels // 4)}"]
    words = min(WORDS, sizes.tokens)
    small = replace(
        sizes, patches=sizes.patches // 4, tokens=(sizes.tokens - words) // 4 + words
    )  # fmt: skip
    found = [(kept, sizes, low), (kept + half, sizes, True), (kept + half + fewer, small, True)]
    return [(" and ".join(names), other, bf16) for names, other, bf16 in found if names]


def in_bytes(count: int) -> str:
    """Bytes as people say them."""
    return f"{count / GIGA:.1f} GB" if count >= GIGA / 10 else f"{count / 2**20:.1f} MB"
