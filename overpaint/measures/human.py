"""People's ratings as a measure: `human:ratings.csv[;dimension=IF][;scale=1-5][;as=mos][;by=NAME]`.

The file has the columns sample, editor, rater and value, and may have dimension (`measures.rated`
reads it). An edit's score is the mean of its ratings, or with `as=mos` its opinion score after
screening; one that nobody rated is outside the count. So a judge is compared with people by
arithmetic on two columns. Lines with `against` are votes on two edits; with `as=votes` they are
counted (`measures.voted`). `by` names people who are not the only ones in a run.
"""

import hashlib
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from overpaint.core import Edit, Evidence, Found, Measure, each
from overpaint.errors import NotApplicable, Undecided, UserMistake
from overpaint.measures.people import People, opinion_of
from overpaint.measures.rated import Rating, fault, read_ratings
from overpaint.measures.rubric_scale import read_scale
from overpaint.measures.voted import counted, vote_score

FORM = "It is human:FILE.csv[;dimension=NAME][;scale=LOW-HIGH][;as=mos|votes][;by=NAME]."
MEAN, MOS, VOTES = "mean", "mos", "votes"
PEOPLE = "people"
_SETTINGS = re.compile(r"(.*?)((?:;(?:dimension|scale|as|by)=[^;]+)*)", re.DOTALL)
_NAME = re.compile(r"[\w .+-]{1,60}")

Key = tuple[str, str]  # sample, editor
Scale = tuple[float, float]


@dataclass(frozen=True)
class Ratings:
    """What people said: for each (sample, editor) the value each rater gave."""

    of: Mapping[Key, Mapping[str, float]]
    digest: str = field(default="", compare=False)

    @property
    def raters(self) -> int:
        """How many people rated anything."""
        return len({rater for given in self.of.values() for rater in given})

    @property
    def count(self) -> int:
        """How many ratings there are."""
        return sum(len(given) for given in self.of.values())


class Argument(NamedTuple):
    """What a spec says after `human:`."""

    path: Path
    dimension: str
    scale: Scale | None
    score: str = MEAN
    by: str = ""

    @property
    def name(self) -> str:
        """The column's: quality@people, quality@mos for opinion scores; human without one."""
        who = self.by or (MOS if self.score == MOS else PEOPLE)
        if self.dimension or self.score == VOTES:
            return f"{self.dimension or VOTES}@{who}"
        return "human" if who == PEOPLE else f"human@{who}"


def human(argument: str) -> Measure:
    """The measure behind `human:ARGUMENT`."""
    asked = read_argument(argument)
    if asked.score == VOTES:
        return _voting(asked)
    found = ratings(*asked[:3])
    told = f"{found.count:,} ratings by {found.raters:,} people, {asked.path.name}"
    if asked.score == MOS:
        people = opinion_of(asked.dimension, found.of)
        what = "Majority of people's answers" if people.yes_no else "Opinion score (MOS), screened"
        return Measure(
            asked.name, each(asked.name, _opinion(people)), higher_is_better=True,
            worst=None, best=None, version=f"{found.digest[:12]}+mos1",
            about=f"{what}: {told}.",
        )  # fmt: skip
    worst, best = asked.scale or (None, None)
    return Measure(
        asked.name, each(asked.name, _mean(found)), higher_is_better=True, worst=worst, best=best,
        version=found.digest[:12], about=f"Mean of people's ratings: {told}.",
    )  # fmt: skip


def _voting(asked: Argument) -> Measure:
    rows, data = read_ratings(asked.path, FORM)
    votes = counted(asked.path, rows, asked.dimension)
    people = len({row.rater for row in rows if row.against})
    total = sum(sum(one) for one in votes.values())
    return Measure(
        asked.name, partial(vote_score, asked.name, votes), higher_is_better=True, worst=0.0,
        best=1.0, version=hashlib.sha256(data).hexdigest()[:12],
        about=f"Which of two edits people prefer: {total:,} votes by {people:,} people.",
    )  # fmt: skip


_Function = Callable[[Edit, Evidence], Found]


def _mean(found: Ratings) -> _Function:
    def mean(edit: Edit, evidence: Evidence) -> Found:
        given = found.of.get((edit.sample.id, edit.editor))
        if not given:
            raise NotApplicable("Nobody rated this edit.")
        values = [given[rater] for rater in sorted(given)]
        spread = f"from {min(values):g} to {max(values):g}" if len(values) > 1 else "alone"
        people = "1 rater" if len(values) == 1 else f"{len(values)} raters, {spread}"
        return Found(math.fsum(values) / len(values), (people,))

    return mean


