"""Workers: a step that dies, hangs, swells or raises costs itself alone."""

import errno
import os
import signal
import subprocess
import sys
import time
from multiprocessing.context import SpawnProcess
from pathlib import Path

import numpy as np
import psutil
import pytest

from overpaint.errors import UserMistake, WorkerLost
from overpaint.work import Here, Processes, Task, Threads, processes
from overpaint.work.processes import Crew

SWELLS = "import time; hog = b'x' * 2**30; time.sleep(600)"


def misbehave(subject: int, step: str) -> int:
    if step == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if step == "hang":
        time.sleep(600)
    if step == "swell":
        hog = np.ones(2**27)  # 1 GB, touched
        time.sleep(600 + hog[0])
    if step == "raise":
        raise ValueError(f"no {subject}")
    if step == "exit":
        os._exit(3)
    if step == "program":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        time.sleep(600)
    if step == "program swells":
        subprocess.run([sys.executable, "-c", SWELLS], check=True)
    if step == "fork and die":  # the child keeps the pipe, and would not be found by its parent
        child = os.fork()
        if child == 0:
            time.sleep(600)
        Path(os.environ.get("TEST_WORK_FORKED", os.devnull)).write_text(str(child))
        os._exit(3)
    if step == "fork and return":
        os.fork()
        return os.getpid()
    if step == "SystemExit":
        sys.exit("enough")
    if step == "KeyboardInterrupt":
        raise KeyboardInterrupt
    if step == "print":
        print("this must not reach stdout")
    return subject * 10


def outcomes(tasks: list[Task], deadline: float = 60.0) -> dict[tuple[int, str], object]:
    found = {}
    for one in Processes(misbehave, 2, deadline, memory=0.5).perform(tasks):
        assert (one.subject, one.step) not in found, "a step came back twice"
        found[one.subject, one.step] = one.error or one.result
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        ("die", "died (SIGKILL)"),
        ("exit", "exit code 3"),
        ("hang", "within 3 s"),
        ("swell", "limit is 0.5"),
        ("raise", "ValueError: no 1"),
        ("fork and die", "exit code 3"),
        ("SystemExit", "SystemExit: enough"),
        ("KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_trouble_costs_its_own_step_only(trouble: str, words: str) -> None:
    steps = ("fine", trouble, "fine again")
    tasks = [Task(1, steps), *(Task(n, ("fine",)) for n in range(2, 8))]
    found = outcomes(tasks, deadline=3.0 if trouble == "hang" else 60.0)
    lost = found.pop((1, trouble))
    assert isinstance(lost, WorkerLost)
    assert words in str(lost)
    assert found == {(1, "fine"): 10, (1, "fine again"): 10} | {
        (n, "fine"): n * 10 for n in range(2, 8)
    }


@pytest.mark.slow
def test_more_deaths_than_workers_still_finish() -> None:
    found = outcomes([Task(n, ("die", "fine")) for n in range(5)])
    assert [found[n, "fine"] for n in range(5)] == [0, 10, 20, 30, 40]
    assert all(isinstance(found[n, "die"], WorkerLost) for n in range(5))


@pytest.mark.slow
def test_what_a_dead_worker_has_forked_does_not_outlive_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_WORK_FORKED", str(tmp_path / "pid"))
    outcomes([Task(1, ("fork and die", "fine"))])
    end = time.monotonic() + 5
    while psutil.pid_exists(int((tmp_path / "pid").read_text())):
        assert time.monotonic() < end, "it is still there"
        time.sleep(0.05)


def no_room(_: object) -> None:
    raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")


def test_a_worker_for_which_there_is_no_room_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SpawnProcess, "start", no_room)
    with pytest.raises(UserMistake, match="could not start. Resource .* or use fewer workers"):
        outcomes([Task(1, ("fine",))])


@pytest.mark.slow
def test_so_it_is_for_one_that_takes_anothers_place(monkeypatch: pytest.MonkeyPatch) -> None:
    with Crew(Processes(misbehave, 1)) as crew:
        monkeypatch.setattr(SpawnProcess, "start", no_room)
        with pytest.raises(UserMistake, match="could not start. Resource"):
            list(crew.perform([Task(1, ("die", "fine"))]))


@pytest.mark.slow
def test_a_worker_that_is_killed_while_it_starts_costs_nothing() -> None:
    with Crew(Processes(misbehave, 1)) as crew:
        (worker,) = crew._workers
        os.kill(worker._process.pid, signal.SIGKILL)
        found = [one.result for one in crew.perform([Task(1, ("fine", "fine again"))])]
    assert found == [10, 10]


def slow_starts(monkeypatch: pytest.MonkeyPatch, times: int) -> list[float]:
    """Let so many of the next workers be too late, however fast they are; gives their terms."""
    given, begin = list[float](), processes._Worker._start
    monkeypatch.setattr(processes, "_LOOK_EVERY", 0.0)  # looked at before a process can have begun

    def start(worker: processes._Worker) -> None:
        begin(worker)
        given.append(-1.0 if len(given) < times else 60.0)
        monkeypatch.setattr(processes, "_START", given[-1])

    monkeypatch.setattr(processes._Worker, "_start", start)
    return given


