"""What the builders of sets share: work that can stop, and where a build stands with people."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from overpaint.errors import UserMistake
from overpaint.work import Outcome, Task, Threads


@dataclass(frozen=True)
class Problem:
    """A line or a file from outside that could not be taken, and where it is."""

    where: str
    wrong: str

    def __str__(self) -> str:
        return f"{self.where}: {self.wrong}"


@contextmanager
def going_on(out: Path) -> Iterator[None]:
    """Where the machine ends a build in this folder, that is told, and how it goes on."""
    try:
        yield
    except OSError as error:
        raise UserMistake(
            f"The build in {out} stopped: {error}.",
            "A folder that can be written and files that can be read were expected.",
            "What is done is kept: the same command goes on from here.",
        ) from error


def unspoilt(backend: Threads, tasks: Iterable[Task]) -> Iterator[Outcome]:
    """The outcomes; a mistake, or a cost limit, is raised when all that is in flight is in."""
    stopped: list[UserMistake] = []
    for outcome in backend.perform(takewhile(lambda _: not stopped, tasks)):
        if isinstance(outcome.error, UserMistake):
            stopped.append(outcome.error)
        else:
            yield outcome
    if stopped:
        raise stopped[0]


# ── people ──────────────────────────────────────────────────────────────────────────────


class Followed(Protocol):
    """How far something has come with people."""

    @property
    def stage(self) -> str:
        """What it waits for; done if for nothing."""

    @property
    def rejected(self) -> str:
        """Why it goes no further, if so."""


Fate = TypeVar("Fate", bound=Followed, covariant=True)


@dataclass(frozen=True)
class Standing(Generic[Fate]):
    """Where a build stands with its people."""

    fates: tuple[Fate, ...]
    tasks: tuple[Mapping[str, Any], ...]  # as in tasks.jsonl
    problems: tuple[Problem, ...]

    @property
    def wanted(self) -> dict[str, int]:
        """Answers still to be given, by kind of task."""
        left: dict[str, int] = {}
        for task in self.tasks:
            if task["open"]:
                more = task["wanted"] - task["answers"]
                left[task["kind"]] = left.get(task["kind"], 0) + more
        return left

    def at(self, stages: Sequence[str]) -> dict[str, dict[str, int]]:
        """How many wait at each stage, and how many were rejected there."""
        found = {}
        for stage in stages:
            there = [fate for fate in self.fates if fate.stage == stage]
            found[stage] = {"there": sum(not fate.rejected for fate in there),
                            "rejected": sum(bool(fate.rejected) for fate in there)}  # fmt: skip
        return found


def counts(values: Iterable[str]) -> dict[str, int]:
    """How often each value is there, the most frequent first."""
    return dict(Counter(values).most_common())
