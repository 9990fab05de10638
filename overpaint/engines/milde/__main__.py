"""`python -m overpaint.engines.milde OUT`: draw a set of layered designs."""

import argparse
import os
import sys
from pathlib import Path

from overpaint.engines.milde.album import COUNT, SEED, write
from overpaint.errors import OverpaintError


def main() -> None:
    """Write a set to a folder."""
    parser = argparse.ArgumentParser(prog="overpaint.engines.milde", description=__doc__)
    parser.add_argument("out", type=Path, help="a new or an empty folder")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    args = parser.parse_args()
    try:
        write(args.out, seed=args.seed, count=args.count, workers=os.cpu_count() or 1)
    except OverpaintError as error:  # most likely the folder, or the fonts are not here
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
