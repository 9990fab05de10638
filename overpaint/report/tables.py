"""A run's scores as tables: one summary for each editor, measure and slice of the samples."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from overpaint import catalog
from overpaint.core import Measure, Sample
from overpaint.measures.aggregate import Summary, summarize, tabulate
from overpaint.report.numbers import decimals_for
from overpaint.store import Row, Store

Role = Literal["editor", "ceiling", "floor"]
ROLES: tuple[Role, ...] = ("editor", "ceiling", "floor")  # the order of a table's lines

# A sample with no row is still a question of the benchmark and stays in the denominator.
NOT_RUN = "not_run"


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
    """How many of a cell's rows have each status, and the commonest reason for a missing one."""

    statuses: Mapping[str, int]
    reason: str

    @property
    def missing(self) -> str:
        """The commonest status of a row without a value, or nothing."""
        lacking = {status: n for status, n in self.statuses.items() if status != "ok"}
        return max(lacking, key=lambda status: lacking[status]) if lacking else ""


@dataclass(frozen=True)
class Failure:
    """Rows without a value for the same reason."""

    editor: str
    measure: str  # or "edit", where the editor itself made nothing
    status: str
    reason: str
    count: int


@dataclass(frozen=True)
class Tables:
    """Everything a report says in numbers."""

    info: Mapping[str, Any]
    samples: int
    measures: tuple[Measure, ...]
    entries: tuple[Entry, ...]  # editors, then ceilings, then floors
    slices: Mapping[Slice, int]  # with the number of samples in each; ALL comes first
    summaries: Mapping[tuple[Slice, str, str], Summary]  # slice, editor, measure
    causes: Mapping[tuple[str, str], Causes]  # editor, measure
    values: Mapping[tuple[str, str], tuple[float, ...]]  # editor, measure: every score
    failures: tuple[Failure, ...]

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
        return self.summaries[part, entry.name, measure.name]

    def denominator(self, entry: Entry) -> int:
        """How many samples the editor answers for; fewer than all where none could be asked."""
        return max((self.at(entry, measure).n for measure in self.measures), default=0)

    def why(self, entry: Entry, measure: Measure) -> Causes:
        """What became of that editor's rows under that measure."""
        return self.causes[entry.name, measure.name]

    def tags(self) -> dict[str, list[Slice]]:
        """The slices by tag."""
        tags: dict[str, list[Slice]] = {}
        for part in self.slices:
            if part.tag:
                tags.setdefault(part.tag, []).append(part)
        return tags

    def best(self, measure: Measure, part: Slice = ALL) -> frozenset[str]:
        """The editors whose value no other exceeds; floors and ceilings do not compete."""
        found = {
            entry.name: value
            for entry in self.entries
            if entry.role == "editor" and (value := self.at(entry, measure, part).value) is not None
        }
        if len(found) < 2:
            return frozenset()
        top = (max if measure.higher_is_better else min)(found.values())
        return frozenset(name for name, value in found.items() if value == top)

    def ranked(self, measure: Measure) -> tuple[Entry, ...]:
        """Editors, then ceilings, then floors, each from best to worst by that measure."""
        sign = -1 if measure.higher_is_better else 1

        def place(entry: Entry) -> tuple[int, bool, float]:
            value = self.at(entry, measure).value
            return ROLES.index(entry.role), value is None, sign * (value or 0.0)

        return tuple(sorted(self.entries, key=place))


def read_tables(store: Store) -> Tables:
    """The tables of a run as it stands now."""
    info = store.info
    samples, rows = tuple(store.samples()), tuple(store.rows())
    measures = tuple(map(catalog.measure, store.measures.values()))
    entries = _entries(store.editors)
    slices = _slices(samples, info.get("breakdowns", ()))
    made = {
        (part, row.editor, name): summary
        for tag in dict.fromkeys(part.tag for part in slices)
        for row in tabulate(measures, rows, samples, by=tag or None, seed=info.get("seed", 0))
        for part in [Slice(tag, row.slice) if tag else ALL]
        for name, summary in row.cells.items()
    }
    return Tables(
        info, len(samples), measures, entries, slices,
        _completed(made, entries, measures, slices), _causes(rows, entries, measures, samples),
        _values(rows), tuple(Failure(*row) for row in sorted(store.failures())),
    )  # fmt: skip


def _entries(editors: Mapping[str, str]) -> tuple[Entry, ...]:
    found = [Entry(name, _role(spec)) for name, spec in editors.items()]
    return tuple(sorted(found, key=lambda entry: ROLES.index(entry.role)))


def _role(spec: str) -> Role:
    if spec in catalog.FLOORS:
        return "floor"
    return "ceiling" if spec in catalog.CEILINGS else "editor"


def _slices(samples: Sequence[Sample], tags: Iterable[str]) -> dict[Slice, int]:
    """All samples, then by each tag its values, the commonest first."""
    slices = {ALL: len(samples)}
    for tag in tags:
        values = Counter(sample.tags.get(tag, "") or f"no {tag}" for sample in samples)
        slices |= {Slice(tag, v): values[v] for v in sorted(values, key=lambda v: (-values[v], v))}
    return slices


def _completed(
    made: dict[tuple[Slice, str, str], Summary],
    entries: Sequence[Entry],
    measures: Sequence[Measure],
    slices: Mapping[Slice, int],
) -> dict[tuple[Slice, str, str], Summary]:
    """The summaries, with those of editors that have no row at all yet."""
    for part, n in slices.items():
        for entry in entries:
            for measure in measures:
                if (part, entry.name, measure.name) not in made:
                    nothing = [(str(place), None, NOT_RUN, "") for place in range(n)]
                    made[part, entry.name, measure.name] = summarize(measure, nothing)
    return made


def _causes(
    rows: Iterable[Row],
    entries: Sequence[Entry],
    measures: Sequence[Measure],
    samples: Sequence[Sample],
) -> dict[tuple[str, str], Causes]:
    statuses: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    reasons: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in rows:
        statuses[row.editor, row.measure][row.status] += 1
        if row.value is None:
            reasons[row.editor, row.measure][row.reason] += 1
    causes = {}
    for key in [(entry.name, measure.name) for entry in entries for measure in measures]:
        if lacking := len(samples) - statuses[key].total():
            statuses[key][NOT_RUN] += lacking
            reasons[key]["Not scored yet."] += lacking
        reason = reasons[key].most_common(1)
        causes[key] = Causes(dict(statuses[key].most_common()), reason[0][0] if reason else "")
    return causes


def _values(rows: Iterable[Row]) -> dict[tuple[str, str], tuple[float, ...]]:
    values: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for row in rows:
        if row.value is not None:
            values[row.editor, row.measure].append(row.value)
    return {key: tuple(found) for key, found in values.items()}
