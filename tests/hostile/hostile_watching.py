"""What a case may not do, and whether it did: hooks inside of it, and a look around afterwards."""

import json
import os
import re
import sys
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from hostile_case import EVIL, SECRET

# Of what is printed: everything that could move a cursor or turn the reader round.
_RAW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
LONGEST = 6_000  # letters of what is said
_SENTENCE = re.compile(r"overpaint: (?P<first>\S+)(?: \S+){2,}[.!?)”’`\"']\Z")
_BEGINS = re.compile(r"[A-Z0-9“‘\"'`\[(]|\S*[./:\\]")  # a sentence, or with the name of a file
# What is to be copied, and so ends as a command does.
_COMMAND = re.compile(
    r" (?:For example|First|Upgrade|Say which): .*|(?<=\.) [^.]* after OVERPAINT_TRUST=.*"
)
# What Python says of itself, which is no sentence about what was given.
_LEAKS = re.compile(
    r"Traceback|\[Errno|object at 0x|<class '|object has no"
    r"|\d (?:positional )?arguments?\b|\b[A-Z]\w*Error\b"
)
_PROGRAMS = ("python", "fc-list", "tesseract", "uname")  # the last by Python's own platform
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Which of its arguments are places that an event changes, and which say what folder they are of.
_CHANGES = {
    "os.remove": ((0, 1),), "os.rename": ((0, 2), (1, 3)), "os.mkdir": ((0, 2),),
    "os.rmdir": ((0, 1),), "os.symlink": ((1, 2),), "os.link": ((1, 3),),
    "os.truncate": ((0, -1),), "os.chmod": ((0, 2),), "os.chown": ((0, 3),),
}  # fmt: skip


class Watch(NamedTuple):
    """What a case may do: write below its roots, read all but what is secret, ask some ports."""

    roots: tuple[str, ...]
    secret: str
    ports: tuple[int, ...]
    log: str


def told(text: str) -> Watch:
    """As it is told to a process that a case starts."""
    roots, secret, ports, log = json.loads(text)
    return Watch(tuple(roots), secret, tuple(ports), log)


def forbid(watch: Watch) -> None:
    """From now on note whatever this process opens, asks or starts that it should not.

    Pythons that it starts do the same, by `watch/sitecustomize.py`; what SQLite's own library and
    other programs open is not seen, but for what lies about afterwards.
    """
    handle = os.open(watch.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    compiled = (sys.prefix, os.path.realpath(Path(__file__).parents[2]))  # by Python and numba

    def note(what: str) -> None:
        os.write(handle, (what[:300].replace("\n", " ") + "\n").encode("utf-8", "replace"))

    def ours(real: str) -> bool:
        return (real + "/").startswith(watch.roots) or real in ("/dev/null", "/dev/tty") or (
            "__pycache__" in real and real.startswith(compiled)
        )  # fmt: skip

    def opened(path: Any, *, writes: bool) -> None:
        if not isinstance(path, (str, bytes)):
            return
        real = os.path.realpath(os.fsdecode(path))
        if real.startswith(watch.secret):
            note(f"opened {real}")
        elif writes and not ours(real):
            note(f"wrote {real}")

    def changed(event: str, args: tuple[Any, ...]) -> None:
        for place, folder in _CHANGES[event]:
            real = _place(args[place], args[folder] if folder >= 0 else -1)
            if real and not ours(real):
                note(f"{event} {real}")

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            opened(args[0], writes=isinstance(args[2], int) and bool(args[2] & _WRITES))
        elif event == "sqlite3.connect":
            address = os.fsdecode(args[0])
            name = address.removeprefix("file:").split("?")[0]
            if name not in ("", ":memory:"):
                opened(unquote(name) if name != address else name, writes="mode=ro" not in address)
        elif event in _CHANGES:
            changed(event, args)
            if event == "os.link":
                opened(args[0], writes=False)
        elif event == "socket.connect":
            address = args[1]
            if isinstance(address, tuple) and address[1] not in watch.ports:
                note(f"connected to {address}")
        elif event == "socket.getaddrinfo" and args[0] not in ("127.0.0.1", "localhost", None):
            note(f"looked for the host {args[0]}")
        elif event in ("subprocess.Popen", "os.posix_spawn", "os.exec"):
            if not os.path.basename(os.fsdecode(args[0])).startswith(_PROGRAMS):
                note(f"started {args[0]}")
        elif event == "os.system":
            note(f"started {args[0]}")

    sys.addaudithook(hook)


def _place(path: Any, folder: Any) -> str:
    """Where a thing itself is, not what it may link to; nothing for an open file."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        return ""
    name = os.fsdecode(path)
    if isinstance(folder, int) and folder >= 0:
        name = os.path.join(os.readlink(f"/proc/self/fd/{folder}"), name)
    head, tail = os.path.split(os.path.abspath(name))
    return os.path.join(os.path.realpath(head), tail)


def snapshot(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Every file and folder below one, so that a change of any of them is seen."""
    found = {}
    for path in [folder, *folder.rglob("*")]:
        about = path.lstat()
        found[str(path)] = (about.st_ino, about.st_size, about.st_mtime_ns)
    return found


def said_wrong(code: int, said: str, out: str, words: Collection[str] = ()) -> Iterator[str]:
    """What is wrong with what was printed, and with how it ended; a sentence may begin with one of
    the words of the command."""
    if code not in (0, 1, 2):
        yield f"crash: it ended with {code}"
    if leak := _LEAKS.search(said) or _LEAKS.search(out):
        yield f"crash: it says {leak[0]!r}"
    if raw := _RAW.search(said.replace("\r", "")) or _RAW.search(out):
        yield f"escape: it printed {raw[0]!r}"
    longest = max(map(len, said.split("\n")))
    if len(said) > LONGEST or longest > 3000:
        yield f"crash: it said {len(said):,} letters, {longest:,} on a line"
    if code == 2 and not _is_said(said, words):
        yield f"crash: it refused without a sentence: {said[-200:]!r}"
    if code == 1 and "The exit code is 1, for " not in said:
        yield f"crash: it does not say why it ended with 1: {said[-200:]!r}"


def _is_said(said: str, words: Collection[str]) -> bool:
    """Whether the last thing said is why: several words that begin and end as a sentence does."""
    whole = " ".join(said[said.rfind("overpaint: ") :].split())
    found = _SENTENCE.search(_COMMAND.sub("", whole))
    return bool(found) and bool(_BEGINS.match(found["first"]) or found["first"] in words)


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
