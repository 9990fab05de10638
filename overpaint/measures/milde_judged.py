"""MiLDEEval with a model as the judge: `milde:WHAT[;repeats=N][;quorum=N]:MODEL[,MODEL]`.

    if       each question of the sample is asked by the rubric milde_answer
    tr       the text is judged by the rubric milde_text, beside what was read in the output
    score    MiLDEScore of these, of layout, and of the judge's aesthetics (judge:milde_aesthetics)
    output   the same of one output

Models, repeats and panels are those of `judge`: of several answers the mean counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from overpaint.core import Edit, Evidence, Measure, Sample, Score, failed
from overpaint.errors import NotApplicable, OverpaintError, UserMistake
from overpaint.measures.evidence.live import with_layers
from overpaint.measures.judge import PICTURES, Judge, read_judge
from overpaint.measures.milde_answers import MOST_TOLD, questions_of
from overpaint.measures.milde_totals import output_total, total
from overpaint.models.forecast import Ask
from overpaint.vision import ocr

RUBRICS = {"if": "milde_answer", "tr": "milde_text", "aesthetics": "milde_aesthetics"}
KINDS = ("if", "tr", "score", "output")
FORM = "It is milde:if, milde:tr, milde:score or milde:output, with [;repeats=N][;quorum=N]:MODEL."
QUESTION, READ = "question", "text_read"  # slots of the rubrics
READER = "small"


@dataclass(frozen=True)
class Following:
    """IF: every question of a sample is put to the judge."""

    judge: Judge

    @property
    def name(self) -> str:
        """The column's."""
        return f"milde_if@{self.judge.short}"

    def score(self, edits: Sequence[Edit], evidence: Evidence) -> Iterable[Score]:
        """The share of questions answered as expected, in percent; it weighs as many."""
        for edit in edits:
            try:
                asked = questions_of(edit.sample)
            except NotApplicable as error:
                yield failed(edit, self.name, error)
            else:
                yield self._scored(edit, asked, evidence)

    def asks(self, sample: Sample) -> Sequence[Ask]:
        """What it would ask about an edit of that sample."""
        try:
            asked = questions_of(sample)
        except NotApplicable:
            return ()
        return [
            replace(ask, what=f"{ask.what} {number}")
            for number, one in enumerate(asked)
            for ask in self.judge.asks(_with(sample, QUESTION, str(one["question"])))
        ]

    def _scored(self, edit: Edit, asked: Sequence[Mapping[str, Any]], evidence: Evidence) -> Score:
        shares, notes = list[float](), list[str]()
        for one in asked:
            question = str(one["question"])
            of = replace(edit, sample=_with(edit.sample, QUESTION, question))
            (said,) = self.judge.score([of], evidence)
            if said.value is None:  # a share of the rest would pass for one of all
                why = f"“{question}” has no answer: {said.reason}"
                return Score(edit, self.name, None, said.status, why)
            shares.append(said.value if one["expected"] == "yes" else 1 - said.value)
            told = "as expected" if shares[-1] > 0.5 else "not so"
            notes.append(f"{told}: {question} ({'; '.join(said.notes[:2])})")
        first = sorted(notes, key=lambda note: note.startswith("as expected"))[:MOST_TOLD]
        mean = 100 * sum(shares) / len(shares)
        return Score(edit, self.name, mean, notes=tuple(first), weight=len(shares))


@dataclass(frozen=True)
class Rendering:
    """TR: one judgement of the words, in percent."""

    judge: Judge

    @property
    def name(self) -> str:
        """The column's."""
        return f"milde_tr@{self.judge.short}"

    def score(self, edits: Sequence[Edit], evidence: Evidence) -> Iterable[Score]:
        """What the judge says of the words, beside what was read."""
        for edit in edits:
            assert edit.output is not None
            try:
                lines = with_layers(edit.output, ocr.lines(evidence, edit.output, READER))
            except OverpaintError as error:
                yield failed(edit, self.name, error)
                continue
            read = "\n".join(line.text for line in lines)
            of = replace(edit, sample=_with(edit.sample, READ, read))
            (said,) = self.judge.score([of], evidence)
            value = None if said.value is None else 100 * said.value
            yield replace(said, edit=edit, measure=self.name, value=value)

    def asks(self, sample: Sample) -> Sequence[Ask]:
        """What it would ask about an edit of that sample."""
        return self.judge.asks(sample)


def _with(sample: Sample, slot: str, text: str) -> Sample:
    return replace(sample, facts={**sample.facts, slot: text})


def milde(argument: str) -> Measure:
    """The measure behind `milde:ARGUMENT`."""
    head, _, models = argument.partition(":")
    kind, semicolon, settings = head.partition(";")
    if kind not in KINDS or not models:
        raise UserMistake(f"The measure milde:{argument} is not understood.", FORM)
    tail = f"{semicolon}{settings}:{models}"
    if kind in ("score", "output"):
        return _total(kind, tail)
    judge = read_judge(f"{RUBRICS[kind]}{tail}")
    made: Following | Rendering = Following(judge) if kind == "if" else Rendering(judge)
    rubric = judge.parts[0][0]
    return Measure(
        made.name, made.score, higher_is_better=True, worst=0.0, best=100.0, unit="%",
        version=f"{rubric.version}+pictures{PICTURES}", where="thread", asks=made.asks,
        pool="weighted" if kind == "if" else "mean",
        about=f"{rubric.about} Judged by {', '.join(judge.panel)}.",
    )  # fmt: skip


def _total(kind: str, tail: str) -> Measure:
    judge = read_judge(f"{RUBRICS['aesthetics']}{tail}")
    if kind == "score":
        columns = (f"milde_if@{judge.short}", "layout", f"milde_tr@{judge.short}", judge.name)
        return total(f"milde_score@{judge.short}", columns)
    specs = (f"milde:if{tail}", "layout", f"milde:tr{tail}", f"judge:{RUBRICS['aesthetics']}{tail}")
    return output_total(f"milde_output@{judge.short}", specs)
