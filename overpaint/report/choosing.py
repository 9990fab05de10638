"""Which samples a gallery shows that cannot show all: the worst, the most disputed, some at random.

*Worst*: the mean standing of the competing editors under the leading measure, the first that has
scores of single edits. An editor's standing on a sample is the share of its own samples on which
it did worse, so that no editor's level and no scale counts; an edit that was asked for and not
made stands last. An edit that the measure has not scored for another reason counts as middling, so
that a sample on which only one editor has a score is no extreme for that.

*Disputed*: how far those who judge lie apart, at most on one of the competing editors' edits: the
raters behind a column of people, in shares of the scale they used; columns of judges or people
of one dimension, in their standings of that edit. After all those come the samples of which no two
judged, by how far the editors lie apart under the leading measure, in standings among all their
edits; the scales say different things, so none is held against another.

*Random*: those whose id and the run's seed have the smallest hashes. Ties are broken by ids, so
that the order of the samples changes nothing.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Measure
from overpaint.measures.columns import OK, SAME
from overpaint.measures.opinions import opinions
from overpaint.report.tables import Entry, Tables
from overpaint.stats.bootstrap import Floats
from overpaint.store import Row, Store, reading

WORST, DISPUTED, RANDOM = "worst", "disputed", "random"
_NUMBER = r"(-?\d{1,18}(?:\.\d{1,18})?(?:e[+-]\d\d)?)"
_RATERS = re.compile(rf"\d+ raters, from {_NUMBER} to {_NUMBER}", re.ASCII)  # as `human` notes it
_BY = ("the editors", "the judges", "the raters")  # who lies apart

Places = NDArray[np.intp]


@dataclass(frozen=True)
class Choice:
    """The samples of a gallery, in the benchmark's order, and why each is there."""

    ids: tuple[str, ...]
    why: tuple[Mapping[str, int], ...] = ()  # of each: kind -> place among its kind, from 1
    by: tuple[str, ...] = ()  # of each: who lies apart on it, where it is disputed
    told: Mapping[str, str] = field(default_factory=dict)  # kind -> how it was chosen


