"""A study's database: its schema, how it is opened, and where it may not lie."""

import errno
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from overpaint.errors import StoreError, UserMistake
from overpaint.rating.study import NAME
from overpaint.store.schema import Database, explained

STUDIES = "studies"

# In order; `PRAGMA user_version` counts those applied. A change is a new script at the end.
MIGRATIONS = (
    """
    CREATE TABLE info (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE pictures (id TEXT PRIMARY KEY, sha256 TEXT UNIQUE NOT NULL, path TEXT NOT NULL,
        width INTEGER NOT NULL, height INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE items (n INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, part TEXT NOT NULL,
        sample TEXT NOT NULL, editor TEXT NOT NULL, against TEXT NOT NULL, cluster TEXT NOT NULL,
        task TEXT NOT NULL, instruction TEXT NOT NULL, source TEXT, shown TEXT NOT NULL,
        questions TEXT NOT NULL, expected TEXT NOT NULL, feedback TEXT, facts TEXT NOT NULL);
    CREATE TABLE raters (n INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, role TEXT NOT NULL,
        token TEXT UNIQUE NOT NULL, state TEXT NOT NULL, consent TEXT NOT NULL DEFAULT '',
        start REAL, seen REAL NOT NULL DEFAULT 0);
    CREATE TABLE sessions (key TEXT PRIMARY KEY, rater INTEGER NOT NULL, since REAL NOT NULL)
        WITHOUT ROWID;
    CREATE TABLE places (rater INTEGER, place INTEGER, item INTEGER NOT NULL,
        showing TEXT NOT NULL, flipped INTEGER NOT NULL, round INTEGER NOT NULL, opened REAL,
        PRIMARY KEY (rater, place)) WITHOUT ROWID;
    CREATE INDEX places_by_item ON places (item);
    CREATE TABLE answers (rater INTEGER, place INTEGER, body TEXT NOT NULL, comment TEXT NOT NULL,
        seconds REAL NOT NULL, revision INTEGER NOT NULL, at REAL NOT NULL,
        filed INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (rater, place)) WITHOUT ROWID;
    CREATE TABLE history (n INTEGER PRIMARY KEY, rater INTEGER NOT NULL, place INTEGER NOT NULL,
        revision INTEGER NOT NULL, body TEXT NOT NULL, comment TEXT NOT NULL,
        seconds REAL NOT NULL, at REAL NOT NULL);
    CREATE INDEX history_by_rater ON history (rater, place);
    CREATE TABLE imported (n INTEGER PRIMARY KEY, origin TEXT NOT NULL, sample TEXT NOT NULL,
        editor TEXT NOT NULL, against TEXT NOT NULL, rater TEXT NOT NULL, dimension TEXT NOT NULL,
        value REAL, box TEXT, seconds REAL, comment TEXT NOT NULL)
    """,
)
# File systems whose locks cannot be trusted, or whose disk is another machine's; those that a
# machine shares with its guests, too, as both sides would have to see one shared memory.
_REMOTE = ("nfs", "cifs", "smb", "afs", "9p", "lustre", "gluster", "ceph", "sshfs", "beegfs",
           "gpfs", "ocfs", "gfs", "davfs", "webdav", "ncpfs", "coda", "virtiofs", "drvfs",
           "vboxsf", "prl_fs", "vmhgfs", "fuse.")  # fmt: skip
# Of those in user space (fuse.), these are disks of this machine.
_LOCAL = ("fuse.ext", "fuse.ntfs", "fuse.exfat", "fuse.fuse-overlayfs", "fuse.zfs",
          "fuse.bcachefs", "fuse.lxcfs")  # fmt: skip


class Ledger(Database):
    """A connection whose transactions may stand inside each other; the outermost one commits."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, of this part at least."""
        if not self._connection.in_transaction:
            with super().transaction():
                yield
            return
        self.execute("SAVEPOINT part")
        whole = False
        try:
            yield
            whole = True
        finally:
            if self._connection.in_transaction:  # not so where a full disk has undone it
                if not whole:
                    self.execute("ROLLBACK TO part")
                self.execute("RELEASE part")


