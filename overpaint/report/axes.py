"""Axes of plots: where a value lies, and which round numbers to write beside it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from overpaint.stats.bootstrap import Floats


@dataclass(frozen=True)
class Axis:
    """A linear or logarithmic scale from `low` to `high`."""

    low: float
    high: float
    log: bool = False

    def at(self, value: float) -> float:
        """Where the value is drawn, in percent; beyond an end, that end."""
        share = (self._scaled(value) - self._scaled(self.low)) / (
            self._scaled(self.high) - self._scaled(self.low)
        )
        return 100 * min(max(share, 0.0), 1.0)

    def places(self, values: Floats) -> Floats:
        """The same of many values at once."""
        scaled = np.log10(np.maximum(values, self.low)) if self.log else values
        low, high = self._scaled(self.low), self._scaled(self.high)
        return 100 * np.clip((scaled - low) / (high - low), 0.0, 1.0)

    def holds(self, value: float) -> bool:
        """Whether the value lies on the axis."""
        return self.low <= value <= self.high

    def ticks(self) -> list[float]:
        """Three to six round values; powers of ten on a logarithmic axis."""
        if self.log:
            powers = range(math.ceil(math.log10(self.low)), math.floor(math.log10(self.high)) + 1)
            every = max(1, math.ceil(len(powers) / 6))
            return [10.0**power for power in powers[::every]]
        step = _round_step((self.high - self.low) / 5)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [place * step for place in range(first, last + 1)]

    def label(self, tick: float) -> str:
        """The tick's number, with as many decimals as the ticks' distance needs."""
        if self.log:
            return f"{tick:,.0f}" if tick >= 1 else f"{tick:g}"
        step = _round_step((self.high - self.low) / 5)
        # Steps of 25 need one decimal more than those of 10, 20 and 50.
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        decimals = digits if abs(round(step, digits) - step) < 1e-9 * step else digits + 1
        return f"{tick + 0.0:,.{decimals}f}".replace("-", "−")

    def _scaled(self, value: float) -> float:
        return math.log10(max(value, self.low)) if self.log else value


def _round_step(rough: float) -> float:
    """The nearest of 1, 2, 2.5 or 5 times a power of ten that is not smaller."""
    power: float = 10.0 ** math.floor(math.log10(rough))
    return next(m * power for m in (1.0, 2.0, 2.5, 5.0, 10.0) if m * power >= rough * 0.999)


Ends = tuple[float, float]
Limits = tuple[float | None, float | None]  # None: unbounded on that side
UNBOUNDED: Limits = (None, None)


def around(values: Sequence[float], whole: Ends | None = None, limits: Limits = UNBOUNDED) -> Axis:
    """A linear axis that holds the values with a little room on both sides.

    Values that are all the same are shown on the whole scale, where it is known, or else with
    some way on both sides, but not beyond the limits.
    """
    low, high = _ends(min(values), max(values), whole, limits)
    room = (high - low) * 0.06 or 1.0
    return Axis(low - room, high + room)


def _ends(low: float, high: float, whole: Ends | None, limits: Limits) -> Ends:
    if low < high:
        return low, high
    if whole and whole[0] <= low <= whole[1]:
        return whole
    reach = abs(high) * 0.1 or 1.0
    least, most = limits
    return (
        low - reach if least is None else min(low, max(low - reach, least)),
        high + reach if most is None else max(high, min(high + reach, most)),
    )


def spread(
    values: Floats | Sequence[float], whole: Ends | None = None, limits: Limits = UNBOUNDED
) -> Axis:
    """An axis for a distribution: logarithmic where values of one sign span many sizes."""
    ordered = np.sort(np.asarray(values, np.float64))
    positive = ordered[ordered > 0]
    if ordered[0] >= 0 and len(positive) > 1:
        tenth, middle = (float(positive[len(positive) // part]) for part in (10, 2))
        high = float(positive[-1])
        if high > 20 * middle or middle > 50 * tenth:
            low = 10.0 ** math.floor(math.log10(max(tenth, high * 1e-6)))
            return Axis(low, 10.0 ** math.ceil(math.log10(high) - 1e-9), log=True)
    return Axis(*_ends(float(ordered[0]), float(ordered[-1]), whole, limits))
