"""Work done by spawned processes under supervision.

A step that raises, outlasts its deadline, outgrows its memory or takes its process down costs
that step alone: the worker is replaced and the task's other steps go on.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Self

from overpaint.errors import OverpaintError, UserMistake, WorkerLost
from overpaint.work.tasks import Function, Outcome, Task, attempt

if TYPE_CHECKING:
    import psutil

# Seconds in which a worker must have imported what it needs; not a step's deadline.
_START = 120.0
# How often in a row a worker may fall before it has begun; more is no accident.
_FALLS = 3
# How often memory is looked at. Touching new memory runs at a few GB/s, so a worker can
# overshoot its limit by about this many seconds' worth.
_LOOK_EVERY = 0.25
# The programs that workers have started are found among all processes of the machine, which takes
# milliseconds or more; this many times as long passes before it is done again.
_SPARED = 50
# In the environment of workers that a cluster has put on another machine.
ELSEWHERE = "OVERPAINTELSEWHERE"
# One process a core; more threads would only fight. Libraries read these when they are loaded.
_ONE_THREAD = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
    "OPENCV_FOR_THREADS_NUM",
)  # fmt: skip


@dataclass(frozen=True)
class Processes:
    """Work done by spawned processes under supervision."""

    function: Function  # must be picklable: a module's function, or a dataclass with __call__
    workers: int
    deadline: float = 300.0  # seconds a step may take
    memory: float = 4.0  # gigabytes a worker may hold

    def perform(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Do every step of every task; outcomes come in the order they are ready."""
        with Crew(self) as crew:
            yield from crew.perform(tasks)


