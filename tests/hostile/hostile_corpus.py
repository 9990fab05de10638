"""The hostile corpus: `python tests/hostile/hostile_corpus.py` tries every case and prints a table.

--quick        only those that `make test` tries
--every N      one of so many, as `make slow` does
--kind NAME    only these; may be given several times
--only TEXT    only cases with that in their name
--self         cases that do what none may: all of them must be found out
"""

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent)]

from hostile_case import Case  # noqa: E402
from hostile_expecting import expected, line, pinned, unknown  # noqa: E402
from hostile_running import Place, Result, perform, warm  # noqa: E402
from hostile_servers import start  # noqa: E402
from hostile_watching import left_about  # noqa: E402

MODULES = sorted(path.stem for path in HERE.glob("hostile_of_*.py"))
EVERY = 20  # one case of so many is also tried from a shell


def corpus() -> list[Case]:
    """Every case there is, by kind."""
    cases = [case for name in MODULES for case in import_module(name).CASES]
    names = [(case.kind, case.name) for case in cases]
    assert len(set(names)) == len(names), sorted({n for n in names if names.count(n) > 1})
    return pinned(cases)


def main() -> int:
    """Try the cases and print what came of them; 0 where nothing was wrong."""
    options = _options()
    from overpaint.document.places import cache_folder

    os.environ["OVERPAINT_CACHE"] = str(cache_folder())
    os.environ["PYTHONPATH"] = os.pathsep.join((str(HERE / "watch"), str(HERE.parent.parent)))
    cases = _chosen(options)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no case is left running
    few = options.quick or options.self or options.only or options.kind
    cold = 0 if few else EVERY
    root = Path(tempfile.mkdtemp(prefix="hostile-corpus-"))
    began = time.monotonic()
    try:
        results, more = tried(cases, root, options.jobs, cold=cold, told=options.told)
    finally:
        if not os.environ.get("HOSTILE_KEEP"):
            shutil.rmtree(root, ignore_errors=True)
    more += [] if options.self else unknown(corpus())
    if options.expect:
        known = expected()
        for one in results:
            if not one.cold and (one.case.kind, one.case.name) not in known:
                print(line(one.case, one.code, last(one)))
    summary = _summary(results, more) | {"seconds": round(time.monotonic() - began, 1)}
    _table(results)
    for why in more:
        print(f"WRONG: {why}")
    print(json.dumps(summary))
    return int(any(one.wrong for one in results) or bool(more))


def tried(
    cases: list[Case], root: Path, jobs: int, *, cold: int, told: bool
) -> tuple[list[Result], list[str]]:
    """What came of each case, and what was found at the end that no case can be blamed for."""
    servers = start(root / "asked")
    place = Place(root, servers.canary, servers.model)
    results: list[Result] = []
    try:
        place.prepare()
        warm()
        before = left_about()
        slow = []
        for one in perform(cases, place, jobs=jobs):
            if not one.wrong and one.wall > one.case.seconds:
                slow.append(one.case)
                continue
            results.append(one)
            _tell(one, told=told)
        for one in perform(slow, place, jobs=1):  # with the machine to itself
            if one.wall > one.case.seconds:
                one.wrong.append(f"hang: {one.wall:.1f} s by the clock, alone")
            results.append(one)
            _tell(one, told=told)
        typed = [one.case for one in results if one.typed] if cold else []
        for one in perform(typed[:: cold or 1], place, jobs=jobs, cold=True):
            results.append(one)
            _tell(one, told=told)
        more = [f"escape: the canary was asked for {line}" for line in servers.asked()]
        more += [f"escape: {path} was left" for path in left_about() if path not in before]
    finally:
        servers.end()
    return results, more


def _tell(one: Result, *, told: bool) -> None:
    """What was wrong, and what was said, as soon as it is known."""
    for why in one.wrong:
        where = " (from a shell)" if one.cold else ""
        print(f"WRONG {one.case.kind}: {one.case.name!r}{where}: {why}", flush=True)
    if told:
        print(f"{one.code} {one.seconds:5.1f} s {one.wall:5.1f} s {one.megabytes:5.0f} MB"
              f" {one.case.kind}: {one.case.name!r}: {last(one)!r}", flush=True)  # fmt: skip


def last(one: Result) -> str:
    """What it said at last, on a line."""
    told = one.said[max(one.said.rfind("overpaint: "), 0) :]
    return " ".join(told.split())[-400:] or " ".join(one.out.split())[-200:]


def _chosen(options: argparse.Namespace) -> list[Case]:
    if options.self:
        return list(import_module("hostile_misdeeds").CASES)
    chosen = [
        case for case in corpus()
        if (not options.quick or case.quick) and (not options.kind or case.kind in options.kind)
        and options.only in case.name
    ]  # fmt: skip
    return chosen[:: options.every]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--self", action="store_true")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--kind", action="append", default=[])
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="so many at a time")
    parser.add_argument("--expect", action="store_true", help="print lines for expected.tsv")
    parser.add_argument("--told", action="store_true", help="print what each case said")
    return parser.parse_args()


def _count(results: list[Result], what: str) -> int:
    return sum(any(why.startswith(what) for why in one.wrong) for one in results)


def _summary(results: list[Result], more: list[str]) -> dict[str, object]:
    return {
        "cases": sum(not one.cold for one in results), "from_a_shell": sum(o.cold for o in results),
        "refused": sum(one.code == 2 and not one.cold for one in results),
        "crashes": _count(results, "crash") + sum(why.startswith("crash") for why in more),
        "hangs": _count(results, "hang"),
        "escapes": _count(results, "escape") + sum(why.startswith("escape") for why in more),
        "slowest_seconds": round(max((one.seconds for one in results), default=0), 1),
        "slowest_wall": round(max((one.wall for one in results), default=0), 1),
        "peak_megabytes": round(max((one.megabytes for one in results), default=0)),
    }  # fmt: skip


def _table(results: list[Result]) -> None:
    heads = ("kind", "cases", "refused", "done", "rows failed", "slowest", "wall", "peak",
             "crashes", "hangs", "escapes")  # fmt: skip
    print(f"{heads[0]:<16}" + "".join(f"{head:>12}" for head in heads[1:]))
    for kind in [*dict.fromkeys(one.case.kind for one in results), "all"]:
        ours = [one for one in results if kind in (one.case.kind, "all")]
        warmly = [one for one in ours if not one.cold]
        codes = [sum(one.code == code for one in warmly) for code in (2, 0, 1)]
        if not ours:
            continue
        cells = [len(warmly), *codes, f"{max(one.seconds for one in ours):.1f} s",
                 f"{max(one.wall for one in ours):.1f} s",
                 f"{max(one.megabytes for one in ours):.0f} MB",
                 *(_count(ours, what) for what in ("crash", "hang", "escape"))]  # fmt: skip
        print(f"{kind:<16}" + "".join(f"{cell:>12}" for cell in cells))


if __name__ == "__main__":
    sys.exit(main())
