"""What a reader wants to know first: whose ratings these are, and which measure goes with them."""

from collections.abc import Iterator

from overpaint.measures.calibration import Agreement
from overpaint.measures.calibration_run import Calibration
from overpaint.measures.people import People
from overpaint.report.calibration_sheets import CEILING, ordered, shared, spanned
from overpaint.report.numbers import number
from overpaint.report.wording import plain

MOST = 4  # measures named beside the best; more are counted


def opening(found: Calibration) -> Iterator[str]:
    """Whose ratings, where that is known, who has seen them, and then one line a dimension."""
    if found.whose:
        yield plain(f"Ratings: {found.whose}")
    taught = [column for column in found.columns if column.learned_here]
    for name, what in dict.fromkeys((c.name.partition("@")[2], c.learned_here) for c in taught):
        yield plain(f"@{name}: {what}, so that its agreement here tells nothing.")
    for people in found.people:
        yield plain(f"{people.dimension}: {_best_told(found, people)}{_ceiling(found, people)}")


def _best_told(found: Calibration, people: People) -> str:
    """The measure that goes best with people, and those that are not clearly worse."""
    agreed = [found.agreement(name, people.dimension) for name in ordered(found, people.dimension)]
    known = [one for one in agreed if one is not None and _value(one) is not None]
    if not known:
        return "no measure has enough edits with both"
    best = known[0]
    number_of = f"area {shared(best.auc)}" if people.yes_no else spanned(best.srcc)
    told = f"{best.measure} {number_of}"
    chance = 0.5 if people.yes_no else 0.0
    if best.headline is None or best.headline.low is None or best.headline.low <= chance:
        return f"{told}, which may be chance"
    near = [one.measure for one in known[1:] if _reaches(one, best)]
    if not near:
        return told
    more = f" and {len(near) - MOST} more" if len(near) > MOST else ""
    return f"{told}, not clearly better than {', '.join(near[:MOST])}{more}"


def _value(one: Agreement) -> float | None:
    return one.headline.value if one.headline is not None else None


def _reaches(one: Agreement, best: Agreement) -> bool:
    """Whether its interval holds the best one's value."""
    level, high = _value(best), one.headline.high if one.headline is not None else None
    return level is not None and high is not None and high >= level


def _ceiling(found: Calibration, people: People) -> str:
    top = found.ceiling(people.dimension)
    if top is None or top.srcc is None or top.srcc.panel is None:
        return ""
    return f"; {CEILING} {number(top.srcc.panel, 2)}"
