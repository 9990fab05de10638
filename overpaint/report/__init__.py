"""Scores -> tables, plots and pages: what a run has to say, for people and for programs."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from overpaint.errors import StoreError
from overpaint.report import exports
from overpaint.report.deck import make_deck, packed_blocks
from overpaint.report.insides import drawn_layers, drawn_strips, packed_insides
from overpaint.report.judges import judges_section
from overpaint.report.judging import read_judging
from overpaint.report.page import report_page
from overpaint.report.pictures import Shelf
from overpaint.report.serving import serve
from overpaint.report.tables import Tables, read_tables
from overpaint.report.text import text_table
from overpaint.report.thumbs import sprites
from overpaint.store import Store
from overpaint.work import Outcome, Processes, Progress, Task, silent

_MANY = 500_000  # scores, from which writing them is worth a process

__all__ = ["Tables", "read_tables", "serve", "text_table", "write_report"]


def write_report(
    store: Store,
    folder: Path,
    *,
    limit: int = 2000,
    workers: int | None = None,
    progress: Progress = silent,
) -> Path:
    """Write the page, its pictures and the tables in other forms; gives the page's path.

    The gallery holds the first `limit` samples, the tables all. `workers` make the thumbnails;
    by default as many as there are cores where there is much to do, 0 for none.
    """
    with _scores_beside(store, folder, workers):
        return _write_report(store, folder, limit, workers, progress)


def _write_report(
    store: Store, folder: Path, limit: int, workers: int | None, progress: Progress
) -> Path:
    tables, shelf = read_tables(store), Shelf(store.folder)
    deck = make_deck(store, tables, shelf, limit=limit)
    drawn = drawn_layers(deck, folder, workers=workers, progress=progress)
    strips = drawn_strips(deck, folder)
    thumbs = sprites(strips, workers=workers, progress=progress)
    blocks = list(packed_blocks(store, deck, progress))
    inside = packed_insides(store, deck, shelf, drawn)
    page = folder / "report.html"
    judging = read_judging(store)
    judges = judges_section(judging)
    _write(page, report_page(tables, deck, thumbs, blocks, inside=inside, judges=judges))
    shelf.place(folder)
    _write(folder / "report.md", [exports.markdown(tables)])
    _write(folder / "report.tex", [exports.latex(tables)])
    _write(folder / "report.csv", [exports.summary_csv(tables)])
    _write(folder / "gaps.csv", [exports.gaps_csv(tables)])
    _write(folder / "report.json", [exports.as_json(tables)])
    if judging:
        _write(folder / "judges.json", [exports.judges_json(judging)])
    if judging.contests:
        _write(folder / "votes.csv", exports.votes_csv(store.votes()))
    return page


@contextmanager
def _scores_beside(store: Store, folder: Path, workers: int | None) -> Iterator[None]:
    """Write every score while the rest is made: of millions by a process of its own."""
    if workers == 0 or store.counts()["scores"] < _MANY:
        yield
        _write(folder / "scores.csv", exports.scores_csv(store))
        return
    found: list[Outcome] = []
    hand = Processes(_write_scores, 1, deadline=3600)
    task = Task(store.folder, (folder / "scores.csv",))
    writing = threading.Thread(target=lambda: found.extend(hand.perform([task])))
    writing.start()
    try:
        yield
    finally:
        writing.join()
    if found[0].error is not None:
        raise found[0].error


def _write_scores(run: Path, path: Path) -> None:
    with Store.open(run) as store:
        _write(path, exports.scores_csv(store))


def _write(path: Path, parts: Iterator[str] | list[str]) -> None:
    """The file whole or not at all; one that was there stays until the new one is ready."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("w", encoding="utf-8", newline="") as file:
            file.writelines(parts)
        partial.replace(path)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written: {error.strerror}.",
            "The report's folder must be writable and its disk have room.",
        ) from error
