"""Plots drawn as SVG: means with intervals, how scores spread, and what could be scored.

Colours and fonts are the style sheet's, by class; every mark has text beside it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from overpaint.core import Measure
from overpaint.report.axes import Axis, around, spread
from overpaint.report.markup import Html, join, node
from overpaint.report.numbers import count, interval, number, percent
from overpaint.report.tables import Entry, Tables
from overpaint.report.wording import absence, plain, status

WIDTH = 460
LEFT, RIGHT = 132, 386  # where axes begin and end; names to the left, values to the right
BINS = 32
_NAME_ROOM = 17

# The order of segments in a bar of statuses; any other follows.
_STATUS_ORDER = ("ok", "unavailable", "no_edit", "not_run", "measure_failed")


def interval_plot(tables: Tables, measure: Measure) -> Html:
    """Each editor's mean with its 95 % interval; thin lines reach to what the missing could do."""
    entries = tables.ranked(measure)
    axis = _axis_of_means(tables, measure, entries)
    body = [_grid(axis, len(entries) * 26 + 8)] if axis else []
    for place, entry in enumerate(entries):
        body.append(_mean(tables, measure, entry, axis, 22 + place * 26))
    told = f"{measure.name}: mean and 95 % interval of each editor, as in the table of results"
    return _svg(len(entries) * 26 + 34, told, body)


def _axis_of_means(tables: Tables, measure: Measure, entries: Sequence[Entry]) -> Axis | None:
    """Chosen for the editors; a floor that is far off is shown by an arrow at the edge."""

    def ends(chosen: Iterable[Entry]) -> list[float]:
        found = [tables.at(entry, measure) for entry in chosen]
        return [v for s in found for v in (s.value, s.low, s.high) if v is not None]

    editors = ends(entry for entry in entries if entry.role == "editor")
    if not editors:
        everyone = ends(entries)
        return around(everyone, left=LEFT, right=RIGHT) if everyone else None
    reach = 1.5 * (max(editors) - min(editors)) or abs(editors[0]) or 1.0
    near = [v for v in ends(entries) if min(editors) - reach <= v <= max(editors) + reach]
    return around(near, left=LEFT, right=RIGHT)


def _mean(tables: Tables, measure: Measure, entry: Entry, axis: Axis | None, y: int) -> Html:
    summary, decimals = tables.at(entry, measure), tables.decimals[measure.name]
    name = _name(entry, y)
    if summary.value is None or axis is None:
        word = absence(summary, tables.why(entry, measure))
        return join(name, node("text", word, x=WIDTH, y=y + 4, class_="value absent"))
    value = node("text", number(summary.value, decimals), x=WIDTH, y=y + 4, class_="value")
    span = interval(summary, decimals)
    tip = f"{plain(entry.name)}: {number(summary.value, decimals)}" + (f", {span}" if span else "")
    marks = [node("title", tip)]
    if summary.scored < summary.n:
        marks.append(_bounds(summary.if_worst, summary.if_best, axis, y))
    if summary.low is not None and summary.high is not None and axis.holds(summary.value):
        marks.append(_line(axis.at(summary.low), axis.at(summary.high), y, "whisker"))
    marks.append(_mark(entry, axis, summary.value, y))
    return join(name, node("g", *marks, class_=entry.role), value)


def _bounds(worst: float | None, best: float | None, axis: Axis, y: int) -> Html:
    """From worst to best; an infinite end reaches to the edge it points to."""
    finite = [axis.at(bound) for bound in (worst, best) if bound is not None]
    low = min(finite, default=axis.left)
    high = max(finite, default=axis.right)
    if worst is None or best is None:
        low, high = (low, axis.right) if low > axis.left else (axis.left, high)
    return _line(low, high, y, "bounds")


def _mark(entry: Entry, axis: Axis, value: float, y: int) -> Html:
    x = axis.at(value)
    if not axis.holds(value):
        tip, back = (x + 6, x - 2) if value > axis.high else (x - 6, x + 2)
        return node("path", d=f"M{tip:.1f} {y}L{back:.1f} {y - 5}V{y + 5}Z", class_="beyond")
    if entry.role == "editor":
        return node("circle", cx=x, cy=y, r=4.5, class_="dot")
    if entry.role == "ceiling":
        return node("path", d=f"M{x - 5:.1f} {y}l5 -5 5 5 -5 5Z", class_="dot")
    return node("rect", x=x - 4, y=y - 4, width=8, height=8, class_="dot")


def distribution_plot(tables: Tables, measure: Measure) -> Html:
    """A histogram of every editor's scores on one axis, each to its own height."""
    entries = tables.ranked(measure)
    found = [tables.values.get((entry.name, measure.name), ()) for entry in entries]
    everything = [value for values in found for value in values]
    if not everything:
        return _svg(30, f"{measure.name}: no scores", [])
    axis = spread(everything, left=LEFT, right=WIDTH - 4)
    body = [_grid(axis, len(entries) * 38 + 4)]
    for place, (entry, values) in enumerate(zip(entries, found, strict=True)):
        body.append(_histogram(entry, values, axis, 40 + place * 38))
    told = f"{measure.name}: histogram of the scores of each editor"
    return _svg(len(entries) * 38 + 32, told, body)


