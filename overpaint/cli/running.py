"""demo, run, score, retry: the commands that make and score edits."""

import argparse
import json
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import overpaint.run as pipeline
from overpaint import catalog
from overpaint.cli.judging import ask_votes
from overpaint.cli.terms import print_plan, settings_of, tell_of_local, terms_of
from overpaint.cli.unfinished import told_of_unfinished
from overpaint.core import RETRY_EDITS, RETRY_SCORES
from overpaint.errors import UserMistake
from overpaint.measures.judge import columns
from overpaint.report import read_tables, text_table, write_report
from overpaint.report.deck import agents, who_decided
from overpaint.report.numbers import count
from overpaint.report.wording import plain
from overpaint.run.shards import told_of_shards
from overpaint.store import Store
from overpaint.work import Progress

# Weights that are not here are a choice; these are accidents, and the exit code says so.
_ACCIDENTS = tuple(status for status in RETRY_SCORES if status != "unavailable")


def demo_command(args: argparse.Namespace) -> int:
    """The built-in set from beginning to end, and the page."""
    settings = settings_of(args)
    done = pipeline.run("demo", out=args.out, settings=settings)
    page = _write_page(done, settings.progress)
    code = _finish(done, args, page=str(page))
    if args.open:
        import webbrowser

        webbrowser.open(page.resolve().as_uri())
    return code


def run_command(args: argparse.Namespace) -> int:
    """Make what is missing, score what is missing."""
    rubrics = getattr(catalog.benchmark(args.benchmark), "rubrics", ())
    what: dict[str, Any] = {
        "data": args.data, "editors": args.editor, "out": args.out, "limit": args.limit,
        "shard": args.shard, "floors": not args.no_floors,
        "measures": _columns(args, rubrics),
    }  # fmt: skip
    if args.dry_run:
        told: dict[str, Any] = {"asking": terms_of(args), "progress": settings_of(args).progress}
        return print_plan(pipeline.plan(args.benchmark, **what, **told), args.json)
    done = pipeline.run(args.benchmark, **what, redo=args.redo, settings=settings_of(args))
    return _finish(done, args)


def score_command(args: argparse.Namespace) -> int:
    """Score what is missing, and add measures."""
    with Store.open(args.run) as store:
        rubrics = getattr(catalog.benchmark(store.fact("benchmark")), "rubrics", ())
    measures, settings = _columns(args, rubrics), settings_of(args)
    if args.dry_run and args.pairwise:
        raise UserMistake(
            "Votes are not foretold.",
            "Their first line says whom they ask, how much and for what, before anything is sent.",
            "Leave --dry-run away, and set a --cost-limit.",
        )
    if args.dry_run:
        return print_plan(pipeline.plan_scores(args.run, measures, settings.asking), args.json)
    ask_votes(args, settings)
    return _finish(pipeline.score(args.run, measures, settings), args)


def retry_command(args: argparse.Namespace) -> int:
    """Try again what failed by accident."""
    done, edits, scores = pipeline.retry(args.run, settings_of(args))
    told = f"{count(edits, 'edit')}, {count(scores, 'score')}"
    print(f"Tried again: {told}.", file=sys.stderr)
    with Store.open(done.folder) as store:
        if line := told_of_unfinished(store):
            print(plain(line), file=sys.stderr)
    return _finish(done, args)


def _columns(args: argparse.Namespace, rubrics: Sequence[str]) -> list[str]:
    """The measures asked for besides the benchmark's own: by name, and by judge."""
    if args.judge and not rubrics:
        raise UserMistake(
            "This benchmark names no rubrics, so a judge does not know what to ask.",
            "A rubric can be named with the judge.",
            f"--measure judge:RUBRIC:{args.judge[0]}",
        )
    made = columns(rubrics, args.judge, repeats=args.repeats, quorum=args.quorum)
    return [*args.measure, *made]


def _write_page(done: pipeline.Run, progress: Progress) -> Path:
    with Store.open(done.folder) as store:
        return write_report(store, done.folder / "report", progress=progress)


