"""Whose opinion a column is: a model's, a panel's, the evidence judge's, people's, or nobody's."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from overpaint import catalog
from overpaint.core import Measure
from overpaint.measures.judge import EVIDENCE, PANEL, Judge, read_judge
from overpaint.measures.references_judged import POINTS, read_multiref

Kind = Literal["model", "panel", "evidence", "people"]
PEOPLE = "people"
HUMAN = "human"  # the maker of columns that people's ratings fill
MAKERS = ("judge", "multiref", EVIDENCE, HUMAN)


@dataclass(frozen=True)
class Opinion:
    """A column that says what someone thinks of an edit."""

    measure: Measure
    kind: Kind
    who: str  # as the column bears it
    dimension: str  # IF, total20 …; columns that share it can be held against each other
    title: str = ""  # the dimension in words
    judge: Judge | None = None  # whoever asked models for it
    points: float = 1.0  # the rubric's points in a value of 1

    @property
    def name(self) -> str:
        """The column's."""
        return self.measure.name

    @property
    def is_total(self) -> bool:
        """Whether it is the sum of other columns."""
        return bool(self.measure.parts)


def opinions(specs: Mapping[str, str]) -> dict[str, Opinion]:
    """The opinions among a run's measures (name -> spec), in their order."""
    return dict(_opinions(specs))


def _opinions(specs: Mapping[str, str]) -> Iterator[tuple[str, Opinion]]:
    for name, spec in specs.items():
        maker, colon, argument = spec.partition(":")
        if not colon or maker not in MAKERS:
            continue
        measure = catalog.measure(spec)
        if measure.over:  # made of another column, and of no edit
            continue
        if maker == "judge":
            yield name, _judged(measure, read_judge(argument))
        elif maker == "multiref":
            _, judge = read_multiref(argument)
            told = _judged(measure, judge)
            yield name, replace(told, dimension=judge.parts[0][1], points=POINTS)
        elif maker == EVIDENCE:
            yield name, Opinion(measure, "evidence", EVIDENCE, argument)
        else:
            dimension, _, who = name.partition("@")
            yield name, Opinion(measure, "people", who or PEOPLE, dimension)


def _judged(measure: Measure, judge: Judge) -> Opinion:
    kind: Kind = "panel" if judge.short == PANEL and len(judge.panel) > 1 else "model"
    dimension = measure.name.removesuffix(f"@{judge.short}")
    titles = {one.name: one.title for rubric, _ in judge.parts for one in rubric.dimensions}
    names = [name for _, name in judge.parts]
    told = titles[names[0]] if len(names) == 1 else " + ".join(names)
    return Opinion(measure, kind, judge.short, dimension, told, judge)
