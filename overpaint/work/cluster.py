"""Work done by a Ray cluster, by address or on this machine.

A station is an actor of Ray with a crew of one: the same supervised process, with the same
deadline and memory, that works on one machine, and it stays, with the models it has loaded.
Stations are handed chunks of tasks that take about a second; only this process writes. A station
that is lost with its machine loses nothing but time: its chunk is handed to another.
"""

import logging
import os
import platform
import time
import uuid
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overpaint.errors import Unavailable, UserMistake, WorkerLost
from overpaint.work.processes import ELSEWHERE, Crew, Processes
from overpaint.work.tasks import Function, Needs, Outcome, Task

if TYPE_CHECKING:
    from overpaint.work import Place

_SECONDS = 1.0  # of work in a chunk: handing one over costs a few milliseconds
_MOST = 512  # tasks in a chunk
_START = 300.0  # seconds in which a cluster must have put up one station at least
_LOOK_EVERY = 1.0
_FALLS = 8  # stations that may be lost in a row while they are set up
_TRIES = 3  # machines that may be lost with a task before the task is given up


@dataclass(frozen=True)
class Cluster:
    """Work done by the stations of a Ray cluster, all of which see the folder."""

    function: Function
    place: "Place"
    folder: Path
    needs: Needs = field(default_factory=Needs)

    def perform(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Do every step of every task; outcomes come in the order chunks are ready."""
        ray = joined(self.place)
        with _marked(self.folder) as marker:
            yield from _Yard(ray, self, marker).perform(iter(tasks))


@dataclass(frozen=True)
class _Chunk:
    tasks: list[Task]
    lost: int = 0  # machines that were lost with it

    @property
    def steps(self) -> list[tuple[Any, Any]]:
        return [(task.subject, step) for task in self.tasks for step in task.steps]


class _Yard:
    """The stations, what each is doing, and what has to be done again."""

    def __init__(self, ray: Any, terms: Cluster, marker: Path) -> None:
        self._ray, self._terms, self._marker = ray, terms, marker
        self._actors: dict[Any, Any] = {}  # by the promise of its next word
        self._doing: dict[Any, _Chunk | None] = {}  # likewise; None while it is set up
        self._idle: list[Any] = []
        self._again: deque[_Chunk] = deque()
        self._size, self._met, self._falls = 1, False, 0

    def perform(self, source: Iterator[Task]) -> Iterator[Outcome]:
        """Hand out chunks until all have come back."""
        began = time.monotonic()
        try:
            for _ in range(_stations(self._ray, self._terms)):
                self._put_up()
            while self._hand_out(source):
                ready, _ = self._ray.wait(list(self._doing), timeout=_LOOK_EVERY)
                for promise in ready:
                    yield from self._hear(promise)
                if not self._met and time.monotonic() - began > _START:
                    raise _no_room(self._ray, self._terms)
        finally:
            for actor in (*self._actors.values(), *self._idle):
                self._ray.kill(actor)

    def _put_up(self) -> None:
        """One station more; the cluster finds it a machine as soon as it can."""
        needs, terms = self._terms.needs, self._terms
        gpus = needs.gpus if self._ray.cluster_resources().get("GPU") else 0
        options = {"num_cpus": 1, "num_gpus": gpus, "max_restarts": 0, "max_concurrency": 1}
        if needs.gigabytes:
            options["memory"] = int(needs.gigabytes * 2**30)
        memory = max(terms.place.memory, needs.gigabytes)
        crew = Processes(terms.function, 1, terms.place.deadline, memory)
        actor = self._ray.remote(_Station).options(**options).remote(crew, _Home.here())
        self._watch(actor, actor.report.remote(self._marker), None)

    def _watch(self, actor: Any, promise: Any, chunk: _Chunk | None) -> None:
        self._actors[promise], self._doing[promise] = actor, chunk

    def _hand_out(self, source: Iterator[Task]) -> bool:
        """Give each idle station a chunk; whether anything is still being done."""
        while self._idle:
            chunk = self._again.popleft() if self._again else _Chunk(
                list(islice(source, self._size))
            )  # fmt: skip
            if not chunk.tasks:
                break
            actor = self._idle.pop()
            self._watch(actor, actor.work.remote(chunk.tasks), chunk)
        waiting = not self._met or bool(self._again)
        return waiting or any(chunk is not None for chunk in self._doing.values())

    def _hear(self, promise: Any) -> Iterator[Outcome]:
        """What a station has to say; where it is lost, its chunk is to be done again."""
        actor, chunk = self._actors.pop(promise), self._doing.pop(promise)
        try:
            word = self._ray.get(promise)
        except self._ray.exceptions.RayActorError as error:
            yield from self._lost(chunk, error)
            return
        except self._ray.exceptions.RayTaskError as error:
            raise error.as_instanceof_cause() from None
        self._idle.append(actor)
        if chunk is None:
            _check(word, self._terms.folder)
            self._met, self._falls = True, 0
            return
        seconds, found = word
        self._size = max(1, min(_MOST, round(_SECONDS * len(chunk.tasks) / max(seconds, 1e-6))))
        for (subject, step), (result, error) in zip(chunk.steps, found, strict=True):
            yield Outcome(subject, step, result, error)

    def _lost(self, chunk: _Chunk | None, error: Exception) -> Iterator[Outcome]:
        if chunk is None:
            self._falls += 1
            if self._falls > _FALLS:
                raise UserMistake(f"No worker can be set up on the cluster: {str(error)[:2000]}")
        self._put_up()
        for task in chunk.tasks if chunk else ():
            again = _Chunk([task], chunk.lost + 1 if chunk else 0)
            if again.lost < _TRIES:
                self._again.append(again)
                continue
            why = WorkerLost(f"{_TRIES} machines of the cluster were lost while working on it.")
            for subject, step in again.steps:
                yield Outcome(subject, step, error=why)


# ── the cluster ─────────────────────────────────────────────────────────────────────────────


def joined(place: "Place") -> Any:
    """Ray, connected; the connection lasts as long as this process."""
    try:
        import ray
    except ImportError as error:
        raise Unavailable(
            "Ray is not installed, so there is no cluster to work on.",
            todo="pip install 'overpaint[ray]'",
        ) from error
    if ray.is_initialized():
        return ray
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no reports of its use
    told = {"logging_level": logging.ERROR, "log_to_driver": False}
    if place.on != "ray":
        try:
            ray.init(place.on, **told)
        except (ConnectionError, TimeoutError, RuntimeError, ValueError) as error:
            raise UserMistake(
                f"No Ray cluster answers at {place.on}: {str(error)[:300]}",
                "Its head listens for clients on port 10001 unless told otherwise.",
                "Start one: ray start --head --ray-client-server-port 10001",
            ) from error
        return ray
    try:
        ray.init("auto", **told)
    except ConnectionError:  # none runs here, so one is made, and ends with this process
        ray.init("local", num_cpus=place.cores, include_dashboard=False, **told)
    return ray


def _stations(ray: Any, terms: Cluster) -> int:
    """As many as were asked for, or as the cluster has room for now."""
    has = ray.cluster_resources()
    room = [has.get("CPU", 0)]
    if terms.needs.gpus and has.get("GPU"):
        room.append(has["GPU"] / terms.needs.gpus)
    if terms.needs.gigabytes:
        room.append(has.get("memory", 0) / (terms.needs.gigabytes * 2**30))
    return terms.place.workers or max(1, int(min(room)))


def _no_room(ray: Any, terms: Cluster) -> UserMistake:
    has = {name: ray.cluster_resources().get(name, 0) for name in ("CPU", "GPU", "memory")}
    return UserMistake(
        f"In {_START:g} s the cluster found no machine for a worker; one takes 1 CPU,"
        f" {terms.needs.gpus:g} GPUs and {terms.needs.gigabytes:g} GB.",
        f"It has {has['CPU']:g} CPUs, {has['GPU']:g} GPUs and {has['memory'] / 2**30:.0f} GB.",
        "See what else works on it: ray status",
    )


@contextmanager
def _marked(folder: Path) -> Iterator[Path]:
    """A file by which a station can tell that it sees the very same folder."""
    marker = folder / f".seen-{uuid.uuid4().hex}"
    marker.touch()
    try:
        yield marker
    finally:
        marker.unlink(missing_ok=True)


def _check(word: dict[str, Any], folder: Path) -> None:
    """Refuse a machine that would do something else, or would write to another disk."""
    ours = _versions()
    if word["versions"] != ours:
        raise UserMistake(
            f"The cluster's machine {word['host']} has {_told(word['versions'])}; here it is"
            f" {_told(ours)}.",
            "Numbers of one run come from one version.",
            "Install the same on all of them.",
        )
    if not word["sees"]:
        raise UserMistake(
            f"The cluster's machine {word['host']} does not see {folder}.",
            "Pictures are written there by those who make them, so all machines must share it.",
            "Put the run on a shared disk: -o /shared/runs/NAME",
        )


def _versions() -> dict[str, str]:
    major, minor, *_ = platform.python_version_tuple()
    return {"overpaint": version("overpaint"), "Python": f"{major}.{minor}"}


def _told(versions: dict[str, str]) -> str:
    return " on ".join(f"{name} {number}" for name, number in versions.items())


# ── at a station ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Home:
    """What a station takes over from the process that the user has started."""

    host: str
    folder: str
    variables: dict[str, str]

    @classmethod
    def here(cls) -> "_Home":
        """This process's."""
        ours = {name: value for name, value in os.environ.items() if name.startswith("OVERPAINT_")}
        return cls(platform.node(), str(Path.cwd()), ours)

    def settle(self) -> None:
        """Relative paths mean the same as at home, wherever the station is."""
        os.environ.update(self.variables)
        if platform.node() != self.host:
            os.environ[ELSEWHERE] = "1"
        if Path(self.folder).is_dir():
            os.chdir(self.folder)


class _Station:
    """An actor of Ray: a supervisor with one process, kept from one chunk to the next."""

    def __init__(self, terms: Processes, home: _Home) -> None:
        home.settle()
        self._crew = Crew(terms)

    def report(self, marker: Path) -> dict[str, Any]:
        """Who this is, and whether the run's folder is to be seen from here."""
        return {"host": platform.node(), "versions": _versions(), "sees": marker.exists()}

    def work(self, tasks: list[Task]) -> tuple[float, list[tuple[Any, Any]]]:
        """What came of each step, in order, and how many seconds it took."""
        started = time.perf_counter()
        found = [(one.result, one.error) for one in self._crew.perform(tasks)]
        return time.perf_counter() - started, found
