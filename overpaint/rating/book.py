"""A study's book: one SQLite file with its items, its raters and all they have said.

One process serves it and one thread writes; an answer is acknowledged once it is committed.
"""

import json
import os
import random
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from overpaint.errors import StoreError, UserMistake
from overpaint.rating.assigning import Showing
from overpaint.rating.items import Item, Pool
from overpaint.rating.pictures import Picture
from overpaint.rating.ratings import Rating, Taken, exported
from overpaint.rating.schema import STUDIES, connect, study_file
from overpaint.rating.study import (
    Question,
    Study,
    differences,
    load_study,
    question_from,
)
from overpaint.rating.tokens import marked
from overpaint.store.claiming import lives, process_of
from overpaint.store.schema import Database, explained

SERVED = "served"  # by which process
PARTS = ("item", "training", "gold")
_ITEM = ("n, id, part, sample, editor, against, cluster, task, instruction, source, shown,"
         " questions, expected, feedback, facts")  # fmt: skip


@dataclass(frozen=True)
class Given:
    """One answer to one showing of an item; of a pair, as the edits are told in the item."""

    rater: str
    place: int
    number: int  # the item's
    item: Item
    showing: Showing
    round: int
    answers: Mapping[str, Any]
    comment: str
    seconds: float
    changes: int


