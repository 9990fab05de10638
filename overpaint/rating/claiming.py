"""The tasks of a build, handed out one by one, and answers handed on to its file.

Nobody has a fixed share: whoever is there takes the next open task that still wants people. The
latest answer can be taken back until the next one is given; then it is a line of answers.jsonl,
where a build reads it.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from overpaint.errors import UserMistake
from overpaint.rating.book import Book
from overpaint.rating.raters import ENDED, Rater
from overpaint.rating.tasks import ANSWERS, TASKS, answer_line, open_items
from overpaint.store.schema import explained

HELD = 3600.0  # seconds for which an opened task is kept for whoever opened it
LINGER = 120.0  # seconds after which the latest answer is handed on, too


class Tasks:
    """A build's tasks as they stand now."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._seen: tuple[int, int] | None = None
        self._told: tuple[int, int] | None = None  # which state of the file was complained of
        self._open: dict[str, int] = {}  # the items of open tasks, by task: their numbers
        self._said: tuple[tuple[int, int], dict[str, set[str]]] = ((0, 0), {})
        self.left: dict[int, int] = {}  # how many open tasks each rater could still answer
        self.refresh()

    def refresh(self) -> None:
        """Pick up tasks.jsonl where it has changed; what is new becomes items."""
        file = self.book.folder / TASKS
        try:
            state = file.stat()
        except OSError:
            return  # a build that is just writing it; the tasks as they were go on
        if self._seen == (state.st_mtime_ns, state.st_size):
            return
        stamp = (state.st_mtime_ns, state.st_size)
        try:
            found, notes = open_items(self.book.folder)
        except UserMistake as error:  # it names folders, which are no business of raters
            notes, found = [str(error)], None
        if stamp != self._told:
            self._told = stamp
            for note in notes:
                print(f"overpaint: {note}", file=sys.stderr, flush=True)
        if found is None:
            return  # the tasks as they were go on
        known = {self.book.item(n).id: n for n in self.book.numbers()}
        self.book.add([item for item in found if item.id not in known])
        known = {self.book.item(n).id: n for n in self.book.numbers()}
        self._open = {item.task: known[item.id] for item in found}
        self._seen = stamp

    def claim(self, rater: Rater, now: float) -> None:
        """See to it that the rater's next place holds a task that still wants an answer."""
        self.refresh()
        place, held = self._next(rater)
        wanted = self._wanted(rater, now)
        self.left[rater.number] = len(wanted)
        if held is not None and held in self._open.values():
            return
        task = wanted[0] if wanted else None
        with self.book.db.transaction():
            self.book.db.execute(
                "DELETE FROM places WHERE rater = ? AND place >= ?", (rater.number, place)
            )
            if task is not None:
                self.book.db.write(
                    "INSERT INTO places (rater, place, item, showing, flipped, round, opened)"
                    " VALUES (?, ?, ?, 'rating', 0, 1, ?)",
                    [(rater.number, place, task, now)],
                )

    def left_for(self, rater: Rater) -> int:
        """How many open tasks a rater could still answer, as of the last claim."""
        return self.left.get(rater.number, 0)

    def _next(self, rater: Rater) -> tuple[int, int | None]:
        (last,) = self.book.db.execute(
            "SELECT coalesce(max(place), 0) FROM answers WHERE rater = ?", (rater.number,)
        ).fetchone()
        row = self.book.db.execute(
            "SELECT item FROM places WHERE rater = ? AND place = ?", (rater.number, last + 1)
        ).fetchone()
        return last + 1, row[0] if row else None

    def _wanted(self, rater: Rater, now: float) -> list[int]:
        """The open tasks that this rater may answer, those that lack most people first."""
        said, by = self._filed(), by_of(self.book, rater.id)
        busy = Counter(
            n for (n,) in self.book.db.rows(
                "SELECT item FROM places LEFT JOIN answers USING (rater, place)"
                " JOIN raters ON raters.n = rater WHERE rater != ? AND state NOT IN (?, ?)"
                " AND (filed = 0 OR (body IS NULL AND opened > ?))",
                (rater.number, *ENDED, now - HELD),
            )
        )  # fmt: skip
        own = {n for (n,) in self.book.db.rows(
            "SELECT item FROM places JOIN answers USING (rater, place) WHERE rater = ?",
            (rater.number,),
        )}  # fmt: skip
        found = []
        for task, number in self._open.items():
            people = said.get(task, set())
            lacking = int(self.book.item(number).facts["wanted"]) - len(people) - busy[number]
            if lacking > 0 and number not in own and by not in people:
                found.append((-lacking, number))
        return [number for _, number in sorted(found)]

    def _filed(self) -> dict[str, set[str]]:
        """Who has answered what, read again where the file has changed."""
        try:
            state = (self.book.folder / ANSWERS).stat()
        except OSError:
            return {}
        stamp = (state.st_mtime_ns, state.st_size)
        if self._said[0] != stamp:
            self._said = (stamp, filed(self.book.folder))
        return self._said[1]

    def let_go(self) -> None:
        """Take out of answers.jsonl what is there still of raters who have left."""
        ended = self.book.db.rows("SELECT id FROM raters WHERE state IN (?, ?)", ENDED)
        gone = {by_of(self.book, name) for (name,) in ended}
        if any(gone & people for people in filed(self.book.folder).values()):
            forget(self.book.folder, gone)

    def hand_on(self, now: float, *, everything: bool = False) -> int:
        """Write to answers.jsonl what can no longer be taken back; gives how many lines."""
        rows = self.book.db.execute(
            "SELECT raters.id, a.rater, a.place, item, body, comment, at,"
            " a.place = (SELECT max(place) FROM answers WHERE rater = a.rater),"
            " EXISTS (SELECT 1 FROM places AS p WHERE p.rater = a.rater AND p.place > a.place)"
            " FROM answers AS a JOIN places USING (rater, place)"
            " JOIN raters ON raters.n = a.rater WHERE filed = 0 AND state != 'revoked'"
            " ORDER BY at"
        ).fetchall()
        due = [
            row for row in rows
            if everything or not row[7] or not row[8] or now - row[6] > LINGER
        ]  # fmt: skip
        if not due:
            return 0
        said = filed(self.book.folder)
        lines = []
        for name, _, _, number, body, comment, *_ in due:
            item, by = self.book.item(number), by_of(self.book, name)
            if by not in said.get(item.task, set()):  # it is there, if we were stopped just then
                lines.append(answer_line(item, by, json.loads(body), comment))
        append(self.book.folder, lines)
        marks = [(rater, place) for _, rater, place, *_ in due]
        with self.book.db.transaction():
            self.book.db.write("UPDATE answers SET filed = 1 WHERE rater = ? AND place = ?", marks)
        return len(lines)


