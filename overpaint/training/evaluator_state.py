"""Checkpoints of an evaluator's training: all that it takes to go on as if nothing had happened.

Weights that are trained, Adam's means, AdaLoRA's importances and masks, each process's random
numbers, and the step. Tensors are safetensors and the rest is JSON: nothing is unpickled. A
checkpoint is written beside the last one and takes its place when it is whole.
"""

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from overpaint.errors import UserMistake

FOLDER = "checkpoint"
STATE, TENSORS = "state.json", "state.safetensors"
ADAPTER = "default"
IMPORTANCES = ("ipt", "exp_avg_ipt", "exp_avg_unc")


@dataclass
class Progressed:
    """How far a training is: steps done, and the loss of each."""

    step: int = 0
    losses: list[float] = field(default_factory=list)
    seconds: float = 0.0


def save(out: Path, run: str, at: Progressed, inside: "Inside", shares: "Shares") -> None:
    """Write a checkpoint; every process calls it, and the first writes what all share."""
    from safetensors.torch import save_file

    fresh = out / f"{FOLDER}.new"
    if shares.first:
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
    shares.wait()
    save_file(_random_numbers(), fresh / f"random-{shares.index}.safetensors")
    if shares.first:
        save_file(inside.tensors(), fresh / TENSORS)
        told = {
            "run": run, "step": at.step, "losses": at.losses, "seconds": at.seconds,
            "processes": shares.count, "ranks": inside.ranks(), "base": inside.base,
        }  # fmt: skip
        (fresh / STATE).write_text(json.dumps(told), encoding="utf-8")
    shares.wait()
    if shares.first:
        old = out / f"{FOLDER}.old"
        if (out / FOLDER).exists():  # else the old one is all there is until the new one has a name
            shutil.rmtree(old, ignore_errors=True)
            (out / FOLDER).rename(old)
        fresh.rename(out / FOLDER)
        shutil.rmtree(old, ignore_errors=True)
    shares.wait()


def check_folder(out: Path) -> None:
    """Refuse a folder that cannot be written to."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=out):
            pass
    except OSError as error:
        raise UserMistake(
            f"{out} cannot be written to: {error.strerror}.",
            "Checkpoints and the evaluator come into this folder.",
            "Give another: -o FOLDER",
        ) from error


def check_run(out: Path, run: str) -> None:
    """Refuse a folder with a checkpoint of another run, before anything is loaded."""
    place = _place(out)
    if place and _read(place).get("run") != run:
        raise UserMistake(
            f"{place} is a checkpoint of another run: its data or settings are not these.",
            "A training goes on with the data and the settings it began with.",
            "Give them again, or give another folder.",
        )


def resume(out: Path, inside: "Inside", shares: "Shares") -> Progressed:
    """Take up the checkpoint where there is one; `check_run` has seen that it is of this run."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    place = _place(out)
    if place is None:
        return Progressed()
    told = _read(place)
    if told.get("base") != inside.base:
        raise UserMistake(
            f"{place} is of another model, or of other numbers than these (bfloat16, float32).",
            "A training goes on with the weights it began with.",
            "Put the model back, name its --dtype, or give another folder.",
        )
    try:
        inside.restore(load_file(place / TENSORS), told["ranks"])
        numbers = place / f"random-{shares.index}.safetensors"
        if told["processes"] == shares.count and numbers.is_file():
            _set_random_numbers(load_file(numbers))
        return Progressed(told["step"], told["losses"], told["seconds"])
    except (OSError, KeyError, RuntimeError, SafetensorError) as error:
        raise _broken(place, error) from error


def _place(out: Path) -> Path | None:
    """The last checkpoint that is whole: a stop between two names leaves the one before."""
    return next((p for p in (out / FOLDER, out / f"{FOLDER}.old") if p.is_dir()), None)


def forget(out: Path) -> None:
    """Remove the checkpoint of a training that is finished."""
    for name in (FOLDER, f"{FOLDER}.old", f"{FOLDER}.new"):
        shutil.rmtree(out / name, ignore_errors=True)


