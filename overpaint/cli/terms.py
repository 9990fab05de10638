"""What commands say alike: how work is done, how models are asked, what a small one is worth."""

import argparse
import json
import sys
from collections.abc import Iterable
from typing import Any

from overpaint.cli.progress import Bar
from overpaint.models.desk import Terms
from overpaint.report.wording import plain, plain_lines
from overpaint.run import Settings
from overpaint.work import check_answers, check_place, silent


def settings_of(args: argparse.Namespace) -> Settings:
    """How a run is carried out, as the command says."""
    check_place(args.on, args.workers)
    if not getattr(args, "dry_run", False):  # which asks nobody
        check_answers(args.on)
    asking = terms_of(args) if hasattr(args, "in_flight") else Terms()
    progress = silent if args.quiet else Bar()
    return Settings(
        args.workers, args.deadline, args.memory, progress, asking, tell=tell, on=args.on
    )


def terms_of(args: argparse.Namespace) -> Terms:
    """How models are asked, as the command says."""
    return Terms(args.in_flight, args.answer_within, cost_limit=args.cost_limit, prices=args.prices)


def tell(line: str) -> None:
    """A line for people, beside the results."""
    print(plain(line), file=sys.stderr, flush=True)


def tell_of_local(names: Iterable[str]) -> None:
    """The card of every model on this machine among these: what it got right when tried."""
    from overpaint.models.names import endpoint
    from overpaint.models.trained_card import trained_card

    here = [found for found in map(endpoint, names) if not found.address]
    trained = {known.told for found in here if (known := trained_card(found))}
    for line in sorted(trained):
        tell(line)
    local = {found.name for found in here if not trained_card(found)}
    if not local:
        return
    from overpaint.measures.quiz import card
    from overpaint.models.own import own_desk

    with own_desk() as desk:
        for name in sorted(local):
            print(f"\n{plain_lines(card(name, desk))}", file=sys.stderr)


def print_plan(plan: dict[str, Any], as_json: bool) -> int:
    """What a command would do, for people or for programs."""
    if as_json:
        print(json.dumps(plan, ensure_ascii=False, indent=1))
    else:
        for key, value in plan.items():
            if key != "asked":  # said in words already
                text = ", ".join(map(str, value)) if isinstance(value, list) else value
                print(f"{key.replace('_', ' '):19} {text}")
    return 0
