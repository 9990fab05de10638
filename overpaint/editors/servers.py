"""Servers that make pictures: one bounded exchange over HTTP, tried again where that may help.

What a server's status means is what `overpaint.models.server` says it means; so is what is
scrubbed of keys. Redirects are not followed: a picture goes to the host that was named.
"""

import base64
import binascii
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from overpaint.document.layers import Pixels
from overpaint.document.pictures import decode_picture
from overpaint.errors import PictureError, Refused, Unreachable, Unreadable
from overpaint.models.names import Endpoint
from overpaint.models.server import (
    CANNOT_ASK,
    Dialect,
    Failure,
    cannot_ask,
    cause_of,
    json_object,
    quoted,
    status_failure,
)

LARGEST = 128 * 1024 * 1024  # bytes of a reply: a PNG of the largest pictures, in base64
LONGEST_PAUSE = 120.0  # seconds; a server that asks for more is not there
_PATIENCE = 5  # times a host may say "too many" to one request
_PLAIN = Dialect("text", "max_completion_tokens", temperature=False)  # nothing to leave out
_MODERATED = ("moderation", "safety system", "safety_violation", "content_policy", "nsfw")

File = tuple[str, tuple[str, bytes, str]]  # field, (file name, bytes, kind)


@dataclass(frozen=True)
class Patience:
    """How long a server is waited for; none of it changes a picture."""

    deadline: float = 300.0  # seconds for one attempt
    retries: int = 2  # after the first attempt, for errors that may pass


@dataclass(frozen=True)
class Call:
    """What is sent: to which path below the endpoint's address, and with which body."""

    method: str
    path: str
    form: Mapping[str, str] = field(default_factory=dict)
    files: Sequence[File] = ()
    json: Any = None
    query: Mapping[str, str] = field(default_factory=dict)
    takes: tuple[int, ...] = (200,)  # statuses whose body is an answer


def asked(endpoint: Endpoint, call: Call, patience: Patience) -> bytes:
    """The body of the reply; the last `Failure` where there is none."""
    failed = rated = 0
    while True:
        try:
            return _attempt(endpoint, call, patience.deadline)
        except Failure as failure:
            rated += failure.name == "rate"
            failed += failure.name != "rate"
            pause = 1.0 if failure.pause is None else failure.pause
            if not failure.again or failed > patience.retries or rated > _PATIENCE:
                raise
            if pause > LONGEST_PAUSE:
                raise
            time.sleep(pause if failure.name == "rate" else _backoff(failed))


def told(endpoint: Endpoint, call: Call, patience: Patience) -> dict[str, Any]:
    """The JSON object of the reply; `Failure` where there is none."""
    raw = asked(endpoint, call, patience)
    found = json_object(raw.decode("utf-8", "replace"))
    if found is None:
        shown = repr(quoted(raw[:60].decode("utf-8", "replace"), endpoint)) if raw else "nothing"
        raise Failure("garbled", Unreadable(f"{endpoint.host} sent no JSON object: {shown}."))
    return found


def picture(endpoint: Endpoint, data: bytes) -> Pixels:
    """RGB or RGBA pixels of a picture that a server sent; `Unreadable` where it is none."""
    try:
        pixels, _ = decode_picture(data, Path(f"The picture from {endpoint.host}"))
    except PictureError as error:
        raise Unreadable(str(error)) from None
    return pixels


def from_base64(endpoint: Endpoint, text: str) -> bytes:
    """The bytes of a picture in base64, with or without `data:…,` before it."""
    plain = text.partition(",")[2] if text[:5].lower() == "data:" else text
    try:
        return base64.b64decode("".join(plain.split()), validate=True)  # some break its lines
    except (binascii.Error, ValueError):
        start = quoted(plain[:40], endpoint)
        raise Unreadable(f"{endpoint.host} sent a picture that is no base64: {start!r}.") from None


# ── one attempt ─────────────────────────────────────────────────────────────────────────────


def _attempt(endpoint: Endpoint, call: Call, deadline: float) -> bytes:
    import httpx2

    from overpaint.models.deadline import within

    client, request = _client(endpoint), _request(endpoint, call)
    try:
        with within(deadline, LARGEST):
            response = client.send(request)
    except httpx2.TimeoutException:
        why = f"{endpoint.host} did not answer within {deadline:g} s."
        raise Failure("timeout", Unreachable(why), again=True) from None
    except (httpx2.HTTPError, httpx2.StreamError) as error:
        why = f"The connection to {endpoint.host} failed: {quoted(cause_of(error), endpoint)}."
        large = "more than any reply" in why
        known = Unreadable(f"{endpoint.host} sent more than {LARGEST >> 20} MB.") if large else None
        raise Failure("connection", known or Unreachable(why), again=not large) from None
    if response.status_code not in call.takes:
        raise _failure(endpoint, response)
    body: bytes = response.content
    return body


@cache
def _client(endpoint: Endpoint) -> Any:
    import httpx2

    from overpaint.models.deadline import kept_by

    try:
        return kept_by(httpx2.Client(timeout=None, follow_redirects=False))
    except CANNOT_ASK as error:
        raise cannot_ask(endpoint, error) from error


def _request(endpoint: Endpoint, call: Call) -> Any:
    key = endpoint.key()
    headers = {"authorization": f"Bearer {key}"} if key else {}
    body: dict[str, Any] = {"data": dict(call.form)} if call.form else {}
    body |= {"files": list(call.files)} if call.files else {}
    body |= {"json": call.json} if call.json is not None else {}
    if call.query:
        body["params"] = dict(call.query)
    address = f"{endpoint.address}{call.path}"
    return _client(endpoint).build_request(call.method, address, headers=headers, **body)


@dataclass(frozen=True)
class _Said:
    """A refusal in the form in which the models' room reads them."""

    status_code: int
    body: Any
    message: str
    response: Any


def _failure(endpoint: Endpoint, response: Any) -> Failure:
    """The failure that a status is; what a server's moderation declined is a refusal."""
    text = response.content[:100_000].decode("utf-8", "replace")
    found = json_object(text)
    body = (found.get("error") or found.get("detail") or found) if found else None
    said = _Said(response.status_code, body, text or "nothing", response)
    if 400 <= response.status_code < 500 and any(word in text.lower() for word in _MODERATED):
        message = body.get("message") if isinstance(body, dict) else text
        why = Refused(f"{endpoint.host} declined: {quoted(str(message), endpoint)}.")
        return Failure("refusal", why)
    return status_failure(endpoint, said, _PLAIN)


def _backoff(failed: int) -> float:
    return min(20.0, 0.25 * 2.0**failed) * random.uniform(0.5, 1.0)
