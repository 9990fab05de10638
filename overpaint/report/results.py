"""The results of a run as HTML: leaderboard, all numbers, breakdowns."""

import math
from collections.abc import Iterable, Sequence

from overpaint.core import Measure
from overpaint.measures.aggregate import Summary
from overpaint.report.markup import Html, node
from overpaint.report.numbers import arrow, interval, number, percent
from overpaint.report.tables import Causes, Entry, Slice, Tables, reach
from overpaint.report.wording import UNSETTLED, absence, status

HEATS = 8  # the style sheet's classes heat-0 … heat-8


# ── the leaderboard ─────────────────────────────────────────────────────────────────────────


def leaderboard(tables: Tables, measures: Sequence[Measure]) -> Html:
    """Editors by these measures; floors and ceilings below, to read the others by."""
    if not measures or not tables.entries:
        return node("p", "Nothing has been scored yet.", class_="quiet")
    ranked = tables.ranked(measures[0])
    editors = [entry for entry in ranked if entry.role == "editor"]
    marks = [entry for entry in ranked if entry.role != "editor"]
    head = node("tr", node("th", "Editor", scope="col"), *_heads(measures))
    between = node(
        "tr",
        node("th", "To read them by", colspan=len(measures) + 1, scope="rowgroup"),
        class_="between",
    )
    lines = (_line(tables, entry, measures) for entry in editors)
    bodies = [node("tbody", *lines, class_="editors")]
    if marks:
        lines = (_line(tables, entry, measures) for entry in marks)
        bodies.append(node("tbody", between if editors else None, *lines, class_="marks"))
    table = node("table", node("thead", head), *bodies, class_="board")
    return scrolling(table, "Results of each editor by measure")


def scrolling(table: Html, told: str) -> Html:
    """A wide table that scrolls sideways by itself, by keyboard too."""
    return node("div", table, class_="scroll", role="region", aria_label=told, tabindex=0)


def _heads(measures: Sequence[Measure]) -> Iterable[Html]:
    for place, measure in enumerate(measures):
        better = "higher is better" if measure.higher_is_better else "lower is better"
        sort = ("descending" if measure.higher_is_better else "ascending") if place == 0 else None
        button = node(
            "button", measure.name, node("span", arrow(measure), aria_hidden="true"),
            type="button", data_tip=measure.about or None,
        )  # fmt: skip
        unit = f"{measure.unit}, {better}" if measure.unit else better
        yield node(
            "th", button, node("small", unit), scope="col", aria_sort=sort,
            data_up="1" if measure.higher_is_better else "",
        )  # fmt: skip


def _line(tables: Tables, entry: Entry, measures: Sequence[Measure]) -> Html:
    role = "" if entry.role == "editor" else f"{entry.role} · "
    told = node("small", f"{role}n = {tables.denominator(entry):,}", class_="role")
    name = node("th", node("span", entry.name, class_="editor-name"), told, scope="row")
    return node("tr", name, *(_cell(tables, entry, m) for m in measures), class_=entry.role)


def _cell(tables: Tables, entry: Entry, measure: Measure) -> Html:
    summary, causes = tables.at(entry, measure), tables.why(entry, measure)
    decimals = tables.decimals[measure.name]
    tip = _tip(summary, causes, decimals)
    if entry.name in tables.leading(measure):
        tip += "\nBest among what was scored; what is missing could change that"
    if summary.value is None:
        word = node("span", absence(summary, causes), class_="absent")
        beside = _beside(summary, measure, decimals)
        return node("td", word, beside, data_tip=tip, data_order=_order(summary))
    best = node("span", "best", class_="best") if entry.name in tables.best(measure) else None
    parts = [
        node("span", best, node("b", number(summary.value, decimals)), class_="value"),
        node("span", interval(summary, decimals) or "no interval", class_="ci"),
        _beside(summary, measure, decimals),
    ]
    if summary.scored < summary.n:
        share = f"{summary.scored:,} of {summary.n:,} scored"
        parts.append(node("span", share, class_="partial"))
    return node("td", *parts, data_tip=tip, data_order=_order(summary))


def _order(summary: Summary) -> str | None:
    """What the page sorts by: the mean with all that is missing taken as worst."""
    least = reach(summary)[0]
    if not summary.scored or least == -math.inf:
        return None
    if least == math.inf:
        return "Infinity"
    return repr(least if summary.higher_is_better else -least)


def _beside(summary: Summary, measure: Measure, decimals: int) -> Html | None:
    """What stands beside a PSNR: its median over pictures, and how many were identical."""
    if measure.pool != "psnr" or not summary.scored:
        return None
    median = "" if summary.median is None else f"median {number(summary.median, decimals)} · "
    return node("span", f"{median}{summary.identical:,} identical", class_="ci")


def _tip(summary: Summary, causes: Causes, decimals: int) -> str:
    lines = []
    if summary.value is not None:
        lines.append(f"Value {number(summary.value, decimals)}")
        span = interval(summary, decimals)
        lines.append(f"95 % interval {span}" if span else "Too few sources for an interval")
    if summary.median is not None:
        lines.append(f"Median {number(summary.median, decimals)}")
    if summary.identical:
        lines.append(f"{summary.identical:,} identical to the reference")
    share = percent(summary.scored, summary.n)
    lines.append(f"{summary.scored:,} of {summary.n:,} scored ({share})")
    if summary.scored < summary.n:
        worst, best = (number(b, decimals) for b in (summary.if_worst, summary.if_best))
        lines.append(f"If all that is missing were worst {worst}, best {best}")
        lines.append(causes.reason)
    return "\n".join([*lines, *summary.notes])