@dataclass(frozen=True, eq=False)
class Standings:
    """How badly every sample went, and how much it is disputed."""

    tables: Tables
    lost: Mapping[str, Places]  # by editor: the samples whose edit was not made
    told_apart: Mapping[str, float]  # by sample: how far raters of one edit lie apart
    judges: tuple[tuple[str, ...], ...]  # columns of judges and people who say the same thing

    @property
    def editors(self) -> list[Entry]:
        """Those that compete."""
        return _competing(self.tables)

    @cached_property
    def ranks(self) -> Places:
        """Where each sample's id stands among all, by their places."""
        ids = self.tables.columns.ids
        found = np.empty(len(ids), np.intp)
        found[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
        return found

    @cached_property
    def leading(self) -> Measure | None:
        """The first measure that has scored an edit of a competing editor."""
        return next((m for m in self.tables.measures if self._scores_edits(m)), None)

    def _scores_edits(self, measure: Measure) -> bool:
        found = [self.tables.columns.of(entry.name, measure.name) for entry in self.editors]
        return any(bool((column.states == OK).any()) for column in found)

    def worst(self, editor: str = "", measure: Measure | None = None) -> Places:
        """All samples that can be compared, the worst first; of one editor where it is named."""
        measure = measure or self.leading
        if measure is None:
            return np.zeros(0, np.intp)
        names = [editor] if editor else [entry.name for entry in self.editors]
        found = np.stack([standing(self._goodness(name, measure)) for name in names])
        return self._ordered(_mean(found))

    def _goodness(self, editor: str, measure: Measure) -> Floats:
        """The values, more being better: −inf for an edit that was not made, NaN for no score."""
        column = self.tables.columns.of(editor, measure.name)
        values = column.values if measure.higher_is_better else -column.values
        values = np.where(column.states == OK, values, np.nan)
        values[column.states == SAME] = np.inf
        values[self.lost.get(editor, np.zeros(0, np.intp))] = -np.inf
        return values

    def disputed(self) -> Places:
        """All samples on which anybody can lie apart, the most disputed first.

        Those on which people or judges do come before those of which only the editors are known.
        """
        judged = np.fmax.reduce(self._apart[1:]) > 0
        return self._ordered(-np.fmax.reduce(self._apart), ~judged)

    def by(self, place: int) -> str:
        """Who lies apart on that sample."""
        return _BY[int(np.nanargmax(self._apart[:, place]))]

    @cached_property
    def _apart(self) -> Floats:
        """How far editors, judges and raters lie apart, (3, samples); NaN where none judged."""
        raters = np.array([self.told_apart.get(one, np.nan) for one in self.tables.columns.ids])
        judges = self._judges_apart()
        editors = self._editors_apart()
        editors[np.isfinite(raters) | np.isfinite(judges)] = np.nan
        return np.stack([editors, judges, raters])

    def _editors_apart(self) -> Floats:
        columns = self.tables.columns
        if self.leading is None or len(self.editors) < 2:
            return np.full(len(columns), np.nan)
        found = [self._goodness(entry.name, self.leading) for entry in self.editors]
        made = np.where(np.isneginf(found), np.nan, found)
        return _range(standing(made.ravel()).reshape(made.shape))

    def _judges_apart(self) -> Floats:
        columns = self.tables.columns
        most = np.full(len(columns), np.nan)
        for entry, names in product(self.editors, self.judges):
            found = [columns.of(entry.name, name) for name in names]
            turned = [
                one.values if self._up(name) else -one.values
                for name, one in zip(names, found, strict=True)
            ]
            most = np.fmax(most, _range(np.stack([standing(values) for values in turned])))
        return most

    def _up(self, name: str) -> bool:
        return all(m.higher_is_better for m in self.tables.measures if m.name == name)

    def random(self) -> Places:
        """All samples, in an order that the run's seed decides."""
        seed = self.tables.info.get("seed", 0)
        hashes = [_hash(f"{seed}/{one}") for one in self.tables.columns.ids]
        return np.lexsort((self.ranks, np.array(hashes, np.uint64)))

    def _ordered(self, keys: Floats, after: NDArray[np.bool_] | None = None) -> Places:
        """The places whose key is a number, the smallest first; some after all others."""
        order = np.lexsort((self.ranks, keys, np.zeros(len(keys)) if after is None else after))
        found: Places = order[np.isfinite(keys[order])]
        return found


def read_standings(store: Store, tables: Tables) -> Standings:
    """What is needed of a run beside its tables."""
    place = {name: at for at, name in enumerate(tables.columns.ids)}
    lost: dict[str, list[int]] = {}
    for sample, editor, status in reading.unmade(store):
        if status != "not_applicable" and sample in place:
            lost.setdefault(editor, []).append(place[sample])
    found = {name: one for name, one in opinions(store.measures).items() if not one.is_total}
    by_dimension: dict[str, list[str]] = {}
    for name, one in found.items():
        by_dimension.setdefault(one.dimension, []).append(name)
    people = [name for name, one in found.items() if one.kind == "people"]
    rows = reading.rows_of_measures(store, people, scored=True) if people else ()
    competing = {entry.name for entry in _competing(tables)}
    return Standings(
        tables, {name: np.array(places, np.intp) for name, places in lost.items()},
        _raters_apart(row for row in rows if row.editor in competing),
        tuple(tuple(names) for names in by_dimension.values() if len(names) > 1),
    )  # fmt: skip


def _competing(tables: Tables) -> list[Entry]:
    """The editors; floors and ceilings count only where there is none."""
    return [entry for entry in tables.entries if entry.role == "editor"] or [*tables.entries]


def _raters_apart(rows: Iterable[Row]) -> dict[str, float]:
    """By sample: how far the raters of one of its edits lie apart, of the scale that they used."""
    ends: dict[str, list[tuple[str, float, float]]] = {}
    for row in rows:
        for match in filter(None, map(_RATERS.fullmatch, row.notes)):
            low, high = map(float, match.groups())
            ends.setdefault(row.measure, []).append((row.sample, low, high))
    apart: dict[str, float] = {}
    for told in ends.values():
        whole = max(high for _, _, high in told) - min(low for _, low, _ in told)
        for sample, low, high in told if whole else ():
            apart[sample] = max(apart.get(sample, 0.0), (high - low) / whole)
    return apart


def choose(standings: Standings, each: int) -> Choice:
    """So many samples of each kind; one that is of several kinds is there once."""
    found = {WORST: standings.worst(), DISPUTED: standings.disputed(), RANDOM: standings.random()}
    why: dict[int, dict[str, int]] = {}
    for kind, places in found.items():
        for rank, place in enumerate(places[:each].tolist(), 1):
            why.setdefault(place, {})[kind] = rank
    ids, chosen = standings.tables.columns.ids, sorted(why)
    return Choice(
        tuple(ids[place] for place in chosen), tuple(why[place] for place in chosen),
        tuple(standings.by(place) if DISPUTED in why[place] else "" for place in chosen),
        _told(standings, found, each),
    )  # fmt: skip


def _told(standings: Standings, found: Mapping[str, Places], each: int) -> dict[str, str]:
    name = standings.leading.name if standings.leading else ""
    editors = "the editors' mean standing" if len(standings.editors) > 1 else "the standing"
    told = {
        WORST: f"worst by {editors} under {name}",
        DISPUTED: "on which those who judge, or else the editors, lie farthest apart",
        RANDOM: "at random",
    }
    counts = {kind: min(each, len(places)) for kind, places in found.items()}
    return {kind: f"{n:,} {told[kind]}" for kind, n in counts.items() if n}


# ── standings ───────────────────────────────────────────────────────────────────────────────


def standing(values: Floats) -> Floats:
    """The share of the known values that lie below each, equals counted half; NaN stays."""
    found = np.full(values.shape, np.nan)
    known = ~np.isnan(values)
    if known.any():
        _, of, count = np.unique(values[known], return_inverse=True, return_counts=True)
        below = np.cumsum(count) - count
        found[known] = ((below + count / 2) / known.sum())[of]
    return found


def _mean(rows: Floats) -> Floats:
    """The mean of each column, what is not known counted as ½; NaN where nothing is known."""
    known = ~np.isnan(rows)
    means: Floats = np.where(known, rows, 0.5).mean(axis=0)
    return np.where(known.any(axis=0), means, np.nan)


def _range(rows: Floats) -> Floats:
    """How far the known values of each column lie apart; NaN where fewer than two are known."""
    several = (~np.isnan(rows)).sum(axis=0) > 1
    found = np.full(rows.shape[1], np.nan)
    some = rows[:, several]
    found[several] = np.nanmax(some, axis=0) - np.nanmin(some, axis=0)
    return found


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8])


def whole(ids: Sequence[str]) -> Choice:
    """Every sample, where there is room for all."""
    return Choice(tuple(ids))
