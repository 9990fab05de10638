"""What chaos is let loose on: small samples, editors and measures, named as FILE.py:NAME.

With CHAOS_MOOD=bad in the environment some of them fail by accident, as machines do.
"""

import ctypes
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))  # workers import this file by itself

import toy

from overpaint.core import Edit, Evidence, Loaded, Measure, Request, Sample, each, finding, together
from overpaint.document import Document

HERE = str(Path(__file__).resolve())
MOOD = "CHAOS_MOOD"
RUBRICS = ("textedit_if", "textedit_ta")
MEASURES = ("mse", "psnr", "ssim", f"{HERE}:slow", f"{HERE}:spread")
EDITORS = tuple(f"{name.lower()}={HERE}:{name}" for name in ("Red", "Green", "Blue"))


@dataclass(frozen=True)
class Scene(toy.Toy):
    """The toy's samples, each with words of its own, so that no two questions are one."""

    rubrics: tuple[str, ...] = RUBRICS
    measures: tuple[str, ...] = ()

    def load(self, data: Path | None) -> Loaded:
        return Loaded(tuple(map(_worded, super().load(data).samples)))


def _worded(sample: Sample) -> Sample:
    words = f'Change "A" to "B" on page {sample.id}.'
    part = "even" if int(sample.id[-3:]) % 2 == 0 else "odd"
    return replace(
        sample, request=replace(sample.request, instruction=words), tags={"operation": part}
    )


@dataclass(frozen=True)
class Tint:
    """Fills a corner with a colour that depends on the sample; takes a moment for it."""

    channel: int = 0
    seconds: float = 0.01

    def __call__(self, request: Request) -> Document:
        time.sleep(self.seconds)
        pixels = request.source.rgb.copy()
        pixels[10:30, 10:40] = 0
        pixels[10:30, 10:40, self.channel] = 40 + int(request.names[0][-3:]) % 200
        return Document.of(pixels)


class Red(Tint):
    """Its corner is red."""


@dataclass(frozen=True)
class Green(Tint):
    """Its corner is green."""

    channel: int = 1


@dataclass(frozen=True)
class Blue(Tint):
    """Its corner is blue; in a bad mood it fails two times out of three."""

    channel: int = 2

    def __call__(self, request: Request) -> Document:
        if os.environ.get(MOOD) == "bad" and int(request.names[0][-3:]) % 3:
            raise RuntimeError("not today")
        return super().__call__(request)


def _slow(edit: Edit, evidence: Evidence) -> float:
    time.sleep(0.005)
    if os.environ.get(MOOD) == "bad" and int(edit.sample.id[-3:]) % 2:
        raise RuntimeError("not now")
    return _light(evidence, edit.output) / 255


@finding(keep=True)
def _light(evidence: Evidence, document: Any) -> float:
    """The mean of all pixels; kept in the run."""
    return float(np.mean(document.rgb))


def _look(edit: Edit, evidence: Evidence) -> None:
    _light(evidence, edit.output)


def _spread(edits: Sequence[Edit], evidence: Evidence) -> float:
    lights = [_light(evidence, edit.output) for edit in edits]
    return max(lights) - min(lights)


edited, whole = Scene(), Scene(measures=MEASURES)
slow = Measure("slow", each("slow", _slow), True, 0.0, 1.0)
spread = Measure(
    "spread", together("spread", _spread), higher_is_better=False, worst=None, best=0.0,
    scope="set", look=_look,
)  # fmt: skip


# ── measures that misbehave ─────────────────────────────────────────────────────────────


def _hang(edit: Edit, evidence: Evidence) -> float:
    time.sleep(3600)
    return 0.0


def _segfault(edit: Edit, evidence: Evidence) -> float:
    return float(ctypes.string_at(0)[0])


def _os_exit(edit: Edit, evidence: Evidence) -> float:
    os._exit(0)


def _sys_exit(edit: Edit, evidence: Evidence) -> float:
    sys.exit(0)


def _interrupt(edit: Edit, evidence: Evidence) -> float:
    raise KeyboardInterrupt


def _recursion(edit: Edit, evidence: Evidence) -> float:
    return _recursion(edit, evidence)


def _chatty(edit: Edit, evidence: Evidence) -> float:
    print("x" * 3_000_000)
    os.write(2, b"y" * 3_000_000)
    raise RuntimeError("z" * 3_000_000)


def _fork(edit: Edit, evidence: Evidence) -> float:
    left = Path(os.environ[LEFT])
    if os.fork() == 0:
        left.with_suffix(".half").write_text(str(os.getpid()))
        left.with_suffix(".half").rename(left)
        time.sleep(3600)
    while not left.exists():  # else the child might be ended before it has told its number
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)
    return 0.0


def _close(edit: Edit, evidence: Evidence) -> float:
    os.closerange(0, 256)
    return 0.0


def _deaf(edit: Edit, evidence: Evidence) -> float:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    return _hang(edit, evidence)


def _swell(edit: Edit, evidence: Evidence) -> float:
    hog = np.ones(2**27)  # 1 GB, touched
    time.sleep(3600 + hog[0])
    return 0.0


def _starve(edit: Edit, evidence: Evidence) -> float:
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (2**20, before[1]))
    try:
        return float(np.ones(2**27)[0])
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _oom(edit: Edit, evidence: Evidence) -> float:
    os.kill(os.getpid(), signal.SIGKILL)  # as the system does it
    return 0.0


LEFT = "CHAOS_LEFT"  # a file for the number of the process that was left behind
hang, segfault, os_exit, sys_exit, interrupt, recursion, chatty, fork, close, deaf, swell, starve, \
    oom = (
        Measure(name, each(name, score), True, 0.0, 1.0)
        for name, score in (
            ("hang", _hang), ("segfault", _segfault), ("os_exit", _os_exit),
            ("sys_exit", _sys_exit), ("interrupt", _interrupt), ("recursion", _recursion),
            ("chatty", _chatty), ("fork", _fork), ("close", _close), ("deaf", _deaf),
            ("swell", _swell), ("starve", _starve), ("oom", _oom),
        )
    )  # fmt: skip
# What the reason of each says.
MISBEHAVING = {
    "hang": "No answer within 8 s", "segfault": "SIGSEGV", "os_exit": "exit code 0",
    "sys_exit": "SystemExit: 0", "interrupt": "KeyboardInterrupt", "recursion": "RecursionError",
    "chatty": "RuntimeError: zzz", "fork": "SIGKILL", "close": "died", "deaf": "within 8 s",
    "swell": "limit is 0.6", "starve": "MemoryError", "oom": "SIGKILL",
}  # fmt: skip
