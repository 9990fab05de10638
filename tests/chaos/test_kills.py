"""Commands killed at random moments lose, double and change nothing; a short `make chaos`."""

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from chaos_kills import Aim, Log, Tally, environment, kill_once
from chaos_scenes import SCENES, Bed, play
from chaos_state import Account, Difference, account, difference, left, state
from conftest import picture

from overpaint.document import Document
from overpaint.store import DATABASE, Store, keep_picture
from overpaint.testing import FakeServer
from overpaint.testing.counting import Counts

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


ROWS = (
    "INSERT INTO evidence VALUES ('size/1 ab', '4')",
    "INSERT INTO prompts VALUES ('ab', 'How good is it?')",
    "INSERT INTO calls (key, model, host, state, prompt, pictures, asked, started, reply, price)"
    " VALUES ('k', 'm', 'h', 'replied', 'ab', '[]', '{}', '',"
    " '{\"choices\": [{\"message\": 1}]}', 2)",
)  # fmt: skip


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("DELETE FROM evidence", "lost"), ("UPDATE evidence SET value = '5'", "different"),
        ("DELETE FROM prompts", "lost"), ("UPDATE calls SET price = 3", "different"),
        ("UPDATE calls SET tokens_out = 7", "different"),
        ("UPDATE calls SET reason = 'it cannot be read'", "different"),
        ("INSERT INTO again VALUES (1, 1, 1, '')", "doubled"),
        ("INSERT INTO calls (key, model, host, state, prompt, pictures, asked, started)"
         " VALUES ('k', 'm', 'h', 'failed', 'ab', '[]', '{}', '')", "doubled"),
    ],
)  # fmt: skip
def test_a_run_that_was_left_otherwise_is_seen(tmp_path: Path, sql: str, kind: str) -> None:
    for name, more in (("calm", ()), ("killed", (sql,))):
        Store.create(tmp_path / name).__exit__()
        with closing(sqlite3.connect(tmp_path / name / DATABASE)) as database, database:
            for one in (*ROWS, *more):
                database.execute(one)
    found = difference(state(tmp_path / "calm"), state(tmp_path / "killed"))
    assert replace(found, first="") == Difference(**{kind: 1})


def test_a_picture_that_is_damaged_or_that_nobody_asked_for_is_seen(tmp_path: Path) -> None:
    for name in ("calm", "killed"):
        Store.create(tmp_path / name).__exit__()
    calm = state(tmp_path / "calm")
    kept = keep_picture(tmp_path / "killed", Document.of(picture())).path
    assert difference(calm, state(tmp_path / "killed")).doubled == 1
    whole = state(tmp_path / "killed")
    kept.write_bytes(b"half")
    assert difference(whole, state(tmp_path / "killed")).different == 1


def paid(folder: Path, asked: dict[str, int], rows: list[tuple[str, int, str, int]]) -> Account:
    """The account of a run with these rows of calls: key, number of the request, state, listed."""

    class Server:
        def counts(self) -> Counts:
            bodies = {name * 16: many for name, many in asked.items()}
            return Counts(total=sum(asked.values()), distinct=len(asked), bodies=bodies)

    Store.create(folder).__exit__()
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        for key, nth, state, unanswered in rows:
            database.execute(
                "INSERT INTO calls (key, model, host, state, prompt, pictures, asked, started,"
                " reply, unanswered) VALUES (?, '', '', ?, '', '[]', '{}', '', ?, ?)",
                (key, state, json.dumps({"id": f"chatcmpl-{key * 16}-{nth}"}), unanswered),
            )
        database.commit()
    return account(folder, cast(FakeServer, Server()), [2], 8)


def test_a_question_that_was_asked_twice_is_to_be_listed_itself(tmp_path: Path) -> None:
    first = [("a", 1, "replied", 0), ("b", 0, "replied", 0)]
    good = paid(tmp_path / "good", {"a": 2, "b": 1}, [*first, ("a", 0, "sent", 0)])
    assert (good.doubles, good.listed, good.wrong) == (1, 1, False)
    other = paid(tmp_path / "other", {"a": 2, "b": 1}, [*first, ("b", 0, "sent", 0)])
    assert (other.doubles, other.listed, other.unlisted, other.wrong) == (1, 1, 1, True)


def test_a_bill_that_lists_everything_is_seen(tmp_path: Path) -> None:
    rows = [(key, 0, "replied", 1) for key in "abcdef"]
    found = paid(tmp_path / "run", dict.fromkeys("abcdef", 1), rows)
    assert (found.unlisted, found.unfounded, found.wrong) == (0, 4, True)


def test_a_reply_that_was_asked_for_in_vain_is_seen(tmp_path: Path) -> None:
    rows = [("a", 0, "replied", 1)]
    assert paid(tmp_path / "again", {"a": 2}, rows).after_recorded == 1
    assert paid(tmp_path / "never", {"a": 1, "b": 1}, rows).unanswered == 1
    assert Account(after_recorded=1).wrong
    assert Account(unanswered=1).wrong


def test_a_kill_can_come_in_the_middle_of_a_write(tmp_path: Path) -> None:
    write = f"open({str(tmp_path / 'file')!r}, 'wb').write(bytes(20_000))"
    done = subprocess.run(
        [sys.executable, "-c", write], env=environment(CHAOS_BYTES="7000"), check=False
    )
    assert done.returncode == -signal.SIGXFSZ
    assert (tmp_path / "file").stat().st_size == 7000


@pytest.mark.parametrize("worker", [False, True])
def test_a_kill_can_come_just_before_a_picture_has_its_name(tmp_path: Path, worker: bool) -> None:
    Store.create(tmp_path / "run").__exit__()
    (tmp_path / "keeping.py").write_text(KEEPING)
    done = subprocess.run(
        [sys.executable, tmp_path / "keeping.py", tmp_path / "run", *["worker"] * worker],
        env=environment(CHAOS_RENAMES="2"), check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL
    pictures = tmp_path / "run" / "pictures"

    def names() -> list[str]:
        return [path.name for path in pictures.rglob("*.png")]

    assert sorted(name.startswith(".") for name in names()) == [False, True]
    assert left(tmp_path / "run") == []
    assert names() == [], "a row names neither"


KEEPING = """
import multiprocessing, sys
from pathlib import Path
import numpy as np
from overpaint.document import Document
from overpaint.store import keep_picture

def keep(folder):
    for light in (1, 2):
        keep_picture(Path(folder), Document.of(np.full((8, 8, 3), light, np.uint8)))

if __name__ == "__main__":
    if sys.argv[2:]:
        child = multiprocessing.get_context("spawn").Process(target=keep, args=(sys.argv[1],))
        child.start()
        child.join()
    else:
        keep(sys.argv[1])
"""


def test_a_kill_before_the_run_was_touched_is_none_of_its_work(tmp_path: Path) -> None:
    log, aim = Log(), Aim(("time",), longest=0.0, doing="reporting")
    Store.create(tmp_path / "run").__exit__()
    words = ["report", str(tmp_path / "run")]
    assert kill_once(words, tmp_path / "run", aim, random.Random(1), log, end=Tally(), env={})
    assert log.phases == {"starting": 1}


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


def test_the_clock_of_a_worker_is_off_as_well() -> None:
    look = (
        "import multiprocessing, time\n"
        "with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "    print(pool.apply(time.time) - time.monotonic())"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", look], env=environment(**more), capture_output=True, text=True,
            check=True,
        ).stdout
        for more in ({}, {"CHAOS_CLOCK": "6e8,0"})
    ]  # fmt: skip
    assert float(told[1]) - float(told[0]) == pytest.approx(6e8, abs=100)
