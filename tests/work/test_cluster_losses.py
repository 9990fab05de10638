"""What a cluster loses, told by one that is only pretended, so that it is quick."""

import errno
import sys
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from overpaint.errors import OverpaintError, StoreError, UserMistake
from overpaint.work import Place, Task, joining
from overpaint.work import cluster as clusters
from overpaint.work.cluster import Cluster
from overpaint.work.station import Word, versions


class RayError(Exception):
    """What Ray raises where a station is gone."""


class RayTaskError(RayError):
    """What Ray raises of an error at a station."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


# What a station does when it is asked for the so-many-th time; it may say which machine it is on.
Act = Callable[[int], str | None]


class Pretended:
    """As much of Ray as is asked: stations do as they are told, one act for each."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, acts: Iterator[Act], room: int = 1) -> None:
        self.acts, self.room = acts, room
        self.waits, self.killed = list[int](), 0

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": self.room}

    def remote(self, _: type) -> "Pretended":
        return self

    def options(self, **_: object) -> Any:
        return SimpleNamespace(remote=lambda: Actor(next(self.acts)))

    def wait(self, promises: list[Any], num_returns: int = 1, timeout: float = 0) -> Any:
        self.waits.append(num_returns)
        ready = [one for one in promises if not one.late] or promises
        return ready[:num_returns], [one for one in promises if one not in ready[:num_returns]]

    def get(self, promise: "Promise") -> Any:
        return promise.kept()

    def kill(self, actor: object) -> None:
        self.killed += 1


class Promise:
    """Of what a station will say; what is late is known only when nothing else is waited for."""

    def __init__(self, kept: Callable[[], Any], late: bool) -> None:
        self.kept, self.late = kept, late


class Actor:
    """A station; each of its acts may raise."""

    def __init__(self, act: Act) -> None:
        self.count, self.act = 0, act
        self.report = SimpleNamespace(remote=lambda *_: self._promised(None))
        self.work = SimpleNamespace(remote=self._promised)

    def _promised(self, tasks: list[Task] | None) -> Promise:
        self.count += 1
        number = self.count

        def kept() -> Any:
            host = self.act(number)
            if tasks is None:
                return Word(host or "there", versions(), True, "", "")
            return 1.0, len(tasks), [(step, None) for task in tasks for step in task.steps]

        return Promise(kept, late=self.act is late)


def fine(count: int) -> None:
    """A station that does what it is asked."""


def late(count: int) -> None:
    """A station that works when others have been heard."""


def cannot_start(count: int) -> None:
    """A station whose machine is short of memory."""
    if count > 1:
        raise RayTaskError(UserMistake("A worker process could not start."))


def falls(count: int) -> None:
    """A station that is lost while it is set up."""
    raise RayError("The node died.")


