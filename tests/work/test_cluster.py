"""Two Ray nodes on this machine: whatever is lost, the run ends as if nothing had happened."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from conftest import make_sample
from test_work import misbehave
from unhurried import GATE

import overpaint
from overpaint.errors import StoreError, UserMistake, WorkerLost
from overpaint.run import Settings
from overpaint.store import Store
from overpaint.work import Needs, Outcome, Place, Task
from overpaint.work import cluster as clusters
from overpaint.work.cluster import Cluster

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent
TOY, EDITOR = f"{HERE.parent / 'toy.py'}:toy", f"neg={HERE / 'unhurried.py'}:Unhurried"
SAMPLES = 60


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A short folder for Ray, whose sockets' names must be short, and what its nodes inherit."""
    folder = Path(tempfile.mkdtemp(prefix="ovp", dir="/tmp"))
    kept = dict(os.environ)
    paths = [str(HERE.parent.parent), str(HERE.parent), str(HERE), kept.get("PYTHONPATH", "")]
    path = ":".join(filter(None, paths))
    (folder / "gate").touch()
    os.environ |= {
        "RAY_TMPDIR": str(folder), "RAY_USAGE_STATS_ENABLED": "0", "PYTHONPATH": path,
        "RAY_CLIENT_RECONNECT_GRACE_PERIOD": "1", GATE: str(folder / "gate"),
    }  # fmt: skip
    yield folder
    os.environ.clear()
    os.environ.update(kept)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def gate(home: Path) -> Iterator[Path]:
    """While this file is not there a run stays in its middle, however long the rest takes."""
    (home / "gate").unlink()
    yield home / "gate"
    (home / "gate").touch()


class Nodes:
    """A head with one CPU that takes clients, and whatever other nodes are added."""

    def __init__(self, home: Path) -> None:
        from ray.cluster_utils import Cluster as Raylets

        self.port = _free_port()
        head = {"num_cpus": 1, "ray_client_server_port": self.port, "include_dashboard": False}
        self.raylets = Raylets(initialize_head=True, head_node_args=head | _SMALL)
        self.address = self.raylets.address

    def add(self, **what: Any) -> Any:
        return self.raylets.add_node(**({"num_cpus": 1} | _SMALL | what))

    def remove(self, node: Any) -> None:
        self.raylets.remove_node(node, allow_graceful=False)


_SMALL = {"object_store_memory": 80 * 2**20}


@pytest.fixture(scope="module")
def nodes(home: Path) -> Iterator[Nodes]:
    ray = pytest.importorskip("ray")
    with pytest.MonkeyPatch.context() as patch:  # a busy machine's head has time to serve a client
        patch.setenv("RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S", "300")
        made = Nodes(home)
    yield made
    ray.shutdown()
    made.raylets.shutdown()


@pytest.fixture
def joined(nodes: Nodes) -> Iterator[Nodes]:
    """This process as a driver of the cluster."""
    import ray

    ray.init(nodes.address, logging_level="ERROR", log_to_driver=False)
    yield nodes
    ray.shutdown()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("set")
    for n in range(SAMPLES):
        make_sample(folder, f"a/{n:03}", n)
    return folder


@pytest.fixture(scope="module")
def calm(data: Path, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[object, ...]]:
    """What the run is where nothing happens and Ray is not asked."""
    out = tmp_path_factory.mktemp("calm")
    settings = Settings(workers=0)
    overpaint.run(TOY, data=data, editors=[EDITOR], floors=False, out=out, settings=settings)
    return rows(out)


def command(data: Path, out: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "overpaint", "run", TOY, "--data", str(data), "--editor", EDITOR,
            "--no-floors", "--quiet", "-o", str(out), *more]  # fmt: skip


def rows(folder: Path) -> list[tuple[object, ...]]:
    with Store.open(folder) as store:
        edits = [
            (edit.sample.id, edit.editor, edit.status, edit.output and edit.output.key, edit.notes)
            for edit in store.edits()
        ]
        return [*edits, *(row[:-1] for row in store.rows())]


def count(folder: Path) -> int:
    try:
        with Store.open(folder) as store:
            return sum(store.counts().values())
    except StoreError:
        return 0


def until(look: Callable[[], object], going: subprocess.Popen[str] | None = None) -> None:
    """Wait for it, for as long as a busy machine may take."""
    end = time.monotonic() + 400
    while not look():
        assert time.monotonic() < end, "it never came"
        if going and going.poll() is not None:
            raise AssertionError(f"the run ended too soon: {going.communicate()}")
        time.sleep(0.05)