@pytest.mark.slow
def test_a_worker_that_is_slow_to_start_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    given = slow_starts(monkeypatch, times=2)
    found = list(Processes(misbehave, 1).perform([Task(1, ("fine", "fine again"))]))
    assert [one.result for one in found] == [10, 10]
    assert len(given) == 3


@pytest.mark.slow
def test_workers_that_are_always_slow_to_start_end_it_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = slow_starts(monkeypatch, times=99)
    with pytest.raises(UserMistake, match="could not start. The worker did not start within"):
        list(Processes(misbehave, 1).perform([Task(1, ("fine",))]))
    assert len(given) == 1 + processes._FALLS


@pytest.mark.slow
def test_what_a_worker_has_started_counts_against_its_memory() -> None:
    found = outcomes([Task(1, ("program swells", "fine"))])
    assert "limit is 0.5" in str(found[1, "program swells"])
    assert found[1, "fine"] == 10


def test_all_workers_share_one_look_at_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, look = list[int](), psutil.Process.children

    def counted(process: psutil.Process, recursive: bool = False) -> list[psutil.Process]:
        looks.append(process.pid)
        return look(process, recursive)

    monkeypatch.setattr(psutil.Process, "children", counted)
    program = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    programs = processes._Programs()
    held = {programs.gigabytes(os.getpid()) for _ in range(20)}
    program.communicate(b"\n")
    assert max(held) > 0
    assert len(looks) <= 2, "it is looked again only when some time has passed"
    assert programs.gigabytes(program.pid) == 0.0, "it is gone"


@pytest.mark.slow
def test_a_step_that_forks_and_returns_twice_counts_once() -> None:
    found = outcomes([Task(1, ("fork and return", "fine", "fine again"))])
    assert (found[1, "fine"], found[1, "fine again"]) == (10, 10)


def test_threads_outlive_whatever_a_step_raises() -> None:
    work = Threads(misbehave, 1)
    done = work.perform([Task(1, ("SystemExit", "KeyboardInterrupt", "fine"))])
    found = {one.step: one.error or one.result for one in done}
    assert found["fine"] == 10
    assert "SystemExit: enough" in str(found["SystemExit"])
    assert "KeyboardInterrupt" in str(found["KeyboardInterrupt"])


def test_work_here_gives_the_same_outcomes() -> None:
    found = [o.error is None for o in Here(misbehave).perform([Task(1, ("fine", "raise", "fine"))])]
    assert found == [True, False, True]


@pytest.mark.slow
def test_what_workers_print_stays_off_stdout(tmp_path: Path) -> None:
    script = (
        "from test_work import *\n"
        "if __name__ == '__main__':\n"
        "    list(Processes(misbehave, 1).perform([Task(1, ('print',))]))\n"
    )
    (tmp_path / "script.py").write_text(script)
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py"], capture_output=True, text=True, timeout=60,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent)}, check=True,
    )  # fmt: skip
    assert done.stdout == ""
    assert "must not reach stdout" in done.stderr


@pytest.mark.slow
def test_a_script_without_a_main_guard_is_told_so(tmp_path: Path) -> None:
    script = (
        "from test_work import *\nlist(Processes(misbehave, 1).perform([Task(1, ('fine',))]))\n"
    )
    (tmp_path / "script.py").write_text(script)
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py"], capture_output=True, text=True, timeout=60,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent)}, check=False,
    )  # fmt: skip
    assert UserMistake.__name__ in done.stderr
    assert '__name__ == "__main__"' in done.stderr


@pytest.mark.slow
def test_workers_and_their_programs_leave_when_the_parent_is_killed(tmp_path: Path) -> None:
    script = (
        "from test_work import *\n"
        "if __name__ == '__main__':\n"
        "    list(Processes(misbehave, 2).perform([Task(n, ('program',)) for n in range(2)]))\n"
    )
    (tmp_path / "script.py").write_text(script)
    parent = psutil.Popen(
        [sys.executable, tmp_path / "script.py"],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent)},
    )
    programs = _wait_for(lambda: [c for c in _below(parent) if "sleep(600)" in str(c.cmdline())])
    below = _below(parent)
    parent.kill()
    parent.wait(10)
    assert len(programs) == 2
    _, alive = psutil.wait_procs(below, timeout=10)
    assert [one for one in alive if "resource_tracker" not in str(one.cmdline())] == []


def _below(process: psutil.Process) -> list[psutil.Process]:
    return process.children(recursive=True)


def _wait_for(look: object, seconds: float = 20) -> list[psutil.Process]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if len(found := look()) >= 2:
            return found
        time.sleep(0.05)
    raise AssertionError("they did not appear")