def _finish(done: pipeline.Run, args: argparse.Namespace, **more: str) -> int:
    """Print the table (or JSON), what failed, and what to do next."""
    failures, info = done.failures(), done.info
    if args.json:
        print(json.dumps(_as_json(done, failures) | more, ensure_ascii=False, indent=1))
    else:
        with Store.open(done.folder) as store:
            print(text_table(read_tables(store)))
            for line in who_decided(agents(store.edits())):
                print(plain(line), file=sys.stderr)
            if line := told_of_shards(store):
                print(line, file=sys.stderr)
        _explain_data(info)
        _explain(failures)
    tell_of_local(_asked(done))
    accidents = _accidents(done, failures)
    if not args.json:
        _next_steps(done, accidents, more.get("page"))
    return int(bool(accidents))


def _accidents(done: pipeline.Run, failures: Iterable[tuple[Any, ...]]) -> list[str]:
    """What failed that was not to be expected, and may be tried again: "agent: 3 × …"."""
    with Store.open(done.folder) as store:
        specs, competing = store.measures, catalog.competing(store.editors, store.floors)
    judges = {name for name, spec in specs.items() if catalog.measure(spec).where == "thread"}
    # A blank page that cannot be aligned is no accident of the user's.
    counts: Counter[tuple[str, str]] = Counter()
    for editor, what, status, _, n in failures:
        again = RETRY_EDITS if what == "edit" else RETRY_SCORES if what in judges else _ACCIDENTS
        if status in again and (what in judges or editor in competing):
            counts[editor, status] += n
    return [f"{editor}: {n} × {status}" for (editor, status), n in counts.items()]


def _asked(done: pipeline.Run) -> list[str]:
    """The models that the run's judges asked."""
    return list(dict.fromkeys(bill.model for bill in done.bill()))


def _as_json(done: pipeline.Run, failures: Iterable[tuple[Any, ...]]) -> dict[str, Any]:
    from dataclasses import asdict

    names = ("editor", "what", "status", "reason", "count")
    return {
        "run": str(done.folder),
        "card_id": done.info["card_id"],
        "table": [asdict(row) for row in done.table()],
        "gaps": [asdict(gap) for gap in done.gaps()],
        "failures": [dict(zip(names, row, strict=True)) for row in failures],
    }


def _explain(failures: list[tuple[str, str, str, str, int]]) -> None:
    """What did not become a number, grouped by status and reason."""
    groups: dict[tuple[str, str], tuple[int, str]] = {}
    for _, _, status, reason, n in failures:
        if status not in ("not_applicable", "no_edit"):
            shown = re.sub(r"(?<![:/\w])(/[^/\s]+)+/", "…/", reason)
            alike = re.sub(r"[\d.,#%]+", "", shown)  # the same trouble with other figures
            before, first = groups.get((status, alike), (0, shown))
            groups[status, alike] = (before + n, first)
    for (status, _), (n, reason) in sorted(groups.items(), key=lambda item: -item[1][0])[:8]:
        print(f"{n:>6} × {status}: {plain(reason)}", file=sys.stderr)
    if len(groups) > 8:
        more = count(len(groups) - 8, "more reason")
        print(f"       and {more}; the report lists them all", file=sys.stderr)


def _explain_data(info: dict[str, Any]) -> None:
    """What reading the data took, where it is not as its format promises."""
    if repairs := info.get("repairs"):
        listed = ", ".join(f"{n} × {kind}" for kind, n in repairs.items())
        data = "" if info["data"] == "built in" else f" --data {shlex.quote(info['data'])}"
        command = f"overpaint validate {shlex.quote(info['benchmark'])}{data}"
        print(f"Reading the data took repairs: {listed}\n  ({command} lists them)", file=sys.stderr)


def _next_steps(done: pipeline.Run, accidents: Sequence[str], page: str | None) -> None:
    folder = shlex.quote(str(done.folder))
    if accidents:
        told = plain(", ".join(accidents))
        print(f"\nThe exit code is 1, for something failed ({told}).", file=sys.stderr)
        print(f"Try again:   overpaint retry {folder}", file=sys.stderr, end="")
    if page:
        print(f"\nThe page:    {Path(page).resolve().as_uri()}", file=sys.stderr)
    else:
        print(f"\nLook at it:  overpaint view {folder}", file=sys.stderr)
    print(f"Compare:     overpaint compare {folder}", file=sys.stderr)
