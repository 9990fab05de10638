"""Merging runs: parts that were made apart become the run that would have been made at once.

All rows come in one transaction, so a merge that is stopped in any way has added nothing, and
given again adds all. Rows are streamed, a few thousand at a time; pictures come before the
transaction ends, under their hashes, so that no row ever names one that is not there.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from overpaint.document.pictures import is_there
from overpaint.errors import StoreError, UserMistake
from overpaint.store import DATABASE, Store, has_run
from overpaint.store.bodies import KEPT, alike, kept_name, moved, paths_in, same_trace
from overpaint.store.calls_merged import merge_calls
from overpaint.store.claiming import claimed
from overpaint.store.heads import Head, check_idle, check_together, head_in, head_of, mixed_versions
from overpaint.store.pictures import PICTURES, take_picture
from overpaint.store.reading import check_whole
from overpaint.store.schema import Database, connect, undamaged
from overpaint.store.trusting import pass_on

LISTED = 5  # conflicts that are told in full
CHUNK = 5_000  # rows
_KEY = {"edits": 2, "scores": 4}  # how many of a row's first columns are its key
_SECONDS = {"edits": 7, "scores": 8}  # the column that only tells how long it took
_TRACE = 6  # of an edit
_UNITED = ("floors", "kin", "shards")  # facts that are lists, of which every run has a part

Progress = Callable[[str, int, int], None]


@dataclass
class Merged:
    """What came of it."""

    added: Counter[str] = field(default_factory=Counter)  # rows that were not there before
    gone: int = 0  # pictures that rows name and that are no longer in their own run
    versions: dict[str, list[str]] = field(default_factory=dict)  # of libraries that had several


def merge(runs: Sequence[Path], out: Path, progress: Progress = lambda *_: None) -> Merged:
    """Put these runs together in `out`, which may be a run of the same protocol already.

    Refused, with nothing written, where they disagree about anything but the time it took.
    """
    given = list({run.resolve(): run for run in runs if run.resolve() != out.resolve()}.values())
    if not given:
        raise UserMistake(
            "No run was named besides the one they are to be put together in.",
            "Two runs or more were expected.",
            "overpaint merge RUN RUN -o OUT",
        )
    heads = [head_of(run) for run in given]
    for head in heads:
        check_idle(head)
    check_together(heads)
    fresh = not has_run(out)  # an audit's run has no protocol, and is not empty
    with Store.create(out) as store, claimed(store):
        known = [head_of(out)] if "card_id" in store.info else []
        check_together([*known, *heads])
        try:
            with closing(connect(out)) as database:
                return _Merging(database, out, [*known, *heads], progress).done(heads)
        except StoreError:
            if fresh and "card_id" not in store.info:  # nothing was written or is left
                _remove_empty(out)
            raise


def _remove_empty(out: Path) -> None:
    """Remove a run made here that holds nothing, while nobody else can put anything there."""
    with suppress(PermissionError):  # some systems remove no file that is open: it can stay
        for name in (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm"):
            (out / name).unlink(missing_ok=True)
    for folder in (out / PICTURES, out):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _changed(folder: Path) -> StoreError:
    return StoreError(
        f"A command has worked on the run in {folder} since it was looked at.",
        "What was held against the other runs is not what would be taken in.",
        "Give the same command again.",
    )


class _Conflicts:
    """What runs disagree about: the first few in full, and how many there are."""

    def __init__(self) -> None:
        self.count, self.first = 0, list[str]()

    def add(self, line: str) -> None:
        self.count += 1
        if len(self.first) < LISTED:
            self.first.append(line)

    def settle(self) -> None:
        """Refuse if there are any."""
        if self.count:
            lines = [f"The runs disagree about {self.count:,} rows, so nothing was written:"]
            lines += [f"  {line}" for line in self.first]
            if self.count > LISTED:
                lines.append(f"  and {self.count - LISTED:,} more")
            raise StoreError(
                "\n".join(lines) + "\n",
                "Where two runs have the same row it must be the same.",
                "Leave one of them out, or in one give the editor another name"
                " (--editor OTHERNAME=…) or make it again (--redo NAME).",
            )


class _Merging:
    """One merge: rows of every run into one, and what was found on the way."""

    def __init__(
        self, database: Database, out: Path, heads: Sequence[Head], progress: Progress
    ) -> None:
        self._db, self._out, self._heads, self._progress = database, out, heads, progress
        self._conflicts, self._merged = _Conflicts(), Merged(versions=mixed_versions(heads))
        self._data = _data_of(heads)

    def done(self, heads: Sequence[Head]) -> Merged:
        """Take in the runs behind these heads, all or nothing."""
        # The pictures that each run's rows name, as they were when these were read.
        self._db.execute(
            "CREATE TEMP TABLE named (run INTEGER, name TEXT, PRIMARY KEY (run, name))"
            " WITHOUT ROWID"
        )
        with self._db.transaction():
            for number, head in enumerate(heads, 1):
                with undamaged(head.folder), Store.open(head.folder) as store:
                    source = store._db
                    source.execute("BEGIN")  # what it is now, whatever is written to it meanwhile
                    if head_in(store) != head:
                        raise _changed(head.folder)
                    self._take(source, head)
                    names = ((number, name) for name in named_pictures(source))
                    self._db.write("INSERT OR IGNORE INTO named VALUES (?, ?)", names)
                self._progress("merging", number, len(heads))
            self._conflicts.settle()
            for number, head in enumerate(heads, 1):
                self._take_pictures(number, head.folder)
                self._progress("pictures", number, len(heads))
            self._note()
        return self._merged

    def _take(self, source: Database, head: Head) -> None:
        check_whole(source, head.folder)
        samples = self._samples(source, head)
        editors, measures = (self._names(source, table) for table in ("editors", "measures"))
        told = (spec for spec, _ in head.measures.values())
        specs = (*head.editors.values(), *told, str(head.info.get("benchmark", "")))
        pass_on(specs, head.folder, self._out)
        maps = {"edits": (samples, editors), "scores": (samples, editors, measures)}
        for table, mapped in maps.items():
            rows = source.rows(f"SELECT * FROM {table}")
            self._rows(table, _renumbered(rows, mapped), head.folder)
        for table in ("evidence", "prompts"):
            marked = f"INSERT OR IGNORE INTO {table} VALUES (?, ?)"
            self._db.write(marked, source.rows(f"SELECT * FROM {table}"))
        self._merged.added["calls"] += merge_calls(self._db, source)

    def _samples(self, source: Database, head: Head) -> dict[int, int]:
        """Register the run's samples; its numbers of them, and what they are here."""
        numbers = {}
        for n, name, body in source.rows("SELECT n, id, body FROM samples ORDER BY n"):
            body = moved(body, head.folder, self._out, (head.info["data"], self._data))
            query = "SELECT n, body FROM samples WHERE id = ?"
            known = self._db.execute(query, (name,)).fetchone()
            if known is None:
                numbers[n] = self._place(n)
                self._db.execute("INSERT INTO samples VALUES (?, ?, ?)", (numbers[n], name, body))
                self._merged.added["samples"] += 1
            else:
                numbers[n] = known[0]
                if not alike(known[1], body):
                    self._conflicts.add(f"sample {name}: it is another one in {head.folder}")
        return numbers

    def _place(self, n: int) -> int:
        """The sample's place in the benchmark, or the next where a run kept no places."""
        taken = self._db.execute("SELECT 1 FROM samples WHERE n = ?", (n,)).fetchone()
        last: int = self._db.execute("SELECT max(n) FROM samples").fetchone()[0] if taken else n - 1
        return last + 1

    def _names(self, source: Database, table: str) -> dict[int, int]:
        """Register the run's editors or measures; its numbers of them, and what they are here."""
        numbers = {}
        for n, *rest in source.rows(f"SELECT * FROM {table} ORDER BY n"):
            marks = ", ".join("?" * len(rest))
            self._db.write(f"INSERT OR IGNORE INTO {table} VALUES (NULL, {marks})", [rest])
            query = f"SELECT n FROM {table} WHERE name = ?"
            numbers[n] = self._db.execute(query, (rest[0],)).fetchone()[0]
        return numbers

    def _rows(self, table: str, rows: Iterator[tuple[Any, ...]], folder: Path) -> None:
        """Add rows; one that is there already must be the same."""
        while chunk := list(islice(rows, CHUNK)):
            before = self._changes()
            marks = ", ".join("?" * len(chunk[0]))
            self._db.write(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", chunk)
            added = self._changes() - before
            self._merged.added[table] += added
            if added < len(chunk):
                self._compare(table, chunk, folder)

    def _compare(self, table: str, chunk: Iterable[tuple[Any, ...]], folder: Path) -> None:
        key = ("sample", "editor", "measure", "against")[: _KEY[table]]
        query = f"SELECT * FROM {table} WHERE " + " AND ".join(f"{part} = ?" for part in key)
        for row in chunk:
            known = self._db.execute(query, row[: _KEY[table]]).fetchone()
            if not _same(table, known, row):
                self._conflicts.add(self._told(table, known, row, folder))

    def _told(self, table: str, known: Sequence[Any], row: Sequence[Any], folder: Path) -> str:
        names = ("samples", "id"), ("editors", "name"), ("measures", "name")
        which = [
            self._db.execute(f"SELECT {name} FROM {of} WHERE n = ?", (number,)).fetchone()[0]
            for (of, name), number in zip(names, row[: _KEY[table]], strict=False)
        ]
        if table == "scores" and row[3]:
            which.append(f"against {row[3]}")
        one, other = (_said(table, each) for each in (known, row))
        return f"{', '.join(which)}: {one}, but in {folder} {other}"

    def _changes(self) -> int:
        count: int = self._db.execute("SELECT total_changes()").fetchone()[0]
        return count

    def _take_pictures(self, number: int, folder: Path) -> None:
        """Keep every picture that a row of that run names."""
        with undamaged(folder):
            for (name,) in self._db.execute("SELECT name FROM named WHERE run = ?", (number,)):
                self._merged.gone += not take_picture(name, folder, self._out)

    def _note(self) -> None:
        """Record the facts of all the runs as those of one."""
        facts = united([head.info for head in self._heads])
        facts["data"] = self._data
        (size,) = self._db.execute("SELECT count(*) FROM samples").fetchone()
        if size >= (facts.get("whole") or 0):
            facts["shards"] = facts["whole"] = None
        rows = [(key, json.dumps(value, ensure_ascii=False)) for key, value in facts.items()]
        self._db.write("INSERT OR REPLACE INTO info VALUES (?, ?)", rows)


def named_pictures(database: Database) -> Iterator[str]:
    """The names of the pictures of its own that a run's rows name; some come twice."""
    yield from pictures_of_edits(database)
    for (body,) in database.rows("SELECT body FROM samples"):
        yield from filter(None, map(kept_name, paths_in(body)))


def pictures_of_edits(database: Database) -> Iterator[str]:
    """Those that edits and their traces name."""
    for (name,) in database.rows("SELECT output FROM edits WHERE output != ''"):
        yield name
    for (trace,) in database.rows("SELECT trace FROM edits WHERE trace != '[]'"):
        yield from KEPT.findall(trace)


def _renumbered(
    rows: Iterable[Sequence[Any]], maps: Sequence[Mapping[int, int]]
) -> Iterator[tuple[Any, ...]]:
    """The rows under this run's numbers of samples, editors and measures."""
    for row in rows:
        numbers = [known[n] for known, n in zip(maps, row, strict=False)]
        yield (*numbers, *row[len(maps) :])


def _same(table: str, known: Sequence[Any], row: Sequence[Any]) -> bool:
    """Whether two rows of one key say the same; how long it took may differ."""
    left_out = {_SECONDS[table], _TRACE} if table == "edits" else {_SECONDS[table]}
    told = [[value for n, value in enumerate(one) if n not in left_out] for one in (known, row)]
    return told[0] == told[1] and (table != "edits" or same_trace(known[_TRACE], row[_TRACE]))


def _said(table: str, row: Sequence[Any]) -> str:
    """What a row says, for a list of conflicts."""
    if table == "scores":
        value, status, reason = row[4:7]
        return f"{value!r}" if value is not None else f"{status} ({reason[:60]})"
    status, output, reason = row[2:5]
    return f"{status} {output[:12] or reason[:60]}"


def _data_of(heads: Sequence[Head]) -> str:
    """The folder of the benchmark's files: the first run's that is on this machine."""
    told = [str(head.info["data"]) for head in heads]
    return next((one for one in told if is_there(Path(one), "folder")), told[0])


def _each_once(infos: Sequence[Mapping[str, Any]], key: str) -> list[Any]:
    """What is in the lists that the runs have under that name."""
    found = {json.dumps(one): one for info in infos for one in info.get(key) or ()}
    return list(found.values())


def united(infos: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The facts of several runs as those of one: the first's, and what all have a part of."""
    first = infos[0]
    dropped = ("claimed", "editors", "measures")
    facts = {key: value for key, value in first.items() if key not in dropped}
    for key in _UNITED:
        if found := _each_once(infos, key):
            facts[key] = found
    commands = _each_once(infos, "commands")
    facts["commands"] = sorted(commands, key=lambda one: str(one.get("started")))
    facts["weights"] = {
        name: digest for info in infos for name, digest in (info.get("weights") or {}).items()
    }
    facts["created"] = min(info["created"] for info in infos)
    if wholes := [info["whole"] for info in infos if info.get("whole")]:
        facts["whole"] = max(wholes)
    return facts
