"""Tasks and what comes of them, done in this process: one after another, or by threads."""

import multiprocessing
import queue
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from overpaint.errors import OverpaintError, WorkerLost

Function = Callable[[Any, Any], Any]
Progress = Callable[[str, int, int], None]  # what is being done, how many are, of how many


def silent(label: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True)
class Task:
    """Something to work on, and the steps to take with it in order."""

    subject: Any
    steps: tuple[Any, ...]


@dataclass(frozen=True, order=True)
class Needs:
    """What whoever does a step must have; a cluster looks for a machine that has it."""

    gpus: float = 0.0  # where there are any
    gigabytes: float = 0.0  # of memory; on one machine it is the user who allows more


@dataclass(frozen=True)
class Outcome:
    """What came of one step: a result, or the error that took its place."""

    subject: Any
    step: Any
    result: Any = None
    error: OverpaintError | None = None


class Backend(Protocol):
    """Whoever can take tasks and give outcomes, in any order, as they come."""

    def perform(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Do every step of every task."""
        ...


@dataclass(frozen=True)
class Here:
    """Work done in this process, one step after another, with no supervision."""

    function: Function

    def perform(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Do every step of every task."""
        for task in tasks:
            for step in task.steps:
                with redirect_stdout(sys.stderr):  # as workers do: stdout is for results
                    done = attempt(self.function, task.subject, step)
                yield Outcome(task.subject, step, *done)


@dataclass(frozen=True)
class Threads:
    """Work done by threads of this process, for steps that wait for a server most of their time.

    A thread cannot be ended from outside: whoever waits must have a deadline of its own. Steps of
    one task are done side by side.
    """

    function: Function
    threads: int

    def perform(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Do every step of every task; outcomes come in the order they are ready."""
        steps = ((task.subject, step) for task in tasks for step in task.steps)
        todo: queue.SimpleQueue[tuple[Any, Any] | None] = queue.SimpleQueue()
        done: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        for _ in range(self.threads):
            # Daemons, so that a run that is stopped does not wait for answers in flight.
            threading.Thread(target=self._serve, args=(todo, done), daemon=True).start()
        try:
            # A few more than there are threads, so that none waits while outcomes are written.
            flying = _put(todo, islice(steps, 2 * self.threads))
            while flying:
                yield done.get()
                flying += _put(todo, islice(steps, 1)) - 1
        finally:
            for _ in range(self.threads):
                todo.put(None)

    def _serve(
        self, todo: "queue.SimpleQueue[tuple[Any, Any] | None]", done: "queue.SimpleQueue[Outcome]"
    ) -> None:
        while (given := todo.get()) is not None:
            done.put(Outcome(*given, *attempt(self.function, *given)))


def _put(todo: "queue.SimpleQueue[Any]", steps: Iterable[Any]) -> int:
    """Hand these steps over; gives how many there were."""
    count = 0
    for step in steps:
        todo.put(step)
        count += 1
    return count


def attempt(function: Function, subject: Any, step: Any) -> tuple[Any, OverpaintError | None]:
    """The worker boundary: whatever goes wrong in a step becomes its outcome."""
    try:
        return function(subject, step), None
    except OverpaintError as error:
        return None, error
    except KeyboardInterrupt as error:
        if not _ctrl_c_may_come():
            return None, _lost(error)
        raise
    except BaseException as error:  # noqa: BLE001  (a SystemExit would end a thread unseen)
        return None, _lost(error)


def _lost(error: BaseException) -> WorkerLost:
    return WorkerLost(f"{type(error).__name__}: {str(error)[:2000]}")


def _ctrl_c_may_come() -> bool:
    """Ctrl-C comes to the main thread of the command; elsewhere somebody raised it."""
    here = threading.current_thread() is threading.main_thread()
    return here and multiprocessing.parent_process() is None
