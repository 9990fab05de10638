"""How much at once, and how much in all: one limiter a host, one budget a run."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from overpaint.errors import CostLimit


class Limiter:
    """As many questions in flight as a host bears.

    Additive increase, multiplicative decrease: half as many after a 429, and one more for every
    round of answers. A `Retry-After` holds all questions to that host back until it has passed.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._limit = float(most)
        self._flying = 0
        self._not_before = self._lowered = 0.0
        self._change = threading.Condition()

    @property
    def limit(self) -> int:
        """How many may be in flight now."""
        return int(self._limit)

    @contextmanager
    def flight(self) -> Iterator[None]:
        """Wait for a place, hold it meanwhile."""
        with self._change:
            while (wait := self._wait()) != 0:
                self._change.wait(wait if wait > 0 else None)
            self._flying += 1
        try:
            yield
        finally:
            with self._change:
                self._flying -= 1
                self._change.notify_all()  # one alone might be waiting for a pause to end

    def _wait(self) -> float:
        """Seconds to wait; 0 for none, less than 0 until somebody says so."""
        if self._flying >= self.limit:
            return -1.0
        return max(0.0, self._not_before - time.monotonic())

    def answered(self) -> None:
        """The host answered: a little more may be in flight."""
        with self._change:
            if self._limit < self._most:
                self._limit = min(self._most, self._limit + 1 / self._limit)
                self._change.notify_all()

    def too_many(self, pause: float) -> None:
        """The host said "too many": half as many, and none for so many seconds."""
        with self._change:
            now = time.monotonic()
            # Questions sent at the same time get the same answer; it counts once.
            if now - self._lowered > max(pause, 0.1):
                self._limit, self._lowered = max(1.0, self._limit / 2), now
            self._not_before = max(self._not_before, now + pause)


class Budget:
    """Dollars that may be spent; a question is sent only if its dearest answer stays within."""

    def __init__(self, limit: float | None, spent: float) -> None:
        self.limit, self.spent = limit, spent
        self._held: list[float] = []
        self._change = threading.Condition()

    @contextmanager
    def holding(self, most: float | None) -> Iterator[None]:
        """Keep the price of the dearest answer back ; wait for others' change if need be."""
        if self.limit is None or most is None:
            yield
            return
        with self._change:
            while self._held and self.spent + sum(self._held) + most > self.limit:
                self._change.wait()
            if self.spent + most > self.limit:
                raise self._reached(most)
            self._held.append(most)
        try:
            yield
        finally:
            with self._change:
                self._held.remove(most)
                self._change.notify_all()

    def pay(self, price: float | None) -> None:
        """Count what an answer cost."""
        with self._change:
            self.spent += price or 0.0

    def _reached(self, most: float) -> CostLimit:
        assert self.limit is not None
        return CostLimit(
            f"The cost limit of ${self.limit:,.2f} would be passed:"
            f" ${self.spent:,.4f} is spent and the next question may cost ${most:,.4f}.",
            "Everything answered so far is kept.",
            "Raise --cost-limit and give the same command again.",
        )
