"""Editors, as people and as measures rank them; their means from few ratings and many scores.

Rankings are compared as LMM4Edit does: the editors' means under people and under a measure, by
rank correlation, by the RMSE of the means on people's scale (a measure gets there by its isotonic
map, told by maps of other sources) and by the RMSE of the places. Of a question answered by yes or
no an editor's mean is its accuracy: the share of its edits to which most say yes. Where people
rated quality, alignment and preservation, Score_all ranks editors too.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from overpaint.measures.calibration import Column, Ground
from overpaint.measures.calibration_maps import Calibrated
from overpaint.measures.ebench_score import DIMENSIONS, score_all
from overpaint.measures.people import Key, People
from overpaint.stats.prediction import (
    Needed,
    Powered,
    prediction_powered_difference,
    prediction_powered_mean,
    ratings_needed,
)
from overpaint.stats.ranking import RankingAgreement, ranking_agreement

LEVEL = 0.05
SCORE_ALL = "score_all"


# ── rankings ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class EditorMean:
    """One editor on the edits that people rated and the measure scored."""

    editor: str
    n: int
    people: float
    measure: float
    told: float | None = None  # what the measure says on people's scale


@dataclass(frozen=True)
class Ranking:
    """A measure's ranking of editors beside people's."""

    measure: str
    dimension: str
    editors: tuple[EditorMean, ...]  # people's best first
    found: RankingAgreement  # by the measure's own means
    rmse: float | None = None  # of the means, on people's scale
    notes: tuple[str, ...] = ()


def ranking(column: Column, people: People, on_scale: Calibrated) -> Ranking:
    """How near a measure's ranking of editors is to people's."""
    shared: dict[str, list[Key]] = {}
    for key in sorted(people.scores):
        if key in column.values:
            shared.setdefault(key[1], []).append(key)
    told = on_scale.told
    if column.yes_no and people.yes_no:  # shares of yes are on people's scale as they are
        told = column.answers
    means = [
        EditorMean(
            editor, len(keys), _mean(people.scores[key] for key in keys),
            _mean(column.values[key] for key in keys),
            _mean(told[key] for key in keys) if all(key in told for key in keys) else None,
        )
        for editor, keys in shared.items()
    ]  # fmt: skip
    means.sort(key=lambda one: (-one.people, one.editor))
    sign = 1 if column.higher_is_better else -1
    found = ranking_agreement(
        [sign * one.measure for one in means], [one.people for one in means], same_scale=False
    )
    apart = [(one.told - one.people) ** 2 for one in means if one.told is not None]
    whole = bool(means) and len(apart) == len(means)
    return Ranking(
        column.name, people.dimension, tuple(means), found,
        math.sqrt(_mean(apart)) if whole else None,
        tuple(note for note in found.notes if "RMSE" not in note),
    )  # fmt: skip


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return math.fsum(found) / len(found)


@dataclass(frozen=True)
class Overall:
    """Editors by Score_all of people's three means; and how near each measure's ranking is."""

    scores: Mapping[str, float]  # best first
    measures: Mapping[str, RankingAgreement]
    notes: tuple[str, ...] = ()


def overall(
    people: Mapping[str, People],
    columns: Sequence[Column],
    rankings: Sequence[Ranking],
) -> Overall | None:
    """Score_all from people's quality, alignment and preservation; None where one is not there.

    A family of columns, quality@NAME and so on, has a Score_all of its own: of the means that
    their maps tell.
    """
    if not set(DIMENSIONS) <= people.keys():
        return None
    rated = set.intersection(*(set(people[name].scores) for name in DIMENSIONS))
    parts = [_by_editor(people[name].scores, rated) for name in DIMENSIONS]
    scores, notes = _score_all(parts)
    order = sorted(scores, key=lambda editor: (-scores[editor], editor))
    found = {}
    for column in columns:
        means = _by_editor(column.values, rated)
        sign = 1 if column.higher_is_better else -1
        found[column.name] = _against({e: sign * mean for e, mean in means.items()}, scores)
    for family in dict.fromkeys(c.name.partition("@")[2] for c in columns if "@" in c.name):
        told = [_told(rankings, f"{name}@{family}", name) for name in DIMENSIONS]
        if all(told):
            found[f"{SCORE_ALL}@{family}"] = _against(_score_all(told)[0], scores, same=True)
    return Overall({editor: scores[editor] for editor in order}, found, notes)


def _by_editor(values: Mapping[Key, float], rated: set[Key]) -> dict[str, float]:
    groups: dict[str, list[float]] = {}
    for sample, editor in sorted(rated & values.keys()):
        groups.setdefault(editor, []).append(values[sample, editor])
    return {editor: _mean(found) for editor, found in groups.items()}


def _score_all(parts: Sequence[Mapping[str, float]]) -> tuple[dict[str, float], tuple[str, ...]]:
    scores, below = {}, []
    for editor in sorted(set.intersection(*(set(part) for part in parts))):
        means = [part[editor] for part in parts]
        if min(means) < 0:
            below.append(editor)
        else:
            scores[editor] = score_all(*means)
    note = f"no Score_all: a mean of {', '.join(below)} lies below 0"
    return scores, (note,) if below else ()


def _told(rankings: Sequence[Ranking], measure: str, dimension: str) -> dict[str, float]:
    return {
        one.editor: one.told
        for ranked in rankings
        if (ranked.measure, ranked.dimension) == (measure, dimension)
        for one in ranked.editors
        if one.told is not None
    }


def _against(
    means: Mapping[str, float], scores: Mapping[str, float], *, same: bool = False
) -> RankingAgreement:
    editors = [editor for editor in scores if editor in means]
    sides = [means[e] for e in editors], [scores[e] for e in editors]
    return ranking_agreement(*sides, same_scale=same)


# ── means from few ratings and many scores ──────────────────────────────────────────────


@dataclass(frozen=True)
class Estimate:
    """An editor's mean on people's scale, with a measure's help and without."""

    dimension: str
    measure: str
    editor: str
    found: Powered  # from all its ratings, and the measure's scores of other edits


