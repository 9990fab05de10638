"""`python -m overpaint.testing`: the fake server, and tiny models, from the command line."""

import argparse
import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from overpaint.errors import OverpaintError, UserMistake, unread
from overpaint.testing.behaviours import table
from overpaint.testing.script import Script, read_script
from overpaint.testing.server import HOST, serve, watch_stdin

_MOST = 64_000_000  # bytes of a script
_ABOUT = """\
An OpenAI-style server that answers as a script says, for tests of whatever asks one. It prints
its base URL and serves until Ctrl-C. GET /counts says what it received.

A script is JSON: {"rules": [{"contains": "Friday", "reply": {"score": 2}}], "replies": ["first",
"second"], "reply": {"rule": "score"}, "behaviours": {"server_error": 0.1, "rate_limited":
{"share": 0.1, "times": 1}}, "seconds": 0.05, "seed": 7}. Every part may be left out; without a
script each request is answered with JSON that fits its response_format.

`python -m overpaint.testing tiny-vlm FOLDER` writes a tiny vision-language model instead, with
random weights: to try a training with, in seconds.
"""
TINY = "tiny-vlm"


def main(words: list[str] | None = None) -> int:
    """Serve until stopped, or write a tiny model; 2 where what was said is wrong."""
    words = sys.argv[1:] if words is None else words
    if words[:1] == [TINY]:
        return _tiny(words[1:])
    options = _parser().parse_args(words)
    try:
        asyncio.run(_serve(_script(options), options))
    except UserMistake as error:
        # Whoever holds standard input listens to standard output.
        print(error, file=sys.stdout if options.attached else sys.stderr, flush=True)
        return 2
    except KeyboardInterrupt:
        return 0
    return 0


def _tiny(words: list[str]) -> int:
    parser = argparse.ArgumentParser(
        f"python -m overpaint.testing {TINY}",
        description="Write a random Qwen2.5-VL of about 150,000 parameters, which knows nothing.",
    )
    parser.add_argument("folder", type=Path, help="where to; made where it is not there")
    parser.add_argument("--seed", type=int, default=0, help="of its weights")
    options = parser.parse_args(words)
    from overpaint.testing.tiny import tiny_vlm

    try:
        print(tiny_vlm(options.folder, seed=options.seed))
    except OverpaintError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m overpaint.testing",
        description=_ABOUT,
        epilog=f"behaviours:\n{table()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--port", type=int, default=0, help="to listen on; any free one if not given"
    )
    parser.add_argument("--script", type=Path, metavar="FILE", help="JSON as above")
    parser.add_argument(
        "--attached",
        action="store_true",
        help="read the script from the first line of standard input, and end when that ends",
    )
    return parser


async def _serve(script: Script, options: argparse.Namespace) -> None:
    loop = asyncio.get_running_loop()
    task = loop.create_task(serve(script, options.port, _tell))
    with suppress(NotImplementedError):  # Windows ends a process without asking it
        loop.add_signal_handler(signal.SIGTERM, task.cancel)
    if options.attached:
        watch_stdin(loop, task)
    with suppress(asyncio.CancelledError):
        await task


def _tell(port: int) -> None:
    print(f"http://{HOST}:{port}/v1", flush=True)


def _script(options: argparse.Namespace) -> Script:
    if options.attached:
        return read_script(_parse(_first_line(), "standard input"))
    if options.script is None:
        return Script()
    try:
        with options.script.open("rb") as file:
            raw = file.read(_MOST + 1)
    except OSError as error:
        raise UserMistake(
            f"The script {options.script} cannot be read: {error.strerror}.",
            "A file of JSON was expected.",
        ) from error
    return read_script(_parse(raw, str(options.script)))


def _first_line() -> bytes:
    """Read without Python's buffers, which would keep a lock while the process ends."""
    raw = bytearray()
    while b"\n" not in raw[-65536:] and len(raw) <= _MOST:
        more = os.read(0, 65536)
        if not more:
            break
        raw += more
    return bytes(raw)


def _parse(raw: bytes, where: str) -> Any:
    if len(raw) > _MOST:
        raise UserMistake(f"The script in {where} has more than {_MOST} bytes.")
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise UserMistake(
            f"The script in {where} is not JSON: {unread(error)}.",
            "An object or a list of replies was expected.",
            "`python -m overpaint.testing --help` shows one.",
        ) from error


if __name__ == "__main__":
    sys.exit(main())
