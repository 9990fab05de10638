"""What a fuzzer needs to know of a parser: what to give it, and what it may say."""

import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random

from overpaint.errors import OverpaintError

HERE = Path(__file__).parent
# Makers of files that other tests have; appended, as their folders share names with ours.
for folder in ("", "document", "rating", "report"):
    if str(HERE.parent / folder) not in sys.path:
        sys.path.append(str(HERE.parent / folder))

Shaper = Callable[[bytes, Random], bytes]


@dataclass(frozen=True)
class Target:
    """A parser of outside bytes.

    `feed` gives it bytes; it may raise what is in `may`, and nothing else. `reads` are the files
    of the package whose parsing it reaches. `shape` changes bytes so that they get past the first
    checks: the checksum of a container, the brackets of JSON.
    """

    name: str
    feed: Callable[[bytes], object]
    seeds: Callable[[], Sequence[bytes]]
    reads: tuple[str, ...]
    may: tuple[type[Exception], ...] = (OverpaintError,)
    shape: Shaper | None = None
    words: tuple[bytes, ...] = ()
    slow: bool = False  # an input takes more than a few milliseconds
    share: int = 1  # of a fuzzer's time: one that is slow by its nature takes that many times more
    libraries: tuple[str, ...] = ()  # in Python as well, and worth a fuzzer's watching

    @property
    def least(self) -> int:
        """Inputs that it gets in 20 seconds times its share, at the very least, from a fuzzer."""
        return 200 if self.slow else 2000

    def __call__(self, data: bytes) -> str:
        """Feed it bytes: how it ended, "ok" or what it said; anything unforeseen is raised."""
        try:
            self.feed(data)
        except self.may as error:
            text = str(error)
            assert text.strip() or not isinstance(error, OverpaintError), "an error says something"
            return text or type(error).__name__
        return "ok"

    @cached_property
    def corpus(self) -> tuple[bytes, ...]:
        """The seeds, made once."""
        return tuple(self.seeds())

    def changed(self, data: bytes, rng: Random) -> bytes:
        """The bytes, changed once or a few times, in its own shape or anyhow."""
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            shaped = self.shape is not None and rng.random() < 0.7
            data = self.shape(data, rng) if shaped and self.shape else anyhow(data, rng, self.words)
        return data


ODD_BYTES = (b"\x00", b"\xff", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x80\x00\x00\x00",
             b"\xed\xa0\x80", "\u202e".encode(), b"\r\n", b"\xef\xbb\xbf", b"1e999")  # fmt: skip


def anyhow(data: bytes, rng: Random, words: Sequence[bytes] = ()) -> bytes:
    """Bytes with a few of them turned, put in, taken out, doubled or cut off."""
    raw = bytearray(data)
    at = rng.randrange(len(raw) + 1)
    end = min(len(raw), at + rng.choice((1, 2, 4, 16, 64)))
    match rng.randrange(6):
        case 0 if raw:
            raw[at % len(raw)] ^= 1 << rng.randrange(8)
        case 1:
            raw[at:at] = rng.choice((*ODD_BYTES, *words))
        case 2:
            raw[at:end] = rng.choice((*ODD_BYTES, *words))
        case 3:
            del raw[at:end]
        case 4:
            raw[at:at] = raw[at:end] * rng.choice((1, 2, 50))
        case _:
            del raw[at:]
    return bytes(raw)


@lru_cache(maxsize=1)
def place() -> Path:
    """A folder of this process for the files that targets read."""
    keep = tempfile.TemporaryDirectory(prefix="overpaint-fuzz-")
    _KEPT.append(keep)
    return Path(keep.name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


def filed(
    name: str, read: Callable[[Path], object], *beside: tuple[str, bytes]
) -> Callable[[bytes], object]:
    """A feed that writes the bytes to a file of that name, other files beside it, and reads it."""

    def feed(data: bytes) -> object:
        path = place() / name
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True)
            for other, content in beside:
                (path.parent / other).parent.mkdir(parents=True, exist_ok=True)
                (path.parent / other).write_bytes(content)
        path.write_bytes(data)
        return read(path)

    return feed


def text(data: bytes) -> str:
    """Any text, lone surrogates among it, from any bytes."""
    return data.decode("utf-8", "surrogatepass" if b"\xed" in data else "replace") if _utf8(
        data
    ) else data.decode("latin-1")  # fmt: skip


def _utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def spoken(feed: Callable[[str], object]) -> Callable[[bytes], object]:
    """A feed of text."""
    return lambda data: feed(text(data))
