"""What can be said after `overpaint train fusion`; imports nothing heavy."""

import argparse

from overpaint.cli.numbers import count, whole
from overpaint.cli.training_options import rated_options

EXAMPLES = (
    "  overpaint train fusion runs/ebench --ratings ratings.csv -o fusion\n"
    "  overpaint train fusion runs/released --opinions EBench -o fusion --folds 10\n"
    "  overpaint score runs/other --measure learned:fusion"
)


def fusion_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    rated_options(parser, "the fusion's folder")
    parser.add_argument("--name", default="fusion", help="as columns bear it (default fusion)")
    parser.add_argument(
        "--members", choices=("trees", "curves", "best"), default="trees",
        help="boosted trees, curves that never turn, or whichever is better on sources left out",
    )  # fmt: skip
    parser.add_argument(
        "--folds",
        type=count,
        default=6,
        help="parts of sources, each left out once (default 6)",
    )
    parser.add_argument("--seed", type=whole, default=0, help="of everything drawn (default 0)")
    parser.add_argument("--workers", type=whole, help="processes (default: one a core)")