def started(what: list[str], **env: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        what, env=os.environ | env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def finished(going: "subprocess.Popen[str]") -> str:
    said = "".join(going.communicate(timeout=500))
    assert going.returncode == 0, said
    return said


def test_ctrl_c_leaves_nothing_behind_of_a_cluster_that_was_made_for_the_run(
    gate: Path, data: Path, tmp_path: Path
) -> None:
    pytest.importorskip("ray")
    out = tmp_path / "run"  # before the nodes below: a cluster that runs here would be joined
    going = started(command(data, out, "--on", "ray", "--workers", "1"))
    until(lambda: count(out) >= 3, going)
    below = psutil.Process(going.pid).children(recursive=True)
    assert any("raylet" in one.name() for one in below)
    going.send_signal(signal.SIGINT)
    _, said = going.communicate(timeout=180)
    assert going.returncode == 130
    assert "the same command goes on from here" in said
    assert "Traceback" not in said
    _, alive = psutil.wait_procs(below, timeout=60)
    assert alive == []


def test_a_node_killed_in_the_middle_of_a_run_costs_nothing(
    nodes: Nodes, gate: Path, data: Path, calm: list[tuple[object, ...]], tmp_path: Path
) -> None:
    second, out = nodes.add(), tmp_path / "run"
    raylet = psutil.Process(second.all_processes["raylet"][0].process.pid)
    going = started(command(data, out, "--on", "ray", "--workers", "2"), RAY_ADDRESS=nodes.address)
    until(lambda: count(out) >= 10 and _worker_below(raylet), going)
    machine = [raylet, *raylet.children(recursive=True)]
    assert count(out) < SAMPLES, "it was never in the middle"
    for process in machine:
        process.kill()
    gate.touch()
    finished(going)
    nodes.remove(second)
    assert rows(out) == calm
    assert not (out / clusters.MARKER).exists()


def _worker_below(raylet: psutil.Process) -> bool:
    """Whether a station of that node has its worker."""
    return any("spawn_main" in str(one.cmdline()) for one in raylet.children(recursive=True))


def test_over_the_network_a_driver_killed_in_the_middle_goes_on_with_the_same_command(
    nodes: Nodes, gate: Path, data: Path, calm: list[tuple[object, ...]], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    again = command(data, out, "--on", f"ray://127.0.0.1:{nodes.port}")
    going = started(again)
    until(lambda: count(out) >= 10, going)
    going.kill()
    going.communicate()
    assert count(out) < SAMPLES, "it was never in the middle"
    gate.touch()
    finished(started(again))
    assert rows(out) == calm


def test_trouble_at_a_station_costs_its_own_step_only(joined: Nodes, tmp_path: Path) -> None:
    place = Place("ray", workers=1, deadline=12.0, memory=0.7)
    steps = ("fine", "die", "fine", "hang", "swell", "raise", "fine")
    tasks = [Task(1, steps), *(Task(n, ("fine",)) for n in range(2, 6))]
    found = list(Cluster(misbehave, place, tmp_path).perform(tasks))
    told = {(one.subject, one.step): str(one.error) for one in found if one.error}
    assert all(isinstance(one.error, WorkerLost) for one in found if one.error)
    assert list(told) == [(1, "die"), (1, "hang"), (1, "swell"), (1, "raise")]
    for (_, _), words, said in zip(
        told, ("SIGKILL", "within 12 s", "limit is 0.7", "no 1"), told.values(), strict=True
    ):
        assert words in said
    fine = [(one.subject, one.result) for one in found if not one.error]
    assert sorted(fine) == [(1, 10)] * 3 + [(n, 10 * n) for n in range(2, 6)]


@cache
def model(folder: Path) -> str:
    """What takes long to load."""
    (folder / f"loaded-{uuid.uuid4()}").touch()
    return "ready"


def modelled(folder: Path, subject: int, step: str) -> str:
    time.sleep(0.05)
    return model(folder)


def test_a_model_is_loaded_once_a_worker_however_many_chunks_it_is_handed(
    joined: Nodes, tmp_path: Path
) -> None:
    work = Cluster(partial(modelled, tmp_path), Place("ray", workers=1), tmp_path)
    found = list(work.perform([Task(n, ("one",)) for n in range(60)]))
    assert [one.result for one in found] == ["ready"] * 60
    assert len(list(tmp_path.glob("loaded-*"))) == 1


class Touchy:
    """A function that ends whoever unpacks it, a few times."""

    def __init__(self, folder: Path, times: int) -> None:
        self.folder, self.times = folder, times

    def __call__(self, subject: int, step: str) -> int:
        return subject

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        fallen = len(list(self.folder.glob("fell-*")))
        if fallen < self.times:
            (self.folder / f"fell-{fallen}").touch()
            os.kill(os.getpid(), signal.SIGKILL)


def test_a_station_lost_while_it_is_set_up_is_replaced(joined: Nodes, tmp_path: Path) -> None:
    tasks = [Task(n, ("one",)) for n in range(3)]
    work = Cluster(Touchy(tmp_path, 1), Place("ray", workers=1), tmp_path)
    assert sorted(one.result for one in work.perform(tasks)) == [0, 1, 2]
    assert (tmp_path / "fell-0").exists()


def test_stations_that_always_fall_end_the_run_with_a_sentence(
    joined: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "_FALLS", 1)
    work = Cluster(Touchy(tmp_path, 99), Place("ray", workers=1), tmp_path)
    with pytest.raises(UserMistake, match="No worker can be set up on the cluster"):
        list(work.perform([Task(1, ("one",))]))


def test_a_cluster_without_room_ends_the_run_with_a_sentence(
    joined: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "_START", 2.0)
    work = Cluster(misbehave, Place("ray"), tmp_path, Needs(gigabytes=100_000))
    with pytest.raises(UserMistake, match="no machine for a worker; one takes .* 100000.0 GB"):
        list(work.perform([Task(1, ("fine",))]))


def deadly(subject: int, step: str) -> int:
    """Takes its station with it, as a machine without memory would."""
    if step == "deadly":
        station = psutil.Process().parent()
        assert station is not None
        station.kill()
        time.sleep(600)
    return subject


def test_a_task_that_takes_its_machines_down_is_given_up_and_the_others_are_done(
    joined: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "_TRIES", 2)
    tasks = [Task(n, ("deadly" if n == 2 else "fine",)) for n in range(6)]
    found = list(Cluster(deadly, Place("ray", workers=1), tmp_path).perform(tasks))
    assert sorted(one.subject for one in found) == list(range(6))
    assert [(one.subject, str(one.error)[:40]) for one in found if one.error] == [
        (2, "2 workers of the cluster were lost with ")
    ]


def gpus_of(subject: int, step: str) -> str | None:
    return os.environ.get("CUDA_VISIBLE_DEVICES")


def test_who_needs_a_gpu_gets_one_and_nobody_else_sees_it(joined: Nodes, tmp_path: Path) -> None:
    def seen(needs: Needs) -> list[Outcome]:
        work = Cluster(gpus_of, Place("ray", workers=1), tmp_path, needs)
        return [one.result for one in work.perform([Task(1, ("look",))])]

    assert seen(Needs(gpus=1)) == [""], "a cluster without a GPU has none to give"
    node = joined.add(num_gpus=1)
    assert seen(Needs(gpus=1, gigabytes=0.1)) == ["0"]
    assert seen(Needs()) == [""]
    joined.remove(node)


STRANGE = """
import importlib.metadata as metadata
real = metadata.version
metadata.version = lambda name: "0.0.1" if name == "overpaint" else real(name)
"""


def test_a_machine_with_another_version_is_refused(joined: Nodes, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(STRANGE)
    paths = f"{tmp_path}:{os.environ['PYTHONPATH']}"
    node = joined.add(num_cpus=2, env_vars={"PYTHONPATH": paths})
    work = Cluster(slow, Place("ray", workers=3), tmp_path)
    with pytest.raises(UserMistake) as told:
        list(work.perform([Task(n, ("one",)) for n in range(900)]))
    joined.remove(node)
    assert "has overpaint 0.0.1" in str(told.value)
    assert "Install the same on all of them" in str(told.value)


def test_a_machine_that_does_not_see_the_folder_is_refused(joined: Nodes, tmp_path: Path) -> None:
    out = tmp_path / "run"
    out.mkdir()
    inside = f"mount -t tmpfs none {out} && exec {sys.executable} -m ray.scripts.scripts start"
    join = f"--address={joined.address} --num-cpus=2 --block --object-store-memory=80000000"
    if (
        shutil.which("unshare") is None
        or subprocess.run(
            ["unshare", "--mount", "true"], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("a machine that sees other disks can only be made by root on Linux")
    other = psutil.Popen(["unshare", "--mount", "sh", "-c", f"{inside} {join}"],
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    try:
        until(lambda: _cpus() >= 3)
        work = Cluster(slow, Place("ray", workers=3), out)
        with pytest.raises(UserMistake, match=f"does not see {out}.*Put the run on a shared disk"):
            list(work.perform([Task(n, ("one",)) for n in range(900)]))
    finally:
        for process in [other, *other.children(recursive=True)]:
            process.kill()


def slow(subject: int, step: str) -> int:
    """Takes long enough for every machine to be heard."""
    time.sleep(0.1)
    return subject


def _cpus() -> float:
    import ray

    return float(ray.cluster_resources().get("CPU", 0))


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
