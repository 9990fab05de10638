"""What a Ray cluster costs beside two processes of our own, and beside a loop with no runner.

The same work four ways: pixel measures of pages of 1,024 × 1,024 pixels against their sources,
through the run's own scoring pass. A plain loop in one process; the same loop in two processes that
know nothing of each other, half the pages each, which is all that two cores can give; `Processes`
with two workers; Ray with two workers on this machine. Each is timed from its first page to its
last: what interpreters and Ray take to start is told beside it. Repeats are interleaved and the
median counts, for the machine may be doing other things.
"""

import argparse
import json
import multiprocessing
import os
import shutil
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from overpaint import catalog
from overpaint.core import Card, Edit, Evidence, Loaded, Request, Sample
from overpaint.document import Document
from overpaint.document.pictures import encode_png
from overpaint.run import Settings, run
from overpaint.store import Store, keep_picture

HERE = Path(__file__).resolve()
SEED, SIDE, WORKERS = 20, 1024, 2
PAGES, ROUNDS = 120, 5
BURST = 0.02  # seconds between rows that came together and are written one after another
MEASURES = ("mse", "psnr", "ssim", "ms_ssim", "gmsd")
ONE_THREAD = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
    "OPENCV_FOR_THREADS_NUM",
)  # fmt: skip
CARD = Card("pages", "drawn here", "target", "all", "none", "none", "mean", "count", ())


@dataclass(frozen=True)
class Pages:
    """As many pages as the data folder's name says, each with a truth of its own."""

    measures: tuple[str, ...] = MEASURES
    breakdowns: tuple[str, ...] = ()
    card: Card = CARD

    def load(self, data: Path | None) -> Loaded:
        """The pages, drawn before."""
        assert data is not None
        return Loaded(tuple(self._page(data, n) for n in range(int(data.name))))

    def _page(self, data: Path, n: int) -> Sample:
        source, truth = (Document(data / f"{n:04}{end}.png") for end in ("", "-truth"))
        return Sample(f"pages/{n:04}", Request(source, "Change it.", names=(str(n),)), truth)


pages = Pages()


def draw(folder: Path, count: int) -> Path:
    """The pages and their truths: waves with grain, and a box that is another."""
    data = folder / str(count)
    data.mkdir()
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    for n in range(count):
        rng = np.random.default_rng([SEED, n])
        waves = [128 + 90 * np.sin(x / rng.uniform(9, 60)) * np.cos(y / rng.uniform(9, 60))
                 for _ in range(3)]  # fmt: skip
        page = np.clip(np.stack(waves, 2) + rng.normal(0, 8, (SIDE, SIDE, 1)), 0, 255)
        truth = page.copy()
        truth[200:500, 100:900] = 255 - truth[200:500, 100:900]
        for end, pixels in (("", page), ("-truth", truth)):
            (data / f"{n:04}{end}.png").write_bytes(encode_png(pixels.astype(np.uint8)))
    return data


# ── the loop that a user would write ────────────────────────────────────────────────────────


def looped(data: Path, places: range, started: Any) -> float:
    """Seconds from the first page to the last; all begin together, when all are ready."""
    columns = [catalog.measure(name) for name in MEASURES]
    samples = [pages._page(data, n) for n in places]
    _score(columns, samples[0])  # compiled and imported: not the work's own time
    started.wait()
    began = time.perf_counter()
    for sample in samples:
        _score(columns, sample)
    return time.perf_counter() - began


def _score(columns: list[Any], sample: Sample) -> None:
    edit, evidence = Edit(sample, "identity", "ok", sample.request.source), Evidence()
    for column in columns:
        list(column.score([edit], evidence))


def _serve(data: Path, places: range, started: Any, found: Any) -> None:
    found.put(looped(data, places, started))


def measure_loop(data: Path, processes: int) -> tuple[float, float]:
    """Seconds of the slowest of these processes, and all that it took."""
    began = time.perf_counter()
    context = multiprocessing.get_context("spawn")
    started, found = context.Barrier(processes), context.Queue()
    parts = [range(n, int(data.name), processes) for n in range(processes)]
    running = [context.Process(target=_serve, args=(data, part, started, found)) for part in parts]
    for process in running:
        process.start()
    seconds = max(found.get() for _ in running)
    for process in running:
        process.join()
    return seconds, time.perf_counter() - began


# ── the same through the runner ─────────────────────────────────────────────────────────────


