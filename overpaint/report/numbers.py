"""How numbers are written, the same in every table, page and export for people."""

import math
import statistics
from collections.abc import Iterable
from typing import Protocol

from overpaint.core import Measure

NO_BOUND = "–"


class Spanned(Protocol):
    """A value with its 95 % interval; None where there is none."""

    @property
    def value(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def decimals_for(values: Iterable[float]) -> int:
    """How many decimals a column needs: three for numbers below one, one for hundreds."""
    sizes = [abs(value) for value in values if value]
    typical = statistics.median(sizes) if sizes else 1.0
    return 3 if typical <= 1 else 2 if typical < 100 else 1


def number(value: float | None, decimals: int) -> str:
    """A value to read; – for none. One too small for its column keeps a digit that shows it."""
    if value is None:
        return NO_BOUND
    if value and abs(value) <= 0.5 * 10**-decimals:
        decimals = math.ceil(-math.log10(abs(value)))
        text = f"{value:.0e}" if decimals > 5 else f"{value:.{decimals}f}"
    else:
        text = f"{value + 0.0:,.{decimals}f}"  # no sign before a zero
    return text.replace("-", "−")


def interval(summary: Spanned, decimals: int) -> str:
    """The 95 % interval as `low – high`, or nothing where there is none."""
    if summary.low is None or summary.high is None:
        return ""
    return f"{number(summary.low, decimals)} – {number(summary.high, decimals)}"


LOPSIDED = 0.1  # from this share of the width on, both sides are told


def margin(summary: Spanned, decimals: int) -> str:
    """How far the interval reaches: ±, or − and + where the sides differ; nothing without one."""
    if summary.value is None or summary.low is None or summary.high is None:
        return ""
    down, up = summary.value - summary.low, summary.high - summary.value
    sides = [number(round(side, decimals), decimals) for side in (down, up)]
    if abs(up - down) > LOPSIDED * (up + down) and sides[0] != sides[1]:
        return "−{}+{}".format(*sides)
    return f"±{number(round((up + down) / 2, decimals), decimals)}"


def percent(part: int, whole: int) -> str:
    """A share that says 100 % only when it is all, and 0 % only when it is none."""
    if whole == 0:
        return NO_BOUND
    share = round(100 * part / whole)
    if 0 < part < whole:
        share = min(max(share, 1), 99)
    return f"{share} %"


def arrow(measure: Measure) -> str:
    """Which way is better."""
    return "↑" if measure.higher_is_better else "↓"


def count(n: int, noun: str) -> str:
    """`1 sample`, `2 samples`, `1,196 samples`."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def one_of(many: str) -> str:
    """The noun for one of these: `edit` of edits, `reply` of replies."""
    return f"{many[:-3]}y" if many.endswith("ies") else many.removesuffix("s")
