"""A big run read in one go: rows by their numbers, and what belongs to some of its samples alone.

The tables are keyed by whole numbers, in the order of samples, editors, measures. Reading the
numbers and naming them afterwards takes a third of the time and none of the memory of joining
three names to each of millions of rows.

A row of a sample, an editor or a measure that is not there does not count, so one that came while
others were read is left for the next time. A run with a row that no Overpaint writes is refused.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, get_args

from overpaint.core import Edit, EditStatus, Sample, ScoreStatus
from overpaint.store import Row, Store, Vote
from overpaint.store.calls import STATES
from overpaint.store.samples import listed, load_sample, told_in
from overpaint.store.schema import Database, damaged, explained

AT_ONCE = 20_000  # rows held at a time
_ASKED = 500  # samples named in one query
_SHIFT = 1 << 20  # editor and measure in one number
_ORDER = " ORDER BY sample, editor, measure"
_FINITE = "BETWEEN -1e300 AND 1e300"  # a text is more than any number
_NUMBERS = (
    f"weight BETWEEN 0 AND 1e300 AND (value IS NULL OR value {_FINITE})"
    f" AND status IN ({', '.join(map(repr, get_args(ScoreStatus)))})"
    f" AND seconds {_FINITE} AND typeof(reason) = 'text'"
)
# Older versions kept notes that are numbers.
_MADE = (
    f"status IN ({', '.join(map(repr, get_args(EditStatus)))})"
    " AND typeof(output) = 'text' AND typeof(reason) = 'text' AND (notes = '[]' OR CASE"
    " WHEN json_valid(notes) THEN json_type(notes) = 'array'"
    " AND NOT EXISTS (SELECT 1 FROM json_each(notes)"
    " WHERE type NOT IN ('text', 'integer', 'real')) ELSE 0 END)"
)
_CALLED = (
    f"state IN ({', '.join(map(repr, STATES))}) AND CASE WHEN json_valid(pictures)"
    " AND json_valid(asked) THEN json_type(pictures) = 'array' AND json_type(asked) = 'object'"
    " ELSE 0 END"
)
_COUNTED = " AND ".join(
    f"coalesce({one}, 0) {_FINITE}"
    for one in ("tokens_in", "tokens_out", "price", "seconds", "attempts", "unanswered", "reckoned")
)
# The + keeps SQLite from going through the rows sample by sample.
_OF_AN_EDIT = "+sample IN (SELECT n FROM samples) AND +editor IN (SELECT n FROM editors)"
_OF_A_SCORE = f"{_OF_AN_EDIT} AND +measure IN (SELECT n FROM measures)"
_SOUND = f"{_OF_A_SCORE} AND {_NUMBERS}"
_EDIT = {
    "sample": "(SELECT id FROM samples WHERE n = sample)",
    "editor": "(SELECT name FROM editors WHERE n = editor)",
}
_SCORE = _EDIT | {"measure": "(SELECT name FROM measures WHERE n = measure)"}
# What a row is; what it must be for tables; what else where it is handed on, some of which stands
# behind long texts that SQLite goes through to reach it; what it is called.
_CHECKED = {
    "scores": ("a score that no measure gives", _NUMBERS, _OF_A_SCORE, _SCORE),
    "edits": ("an edit that no editor makes", _MADE, f"{_OF_AN_EDIT} AND seconds {_FINITE}", _EDIT),
    "calls": ("a call that no model is sent", _CALLED, _COUNTED, {"number": "n"}),
}


class Head(NamedTuple):
    """What tables need to know of a sample."""

    number: int
    id: str
    cluster: str
    tags: dict[str, str]


class Scores(NamedTuple):
    """Some rows of scores, column by column, in the order of samples, editors, measures."""

    samples: Sequence[int]
    keys: Sequence[int]  # editor and measure: see `key_names`
    values: Sequence[float | None]
    weights: Sequence[float]
    told: Sequence[str | None]  # "status\nreason" of a row without a value
    notes: Sequence[str | None]  # JSON, where one says what the score was made by


# Number of the sample, key, value, status, reason, notes as JSON, weight, seconds: a row of scores
# as an export writes it. A name for each part would cost a third of the time of reading it.
Line = tuple[int, int, float | None, str, str, str, float, float]


def heads(store: Store) -> Iterator[Head]:
    """Every sample in the benchmark's order, without its pictures."""
    for number, name, body in store._db.rows("SELECT n, id, body FROM samples ORDER BY n"):
        told = told_in(body)
        yield Head(number, name, told["cluster"], told["tags"])


