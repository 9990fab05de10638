"""merge: runs that were made apart become one."""

import argparse
import json
import shlex
import sys
from collections.abc import Mapping, Sequence

from overpaint.cli.terms import settings_of
from overpaint.report.numbers import one_of
from overpaint.report.wording import plain
from overpaint.run.merging import merge
from overpaint.run.shards import told_of_shards
from overpaint.store import Store


def merge_command(args: argparse.Namespace) -> int:
    """Put runs together, and say what came of it."""
    merged = merge(args.run, args.out, settings_of(args))
    with Store.open(args.out) as store:
        line, counts = told_of_shards(store), store.counts() | {"samples": store.size()}
    if args.json:
        told = {"run": str(args.out), "added": merged.added, "gone": merged.gone, "has": counts,
                "versions": merged.versions}  # fmt: skip
        print(json.dumps(told, indent=1))
        return 0
    for what in ("samples", "edits", "scores", "calls"):
        print(f"{_told(what, merged.added[what], counts.get(what))} new in {args.out}")
    if merged.gone:
        several = "pictures are gone from their own runs"
        lost = "picture is gone from its own run" if merged.gone == 1 else several
        print(
            f"{merged.gone:,} {lost}; `overpaint retry` makes what is gone anew, and an"
            " import brings what was imported.", file=sys.stderr,
        )  # fmt: skip
    if merged.versions:
        print(plain(_versions_told(merged.versions)), file=sys.stderr)
    if line:
        print(line, file=sys.stderr)
    print(f"\nLook at it:  overpaint view {shlex.quote(str(args.out))}", file=sys.stderr)
    return 0


def _told(what: str, added: int, of: int | None) -> str:
    """`4 of 4 edits are`, `1 of 4 edits is`, `1 call is`."""
    named = one_of(what) if (added if of is None else of) == 1 else what
    whole = "" if of is None else f" of {of:,}"
    return f"{added:>9,}{whole} {named} {'is' if 1 in (added, of) else 'are'}"


def _versions_told(versions: Mapping[str, Sequence[str]]) -> str:
    several = ", ".join(f"{name} {' and '.join(found)}" for name, found in versions.items())
    return (
        f"These runs were made with different versions: {several}. Their numbers may differ by"
        " that; where it matters, make one of them again with the versions of the other."
    )
