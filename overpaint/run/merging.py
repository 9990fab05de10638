"""Merging runs, and scoring their sets of edits, which are other sets now."""

from collections.abc import Sequence
from pathlib import Path

from overpaint.run.passes import Settings
from overpaint.run.sets import make_sets
from overpaint.store import Store
from overpaint.store.claiming import claimed
from overpaint.store.merging import Merged
from overpaint.store.merging import merge as merge_rows
from overpaint.store.record import log_command


def merge(runs: Sequence[Path], out: Path, settings: Settings = Settings()) -> Merged:  # noqa: B008
    """Put runs of one protocol together in `out`: what they would be had they been one."""
    merged = merge_rows(runs, out, settings.progress)
    with Store.open(out) as store, claimed(store):
        log_command(store)
        make_sets(store, settings)
    return merged
