"""What the runner costs beside the work itself: time for each row, and the parent's memory.

The measures do nothing, so all the time is the runner's: tasks to workers, scores back, rows into
SQLite. Beside it, what a user would otherwise write: a ProcessPoolExecutor over the same items
that appends each result to a JSONL file (no resume, no deadline, no memory limit).
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from overpaint.core import Card, Edit, Evidence, Loaded, Measure, Request, Sample, each
from overpaint.document import Document
from overpaint.document.pictures import encode_png

SIZES = (1_000, 10_000)
WORKERS = 2
MEASURES = ("one", "two", "three", "four", "five")
HERE = Path(__file__).resolve()


def nothing(edit: Edit, evidence: Evidence) -> float:
    """A measure's least: it costs nothing and says so."""
    return 0.0


def _idle(name: str) -> Measure:
    return Measure(name, each(name, nothing), True, 0.0, 1.0)


one, two, three, four, five = map(_idle, MEASURES)


CARD = Card("many", "one picture", "source", "all", "none", "none", "mean", "count", ())


@dataclass(frozen=True)
class Many:
    """As many samples as the data folder's name says, all of one tiny picture."""

    measures: tuple[str, ...] = tuple(f"{HERE}:{name}" for name in MEASURES)
    breakdowns: tuple[str, ...] = ("parity",)
    card: Card = CARD

    def load(self, data: Path | None) -> Loaded:
        assert data is not None
        source = Document(data / "source.png")
        samples = (self._sample(source, n) for n in range(int(data.name)))
        return Loaded(tuple(samples))

    def _sample(self, source: Document, n: int) -> Sample:
        words = f'Change the line numbered {n} from "before" to "after", and nothing else.'
        request = Request(source, words, names=(f"set/{n:06}",))
        return Sample(f"set/{n:06}", request, tags={"parity": str(n % 2)}, cluster=str(n // 2))


many = Many()


def measure_run(edits: int, folder: Path) -> dict[str, float]:
    """One whole run in this process: seconds of each pass, and the parent's peak memory."""
    from overpaint.run import Settings, run

    data = folder / str(edits)
    data.mkdir(parents=True)
    (data / "source.png").write_bytes(encode_png(np.full((16, 16, 3), 200, np.uint8)))
    marks: dict[str, list[float]] = {}
    peak = [0]

    def progress(label: str, done: int, total: int) -> None:
        marks.setdefault(label, []).append(time.perf_counter())
        if done % 500 == 0 or done == total:
            peak[0] = max(peak[0], psutil.Process().memory_info().rss)

    run(f"{HERE}:many", data=data, editors=["identity"], floors=False, out=folder / "run",
        settings=Settings(workers=WORKERS, progress=progress))  # fmt: skip
    # From the first row to the last: starting two interpreters is not a cost per row.
    spans = {label: (times[-1] - times[0]) / (len(times) - 1) for label, times in marks.items()}
    return {"edit_ms": spans["editing"] * 1e3, "score_ms": spans["scoring"] * 1e3,
            "parent_mb": peak[0] / 2**20}  # fmt: skip


def bare_item(sample: Sample, measure: str) -> tuple[str, str, float]:
    """What the bare loop's workers do: the same nothing."""
    return sample.id, measure, 0.0


def measure_bare(edits: int, folder: Path) -> float:
    """Milliseconds for each row of a plain pool that appends JSON lines."""
    source = Document(folder / str(edits) / "source.png")
    samples = [Many()._sample(source, n) for n in range(edits)]
    with ProcessPoolExecutor(WORKERS) as pool, (folder / "rows.jsonl").open("w") as out:
        pool.submit(bare_item, samples[0], "warm").result()
        started = time.perf_counter()
        jobs = [pool.submit(bare_item, sample, name) for sample in samples for name in MEASURES]
        for job in jobs:
            out.write(json.dumps(job.result()) + "\n")
    return (time.perf_counter() - started) / len(jobs) * 1e3


def main() -> None:
    """Each size in a process of its own, so that one's memory is not another's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        with tempfile.TemporaryDirectory() as folder:
            found = measure_run(args.one, Path(folder))
            found["bare_ms"] = measure_bare(args.one, Path(folder))
        print(json.dumps(found))
        return
    rows: dict[int, dict[str, Any]] = {}
    for size in SIZES:
        command = [sys.executable, str(HERE), "--one", str(size)]
        rows[size] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    print(f"{WORKERS} workers, {len(MEASURES)} measures that do nothing\n")
    print(f"{'edits':>8} {'ms an edit':>12} {'ms a score':>12} {'bare pool':>12} {'parent MB':>12}")
    for size, row in rows.items():
        print(f"{size:>8,} {row['edit_ms']:>12.3f} {row['score_ms']:>12.3f}"
              f" {row['bare_ms']:>12.3f} {row['parent_mb']:>12.0f}")  # fmt: skip
    small, large = (rows[size] for size in SIZES)
    print(json.dumps({
        "overhead_ms_per_score": round(large["score_ms"], 4),
        "overhead_ms_per_edit": round(large["edit_ms"], 4),
        "score_vs_bare_pool": round(large["score_ms"] / large["bare_ms"], 2),
        "parent_mb_1000": round(small["parent_mb"]), "parent_mb_10000": round(large["parent_mb"]),
    }))  # fmt: skip


if __name__ == "__main__":
    main()
