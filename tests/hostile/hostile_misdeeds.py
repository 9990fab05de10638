"""Cases that do what none may, each in its way: the harness must find every one of them out."""

import os
import socket
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


_PLAIN = (crashes, raises, says_nothing, says_too_much, prints_escapes, works_without_end,
          waits_without_end, grows, tells_a_secret, looks_for_a_host, starts_a_program)  # fmt: skip


def _said(name: str, what: str = "") -> Case:
    def make(world: World) -> list[str]:
        told = {"outside": str(world.outside), "canary": world.canary}
        return [f"call:hostile_misdeeds.{name}", *([told[what]] if what else [])]

    return Case("misdeeds", name, make)


CASES = [_said(one.__name__) for one in _PLAIN] + [
    _said("writes_outside", "outside"), _said("writes_to_tmp", "outside"),
    _said("reads_a_secret", "outside"), _said("asks_the_canary", "canary"),
]  # fmt: skip
