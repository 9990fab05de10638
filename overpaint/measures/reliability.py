"""How far judges can be relied on: what they say when asked again, and how they agree with one
another and with people.

Everything is read from a run's scores. What a judge said each time it was asked stands in a note
of its score, as `measures.judge` writes it, so nothing is asked again.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations

from overpaint.core import Measure
from overpaint.measures.judge import NOTHING
from overpaint.measures.opinions import HUMAN, Opinion, opinions
from overpaint.measures.rubric_scale import Scale
from overpaint.stats.bootstrap import interval
from overpaint.stats.correlation import Correlation, concordance, pearson, spearman
from overpaint.store import Row, Store, reading

# TextEditBench: three runs of the judge, whose totals of 25 differ by at most this.
PUBLISHED_SPREAD = 0.33
PUBLISHED_TURNS = 3
PUBLISHED_BEST = 25.0
MOST_DISPUTES = 12
BETWEEN = "rater with rater"

_SAID = re.compile(r"said ([^\n]{1,1900}) when asked (\d{1,3}) ×")

Key = tuple[str, str]  # sample, editor
Turns = tuple[float | None, ...]  # what was said each time; None: no answer


@dataclass(frozen=True)
class Judged:
    """The opinions of a run: for each column what each edit got."""

    opinions: Mapping[str, Opinion]
    values: Mapping[str, Mapping[Key, float]]
    statuses: Mapping[str, Mapping[Key, str]]
    turns: Mapping[str, Mapping[Key, Turns]]
    sources: Mapping[str, str] = field(repr=False)  # of each sample
    seed: int = 0

    def of_kind(self, *kinds: str) -> list[Opinion]:
        """The columns of these kinds, in the run's order."""
        return [one for one in self.opinions.values() if one.kind in kinds]

    def clusters(self, keys: Sequence[Key]) -> list[str]:
        """The source of each edit."""
        return [self.sources[sample] for sample, _ in keys]


def read_judged(store: Store) -> Judged:
    """The opinions in a run as it stands now."""
    found = opinions(store.measures)
    values: dict[str, dict[Key, float]] = {name: {} for name in found}
    statuses: dict[str, dict[Key, str]] = {name: {} for name in found}
    turns: dict[str, dict[Key, Turns]] = {name: {} for name in found}
    for row in reading.rows_of_measures(store, [*found]):
        key = row.sample, row.editor
        statuses[row.measure][key] = row.status
        if row.value is not None:
            values[row.measure][key] = row.value
        if said := _turns(found[row.measure], row):
            turns[row.measure][key] = said
    sources = {head.id: head.cluster or head.id for head in reading.heads(store)}
    return Judged(found, values, statuses, turns, sources, int(store.info.get("seed", 0)))


def _turns(opinion: Opinion, row: Row) -> Turns:
    """What a model said each time it was asked, from the note after its rationale."""
    if opinion.kind != "model" or opinion.is_total or opinion.judge is None:
        return ()
    # A rationale comes first and could look like our note; ours is the last of the two.
    match = next((m for note in row.notes[1::-1] if (m := _SAID.fullmatch(note))), None)
    scale = opinion.judge.parts[0][0].scale
    if match is None or scale is None:
        return ()
    words = match[1].split(", ")
    if len(words) != int(match[2]):
        return ()
    try:
        return tuple(
            None if word == NOTHING else _number(word, scale) / opinion.points for word in words
        )
    except ValueError:
        return ()


def _number(word: str, scale: Scale) -> float:
    """The number a word of a note stands for; ValueError where it is not on the scale."""
    value = scale.levels[scale.words.index(word)] if scale.words else float(word)
    if not scale.low <= value <= scale.high:
        raise ValueError(word)
    return value


# ── each judge by itself ────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Retest:
    """What a judge said of the same edits when asked again."""

    column: str
    who: str
    turns: int
    edits: int  # with at least two answers
    spread: float  # mean over edits of the largest answer less the smallest
    low: float | None
    high: float | None
    deviation: float  # within an edit: the root of the mean variance of its answers
    same: int  # edits with one and the same answer each time


def retests(judged: Judged) -> list[Retest]:
    """Test and retest of every column that was asked more than once."""
    return [one for name in judged.opinions if (one := _retest(judged, name)) is not None]


def _retest(judged: Judged, name: str) -> Retest | None:
    answers = {key: _answers(said) for key, said in judged.turns[name].items()}
    repeated = {key: said for key, said in answers.items() if len(said) > 1}
    if not repeated:
        return None
    spreads = [max(said) - min(said) for said in repeated.values()]
    variances = [_variance(said) for said in repeated.values()]
    span = interval(spreads, judged.clusters(list(repeated)), seed=judged.seed)
    return Retest(
        name, judged.opinions[name].who, max(map(len, judged.turns[name].values())),
        len(repeated), math.fsum(spreads) / len(spreads), span and span.low, span and span.high,
        math.sqrt(math.fsum(variances) / len(variances)), sum(spread == 0 for spread in spreads),
    )  # fmt: skip