def estimates(column: Column, people: People, ground: Ground) -> list[Estimate]:
    """Every editor's mean from its rated edits and the measure's scores of the others.

    An edit that nobody rated helps only if its source has no rated one of the same editor: so no
    source is on both sides. People's best come first.
    """
    editors = sorted({editor for _, editor in people.scores})
    made = [
        Estimate(people.dimension, column.name, editor, _powered(column, people, ground, editor))
        for editor in editors
    ]
    return sorted(made, key=lambda one: (-_level(one), one.editor))


def _level(one: Estimate) -> float:
    return -math.inf if one.found.estimate is None else one.found.estimate


def _powered(column: Column, people: People, ground: Ground, editor: str) -> Powered:
    rated = [key for key in sorted(people.scores) if key[1] == editor]
    clusters = ground.clusters(rated)
    others = [(sample, editor) for sample in _others(column, ground, (editor,), set(clusters))]
    found = prediction_powered_mean(
        _scores(people, rated), _heard(column, rated), _heard(column, others),
        clusters=clusters, clusters_of_others=ground.clusters(others),
    )  # fmt: skip
    if lost := sum(key not in column.values for key in rated):
        why = f"{column.name} has not scored {lost} of {len(rated)} rated edits"
        return replace(found, notes=(*found.notes, why))
    return found


def _others(column: Column, ground: Ground, editors: Sequence[str], rated: set[str]) -> list[str]:
    """Samples that the measure met for these editors, of sources without a rating of them."""
    met = column.values.keys() | {k for k, why in column.statuses.items() if why != "no_edit"}
    samples = [sample for sample, source in sorted(ground.sources.items()) if source not in rated]
    return [s for s in samples if all((s, editor) in met for editor in editors)]


def _heard(column: Column, keys: Sequence[Key]) -> list[float]:
    """What the measure says, higher being better; where it has no score, the mean of all it gave.

    An estimate is right whatever is put there. Without those edits it would not be, for what a
    measure fails on is no random choice.
    """
    middle = _mean(column.turned(list(column.values)))
    return [column.turned([key])[0] if key in column.values else middle for key in keys]


@dataclass(frozen=True)
class Duel:
    """Two editors that are neighbours in people's ranking, and what would settle who is better."""

    dimension: str
    measure: str
    better: str  # by what is known now
    worse: str
    found: Powered  # better minus worse, on samples rated for both
    needed: Needed  # more samples rated for both
    settled: bool
    ratings: int | None  # more ratings alone: both edits of each sample, as many raters as now
    ratings_with_judge: int | None


def duels(column: Column, people: People, ground: Ground, ranked: Sequence[Estimate]) -> list[Duel]:
    """Each editor against the next in the ranking; the level is divided among them all."""
    known = [one.editor for one in ranked]
    pairs = list(pairwise(known))
    return [_duel(column, people, ground, pair, LEVEL / len(pairs)) for pair in pairs]


def _duel(
    column: Column, people: People, ground: Ground, pair: tuple[str, str], level: float
) -> Duel:
    rated = [s for s in sorted(ground.sources) if all((s, e) in people.scores for e in pair)]
    clusters = ground.clusters([(sample, "") for sample in rated])
    others = _others(column, ground, pair, set(clusters))
    keys, more = ([[(s, e) for s in chosen] for e in pair] for chosen in (rated, others))
    found = prediction_powered_difference(
        (_scores(people, keys[0]), _scores(people, keys[1])),
        (_heard(column, keys[0]), _heard(column, keys[1])),
        (_heard(column, more[0]), _heard(column, more[1])),
        clusters=clusters, clusters_of_others=ground.clusters(more[0]), level=1 - level,
    )  # fmt: skip
    needed = ratings_needed(found, level=level)
    settled = found.low is not None and found.high is not None and not found.low <= 0 <= found.high
    first = found.estimate if found.estimate is not None else found.mean
    better, worse = pair if first is None or first >= 0 else pair[::-1]
    each, least = 2 * max(1.0, people.per_edit), 0 if settled else 1
    return Duel(
        people.dimension, column.name, better, worse, found, needed, settled,
        _times(needed.alone, each, least), _times(needed.with_judge, each, least),
    )  # fmt: skip


def _scores(people: People, keys: Sequence[Key]) -> list[float]:
    return [people.scores[key] for key in keys]


def _times(pairs: int | None, each: float, least: int) -> int | None:
    """Ratings for so many more samples; what is open takes one more at least."""
    return None if pairs is None else math.ceil(max(pairs, least) * each - 1e-9)


def within_budget(found: Sequence[Duel], ratings: int) -> list[Duel]:
    """The comparisons that so many more ratings would settle, the cheapest first."""
    open_ones = [(cost, one) for one in found if not one.settled and (cost := _cheapest(one))]
    chosen = []
    for cost, one in sorted(open_ones, key=lambda each: (each[0], each[1].better)):
        if cost <= ratings:
            ratings -= cost
            chosen.append(one)
    return chosen


def _cheapest(one: Duel) -> int | None:
    return min((n for n in (one.ratings, one.ratings_with_judge) if n is not None), default=None)
