"""What can be said after `overpaint calibrate`; imports nothing heavy, for help comes at once."""

import argparse
from pathlib import Path

from overpaint.cli.numbers import count

EXAMPLES = (
    "  overpaint calibrate runs/ebench --ratings ratings.csv\n"
    "  overpaint calibrate runs/ebench --study first --by task -o paper/people\n"
    "  overpaint calibrate runs/ebench --ratings ratings.csv --measure lpips --budget 2000\n"
    "  overpaint calibrate runs/released --opinions LMM4Edit"
)


def calibrating_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("run", type=Path, help="the run's folder")
    whom = parser.add_argument_group(
        "whose opinion (default: people's columns of the run, or its only study)"
    )
    one = whom.add_mutually_exclusive_group()
    one.add_argument(
        "--ratings", type=Path, metavar="FILE.csv",
        help="columns sample, editor, rater, dimension, value; yes and no are 1 and 0",
    )  # fmt: skip
    one.add_argument("--study", metavar="NAME", help="a study of the run (overpaint rate)")
    one.add_argument(
        "--opinions", type=Path, metavar="FOLDER", help="EBench's released opinion scores"
    )
    whom.add_argument(
        "--scores", choices=("mos", "mean"), default="mos",
        help="opinion scores after screening (mos), or raw means (mean)",
    )  # fmt: skip
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
