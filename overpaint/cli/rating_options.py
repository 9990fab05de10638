"""What `overpaint rate` can be told."""

import argparse
from pathlib import Path

from overpaint.cli.numbers import count, positive, whole

EXAMPLES = """\
  overpaint rate runs/demo                         three sliders and a question, links for 30 raters
  overpaint rate runs/demo --kind pairs --raters 12 --per-item 3
  overpaint rate runs/demo --kind scale --rubric textedit_if --study if
  overpaint rate built --kind tasks --raters 3     what `overpaint build` asks people
  overpaint rate runs/demo --plan --interval 0.2   how many raters a study needs
  overpaint rate runs/demo --progress
  overpaint rate runs/demo --export ratings.csv    fresh pseudonyms; --comments, --seconds add those
  overpaint rate runs/demo --collect               ratings become columns of the run"""


def rating_options(rate: argparse.ArgumentParser) -> None:
    """Add all options."""
    rate.add_argument("run", type=Path, metavar="RUN|BUILD", help="the folder of a run or a build")
    rate.add_argument("--study", metavar="NAME", help="the study's name (default: its kind)")
    _asked(rate)
    _who(rate)
    _server(rate)
    _instead(rate)


def _asked(rate: argparse.ArgumentParser) -> None:
    asked = rate.add_argument_group("what is asked (fixed when the study begins)")
    asked.add_argument(
        "--kind", choices=["ebench", "scale", "pairs", "boxes", "tasks"],
        help="ebench: three sliders and a question (default); scale: levels with a rubric; pairs:"
        " which of two; boxes: what changed; tasks: what a build asks",
    )  # fmt: skip
    asked.add_argument("--scale", choices=["0-3", "1-3", "1-5"], help="scale: MiLDE's, VDE's,"
                       " TextEditBench's questions (default 1-5)")  # fmt: skip
    asked.add_argument("--rubric", metavar="NAME|FILE.md", help="scale: a rubric's own questions")
    asked.add_argument(
        "-e", "--editor", action="append", default=[], metavar="NAME",
        help="only this one's edits; may be given several times (default: all beside floors)",
    )  # fmt: skip
    asked.add_argument("--samples", type=count, metavar="N", help="only the first N samples")
    asked.add_argument("--gold", type=Path, metavar="CSV", help="edits with known answers")
    asked.add_argument("--no-ties", action="store_true", help="pairs: one of the two must be said")
    asked.add_argument("--title", help="what raters read at the top")
    asked.add_argument(
        "--consent", type=Path, metavar="FILE",
        help="the text raters agree to; English, then Chinese after a line of ---",
    )  # fmt: skip


def _who(rate: argparse.ArgumentParser) -> None:
    who = rate.add_argument_group("who rates how much (fixed as well)")
    who.add_argument("--raters", type=count, help="links that are made (default 30)")
    who.add_argument("--per-item", type=count, help="raters an item (ebench 15, else 3)")
    who.add_argument("--per-rater", type=count, help="items a rater (default: what it takes)")
    who.add_argument("--training", type=whole, help="items to learn on (default 3)")
    who.add_argument("--repeats", type=float, help="share shown twice (default 0.05)")
    who.add_argument("--minutes", type=positive, help="of rating before a break (default 30)")
    who.add_argument("--break-minutes", type=float, help="of a break (default 5)")
    who.add_argument("--seed", type=whole, help="of the assignment (default 0)")


def _server(rate: argparse.ArgumentParser) -> None:
    server = rate.add_argument_group("the server")
    server.add_argument("--host", default="127.0.0.1", help="default 127.0.0.1: this machine alone")
    server.add_argument(
        "--renew", action="append", default=[], metavar="R01|all",
        help="a new link for a lost one; all: for everybody who has not begun",
    )  # fmt: skip
    server.add_argument("--port", type=whole, default=0, help="0 takes a free one")
    server.add_argument(
        "--https-behind-proxy", default="", metavar="HOST",
        help="the public name of a proxy on this machine that speaks https",
    )  # fmt: skip


def _instead(rate: argparse.ArgumentParser) -> None:
    instead = rate.add_argument_group("instead of serving").add_mutually_exclusive_group()
    instead.add_argument("--plan", action="store_true", help="how many raters for which interval")
    instead.add_argument(
        "--simulate", type=count, metavar="N", help="write what N simulated raters would say to -o"
    )
    instead.add_argument("--export", type=Path, metavar="FILE", help=".csv, or .json: Label Studio")
    instead.add_argument("--import", type=Path, metavar="FILE", dest="taken", help="the same, read")
    instead.add_argument("--collect", action="store_true", help="ratings become scores of the run")
    instead.add_argument("--progress", action="store_true", help="how far the study has come")
    rate.add_argument(
        "--interval", type=positive, action="append", metavar="POINTS",
        help="--plan: how exactly an edit's mean is to be known, ± so many points (95 %% interval)",
    )  # fmt: skip
    rate.add_argument(
        "--comments", action="store_true",
        help="--export: also what raters remarked, which may tell who they are",
    )  # fmt: skip
    rate.add_argument("--seconds", action="store_true", help="--export: also how long each took")
    rate.add_argument("-o", "--out", type=Path, help="--simulate: the file of ratings")
