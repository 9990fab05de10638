"""One value that one person gave: what tables, files and opinion scores are made of."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

Box = tuple[float, float, float, float]  # x, y, width, height in percent


@dataclass(frozen=True)
class Rating:
    """What a rater said of an edit in one respect; of two edits, where `against` is set."""

    sample: str
    editor: str
    rater: str
    dimension: str
    value: float | None  # None: a box. Pairs: 1, 0.5 or 0 for `editor`
    against: str = ""
    box: Box | None = None
    seconds: float | None = None
    comment: str = ""
    showing: str = "rating"  # or training, repeat, gold


@dataclass(frozen=True)
class Taken:
    """How many ratings were taken from elsewhere."""

    ratings: int
    replaced: int  # that came from there before
    known: int  # that the study had given out itself, and that were left out


def exported(ratings: Iterable[Rating], there: Iterable[Rating]) -> set[str]:
    """The raters that an export has named, each of whom says only what somebody there has said.

    An older export is known as well, though names in it may have changed hands since.
    """
    said = [words for _, words in _by_rater(there)]
    return {
        rater
        for rater, words in _by_rater(ratings)
        if _FRESH.fullmatch(rater) and any(words <= other for other in said)
    }


_FRESH = re.compile(r"P[1-9][0-9]*")  # what the export calls raters


def _by_rater(ratings: Iterable[Rating]) -> Iterable[tuple[str, set[object]]]:
    found: dict[str, set[object]] = {}
    for one in ratings:
        words = (one.sample, one.editor, one.against, one.dimension, one.value, one.box)
        found.setdefault(one.rater, set()).add(words)
    return found.items()
