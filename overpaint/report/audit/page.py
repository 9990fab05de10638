"""The card of an audit as one HTML file that needs nothing else, and as JSON beside it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from overpaint.engines.damages import LEVELS
from overpaint.engines.probes import write_whole
from overpaint.report.audit import AuditCard, as_json, sorted_out
from overpaint.report.audit.looks import Look, looks
from overpaint.report.audit.verdicts import (
    FAULTS,
    MASKED,
    SOUND,
    Column,
    Grade,
    Line,
    Sight,
    told_share,
)
from overpaint.report.axes import around
from overpaint.report.markup import Child, Html, join, node
from overpaint.report.numbers import count, decimals_for, number
from overpaint.report.one_file import one_file
from overpaint.report.wording import plain, status
from overpaint.store import Store

WIDE, HIGH = 300, 132  # of a curve, in the units of its drawing
LEFT, TOP, BOTTOM = 44, 10, 22
_SHEETS = ("base.css", "tables.css", "audit.css")
_LISTS = {
    "missed": "What it did not notice",
    "not_its_job": "Not its job",
    "no_score": "Where it failed or gave no score",
}
_SIGHTS = {
    True: "change with",
    False: "do not change with",
    None: "do not show whether they depend on",
}
_LEAD = (
    "Each probe is a question whose right answer is known. The share is of samples in which the"
    " truth is scored better than the probe, with its 95 % interval; the median is of the scores."
)
_DAMAGE = (
    "Five levels of each damage, the stronger holding the weaker. Medians with their quartiles,"
    " from the truth at 0; a full dot is a level that is noticed."
)


def write_audit(store: Store, card: AuditCard) -> Path:
    """Write the card into its run; gives the page's path."""
    page = store.folder / "audit.html"
    write_whole(store.folder / "audit.json", as_json(card))
    write_whole(page, audit_page(card, looks(store)))
    return page


def audit_page(card: AuditCard, shown: Mapping[str, Look]) -> str:
    """The page."""
    title = ", ".join(plain(column.measure) for column in card.columns)
    facts = (
        f"{count(card.samples, 'sample')} of {plain(card.benchmark)}",
        f"{count(card.probes, 'probe')} each",
        f"seed {card.seed}",
    )
    top = node(
        "header", node("p", "Overpaint audit", class_="kicker"), node("h1", title),
        node("p", *(node("span", fact) for fact in facts),
             node("span", card.card_id, class_="card-id"), class_="facts"),
        class_="top",
    )  # fmt: skip
    body = node("body", top, node("main", *_sections(card, shown)))
    return one_file(f"{title} · Overpaint audit", body, *_SHEETS, pictures=True)


def _sections(card: AuditCard, shown: Mapping[str, Look]) -> Iterator[Html]:
    yield _section("In short", None, node("div", *map(_short, card.columns), class_="short"))
    yield _section("Probes", _LEAD, node("div", _table(card, shown), class_="scroll"))
    if grades := [grade for column in card.columns[:1] for grade in column.grades]:
        parts = [_damage(card, place, shown) for place in range(len(grades))]
        yield _section("Graded damage", _DAMAGE, *parts)
    told = (*card.rules, f"Cost: {card.cost}")
    rules = node("ul", *(node("li", rule) for rule in told), class_="rules")
    yield _section("How verdicts are computed", None, rules)


def _section(title: str, lead: str | None, *parts: Html) -> Html:
    return node("section", node("h2", title), node("p", lead, class_="lead") if lead else None,
                *parts)  # fmt: skip


# ── in short ────────────────────────────────────────────────────────────────────────────────


