"""What is known of a run's measures and people as sheets, which page and terminal show alike."""

from collections.abc import Iterator, Sequence

from overpaint.measures.calibration import ALL, Agreement, HumanCeiling
from overpaint.measures.calibration_editors import Duel, Ranking, within_budget
from overpaint.measures.calibration_maps import Calibrated
from overpaint.measures.calibration_run import Calibration
from overpaint.measures.people import People
from overpaint.report.numbers import NO_BOUND, count, interval, number
from overpaint.report.sheets import Sheet
from overpaint.report.text import WIDTH, wide
from overpaint.report.wording import plain, status
from overpaint.stats.ceiling import Halves
from overpaint.stats.correlation import Correlation

CEILING = "people with people"
LEADS = {
    "order": "Each measure turned so that higher is better, against opinion scores; the sign is"
    " kept. Pairs: of the pairs of edits that people clearly put apart, the share that the measure"
    " orders alike; of one sample: of pairs of edits of one sample, which is choosing the better"
    " of two. 50 % is chance.",
    "line": "PLCC on the numbers as they are, and after a monotone logistic of four parameters,"
    " with the error that this leaves in points of people's scores.",
    "yes_no": "Against what most people answered. Area: how often an edit with yes stands above"
    " one with no, without any threshold; 50 % is chance. Says the same: of judges that answer"
    " yes or no themselves.",
}
CEILING_TOLD = (
    f"{CEILING}: raters split in halves at random, stepped up to whole panels (Spearman–Brown)"
)


def calibration_sheets(found: Calibration, budget: int | None = None) -> Iterator[Sheet]:
    """The sheets that have something to say, in the order in which they are read."""
    yield people_sheet(found)
    for people in found.people:
        yield from overall_sheets(found, people)
        yield from _task_sheets(found, people)
    yield rankings_sheet(found)
    if found.overall is not None:
        yield score_all_sheet(found)
    yield maps_sheet(found)
    for people in found.people:
        yield estimate_sheet(found, people)
        yield duel_sheet(found, people, budget)


# ── people ──────────────────────────────────────────────────────────────────────────────


def people_sheet(found: Calibration) -> Sheet:
    """What people rated, and what screening removed."""
    rows, remarks = [], []
    for people, covered in zip(found.people, found.coverage, strict=True):
        rows.append((
            people.dimension, "yes or no" if people.yes_no else "scale",
            f"{people.ratings:,}" if people.ratings else NO_BOUND,
            f"{people.raters:,}" if people.raters else NO_BOUND,
            f"{covered.rated:,}", f"{covered.scored:,} of {covered.edits:,}",
            percent_of(people.removed) if people.ratings else NO_BOUND,
            f"{len(people.rejected):,}" if people.ratings else NO_BOUND,
        ))  # fmt: skip
        if elsewhere := covered.rated - covered.here:
            told = count(elsewhere, "rated edit")
            remarks.append(f"{people.dimension}: {told} not in this run, left out.")
        remarks += [
            f"{people.dimension}: {who} is left out: {why}." for who, why in people.rejected.items()
        ]
        remarks += [f"{people.dimension}: {note}." for note in people.notes]
    remarks += [f"{name} is left out: {why}." for name, why in found.skipped.items()]
    heads = ("Dimension", "Kind", "Ratings", "Raters", "Edits rated", "Scored here", "Removed",
             "Raters left out")  # fmt: skip
    lead = "What people rated, and what screening removed before opinion scores were made."
    return Sheet("People", lead, heads, tuple(rows), tuple(remarks))


def percent_of(share: float) -> str:
    """A share with a decimal."""
    return f"{100 * share:.1f} %"


# ── measures ────────────────────────────────────────────────────────────────────────────


