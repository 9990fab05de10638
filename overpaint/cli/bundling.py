"""export, import: what editors made and judges replied, out of a run and into another."""

import argparse
import json
import shlex
import sys

from overpaint import catalog
from overpaint.cli.progress import Bar
from overpaint.errors import UserMistake
from overpaint.measures.columns import of_sets
from overpaint.report.numbers import one_of
from overpaint.store import Store
from overpaint.store.exporting import Chosen, export_bundle
from overpaint.store.importing import import_bundle
from overpaint.store.parquet import export_parquet


def export_command(args: argparse.Namespace) -> int:
    """Write a bundle, or the tables."""
    if args.parquet:
        if args.editor or args.no_pictures or args.no_replies:
            raise UserMistake(
                "--parquet writes all rows of a run.",
                "--editor, --no-pictures and --no-replies are of bundles.",
                "Leave them away, or leave --parquet away.",
            )
        counts = export_parquet(args.run, args.out, _of_sets, Bar())
    else:
        if args.out.suffix.lower() != ".zip":
            raise UserMistake(
                f"{args.out} is no name of a bundle.", "It ends in .zip.", f"-o {args.out}.zip"
            )
        chosen = Chosen(tuple(args.editor), not args.no_pictures, not args.no_replies)
        counts = export_bundle(args.run, args.out, chosen, Bar())
    if args.json:
        print(json.dumps({"written": str(args.out), **counts}, indent=1))
        return 0
    for what, count in counts.items():
        print(_line(what, count))
    print(f"Written: {args.out}", file=sys.stderr)
    return 0


def _line(what: str, count: int) -> str:
    """A count of what is named first: `2 edits`, `1 reply known`."""
    noun, *rest = what.split(" ")
    return " ".join([f"{count:>9,}", one_of(noun) if count == 1 else noun, *rest])


def _of_sets(store: Store) -> list[str]:
    return of_sets(map(catalog.measure, store.measures.values()))


def import_command(args: argparse.Namespace) -> int:
    """Take a bundle into a run."""
    counts = import_bundle(args.run, args.file, Bar())
    told = {"edits": counts.pop("edits", 0), "replies": counts.pop("replies", 0)} | counts
    if args.json:
        print(json.dumps(told, indent=1))
        return 0
    for what, count in told.items():
        new = f" {'is' if count == 1 else 'are'} new" if what in ("edits", "replies") else ""
        print(f"{_line(what, count)}{new}")
    print(f"\nScore them:  overpaint score {shlex.quote(str(args.run))}", file=sys.stderr)
    return 0
