"""The parts of a vision-language model: what sees, what speaks, and what joins them.

They are found by walking through the model, not by one architecture's names. A tower is the
outermost module that has the vision or the text part of the configuration. The projector is what
lies outside both towers and is no table of words; where nothing does (as in Qwen's models), it is
the part of the vision tower beside its layers that ends in the width of the language model.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from overpaint.errors import UserMistake
from overpaint.models.vlm import blind


@dataclass(frozen=True)
class Parts:
    """Names of modules: linear layers of both towers, and the modules of the projector."""

    vision: tuple[str, ...]
    language: tuple[str, ...]
    projector: tuple[str, ...]


@dataclass(frozen=True)
class Named:
    """Patterns of module names, where walking finds the wrong ones; "" leaves it to walking."""

    vision: str = ""
    language: str = ""
    projector: str = ""


def parts_of(model: Any, named: Named | None = None) -> Parts:
    """The parts of a model; one that cannot see is refused."""
    named = named or Named()
    config = model.config
    sees = _tower(model, getattr(config, "vision_config", None))
    speaks = _tower(model, config.get_text_config())
    vision = _named(model, named.vision) or (_linear(model, sees) if sees else ())
    if not vision:
        raise blind(type(config).__name__, "Give another, or name the layers: --vision-layers")
    inside = [name for name in (sees, speaks) if name]
    projector = _named(model, named.projector, leaves=False) or _outside(model, inside)
    if not projector and sees:
        projector = _beside_layers(model, sees, config.get_text_config().hidden_size)
    language = _named(model, named.language) or (_linear(model, speaks) if speaks else ())
    if not language:
        raise UserMistake(
            f"No language model was found in the model ({type(config).__name__}).",
            "Adapters sit on both towers.",
            "Give another model, or name the layers: --language-layers",
        )
    taken = tuple(f"{name}." for name in projector)
    sees_only, speaks_only = (
        tuple(name for name in names if name not in projector and not name.startswith(taken))
        for names in (vision, language)
    )
    return Parts(sees_only, speaks_only, projector)


def _tower(model: Any, config: Any) -> str:
    """The outermost module that is a model of this configuration."""
    if config is None:
        return ""
    for name, module in model.named_modules():
        own = getattr(module, "config", None)
        if name and own is not None and type(own) is type(config):
            return str(name)
    return ""


def _linear(model: Any, tower: str) -> tuple[str, ...]:
    import torch

    inside = model.get_submodule(tower).named_modules()
    return tuple(f"{tower}.{name}" for name, m in inside if isinstance(m, torch.nn.Linear))


def _named(model: Any, pattern: str, *, leaves: bool = True) -> tuple[str, ...]:
    """Modules whose whole name fits a pattern; linear layers alone where `leaves` are wanted."""
    import torch

    if not pattern:
        return ()
    try:
        known = re.compile(pattern)
    except re.error as error:
        raise UserMistake(
            f"{pattern!r} is no pattern of module names: {error}.",
            r"It is a regular expression such as model\.visual\.blocks\..*",
        ) from error
    found = tuple(
        name for name, module in model.named_modules()
        if known.fullmatch(name) and (not leaves or isinstance(module, torch.nn.Linear))
    )  # fmt: skip
    if not found:
        raise UserMistake(
            f"No module of the model has a name like {pattern!r}.",
            f"Its modules are such as {', '.join(_examples(model))}.",
        )
    return found if leaves else tuple(name for name in found if not _within(name, found))


def _outside(model: Any, towers: list[str]) -> tuple[str, ...]:
    """The outermost modules with weights that are in no tower and hold none."""
    words = {id(model.get_output_embeddings()), id(model.get_input_embeddings())}
    found: list[str] = []
    for name, module in model.named_modules():
        holds = any(tower == name or tower.startswith(f"{name}.") for tower in towers)
        if not name or holds or id(module) in words or not any(True for _ in module.parameters()):
            continue
        if not _within(name, [*towers, *found]):
            found.append(name)
    return tuple(part for name in found for part in _single(name, model.get_submodule(name)))


def _beside_layers(model: Any, tower: str, width: int) -> tuple[str, ...]:
    """Children of the vision tower, beside its layers, that end in the language model's width."""
    import torch

    children = list(model.get_submodule(tower).named_children())
    sizes = {name: sum(p.numel() for p in child.parameters()) for name, child in children}
    lists = {name for name, child in children if isinstance(child, torch.nn.ModuleList)}
    layers = max(lists, key=lambda name: sizes[name], default="")
    fitting = [
        (f"{tower}.{name}", child) for name, child in children
        if name != layers and (found := list(_linears(child))) and found[-1].out_features == width
    ]  # fmt: skip
    return tuple(part for name, child in fitting for part in _single(name, child))


def _single(name: str, module: Any) -> list[str]:
    """A module, or those of a list of modules, which is none that could be called."""
    import torch

    if isinstance(module, torch.nn.ModuleList):
        return [f"{name}.{at}" for at in range(len(module))]
    return [name]


def _linears(module: Any) -> Iterator[Any]:
    import torch

    yield from (one for one in module.modules() if isinstance(one, torch.nn.Linear))


def _within(name: str, others: Any) -> bool:
    return any(name.startswith(f"{o}.") for o in others if o != name)


def _examples(model: Any) -> list[str]:
    names = [name for name, _ in model.named_modules() if name.count(".") == 2]
    return names[:: max(1, len(names) // 5)][:5]
