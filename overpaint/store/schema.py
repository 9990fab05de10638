"""The run file's schema and how it moves forward; what SQLite complains of, as sentences."""

import errno
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from overpaint.errors import StoreError

DATABASE = "run.db"
PATIENCE = 30.0  # seconds for which another process may hold the file
ROOM = 64 * 1024  # bytes, which the smallest addition takes beside its log

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
    "ALTER TABLE scores ADD COLUMN weight REAL NOT NULL DEFAULT 1",
    """
    CREATE TABLE prompts (hash TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE calls (
        n INTEGER PRIMARY KEY, key TEXT NOT NULL, model TEXT NOT NULL, host TEXT NOT NULL,
        state TEXT NOT NULL, prompt TEXT NOT NULL, pictures TEXT NOT NULL, asked TEXT NOT NULL,
        started TEXT NOT NULL, reply TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '',
        tokens_in INTEGER, tokens_out INTEGER, price REAL, seconds REAL NOT NULL DEFAULT 0,
        attempts INTEGER NOT NULL DEFAULT 1, unanswered INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX calls_by_key ON calls (key)
    """,
    "ALTER TABLE measures ADD COLUMN pairs INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE calls ADD COLUMN reckoned REAL NOT NULL DEFAULT 0",
    """
    CREATE TABLE sets (
        editor INTEGER, measure INTEGER, tag TEXT, part TEXT, digest TEXT NOT NULL,
        size INTEGER NOT NULL, value REAL, status TEXT NOT NULL, reason TEXT NOT NULL,
        notes TEXT NOT NULL, seconds REAL NOT NULL,
        PRIMARY KEY (editor, measure, tag, part)) WITHOUT ROWID
    """,
    """
    CREATE TABLE again (
        sample INTEGER, editor INTEGER, measure INTEGER, against TEXT,
        PRIMARY KEY (sample, editor, measure, against)) WITHOUT ROWID
    """,
)


class Found(sqlite3.Cursor):
    """What a statement gives, row by row or at once; damage inside the file is told as well."""

    folder: Path

    def fetchone(self) -> Any:
        """The next row, or None."""
        try:
            return super().fetchone()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise explained(error, self.folder) from error

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        """The next rows, so many at most."""
        try:
            return super().fetchmany(size)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise explained(error, self.folder) from error

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        try:
            return super().fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise explained(error, self.folder) from error


class Database:
    """A connection whose complaints are sentences about the run it belongs to."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self._connection, self._folder = connection, folder

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Found:
        """Run one statement."""
        try:
            cursor = self._connection.cursor(Found)
            cursor.folder = self._folder
            cursor.execute(sql, _storable(values))
            return cursor
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise explained(error, self._folder) from error

    def rows(self, sql: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        """What a query gives, row by row."""
        try:
            # A chain: a cursor would be closed where this is given up, maybe after its database.
            yield from chain(self.execute(sql, values))
        except (sqlite3.Error, UnicodeDecodeError) as error:  # damage inside the file
            raise explained(error, self._folder) from error

    def texts(self, sql: str) -> dict[str, str]:
        """What a query for two columns of text gives."""
        found = dict(self.rows(sql))
        if not all(isinstance(part, str) for pair in found.items() for part in pair):
            raise damaged(self._folder, "a name in it is no text")
        return found

    def write(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row, all or nothing; within a transaction where one is open."""
        if not self._connection.in_transaction:  # each row would be one of its own
            with self.transaction():
                self.write(sql, rows)
            return
        try:
            self._connection.executemany(sql, map(_storable, rows))
        except sqlite3.Error as error:
            raise explained(error, self._folder) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        self.execute("BEGIN IMMEDIATE")
        whole = False
        try:
            yield
            whole = True
        finally:
            if whole:
                self.execute("COMMIT")
            elif self._connection.in_transaction:  # not so where a full disk has undone it
                self.execute("ROLLBACK")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _storable(values: Sequence[Any]) -> list[Any]:
    """Halves of letters, which file names and messages can hold, as \\udcXX."""
    return [
        value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
        for value in values
    ]


def has_run(folder: Path) -> bool:
    """Whether a run is there; a file without bytes is left by what was stopped before it began."""
    file = folder / DATABASE
    return file.is_file() and file.stat().st_size > 0


