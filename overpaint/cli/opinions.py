"""Whose opinion a command goes by: a file of ratings, a study of the run, or released scores."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from overpaint.benchmarks.ebench_released import read_opinions
from overpaint.engines.ebench.opinions import SIMULATED
from overpaint.errors import UserMistake
from overpaint.measures.human import Ratings, dimensions, ratings, read_argument
from overpaint.measures.opinions import HUMAN
from overpaint.measures.people import Key, People, opinion_of, published
from overpaint.rating.book import Book, studies
from overpaint.rating.exchange import anonymised
from overpaint.report.numbers import count
from overpaint.store import Store

UNNAMED = "opinion"  # the dimension of a file that names none


class Opinion(NamedTuple):
    """What people think in each dimension, whose opinion that is, and if nobody is behind some."""

    whose: str
    people: list[People]
    simulated: bool = False


class _Given(NamedTuple):
    """Ratings of each dimension, where they come from and by whom."""

    of: dict[str, Ratings]
    where: str
    raters: set[str]  # by the names under which they came

    @property
    def made_up(self) -> int:
        """How many raters are nobody."""
        return sum(rater.rpartition(":")[2].startswith(SIMULATED) for rater in self.raters)

    @property
    def told(self) -> str:
        which = "all" if self.made_up == len(self.raters) else f"{self.made_up:,} of them"
        told = f"{self.where}, {count(len(self.raters), 'rater')}"
        return f"{told}, {which} simulated" if self.made_up else told


def people_of(store: Store, args: argparse.Namespace) -> Opinion:
    """Whose opinion it is, and what they think in each dimension."""
    if args.opinions is not None:
        told = f"{args.opinions.name}, opinion scores as released"
        return Opinion(told, list(_released(args.opinions)))
    given = _given(store, args)
    plain_means = args.scores == "mean"
    people = [
        opinion_of(name or UNNAMED, one.of, plain=plain_means) for name, one in given.of.items()
    ]
    return Opinion(given.told, people, given.made_up > 0)


def _named(found: dict[str, Ratings], where: str) -> _Given:
    raters = {who for one in found.values() for said in one.of.values() for who in said}
    return _Given(found, where, raters)


def _given(store: Store, args: argparse.Namespace) -> _Given:
    if args.ratings is not None:
        if found := dimensions(args.ratings):
            return _named(found, args.ratings.name)
        raise UserMistake(
            f"{args.ratings} has no ratings of single edits.",
            "Lines with sample, editor, rater and value were expected.",
            "Votes on pairs are added with: overpaint score RUN --pairwise human:FILE.csv",
        )
    if args.study is not None:
        return _of_study(args.run, args.study)
    if found := dict(_of_columns(store)):
        return _named(found, "people's columns of the run")
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


def _of_study(folder: Path, name: str) -> _Given:
    """The ratings of a study, under fresh names for its raters."""
    with Book.open(folder, name) as book:
        rows = [one for one in book.ratings() if one.value is not None and not one.against]
        given = anonymised(rows, book.secret)
        told, kind = book.study.name, book.study.kind
    found: dict[str, dict[Key, dict[str, float]]] = {}
    for one in given:
        if one.value is not None:
            edit = found.setdefault(one.dimension, {}).setdefault((one.sample, one.editor), {})
            edit[one.rater] = one.value
    if not found and kind == "pairs":
        raise UserMistake(
            f"The study {told} has votes on pairs, and no ratings of single edits.",
            "Votes cannot be held against measures edit by edit.",
            f"After `overpaint rate {folder} --study {told} --collect` they are shown by"
            f" `overpaint show {folder} --judges`.",
        )
    if not found:
        raise UserMistake(
            f"The study {told} has no ratings of single edits yet.",
            "Votes and boxes cannot be held against measures edit by edit.",
        )
    ratings_of = {name: Ratings(values) for name, values in found.items()}
    return _Given(ratings_of, f"study {told}", {one.rater for one in rows})


def _released(folder: Path) -> Iterator[People]:
    found: dict[str, dict[Key, float]] = {}
    for one in read_opinions(folder):
        found.setdefault(one.dimension, {})[one.sample, one.editor] = one.value
    told = "opinion scores as released, without the ratings: no human ceiling can be told"
    for name, scores in found.items():
        yield published(name, scores, told)
