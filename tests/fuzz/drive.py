"""Fuzz the parsers with atheris: each in a process of its own, for so many seconds.

    python tests/fuzz/drive.py --seconds 60                 every parser, two at a time
    python tests/fuzz/drive.py --seconds 600 psd svg        two of them, for longer
    python tests/fuzz/drive.py --again psd findings/psd/…   one input, as a traceback

A finding is an exception that a parser may not raise, an input that takes more than 5 seconds of
work or 1 GB, or a crash of native code. Each is saved and told with the command that shows it
again. What was saved once is tried first ever after, and is a finding again while it still fails.
The exit code is 1 where there is a finding, and where a parser got fewer inputs than it should.
The seeds are made by code; nothing is fetched, and nothing is kept but what was once a finding.
"""

import argparse
import faulthandler
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from secrets import randbelow

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]
from fuzz_target import Target  # noqa: E402  (its folder is known now)

SLOWEST, MEMORY = 5, 1024  # seconds of work, and MB beyond what a process has, for an input
HUNG = 60  # seconds by the clock, which runs on while others have the processor
STARTING = 240  # seconds that a process may take to begin and to end, where others are busy
LONGEST = 1 << 18  # bytes of an input
PIXELS = 4_000_000  # of a picture: a large one that is allowed is slow, and nothing new
ENDINGS = {"timeout-": "slow", "oom-": "memory", "crash-": "native crash", "leak-": "memory"}


@dataclass
class Outcome:
    """How one target fared."""

    name: str
    runs: int = 0
    least: int = 0  # inputs that it should have had
    seconds: float = 0.0
    worked: float = 0.0  # seconds that it had a processor
    findings: dict[str, Path] = field(default_factory=dict)  # what happened -> its input
    broken: str = ""  # why it could not be fuzzed at all


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz, or show a finding again."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="TARGET", help="all where none is named")
    parser.add_argument(
        "--seconds", type=float, default=20, help="for each target (20); slow ones take more"
    )
    parser.add_argument("--jobs", type=int, default=2, help="targets at a time (2)")
    parser.add_argument("--findings", type=Path, default=Path("findings"), metavar="FOLDER")
    parser.add_argument("--seed", type=int, default=randbelow(1 << 31), help="another each time")
    parser.add_argument("--list", action="store_true", help="the targets and what they read")
    parser.add_argument("--again", nargs=2, metavar=("TARGET", "FILE"), help="show a finding")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--watched", default="", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.one:
        return fuzz(asked.one, asked)
    from fuzz_table import TARGETS

    known = {target.name: target for target in TARGETS}
    if unknown := [name for name in asked.names if name not in known]:
        parser.error(f"there is no target {unknown[0]}; there are {', '.join(known)}")
    if asked.list:
        for target in TARGETS:
            print(f"{target.name:18} {target.share:4}  {' '.join(target.reads)}")
        return 0
    if asked.again:
        faulthandler.enable()
        print(known[asked.again[0]](Path(asked.again[1]).read_bytes()))
        return 0
    return run_all(asked.names or list(known), known, asked)


# ── all targets ─────────────────────────────────────────────────────────────────────────


def run_all(names: Sequence[str], known: Mapping[str, Target], asked: argparse.Namespace) -> int:
    """Fuzz each, print a table as they end, and all findings; a last line of JSON."""
    print(f"seed {asked.seed}\n{'target':18} {'inputs':>9} {'at least':>9} {'seconds':>8}"
          f" {'worked':>7}  findings", flush=True)  # fmt: skip
    outcomes = []
    longest = sorted(names, key=lambda name: -known[name].share)  # so that none is left alone
    with ThreadPoolExecutor(asked.jobs) as pool:
        for one in pool.map(lambda name: watch(known[name], asked), longest):
            outcomes.append(one)
            told = one.broken or len(one.findings) or "none"
            print(f"{one.name:18} {one.runs:9,} {one.least:9,} {one.seconds:8.1f}"
                  f" {one.worked:7.1f}  {told}", flush=True)  # fmt: skip
    for one in outcomes:
        for what, path in one.findings.items():
            print(f"\n{one.name}: {what}\n  {sys.executable} {__file__} --again {one.name} {path}")
    bad = sum(len(one.findings) + bool(one.broken) for one in outcomes)
    print(json.dumps({
        "targets": len(outcomes), "inputs": sum(one.runs for one in outcomes),
        "seconds": round(sum(one.seconds for one in outcomes), 1), "findings": bad,
    }))  # fmt: skip
    return int(bad > 0)


