"""`overpaint calibrate`: how far each measure of a run can be believed, by what people say."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from overpaint.benchmarks.ebench_released import read_opinions
from overpaint.engines.probes import write_whole
from overpaint.errors import UserMistake
from overpaint.measures.calibration_maps import maps_json
from overpaint.measures.calibration_run import (
    Calibration,
    calibrate,
    read_columns,
    read_edits,
    read_ground,
)
from overpaint.measures.human import Ratings, dimensions, ratings, read_argument
from overpaint.measures.opinions import HUMAN
from overpaint.measures.people import Key, People, opinion_of, published
from overpaint.rating.book import Book, studies
from overpaint.rating.exchange import anonymised
from overpaint.report.calibration import calibration_json, calibration_text
from overpaint.report.calibration_page import calibration_page
from overpaint.report.wording import plain
from overpaint.store import Store

UNNAMED = "opinion"  # the dimension of a file that names none


def calibrate_command(args: argparse.Namespace) -> int:
    """Hold a run's measures against people; print it, and write the page and the maps."""
    with Store.open(args.run) as store:
        people = list(_people(store, args))
        ground, by = read_ground(store, args.by, draws=args.draws)
        columns, edits = read_columns(store, args.measure), read_edits(store)
        title = str(store.info.get("benchmark", args.run.name))
    _check(people, edits, args.run)
    found = calibrate(
        columns, people, ground, edits, by=by, tell=lambda line: print(line, file=sys.stderr)
    )
    folder = args.out or args.run / "calibration"
    _write(found, folder, title, args.budget)
    print(calibration_json(found) if args.json else calibration_text(found, args.budget))
    if not args.json:
        print(f"\nThe page:  {(folder / 'index.html').resolve().as_uri()}", file=sys.stderr)
        print(f"The maps:  {folder / 'calibration.json'}", file=sys.stderr)
    return 0


def _write(found: Calibration, folder: Path, title: str, budget: int | None) -> None:
    write_whole(folder / "index.html", calibration_page(found, title, budget))
    write_whole(folder / "calibration.json", maps_json(found.maps))
    write_whole(folder / "people.json", calibration_json(found) + "\n")


# ── whose opinion ───────────────────────────────────────────────────────────────────────


def _people(store: Store, args: argparse.Namespace) -> Iterator[People]:
    """What people think in each dimension, from wherever that was said to be."""
    if args.opinions is not None:
        yield from _released(args.opinions)
        return
    plain_means = args.scores == "mean"
    for name, given in _given(store, args).items():
        yield opinion_of(name or UNNAMED, given.of, plain=plain_means)


def _given(store: Store, args: argparse.Namespace) -> dict[str, Ratings]:
    if args.ratings is not None:
        if found := dimensions(args.ratings):
            return found
        raise UserMistake(
            f"{args.ratings} has no ratings of single edits.",
            "Lines with sample, editor, rater and value were expected.",
            "Votes on pairs are added with: overpaint score RUN --pairwise human:FILE.csv",
        )
    if args.study is not None:
        return _of_study(args.run, args.study)
    if found := dict(_of_columns(store)):
        return found
    if studies(args.run):
        return _of_study(args.run, "")
    raise UserMistake(
        f"Nobody has rated anything in {args.run}.",
        "Measures are held against people's ratings.",
        "Name a file: --ratings FILE.csv, or have them rate: overpaint rate RUN",
    )


def _of_columns(store: Store) -> Iterator[tuple[str, Ratings]]:
    """The ratings behind people's columns of the run; of one dimension the first."""
    seen = set()
    for name, spec in store.measures.items():
        maker, _, argument = spec.partition(":")
        if maker == HUMAN:
            asked = read_argument(argument)
            dimension = asked.dimension or name.partition("@")[0]
            if dimension not in seen:
                seen.add(dimension)
                yield ("" if dimension == HUMAN else dimension), ratings(*asked[:3])


def _of_study(folder: Path, name: str) -> dict[str, Ratings]:
    """The ratings of a study, under fresh names for its raters."""
    with Book.open(folder, name) as book:
        given = anonymised(book.ratings(), book.secret)
        told = book.study.name
    found: dict[str, dict[Key, dict[str, float]]] = {}
    for one in given:
        if one.value is not None and not one.against:
            edit = found.setdefault(one.dimension, {}).setdefault((one.sample, one.editor), {})
            edit[one.rater] = one.value
    if not found:
        raise UserMistake(
            f"The study {told} has no ratings of single edits yet.",
            "Votes and boxes cannot be held against measures edit by edit.",
        )
    return {name: Ratings(values) for name, values in found.items()}


def _released(folder: Path) -> Iterator[People]:
    found: dict[str, dict[Key, float]] = {}
    for one in read_opinions(folder):
        found.setdefault(one.dimension, {})[one.sample, one.editor] = one.value
    told = "opinion scores as released, without the ratings: no human ceiling can be told"
    for name, scores in found.items():
        yield published(name, scores, told)


def _check(people: Sequence[People], edits: Sequence[Key], run: Path) -> None:
    """Refuse ratings of which none is about the run, which is a wrong file."""
    rated = {key for one in people for key in one.means}
    if rated.isdisjoint(edits):
        raise UserMistake(
            f"None of the rated edits is in {run}: {_some(rated)} …",
            f"The run has {_some(edits)} …" if edits else "The run has no edits.",
            "Name the ratings that belong to it.",
        )


def _some(edits: Iterable[Key]) -> str:
    return ", ".join(plain(f"{sample} by {editor}") for sample, editor in sorted(edits)[:3])
