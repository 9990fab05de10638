"""The loop a user would write instead: the same measures over the same files, and nothing else.

One process, or two plain ones over halves of the list; no rows are kept, nothing is supervised.
"""

import multiprocessing
import os
import time
from pathlib import Path
from typing import Any

from scale_run_data import PIXELS

from overpaint import catalog
from overpaint.core import Edit, Evidence
from overpaint.store import Store

# What Overpaint's workers get, too: one process a core, and no threads that fight.
ONE_THREAD = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
    "OPENCV_FOR_THREADS_NUM",
)  # fmt: skip


def bare_seconds(folder: Path, workers: int) -> float:
    """Seconds from when all processes are ready to when the last has done its part."""
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    with Store.open(folder) as store:
        edits = list(store.edits())
    context = multiprocessing.get_context("spawn")
    ready = context.Barrier(workers + 1)
    done = context.SimpleQueue()
    parts = [edits[n * len(edits) // workers : (n + 1) * len(edits) // workers]
             for n in range(workers)]  # fmt: skip
    processes = [context.Process(target=_loop, args=(part, ready, done)) for part in parts]
    for process in processes:
        process.start()
    ready.wait()
    started = time.perf_counter()
    values = sum(done.get() for _ in processes)
    seconds = time.perf_counter() - started
    assert values == len(edits) * len(PIXELS)
    return seconds


def _loop(edits: list[Edit], ready: Any, done: Any) -> None:
    measures = [catalog.measure(name) for name in PIXELS]
    for measure in measures:  # what is imported and compiled at first use
        list(measure.score(edits[:1], Evidence()))
    edits = [edit.__class__(edit.sample, edit.editor, "ok", edit.output) for edit in edits]
    evidence, values = Evidence(), 0
    ready.wait()
    for edit in edits:
        for measure in measures:
            (score,) = measure.score([edit], evidence)
            values += score.value is not None
    done.put(values)
