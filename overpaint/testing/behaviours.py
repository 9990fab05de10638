"""Every way in which the fake server can answer, rightly or wrongly: one table, a line each."""

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import formatdate
from types import MappingProxyType
from typing import Any

from overpaint.testing.answer import Answer, as_json, completion, failure
from overpaint.testing.asked import Asked

_DEEP = 16  # levels of a reply in which numbers are replaced
_GATEWAY = b"<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>\n"
_NOISE = bytes((n * 89 + 7) % 256 for n in range(512))
_CHINESE = "我认为这次编辑可以得四分，满分五分。文字清晰，背景没有变化，字体也与原图一致。"
_PROSE = "I would give this edit a four out of five. The words are right, and the rest stayed."
_THOUGHT = "The picture first. The words look right, though the edge is soft."


@dataclass(frozen=True)
class How:
    """How a behaviour is played: its seconds, bytes, and the right reply it starts from."""

    text: str = ""
    seconds: float | None = None
    size: int | None = None

    def wait(self, otherwise: float) -> float:
        """The seconds asked for, `otherwise` where none are."""
        return otherwise if self.seconds is None else self.seconds


Make = Callable[[Asked, How], Answer]


@dataclass(frozen=True)
class Behaviour:
    """One way to answer, what a client sees of it, and whether it says the scripted reply."""

    name: str
    about: str
    make: Make
    speaks: bool

    def uses_reply(self, asked: Asked) -> bool:
        """Whether this answer uses up one of the replies in order."""
        return self.speaks and not (self.name == "no_format" and asked.wants_format)


# ── right answers ───────────────────────────────────────────────────────────────────────


def _ok(asked: Asked, how: How) -> Answer:
    return as_json(completion(asked, how.text))


def _delay(asked: Asked, how: How) -> Answer:
    return as_json(completion(asked, how.text), seconds=how.wait(0.2))


def _no_usage(asked: Asked, how: How) -> Answer:
    return as_json(completion(asked, how.text, usage=False))


def _reasoning(asked: Asked, how: How) -> Answer:
    return as_json(completion(asked, how.text, more={"reasoning_content": _THOUGHT}))


def _no_format(asked: Asked, how: How) -> Answer:
    if not asked.wants_format:
        return _ok(asked, how)
    told = "'response_format' is not supported with this model."
    return failure(400, told, "invalid_request_error", param="response_format")


# ── statuses ────────────────────────────────────────────────────────────────────────────


def _limited(*headers: tuple[str, str]) -> Answer:
    told = "Rate limit reached: 500 requests a minute. Please try again later."
    return failure(429, told, "requests", code="rate_limit_exceeded", headers=headers)


def _limited_bare(asked: Asked, how: How) -> Answer:
    return _limited()


def _limited_seconds(asked: Asked, how: How) -> Answer:
    return _limited(("Retry-After", f"{how.wait(1):g}"))


def _limited_date(asked: Asked, how: How) -> Answer:
    now = time.time()
    then = math.ceil(now + how.wait(1))  # a date has no fractions of a second
    dates = ("Date", now), ("Retry-After", then)
    return _limited(*((name, formatdate(when, usegmt=True)) for name, when in dates))


def _no_quota(asked: Asked, how: How) -> Answer:
    told = "You exceeded your current quota, please check your plan and billing details."
    return failure(429, told, "insufficient_quota", code="insufficient_quota")


def _error(status: int, told: str, kind: str, **more: Any) -> Make:
    return lambda asked, how: failure(status, told, kind, **more)


def _bad_gateway(asked: Asked, how: How) -> Answer:
    return Answer(502, _GATEWAY, "text/html")


def _no_model(asked: Asked, how: How) -> Answer:
    told = f"The model {asked.model[:100]!r} does not exist or you do not have access to it."
    return failure(404, told, "invalid_request_error", code="model_not_found")


# ── the wire ────────────────────────────────────────────────────────────────────────────


