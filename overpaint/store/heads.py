"""What a run says of itself, and whether several runs are parts of one: the same protocol, names
that mean the same, the same weights."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overpaint.errors import StoreError
from overpaint.store import Store
from overpaint.store.claiming import CLAIM, check_free
from overpaint.store.record import LIBRARIES

APART = "Runs that are not alike stay apart: `overpaint compare` holds two against each other."
_ALIKE = (("card_id", "protocol"), ("revision", "revision of the data"), ("seed", "seed"))


@dataclass(frozen=True)
class Head:
    """A run without its rows."""

    folder: Path
    info: Mapping[str, Any]
    editors: Mapping[str, str]
    measures: Mapping[str, tuple[str, str]]  # spec, version
    retrying: bool  # a retry has taken rows up, and not come to its end


def head_of(folder: Path) -> Head:
    """What the run in that folder says of itself; it must have begun."""
    with Store.open(folder) as store:
        return head_in(store)


def head_in(store: Store) -> Head:
    """The same of a run that is open."""
    for name in ("card_id", "seed", "data", "revision", "created"):
        store.fact(name)
    return Head(store.folder, store.info, store.editors, store.made_by(), store.retrying())


def check_idle(head: Head) -> None:
    """A run that a command is still working on is not read: what it has yet to write would miss."""
    why = "What it has yet to write would be missing."
    check_free(head.info.get(CLAIM), head.folder, why)
    if head.retrying:
        raise StoreError(
            f"A retry of the run in {head.folder} was stopped in the middle.",
            "What it had taken up, and not yet made again, would be missing.",
            f"First: overpaint retry {shlex.quote(str(head.folder))}",
        )


def check_together(heads: Sequence[Head]) -> None:
    """Refuse runs that are not parts of one: each is held against those before it."""
    said: dict[tuple[str, str], tuple[str, Path]] = {}
    for head in heads:
        for what, name, value, todo in _told(head):
            before, where = said.setdefault((what, name), (value, head.folder))
            if before != value:
                raise StoreError(
                    f"{where} and {head.folder} have another {what}: {before} there, {value} here.",
                    "Scores of the two would not mean the same.",
                    todo,
                )


def mixed_versions(heads: Sequence[Head]) -> dict[str, list[str]]:
    """Library -> its versions, where the commands that made these runs had several.

    It is said, not refused: a run goes on after an upgrade, too, and what would mean something
    else has another version of its measure.
    """
    found: dict[str, set[str]] = {name: set() for name in LIBRARIES}
    for head in heads:
        for command in head.info.get("commands") or ():
            told = command.get("versions")
            for name in found.keys() & (told if isinstance(told, dict) else {}):
                found[name].add(str(told[name]))
    return {name: sorted(several) for name, several in found.items() if len(several) > 1}


def _told(head: Head) -> Iterable[tuple[str, str, str, str]]:
    """(what, name, value, what to do) for all that must be the same in every part of a run."""
    for key, what in _ALIKE:
        yield what, "", str(head.info.get(key)), APART
    for name, spec in head.editors.items():
        todo = f"Make one of them again under another name: --editor OTHERNAME={spec}"
        yield f"editor {name!r}", name, spec, todo
    for name, (spec, version) in head.measures.items():
        todo = "Score one of them again with the version of the other, in a folder of its own."
        yield f"measure {name!r}", name, f"{spec} (version {version})", todo
    for name, digest in (head.info.get("weights") or {}).items():
        todo = "`overpaint get` brings the same weights; score again where they are others."
        yield f"file of weights {name!r}", name, digest, todo
