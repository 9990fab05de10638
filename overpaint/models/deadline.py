"""A deadline for a whole exchange with a server, however slowly it speaks.

The transport's own timeouts are for one read: a server that sends a byte a second would hold a
thread for as long as it likes. Here every read and write of a thread gets what is left.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpcore2
import httpx2

_now = threading.local()


@contextmanager
def within(seconds: float, most: int) -> Iterator[None]:
    """What this thread reads meanwhile must be over in so many seconds, and within `most` bytes.

    The client library reads the whole body of an error, however long that is.
    """
    _now.until, _now.room = time.monotonic() + seconds, most
    try:
        yield
    finally:
        _now.until = None


def kept_by(client: httpx2.Client) -> httpx2.Client:
    """The client, with every connection it makes keeping to the deadline of the thread it is in.

    Replies are taken as they are sent: what a server would have unpacked or read in an alphabet
    of its own is not, since either may take all memory, or fail in ways of its own.
    """
    client.headers["accept-encoding"] = "identity"
    client.event_hooks = {"response": [_taken_as_sent]}
    for transport in (client._transport, *client._mounts.values()):
        if isinstance(transport, httpx2.HTTPTransport):
            # No constructor has an argument for this; the test of `drip` tells if it is lost.
            transport._pool._network_backend = _Backend()
    return client


def _taken_as_sent(response: httpx2.Response) -> None:
    response.headers.pop("content-encoding", None)
    response.headers["content-type"] = "application/json"


def _left(timeout: float | None) -> float | None:
    until = getattr(_now, "until", None)
    if until is None:
        return timeout
    left: float = until - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the deadline has passed")
    return left if timeout is None else min(left, timeout)


class _Stream(httpcore2.NetworkStream):
    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        found: bytes = self._inner.read(max_bytes, _left(timeout))
        if getattr(_now, "until", None) is not None:
            _now.room -= len(found)
            if _now.room < 0:
                raise httpcore2.ReadError("it sent more than any reply has")
        return found

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(self, *given: Any, **named: Any) -> "_Stream":
        return _Stream(self._inner.start_tls(*given, **named))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Backend(httpcore2.SyncBackend):
    def connect_tcp(self, *given: Any, **named: Any) -> _Stream:
        return _Stream(super().connect_tcp(*given, **named))
