"""Plots: means with intervals, the way to the truth, how scores spread, what could be scored.

A plot is rows of text with a drawn lane between; lanes are SVG in percent of their width, so
that text keeps its size on any screen. Colours are the style sheet's, by class.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from overpaint.core import IDENTICAL, Measure
from overpaint.measures.gap import Gap
from overpaint.report.axes import Axis, Ends, Limits, around, spread
from overpaint.report.gaps import Board, decimals_of, in_points, told_share
from overpaint.report.markup import Child, Html, join, node
from overpaint.report.numbers import count, interval, number, percent
from overpaint.report.tables import Causes, Entry, Tables
from overpaint.report.wording import absence, plain, status
from overpaint.stats.bootstrap import Floats

BINS = 40
LANE, TALL_LANE = 26, 38  # heights of a lane in pixels
FARTHEST = 100.0  # percent beyond source or truth that a plot of shares reaches

# The order of segments in a bar of statuses; any other follows.
_STATUS_ORDER = ("ok", "unavailable", "no_edit", "not_run", "measure_failed")


# ── means ───────────────────────────────────────────────────────────────────────────────────


def interval_plot(tables: Tables, measure: Measure) -> Html:
    """Each editor's mean with its 95 % interval; thin lines reach to what the missing could do."""
    entries = tables.ranked(measure)
    axis = _axis_of_means(tables, measure, entries)
    rows = [_mean(tables, measure, entry, axis) for entry in entries]
    told = f"{measure.name}: mean and 95 % interval of each editor"
    return _plot([*rows, _scale(axis) if axis else None], told)


def _axis_of_means(tables: Tables, measure: Measure, entries: Sequence[Entry]) -> Axis | None:
    """Chosen for the editors; a floor that is far off is shown by an arrow at the edge."""

    def ends(chosen: Iterable[Entry]) -> list[float]:
        found = [tables.at(entry, measure) for entry in chosen]
        return [v for s in found for v in (s.value, s.low, s.high) if v is not None]

    everyone, editors = ends(entries), ends(e for e in entries if e.role == "editor")
    if not editors:
        return around(everyone, *_scale_of(measure)) if everyone else None
    reach = 1.5 * (max(editors) - min(editors)) or abs(editors[0]) or 1.0
    low, high = min(editors) - reach, max(editors) + reach
    return around([value for value in everyone if low <= value <= high], *_scale_of(measure))


def _scale_of(measure: Measure) -> tuple[Ends | None, Limits]:
    """The scale of shares, and what no value is beyond.

    Of other measures, worst and best may lie far from all that is seen.
    """
    limits = (measure.worst, measure.best)
    whole = (0.0, 100.0) if measure.unit == "%" else None
    return whole, limits if measure.higher_is_better else limits[::-1]


def _mean(tables: Tables, measure: Measure, entry: Entry, axis: Axis | None) -> Html:
    summary, decimals = tables.at(entry, measure), tables.decimals[measure.name]
    if summary.value is None or axis is None:
        word = absence(summary, tables.why(entry, measure))
        return _row(entry, _lane(axis, LANE), word)
    span, y = interval(summary, decimals), LANE // 2
    marks = []
    if summary.scored < summary.n:
        marks.append(_bounds(summary.if_worst, summary.if_best, axis))
    if summary.low is not None and summary.high is not None and axis.holds(summary.value):
        marks.append(_line(axis.at(summary.low), axis.at(summary.high), y, "whisker"))
    marks.append(_mark(entry, axis, summary.value))
    tip = f"{number(summary.value, decimals)}" + (f", 95 % interval {span}" if span else "")
    return _row(entry, _lane(axis, LANE, *marks, tip=tip), number(summary.value, decimals))


