"""MultiRef's judges: `multiref:WHAT[;repeats=N][;quorum=N]:MODEL[,MODEL]`, as score / 5.

    iq, if, sf     image quality, instruction following and source fidelity, by the rubrics
                   multiref_iq, multiref_if and multiref_sf: 1–5 divided by 5, so from 0.2 to 1
    iq_categories, if_categories, sf_categories
                   an editor's plain mean over the five categories of real-world requests, however
                   many requests each has, as the paper's Table 5 has its Overall

The mean of the first three columns is that over samples, which is another number: both stand side
by side under their own names.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from overpaint.core import Edit, Evidence, Measure, Sample, Score, each
from overpaint.errors import NotApplicable, UserMistake
from overpaint.measures.judge import PICTURES, Judge, read_judge
from overpaint.models.forecast import Ask

POINTS = 5.0  # what a judge gives at most
CATEGORY = "category"  # the tag of real-world requests
DIMENSIONS = ("iq", "if", "sf")
OVERALL = "_categories"
FORM = (
    "It is multiref:iq, multiref:if or multiref:sf, or one of these with _categories, and then"
    " [;repeats=N][;quorum=N]:MODEL."
)


@dataclass(frozen=True)
class Shared:
    """A judge whose points are told as a share of the most there are."""

    judge: Judge
    name: str

    def score(self, edits: Sequence[Edit], evidence: Evidence) -> Iterable[Score]:
        """What the judge says, divided by five."""
        for said in self.judge.score(edits, evidence):
            value = None if said.value is None else said.value / POINTS
            yield replace(said, measure=self.name, value=value)

    def asks(self, sample: Sample) -> Sequence[Ask]:
        """What it would ask about an edit of that sample."""
        return self.judge.asks(sample)


def multiref(argument: str) -> Measure:
    """The measure behind `multiref:ARGUMENT`."""
    what, judge = read_multiref(argument)
    if what.endswith(OVERALL):
        return _overall(what, judge)
    made, rubric = Shared(judge, f"multiref_{what}@{judge.short}"), judge.parts[0][0]
    return Measure(
        made.name, made.score, higher_is_better=True, worst=1 / POINTS, best=1.0,
        version=f"1+{rubric.version}+pictures{PICTURES}", where="thread", asks=made.asks,
        about=f"{rubric.about} As score / 5; judged by {', '.join(judge.panel)}.",
    )  # fmt: skip


def read_multiref(argument: str) -> tuple[str, Judge]:
    """What is judged, and by whom."""
    head, _, models = argument.partition(":")
    what, semicolon, settings = head.partition(";")
    dimension = what.removesuffix(OVERALL)
    if dimension not in DIMENSIONS or not models:
        raise UserMistake(f"The measure multiref:{argument} is not understood.", FORM)
    return what, read_judge(f"multiref_{dimension}{semicolon}{settings}:{models}")


def _overall(what: str, judge: Judge) -> Measure:
    name, part = (f"multiref_{one}@{judge.short}" for one in (what, what.removesuffix(OVERALL)))

    def score(edit: Edit, evidence: Evidence) -> float:
        raise NotApplicable(
            f"It is of an editor: the plain mean of {part} over categories.",
            f"{part} is that of one output.",
        )

    return Measure(
        name, each(name, score), higher_is_better=True, worst=1 / POINTS, best=1.0,
        parts=(part,), over=CATEGORY,
        about=f"MultiRef's Overall: the plain mean of {part} over the categories of requests",
    )  # fmt: skip
