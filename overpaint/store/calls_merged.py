"""Calls of one run added to those of another: each kept once, none lost."""

from collections.abc import Sequence
from typing import Any

from overpaint.store.calls import STATES
from overpaint.store.schema import Database

_COLUMNS = (
    "key, model, host, state, prompt, pictures, asked, started, reply, reason, tokens_in,"
    " tokens_out, price, seconds, attempts, unanswered, reckoned"
)
_KEY, _MODEL, _HOST, _STATE, _STARTED, _REPLY, _REASON, _ATTEMPTS = 0, 1, 2, 3, 7, 8, 9, 14
# Two threads may ask, and fail, within a millisecond: the first of one run is the first of the
# other, the second the second.
_NTH = (
    "(SELECT count(*) FROM calls b WHERE b.key = a.key AND b.started = a.started"
    " AND b.model = a.model AND b.host = a.host AND b.reply = a.reply AND b.n < a.n)"
)


def merge_calls(database: Database, source: Database) -> int:
    """Add every call of `source` that is not there; gives how many.

    The same question asked in two runs is two calls, for both were paid for. A call is the same
    as another where key, model, host and the moment it left are: one whose end has been heard of
    since takes the place of what was known before.
    """
    added = 0
    for *row, nth in source.rows(f"SELECT {_COLUMNS}, {_NTH} FROM calls a ORDER BY n"):
        known = _known(database, row, nth)
        if known is None:
            add_call(database, row)
            added += 1
        elif _rank(row) > _rank(known[1:]):
            values = ", ".join("?" * (len(row) + 1))
            database.execute(f"REPLACE INTO calls (n, {_COLUMNS}) VALUES ({values})",
                             (known[0], *row))  # fmt: skip
    return added


def add_call(database: Database, row: Sequence[Any]) -> None:
    """Add a call, its columns but the number in the order of the table."""
    values = ", ".join("?" * len(row))
    database.execute(f"INSERT INTO calls ({_COLUMNS}) VALUES ({values})", row)


def _known(database: Database, row: Sequence[Any], nth: int) -> Sequence[Any] | None:
    """The same call where it is there already, its number before it."""
    found: list[Sequence[Any]] = database.execute(
        f"SELECT n, {_COLUMNS} FROM calls"
        " WHERE key = ? AND started = ? AND model = ? AND host = ? ORDER BY n",
        (row[_KEY], row[_STARTED], row[_MODEL], row[_HOST]),
    ).fetchall()
    same = [one for one in found if one[1 + _REPLY] == row[_REPLY]]
    if nth < len(same):
        return same[nth]
    # Heard of at another time: one of the two has no reply yet.
    return next((one for one in found if not (one[1 + _REPLY] and row[_REPLY])
                 and one[1 + _REPLY] != row[_REPLY]), None)  # fmt: skip


def _rank(row: Sequence[Any]) -> tuple[int, int, bool]:
    """How much is known of a call."""
    return row[_ATTEMPTS], STATES.index(row[_STATE]), bool(row[_REASON])
