"""One attempt at one OpenAI-style server, and every way in which it can fail, by name.

Servers differ in what they accept. What one declines by name (a form of reply, a parameter) is
left out from then on; what a reply means is read from its raw body, now and on every replay.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any

from overpaint.errors import (
    OverpaintError,
    Refused,
    Unavailable,
    Unreachable,
    Unreadable,
    UserMistake,
)
from overpaint.models.names import Endpoint
from overpaint.models.pictures import Sent

LARGEST = 1024 * 1024  # bytes of a reply; a judge has no use for more
SHORTEST_KEY = 8
NEVER = 1e9  # seconds: whoever asks for more asks for this
BELIEVED = 60.0  # seconds, at most, of a pause that only the clock of this machine tells
SAID = 300  # characters of a server's own words that a message repeats
FORMS = ("json_schema", "json_object", "text")  # of reply asked for, the strictest first


@dataclass(frozen=True)
class Dialect:
    """What a server has been found to accept."""

    form: str = FORMS[0]
    longest: str = "max_tokens"  # or max_completion_tokens
    temperature: bool = True


@dataclass(frozen=True)
class Body:
    """A question in a server's words, but for what its dialect decides."""

    model: str
    content: tuple[Mapping[str, Any], ...]
    schema: Mapping[str, Any] | None
    longest: int

    def said(self, dialect: Dialect) -> dict[str, Any]:
        """The request's body."""
        body: dict[str, Any] = {
            "messages": [{"role": "user", "content": list(self.content)}],
            "model": self.model,
            dialect.longest: self.longest,
        }
        if self.schema is not None and dialect.form == "json_schema":
            named = {"name": "reply", "strict": True, "schema": dict(self.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif self.schema is not None and dialect.form == "json_object":
            body["response_format"] = {"type": "json_object"}
        if dialect.temperature:
            body["temperature"] = 0
        return body


def content(prompt: str, pictures: Sequence[Sent]) -> tuple[Mapping[str, Any], ...]:
    """The words, then each picture under its number."""
    parts: list[Mapping[str, Any]] = [{"type": "text", "text": prompt}]
    for number, picture in enumerate(pictures, 1):
        parts += [
            {"type": "text", "text": f"Picture {number}:"},
            {"type": "image_url", "image_url": {"url": picture.url}},
        ]
    return tuple(parts)


# ── one attempt ─────────────────────────────────────────────────────────────────────────────


@dataclass(eq=False)
class Failure(Exception):
    """An attempt that gave no reply: what it is called, and what may be done about it."""

    name: str
    error: OverpaintError
    again: bool = False  # whether to try once more
    pause: float | None = None  # seconds the server asked for
    silent: bool = False  # it ended without a usable word: the server may have done its work
    dialect: Dialect | None = None  # what to try instead


@cache
def client(endpoint: Endpoint, connections: int) -> Any:
    """The client library's client for that endpoint; it makes no retries of its own."""
    import httpx2

    limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
    try:
        return _client(endpoint, limits)
    except CANNOT_ASK as error:
        raise cannot_ask(endpoint, error) from error


# What a wrong proxy or certificate in the environment raises.
CANNOT_ASK = (ImportError, OSError, ValueError, UnicodeError)


def cannot_ask(endpoint: Endpoint, error: BaseException) -> UserMistake:
    """What is wrong where no client can be made for an endpoint."""
    return UserMistake(
        f"{endpoint.host} cannot be asked from here: {type(error).__name__}: {error}.",
        "The environment names a proxy, a certificate or an address that cannot be used.",
        "Look at ALL_PROXY, HTTPS_PROXY and SSL_CERT_FILE.",
    )


def _client(endpoint: Endpoint, limits: Any) -> Any:
    import openai

    from overpaint.models.deadline import kept_by

    return openai.OpenAI(
        base_url=endpoint.address, api_key=endpoint.key() or "none", max_retries=0,
        # A redirect would take the pictures, and the key, to a host that no line has named.
        http_client=kept_by(
            openai.DefaultHttpxClient(limits=limits, timeout=None, follow_redirects=False)
        ),
    )  # fmt: skip


def attempt(
    endpoint: Endpoint, body: Body, dialect: Dialect, *, deadline: float, connections: int
) -> str:
    """The raw reply, whatever it says; raises `Failure` where there is none."""
    if not endpoint.address:
        return _here(endpoint, body)
    import httpx2
    import openai

    from overpaint.models.deadline import within

    asked = client(endpoint, connections).chat.completions.with_streaming_response
    # A body of its own is sent as it is; parameters would be held against the library's types one
    # by one, which costs more than all the rest of a call.
    said: dict[str, Any] = {"model": body.model, "messages": [], "extra_body": body.said(dialect)}
    try:
        with within(deadline, 2 * LARGEST), asked.create(**said, timeout=deadline) as response:
            raw = _bounded(response.iter_bytes())
    except (openai.APITimeoutError, httpx2.TimeoutException) as error:
        why = f"{endpoint.host} did not answer within {deadline:g} s."
        raise Failure("timeout", Unreachable(why), again=True, silent=_left(error)) from None
    except openai.APIStatusError as error:
        raise status_failure(endpoint, error, dialect) from None
    except _cut() as error:
        why = f"The connection to {endpoint.host} failed: {quoted(cause_of(error), endpoint)}."
        raise Failure("connection", Unreachable(why), again=True, silent=_left(error)) from None
    if len(raw) > LARGEST:
        large = Unreadable(f"{endpoint.host} sent more than {LARGEST // 2**20} MB.")
        raise Failure("size", large, silent=True)  # the next would be as long, and paid for too
    text = raw.decode(json.detect_encoding(raw), "replace")
    if (found := json_object(text)) is None:
        shown = repr(quoted(text, endpoint)[:60]) if raw else "nothing"
        garbled = Unreadable(f"{endpoint.host} sent no JSON: {shown}.")
        raise Failure("garbled", garbled, again=True, silent=True)
    if not isinstance(found.get("choices"), list) or not found["choices"]:
        raise _other_dialect(endpoint, found)
    return _without_key(text, found, endpoint)


def _without_key(text: str, found: Mapping[str, Any], endpoint: Endpoint) -> str:
    """A reply as it is kept: a key that it repeats is taken out, also one spelt in escapes."""
    key = endpoint.key()
    if len(key) < SHORTEST_KEY or (key not in text and "\\" not in text):
        return text
    meant = json.dumps(found, ensure_ascii=False)
    return meant.replace(key, "(key)") if key in meant else text


def _here(endpoint: Endpoint, body: Body) -> str:
    """What a model on this machine says, in the form of a server's reply."""
    from overpaint.models.local import here

    prompt, *pictures = body.content
    try:
        found = here(endpoint.model).ask(prompt["text"], pictures, body.schema)
    except OverpaintError as error:
        raise Failure("local", error) from None
    used = {"prompt_tokens": found.tokens_in, "completion_tokens": found.tokens_out}
    said = {"message": {"role": "assistant", "content": found.text}, "finish_reason": "stop"}
    return json.dumps({"choices": [said], "usage": used}, ensure_ascii=False)


def _bounded(parts: Any) -> bytes:
    """A reply's bytes, as many as tell that it is too long."""
    found = bytearray()
    for part in parts:
        found += part
        if len(found) > LARGEST:
            break
    return bytes(found[: LARGEST + 1])


@cache
def _cut() -> tuple[type[Exception], ...]:
    """How client and transport say that there is no reply, or that it broke off in the middle."""
    import httpx2
    import openai

    return (openai.APIConnectionError, httpx2.HTTPError, httpx2.StreamError)


def _left(error: Exception) -> bool:
    """Whether the question may have left: not where nobody took the connection."""
    import httpx2

    refused = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.LocalProtocolError)
    return not isinstance(error.__cause__ or error, refused)


def cause_of(error: Exception) -> str:
    """What the system said, rather than what the client library made of it."""
    inner = error.__cause__ or error
    return f"{type(inner).__name__}: {inner}".rstrip(": .")


def json_object(text: str) -> dict[str, Any] | None:
    """The object that a text is as JSON; None where it is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _other_dialect(endpoint: Endpoint, found: Mapping[str, Any]) -> Failure:
    told = found.get("error")
    said = _message(told) if told else f"an object with {', '.join(list(found)[:6]) or 'nothing'}"
    return Failure("dialect", Unreadable(
        f"{endpoint.host} does not answer as OpenAI-style servers do: {quoted(said, endpoint)}.",
        "A reply has choices, the first with a message.",
        f"Is {endpoint.address} the base of an OpenAI-style API? It mostly ends in /v1.",
    ))  # fmt: skip


def _message(told: object) -> str:
    """What an error object says, however it is shaped."""
    if isinstance(told, Mapping):
        told = told.get("message") or told.get("detail") or told
    return str(told)


def quoted(text: str, endpoint: Endpoint) -> str:
    """What a server or the system said, as a message may repeat it: without the key, and short."""
    return _scrubbed(text, endpoint)[:SAID].rstrip(".")


def _scrubbed(text: str, endpoint: Endpoint) -> str:
    """The text without the key, which some servers repeat.

    What is shorter than any real key may be any word or figure of the reply, and stays.
    """
    key = endpoint.key()
    return text.replace(key, "(key)") if len(key) >= SHORTEST_KEY else text


# ── what a status means ─────────────────────────────────────────────────────────────────────


def status_failure(endpoint: Endpoint, error: Any, dialect: Dialect) -> Failure:
    """The failure that a server's status is."""
    code, told = error.status_code, error.body
    said = quoted(_message(told if told else error.message), endpoint)
    where = f"{endpoint.host} said {code}"
    if code == 429 and "insufficient_quota" in str(told):
        why = Unavailable(f"{where}: the account has no credit left ({said}).", "", "Add credit.")
        return Failure("quota", why)
    if code == 429:
        pause = _retry_after(error.response.headers)
        why_not = Unreachable(f"{where}, too many questions, to the last: {said}.")
        return Failure("rate", why_not, again=True, pause=pause)
    if 300 <= code < 400:
        to = quoted(str(error.response.headers.get("location", "elsewhere")), endpoint)
        moved = Unreachable(f"{where}: it sends questions on to {to}.", "", "Give that address.")
        return Failure("redirect", moved)
    if code in (408, 409) or code >= 500:
        return Failure("server", Unreachable(f"{where}: {said}."), again=True)
    if code in (401, 403):
        names = " or ".join(endpoint.keys) or "its key"
        why = Unavailable(f"{where}: the key was not accepted.", "", f"Check {names}.")
        return Failure("key", why)
    if code == 404:
        why = Unavailable(f"{where}: {said}.", f"Is {endpoint.model!r} a model it has?")
        return Failure("model", why)
    if (other := _declined(said, dialect)) is not None:
        return Failure("parameter", Unreachable(f"{where}: {said}."), again=True, dialect=other)
    if code == 413 or "too large" in said.lower():
        return Failure("size", Unreachable(f"{where}: the question is too large ({said})."))
    if "content" in said.lower() and ("policy" in said.lower() or "filter" in said.lower()):
        return Failure("refusal", Refused(f"{where}: {said}."))
    return Failure("request", Unreachable(f"{where}: {said}.", "It did not take the question."))


def _declined(said: str, dialect: Dialect) -> Dialect | None:
    """What to say instead of what a server declined by name; None if it named nothing."""
    low = said.lower()
    if "max_completion_tokens" in low and dialect.longest == "max_tokens":
        return replace(dialect, longest="max_completion_tokens")
    if "temperature" in low and dialect.temperature:
        return replace(dialect, temperature=False)
    formed = any(word in low for word in ("response_format", "json_schema", "json_object"))
    if formed and dialect.form != FORMS[-1]:
        return replace(dialect, form=FORMS[FORMS.index(dialect.form) + 1])
    return None


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait, given as a number or as a date; None where it does not.

    A date is held against the clock that it was read from, which the reply's own `Date` has: this
    machine's may be hours off. One that has passed tells nothing.
    """
    told = headers.get("retry-after", "").strip()
    try:
        return min(max(0.0, float(told)), NEVER) if told else None
    except ValueError:
        pass
    if (until := _moment(told)) is None:
        return None
    now = _moment(headers.get("date", ""))
    pause = min(until - time.time(), BELIEVED) if now is None else min(until - now, NEVER)
    return pause if pause > 0 else None


def _moment(told: str) -> float | None:
    """A header's date as seconds since 1970; None where it is none."""
    try:
        when = parsedate_to_datetime(told)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None


# ── what a reply says ───────────────────────────────────────────────────────────────────────


def spoken(raw: str) -> str:
    """The text of a raw reply; `Refused` or `Unreadable` where there is none."""
    found = json.loads(raw)
    choice = found["choices"][0]
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise Unreadable("The reply has no message in its first choice.")
    text, ended = _text(message.get("content")), str(choice.get("finish_reason"))
    if refusal := message.get("refusal"):
        raise Refused(f"The model declined: {str(refusal)[:SAID]}")
    if ended == "content_filter":
        raise Refused("The server's content filter held the reply back.")
    if ended == "length":
        raise Unreadable(f"The reply was cut off; it ends in {text[-40:]!r}.")
    return text


def _text(told: object) -> str:
    """A message's content: a text, or a list of parts of which some are text."""
    if isinstance(told, list):
        parts = [part.get("text") for part in told if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return told if isinstance(told, str) else ""


def tokens_of(raw: str) -> tuple[int | None, int | None]:
    """How many tokens went in and came out, as the raw reply says; None where it does not."""
    usage = json.loads(raw).get("usage")
    told = usage if isinstance(usage, dict) else {}
    found = (told.get("prompt_tokens"), told.get("completion_tokens"))
    counts = [n if type(n) is int and 0 <= n < 10**9 else None for n in found]
    return counts[0], counts[1]
