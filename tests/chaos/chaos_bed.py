"""What trials share: samples, runs that were left in peace, disks, servers that people open."""

import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import chaos_toy
from chaos_kills import environment, finished, tally
from chaos_state import State, difference, left, state
from conftest import make_sample

CODE = chaos_toy.HERE
EDITORS = [part for spec in chaos_toy.EDITORS for part in ("-e", spec)]
MEASURED = [part for spec in chaos_toy.MEASURES for part in ("-m", spec)]
QUIET = ["--quiet", "--json", "--workers", "1"]


class Skipped(Exception):
    """A trial that cannot be made on this machine; the words say why."""


def samples(folder: Path, count: int = 8) -> Path:
    """So many samples in a folder."""
    for n in range(count):
        make_sample(folder, f"a/{n:03}", n)
    return folder


def run_words(data: Path, out: Path, benchmark: str = "whole", *more: str) -> list[str]:
    """The command that makes a run."""
    return ["run", f"{CODE}:{benchmark}", "--data", str(data), *EDITORS, "--no-floors", *QUIET,
            *more, "-o", str(out)]  # fmt: skip


def score_words(run: Path, *more: str) -> list[str]:
    """The command that scores a run."""
    return ["score", str(run), *more, *QUIET]


def same(calm: State, folder: Path) -> None:
    """The run is as if nothing had happened."""
    found = difference(calm, state(folder))
    assert not found, found
    assert left(folder) == [], "half a picture stays for ever"


def in_the_middle(calm: Path, run: Path, of: str) -> None:
    """The run has some of these rows, and not all that one has that was left in peace."""
    here, wanted = getattr(tally(run), of), getattr(tally(calm), of)
    assert 0 < here < wanted, f"{here} of {wanted} {of}: it was not stopped in the middle"


def refused(words: list[str], *says: str, **more: str) -> str:
    """The command ends with exit code 2 and a sentence that says this; gives all it said."""
    said = finished(words, (2,), **more)
    for part in says:
        assert part in said, said
    return said


# ── disks ───────────────────────────────────────────────────────────────────────────────


@contextmanager
def disk(folder: Path, size: str = "64m") -> Iterator[Path]:
    """A disk of its own, where this user may mount one."""
    mount = shutil.which("mount")
    folder.mkdir(parents=True)
    made = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder],
        capture_output=True, check=False,
    )  # fmt: skip
    if not made or made.returncode:
        raise Skipped("a disk of its own can only be made by root on Linux")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


@dataclass(frozen=True)
class Brittle:
    """A disk that can break: the system then lets nobody write to it, whatever they have open."""

    folder: Path
    image: Path

    def mount(self) -> None:
        """Lay it into its folder."""
        options = "loop,errors=remount-ro"
        _called(["mount", "-t", "ext4", "-o", options, str(self.image), str(self.folder)])

    def fail(self) -> None:
        """Let it break now."""
        device = Path(_called(["findmnt", "-no", "SOURCE", str(self.folder)]).strip()).name
        Path(f"/sys/fs/ext4/{device}/trigger_fs_error").write_text("chaos")

    def mend(self) -> None:
        """Check it, as one does, and lay it into its folder again."""
        _called(["umount", str(self.folder)])
        _called(["e2fsck", "-fy", str(self.image)], (0, 1))  # 1: something was put right
        self.mount()


@contextmanager
def brittle_disk(folder: Path) -> Iterator[Brittle]:
    """A disk of its own that can break, where this user may mount one."""
    folder.mkdir(parents=True)
    made = Brittle(folder, folder.with_suffix(".image"))
    with made.image.open("wb") as image:
        image.truncate(64 * 2**20)
    try:
        _called(["mkfs.ext4", "-q", "-F", str(made.image)])
        made.mount()
    except (AssertionError, FileNotFoundError):
        raise Skipped("a disk that breaks can only be made by root on Linux, of ext4") from None
    try:
        yield made
    finally:
        _called(["umount", "-l", str(folder)])


def _called(words: list[str], codes: Sequence[int] = (0,)) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode in codes, (words, done.stderr)
    return done.stdout


def fill(disk: Path, leave: int) -> Path:
    """Fill a disk but for so many bytes; gives the file whose deletion makes room."""
    filler, free = disk / "filler", shutil.disk_usage(disk).free
    with filler.open("wb") as file:
        left = free - leave
        while left > 0:
            left -= file.write(b"\0" * min(left, 2**20))
    return filler


def set_writable(disk: Path, *, on: bool) -> None:
    """Mount the disk anew, for reading alone or for writing, too."""
    how = "rw" if on else "ro"
    subprocess.run(["mount", "-o", f"remount,{how}", disk], check=True)


# ── servers ─────────────────────────────────────────────────────────────────────────────


@contextmanager
def serving(words: list[str], **more: str) -> Iterator["subprocess.Popen[str]"]:
    """A command that serves; it has said its first line."""
    import sys

    child = subprocess.Popen(
        [sys.executable, "-m", "overpaint", *words], env=environment(**more), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert child.stdout is not None
    try:
        child.stdout.readline()
        yield child
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def wait_until(done: object, seconds: float = 60.0) -> None:
    """Until that is so; an error where it takes too long."""
    assert callable(done)
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)
