"""`comfyui:http://HOST:8188;workflow=FILE.json`: a ComfyUI workflow of your own, over HTTP."""

import hashlib
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from overpaint.core import Request
from overpaint.document import Document
from overpaint.document.layers import Pixels
from overpaint.document.pictures import encode_png
from overpaint.editors.fitting import Fitted, fitted, mask_picture
from overpaint.editors.options import Given, given, number, sizes, whole
from overpaint.editors.servers import Call, Patience, asked, picture, told
from overpaint.editors.workflows import (
    Saved,
    Workflow,
    fault,
    image_name,
    invalid,
    read_workflow,
    saved,
)
from overpaint.errors import NoOutput, Unavailable, Unreachable, Unreadable, UserMistake
from overpaint.models.names import Endpoint, endpoint
from overpaint.models.server import Failure, quoted

DEADLINE = 600.0  # seconds for one picture, waiting in the queue included
OPTIONS = {
    "workflow": lambda text: Path(text).expanduser(),
    "grid": whole(1, 1024),
    "size": sizes,
    "seed": whole(0, 2**63 - 1),
    "deadline": number(0.1, 86_400),
    "retries": whole(0, 20),
}
_FIRST, _LONGEST = 0.05, 2.0  # seconds between two looks at the history


@dataclass(frozen=True)
class ComfyUI:
    """Runs a ComfyUI workflow: `comfyui:http://HOST:8188;workflow=FILE.json[;seed=N][;size=…]`."""

    spec: str

    def __post_init__(self) -> None:
        """An address or workflow that cannot be used is said before anything is run."""
        _ = self._endpoint, self._workflow

    def __call__(self, request: Request) -> Document:
        options = self._given.options
        sent = fitted(request, grid=options.get("grid", 1), sizes=options.get("size", ()))
        job = _Job(self._endpoint, options.get("deadline", DEADLINE), options.get("retries", 2))
        try:
            pixels, notes = job.done(self._workflow, sent, options.get("seed"))
        except Failure as failure:
            if failure.name == "model":  # what a path that is not there means elsewhere
                raise Unavailable(
                    f"{self.host} has not what ComfyUI has: {failure.error.wrong}",
                    f"Is {self._endpoint.address} where ComfyUI is?",
                ) from None
            raise failure.error from None
        return sent.answered(pixels, notes)

    @property
    def host(self) -> str:
        """Whom the pictures go to."""
        return self._endpoint.host

    @cached_property
    def _given(self) -> Given:
        return given(self.spec, "comfyui", OPTIONS)

    @cached_property
    def _endpoint(self) -> Endpoint:
        if not self._given.head.lower().startswith(("http://", "https://")):
            raise UserMistake(
                f"comfyui:{self.spec} does not say where ComfyUI is.",
                "It is comfyui:http://HOST:8188;workflow=FILE.json",
            )
        return endpoint(f"{self._given.head}#comfyui")

    @cached_property
    def _workflow(self) -> Workflow:
        if "workflow" not in self._given.options:
            raise UserMistake(
                f"comfyui:{self.spec} does not say which workflow.",
                "It is comfyui:http://HOST:8188;workflow=FILE.json",
            )
        return read_workflow(self._given.options["workflow"])


