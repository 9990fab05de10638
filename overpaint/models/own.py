"""A desk outside of any run: what is asked there is remembered in the user's cache folder."""

from collections.abc import Iterator
from contextlib import contextmanager

from overpaint.document.places import CACHE_SETTING, cache_folder
from overpaint.errors import UserMistake
from overpaint.models.desk import Desk, Terms
from overpaint.store.calls import Calls

FOLDER = "calls"  # in the cache folder; its run.db is a run's, with nothing but calls in it


class _Remembered(Calls):
    """Calls of many commands: a cost limit is one command's, and so is what it has spent."""

    def spent(self) -> float:
        """Nothing yet: what earlier commands paid is theirs."""
        return 0.0


@contextmanager
def own_desk(terms: Terms = Terms()) -> Iterator[Desk]:  # noqa: B008  (frozen)
    """A desk for one command: no question that was answered before is asked, or paid, again.

    Answers that could not be used are set aside first, as `retry` does in a run.
    """
    folder = cache_folder() / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserMistake(
            f"Answers of models cannot be remembered in {folder}: {error.strerror}.",
            "A folder that can be written was expected.",
            f"Set {CACHE_SETTING} to one.",
        ) from None
    calls = _Remembered.open(folder)
    try:
        calls.set_aside()
        yield Desk(calls, terms)
    finally:
        calls.close()