def overall_sheets(found: Calibration, people: People) -> Iterator[Sheet]:
    """Every measure against one dimension, over all tasks, the ceiling first."""
    which = (people.dimension, ALL)
    lines = [one for one in found.agreements if (one.dimension, one.part) == which]
    lines.sort(key=lambda one: -_sortable(one.headline))
    top = found.ceiling(people.dimension)
    why = (*(_ceiling_told(top) if top else ()), *_why(lines))
    title = f"{people.dimension}: measures"
    rows: list[tuple[str, ...]]
    heads: tuple[str, ...]
    if people.yes_no:
        rows = ([_answer_ceiling(top)] if top else []) + [_answered(one) for one in lines]
        heads = ("Measure", "Edits", "Area", "Says the same")
        yield Sheet(title, LEADS["yes_no"], heads, tuple(rows), why)
        return
    rows = ([_order_ceiling(top)] if top else []) + [_ordering(one) for one in lines]
    heads = ("Measure", "Edits", "SRCC", "KRCC", "Pairs", "of one sample")
    yield Sheet(title, LEADS["order"], heads, tuple(rows), why)
    rows = ([_line_ceiling(top)] if top else []) + [_lining(one) for one in lines]
    heads = ("Measure", "PLCC", "PLCC fitted", "RMSE fitted")
    yield Sheet(f"{people.dimension}: on a line and fitted", LEADS["line"], heads, tuple(rows))


def _sortable(found: Correlation | None) -> float:
    return found.value if found is not None and found.value is not None else -2.0


def _edits(one: Agreement) -> str:
    return f"{one.n:,} of {one.rated:,}" if one.n < one.rated else f"{one.n:,}"


def _answered(one: Agreement) -> tuple[str, ...]:
    return one.measure, _edits(one), shared(one.auc), shared(one.agreement)


def _ordering(one: Agreement) -> tuple[str, ...]:
    told = (spanned(one.srcc), spanned(one.krcc))
    return (one.measure, _edits(one), *told, shared(one.accuracy), shared(one.accuracy_within))


def _lining(one: Agreement) -> tuple[str, ...]:
    return one.measure, *map(spanned, (one.plcc, one.plcc_fitted, one.rmse_fitted))


def _answer_ceiling(one: HumanCeiling) -> tuple[str, ...]:
    return "one rater with the others", f"{one.edits:,}", NO_BOUND, shared(one.agreement)


def _order_ceiling(one: HumanCeiling) -> tuple[str, ...]:
    return CEILING, f"{one.edits:,}", _halved(one.srcc), _halved(one.krcc), NO_BOUND, NO_BOUND


def _line_ceiling(one: HumanCeiling) -> tuple[str, ...]:
    return CEILING, _halved(one.plcc), NO_BOUND, NO_BOUND


def _ceiling_told(one: HumanCeiling) -> Iterator[str]:
    if one.srcc is not None:
        most = number(one.srcc.best, 2)
        yield f"{CEILING_TOLD}; who knew the true opinion would reach an SRCC of {most}."
    yield from (f"{CEILING}: {note}." for note in one.notes)


def _why(lines: Sequence[Agreement]) -> Iterator[str]:
    """What is missing and why, each reason once."""
    notes: dict[str, list[str]] = {}
    for one in lines:
        missing = [f"{n:,} {status(name)}" for name, n in one.missing.items()]
        told = [f"without a score: {', '.join(missing)}"] if missing else []
        found = [c for c in (one.srcc, one.auc, one.plcc_fitted) if c is not None]
        told += [note for each in found for note in each.notes]
        for note in dict.fromkeys((*told, *one.notes)):
            notes.setdefault(note, []).append(one.measure)
    everyone = len(lines)
    for note, who in notes.items():
        yield f"{'All' if len(who) == everyone > 1 else ', '.join(who)}: {note}."


def _task_sheets(found: Calibration, people: People) -> Iterator[Sheet]:
    """Measures by task, in as many sheets as a terminal needs."""
    tasks = [part for part in found.parts if part != ALL]
    names = ordered(found, people.dimension)
    if not tasks or not names:
        return
    rows = {CEILING: [ceiling_told(found.ceiling(people.dimension, t)) for t in tasks]} | {
        name: [cell_told(found.agreement(name, people.dimension, t)) for t in tasks]
        for name in names
    }
    if not any(one.dimension == people.dimension for one in found.ceilings):
        del rows[CEILING]
    what = "area" if people.yes_no else "SRCC"
    first = max(wide(name) for name in rows)
    for place, block in enumerate(_blocks(tasks, first)):
        shown = tuple(
            (name, *(cells[tasks.index(task)] for task in block)) for name, cells in rows.items()
        )
        title = f"{people.dimension}: {what} by {found.by}" + (" (continued)" if place else "")
        few = f"{NO_BOUND}: fewer than 10 edits with both, or no variation." if not place else ""
        yield Sheet(title, few, ("Measure", *block), shown)


