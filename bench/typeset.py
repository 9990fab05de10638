"""How well words in pictures are replaced by `typeset`: read back, beside the truth, and by whom.

352 single replacements (`typeset_cases.py` says how the pages are made, `typeset_fonts.py` which
eight families the editor never has, `typeset_judging.py` how a case is judged). Beside the editor
stand `identity`, the old words left; `perfect`, the true letters on a ground that was filled in by
a textbook method, so what is lost behind old letters is lost there too; `nearest`, the editor with
the best single font and nothing adapted or cut from the page; and `again`, the true page degraded
with another seed. The truth itself scores 1.

An edit that was refused, failed or crashed counts as not read right, and with the SSIM of the
source left as it is. Seconds are of the processor, one edit at a time in a process of its own that
has one thread and does nothing else, and so is the memory; the rest runs in several processes.
The last line is one JSON object.
"""

import argparse
import json
import os
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import typeset_clock
import typeset_sheets
from typeset_cases import COUNTS, ENGINES, REVISIONS, SEED, Plan, engines, plans, revision
from typeset_fonts import HELD_OUT
from typeset_judging import READERS, Judged, judge

from overpaint.cli.progress import Bar

ASKED_READ = {"known": 0.99, "held-out": 0.97, "degraded": 0.97}
ASKED_SSIM = 0.98  # known fonts
ASKED_WINS = 0.8  # held-out fonts, over the nearest
ASKED_AGAIN = 0.97  # degraded scans, of the score of the truth degraded again
ASKED_SECONDS, MEMORY = 1.5, 1.5 * 2**30
BANDS = ((12, 16), (16, 24), (24, 40), (40, 65))  # sizes in pixels, the last excluded


# ── running ─────────────────────────────────────────────────────────────────────────────


def run(asked: Sequence[Plan], *, jobs: int, ours: bool, keep: bool) -> list[Judged]:
    """Every case judged, in order; where the editor crashes, its case says so."""
    os.environ.update(dict.fromkeys(typeset_clock.THREADS, "1"))  # read by the workers
    bar, found = Bar(), dict[str, Judged]()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        told = {"ours": ours, "keep": keep}
        waiting = {pool.submit(judge, plan.group, plan.number, **told): plan for plan in asked}
        crashed = {}
        for done in as_completed(waiting):
            plan = waiting[done]
            if ours and (error := done.exception()):
                told["crashed"] = repr(error)[:300]
                crashed[plan.name] = pool.submit(judge, plan.group, plan.number, **told)
            else:
                found[plan.name] = done.result()
            bar("cases", len(found) + len(crashed), len(asked))
        # What fails without the editor is the bench's own mistake, and is raised here.
        found |= {name: future.result() for name, future in crashed.items()}
    return [found[plan.name] for plan in asked]


def some(asked: Sequence[Plan], limit: int | None) -> list[Plan]:
    """So many plans of each group, drawn once and for all."""
    if not limit:
        return list(asked)
    kept = []
    for group in dict.fromkeys(plan.group for plan in asked):
        mine = [plan for plan in asked if plan.group == group]
        # Grounds, languages and sizes go round; a stride would meet the same ones again.
        chosen = Random(SEED).sample(range(len(mine)), min(limit, len(mine)))
        kept += [mine[number] for number in sorted(chosen)]
    return kept


# ── figures ─────────────────────────────────────────────────────────────────────────────


def rate(found: Iterable[Judged], row: str, reader: str) -> dict[str, Any]:
    """How often a reader reads the edit right, of those whose truth it reads right, and of all."""
    asked = [case for case in found if case.right("truth", reader) is not None]
    fair = [case for case in asked if case.right("truth", reader)]
    both = sum(bool(case.right(row, reader)) for case in fair)
    plain = sum(bool(case.right(row, reader)) for case in asked)
    return {
        "cases": len(asked),
        "truth_right": len(fair),
        "rate": round(both / len(fair), 4) if fair else None,
        "plain": round(plain / len(asked), 4) if asked else None,
    }


def spread(found: Sequence[Judged], row: str) -> dict[str, float]:
    """Mean, median, least and share of SSIM from .98 up, and the median PSNR."""
    ssim = [case.rows[row].ssim for case in found]
    return {
        "mean": round(statistics.mean(ssim), 4),
        "median": round(statistics.median(ssim), 4),
        "min": round(min(ssim), 4),
        "from_98": round(sum(value >= ASKED_SSIM for value in ssim) / len(ssim), 4),
        "psnr_median": round(min(statistics.median(c.rows[row].psnr for c in found), 999.0), 2),
    }


def outcomes(found: Sequence[Judged]) -> dict[str, Any]:
    """How many edits were made, and in how many every pixel outside the region is the source's."""
    made = [case for case in found if case.rows["typeset"].status == "ok"]
    kept = sum(case.rows["typeset"].outside == 0 for case in made)
    return {
        "cases": len(found),
        "made": len(made),
        "not_made": len(found) - len(made),
        "outside_identical": round(kept / len(made), 4) if made else None,
    }


