"""All that a run holds, and how two runs differ: rows lost, rows doubled, rows different."""

import hashlib
import json
import os
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from overpaint.measures.judge import prompt_of, read_judge
from overpaint.store import DATABASE, Store, picture_path
from overpaint.store.orphans import prune_run
from overpaint.store.pictures import PICTURES
from overpaint.testing import FakeServer

_NAMED = " JOIN samples ON samples.n = sample JOIN editors ON editors.n = editor"
# Each gives the key of a row and then its content: all but the seconds it took.
QUERIES = {
    "samples": "SELECT id, body FROM samples",
    "editors": "SELECT name, spec FROM editors",
    "measures": "SELECT name, spec || ' ' || version || ' ' || pairs FROM measures",
    "edits": "SELECT json_array(samples.id, editors.name),"
    f" json_array(status, output, reason, notes, trace) FROM edits{_NAMED}",
    "scores": "SELECT json_array(samples.id, editors.name, measures.name, against),"
    f" json_array(value, scores.status, reason, notes, weight) FROM scores{_NAMED}"
    " JOIN measures ON measures.n = measure",
    "sets": "SELECT json_array(editors.name, measures.name, tag, part),"
    " json_array(digest, size, value, status, reason, notes) FROM sets"
    " JOIN editors ON editors.n = editor JOIN measures ON measures.n = measure",
    "evidence": "SELECT key, value FROM evidence",
    "prompts": "SELECT hash, text FROM prompts",
    "again": "SELECT json_array(sample, editor, measure, against), '' FROM again",
    "failed calls": "SELECT key, json_array(state, reason) FROM calls"
    " WHERE state NOT IN ('replied', 'sent')",
    "facts": "SELECT key, value FROM info WHERE key IN"
    " ('benchmark', 'card_id', 'data', 'revision', 'seed', 'floors', 'breakdowns')",
}  # fmt: skip

State = dict[str, Counter[tuple[str, str]]]  # table -> (key, content) -> how often


@dataclass(frozen=True)
class Difference:
    """How a run differs from one that was left in peace."""

    lost: int = 0
    doubled: int = 0
    different: int = 0
    first: str = ""  # what the first of them is

    def __bool__(self) -> bool:
        return bool(self.lost or self.doubled or self.different)

    def __add__(self, other: "Difference") -> "Difference":
        return Difference(
            self.lost + other.lost, self.doubled + other.doubled,
            self.different + other.different, self.first or other.first,
        )  # fmt: skip


def state(folder: Path) -> State:
    """What the run holds; a database or a picture that is damaged shows in it."""
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        found: State = {
            name: Counter((str(key), str(content)) for key, content in database.execute(sql))
            for name, sql in QUERIES.items()
        }
        found["replies"] = Counter(_replies(database))
        (whole,) = database.execute("PRAGMA integrity_check").fetchone()
        outputs = {name for (name,) in database.execute("SELECT output FROM edits") if name}
    found["whole"] = Counter([("database", whole)])
    own = {path.name for path in folder.iterdir()} - {f"{DATABASE}-wal", f"{DATABASE}-shm"}
    found["files"] = Counter((name, "") for name in own)
    named = outputs | {path.name for path in _files(folder) if not path.name.startswith(".")}
    found["pictures"] = Counter((name, _intact(folder, name)) for name in named)
    return found


def left(folder: Path) -> list[str]:
    """What lies among the pictures and bears no name of one, once what may is pruned.

    A kill leaves what was half written; `overpaint cache --prune` removes it when it is old.
    """
    for path in _files(folder):
        os.utime(path, (0, 0))
    prune_run(folder)
    return [path.name for path in _files(folder) if path.name.startswith(".")]


def _files(folder: Path) -> list[Path]:
    return [path for path in (folder / PICTURES).rglob("*") if path.is_file()]


def failures(folder: Path) -> int:
    """Steps that went wrong, and not what is missing for want of another."""
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        (found,) = database.execute(
            "SELECT (SELECT count(*) FROM edits WHERE status = 'editor_failed')"
            " + (SELECT count(*) FROM scores WHERE status = 'measure_failed')"
        ).fetchone()
    return int(found)