def ordered(found: Calibration, dimension: str) -> list[str]:
    """The measures, the one that goes best with people there first."""

    def height(name: str) -> float:
        one = found.agreement(name, dimension)
        return -_sortable(one.headline if one else None)

    return sorted(found.measures, key=height)


def _blocks(tasks: Sequence[str], first: int) -> Iterator[list[str]]:
    block: list[str] = []
    used = first
    for task in tasks:
        needed = 2 + max(wide(plain(task)), 5)
        if block and used + needed > WIDTH:
            yield block
            block, used = [], first
        block.append(task)
        used += needed
    yield block


def cell_told(one: Agreement | None) -> str:
    """The number of a cell of measures by tasks."""
    found = one.headline if one else None
    return number(found.value, 2) if found else NO_BOUND


def ceiling_told(one: HumanCeiling | None) -> str:
    """The ceiling of such a column."""
    if one is None or one.srcc is None:
        return NO_BOUND
    return number(one.srcc.panel, 2)


# ── editors ─────────────────────────────────────────────────────────────────────────────


def rankings_sheet(found: Calibration) -> Sheet:
    """How near every measure's ranking of editors is to people's."""
    rows = [
        (
            one.measure, one.dimension, f"{one.found.n:,}", number(one.found.spearman, 2),
            number(one.found.kendall, 2), number(one.rmse, 2), number(one.found.rmse_ranks, 2),
        )
        for one in found.rankings
    ]  # fmt: skip
    heads = ("Measure", "Dimension", "Editors", "SRCC", "KRCC", "RMSE of means", "of places")
    lead = (
        "Editors ranked by a measure's means and by people's, on the edits that both have. RMSE of"
        " means: on people's scale, by maps made of other sources."
    )
    few = {note: None for one in found.rankings for note in one.notes}
    return Sheet("Ranking of editors", lead, heads, tuple(rows), tuple(f"{n}." for n in few))


def score_all_sheet(found: Calibration) -> Sheet:
    """How near it is to the ranking by people's Score_all."""
    assert found.overall is not None
    told = ", ".join(f"{e} {number(s, 2)}" for e, s in found.overall.scores.items())
    rows = [
        (name, f"{one.n:,}", number(one.spearman, 2), number(one.kendall, 2), number(one.rmse, 2),
         number(one.rmse_ranks, 2))
        for name, one in found.overall.measures.items()
    ]  # fmt: skip
    heads = ("Measure", "Editors", "SRCC", "KRCC", "RMSE of means", "of places")
    lead = "Editors by Score_all = Q^0.3 · E^0.4 · P^0.3 of people's means, the best first: " + told
    return Sheet("Score_all", lead + ".", heads, tuple(rows), found.overall.notes)


def maps_sheet(found: Calibration) -> Sheet:
    """What every measure's map to people's scale is worth."""
    rows = [
        (one.measure, one.dimension, f"{one.n:,}", f"{one.sources:,}", spanned(one.rmse),
         number(one.rmse_of_mean, 2), _gain(one))
        for one in found.maps
    ]  # fmt: skip
    heads = ("Measure", "Dimension", "Edits", "Sources", "RMSE", "Telling the mean", "Explained")
    lead = (
        "Each measure mapped to people's scale, rising with it. RMSE on sources that the map was"
        " not made of, beside that of telling everyone the mean; explained: the share of squared"
        " error that it takes away."
    )
    why = {f"{one.measure}, {one.dimension}: {note}." for one in found.maps for note in one.notes}
    return Sheet("Calibration", lead, heads, tuple(rows), tuple(sorted(why)))


def _gain(one: Calibrated) -> str:
    return NO_BOUND if one.gain is None else f"{100 * one.gain:.0f} %".replace("-", "−")


def knots_sheet(one: Calibrated) -> Sheet:
    """A map as the points that straight lines go between."""
    assert one.map is not None
    rows = [(f"{x:.6g}", number(y, 2)) for x, y in zip(one.map.x, one.map.y, strict=True)]
    return Sheet("Map", "", (one.measure, one.dimension), tuple(rows))


def editors_sheet(ranked: Ranking) -> Sheet:
    """Editors' means by people and by a measure."""
    rows = [
        (one.editor, f"{one.n:,}", number(one.people, 2), f"{one.measure:.4g}", number(one.told, 2))
        for one in ranked.editors
    ]
    heads = ("Editor", "Edits", "People", ranked.measure, "on people's scale")
    return Sheet("Editors", "", heads, tuple(rows))


