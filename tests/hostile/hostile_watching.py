"""What a case may not do, and whether it did: hooks inside of it, and a look around afterwards."""

import os
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hostile_case import EVIL, SECRET

# Of what is printed: everything that could move a cursor or turn the reader round.
_RAW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
LONGEST = 6_000  # letters of what is said
_SENTENCE = re.compile(r"[A-Za-z“\"'’`]{2,}.* .*[.!?…)]?\s*$", re.DOTALL)
_PROGRAMS = ("python", "fc-list", "tesseract", "uname")  # the last by Python's own platform
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def forbid(own: Path, outside: Path, ports: set[int], log: Path, also: list[str]) -> None:
    """From now on note whatever this process opens, asks or starts that it should not."""
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    roots = tuple(os.path.realpath(place) + "/" for place in (own, *also))
    secret = os.path.realpath(outside) + "/"
    compiled = (sys.prefix, os.path.realpath(Path(__file__).parents[2]))  # by Python and numba

    def note(what: str) -> None:
        os.write(handle, (what[:300].replace("\n", " ") + "\n").encode("utf-8", "replace"))

    def opened(path: Any, flags: Any) -> None:
        if not isinstance(path, (str, bytes)):
            return
        real = os.path.realpath(os.fsdecode(path))
        if real.startswith(secret):
            note(f"opened {real}")
        elif isinstance(flags, int) and flags & _WRITES and not _ours(real):
            note(f"wrote {real}")

    def _ours(real: str) -> bool:
        return (real + "/").startswith(roots) or real in ("/dev/null", "/dev/tty") or (
            "__pycache__" in real and real.startswith(compiled)
        )  # fmt: skip

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            opened(args[0], args[2])
        elif event in ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.symlink", "os.link"):
            real = os.path.realpath(os.fsdecode(args[1 if event in ("os.symlink",) else 0]))
            if not _ours(real):
                note(f"{event} {real}")
        elif event == "socket.connect":
            address = args[1]
            if isinstance(address, tuple) and address[1] not in ports:
                note(f"connected to {address}")
        elif event == "socket.getaddrinfo" and args[0] not in ("127.0.0.1", "localhost", None):
            note(f"looked for the host {args[0]}")
        elif event in ("subprocess.Popen", "os.posix_spawn", "os.exec"):
            name = os.path.basename(os.fsdecode(args[0]))
            if not name.startswith(_PROGRAMS):
                note(f"started {args[0]}")
        elif event == "os.system":
            note(f"started {args[0]}")

    sys.addaudithook(hook)


def snapshot(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Every file and folder below one, so that a change of any of them is seen."""
    found = {}
    for path in [folder, *folder.rglob("*")]:
        about = path.lstat()
        found[str(path)] = (about.st_ino, about.st_size, about.st_mtime_ns)
    return found


def said_wrong(code: int, said: str, out: str) -> Iterator[str]:
    """What is wrong with what was printed, and with how it ended."""
    if code not in (0, 1, 2):
        yield f"crash: it ended with {code}"
    if "Traceback (most recent" in said or "Traceback (most recent" in out:
        yield "crash: a traceback"
    if raw := _RAW.search(said.replace("\r", "")) or _RAW.search(out):
        yield f"escape: it printed {raw[0]!r}"
    longest = max(map(len, said.split("\n")))
    if len(said) > LONGEST or longest > 3000:
        yield f"crash: it said {len(said):,} letters, {longest:,} on a line"
    if code == 2 and not _SENTENCE.search(said):
        yield f"crash: it refused without a sentence: {said[-80:]!r}"


def told_secrets(folder: Path, before: dict[str, tuple[int, int, int]]) -> Iterator[str]:
    """Files that were made or changed and show what they should not."""
    for path in folder.rglob("*"):
        if path.is_symlink() or not path.is_file():
            continue
        about = path.lstat()
        if before.get(str(path)) == (about.st_ino, about.st_size, about.st_mtime_ns):
            continue
        for data in _contents(path):
            if SECRET.encode() in data or b"root:x:0:0" in data:
                yield f"escape: {path.name} shows a secret"
                break


def _contents(path: Path) -> Iterator[bytes]:
    yield path.read_bytes()[: 64 << 20]
    if zipfile.is_zipfile(path):
        try:
            with zipfile.ZipFile(path) as file:
                for info in file.infolist():
                    if info.file_size < 64 << 20:
                        yield file.read(info)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError):
            return


def left_about() -> list[str]:
    """Places where a trick has left its mark."""
    spots = [Path("/tmp"), Path.home(), Path("/"), Path("/etc"), Path("/var/tmp"), Path.cwd()]
    return [str(path) for spot in spots if spot.is_dir() for path in spot.glob(f"*{EVIL}*")]
