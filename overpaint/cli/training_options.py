"""What every command that trains can be told; imports nothing heavy."""

import argparse
from pathlib import Path

from overpaint.cli.opinion_options import opinion_options


def against_option(parser: argparse.ArgumentParser) -> None:
    """Which benchmarks must not have been learned from."""
    parser.add_argument(
        "--against", action="append", default=[], metavar="BENCHMARK",
        help="leave out sources that look like one of this benchmark (NAME or NAME=DATA) or run;"
        " may be given several times",
    )  # fmt: skip


def rated_options(parser: argparse.ArgumentParser, out: str) -> None:
    """Which rated edits are learned from, and where what is learned comes to."""
    parser.add_argument("run", type=Path, help="the run's folder, whose edits were rated")
    parser.add_argument("-o", "--out", type=Path, required=True, help=out)
    parser.add_argument("--dry-run", action="store_true", help="print the plan and train nothing")
    opinion_options(parser)
    against_option(parser)
    parser.add_argument(
        "--leave-out-missing", action="store_true",
        help="leave out ratings of edits whose picture is missing or broken; else they are refused",
    )  # fmt: skip