def watch(target: Target, asked: argparse.Namespace) -> Outcome:
    """Fuzz one target until its time is over, beginning again after what ends a process.

    What was found before is tried first; what it was that failed again is not tried a third time.
    """
    seconds = asked.seconds * target.share
    outcome = Outcome(target.name, least=round(target.least * min(1.0, asked.seconds / 20)))
    place = asked.findings.resolve() / target.name
    place.mkdir(parents=True, exist_ok=True)
    earlier = {path for path in place.iterdir() if path.suffix != ".txt"}
    began, attempt = time.monotonic(), 0
    while (left := seconds - (time.monotonic() - began)) > 1 and attempt < 20:
        with tempfile.TemporaryDirectory(prefix="overpaint-fuzz-", dir=_memory()) as room:
            again = sorted(earlier - {*outcome.findings.values()})
            ran = _process(target, left, place, Path(room), asked.seed + attempt, again)
        attempt += 1
        outcome.runs += ran.runs
        outcome.worked += ran.worked
        outcome.findings |= ran.findings
        if ran.broken:
            outcome.broken = ran.broken
            break
    outcome.seconds = time.monotonic() - began
    if outcome.runs < outcome.least and not outcome.findings:
        outcome.broken = outcome.broken or "too few inputs: give it more seconds, or a faster seed"
    if not any(place.iterdir()):
        place.rmdir()
    return outcome