def _read(place: Path) -> dict[str, Any]:
    try:
        return dict(json.loads((place / STATE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise _broken(place, error) from error


def _broken(place: Path, error: Exception) -> UserMistake:
    return UserMistake(
        f"The checkpoint {place} cannot be read: {error}.",
        "It stands as training wrote it.",
        "Remove it to begin again.",
    )


@dataclass(frozen=True)
class Shares:
    """Who takes part: this process, how many there are, and how they wait for each other."""

    accelerator: Any

    @property
    def index(self) -> int:
        """Which process this is."""
        return int(self.accelerator.process_index)

    @property
    def count(self) -> int:
        """How many processes there are."""
        return int(self.accelerator.num_processes)

    @property
    def first(self) -> bool:
        """Whether this one writes what all share."""
        return bool(self.accelerator.is_main_process)

    def wait(self) -> None:
        """Until all are here."""
        self.accelerator.wait_for_everyone()

    def added(self, number: Any) -> Any:
        """The sum of a tensor over all processes."""
        return self.accelerator.reduce(number, "sum")

    def gathered(self, things: list[Any]) -> list[Any]:
        """What all processes have, in all of them."""
        from accelerate.utils import gather_object

        return list(gather_object(things))

    def add_gradients(self, weights: list[Any]) -> None:
        """Give every process the sum of all gradients; a weight that none has one for keeps none.

        One whose gradient is nothing differs from one that has none: Adam goes on moving it.
        """
        if self.count == 1:
            return
        import torch

        has = torch.tensor([float(one.grad is not None) for one in weights])
        known = self.added(has.to(weights[0].device)).tolist()
        for one, count in zip(weights, known, strict=True):
            if count:
                mine = torch.zeros_like(one) if one.grad is None else one.grad
                one.grad = self.added(mine)


@dataclass(frozen=True)
class Inside:
    """What changes in training, model, heads and optimizer; and what it began with."""

    model: Any
    heads: Any
    optimizer: Any
    base: str = ""  # the fingerprint of the model before

    @property
    def weights(self) -> dict[str, Any]:
        """Everything that learns, by name, in the optimizer's order."""
        return {
            f"{at}.{name}": one
            for at, module in enumerate((self.model, self.heads))
            for name, one in module.named_parameters()
            if one.requires_grad
        }

    @property
    def allocator(self) -> Any:
        """What gives AdaLoRA's ranks away; None with another kind of adapter."""
        return getattr(self.model.base_model, "rankallocator", None)

    def ranks(self) -> Any:
        """Which ranks of each layer are left, once some were taken."""
        return getattr(self.model.peft_config[ADAPTER], "rank_pattern", None) or None

    def tensors(self) -> dict[str, Any]:
        """A copy of all state that is made of tensors."""
        found = {f"weight:{name}": one.detach() for name, one in self.weights.items()}
        for name, one in self.weights.items():
            for part, value in self.optimizer.state.get(one, {}).items():
                found[f"adam:{part}:{name}"] = value
        for kind in IMPORTANCES if self.allocator else ():
            for name, value in getattr(self.allocator, kind).items():
                found[f"{kind}:{name}"] = value
        return {name: value.cpu().contiguous().clone() for name, value in found.items()}

    def restore(self, tensors: dict[str, Any], ranks: Any) -> None:
        """Put back what `tensors` and `ranks` gave."""
        import torch

        for name, one in self.weights.items():
            with torch.no_grad():
                one.copy_(tensors.pop(f"weight:{name}"))
        for name, one in self.weights.items():
            parts = {}
            for part in ("step", "exp_avg", "exp_avg_sq"):
                value = tensors.pop(f"adam:{part}:{name}", None)
                if value is not None:
                    parts[part] = value if part == "step" else value.to(one.device)
            if parts:
                self.optimizer.state[one] = parts
        if self.allocator:
            device = next(self.heads.parameters()).device
            for key, value in tensors.items():
                kind, _, name = key.partition(":")
                getattr(self.allocator, kind)[name] = value.to(device)
            self.model.peft_config[ADAPTER].rank_pattern = ranks


def _random_numbers() -> dict[str, Any]:
    import torch

    found = {"cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        found["cuda"] = torch.cuda.get_rng_state()
    return found


def _set_random_numbers(found: dict[str, Any]) -> None:
    import torch

    torch.set_rng_state(found["cpu"])
    if "cuda" in found and torch.cuda.is_available():
        torch.cuda.set_rng_state(found["cuda"])
