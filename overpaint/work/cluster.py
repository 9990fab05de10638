"""Work done by a Ray cluster: by address, the one that runs here, or one made for this process.

A station is an actor of Ray with a crew of one: the same supervised process, with the same
deadline and memory, that works on one machine, and it stays, with the models it has loaded.
Stations are handed chunks of tasks that take about a second; only this process writes. A station
that is lost with its machine loses nothing but time: its chunk is handed to another.
"""

import re
import time
import uuid
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overpaint.errors import OverpaintError, UserMistake, WorkerLost
from overpaint.store.schema import explained
from overpaint.work.joining import Held, joined
from overpaint.work.processes import Processes
from overpaint.work.station import SECONDS, Home, Station, Word, handed, versions
from overpaint.work.tasks import Function, Needs, Outcome, Task

if TYPE_CHECKING:
    from overpaint.work import Place

MARKER = ".cluster"  # in the folder: by it a station can tell that it sees the very same one
_MOST = 512  # tasks in a chunk
_START = 300.0  # seconds in which one station at least must have been heard of
_LOOK_EVERY = 1.0
_COUNT_EVERY = 5.0  # seconds after which the cluster may have room for more stations
_FALLS = 8  # stations that may be lost in a row before they do anything, where none else works
_TRIES = 3  # stations that may be lost with a task before the task is given up


