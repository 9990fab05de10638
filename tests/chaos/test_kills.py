"""Commands killed at random moments lose, double and change nothing; a short `make chaos`."""

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from chaos_kills import environment
from chaos_scenes import SCENES, Bed, play
from chaos_state import Account, Difference, difference

KILLS = 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["writing", "judging", "trying again", "merging"])
def test_killed_and_given_again_a_command_ends_as_if_it_had_been_left_in_peace(
    name: str, tmp_path: Path
) -> None:
    scene, bed = next(one for one in SCENES if one.name == name), Bed(tmp_path, random.Random(7))
    play(scene, bed, KILLS, lambda done: None, time.monotonic() + 300)
    assert bed.right, (bed.difference, bed.account, bed.log, bed.hurt)
    assert bed.log.kills == KILLS


def test_a_row_that_is_lost_doubled_or_different_is_seen() -> None:
    calm = {"edits": Counter({("a", "ok"): 1, ("b", "ok"): 1, ("c", "ok"): 1})}
    assert not difference(calm, {"edits": Counter(calm["edits"])})
    odd = {"edits": Counter({("a", "ok"): 2, ("c", "failed"): 1})}
    assert replace(difference(calm, odd), first="") == Difference(1, 1, 1)


def test_a_reply_that_was_asked_for_in_vain_is_seen() -> None:
    assert not Account(received=11, replies=10, doubles=1, listed=1).wrong
    assert Account(received=11, replies=10, doubles=1, listed=0).wrong
    assert Account(received=11, replies=10, after_recorded=1, doubles=1, listed=3).wrong
    assert Account(received=11, replies=10, doubles=1, listed=1, unanswered=1).wrong


def test_a_kill_can_come_in_the_middle_of_a_write(tmp_path: Path) -> None:
    write = f"open({str(tmp_path / 'file')!r}, 'wb').write(bytes(20_000))"
    done = subprocess.run(
        [sys.executable, "-c", write], env=environment(CHAOS_BYTES="7000"), check=False
    )
    assert done.returncode == -signal.SIGXFSZ
    assert (tmp_path / "file").stat().st_size == 7000


def test_a_clock_can_jump_while_a_command_goes_on() -> None:
    look = (
        "import datetime, time\nseen = []\n"
        "for _ in range(40):\n    time.sleep(.01)\n"
        "    seen.append((time.time(), datetime.datetime.now(datetime.UTC).year))\n"
        "print(max(seen)[0] - min(seen)[0] > 5e8, len({year for _, year in seen}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", look, "overpaint"], env=environment(CHAOS_CLOCK="6e8,0.1"),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "True 2\n"
