"""What a request to the fake server asks: prompt, pictures, schema; a hostile one is refused."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from overpaint.errors import unread


class BadRequest(ValueError):
    """The body is not a chat completion request; the words say why."""


@dataclass(frozen=True)
class Asked:
    """One request for a chat completion, as a script's function and rules see it."""

    prompt: str  # the first text of the last message that is not the model's own
    pictures: tuple[str, ...] = ()  # their URLs, most often data:image/…;base64,…
    schema: Mapping[str, Any] | None = None  # the JSON schema of the response_format, if any
    model: str = "fake"
    nth: int = 0  # how often the very same body had come before
    body: Mapping[str, Any] = field(default_factory=dict, repr=False)  # all that was sent
    hash: str = ""  # SHA-256 of the body's bytes
    texts: tuple[str, ...] = ()  # of all messages, the prompt among them

    @property
    def words(self) -> str:
        """All that was said, in which rules look for what they answer."""
        return "\n\n".join(self.texts or (self.prompt,))

    @property
    def wants_format(self) -> bool:
        """Whether the reply is asked for in a format, JSON or a schema's."""
        return self.body.get("response_format") is not None


def read_request(raw: bytes, hashed: str, nth: int) -> Asked:
    """The request in a body's bytes; `BadRequest` says why there is none."""
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"the body is not JSON: {unread(error)}") from error
    if not isinstance(body, dict):
        raise BadRequest(f"the body is a {type(body).__name__}, an object was expected")
    if body.get("stream"):
        raise BadRequest("this server does not stream; leave out stream")
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise BadRequest("messages is not a list of at least one message")
    texts: list[str] = []
    pictures: list[str] = []
    prompt = ""
    for message in messages:
        parts = _parts(message)
        said = [value for kind, value in parts if kind == "text"]
        pictures += [value for kind, value in parts if kind == "image_url"]
        texts += said
        prompt = said[0] if said and message.get("role") != "assistant" else prompt
    schema, model = _schema(body.get("response_format")), str(body.get("model", ""))
    return Asked(prompt, tuple(pictures), schema, model, nth, body, hashed, tuple(texts))


def _parts(message: Any) -> list[tuple[str, str]]:
    if not isinstance(message, dict):
        raise BadRequest(f"a message is a {type(message).__name__}, an object was expected")
    content = message.get("content")
    if isinstance(content, str):
        return [("text", content)]
    if not isinstance(content, list | None):
        raise BadRequest("the content of a message is neither text nor a list of parts")
    return [_part(part) for part in content or ()]


def _part(part: Any) -> tuple[str, str]:
    kind = part.get("type") if isinstance(part, dict) else None
    value = part.get(kind) if kind in ("text", "image_url") else None
    if isinstance(value, dict):
        value = value.get("url")
    if not isinstance(value, str):
        raise BadRequest(f"a part of type {kind!r} was sent; text and image_url are understood")
    return str(kind), value


def _schema(wanted: Any) -> Mapping[str, Any] | None:
    inner = wanted.get("json_schema") if isinstance(wanted, dict) else None
    schema = inner.get("schema") if isinstance(inner, dict) else None
    return schema if isinstance(schema, dict) else None


def digest(*parts: str | bytes | int) -> bytes:
    """32 bytes that depend on all parts and on where one ends and the next begins."""
    told = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
        told.update(len(data).to_bytes(8, "big"))
        told.update(data)
    return told.digest()