def _answers(said: Turns) -> list[float]:
    return [value for value in said if value is not None]


def _variance(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


@dataclass(frozen=True)
class TotalRetest:
    """The totals a judge gives an editor, each turn by itself, as papers report runs."""

    who: str
    editor: str
    dimensions: tuple[str, ...]
    totals: tuple[float, ...]  # one a turn: the sum of the dimensions' means
    width: float  # of the scale: the largest total there can be less the smallest

    @property
    def spread(self) -> float:
        """The largest total less the smallest."""
        return max(self.totals) - min(self.totals)


def total_retests(judged: Judged) -> list[TotalRetest]:
    """For every total of a judge that was asked again, and every editor.

    Only what a column of the run adds up is added up here, and edits answered each time count.
    """
    return [
        TotalRetest(total.who, editor, tuple(one.dimension for one in columns), totals, width)
        for total in judged.of_kind("model")
        for columns in [_parts(judged, total)]
        for width in [sum(_width(one.measure) for one in columns)]
        for editor in _editors(judged, columns)
        if (totals := _totals(judged, columns, editor)) is not None
    ]


def _parts(judged: Judged, total: Opinion) -> list[Opinion]:
    """The columns of a total; none where one is not there or they were not asked equally often."""
    found = [judged.opinions[name] for name in total.measure.parts if name in judged.opinions]
    whole = len(found) == len(total.measure.parts)
    return found if whole and len(set(map(_repeats, found))) == 1 else []


def _repeats(opinion: Opinion) -> int:
    return opinion.judge.repeats if opinion.judge is not None else 1


def _width(measure: Measure) -> float:
    return abs((measure.best or 0.0) - (measure.worst or 0.0))


def _editors(judged: Judged, columns: Sequence[Opinion]) -> list[str]:
    return list(dict.fromkeys(e for one in columns for _, e in judged.turns[one.name]))


def _totals(judged: Judged, columns: Sequence[Opinion], editor: str) -> tuple[float, ...] | None:
    """The total of each turn; None where a dimension has no edit with an answer each time."""
    totals: list[float] = []
    for opinion in columns:
        whole = [
            [value for value in said if value is not None]
            for (_, who), said in judged.turns[opinion.name].items()
            if who == editor and None not in said and len(said) == _repeats(opinion)
        ]
        if not whole:
            return None
        means = [math.fsum(turn) / len(turn) for turn in zip(*whole, strict=True)]
        totals = [a + b for a, b in zip(totals or [0.0] * len(means), means, strict=True)]
    return tuple(totals)


# ── judges with one another ─────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Concord:
    """Two columns on the edits that both have scored."""

    a: str
    b: str
    pearson: Correlation
    spearman: Correlation
    kappa: Correlation | None = None  # with quadratic weights; None where the scales differ
    apart: float | None = None  # mean absolute difference
    squared: float | None = None  # mean squared difference
    n: int = 0


def concords(judged: Judged) -> list[Concord]:
    """Every two judges on each dimension: models with models, and with the evidence judge."""
    found = [
        held_together(judged, a.name, b.name)
        for a, b in combinations(judged.of_kind("model", "evidence"), 2)
        if a.dimension == b.dimension
    ]
    return [one for one in found if one.n]


def held_together(judged: Judged, a: str, b: str) -> Concord:
    """Two columns of a run held together."""
    measures = [judged.opinions[name].measure for name in (a, b)]
    return together((a, judged.values[a]), (b, judged.values[b]), judged, same_scale(*measures))


def in_points(opinion: Opinion) -> Measure:
    """The measure as if its values were told in the rubric's points."""
    ends = (opinion.measure.worst, opinion.measure.best)
    worst, best = (None if end is None else end * opinion.points for end in ends)
    return replace(opinion.measure, worst=worst, best=best)


def same_scale(a: Measure, b: Measure) -> bool:
    """Whether two measures' numbers mean the same."""
    return (a.worst, a.best) == (b.worst, b.best) and None not in (a.worst, a.best)


def together(
    a: tuple[str, Mapping[Key, float]],
    b: tuple[str, Mapping[Key, float]],
    judged: Judged,
    same: bool,
) -> Concord:
    """Two named columns of values held together; agreement only where the scale is the same."""
    keys = sorted(a[1].keys() & b[1].keys())
    sides = [a[1][key] for key in keys], [b[1][key] for key in keys]
    clusters = judged.clusters(keys)
    return _concord((a[0], b[0]), sides, clusters, judged.seed, same=same)


def _concord(
    names: tuple[str, str],
    sides: tuple[Sequence[float], Sequence[float]],
    clusters: Sequence[str],
    seed: int,
    *,
    same: bool,
) -> Concord:
    apart = [abs(x - y) for x, y in zip(*sides, strict=True)] if same else []
    absolute, squared = (
        math.fsum(one**power for one in apart) / len(apart) if apart else None for power in (1, 2)
    )
    return Concord(
        *names, pearson(*sides, clusters, seed=seed), spearman(*sides, clusters, seed=seed),
        concordance(*sides, clusters, seed=seed) if same else None,
        absolute, squared, len(sides[0]),
    )  # fmt: skip


@dataclass(frozen=True)
class Dispute:
    """An edit on which judges are far apart."""

    sample: str
    editor: str
    dimension: str
    said: Mapping[str, float]  # by judge
    spread: float


def disputes(judged: Judged, most: int = MOST_DISPUTES) -> list[Dispute]:
    """The edits on which models differ most, by share of the scale; totals are left out."""
    groups = [group for group in _groups(judged).values() if len(group) > 1]
    found = [one for group in groups for one in _disputed(judged, group)]
    found.sort(key=lambda one: (-one[0], one[1].sample, one[1].editor))
    return [one for _, one in found[:most]]


def _groups(judged: Judged) -> dict[tuple[str, float | None], list[Opinion]]:
    """The models' columns by dimension, without totals."""
    groups: dict[tuple[str, float | None], list[Opinion]] = {}
    for one in judged.of_kind("model"):
        if not one.is_total:
            groups.setdefault((one.dimension, one.measure.best), []).append(one)
    return groups


def _disputed(judged: Judged, group: Sequence[Opinion]) -> Iterator[tuple[float, Dispute]]:
    width = _width(group[0].measure) or 1.0
    keys = dict.fromkeys(key for one in group for key in judged.values[one.name])
    for key in keys:
        said = {o.who: judged.values[o.name][key] for o in group if key in judged.values[o.name]}
        spread = max(said.values()) - min(said.values())
        if spread > 0:
            yield spread / width, Dispute(*key, group[0].dimension, said, spread)


# ── judges with people ──────────────────────────────────────────────────────────────────


def with_people(judged: Judged) -> list[Concord]:
    """Each judge's columns, and the mean of its dimensions, against each column of people's."""
    found = [
        together((name, values), (people.name, judged.values[people.name]), judged, same)
        for people in judged.of_kind("people")
        for name, values, same in _sides(judged, people)
    ]
    return [one for one in found if one.n]


def _sides(judged: Judged, people: Opinion) -> Iterator[tuple[str, Mapping[Key, float], bool]]:
    judges = judged.of_kind("model", "panel", "evidence")
    for one in judges:
        if people.dimension == HUMAN or one.dimension == people.dimension:
            # People rate in the rubric's points, whatever a column makes of them.
            values = {key: one.points * value for key, value in judged.values[one.name].items()}
            yield one.name, values, same_scale(in_points(one), people.measure)
    if people.dimension == HUMAN:
        for who in dict.fromkeys(one.who for one in judges if one.kind != "evidence"):
            columns = [one for one in judges if one.who == who and not one.is_total]
            if len(columns) > 1:
                yield f"mean of {len(columns)} @{who}", mean_of(judged, columns), False


def between_people(
    judged: Judged, column: str, given: Mapping[Key, Mapping[str, float]]
) -> Concord | None:
    """One rater with another: every two who rated the same edit of the run, both ways round.

    So a judge can be read against what one person tells of another; None where nobody can be.
    """
    rated = [(key, given[key]) for key in sorted(given) if key in judged.statuses[column]]
    pairs = [
        (key, *values)
        for key, said in rated
        for values in permutations([said[who] for who in sorted(said)], 2)
    ]
    if not pairs:
        return None
    sides = [x for _, x, _ in pairs], [y for _, _, y in pairs]
    clusters = judged.clusters([key for key, _, _ in pairs])
    found = _concord((column, BETWEEN), sides, clusters, judged.seed, same=True)
    return replace(found, n=sum(len(said) > 1 for _, said in rated))


def mean_of(judged: Judged, columns: Sequence[Opinion]) -> dict[Key, float]:
    """The mean of an edit's dimensions: of those that apply, and only where none failed."""
    keys = set.union(*(set(judged.statuses[one.name]) for one in columns))
    means = {}
    for key in sorted(keys):
        told = [judged.statuses[one.name].get(key) for one in columns]
        found = [judged.values[one.name][key] for one in columns if key in judged.values[one.name]]
        if found and all(status in ("ok", "not_applicable") for status in told):
            means[key] = math.fsum(found) / len(found)
    return means
