"""Scores -> tables, plots and pages: what a run has to say, for people and for programs."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

from overpaint.errors import OverpaintError, StoreError
from overpaint.report import exports
from overpaint.report.deck import make_deck, packed_blocks
from overpaint.report.insides import drawn_layers, drawn_strips, packed_insides
from overpaint.report.judges import judges_section
from overpaint.report.judging import Judging, read_judging
from overpaint.report.page import report_page
from overpaint.report.pictures import Shelf
from overpaint.report.serving import serve
from overpaint.report.tables import Tables, read_tables
from overpaint.report.text import text_table
from overpaint.report.thumbs import sprites
from overpaint.store import Store
from overpaint.work import Processes, Progress, Task, silent

_MANY = 500_000  # scores, from which reading them is worth a process

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

    The tables are of all samples; where there are more than `limit`, the gallery holds a choice of
    about as many (`report.choosing`). `workers` make the thumbnails;
    by default as many as there are cores where there is much to do, 0 for none.
    """
    if workers == 0 or store.counts()["scores"] < _MANY:
        read = partial(read_judging, store)
        page = _write_report(store, folder, limit, workers=workers, progress=progress, read=read)
        _write(folder / "scores.csv", exports.scores_csv(store))
        return page
    judging, scores = _beside(store.folder, ("", str(folder / "scores.csv")))
    page = _write_report(
        store, folder, limit, workers=workers, progress=progress, read=judging.result
    )
    scores.result()
    return page


def _write_report(
    store: Store,
    folder: Path,
    limit: int,
    *,
    workers: int | None,
    progress: Progress,
    read: Callable[[], Judging],
) -> Path:
    tables, shelf = read_tables(store), Shelf(store.folder)
    deck = make_deck(store, tables, shelf, limit=limit)
    drawn = drawn_layers(deck, folder, workers=workers, progress=progress)
    strips = drawn_strips(deck, folder)
    thumbs = sprites(strips, workers=workers, progress=progress)
    blocks = list(packed_blocks(store, deck, progress))
    inside = packed_insides(store, deck, shelf, drawn)
    page = folder / "report.html"
    judging = read()
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


def _beside(run: Path, steps: Sequence[str]) -> list[Future[Any]]:
    """What comes of these steps, taken one after another by a process of its own meanwhile.

    Nobody waits for it where the report is broken off.
    """
    promised: list[Future[Any]] = [Future() for _ in steps]

    def work() -> None:
        for step, promise in zip(steps, promised, strict=True):
            hand = Processes(_read_all, 1, deadline=3600)
            try:
                (done,) = hand.perform([Task(run, (step,))])
            except (OverpaintError, OSError) as error:
                promise.set_exception(error)
            else:
                promise.set_exception(done.error) if done.error else promise.set_result(done.result)

    threading.Thread(target=work, daemon=True).start()
    return promised


def _read_all(run: Path, path: str) -> Judging | None:
    """What is known of the run's judges; with a path every score is written there instead."""
    with Store.open(run) as store:
        if not path:
            return read_judging(store)
        _write(Path(path), exports.scores_csv(store))
    return None


def _write(path: Path, parts: Iterator[str] | list[str]) -> None:
    """The file whole or not at all; one that was there stays until the new one is ready."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.writelines(parts)
        partial.replace(path)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written: {error.strerror}.",
            "The report's folder must be writable and its disk have room.",
        ) from error