class Book:
    """A study on disk."""

    def __init__(self, folder: Path, database: Database, study: Study) -> None:
        self.folder, self.db, self.study = folder, database, study
        self.secret: str = self._info("secret") or ""
        self._items: dict[int, Item] = {}
        self._parts: dict[int, str] = {}
        self.pictures: dict[str, Picture] = {}  # by the name that raters get
        self._by_hash: dict[str, str] = {}
        self.unsettled = False  # whether SQLite's log may hold what was deleted
        self.reload()

    # ── beginning and opening ───────────────────────────────────────────────────────────

    @classmethod
    def begin(cls, folder: Path, study: Study, pool: Pool) -> Self:
        """Begin a study, all of it or nothing; one that has begun is refused."""
        file = study_file(folder, study.name)
        try:
            file.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise explained(error, folder) from error
        database = connect(file)
        with database.transaction():
            if database.execute("SELECT 1 FROM info WHERE key = 'study'").fetchone():
                raise StoreError(f"The study {study.name} has begun already.")
            facts = {"study": study.dumped(), "secret": secrets.token_urlsafe(32)}
            database.write("INSERT INTO info VALUES (?, ?)", facts.items())
            parts = zip(PARTS, (pool.items, pool.training, pool.gold), strict=True)
            for part, items in parts:
                add_items(database, facts["secret"], items, part, study.seed)
        return cls(folder, database, study)

    @classmethod
    def open(cls, folder: Path, name: str = "") -> Self:
        """The study of that name in a run or a build, or the only one there."""
        file = study_file(folder, name) if name else _only_study(folder)
        if not file.is_file():
            raise StoreError(
                f"There is no study {name!r} in {folder}.", _known(folder),
                f"`overpaint rate {folder} --study {name}` begins it.",
            )  # fmt: skip
        database = connect(file)
        row = database.execute("SELECT value FROM info WHERE key = 'study'").fetchone()
        if row is None:
            database.close()
            raise StoreError(
                f"The study {file.stem} in {folder} was stopped before it had begun.",
                "It has no items.", f"Delete {file} and begin it again.",
            )  # fmt: skip
        return cls(folder, database, load_study(row[0]))

    def expect(self, asked: Study) -> None:
        """Refuse to go on under options other than those the study has begun with."""
        if told := differences(self.study, asked):
            raise UserMistake(
                f"The study {self.study.name} has begun with other options: {'; '.join(told)}.",
                "What people are asked does not change under their hands.",
                "Leave these options out, or begin another: --study NAME",
            )

    @contextmanager
    def served(self) -> Iterator[None]:
        """Serve the study alone meanwhile; the claim of a server that was killed is void."""
        own = process_of(os.getpid())
        with self.db.transaction():
            other = json.loads(self._info(SERVED) or "null")
            if other and other != own and lives(other):
                raise StoreError(
                    f"The study {self.study.name} is being served already"
                    f" (process {other['pid']}).",
                    "One server has one study.", "End it first, or use it.",
                )  # fmt: skip
            self.db.execute("INSERT OR REPLACE INTO info VALUES (?, ?)", (SERVED, json.dumps(own)))
        self.unsettled = True  # one that was killed may have left something
        self.settle()
        try:
            yield
        finally:
            self.db.execute("DELETE FROM info WHERE key = ?", (SERVED,))

    def settle(self) -> bool:
        """Empty SQLite's log of what was deleted; whether that is still to be done.

        While somebody else reads it cannot be emptied. Nobody waits for that: it is tried again.
        """
        if self.unsettled:
            (wait,) = self.db.execute("PRAGMA busy_timeout").fetchone()
            self.db.execute("PRAGMA busy_timeout = 0")
            try:
                busy, *_ = self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                self.db.execute(f"PRAGMA busy_timeout = {wait}")
            self.unsettled = bool(busy)
        return self.unsettled

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.db.close()

    def _info(self, key: str) -> str | None:
        row = self.db.execute("SELECT value FROM info WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    @property
    def last_port(self) -> int:
        """The port at which it was served last, to which links that were sent lead; 0: never."""
        return int(self._info("port") or 0)

    def note_port(self, port: int) -> None:
        """Remember where it is served, so that links lead there after a restart, too."""
        self.db.write("INSERT OR REPLACE INTO info VALUES ('port', ?)", [(str(port),)])

    # ── items and pictures ──────────────────────────────────────────────────────────────

    def reload(self, *, afresh: bool = False) -> None:
        """Read items and pictures that have come since; or all, where some were not kept."""
        if afresh:
            self._items, self._parts = {}, {}
        for name, sha, path, width, height in self.db.rows("SELECT * FROM pictures"):
            self.pictures[name] = Picture(Path(path), sha, width, height)
            self._by_hash[sha] = name
        last = max(self._items, default=0)
        for row in self.db.rows(f"SELECT {_ITEM} FROM items WHERE n > ?", (last,)):
            self._parts[row[0]] = row[2]
            self._items[row[0]] = self._item(row)

    def _item(self, row: Sequence[Any]) -> Item:
        _, name, _, sample, editor, against, cluster, task, text, source, shown, *rest = row
        questions, expected, feedback, facts = (json.loads(one or "null") for one in rest)
        return Item(
            name, sample, text, tuple(map(self._pictured, json.loads(shown))),
            self._pictured(source) if source else None, editor, against, cluster, task,
            tuple(map(question_from, questions)), expected, feedback, facts,
        )  # fmt: skip

    def _pictured(self, sha: str) -> Picture:
        return self.pictures[self._by_hash[sha]]

    def item(self, number: int) -> Item:
        """The item of that number."""
        return self._items[number]

    def items(self, part: str = "item") -> list[Item]:
        """The items that count, or those of another part."""
        return [self._items[n] for n in self.numbers(part)]

    def numbers(self, part: str = "item") -> list[int]:
        """Their numbers."""
        return [n for n, one in self._parts.items() if one == part]

    def name_of(self, picture: Picture) -> str:
        """What raters get to call a picture by."""
        return self._by_hash[picture.sha256]

    def questions(self, item: Item) -> tuple[Question, ...]:
        """What is asked about an item."""
        return item.questions or self.study.questions

    def add(self, items: Iterable[Item]) -> None:
        """Add items that count (the tasks of a build come by and by)."""
        with self.db.transaction():
            add_items(self.db, self.secret, items, "item", self.study.seed)
        self.reload()

    # ── what was said ───────────────────────────────────────────────────────────────────

    def given(self, showings: Sequence[str] = ("rating",)) -> Iterator[Given]:
        """Every answer to such showings, rater by rater; the latest where one was changed."""
        rows = self.db.rows(
            "SELECT raters.id, answers.place, item, showing, flipped, round, body, comment,"
            " seconds, revision FROM answers JOIN places USING (rater, place)"
            " JOIN raters ON raters.n = answers.rater WHERE state != 'revoked'"
            " ORDER BY answers.rater, answers.place"
        )
        for rater, place, number, showing, flipped, turn, body, comment, seconds, revision in rows:
            if showing in showings:
                said = unflipped(json.loads(body), bool(flipped))
                item = self._items[number]
                yield Given(rater, place, number, item, showing, turn, said, comment, seconds,
                            revision - 1)  # fmt: skip

    def ratings(self, showings: Sequence[str] = ("rating",)) -> list[Rating]:
        """What was said as ratings; of boxes the last round of each rater; imported ones too."""
        latest: dict[tuple[str, int, str], Given] = {}
        for one in self.given(showings):
            latest[(one.rater, one.number, one.showing)] = one  # later rounds come later
        found = [rating for one in latest.values() for rating in _ratings(one)]
        return found + (self._imported() if "rating" in showings else [])

    def take(self, ratings: Sequence[Rating], origin: str, *, returned: bool = False) -> Taken:
        """Keep ratings from elsewhere; what came from that origin before is replaced.

        A file of what the study has already is refused; where its own tasks are `returned` with
        more answers, those that it gave out with them are left out.
        """
        known = {(item.sample, item.editor, item.against) for item in self.items()}
        for one in ratings:
            if (one.sample, one.editor, one.against) not in known:
                about = f"{one.editor} against {one.against}" if one.against else one.editor
                raise UserMistake(
                    f"The study has no item of {about} on {one.sample}.",
                    "Ratings of what it asks about were expected.",
                )
        there = [one for one in self.ratings() if not one.rater.startswith(f"{origin}:")]
        own = exported(ratings, there)
        if own and own == {one.rater for one in ratings}:
            raise UserMistake(
                f"All that {origin} says stands in the study already.",
                "An export of the study itself adds nobody's opinion to it.",
                "If other people said the very same, call them other than P1, P2 … in the file.",
            )
        new = [one for one in ratings if not returned or one.rater not in own]
        rows = [
            (origin, r.sample, r.editor, r.against, f"{origin}:{r.rater}", r.dimension, r.value,
             json.dumps(r.box) if r.box else None, r.seconds, r.comment)
            for r in new
        ]  # fmt: skip
        with self.db.transaction():
            before = self.db.execute("DELETE FROM imported WHERE origin = ?", (origin,)).rowcount
            self.db.write(
                "INSERT INTO imported (origin, sample, editor, against, rater, dimension, value,"
                " box, seconds, comment) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
        return Taken(len(new), before, len(ratings) - len(new))

    def _imported(self) -> list[Rating]:
        rows = self.db.rows(
            "SELECT sample, editor, rater, dimension, value, against, coalesce(box, 'null'),"
            " seconds, comment FROM imported ORDER BY n"
        )
        return [
            Rating(
                sample, editor, rater, dimension, value, against,
                json.loads(box) and tuple(json.loads(box)), seconds, comment,
            )
            for sample, editor, rater, dimension, value, against, box, seconds, comment in rows
        ]  # fmt: skip


def unflipped(answers: Mapping[str, Any], flipped: bool) -> dict[str, Any]:
    """Answers with sides of a pair told as `editor` and `against`, however they stood."""
    left, right = ("against", "editor") if flipped else ("editor", "against")
    sides = {"left": left, "right": right}
    return {
        name: sides.get(value, value) if isinstance(value, str) else value
        for name, value in answers.items()
    }


_WORTH = {"editor": 1.0, "tie": 0.5, "against": 0.0}


def _ratings(one: Given) -> Iterator[Rating]:
    item = one.item
    about = (item.sample, item.editor, one.rater)
    rest: dict[str, Any] = {
        "against": item.against, "seconds": one.seconds, "comment": one.comment,
        "showing": one.showing,
    }  # fmt: skip
    for name, value in one.answers.items():
        if isinstance(value, dict):
            if "width" in value:
                box = (value["x"], value["y"], value["width"], value["height"])
                yield Rating(*about, name, None, box=box, **rest)
            continue  # corrected texts are no numbers
        number = _WORTH[value] if isinstance(value, str) else float(value)
        yield Rating(*about, name, number, **rest)


def add_items(database: Database, secret: str, items: Iterable[Item], part: str, seed: int) -> None:
    """Write items under names that tell nothing, in an order that tells nothing either."""
    listed = list(items)
    random.Random(f"items {part} {seed}").shuffle(listed)
    for item in listed:
        for picture in (*item.shown, *((item.source,) if item.source else ())):
            name = marked(secret, "picture", picture.sha256)
            row = (name, picture.sha256, str(picture.path), picture.width, picture.height)
            database.write("INSERT OR IGNORE INTO pictures VALUES (?, ?, ?, ?, ?)", [row])
        about = json.dumps([part, item.sample, item.editor, item.against, item.task])
        named = replace(item, id=item.id or marked(secret, "item", about))
        _write_item(database, named, part)


def _write_item(database: Database, item: Item, part: str) -> None:
    def dumped(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    row = (
        item.id, part, item.sample, item.editor, item.against, item.cluster, item.task,
        item.instruction, item.source.sha256 if item.source else None,
        dumped([one.sha256 for one in item.shown]),
        dumped([one.as_json() for one in item.questions]), dumped(dict(item.expected)),
        dumped(item.feedback) if item.feedback else None, dumped(dict(item.facts)),
    )  # fmt: skip
    database.write(
        "INSERT INTO items (id, part, sample, editor, against, cluster, task, instruction, source,"
        " shown, questions, expected, feedback, facts)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [row],
    )


def studies(folder: Path) -> list[str]:
    """The names of the studies in a run or a build."""
    return sorted(file.stem for file in (folder / STUDIES).glob("*.db"))


def _only_study(folder: Path) -> Path:
    names = studies(folder)
    if len(names) != 1:
        many = f"{len(names)} studies" if names else "no study"
        raise StoreError(
            f"There is {many} in {folder}." if not names else f"There are {many} in {folder}.",
            _known(folder), "Name one: --study NAME" if names else "`overpaint rate` begins one.",
        )  # fmt: skip
    return study_file(folder, names[0])


def _known(folder: Path) -> str:
    names = studies(folder)
    return f"It has {', '.join(names)}." if names else "It has none yet."
