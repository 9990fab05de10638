"""A run's scores as tables: one summary for each editor, measure and slice of the samples."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, Literal

import numpy as np

from overpaint import catalog
from overpaint.core import IDENTICAL, Measure
from overpaint.measures.aggregate import Summary, summaries
from overpaint.measures.columns import ALL as EVERYTHING
from overpaint.measures.columns import Columns, of_sets, stored_columns
from overpaint.measures.gap import Gap, ends_of, gaps
from overpaint.measures.milde_layers import Counts, floors_of
from overpaint.report.numbers import decimals_for
from overpaint.stats.bootstrap import Floats
from overpaint.store import Store
from overpaint.store.schema import undamaged
from overpaint.store.sets import failed_sets

Role = Literal["editor", "ceiling", "floor"]
ROLES: tuple[Role, ...] = ("editor", "ceiling", "floor")  # the order of a table's lines

# A sample with no row is still a question of the benchmark and stays in the denominator.
NOT_RUN = "not_run"
_NOT_LACKING = ("ok", IDENTICAL, "not_applicable")


@dataclass(frozen=True)
class Entry:
    """An editor as a line of a table; floors and ceilings are there to read the others by."""

    name: str
    role: Role


@dataclass(frozen=True)
class Slice:
    """All samples (no tag), or those that carry one value of a tag."""

    tag: str = ""
    value: str = ""


ALL = Slice()


@dataclass(frozen=True)
class Causes:
    """How many of a cell's rows have each status, and the commonest reason for a missing one.

    A PSNR that does not exist because the pictures are identical has a status of its own here.
    """

    statuses: Mapping[str, int]
    reason: str

    @property
    def lacking(self) -> dict[str, int]:
        """The statuses of rows that count and have no value, the commonest first."""
        return {name: n for name, n in self.statuses.items() if name not in _NOT_LACKING}

    @property
    def missing(self) -> str:
        """The commonest status of a row that counts and has no value, or nothing."""
        return next(iter(self.lacking), "")


def told_status(status: str, reason: str) -> str:
    """The status, with identical pictures told from questions that did not arise."""
    return IDENTICAL if (status, reason) == ("not_applicable", IDENTICAL) else status


@dataclass(frozen=True)
class Failure:
    """Rows without a value for the same reason."""

    editor: str
    measure: str  # or "edit", where the editor itself made nothing
    status: str
    reason: str
    count: int

    @property
    def told(self) -> str:
        """The status as the report tells it."""
        return told_status(self.status, self.reason)


@dataclass(frozen=True)
class Tables:
    """Everything a report says in numbers."""

    info: Mapping[str, Any]
    samples: int
    measures: tuple[Measure, ...]
    entries: tuple[Entry, ...]  # editors, then ceilings, then floors
    columns: Columns = field(repr=False)
    failures: tuple[Failure, ...]
    ends: tuple[str | None, str | None] = (None, None)  # what `identity` and `truth` are called
    # What deciding about layers without a look at them gets, where layers were decided on.
    floors: Mapping[str, Counts] = field(default_factory=dict)

    @cached_property
    def slices(self) -> Mapping[Slice, int]:
        """The number of samples in each slice: all, then by each tag the commonest value first."""
        slices = {ALL: self.samples}
        for tag, parts in self.columns.slices.items():
            if tag:
                by_size = sorted(parts, key=lambda part: (-len(parts[part]), part))
                slices |= {Slice(tag, part): len(parts[part]) for part in by_size}
        return slices

    @cached_property
    def _summaries(self) -> dict[str, dict[tuple[str, str, str], Summary]]:
        """What has been summarised so far, by tag: a terminal's table asks for no breakdowns."""
        return {}

    @property
    def mixed(self) -> list[str]:
        """What is to be said of measures whose scores were made with different weights."""
        return [f"{name}: {told}." for name, notes in self.columns.mixed.items() for told in notes]

    @cached_property
    def decimals(self) -> Mapping[str, int]:
        """How many decimals each measure's numbers are written with."""
        return {
            measure.name: decimals_for(
                value
                for entry in self.entries
                if (value := self.at(entry, measure).value) is not None
            )
            for measure in self.measures
        }

    def at(self, entry: Entry, measure: Measure, part: Slice = ALL) -> Summary:
        """What that editor scored with that measure."""
        found = self._summaries.get(part.tag)
        if found is None:
            names, seed = [entry.name for entry in self.entries], self.info.get("seed", 0)
            found = summaries(self.columns, self.measures, names, tag=part.tag, seed=seed)
            self._summaries[part.tag] = found
        return found[part.value or EVERYTHING, entry.name, measure.name]

    @property
    def between(self) -> tuple[Entry, ...]:
        """The entries that may have gone some of the way from the source to the truth."""
        return tuple(entry for entry in self.entries if entry.role == "editor")

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """How much of the way from source to truth each went, by measure, local ones first."""
        source, truth = self.ends
        if source is None or truth is None:
            return ()
        names, seed = [entry.name for entry in self.between], self.info.get("seed", 0)
        found = gaps(self.columns, self.measures, names, ends=(source, truth), seed=seed)
        return tuple(found)

    def scores(self, entry: Entry, measure: Measure) -> Floats:
        """Every value that editor has under that measure."""
        values = self.columns.of(entry.name, measure.name).values
        return values[np.isfinite(values)]

    def denominator(self, entry: Entry) -> int:
        """How many samples the editor answers for; fewer than all where none could be asked."""
        return max((self.at(entry, measure).n for measure in self.measures), default=0)

    def why(self, entry: Entry, measure: Measure) -> Causes:
        """What became of that editor's rows under that measure."""
        return self._causes[entry.name, measure.name]

    @cached_property
    def _causes(self) -> dict[tuple[str, str], Causes]:
        found: defaultdict[tuple[str, str], list[Failure]] = defaultdict(list)
        for failure in self.failures:
            found[failure.editor, failure.measure].append(failure)
        return {
            key: _cause(found[key], self.columns.scored(*key), self.samples)
            for key in product((e.name for e in self.entries), (m.name for m in self.measures))
        }

    def tags(self) -> dict[str, list[Slice]]:
        """The slices by tag."""
        tags: dict[str, list[Slice]] = {}
        for part in self.slices:
            if part.tag:
                tags.setdefault(part.tag, []).append(part)
        return tags

    def best(self, measure: Measure, part: Slice = ALL) -> frozenset[str]:
        """The editors that no other could exceed, whatever the missing scores are.

        Floors and ceilings do not compete.
        """
        found = {entry.name: self.at(entry, measure, part) for entry in self._editors}
        reaches = {name: reach(summary) for name, summary in found.items() if summary.n}
        if len(reaches) < 2:
            return frozenset()
        return frozenset(
            name
            for name, (least, _) in reaches.items()
            if all(least >= most for other, (_, most) in reaches.items() if other != name)
        )

    def leading(self, measure: Measure) -> frozenset[str]:
        """The editors that no other exceeds on what was scored, though what is missing could."""
        sign = 1 if measure.higher_is_better else -1
        found = {e.name: self.at(e, measure).value for e in self._editors}
        values = {name: sign * value for name, value in found.items() if value is not None}
        top = {name for name, value in values.items() if value == max(values.values())}
        return frozenset(top) - self.best(measure) if len(self._editors) > 1 else frozenset()

    @property
    def _editors(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.role == "editor"]

    def ranked(self, measure: Measure) -> tuple[Entry, ...]:
        """Editors, then ceilings, then floors, each from best to worst by that measure.

        What is missing is taken as worst, so that nobody rises by answering less; between
        equals the value decides.
        """
        sign = -1 if measure.higher_is_better else 1

        def place(entry: Entry) -> tuple[int, bool, float, float]:
            summary = self.at(entry, measure)
            least = reach(summary)[0]
            return (
                ROLES.index(entry.role), not summary.scored, -least, sign * (summary.value or 0.0)
            )  # fmt: skip

        return tuple(sorted(self.entries, key=place))

    @property
    def whole(self) -> bool:
        """Whether every score that could be asked for is there."""
        found = [self.at(entry, m) for entry in self.entries for m in self.measures]
        return all(summary.scored == summary.n for summary in found)


