"""The one desk at which a study's book is worked on: a thread that takes all who wait together.

Everybody who waits shares one commit, and each is answered after it. So the number of raters does
not matter to a slow disk, and nothing is acknowledged that a power cut could take back.
"""

import asyncio
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, TypeVar

from overpaint.store.schema import Database

T = TypeVar("T")
MOST = 64  # who share one commit
PAUSE = 1.0  # seconds after which a chore is tried again where nobody comes


@dataclass(frozen=True)
class _Job:
    work: Callable[[], Any]
    lasting: bool  # whether it must be on the disk before it is answered
    alone: bool  # whether it sees to its transactions itself
    reply: "Future[Any]" = field(default_factory=Future)


class Desk:
    """One thread, one writer; whoever comes while it commits is taken with the next commit."""

    def __init__(
        self,
        database: Database,
        spoilt: Callable[[], None] = lambda: None,
        chore: Callable[[], bool] = lambda: False,
    ) -> None:
        """`chore` is tried between commits, and again and again while it says it is not done."""
        self._database, self._spoilt, self._chore = database, spoilt, chore
        self._waiting: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="book", daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[], T], *, lasting: bool = False, alone: bool = False) -> T:
        """What the work gives, or raises, once all that it wrote is committed."""
        job = _Job(work, lasting, alone)
        self._waiting.put(job)
        found: T = await asyncio.wrap_future(job.reply)
        return found

    def close(self) -> None:
        """Finish what waits, then stop."""
        self._waiting.put(None)
        self._thread.join()

    def _next(self) -> _Job | None:
        while True:
            left = True
            with _Kept():  # a disk that fails now may not do so later
                left = self._chore()
            if not left:
                return self._waiting.get()
            with suppress(queue.Empty):
                return self._waiting.get(timeout=PAUSE)

    def _serve(self) -> None:
        while (first := self._next()) is not None:
            jobs, stop = [first], False
            while len(jobs) < MOST and not self._waiting.empty() and not stop:
                if (job := self._waiting.get()) is None:
                    stop = True
                else:
                    jobs.append(job)
            for group in _grouped(jobs):
                self._together(group)
            if stop:
                return

    def _together(self, jobs: Sequence[_Job]) -> None:
        """Do all of them in one transaction and answer each when it is over."""
        done: list[tuple[_Job, Any, BaseException | None]] = []
        with _Kept() as whole:
            if jobs[0].alone:
                done.append(self._do(jobs[0]))
            else:
                lasting = any(job.lasting for job in jobs)
                mode = "FULL" if lasting else "NORMAL"  # which time a rater came may be forgotten
                self._database.execute(f"PRAGMA synchronous = {mode}")
                with self._database.transaction():
                    done += [self._do(job) for job in jobs]
        if whole.error is not None:
            self._spoilt()
            done = [(job, None, whole.error) for job in jobs]
        for job, found, error in done:
            if error is not None:
                job.reply.set_exception(error)
            else:
                job.reply.set_result(found)

    def _do(self, job: _Job) -> tuple[_Job, Any, BaseException | None]:
        """The outcome of one; where it fails, what it wrote is undone and the others stay."""
        found = None
        with _Kept() as kept:
            if job.alone:
                self._database.execute("PRAGMA synchronous = FULL")
                found = job.work()
            else:
                with self._database.transaction():
                    found = job.work()
        return job, found, kept.error


class _Kept:
    """Keeps an error for whoever waits for it: this thread serves everybody and must go on."""

    error: Exception | None = None

    def __enter__(self) -> "_Kept":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        _: TracebackType | None,
    ) -> bool:  # fmt: skip
        if isinstance(error, Exception):
            self.error = error
            return True
        return False


def _grouped(jobs: Sequence[_Job]) -> Iterator[list[_Job]]:
    """The jobs in their order, those that go alone by themselves."""
    group: list[_Job] = []
    for job in jobs:
        if job.alone and group:
            yield group
            group = []
        group.append(job)
        if job.alone:
            yield group
            group = []
    if group:
        yield group
