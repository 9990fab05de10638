"""What a run never came to, which no retry takes up, and the command that goes on with it."""

from overpaint import catalog
from overpaint.errors import OverpaintError
from overpaint.report.numbers import count
from overpaint.report.wording import typed
from overpaint.store import Store, reading
from overpaint.store.bundles import IMPORTED
from overpaint.store.trusting import check_code


def told_of_unfinished(store: Store) -> str:
    """A line on the edits and scores that were never made; nothing where all were."""
    makers = [name for name, spec in store.editors.items() if not spec.startswith(f"{IMPORTED}:")]
    edits = sum(1 for _ in store.missing_edits([*reading.ids(store).values()], makers))
    lacking = store.missing_scores(list(store.measures))
    scores = sum(len(measures) for _, _, _, measures in lacking)
    if not edits and not scores:
        return ""
    told = f"{count(edits, 'edit')} and {count(scores, 'score')} were never made"
    what = f"`{command}`" if (command := _going_on(store)) else "The same `overpaint run`"
    return f"The run is not finished: {told}. {what} goes on with it."


def _going_on(store: Store) -> str:
    """The last command that made edits, as the run noted it.

    A run that somebody else made can note any: one that would start code, or ask servers, that
    were not named on this machine is not put into anybody's hand.
    """
    noted = [entry.get("command") for entry in store.info.get("commands", [])]
    made = [one for one in noted if isinstance(one, list) and one[1:2] in (["run"], ["demo"])]
    if not made or not typed(made[-1]).startswith("overpaint "):
        return ""
    try:
        specs = [catalog.editor_name(str(word))[1] for word in made[-1][1:]]
        check_code(specs, store.folder, working=True)
    except OverpaintError:
        return ""
    return typed(made[-1])