def study_file(folder: Path, name: str) -> Path:
    """Where the study of that name lies in a run or a build; nowhere else, whatever the name."""
    if not NAME.fullmatch(name):
        raise UserMistake(
            f"{name[:60]!r} is no name of a study.",
            "Letters, digits, dots, dashes and underscores were expected, at most 60.",
        )
    return folder / STUDIES / f"{name}.db"


def connect(file: Path) -> Database:
    """The study's database, brought up to date; a sentence where it cannot be trusted or used."""
    refuse_network(file.parent)
    try:
        _make_private(file)
        connection = sqlite3.connect(
            file, isolation_level=None, timeout=30, check_same_thread=False
        )
        if connection.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
            raise StoreError(
                f"The file system below {file.parent} cannot keep a study safely (no WAL).",
                "Ratings must survive a crash.",
                "Put the run on a disk of this machine.",
            )
        # What was acknowledged is on the disk; what was deleted is overwritten.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
    except PermissionError as error:
        raise _unwritable(file) from error
    except OSError as error:
        read_only = error.errno == errno.EROFS
        raise (_unwritable(file) if read_only else explained(error, file.parent)) from error
    except sqlite3.Error as error:
        raise explained(error, file.parent) from error
    database = Ledger(connection, file.parent)
    _migrate(database, file)
    return database


def _make_private(file: Path) -> None:
    """See to it that the file is there, for its owner alone; SQLite's log is as the file is.

    One that is there is never opened here: closing it would drop every lock that this process has
    on it (so POSIX has it), and another process could then take away the log of a study that is
    being served.
    """
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if not os.access(file, os.W_OK):
            raise PermissionError(errno.EACCES, "cannot be written") from None
        if stat.S_IMODE(file.stat().st_mode) & 0o077:
            with suppress(PermissionError):  # another's, who lets us write
                file.chmod(0o600)


def _unwritable(file: Path) -> StoreError:
    return StoreError(
        f"The study {file.stem} in {file.parent.parent} cannot be written.",
        "Also for reading it SQLite keeps a log beside it.",
        "Copy the folder to a disk of this machine where you may write.",
    )


def _migrate(database: Database, file: Path) -> None:
    if _version(database, file) < len(MIGRATIONS):
        with database.transaction():
            # Another process may have done it while this one waited for its turn.
            done = _version(database, file)
            for statement in ";".join(MIGRATIONS[done:]).split(";"):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _version(database: Database, file: Path) -> int:
    version: int = database.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise StoreError(
            f"The study {file} has schema {version}; this Overpaint knows {len(MIGRATIONS)}.",
            "A newer Overpaint made it.",
            "Upgrade: pip install -U overpaint",
        )
    return version


def refuse_network(folder: Path) -> None:
    """Raise a UserMistake where the folder lies on a network file system."""
    kind = file_system(folder)
    named = kind.casefold()
    if named.startswith(_REMOTE) and not named.startswith(_LOCAL):
        raise UserMistake(
            f"{folder} lies on a network file system, or one shared with another machine ({kind}).",
            "There SQLite's locks cannot be trusted, and ratings could be lost.",
            "Copy the run to a disk of this machine and rate it there.",
        )


def file_system(folder: Path) -> str:
    """The type of the file system that a folder lies on, as the system calls it; "" if unknown."""
    import psutil

    real = folder.resolve()
    best = ("", "")
    for part in psutil.disk_partitions(all=True):
        mount = os.path.normpath(part.mountpoint)
        if part.fstype == "autofs":  # only where something is mounted when it is asked for
            continue
        if real.is_relative_to(mount) and len(mount) >= len(best[0]):
            best = (mount, part.fstype)
    return best[1]
