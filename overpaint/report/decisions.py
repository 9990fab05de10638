"""Layer decisions side by side: the editors, and what they get who look at nothing."""

from collections.abc import Iterator, Sequence

from overpaint.core import Measure
from overpaint.measures.milde_layers import Counts
from overpaint.report.numbers import NO_BOUND, margin, number, percent
from overpaint.report.sheets import Sheet
from overpaint.report.tables import Entry, Tables
from overpaint.report.wording import absence

# Measure -> what counts call it, and its heading.
COLUMNS = {
    "layer_accuracy": ("accuracy", "accuracy"),
    "layer_balanced": ("balanced", "balanced"),
    "layer_precision": ("precision", "precision"),
    "layer_recall": ("recall", "recall"),
    "layer_specificity": ("specificity", "kept"),
    "layer_exact": ("exact_share", "exact set"),
}
TITLE = "Layer decisions"
LEAD = (
    "Layers rightly chosen or kept, in percent with 95 % intervals, pooled over all layers: what"
    " was decided, also where no hand could do it. Recall is what was chosen of those that must"
    " change, kept is what was kept of those that must stay, balanced is the mean of the two. Exact"
    " set: documents in which all and only the right layers were chosen."
)
REMARK = (
    "The last three rows look at nothing: they edit no layer, every layer, every text layer of"
    " every document. A decision is worth what it has beyond them."
)
_DECIMALS = 1


def decisions_sheet(tables: Tables) -> Sheet | None:
    """Editors and floors by each share; None where the run has no such scores."""
    measures = [measure for measure in tables.measures if measure.name in COLUMNS]
    measures.sort(key=lambda measure: [*COLUMNS].index(measure.name))
    if not measures or not tables.floors:
        return None
    heads = ("editor", *(f"{COLUMNS[measure.name][1]} %" for measure in measures))
    rows = [
        _row(tables, entry, measures)
        for entry in tables.ranked(measures[0])
        if entry.role == "editor" or any(tables.at(entry, one).scored for one in measures)
    ]
    floors = [_floor(name, counts, measures) for name, counts in tables.floors.items()]
    return Sheet(TITLE, LEAD, heads, (*rows, *floors), (REMARK,))


def undecided(tables: Tables) -> tuple[Measure, ...]:
    """The measures that are not in that table; all of them, where there is none or no other."""
    if decisions_sheet(tables) is None:
        return tables.measures
    return tuple(one for one in tables.measures if one.name not in COLUMNS) or tables.measures


def _row(tables: Tables, entry: Entry, measures: Sequence[Measure]) -> tuple[str, ...]:
    role = "" if entry.role == "editor" else f" ({entry.role})"
    return (f"{entry.name}{role}", *_values(tables, entry, measures))


def _values(tables: Tables, entry: Entry, measures: Sequence[Measure]) -> Iterator[str]:
    for measure in measures:
        summary = tables.at(entry, measure)
        if summary.value is None:
            yield absence(summary, tables.why(entry, measure))
        else:
            share = percent(summary.scored, summary.n) if summary.scored < summary.n else ""
            parts = (number(summary.value, _DECIMALS), margin(summary, _DECIMALS), share)
            yield " ".join(part for part in parts if part)


def _floor(name: str, counts: Counts, measures: Sequence[Measure]) -> tuple[str, ...]:
    values = [getattr(counts, COLUMNS[measure.name][0]) for measure in measures]
    told = (NO_BOUND if value is None else number(value, _DECIMALS) for value in values)
    return (name, *told)