def ids(store: Store) -> dict[int, str]:
    """The id of each sample by its number."""
    return dict(store._db.rows("SELECT n, id FROM samples ORDER BY n"))


def key_names(store: Store) -> dict[int, tuple[str, str]]:
    """What editor and measure a key stands for."""
    editors, measures = (
        list(store._db.rows(f"SELECT n, name FROM {table}")) for table in ("editors", "measures")
    )
    return {e * _SHIFT + m: (editor, measure) for e, editor in editors for m, measure in measures}


def scores(store: Store) -> Iterator[Scores]:
    """Every score, some thousands at a time; votes are not among them."""
    found = _many(
        store,
        f"SELECT sample, editor * {_SHIFT} + measure, value, weight,"
        " CASE WHEN value IS NULL THEN status || char(10) || reason END,"
        " CASE WHEN notes != '[]' AND notes LIKE '%\"by %' THEN notes END"
        f" FROM scores WHERE against = '' AND {_SOUND}{_ORDER}",
    )
    check_rows(store._db, store.folder)
    return (Scores(*zip(*rows, strict=True)) for rows in found)


def check_rows(database: Database, folder: Path) -> None:
    """Refuse what tables would stumble over: notes, numbers and statuses that are none."""
    if wrong := wrong_in(database, whole=False):
        raise damaged(folder, f"it has {wrong}")


def check_whole(database: Database, folder: Path) -> None:
    """Refuse whatever no run has, before it is handed on or added to."""
    if wrong := wrong_in(database):
        raise damaged(folder, f"it has {wrong}")


def wrong_in(database: Database, *, whole: bool = True) -> str:
    """The first row that no Overpaint writes; empty where there is none."""
    for table, (what, read, handed_on, names) in _CHECKED.items():
        sound = f"{read} AND {handed_on}" if whole else read
        query = f"SELECT {', '.join(names.values())} FROM {table} WHERE NOT ({sound}) LIMIT 1"
        if found := database.execute(query).fetchone():
            which = (
                f"no {name} of the run" if value is None else f"{name} {value!r:.60}"
                for name, value in zip(names, found, strict=True)
            )  # fmt: skip
            return f"{what} ({', '.join(which)}): a number, a status or a text of it is none"
    return ""


def lines(store: Store) -> Iterator[Line]:
    """Every score with all that is known of it, by numbers."""
    found = _many(
        store,
        f"SELECT sample, editor * {_SHIFT} + measure, value, status, reason, notes, weight,"
        f" seconds + 0.0 FROM scores WHERE against = '' AND {_SOUND}{_ORDER}",
    )
    return chain.from_iterable(found)


def _many(store: Store, sql: str) -> Iterator[list[Any]]:
    """What a query gives, some thousands of rows at a time; damage inside the file is said."""
    cursor = store._db.execute(sql)
    try:
        while rows := cursor.fetchmany(AT_ONCE):
            yield rows
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise explained(error, store.folder) from error


def unmade(store: Store) -> list[tuple[str, str, str]]:
    """(sample, editor, status) of every edit that was asked for and is not there."""
    found = store._db.rows(
        "SELECT samples.id, editors.name, status FROM edits JOIN editors ON editors.n = editor"
        " JOIN samples ON samples.n = sample WHERE status != 'ok' ORDER BY sample, editor"
    )
    return list(found)


def pictured(store: Store) -> Iterator[tuple[int, str]]:
    """(number of the sample, editor) of every edit that has a picture."""
    return store._db.rows(
        "SELECT sample, editors.name FROM edits JOIN editors ON editors.n = editor"
        " WHERE output != '' AND +sample IN (SELECT n FROM samples) ORDER BY sample, editor"
    )


def rows_of_measures(
    store: Store, measures: Sequence[str], *, scored: bool = False
) -> Iterator[Row]:
    """Every score of these measures, or those with a value, in the usual order."""
    named, names = key_names(store), ids(store)
    wanted = [str(key) for key, (_, measure) in named.items() if measure in measures]
    found = store._db.rows(
        f"SELECT sample, editor * {_SHIFT} + measure, value, status, reason, notes, weight,"
        f" seconds FROM scores WHERE against = '' AND {_SOUND} AND editor * {_SHIFT} + measure IN"
        f" ({', '.join(wanted)}){' AND value IS NOT NULL' * scored}{_ORDER}"
    )
    return (
        _row(names[number], named[key], rest) for number, key, *rest in found if number in names
    )


