"""`overpaint train reasoner`: a model that learns which layers to edit."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, fields

from overpaint.cli.progress import Bar, duration
from overpaint.core import Sample
from overpaint.report.wording import plain_lines
from overpaint.training.reasoner_plan import plan
from overpaint.training.reasoner_settings import Settings


def reasoner_command(args: argparse.Namespace) -> int:
    """Train, print the table of before and after, and say how the reasoner is used."""
    settings = _settings(args)
    if args.dry_run:
        return _foretold(args, settings)
    from overpaint.models.vlm import be_quiet
    from overpaint.training.processes import is_main, main_first
    from overpaint.training.reasoner import check, gather, train
    from overpaint.training.reasoner_report import report_text
    from overpaint.work import silent

    be_quiet()
    check(args.out, settings)
    bar = Bar() if is_main() else silent
    with main_first():  # under `accelerate launch` one process looks, the others read its notes
        data = gather(
            settings, _samples(args), against=args.against, workers=args.workers, progress=bar
        )
    found = train(args.out, settings, data, progress=bar)
    if not is_main():
        return 0
    if args.json:
        told = {"folder": str(args.out), "table": [asdict(one) for one in found.lines],
                "warnings": found.warnings, "notes": list(found.notes)}  # fmt: skip
        print(json.dumps(told, ensure_ascii=False))
    else:
        print(plain_lines(report_text(found)))
        print(f'\nUse it:  overpaint edit FILE "…" --with agent:local/{args.out}')
    return 0


def _settings(args: argparse.Namespace) -> Settings:
    """The recipe, with what was said instead."""
    named = {one.name: getattr(args, one.name, None) for one in fields(Settings)}
    said = {name: value for name, value in named.items() if value is not None}
    if args.pictures:
        from overpaint.editors.agent.reasoners import CURRENT

        said |= {"sees": True, "form": CURRENT}
    return Settings(**said)


def _samples(args: argparse.Namespace) -> Sequence[Sample] | None:
    if args.data is None:
        return None
    from overpaint.benchmarks.milde import load_set

    return load_set(args.data).samples


def _foretold(args: argparse.Namespace, settings: Settings) -> int:
    found = plan(settings, samples=_samples(args), folder=args.out)
    if args.json:
        print(json.dumps(asdict(found), ensure_ascii=False))
        return 0
    print(plain_lines("\n".join(found.lines)))
    took = f"about {duration(found.seconds)} on one free core" if found.seconds else "not known"
    print(f"Time:       {took}{found.why}")
    print("Hosts:      " + (found.hosts or "none"))
    return 0
