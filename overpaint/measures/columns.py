"""A run's scores read once into arrays: one column for each editor and measure.

Rows and samples are streamed and not kept: what stays is seventeen bytes a score, and of a sample
its source and the slices it belongs to. Every table and comparison is cut from these. A stored run
is read by its numbers, without a thing in memory for each row.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from overpaint.core import IDENTICAL, OF_A_SET, Measure
from overpaint.store import Store, reading
from overpaint.store.samples import listed
from overpaint.store.schema import undamaged

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

# A score's state. MISSING: no picture, or not asked yet; FAILED: it was asked and has no value;
# OUTSIDE: the question does not arise; SAME: identical to the reference; SEEN: in a set that is
# scored as a whole.
MISSING, OK, OUTSIDE, SAME, FAILED, SEEN = range(6)
ALL = "all"  # the name of the slice that holds every sample
# The note by which a score tells what was looked with, and the hash of weights of the user's own:
# "by depth-anything-v2 1+85668a22250f", "by CLIP open_clip ViT-B-32 (sha256 85668a22250f)".
OWN_WEIGHTS = re.compile(r"by (\S+) (.*\b[0-9a-f]{12}\b.*)")


class SetRow(Protocol):
    """What a table reads of the score of a set of edits."""

    @property
    def editor(self) -> str: ...
    @property
    def measure(self) -> str: ...
    @property
    def tag(self) -> str: ...
    @property
    def part(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def value(self) -> float | None: ...
    @property
    def status(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def notes(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, eq=False)
class Column:
    """One editor under one measure: a state, a value and its weight for each sample."""

    states: NDArray[np.int8]
    values: Floats
    weights: Floats

    @classmethod
    def empty(cls, length: int) -> "Column":
        """A column in which everything is missing."""
        return cls(np.full(length, MISSING, np.int8), np.full(length, math.nan), np.ones(length))

    def at(self, places: Places) -> "Column":
        """The column over some of the samples."""
        return Column(self.states[places], self.values[places], self.weights[places])


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of a run, and what is needed of its samples."""

    sources: Places  # for each sample the number of its source
    slices: Mapping[str, Mapping[str, Places]]  # by tag ("": none) and value: which samples
    found: Mapping[tuple[str, str], Column]  # editor, measure
    ids: tuple[str, ...] = ()  # of the samples, by their places
    # Scores of sets by tag, value, editor and measure.
    sets: Mapping[tuple[str, str, str, str], SetRow] = field(default_factory=dict)
    # By measure: what is to be said where its scores were made with different weights.
    mixed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.sources)

    def editors(self) -> list[str]:
        """The editors that have rows, in the order in which rows name them."""
        return list(dict.fromkeys(editor for editor, _ in self.found))

    def of(self, editor: str, measure: str) -> Column:
        """That editor's column; one without rows is missing throughout."""
        column = self.found.get((editor, measure))
        return Column.empty(len(self)) if column is None else column

    def scored(self, editor: str, measure: str) -> int:
        """How many of that editor's edits have a value, or are in a set that has one."""
        whole = self.sets.get(("", ALL, editor, measure))
        if whole is not None:
            return 0 if whole.value is None else whole.size
        return int((self.of(editor, measure).states == OK).sum())


def of_sets(measures: Iterable[Measure]) -> list[str]:
    """The names of those that are numbers of sets."""
    return [measure.name for measure in measures if measure.scope == "set"]


def stored_columns(
    measures: Sequence[Measure],
    stores: Sequence[Store],
    *,
    tags: Iterable[str] = (),
    sets: Iterable[SetRow] = (),
    renamed: Sequence[Mapping[str, str]] = (),
) -> Columns:
    """The columns of whole runs, in numbers from the table to the array; nothing is kept twice.

    Of a sample that two runs have, what the later one says of it holds. `renamed` gives the
    names under which each run's editors are told apart.
    """
    shelf, made = _Samples(measures, tags), _Made()
    numbers = [
        {head.number: shelf.add(head.id, head.cluster, head.tags) for head in reading.heads(store)}
        for store in stores
    ]
    found: dict[tuple[str, str], Column] = {}
    wanted = {measure.name for measure in measures}
    for place, store in enumerate(stores):
        names = renamed[place] if renamed else {}
        with undamaged(store.folder):
            keys = {
                key: (names.get(editor, editor), measure)
                for key, (editor, measure) in reading.key_names(store).items()
                if measure in wanted
            }
            filler = _Filler(keys, numbers[place], len(shelf), found, made)
            for scores in reading.scores(store):
                filler.add(scores)
    return shelf.columns(found, sets, made)