def fill(data: Path, folder: Path) -> None:
    """A run with its edits, which are the sources, and without scores."""
    with Store.create(folder) as store:
        samples = pages.load(data).samples
        store.add_samples(samples)
        store.add_editor("identity", "identity")
        for sample in samples:
            output = keep_picture(folder, sample.request.source)
            store.put_edit(Edit(sample, "identity", "ok", output))


def measure_run(data: Path, folder: Path, on: str) -> tuple[float, float]:
    """Seconds of a run's scoring by two workers that have warmed up, and all that it took."""
    fill(data, folder)
    marks: list[float] = []

    def progress(label: str, done: int, total: int) -> None:
        if label == "scoring":
            marks.append(time.perf_counter())

    settings = Settings(WORKERS, progress=progress, on=on)
    began = time.perf_counter()
    run(f"{HERE}:pages", data=data, editors=["identity"], floors=False, out=folder,
        settings=settings)  # fmt: skip
    total = time.perf_counter() - began
    rows = int(data.name) * len(MEASURES)
    with Store.open(folder) as store:
        made = sum(row.status == "ok" for row in store.rows())
    assert made == len(marks) == rows, f"{made} of {rows} rows are well"
    shutil.rmtree(folder)
    return _after_warming_up(marks), total


def _after_warming_up(marks: list[float]) -> float:
    """Seconds that all rows would take as those after the first chunks did, an eighth of all.

    Rows of one chunk arrive at once, so it is counted from the end of such a burst.
    """
    done = len(marks) // 8
    while marks[done] - marks[done - 1] < BURST:
        done += 1
    return (marks[-1] - marks[done - 1]) * len(marks) / (len(marks) - done)


# ── all of it ───────────────────────────────────────────────────────────────────────────────

WAYS = ("one loop", "two loops", "two workers", "Ray, two")


def measure(way: str, data: Path, folder: Path) -> tuple[float, float]:
    """Seconds after start, and with it."""
    if way == "one loop":
        return measure_loop(data, 1)
    if way == "two loops":
        return measure_loop(data, WORKERS)
    return measure_run(data, folder, "ray" if way == "Ray, two" else "")


def main() -> None:
    """Measure all ways in turn, and print what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--pages", type=int, default=PAGES, help=f"how many (default {PAGES})")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"(default {ROUNDS})")
    args = parser.parse_args()
    # One process a core in the bare loops, too, as the runner's workers have it.
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    found: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        data = draw(Path(folder), args.pages)
        for turn in range(args.rounds):
            for way in WAYS if turn % 2 else reversed(WAYS):
                seconds = measure(way, data, Path(folder, f"{turn}-{WAYS.index(way)}"))
                found[way].append(seconds)
                told = f"{seconds[0]:.1f} s, {seconds[1]:.1f} s with start"
                print(f"round {turn + 1}: {way}: {told}", file=sys.stderr, flush=True)
    print(json.dumps(_told(found, args.pages)))


def _told(found: dict[str, list[tuple[float, float]]], count: int) -> dict[str, float]:
    """The table, and its figures: ratios are made in each round, and the median is told."""
    middle = {way: statistics.median(one for one, _ in of) for way, of in found.items()}
    whole = {way: statistics.median(one for _, one in of) for way, of in found.items()}

    def ratio(over: str, under: str) -> float:
        pairs = zip(found[over], found[under], strict=True)
        return statistics.median(one[0] / other[0] for one, other in pairs)

    print(f"{count} pages × {len(MEASURES)} measures of {SIDE} × {SIDE} pixels,"
          f" median of {len(found['one loop'])} interleaved rounds\n")  # fmt: skip
    print(f"{'':14} {'s after start':>14} {'speed-up':>9} {'s with start':>13}")
    for way in WAYS:
        print(f"{way:14} {middle[way]:14.1f} {ratio('one loop', way):9.2f} {whole[way]:13.1f}")
    share = ratio("one loop", "two workers") / ratio("one loop", "two loops")
    beside = ratio("Ray, two", "two workers")
    print(f"\ntwo workers reach {share:.2f} of what two bare loops reach (wanted: .9)")
    print(f"Ray takes {beside:.2f} of the time of two workers (wanted: at most 1.15)")
    figures = {f"s {way}": round(seconds, 2) for way, seconds in middle.items()}
    return figures | {"share_of_bare": round(share, 3), "ray_beside_workers": round(beside, 3)}


if __name__ == "__main__":
    main()
