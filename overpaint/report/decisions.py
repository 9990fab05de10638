"""Layer decisions side by side: the editors, and what they get who look at nothing."""

from collections.abc import Iterator, Sequence

from overpaint.core import Measure
from overpaint.measures.milde_layers import Counts
from overpaint.report.numbers import NO_BOUND, margin, number
from overpaint.report.sheets import Sheet
from overpaint.report.tables import Entry, Tables
from overpaint.report.wording import absence

# Measure -> what counts call it, and its heading.
COLUMNS = {
    "layer_accuracy": ("accuracy", "accuracy"),
    "layer_balanced": ("balanced", "balanced"),
    "layer_precision": ("precision", "precision"),
    "layer_recall": ("recall", "recall"),
    "layer_exact": ("exact_share", "exact set"),
}
TITLE = "Layer decisions"
LEAD = (
    "Layers rightly chosen or kept, in percent with 95 % intervals, pooled over all layers: what"
    " was decided, also where no hand could do it. Balanced is the mean of recall (chosen of those"
    " that must change) and the share kept of those that must stay. Exact set: documents in which"
    " all and only the right layers were chosen."
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
    rows = [_row(tables, entry, measures) for entry in tables.ranked(measures[0])]
    floors = [_floor(name, counts, measures) for name, counts in tables.floors.items()]
    return Sheet(TITLE, LEAD, heads, (*rows, *floors), (REMARK,))


def _row(tables: Tables, entry: Entry, measures: Sequence[Measure]) -> tuple[str, ...]:
    role = "" if entry.role == "editor" else f" ({entry.role})"
    return (f"{entry.name}{role}", *_values(tables, entry, measures))


def _values(tables: Tables, entry: Entry, measures: Sequence[Measure]) -> Iterator[str]:
    for measure in measures:
        summary = tables.at(entry, measure)
        if summary.value is None:
            yield absence(summary, tables.why(entry, measure))
        else:
            parts = (number(summary.value, _DECIMALS), margin(summary, _DECIMALS))
            yield " ".join(part for part in parts if part)


def _floor(name: str, counts: Counts, measures: Sequence[Measure]) -> tuple[str, ...]:
    values = [getattr(counts, COLUMNS[measure.name][0]) for measure in measures]
    told = (NO_BOUND if value is None else number(value, _DECIMALS) for value in values)
    return (name, *told)
