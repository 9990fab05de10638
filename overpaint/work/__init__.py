"""The only concurrency: tasks done by supervised processes, by threads, in this one, or by Ray.

A task is a subject and the steps to take with it. Whoever does it, a step that goes wrong in any
way costs that step alone. What a run asks for is a `Backend`; which one is decided here.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from overpaint.work.joining import check_answers, check_place
from overpaint.work.processes import Processes, at_home, kill_tree
from overpaint.work.tasks import (
    Backend,
    Function,
    Here,
    Needs,
    Outcome,
    Progress,
    Task,
    Threads,
    silent,
)

__all__ = [
    "Backend", "Function", "Here", "Needs", "Outcome", "Place", "Processes", "Progress", "Task",
    "Threads", "at_home", "backend", "check_answers", "check_place", "kill_tree", "silent",
]  # fmt: skip


@dataclass(frozen=True)
class Place:
    """Where and how work is done; none of it changes a result."""

    on: str = ""  # "": this machine; "ray": the cluster found, or one made; ray://HOST:PORT
    workers: int | None = None  # None: one a core; 0: in this process, unsupervised
    deadline: float = 300.0  # seconds a step may take
    memory: float = 4.0  # gigabytes a worker may hold

    @property
    def cores(self) -> int:
        """How many things are done at once where it is this machine that works."""
        return self.workers or os.cpu_count() or 1


def backend(
    function: Function,
    place: Place,
    *,
    folder: Path,
    needs: Needs = Needs(),  # noqa: B008
    shown: Sequence[Path] = (),
    total: int | None = None,
) -> Backend:
    """Whoever does the work at that place; all of them must see the folder and what is shown.

    `total` is how many steps there are at most, where that is known.
    """
    if place.on:
        from overpaint.work.cluster import Cluster

        return Cluster(function, place, folder, needs, shown, total)
    if place.workers == 0:
        return Here(function)
    return Processes(function, place.cores, place.deadline, place.memory)
