"""The runner at scale: is an edit as cheap at 50,000 as at 1,000, does the parent's memory stay
as it is, and do two workers bring what two processes bring?

Four parts, each run in a process of its own. *Cost*: every sample has a small picture that a real
editor changes and stores; one measure compares it, one keeps a finding; five rounds, sizes
interleaved. *Memory*: the parent's, along the largest of these runs, and along six editors
times ten measures. *Speed-up*: real pixel measures on the same files by one worker and by two,
beside a bare loop in one process and in two over halves of the list; five rounds, interleaved.
Ratios are made within a round, and their median is told.
*Planning*: 100,000 samples × 6 editors, before anything is made and when all is there.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
from scale_run_data import (
    COLUMNS,
    HERE,
    PIXELS,
    SHEETS,
    draw,
    fill_all,
    fill_pages,
    set_of,
)

from overpaint.run import Settings, run

START, SMALL, LARGE = 20, 1_000, 50_000
ROUNDS, SMALLS = 5, 6  # rounds, and runs of the small size in each: they take a second or two
WORKERS = 2
WIDE = 2_000  # samples of the memory part
TURNS = 5  # of the speed-up part
PLANNED, EDITORS = 100_000, 6


# ── parts, each in a process of its own ─────────────────────────────────────────────────────


def measure_cost(folder: Path, size: int) -> dict[str, Any]:
    """One run from nothing: its seconds, those of each pass from row to row, memory on the way."""
    return _watched(f"{HERE}:stamped", set_of(folder, size), [f"stamp={HERE}:Stamp"])


def measure_memory(folder: Path, size: int) -> dict[str, Any]:
    """The same of six editors and ten measures."""
    editors = [f"stamp{n}={HERE}:Stamp" for n in range(EDITORS)]
    return _watched(f"{HERE}:wide", set_of(folder, size), editors)


def _watched(benchmark: str, data: Path, editors: list[str]) -> dict[str, Any]:
    # Of each pass its first mark and its last: all of them would be memory of the bench's own.
    first: dict[str, tuple[float, int]] = {}
    last: dict[str, tuple[float, int]] = {}
    memory: list[float] = []
    process = psutil.Process()

    def progress(label: str, done: int, total: int) -> None:
        last[label] = (time.perf_counter(), done)
        first.setdefault(label, last[label])
        if done % max(1, total // 10) == 0:
            memory.append(process.memory_info().rss / 2**20)

    with tempfile.TemporaryDirectory(dir=data.parent) as out:
        settings = Settings(workers=WORKERS, progress=progress)
        started = time.perf_counter()
        run(benchmark, data=data, editors=editors, floors=False, out=out, settings=settings)
        seconds = time.perf_counter() - started
    # From the first row to the last: starting interpreters is no cost of a row.
    spans = {name: (last[name][0] - at) / (last[name][1] - done)
             for name, (at, done) in first.items()}  # fmt: skip
    return {"seconds": seconds, "rows_ms": {name: s * 1e3 for name, s in spans.items()},
            "mb": memory}  # fmt: skip


def measure_speedup(folder: Path, who: str, workers: int) -> dict[str, Any]:
    """Seconds of the pixel measures over all sheets, by what they take once all have warmed up."""
    from scale_run_bare import bare_seconds

    data, filled = set_of(folder, SHEETS), folder / "filled"
    if not filled.exists():  # the edits, no scores: what is timed is the scoring pass
        fill_pages(data, filled)
    if who == "bare":
        return {"seconds": bare_seconds(filled, workers)}
    out = folder / f"made-{workers}"
    shutil.copytree(filled, out)
    times: list[float] = []

    def progress(label: str, done: int, total: int) -> None:
        if label == "scoring":
            times.append(time.perf_counter())

    settings = Settings(workers=workers, progress=progress)
    run(f"{HERE}:pages", data=data, editors=["source-noise"], floors=False, out=out,
        settings=settings)  # fmt: skip
    shutil.rmtree(out)
    rows, warm = SHEETS * len(PIXELS), 2 * workers * len(PIXELS)
    return {"seconds": (times[-1] - times[warm - 1]) * rows / (rows - warm)}


def measure_planning(folder: Path, size: int, *, full: bool) -> dict[str, Any]:
    """Seconds until a run of six editors begins to edit, or has seen that all of it is there."""
    from overpaint.store import Store

    data, out = set_of(folder, size), folder / f"planned-{full}"
    editors = {f"stamp{n}": f"{HERE}:Stamp" for n in range(EDITORS)}
    if full:
        fill_all(data, out, editors)
    started, first = time.perf_counter(), list[float]()

    def progress(label: str, done: int, total: int) -> None:
        first.append(time.perf_counter() - started)
        raise KeyboardInterrupt

    named = ["=".join(one) for one in editors.items()]
    settings = Settings(workers=0, progress=progress)
    with suppress(KeyboardInterrupt):
        run(f"{HERE}:stamped", data=data, editors=named, floors=False, out=out, settings=settings)
    with Store.open(out) as store:
        counts = store.counts()
    memory = psutil.Process().memory_info()
    return {"seconds": first[0] if first else time.perf_counter() - started, **counts,
            "mb": memory.rss / 2**20}  # fmt: skip


# ── all of it ───────────────────────────────────────────────────────────────────────────────


def main() -> None:
    """Run the parts, interleaved, and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--large", type=int, default=LARGE, help=f"instead of {LARGE:,}")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"instead of {ROUNDS}")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"of the speed-up, not {TURNS}")
    parser.add_argument("--planned", type=int, default=PLANNED, help=f"instead of {PLANNED:,}")
    parser.add_argument("--wide", type=int, default=WIDE, help=f"instead of {WIDE:,}")
    parser.add_argument("--only", choices=("cost", "memory", "speedup", "planning"))
    parser.add_argument("--part", nargs="+", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.part:
        print(json.dumps(_part(Path(args.part[0]), *args.part[1:])))
        return
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        draw(Path(folder))
        if args.only in (None, "speedup"):
            figures |= speedups(folder, args.turns)
        if args.only in (None, "cost"):
            figures |= costs(folder, args.large, args.rounds)
        if args.only in (None, "memory"):
            found = ask(folder, "memory", args.wide)["mb"]
            figures |= _told_memory(f"{args.wide:,} × six editors × ten measures", found, "_wide")
        if args.only in (None, "planning"):
            figures |= plans(folder, args.planned)
    print(json.dumps(figures))


def _part(folder: Path, name: str, *rest: str) -> dict[str, Any]:
    match name:
        case "cost":
            return measure_cost(folder, int(rest[0]))
        case "memory":
            return measure_memory(folder, int(rest[0]))
        case "speedup":
            return measure_speedup(folder, rest[0], int(rest[1]))
    return measure_planning(folder, int(rest[0]), full=rest[1] == "full")


def ask(folder: str, *part: object) -> dict[str, Any]:
    """What a part gives, run in a process of its own; told on stderr, for the impatient."""
    command = [sys.executable, str(Path(__file__).resolve()), "--part", folder, *map(str, part)]
    found = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.splitlines()[-1]
    told: dict[str, Any] = json.loads(found)
    print(time.strftime("%H:%M:%S"), *part, found.decode()[:300], file=sys.stderr, flush=True)
    return told


def costs(folder: str, large: int, rounds: int) -> dict[str, Any]:
    """Milliseconds an edit with its two scores, at the small size and at the large."""
    start: list[float] = []
    whole: dict[int, list[float]] = {SMALL: [], large: []}
    passes: dict[int, list[float]] = {SMALL: [], large: []}
    memory: list[float] = []
    for turn in range(rounds):
        sizes = [SMALL] * SMALLS + [large]
        start.append(ask(folder, "cost", START)["seconds"])
        seconds: dict[int, list[dict[str, Any]]] = {SMALL: [], large: []}
        for size in sizes if turn % 2 else reversed(sizes):
            seconds[size].append(ask(folder, "cost", size))
        for size, found in seconds.items():
            whole[size].append(_mid([one["seconds"] for one in found]))
            passes[size].append(_mid([_of_rows(one["rows_ms"]) for one in found]))
        memory = seconds[large][0]["mb"]
    # What a run of twenty takes is the fixed start-up: interpreters, the store, the first picture.
    fixed = statistics.median(start)
    by_wall = {size: [(one - fixed) / (size - START) * 1e3 for one in found]
               for size, found in whole.items()}  # fmt: skip
    print(f"\nms an edit with its two scores, median of {rounds} interleaved rounds\n")
    print(f"{'edits':>8} {'whole run':>11} {'row to row':>11}   start-up {fixed:.2f} s")
    for size in whole:
        print(f"{size:>8,} {_mid(by_wall[size]):>11.3f} {_mid(passes[size]):>11.3f}")
    ratios = [_ratio(found[large], found[SMALL]) for found in (by_wall, passes)]
    print(f"{'ratio':>8} {ratios[0]:>11.3f} {ratios[1]:>11.3f}")
    return {
        "ms_per_edit": round(_mid(by_wall[large]), 4), "cost_ratio": round(ratios[0], 3),
        "cost_ratio_rows": round(ratios[1], 3), "startup_s": round(fixed, 2),
        **_told_memory(f"{large:,} edits", memory, ""),
    }  # fmt: skip


def _of_rows(rows: dict[str, float]) -> float:
    return rows["editing"] + len(COLUMNS) * rows["scoring"]


_mid = statistics.median


def _ratio(over: Sequence[float], under: Sequence[float]) -> float:
    """The median of the rounds' own ratios: what disturbs a round disturbs both of its parts."""
    return _mid([one / other for one, other in zip(over, under, strict=True)])


def _told_memory(what: str, curve: list[float], suffix: str) -> dict[str, Any]:
    """The parent's memory at tenths of the editing pass, then of the scoring pass."""
    print(f"\nMB of the parent over {what}, by tenths of each pass\n")
    print(" ".join(f"{mb:.0f}" for mb in curve))
    half = len(curve) // 2
    grown = {"edit": curve[half - 1] - curve[0], "score": curve[-1] - curve[half]}
    return {f"parent_mb{suffix}": [round(curve[at], 1) for at in (0, half - 1, half, -1)],
            f"grown_mb{suffix}": {name: round(mb, 1) for name, mb in grown.items()}}  # fmt: skip


def speedups(folder: str, turns: int) -> dict[str, Any]:
    """How much two workers are faster than one, and two bare processes than one."""
    seconds: dict[tuple[str, int], list[float]] = {}
    for turn in range(turns):
        ways = [(who, workers) for workers in (1, 2) for who in ("bare", "overpaint")]
        for way in ways if turn % 2 else reversed(ways):
            seconds.setdefault(way, []).append(ask(folder, "speedup", *way)["seconds"])
    mid = {way: _mid(found) for way, found in seconds.items()}
    print(f"\nseconds for {SHEETS} pictures × {len(PIXELS)} measures, median of {turns}\n")
    print(f"{'':>10} {'one':>8} {'two':>8} {'speed-up':>9}")
    gain = {who: _ratio(seconds[who, 1], seconds[who, 2]) for who in ("bare", "overpaint")}
    for who, found in gain.items():
        print(f"{who:>10} {mid[who, 1]:>8.2f} {mid[who, 2]:>8.2f} {found:>9.2f}")
    share = gain["overpaint"] / gain["bare"]
    beside = _ratio(seconds["bare", 2], seconds["overpaint", 2])
    print(f"{share:.2f} of the bare loop's speed-up; {beside:.2f} of its speed with two")
    return {"speedup_two": round(gain["overpaint"], 3), "speedup_bare": round(gain["bare"], 3),
            "speedup_share": round(share, 3), "speed_beside_bare": round(beside, 3)}  # fmt: skip


def plans(folder: str, size: int) -> dict[str, Any]:
    """What stands before the first edit of a large run, and behind its last."""
    fresh, full = (ask(folder, "planning", size, what) for what in ("fresh", "full"))
    print(f"\n{size:,} samples × {EDITORS} editors\n")
    for what, one in (("until the first edit", fresh), ("until all is found there", full)):
        print(f"{what}: {one['seconds']:.1f} s, parent {one['mb']:.0f} MB")
    return {
        "first_edit_s": round(fresh["seconds"], 1), "first_edit_mb": round(fresh["mb"]),
        "all_there_s": round(full["seconds"], 1), "all_there_mb": round(full["mb"]),
    }  # fmt: skip


if __name__ == "__main__":
    main()
