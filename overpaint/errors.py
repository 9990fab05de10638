"""Every error Overpaint raises on purpose, and what becomes of each.

    OverpaintError
    ├── UserMistake        the command or call is wrong; exit code 2
    │   └── CostLimit      the next question to a model could pass what may be spent
    ├── StoreError         the run file cannot be used as asked; exit code 2
    ├── PictureError       a picture cannot be read
    │   └── TooLarge       more pixels or bytes than the limit
    ├── DataError          a dataset's file is not what its format promises
    ├── NotApplicable      the question does not arise            -> not_applicable
    ├── Unavailable        weights, a key or a tool is missing    -> unavailable
    ├── Unreachable        a server did not answer                -> unreachable
    ├── Refused            an editor or judge declined            -> refused
    │   └── NotThere       nothing in a picture fits              -> refused
    ├── Unreadable         a reply could not be understood        -> unreadable
    ├── Undecided          a measure looked and cannot tell       -> undecided
    ├── NoOutput           an editor made nothing                 -> no_output
    └── WorkerLost         the process that did the work is gone

A message says what is wrong, what would be right, and what to do next. An error without a
status of its own becomes `editor_failed` or `measure_failed` in the row it spoils.
"""

from typing import ClassVar


class OverpaintError(Exception):
    """What is wrong, what would be right (`right`), what to do next (`todo`)."""

    status: ClassVar[str | None] = None

    def __init__(self, wrong: str, right: str = "", todo: str = "") -> None:
        super().__init__(wrong, right, todo)
        self.wrong, self.right, self.todo = wrong, right, todo

    def __str__(self) -> str:
        return " ".join(part for part in (self.wrong, self.right, self.todo) if part)


class UserMistake(OverpaintError):
    """The command or call is wrong."""


class CostLimit(UserMistake):
    """The next question to a model could pass what may be spent; it was not asked."""


class StoreError(OverpaintError):
    """The run file cannot be used as asked."""


class PictureError(OverpaintError):
    """A picture cannot be read."""


class TooLarge(PictureError):
    """A picture or document has more pixels or bytes than the limit, which may be meant."""


class DataError(OverpaintError):
    """A dataset's file is not what its format promises."""


class NotApplicable(OverpaintError):
    """The question does not arise; the row leaves the denominator."""

    status = "not_applicable"


class Unavailable(OverpaintError):
    """Weights, a key or a tool is missing; `todo` names the command that gets it."""

    status = "unavailable"


class Unreachable(OverpaintError):
    """A server did not answer."""

    status = "unreachable"


class Refused(OverpaintError):
    """An editor or a judge declined."""

    status = "refused"


class NotThere(Refused):
    """Nothing in a picture fits; it may be in another. The words sought, and those nearest."""

    sought = nearest = ""


class Unreadable(OverpaintError):
    """A reply could not be understood."""

    status = "unreadable"


class Undecided(OverpaintError):
    """A measure looked and cannot tell."""

    status = "undecided"


class NoOutput(OverpaintError):
    """An editor made nothing."""

    status = "no_output"


class WorkerLost(OverpaintError):
    """The process that did the work died, hung, or outgrew its memory."""


def unread(error: Exception) -> str:
    """Why some JSON could not be read: two of Python's own reasons are about its inside."""
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    if isinstance(error, ValueError) and "set_int_max_str_digits" in str(error):
        return "a number in it is too long"
    return str(error)
