"""A study's ratings become scores of its run: columns DIMENSION@people, and votes where two meet.

What is filed stands beside the study as an anonymised CSV whose name has its hash, and the columns
are `human:` measures of that file: so tables, reports and `calibrate` read them like any others,
and their version says which ratings they are. Filing again after more people have rated, or after
one has withdrawn, takes the study's earlier columns and their file away first, also where nobody's
ratings are left. Columns that people of another study gave stay; this one's then bear its name in
place of `people`.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from overpaint import catalog
from overpaint.core import Evidence, Measure
from overpaint.errors import StoreError, UserMistake
from overpaint.measures.human import by_dimension
from overpaint.measures.rated import Rating as Row
from overpaint.measures.rated import read_ratings
from overpaint.measures.voted import counted, file_votes
from overpaint.rating.book import Book
from overpaint.rating.exchange import anonymised, export_csv
from overpaint.rating.exchange_checks import numbered
from overpaint.rating.schema import STUDIES
from overpaint.store import Store
from overpaint.store.claiming import claimed

LONGEST_NAME = 60


@dataclass(frozen=True)
class Filed:
    """What filing a study has made of its run."""

    file: Path | None  # None: nobody's ratings are left
    columns: tuple[str, ...]
    contests: tuple[str, ...]
    ratings: int
    scores: int
    votes: int
    replaced: tuple[str, ...]  # columns of older ratings that are gone

    def data(self) -> dict[str, Any]:
        """It for programs."""
        return asdict(self) | {"file": str(self.file) if self.file else None}

    def told(self) -> str:
        """It in words."""
        if self.file is None:
            gone = ", ".join(self.replaced) or "their file"
            return f"Nobody's ratings are left. What was filed of them is deleted: {gone}."
        made = ", ".join((*self.columns, *self.contests))
        lines = [f"{numbered(self.ratings, 'is', 'are')} {made} of the run ({self.file.name})."]
        if self.replaced:
            lines.append(f"Older ones were replaced: {', '.join(self.replaced)}.")
        if not self.scores and not self.votes:
            lines.append("They were there already.")
        return "\n".join(lines)


def collect(folder: Path, book: Book) -> Filed:
    """File all ratings of a study in its run, anonymised; doing it twice does it once.

    A study of tasks has no scores: its answers stand in the build's answers.jsonl already.
    """
    if book.study.kind == "tasks":
        raise UserMistake(
            "The answers of a study of tasks are no scores.",
            "They stand in answers.jsonl, where the build takes them up.",
            "Give its `overpaint build` command again.",
        )
    given = anonymised(book.ratings(), book.secret)
    if not given:
        if (gone := _uncollect(folder, book)) is not None:
            return Filed(None, (), (), 0, 0, 0, gone)
        raise UserMistake(
            f"Nobody has rated anything in the study {book.study.name} yet.",
            todo=f"overpaint rate {folder} --study {book.study.name} serves it;"
            " --renew all makes new links.",
        )
    if all(one.box is not None for one in given):
        raise UserMistake(
            "A study of boxes has no scores.", "Boxes are parts of pictures.",
            f"overpaint rate {folder} --study {book.study.name} --export boxes.csv",
        )  # fmt: skip
    text = export_csv(given)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    file = (folder / STUDIES / f"{book.study.name}-{digest}.csv").resolve()
    with Store.open(folder) as store, claimed(store):
        _write(file, text)
        rows, _ = read_ratings(file)
        specs = _specs(store, book, file, rows)
        replaced = _forget_older(store, book, specs)
        scores = sum(_score(store, spec) for spec in specs if ";as=votes" not in spec)
        votes = sum(_vote(store, spec, file, rows) for spec in specs if ";as=votes" in spec)
        _clear(folder, book, file)
        names = {spec: catalog.measure(spec).name for spec in specs}
    contests = tuple(name for spec, name in names.items() if ";as=votes" in spec)
    columns = tuple(name for name in names.values() if name not in contests)
    return Filed(file, columns, contests, len(given), scores, votes, tuple(replaced))


def _uncollect(folder: Path, book: Book) -> tuple[str, ...] | None:
    """Take away all that the study filed: its columns, or None where nothing was filed."""
    with Store.open(folder) as store, claimed(store):
        gone = _forget_older(store, book, ())
        files = _clear(folder, book)
    return tuple(gone) if gone or files else None


def _specs(store: Store, book: Book, file: Path, rows: Sequence[Row]) -> list[str]:
    """The measures that the ratings make: one a dimension, and one for votes on it."""
    valued = [row for row in rows if not row.against and row.box is None]
    voted = dict.fromkeys(row.dimension for row in rows if row.against)
    found = []
    for name in by_dimension(file, valued):
        ends = next((one.ends for one in book.study.questions if one.name == name), None)
        scale = f";scale={ends[0]:g}-{ends[1]:g}" if ends else ""
        found.append(f"human:{file};dimension={name}{scale}{_by(store, book, name)}")
    found += [f"human:{file};dimension={n};as=votes{_by(store, book, n)}" for n in voted]
    return found


def _by(store: Store, book: Book, dimension: str) -> str:
    """Whose the column is, where other people's stands in the run already."""
    spec = store.made_by().get(f"{dimension}@people", ("", ""))[0]
    return "" if not spec or _own(spec, book) else f";by={book.study.name[:LONGEST_NAME]}"


