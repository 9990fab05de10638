"""Dropping rows: of an editor that is asked anew, and of what failed by accident."""

from overpaint.core import RETRY_EDITS, RETRY_SCORES
from overpaint.store.schema import Database


def forget_editor(database: Database, name: str) -> None:
    """Drop an editor with all that it made, as if it had never been asked."""
    which = "(SELECT n FROM editors WHERE name = ?)"
    with database.transaction():
        for table in ("scores", "edits", "sets"):
            database.execute(f"DELETE FROM {table} WHERE editor = {which}", (name,))
        database.execute("DELETE FROM scores WHERE against = ?", (name,))
        database.execute("DELETE FROM editors WHERE name = ?", (name,))


def forget_failures(database: Database) -> tuple[list[tuple[str, str]], int]:
    """Drop the rows that may be tried again; inside a transaction."""
    edits_again, scores_again = (
        ", ".join("?" * len(statuses)) for statuses in (RETRY_EDITS, RETRY_SCORES)
    )
    lost = f"SELECT sample, editor FROM edits WHERE status IN ({edits_again})"
    edits = database.execute(
        "SELECT samples.id, editors.name FROM edits"
        " JOIN samples ON samples.n = edits.sample JOIN editors ON editors.n = edits.editor"
        f" WHERE status IN ({edits_again}) ORDER BY edits.sample, edits.editor",
        RETRY_EDITS,
    ).fetchall()
    database.execute(f"DELETE FROM scores WHERE (sample, editor) IN ({lost})", RETRY_EDITS)
    scores = database.execute(
        f"DELETE FROM scores WHERE status IN ({scores_again})"
        " AND measure NOT IN (SELECT n FROM measures WHERE pairs)",
        RETRY_SCORES,
    ).rowcount
    database.execute(f"DELETE FROM edits WHERE status IN ({edits_again})", RETRY_EDITS)
    database.execute(f"DELETE FROM sets WHERE status IN ({scores_again})", RETRY_SCORES)
    return edits, scores
