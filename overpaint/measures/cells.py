"""From a column to a cell of a table: its mean, and how far that can be trusted."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Measure
from overpaint.measures.columns import FAILED, OK, OUTSIDE, SAME, Column
from overpaint.stats.bootstrap import FEWEST_CLUSTERS, Clustered, Floats, Interval, cluster

PEAK_SQUARED = 255.0**2  # the MSE of black against white: the worst there is, 0 dB


@dataclass(frozen=True)
class Summary:
    """One cell of a table: a mean and how far it can be trusted."""

    n: int  # the denominator: every row but not_applicable
    scored: int
    value: float | None
    low: float | None  # 95 % interval, clustered by source
    high: float | None
    if_worst: float | None  # the mean if all that is missing were worst; None: infinite
    if_best: float | None
    median: float | None
    identical: int = 0
    clusters: int = 0  # sources among the scored
    higher_is_better: bool = True
    notes: tuple[str, ...] = ()  # why something above is None

    @property
    def coverage(self) -> float | None:
        """The scored share of the denominator; None where the question never arose."""
        return self.scored / self.n if self.n else None


def psnr_of_mse(mse: Floats) -> Floats:
    """Decibels of mean squared errors on the 0–255 scale; inf for 0."""
    with np.errstate(divide="ignore"):
        return 10 * np.log10(PEAK_SQUARED / mse)


def mse_of_psnr(decibels: Floats) -> Floats:
    """The mean squared errors behind per-image PSNR values."""
    return PEAK_SQUARED / np.power(10.0, decibels / 10)


@dataclass(frozen=True, eq=False)
class Cell:
    """What is known before the bootstrap: values on the scale that is averaged."""

    measure: Measure
    values: Floats
    column: Clustered
    n: int
    identical: int


def gather(measure: Measure, column: Column, clusters: NDArray[Any]) -> Cell:
    """Pick the known values of a column, and count what belongs in the denominator."""
    values, applies = averaged(measure, column)
    known = np.isfinite(values)
    same = int((column.states == SAME).sum())
    found, weights = values[known], column.weights[known]
    clustered = cluster(found, clusters[known], weights)
    return Cell(measure, found, clustered, int(applies.sum()), same)


def averaged(measure: Measure, column: Column) -> tuple[Floats, NDArray[np.bool_]]:
    """The values that are averaged, NaN where there is none, and where the measure applies.

    For a pooled PSNR these are squared errors: 0 where the pictures are identical.
    """
    values = np.where(column.states == OK, column.values, math.nan)
    same = column.states == SAME
    if measure.pool == "psnr":
        return np.where(same, 0.0, mse_of_psnr(values)), column.states != OUTSIDE
    if measure.pool == "failed_as_worst":
        failed, worst = column.states == FAILED, measure.worst
        assert worst is not None  # only a scale that ends can be pooled like that
        return np.where(failed, worst, values), (column.states == OK) | failed
    return values, (column.states != OUTSIDE) & ~same


def finish(cell: Cell, span: Interval | None) -> Summary:
    """The cell with its interval; a pooled PSNR is mapped to decibels only here, at the end."""
    measure, scored = cell.measure, len(cell.values)
    value = cell.column.mean if scored else None
    low, high = span or (None, None)
    worst, best = _bound(cell, measure.worst), _bound(cell, measure.best)
    if measure.pool == "psnr":
        value, low, high = _decibels(value), _decibels(high), _decibels(low)
        worst, best = _decibels(_bound(cell, PEAK_SQUARED)), _decibels(_bound(cell, 0.0))
    return Summary(
        cell.n, scored, value, low, high, worst, best, _median(cell),
        identical=cell.identical,
        clusters=len(cell.column),
        higher_is_better=measure.higher_is_better,
        notes=tuple(_notes(cell, span)),
    )  # fmt: skip


def _bound(cell: Cell, missing: float | None) -> float | None:
    """The mean if every missing value were `missing`; None where that is infinite."""
    absent = cell.n - len(cell.values)
    if cell.n == 0 or (absent and (missing is None or cell.measure.pool == "weighted")):
        return None
    if not absent:
        return cell.column.mean
    return (float(cell.column.sums.sum()) + absent * (missing or 0.0)) / cell.n


def _median(cell: Cell) -> float | None:
    """The median of the per-image values; None where it is infinite or there are none."""
    if not len(cell.values):
        return None
    values = cell.values
    if cell.measure.pool == "psnr":
        values = psnr_of_mse(values)
    median = float(np.median(values))
    return median if math.isfinite(median) else None


def _decibels(mse: float | None) -> float | None:
    """PSNR, with None for "no number" and for infinity alike."""
    return float(psnr_of_mse(np.array(mse))) if mse else None


def _notes(cell: Cell, span: Interval | None) -> Iterator[str]:
    """Why a number of the cell is None, in words for a table's footnote."""
    scored = len(cell.values)
    if not cell.n:
        yield "the question arises for none of the samples"
    elif not scored:
        yield f"none of {cell.n} samples has a score"
    elif cell.measure.pool == "psnr" and cell.identical == scored:
        yield "every scored picture is identical to its reference: PSNR is infinite"
    elif cell.measure.pool == "psnr" and 2 * cell.identical >= scored:
        yield "half of the pictures or more are identical: the median PSNR is infinite"
    if scored and span is None:
        yield f"no interval: it needs {FEWEST_CLUSTERS} sources and has {len(cell.column)}"
    elif cell.measure.pool == "psnr" and span and span.low == 0 < span.high:
        yield "the interval has no upper end: it reaches all pictures being identical"