def _own(spec: str, book: Book) -> bool:
    """Whether a measure is made of ratings that this study filed."""
    path = Path(spec.removeprefix("human:").partition(";")[0])
    return spec.startswith("human:") and path.parent.name == STUDIES and _filed_by(path, book)


def _forget_older(store: Store, book: Book, specs: Sequence[str]) -> list[str]:
    """Take away what the study filed before and would not file now."""
    older = [
        name
        for name, (spec, _) in store.made_by().items()
        if spec not in specs and _own(spec, book)
    ]
    for name in older:
        store.forget_measure(name)
    return older


def _score(store: Store, spec: str) -> int:
    """Score what the column lacks; how many rows that were."""
    measure: Measure = catalog.measure(spec)
    store.add_measure(measure.name, spec, measure.version)
    lacking = {(sample, editor) for sample, editor, _, _ in store.missing_scores([measure.name])}
    edits = [edit for edit in store.edits() if (edit.sample.id, edit.editor) in lacking]
    store.put_scores(list(measure.score(edits, Evidence())), {})
    return len(edits)


def _vote(store: Store, spec: str, file: Path, rows: Sequence[Row]) -> int:
    measure = catalog.measure(spec)
    there = any(vote.measure == measure.name for vote in store.votes())
    store.add_measure(measure.name, spec, measure.version, pairs=True)
    if there:  # the same ratings, for others have gone with their measure
        return 0
    dimension = spec.partition(";dimension=")[2].partition(";")[0]
    return file_votes(store, measure.name, counted(file, rows, dimension))[0]


def _write(file: Path, text: str) -> None:
    partial = file.with_name(f".{file.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8", newline="")
        partial.replace(file)
    except OSError as error:
        raise StoreError(
            f"{file} cannot be written: {error.strerror}.",
            "The run's folder must be writable and its disk have room.",
        ) from error


def _clear(folder: Path, book: Book, file: Path | None = None) -> int:
    """Delete files of the study's earlier ratings, which may hold a withdrawn rater's."""
    older = [
        one
        for one in (folder / STUDIES).glob(f"{book.study.name}-*.csv")
        if _filed_by(one, book) and (file is None or one.name != file.name)
    ]
    for one in older:
        one.unlink(missing_ok=True)
    return len(older)


def _filed_by(file: Path, book: Book) -> bool:
    """Whether the file has the name of ratings that the study filed."""
    stem, _, digest = file.stem.rpartition("-")
    return stem == book.study.name and len(digest) == 12
