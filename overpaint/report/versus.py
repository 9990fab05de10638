"""Editor against editor over all samples of a run, whichever of them the gallery shows."""

from overpaint.report.tables import Tables

Wins = list[list[tuple[int, int]]]


def head_to_head(tables: Tables) -> list[Wins]:
    """By measure, editor and other: on how many samples it is better, and on how many equal."""
    return [_wins(tables, measure.name, measure.higher_is_better) for measure in tables.measures]


def _wins(tables: Tables, measure: str, up: bool) -> Wins:
    values = [tables.columns.of(entry.name, measure).values for entry in tables.entries]
    sign = 1 if up else -1
    return [
        # What is not known, NaN, is neither more than nor equal to anything.
        [(int((sign * (a - b) > 0).sum()), int((a == b).sum())) for b in values]
        for a in values
    ]
