"""What a hostile case is: files made by code, a command, and what must come of it."""

import io
import json
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
for other in ("document", "benchmarks", "engines"):  # whose makers of whole files are used here
    sys.path.append(str(HERE.parent / other))

CHANGE = "replace 'Friday' with 'Monday'"
# Whatever is written, run or asked for by a trick bears this name, and is looked for everywhere.
EVIL = "hostile-escape"
SECRET = "canary-secret-5d1f0c"  # stands in files and variables that no output may show
ESCAPES = "\x1b[2J\x1b]0;owned\x07\u202egnp.exe\u2066\x9b31m"
SCRIPT = f"<script>fetch('//x/{EVIL}')</script><img src=x onerror=alert(1)>"
LONGEST = 20  # seconds of processor time, and of waiting for something that never comes
TOY = str(HERE.parent / "toy.py") + ":toy"

Command = list[str]


class World(NamedTuple):
    """Where a case is: its own folder, what lies outside, and who listens."""

    here: Path
    outside: Path  # a folder with a secret in it, which nobody may read or write
    canary: str  # the address of a server that nobody may ask
    model: str  # the address of a fake model, whose name says what it answers

    def put(self, name: str, data: bytes | str) -> str:
        """Write a file of the case."""
        path = self.here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
        return name

    def json(self, name: str, value: object) -> str:
        """Write a value as a file of JSON."""
        return self.put(name, json.dumps(value))


Make = Callable[[World], Command | list[Command]]


class Case(NamedTuple):
    """One hostile thing: its kind and name, how it is made, and the exit codes that are right."""

    kind: str
    name: str
    make: Make
    codes: tuple[int, ...] = (0, 1, 2)
    says: str = ""  # what must stand in what is said
    quick: bool = False  # one of those that `make test` tries
    gigabytes: float = 1.5  # that may be held; more where the limit of pixels is just kept
    seconds: float = LONGEST
    reads: bool = False  # whether a file outside is named by the user, and so may be read


REFUSED = (2,)
DONE = (0,)


def edit(name: str, *more: str, out: str = "out.png") -> Command:
    """Edit a file as a sentence says."""
    return ["edit", name, *(more or (CHANGE,)), "-o", out]


def planned(world: World, name: str, *ops: Mapping[str, object], out: str = "out.png") -> Command:
    """Edit a file as a plan says."""
    world.json("plan.json", list(ops))
    return ["edit", name, "--apply", "plan.json", "-o", out]


def chunk(kind: bytes, data: bytes, *, crc: int | None = None, size: int | None = None) -> bytes:
    """A chunk of a PNG, which may lie."""
    right = zlib.crc32(kind + data)
    length = len(data) if size is None else size
    return (
        struct.pack(">I", length) + kind + data + struct.pack(">I", right if crc is None else crc)
    )


PNG = b"\x89PNG\r\n\x1a\n"


def png_head(wide: int, high: int, depth: int = 8, colour: int = 2, laced: int = 0) -> bytes:
    """The beginning of a PNG of that size."""
    return PNG + chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, depth, colour, 0, 0, laced))


def png(wide: int = 40, high: int = 30) -> bytes:
    """A small whole PNG."""
    rows = b"".join(b"\0" + bytes((x * 5 + y) % 256 for x in range(wide * 3)) for y in range(high))
    return png_head(wide, high) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def zeros(count: int) -> bytes:
    """So many zeros, packed, without having them at once."""
    packer, parts = zlib.compressobj(9), []
    block = bytes(1 << 20)
    for _ in range(count >> 20):
        parts.append(packer.compress(block))
    parts.append(packer.compress(bytes(count & ((1 << 20) - 1))))
    return b"".join(parts) + packer.flush()


def zipped(members: Mapping[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return out.getvalue()


def cuts(data: bytes) -> dict[str, bytes]:
    """A file cut short at places that differ in kind."""
    return {
        "of which one byte is left": data[:1], "of which ten bytes are left": data[:10],
        "cut after a twentieth": data[: len(data) // 20],
        "cut in the middle": data[: len(data) // 2],
        "cut before its last tenth": data[: len(data) * 9 // 10],
        "without its last eight bytes": data[:-8], "without its first four bytes": data[4:],
    }  # fmt: skip
