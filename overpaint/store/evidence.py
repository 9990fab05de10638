"""Evidence that a run keeps: what was found in its pictures, read by whoever needs it again."""

import sqlite3
from contextlib import closing
from pathlib import Path

from overpaint.store.schema import DATABASE, explained


class Recall:
    """What a run knows under a key, over a connection that is opened once and only reads.

    It holds no lock between two questions. One thread at a time may ask.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._address = f"{(folder / DATABASE).as_uri()}?mode=ro"
        self._connection: sqlite3.Connection | None = None

    def __call__(self, key: str) -> str | None:
        try:
            if self._connection is None:
                self._connection = sqlite3.connect(self._address, uri=True, check_same_thread=False)
            rows = self._connection.execute("SELECT value FROM evidence WHERE key = ?", (key,))
            return next((value for (value,) in rows.fetchall()), None)
        except sqlite3.Error as error:
            raise explained(error, self._folder) from error

    def close(self) -> None:
        """Let go of the file; the next question opens it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def recall_evidence(folder: Path, key: str) -> str | None:
    """The same for a single question, from any thread."""
    with closing(Recall(folder)) as recall:
        return recall(key)
