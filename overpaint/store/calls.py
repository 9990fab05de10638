"""The call table: every question asked of a model, before it is sent and with what came back.

It is cache, bill, transcript and replay in one. A row is written before its question leaves, so
a run that is killed shows which questions may have been paid for without an answer; a question
whose answer is here is never asked again. Any thread may use it.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

from overpaint.store.schema import Database, connect

SENT, REPLIED, FAILED, SET_ASIDE = "sent", "replied", "failed", "set aside"
STATES = (SENT, FAILED, REPLIED, SET_ASIDE)  # a later one is known later


class Call(NamedTuple):
    """One row: what was asked of whom, and what became of it."""

    n: int
    key: str
    model: str
    host: str
    state: str
    prompt: str  # its hash; `Calls.prompt` has the words
    pictures: tuple[Mapping[str, Any], ...]
    asked: Mapping[str, Any]  # turn, form of reply asked for, longest answer
    started: str
    reply: str  # the raw body
    reason: str  # why there is none
    tokens_in: int | None
    tokens_out: int | None
    price: float | None
    seconds: float
    attempts: int
    unanswered: int  # attempts that ended without a usable word, and may be paid for
    reckoned: float  # dollars a cost limit counts: at most, where the price is not told


@dataclass(frozen=True)
class Outcome:
    """What came of a question, as its row keeps it."""

    state: str
    reply: str = ""
    reason: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    price: float | None = None
    seconds: float = 0.0
    attempts: int = 1
    unanswered: int = 0
    reckoned: float = 0.0


@dataclass(frozen=True)
class Bill:
    """What was asked of one model, and what it cost."""

    model: str
    host: str
    calls: int = 0
    attempts: int = 0
    replies: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    price: float = 0.0
    unpriced: int = 0  # replies whose price is not known
    possibly_paid_twice: int = 0  # sent without a word back: by a kill, a cut, a deadline


class Calls:
    """The call table of one run, with a connection of its own."""

    def __init__(self, database: Database) -> None:
        self._db, self._lock = database, threading.Lock()
        self._prompts: set[str] = set()  # whose words are known to be kept

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The table of the run in that folder."""
        return cls(connect(folder, any_thread=True))

    def close(self) -> None:
        """Close its connection."""
        with self._lock:
            self._db.close()

    # ── asking ──────────────────────────────────────────────────────────────────────────

    def recall(self, key: str) -> Call | None:
        """The call that answered this question before, if one did."""
        sql = f"SELECT * FROM calls WHERE key = ? AND state = '{REPLIED}' ORDER BY n LIMIT 1"
        with self._lock:
            row = self._db.execute(sql, (key,)).fetchone()
        return _call(row) if row else None

    def begin(self, key: str, asked: Mapping[str, Any], prompt: tuple[str, str]) -> int:
        """Write down that a question is about to be sent; gives the number of its row."""
        digest, words = prompt
        values = (
            key, asked["model"], asked["host"], SENT, digest,
            json.dumps(asked["pictures"]), json.dumps(asked["how"]), _now(), asked["at_most"],
        )  # fmt: skip
        with self._lock:
            if digest not in self._prompts:
                self._db.execute("INSERT OR IGNORE INTO prompts VALUES (?, ?)", (digest, words))
                self._prompts.add(digest)
            done = self._db.execute(
                "INSERT INTO calls (key, model, host, state, prompt, pictures, asked, started,"
                " reckoned) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values,
            )  # fmt: skip
            return int(done.lastrowid or 0)

    def again(self, number: int, attempts: int, reckoned: float) -> None:
        """Write down that a question which failed is about to be sent once more."""
        sql = "UPDATE calls SET state = ?, attempts = ?, reckoned = ? WHERE n = ?"
        with self._lock:
            self._db.execute(sql, (SENT, attempts, reckoned, number))

    def end(self, number: int, outcome: Outcome) -> None:
        """Write down what came back."""
        values = (
            outcome.state, outcome.reply, outcome.reason, outcome.tokens_in, outcome.tokens_out,
            outcome.price, outcome.seconds, outcome.attempts, outcome.unanswered,
            outcome.reckoned, number,
        )  # fmt: skip
        with self._lock:
            self._db.execute(
                "UPDATE calls SET state = ?, reply = ?, reason = ?, tokens_in = ?, tokens_out = ?,"
                " price = ?, seconds = ?, attempts = ?, unanswered = ?, reckoned = ? WHERE n = ?",
                values,
            )  # fmt: skip

    def doubt(self, key: str, why: str) -> None:
        """Note beside an answer that it could not be used."""
        sql = "UPDATE calls SET reason = ? WHERE key = ? AND state = ?"
        with self._lock:
            self._db.execute(sql, (why, key, REPLIED))

    def set_aside(self) -> int:
        """Keep answers that could not be used for the transcript alone; gives how many."""
        sql = "UPDATE calls SET state = ? WHERE state = ? AND reason != ''"
        with self._lock:
            return self._db.execute(sql, (SET_ASIDE, REPLIED)).rowcount

    # ── reading ─────────────────────────────────────────────────────────────────────────

    def __iter__(self) -> Iterator[Call]:
        """Every call, in the order in which they were asked."""
        with self._lock:
            rows = self._db.execute("SELECT * FROM calls ORDER BY n").fetchall()
        yield from map(_call, rows)

    def prompt(self, digest: str) -> str:
        """The words behind a prompt's hash."""
        with self._lock:
            row = self._db.execute("SELECT text FROM prompts WHERE hash = ?", (digest,)).fetchone()
        return row[0] if row else ""

    def spent(self) -> float:
        """Dollars that the calls so far have cost, at most where that was not told."""
        with self._lock:
            row = self._db.execute("SELECT coalesce(sum(reckoned), 0) FROM calls").fetchone()
        return float(row[0])

    def bill(self) -> list[Bill]:
        """What each model was asked and what that cost, the dearest first."""
        sql = (
            "SELECT model, host, count(*), sum(attempts), sum(state IN (?1, ?2)),"
            " coalesce(sum(tokens_in), 0), coalesce(sum(tokens_out), 0), coalesce(sum(price), 0.0),"
            " sum(state IN (?1, ?2) AND price IS NULL), sum(unanswered + (state = ?3))"
            " FROM calls GROUP BY model, host ORDER BY sum(price) DESC, min(n)"
        )
        with self._lock:
            return [Bill(*row) for row in self._db.rows(sql, (REPLIED, SET_ASIDE, SENT))]


def bill_of(folder: Path) -> list[Bill]:
    """What each model was asked in a run, what that cost, and what may have been paid twice."""
    with closing(Calls.open(folder)) as calls:
        return calls.bill()


def _call(row: tuple[Any, ...]) -> Call:
    call = Call(*row)
    return call._replace(pictures=tuple(json.loads(row[6])), asked=json.loads(row[7]))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
