"""A small program that gets one named package file through pip and runs nothing that is in it.

`pip download` asks a source package for its metadata, and that runs the package's set-up script.
Here only pip's finder and its HTTP session are used, so the user's indexes, find-links, proxies,
certificates and keyring count as they always do. pip's inside is not a library: this file is
started as a program of its own (by `overpaint.weights`), imports nothing of Overpaint, and
says on stdout what happens, one JSON object a line:

    {"done": 65536, "total": 64000000}      bytes so far
    {"failed": "missing" | "network" | "disk" | "pip", "why": "..."}
"""

import json
import logging
import sys
from pathlib import Path
from typing import Any, BinaryIO

TRIES = 5  # each goes on where the last one broke off
CHUNK = 1 << 16  # bytes; of one that breaks off nothing may be kept: pip's newer clients drop it


class Remarks(logging.Handler):
    """Keeps why pip could not read an index; pip itself only whispers it at debug level."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Remember the remark if it is about a page that could not be had."""
        if (text := record.getMessage()).startswith("Could not fetch URL"):
            self.lines.append(text)


def main(project: str, file: str, folder: str) -> int:
    """Put `file` of `project` into `folder`; 0 when all of it is there."""
    try:
        from pip._internal.commands import create_command
        from pip._vendor.requests.exceptions import RequestException
    except ImportError as error:
        return fail("pip", f"{sys.executable} has no pip that can be used ({error})")
    remarks = Remarks()
    logger = logging.getLogger("pip._internal.index.collector")
    logger.setLevel(logging.DEBUG)
    logger.addHandler(remarks)
    command: Any = create_command("download")
    # The file is named exactly, so what the user prefers for installing does not matter here.
    wanted = ["--no-binary=:none:", "--only-binary=:none:", "--no-cache-dir", "--no-input"]
    try:
        options, _ = command.parse_args([*wanted, project])
        with command.main_context():
            session = command.get_default_session(options)
            link = find(command, options, session, (project, file))
            if link is None:
                return report_missing(project, file, remarks)
            with Path(folder, file).open("wb") as out:
                if not copy(session, link, out):
                    return fail("network", f"{file} came short {TRIES} times")
    except RequestException as error:
        return fail("network", f"the download broke off {TRIES} times, last with: {error}")
    except OSError as error:  # only now: what requests raises is an OSError too
        return fail("disk", str(error))
    except (AttributeError, TypeError, ImportError) as error:
        return fail("pip", f"this pip works otherwise than expected: {error!r}")
    return 0


def find(command: Any, options: Any, session: Any, wanted: tuple[str, str]) -> str | None:
    """The address of that file on the first of the user's indexes or folders that has it."""
    project, file = wanted
    finder = command._build_package_finder(
        options=options, session=session, ignore_requires_python=True
    )
    for candidate in finder.find_all_candidates(project):
        if candidate.link.filename == file:
            return str(candidate.link.url_without_fragment)
    return None


def copy(session: Any, url: str, out: BinaryIO) -> bool:
    """Every byte of `url` into `out`, going on after an interruption where the server can."""
    from pip._vendor.requests.exceptions import RequestException

    for left in reversed(range(TRIES)):
        try:
            if copy_on(session, url, out):
                return True
        except RequestException:
            if not left:
                raise
    return False


def copy_on(session: Any, url: str, out: BinaryIO) -> bool:
    """One request for what is still missing; True when the promised length is there."""
    headers = {"Accept-Encoding": "identity"}
    if out.tell():
        headers["Range"] = f"bytes={out.tell()}-"
    with session.get(url, headers=headers, stream=True) as reply:
        reply.raise_for_status()
        if reply.status_code != 206:  # the server starts from the beginning
            out.seek(0)
            out.truncate()
        length = reply.headers.get("Content-Length")
        total = out.tell() + int(length) if length else None
        for chunk in reply.iter_content(CHUNK):
            out.write(chunk)
            say({"done": out.tell(), "total": total})
    return total is None or out.tell() >= total


def report_missing(project: str, file: str, remarks: Remarks) -> int:
    """Tell a file that is not there from an index that could not be read."""
    for line in remarks.lines:
        if "404" not in line:
            return fail("network", line)
    return fail("missing", f"no index that pip knows has {file} of {project}")


def fail(kind: str, why: str) -> int:
    """Say what went wrong; the exit code that goes with it."""
    say({"failed": kind, "why": why})
    return 1


def say(what: dict[str, Any]) -> None:
    """One line for the program that started this one."""
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
