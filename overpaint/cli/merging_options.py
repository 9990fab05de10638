"""What can be said after `overpaint merge`; imports nothing heavy."""

import argparse
from pathlib import Path

ABOUT = "put runs together that were made apart: shards, or editors"
EXAMPLES = (
    "  overpaint run vde --editor typeset --shard 1/2 -o runs/one      on one machine\n"
    "  overpaint run vde --editor typeset --shard 2/2 -o runs/two      on another\n"
    "  overpaint merge runs/one runs/two -o runs/vde"
)


def merging_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "run", type=Path, nargs="+", help="the runs' folders; they stay as they are"
    )
    parser.add_argument(
        "-o", "--out", type=Path, required=True,
        help="the folder of the run they become; one of the same protocol is added to",
    )  # fmt: skip
