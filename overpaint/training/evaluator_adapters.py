"""What of a vision-language model learns: adapters on its layers, and its projector as a whole.

AdaLoRA (Zhang et al. 2023, arXiv:2303.10512) gives every layer more ranks than it may keep, weighs
each by how much the loss minds it, and takes the others away while training goes on. PEFT adds its
term for orthogonality only to losses that the model itself computes; ours are computed outside, so
the term is added here, once a step.
"""

from typing import Any

from overpaint.measures.learned.vlm import in_full
from overpaint.training.evaluator_parts import Parts
from overpaint.training.evaluator_schedule import Schedule
from overpaint.training.evaluator_settings import Settings
from overpaint.training.evaluator_state import ADAPTER


def chosen_layers(parts: Parts, settings: Settings) -> tuple[str, ...]:
    """The linear layers that get adapters."""
    vision = parts.vision if settings.towers in ("both", "vision") else ()
    return vision + (parts.language if settings.towers in ("both", "language") else ())


def adapted(base: Any, parts: Parts, settings: Settings, schedule: Schedule) -> Any:
    """The model with adapters; only they learn, and the projector where it is to."""
    from peft import AdaLoraConfig, LoraConfig, get_peft_model

    whole = parts.projector if settings.projector else ()
    in_full(base, whole)
    shared = {
        "target_modules": list(chosen_layers(parts, settings)), "lora_alpha": settings.alpha,
        "lora_dropout": settings.dropout, "modules_to_save": list(whole) or None,
    }  # fmt: skip
    if settings.adapter == "lora":
        return get_peft_model(base, LoraConfig(r=settings.rank, **shared))
    config = AdaLoraConfig(
        init_r=settings.first_rank, target_r=settings.rank, **schedule.ranks(),
        orth_reg_weight=settings.orthogonality, **shared,
    )  # fmt: skip
    return get_peft_model(base, config)


def orthogonality(model: Any) -> Any:
    """How far AdaLoRA's factors are from being orthogonal: the mean of ‖PᵀP − I‖ over all."""
    import torch

    distances = []
    for name, one in model.named_parameters():
        if f"lora_A.{ADAPTER}" in name or f"lora_B.{ADAPTER}" in name:
            square = one @ one.T if "lora_A" in name else one.T @ one
            own = torch.eye(square.shape[0], device=square.device, dtype=square.dtype)
            distances.append(torch.linalg.norm(square - own))
    return torch.stack(distances).mean()


def give_ranks(model: Any, step: int) -> None:
    """Weigh AdaLoRA's ranks after the optimizer's step (from 1 on), and take some when it is time.

    A layer that no question reached (the last of some vision towers is never read) has no
    gradient; it counts as one that the loss does not mind.
    """
    import torch

    for name, one in model.named_parameters():
        if one.requires_grad and one.grad is None and "lora_" in name:
            one.grad = torch.zeros_like(one)
    model.base_model.update_and_allocate(step)


def ranks_left(model: Any) -> dict[str, int]:
    """How many ranks each layer has kept."""
    pattern = getattr(model.peft_config[ADAPTER], "rank_pattern", None) or {}
    return {name.partition(".lora_E")[0]: sum(kept) for name, kept in pattern.items()}
