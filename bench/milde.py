"""MiLDE's agent measured: decisions, results, planted conflicts, planted bad edits, two clocks.

    python bench/milde.py [--only PART …] [--limit N] [--data FOLDER]

decisions    every reasoner's layer decisions on the whole set, alone and after the joint pass
table        the agent with each reasoner, with and without joint pass and self-check, on a part of
             the set: decisions, IF by evidence, LC, TR, kept layers, texts, seconds
conflicts    60 planted conflicts and 120 peaceful sets of decisions through the joint pass
spoils       60 planted bad edits through the self-check and its repairs
good         120 good results through the same: none is to be spoiled
masks        matching 100 × 100 masks beside the plain numpy loop
consolidate  50 layers of 2048×2048

The set is the built-in one; known and held-out halves stand apart. Two processes; the last line is
one JSON object. `--limit` is the number of samples of the table, and of cases in every other part.
"""

import argparse
import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import milde_consolidate
import milde_masks
import milde_planted
import milde_showing as show
from milde_conflicts import conflicts
from milde_rows import ALL, BOTH, PLAIN, Cell, decided, rows
from milde_spoils import spoils

from overpaint.benchmarks.milde import load_set, milde
from overpaint.core import Sample
from overpaint.measures.layout import layout_consistency
from overpaint.measures.milde_layers import Counts

PARTS = ("decisions", "table", "conflicts", "spoils", "good", "masks", "consolidate")
TABLE = 32  # samples of the table unless a limit is given: half known, half held out
# Rows of the table: floors without remedies, for there is nothing to remedy.
WAYS = {
    "rules": ALL, "good (gold)": ALL, "30 % flipped": ALL, "10 % flipped": (PLAIN, BOTH),
    "30 % off the form": (PLAIN, BOTH), "edit all": (PLAIN, BOTH), "edit all text": (PLAIN, BOTH),
    "never edit": (PLAIN,),
}  # fmt: skip
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS",
              "OPENCV_FOR_THREADS_NUM")  # fmt: skip
Figures = dict[str, Any]


@contextmanager
def working(processes: int) -> Iterator[Executor]:
    """So many processes of one thread each."""
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        yield pool


# ── the set ─────────────────────────────────────────────────────────────────────────────


def _decided(sample: Sample) -> tuple[str, dict[str, Counts]]:
    return sample.tags["split"], decided(sample)


def _rows(sample: Sample) -> tuple[str, dict[str, Cell]]:
    return sample.tags["split"], rows(sample, WAYS)


def decisions(args: argparse.Namespace) -> Figures:
    """Layer decisions of every reasoner."""
    samples = _samples(args)[: args.limit]
    found = _summed(args.pool.map(_decided, samples), Counts())
    return show.decisions(found, len(samples))


def table(args: argparse.Namespace) -> Figures:
    """The whole agent."""
    samples = _samples(args)
    count = min(args.limit or TABLE, len(samples))
    # Splits and languages take turns by four, kinds of edit after that: whole turns, spread out.
    turns = max(1, count // 4)
    step = max(1, len(samples) // 4 // turns)
    chosen = [one for n in range(turns) for one in samples[4 * step * n : 4 * step * n + 4]]
    found = _summed(args.pool.map(_rows, chosen[:count]), Cell())
    return show.table(found)


def _samples(args: argparse.Namespace) -> tuple[Sample, ...]:
    return load_set(args.data).samples if args.data else milde.load(None).samples


def _summed(found: Iterator[tuple[str, dict[str, Any]]], nothing: Any) -> dict[str, dict[str, Any]]:
    """By half of the set, then by row, added up."""
    total: dict[str, dict[str, Any]] = {}
    for split, cells in found:
        half = total.setdefault(split or "all", {})
        for name, cell in cells.items():
            half[name] = half.get(name, nothing) + cell
    return total


# ── what was planted ────────────────────────────────────────────────────────────────────


def conflicting(args: argparse.Namespace) -> Figures:
    """Conflicts through the joint pass, and decisions that are at peace."""
    count = min(args.limit or len(conflicts()), len(conflicts()))
    settled = list(args.pool.map(milde_planted.conflict, range(count)))
    peace = list(args.pool.map(milde_planted.peace, range(count)))
    gold = list(args.pool.map(milde_planted.gold, range(count)))
    return show.conflicts(settled, peace, gold)


def spoiled(args: argparse.Namespace) -> Figures:
    """Bad edits through the self-check."""
    return show.spoils(list(args.pool.map(milde_planted.spoil, spoils()[: args.limit])))


def good(args: argparse.Namespace) -> Figures:
    """Good results through the self-check."""
    count = min(args.limit or milde_planted.GOOD, milde_planted.GOOD)
    return show.good(list(args.pool.map(milde_planted.good, range(count))))


# ── clocks ──────────────────────────────────────────────────────────────────────────────


def masks(args: argparse.Namespace) -> Figures:
    """Layout consistency of 100 × 100 masks of 1024², and the plain loop."""
    tiny = milde_masks.regions(2, 8, 0, large=True)
    layout_consistency(tiny, tiny)  # compiled before the clock starts
    found = {}
    for large in (False, True):
        a, b = (milde_masks.regions(100, 1024, seed, large=large) for seed in (0, 1))
        ours = milde_masks.seconds(lambda a=a, b=b: layout_consistency(a, b))
        few = a[:20], b[:20]  # the loop's time goes with the pairs
        loop = milde_masks.seconds(lambda few=few: milde_masks.plain(*few), 1) * 25
        found["large" if large else "small"] = {
            "seconds": round(ours, 3), "loop_seconds": round(loop, 1), "faster": round(loop / ours),
        }  # fmt: skip
    return show.masks(found)


def consolidate(args: argparse.Namespace) -> Figures:
    """Fifty layers of 2048²."""
    return show.consolidate(milde_consolidate.measure(layers=50, side=2048))


RUN: dict[str, Callable[[argparse.Namespace], Figures]] = dict(
    zip(PARTS, (decisions, table, conflicting, spoiled, good, masks, consolidate), strict=True)
)


def main() -> None:
    """Run the parts, print their tables, and all figures as one line of JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART")
    parser.add_argument("--limit", type=int, help="samples of the table, cases of each other part")
    parser.add_argument("--data", type=Path, help="another set than the built-in one")
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    result: Figures = {"bench": "milde"}
    with working(args.processes) as args.pool:
        for part in args.only:
            started = time.perf_counter()
            result[part] = RUN[part](args)
            result[part]["took"] = round(time.perf_counter() - started, 1)
            print(f"({part}: {result[part]['took']} s)", flush=True)
    print()
    print(json.dumps(result, ensure_ascii=False))


if __name__ == "__main__":
    main()