def _short(column: Column) -> Html:
    better = "higher is better" if column.higher_is_better else "lower is better"
    found = sorted_out(column)
    lists = [_list(title, found[key]) for key, title in _LISTS.items() if found[key]]
    ordered, of = column.chain
    chain = (
        f"Truth, JPEG 85, JPEG 5 and a white page are scored in that order in {ordered} of"
        f" {count(of, 'sample')}." if of else None
    )  # fmt: skip
    return node(
        "figure",
        node("h3", plain(column.measure)),
        node(
            "p", f"{_begun(column.about.rstrip('.') or 'no description')}; {better}", class_="quiet"
        ),
        node("p", column.headline, class_="headline"),
        _sights(column),
        _named("What it noticed", [one for one in found["noticed"] if one.verdict == "noticed"]),
        _named(
            "Rightly held harmless, equal or best",
            [one for one in found["noticed"] if one.verdict != "noticed"],
        ),
        *lists,
        node("p", chain, class_="quiet") if chain else None,
        node("p", _counts(column), class_="quiet"),
    )


def _sights(column: Column) -> Html | None:
    """A sentence on what its scores change with."""
    parts = [
        f"{verb} {_listed([_place(sight) for sight in column.sights if sight.looks is looks])}"
        for looks, verb in _SIGHTS.items()
        if any(sight.looks is looks for sight in column.sights)
    ]
    return node("p", f"Its scores {'; '.join(parts)}.") if parts else None


def _place(sight: Sight) -> str:
    part = f"what is {sight.where} the mask" if sight.where in MASKED else f"the {sight.where}"
    some = sight.looks and sight.changed < sight.of
    return f"{part} (in {sight.changed} of {sight.of} samples)" if some else part


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _named(title: str, found: Sequence[Line | Grade]) -> Html | None:
    """Findings by name alone; of a damage, also from where on."""
    names = [f"{one.title} ({one.why})" if isinstance(one, Grade) else one.title for one in found]
    return join(node("h4", title), node("p", "; ".join(names) + ".")) if names else None


def _list(title: str, found: Sequence[Line | Grade]) -> Html:
    items = []
    for one in found:
        told = one.why if one.verdict == "not its job" else f"{one.verdict}: {one.why}"
        items.append(node("li", one.title, node("span", f" · {told}")))
    return join(node("h4", title), node("ul", *items))


def _counts(column: Column) -> str:
    told = [f"{n:,} {status(name)}" for name, n in column.statuses.items()]
    return f"{count(sum(column.statuses.values()), 'question')}: {', '.join(told)}."


# ── probes ──────────────────────────────────────────────────────────────────────────────────


def _table(card: AuditCard, shown: Mapping[str, Look]) -> Html:
    names = [column.measure for column in card.columns]
    head = node("tr", node("th", "Probe"), *(node("th", plain(c.measure)) for c in card.columns))
    lines = list(zip(*(column.lines for column in card.columns), strict=True))
    bodies = []
    for group, rows in groupby(lines, key=lambda row: row[0].group):
        name = node("tr", node("th", _begun(group), colspan=len(card.columns) + 1), class_="group")
        bodies.append(node("tbody", name, *(_row(row, names, shown) for row in rows)))
    return node("table", node("thead", head), *bodies, class_="probes")


def _row(row: Sequence[Line], measures: Sequence[str], shown: Mapping[str, Look]) -> Html:
    line = row[0]
    look = shown.get(line.probe)
    asked = f"Here: {look.instruction}" if look and line.group == "instruction" else None
    told = node("span", node("b", _begun(line.title)), node("small", f"{_begun(line.expected)}."),
                node("small", asked) if asked else None)  # fmt: skip
    picture = _picture(look, line.title) or node("span")
    cells = [_cell(one, look.said.get(name, "") if look else "")
             for one, name in zip(row, measures, strict=True)]  # fmt: skip
    return node("tr", node("th", node("div", picture, told, class_="probe")), *cells)


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def _picture(look: Look | None, title: str) -> Html | None:
    if look is None:
        return None
    image = node("img", src=look.data, alt=f"probe: {title}")
    return node("a", image, href=look.path, class_="look")


def _cell(line: Line, said: str) -> Html:
    facts: list[Child] = [line.why] if line.claim != "worse" or not line.share else [
        told_share(line.share)
    ]  # fmt: skip
    if line.median is not None:
        facts.append(f"median {_value(line.median)}")
    odd = {k: n for k, n in line.statuses.items() if k != "ok"}
    facts += [f"{n} {status(name)}" for name, n in odd.items()]
    facts += [plain(reason)[:200] for reason in list(line.reasons)[:1]]
    small = [node("small", fact) for fact in facts if fact]
    quote = node("small", f"of this one: “{said}”") if said else None
    return node("td", _verdict(line.verdict), *small, quote)