def _cut_before(asked: Asked, how: How) -> Answer:
    return Answer(raw=b"")


def _reset(asked: Asked, how: How) -> Answer:
    return Answer(raw=b"", reset=True)


def _cut_within(asked: Asked, how: How) -> Answer:
    whole = _ok(asked, how)
    return Answer(body=whole.body, keep=len(whole.body) // 2)


def _hang(asked: Asked, how: How) -> Answer:
    return Answer(never=True)


def _drip(asked: Asked, how: How) -> Answer:
    return Answer(body=_ok(asked, how).body, drip=max(how.wait(1.0), 0.001))


def _garbage(asked: Asked, how: How) -> Answer:
    return Answer(raw=_NOISE)


def _body(data: bytes) -> Make:
    return lambda asked, how: Answer(body=data)


# ── what is said ────────────────────────────────────────────────────────────────────────


def _says(change: Callable[[str], str | None]) -> Make:
    return lambda asked, how: as_json(completion(asked, change(how.text)))


def _refusal(asked: Asked, how: How) -> Answer:
    told = "I'm sorry, but I can't help with that."
    return as_json(completion(asked, None, more={"refusal": told}))


def _filtered(asked: Asked, how: How) -> Answer:
    return as_json(completion(asked, "", finish="content_filter"))


def _cut_off(asked: Asked, how: How) -> Answer:
    return as_json(completion(asked, how.text[: len(how.text) // 2], finish="length"))


def _huge(asked: Asked, how: How) -> Answer:
    size = 2_000_000 if how.size is None else how.size
    talk = (_PROSE + " ") * (size // len(_PROSE) + 1)
    return as_json(completion(asked, talk[:size] + how.text))


def _renumbered(text: str, value: Any) -> str:
    """The reply with `value` for each of its numbers; a reply without any gives a score."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        found = {"score": 0, "rationale": text[:1000]}
    return json.dumps(_swap(found, value, 0), ensure_ascii=False)


def _swap(found: Any, value: Any, depth: int) -> Any:
    if isinstance(found, int | float) and not isinstance(found, bool):
        return value
    if isinstance(found, dict) and depth < _DEEP:
        return {name: _swap(inner, value, depth + 1) for name, inner in found.items()}
    if isinstance(found, list) and depth < _DEEP:
        return [_swap(inner, value, depth + 1) for inner in found]
    return found


def _thinking(text: str) -> str:
    return f"<think>{_THOUGHT} Perhaps {_renumbered(text, 1)}? No.</think>\n\n{text}"


# ── other dialects ──────────────────────────────────────────────────────────────────────


def _anthropic(asked: Asked, how: How) -> Answer:
    return as_json(
        {
            "id": f"msg_{asked.hash[:16]}",
            "type": "message",
            "role": "assistant",
            "model": asked.model,
            "content": [{"type": "text", "text": how.text}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": len(asked.words) // 4, "output_tokens": len(how.text) // 4},
        }
    )


def _ollama(asked: Asked, how: How) -> Answer:
    message = {"role": "assistant", "content": how.text}
    return as_json({"model": asked.model, "message": message, "done": True})


def _error_in_200(asked: Asked, how: How) -> Answer:
    return as_json({"error": {"message": "The provider returned an error.", "code": 502}})


# ── the table ───────────────────────────────────────────────────────────────────────────

_OVERLOADED = "The engine is currently overloaded, please try again later."
_LONG = "This model's maximum context length is 8192 tokens. Please shorten the messages."
_SPEAKING: tuple[tuple[str, str, Make], ...] = (
    ("ok", "the right answer, as scripted", _ok),
    ("delay", "the right answer, late (seconds, 0.2)", _delay),
    ("drip", "the right answer, head and all a byte at a time (seconds between two, 1)", _drip),
    ("no_usage", "the right answer without a count of tokens", _no_usage),
    ("reasoning", "the right answer, and reasoning_content beside it", _reasoning),
    ("no_format", "400 that response_format is not supported; without one, the right answer",
     _no_format),
    ("cut_within", "half of the body, then the connection is cut", _cut_within),
    ("cut_off", "half of the text, finish_reason length", _cut_off),
    ("fenced", "the right text in a code fence after a sentence",
     _says(lambda text: f"Here is my verdict:\n```json\n{text}\n```\n")),
    ("thinking", "the right text after a <think> block with another verdict in it",
     _says(_thinking)),
    ("two_objects", "the right text, then a second JSON object that says 1",
     _says(lambda text: f"{text}\n{_renumbered(text, 1)}")),
    ("half", "4.5 for each number", _says(lambda text: _renumbered(text, 4.5))),
    ("fraction", 'the string "4/5" for each number', _says(lambda text: _renumbered(text, "4/5"))),
    ("off_scale", "11 for each number", _says(lambda text: _renumbered(text, 11))),
    ("huge", "megabytes of prose before the right text (size, 2000000)", _huge),
    ("anthropic", "200 in the shape of Anthropic's own API", _anthropic),
    ("ollama", "200 in the shape of Ollama's own API", _ollama),
)  # fmt: skip
_SILENT: tuple[tuple[str, str, Make], ...] = (
    ("rate_limited", "429 without Retry-After", _limited_bare),
    ("rate_limited_seconds", "429 with Retry-After in seconds (1)", _limited_seconds),
    ("rate_limited_date", "429 with Retry-After as a date (seconds from now, 1)", _limited_date),
    ("no_quota", "429 insufficient_quota: the account has no money", _no_quota),
    ("server_error", "500", _error(500, "The server had an error.", "server_error")),
    ("bad_gateway", "502 with a page of HTML", _bad_gateway),
    ("overloaded", "503", _error(503, _OVERLOADED, "server_error")),
    ("bad_key", "401 invalid_api_key", _error(
        401, "Incorrect API key provided.", "invalid_request_error", code="invalid_api_key")),
    ("no_model", "404 model_not_found", _no_model),
    ("too_long", "400 context_length_exceeded", _error(
        400, _LONG, "invalid_request_error", param="messages", code="context_length_exceeded")),
    ("cut_before", "the connection is closed before a single byte", _cut_before),
    ("reset", "the connection is reset before a single byte", _reset),
    ("hang", "no answer, ever; the connection stays open", _hang),
    ("garbage", "bytes that are not HTTP", _garbage),
    ("bad_json", "200 with a body that is half a JSON object",
     _body(b'{"id": "chatcmpl-1", "choices": [{"index": 0, "message": {"role": "assi')),
    ("no_body", "200 with no body at all", _body(b"")),
    ("error_in_200", '200 with {"error": …} for a body', _error_in_200),
    ("no_choices", "200 with an empty list of choices",
     _body(b'{"id": "chatcmpl-1", "object": "chat.completion", "choices": []}')),
    ("empty", "200 with empty content", _says(lambda text: "")),
    ("null", "200 with null content", _says(lambda text: None)),
    ("refusal", "200 with message.refusal", _refusal),
    ("filtered", "200 with finish_reason content_filter", _filtered),
    ("prose", "200 with a sentence and no JSON", _says(lambda text: _PROSE)),
    ("chinese", "200 with a sentence in Chinese and no JSON", _says(lambda text: _CHINESE)),
)  # fmt: skip

BEHAVIOURS: Mapping[str, Behaviour] = MappingProxyType(
    {name: Behaviour(name, about, make, True) for name, about, make in _SPEAKING}
    | {name: Behaviour(name, about, make, False) for name, about, make in _SILENT}
)


def table() -> str:
    """The behaviours, a line each."""
    wide = max(map(len, BEHAVIOURS))
    return "\n".join(f"  {one.name:{wide}}  {one.about}" for one in BEHAVIOURS.values())
