"""How far a measure agrees with people: coefficients by task and overall, beside the human ceiling.

Every function is pure: it gets values by edit, people's scores, sources and tags, and nothing of a
run. Measures are turned so that higher is better and keep their sign: one that goes against people
is negative. Coefficients as LMM4Edit gives them (SRCC, KRCC, PLCC), and PLCC and RMSE after a
monotone logistic under names of their own (`stats.fitting`). A question answered by yes or no has
no correlation: there the area under the curve says how often a measure puts an edit that most
people accept above one that they do not, without any threshold; a judge that answers yes or no
itself has the share of edits on which it says what most people say.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from overpaint.measures.people import Key, People
from overpaint.stats import ceiling
from overpaint.stats.bootstrap import interval
from overpaint.stats.ceiling import Ceiling, Halves, split_half
from overpaint.stats.correlation import (
    Correlation,
    kendall,
    pairwise_accuracy,
    pearson,
    spearman,
)
from overpaint.stats.fitting import fitted

ALL = "all"
FEWEST = 10  # edits below which a coefficient is not told: it would be chance
UNSCORED = "not scored"
DRAWS, DRAWS_BY_TASK = 2_000, 500


@dataclass(frozen=True)
class Column:
    """What a measure says of each edit, as it says it."""

    name: str
    values: Mapping[Key, float]
    higher_is_better: bool = True
    statuses: Mapping[Key, str] = field(default_factory=dict)  # of edits without a value
    version: str = ""
    learned_here: str = ""  # what is to be said of a trained evaluator that may know the pictures

    @property
    def yes_no(self) -> bool:
        """Whether it only ever says yes (1) or no (0)."""
        return bool(self.values) and set(self.values.values()) <= {0.0, 1.0}

    @property
    def answers(self) -> Mapping[Key, float]:
        """What one that says yes or no says of each edit, 1 for what is better."""
        if self.higher_is_better:
            return self.values
        return {key: 1 - value for key, value in self.values.items()}

    def turned(self, keys: Sequence[Key]) -> list[float]:
        """Its values of these edits, turned so that higher is better."""
        sign = 1.0 if self.higher_is_better else -1.0
        return [sign * self.values[key] for key in keys]


@dataclass(frozen=True)
class Ground:
    """What the edits stand on: the source of each sample, the task of each, and a seed."""

    sources: Mapping[str, str]
    tasks: Mapping[str, str] = field(default_factory=dict)  # none: no breakdown
    seed: int = 0
    draws: int = DRAWS

    def clusters(self, keys: Sequence[Key]) -> list[str]:
        """The source of each edit."""
        return [self.sources[sample] for sample, _ in keys]

    def parts(self, keys: Sequence[Key]) -> dict[str, list[Key]]:
        """All edits, and those of each task in alphabetical order."""
        found: dict[str, list[Key]] = {ALL: list(keys)}
        for task in sorted({self.tasks[sample] for sample, _ in keys if sample in self.tasks}):
            found[task] = [key for key in keys if self.tasks.get(key[0]) == task]
        return found

    def draws_of(self, part: str) -> int:
        """How often sources are drawn: fewer times for a task than for all."""
        return self.draws if part == ALL else min(self.draws, DRAWS_BY_TASK)


@dataclass(frozen=True)
class Agreement:
    """A measure and people on one dimension, in one task or overall."""

    measure: str
    dimension: str
    part: str
    rated: int  # edits that have people's score
    n: int  # of them those that the measure has scored
    missing: Mapping[str, int]  # why it has not scored the others
    srcc: Correlation | None = None
    krcc: Correlation | None = None
    plcc: Correlation | None = None
    plcc_fitted: Correlation | None = None
    rmse_fitted: Correlation | None = None  # in points of people's scores
    accuracy: Correlation | None = None  # of pairs that people clearly put apart
    accuracy_within: Correlation | None = None  # of pairs of edits of one sample
    auc: Correlation | None = None  # yes and no: how often a yes is above a no
    agreement: Correlation | None = None  # yes and no, of a judge that says so itself
    notes: tuple[str, ...] = ()

    @property
    def headline(self) -> Correlation | None:
        """The number that a map of measures and tasks shows: SRCC, or the area of yes and no."""
        return self.srcc or self.auc


def agreements(column: Column, people: People, ground: Ground) -> list[Agreement]:
    """The measure against people, overall first and then task by task."""
    return [
        _agreement(column, people, ground, (part, inside))
        for part, inside in ground.parts(sorted(people.scores)).items()
    ]


def _agreement(
    column: Column, people: People, ground: Ground, which: tuple[str, Sequence[Key]]
) -> Agreement:
    part, rated = which
    both = [key for key in rated if key in column.values]
    lost = Counter(column.statuses.get(key, UNSCORED) for key in rated if key not in column.values)
    facts = (column.name, people.dimension, part, len(rated), len(both), dict(lost))
    if len(both) < FEWEST:
        return Agreement(*facts, notes=(too_few(len(both)),))
    sides = column.turned(both), [people.scores[key] for key in both]
    clusters, draws = ground.clusters(both), ground.draws_of(part)
    how: dict[str, Any] = {"seed": ground.seed, "draws": draws}
    if people.yes_no:
        agreed = _agreed(column, people, both, ground) if column.yes_no else None
        auc = pairwise_accuracy(*sides, clusters, **how)
        return Agreement(*facts, auc=auc, agreement=agreed)
    curve = fitted(*sides, clusters, **how)
    # A score of a single rating has no error of its own: it is taken for as unsure as any.
    unsure = max((people.errors[key] for key in both if key in people.errors), default=0.0)
    errors = [people.errors.get(key, unsure) for key in both]
    notes = () if any(errors) else ("people's scores have no errors here: all pairs count",)
    return Agreement(
        *facts, spearman(*sides, clusters, **how), kendall(*sides, clusters, **how),
        pearson(*sides, clusters, **how), curve.plcc, curve.rmse,
        pairwise_accuracy(*sides, clusters, errors=errors, **how),
        pairwise_accuracy(*sides, clusters, within=[sample for sample, _ in both], **how),
        notes=notes,
    )  # fmt: skip


def too_few(n: int) -> str:
    """Why a coefficient of so few edits is not told."""
    return f"too few edits: {n}, and a coefficient needs {FEWEST}"


def _agreed(column: Column, people: People, both: Sequence[Key], ground: Ground) -> Correlation:
    """The share of edits on which a judge says what most people say."""
    answers = column.answers
    same = [float(answers[key] == people.scores[key]) for key in both]
    clusters = ground.clusters(both)
    span = interval(same, clusters, seed=ground.seed)
    return Correlation(
        float(np.mean(same)), span and span.low, span and span.high, len(same), len(set(clusters))
    )


# ── the ceiling ─────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class HumanCeiling:
    """How far people agree with people, in one task or overall."""

    dimension: str
    part: str
    edits: int  # with two ratings or more
    srcc: Halves | None = None
    krcc: Halves | None = None
    plcc: Halves | None = None
    agreement: Correlation | None = None  # yes and no: one rater with most of the others
    notes: tuple[str, ...] = ()


def ceilings(people: People, ground: Ground) -> list[HumanCeiling]:
    """The human ceiling, overall first and then task by task; none where ratings are not known."""
    keys = [key for key in people.keys if key in people.scores]
    return [_ceiling(people, ground, part, inside) for part, inside in ground.parts(keys).items()]


def _ceiling(people: People, ground: Ground, part: str, keys: Sequence[Key]) -> HumanCeiling:
    table = people.rated(keys)
    edits = int(((~np.isnan(table)).sum(axis=0) > 1).sum())
    if edits < FEWEST:
        return HumanCeiling(people.dimension, part, edits, notes=(too_few(edits),))
    clusters = ground.clusters(keys)
    if people.yes_no:
        found = _one_with_others(people, keys, clusters, ground.seed)
        return HumanCeiling(people.dimension, part, edits, agreement=found)
    halves: Ceiling = split_half(
        table, clusters=clusters, seed=ground.seed, draws=min(ceiling.DRAWS, ground.draws)
    )
    return HumanCeiling(
        people.dimension, part, edits, halves.spearman, halves.kendall, halves.pearson,
        notes=halves.notes,
    )  # fmt: skip


def _one_with_others(
    people: People, keys: Sequence[Key], clusters: Sequence[str], seed: int
) -> Correlation:
    """How often one rater says what most of the others say; where they are even it is not asked."""
    table = people.rated(keys)
    same, where = [], []
    for at, source in enumerate(clusters):
        said = table[~np.isnan(table[:, at]), at]
        for one in said.tolist():
            others = (float(said.sum()) - one) * 2 - (len(said) - 1)  # yes less no
            if others:
                same.append(float((others > 0) == (one > 0)))
                where.append(source)
    if not same:
        return Correlation(None, notes=("the others are even on every edit",))
    span = interval(same, where, seed=seed)
    return Correlation(
        float(np.mean(same)), span and span.low, span and span.high, len(same), len(set(where))
    )
