"""A lean HTTP/1.1 server over asyncio: bounded reading, and answers that can be cut or never end.

It reads one request at a time from a connection and keeps the connection for the next. What
comes in is hostile: heads, bodies, connections and the time a request may take are limited.
"""

import asyncio
import os
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from overpaint.testing.answer import Answer, failure

MOST_HEAD = 32_768
MOST_BODY = 50_000_000
MOST_CONNECTIONS = 2_000
MOST_WAITING = 1_000_000  # bytes of further requests on a connection while one is answered
SLOWEST = 60.0  # seconds in which a request must have come whole
_PARTING = 1.0  # seconds for a client to read why it is sent away
# Two shorts on Windows, two ints elsewhere: linger, and for no seconds; closing is then a reset.
_NO_LINGERING = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


@dataclass(frozen=True)
class Request:
    """One request, read to its end."""

    method: str
    path: str
    body: bytes
    last: bool = False  # the client wants the connection closed after it


class Desk(Protocol):
    """Who answers, and is told what comes and goes."""

    def opened(self, line: "Line") -> bool:
        """A connection is there; False turns it away."""

    def closed(self, line: "Line", *, waiting: bool) -> None:
        """It is gone, perhaps with a request `waiting` for its answer."""

    def began(self, line: "Line", method: str, path: str) -> bool:
        """A request's head was read; True where its end is to be told as well."""

    def refused(self) -> None:
        """What came was no request, or too large, or too slow."""

    def handle(self, request: Request, reply: Callable[[Answer], None]) -> None:
        """A request is there; `reply` is called with its answer, now or later."""

    def ended(self, answer: Answer | None) -> None:
        """A request whose end is to be told is over: answered, or (None) broken off."""


@dataclass
class _Head:
    """What the head of a request said."""

    method: str
    path: str
    length: int
    last: bool
    start: int  # where the body starts


