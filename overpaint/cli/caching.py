"""cache: what is kept where, how large it is, and what of it can go."""

import argparse
import json
from dataclasses import asdict

from overpaint.document.places import cache_folder
from overpaint.report.wording import plain
from overpaint.store.holding import RUN, Held, held, prune

_UNITS = ("B", "kB", "MB", "GB", "TB")


def cache_command(args: argparse.Namespace) -> int:
    """List what is kept, or remove what was named and say what that freed."""
    if args.prune:
        freed = {what: prune(what, args.folder) for what in args.prune}
        if args.json:
            print(json.dumps({"freed": freed}, indent=1))
        else:
            for what, size in freed.items():
                print(f"{told(size):>9} freed: {plain(what)}")
        return 0
    rows = held(args.folder)
    if args.json:
        found = {"cache": str(cache_folder()), "held": [asdict(row) for row in rows]}
        print(json.dumps(found, ensure_ascii=False, indent=1))
        return 0
    for row in rows:
        where = plain(f"{row.where}  ({_about(row)})")
        print(f"{told(row.bytes):>9}  {row.kind:8} {where}")
    print(f"{told(sum(row.bytes for row in rows)):>9}  in all")
    return 0


def _about(row: Held) -> str:
    files = f"{row.files:,} file{'s' * (row.files != 1)}"
    if row.kind == RUN and not row.note:
        spare = f"{told(row.spare)} that no row names; --prune {row.where}"
        return f"{files}; {spare if row.spare else 'all of it is named'}"
    return f"{files}; {row.note}"


def told(size: float) -> str:
    """A size for people."""
    for unit in _UNITS[:-1]:
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} {_UNITS[-1]}"
