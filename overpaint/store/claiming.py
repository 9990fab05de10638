"""One command at a time makes a run: whoever works on it has claimed it."""

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from overpaint.errors import StoreError
from overpaint.store import Store

CLAIM = "claimed"
TAKE = "OVERPAINT_CLAIM"  # "take": what commands of other machines have claimed is free


@contextmanager
def claimed(store: Store) -> Iterator[None]:
    """Work on the run alone meanwhile; the claim of a process of this machine that died is void."""
    own = process_of(os.getpid())
    with store.alone():  # so that of two that come at once one is told
        if (other := store.info.get(CLAIM)) != own:
            check_free(other, store.folder, "Two would ask, and pay for, the same things.")
        store.note(**{CLAIM: own})
    try:
        yield
    finally:
        store.note(**{CLAIM: None})


def check_free(claim: Any, folder: Path, why: str) -> None:
    """StoreError where a command may be working on the run in that folder."""
    where = busy(claim)
    if where == "here":
        raise StoreError(
            f"Another command (process {claim['pid']}) is working on the run in {folder}.",
            why,
            "Wait for it, or end it, and give the command again.",
        )
    if where == "elsewhere":
        raise StoreError(
            f"The run in {folder} was claimed on {claim['host']!r}, another machine or container"
            f" (process {claim['pid']}).",
            f"Whether a command still works on it cannot be told from here. {why}",
            "Look there. Where it is gone (a pod that was killed, a job that was ended), give the"
            f" same command after {TAKE}=take",
        )


def busy(claim: Any) -> str:
    """Where the command that claimed a run may still be working on it.

    It is "here", "elsewhere", or "" where no command is, or the user has said so of other machines.
    """
    if lives(claim):
        return "here"
    told = claim if isinstance(claim, dict) else {}
    host, process = told.get("host"), told.get("pid")
    known = isinstance(host, str) and isinstance(process, int) and not _of_here(told)
    return "elsewhere" if known and os.environ.get(TAKE) != "take" else ""


def _of_here(claim: dict[str, Any]) -> bool:
    """Whether its process would be seen from here; older claims tell of no container."""
    return bool(claim["host"] == platform.node() and claim.get("space", _space()) == _space())


def _space() -> str:
    """What numbers of processes are unique in; two containers may have one host's name."""
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:  # not Linux
        return ""


def process_of(pid: int) -> dict[str, Any]:
    """What tells a process from another that had its number before.

    It is told how long after the machine was started the process was: the clock on the wall can
    be set, and then says another time of the same moment.
    """
    import psutil

    since = round(psutil.Process(pid).create_time() - psutil.boot_time(), 2)
    return {"pid": pid, "since": since, "host": platform.node(), "space": _space()}


def lives(claim: Any) -> bool:
    """Whether the process that claimed it is still there; of other machines nobody can say."""
    import psutil

    try:
        return bool(process_of(int(claim["pid"])) == {"space": _space()} | claim)
    except (psutil.Error, KeyError, TypeError, ValueError):
        return False
