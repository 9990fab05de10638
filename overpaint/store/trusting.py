"""Whose code a run may start, and whose servers it may ask: those its user named on this machine.

A run names measures, editors and benchmarks as they were given: `FILE.py:NAME` is imported,
`command:PROGRAM` is started, and an address is sent pictures and a key. In a run that somebody else
made, all that is somebody else's. So what a user names is noted, outside of any run, and a run that
names anything besides is not opened, or not gone on with, until its user says so.
"""

import hashlib
import json
import os
import shlex
from collections.abc import Iterable
from pathlib import Path

from overpaint.document.places import state_folder
from overpaint.errors import StoreError
from overpaint.store.schema import Database, connect

TRUST = "OVERPAINT_TRUST"
MARKS = (".py:", "command:", "://")
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
        specs = [*database.texts("SELECT name, spec FROM measures").values()]
        told = database.rows("SELECT value FROM info WHERE key = 'benchmark'")
        check_code([*specs, *(str(json.loads(value)) for (value,) in told)], folder)
    except StoreError:
        database.close()
        raise
    except ValueError as error:
        database.close()
        raise StoreError(f"The run in {folder} is damaged: {error}.") from error
    return database


def check_code(specs: Iterable[str], folder: Path, *, working: bool = False) -> None:
    """StoreError if one of a run's specs would start code that nobody here has named.

    Programs are started, and servers asked, only by whoever is `working` on the run.
    """
    said = os.environ.get(TRUST, "")
    trusted = bool(said) and Path(said).resolve() == folder.resolve()
    for spec in specs:
        if not any(mark in spec for mark in (MARKS if working else MARKS[:1])):
            continue
        if trusted:
            name_code(spec, folder)
        elif _entry(spec, folder) not in _here | _noted():
            raise StoreError(
                f"The run in {folder} names what was not named on this machine: {spec}",
                "A run that somebody else made can name any program, which would be started, and"
                " any server, which would be sent pictures and a key.",
                f"{_spoiled()}Look at what it is; if it may be, give the same command after"
                f" {TRUST}={shlex.quote(str(folder))}",
            )


def name_code(spec: str, folder: Path) -> None:
    """Note that this machine's user named that code or server, for that run."""
    if not any(mark in spec for mark in MARKS):
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
    place = (
        ""
        if not any(one in spec for one in MARKS[1:]) and os.path.isabs(_file(spec))
        else str(folder.resolve())
    )
    return hashlib.sha256(f"{place}\0{spec}".encode("utf-8", "backslashreplace")).hexdigest()


def _file(spec: str) -> str:
    """The path in `FILE.py:NAME` or `layout:FILE.py:NAME`."""
    path = spec.partition(".py:")[0]
    return path if os.path.isabs(path) else path.partition(":")[2]


def _noted() -> set[str]:
    """All that was noted, if nobody but the user could have written it."""
    file = state_folder() / NOTED
    try:
        if _open_to_others(file.stat()):
            return set()
        return {line[:64] for line in file.read_text("utf-8", "replace").splitlines()}
    except OSError:
        return set()


def _open_to_others(seen: os.stat_result) -> bool:
    foreign = hasattr(os, "geteuid") and seen.st_uid not in (os.geteuid(), 0)
    return foreign or (os.name == "posix" and bool(seen.st_mode & 0o022))


def _spoiled() -> str:
    """Why what was named here before does not count; nothing where it does."""
    file = state_folder() / NOTED
    try:
        if _open_to_others(file.stat()):
            return f"What was named before does not count: others can write {file}; delete it. "
    except OSError:
        pass
    return ""