def _row(sample: str, key: tuple[str, str], rest: Sequence[Any]) -> Row:
    value, status, reason, notes, weight, seconds = rest
    told = tuple(map(str, listed(notes)))
    return Row(sample, *key, value, status, reason, told, weight, seconds)


# ── some samples alone ──────────────────────────────────────────────────────────────────


def samples_of(store: Store, ids: Sequence[str]) -> dict[int, Sample]:
    """The samples of these ids by their numbers, in the order of the ids."""
    found: dict[str, tuple[int, Sample]] = {}
    for first in range(0, len(ids), _ASKED):
        some = ids[first : first + _ASKED]
        asked = f"SELECT n, id, body FROM samples WHERE id IN ({', '.join('?' * len(some))})"
        for number, name, body in store._db.rows(asked, some):
            found[name] = number, replace(load_sample(body), id=name)
    return dict(found[one] for one in ids if one in found)


def edits_of(store: Store, samples: dict[int, Sample]) -> dict[int, list[Edit]]:
    """The edits of these samples, in the order of editors."""
    found: dict[int, list[Edit]] = {number: [] for number in samples}
    for some in _listed([*samples]):
        rows = store._db.rows(
            "SELECT sample, editors.name, status, output, reason, notes, trace, seconds FROM edits"
            " JOIN editors ON editors.n = editor"
            f" WHERE sample IN ({some}) ORDER BY sample, editor"
        )
        for number, editor, *row in rows:
            found[number].append(store._edit(samples[number], editor, row))
    return found


def rows_of(store: Store, samples: dict[int, Sample]) -> dict[int, list[Row]]:
    """The scores of these samples, in the order of editors and measures."""
    named = key_names(store)
    found: dict[int, list[Row]] = {number: [] for number in samples}
    for some in _listed([*samples]):
        rows = store._db.rows(
            f"SELECT sample, editor * {_SHIFT} + measure, value, status, reason, notes, weight,"
            f" seconds FROM scores WHERE sample IN ({some}) AND against = '' AND {_SOUND}{_ORDER}"
        )
        for number, key, *rest in rows:
            if key in named:
                found[number].append(_row(samples[number].id, named[key], rest))
    return found


def votes_of(store: Store, samples: dict[int, Sample]) -> dict[int, list[Vote]]:
    """The votes on edits of these samples, in the order of editors and measures."""
    named = key_names(store)
    found: dict[int, list[Vote]] = {number: [] for number in samples}
    for some in _listed([*samples]):
        rows = store._db.rows(
            f"SELECT sample, editor * {_SHIFT} + measure, against, value, status, reason, notes"
            f" FROM scores WHERE sample IN ({some}) AND against != '' AND {_SOUND}{_ORDER}, against"
        )
        for number, key, against, *rest, notes in rows:
            if key in named:
                editor, measure = named[key]
                told = tuple(map(str, listed(notes)))
                vote = (samples[number].id, editor, against, measure, *rest, told)
                found[number].append(Vote._make(vote))
    return found


def id_of(store: Store, number: int) -> str | None:
    """The id of the sample of that number; None where there is none."""
    row = store._db.execute("SELECT id FROM samples WHERE n = ?", (number,)).fetchone()
    return row[0] if row else None


def saying(store: Store, needles: Sequence[str]) -> list[str]:
    """The ids of samples whose id or instruction has all of these, whatever their case."""
    # SQLite folds the letters of ASCII alone.
    wanted = [one.casefold() for one in needles]
    asked = "SELECT id, id || ' ' || json_extract(body, '$.instruction') FROM samples ORDER BY n"
    found = ((name, str(text or name).casefold()) for name, text in store._db.rows(asked))
    return [name for name, text in found if all(one in text for one in wanted)]


def _listed(numbers: Sequence[int]) -> Iterator[str]:
    """The numbers in order, as many to a text as one query may name."""
    ordered = sorted(numbers)
    for first in range(0, len(ordered), _ASKED):
        yield ", ".join(map(str, ordered[first : first + _ASKED]))