def met(value: float | None, asked: float) -> str:
    """Whether a figure reaches what is asked of it."""
    return "" if value is None else f"asked {asked:g}: {'met' if value >= asked else 'missed'}"


def cell(value: float | None, form: str = ".4f") -> str:
    """A figure in a table."""
    return f"{'–' if value is None else format(value, form):>9}"


# ── tables ──────────────────────────────────────────────────────────────────────────────


def slices(found: Sequence[Judged]) -> Iterator[tuple[str, list[Judged]]]:
    """The cases by what may matter."""
    keys: tuple[tuple[str, Callable[[Judged], str]], ...] = (
        ("", lambda c: c.ground), ("", lambda c: c.language), ("", _band),
        ("drawn ", lambda c: c.mode), ("a ", lambda c: c.kind), ("new words ", lambda c: c.change),
        ("aligned ", lambda c: c.align), ("", lambda c: c.layout),
    )  # fmt: skip
    for prefix, key in keys:
        for value in sorted({key(case) for case in found}):
            yield prefix + value, [case for case in found if key(case) == value]


def _band(case: Judged) -> str:
    low, high = next(band for band in BANDS if band[0] <= case.size < band[1])
    return f"{low}–{high - 1} px"


def spread_table(found: Sequence[Judged], rows: Sequence[str]) -> dict[str, Any]:
    """Print and return the region's SSIM of some editors."""
    print(f"  {'region against the truth':34}     mean   median      min    ≥ .98  PSNR med.")
    figures = {}
    for row in rows:
        values = figures[row] = spread(found, row)
        print(f"  {row:34}", *(cell(v, ".4f" if k != "psnr_median" else ".1f")
                               for k, v in values.items()))  # fmt: skip
    return figures


def slice_table(found: Sequence[Judged], row: str) -> dict[str, Any]:
    """Print and return SSIM and read-back by what may matter."""
    print(f"  {row + ' by':34}    cases     SSIM  perfect    ≥ .98     tiny  tesseract")
    figures = {}
    for name, mine in slices(found):
        values, best = spread(mine, row), spread(mine, "perfect")["mean"]
        read = {reader: rate(mine, row, reader)["rate"] for reader in READERS}
        figures[name] = {"cases": len(mine), **values, **read}
        shown = (values["mean"], best, values["from_98"], *read.values())
        print(f"    {name:32}{len(mine):9}", *map(cell, shown))
    return figures


def read_table(found: Sequence[Judged], rows: Sequence[str], asked: float) -> dict[str, Any]:
    """Print and return what is read back, of what is read right on the truth."""
    print(f"  {'read back':34}    cases    truth     rate    plain")
    figures: dict[str, Any] = {}
    for row in rows:
        for reader in READERS:
            values = figures.setdefault(row, {})[reader] = rate(found, row, reader)
            verdict = met(values["rate"], asked) if (row, reader) == ("typeset", "tiny") else ""
            counts = f"{values['cases']:9}{values['truth_right']:9}"
            shown = (cell(values["rate"]), cell(values["plain"]), "", verdict)
            print(f"    {row + ', by ' + reader:32}{counts}", *shown)
    return figures


def misses(found: Sequence[Judged]) -> None:
    """Print every case not made, and every one read wrong though its truth is read right."""
    for case in found:
        seen = case.rows["typeset"]
        if seen.status != "ok":
            print(f"  {case.name} {seen.status}: {case.instruction} | {seen.reason}")
        elif seen.outside:
            print(f"  {case.name} {seen.outside} pixels changed outside | {case.instruction}")
        for reader in READERS if seen.status == "ok" else ():
            if case.right("truth", reader) and not case.right("typeset", reader):
                look = f"{case.family} {case.size:g} px, SSIM {seen.ssim:.3f}"
                print(f"  {case.name} {reader}: {case.wanted!r} -> {seen.said[reader]!r} {look}")


# ── groups ──────────────────────────────────────────────────────────────────────────────


def report(group: str, found: Sequence[Judged], ours: bool) -> dict[str, Any]:
    """Print and return the figures of a group."""
    print(f"\n{group}: {len(found)} cases")
    floors = ["identity", "perfect", *(["again"] if group == "degraded" else [])]
    rows = [*floors, *(["typeset"] if ours else [])]
    rows += ["nearest"] if ours and group == "held-out" else []
    figures: dict[str, Any] = {"ssim": spread_table(found, rows)}
    figures["truth"] = read_table(found, ["truth"], 0.0)["truth"]
    if not ours:
        return figures
    figures |= outcomes(found)
    kept = figures["outside_identical"]
    made = f"made {figures['made']}, not made {figures['not_made']}"
    print(f"  {made}, outside identical in {cell(kept)}", met(kept, 1.0))
    shown = ["typeset", *(["nearest"] if group == "held-out" else [])]
    figures["read"] = read_table(found, shown, ASKED_READ[group])
    figures |= {"known": _known, "held-out": _held, "degraded": _degraded}[group](found)
    figures["by"] = slice_table(found, "typeset")
    misses(found)
    return figures


def _known(found: Sequence[Judged]) -> dict[str, Any]:
    mean = statistics.mean(case.rows["typeset"].ssim for case in found)
    print(f"  mean region SSIM {mean:.4f}, {met(mean, ASKED_SSIM)}")
    return {}