def _replies(database: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """The key of each call that was answered, and the words of the answer and what it cost."""
    sql = "SELECT key, reply, reason, prompt, pictures, asked, tokens_in, tokens_out, price"
    for key, reply, *more in database.execute(f"{sql} FROM calls WHERE state = 'replied'"):
        yield key, json.dumps([json.loads(reply)["choices"][0]["message"], *more])


def _intact(folder: Path, name: str) -> str:
    """Whether a picture is what its name says."""
    path = picture_path(folder, name)
    if not path.is_file():
        return "gone"
    return "intact" if hashlib.sha256(path.read_bytes()).hexdigest() == path.stem else "damaged"


def difference(calm: State, found: State) -> Difference:
    """What was lost, doubled or changed against the run that was left in peace."""
    return sum((_of_table(name, calm[name], found[name]) for name in calm), Difference())


def _of_table(
    name: str, calm: Counter[tuple[str, str]], found: Counter[tuple[str, str]]
) -> Difference:
    wanted, there = _by_key(calm), _by_key(found)
    lost = [key for key, rows in wanted.items() if len(there.get(key, ())) < len(rows)]
    more = [key for key, rows in there.items() if len(rows) > len(wanted.get(key, ()))]
    odd = [
        key for key in wanted.keys() & there.keys()
        if len(wanted[key]) == len(there[key]) and wanted[key] != there[key]
    ]  # fmt: skip
    first = next(iter((*lost, *more, *odd)), None)
    return Difference(len(lost), len(more), len(odd), f"{name}: {first}" if first else "")


def _by_key(rows: Counter[tuple[str, str]]) -> dict[str, list[str]]:
    found = defaultdict[str, list[str]](list)
    for key, content in sorted(rows.elements()):
        found[key].append(content)
    return found


# ── who was asked how often ─────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Account:
    """What a server received, held against what the run wrote down."""

    received: int = 0
    replies: int = 0
    after_recorded: int = 0  # asked again although the reply stood in the run
    doubles: int = 0  # requests beyond the first of a question
    listed: int = 0  # possibly paid twice, as the bill says
    unanswered: int = 0  # questions that the run has no reply to in the end
    unlisted: int = 0  # requests beyond the first that the bill does not list for that question
    unfounded: int = 0  # listed, though so many were never on their way

    @property
    def wrong(self) -> bool:
        """Whether something was asked for in vain, or the bill says less or more than was."""
        return bool(self.after_recorded or self.unanswered or self.unlisted or self.unfounded)

    def __add__(self, other: "Account") -> "Account":
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return Account(*(a + b for a, b in pairs))


def account(folder: Path, server: FakeServer, flights: Sequence[int], at_once: int) -> Account:
    """The account of one run with a server that answers rightly, and had forgotten all before.

    A reply names the request it answers: the hash of its body, and how often that had come.
    `flights`: the questions that were on their way each time the run was stopped, as its table
    told then; no more than `at_once` can have been.
    """
    counts = server.counts()
    asked = {hashed[:16]: many for hashed, many in counts.bodies.items()}
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        recorded = database.execute("SELECT key, reply FROM calls WHERE state = 'replied'")
        ids = {key: json.loads(reply)["id"].split("-")[1:] for key, reply in recorded}
        listed = dict(database.execute(
            "SELECT key, sum(unanswered + (state = 'sent')) FROM calls GROUP BY key"
        ))  # fmt: skip
    here = {key: (asked[hashed], int(nth), listed[key]) for key, (hashed, nth) in ids.items()}
    return Account(
        counts.total,
        len(here),
        after_recorded=sum(many - 1 - nth for many, nth, _ in here.values()),
        doubles=counts.total - counts.distinct,
        listed=sum(listed.values()),
        unanswered=len(asked.keys() - {hashed for hashed, _ in ids.values()}),
        unlisted=sum(max(0, many - 1 - told) for many, _, told in here.values()),
        unfounded=max(0, sum(listed.values()) - sum(min(one, at_once) for one in flights)),
    )


def reworded(
    folder: Path, server: FakeServer, specs: Sequence[str], behaviours: Sequence[str]
) -> set[str]:
    """The keys of the judges' scores whose reply, as the run has it, was given in such a way."""
    names = {
        f"chatcmpl-{one['hash'][:16]}-{one['nth']}"
        for one in server.requests(20_000) if one["behaviour"] in behaviours
    }  # fmt: skip
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        rows = database.execute("SELECT prompt, reply FROM calls WHERE state = 'replied'")
        prompts = {prompt for prompt, reply in rows if json.loads(reply)["id"] in names}
    found = set[str]()
    with Store.open(folder) as store:
        judges = [read_judge(spec.removeprefix("judge:")) for spec in specs]
        for judge, sample in product(judges, store.samples()):
            words = prompt_of(judge.parts[0][0], sample)
            if hashlib.sha256(words.encode()).hexdigest() in prompts:
                found |= {json.dumps([sample.id, editor, judge.name, ""], separators=(",", ":"))
                          for editor in store.editors}  # fmt: skip
    return found


def said(account: Account) -> dict[str, Any]:
    """For the last line."""
    return vars(account)
