"""Text-to-image models: a prompt and a size in, a picture of that size out.

    generations:openai/gpt-image-1;size=1024x1024/1536x1024/1024x1536
    generations:http://localhost:8000/v1#qwen-image;grid=32
    diffusers:black-forest-labs/FLUX.1-dev;steps=28;guidance=3.5;seed=1

A backend makes the size of its own that is nearest in form; its picture is cropped around the
middle to the wanted form, scaled, and that is noted.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np

from overpaint.document import Document
from overpaint.document.layers import Pixels
from overpaint.editors import diffusers_pipeline, images_api
from overpaint.editors.fitting import fit, resized
from overpaint.editors.images_api import Dialect, kept_fields, patience_of, picture_in, told_by
from overpaint.editors.options import Given, Size, given
from overpaint.editors.servers import Call
from overpaint.errors import UserMistake
from overpaint.models.names import Endpoint, endpoint
from overpaint.models.server import Failure

PATH = "/images/generations"
OPTIONS = {key: read for key, read in images_api.OPTIONS.items() if key != "mask"}
# Pipelines that edit when they are given a picture, and make one from words alone when not.
EITHER = ("Flux2Pipeline", "Flux2KleinPipeline")


class Painter(Protocol):
    """Whoever makes a picture from words."""

    @property
    def name(self) -> str:
        """What it is called in a trajectory."""
        ...

    @property
    def host(self) -> str:
        """Whom the prompt goes to; "" where it stays on this machine."""
        ...

    def __call__(self, prompt: str, size: Size, /) -> Document:
        """A picture of that size; an error with a status if there is none."""
        ...


def painter(spec: str) -> Painter:
    """The text-to-image backend of a spec; `UserMistake` where it is none."""
    kind, _, argument = spec.partition(":")
    makers: dict[str, Callable[[str], Painter]]
    makers = {"generations": Generations, "diffusers": Diffused}
    if kind not in makers or not argument.split(";")[0].strip():
        raise UserMistake(
            f"{spec or 'nothing'!r} makes no picture from words.",
            "Expected was generations:MODEL or diffusers:MODEL.",
            "A server of your own is generations:http://localhost:8000/v1#MODEL.",
        )
    return makers[kind](argument)


# ── a server ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Generations:
    """An OpenAI-style `images/generations` endpoint: `MODEL[;size=…][;grid=…][;form.NAME=…]`."""

    spec: str
    _learnt: list[Dialect] = field(default_factory=list, repr=False, compare=False)

    def __post_init__(self) -> None:
        """A spec that means no server is said before anything is run."""
        if not self._endpoint.address:
            raise UserMistake(
                f"generations:{self.spec} names a model of this machine.",
                "A server's was expected, such as http://localhost:8000/v1#MODEL.",
                "For weights of your own there is diffusers:MODEL.",
            )

    def __call__(self, prompt: str, size: Size) -> Document:
        canvas = _canvas(size, self._given, grid=1)
        calls = partial(self._call, prompt, canvas)
        try:
            patience = patience_of(self._given)
            reply, notes = told_by(self._endpoint, calls, patience, self._learnt)
        except Failure as failure:
            raise failure.error from None
        return brought(picture_in(reply, self._endpoint, PATH), size, notes)

    @property
    def name(self) -> str:
        """The model's."""
        return self._endpoint.short

    @property
    def host(self) -> str:
        """Whom the prompt goes to."""
        return self._endpoint.host

    def _call(self, prompt: str, canvas: Size, dialect: Dialect) -> tuple[Call, list[str]]:
        body = {
            "model": self._endpoint.model, "prompt": prompt, "n": 1,
            "size": "{}x{}".format(*canvas), "response_format": "b64_json",
        }  # fmt: skip
        kept, notes = kept_fields(body | dict(self._given.passed), dialect)
        return Call("POST", PATH, json=kept), notes

    @cached_property
    def _given(self) -> Given:
        return given(self.spec, "generations", OPTIONS, passing="form")

    @cached_property
    def _endpoint(self) -> Endpoint:
        return endpoint(self._given.head)


# ── weights here ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Diffused:
    """A text-to-image pipeline of diffusers, with the options that its editors have."""

    spec: str
    host = ""

    def __post_init__(self) -> None:
        """An option that is none is said before anything is run."""
        _ = self._given

    def __call__(self, prompt: str, size: Size) -> Document:
        pipeline, grid = diffusers_pipeline.ready(self._given)
        _check(pipeline, self._given.head)
        canvas = _canvas(size, self._given, grid=grid)
        named = diffusers_pipeline.asked_of(pipeline, prompt, canvas, self._given)
        return brought(diffusers_pipeline.ran(pipeline, named, self._given), size)

    @property
    def name(self) -> str:
        """The model's."""
        return self._given.head

    @cached_property
    def _given(self) -> Given:
        return given(self.spec, "diffusers", diffusers_pipeline.OPTIONS, passing="arg")


def _check(pipeline: Any, model: str) -> None:
    """That a pipeline makes pictures of words alone."""
    takes, kind = inspect.signature(pipeline.__call__).parameters, type(pipeline).__name__
    if "prompt" not in takes or ("image" in takes and kind not in EITHER):
        raise UserMistake(
            f"{model} is a {kind}, which edits pictures and makes none from words.",
            "A text-to-image pipeline was expected.",
            "Another class for the same weights is chosen with ;pipeline=NAME.",
        )


# ── sizes ───────────────────────────────────────────────────────────────────────────────────


def _canvas(size: Size, asked: Given, *, grid: int) -> Size:
    """The size that a backend is asked for."""
    sizes: Sequence[Size] = asked.options.get("size", ())
    return fit(size, grid=asked.options.get("grid", grid), sizes=sizes).canvas


def brought(pixels: Pixels, size: Size, notes: Sequence[str] = ()) -> Document:
    """What was made, in the wanted size: cropped around the middle to its form, then scaled."""
    came = (pixels.shape[1], pixels.shape[0])
    if came == size:
        return replace(Document.of(pixels), said=tuple(notes))
    scale = min(came[0] / size[0], came[1] / size[1])
    wide, high = (max(1, min(round(s * scale), c)) for s, c in zip(size, came, strict=True))
    left, top = (came[0] - wide) // 2, (came[1] - high) // 2
    cropped = np.ascontiguousarray(pixels[top : top + high, left : left + wide])
    did = ("cropped",) * ((wide, high) != came) + ("scaled",) * ((wide, high) != size)
    told = f"made at {came[0]}×{came[1]}, {' and '.join(did)} to {size[0]}×{size[1]}"
    return replace(Document.of(resized(cropped, size)), said=(*notes, told))