def connect(folder: Path, *, any_thread: bool = False) -> Database:
    """The run's database, brought up to date; only for reading where nothing can be written.

    With `any_thread` the caller sees to it that one thread at a time uses it.
    """
    with ExitStack() as undone:
        try:
            if not os.access(folder, os.W_OK):
                return _connect_for_reading(folder)
            connection = sqlite3.connect(
                folder / DATABASE,
                isolation_level=None,
                timeout=PATIENCE,
                check_same_thread=not any_thread,
            )
            undone.callback(connection.close)  # one that is left open holds up the next
            _log_ahead(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise explained(error, folder) from error
        database = Database(connection, folder)
        _migrate(database, folder)
        undone.pop_all()
    return database


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Let others read while one writes; of two that ask for it at once SQLite waits for neither."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
                connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            busy = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > until:
                raise
            time.sleep(0.01)


def _connect_for_reading(folder: Path) -> Database:
    left = folder / f"{DATABASE}-wal"
    if left.exists() and left.stat().st_size:
        raise StoreError(
            f"The run in {folder} cannot be written, and its last rows are not settled yet.",
            "Reading it would miss them.",
            "Copy the folder to where it can be written.",
        )
    address = f"{(folder / DATABASE).resolve().as_uri()}?immutable=1"
    database = Database(sqlite3.connect(address, uri=True, isolation_level=None), folder)
    if _check_version(database, folder) < len(MIGRATIONS):
        raise StoreError(
            f"The run in {folder} was made by an older Overpaint and cannot be written.",
            "It would have to be brought up to date first.",
            "Copy the folder to where it can be written.",
        )
    return database


def _check_version(database: Database, folder: Path) -> int:
    version: int = database.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise StoreError(
            f"The run in {folder} has schema {version}; this Overpaint knows {len(MIGRATIONS)}.",
            "A newer Overpaint made it.",
            "Upgrade: pip install -U overpaint",
        )
    return version


def _migrate(database: Database, folder: Path) -> None:
    if _check_version(database, folder) < len(MIGRATIONS):
        with database.transaction():
            # Another process may have done it while this one waited for its turn.
            done = _check_version(database, folder)
            for statement in ";".join(MIGRATIONS[done:]).split(";"):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def is_ours(database: Database) -> bool:
    """Whether the tables are those that the migrations make, to the letter, and nothing besides.

    It is only then that queries mean what they say: a column may stand in another place, a name
    that should be there once may be there twice, and a trigger or a view is a program.
    """
    return database.execute(_SCHEMA).fetchall() == _made_by(MIGRATIONS)


_SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"


@cache
def _made_by(migrations: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The same text whatever version a run began with: each script is applied as it stands."""
    with closing(sqlite3.connect(":memory:")) as database:
        for statement in ";".join(migrations).split(";"):
            database.execute(statement)
        return database.execute(_SCHEMA).fetchall()


@contextmanager
def undamaged(folder: Path) -> Iterator[None]:
    """What comes of rows that no Overpaint wrote, as a sentence about the run in that folder."""
    try:
        yield
    except sqlite3.Error as error:
        raise explained(error, folder) from error
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError,
            RecursionError) as error:  # fmt: skip
        raise damaged(folder, "a row of it is not as Overpaint writes it") from error


def damaged(folder: Path, what: str) -> StoreError:
    """What is said of a run in which something stands that no Overpaint writes."""
    return StoreError(
        f"The run in {folder} is damaged: {what}.",
        "Something else has written to its file, or the disk has lost a part of it.",
        "Take it from a copy, or make the run again.",
    )


def explained(error: Exception, folder: Path) -> StoreError:
    """What SQLite or the system says of the run's disk, as a sentence."""
    number = getattr(error, "errno", None)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without what it says in detail
    full = number in (errno.ENOSPC, errno.EDQUOT) or code == sqlite3.SQLITE_FULL
    if full or (code == sqlite3.SQLITE_IOERR and _is_full(folder)):
        return StoreError(
            f"The disk that holds {folder} is full.",
            "Everything finished so far is kept.",
            "Make room and run the same command again.",
        )
    if code == sqlite3.SQLITE_BUSY:
        return StoreError(
            f"Another process has been writing to the run in {folder} for half a minute.",
            "One command at a time makes a run.",
            "Wait for it, or end it, and give the command again.",
        )
    if number == errno.EROFS or code == sqlite3.SQLITE_READONLY:
        return StoreError(
            f"The run in {folder} cannot be written, only read.",
            "Its rows would have to be added to.",
            "Copy the folder to where it can be written, or make its disk writable.",
        )
    if number == errno.EIO or code == sqlite3.SQLITE_IOERR:
        return StoreError(
            f"The disk that holds {folder} cannot be written or read: {error}.",
            "What has reached it by now is kept.",
            "Look what the system says of the disk; when it is whole, give the same command again.",
        )
    # A text that Python cannot read has no number of SQLite's.
    if isinstance(error, UnicodeDecodeError | sqlite3.OperationalError) and not code:
        return damaged(folder, "a text in it is none")
    lost = re.match("malformed|no such (table|column)", str(error))
    if lost or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(folder, str(error))
    return StoreError(f"The run in {folder} cannot be used: {error}.")


def _is_full(folder: Path) -> bool:
    """Whether the disk has no room left, which SQLite tells as a fault of it at some places."""
    with suppress(OSError):
        return shutil.disk_usage(folder).free < ROOM
    return False
