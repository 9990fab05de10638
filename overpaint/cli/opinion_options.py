"""How a command is told whose opinion it goes by; imports nothing heavy."""

import argparse
from pathlib import Path


def opinion_options(parser: argparse.ArgumentParser) -> None:
    """What `opinions.people_of` reads, besides the run."""
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