def by_of(book: Book, rater: str) -> str:
    """What a rater is called in answers.jsonl; two studies of one build have an R01 each."""
    return f"{book.study.name}-{rater}"


def filed(folder: Path) -> dict[str, set[str]]:
    """Who has answered each task so far, by answers.jsonl."""
    said: dict[str, set[str]] = {}
    for row in _lines(folder / ANSWERS):
        if isinstance(row.get("task"), str) and isinstance(row.get("by"), str):
            said.setdefault(row["task"], set()).add(row["by"])
    return said


def append(folder: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Append answers, each a line, on the disk when this returns."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    if not text:
        return
    file = folder / ANSWERS
    try:
        with file.open("a+b") as out:
            # A line that somebody left without an end stays theirs.
            if out.tell() and (out.seek(-1, os.SEEK_END), out.read(1))[1] != b"\n":
                text = "\n" + text
            out.write(text.encode("utf-8", "backslashreplace"))
            out.flush()
            os.fsync(out.fileno())
    except OSError as error:
        raise explained(error, folder) from error


def forget(folder: Path, gone: Collection[str]) -> None:
    """Take every line of raters who have left out of answers.jsonl, for good."""
    file = folder / ANSWERS
    if not file.exists():
        return
    partial = file.with_name(f".{file.name}.partial")
    try:
        kept = [
            line for line in file.read_bytes().splitlines(keepends=True)
            if (_object(line) or {}).get("by") not in gone
        ]  # fmt: skip
        with partial.open("wb") as out:
            out.writelines(kept)
            out.flush()
            os.fsync(out.fileno())
        os.replace(partial, file)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise explained(error, folder) from error


def _lines(file: Path) -> Iterable[Mapping[str, Any]]:
    if not file.exists():
        return []
    return [row for line in file.read_bytes().split(b"\n") if (row := _object(line)) is not None]


def _object(line: bytes) -> Mapping[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
