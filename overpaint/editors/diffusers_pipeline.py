"""`diffusers:MODEL`: any edit pipeline of diffusers, whose weights are on this machine.

    diffusers:black-forest-labs/FLUX.1-Kontext-dev;steps=28;guidance=2.5;seed=1
    diffusers:Qwen/Qwen-Image-Edit-2511;steps=40
    diffusers:timbrooks/instruct-pix2pix;arg.image_guidance_scale=1.5

Pipelines name and take things differently; each is given what its signature has a place for,
and what it has none for is noted. Nothing is downloaded here, and no code of a model is run.
"""

import inspect
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from overpaint.core import Request
from overpaint.document import Document
from overpaint.document.layers import Pixels
from overpaint.editors.fitting import Fitted, fit, fitted
from overpaint.editors.options import Given, Reader, Size, given, number, one_of, sizes, whole
from overpaint.errors import NoOutput, OverpaintError, Refused, Unavailable, UserMistake
from overpaint.models.weighing import gigabytes

OPTIONS: dict[str, Reader] = {
    "steps": whole(1, 1000),
    "guidance": number(0, 100),
    "seed": whole(0, 2**63 - 1),
    "dtype": one_of("float32", "float16", "bfloat16"),
    "device": one_of("cpu", "cuda", "mps"),
    "offload": one_of("yes", "no"),
    "grid": whole(1, 1024),
    "size": sizes,
    "pipeline": str,
    "revision": str,
}
INSTALL = "pip install 'overpaint[diffusers]'"
# Pipelines whose `image` may be a list of which each is looked at; to others a list is a batch.
SEVERAL = ("QwenImageEditPlusPipeline", "Flux2Pipeline", "Flux2KleinPipeline")
_busy = threading.Lock()  # a pipeline keeps its scheduler's state: one picture at a time


@dataclass(frozen=True)
class Diffusers:
    """Runs an edit pipeline here: `diffusers:MODEL[;steps=N][;guidance=X][;seed=N][;dtype=…]`."""

    spec: str
    host = ""  # the pictures stay on this machine

    def __post_init__(self) -> None:
        """A spec without a model, or with an option that is none, is said before it is run."""
        if not self._given.head:
            raise UserMistake("diffusers: does not say which model.", "It is diffusers:MODEL_ID.")

    def __call__(self, request: Request) -> Document:
        pipeline, grid = ready(self._given)
        sent = fitted(request, grid=grid, sizes=self._given.options.get("size", ()))
        named, notes = arguments(pipeline, sent, self._given)
        return sent.answered(ran(pipeline, named, self._given), notes)

    @property
    def gpus(self) -> float:
        """A whole one, where it is not told to do without."""
        return 0.0 if self._given.options.get("device") == "cpu" else 1.0

    @property
    def gigabytes(self) -> float:
        """What its weights hold in memory, which they pass through on their way to a GPU."""
        options = self._given.options
        usual = "bfloat16" if self.gpus else "float32"
        return gigabytes(self._given.head, options.get("dtype", usual), options.get("revision"))

    @cached_property
    def _given(self) -> Given:
        return given(self.spec, "diffusers", OPTIONS, passing="arg")


def ready(asked: Given) -> tuple[Any, int]:
    """The pipeline that a spec names, and what the sides of its pictures are multiples of."""
    options = asked.options
    pipeline = loaded(
        asked.head, options.get("pipeline", ""), options.get("revision"),
        dtype=options.get("dtype"), device=options.get("device"),
        offload=options.get("offload") == "yes",
    )  # fmt: skip
    return pipeline, options.get("grid") or 2 * int(getattr(pipeline, "vae_scale_factor", 8))


def ran(pipeline: Any, named: Mapping[str, Any], asked: Given) -> Pixels:
    """The pixels that a pipeline makes when it is called with that, from the spec's seed."""
    import torch

    seed = torch.Generator("cpu").manual_seed(asked.options.get("seed", 0))
    try:
        with _busy, torch.inference_mode():
            found = pipeline(**named, **_known(pipeline, {"generator": seed}))
    except (RuntimeError, ValueError, TypeError, IndexError) as error:
        why = str(error).splitlines() or [""]
        raise OverpaintError(
            f"{asked.head} failed: {type(error).__name__}: {why[0][:300]}.",
            "",
            "Less memory is taken with ;offload=yes, ;dtype=bfloat16 or a smaller ;size=….",
        ) from error
    return _pixels(found, asked.head)


# ── what a pipeline is given ────────────────────────────────────────────────────────────────


