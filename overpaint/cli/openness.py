"""`show --stats --judge`: what models say the instructions of a set leave open, as a table."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from overpaint.cli.progress import Bar
from overpaint.cli.terms import tell_of_local, terms_of
from overpaint.core import Sample
from overpaint.engines.vde.ambiguity import DIMENSIONS
from overpaint.engines.vde.judged import (
    OVERALL,
    PAPER,
    REWRITES,
    Judgement,
    Mean,
    asks,
    check_judges,
    judged,
)
from overpaint.models.forecast import Forecast, forecast
from overpaint.models.names import endpoint
from overpaint.models.own import own_desk
from overpaint.models.prices import prices
from overpaint.report.wording import plain
from overpaint.stats.agreement import Agreement

ROWS = (*DIMENSIONS, OVERALL)
_REASONS = 8  # that are listed, at most


def foretold(args: argparse.Namespace, samples: Sequence[Sample]) -> list[Forecast]:
    """What the judges are about to be asked, each on a line of stderr."""
    check_judges(args.judge)
    known = prices(args.prices)
    expected = forecast(asks(samples, args.judge), known)
    for one in expected:
        print(plain(one.told(known.dated)), file=sys.stderr, flush=True)
    return expected


def heard(args: argparse.Namespace, samples: Sequence[Sample]) -> Judgement:
    """What they say; what became no score is told on stderr."""
    for name in args.judge:
        endpoint(name).key()  # one that is missing is found out now
    with own_desk(terms_of(args)) as desk:
        found = judged(samples, args.judge, desk, threads=args.in_flight, progress=Bar())
    for (judge, why), count in [*found.missing.items()][:_REASONS]:
        print(plain(f"{count:>6} × {judge} {why}"), file=sys.stderr)
    if len(found.missing) > _REASONS:
        print(f"       and {len(found.missing) - _REASONS} more reasons", file=sys.stderr)
    tell_of_local(args.judge)
    return found


def rows(found: Judgement) -> list[list[str]]:
    """The table: a line for each dimension, a column for the rules and each judge."""
    several = len(found.judges) > 1
    head = ["instruction ambiguity", *map(plain, found.scores), *(["agreement"] if several else [])]
    body = [
        [name, *(_mean(found.mean(who, name)) for who in found.scores),
         *([_alpha(found.agreement(name))] if several else [])]
        for name in ROWS
    ]  # fmt: skip
    counts = [str(found.mean(who, OVERALL).n) for who in found.scores]
    return [head, *body, ["instructions", *counts, *([""] if several else [])]]


def closing(found: Judgement) -> str:
    """What the numbers are held against."""
    told = (
        f"1 leaves nothing open, 5 everything; the paper's judges gave its instructions {PAPER},"
        f"\nand {REWRITES} to 200 of them that were made ambiguous on purpose"
    )
    several = "\nagreement: Krippendorff's alpha of the judges, the rules not among them"
    return told + (several if len(found.judges) > 1 else "")


def data(found: Judgement) -> dict[str, Any]:
    """All of it for machines."""
    return {
        "means": {who: {name: asdict(found.mean(who, name)) for name in ROWS}
                  for who in found.scores},
        "agreement": {name: asdict(found.agreement(name)) for name in ROWS}
        if len(found.judges) > 1 else {},
        "paper": {"instructions": PAPER, "rewrites": REWRITES},
        "missing": [{"judge": who, "why": why, "count": count}
                    for (who, why), count in found.missing.items()],
        "scores": [
            {"sample": sample.id, **{who: scores[n] for who, scores in found.scores.items()}}
            for n, sample in enumerate(found.samples)
        ],
    }  # fmt: skip


def _mean(one: Mean) -> str:
    if one.value is None:
        return "–"
    ends = "" if one.low is None else f" [{one.low:.2f}, {one.high:.2f}]"
    return f"{one.value:.3f}{ends}"


def _alpha(one: Agreement) -> str:
    if one.alpha is None:
        return "–"
    ends = "" if one.low is None else f" [{one.low:.2f}, {one.high:.2f}]"
    return f"{one.alpha:.2f}{ends}"