@dataclass(frozen=True)
class Cluster:
    """Work done by the stations of a Ray cluster, all of which see the folder and what is shown."""

    function: Function
    place: "Place"
    folder: Path
    needs: Needs = field(default_factory=Needs)
    shown: Sequence[Path] = ()  # files that the work reads
    total: int | None = None  # steps at most, where that is known: no more stations are put up

    def perform(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Do every step of every task; outcomes come in the order chunks are ready."""
        ray = joined(self.place)
        with _marked(self.folder) as mark, Held(ray):
            yield from _Yard(ray, self, mark).perform(iter(tasks))


@dataclass(frozen=True)
class _Post:
    """A station, and the machine it is on, once it has said so."""

    actor: Any
    host: str = ""


@dataclass(frozen=True)
class _Chunk:
    tasks: Sequence[Task]
    lost: int = 0  # stations that were lost with it


def _steps_of(tasks: Iterable[Task]) -> list[tuple[Any, Any]]:
    return [(task.subject, step) for task in tasks for step in task.steps]


class _Yard:
    """The stations, what each is doing, and what has to be done again."""

    def __init__(self, ray: Any, terms: Cluster, mark: str) -> None:
        self._ray, self._terms = ray, terms
        needs, place = terms.needs, terms.place
        # Decided once: numbers made with a GPU and without one are not mixed in a run.
        self._gpus = needs.gpus if ray.cluster_resources().get("GPU") else 0.0
        memory = max(place.memory, needs.gigabytes)
        crew = Processes(terms.function, 1, place.deadline, memory)
        home = Home.here(gpu=self._gpus > 0)
        self._handed = handed(crew, home)
        shown = [*terms.shown, *home.named()]
        self._asked = (terms.folder / MARKER, mark, shown, versions())
        self._station = ray.remote(Station).options(**self._options())
        # Who is at what, by the promise of a station's next word; None while it is set up.
        self._doing: dict[Any, tuple[_Post, _Chunk | None]] = {}
        self._idle: list[_Post] = []
        self._first: Word | None = None  # of all stations
        self._again: deque[_Chunk] = deque()
        self._dry = False  # whether there are no new tasks
        self._size, self._falls = 1, 0
        self._counted = 0.0
        self._heard = self._worked = time.monotonic()  # when a station last did

    def perform(self, source: Iterator[Task]) -> Iterator[Outcome]:
        """Hand out chunks until all have come back."""
        try:
            while self._hand_out(source):
                self._grow()
                for promise in self._ready():
                    outcomes = self._hear(promise)
                    self._hand_out(source)  # nobody waits while outcomes are written
                    yield from outcomes
        finally:
            # Where the cluster itself is gone there is nobody left to send home.
            with suppress(UserMistake, ValueError), Held(self._ray):
                for post in (*(post for post, _ in self._doing.values()), *self._idle):
                    self._ray.kill(post.actor)

    # ── stations ────────────────────────────────────────────────────────────────────────

    def _grow(self) -> None:
        """As many stations as were asked for, or as the cluster has room for by now."""
        if (now := time.monotonic()) - self._counted < _COUNT_EVERY:
            return
        self._counted = now
        for _ in range(self._wanted() - len(self._doing) - len(self._idle)):
            self._put_up()

    def _wanted(self) -> int:
        room = self._terms.place.workers or self._room()
        return room if self._terms.total is None else min(room, self._terms.total)

    def _room(self) -> int:
        """For how many stations the cluster's machines are large enough."""
        has, gigabytes = self._ray.cluster_resources(), self._terms.needs.gigabytes
        room = [has.get("CPU", 0)]
        if self._gpus:
            room.append(has.get("GPU", 0) / self._gpus)
        if gigabytes:
            room.append(has.get("memory", 0) / (gigabytes * 2**30))
        return max(1, int(min(room)))

    def _put_up(self) -> None:
        """One station more; the cluster finds it a machine as soon as it can."""
        actor = self._station.remote()
        self._doing[actor.report.remote(*self._asked, self._handed)] = _Post(actor), None

    def _options(self) -> dict[str, float]:
        """What Ray is asked for, for a station."""
        options = {"num_cpus": 1, "num_gpus": self._gpus, "max_restarts": 0, "max_concurrency": 1}
        if self._terms.needs.gigabytes:
            options["memory"] = int(self._terms.needs.gigabytes * 2**30)
        return options

    def _working(self) -> bool:
        """Whether any station works, or could."""
        return bool(self._idle) or any(chunk for _, chunk in self._doing.values())

    # ── chunks ──────────────────────────────────────────────────────────────────────────

    def _hand_out(self, source: Iterator[Task]) -> bool:
        """Give each idle station a chunk; whether anything is still to be done."""
        while self._idle and (chunk := self._next(source)):
            post = self._idle.pop()
            self._doing[post.actor.work.remote(list(chunk.tasks))] = post, chunk
        busy = any(chunk for _, chunk in self._doing.values())
        return busy or bool(self._again) or not self._dry

    def _next(self, source: Iterator[Task]) -> _Chunk | None:
        if self._again:
            return self._again.popleft()
        tasks = () if self._dry else tuple(islice(source, self._size))
        self._dry = not tasks
        return _Chunk(tasks) if tasks else None

    def _ready(self) -> list[Any]:
        """Promises that have been kept; waits a moment for one, and then takes all there are."""
        promises, ready = list(self._doing), list[Any]()
        if promises:
            ready, _ = self._ray.wait(promises, timeout=_LOOK_EVERY)
        else:
            time.sleep(_LOOK_EVERY)  # all are lost; others are put up when it is time to count
        if ready:
            ready, _ = self._ray.wait(promises, num_returns=len(promises), timeout=0)
        elif not self._working() and time.monotonic() - self._heard > _START:
            raise self._no_room()
        return list(ready)

    def _hear(self, promise: Any) -> list[Outcome]:
        """What a station has to say; where it is lost, its chunk is to be done again."""
        post, chunk = self._doing.pop(promise)
        self._heard = time.monotonic()
        try:
            said = self._ray.get(promise)
        except self._ray.exceptions.RayError as loss:
            self._ray.kill(post.actor)
            why = getattr(loss, "cause", None) or loss
            if chunk is None or isinstance(why, OverpaintError):  # its worker did not start
                return self._fell(chunk, why)
            return self._lost(post, chunk, why)
        if chunk is None:
            _check(said, self._asked[3], self._terms.folder)
            self._first = self._first or said
            _check_fonts(said, self._first)
            post = replace(post, host=said.host)
        self._idle.append(post)
        return self._done(chunk, *said) if chunk else []

    def _done(self, chunk: _Chunk, seconds: float, count: int, found: Any) -> list[Outcome]:
        """The outcomes of a chunk's first tasks; the rest, if any, took too long for one chunk."""
        self._falls, self._worked = 0, time.monotonic()
        self._size = max(1, min(_MOST, round(SECONDS * count / max(seconds, 1e-6))))
        if rest := chunk.tasks[count:]:
            self._again.append(_Chunk(rest, chunk.lost))
        steps = _steps_of(chunk.tasks[:count])
        return [Outcome(*step, *done) for step, done in zip(steps, found, strict=True)]

    def _fell(self, chunk: _Chunk | None, why: Exception) -> list[Outcome]:
        """A station's end before it began; another is put up when it is time to count.

        Too many end the run where nobody is left: none works, and those that are to start (there
        may be no room for them) have had their time.
        """
        self._again += [chunk] if chunk else []
        self._falls += 1
        late = time.monotonic() - self._worked > _START
        if self._falls > _FALLS and not self._working() and (late or not self._doing):
            raise _unfit(why)
        return []

    def _lost(self, post: _Post, chunk: _Chunk, loss: Exception) -> list[Outcome]:
        """A station's end: its tasks are done again, each by itself, for one may be to blame.

        Its machine may be lost, and all stations there: none that was idle is tried next.
        """
        self._worked = time.monotonic()
        for other in (one for one in self._idle if one.host == post.host):
            self._ray.kill(other.actor)
        self._idle = [one for one in self._idle if one.host != post.host]
        singly = [_Chunk([task], chunk.lost + 1) for task in chunk.tasks]
        self._again += [one for one in singly if one.lost < _TRIES]
        why = WorkerLost(
            f"{_TRIES} workers of the cluster were lost with it, one after another."
            f" The last: {_said(loss)}"
        )
        given_up = _steps_of(one.tasks[0] for one in singly if one.lost >= _TRIES)
        return [Outcome(subject, step, error=why) for subject, step in given_up]

    def _no_room(self) -> UserMistake:
        resources, needs = self._ray.cluster_resources(), self._terms.needs
        has = {name: resources.get(name, 0) for name in ("CPU", "GPU", "memory")}
        return UserMistake(
            f"For {_START:g} s the cluster has had no machine for a worker; one takes 1 CPU,"
            f" {self._gpus:g} GPUs and {needs.gigabytes:.1f} GB.",
            f"In all it has {has['CPU']:g} CPUs, {has['GPU']:g} GPUs and"
            f" {has['memory'] / 2**30:.0f} GB.",
            "See who holds them with `ray status`; the same command goes on from here.",
        )


@contextmanager
def _marked(folder: Path) -> Iterator[str]:
    """What stands in a file of the folder meanwhile."""
    mark = uuid.uuid4().hex
    try:
        (folder / MARKER).write_text(mark)
    except OSError as error:
        raise explained(error, folder) from error
    try:
        yield mark
    finally:
        (folder / MARKER).unlink(missing_ok=True)


# ── machines that cannot take part ──────────────────────────────────────────────────────────


def _check(word: Word, ours: dict[str, str], folder: Path) -> None:
    """Refuse a machine that would do something else, or would write to another disk."""
    other = [name for name in ours if word.versions.get(name) != ours[name]]
    if other:
        there = ", ".join(f"{name} {word.versions.get(name, 'not installed')}" for name in other)
        here = ", ".join(f"{name} {ours[name]}" for name in other)
        raise UserMistake(
            f"The cluster's machine {word.host} has {there}; here it is {here}.",
            "Numbers of one run come from one version.",
            "Install the same on all of them.",
        )
    if not word.sees:
        raise UserMistake(
            f"The cluster's machine {word.host} does not see {folder}.",
            "Pictures are written there by those who make them, so all machines must share it.",
            "Put the run on a shared disk: -o /shared/runs/NAME",
        )
    if word.lacks:
        raise UserMistake(
            f"The cluster's machine {word.host} does not see {word.lacks}.",
            "What a run reads must be on a disk that all machines share.",
            "Put --data there, and what OVERPAINT_… and HF_HOME name; of built-in sets, weights and"
            " fetched fonts it is OVERPAINT_CACHE that says where.",
        )


def _check_fonts(word: Word, first: Word) -> None:
    """Refuse a machine that would draw words otherwise than another of the cluster.

    This machine's own do not matter, which may be a laptop's: what stations do is not done here.
    """
    if word.fonts != first.fonts:
        raise UserMistake(
            f"The cluster's machine {word.host} has other fonts than {first.host}:"
            f" {word.fonts} files, and there {first.fonts}.",
            "Words are drawn in what is installed, and one run's in the same.",
            "Install the same on all of them.",
        )


def _unfit(error: Exception) -> UserMistake:
    """What is said where no station can be set up, or one cannot take what it is handed."""
    if "No module named 'overpaint" in str(error):
        return UserMistake(
            "A machine of the cluster has no Overpaint, or an older one.",
            "Every machine needs the one that is here.",
            f"pip install 'overpaint[ray]=={versions()['overpaint'].split()[0]}' on all of them.",
        )
    return UserMistake(
        f"No worker can be set up on the cluster: {_said(error)}",
        "",
        "Ray keeps what its machines said in /tmp/ray/session_latest/logs there.",
    )


def _said(error: Exception) -> str:
    """What an error of Ray's says, without names and numbers of its own."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if any("Traceback" in line for line in lines):
        return lines[-1][:500]
    told = [line for line in lines if not re.match(r"\w+: \S+$", line)]
    return " ".join(told)[:500] or type(error).__name__
