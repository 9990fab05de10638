"""HTTP for the rating page that nobody can hold up: who is too slow, or too many, is hung up on."""

import asyncio
import ipaddress
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD = 10.0  # seconds in which a request's head must have arrived
EACH = 256  # connections of one address, which a whole laboratory may share


class Hurrying(H11Protocol):
    """uvicorn's own HTTP, which waits for the head of a request for as long as it may take."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait; one connection too many of an address ends at once."""
        super().connection_made(transport)
        self._wait()
        if not self._has_room():
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """A head that is not whole yet has as much time as is left of it."""
        super().data_received(data)
        waiting = self.cycle is None or self.cycle.response_complete
        if waiting and self._late is None:
            self._wait()
        elif not waiting:
            self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        self._end()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._late = self.loop.call_later(HEAD, self.transport.abort)

    def _end(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _has_room(self) -> bool:
        """Whether an address has no more than its share; a proxy on this machine speaks for all."""
        if self.client is None or ipaddress.ip_address(self.client[0]).is_loopback:
            return True
        address = self.client[0]
        same = [one for one in self.connections if getattr(one, "client", ("",))[0] == address]
        return len(same) <= EACH
