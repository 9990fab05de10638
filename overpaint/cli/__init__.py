"""The command line: results on stdout, progress on stderr, errors as sentences."""

import importlib
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TextIO

from overpaint.errors import OverpaintError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

_LONGEST = 2000  # letters of an error


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 done, 1 done with failed rows, 2 your mistake."""
    goes_on = True
    try:
        with _stoppable():
            _prepare()
            from overpaint.cli.parser import build  # here, so that a stop while it loads is one

            args = _parsed(build(), argv)
            goes_on = args.command != "edit"
            _hush()
            # Only the command that runs is imported, which keeps `--help` quick.
            module = importlib.import_module(f"overpaint.cli.{args.module}")
            code: int = getattr(module, args.action)(args)
    except OverpaintError as error:
        from overpaint.report.wording import plain_lines  # not imported for `--help`

        print(plain_lines(f"overpaint: {_short(str(error))}"), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        kept = " What is done is kept: the same command goes on from here." if goes_on else ""
        print(f"\nStopped.{kept}", file=sys.stderr)
        return 130
    except BrokenPipeError:
        if not any(map(_is_left, (sys.stdout, sys.stderr))):
            raise
        sys.stderr.close()
        return 0
    return code


def _is_left(stream: TextIO) -> bool:
    """Whether nobody reads it any more, as in `overpaint … | head`, which only writing tells."""
    try:
        print(file=stream, flush=True)
    except BrokenPipeError:
        return True
    return False


def _short(told: str) -> str:
    """What is said, without the middle where it repeats what nobody could have meant."""
    return told if len(told) <= _LONGEST else f"{told[: _LONGEST // 2]} … {told[-_LONGEST // 4 :]}"


def _parsed(parser: "ArgumentParser", argv: Sequence[str] | None) -> "Namespace":
    """What was said; files may also stand after options, which argparse alone does not take."""
    args, rest = parser.parse_known_args(argv)
    wrong = [word for word in rest if word.startswith("-") or not hasattr(args, "pages")]
    if wrong:
        parser.error(f"unrecognized arguments: {' '.join(wrong)}")
    if rest:
        args.pages = [*args.pages, *map(Path, rest)]
    return args


def _prepare() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that knows no arrows gets a "?"
            stream.reconfigure(errors="replace")


def _hush() -> None:
    """Keep what libraries log off the screen: tracebacks over a file that is refused in words."""
    import logging  # not for `--help`

    root = logging.getLogger()
    if not root.handlers:
        root.addHandler(logging.NullHandler())


@contextmanager
def _stoppable() -> Iterator[None]:
    """Be stopped by a request to end as by Ctrl-C, so that nothing half made is left behind."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _stop(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt
