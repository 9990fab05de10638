"""Dropping rows: of an editor that is asked anew, and of what failed by accident.

What is dropped to be tried again is noted in the table `again` in the same transaction, so that a
retry which is stopped in the middle leaves behind what it had taken up, and the next goes on.
"""

from collections.abc import Collection, Sequence

from overpaint.core import RETRY_EDITS, RETRY_SCORES
from overpaint.store.bundles import IMPORTED
from overpaint.store.schema import Database

_OTHER = "(SELECT n FROM editors WHERE name = against)"
# The edits to be made again; what was made elsewhere cannot be: an import brings it.
LOST = (
    f"SELECT sample, editor FROM edits WHERE status IN {RETRY_EDITS}"
    f" AND editor NOT IN (SELECT n FROM editors WHERE spec LIKE '{IMPORTED}:%')"
)
ON_LOST = f"((sample, editor) IN ({LOST}) OR (sample, {_OTHER}) IN ({LOST}))"  # votes, either side
AN_EDIT = 0  # in place of a measure's number: the edit itself is to be made again


def forget_editor(database: Database, name: str) -> None:
    """Drop an editor with all that it made, as if it had never been asked."""
    which = "(SELECT n FROM editors WHERE name = ?)"
    with database.transaction():
        for table in ("scores", "edits", "sets", "again"):
            database.execute(f"DELETE FROM {table} WHERE editor = {which}", (name,))
        for table in ("scores", "again"):
            database.execute(f"DELETE FROM {table} WHERE against = ?", (name,))
        database.execute("DELETE FROM editors WHERE name = ?", (name,))


def lose_pictures(database: Database, lost: Collection[str]) -> None:
    """Call the edits failed whose pictures are gone, and put aside what was made of them."""
    if not lost:
        return
    rows = database.rows(
        "SELECT output, sample, editor, spec FROM edits JOIN editors ON editors.n = editor"
        " WHERE output != ''"
    )
    for _, sample, editor, spec in [row for row in rows if row[0] in lost]:
        put_aside(database, f"sample = {sample} AND (editor = {editor} OR {_OTHER} = {editor})")
        why = "Its picture is gone from the run."
        if spec.startswith(f"{IMPORTED}:"):
            why += " Import its bundle again: `overpaint import RUN FILE.zip`"
        database.execute(
            "UPDATE edits SET status = 'editor_failed', output = '', reason = ?"
            " WHERE sample = ? AND editor = ?",
            (why, sample, editor),
        )


def forget_failures(database: Database) -> tuple[list[tuple[str, str]], int]:
    """Drop the rows that may be tried again; inside a transaction.

    Gives the edits to be made again, and how many scores beside theirs; among them are those that
    a retry which was stopped has left behind.
    """
    scores_again = ", ".join("?" * len(RETRY_SCORES))
    put_aside(
        database,
        f"against = '' AND ((sample, editor) IN ({LOST}) OR status IN ({scores_again}))",
        RETRY_SCORES,
    )
    put_aside(database, f"against != '' AND {ON_LOST}")
    database.execute(
        f"INSERT OR IGNORE INTO again SELECT sample, editor, {AN_EDIT}, '' FROM edits"
        f" WHERE (sample, editor) IN ({LOST})"
    )
    database.execute(f"DELETE FROM edits WHERE (sample, editor) IN ({LOST})")
    database.execute(f"DELETE FROM sets WHERE status IN ({scores_again})", RETRY_SCORES)
    return _edits_left(database), _scores_left(database)


def put_aside(database: Database, which: str, values: Sequence[str] = ()) -> None:
    """Drop scores or votes, and note that they are to be made again."""
    found = f"FROM scores WHERE {which}"
    database.execute(
        f"INSERT OR IGNORE INTO again SELECT sample, editor, measure, against {found}", values
    )
    database.execute(f"DELETE {found}", values)


def forget_edit(database: Database, sample: int, editor: int) -> None:
    """Drop an edit with what was made of it; inside a transaction."""
    for table in ("edits", "scores"):
        database.execute(f"DELETE FROM {table} WHERE sample = ? AND editor = ?", (sample, editor))
    against = f"DELETE FROM scores WHERE sample = ? AND {_OTHER} = ?"
    database.execute(against, (sample, editor))
    database.execute("DELETE FROM sets WHERE editor = ?", (editor,))


def votes_left(database: Database) -> list[tuple[str, str, str, str]]:
    """(sample, editor, the other, measure) of the votes that were dropped and are not there."""
    return database.execute(
        "SELECT samples.id, editors.name, against, measures.name FROM again"
        " JOIN samples ON samples.n = sample JOIN editors ON editors.n = editor"
        " JOIN measures ON measures.n = measure WHERE against != ''"
        " AND (sample, editor, measure, against) NOT IN"
        " (SELECT sample, editor, measure, against FROM scores WHERE against != '')"
        " ORDER BY sample, editor, measure, against"
    ).fetchall()


_UNMADE = (
    "FROM again WHERE measure = 0 AND NOT EXISTS (SELECT 1 FROM edits"
    " WHERE edits.sample = again.sample AND edits.editor = again.editor)"
)


def _edits_left(database: Database) -> list[tuple[str, str]]:
    return database.execute(
        "SELECT samples.id, editors.name FROM again JOIN samples ON samples.n = sample"
        " JOIN editors ON editors.n = editor"
        f" WHERE measure = 0 AND (sample, editor) IN (SELECT sample, editor {_UNMADE})"
        " ORDER BY sample, editor"
    ).fetchall()


def _scores_left(database: Database) -> int:
    (count,) = database.execute(
        "SELECT count(*) FROM again WHERE measure != 0 AND against = ''"
        f" AND (sample, editor) NOT IN (SELECT sample, editor {_UNMADE}) AND NOT EXISTS"
        " (SELECT 1 FROM scores WHERE scores.sample = again.sample AND scores.editor = again.editor"
        " AND scores.measure = again.measure AND scores.against = '')"
    ).fetchone()
    return int(count)


def taken_up(database: Database) -> set[tuple[str, str, str]]:
    """(sample, editor, measure) of the scores that were dropped to be made again."""
    return set(
        database.execute(
            "SELECT samples.id, editors.name, measures.name FROM again"
            " JOIN samples ON samples.n = sample JOIN editors ON editors.n = editor"
            " JOIN measures ON measures.n = measure WHERE against = ''"
        )
    )


def still_taken_up(database: Database) -> bool:
    """Whether anything that was dropped to be made again is noted."""
    return database.execute("SELECT 1 FROM again").fetchone() is not None


def forget_taken_up(database: Database, *, votes: bool) -> None:
    """All edits and scores, or all votes, that were dropped have been tried again."""
    database.execute(f"DELETE FROM again WHERE against {'!=' if votes else '='} ''")
