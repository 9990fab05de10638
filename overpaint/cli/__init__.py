"""The command line: results on stdout, progress on stderr, errors as sentences."""

import importlib
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from overpaint.cli.parser import build
from overpaint.errors import OverpaintError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 done, 1 done with failed rows, 2 your mistake."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that knows no arrows gets a "?"
            stream.reconfigure(errors="replace")
    try:
        args = build().parse_args(argv)
        # Only the command that runs is imported, which keeps `--help` quick.
        module = importlib.import_module(f"overpaint.cli.{args.module}")
        code: int = getattr(module, args.action)(args)
    except OverpaintError as error:
        from overpaint.report.wording import plain_lines  # not imported for `--help`

        print(plain_lines(f"overpaint: {error}"), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(
            "\nStopped. What is done is kept: the same command goes on from here.", file=sys.stderr
        )
        return 130
    except BrokenPipeError:  # `overpaint … | head`
        sys.stderr.close()
        return 0
    return code
