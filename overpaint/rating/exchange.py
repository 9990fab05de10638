"""Ratings in and out as files: CSV here, Label Studio's JSON in its siblings.

A file out says nothing about who a rater is: pseudonyms are exchanged for fresh ones. A file in is
read strictly, and what is wrong with it is told by its line, or by task, annotation and result.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from overpaint.errors import UserMistake
from overpaint.measures import rated
from overpaint.rating.exchange_annotations import read_annotations
from overpaint.rating.exchange_checks import answers, told
from overpaint.rating.items import Item
from overpaint.rating.ratings import Rating
from overpaint.rating.study import Question


def anonymised(
    ratings: Iterable[Rating], salt: str, *, seconds: bool = False, comments: bool = False
) -> list[Rating]:
    """The ratings under fresh names, P1 and so on, whose order tells nothing.

    The same salt gives the same names to the same raters, in whatever order they come. How long
    they took and what they remarked is left out unless asked for.
    """
    rows = list(ratings)

    def shuffled(rater: str) -> str:
        return hashlib.sha256(f"{salt}\n{rater}".encode("utf-8", "backslashreplace")).hexdigest()

    raters = sorted({one.rater for one in rows}, key=lambda rater: (shuffled(rater), rater))
    names = {rater: f"P{place}" for place, rater in enumerate(raters, 1)}
    return [
        replace(
            one,
            rater=names[one.rater],
            seconds=one.seconds if seconds else None,
            comment=one.comment if comments else "",
        )
        for one in rows
    ]


def export_csv(ratings: Iterable[Rating], *, seconds: bool = False, comments: bool = False) -> str:
    """Ratings as CSV, by edit and rater, questions as they come; no cell of it is a formula."""
    rows = [
        rated.Rating(
            one.sample, one.editor, one.rater, one.dimension, one.value, one.against,
            rated.Box(*one.box) if one.box else None, one.seconds, one.comment,
        )
        for one in ratings
    ]  # fmt: skip
    rows.sort(key=lambda row: (row.sample, row.editor, row.against, row.rater))
    return rated.write_ratings(rows, seconds=seconds, comments=comments)


def import_csv(path: Path, questions: Sequence[Question] = ()) -> list[Rating]:
    """The ratings in a CSV file, each checked against its question, where those are known."""
    asked = {one.name: one for one in questions}
    rows, _ = rated.read_ratings(path, "Ratings are CSV: sample, editor, rater, dimension, value.")
    said: dict[tuple[str, ...], int] = {}
    found = []
    for row in rows:
        _check(path, row, asked)
        which = (row.sample, *sorted((row.editor, row.against)), row.rater, row.dimension)
        if which in said:
            wrong = f"{row.rater[:40]} has said that on line {said[which]} already."
            rated.fault(path, row.line, wrong, "A rater answers a question about an edit once.")
        said[which] = row.line
        found.append(
            Rating(row.sample, row.editor, row.rater, row.dimension, row.value, row.against,
                   row.box, row.seconds, row.comment)
        )  # fmt: skip
    return found


def read_exchanged(
    path: Path, questions: Sequence[Question], items: Mapping[str, Item]
) -> list[Rating]:
    """Ratings from a file of either kind, by its ending: .csv, or Label Studio's .json."""
    if path.suffix.casefold() == ".json":
        return read_annotations(path, questions, items)
    if path.suffix.casefold() == ".csv":
        return import_csv(path, questions)
    raise UserMistake(
        f"{path} is no file of ratings by its name.",
        "CSV ends in .csv, annotations of Label Studio in .json.",
    )


def _check(path: Path, row: rated.Rating, asked: Mapping[str, Question]) -> None:
    """Refuse what is no answer to the question that the row names."""
    if not asked:
        return
    if (question := asked.get(row.dimension)) is None:
        known = ", ".join(asked)
        rated.fault(path, row.line, f"nobody asked {row.dimension[:40]!r}.", f"Asked: {known}.")
    if (question.kind == "box") != (row.box is not None):
        rated.fault(path, row.line, f"{row.dimension} is no such question.",
                    "A box answers a box, and a value anything else.")  # fmt: skip
    if (question.kind == "choice") != bool(row.against):
        rated.fault(path, row.line, f"{row.dimension} is no such question.",
                    "A choice between two edits, and nothing else, has `against`.")  # fmt: skip
    if row.value is not None and not row.against and not answers(question, row.value):
        rated.fault(path, row.line, f"{row.value:g} is no answer to {row.dimension}.",
                    f"Answers: {told(question)}.")  # fmt: skip