@pytest.fixture
def lost_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The outcomes of six tasks on a pretended cluster."""
    monkeypatch.setattr(clusters, "_COUNT_EVERY", 0.0)
    monkeypatch.setattr(clusters, "_LOOK_EVERY", 0.001)

    def done(
        ray: Pretended, count: int = 6, total: int | None = None
    ) -> list[tuple[int, str, str]]:
        monkeypatch.setattr(clusters, "joined", lambda _: ray)
        work = Cluster(print, Place("ray"), tmp_path, total=total)
        tasks = [Task(n, ("step",)) for n in range(count)]
        return sorted((o.subject, o.result, str(o.error or "")) for o in work.perform(tasks))

    return done


ALL = [(n, "step", "") for n in range(6)]


def acts(*first: Act, then: Act = fine) -> Iterator[Act]:
    yield from first
    while True:
        yield then


def test_a_bad_machine_does_not_end_a_run_that_others_work_on(lost_on: Any) -> None:
    def slow(count: int) -> None:
        time.sleep(0.002)

    ray = Pretended(acts(slow, then=falls), room=2)
    assert lost_on(ray) == ALL
    assert lost_on(Pretended(acts(slow, then=cannot_start), room=2)) == ALL


def test_a_bad_machine_does_not_end_a_run_while_others_are_still_starting(lost_on: Any) -> None:
    bad = clusters._FALLS + 2
    assert lost_on(Pretended(acts(*[falls] * bad, *[late] * 6), room=bad + 6)) == ALL


def test_bad_machines_end_a_run_though_stations_wait_that_no_machine_has_room_for(
    lost_on: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "_START", 0.05)
    with pytest.raises(UserMistake, match="No worker can be set up on the cluster: The node died"):
        lost_on(Pretended(acts(late, then=falls), room=8))


def test_a_machine_that_dies_costs_a_task_one_try_however_many_stations_were_idle_there(
    lost_on: Any,
) -> None:
    dead = list[str]()

    def on(host: str) -> Act:
        def act(count: int) -> str:
            if host == "first" and count > 1:
                dead.append(host)
                raise RayError("The actor died: its node has died.")
            return host

        return act

    where = [on("first"), on("second"), *(on("first") for _ in range(4))]
    assert lost_on(Pretended(acts(*where), room=6), count=1) == ALL[:1]
    assert dead == ["first"]


def test_no_more_stations_are_put_up_than_there_are_things_to_do(lost_on: Any) -> None:
    ray = Pretended(acts(), room=100)
    assert lost_on(ray, count=2, total=2) == ALL[:2]
    assert ray.killed == 2


def test_a_station_whose_worker_does_not_start_costs_its_items_nothing(lost_on: Any) -> None:
    assert clusters._FALLS > clusters._TRIES
    assert lost_on(Pretended(acts(*[cannot_start] * clusters._FALLS))) == ALL


@pytest.mark.parametrize(
    ("act", "words"), [(falls, "The node died"), (cannot_start, "A worker process could not start")]
)
def test_where_nobody_ever_comes_to_work_it_ends_with_a_sentence(
    act: Act, words: str, lost_on: Any
) -> None:
    with pytest.raises(UserMistake, match=f"No worker can be set up on the cluster: {words}"):
        lost_on(Pretended(acts(then=act)))


def test_lost_stations_are_replaced_when_the_cluster_is_counted_again(
    lost_on: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "_COUNT_EVERY", 0.2)
    ray, began = Pretended(acts(falls, falls)), time.monotonic()
    assert lost_on(ray) == ALL
    assert time.monotonic() - began >= 0.4


def test_all_that_have_come_back_are_heard_before_it_waits_again(lost_on: Any) -> None:
    ray = Pretended(acts(), room=4)
    assert lost_on(ray) == ALL
    assert 4 in ray.waits


class RpcError(Exception):
    """What the network raises."""


ERRORS = [ConnectionError, RpcError, Exception, RayError]  # the last where it is not a station's


@pytest.mark.parametrize(
    ("where", "error"),
    [
        *product(("wait", "cluster_resources", "remote", "kill"), ERRORS),
        *product(("get",), ERRORS[:-1]),
    ],
)
def test_a_cluster_that_is_gone_is_a_sentence(
    where: str, error: type[Exception], lost_on: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "grpc", SimpleNamespace(RpcError=RpcError))
    ray = Pretended(acts())

    def gone(*_: object, **__: object) -> None:
        raise error("the head was lost")

    monkeypatch.setattr(ray, where, gone)
    if where == "kill":
        assert lost_on(ray) == ALL, "nobody is left to send home"
        return
    with pytest.raises(UserMistake, match="The cluster is gone: the head was lost. What is done"):
        lost_on(ray)


def test_errors_of_the_run_itself_stay_what_they_are(lost_on: Any) -> None:
    for kind in (OverpaintError, KeyboardInterrupt, KeyError):
        with pytest.raises(kind), joining.Held(Pretended(acts())):
            raise kind("another")


def test_a_full_disk_is_a_sentence(
    lost_on: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(StoreError, match=f"The disk that holds {tmp_path} is full"):
        lost_on(Pretended(acts()))
