"""What reading a big run costs: 100,000 samples × 6 editors × 10 measures, with real pictures.

`overpaint report`, `compare` and `calibrate` each in a process of its own: wall time, and the
memory of it and its children together (pages that they share are counted for each), and processor
seconds, which tell more on a machine that others use. Then the
page in headless Chromium: from the address to a gallery card that is seen and a filter that was
used. Then `overpaint view`: how long until its first page, and until pages far inside the run.
Beside the report stands what a script would do that reads the scores into plain Python. Where the
machine lets us, both begin with nothing of the run in memory: what the disk takes is in the time.
What pictures of 1,024 pixels with grain add is told by two small runs, with and without.

    python bench/scale_report.py [--samples 100000] [--folder DIR] [--keep] [--only report,page]
"""

import argparse
import http.client
import json
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import Any

import psutil
from scale_store import SKILL, make_store, sample_id

from overpaint.store import DATABASE

PARTS = ("report", "plain", "page", "compare", "calibrate", "view", "merge", "parquet", "grain")
ROUNDS = 3  # of the report and the page; their medians count
GRAINY = 4_000  # samples of the two small runs: enough for a gallery of the full size
WANTED = {"report_s": 60.0, "report_mb": 2048.0, "page_s": 3.0}  # at the most
SHOWN = ("worst", "disputed", "random")  # 500 of each are in the gallery of a large run
COMMAND = [sys.executable, "-m", "overpaint"]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
VIEWED = (
    "/samples?page=2", "/samples?page=400", "/samples?sort=worst&page=3",
    "/samples?sort=disputed&page=300", "/samples?tag.operation=swap&page=20",
    "/samples?status=missing&editor=cedar&page=2", "/samples?q=picture+9977",
)  # fmt: skip


def main() -> None:
    """Make the run, read it in every way, print a table and a line of JSON."""
    args = _asked()
    folder = args.folder or Path(tempfile.mkdtemp(prefix="scale-"))
    run = folder / f"run-{args.samples}"
    found: dict[str, Any] = {"samples": args.samples}
    try:
        if not (run / "made").exists():
            shutil.rmtree(run, ignore_errors=True)
            started = time.perf_counter()
            make_store(run, args.samples)
            (run / "made").touch()
            print(f"made in {time.perf_counter() - started:.0f} s", file=sys.stderr)
        parts = args.only.split(",") if args.only else PARTS
        for part in parts:
            found |= globals()[f"measure_{part}"](run)
            print(part, found, file=sys.stderr)
    finally:
        if not args.keep:
            shutil.rmtree(folder, ignore_errors=True)
    _tell(found)
    print(json.dumps(found))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, help="where the run is made, or was (default: temp)")
    parser.add_argument("--keep", action="store_true", help="leave the run there")
    parser.add_argument("--only", help=f"some of {','.join(PARTS)}")
    return parser.parse_args()


def _tell(found: dict[str, Any]) -> None:
    print(f"\n{'figure':28} {'measured':>12} {'wanted':>9}")
    for name, value in found.items():
        wanted = f"< {WANTED[name]:g}" if name in WANTED else ""
        print(f"{name:28} {value:>12,.4g} {wanted:>9}")
    if {"plain_s", "report_s"} <= found.keys():
        ratio = found["report_s"] / found["plain_s"]
        print(f"\nthe whole report takes {ratio:.2f} × what reading the scores into a dict takes")


# ── commands ────────────────────────────────────────────────────────────────────────────────


def measure_plain(run: Path) -> dict[str, float]:
    """What a script would do: every score into lists by editor and measure, and their means."""
    _forgotten()
    script = f"import scale_report, pathlib; scale_report.plain_means(pathlib.Path({str(run)!r}))"
    return _watched([sys.executable, "-c", script], "plain", cwd=Path(__file__).parent)


def plain_means(run: Path) -> None:
    """The means by editor and measure, of a dict of lists; no intervals, no pictures."""
    values = defaultdict(list)
    with closing(sqlite3.connect(run / DATABASE)) as database:
        for editor, measure, value in database.execute(
            "SELECT editors.name, measures.name, value FROM scores"
            " JOIN editors ON editors.n = editor JOIN measures ON measures.n = measure"
            " WHERE value IS NOT NULL"
        ):
            values[editor, measure].append(value)
    print({key: fmean(found) for key, found in values.items()})


def measure_report(run: Path) -> dict[str, float]:
    """The report with its gallery and exports, into a folder that is not there yet."""
    found = _reported(run, "report")
    return found | {"page_file_mb": (run / "report" / "report.html").stat().st_size / 2**20}


def _reported(run: Path, name: str) -> dict[str, float]:
    """The median of some rounds, and the slowest of them."""
    rounds = []
    for _ in range(ROUNDS):
        shutil.rmtree(run / "report", ignore_errors=True)
        _forgotten()
        rounds.append(_watched([*COMMAND, "report", str(run)], name))
    found = {figure: median(one[figure] for one in rounds) for figure in rounds[0]}
    return found | {f"{name}_slowest_s": max(one[f"{name}_s"] for one in rounds)}


def measure_grain(run: Path) -> dict[str, float]:
    """What a full gallery takes longer of pictures of 1,024 pixels with grain, in small runs."""
    found: dict[str, float] = {}
    for name, grain in (("plain", False), ("grain", True)):
        small = run.parent / f"small-{name}"
        if not small.exists():
            make_store(small, GRAINY, grain=grain)
        told = _reported(small, f"small_{name}")
        found |= {f"small_{name}_s": told[f"small_{name}_s"]}
    return found | {"grain_adds_s": found["small_grain_s"] - found["small_plain_s"]}


