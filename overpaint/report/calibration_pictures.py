"""Pictures of measures and people: the heat map, editors' means, rankings, the curve of a map.

The heat map is a table with colours, so that it reads as one; the drawings are SVG whose colours
are the style sheet's, by class, and each has a table of the same numbers beside it.
"""

from collections.abc import Callable, Iterator, Sequence

from overpaint.measures.calibration import ALL, Agreement, HumanCeiling
from overpaint.measures.calibration_editors import Estimate, Ranking
from overpaint.measures.calibration_maps import Calibrated
from overpaint.measures.calibration_run import Calibration
from overpaint.measures.people import People
from overpaint.report.axes import Axis, around
from overpaint.report.calibration_sheets import CEILING, ceiling_told, ordered
from overpaint.report.markup import Html, node
from overpaint.report.numbers import NO_BOUND, interval, number
from overpaint.report.results import scrolling
from overpaint.report.wording import plain, status

SHADES = 8  # the style sheet's classes plus-1 … plus-8 and minus-1 … minus-8
MANY = 9  # columns from which on their names stand upright
MOST_POINTS = 2_000  # edits drawn in a curve
WIDE, HIGH, LEFT, TOP, BOTTOM, RIGHT = 560, 360, 54, 12, 44, 16
LANE = 30


# ── the heat map ────────────────────────────────────────────────────────────────────────


def heat_map(found: Calibration, people: People) -> Html:
    """Measures by task in colour, the ceiling above them; a cell without a number says why."""
    parts = found.parts
    heads = [node("th", node("span", plain(part).replace("_", " ")), scope="col",
                  class_="whole" if part == ALL else None) for part in parts]  # fmt: skip
    head = node("tr", node("th", "Measure", scope="col"), *heads)
    rows = []
    if found.ceiling(people.dimension) is not None and not people.yes_no:
        cells = [_ceiling_cell(found.ceiling(people.dimension, p), p) for p in parts]
        rows.append(node("tr", node("th", CEILING, scope="row"), *cells, class_="top"))
    for name in ordered(found, people.dimension):
        cells = [_cell(found.agreement(name, people.dimension, p), p, people) for p in parts]
        rows.append(node("tr", node("th", plain(name), scope="row"), *cells))
    what = "area under the curve" if people.yes_no else "SRCC"
    told = f"{plain(people.dimension)}: {what} of each measure by task"
    kind = "people-map many" if len(parts) > MANY else "people-map"
    table = node("table", node("thead", head), node("tbody", *rows), class_=kind)
    return scrolling(table, told)


def _ceiling_cell(one: HumanCeiling | None, part: str) -> Html:
    whole = "whole" if part == ALL else None
    return node("td", ceiling_told(one), class_=whole)


def _cell(one: Agreement | None, part: str, people: People) -> Html:
    found = one.headline if one else None
    whole = " whole" if part == ALL else ""
    if one is None or found is None or found.value is None:
        return node("td", NO_BOUND, title=plain(_why(one)), class_=f"none{whole}")
    middle = 0.5 if people.yes_no else 0.0
    depth = (found.value - middle) / (1 - middle)
    shade = min(SHADES, round(abs(depth) * SHADES))
    kind = f"{'plus' if depth > 0 else 'minus'}-{shade}" if shade else ""
    span = interval(found, 2)
    tip = f"{one.n:,} edits" + (f", 95 % interval {span}" if span else "")
    lost = ", ".join(f"{n:,} {status(name)}" for name, n in one.missing.items())
    tip += f"; without a score: {lost}" if lost else ""
    return node("td", number(found.value, 2), title=tip, class_=f"{kind}{whole}".strip() or None)


def _why(one: Agreement | None) -> str:
    if one is None:
        return "nothing was rated here"
    found = one.headline
    notes = (*(found.notes if found else ()), *one.notes)
    lost = ", ".join(f"{n:,} {status(name)}" for name, n in one.missing.items())
    return "; ".join((*notes, *((f"without a score: {lost}",) if lost else ())))


def legend(people: People) -> Html:
    """What the colours of a heat map mean."""
    ends = ("0", "0.5", "1") if people.yes_no else ("−1", "0", "1")
    shades = (f"minus-{SHADES}", "", f"plus-{SHADES}")
    words = ("against people", "no relation", "as people do")
    parts = [
        node("span", node("i", class_=shade or None, aria_hidden="true"), f"{end} {word}")
        for shade, end, word in zip(shades, ends, words, strict=True)
    ]
    blank = f"{NO_BOUND} fewer than 10 edits with both, or no variation; a cell's tip says which"
    return node("p", *parts, node("span", blank), class_="legend")


# ── editors' means ──────────────────────────────────────────────────────────────────────


def means_plot(estimates: Sequence[Estimate]) -> Html | None:
    """Each editor's mean from ratings alone (above) and with the measure's help (below)."""
    values = [
        value
        for it in (one.found for one in estimates)
        for value in (it.mean, it.mean_low, it.mean_high, it.estimate, it.low, it.high)
        if value is not None
    ]  # fmt: skip
    if not values:
        return None
    axis = around(values)
    rows = [_mean_row(one, axis) for one in estimates]
    labels = [
        node("text", axis.label(tick), x=f"{axis.at(tick):.2f}%", y=13) for tick in axis.ticks()
    ]
    lane = node("svg", *labels, height=18, class_="lane scale", aria_hidden="true")
    rows.append(node("div", node("span", class_="plot-name"), lane, class_="plot-row"))
    told = "mean of each editor with 95 % intervals, from ratings alone and with the measure"
    return node("div", *rows, class_="plot means two", role="group", aria_label=told)


