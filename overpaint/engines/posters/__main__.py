"""`python -m overpaint.engines.posters OUT`: draw a set of posters, or one sheet of them."""

import argparse
import sys
from pathlib import Path

from overpaint.engines.posters import draw
from overpaint.engines.posters.album import COUNT, SEED, sheet, write
from overpaint.errors import OverpaintError


def main() -> None:
    """Write a set to a folder, or with --sheet one picture of all its sources."""
    parser = argparse.ArgumentParser(prog="overpaint.engines.posters", description=__doc__)
    parser.add_argument("out", type=Path, help="a folder, or the PNG of --sheet")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--sheet", action="store_true", help="one picture of all sources")
    args = parser.parse_args()
    try:
        if args.sheet:
            page = sheet([draw(args.seed, number).source for number in range(args.count)])
            page.save(args.out, optimize=True)
        else:
            write(args.out, seed=args.seed, count=args.count)
    except OverpaintError as error:  # most likely the fonts are not here yet
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
