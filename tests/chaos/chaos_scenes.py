"""What is killed: each scene is a command on a run, and the run it must come to in the end."""

import hashlib
import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

import chaos_toy
from chaos_kills import Aim, Log, Stuck, finished, kill_once, tally
from chaos_state import Account, Difference, State, account, difference, failures, left, state
from conftest import make_sample

from overpaint.testing import FakeServer

SAMPLES = 24
RUN = "run"
AT_ONCE = 8  # questions on their way, at the most


@dataclass(frozen=True)
class Scene:
    """One kind of work that is killed, again and again."""

    name: str
    share: int  # of all kills, relative to the other scenes
    words: Callable[["Bed", Path], list[str]]  # the command that works on a run
    ground: tuple[Callable[["Bed", Path], list[str]], ...] = ()  # what has happened before
    heal: tuple[Callable[["Bed", Path], list[str]], ...] = ()  # what is to be given at the end
    aim: Aim = Aim()  # noqa: RUF009  (frozen)
    mood: str = "good"  # in which the ground was made
    script: object = None  # of the server that is asked
    found: Callable[[Path], State] = state
    inside: str = ""  # where in its folder the run lies that the command works on


@dataclass
class Bed:
    """Where a scene plays: its folder, the server it asks, and what became of it."""

    folder: Path
    chance: random.Random
    url: str = ""
    workers: int = 1  # drawn anew for each run that is killed
    log: Log = field(default_factory=Log)
    rounds: int = 0
    difference: Difference = field(default_factory=Difference)
    account: Account = field(default_factory=Account)
    hurt: str = ""  # a command that hangs or ends as it should not

    @property
    def data(self) -> Path:
        """The samples."""
        return self.folder / "data"

    @property
    def right(self) -> bool:
        """Whether all is as if nothing had happened."""
        return not (self.difference or self.account.wrong or self.log.left_behind or self.hurt)


def play(scene: Scene, bed: Bed, kills: int, told: Callable[[int], None], until: float) -> None:
    """Kill the scene's command that often, over as many runs as it takes, and compare each."""
    bed.data.mkdir(parents=True)
    for n in range(SAMPLES):
        make_sample(bed.data, f"a/{n:03}", n)
    with ExitStack() as stack:
        server = stack.enter_context(FakeServer(scene.script)) if scene.script else None
        bed.url = f"{server.url}#fake" if server else ""
        _play(scene, bed, kills, told, until, server)


def _play(
    scene: Scene, bed: Bed, kills: int, told: Callable[[int], None], until: float,
    server: FakeServer | None,
) -> None:  # fmt: skip
    ground, calm = bed.folder / "ground", bed.folder / "calm"
    for words in scene.ground:
        finished(words(bed, ground), (0, 1), CHAOS_MOOD=scene.mood)
    _copy(ground, calm)
    began = time.monotonic()
    _to_the_end(scene, bed, calm, 0)
    aim = replace(scene.aim, longest=time.monotonic() - began)
    wanted, end = scene.found(calm), tally(calm / scene.inside)
    while bed.log.kills < kills and time.monotonic() < until:
        killed, before = bed.folder / f"killed{bed.rounds}", bed.log.kills
        bed.workers, bed.log.flights = bed.chance.choice((1, 2)), []
        _copy(ground, killed)
        if server:
            server.forget()
        while bed.log.kills < kills and time.monotonic() < until:
            words, place = scene.words(bed, killed), killed / scene.inside
            goes_on = kill_once(words, place, aim, bed.chance, bed.log, end=end, env={})
            told(bed.log.kills)
            if not goes_on:
                break
        _to_the_end(scene, bed, killed, bed.log.kills - before)
        bed.rounds += 1
        bed.difference += difference(wanted, scene.found(killed))
        if stay := left(killed / scene.inside):
            raise Stuck(f"Half a picture stays for ever: {stay[0]}")
        if server:
            bed.account += account(killed, server, bed.log.flights, AT_ONCE)
        if not bed.right:
            return  # the run stays for whoever looks into it
        shutil.rmtree(killed)