def _mean_row(one: Estimate, axis: Axis) -> Html:
    it, marks = one.found, []
    for y, kind, value, low, high in (
        (9, "alone", it.mean, it.mean_low, it.mean_high),
        (21, "helped", it.estimate, it.low, it.high),
    ):
        if low is not None and high is not None:
            marks.append(node("line", x1=f"{axis.at(low):.2f}%", x2=f"{axis.at(high):.2f}%",
                              y1=y, y2=y, class_=kind))  # fmt: skip
        if value is not None:
            marks.append(node("circle", cx=f"{axis.at(value):.2f}%", cy=y, r=4.5,
                              class_=f"dot-{kind}"))  # fmt: skip
    grid = [
        node("line", x1=f"{axis.at(t):.2f}%", x2=f"{axis.at(t):.2f}%", y1=0, y2=LANE, class_="grid")
        for t in axis.ticks()
    ]
    lane = node("svg", *grid, *marks, height=LANE, class_="lane", aria_hidden="true")
    return node(
        "div", node("span", plain(one.editor), class_="plot-name", title=plain(one.editor)), lane,
        node("span", number(it.estimate, 1), class_="plot-value"), class_="plot-row editor",
    )  # fmt: skip


# ── drawings with two axes ──────────────────────────────────────────────────────────────

At = Callable[[float, float], tuple[float, float]]


def ranking_plot(ranked: Ranking) -> Html | None:
    """Editors by people's mean and by what the measure tells on people's scale."""
    known = [(one, one.told) for one in ranked.editors if one.told is not None]
    if len(known) < 2:
        return None
    axis = around([value for one, told in known for value in (one.people, told)])
    at, frame = _frame(axis, axis, ("what people say", f"what {plain(ranked.measure)} tells"))
    ends = [at(end, end) for end in (axis.low, axis.high)]
    line = node("line", x1=ends[0][0], y1=ends[0][1], x2=ends[1][0], y2=ends[1][1], class_="equal")
    marks = []
    for one, value in known:
        x, y = at(one.people, value)
        left = x > WIDE * 0.7
        marks.append(node("circle", cx=x, cy=y, r=5, class_="mark"))
        name = plain(one.editor)[:24]
        marks.append(node("text", name, x=x - 9 if left else x + 9, y=y + 4,
                          class_="name end" if left else "name"))  # fmt: skip
    told = f"{plain(ranked.dimension)}: editors' means by people and by {plain(ranked.measure)}"
    return _drawing(told, [*frame, line, *marks])


def curve_plot(found: Calibration, people: People, one: Calibrated) -> Html | None:
    """Edits by a measure's value and people's score, and the map from one to the other."""
    column = next((c for c in found.columns if c.name == one.measure), None)
    if column is None or one.map is None:
        return None
    keys = [key for key in sorted(people.scores) if key in column.values]
    keys = keys[:: max(1, len(keys) // MOST_POINTS)]
    x, y = around([column.values[k] for k in keys]), around([people.scores[k] for k in keys])
    at, frame = _frame(x, y, (plain(one.measure), f"{plain(people.dimension)}, opinion score"))
    points = [
        node("circle", cx=cx, cy=cy, r=3, class_="point")
        for cx, cy in (at(column.values[key], people.scores[key]) for key in keys)
    ]
    knots = [
        (x.low, one.map.y[0]),
        *zip(one.map.x, one.map.y, strict=True),
        (x.high, one.map.y[-1]),
    ]
    path = "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in (at(*knot) for knot in knots))
    told = f"{plain(people.dimension)} against {plain(one.measure)}, with the map between them"
    return _drawing(told, [*frame, *points, node("path", d=path, class_="path")])


def _frame(x: Axis, y: Axis, names: tuple[str, str]) -> tuple[At, list[Html]]:
    """Where a pair of values is drawn, and the axes with their numbers and names."""

    def at(across: float, up: float) -> tuple[float, float]:
        return (
            LEFT + (WIDE - LEFT - RIGHT) * x.at(across) / 100,
            HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * y.at(up) / 100,
        )

    return at, list(_axes(x, y, names, at))


def _axes(x: Axis, y: Axis, names: tuple[str, str], at: At) -> Iterator[Html]:
    for tick in y.ticks():
        _, down = at(x.low, tick)
        yield node("line", x1=LEFT, x2=WIDE - RIGHT, y1=down, y2=down, class_="axis")
        yield node("text", y.label(tick), x=LEFT - 8, y=down + 4, class_="end")
    for tick in x.ticks():
        across, _ = at(tick, y.low)
        yield node("line", x1=across, x2=across, y1=TOP, y2=HIGH - BOTTOM, class_="axis")
        yield node("text", x.label(tick), x=across, y=HIGH - BOTTOM + 16, class_="middle")
    middle = (LEFT + WIDE - RIGHT) / 2
    yield node("text", names[0], x=middle, y=HIGH - 6, class_="middle name")
    turn = f"translate(12 {(HIGH - BOTTOM + TOP) / 2:.0f}) rotate(-90)"
    yield node("text", names[1], transform=turn, class_="middle name")


def _drawing(told: str, parts: Sequence[Html]) -> Html:
    return node("svg", *parts, view_box=f"0 0 {WIDE} {HIGH}", role="img", aria_label=told,
                class_="curve-drawing")  # fmt: skip