def _opinion(people: People) -> _Function:
    def opinion(edit: Edit, evidence: Evidence) -> Found:
        key = edit.sample.id, edit.editor
        if key not in people.means:
            raise NotApplicable("Nobody rated this edit.")
        if key not in people.scores and people.yes_no:
            raise Undecided("As many say yes as say no.")
        if key not in people.scores:
            raise NotApplicable("Screening left no rating of this edit.")
        raters = people.counts[key]
        told = "1 rater" if raters == 1 else f"{raters} raters"
        return Found(people.scores[key], (f"{told}, mean rating {people.means[key]:.4g}",))

    return opinion


def read_argument(argument: str) -> Argument:
    """The file, the dimension, the ends of the scale and the kind of score an argument names."""
    match = _SETTINGS.fullmatch(argument)
    assert match is not None  # it takes any text
    if not match[1].strip():
        raise UserMistake("No file of ratings was named.", FORM)
    settings = dict(part.split("=", 1) for part in match[2].split(";") if part)
    dimension, score = settings.get("dimension", ""), settings.get("as", MEAN)
    if dimension and not _NAME.fullmatch(dimension):
        raise UserMistake(f"{dimension[:60]!r} is no name of a dimension.", FORM)
    if score not in (MEAN, MOS, VOTES):
        right = f"They can as {MEAN}, {MOS} and {VOTES}."
        raise UserMistake(f"Ratings cannot be had as {score[:60]!r}.", right)
    by = settings.get("by", "")
    if by and not _NAME.fullmatch(by):
        raise UserMistake(f"{by[:60]!r} is no name for people.", FORM)
    return Argument(Path(match[1]), dimension, _ends(settings.get("scale", "")), score, by)


def _ends(text: str) -> Scale | None:
    if not text:
        return None
    found = read_scale(f"{text} any")
    if found is None:
        raise UserMistake(f"The scale {text!r} of the ratings is not understood.", "Write 1-5.")
    return found.low, found.high


@lru_cache(maxsize=8)
def ratings(path: Path, dimension: str, scale: Scale | None) -> Ratings:
    """The ratings of that dimension in a file; a UserMistake names the line that is wrong."""
    rows, data = read_ratings(path, FORM)
    valued = [row for row in rows if not row.against and row.box is None]
    named = {row.dimension for row in valued}
    wanted = dimension or (named.pop() if len(named) == 1 else "")  # the only one there is
    found = by_dimension(path, [row for row in valued if row.dimension == wanted], scale)
    if not found:
        _nothing(path, dimension, rows)
    return Ratings(found[wanted], hashlib.sha256(data).hexdigest())


def dimensions(path: Path) -> dict[str, Ratings]:
    """The ratings of every dimension in a file, in its order; "" where they have no name."""
    rows, data = read_ratings(path, "Ratings are CSV: sample, editor, rater, dimension, value.")
    found = by_dimension(path, [row for row in rows if not row.against and row.box is None])
    digest = hashlib.sha256(data).hexdigest()
    return {name: Ratings(given, digest) for name, given in found.items()}


def by_dimension(
    path: Path, rows: list[Rating], scale: Scale | None = None
) -> dict[str, dict[Key, dict[str, float]]]:
    """Ratings by dimension, edit and rater, each of whom gives an edit one value."""
    found: dict[str, dict[Key, dict[str, float]]] = {}
    for row in rows:
        assert row.value is not None  # no box, and no vote
        if scale and not scale[0] <= row.value <= scale[1]:
            wrong = f"{row.value:g} is not on the scale."
            fault(path, row.line, wrong, f"The scale is from {scale[0]:g} to {scale[1]:g}.")
        given = found.setdefault(row.dimension, {}).setdefault((row.sample, row.editor), {})
        if row.rater in given:
            wrong = f"{row.rater} rates {row.editor} on {row.sample} twice."
            fault(path, row.line, wrong, "A rater gives an edit one value.")
        given[row.rater] = row.value
    return found


def _nothing(path: Path, dimension: str, rows: list[Rating]) -> None:
    if rows and all(row.against for row in rows):
        raise UserMistake(
            f"{path} has votes on pairs of edits, and no ratings.", "Votes make no column.",
            f"overpaint score RUN --pairwise human:{path}",
        )  # fmt: skip
    others = dict.fromkeys(row.dimension for row in rows)
    known = ", ".join(name or "none" for name in others)
    raise UserMistake(
        f"{path} has no ratings of {dimension or 'no dimension'}.",
        f"Its dimensions: {known}." if others else "It has no rows.",
        f"human:{path};dimension=NAME" if others else "",
    )
