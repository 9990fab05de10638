"""Asks whether any locked package has a known vulnerability; `make check` calls it.

A known one ends it with 1. Where the advisories cannot be reached, it says so in a line and ends
with 0: without a network one must still be able to work. It never takes longer than two minutes.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LOCKS = ("demo", "test", "slow", "cuda")
# Advisories that are no trouble here: id -> why, who looked, and when to look again.
IGNORED: dict[str, str] = {}
LONGEST = 120.0  # seconds
TRIED = "numpy==2.0.0"  # whether there is an answer at all


def main() -> int:
    """Look every locked package up, unless the very first cannot be."""
    try:
        due = time.monotonic() + LONGEST
        if not _answered(_looked_up([TRIED], 20.0)):
            return _unknown("there is no answer for packages that are known")
        found = _looked_up(_pins(), due - time.monotonic())
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        return _unknown(f"{type(error).__name__}: {str(error).splitlines()[0][:200]}")
    return told(found)


def told(found: Iterable[dict[str, Any]]) -> int:
    """Say what is known of these packages; 1 if something is that is not ignored."""
    found = list(found)
    bad = {
        (one["name"], one["version"], vuln["id"], tuple(vuln.get("fix_versions", ())))
        for one in found for vuln in one.get("vulns", ())
        if not {vuln["id"], *vuln.get("aliases", ())} & set(IGNORED)
    }  # fmt: skip
    for name, version, which, fixed in sorted(bad):
        better = f"fixed in {', '.join(fixed)}" if fixed else "not fixed yet"
        print(f"{name} {version} has the known vulnerability {which} ({better}).")
    if bad:
        print("Raise its version in pyproject.toml and run `make lock`; or say in"
              " requirements/audit.py why it is no trouble here.")  # fmt: skip
        return 1
    known = len(_answered(found))
    more = "; the others are not known" if known < len(found) else ""
    print(f"Known vulnerabilities: none in {known} of {len(found)} packages{more}.")
    return 0


def _answered(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in found if "vulns" in one]


def _unknown(why: str) -> int:
    print(f"Known vulnerabilities: not looked up, as the advisories cannot be reached ({why}).")
    return 0


def _pins() -> list[str]:
    """NAME==VERSION of every line, without hashes, of which the advisories know nothing."""
    lines = (line for lock in LOCKS for line in (HERE / f"{lock}.txt").read_text().splitlines())
    return [line.split(" ")[0] for line in lines if line[:1].isalnum()]


def _looked_up(pins: Iterable[str], seconds: float) -> list[dict[str, Any]]:
    """What pip-audit says of each; nothing is installed, and nothing resolved, for it."""
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder, "asked.txt")
        asked.write_text("\n".join(pins))
        done = subprocess.run(
            [sys.executable, "-m", "pip_audit", "--disable-pip", "--no-deps", "--timeout", "10",
             "--progress-spinner", "off", "--format", "json", "--requirement", asked],
            capture_output=True, text=True, timeout=seconds, check=False,
        )  # fmt: skip
    if not done.stdout:
        raise ValueError((done.stderr.strip().splitlines() or ["it said nothing"])[-1])
    found: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    return found


if __name__ == "__main__":
    sys.exit(main())
