"""Cases that do what none may, each in its way: the harness must find every one of them out."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from hostile_case import ESCAPES, SECRET, Case, World

_HELD: list[bytes] = []


def crashes() -> int:
    os.abort()


def raises() -> int:
    raise RuntimeError("a bug")


def says_nothing() -> int:
    return 2


def says_too_much() -> int:
    print("overpaint: It is wrong. " * 9_000, file=sys.stderr)
    return 2


def prints_escapes() -> int:
    print(ESCAPES)
    return 0


def works_without_end() -> int:
    while True:
        pass


def waits_without_end() -> int:
    time.sleep(600)
    return 0


def grows() -> int:
    while True:
        _HELD.append(b"x" * (1 << 26))


def writes_outside(outside: str) -> int:
    Path(outside, "sibling", "b.txt").write_text("x")
    return 0


def writes_to_tmp(_: str) -> int:
    Path("/tmp/hostile-was-here").write_text("x")
    os.unlink("/tmp/hostile-was-here")
    return 0


def reads_a_secret(outside: str) -> int:
    Path(outside, "secret.txt").read_text()
    return 0


def tells_a_secret() -> int:
    Path("out.txt").write_text(SECRET)
    return 0


def asks_the_canary(canary: str) -> int:
    try:
        urllib.request.urlopen(f"{canary}/x")
    except OSError:
        return 0
    return 0


def looks_for_a_host() -> int:
    try:
        socket.getaddrinfo("example.invalid", 80)
    except OSError:
        return 0
    return 0


def starts_a_program() -> int:
    os.system("true")
    return 0


def renames_out(outside: str) -> int:
    Path("a.txt").write_text("x")
    os.rename("a.txt", Path(outside).parent / "renamed-out")
    os.unlink(Path(outside).parent / "renamed-out")
    return 0


def links_out(outside: str) -> int:
    os.link(Path(outside, "secret.txt"), "mine.txt")
    return 0


def has_a_child_read_a_secret(outside: str) -> int:
    told = f"open({str(Path(outside, 'secret.txt'))!r}).read()"
    return subprocess.run([sys.executable, "-c", told], check=False).returncode


def has_children_work(_: str) -> int:
    """Each is ended before it has worked too long by itself."""
    told = "import time\nwhile time.process_time() < 1: pass"
    for _n in range(8):
        subprocess.run([sys.executable, "-c", told], check=False)
    return 0


def has_children_grow(_: str) -> int:
    told = "import time; x = b'x' * (600 << 20); time.sleep(3)"
    for child in [subprocess.Popen([sys.executable, "-c", told]) for _n in range(3)]:
        child.wait()
    return 0


def leaves_a_child(_: str) -> int:
    told = "import time; time.sleep(60)"
    subprocess.Popen([sys.executable, "-c", told], start_new_session=True)
    return 0


def stammers() -> int:
    print("overpaint: wrong", file=sys.stderr)
    return 2


def fails_without_a_word() -> int:
    return 1


_PLAIN = (crashes, raises, says_nothing, says_too_much, prints_escapes, works_without_end,
          waits_without_end, grows, tells_a_secret, looks_for_a_host, starts_a_program,
          stammers, fails_without_a_word)  # fmt: skip


def _said(name: str, what: str = "") -> Case:
    def make(world: World) -> list[str]:
        told = {"outside": str(world.outside), "canary": world.canary}
        return [f"call:hostile_misdeeds.{name}", *([told[what]] if what else [])]

    return Case("misdeeds", name, make, seconds=4)


_TOLD = (writes_outside, writes_to_tmp, reads_a_secret, renames_out, links_out,
         has_a_child_read_a_secret, has_children_work, has_children_grow,
         leaves_a_child)  # fmt: skip
CASES = [
    *(_said(one.__name__) for one in _PLAIN), *(_said(one.__name__, "outside") for one in _TOLD),
    _said("asks_the_canary", "canary"),
]  # fmt: skip
