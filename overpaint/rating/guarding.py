"""What every request must get past, and what every reply carries: host, origin, size, rate."""

import asyncio
import ipaddress
import json
import re
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Collection, Iterable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from starlette.exceptions import HTTPException

LARGEST = 64 * 1024  # bytes of a request's body
PER_SECOND = 20.0  # requests of one session
SLOWEST = 20.0  # seconds in which a body must have arrived
PAGES = ("/", "/rate", "/admin")
WRONG_JOINS = 10  # wrong tokens a minute from one address, which is held in memory only
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:;"
    " connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]]+)(?::[0-9]{1,5})?")
_SAFE = ("GET", "HEAD")

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass
class Guard:
    """Middleware around the whole application."""

    app: App
    hosts: frozenset[str]  # names under which this server is reached, beside numbers
    rates: "Rates" = field(default_factory=lambda: Rates())
    cookies: Collection[str] = ()  # under which sessions come
    known: Callable[[str], bool] = lambda key: False  # whether there is such a session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what is not this server's own business; hand on the rest."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = _headers(scope)
        if trouble := self._trouble(scope, headers):
            await _refuse(send, *trouble)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_added(message)]
            await send(message)

        await self.app(scope, _limited(receive), sending)

    def _trouble(
        self, scope: Scope, headers: MutableMapping[str, str]
    ) -> tuple[int, str, dict[str, str]] | tuple[int, str] | None:
        if not is_ours(headers.get("host", ""), self.hosts):
            return 403, "This server answers its own address only."
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:18]) > LARGEST:
            return 413, TOO_LARGE
        if "content-length" in headers and "transfer-encoding" in headers:
            # Whatever stands in front may believe the other of the two: nothing more is read.
            return 400, "A body has one length.", {"connection": "close"}
        if scope["method"] not in _SAFE and (told := _foreign(headers)):
            return 403, told
        if headers.get("sec-fetch-site", "") == "cross-site" and not _navigates(headers):
            return 403, "Another site asked for this."
        path = scope["path"]
        if path in PAGES or path.startswith("/static/"):
            return None  # held in memory; loading a page again must not leave it blank
        if wait := self.rates.asked(self._who(headers)):
            told = "That was too fast. Please wait a moment."
            return 429, told, {"retry-after": str(wait)}
        return None

    def _who(self, headers: MutableMapping[str, str]) -> str:
        """The session a request comes with; those without one, or with none known, share a rate."""
        for part in headers.get("cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name in self.cookies and self.known(value):
                return value
        return ""


TOO_LARGE = f"That is too large: at most {LARGEST // 1024} kB are read."


class Rates:
    """How often each session asks, and how often each address was wrong; in memory alone."""

    def __init__(
        self, per_second: float = PER_SECOND, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second, self._clock = per_second, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    def asked(self, who: str) -> int:
        """0 where a session may ask now, else the seconds it should wait."""
        per_second = self._per_second if who else 20 * self._per_second
        now = self._clock()
        left, since = self._left.pop(who, (2 * per_second, now))
        left = min(2 * per_second, left + (now - since) * per_second)
        self._left[who] = (left - 1 if left >= 1 else left, now)
        while len(self._left) > 10_000:
            self._left.popitem(last=False)
        return 0 if left >= 1 else 1

    def shut_out(self, address: str) -> int:
        """Seconds for which an address that was wrong too often is not listened to."""
        wrong, now = self._wrong.get(address, deque()), self._clock()
        while wrong and now - wrong[0] > 60:
            wrong.popleft()
        return int(61 - (now - wrong[0])) if len(wrong) >= WRONG_JOINS else 0

    def was_wrong(self, address: str) -> None:
        """Remember, for a minute, that a wrong token came from there."""
        self._wrong.setdefault(address, deque()).append(self._clock())
        while len(self._wrong) > 10_000:
            self._wrong.popitem(last=False)


def is_ours(host: str, names: Iterable[str]) -> bool:
    """Whether a request was addressed to this machine by number or by a name it goes by.

    A page elsewhere can have its own name point here (DNS rebinding), but then it says that name.
    """
    match = _HOST.fullmatch(host.lower())
    name = match[1].strip("[]") if match else ""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in names
    return True


def _foreign(headers: MutableMapping[str, str]) -> str:
    """Why a request that changes something is not from this server's own page; "" if it may be."""
    site = headers.get("sec-fetch-site", "same-origin")
    origin = headers.get("origin")
    own = f"://{headers.get('host', '')}"
    if site != "same-origin" or (origin is not None and not origin.endswith(own)):
        return "Another site asked for this."
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return "" if kind == "application/json" else "JSON was expected (application/json)."


def _navigates(headers: MutableMapping[str, str]) -> bool:
    """Whether somebody followed a link from elsewhere, which is how raters arrive."""
    return headers.get("sec-fetch-mode") == "navigate"


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in
            scope["headers"]}  # fmt: skip


def _added(message: Message) -> list[tuple[bytes, bytes]]:
    there = {name.lower() for name, _ in message.get("headers", ())}
    kept = () if b"cache-control" in there else ((b"cache-control", b"no-store"),)
    return [*HEADERS, *kept]


def _limited(receive: Receive) -> Receive:
    """The same body, read no further and no longer than allowed, whatever was said of it."""
    read, whole, until = 0, False, time.monotonic() + SLOWEST

    async def receiving() -> Message:
        nonlocal read, whole
        if whole:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), max(0.0, until - time.monotonic()))
        except TimeoutError:
            raise HTTPException(408, headers={"connection": "close"}) from None
        whole = not message.get("more_body", False)
        read += len(message.get("body", b""))
        if read > LARGEST:
            raise HTTPException(413, TOO_LARGE, {"connection": "close"})
        return message

    return receiving


async def _refuse(
    send: Send, status: int, sentence: str, more: dict[str, str] | None = None
) -> None:
    body = json.dumps({"error": sentence}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)),
               (b"cache-control", b"no-store"), *HEADERS]  # fmt: skip
    headers += [(name.encode(), value.encode()) for name, value in (more or {}).items()]
    if status == 413:  # the rest of it is not read
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
