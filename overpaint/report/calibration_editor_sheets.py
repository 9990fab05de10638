"""Editors, as people and measures rank them, as sheets; and maps to people's scale."""

from collections.abc import Sequence

from overpaint.measures.calibration_editors import LEVEL, Duel, Ranking, within_budget
from overpaint.measures.calibration_maps import Calibrated
from overpaint.measures.calibration_run import Calibration
from overpaint.measures.people import People
from overpaint.report.calibration_sheets import rescaled, spanned, with_interval
from overpaint.report.numbers import NO_BOUND, count, number
from overpaint.report.sheets import Sheet
from overpaint.stats.prediction import NO_OTHERS, STEADY

ALL_RATED = "every edit is rated, so the measure has nothing to add"


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
        " means: on people's scale, by maps made of other sources; where both answer yes or no, of"
        " their shares of yes."
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
    return NO_BOUND if one.gain is None else f"{round(100 * one.gain)} %".replace("-", "−")


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
            with_interval(it.mean, it.mean_low, it.mean_high),
            with_interval(it.estimate, it.low, it.high),
            NO_BOUND if it.worth is None else f"{it.worth:,.0f}",
        ))  # fmt: skip
        for note in _better_put(it.notes, found, people, (one.editor,)):
            notes.setdefault(note, []).append(one.editor)
    heads = ("Editor", "Rated", "Scored only", "Ratings alone", "With the measure", "Worth")
    helper = found.best(people.dimension)
    scale = " (opinion scores: 50 is a rater's average)" if rescaled(people) else ""
    lead = (
        f"Means of {people.dimension}{scale} for all edits: from ratings alone, and with the"
        f" scores that {helper} gives edits nobody rated (prediction-powered; right if the"
        " rated ones are a random choice). Worth: how many rated edits alone would"
        " have such an interval."
    )
    told = (_remark(note, _who(who, mine)) for note, who in notes.items())
    return Sheet(f"{people.dimension}: editors", lead, heads, tuple(rows), tuple(told))


def _who(names: Sequence[str], of: Sequence[object]) -> str:
    return "All" if len(names) == len(of) > 1 else ", ".join(names)


def _remark(note: str, who: str) -> str:
    return f"E{note[1:]}." if (note, who) == (ALL_RATED, "All") else f"{who}: {note}."


def _better_put(
    notes: Sequence[str], found: Calibration, people: People, editors: Sequence[str]
) -> list[str]:
    """The notes; that no other edit is judged means something else where all of them are rated."""
    helper = found.best(people.dimension)
    judged = (key for column in found.columns if column.name == helper for key in column.values)
    whole = all(key in people.means for key in judged if key[1] in editors)
    return [ALL_RATED if whole and note == NO_OTHERS else note for note in notes]


def duel_sheet(found: Calibration, people: People, budget: int | None = None) -> Sheet:
    """Who of two neighbours is better, and how many more ratings would settle it."""
    mine = [one for one in found.duels if one.dimension == people.dimension]
    rows = [
        (
            f"{one.better} over {one.worse}", f"{one.found.n:,}",
            with_interval(one.found.estimate, one.found.low, one.found.high),
            _now(one), *_more(one),
        )
        for one in mine
    ]  # fmt: skip
    heads = ("Editors", "Samples", "Difference", "Now", "More ratings, alone", "with the measure")
    level = 100 * (1 - LEVEL / max(len(mine), 1))
    lead = (
        f"Neighbours in the ranking, on samples rated for both; intervals of {level:.3g} %, so"
        " that all of them hold at 95 %. More ratings: so that a difference as large as the one"
        " found would be shown with 80 % power, with as many raters an edit as now."
    )
    notes: dict[str, list[str]] = {}
    for one in mine:
        for note in _better_put(_notes(one), found, people, (one.better, one.worse)):
            notes.setdefault(note, []).append(f"{one.better} over {one.worse}")
    remarks = [_remark(note, _who(who, mine)) for note, who in notes.items()]
    if budget is not None and mine:
        remarks.append(_spent(mine, budget))
    return Sheet(f"{people.dimension}: neighbours", lead, heads, tuple(rows), tuple(remarks))


def _now(one: Duel) -> str:
    """How it stands; where all samples say the same there is no interval to go by."""
    if one.settled:
        return "settled"
    if one.found.estimate == 0:
        return "tied"
    return "unanimous" if STEADY in one.found.notes else "open"


def _more(one: Duel) -> tuple[str, str]:
    if one.settled:
        return "0", "0"
    alone, helped = (
        NO_BOUND if n is None else f"{n:,}" for n in (one.ratings, one.ratings_with_judge)
    )
    return alone, helped


def _notes(one: Duel) -> tuple[str, ...]:
    if one.settled:
        return ()
    if STEADY in one.found.notes:
        return one.found.notes
    return tuple(dict.fromkeys((*one.found.notes, *one.needed.notes)))


def _spent(mine: Sequence[Duel], budget: int) -> str:
    chosen = within_budget(mine, budget)
    told = ", ".join(f"{one.better} over {one.worse}" for one in chosen)
    return f"{count(budget, 'more rating')} would settle: {told or 'none of the open ones'}."
