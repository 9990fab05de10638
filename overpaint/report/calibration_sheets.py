"""What is known of a run's measures and people as sheets, which page and terminal show alike."""

from collections.abc import Iterator, Sequence

from overpaint.measures.calibration import ALL, FEWEST, Agreement, HumanCeiling
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
RESCALED = (
    "Opinion scores are rescaled z-scores: 50 is a rater's average, and not a place on the scale"
    " that was rated on."
)
CEILING_TOLD = (
    f"{CEILING}: raters split in halves at random, stepped up to whole panels (Spearman–Brown)"
)


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
        remarks += [f"{people.dimension}: {told}." for told in (*_left_out(people), *people.notes)]
    remarks += [f"{name} is left out: {why}." for name, why in found.skipped.items()]
    heads = ("Dimension", "Kind", "Ratings", "Raters", "Edits rated", "Scored here", "Removed",
             "Raters left out")  # fmt: skip
    lead = "What people rated, and what screening removed before opinion scores were made."
    if any(map(rescaled, found.people)):
        lead += f" {RESCALED}"
    return Sheet("People", lead, heads, tuple(rows), tuple(remarks))


def rescaled(people: People) -> bool:
    """Whether its scores are on another scale than the ratings."""
    return not people.yes_no and people.scores != people.means


def _left_out(people: People) -> Iterator[str]:
    """Which raters, each reason once."""
    reasons: dict[str, list[str]] = {}
    for who, why in people.rejected.items():
        reasons.setdefault(why, []).append(who)
    for why, raters in reasons.items():
        yield f"{', '.join(raters)} {'is' if len(raters) == 1 else 'are'} left out: {why}"


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
        best = one.srcc.best
        most = f"; who knew the true opinion would reach an SRCC of {number(best, 2)}"
        yield CEILING_TOLD + (most if best is not None else "") + "."
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


def task_sheets(found: Calibration, people: People) -> Iterator[Sheet]:
    """Measures by task, in as many sheets as a terminal needs."""
    names = ordered(found, people.dimension)
    every = [part for part in found.parts if part != ALL]
    tasks = [
        t for t in every if any(_known(found.agreement(n, people.dimension, t)) for n in names)
    ]
    if not tasks:
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
        few = f"{NO_BOUND}: fewer than {FEWEST} edits with both, or no variation."
        lost = [plain(task) for task in every if task not in tasks]
        told = f"{few} So it is in all of {', '.join(lost)}." if lost else few
        yield Sheet(title, told if not place else "", ("Measure", *block), shown)


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


def _known(one: Agreement | None) -> bool:
    found = one.headline if one else None
    return found is not None and found.value is not None


def cell_told(one: Agreement | None) -> str:
    """The number of a cell of measures by tasks."""
    found = one.headline if one else None
    return number(found.value, 2) if found else NO_BOUND


def ceiling_told(one: HumanCeiling | None) -> str:
    """The ceiling of such a column."""
    if one is None or one.srcc is None:
        return NO_BOUND
    return number(one.srcc.panel, 2)


# ── numbers ─────────────────────────────────────────────────────────────────────────────


def spanned(found: Correlation | None) -> str:
    """A coefficient with its interval."""
    if found is None:
        return NO_BOUND
    return with_interval(found.value, found.low, found.high)


def with_interval(value: float | None, low: float | None, high: float | None) -> str:
    """A number with the ends of its interval, where it has one."""
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
    return NO_BOUND if half is None else with_interval(half.panel, half.low, half.high)