def _copy(ground: Path, to: Path) -> None:
    if ground.exists():
        shutil.copytree(ground, to)


def _to_the_end(scene: Scene, bed: Bed, folder: Path, kills: int) -> None:
    """The command as users give it after a crash: once more."""
    finished(scene.words(bed, folder), (0, 1) if scene.heal else (0,))
    if scene.heal and (failed := failures(folder)) > kills:
        raise Stuck(f"After {kills} kills {failed} steps have failed in {folder}.")
    for words in scene.heal:
        finished(words(bed, folder))


# ── commands ────────────────────────────────────────────────────────────────────────────


def _run(benchmark: str, *more: str, inside: str = "") -> Callable[[Bed, Path], list[str]]:
    def words(bed: Bed, folder: Path) -> list[str]:
        editors = [part for spec in chaos_toy.EDITORS for part in ("-e", spec)]
        return ["run", f"{chaos_toy.HERE}:{benchmark}", "--data", str(bed.data), *editors,
                *more, "--no-floors", *_quietly(bed), "-o", str(folder / inside)]  # fmt: skip

    return words


def _score(*more: str) -> Callable[[Bed, Path], list[str]]:
    def words(bed: Bed, folder: Path) -> list[str]:
        asked = [bed.url if part == "URL" else part for part in more]
        return ["score", str(folder), *asked, *_quietly(bed)]

    return words


def _retry(bed: Bed, folder: Path) -> list[str]:
    return ["retry", str(folder), *_quietly(bed)]


def _quietly(bed: Bed) -> list[str]:
    return ["--quiet", "--json", "--workers", str(bed.workers)]


def _report(bed: Bed, folder: Path) -> list[str]:
    return ["report", str(folder)]


def _merge(bed: Bed, folder: Path) -> list[str]:
    return ["merge", str(folder / "a"), str(folder / "b"), "-o", str(folder / RUN)]


def _merged(folder: Path) -> State:
    """The run that came of a merge, and those that it was made of, which must be as they were."""
    return {
        f"{part} {name}": rows
        for part in (RUN, "a", "b")
        for name, rows in state(folder / part).items()
    }


def _pages(folder: Path) -> State:
    """The files of a report, beside all that the run holds."""
    files = sorted(path for path in (folder / "report").rglob("*") if path.is_file())
    return {
        **state(folder),
        "report": Counter((str(path.relative_to(folder)), _told(path)) for path in files),
    }


def _told(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


MEASURED = [part for spec in chaos_toy.MEASURES for part in ("-m", spec)]
ASKED = {"seconds": 0.02, "seed": 5}  # the script of a server that answers rightly
JUDGED = ("--judge", "URL", "--in-flight", str(AT_ONCE))
VOTED = ("--pairwise", "URL", "--in-flight", str(AT_ONCE))
SCENES: Sequence[Scene] = (
    Scene("editing", 14, _run("edited"), aim=Aim(stride=15)),
    Scene("measuring", 14, _score(*MEASURED), (_run("edited"),)),
    Scene("writing", 14, _run("whole"), aim=Aim(("byte", "rename"), stride=12)),
    Scene("judging", 14, _score(*JUDGED), (_run("edited"),), script=ASKED),
    Scene("voting", 10, _score(*VOTED), (_run("edited"),), script=ASKED),
    Scene("trying again", 12, _retry, (_run("whole"),), mood="bad", aim=Aim(stride=12)),
    Scene(
        "merging",
        20,
        _merge,
        (
            _run("whole", "--shard", "1/2", inside="a"),
            _run("whole", "--shard", "2/2", inside="b"),
        ),
        aim=Aim(("time", "byte"), doing="merging", bytes=400_000),
        found=_merged,
        inside=RUN,
    ),
    Scene(
        "reporting",
        8,
        _report,
        (_run("whole"),),
        aim=Aim(("time",), doing="reporting"),
        found=_pages,
    ),
    Scene("a worker", 12, _run("whole"), heal=(_retry,), aim=Aim(("worker",), stride=120)),
    Scene("a worker and its parent", 8, _run("whole"), heal=(_retry,), aim=Aim(("both",))),
)
