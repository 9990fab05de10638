"""Runs cases: each in a process of its own, forked from a warm one, watched from outside."""

import contextlib
import json
import os
import resource
import runpy
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import psutil
from hostile_case import SECRET, Case, World
from hostile_watching import forbid, said_wrong, snapshot, told_secrets

SECONDS = 20.0  # of processor time, and of waiting for something that never comes
_PATIENCE = 8.0  # times as long may pass on a busy machine, where the time goes to others
_CODE_OF_A_BUG = 77


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
    cold: bool = False


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


def perform(
    cases: Sequence[Case], place: Place, *, jobs: int = 2, cold: Iterable[int] = ()
) -> Iterator[Result]:
    """Every case, some at a time, in the order they end."""
    waiting = [(n, case, False) for n, case in enumerate(cases)]
    waiting += [(len(cases) + n, cases[n], True) for n in cold]
    waiting.reverse()
    going: list[_Going] = []
    try:
        yield from _all(waiting, going, place, jobs)
    finally:
        for one in going:
            _end(one.pid)


def _all(
    waiting: list[tuple[int, Case, bool]], going: list[_Going], place: Place, jobs: int
) -> Iterator[Result]:
    around = snapshot(place.outside)
    while waiting or going:
        while waiting and len(going) < jobs:
            number, case, chilled = waiting.pop()
            found = _begin(case, number, place, cold=chilled)
            if isinstance(found, Result):
                yield found
            else:
                going.append(found)
        time.sleep(0.01)
        for one in list(going):
            result = _look(one, place)
            if result is None:
                continue
            going.remove(one)
            now = snapshot(place.outside)
            if now != around:
                changed = sorted(set(now.items()) ^ set(around.items()))
                result.wrong.append(f"escape: outside changed {changed[0][0]}")
                around = now
            yield result
            _drop(one.own)


def _drop(folder: Path) -> None:
    if not os.environ.get("HOSTILE_KEEP"):
        shutil.rmtree(folder, ignore_errors=True)


def _begin(case: Case, number: int, place: Place, *, cold: bool) -> _Going | Result:
    own = place.root / "cases" / f"{number:03}"
    (own / "work").mkdir(parents=True)
    (own / "tmp").mkdir()
    maker = os.fork()
    if not maker:
        _make(case, own, place)
    _, status = os.waitpid(maker, 0)
    if status:
        why = (own / "made").read_text() if (own / "made").exists() else f"status {status}"
        return Result(case, wrong=[f"crash: the case could not be made: {why[-600:]}"])
    before, started = snapshot(own), time.monotonic()
    pid = os.fork()
    if not pid:
        _run(own, place, cold=cold)
    return _Going(case, number, pid, own, before, started, cold)


def _make(case: Case, own: Path, place: Place) -> None:
    """In a process of its own: the files, and what is to be said."""
    try:
        os.chdir(own / "work")
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
    try:
        commands = json.loads((own / "commands").read_text())
        os.setsid()
        _settle(own, place)
        code = _chilled(commands) if cold else _warm(commands, own, place)
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


def _settle(own: Path, place: Place) -> None:
    """Own folders, own streams, and limits."""
    os.chdir(own / "work")
    os.environ.update(
        HOME=str(place.outside / "home"), TMPDIR=str(own / "tmp"), OPENAI_API_KEY=SECRET,
        COLUMNS="100", HOSTILE_OWN=str(own), PYTHONDONTWRITEBYTECODE="1",
    )  # fmt: skip
    import tempfile

    tempfile.tempdir = None
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (int(SECONDS) + 1, int(SECONDS) + 2))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 30, 2 << 30))
    for name, number in (("out", 1), ("err", 2)):
        handle = os.open(own / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(handle, number)
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _warm(commands: list[list[str]], own: Path, place: Place) -> int:
    from overpaint.cli import main
    from overpaint.document.places import cache_folder

    ports = {int(place.model.rsplit(":", 1)[1].split("/")[0])} if place.model else set()
    forbid(own, place.outside, ports, own / "audit", [str(cache_folder())])
    code = 0
    for words in commands:
        if words[0].startswith("call:"):
            module, name = words[0].removeprefix("call:").split(".")
            code = max(code, getattr(__import__(module), name)(*words[1:]))
        else:
            code = max(code, main(words))
        if code == 2:
            break
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


def _look(one: _Going, place: Place) -> Result | None:
    pid, status, used = os.wait4(one.pid, os.WNOHANG)
    wall = time.monotonic() - one.started
    if not pid:
        one.ended = one.ended or _overstepped(one, wall)
        if one.ended:
            _end(one.pid)
        return None
    seconds = used.ru_utime + used.ru_stime
    peak = max(one.peak, used.ru_maxrss / 1024)
    found = Result(one.case, os.waitstatus_to_exitcode(status), seconds, wall, peak, cold=one.cold)
    found.said = _text(one.own / "err")
    found.wrong = list(_judge(one, found))
    _end(one.pid)
    return found


def _overstepped(one: _Going, wall: float) -> str:
    try:
        process = psutil.Process(one.pid)
        crowd = [process, *process.children(recursive=True)]
        held = sum(each.memory_info().rss for each in crowd) / 2**20
        worked = sum(sum(each.cpu_times()[:2]) for each in crowd)
    except psutil.Error:
        return ""
    one.peak = max(one.peak, held if len(crowd) == 1 else 0.0)
    if held > one.case.gigabytes * 1024 * len(crowd):
        return f"crash: it held {held:,.0f} MB"
    if worked > one.worked + 0.1 or not one.seen:
        one.worked, one.seen = worked, wall
    # On a busy machine little is done in a long time; who waits for what never comes does nothing.
    if worked > SECONDS or wall - one.seen > SECONDS or wall > SECONDS * _PATIENCE:
        return f"hang: {worked:.1f} s of work in {wall:.1f} s"
    return ""


def _end(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)


def _judge(one: _Going, found: Result) -> Iterator[str]:
    out = _text(one.own / "out")
    if one.ended:
        yield one.ended
        return
    if found.code in (-signal.SIGXCPU, -signal.SIGKILL):
        yield f"hang: {found.seconds:.1f} s of work"
        return
    if found.megabytes > one.case.gigabytes * 1024:
        yield f"crash: it held {found.megabytes:,.0f} MB"
    yield from said_wrong(found.code, found.said, out)
    if found.code not in one.case.codes:
        yield f"crash: it ended with {found.code}, not {one.case.codes}: {found.said[-300:]!r}"
    elif one.case.says not in found.said + out:
        yield f"crash: it does not say {one.case.says!r}: {found.said[-300:]!r}"
    audit = one.own / "audit"
    if audit.exists():
        for line in dict.fromkeys(_text(audit).splitlines()):
            if not (one.case.reads and line.startswith("opened ")):
                yield f"escape: {line}"
        audit.unlink()
    (one.own / "commands").unlink(missing_ok=True)
    yield from told_secrets(one.own, one.before)


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
