"""What can be said after merge, export, import and cache; imports nothing heavy."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class Shared(NamedTuple):
    """A command: the module that has it, what it is about, examples, and what it takes."""

    module: str
    about: str
    examples: str
    options: Callable[[argparse.ArgumentParser], None]


def _merge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, nargs="+", help="runs' folders; they stay as they are")
    parser.add_argument(
        "-o", "--out", type=Path, required=True,
        help="the folder of the run they become; one of the same protocol is added to",
    )  # fmt: skip


def _export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, help="the run's folder")
    parser.add_argument(
        "-o", "--out", type=Path, required=True, help="FILE.zip, or with --parquet a folder"
    )
    parser.add_argument(
        "-e", "--editor", action="append", default=[], metavar="NAME",
        help="what this editor made; may be given several times (default: all but floors and"
        " ceilings)",
    )  # fmt: skip
    parser.add_argument("--no-pictures", action="store_true", help="leave out what editors made")
    parser.add_argument("--no-replies", action="store_true", help="leave out what models replied")
    parser.add_argument(
        "--parquet", action="store_true",
        help="samples, edits, scores, votes and sets as tables for pandas, DuckDB, Spark …",
    )  # fmt: skip
    parser.epilog = f"""{parser.epilog}

what goes out: pictures, their status, reason and trace; all models' replies as they came, also
  about editors that --editor does not name (unless --no-replies), with the prompts they answer,
  the model's name, its endpoint's host, hashes and sizes of the pictures shown, tokens and price.
  An editor's spec goes out where it is a name that means the same everywhere; one with a path or
  a command of yours goes out as a hash.
what does not: keys, the benchmark's own pictures, commands you gave, your folders (an ellipsis
  stands for them in reasons and traces), questions without a usable reply, people's ratings."""


def _import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, help="the run's folder; of the same protocol")
    parser.add_argument("file", type=Path, help="what `overpaint export` wrote")
    parser.epilog = f"""{parser.epilog}

Every picture and prompt is held against its hash, and every sample against yours. What models
replied is believed: take bundles from people whose word you would take. What is here already
stays as it is; imported replies cost nothing in this run's bill."""


def _cache(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, nargs="?", default=Path(),
                        help="runs are looked for below it (default: here)")  # fmt: skip
    parser.add_argument(
        "--prune", action="append", default=[], metavar="KIND|RUN",
        help="remove what can be had again: weights, sets, kernels, left, or pictures that no row"
        " of that run names; may be given several times",
    )  # fmt: skip


COMMANDS = {
    "merge": Shared(
        "merging", "put runs together that were made apart: shards, or editors",
        "  overpaint run vde --editor typeset --shard 1/2 -o runs/one      on one machine\n"
        "  overpaint run vde --editor typeset --shard 2/2 -o runs/two      on another\n"
        "  overpaint merge runs/one runs/two -o runs/vde", _merge,
    ),
    "export": Shared(
        "bundling", "what editors made and judges replied, for others; or tables as Parquet",
        "  overpaint export runs/textedit -o textedit.zip\n"
        "  overpaint export runs/textedit --editor mine --no-replies -o mine.zip\n"
        "  overpaint export runs/textedit --parquet -o tables", _export,
    ),
    "import": Shared(
        "bundling", "take what others made and were replied, so that nothing is paid for twice",
        "  overpaint run textedit --data TextEditBench --editor new=outputs:results/new\n"
        "  overpaint import runs/textedit textedit.zip\n"
        "  overpaint score runs/textedit --judge openai/gpt-4o-2024-11-20", _import,
    ),
    "cache": Shared(
        "caching", "what is kept where on this machine, how large it is, and what can go",
        "  overpaint cache\n  overpaint cache --prune sets --prune runs/textedit", _cache,
    ),
}  # fmt: skip