class _Samples:
    """The samples of a run by their places: of each its source and its slices."""

    def __init__(self, measures: Sequence[Measure], tags: Iterable[str]) -> None:
        self.place: dict[str, int] = {}
        self._sources: list[str] = []
        self._tags: dict[str, list[str]] = {
            tag: [] for tag in (*tags, *(measure.over for measure in measures if measure.over))
        }

    def __len__(self) -> int:
        return len(self._sources)

    def add(self, name: str, cluster: str, tags: Mapping[str, str]) -> int:
        """Take down a sample, or what is said of it now; gives its place."""
        at = self.place.setdefault(name, len(self._sources))
        if at == len(self._sources):
            self._sources.append(cluster)
            for found in self._tags.values():
                found.append("")
        self._sources[at] = cluster
        for tag, found in self._tags.items():
            found[at] = tags.get(tag, "") or f"no {tag}"
        return at

    def columns(
        self,
        found: Mapping[tuple[str, str], Column],
        sets: Iterable[SetRow],
        made: "_Made",
    ) -> Columns:
        """Everything together."""
        by_tag = {tag: _parted(values) for tag, values in self._tags.items()}
        everything = {"": {ALL: np.arange(len(self._sources))}}
        whole = {(row.tag, row.part, row.editor, row.measure): row for row in sets}
        for row in whole.values():
            made.add(row.measure, row.notes)
        sources, ids = numbered(self._sources), tuple(self.place)
        return Columns(sources, everything | by_tag, found, ids, whole, made.mixed())


def _parted(values: Sequence[str]) -> dict[str, Places]:
    """The places of each value, in the order in which they first come."""
    parts: dict[str, list[int]] = {}
    for at, value in enumerate(values):
        parts.setdefault(value, []).append(at)
    return {value: np.array(places, np.intp) for value, places in parts.items()}


def state(status: str, reason: str) -> int:
    """What a table makes of a row: scored, missing, outside the count, or identical."""
    if status == "ok":
        return OK
    if status != "not_applicable":
        return MISSING if status == "no_edit" else FAILED
    return {IDENTICAL: SAME, OF_A_SET: SEEN}.get(reason, OUTSIDE)


def _told_state(told: str) -> int:
    status, _, reason = told.partition("\n")
    return state(status, reason)


def numbered(sources: Sequence[str]) -> Places:
    """A number for each source; a sample that names none is a source of its own."""
    known: dict[str | int, int] = {}
    found = [known.setdefault(name or at, len(known)) for at, name in enumerate(sources)]
    return np.array(found, np.intp)


class _Made:
    """Which weights of the user's own the scores of each measure were made with."""

    def __init__(self) -> None:
        self._with: dict[str, dict[str, set[str]]] = {}

    def add(self, measure: str, notes: Iterable[str]) -> None:
        """Take down what a score says of it."""
        for found in filter(None, map(OWN_WEIGHTS.fullmatch, notes)):
            who, which = found.groups()
            self._with.setdefault(measure, {}).setdefault(who, set()).add(which)

    def mixed(self) -> dict[str, tuple[str, ...]]:
        """A sentence on every measure's scores that do not compare with each other."""
        told = {
            measure: tuple(
                f"its scores were made with different weights of {who} and do not compare:"
                f" {', '.join(sorted(which))}"
                for who, which in sorted(known.items())
                if len(which) > 1
            )
            for measure, known in self._with.items()
        }
        return {measure: sentences for measure, sentences in told.items() if sentences}


class _Filler:
    """Puts rows of a store into columns, some thousands at a time."""

    def __init__(
        self,
        keys: Mapping[int, tuple[str, str]],
        places: Mapping[int, int],
        length: int,
        columns: dict[tuple[str, str], Column],
        made: _Made,
    ) -> None:
        self._keys, self._length = keys, length
        self._columns, self._made = columns, made
        # Numbers may lie far apart. Beyond the last is no place, so that each has one behind it.
        self._numbers = np.array([*sorted(places), np.iinfo(np.int64).max], np.int64)
        self._at = np.array([*(places[number] for number in sorted(places)), -1], np.intp)
        self._state = lru_cache(maxsize=4096)(_told_state)  # most rows say the same few things

    def add(self, scores: reading.Scores) -> None:
        """Each row to its column and place."""
        keys, places = np.array(scores.keys), self._places(np.array(scores.samples, np.int64))
        values, weights = np.array(scores.values, np.float64), np.array(scores.weights, np.float64)
        states = np.full(len(keys), OK, np.int8)
        for at, told in enumerate(scores.told):
            if told is not None:
                states[at] = self._state(told)
        order = np.argsort(keys, kind="stable")
        parts = np.split(order, np.flatnonzero(np.diff(keys[order])) + 1)
        for rows in sorted(parts, key=lambda rows: int(rows[0])):  # as the rows name them
            if (name := self._keys.get(int(keys[rows[0]]))) is not None:
                rows = rows[places[rows] >= 0]  # not those of samples that have come meanwhile
                self._put(name, places[rows], states[rows], values[rows], weights[rows])
        for at, notes in enumerate(scores.notes):
            if notes is not None and states[at] == OK and (key := scores.keys[at]) in self._keys:
                self._made.add(self._keys[key][1], map(str, listed(notes)))

    def _places(self, samples: NDArray[np.int64]) -> Places:
        """Where each sample stands; −1 where it is not known."""
        at = np.searchsorted(self._numbers[:-1], samples)
        found: Places = np.where(self._numbers[at] == samples, self._at[at], -1)
        return found

    def _put(
        self,
        name: tuple[str, str],
        places: Places,
        states: NDArray[np.int8],
        values: Floats,
        weights: Floats,
    ) -> None:
        column = self._columns.get(name)
        if column is None:
            column = self._columns[name] = Column.empty(self._length)
        known = np.isfinite(values)
        column.states[places] = states
        column.values[places] = values
        column.weights[places[known]] = weights[known]