def module(file: str) -> str:
    """The module that a file of the package is."""
    return "overpaint." + file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def _memory() -> str | None:
    """A folder that lies in memory, as each input is a file."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _process(
    target: Target, seconds: float, place: Path, room: Path, seed: int, again: Sequence[Path]
) -> Outcome:
    """One process of atheris, until its time is over or a finding ends it."""
    log, found, earlier = room / "log", room / "found", room / "earlier"
    for folder in (found, earlier):
        folder.mkdir()
    for path in again:
        shutil.copyfile(path, earlier / path.name)
    command = [sys.executable, str(Path(__file__).resolve()), "--one", target.name,
               "--seconds", str(seconds), "--findings", str(room), "--seed", str(seed),
               "--watched", ",".join((*map(module, target.reads), *target.libraries))]  # fmt: skip
    environment = os.environ | {
        "TMPDIR": str(room), "OVERPAINT_MAX_PIXELS": str(PIXELS), "PYTHONFAULTHANDLER": "1",
        "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore",
    }  # fmt: skip
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment, cwd=room)
        clock = threading.Timer(seconds + HUNG + STARTING, process.kill)  # should its own not work
        clock.start()
        _, status, used = os.wait4(process.pid, 0)
        clock.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    said = log.read_text(errors="replace")
    outcome = Outcome(target.name, runs=_runs(said), findings=dict(_kept(found, place)))
    outcome.worked = used.ru_utime + used.ru_stime
    if process.returncode and not outcome.findings:
        outcome.broken = f"ended with {process.returncode}: {said.strip()[-400:]}"
    return outcome


def _runs(said: str) -> int:
    counted = re.findall(r"^#(\d+)\t", said, re.MULTILINE)
    done = re.findall(r"stat::number_of_executed_units:\s*(\d+)", said)
    return int(done[-1]) if done else int(counted[-1]) if counted else 0


def _kept(found: Path, place: Path) -> Iterator[tuple[str, Path]]:
    """What was found this time, where it is kept, and what happened."""
    for path in sorted(found.iterdir()):
        kept = Path(shutil.copy(path, place))
        if path.suffix == ".txt":
            yield path.read_text().strip().splitlines()[-1], kept.with_suffix("")
        elif start := next((one for one in ENDINGS if path.name.startswith(one)), None):
            yield f"{ENDINGS[start]} ({path.name[-12:]})", kept


# ── one target, in a process of its own ─────────────────────────────────────────────────


def fuzz(name: str, asked: argparse.Namespace) -> int:
    """Fuzz one target; it does not return, as libFuzzer ends the process.

    Only what the target reads is watched: to prepare all of the package takes a minute.
    """
    import atheris

    watched = asked.watched.split(",")
    package = HERE.parents[1] / "overpaint"
    ours = {module(path.relative_to(package).as_posix()) for path in package.rglob("*.py")}
    include = {name.partition(".")[0] for name in watched}
    with atheris.instrument_imports(include=include, exclude=ours - set(watched)):
        import fuzz_documents
        from fuzz_table import TARGETS

        fuzz_documents.EVERY = 3
        target = next(one for one in TARGETS if one.name == name)
        for seed in target.corpus:  # whatever they import is watched as well
            target(seed)
    corpus, place = Path(tempfile.mkdtemp()), Path(asked.findings) / "found"
    for number, seed in enumerate(target.corpus):
        (corpus / f"{number:04}").write_bytes(seed)
    for path in (Path(asked.findings) / "earlier").iterdir():
        shutil.copy(path, corpus)
    dictionary = corpus.with_suffix(".dict")
    words = target.words or (b"\0",)
    dictionary.write_text("".join(f'"{_escaped(word)}"\n' for word in words))
    seen: set[str] = set()
    base = _resident()

    def once(data: bytes) -> None:
        before = _peak()
        if before > base + MEMORY / 2:  # little by little, over thousands: another process goes on
            os._exit(0)
        began = time.process_time()
        try:
            target(data)
            if (held := _peak() - before) > MEMORY:
                raise MemoryError(f"it took {held} MB")
            if (took := time.process_time() - began) > SLOWEST:
                raise TimeoutError(f"it took {took:.1f} seconds of work")
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  (whatever it is, it is a finding)
            _found(place, data, error, seen)

    def changed(data: bytes, most: int, seed: int) -> bytes:
        rng = Random(seed)
        if rng.random() < 0.4:
            return bytes(atheris.Mutate(data, most))
        return target.changed(data, rng)[:most]

    atheris.Setup([
        sys.argv[0], str(corpus), f"-max_total_time={max(1, round(asked.seconds))}",
        f"-timeout={HUNG}", f"-rss_limit_mb={base + 2 * MEMORY}", f"-max_len={LONGEST}",
        f"-artifact_prefix={place}/", f"-seed={asked.seed}", "-print_final_stats=1",
        "-report_slow_units=100000", "-reload=0", "-len_control=0", f"-dict={dictionary}",
    ], once, custom_mutator=changed)  # fmt: skip
    atheris.Fuzz()
    return 0


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


def _peak() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def _resident() -> int:
    import psutil

    return int(psutil.Process().memory_info().rss >> 20)


def _found(place: Path, data: bytes, error: BaseException, seen: set[str]) -> None:
    """Save an input for each place and kind of error, and go on."""
    told, where = f"{type(error).__name__}: {' '.join(str(error).split())[:120]}", _where(error)
    if where in seen:
        return
    seen.add(where)
    path = place / f"error-{sha256(where.encode()).hexdigest()[:12]}"
    path.write_bytes(data)
    said = f"{''.join(traceback.format_exception(error))[-6000:]}\n{where}: {told}\n"
    path.with_suffix(".txt").write_text(said, errors="backslashreplace")


def _where(error: BaseException) -> str:
    """The error's kind, and the last line of ours that it came by."""
    where, trace = "", error.__traceback__
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if "overpaint" in file.parts or file.name.startswith("fuzz_") or not where:
            where = f"{'/'.join(file.parts[-2:])}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{where}, {type(error).__name__}"


if __name__ == "__main__":
    sys.exit(main())