def arguments(pipeline: Any, sent: Fitted, asked: Given) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What the pipeline is called with, by its signature, and notes on what it has no place for."""
    takes = inspect.signature(pipeline.__call__).parameters
    kind = type(pipeline).__name__
    if "image" not in takes or "prompt" not in takes:
        raise UserMistake(
            f"{asked.head} is a {kind}, which takes no picture with an instruction.",
            "A pipeline that edits was expected.",
            "Another class for the same weights is chosen with ;pipeline=NAME.",
        )
    notes = []
    several = kind in SEVERAL
    if (left := len(sent.pictures) - 1) and not several:
        notes.append(f"{kind} takes one picture; {left} references were left out")
    named = asked_of(pipeline, sent.prompt(None if several else 1), sent.fit.canvas, asked)
    named["image"] = [*map(Image.fromarray, sent.pictures)] if several else _only(sent)
    if sent.mask is not None and "mask_image" in takes:
        named["mask_image"] = Image.fromarray(np.where(sent.mask, 255, 0).astype(np.uint8))
    elif sent.mask is not None:
        notes.append(f"{kind} takes no mask; it was laid over what came back")
    return _known(pipeline, named), tuple(notes)


def asked_of(pipeline: Any, prompt: str, canvas: Size, asked: Given) -> dict[str, Any]:
    """What any pipeline is called with, to make a picture of that size from a prompt."""
    takes = inspect.signature(pipeline.__call__).parameters
    named: dict[str, Any] = {
        "prompt": prompt, "width": canvas[0], "height": canvas[1], "output_type": "pil",
    }  # fmt: skip
    unknown = [name for name in asked.passed if name not in takes]
    if unknown:
        kind = type(pipeline).__name__
        raise UserMistake(f"{kind} has no argument {unknown[0]!r}.", f"It has {', '.join(takes)}.")
    passed = {name: _value(text) for name, text in asked.passed.items()}
    return _known(pipeline, named | _strength(takes, asked.options) | passed)


def _only(sent: Fitted) -> Image.Image:
    """The one picture, on the editor's canvas."""
    first = sent.pictures[0]
    size = (first.shape[1], first.shape[0])
    return Image.fromarray(fit(size, sizes=(sent.fit.canvas,)).put(first))


def _strength(takes: Mapping[str, inspect.Parameter], options: Mapping[str, Any]) -> dict[str, Any]:
    """Steps and guidance under the names that a pipeline has for them.

    Some have two guidances: the one without a default is for models distilled for it, which
    leaves `true_cfg_scale`; that one works only beside a negative prompt, be it empty.
    """
    named: dict[str, Any] = {}
    if "steps" in options:
        named["num_inference_steps"] = options["steps"]
    own = takes.get("guidance_scale")
    true = "true_cfg_scale" in takes and (own is None or own.default is None)
    if true:
        named["negative_prompt"] = " "
    if "guidance" in options:
        named["true_cfg_scale" if true else "guidance_scale"] = options["guidance"]
    return named


def _known(pipeline: Any, named: Mapping[str, Any]) -> dict[str, Any]:
    takes = inspect.signature(pipeline.__call__).parameters
    return {name: value for name, value in named.items() if name in takes}


def _value(text: str) -> Any:
    """A passed argument: a number or yes and no where it reads as one, else the text."""
    if text in ("True", "False"):
        return text == "True"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _pixels(found: Any, model: str) -> Pixels:
    """The pixels of what a pipeline gave back."""
    if any(getattr(found, "nsfw_content_detected", None) or ()):
        raise Refused(f"{model} held its picture back: its safety checker did not like it.")
    pictures = getattr(found, "images", None)
    first = pictures[0] if isinstance(pictures, list) and pictures else None
    if not isinstance(first, Image.Image):
        raise NoOutput(f"{model} gave back a {type(found).__name__} without a picture in it.")
    return np.asarray(first.convert("RGBA" if first.mode == "RGBA" else "RGB"))


# ── loading ─────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=1)
def loaded(
    model: str, kind: str, revision: str | None, *,
    dtype: str | None, device: str | None, offload: bool,
) -> Any:  # fmt: skip
    """The pipeline, loaded once a process from what is on this machine."""
    try:
        import diffusers
        import torch
        from safetensors import SafetensorError
        from transformers.utils import logging
    except ImportError as error:
        raise Unavailable(
            f"{model} cannot be run: {error}.", "It needs diffusers and torch.", INSTALL
        ) from None
    for library in (diffusers.utils.logging, logging):
        library.set_verbosity_error()
        library.disable_progress_bar()
    where = device or _device(torch)
    chosen = dtype or ("float32" if where == "cpu" else "bfloat16")
    maker = getattr(diffusers, kind or "DiffusionPipeline", None)
    if not inspect.isclass(maker) or not hasattr(maker, "from_pretrained"):
        raise UserMistake(
            f"diffusers {diffusers.__version__} has no pipeline {kind!r}.",
            "The name of one of its classes was expected, such as QwenImageEditPipeline.",
            "Leave pipeline= away for the one that the model names itself.",
        )
    try:
        # Weights as safetensors only, and no code from a repository: neither can run anything.
        pipeline = maker.from_pretrained(
            model, revision=revision, dtype=getattr(torch, chosen),
            local_files_only=True, use_safetensors=True,
        )  # fmt: skip
    except (*_UNLOADABLE, SafetensorError) as error:
        raise _missing(model, error) from None
    pipeline.set_progress_bar_config(disable=True)
    if offload:
        pipeline.enable_model_cpu_offload(device=where)
        return pipeline
    return pipeline.to(where)


def _device(torch: Any) -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


# What the libraries raise over files that are not there, or are not what they should be.
_UNLOADABLE = (OSError, ValueError, KeyError, ImportError, AttributeError, RuntimeError, TypeError)


def _missing(model: str, error: Exception) -> Unavailable:
    said = " ".join(str(error).split())[:300].rstrip(".") or type(error).__name__
    return Unavailable(
        f"{model} cannot be loaded from this machine: {said}.",
        "A folder of a pipeline, or a model that the hub's cache holds, was expected.",
        "" if Path(model).is_dir() else f"Get it with: hf download {model}",
    )