def _forgotten() -> None:
    """The disk's cache emptied, where this is root on Linux; elsewhere it is as it was."""
    os.sync()
    with suppress(OSError):
        Path("/proc/sys/vm/drop_caches").write_text("3")


def measure_compare(run: Path) -> dict[str, float]:
    """All measures, the competing editors against `identity`."""
    return _watched([*COMMAND, "compare", str(run), "--json"], "compare")


def measure_calibrate(run: Path) -> dict[str, float]:
    """All measures against the ratings of the run's own column of people."""
    return _watched([*COMMAND, "calibrate", str(run), "--json"], "calibrate")


def measure_parquet(run: Path) -> dict[str, float]:
    """All tables as Parquet."""
    out = run / "tables"
    found = _watched([*COMMAND, "export", str(run), "--parquet", "-o", str(out)], "parquet")
    shutil.rmtree(out)
    return found


def measure_merge(run: Path) -> dict[str, float]:
    """The run merged into one that is not there yet; pictures are linked."""
    out = run.parent / "merged"
    found = _watched([*COMMAND, "merge", str(run), "-o", str(out)], "merge")
    shutil.rmtree(out)
    return found


def _watched(command: list[str], name: str, cwd: Path | None = None) -> dict[str, float]:
    """Seconds, those of processors, and the peak of megabytes of a command and its children."""
    started, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=told, text=True, cwd=cwd
        )
        peak = [0.0]
        watching = threading.Thread(target=_watch, args=(process, peak))
        watching.start()
        code = process.wait()
        seconds, now = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        watching.join()
        told.seek(0)
        if code not in (0, 1):
            raise SystemExit(f"{command} ended with {code}: {told.read()[-2000:]}")
    cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    return {f"{name}_s": seconds, f"{name}_cpu_s": cpu, f"{name}_mb": peak[0] / 2**20}


def _watch(process: subprocess.Popen[str], peak: list[float]) -> None:
    whole = psutil.Process(process.pid)
    while process.poll() is None:
        with suppress(psutil.Error):
            family = [whole, *whole.children(recursive=True)]
            peak[0] = max(peak[0], sum(map(_held, family)))
        time.sleep(0.1)


def _held(process: psutil.Process) -> float:
    with suppress(psutil.Error):
        return float(process.memory_info().rss)
    return 0.0


# ── the page ────────────────────────────────────────────────────────────────────────────────


@contextmanager
def _browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    program = next(found for name in BROWSERS if (found := shutil.which(name)))
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


def measure_page(run: Path) -> dict[str, float]:
    """From opening the file to its load event, a card of the gallery, and a filter that was used.

    The median of three browsers, each new; and how many samples of each kind there are to see.
    """
    address = (run / "report" / "report.html").resolve().as_uri()
    loads, all_of_it = [], []
    for _ in range(ROUNDS):
        with _browser() as browser:
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            started = time.perf_counter()
            page.goto(address, wait_until="load")
            loads.append(time.perf_counter() - started)
            page.evaluate("document.getElementById('gallery').scrollIntoView()")
            page.wait_for_selector(".row .pic")
            before = page.inner_text("#gallery-count")
            page.select_option("#status-choice", "missing")
            page.wait_for_function(
                "(was) => document.getElementById('gallery-count').innerText !== was", arg=before
            )
            all_of_it.append(time.perf_counter() - started)
            told = json.loads(page.inner_text("#deck"))["samples"]
            counted = [sum(kind in one.get("why", {}) for one in told) for kind in SHOWN]
    shown = dict(zip(SHOWN, counted, strict=True))
    return {"page_load_s": median(loads), "page_s": median(all_of_it)} | shown


# ── view ────────────────────────────────────────────────────────────────────────────────────


def measure_view(run: Path) -> dict[str, float]:
    """Seconds until the served page and pages far inside, and how much memory that took."""
    started = time.perf_counter()
    server = subprocess.Popen(
        [*COMMAND, "view", str(run), "--json"], stdout=subprocess.PIPE, text=True
    )
    peak = [0.0]
    watching = threading.Thread(target=_watch, args=(server, peak))
    watching.start()
    try:
        assert server.stdout is not None
        told = ""
        while not (match := re.search(r"http://127\.0\.0\.1:(\d+)/\?key=([\w-]+)", told)):
            told += server.stdout.readline()
        found = {"view_ready_s": time.perf_counter() - started}
        cookie = f"overpaint-view-{match[1]}={match[2]}"
        fetched = partial(_fetched, int(match[1]), cookie)
        found["view_samples_first_s"], _ = fetched("/samples")
        found["view_first_s"], _ = fetched("/")
        times = [fetched(path)[0] for path in VIEWED]
        times.append(fetched(f"/samples?id={sample_id(len(SKILL) * 20)}")[0])
        found |= {"view_page_median_s": median(times), "view_page_worst_s": max(times)}
    finally:
        server.terminate()  # as Ctrl-C does, which a shell's background jobs do not hear
        server.wait(20)
        watching.join()
    return found | {"view_mb": peak[0] / 2**20}


def _fetched(port: int, cookie: str, path: str) -> tuple[float, bytes]:
    started = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    connection.request("GET", path, headers={"Cookie": cookie})
    answer = connection.getresponse()
    body = answer.read()
    if answer.status not in (200, 302):
        raise SystemExit(f"{path}: {answer.status} {body[:300]!r}")
    return time.perf_counter() - started, body


if __name__ == "__main__":
    main()
