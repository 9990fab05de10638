"""`python -m overpaint.engines.documents OUT`: make a set of documents with edits and truth."""

import argparse
import sys
from pathlib import Path

from overpaint.engines.documents.album import COUNT, SEED, write
from overpaint.errors import OverpaintError


def main() -> None:
    """Write a set to a folder and print its revision."""
    parser = argparse.ArgumentParser(prog="overpaint.engines.documents", description=__doc__)
    parser.add_argument("out", type=Path, help="a folder that is new or empty")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    args = parser.parse_args()
    try:
        print(write(args.out, count=args.count, seed=args.seed, progress=_tell))
    except OverpaintError as error:  # most likely the fonts are not here yet
        print(error, file=sys.stderr)
        sys.exit(2)


def _tell(done: int, count: int) -> None:
    print(f"\r{done}/{count}", end="\n" if done == count else "", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