def _verdict(verdict: str) -> Html:
    kind = "sound" if verdict in SOUND else "fault" if verdict in FAULTS else (
        "unscored" if verdict == "no score" else "apart"
    )  # fmt: skip
    return node("span", verdict, class_=f"verdict {kind}")


def _value(value: float) -> str:
    """A score to read, without zeros at its end."""
    text = number(value, decimals_for([value]))
    return text.rstrip("0").rstrip(".") if "." in text else text


# ── damage ──────────────────────────────────────────────────────────────────────────────────


def _damage(card: AuditCard, place: int, shown: Mapping[str, Look]) -> Html:
    first = card.columns[0].grades[place]
    strip = []
    for level in first.levels:
        words = level.title.rpartition(": ")[2]
        strip.append(node("li", _picture(shown.get(level.probe), level.title), words))
    curves = [_curve(column, column.grades[place]) for column in card.columns]
    return node("figure", node("h3", _begun(first.title)), node("ol", *strip, class_="levels"),
                node("div", *curves, class_="curves"), class_="damage")  # fmt: skip


@dataclass(frozen=True)
class _Point:
    level: int
    value: float
    low: float
    high: float
    seen: bool


def _curve(column: Column, grade: Grade) -> Html:
    """The medians of the levels over their quartiles, and the verdict above."""
    told = node("p", f"{plain(column.measure)} ", _verdict(grade.verdict), " ",
                node("small", grade.why, class_="quiet"))  # fmt: skip
    points = _points(column, grade)
    return node("div", told, _drawn(points, grade.title) if points else None, class_="curve")


def _points(column: Column, grade: Grade) -> list[_Point]:
    truth = [line for line in column.lines if line.probe == "truth"]
    lines = dict(enumerate(grade.levels, 1)) | dict(enumerate(truth))
    found = []
    for level, line in sorted(lines.items()):
        if line.median is not None:
            low, high = line.quartiles or (line.median, line.median)
            found.append(_Point(level, line.median, low, high, line.verdict == "noticed"))
    return found


def _drawn(points: Sequence[_Point], title: str) -> Html:
    axis = around([value for p in points for value in (p.value, p.low, p.high)])

    def at(level: int, value: float) -> tuple[float, float]:
        across = LEFT + (WIDE - LEFT - 12) * level / LEVELS
        return across, HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * axis.at(value) / 100

    def path(places: Sequence[tuple[float, float]]) -> str:
        return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)

    band = [at(p.level, p.high) for p in points] + [at(p.level, p.low) for p in reversed(points)]
    middle = [at(p.level, p.value) for p in points]
    marks = [node("path", d=f"{path(band)}Z", class_="band"),
             node("path", d=path(middle), class_="path")]  # fmt: skip
    for p in points:
        x, y = at(p.level, p.value)
        kind = "seen" if p.seen else "unseen"
        tip = node("title", f"level {p.level}: median {_value(p.value)}")
        marks.append(node("circle", tip, cx=x, cy=y, r=4, class_=kind))
    grid = []
    for tick in axis.ticks()[:: max(1, len(axis.ticks()) // 3)]:
        _, y = at(0, tick)
        grid.append(node("line", x1=LEFT, x2=WIDE, y1=y, y2=y, class_="axis"))
        grid.append(node("text", axis.label(tick), x=LEFT - 8, y=y + 4, class_="end"))
    foot = [node("text", level, x=at(level, axis.low)[0], y=HIGH - 4, class_="middle")
            for level in range(LEVELS + 1)]  # fmt: skip
    return node("svg", *grid, *foot, *marks, view_box=f"0 0 {WIDE} {HIGH}", role="img",
                aria_label=f"median score by level of {title}")  # fmt: skip
