"""The scores of one audited measure, by probe and sample, and which of two are in order."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from overpaint.core import IDENTICAL, Measure
from overpaint.stats.bootstrap import interval
from overpaint.store import Row

SLIGHT = 1e-4  # of the way from the truth to a white page counts as no difference

DONE = ("aligned", "not aligned", "resized")  # how notes begin that say so


@dataclass(frozen=True)
class Share:
    """How many pairs are in the right order, a tie counting half; with its 95 % interval."""

    value: float
    low: float | None  # None: too few sources for an interval
    high: float | None
    pairs: int


@dataclass(frozen=True, eq=False)
class Scores:
    """What one measure said of every probe."""

    measure: Measure
    rows: Mapping[str, Mapping[str, Row]]  # by probe and sample
    asked: Mapping[str, Sequence[str]]  # the samples each probe was made of
    sources: Mapping[str, str]  # of each sample, which the bootstrap draws
    seed: int

    def of(self, probe: str) -> Sequence[Row]:
        """The rows of a probe."""
        return list(self.rows.get(probe, {}).values())

    @cached_property
    def every(self) -> Sequence[Row]:
        """All rows."""
        return [row for rows in self.rows.values() for row in rows.values()]

    def arisen(self, probe: str) -> int:
        """Of how many samples the question arises."""
        outside = sum(status_of(row) == "not_applicable" for row in self.of(probe))
        return len(self.asked.get(probe, ())) - outside

    # ── values, so that more is better ──────────────────────────────────────────────────

    @cached_property
    def _gains(self) -> Mapping[str, Mapping[str, float]]:
        return {
            probe: {b: gain for b, row in rows.items() if (gain := self._gain(row)) is not None}
            for probe, rows in self.rows.items()
        }

    def gains(self, probe: str) -> Mapping[str, float]:
        """The scores of a probe by sample, turned so that more is better."""
        return self._gains.get(probe, {})

    def _gain(self, row: Row) -> float | None:
        best = math.inf if self.measure.higher_is_better else -math.inf
        value = best if status_of(row) == IDENTICAL else row.value
        if value is None:
            return None
        if self.measure.pool == "psnr":  # in decibels no error is infinitely far from little
            return -(10 ** (-value / 10))
        return value if self.measure.higher_is_better else -value

    @cached_property
    def _ways(self) -> Mapping[str, float]:
        """From the truth to a white page, of each sample that has both and tells them apart."""
        truth, white = self.gains("truth"), self.gains("white")
        ways = {base: truth[base] - white[base] for base in truth if base in white}
        return {base: way for base, way in ways.items() if way and math.isfinite(way)}

    def way(self, probe: str) -> float | None:
        """The median share of the way from the truth to a white page at which it is scored."""
        here, truth = self.gains(probe), self.gains("truth")
        parts = [(truth[b] - here[b]) / way for b, way in self._ways.items() if b in here]
        finite = [part for part in parts if math.isfinite(part)]
        return median(finite) if finite else None

    # ── pairs ───────────────────────────────────────────────────────────────────────────

    def pairs(self, better: str, worse: str) -> dict[str, float]:
        """For each sample that has both: 1 in that order, 0 in the other, a half where tied."""
        high, low = self.gains(better), self.gains(worse)
        return {
            base: _compared(high[base], low[base], SLIGHT * abs(self._ways.get(base, 0.0)))
            for base in high
            if base in low
        }

    def share(self, better: str, worse: str) -> Share | None:
        """The share of samples in which the one is scored better than the other."""
        pairs = self.pairs(better, worse)
        if not pairs:
            return None
        clusters = [self.sources[base] for base in pairs]
        span = interval(list(pairs.values()), clusters, seed=self.seed)
        mean = sum(pairs.values()) / len(pairs)
        return Share(mean, span and span.low, span and span.high, len(pairs))

    def auc(self, better: str, worse: str) -> float | None:
        """The same over all pairs, of one sample or of two: the area under the ROC curve."""
        high, low = self.gains(better).values(), self.gains(worse).values()
        pairs = [_compared(one, two, 0.0) for one in high for two in low]
        return sum(pairs) / len(pairs) if pairs else None

    def differing(self, probe: str, like: str) -> tuple[int, int, float]:
        """How many scores are not equal to the last digit, of how many, and by how much."""
        here, there = self.gains(probe), self.gains(like)
        apart = [abs(here[b] - there[b]) for b in here if b in there and here[b] != there[b]]
        return len(apart), sum(base in there for base in here), max(apart, default=0.0)


def status_of(row: Row) -> str:
    """The status of a score; one that is missing because nothing differs is `identical`."""
    same = row.status == "not_applicable" and row.reason == IDENTICAL
    return IDENTICAL if same else row.status


def noted(rows: Iterable[Row]) -> dict[str, int]:
    """How many scores have a note that says what was done to the pictures first."""
    found = {kind: sum(_has(row, kind) for row in rows) for rows in [list(rows)] for kind in DONE}
    return {kind: number for kind, number in found.items() if number}


def _has(row: Row, kind: str) -> bool:
    return any(note.startswith(kind) for note in row.notes)


def _compared(better: float, worse: float, slight: float) -> float:
    if better == worse or abs(better - worse) <= slight:
        return 0.5
    return float(better > worse)
