"""Which of two edits is better: a model is asked twice, once in each order.

A spec is `pairwise:RUBRIC[.DIMENSION]:MODEL`; the built-in rubric is called pairwise too. Where
the two answers name the same edit it has won, 1 or 0; where they do not, it is a tie, ½, and the
note says what was said. Both answers stand in the first note, so that a judge that prefers a
place, not an edit, is found out (`measures.bias`).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from overpaint.core import Edit, Evidence, Measure, Sample, Score, failed
from overpaint.errors import DataError, NotApplicable, OverpaintError, UserMistake
from overpaint.measures.judge import Judge, pictures_of, prompt_of, read_judge, read_reply, sizes_of
from overpaint.measures.rubric import Rubric, Verdict
from overpaint.models import model, words_of
from overpaint.models.forecast import Ask
from overpaint.models.names import endpoint

SAME = "both made the same picture: nothing was asked"
FIRST, TIE, SECOND = 1.0, 0.5, 0.0
_WORDS = {FIRST: "first", TIE: "tie", SECOND: "second"}
_TOLD = re.compile(r"said (first|tie|second) in this order, (first|tie|second) in the other")


class Said(NamedTuple):
    """What was said in each order, as the place that was preferred: 1 the first, 0 the second."""

    this: float
    other: float

    @property
    def value(self) -> float:
        """1 where both answers prefer the edit, 0 where both prefer the other, else a tie."""
        return self.this if self.this == 1 - self.other else TIE

    @property
    def consistent(self) -> bool:
        """Whether the two answers are one verdict."""
        return self.this == 1 - self.other


def said(notes: Sequence[str]) -> Said | None:
    """The two answers behind a vote, from its notes; None where nothing was asked."""
    match = _TOLD.fullmatch(notes[0]) if notes else None
    if match is None:
        return None
    values = {word: value for value, word in _WORDS.items()}
    return Said(values[match[1]], values[match[2]])


def pairwise(argument: str) -> Measure:
    """The measure behind `pairwise:ARGUMENT`."""
    asked = read_judge(argument)
    (rubric, dimension), *more = asked.parts
    if more or len(asked.panel) > 1 or asked.repeats > 1:
        raise UserMistake(
            f"{argument!r} asks for several questions, judges or repeats.",
            "A pairwise judge is one rubric and one model: pairwise:RUBRIC:MODEL.",
            "Name several: --pairwise MODEL --pairwise MODEL.",
        )
    if not any(picture.name == "other" for picture in rubric.pictures) or rubric.scale is None:
        raise UserMistake(
            f"The rubric {rubric.name} does not show two edits.",
            "A pairwise one has `output` and `other` among its pictures.",
        )
    if rubric.scale.levels != (SECOND, TIE, FIRST):
        raise UserMistake(
            f"The scale of the rubric {rubric.name} does not say which edit is better.",
            "Expected: first = 1, tie = 0.5, second = 0.",
        )
    made = Pairwise(asked, rubric, dimension)
    return Measure(
        asked.name, made.score, higher_is_better=True, worst=0.0, best=1.0,
        version=f"{rubric.version}+orders2", where="thread", asks=made.asks,
        about=f"{rubric.about} Asked in both orders of {asked.panel[0]}.",
    )  # fmt: skip


@dataclass(frozen=True)
class Pairwise:
    """Holds an edit against another by asking a model in both orders."""

    judge: Judge
    rubric: Rubric
    dimension: str

    def score(self, edits: Sequence[Edit], evidence: Evidence) -> Iterable[Score]:
        """The vote on the first edit, held against the second."""
        if len(edits) != 2:
            raise UserMistake(
                f"{self.judge.name} holds an edit against another and got {len(edits)}.",
                "",
                "Add it to a run: overpaint score RUN --pairwise MODEL",
            )
        edit, other = edits
        try:
            value, notes = self._voted(edit, other, evidence)
        except UserMistake:
            raise
        except OverpaintError as error:
            yield failed(edit, self.judge.name, error)
        else:
            yield Score(edit, self.judge.name, value, notes=notes, against=other.editor)

    def asks(self, sample: Sample) -> Sequence[Ask]:
        """What it would ask about two edits of that sample."""
        try:
            asked = prompt_of(self.rubric, sample)
        except (NotApplicable, DataError):
            return ()
        name, sizes = self.judge.panel[0], tuple(sizes_of(self.rubric, sample))
        words = words_of(asked, self.rubric.schema, len(sizes))
        what = f"{self.rubric.name} {self.rubric.version}"
        return [Ask(endpoint(name), f"{what} {order}", words, sizes) for order in (0, 1)]

    def _voted(self, edit: Edit, other: Edit, evidence: Evidence) -> tuple[float, tuple[str, ...]]:
        assert edit.output is not None
        assert other.output is not None
        if edit.output.key == other.output.key:
            return TIE, (SAME,)
        one, two = (self._verdict(*order, evidence) for order in ((edit, other), (other, edit)))
        found = Said(one.value, two.value)
        words = [_WORDS[verdict.value] for verdict in (one, two)]
        told = "said {} in this order, {} in the other".format(*words)
        apart = () if found.consistent else (_apart(*words),)
        reasons = [
            f"{name} first: {verdict.rationale}"
            for name, verdict in ((edit.editor, one), (other.editor, two))
            if verdict.rationale
        ]
        return found.value, (told, *apart, *reasons)

    def _verdict(self, first: Edit, second: Edit, evidence: Evidence) -> Verdict:
        if evidence.desk is None:
            raise UserMistake("A judge was asked outside of a run.", "It needs Evidence(desk=…).")
        asked = model(self.judge.panel[0], evidence.desk)
        pictures = tuple(pictures_of(self.rubric, first, second))
        reply = asked.ask(prompt_of(self.rubric, first.sample), pictures, self.rubric.schema)
        return read_reply(self.rubric, reply, evidence.desk)[self.dimension]


def _apart(one: str, two: str) -> str:
    """Why two answers make a tie."""
    if one == two:
        return f"says {one} in both orders: a tie"
    return "the two orders have different answers: a tie"
