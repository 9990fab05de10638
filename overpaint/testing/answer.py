"""An answer as it goes over the wire, and the completions and errors it is most often made of."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from overpaint.testing.asked import Asked

JSON = "application/json"
_REASONS = {
    100: "Continue", 200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found",
    405: "Method Not Allowed", 408: "Request Timeout", 411: "Length Required",
    413: "Content Too Large", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
}  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """Bytes to send, and how: after how many seconds, and how much before the line is cut."""

    status: int = 200
    body: bytes = b""
    kind: str = JSON
    headers: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0  # to wait first
    keep: int | None = None  # send only so many bytes of the body, then cut the connection
    raw: bytes | None = None  # sent in place of everything, then cut
    never: bool = False  # say nothing, ever
    reset: bool = False  # cut with a reset instead of an orderly end
    drip: float = 0.0  # seconds between one byte and the next

    def head(self, *, last: bool = False) -> bytes:
        """Status line and headers; `last` announces that the connection ends."""
        lines = [
            f"HTTP/1.1 {self.status} {_REASONS.get(self.status, 'Unknown')}",
            f"Content-Type: {self.kind}",
            f"Content-Length: {len(self.body)}",
            *(f"{name}: {value}" for name, value in self.headers),
        ]
        if last:
            lines.append("Connection: close")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def as_json(value: Any, status: int = 200, **more: Any) -> Answer:
    """An answer whose body is `value` as JSON."""
    data = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return Answer(status, data, **more)


def failure(status: int, message: str, kind: str, **more: Any) -> Answer:
    """An error as OpenAI's API words it; `code` and `param` may be given."""
    told = {"message": message, "type": kind, "param": None, "code": None}
    told |= {name: more.pop(name) for name in ("code", "param") if name in more}
    return as_json({"error": told}, status, **more)


def completion(
    asked: Asked,
    text: str | None,
    *,
    finish: str = "stop",
    more: Mapping[str, Any] | None = None,
    usage: bool = True,
) -> dict[str, Any]:
    """The body of a chat completion that says `text`; `more` is put into its message."""
    told = {
        "id": f"chatcmpl-{asked.hash[:16]}-{asked.nth}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": asked.model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, **(more or {})},
                "finish_reason": finish,
            }
        ],
    }
    return told | {"usage": tokens(asked, text or "")} if usage else told


def tokens(asked: Asked, text: str) -> dict[str, int]:
    """What the exchange is said to have cost: a token for four letters, 85 for a picture."""
    sent = -(-len(asked.words) // 4) + 85 * len(asked.pictures)
    said = -(-len(text) // 4)
    return {"prompt_tokens": sent, "completion_tokens": said, "total_tokens": sent + said}
