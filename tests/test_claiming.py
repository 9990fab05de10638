"""One command at a time makes a run."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from overpaint.errors import StoreError
from overpaint.store import Store
from overpaint.store.claiming import CLAIM, TAKE, busy, claimed, lives, process_of

HOLD = """
import sys, time
from pathlib import Path
from overpaint.store import Store
from overpaint.store.claiming import claimed
with Store.open(Path(sys.argv[1])) as store, claimed(store):
    print("mine", flush=True)
    time.sleep(60)
"""


def test_a_second_command_is_told_to_wait_and_a_dead_ones_claim_is_void(tmp_path: Path) -> None:
    Store.create(tmp_path / "run").__exit__()
    command = [sys.executable, "-c", HOLD, str(tmp_path / "run")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "mine\n"
        with Store.open(tmp_path / "run") as store:
            with pytest.raises(StoreError, match=rf"process {first.pid}.*pay for, the same"):
                claimed(store).__enter__()
            first.kill()
            first.wait()
            with claimed(store):
                assert store.info[CLAIM]["pid"] != first.pid
            assert CLAIM not in store.info


def test_a_claim_that_makes_no_sense_holds_nobody_up(tmp_path: Path) -> None:
    with Store.create(tmp_path / "run") as store:
        for odd in ({"pid": "x"}, [1], {"pid": -1, "host": None}):
            store.note(**{CLAIM: odd})
            with claimed(store):
                pass


def test_what_another_machine_has_claimed_is_taken_only_where_the_user_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = process_of(os.getpid()) | {"host": "pod-7"}
    with Store.create(tmp_path / "run") as store:
        store.note(**{CLAIM: theirs})
        told = r"claimed on 'pod-7', another machine .*pay for, the same.* after OVERPAINT_CLAIM="
        with pytest.raises(StoreError, match=told):
            claimed(store).__enter__()
        assert store.info[CLAIM] == theirs
        monkeypatch.setenv(TAKE, "take")
        with claimed(store):
            assert store.info[CLAIM] == process_of(os.getpid())
        store.note(**{CLAIM: process_of(os.getppid())})  # here it can be told: it works on it
        with pytest.raises(StoreError, match="is working on the run"):
            claimed(store).__enter__()


def test_a_container_of_the_same_host_name_is_another_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = process_of(os.getpid())
    assert busy(own) == "here"
    assert busy({key: own[key] for key in ("pid", "since", "host")}) == "here"  # an older claim
    assert busy(own | {"space": "pid:[1]"}) == "elsewhere"
    monkeypatch.setenv(TAKE, "take")
    assert busy(own | {"space": "pid:[1]"}) == ""


def test_of_two_commands_that_come_at_once_one_is_told(tmp_path: Path) -> None:
    told: list[str] = []

    def come() -> None:
        with Store.open(tmp_path / "run") as store:
            try:
                claimed(store).__enter__()
            except StoreError as error:
                told.append(str(error))

    with Store.create(tmp_path / "run") as store:
        late = threading.Thread(target=come)
        with store.alone():  # the first has looked, and not yet written its claim down
            late.start()
            time.sleep(0.2)
            store.note(**{CLAIM: process_of(os.getppid())})
        late.join()
    assert len(told) == 1
    assert f"process {os.getppid()}" in told[0]


def test_a_clock_that_is_set_voids_no_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    before = process_of(os.getppid())
    then = psutil.boot_time() + 7200.0  # as the system reckons it, once the clock is set
    monkeypatch.setattr(psutil._psplatform, "boot_time", lambda: then)
    assert lives(before)
