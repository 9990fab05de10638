"""One command at a time makes a run: whoever works on it has claimed it."""

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from overpaint.errors import StoreError
from overpaint.store import Store

CLAIM = "claimed"


@contextmanager
def claimed(store: Store) -> Iterator[None]:
    """Work on the run alone meanwhile; the claim of a process that has died is void."""
    own = process_of(os.getpid())
    with store.alone():  # so that of two that come at once one is told
        if (other := store.info.get(CLAIM)) and other != own and lives(other):
            raise StoreError(
                f"Another command (process {other['pid']}) is working on the run in"
                f" {store.folder}.",
                "Two would ask, and pay for, the same things.",
                "Wait for it, or end it, and give the command again.",
            )
        store.note(**{CLAIM: own})
    try:
        yield
    finally:
        store.note(**{CLAIM: None})


def process_of(pid: int) -> dict[str, Any]:
    """What tells a process from another that had its number before.

    It is told how long after the machine was started the process was: the clock on the wall can
    be set, and then says another time of the same moment.
    """
    import psutil

    since = round(psutil.Process(pid).create_time() - psutil.boot_time(), 2)
    return {"pid": pid, "since": since, "host": platform.node()}


def lives(claim: Any) -> bool:
    """Whether the process that claimed it is still there; of other machines nobody can say."""
    import psutil

    try:
        return bool(claim["host"] == platform.node() and process_of(int(claim["pid"])) == claim)
    except (psutil.Error, KeyError, TypeError, ValueError):
        return False
