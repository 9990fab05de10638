"""Stopped in the worst ways, a run goes on and ends as if nothing had happened."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from chaos_bed import Skipped, disk
from conftest import make_sample

from overpaint.errors import StoreError
from overpaint.store import Store

TOY = str(Path(__file__).parent.parent / "toy.py")
pytestmark = pytest.mark.slow


def command(benchmark: str, data: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "overpaint", "run", benchmark, "--data", str(data),
            "--quiet", "--json", *more, "-o"]  # fmt: skip


def rows(folder: Path) -> list[tuple[object, ...]]:
    with Store.open(folder) as store:
        return [row[:-1] for row in store.rows()]  # all but the seconds


def count(folder: Path) -> int:
    try:
        with Store.open(folder) as store:
            return sum(store.counts().values())
    except StoreError:
        return 0


def test_the_real_samples_killed_in_the_middle_score_the_same_to_the_last_digit(
    fixtures: Path, tmp_path: Path
) -> None:
    data = fixtures / "texteditbench" / "samples"
    editors = [part for name in ("identity", "truth", "blank") for part in ("--editor", name)]
    base = command("textedit", data, *editors, "--no-floors")
    subprocess.run([*base, tmp_path / "calm"], check=True, capture_output=True)
    for _ in range(3):
        going = subprocess.Popen([*base, tmp_path / "killed"], stdout=subprocess.DEVNULL)
        start, end = count(tmp_path / "killed"), time.monotonic() + 120
        while going.poll() is None and count(tmp_path / "killed") < start + 90:
            assert time.monotonic() < end, "the run does not get on"
            time.sleep(0.02)
        os.kill(going.pid, signal.SIGKILL)
        going.wait()
    assert count(tmp_path / "killed") < count(tmp_path / "calm"), "it was never in the middle"
    subprocess.run([*base, tmp_path / "killed"], check=True, capture_output=True)
    assert rows(tmp_path / "killed") == rows(tmp_path / "calm")
    assert len(rows(tmp_path / "calm")) == 33 * 3 * 7


def test_six_kills_at_random_moments_lose_double_and_change_nothing(tmp_path: Path) -> None:
    for n in range(40):
        make_sample(tmp_path / "data", f"a/{n:03}", n)
    base, killed = command(f"{TOY}:toy", tmp_path / "data"), tmp_path / "killed"
    subprocess.run([*base, tmp_path / "calm"], check=True, capture_output=True)
    moments, whole = random.Random(7), count(tmp_path / "calm")
    met = list[int]()
    for _ in range(6):
        before, end = count(killed), time.monotonic() + 120
        target = before + moments.randint(1, whole // 12)
        going = subprocess.Popen([*base, killed], stdout=subprocess.DEVNULL)
        while going.poll() is None and count(killed) < target:
            assert time.monotonic() < end, "the run does not get on"
            time.sleep(moments.uniform(0.0, 0.02))
        os.kill(going.pid, signal.SIGKILL)
        going.wait()
        met.append(count(killed) - before)
    assert min(met) > 0, "a kill met a run that was done, or had not begun"
    assert count(killed) < whole
    subprocess.run([*base, killed], check=True, capture_output=True)
    assert rows(killed) == rows(tmp_path / "calm")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    try:
        with disk(tmp_path / "disk", "1m") as where:
            yield where
    except Skipped as why:
        pytest.skip(str(why))


def test_a_full_disk_stops_the_run_with_a_sentence_and_room_lets_it_finish(
    small_disk: Path, tmp_path: Path
) -> None:
    for n in range(40):
        make_sample(tmp_path / "data", f"a/{n:03}", n)
    base = command(f"{TOY}:toy", tmp_path / "data")
    subprocess.run([*base, tmp_path / "calm"], check=True, capture_output=True)
    full = subprocess.run([*base, small_disk / "run"], capture_output=True, text=True, check=False)
    assert full.returncode == 2
    assert "is full" in full.stderr
    assert "run the same command again" in full.stderr
    assert 0 < count(small_disk / "run") < count(tmp_path / "calm"), "it was not full in the middle"
    subprocess.run(["mount", "-o", "remount,size=50m", small_disk], check=True)
    subprocess.run([*base, small_disk / "run"], check=True, capture_output=True)
    assert rows(small_disk / "run") == rows(tmp_path / "calm")


def test_ctrl_c_says_what_is_kept_and_the_same_command_goes_on(tmp_path: Path) -> None:
    for n in range(90):
        make_sample(tmp_path / "data", f"a/{n:03}", n)
    base = command(f"{TOY}:toy", tmp_path / "data")
    going = subprocess.Popen(
        [*base, tmp_path / "run"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    while count(tmp_path / "run") < 20:
        assert going.poll() is None, "the run ended too soon"
        time.sleep(0.02)
    going.send_signal(signal.SIGINT)
    _, said = going.communicate(timeout=30)
    assert going.returncode == 130
    assert "the same command goes on from here" in said
    assert "Traceback" not in said
    done = subprocess.run([*base, tmp_path / "run"], check=True, capture_output=True, text=True)
    assert len(json.loads(done.stdout)["table"]) == 4