@dataclass(frozen=True)
class _Job:
    """One picture's way through the queue, within one deadline."""

    endpoint: Endpoint
    deadline: float
    retries: int

    @cached_property
    def _until(self) -> float:
        return time.monotonic() + self.deadline

    @property
    def _patience(self) -> Patience:
        return Patience(max(0.01, self._until - time.monotonic()), self.retries)

    def done(
        self, workflow: Workflow, sent: Fitted, seed: int | None
    ) -> tuple[Pixels, tuple[str, ...]]:
        """The pixels that the workflow made, and what of the request it has no place for."""
        _ = self._until  # the clock starts
        pictures = list(sent.pictures)
        notes = [*_unasked(workflow, sent)]
        if sent.mask is not None and not workflow.masks and workflow.reads_alpha:
            pictures[0] = np.dstack([sent.picture, np.where(sent.mask, 0, 255).astype(np.uint8)])
        values = {"instruction": sent.prompt(len(workflow.pictures))}
        for nth, pixels in enumerate(pictures[: len(workflow.pictures)], 1):
            values[image_name(nth)] = self._uploaded(pixels)
        if workflow.masks:
            everywhere = np.ones(pictures[0].shape[:2], bool)
            drawn = everywhere if sent.mask is None else sent.mask
            values["mask"] = self._uploaded(mask_picture(drawn))
        key = self._queued(workflow.filled(values, seed=seed))
        found = self._waited(key)
        if len(found) > 1:
            notes.append(f"the workflow made {len(found)} pictures; the first was taken")
        seen = asked(self.endpoint, Call("GET", "/view", query=found[0].query), self._patience)
        return picture(self.endpoint, seen), tuple(notes)

    def _uploaded(self, pixels: Pixels) -> str:
        """Upload a picture under its hash; the name that ComfyUI has given it."""
        data = encode_png(pixels)
        name = f"overpaint-{hashlib.sha256(data).hexdigest()[:24]}.png"
        files = [("image", (name, data, "image/png"))]
        call = Call("POST", "/upload/image", {"overwrite": "true"}, files)
        reply = told(self.endpoint, call, self._patience)
        given, folder = reply.get("name"), reply.get("subfolder")
        if not isinstance(given, str):
            raise Unreadable(f"{self.endpoint.host} took a picture but did not name it.")
        return f"{folder}/{given}" if isinstance(folder, str) and folder else given

    def _queued(self, nodes: dict[str, Any]) -> str:
        body = {"prompt": nodes, "client_id": "overpaint"}
        call = Call("POST", "/prompt", json=body, takes=(200, 400))
        reply = told(self.endpoint, call, self._patience)
        key = reply.get("prompt_id")
        if not isinstance(key, str) and (why := invalid(reply)):
            raise UserMistake(
                f"{self.endpoint.host} does not take the workflow: {quoted(why, self.endpoint)}.",
                "It was made for other nodes or models than are installed there.",
                "Run it in ComfyUI itself, then export it again.",
            )
        if not isinstance(key, str) or not key.isprintable() or len(key) > 200 or "/" in key:
            raise Unreadable(f"{self.endpoint.host} queued the workflow but gave it no id.")
        return key

    def _waited(self, key: str) -> list[Saved]:
        """The pictures of a job that is done; `NoOutput` where it failed or saved none."""
        for _ in self._looks():
            reply = told(self.endpoint, Call("GET", f"/history/{key}"), self._patience)
            entry = reply.get(key)
            if not isinstance(entry, dict):
                continue
            if why := fault(entry.get("status")):
                raise NoOutput(f"The workflow failed: {quoted(why, self.endpoint)}.")
            if found := saved(entry.get("outputs")):
                return found
            raise NoOutput(
                "The workflow ended without a picture.", "A SaveImage node was expected in it."
            )
        with suppress(Failure):  # nobody waits for it any more
            asked(self.endpoint, Call("POST", "/queue", json={"delete": [key]}), Patience(5, 0))
        raise Unreachable(
            f"{self.endpoint.host} had not done the workflow after {self.deadline:g} s.",
            "",
            "Give it longer with ;deadline=SECONDS, or look at its queue.",
        )

    def _looks(self) -> Iterator[None]:
        """A look now and then until the deadline."""
        pause = _FIRST
        while time.monotonic() < self._until:
            yield
            time.sleep(min(pause, max(0.0, self._until - time.monotonic())))
            pause = min(_LONGEST, pause * 1.5)


def _unasked(workflow: Workflow, sent: Fitted) -> Iterator[str]:
    """What of a request the workflow has no place for."""
    more = len(sent.pictures) - len(workflow.pictures)
    if more > 0:
        yield f"the workflow has no place for {more} of the reference pictures"
    if sent.mask is not None and not workflow.masks and not workflow.reads_alpha:
        yield "the workflow takes no mask; it was laid over what came back"
