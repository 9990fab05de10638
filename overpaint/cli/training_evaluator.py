"""`overpaint train evaluator`: a model that sees learns what people think of edits."""

import argparse
import json
import sys
from dataclasses import fields
from typing import Any

from overpaint.cli.opinions import people_of
from overpaint.cli.progress import Bar
from overpaint.errors import UserMistake
from overpaint.measures.learned import FILE, Package
from overpaint.models.vlm import be_quiet, config_of
from overpaint.report.wording import plain
from overpaint.store import Store
from overpaint.training.evaluator import train_evaluator
from overpaint.training.evaluator_card import CARD, agreement_table
from overpaint.training.evaluator_parts import Named
from overpaint.training.evaluator_plan import Plan, plan_of
from overpaint.training.evaluator_settings import Data, Settings, data_of
from overpaint.training.processes import is_main
from overpaint.training.rated import SIMULATED, by_picture, fewer, read_examples, split
from overpaint.work import Progress, silent


def evaluator_command(args: argparse.Namespace) -> int:
    """Train an evaluator on a run's rated edits, or say what that would be."""
    settings = settings_of(args)
    config_of(settings.base)  # what is missing is told before pictures are looked at
    be_quiet()
    bar = Bar() if is_main() else silent
    whose, data, notes = _data(args, bar)
    for note in notes if is_main() else ():
        print(plain(note), file=sys.stderr)
    if args.dry_run:
        if is_main():
            _print_plan(plan_of(data, settings), args)
        return 0
    package = train_evaluator(data, args.out, settings, whose=whose, notes=notes, progress=bar)
    if is_main():
        _print_result(package, args)
    return 0


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings that were said, and the usual ones."""
    said: dict[str, Any] = {
        one.name: getattr(args, one.name)
        for one in fields(Settings)
        if getattr(args, one.name, None) is not None
    }
    if "rank" in said and "first_rank" not in said:
        said["first_rank"] = max(said["rank"] + 1, said["rank"] * 3 // 2)
    named = Named(args.vision_layers, args.language_layers, args.projector_modules)
    return Settings(**said, named=named)


def _data(args: argparse.Namespace, bar: Progress) -> tuple[str, Data, list[str]]:
    with Store.open(args.run) as store:
        whose, people, simulated = people_of(store, args)
        examples, left_out = read_examples(store, people, leave_out=args.leave_out_missing)
    examples, compared = by_picture(
        examples, args.against, leave_out=args.leave_out_missing, progress=bar
    )
    notes = [*([SIMULATED] if simulated else []), *left_out, *compared]
    train, test = split(examples, seed=args.seed)
    if args.limit:
        train, test = (fewer(part, args.limit, seed=args.seed) for part in (train, test))
    return whose, data_of(train, test, people), notes


def _print_plan(plan: Plan, args: argparse.Namespace) -> None:
    if args.json:
        print(json.dumps(plan.facts, ensure_ascii=False, indent=1))
        return
    print("\n".join(map(plain, plan.lines)))
    try:
        plan.check()
    except UserMistake as error:
        print(plain(str(error)), file=sys.stderr)


def _print_result(package: Package, args: argparse.Namespace) -> None:
    if args.json:
        print(json.dumps(package.facts, ensure_ascii=False, indent=1))
        return
    print("\n".join(map(plain, agreement_table(package.facts["agreement"]))))
    print(f"\nThe card:  {args.out / CARD}\nWhat it is:  {args.out / FILE}", file=sys.stderr)
    print(f"Use it:  overpaint score ANOTHER-RUN --measure learned:{args.out}", file=sys.stderr)