def reach(summary: Summary) -> tuple[float, float]:
    """How good the mean over all samples is at least and at most; more is always better.

    Infinite on a side without bound, and for a PSNR of pictures that are all identical.
    """
    sign = 1 if summary.higher_is_better else -1
    if summary.n and summary.scored == summary.n:
        value = math.inf if summary.value is None else sign * summary.value
        return value, value
    least = -math.inf if summary.if_worst is None else sign * summary.if_worst
    return least, math.inf if summary.if_best is None else sign * summary.if_best


def read_tables(store: Store) -> Tables:
    """The tables of a run as it stands now; rows are read once, breakdowns made when asked for."""
    with undamaged(store.folder):
        info = store.info
        measures = tuple(map(catalog.measure, store.measures.values()))
        tags = info.get("breakdowns", ())
        sets = store.sets(of_sets(measures))
        columns = stored_columns(measures, [store], tags=tags, sets=sets)
        failures = tuple(Failure(*r) for r in sorted([*store.failures(), *failed_sets(sets)]))
        editors = store.editors
        return Tables(
            info, len(columns), measures, _entries(editors, store.floors), columns, failures,
            ends_of(editors), _floors(measures, store),
        )  # fmt: skip


def _floors(measures: Iterable[Measure], store: Store) -> dict[str, Counts]:
    if not any(measure.name.startswith("layer_") for measure in measures):
        return {}
    told = [one for one in store.samples() if one.facts.get("layers") and "gold" in one.facts]
    return floors_of(told) if told else {}


def _entries(editors: Mapping[str, str], own: Collection[str]) -> tuple[Entry, ...]:
    found = [Entry(name, _role(spec, own)) for name, spec in editors.items()]
    return tuple(sorted(found, key=lambda entry: ROLES.index(entry.role)))


def _role(spec: str, own: Collection[str]) -> Role:
    if spec in (*catalog.FLOORS, *own):
        return "floor"
    return "ceiling" if spec in catalog.CEILINGS else "editor"


def _cause(failures: Iterable[Failure], scored: int, samples: int) -> Causes:
    statuses, reasons = Counter({"ok": scored}), Counter[str]()
    outside = Counter[str]()
    for failure in failures:
        statuses[failure.told] += failure.count
        kind = outside if failure.status == "not_applicable" else reasons
        kind[failure.reason] += failure.count
    if lacking := samples - statuses.total():
        statuses[NOT_RUN] += lacking
        reasons["Not scored yet."] += lacking
    # A row outside the count explains a cell only where there is nothing else in it.
    reason = (reasons or outside).most_common(1)
    return Causes(dict((+statuses).most_common()), reason[0][0] if reason else "")