def _degraded(found: Sequence[Judged]) -> dict[str, Any]:
    ours, again = (statistics.mean(c.rows[r].ssim for c in found) for r in ("typeset", "again"))
    each = [case.rows["typeset"].ssim >= ASKED_AGAIN * case.rows["again"].ssim for case in found]
    share = ours / again
    print(f"  mean region SSIM {ours:.4f} is {share:.4f} of the {again:.4f} of the true page")
    print(f"  degraded again, {met(share, ASKED_AGAIN)}; so in {sum(each)} of {len(each)} cases")
    return {"of_again": round(share, 4), "cases_from_97": sum(each)}


def _held(found: Sequence[Judged]) -> dict[str, Any]:
    """By family SSIM and LPIPS of ours, of the nearest font and of the old words left."""
    print(f"  {'family':22}SSIM {'ours':>9} {'nearest':>9} {'old':>9}",
          f"LPIPS {'ours':>9} {'nearest':>9} {'old':>9}  won by SSIM, LPIPS")  # fmt: skip
    figures: dict[str, Any] = {}
    for family in [*HELD_OUT, "all"]:
        mine = [case for case in found if family in (case.family, "all")]
        if mine:
            values = figures[family] = _beside(mine)
            shown = [cell(v) for k, v in values.items() if k.startswith(("ssim", "lpips"))]
            wins = f"{values['won_ssim']:.2f} {values['won_lpips']:.2f}"
            print(f"  {family:26}", *shown[:3], "     ", *shown[3:], f" {wins} of {len(mine)}")
    total = figures["all"]
    for by in ("ssim", "lpips"):
        print(f"  beats the nearest font by {by.upper()} in {total[f'won_{by}']:.4f},",
              met(total[f"won_{by}"], ASKED_WINS))  # fmt: skip
    return {"families": figures}


def _beside(found: Sequence[Judged]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    rows = ("typeset", "nearest", "identity")
    for by in ("ssim", "lpips"):
        for row in rows:
            known = [v for case in found if (v := getattr(case.rows[row], by)) is not None]
            values[f"{by}_{row}"] = round(statistics.mean(known), 4) if known else None
    pairs = [(case.rows["typeset"], case.rows["nearest"]) for case in found]
    values["won_ssim"] = sum(a.ssim > b.ssim for a, b in pairs) / len(pairs)
    values["won_lpips"] = sum((a.lpips or 0) < (b.lpips or 0) for a, b in pairs) / len(pairs)
    return values


def pinned(found: Sequence[Judged], whole: bool) -> dict[str, str]:
    """The hash of each group; a sentence where it is not the pinned one."""
    hashes = {}
    for group in dict.fromkeys(case.group for case in found):
        now = hashes[group] = revision([case.digest for case in found if case.group == group])
        if whole and now != REVISIONS[group]:
            print(
                f"These are not the pinned {group} cases: {now[:12]}, not {REVISIONS[group][:12]}."
            )
            print(f"They were made with {engines()}, pinned with {ENGINES}.")
    return hashes


def main() -> None:
    """Judge the cases, print the tables, and the figures as one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--limit", type=int, help="only so many cases of each group")
    parser.add_argument("--only", choices=list(COUNTS), action="append", help="only this group")
    parser.add_argument("--jobs", type=int, default=2, help="processes at work; default 2")
    parser.add_argument("--keep", type=Path, help="write contact sheets into this folder")
    parser.add_argument("--timed", type=int, default=24, help="edits that are timed; default 24")
    args = parser.parse_args()
    ours = find_spec("overpaint.editors.typeset") is not None
    if not ours:
        print("The editor is not there: floors and ceilings alone.", file=sys.stderr)
    asked = some(plans(*(args.only or ())), args.limit)
    found = run(asked, jobs=args.jobs, ours=ours, keep=args.keep is not None)
    figures: dict[str, Any] = {"revisions": pinned(found, not args.limit)}
    for group in dict.fromkeys(plan.group for plan in asked):
        mine = [case for case in found if case.group == group]
        figures[group] = report(group, mine, ours)
        if args.keep:
            typeset_sheets.write(args.keep, group, mine)
    if ours and args.timed:
        figures["clock"] = clock(args.timed)
    print(json.dumps(figures, ensure_ascii=False))


def _below(value: float, asked: float) -> str:
    return "met" if value < asked else "missed"


def clock(count: int) -> dict[str, Any]:
    """Print and return seconds a picture and memory, of a process that does nothing else."""
    found = typeset_clock.measure(count)
    spent, wall, peak = found["median"], found["wall_median"], found["peak"]
    print(f"\n{found['edits']} edits of 1024² pictures on one core, asked below 1.5 s and 1.5 GB:")
    print(
        f"  median {spent:.2f} s, p95 {found['p95']:.2f} s, median by the wall clock {wall:.2f} s;"
    )
    print(f"  {peak / 2**30:.2f} GB at most: {_below(spent, ASKED_SECONDS)},", _below(peak, MEMORY))
    return found


if __name__ == "__main__":
    main()
