"""What the runner costs beside the work itself: time for each row, and the parent's memory.

The measures do nothing, so all the time is the runner's: tasks to workers, scores back, rows into
SQLite. Beside it, what a user would otherwise write: a ProcessPoolExecutor with one job an edit
that does all its measures and appends a line for each to a JSONL file (no resume, no deadline,
no memory limit). Last, what printing the table of the finished run costs.
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


def bare_job(sample: Sample) -> list[tuple[str, str, float]]:
    """What the bare loop's workers do: the same nothing, for all measures of an edit."""
    return [(sample.id, measure, 0.0) for measure in MEASURES]


def measure_bare(edits: int, folder: Path) -> float:
    """Milliseconds for each row of a plain pool that appends JSON lines."""
    source = Document(folder / str(edits) / "source.png")
    samples = [Many()._sample(source, n) for n in range(edits)]
    with ProcessPoolExecutor(WORKERS) as pool, (folder / "rows.jsonl").open("w") as out:
        pool.submit(bare_job, samples[0]).result()
        started = time.perf_counter()
        for job in [pool.submit(bare_job, sample) for sample in samples]:
            out.writelines(json.dumps(row) + "\n" for row in job.result())
        return (time.perf_counter() - started) / (edits * len(MEASURES)) * 1e3


def measure_table(folder: Path) -> dict[str, float]:
    """Seconds to read and print the table of the run, and this process's memory after it."""
    from overpaint.report import read_tables, text_table
    from overpaint.store import Store

    started = time.perf_counter()
    with Store.open(folder / "run") as store:
        text_table(read_tables(store))
    seconds = time.perf_counter() - started
    return {"table_s": seconds, "table_mb": psutil.Process().memory_info().rss / 2**20}


def main() -> None:
    """Each size in a process of its own, so that one's memory is not another's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        with tempfile.TemporaryDirectory() as folder:
            found = measure_run(args.one, Path(folder))
            found |= measure_table(Path(folder))
            found["bare_ms"] = measure_bare(args.one, Path(folder))
        print(json.dumps(found))
        return
    rows: dict[int, dict[str, Any]] = {}
    for size in SIZES:
        command = [sys.executable, str(HERE), "--one", str(size)]
        rows[size] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    print(f"{WORKERS} workers, {len(MEASURES)} measures that do nothing\n")
    heads = ("ms an edit", "ms a score", "bare pool", "parent MB", "table s", "then MB")
    print(f"{'edits':>8}" + "".join(f" {head:>11}" for head in heads))
    for size, row in rows.items():
        print(f"{size:>8,} {row['edit_ms']:>11.3f} {row['score_ms']:>11.3f}"
              f" {row['bare_ms']:>11.3f} {row['parent_mb']:>11.0f}"
              f" {row['table_s']:>11.2f} {row['table_mb']:>11.0f}")  # fmt: skip
    small, large = (rows[size] for size in SIZES)
    print(json.dumps({
        "overhead_ms_per_score": round(large["score_ms"], 4),
        "overhead_ms_per_edit": round(large["edit_ms"], 4),
        "score_vs_bare_pool": round(large["score_ms"] / large["bare_ms"], 2),
        "parent_mb_1000": round(small["parent_mb"]), "parent_mb_10000": round(large["parent_mb"]),
        "table_s_10000": round(large["table_s"], 2), "table_mb_10000": round(large["table_mb"]),
    }))  # fmt: skip


if __name__ == "__main__":
    main()
