"""Whose code a run may start: only what was named on this machine, by its user.

A run names measures, editors and benchmarks as they were given: `FILE.py:NAME` is imported, and
`command:PROGRAM` is started. In a run that somebody else made, those are somebody else's programs.
So what a user names is noted, outside of any run, and a run that names anything besides is not
opened until its user says so.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from overpaint.document.places import state_folder
from overpaint.errors import StoreError
from overpaint.store.schema import Database, connect

TRUST = "OVERPAINT_TRUST"
NOTED = "code-named-here.txt"
_ODD = "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')"
_here: set[str] = set()  # what this process was told, should nothing be writable


def opened(folder: Path) -> Database:
    """The run's database; StoreError if reading the run would start code nobody here has named."""
    database = connect(folder)
    try:
        if odd := database.execute(_ODD).fetchone():
            raise StoreError(
                f"The run in {folder} holds a {odd[0]} called {odd[1]!r}, which no run has.",
                "It would run whenever the run is read or written.",
            )
        specs = [spec for (spec,) in database.rows("SELECT spec FROM measures")]
        told = database.rows("SELECT value FROM info WHERE key = 'benchmark'")
        check_code([*specs, *(str(json.loads(value)) for (value,) in told)], folder)
    except StoreError:
        database.close()
        raise
    except ValueError as error:
        database.close()
        raise StoreError(f"The run in {folder} is damaged: {error}.") from error
    return database


def check_code(specs: Iterable[str], folder: Path, *, commands: bool = False) -> None:
    """StoreError if one of a run's specs would start code that nobody here has named."""
    said = os.environ.get(TRUST, "")
    trusted = bool(said) and Path(said).resolve() == folder.resolve()
    for spec in specs:
        if not (".py:" in spec or (commands and "command:" in spec)):
            continue
        if trusted:
            name_code(spec, folder)
        elif _entry(spec, folder) not in _here | _noted():
            raise StoreError(
                f"The run in {folder} would start code that was not named on this machine: {spec}",
                "A run that somebody else made can hold any program, and opening it would run it.",
                f"Look at what it does; if it may run, give the same command after"
                f" {TRUST}={folder}",
            )


def name_code(spec: str, folder: Path) -> None:
    """Note that this machine's user named that code, for that run."""
    if not (".py:" in spec or "command:" in spec):
        return
    entry = _entry(spec, folder)
    if entry in _here:
        return
    _here.add(entry)
    if entry in _noted():
        return
    try:
        state_folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(state_folder() / NOTED, _APPEND, 0o600), "ab") as file:
            file.write(f"{entry}  {spec!r}\n".encode("utf-8", "backslashreplace"))
    except OSError:
        return  # then it counts for as long as this process lives


def pass_on(specs: Iterable[str], origin: Path, folder: Path) -> None:
    """What was named here for one run counts for another, of which it has become a part."""
    known = _here | _noted()
    for spec in specs:
        if _entry(spec, origin) in known:
            name_code(spec, folder)


_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND


def _entry(spec: str, folder: Path) -> str:
    """What is noted: a command may mean another program elsewhere, so it is noted with its run."""
    place = "" if "command:" not in spec and os.path.isabs(_file(spec)) else str(folder.resolve())
    return hashlib.sha256(f"{place}\0{spec}".encode("utf-8", "backslashreplace")).hexdigest()


def _file(spec: str) -> str:
    """The path in `FILE.py:NAME` or `layout:FILE.py:NAME`."""
    path = spec.partition(".py:")[0]
    return path if os.path.isabs(path) else path.partition(":")[2]


def _noted() -> set[str]:
    """All that was noted, if nobody but the user could have written it."""
    file = state_folder() / NOTED
    try:
        seen = file.stat()
        foreign = hasattr(os, "geteuid") and seen.st_uid not in (os.geteuid(), 0)
        if foreign or (os.name == "posix" and seen.st_mode & 0o022):
            return set()
        return {line[:64] for line in file.read_text("utf-8", "replace").splitlines()}
    except OSError:
        return set()