def is_logarithmic(tables: Tables, measure: Measure) -> bool:
    """Whether the distribution of that measure is drawn on a logarithmic axis."""
    values = [
        v for entry in tables.entries for v in tables.values.get((entry.name, measure.name), ())
    ]
    return bool(values) and spread(values, left=0, right=1).log


def _histogram(entry: Entry, values: Sequence[float], axis: Axis, base: int) -> Html:
    name = _name(entry, base - 8)
    if not values:
        return join(name, node("text", "no scores", x=LEFT + 4, y=base - 4, class_="absent"))
    span = axis.right - axis.left
    bins = Counter(min(int((axis.at(v) - axis.left) / span * BINS), BINS - 1) for v in values)
    tallest, wide = max(bins.values()), span / BINS
    bars = [
        node(
            "rect", x=axis.left + at * wide, y=base - 28 * n / tallest,
            width=wide - 1, height=28 * n / tallest,
        )
        for at, n in sorted(bins.items())
    ]  # fmt: skip
    tip = f"{plain(entry.name)}: {count(len(values), 'score')}, at most {tallest:,} in a bar"
    return join(name, node("g", node("title", tip), *bars, class_=f"bars {entry.role}"))


def coverage_plot(tables: Tables) -> Html:
    """One bar for each editor: which share of its scores is there, and what the rest is."""
    body, used = [], Counter[str]()
    for place, entry in enumerate(tables.entries):
        statuses = Counter[str]()
        for measure in tables.measures:
            statuses.update(tables.why(entry, measure).statuses)
        del statuses["not_applicable"]
        used += statuses
        body.append(_bar(entry, statuses, 22 + place * 30))
    legend = _legend(used, len(tables.entries) * 30 + 26)
    told = "Share of the scores of each editor that could be had"
    return _svg(len(tables.entries) * 30 + 44, told, [*body, legend])


def _bar(entry: Entry, statuses: Counter[str], y: int) -> Html:
    whole, x = statuses.total(), float(LEFT)
    parts = []
    for name in _in_order(statuses):
        wide = (RIGHT - LEFT) * statuses[name] / whole
        tip = f"{plain(entry.name)}: {statuses[name]:,} of {whole:,} {status(name)}"
        parts.append(
            node(
                "rect", node("title", tip), x=x, y=y - 8, width=max(wide - 1, 1.0), height=16,
                class_=f"status {_status_class(name)}",
            )
        )  # fmt: skip
        x += wide
    share = percent(statuses["ok"], whole)
    return join(_name(entry, y), *parts, node("text", share, x=WIDTH, y=y + 4, class_="value"))


def _legend(statuses: Counter[str], y: int) -> Html:
    parts, x = [], 0.0
    for name in _in_order(statuses):
        word = status(name)
        parts.append(
            node("rect", x=x, y=y, width=10, height=10, class_=f"status {_status_class(name)}")
        )
        parts.append(node("text", word, x=x + 15, y=y + 9.5, class_="tick"))
        x += 30 + 6.2 * len(word)
    return join(*parts)


def _in_order(statuses: Counter[str]) -> list[str]:
    known = [name for name in _STATUS_ORDER if statuses[name]]
    return known + sorted(name for name in statuses if name not in _STATUS_ORDER and statuses[name])


def _status_class(name: str) -> str:
    return f"status-{name if name in _STATUS_ORDER else 'other'}"


# ── what plots share ────────────────────────────────────────────────────────────────────────


def _svg(height: int, told: str, body: Iterable[Html]) -> Html:
    return node(
        "svg", *body, view_box=f"0 0 {WIDTH} {height}", role="img", aria_label=told, class_="plot"
    )  # fmt: skip


def _grid(axis: Axis, height: int) -> Html:
    parts = []
    for tick in axis.ticks():
        x = axis.at(tick)
        parts.append(node("line", x1=x, x2=x, y1=6, y2=height, class_="grid"))
        parts.append(node("text", axis.label(tick), x=x, y=height + 16, class_="tick middle"))
    return join(*parts)


def _line(low: float, high: float, y: int, kind: str) -> Html:
    return node("line", x1=low, x2=high, y1=y, y2=y, class_=kind)


def _name(entry: Entry, y: int) -> Html:
    name = plain(entry.name)
    short = name if len(name) <= _NAME_ROOM else name[: _NAME_ROOM - 1] + "…"
    return node("text", node("title", f"{name} ({entry.role})"), short, x=0, y=y + 4,
                class_="name" if entry.role == "editor" else "name aside")  # fmt: skip
