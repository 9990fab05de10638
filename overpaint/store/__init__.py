"""A run is one SQLite file (WAL), with its pictures beside it under their content hash.

What is still missing is a query, so a run that was stopped in any way goes on from what is
here. One process writes; workers only add pictures (atomically) and read evidence.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple, Self

from overpaint.core import OF_A_SET, Edit, Sample, Score
from overpaint.document import Document
from overpaint.errors import StoreError
from overpaint.store.evidence import Recall, recall_evidence
from overpaint.store.facts import read_facts
from overpaint.store.forgetting import (
    forget_editor,
    forget_failures,
    forget_taken_up,
    lose_pictures,
    still_taken_up,
    taken_up,
)
from overpaint.store.lacking import Asked, Lacking, missing_edits, missing_scores, scored
from overpaint.store.pictures import PICTURES, keep_picture, picture_path
from overpaint.store.samples import add_samples, listed, load_sample
from overpaint.store.schema import DATABASE, Database, damaged, has_run
from overpaint.store.sets import EditSet, SetRow, edit_sets, read_sets, write_set
from overpaint.store.trusting import name_code, opened
from overpaint.store.votes import Vote, forget_failed, forget_measure, missing, read_votes

__all__ = [
    "DATABASE", "Asked", "EditSet", "Lacking", "Recall", "Row", "SetRow", "Store", "Vote",
    "has_run", "keep_picture", "picture_path", "recall_evidence",
]  # fmt: skip


_SAMPLE = "(SELECT n FROM samples WHERE id = ?)"  # none: the row is refused


class Row(NamedTuple):
    """One score as the tables read it."""

    sample: str
    editor: str
    measure: str
    value: float | None
    status: str
    reason: str
    notes: tuple[str, ...]
    weight: float
    seconds: float


class Store:
    """A run on disk."""

    def __init__(self, folder: Path, database: Database) -> None:
        self.folder = folder
        self._db = database
        self._numbers: dict[str, dict[str, int]] = {}

    # ── opening ─────────────────────────────────────────────────────────────────────────

    @classmethod
    def open(cls, folder: Path) -> Self:
        """A run that exists; older ones are brought up to date, newer ones refused."""
        if not (folder / DATABASE).is_file():
            raise StoreError(
                f"There is no run in {folder}.",
                f"A folder with a {DATABASE} in it was expected.",
                "`overpaint list runs` shows what is below this folder.",
            )
        if not has_run(folder):
            raise StoreError(
                f"The run in {folder} is empty: its {DATABASE} has no bytes.",
                "It was stopped before it had begun, or a power cut has left no more of it.",
                "Take it from a copy, or give the command that made it again.",
            )
        return cls(folder, opened(folder))

    @classmethod
    def create(cls, folder: Path) -> Self:
        """A run that may or may not exist yet."""
        try:
            (folder / PICTURES).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"The run folder {folder} cannot be made: {error.strerror}."
            ) from error
        return cls(folder, opened(folder))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    # ── what the run is ─────────────────────────────────────────────────────────────────

    @property
    def info(self) -> Mapping[str, Any]:
        """What was recorded of the run: benchmark, card, commands, seed, weights."""
        facts = read_facts(self._db, self.folder)
        return facts | {"editors": list(self.editors), "measures": list(self.measures)}

    def fact(self, name: str) -> Any:
        """One fact that every run has once it has begun."""
        if name not in (info := self.info):
            raise StoreError(
                f"The run in {self.folder} has no {name} yet.",
                "It was stopped before it had begun.",
                "Give its `overpaint run` or `overpaint merge` command again.",
            )
        return info[name]

    def alone(self) -> AbstractContextManager[None]:
        """While nobody else writes: what is read and then written is one step."""
        return self._db.transaction()

    def note(self, **facts: Any) -> None:
        """Record facts about the run, replacing what was there under these names."""
        rows = [(key, json.dumps(value, ensure_ascii=False)) for key, value in facts.items()]
        self._db.write("INSERT OR REPLACE INTO info VALUES (?, ?)", rows)

    @property
    def editors(self) -> Mapping[str, str]:
        """Name -> spec, in the order they were added."""
        return self._db.texts("SELECT name, spec FROM editors ORDER BY n")

    @property
    def floors(self) -> tuple[str, ...]:
        """The specs of floors that the benchmark named as its own; older runs tell of none."""
        return tuple(self.info.get("floors", ()))

    @property
    def measures(self) -> Mapping[str, str]:
        """Name -> spec, in the order they were added; `contests` are not among them."""
        return self._db.texts("SELECT name, spec FROM measures WHERE NOT pairs ORDER BY n")

    @property
    def contests(self) -> Mapping[str, str]:
        """The same of measures whose scores are votes for one of two edits."""
        return self._db.texts("SELECT name, spec FROM measures WHERE pairs ORDER BY n")

    def made_by(self) -> Mapping[str, tuple[str, str]]:
        """Measure -> its spec and version: what its scores were made by."""
        rows = self._db.execute("SELECT name, spec, version FROM measures ORDER BY n")
        return {name: (spec, version) for name, spec, version in rows}

    def add_samples(self, samples: Iterable[Sample], places: Iterable[int] | None = None) -> None:
        """Register samples, at these places among the benchmark's; ones already there stay."""
        add_samples(self._db, self.folder, samples, places)

    def add_editor(self, name: str, spec: str) -> None:
        """Register an editor; one name means one thing for the whole life of a run."""
        if (known := self.editors.get(name, spec)) != spec:
            raise StoreError(
                f"In this run the editor {name!r} is {known!r}, not {spec!r}.",
                "One name means one editor.",
                f"Name the new one --editor NEWNAME={spec}, or drop the old with --redo {name}.",
            )
        name_code(spec, self.folder)
        self._db.write("INSERT OR IGNORE INTO editors (name, spec) VALUES (?, ?)", [(name, spec)])

    def add_measure(self, name: str, spec: str, version: str, *, pairs: bool = False) -> None:
        """Register a measure; scores of two measures or versions are never mixed."""
        known = self._db.execute(
            "SELECT spec, version FROM measures WHERE name = ?", (name,)
        ).fetchone()
        if known and known != (spec, version):
            was, now = known[0], spec
            if was == now:
                was, now = f"version {known[1]}", f"version {version}"
            raise StoreError(
                f"In this run {name} is {was}; now it would be {now}.",
                "Scores of two versions are not mixed.",
                "Give the new one a name of its own (--judge NAME=MODEL, or --name where it is"
                " trained), or start a new run.",
            )
        name_code(spec, self.folder)
        self._db.write(
            "INSERT OR IGNORE INTO measures (name, spec, version, pairs) VALUES (?, ?, ?, ?)",
            [(name, spec, version, pairs)],
        )

    # ── what is there ───────────────────────────────────────────────────────────────────

    def samples(self) -> Iterator[Sample]:
        """The registered samples, in the benchmark's order."""
        for (body,) in self._db.rows("SELECT body FROM samples ORDER BY n"):
            yield load_sample(body)

    def sample(self, sample_id: str) -> Sample:
        """The sample of that id."""
        row = self._db.execute("SELECT body FROM samples WHERE id = ?", (sample_id,)).fetchone()
        if row is None:
            raise StoreError(f"The run has no sample {sample_id!r}.")
        return load_sample(row[0])

    def edit(self, sample: Sample, editor: str) -> Edit | None:
        """What that editor made of the sample, if it has been asked yet."""
        row = self._db.execute(
            "SELECT status, output, reason, notes, trace, seconds FROM edits"
            " WHERE sample = (SELECT n FROM samples WHERE id = ?)"
            " AND editor = (SELECT n FROM editors WHERE name = ?)",
            (sample.id, editor),
        ).fetchone()
        return self._edit(sample, editor, row) if row else None

    def edits(self) -> Iterator[Edit]:
        """Every edit made so far, in the order of samples, then of editors."""
        rows = self._db.rows(
            "SELECT samples.body, editors.name, status, output, reason, notes, trace, seconds"
            " FROM edits JOIN samples ON samples.n = edits.sample"
            " JOIN editors ON editors.n = edits.editor ORDER BY edits.sample, edits.editor"
        )
        for body, editor, *row in rows:
            yield self._edit(load_sample(body), editor, row)

    def outputs(self) -> Iterator[tuple[str, int]]:
        """The name of each picture that editors made ("": none), and of how many edits it is."""
        yield from self._db.rows("SELECT output, count(*) FROM edits GROUP BY output")

    def rows(self) -> Iterator[Row]:
        """Every score so far, in the order of samples, editors, measures."""
        rows = self._db.rows(
            "SELECT samples.id, editors.name, measures.name, value, status, reason, notes, weight,"
            " seconds FROM scores JOIN samples ON samples.n = scores.sample"
            " JOIN editors ON editors.n = scores.editor"
            " JOIN measures ON measures.n = scores.measure WHERE against = ''"
            " ORDER BY scores.sample, scores.editor, scores.measure"
        )
        for row in rows:
            yield Row._make((*row[:6], listed(row[6]), *row[7:]))

    def failures(self) -> list[tuple[str, str, str, str, int]]:
        """(editor, measure or "edit", status, reason, count) of whatever is not ok."""
        return self._db.execute(
            "SELECT editors.name, 'edit', status, reason, count(*) FROM edits"
            " JOIN editors ON editors.n = edits.editor WHERE status != 'ok' GROUP BY 1, 3, 4"
            " UNION ALL "
            "SELECT editors.name, measures.name, status, reason, count(*) FROM scores"
            " JOIN editors ON editors.n = scores.editor"
            " JOIN measures ON measures.n = scores.measure WHERE value IS NULL AND against = ''"
            " AND reason != ? GROUP BY 1, 2, 3, 4",
            (OF_A_SET,),
        ).fetchall()

    def counts(self) -> dict[str, int]:
        """How many edits and scores there are; a vote is no score of its edit alone."""
        tables = {"edits": "edits", "scores": "scores WHERE against = ''"}
        return {
            name: self._db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for name, table in tables.items()
        }

    def votes(self) -> Iterator[Vote]:
        """Every vote for one of two edits, in the order of samples, editors, measures."""
        return read_votes(self._db)

    def edit_sets(self, measures: Sequence[str]) -> list[EditSet]:
        """The sets of edits that these measures of sets are to be scored on, as they are now."""
        return edit_sets(self._db, measures, self.samples(), self.info.get("breakdowns", ()))

    def sets(self, measures: Sequence[str]) -> list[SetRow]:
        """The scores of those sets; one whose edits have changed since has none."""
        return read_sets(self._db, self.edit_sets(measures))

    def size(self) -> int:
        """How many samples are registered."""
        count: int = self._db.execute("SELECT count(*) FROM samples").fetchone()[0]
        return count

    def changes(self) -> int:
        """A number that differs after any other process has written to the run."""
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    # ── what is missing ─────────────────────────────────────────────────────────────────

    def missing_edits(
        self, samples: Sequence[str], editors: Sequence[str]
    ) -> Iterable[tuple[str, str]]:
        """(sample, editor) for each of these samples that one of these editors was not asked."""
        return Asked(partial(missing_edits, self._db, samples, editors))

    def missing_scores(self, measures: Sequence[str]) -> Iterable[Lacking]:
        """(sample, editor, has a picture, measures) of edits that lack some of these scores."""
        wanted = {self._number("measures", name): name for name in measures}
        return Asked(partial(missing_scores, self._db, wanted))

    def scored(self, sample: str, measures: Sequence[str]) -> set[tuple[str, str]]:
        """(editor, measure) of the scores that a sample's edits have under these measures."""
        return scored(self._db, sample, measures)

    def missing_votes(
        self, measure: str, samples: Sequence[str], pairs: Sequence[tuple[str, str]]
    ) -> list[tuple[str, str, str]]:
        """(sample, editor, the other) where both were asked for an edit, and no vote is there."""
        return missing(self._db, measure, samples, pairs)

    def forget_editor(self, name: str) -> None:
        """Drop an editor with all that it made, as if it had never been asked."""
        forget_editor(self._db, name)
        self._numbers.pop("editors", None)

    def forget_measure(self, name: str) -> None:
        """Drop a measure with all its scores and votes, as if it had never been added."""
        forget_measure(self._db, name)
        self._numbers.pop("measures", None)

    def forget_failed_votes(self) -> list[tuple[str, str, str, str]]:
        """Drop the votes that may be tried again: (sample, editor, the other, measure)."""
        with self._db.transaction():
            return forget_failed(self._db)

    def forget_failures(self, lost: Collection[str] = ()) -> tuple[list[tuple[str, str]], int]:
        """Drop the rows that may be tried again: which edits, and how many scores beside theirs.

        The scores of a dropped edit go with it, as do those of edits whose pictures are `lost`.
        What a retry that was stopped has left behind is among them.
        """
        with self._db.transaction():
            lose_pictures(self._db, lost)
            return forget_failures(self._db)

    def taken_up(self) -> set[tuple[str, str, str]]:
        """(sample, editor, measure) of the scores dropped to be made again."""
        return taken_up(self._db)

    def retrying(self) -> bool:
        """Whether a retry has dropped rows to make them again, and has not come to its end."""
        return still_taken_up(self._db)

    def forget_taken_up(self, *, votes: bool = False) -> None:
        """What was dropped has been tried again: edits and scores, or votes."""
        forget_taken_up(self._db, votes=votes)

    # ── writing what was made ───────────────────────────────────────────────────────────

    def put_edit(self, edit: Edit) -> None:
        """Record an edit; its picture must be in the store already (`keep_picture`)."""
        output = edit.output.path.name if edit.output and edit.output.path else ""
        row = (
            edit.sample.id, self._number("editors", edit.editor),
            edit.status, output, edit.reason, _list(edit.notes), _list(edit.trace), edit.seconds,
        )  # fmt: skip
        self._db.write(f"INSERT OR REPLACE INTO edits VALUES ({_SAMPLE}, {_marks(row[1:])})", [row])

    def put_scores(self, scores: Sequence[Score], evidence: Mapping[str, str]) -> None:
        """Record scores and the evidence found on the way, all or nothing."""
        rows = [
            (
                score.edit.sample.id,
                self._number("editors", score.edit.editor),
                self._number("measures", score.measure),
                score.against or "", score.value, score.status, score.reason,
                _list(score.notes), score.seconds, score.weight,
            )
            for score in scores
        ]  # fmt: skip
        into = f"INSERT OR REPLACE INTO scores VALUES ({_SAMPLE}, {_marks(range(9))})"
        with self._db.transaction():
            self._db.write(into, rows)
            self._db.write("INSERT OR REPLACE INTO evidence VALUES (?, ?)", evidence.items())

    def put_set(self, which: EditSet, score: Score) -> None:
        """Record the score of a set of edits."""
        numbers = self._number("editors", which.editor), self._number("measures", which.measure)
        write_set(self._db, numbers, which, score)

    def _number(self, table: str, name: str) -> int:
        """The row number behind the name of an editor or a measure; these are few."""
        numbers = self._numbers.setdefault(table, {})
        if name not in numbers:
            numbers.update(self._db.execute(f"SELECT name, n FROM {table}").fetchall())
        return numbers[name]

    def _edit(self, sample: Sample, editor: str, row: Sequence[Any]) -> Edit:
        status, output, reason, notes, trace, seconds = row
        if not (isinstance(seconds, float) and isfinite(seconds)):
            which = f"the edit of {sample.id!r:.60} by {editor!r:.60}"
            raise damaged(self.folder, f"{which} took {seconds!r:.60} seconds")
        document = Document(picture_path(self.folder, output)) if output else None
        texts = tuple(map(str, listed(notes)))  # older versions kept numbers, too
        return Edit(sample, editor, status, document, reason, texts, listed(trace), seconds)


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _list(values: Sequence[object]) -> str:
    return json.dumps(values, ensure_ascii=False) if values else "[]"  # most have none
