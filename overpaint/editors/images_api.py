"""`images:MODEL`: any server with an OpenAI-style `images/edits` endpoint, a vendor's or your own.

    images:openai/gpt-image-1;size=1024x1024/1536x1024/1024x1536
    images:http://localhost:8000/v1#qwen-image-edit;grid=32;mask=mask_image

Servers differ in what they take. What one declines by name (a mask, a size, how to answer) is
left out from then on and noted on the picture; where the request has a mask, it is laid over
the answer here in any case.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from overpaint.core import Request
from overpaint.document import Document
from overpaint.document.layers import Pixels
from overpaint.document.pictures import encode_png
from overpaint.editors.fitting import Fitted, fitted, mask_picture
from overpaint.editors.options import Given, given, number, one_of, sizes, whole
from overpaint.editors.servers import (
    Call,
    File,
    Patience,
    from_base64,
    picture,
    told,
)
from overpaint.errors import NoOutput, Unreadable, UserMistake
from overpaint.models.names import Endpoint, endpoint
from overpaint.models.server import Failure, quoted

PATH = "/images/edits"
OPTIONS = {
    "grid": whole(1, 1024),
    "size": sizes,
    "mask": one_of("mask", "mask_image", "none"),
    "deadline": number(0.1, 86_400),
    "retries": whole(0, 20),
}


@dataclass(frozen=True)
class Dialect:
    """What a server has been found to take."""

    several: str = "image[]"  # the field of more pictures than one; or "image", repeated
    without: frozenset[str] = frozenset()  # fields that it declined


@dataclass(frozen=True)
class Images:
    """Asks an OpenAI-style `images/edits` endpoint: `images:MODEL[;size=…][;grid=…][;mask=…]`."""

    spec: str
    _learnt: list[Dialect] = field(default_factory=list, repr=False, compare=False)

    def __post_init__(self) -> None:
        """A spec that means no server is said before anything is run."""
        if not self._endpoint.address:
            raise UserMistake(
                f"images:{self.spec} names a model of this machine.",
                "A server's was expected, such as http://localhost:8000/v1#MODEL.",
                "For weights of your own there is diffusers:MODEL.",
            )

    def __call__(self, request: Request) -> Document:
        options = self._given.options
        sent = fitted(request, grid=options.get("grid", 1), sizes=options.get("size", ()))
        try:
            reply, notes = self._asked(sent)
        except Failure as failure:
            raise failure.error from None
        return sent.answered(picture_in(reply, self._endpoint, PATH), notes)

    @property
    def host(self) -> str:
        """Whom the pictures go to."""
        return self._endpoint.host

    @cached_property
    def _given(self) -> Given:
        return given(self.spec, "images", OPTIONS, passing="form")

    @cached_property
    def _endpoint(self) -> Endpoint:
        return endpoint(self._given.head)

    # ── asking ──────────────────────────────────────────────────────────────────────────

    def _asked(self, sent: Fitted) -> tuple[dict[str, Any], list[str]]:
        calls = partial(self._call, sent)
        return told_by(self._endpoint, calls, patience_of(self._given), self._learnt)

    def _call(self, sent: Fitted, dialect: Dialect) -> tuple[Call, list[str]]:
        form = {
            "model": self._endpoint.model,
            "prompt": sent.prompt(),
            "n": "1",
            "response_format": "b64_json",
        }
        if "size" in self._given.options or not sent.leads:  # else the picture tells it
            form["size"] = "{}x{}".format(*sent.fit.canvas)
        form |= self._given.passed
        kept, notes = kept_fields(form, dialect)
        pictures = sent.pictures
        name = "image" if len(pictures) == 1 else dialect.several
        files = [_file(name, number, pixels) for number, pixels in enumerate(pictures, 1)]
        mask = self._given.options.get("mask", "mask")
        if sent.mask is not None and mask != "none" and mask not in dialect.without:
            files.append(_file(mask, 0, mask_picture(sent.mask)))
        return Call("POST", PATH, kept, files), notes


# ── what image servers have in common ───────────────────────────────────────────────────────


def patience_of(asked: Given) -> Patience:
    """How long a spec says that its server is waited for."""
    return Patience(asked.options.get("deadline", 300.0), asked.options.get("retries", 2))


def told_by(
    endpoint: Endpoint,
    calls: Callable[[Dialect], tuple[Call, list[str]]],
    patience: Patience,
    learnt: list[Dialect],
) -> tuple[dict[str, Any], list[str]]:
    """What a server says, asked once more without what it declines by name; and notes on it."""
    while True:
        dialect = learnt[-1] if learnt else Dialect()
        call, notes = calls(dialect)
        try:
            return told(endpoint, call, patience), notes
        except Failure as failure:
            other = _other(failure, call, dialect)
            if other is None:
                raise
            learnt.append(other)


def kept_fields(form: dict[str, Any], dialect: Dialect) -> tuple[dict[str, Any], list[str]]:
    """The fields that a server has not declined, and notes on those that it has."""
    notes = [f"the server declined {name}" for name in sorted(dialect.without & _TOLD)]
    return {key: value for key, value in form.items() if key not in dialect.without}, notes


def picture_in(reply: dict[str, Any], endpoint: Endpoint, path: str) -> Pixels:
    """The pixels of the first picture in a reply."""
    data, host = reply.get("data"), endpoint.host
    if not isinstance(data, list):
        said = quoted(str(reply.get("error") or list(reply)[:6]), endpoint)
        raise Unreadable(
            f"{host} does not answer as {path.strip('/')} does: {said}.",
            "A reply has data, a list of pictures.",
            f"Is {endpoint.address} the base of an OpenAI-style API?",
        )
    first = next((one for one in data if isinstance(one, dict)), {})
    text, link = first.get("b64_json"), first.get("url")
    if not isinstance(text, str) and isinstance(link, str):
        if not link[:5].lower() == "data:":
            raise Unreadable(
                f"{host} sent an address instead of a picture: {quoted(link, endpoint)}.",
                "Addresses are not followed: they may lead anywhere. b64_json was expected.",
                "Set the server to answer with b64_json.",
            )
        text = link
    if not isinstance(text, str) or not text:
        raise NoOutput(f"{host} answered without a picture.")
    return picture(endpoint, from_base64(endpoint, text))


_TOLD = frozenset(("mask", "mask_image", "size"))  # what a picture's notes name if it is declined
_OPTIONAL = ("response_format", "mask_image", "mask", "size", "n")


def _other(failure: Failure, call: Call, dialect: Dialect) -> Dialect | None:
    """How to ask instead of how a server declined to be asked; None where it named nothing."""
    if failure.name != "request":
        return None
    words = failure.error.wrong.replace("'", " ").replace('"', " ").replace(".", " ").split()
    sent = {*call.form, *(call.json or ()), *(name for name, _ in call.files)}
    for name in _OPTIONAL:
        if name in sent and name in words:
            return replace(dialect, without=dialect.without | {name})
    if "image[]" in sent and any(word.startswith("image") for word in words):
        return replace(dialect, several="image")
    return None


def _file(name: str, number: int, pixels: Pixels) -> File:
    called = f"picture{number}.png" if number else "mask.png"
    return name, (called, encode_png(pixels), "image/png")