class Line(asyncio.Protocol):
    """One connection."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.buffer = bytearray()
        self.head: _Head | None = None
        self.looked = 0  # bytes in which no end of a head was found
        self.busy = self.deaf = self.paused = self.counted = False
        self.clock: asyncio.TimerHandle | None = None
        self.timer: asyncio.TimerHandle | None = None

    # ── what asyncio calls ──────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        if not self.desk.opened(self):
            self._send_away(failure(503, "Too many connections are open.", "server_error"))

    def connection_lost(self, error: Exception | None) -> None:
        self._stop_clocks()
        waiting, self.deaf = self.busy and self.counted, True
        if self.head is not None or self.busy:
            self._over(None)
        self.desk.closed(self, waiting=waiting)

    def data_received(self, data: bytes) -> None:
        if self.deaf:
            return
        self.buffer += data
        if not self.busy:
            self._read()
        elif len(self.buffer) > MOST_WAITING:
            self.paused = True
            self.transport.pause_reading()

    # ── reading ─────────────────────────────────────────────────────────────────────────

    def _read(self) -> None:
        """Take the next request from the buffer, if it is all there."""
        if self.head is None and not self._read_head():
            self._watch()
            return
        head = self.head
        if head is None or len(self.buffer) < head.start + head.length:
            self._watch()
            return
        self._stop_clocks()
        body = bytes(memoryview(self.buffer)[head.start : head.start + head.length])
        del self.buffer[: head.start + head.length]
        self.busy, self.looked = True, 0
        self.desk.handle(Request(head.method, head.path, body, head.last), self.answer)

    def _read_head(self) -> bool:
        end = self.buffer.find(b"\r\n\r\n", max(0, self.looked - 3))
        self.looked = len(self.buffer)
        if end > MOST_HEAD or (end < 0 and len(self.buffer) > MOST_HEAD):
            told = f"The head is longer than {MOST_HEAD} bytes."
            self._send_away(failure(431, told, "invalid_request_error"))
            return False
        if end < 0:
            return False
        head = read_head(bytes(self.buffer[:end]), end + 4)
        if isinstance(head, Answer):
            self._send_away(head)
            return False
        found, expects = head
        self.head = found
        self.counted = self.desk.began(self, found.method, found.path)
        if expects and len(self.buffer) < found.start + found.length:
            self.transport.write(_CONTINUE)
        return True

    def _watch(self) -> None:
        """Start the clock of a request that has begun and is not all there."""
        if self.buffer and not self.deaf and self.clock is None:
            loop = asyncio.get_running_loop()
            self.clock = loop.call_later(SLOWEST, self._too_slow)

    def _too_slow(self) -> None:
        told = f"The request did not come whole within {SLOWEST:g} s."
        self._send_away(failure(408, told, "invalid_request_error"))

    def _send_away(self, answer: Answer) -> None:
        """Say why and close, but let the client read it before its bytes meet a closed door."""
        self._stop_clocks()
        self.deaf = True
        self.buffer.clear()
        self.desk.refused()
        self.transport.write(answer.head(last=True) + answer.body)
        self.timer = asyncio.get_running_loop().call_later(_PARTING, self.transport.close)

    # ── answering ───────────────────────────────────────────────────────────────────────

    def answer(self, answer: Answer) -> None:
        """Send an answer, when its time has come."""
        if self.deaf or answer.never:
            return
        if answer.seconds > 0:
            loop = asyncio.get_running_loop()
            self.timer = loop.call_later(answer.seconds, self._send, answer)
        else:
            self._send(answer)

    def _send(self, answer: Answer) -> None:
        last = self.head is not None and self.head.last
        if answer.drip > 0:
            self._drip(answer, answer.head(last=last) + answer.body, 0)
            return
        if answer.raw is not None:
            self.transport.write(answer.raw)
        else:
            self.transport.write(answer.head(last=last) + answer.body[: answer.keep])
        self._finish(answer, last or answer.raw is not None or answer.keep is not None)

    def _drip(self, answer: Answer, data: bytes, sent: int) -> None:
        if sent >= len(data):
            self._finish(answer, self.head is not None and self.head.last)
            return
        self.transport.write(data[sent : sent + 1])
        loop = asyncio.get_running_loop()
        self.timer = loop.call_later(answer.drip, self._drip, answer, data, sent + 1)

    def _finish(self, answer: Answer, last: bool) -> None:
        self._over(answer)
        if last:
            self.deaf = True
            self._hang_up(reset=answer.reset)
            return
        if self.paused:
            self.paused = False
            self.transport.resume_reading()
        if self.buffer:  # the next request is there already; not from within this one's call
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        if not self.busy and not self.deaf:
            self._read()

    def _hang_up(self, *, reset: bool) -> None:
        if not reset:
            self.transport.close()
            return
        plug = self.transport.get_extra_info("socket")
        plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGERING)
        self.transport.abort()

    def _over(self, answer: Answer | None) -> None:
        self.head, self.busy = None, False
        if self.counted:
            self.desk.ended(answer)

    def _stop_clocks(self) -> None:
        for clock in (self.clock, self.timer):
            if clock is not None:
                clock.cancel()
        self.clock = self.timer = None


def read_head(raw: bytes, start: int) -> tuple[_Head, bool] | Answer:
    """The head and whether the client waits for 100 Continue, or why it is sent away."""
    first, *lines = raw.decode("latin-1").split("\r\n")
    parts = first.split(" ")
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or name != name.strip() or not name:
            return _wrong(400, "A header line is not NAME: VALUE.")
        headers[name.lower()] = value.strip()
    if len(parts) != 3 or not parts[2].startswith("HTTP/1.") or not parts[0].isalpha():
        return _wrong(400, "The first line is not METHOD PATH HTTP/1.1.")
    if "transfer-encoding" in headers:
        return _wrong(411, "Chunked bodies are not read; send a Content-Length.")
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        return _wrong(400, "Content-Length is not a number.")
    if len(length) > 12 or int(length) > MOST_BODY:
        return _wrong(413, f"The body is larger than {MOST_BODY} bytes.")
    last = parts[2] == "HTTP/1.0" or headers.get("connection", "").lower() == "close"
    head = _Head(parts[0], parts[1], int(length), last, start)
    return head, headers.get("expect", "").lower() == "100-continue"


def _wrong(status: int, told: str) -> Answer:
    return failure(status, told, "invalid_request_error")