class Crew:
    """Processes that stay from one batch of tasks to the next, with the models they have loaded."""

    def __init__(self, terms: Processes) -> None:
        programs = _Programs()
        self._workers = [_Worker(terms, programs) for _ in range(terms.workers)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.stop()

    def perform(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Do every step of every task; a crew of one does them in their order."""
        source, again = iter(tasks), deque[Task]()
        while True:
            _feed(self._workers, source, again)
            busy = [worker for worker in self._workers if worker.task]
            if not busy:
                return
            wait([worker.pipe for worker in busy], timeout=_LOOK_EVERY)
            for worker in busy:
                yield from worker.collect(again)


def _feed(crew: list["_Worker"], source: Iterator[Task], again: deque[Task]) -> None:
    """Give every idle worker a task while there are any."""
    for worker in crew:
        if worker.task is None:
            task = again.popleft() if again else next(source, None)
            if task is None:
                return
            worker.give(task)


class _Worker:
    """One process, the task it has, and how long it has been at the current step."""

    def __init__(self, terms: Processes, programs: "_Programs") -> None:
        self._terms, self._programs = terms, programs
        self.task: Task | None = None
        self._falls = 0  # how often in a row it has fallen before it was ready
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        try:
            pipe, theirs = context.Pipe()
            given = (theirs, self._terms.function)
            process = context.Process(target=_serve, args=given, daemon=True)
            with _environment(dict.fromkeys(_ONE_THREAD, "1")):
                process.start()
        except OSError as error:  # no memory, or no more processes or files are allowed
            raise _not_started(f"{error.strerror or error}.") from error
        self.pipe, self._process = pipe, process
        theirs.close()
        self._ready = False
        self._since = self._looked = time.monotonic()

    def give(self, task: Task) -> None:
        """Hand over a task; a worker that died while idle is replaced first."""
        try:
            self.pipe.send(task)
        except OSError:
            self._replace()
            self.pipe.send(task)
        self.task, self._since = task, time.monotonic()

    def collect(self, again: deque[Task]) -> Iterator[Outcome]:
        """Outcomes that have arrived; a lost step's followers go to `again`."""
        try:
            while self.task and self.pipe.poll():
                message = self.pipe.recv()
                if message is None:  # its first word: imports are done, work begins
                    self._ready, self._since, self._falls = True, time.monotonic(), 0
                else:
                    yield self._finished(*message)
        except (EOFError, OSError):
            self._process.join(5)
            yield from self._lost(again, self._how_it_died())
            return
        if self.task and (why := self._overstepped()):
            yield from self._lost(again, why)

    def _finished(self, result: Any, error: OverpaintError | None) -> Outcome:
        assert self.task is not None
        step, *rest = self.task.steps
        outcome = Outcome(self.task.subject, step, result, error)
        self.task = replace(self.task, steps=tuple(rest)) if rest else None
        self._since = time.monotonic()
        return outcome

    def _lost(self, again: deque[Task], why: str) -> Iterator[Outcome]:
        """The worker's end costs the step that it was at; before it was ready it was at none."""
        if self._ready:
            yield self._finished(None, WorkerLost(why))
        else:
            self._count_fall(why)
        if self.task:
            again.append(self.task)
            self.task = None
        self._replace()

    def _count_fall(self, why: str) -> None:
        """Workers that are killed or slow to start get another try; one that gave up does not."""
        self._falls += 1
        if self._falls > _FALLS or (self._process.exitcode or 0) > 0:
            raise _not_started(why) from None

    def _overstepped(self) -> str:
        now = time.monotonic()
        waited = now - self._since
        if not self._ready:
            return "" if waited < _START else f"The worker did not start within {_START:g} s."
        if waited > self._terms.deadline:
            return f"No answer within {self._terms.deadline:g} s (--deadline raises it)."
        if now - self._looked < _LOOK_EVERY:
            return ""
        self._looked = now
        if not self._process.is_alive() and not self.pipe.poll():
            return self._how_it_died()  # though a process that it forked holds the pipe open
        held = self._programs.gigabytes(self._process.pid)
        if held > self._terms.memory:
            return f"Used {held:.1f} GB; the limit is {self._terms.memory:g} (--memory raises it)."
        return ""

    def _how_it_died(self) -> str:
        code = self._process.exitcode
        name = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
        return f"The worker process died ({name})."

    def _replace(self) -> None:
        self.stop()
        self._start()

    def stop(self) -> None:
        """End the process, whatever it is doing, and whatever it has left behind."""
        kill_tree(self._process.pid)
        _kill_group(self._process.pid)
        self._process.join(10)
        self.pipe.close()


def _not_started(why: str) -> UserMistake:
    return UserMistake(
        f"A worker process could not start. {why}",
        "Python starts workers by importing the calling script again, which takes memory.",
        'Call overpaint under `if __name__ == "__main__":`, or use fewer workers.',
    )


class _Programs:
    """What workers have started, found for all of them by one look at the machine."""

    def __init__(self) -> None:
        self._below = defaultdict[int, "list[psutil.Process]"](list)
        self._due = 0.0

    def gigabytes(self, pid: int | None) -> float:
        """What a worker holds with all that it has started."""
        import psutil

        if (now := time.monotonic()) >= self._due:
            self._look()
            self._due = now + max(_LOOK_EVERY, _SPARED * (time.monotonic() - now))
        held = 0.0
        with suppress(psutil.NoSuchProcess):
            found = [psutil.Process(pid)]
            for process in found:
                found += self._below.get(process.pid, ())
                with suppress(psutil.NoSuchProcess):
                    held += process.memory_info().rss / 2**30
        return held

    def _look(self) -> None:
        import psutil

        self._below.clear()
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                self._below[process.ppid()].append(process)


def kill_tree(pid: int | None) -> None:
    """End a process and all it has started: a worker's editor may be a program of its own."""
    import psutil

    with suppress(psutil.NoSuchProcess):  # it ended by itself, which is what was wanted
        root = psutil.Process(pid)
        for process in [*root.children(recursive=True), root]:
            with suppress(psutil.NoSuchProcess):
                process.kill()


def _kill_group(pid: int | None) -> None:
    """End what a worker has started and nobody is the parent of any more."""
    if pid is not None and hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


@contextmanager
def _environment(extra: dict[str, str]) -> Iterator[None]:
    """Variables for a process started meanwhile; what the user has set stays as it is."""
    added = {name: value for name, value in extra.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]


def at_home() -> bool:
    """Whether this process is on the machine of the one that writes what is done."""
    return ELSEWHERE not in os.environ


# ── inside a worker ─────────────────────────────────────────────────────────────────────────


def _serve(pipe: Connection, function: Function) -> None:
    """A worker's life: take a task, answer step by step, until nobody listens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    if sys.stderr:  # what editors print must not mix with results on stdout
        os.dup2(sys.stderr.fileno(), 1)
    if hasattr(os, "setpgid"):  # so that what it starts can be found when it is gone itself
        os.setpgid(0, 0)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    own = os.getpid()
    try:
        pipe.send(None)
        while True:
            task = pipe.recv()
            for step in task.steps:
                done = attempt(function, task.subject, step)
                if os.getpid() != own:  # the step forked, and its child came back as well
                    os._exit(1)
                pipe.send(done)
    except (EOFError, OSError):
        return


def _leave_with_parent() -> None:
    """Killed parents cannot stop their workers, so workers watch their parent."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    for child in _children(os.getpid()):
        kill_tree(child)
    _kill_group(os.getpid())
    kill_tree(os.getpid())


def _children(pid: int) -> list[int]:
    import psutil

    return [child.pid for child in psutil.Process(pid).children()]