def _bounds(worst: float | None, best: float | None, axis: Axis) -> Html:
    """From worst to best; an end without a bound reaches to the edge."""
    finite = [axis.at(bound) for bound in (worst, best) if bound is not None]
    low, high = min(finite, default=0.0), max(finite, default=100.0)
    if None in (worst, best):
        low, high = (low, 100.0) if low < 50 else (0.0, high)
    return _line(low, high, LANE // 2, "bounds")


def _mark(entry: Entry, axis: Axis, value: float) -> Html:
    y = LANE // 2
    if not axis.holds(value):
        shape = f"M0 {y}L-8 {y - 5}V{y + 5}Z" if value > axis.high else f"M0 {y}l8 -5v10Z"
        return _at(axis.at(value), node("path", d=shape, class_="beyond"))
    if entry.role == "editor":
        return node("circle", cx=f"{axis.at(value):.2f}%", cy=y, r=5, class_="dot")
    shape = f"M-6 {y}l6 -6 6 6 -6 6Z" if entry.role == "ceiling" else f"M-4.5 {y - 4.5}h9v9h-9Z"
    return _at(axis.at(value), node("path", d=shape, class_="dot"))


# ── the way from source to truth ────────────────────────────────────────────────────────────


def gap_plot(board: Board, measure: Measure) -> Html:
    """A bar for each editor from 0 %, the source, to how far it went, with the 95 % interval."""
    axis = _axis_of_shares([board.at(entry, measure) for entry in board.entries])
    rows = [_way(entry, board.at(entry, measure), axis) for entry in board.entries]
    told = f"{measure.name}: share of the way from the source to the truth"
    return _plot([*rows, _scale(axis)], told, kind="ways")


def _axis_of_shares(gaps: Sequence[Gap]) -> Axis:
    """From the source to the truth and some way beyond; farther off there is an arrow."""
    found = [x for gap in gaps for x in in_points(gap) if x is not None]
    return around([0.0, 100.0, *(min(max(x, -FARTHEST), 100 + FARTHEST) for x in found)])


def _way(entry: Entry, gap: Gap, axis: Axis) -> Html:
    points, y = in_points(gap), LANE // 2
    ends = [_upright(axis.at(end), kind) for end, kind in ((0.0, "start"), (100.0, "goal"))]
    if points.value is None:
        return _row(entry, _lane(axis, LANE, *ends, tip="; ".join(gap.notes)), "–")
    marks, (left, right) = ends, sorted((axis.at(0), axis.at(points.value)))
    marks.append(
        node("rect", x=f"{left:.2f}%", width=f"{right - left:.2f}%", y=y - 6, height=12,
             class_="bar")
    )  # fmt: skip
    if points.low is not None and points.high is not None:
        marks.append(_line(axis.at(points.low), axis.at(points.high), y, "span"))
    if not axis.holds(points.value):
        marks.append(_mark(entry, axis, points.value))
    tip = "\n".join([f"{told_share(gap)} of the way", *_beyond(gap), *gap.notes])
    value = f"{number(points.value, decimals_of(points))} %"
    return _row(entry, _lane(axis, LANE, *marks, tip=tip), value)


def _beyond(gap: Gap) -> Iterator[str]:
    """What the share would be if all that the editor lacks were worst or best."""
    if gap.scored < gap.n:
        worst, best = (number(x and 100 * x, 1) for x in (gap.if_worst, gap.if_best))
        yield f"If all that is missing were worst {worst} %, best {best} %"


def _upright(x: float, kind: str) -> Html:
    return node("line", x1=f"{x:.2f}%", x2=f"{x:.2f}%", y1=0, y2=LANE, class_=f"end {kind}")


# ── distributions ───────────────────────────────────────────────────────────────────────────


def distribution_plot(tables: Tables, measure: Measure) -> Html:
    """A histogram of every editor's scores on one axis, each to its own height."""
    entries, axis = tables.ranked(measure), _axis_of_scores(tables, measure)
    rows = [_histogram(entry, tables.scores(entry, measure), axis) for entry in entries]
    told = f"{measure.name}: histogram of the scores of each editor"
    return _plot([*rows, _scale(axis) if axis else None], told, kind="spread")


def is_logarithmic(tables: Tables, measure: Measure) -> bool:
    """Whether the distribution of that measure is drawn on a logarithmic axis."""
    axis = _axis_of_scores(tables, measure)
    return axis is not None and axis.log


def _axis_of_scores(tables: Tables, measure: Measure) -> Axis | None:
    found = [tables.scores(entry, measure) for entry in tables.entries]
    values = np.concatenate([np.empty(0), *found])
    return spread(values, *_scale_of(measure)) if len(values) else None


def _histogram(entry: Entry, values: Floats, axis: Axis | None) -> Html:
    if not len(values) or axis is None:
        nothing = node("text", "no values", x=4, y=TALL_LANE - 6, class_="none")
        return _row(entry, _lane(axis, TALL_LANE, nothing), None)
    bins = np.bincount(np.minimum((axis.places(values) / 100 * BINS).astype(int), BINS - 1))
    tallest, wide = int(bins.max()), 100 / BINS
    bars = []
    for at, n in ((at, n) for at, n in enumerate(bins.tolist()) if n):
        high = max(1.0, (TALL_LANE - 8) * n / tallest)
        bars.append(
            node(
                "rect", x=f"{at * wide:.2f}%", width=f"{wide * 0.9:.2f}%",
                y=TALL_LANE - high, height=high,
            )
        )  # fmt: skip
    tip = f"{count(len(values), 'score')}, at most {tallest:,} in a bar"
    return _row(entry, _lane(axis, TALL_LANE, node("g", *bars, class_="bars"), tip=tip), None)


# ── coverage ────────────────────────────────────────────────────────────────────────────────


def coverage_plot(tables: Tables) -> Html:
    """One bar for each editor: which share of its scores is there, and what the rest is."""
    rows, used = [], Counter[str]()
    for entry in tables.entries:
        statuses = Counter[str]()
        for measure in tables.measures:
            statuses.update(_counted(tables.why(entry, measure), measure))
        used += statuses
        rows.append(_bar(entry, statuses))
    return _plot([*rows, _legend(used)], "Share of the scores of each editor that could be had")


def _counted(causes: Causes, measure: Measure) -> Counter[str]:
    """The rows that count: a pooled PSNR counts identical pictures as no error."""
    statuses = Counter(causes.statuses)
    del statuses["not_applicable"]
    same = statuses.pop(IDENTICAL, 0)
    statuses["ok"] += same if measure.pool == "psnr" else 0
    return statuses


def _bar(entry: Entry, statuses: Counter[str]) -> Html:
    whole, x = statuses.total(), 0.0
    parts, told = [], []
    for name in _in_order(statuses):
        wide = 100 * statuses[name] / whole
        shade = f"status {_status_class(name)}"
        parts.append(
            node("rect", x=f"{x:.2f}%", y=5, width=f"{wide:.2f}%", height=LANE - 10, class_=shade)
        )
        told.append(f"{statuses[name]:,} {status(name)}")
        x += wide
    lane = _lane(None, LANE, *parts, tip=", ".join(told) or None)
    return _row(entry, lane, percent(statuses["ok"], whole))


def _legend(statuses: Counter[str]) -> Html:
    parts = []
    for name in _in_order(statuses):
        square = node("rect", width=10, height=10, class_=f"status {_status_class(name)}")
        swatch = node("svg", square, width=10, height=10, aria_hidden="true")
        parts.append(node("span", swatch, f" {statuses[name]:,} {status(name)}"))
    return node("div", *parts, class_="plot-legend")


def _in_order(statuses: Counter[str]) -> list[str]:
    known = [name for name in _STATUS_ORDER if statuses[name]]
    return known + sorted(name for name in statuses if name not in _STATUS_ORDER and statuses[name])


def _status_class(name: str) -> str:
    return f"status-{name if name in _STATUS_ORDER else 'other'}"


# ── what plots share ────────────────────────────────────────────────────────────────────────


def _plot(rows: Iterable[Html | None], told: str, *, kind: str = "means") -> Html:
    return node("div", *rows, class_=f"plot {kind}", role="group", aria_label=told)


def _row(entry: Entry, lane: Html, value: Child) -> Html:
    return node(
        "div",
        node("span", plain(entry.name), class_="plot-name", title=plain(entry.name)),
        lane,
        node("span", value, class_="plot-value") if value else None,
        class_=f"plot-row {entry.role}",
    )


def _lane(axis: Axis | None, height: int, *marks: Html, tip: str | None = None) -> Html:
    places = [f"{axis.at(tick):.2f}%" for tick in axis.ticks()] if axis else []
    grid = [node("line", x1=x, x2=x, y1=0, y2=height, class_="grid") for x in places]
    return node(
        "svg", *grid, *marks, height=height, class_="lane", aria_hidden="true", data_tip=tip
    )


def _scale(axis: Axis) -> Html:
    """The axis' numbers, below the lanes."""
    labels = [
        node("text", axis.label(tick), x=f"{axis.at(tick):.2f}%", y=13) for tick in axis.ticks()
    ]
    lane = node("svg", *labels, height=18, class_="lane scale", aria_hidden="true")
    return node("div", node("span", class_="plot-name"), lane, class_="plot-row")


def _line(low: float, high: float, y: int, kind: str) -> Html:
    return node("line", x1=f"{low:.2f}%", x2=f"{high:.2f}%", y1=y, y2=y, class_=kind)


def _at(x: float, shape: Html) -> Html:
    """A shape in pixels at a place in percent."""
    return join(node("svg", shape, x=f"{x:.2f}%", overflow="visible"))
