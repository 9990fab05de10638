"""Runs cases: each in a process of its own, forked from a warm one, watched from outside."""

import contextlib
import ctypes
import json
import os
import resource
import runpy
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import psutil
from hostile_calls import read_again
from hostile_case import LONGEST, SECRET, Case, World
from hostile_watching import Watch, forbid, said_wrong, snapshot, told_secrets

# Times as long may pass on a busy machine, where the time goes to others: it is tried again alone.
_PATIENCE = 8.0
_MAKING = 120.0  # seconds that the files of a case may take to be made
_CODE_OF_A_BUG = 77
_SUBREAPER = 36  # of prctl: whoever is left by its parent becomes a child of this process


@dataclass
class Result:
    """What came of a case."""

    case: Case
    code: int = -1
    seconds: float = 0.0  # of processor time, all its processes together
    wall: float = 0.0
    megabytes: float = 0.0
    wrong: list[str] = field(default_factory=list)
    said: str = ""
    out: str = ""
    cold: bool = False
    commands: list[list[str]] = field(default_factory=list)

    @property
    def typed(self) -> bool:
        """Whether a shell could give all its commands."""
        return bool(self.commands) and not any(w[0].startswith("call:") for w in self.commands)


class Place(NamedTuple):
    """The folder all cases stand in, and who listens."""

    root: Path
    canary: str
    model: str

    @property
    def outside(self) -> Path:
        """What no case may read or write."""
        return self.root / "outside"

    def prepare(self) -> None:
        """Make what lies outside of every case."""
        for name in ("home/.ssh/id_rsa", "secret.txt", "home/.env", "home/.netrc", "sibling/a.txt"):
            path = self.outside / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{SECRET}\n")
        (self.root / "cases").mkdir(exist_ok=True)


@dataclass
class _Going:
    case: Case
    number: int
    pid: int
    own: Path
    before: dict[str, tuple[int, int, int]]
    started: float
    cold: bool
    peak: float = 0.0
    ended: str = ""
    worked: float = 0.0  # seconds, when it was last seen to work
    seen: float = 0.0  # when that was
    used: dict[tuple[int, float], float] = field(default_factory=dict)  # by process, ended or not


def perform(
    cases: Sequence[Case], place: Place, *, jobs: int, cold: bool = False
) -> Iterator[Result]:
    """Every case, some at a time, in the order they end; cold: by a Python of its own each."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    waiting = list(reversed(list(enumerate(cases))))
    going: list[_Going] = []
    try:
        yield from _all(waiting, going, place, jobs, cold=cold)
    finally:
        for one in going:
            _end(one.pid)


def _all(
    waiting: list[tuple[int, Case]], going: list[_Going], place: Place, jobs: int, *, cold: bool
) -> Iterator[Result]:
    around = snapshot(place.outside)
    others = {each.pid for each in psutil.Process().children()}
    while waiting or going:
        while waiting and len(going) < jobs:
            number, case = waiting.pop()
            found = _begin(case, number, place, cold=cold)
            if isinstance(found, Result):
                yield found
            else:
                going.append(found)
        time.sleep(0.01)
        for one in list(going):
            result = _look(one)
            if result is None:
                continue
            going.remove(one)
            result.wrong += _strays({*others, *(each.pid for each in going)})
            now = snapshot(place.outside)
            if now != around:
                changed = sorted(set(now.items()) ^ set(around.items()))
                result.wrong.append(f"escape: outside changed {changed[0][0]}")
                around = now
            yield result
            _drop(one.own)


def _strays(known: set[int]) -> Iterator[str]:
    """Processes that a case has left running."""
    until = time.monotonic() + 3
    while left := [each for each in psutil.Process().children() if each.pid not in known]:
        for each in left:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(each.pid, os.WNOHANG)
        if time.monotonic() > until:
            for each in left:
                with contextlib.suppress(psutil.Error, ChildProcessError):
                    yield f"escape: it left {' '.join(each.cmdline())[:200]} running"
                    each.kill()
                    os.waitpid(each.pid, 0)
            return
        time.sleep(0.02)


def _drop(folder: Path) -> None:
    if not os.environ.get("HOSTILE_KEEP"):
        shutil.rmtree(folder, ignore_errors=True)


def _begin(case: Case, number: int, place: Place, *, cold: bool) -> _Going | Result:
    own = place.root / "cases" / f"{'c' * cold}{number:03}"
    (own / "work").mkdir(parents=True)
    (own / "tmp").mkdir()
    maker = os.fork()
    if not maker:
        _make(case, own, place)
    if status := _made(maker):
        why = (own / "made").read_text() if (own / "made").exists() else f"status {status}"
        return Result(case, wrong=[f"crash: the case could not be made: {why[-600:]}"])
    before, started = snapshot(own), time.monotonic()
    pid = os.fork()
    if not pid:
        _run(own, place, cold=cold)
    return _Going(case, number, pid, own, before, started, cold)


def _made(maker: int) -> int:
    """The status of who makes the files; who takes too long is ended."""
    until = time.monotonic() + _MAKING
    while time.monotonic() < until:
        pid, status = os.waitpid(maker, os.WNOHANG)
        if pid:
            return status
        time.sleep(0.002)
    os.kill(maker, signal.SIGKILL)
    return os.waitpid(maker, 0)[1]


def _make(case: Case, own: Path, place: Place) -> None:
    """In a process of its own: the files, and what is to be said."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        os.chdir(own / "work")
        os.environ["OVERPAINT_STATE"] = str(own / "stranger")  # whose machine is another
        made = case.make(World(own / "work", place.outside, place.canary, place.model))
        commands = made if made and isinstance(made[0], list) else [made]
        (own / "commands").write_text(json.dumps(commands))
    except BaseException:  # noqa: BLE001 (whatever it is, the parent must hear of it)
        (own / "made").write_text(traceback.format_exc())
        os._exit(1)
    os._exit(0)


