"""The run file's schema and how it moves forward; what SQLite complains of, as sentences."""

import sqlite3
from pathlib import Path

from overpaint.errors import StoreError

# The schema is these scripts in order; `PRAGMA user_version` counts those applied. A change is
# a new script at the end, never an edit of one that was released.
MIGRATIONS = (
    """
    CREATE TABLE info (key TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE samples (n INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, body TEXT NOT NULL);
    CREATE TABLE editors (n INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, spec TEXT NOT NULL);
    CREATE TABLE measures (n INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, spec TEXT NOT NULL,
        version TEXT NOT NULL);
    CREATE TABLE edits (
        sample INTEGER, editor INTEGER, status TEXT NOT NULL, output TEXT NOT NULL,
        reason TEXT NOT NULL, notes TEXT NOT NULL, trace TEXT NOT NULL, seconds REAL NOT NULL,
        PRIMARY KEY (sample, editor)) WITHOUT ROWID;
    CREATE TABLE scores (
        sample INTEGER, editor INTEGER, measure INTEGER, against TEXT NOT NULL DEFAULT '',
        value REAL, status TEXT NOT NULL, reason TEXT NOT NULL, notes TEXT NOT NULL,
        seconds REAL NOT NULL,
        PRIMARY KEY (sample, editor, measure, against)) WITHOUT ROWID;
    CREATE TABLE evidence (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    """,
)


def migrate(database: sqlite3.Connection, folder: Path) -> None:
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise StoreError(
            f"The run in {folder} has schema {version}; this Overpaint knows {len(MIGRATIONS)}.",
            "A newer Overpaint made it.",
            "Upgrade: pip install -U overpaint",
        )
    if version < len(MIGRATIONS):
        with Transaction(database, folder):
            # Another process may have done it while this one waited for its turn.
            done = database.execute("PRAGMA user_version").fetchone()[0]
            for statement in ";".join(MIGRATIONS[done:]).split(";"):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def explained(error: Exception, folder: Path) -> StoreError:
    if "full" in str(error) or getattr(error, "errno", None) == 28:
        return StoreError(
            f"The disk that holds {folder} is full.",
            "Everything finished so far is kept.",
            "Make room and run the same command again.",
        )
    return StoreError(f"The run in {folder} cannot be used: {error}.")


class Transaction:
    """All or nothing; what SQLite says of a full or broken disk becomes a sentence."""

    def __init__(self, database: sqlite3.Connection, folder: Path) -> None:
        self._db, self._folder = database, folder

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, error: object, _: object) -> None:
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK" if kind else "COMMIT")
        except sqlite3.DatabaseError as broken:
            raise explained(broken, self._folder) from broken
        if isinstance(error, sqlite3.DatabaseError):
            raise explained(error, self._folder) from error
