"""build milde, and `show --stats` of a set of layered designs."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from overpaint.cli.progress import Bar
from overpaint.cli.terms import print_plan, tell, terms_of
from overpaint.core import Sample
from overpaint.engines.milde.statistics import EDITS, PAPER, Statistics, describe, is_layered
from overpaint.errors import OverpaintError, UserMistake
from overpaint.report.wording import plain
from overpaint.work import silent

if TYPE_CHECKING:
    from overpaint.engines.milde.records import Settings

__all__ = ["build_layered", "is_layered", "show_layered"]


def build_layered(args: argparse.Namespace) -> int:
    """Take a build of layered designs as far as it goes."""
    from overpaint.cli.building import told
    from overpaint.engines.milde.building import build
    from overpaint.engines.vde.records import Terms

    settings = _settings(args)
    if args.dry_run:
        return _foretell(args, settings)
    progress = silent if args.quiet else Bar()
    terms = Terms(
        args.workers, args.deadline, args.memory, progress, terms_of(args), tell=tell
    )  # fmt: skip
    return told(args, build(args.pages, args.out, settings=settings, terms=terms))


def _settings(args: argparse.Namespace) -> "Settings":
    """What was asked for; options left away keep what the build was begun with."""
    from dataclasses import fields

    from overpaint.engines.milde.records import Settings
    from overpaint.engines.vde.records import kept_settings

    names = ("model", "classes", "seed", "per_document", "raters", "document")
    asked = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    known = {field.name for field in fields(Settings)}
    kept = {name: value for name, value in kept_settings(args.out).items() if name in known}
    return Settings(**(kept | asked))


def _foretell(args: argparse.Namespace, settings: "Settings") -> int:
    """Say what may be asked about the files that were named, and ask nothing."""
    from overpaint.engines.milde import foretelling, sources
    from overpaint.models.forecast import forecast
    from overpaint.models.names import endpoint
    from overpaint.models.prices import prices

    paths = [path for path, _ in sources.files_below(args.pages, args.out, settings.document)]
    if not settings.model:
        raise UserMistake("No model is named.", "--model VENDOR/MODEL was expected.")
    found = list(foretelling.shapes(paths, settings.pages))
    unread = [one for one in found if isinstance(one, OverpaintError)]
    whole = [one for one in found if not isinstance(one, OverpaintError)]
    known = prices(args.prices)
    expected = forecast(foretelling.asks(whole, settings, endpoint(settings.model)), known)
    for one in expected:
        tell(one.told(known.dated))
    for error in unread:
        tell(f"left out: {error}")
    plan: dict[str, Any] = {
        "documents": len(whole), "left_out": len(unread),
        "layers": sum(one.layers for one in whole), "asked": [one.data for one in expected],
    }  # fmt: skip
    return print_plan(plan, args.json)


# ── what a set is made of ───────────────────────────────────────────────────────────────


def show_layered(args: argparse.Namespace, samples: Sequence[Sample]) -> int:
    """Layers, edited layers and words of a set, beside the paper's."""
    if args.judge or args.out:
        what = "--judge" if args.judge else "-o"
        raise UserMistake(f"{what} says nothing about {args.name}.",
                          "Heat maps and ambiguity are about pages, as vde has them.")  # fmt: skip
    found = describe(samples)
    if args.json:
        paper = {name: {"test": test, "train": train} for name, (test, train) in PAPER.items()}
        print(json.dumps(asdict(found) | {"paper": paper}, ensure_ascii=False, indent=1))
    else:
        print(_text(args.name, found))
        print("The paper does not say what its lengths count; words are assumed. Its documents are"
              " others.", file=sys.stderr)  # fmt: skip
    return 0


def _text(name: str, found: Statistics) -> str:
    from overpaint.cli.building import number, table

    rows = [["", plain(name), "paper, test", "paper, train"]]
    rows.append(["samples", f"{found.samples:,}", "", ""])
    rows.append(["documents", f"{found.documents:,}", *(f"{n:,.0f}" for n in PAPER["documents"])])
    for row, value in found.figures.items():
        rows.append([row, number(value), *(number(paper) for paper in PAPER[row])])
    shares = [f"{kind} {100 * found.edits.get(kind, 0.0):.0f} %" for kind in EDITS]
    kinds = [f"{plain(kind)} {100 * share:.0f} %" for kind, share in found.kinds.items()]
    return f"{table(rows)}\nedits    {', '.join(shares)}\nlayers   {', '.join(kinds)}"