def estimate_sheet(found: Calibration, people: People) -> Sheet:
    """Editors' means from ratings alone, and with the scores of the measure that goes best."""
    mine = [one for one in found.estimates if one.dimension == people.dimension]
    rows, notes = [], dict[str, list[str]]()
    for one in mine:
        it = one.found
        rows.append((
            one.editor, f"{it.n:,}", f"{it.others:,}",
            _with(it.mean, it.mean_low, it.mean_high), _with(it.estimate, it.low, it.high),
            NO_BOUND if it.worth is None else f"{it.worth:,.0f}",
        ))  # fmt: skip
        for note in it.notes:
            notes.setdefault(note, []).append(one.editor)
    heads = ("Editor", "Rated", "Scored only", "Ratings alone", "With the measure", "Worth")
    helper = found.best(people.dimension)
    lead = (
        f"Means of {people.dimension} for all edits: from ratings alone, and with the scores that"
        f" {helper} gives edits nobody rated (prediction-powered; right if the rated ones are a"
        " random choice). Worth: how many rated edits alone would have such an interval."
    )
    told = (f"{_who(who, mine)}: {note}." for note, who in notes.items())
    return Sheet(f"{people.dimension}: editors", lead, heads, tuple(rows), tuple(told))


def _who(names: Sequence[str], of: Sequence[object]) -> str:
    return "All" if len(names) == len(of) > 1 else ", ".join(names)


def duel_sheet(found: Calibration, people: People, budget: int | None = None) -> Sheet:
    """Who of two neighbours is better, and how many more ratings would settle it."""
    mine = [one for one in found.duels if one.dimension == people.dimension]
    rows = [
        (
            f"{one.better} over {one.worse}", f"{one.found.n:,}",
            _with(one.found.estimate, one.found.low, one.found.high),
            "settled" if one.settled else "open", *_more(one),
        )
        for one in mine
    ]  # fmt: skip
    heads = ("Editors", "Samples", "Difference", "", "More ratings, alone", "with the measure")
    level = 100 * (1 - 0.05 / len(mine)) if mine else 95
    lead = (
        f"Neighbours in the ranking, on samples rated for both; intervals of {level:.3g} %, so"
        " that all of them hold at 95 %. More ratings: so that a difference as large as the one"
        " found would be shown with 80 % power, with as many raters an edit as now."
    )
    notes = {f"{one.better}, {one.worse}: {note}." for one in mine for note in _notes(one)}
    remarks = sorted(notes)
    if budget is not None and mine:
        remarks.append(_spent(mine, budget))
    return Sheet(f"{people.dimension}: neighbours", lead, heads, tuple(rows), tuple(remarks))


def _more(one: Duel) -> tuple[str, str]:
    if one.settled:
        return "0", "0"
    alone, helped = (
        NO_BOUND if n is None else f"{n:,}" for n in (one.ratings, one.ratings_with_judge)
    )
    return alone, helped


def _notes(one: Duel) -> tuple[str, ...]:
    return () if one.settled else tuple(dict.fromkeys((*one.found.notes, *one.needed.notes)))


def _spent(mine: Sequence[Duel], budget: int) -> str:
    chosen = within_budget(mine, budget)
    told = ", ".join(f"{one.better} over {one.worse}" for one in chosen)
    return f"{count(budget, 'more rating')} would settle: {told or 'none of the open ones'}."


# ── numbers ─────────────────────────────────────────────────────────────────────────────


def spanned(found: Correlation | None) -> str:
    """A coefficient with its interval."""
    if found is None:
        return NO_BOUND
    return _with(found.value, found.low, found.high)


def _with(value: float | None, low: float | None, high: float | None) -> str:
    span = interval(Correlation(value, low, high), 2)
    return f"{number(value, 2)} ({span})" if span and value is not None else number(value, 2)


def shared(found: Correlation | None) -> str:
    """A share in percent with its interval."""
    if found is None or found.value is None:
        return NO_BOUND
    ends = "" if found.low is None or found.high is None else (
        f" ({100 * found.low:.0f} – {100 * found.high:.0f})"
    )  # fmt: skip
    return f"{100 * found.value:.0f} %{ends}"


def _halved(half: Halves | None) -> str:
    return NO_BOUND if half is None else _with(half.panel, half.low, half.high)