# ── all numbers ─────────────────────────────────────────────────────────────────────────────

_COLUMNS = (
    "Editor", "Measure", "Value", "95 % interval", "Scored", "Coverage", "If worst", "If best",
    "Median", "Identical", "What is missing",
)  # fmt: skip


def all_numbers(tables: Tables) -> Html:
    """Everything known of each editor and measure, one a line."""
    head = node("tr", *(node("th", column, scope="col") for column in _COLUMNS))
    lines = [_numbers(tables, entry, m) for m in tables.measures for entry in tables.ranked(m)]
    table = node("table", node("thead", head), node("tbody", *lines), class_="dense")
    return scrolling(table, "All numbers by editor and measure")


def _numbers(tables: Tables, entry: Entry, measure: Measure) -> Html:
    summary, causes = tables.at(entry, measure), tables.why(entry, measure)
    decimals = tables.decimals[measure.name]
    value = absence(summary, causes) if summary.value is None else number(summary.value, decimals)
    missing = [f"{n:,} {status(name)}" for name, n in causes.lacking.items()]
    cells = [
        measure.name, value, interval(summary, decimals) or "–",
        f"{summary.scored:,} of {summary.n:,}", percent(summary.scored, summary.n),
        number(summary.if_worst, decimals), number(summary.if_best, decimals),
        number(summary.median, decimals), f"{summary.identical:,}" if summary.identical else "",
        ", ".join(missing),
    ]  # fmt: skip
    return node("tr", node("th", entry.name, scope="row"), *(node("td", cell) for cell in cells))


# ── breakdowns ──────────────────────────────────────────────────────────────────────────────


def breakdown(tables: Tables, tag: str, parts: Sequence[Slice]) -> Html:
    """One table for each measure, the first one shown: the tag's values by editors, with a heat."""
    shown = [
        node("div", _heat_map(tables, measure, parts), data_measure=measure.name, hidden=place > 0)
        for place, measure in enumerate(tables.measures)
    ]
    return node("section", node("h3", tag), *shown, class_="breakdown")


def _heat_map(tables: Tables, measure: Measure, parts: Sequence[Slice]) -> Html:
    heads = [parts[0].tag, "Samples", *(entry.name for entry in tables.entries)]
    head = node("tr", *(node("th", head, scope="col") for head in heads))
    heat = _Heat(tables, measure, parts)
    lines = [
        node(
            "tr",
            node("th", part.value, scope="row"),
            node("td", f"{tables.slices[part]:,}", class_="quiet"),
            *(_heat_cell(tables.at(entry, measure, part), heat, entry) for entry in tables.entries),
        )
        for part in parts
    ]
    table = node("table", node("thead", head), node("tbody", *lines), class_="heat")
    return scrolling(table, f"{measure.name} by {parts[0].tag}")


def _heat_cell(summary: Summary, heat: "_Heat", entry: Entry) -> Html:
    decimals = heat.tables.decimals[heat.measure.name]
    share = percent(summary.scored, summary.n)
    if summary.value is None:
        word = "identical" if summary.identical else "–"
        return node("td", word, class_="absent", data_tip=f"{share} of {summary.n:,} scored")
    tip = _tip(summary, Causes({}, ""), decimals)
    partial = node("small", share) if summary.scored < summary.n else None
    return node(
        "td", number(summary.value, decimals), partial,
        class_=heat.shade(entry, summary.value) or None, data_tip=tip,
    )  # fmt: skip


class _Heat:
    """How good a value is among those of one table; marks stay plain where editors compete."""

    def __init__(self, tables: Tables, measure: Measure, parts: Sequence[Slice]) -> None:
        self.tables, self.measure, self.parts = tables, measure, parts
        self._competing = any(entry.role == "editor" for entry in tables.entries)
        values = [
            value
            for entry in tables.entries
            for part in parts
            if self._counts(entry) and (value := tables.at(entry, measure, part).value) is not None
        ]
        self._low, self._high = min(values, default=0.0), max(values, default=0.0)

    def _counts(self, entry: Entry) -> bool:
        return entry.role == "editor" or not self._competing

    def shade(self, entry: Entry, value: float) -> str:
        """The class of a cell, from heat-0 (worst in the table) to heat-8 (best)."""
        if not self._counts(entry) or self._high == self._low:
            return ""
        share = (value - self._low) / (self._high - self._low)
        return f"heat-{round(HEATS * (share if self.measure.higher_is_better else 1 - share))}"


def measure_picker(tables: Tables) -> Html:
    """The choice of the measure that the breakdowns show."""
    options = [node("option", f"{m.name} {arrow(m)}", value=m.name) for m in tables.measures]
    select = node("select", *options, id="breakdown-measure")
    return node("label", "Measure ", select, class_="picker")


def coverage_line(tables: Tables) -> str:
    """One sentence on how much of the run is there."""
    found = [tables.at(entry, measure) for entry in tables.entries for measure in tables.measures]
    scored, n = sum(s.scored for s in found), sum(s.n for s in found)
    if n and scored == n:
        return "Every score that could be asked for is there."
    return (
        f"{scored:,} of {n:,} scores are there ({percent(scored, n)}); the rest stays in the count."
        f" {UNSETTLED}"
    )
