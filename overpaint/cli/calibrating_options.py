"""What can be said after `overpaint calibrate`; imports nothing heavy, for help comes at once."""

import argparse
from pathlib import Path

from overpaint.cli.numbers import count
from overpaint.cli.opinion_options import opinion_options

EXAMPLES = (
    "  overpaint calibrate runs/ebench --ratings ratings.csv\n"
    "  overpaint calibrate runs/ebench --study first --by task -o paper/people\n"
    "  overpaint calibrate runs/ebench --ratings ratings.csv --measure lpips --budget 2000\n"
    "  overpaint calibrate runs/released --opinions LMM4Edit"
)


def calibrating_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("run", type=Path, help="the run's folder")
    opinion_options(parser)
    parser.add_argument(
        "-m", "--measure", action="append", default=[], metavar="NAME",
        help="only this column; may be given several times (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--by", metavar="TAG", help="the tag that tells tasks apart (default: the benchmark's)"
    )
    parser.add_argument(
        "--budget", type=count, metavar="N",
        help="say which comparisons of editors N more ratings would settle",
    )  # fmt: skip
    parser.add_argument(
        "--draws", type=count, default=2000, metavar="N", help="of sources, for every interval"
    )
    parser.add_argument("-o", "--out", type=Path, help="where to (default RUN/calibration)")
