"""Commands that are killed, at moments that a seed draws, and given again until they are done."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from overpaint.store import DATABASE

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HOOKED = ("byte", "rename")  # moments at which the hook kills
LONGEST = 180.0  # seconds for a command: what takes longer hangs
LEAVE = 60.0  # seconds in which workers have left after their parent
COMMAND = (sys.executable, "-m", "overpaint")


class Stuck(Exception):
    """A command that hangs, or ends as it should not; the words say how."""


# ── commands ────────────────────────────────────────────────────────────────────────────


def environment(**more: str) -> dict[str, str]:
    """That of a command: this checkout, and the hook that can kill it or move its clock."""
    paths = [str(HERE / "hook"), str(HERE), str(ROOT), os.environ.get("PYTHONPATH", "")]
    kept = {name: told for name, told in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **more}


@contextmanager
def started(words: Sequence[str], **more: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A command that is going on; it does not outlast the block."""
    child = subprocess.Popen(
        [*COMMAND, *words], env=environment(**more), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        if child.stderr:
            child.stderr.close()


def finished(words: Sequence[str], codes: Sequence[int] = (0,), **more: str) -> str:
    """Let a command end by itself; gives what it said on standard error."""
    with started(words, **more) as child:
        try:
            _, told = child.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            raise Stuck(f"`overpaint {' '.join(words)}` does not end.") from None
    said = told.decode(errors="replace")
    if child.returncode not in codes or "Traceback" in said:
        raise Stuck(f"`overpaint {' '.join(words)}` ended with {child.returncode}: {said[-2000:]}")
    return said


# ── how far a run has got ───────────────────────────────────────────────────────────────

_TALLY = (
    "SELECT (SELECT count(*) FROM edits), (SELECT count(*) FROM scores WHERE against = ''),"
    " (SELECT count(*) FROM scores WHERE against != ''), (SELECT count(*) FROM sets),"
    " (SELECT count(*) FROM calls WHERE state = 'replied'),"
    " (SELECT count(*) FROM calls WHERE state = 'sent'), (SELECT count(*) FROM samples),"
    " (SELECT json_extract(value, '$.pid') FROM info WHERE key = 'claimed')"
)


@dataclass(frozen=True)
class Tally:
    """What stands in a run."""

    edits: int = 0
    scores: int = 0
    votes: int = 0
    sets: int = 0
    replies: int = 0
    flying: int = 0
    samples: int = 0
    claim: int | None = None  # the process that works on it

    @property
    def done(self) -> int:
        """One number that grows."""
        return self.edits + self.scores + self.votes + self.sets + self.replies


def tally(folder: Path) -> Tally:
    """How far the run in that folder has got; nowhere where there is none yet."""
    if not (folder / DATABASE).is_file():
        return Tally()
    try:
        address = f"{(folder / DATABASE).as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=5)) as database:
            return Tally(*database.execute(_TALLY).fetchone())
    except sqlite3.Error:  # its tables are being made, or its log is between two writers
        return Tally()


def phase(before: Tally, at: Tally, end: Tally, pid: int) -> str:
    """What a command was doing when it was killed, as its run tells."""
    if at.claim != pid:
        return "ending" if at.done >= end.done else "starting"
    if at.flying > before.flying:
        return "asking"
    for name in ("edits", "scores", "votes", "sets"):
        if getattr(at, name) < getattr(end, name):
            return {"edits": "editing", "scores": "scoring", "votes": "voting"}.get(name, "sets")
    return "ending"


# ── kills ───────────────────────────────────────────────────────────────────────────────


@dataclass
class Log:
    """What the kills of one scene met."""

    kills: int = 0
    phases: Counter[str] = field(default_factory=Counter)
    left_behind: int = 0  # processes that stayed after their parent was killed
    flights: list[int] = field(default_factory=list)  # questions on their way at each kill


@dataclass(frozen=True)
class Aim:
    """How a scene kills."""

    moments: tuple[str, ...] = ("row", "row", "time")  # one is drawn for each kill
    longest: float = 1.5  # seconds after which a kill by time comes at the latest
    stride: int = 25  # rows a command may write before a kill by rows comes, at most
    doing: str = ""  # what the command does, where rows do not tell
    bytes: int = 250_000  # by which SQLite's log may grow before a kill within a write, at most


def kill_once(
    words: Sequence[str], folder: Path, aim: Aim, chance: random.Random, log: Log, *,
    end: Tally, env: Mapping[str, str],
) -> bool:  # fmt: skip
    """Start the command and kill it; False where it was done before."""
    moment, before = chance.choice(aim.moments), tally(folder)
    more = dict(env)
    if moment == "byte":
        more["CHAOS_BYTES"] = str(_log_size(folder) + chance.randint(70_000, aim.bytes))
    elif moment == "rename":
        more["CHAOS_RENAMES"] = str(chance.randint(1, aim.stride))
    with started(words, **more) as child:
        _wait(child, moment, folder, aim, chance)
        below, begun = _below(child.pid), _begun(child.pid, folder)
        if moment == "worker" and child.poll() is None:
            return _kill_worker(child, chance, log)
        if moment == "both":
            _kill_one(below, chance)
        child.kill()
        code = child.wait()
    if code not in (-signal.SIGKILL, -signal.SIGXFSZ):
        if code not in (0, 1):
            raise Stuck(f"`overpaint {' '.join(words)}` ended with {code} before it was killed.")
        return False
    _, alive = psutil.wait_procs(below, timeout=LEAVE)
    log.kills += 1
    log.left_behind += len(alive)
    at = tally(folder)
    log.flights.append(at.flying - before.flying)
    if code == -signal.SIGXFSZ:
        met = "in a write"
    elif moment == "rename":
        met = "before a rename"
    elif aim.doing:
        met = aim.doing if begun else "starting"
    else:
        met = phase(before, at, end, child.pid)
    log.phases[met] += 1
    return True


def _wait(
    child: "subprocess.Popen[bytes]", moment: str, folder: Path, aim: Aim, chance: random.Random
) -> None:
    """Until the moment has come, or the command is done."""
    limit, target = time.monotonic() + LONGEST, 2**62
    if moment == "time":
        limit = time.monotonic() + chance.uniform(0.0, aim.longest)
    elif moment not in HOOKED:
        target = chance.randint(1, aim.stride)
    written, last = 0, tally(folder).done
    while child.poll() is None and time.monotonic() < limit and written < target:
        time.sleep(0.015)
        now = tally(folder).done  # less where what had failed was forgotten, to be tried again
        written, last = written + max(0, now - last), now
    if moment == "time":
        return
    if child.poll() is None and written < target:
        raise Stuck(f"The command in {folder} does not get on.")
    time.sleep(chance.uniform(0, 0.03))


def _kill_worker(child: "subprocess.Popen[bytes]", chance: random.Random, log: Log) -> bool:
    """Kill workers, up to three of them, and let the command come to its end."""
    for _ in range(chance.randint(1, 3)):
        if child.poll() is None and _kill_one(_below(child.pid), chance):
            log.kills += 1
            log.phases["in a worker"] += 1
        time.sleep(chance.uniform(0.02, 0.4))
    try:
        child.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        raise Stuck("A command whose worker was killed does not end.") from None
    if child.returncode not in (0, 1):
        raise Stuck(f"A command whose worker was killed ended with {child.returncode}.")
    return False  # it is done


def _kill_one(below: list[psutil.Process], chance: random.Random) -> bool:
    """Kill one of the workers; False where there are none (yet)."""
    workers = [one for one in below if "--multiprocessing-fork" in _words(one)]
    if not workers:
        return False
    with suppress(psutil.NoSuchProcess):  # it has ended by itself meanwhile
        chance.choice(workers).kill()
        return True
    return False


def _words(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


def _below(pid: int) -> list[psutil.Process]:
    """All processes that this one has started, as far as they live."""
    try:
        return list(psutil.Process(pid).children(recursive=True))
    except psutil.Error:
        return []


def _begun(pid: int, folder: Path) -> bool:
    """Whether a command has opened its run."""
    try:
        return any(folder in Path(one.path).parents for one in psutil.Process(pid).open_files())
    except psutil.Error:
        return False


def _log_size(folder: Path) -> int:
    """How long SQLite's log, or the run itself, is by now."""
    files = (folder / DATABASE, folder / f"{DATABASE}-wal")
    return max((file.stat().st_size for file in files if file.exists()), default=0)