# ── in the process of a case ────────────────────────────────────────────────────────────────


def _run(own: Path, place: Place, *, cold: bool) -> None:
    code = _CODE_OF_A_BUG
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        commands = json.loads((own / "commands").read_text())
        os.setsid()
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
        watch = _settle(own, place)
        code = _chilled(commands) if cold else _warm(commands, watch)
        sys.stdout.flush()
        sys.stderr.flush()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 2
    except BaseException:  # noqa: BLE001 (whatever it is, it is a crash)
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _settle(own: Path, place: Place) -> Watch:
    """Own folders, own streams, and limits; what may be done there."""
    from overpaint.document.places import cache_folder

    os.chdir(own / "work")
    roots = tuple(os.path.realpath(each) + "/" for each in (own, cache_folder()))
    secret = os.path.realpath(place.outside) + "/"
    port = int(place.model.rsplit(":", 1)[1].split("/")[0])
    watch = Watch(roots, secret, (port,), str(own / "audit"))
    os.environ.update(
        HOME=str(place.outside / "home"), TMPDIR=str(own / "tmp"), OPENAI_API_KEY=SECRET,
        COLUMNS="100", PYTHONDONTWRITEBYTECODE="1", HOSTILE_WATCH=json.dumps(watch),
        OVERPAINT_STATE=str(own / "state"),  # what a user has named, which is the case's own
    )  # fmt: skip
    import tempfile

    tempfile.tempdir = None
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST + 2, LONGEST + 3))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 30, 2 << 30))
    for name, number in (("out", 1), ("err", 2)):
        handle = os.open(own / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(handle, number)
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    return watch


def _warm(commands: list[list[str]], watch: Watch) -> int:
    from overpaint.cli import main

    forbid(watch)
    code = 0
    for words in commands:
        if words[0].startswith("call:"):
            module, name = words[0].removeprefix("call:").split(".")
            code = max(code, getattr(__import__(module), name)(*words[1:]))
        else:
            code = max(code, main(words))
        if code == 2:
            return code
    for words in commands:
        read_again(words)
    return code


def _chilled(commands: list[list[str]]) -> int:
    """As from a shell; several commands stop at the first that is refused."""
    code = 0
    for words in commands:
        child = os.fork()
        if not child:
            os.execv(sys.executable, [sys.executable, "-m", "overpaint", *words])
        _, status = os.waitpid(child, 0)
        code = max(code, os.waitstatus_to_exitcode(status) % 256)
        if code >= 2:
            break
    return code


# ── from outside ────────────────────────────────────────────────────────────────────────────


def _look(one: _Going) -> Result | None:
    pid, status, used = os.wait4(one.pid, os.WNOHANG)
    wall = time.monotonic() - one.started
    if not pid:
        one.ended = one.ended or _overstepped(one, wall)
        if one.ended:
            _end(one.pid)
        return None
    # What it has waited for is in `used`; what it has not was seen while it lived.
    seconds = max(used.ru_utime + used.ru_stime, sum(one.used.values()))
    peak = max(one.peak, used.ru_maxrss / 1024)
    found = Result(one.case, os.waitstatus_to_exitcode(status), seconds, wall, peak, cold=one.cold)
    found.said, found.out = _text(one.own / "err"), _text(one.own / "out")
    found.commands = json.loads((one.own / "commands").read_text())
    found.wrong = list(_judge(one, found))
    _end(one.pid)
    return found


def _overstepped(one: _Going, wall: float) -> str:
    held = _seen(one) / 2**20
    worked = sum(one.used.values())
    one.peak = max(one.peak, held)
    if held > one.case.gigabytes * 1024:
        return f"crash: it held {held:,.0f} MB"
    if worked > one.worked + 0.1 or not one.seen:
        one.worked, one.seen = worked, wall
    # On a busy machine little is done in a long time; who waits for what never comes does nothing.
    most = one.case.seconds
    if worked > most or wall - one.seen > most or wall > most * _PATIENCE:
        return f"hang: {worked:.1f} s of work in {wall:.1f} s"
    return ""


def _seen(one: _Going) -> float:
    """Note the time of each of its processes; how many bytes all of them hold.

    Of its children only what they alone hold is counted: the rest is the first one's, of which
    they are forks, or libraries that both have open.
    """
    held = 0
    with contextlib.suppress(psutil.Error):
        first = psutil.Process(one.pid)
        for each in (first, *first.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                times = each.cpu_times()
                one.used[each.pid, each.create_time()] = times.user + times.system
                held += each.memory_info().rss if each is first else each.memory_full_info().uss
    return held


def _end(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)


def _judge(one: _Going, found: Result) -> Iterator[str]:
    if one.ended:
        yield one.ended
        return
    if found.code in (-signal.SIGXCPU, -signal.SIGKILL) or found.seconds > one.case.seconds:
        yield f"hang: {found.seconds:.1f} s of work"
        return
    if found.megabytes > one.case.gigabytes * 1024:
        yield f"crash: it held {found.megabytes:,.0f} MB"
    words = {word for command in found.commands for word in command}
    yield from said_wrong(found.code, found.said, found.out, words)
    if found.code not in one.case.codes:
        yield f"crash: it ended with {found.code}, not {one.case.codes}: {found.said[-300:]!r}"
    elif one.case.says not in " ".join((found.said + " " + found.out).split()):
        yield f"crash: it does not say {one.case.says!r}: {found.said[-300:]!r}"
    elif lost := _unwritten(one, found):
        yield f"crash: it says that it is done, and has not written {lost}"
    audit = one.own / "audit"
    if audit.exists():
        for line in dict.fromkeys(_text(audit).splitlines()):
            if not (one.case.reads and line.startswith("opened ")):
                yield f"escape: {line}"
        audit.unlink()
    (one.own / "commands").unlink(missing_ok=True)
    yield from told_secrets(one.own, one.before)


def _unwritten(one: _Going, found: Result) -> str:
    """What was to be written by an edit that is said to be done."""
    for command in found.commands if found.code == 0 else ():
        if command[0] == "edit" and "-o" in command:
            name = command[command.index("-o") + 1]
            if not (one.own / "work" / name).exists():
                return name
    return ""


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace") if path.exists() else ""


def warm() -> None:
    """Import all that cases use, and start no thread."""
    for name in (
        "editing", "running", "reading", "building", "rating", "calibrating", "upkeep", "comparing",
    ):  # fmt: skip
        with contextlib.suppress(ImportError):
            __import__(f"overpaint.cli.{name}")
    for name in (
        "cv2", "scipy.optimize", "psd_tools", "pikepdf", "pptx", "pypdfium2", "onnxruntime",
        "overpaint.document.psd", "overpaint.document.ora", "overpaint.document.svg",
        "overpaint.document.pptx", "overpaint.document.pdf", "overpaint.vision.ocr", "httpx",
        "overpaint.measures.pixel", "overpaint.editors.typeset", "overpaint.run",
        "overpaint.report", "overpaint.benchmarks.textedit", "overpaint.models.own",
    ):  # fmt: skip
        with contextlib.suppress(ImportError):
            __import__(name)
    assert runpy  # what a spawned process of `multiprocessing` begins with
