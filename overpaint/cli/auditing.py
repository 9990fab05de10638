"""`overpaint audit`: a measure or judge meets probes whose right answer is known."""

import argparse
import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import overpaint.run as pipeline
from overpaint import catalog
from overpaint.cli.terms import print_plan, settings_of
from overpaint.core import RETRY_SCORES, Measure, Sample
from overpaint.engines.probes import PROBES, VERSION, chosen, make_probes, picked
from overpaint.errors import StoreError, UserMistake
from overpaint.measures.judge import EVIDENCE, columns
from overpaint.models.forecast import Ask, distinct, forecast
from overpaint.models.prices import prices
from overpaint.report.audit import AuditCard, as_data, read_audit
from overpaint.report.audit.page import write_audit
from overpaint.report.audit.text import audit_text, lines_in
from overpaint.run.planning import FREE
from overpaint.store import Store, has_run
from overpaint.store.claiming import claimed

# No measure need score a picture that has nothing to do with the question.
_STRANGE = ("blank", "shuffled")
_ACCIDENTS = tuple(status for status in RETRY_SCORES if status != "unavailable")


def audit_command(args: argparse.Namespace) -> int:
    """Draw the probes, have them scored, and write the card."""
    specs = [spec for text in args.what for spec in columns_of(text, args.benchmark)]
    for spec in specs:
        catalog.measure(spec)  # a wrong one is found out before anything is drawn
    folder = args.out or Path("runs", f"audit-{_short(args.what[0])}")
    settings = settings_of(args)
    if args.dry_run:
        return print_plan(_plan(args, specs, folder), args.json)
    _draw(args, folder, settings)
    probes = f"probe=outputs:{folder / PROBES}"
    done = pipeline.run(
        "audit", data=folder, editors=[probes], out=folder, floors=False, measures=specs,
        settings=settings,
    )  # fmt: skip
    with Store.open(folder) as store:
        card = read_audit(store, done.bill())
        page = write_audit(store, card)
    return _finish(card, page, args.json)


def columns_of(text: str, benchmark: str) -> list[str]:
    """The specs of the measures that a word of the command line stands for.

    A judge stands for what it makes of each of the benchmark's rubrics; anything else is a
    measure's own name: one in the catalogue, MAKER:ARGUMENT, or FILE.py:NAME.
    """
    maker = text.partition(":")[0] in catalog.MAKERS and text != EVIDENCE
    known = ".py:" in text or maker or text in catalog.names("measure")
    if known or (text != EVIDENCE and "/" not in text):
        return [text]
    rubrics = getattr(catalog.benchmark(benchmark), "rubrics", ())
    if not rubrics:
        raise UserMistake(
            f"The benchmark {benchmark} names no rubrics, so a judge does not know what to ask.",
            "A rubric can be named with the judge.",
            f"overpaint audit judge:RUBRIC:{text}",
        )
    return columns(rubrics, [text])


def _short(text: str) -> str:
    """A name for a folder."""
    return "".join(letter if letter.isalnum() or letter in "-_@." else "-" for letter in text)


def _told(args: argparse.Namespace) -> dict[str, Any]:
    """What the probes are made of: a run has one set of them."""
    return {
        "benchmark": args.benchmark,
        "data": str(args.data.resolve()) if args.data else "built in",
        "samples": args.samples,
        "groups": sorted(set(args.probe)),
        "seed": args.seed,
        "version": VERSION,
    }


def _draw(args: argparse.Namespace, folder: Path, settings: pipeline.Settings) -> None:
    """Make the probes, unless the run has them."""
    told = _told(args)
    if has_run(folder):
        with Store.open(folder) as store:
            known = store.info.get("audit")
            if known == told and (folder / PROBES).is_file():
                return
            if known or "created" in store.info:
                raise _other(folder, known, told)
    bench, probes = catalog.benchmark(args.benchmark), chosen(args.probe)
    samples = picked(pipeline.load(bench, args.data, settings.progress).samples, args.samples)
    workers = (os.cpu_count() or 1) if settings.workers is None else settings.workers
    with Store.create(folder) as store, claimed(store):
        make_probes(samples, folder, probes=probes, seed=args.seed, workers=workers,
                    progress=settings.progress)  # fmt: skip
        store.note(audit=told)


def _other(folder: Path, known: Any, told: dict[str, Any]) -> StoreError:
    if not known:
        wrong = f"The run in {folder} is not an audit."
    else:
        differ = [f"{key} {known.get(key)!r}" for key in told if known.get(key) != told[key]]
        wrong = f"The audit in {folder} has other probes: {', '.join(differ)}."
    return StoreError(wrong, "One audit has one set of probes.", "Give this one its own -o.")


def _plan(args: argparse.Namespace, specs: list[str], folder: Path) -> dict[str, Any]:
    bench = catalog.benchmark(args.benchmark)
    samples = picked(pipeline.load(bench, args.data).samples, args.samples)
    probes, made = chosen(args.probe), {"edits": 0, "scores": 0}
    measures = [catalog.measure(spec) for spec in specs]
    if has_run(folder):
        with Store.open(folder) as store:
            made = store.counts()
    # A probe asks what its sample asks, of pictures of about that size.
    asks = (ask for one in samples for ask in _asks(measures, one) for _ in probes)
    expected = forecast(asks, listed := prices(args.prices))
    return {
        "benchmark": args.benchmark,
        "run": str(folder),
        "already_there": [f"{count} {what}" for what, count in made.items()],
        "samples": len(samples),
        "probes_each": len(probes),
        "measures": [measure.name for measure in measures],
        "scores_at_most": len(samples) * len(probes) * len(measures),
        "hosts_contacted": list(dict.fromkeys(one.endpoint.host for one in expected)) or "none",
        "leaves_the_machine": [one.told(listed.dated) for one in expected] or "nothing",
        "price": [one.price(listed.dated) for one in expected] or FREE,
    }


def _asks(measures: Sequence[Measure], sample: Sample) -> Sequence[Ask]:
    return distinct(ask for measure in measures if measure.asks for ask in measure.asks(sample))


def _finish(card: AuditCard, page: Path, as_json: bool) -> int:
    accident = any(
        line.statuses.get(status)
        for column in card.columns
        for found in column.findings
        for line in lines_in(found)
        for status in _ACCIDENTS
        if line.group not in _STRANGE
    )
    if as_json:
        print(json.dumps(as_data(card) | {"page": str(page)}, ensure_ascii=False, indent=1))
        return int(accident)
    print(audit_text(card))
    if accident:
        again = f"overpaint retry {shlex.quote(card.run)}, then this command once more"
        print(f"\nTry again:   {again}", file=sys.stderr, end="")
    print(f"\nThe card:    {page.resolve().as_uri()}", file=sys.stderr)
    return int(accident)
