"""Words that stand where a number cannot, and outside text made safe to print."""

import re
import shlex
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from overpaint.core import IDENTICAL, RETRY_EDITS, RETRY_SCORES
from overpaint.measures.aggregate import Summary
from overpaint.report.tables import NOT_RUN, Causes

STATUSES: Mapping[str, str] = {
    "ok": "scored",
    "no_edit": "no edit",
    "no_output": "no output",
    "editor_failed": "editor failed",
    "measure_failed": "measure failed",
    "not_applicable": "not applicable",
    NOT_RUN: "not run yet",
    IDENTICAL: "identical",
}

# How a table with holes in it orders its lines and names the best.
UNSETTLED = (
    "Lines stand in order with all that is missing taken as worst;"
    " best is marked only where nothing missing could change it."
)

# C0 and C1 controls, marks that turn the direction of what follows or are not seen at all, and
# halves of letters, which no terminal can be sent.
_CONTROLS = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b\ufeff\ud800-\udfff\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]+"
)
# Only our own commands and pip's are ever suggested, whatever a reason has in backticks.
_COMMAND = re.compile(r"`((?:overpaint|pip install) [^`]+)`")
_BARE_COMMAND = re.compile(
    r"\b((?:overpaint (?:get|doctor|retry|run)|pip install) [\w@./\[\]=<>-]+)"
)


def status(name: str) -> str:
    """A status in words."""
    return STATUSES.get(name, name.replace("_", " "))


def absence(summary: Summary, causes: Causes) -> str:
    """What a table says where there is no value."""
    if summary.identical:
        return "identical"
    if summary.n == 0:
        return "not applicable"
    if not causes.missing and summary.notes:  # a total, whose rows lack nothing but a part
        return summary.notes[0].partition(":")[0]
    return status(causes.missing)


def plain(text: str) -> str:
    """Text from outside on one line, without controls that could move a cursor or the reader."""
    return _CONTROLS.sub(" ", text).strip()


def plain_lines(text: str) -> str:
    """The same for text of several lines, which keep their indentation."""
    return "\n".join(_CONTROLS.sub(" ", line).rstrip() for line in text.split("\n"))


def typed(command: Any) -> str:
    """A command that a run noted as one can type it, wherever the program lay."""
    if not isinstance(command, list) or not command:
        return str(command)
    program, *words = map(str, command)
    if PurePath(program).name in ("overpaint", "__main__.py"):
        program = "overpaint"
    return shlex.join([program, *words])


def helpful_command(name: str, reason: str) -> str:
    """The command that may mend rows of this status, or nothing."""
    named = _COMMAND.search(reason) or _BARE_COMMAND.search(reason)
    if named:
        return plain(named[1])
    if name == NOT_RUN:
        return "overpaint run"
    return "overpaint retry RUN" if name in RETRY_EDITS or name in RETRY_SCORES else ""
