"""What a run never came to, which no retry takes up, and what goes on with it."""

from overpaint.report.numbers import count
from overpaint.store import Store, reading
from overpaint.store.bundles import IMPORTED


def told_of_unfinished(store: Store) -> str:
    """A line on the edits and scores that were never made; nothing where all were."""
    makers = [name for name, spec in store.editors.items() if not spec.startswith(f"{IMPORTED}:")]
    edits = sum(1 for _ in store.missing_edits([*reading.ids(store).values()], makers))
    lacking = store.missing_scores(list(store.measures))
    scores = sum(len(measures) for _, _, _, measures in lacking)
    if not edits and not scores:
        return ""
    told = f"{count(edits, 'edit')} and {count(scores, 'score')} were never made"
    return f"The run is not finished: {told}. The same `overpaint run` goes on with it."
